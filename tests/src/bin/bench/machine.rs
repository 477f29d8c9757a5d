//! Where and when something was measured: the lines of comment on top of every result.

use ::tests::repository::root;
use std::process::Command;

/// Name and value of what a reader needs to know to compare.
pub(crate) fn describe() -> Vec<(&'static str, String)> {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    vec![
        ("machine", format!("{}, {cores} cores, {}", cpu_model(), memory())),
        ("date", output("date", &["-u", "+%Y-%m-%d %H:%M UTC"])),
        ("commit", commit()),
    ]
}

fn cpu_model() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    model_name(&text).unwrap_or("unknown processor").to_owned()
}

fn model_name(cpuinfo: &str) -> Option<&str> {
    let line = cpuinfo.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim())
}

fn memory() -> String {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    megabytes(&text).map_or_else(|| "unknown memory".to_owned(), |mb| format!("{mb} MB memory"))
}

fn megabytes(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes / 1024)
}

/// The commit, and whether the files differ from it.
pub(crate) fn commit() -> String {
    let commit = output("git", &["rev-parse", "--short=12", "HEAD"]);
    let changes = Command::new("git").args(["diff", "--quiet", "HEAD"]).current_dir(root()).status();
    if changes.is_ok_and(|status| status.code() == Some(1)) { commit + " with changes" } else { commit }
}

/// What a command prints, without the line end.
fn output(program: &str, arguments: &[&str]) -> String {
    let finished = Command::new(program).args(arguments).current_dir(root()).output();
    let text = finished.ok().filter(|f| f.status.success()).and_then(|f| String::from_utf8(f.stdout).ok());
    text.map_or_else(|| "unknown".to_owned(), |text| text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_is_found() {
        assert_eq!(
            model_name("processor\t: 0\nmodel name\t: A Processor @ 2 GHz\n"),
            Some("A Processor @ 2 GHz")
        );
        assert_eq!(model_name("processor\t: 0\n"), None);
    }

    #[test]
    fn the_memory_is_found() {
        assert_eq!(megabytes("MemTotal:        8130452 kB\nMemFree: 1 kB\n"), Some(7939));
        assert_eq!(megabytes("MemFree: 1 kB\n"), None);
    }

    #[test]
    fn missing_programs_are_no_error() {
        assert_eq!(output("no-such-program", &[]), "unknown");
    }
}
