//! Two kinds of help: `-h` on one screen with what most people need, `--help` with everything by group.

use clap::Command;

/// Leaves only these options in the short help; a name is that of the field in the table of options.
pub fn shorten(command: Command, shown: &[&str]) -> Command {
    command.mut_args(|arg| {
        let is_shown = shown.contains(&arg.get_id().as_str());
        arg.hide_short_help(!is_shown)
    })
}

/// Where to read on: the end of the short help.
pub fn more(program: &str) -> String {
    format!(
        "{program} --help lists all options by group; {program} man prints the manual page;\n\
         {program} completions bash (or zsh, fish) prints a script that completes options"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Arg;

    #[test]
    fn only_what_is_named_is_short() {
        let table = Command::new("x").args([Arg::new("one").long("one"), Arg::new("two").long("two")]);
        let mut table = shorten(table, &["two"]);
        let (short, long) = (table.render_help().to_string(), table.render_long_help().to_string());
        assert!(!short.contains("--one") && short.contains("--two"), "{short}");
        assert!(long.contains("--one") && long.contains("--two"), "{long}");
    }
}
