//! Two kinds of help: `-h` on one screen with what most people need, `--help` with everything by group. The manual page has everything, too.

use clap::Command;
use std::io::Write as _;

/// Leaves only these options in the short help; a name is that of the field in the table of options.
pub fn shorten(command: Command, shown: &[&str]) -> Command {
    command.mut_args(|arg| {
        let is_shown = shown.contains(&arg.get_id().as_str());
        arg.hide_short_help(!is_shown)
    })
}

/// Prints what the parser of options has to say: help and versions to stdout, errors to stderr. A reader who has gone away is no error, and nobody
/// is left to tell if stderr is closed.
pub fn print(said: &clap::Error) -> Result<(), String> {
    let printed = said.print().and_then(|()| std::io::stdout().flush());
    match printed {
        Err(error) if !said.use_stderr() && error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(format!("cannot write to stdout: {error}"))
        }
        _ => Ok(()),
    }
}

/// Where to read on: the end of the short help.
pub fn more(program: &str) -> String {
    format!(
        "{program} --help lists all options by group; {program} man prints the manual page;\n\
         {program} completions bash (or zsh, fish) prints a script that completes options"
    )
}

/// The manual page of a program, or of one of its commands, if there is such a command.
pub fn manual(mut command: Command, name: Option<&str>) -> Option<String> {
    command.build();
    let mut described = match name {
        None => command,
        Some(name) => command.find_subcommand(name)?.clone(),
    };
    // All options with their values fill a screen before the page begins; this is what `--help` has.
    let usage = described.render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim().to_owned();
    // What the short help leaves out, the page would leave out, too.
    let described = described.override_usage(usage).mut_args(|arg| arg.hide_short_help(false));
    let mut page = Vec::new();
    // Writing to memory cannot fail.
    let _ = clap_mangen::Man::new(described).render(&mut page);
    Some(String::from_utf8_lossy(&page).into_owned())
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

    #[test]
    fn the_page_has_the_text_of_all_options() {
        let one = Arg::new("one").long("one").value_name("N").help("What one is");
        let table = Command::new("x").arg(one).subcommand(Command::new("y").about("What y is"));
        let table = shorten(table, &[]);
        let page = manual(table.clone(), None).unwrap();
        for part in ["What one is", "[OPTIONS]", "<N>", "What y is"] {
            assert!(page.contains(part), "{part} is missing: {page}");
        }
        assert!(manual(table.clone(), Some("y")).unwrap().contains("What y is"));
        assert_eq!(manual(table, Some("z")), None);
    }
}
