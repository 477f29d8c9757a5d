//! Running programs and looking at what they leave.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The folder with our programs, all of them built.
pub(crate) fn programs() -> PathBuf {
    static BUILT: std::sync::OnceLock<PathBuf> = std::sync::OnceLock::new();
    let build = || {
        let names = ["monabs", "breach", "asyncc", "cseq", "impara"];
        let files: Vec<PathBuf> = names.iter().map(|name| tests::binary::program(name).unwrap()).collect();
        files[0].parent().unwrap().to_owned()
    };
    BUILT.get_or_init(build).clone()
}

/// One of our programs.
pub(crate) fn program(name: &str) -> Command {
    let mut command = Command::new(programs().join(name));
    command.stdin(Stdio::null());
    command
}

/// A file of the repository.
pub(crate) fn repository(name: &str) -> PathBuf {
    tests::repository::root().join(name)
}

/// What a command printed and how it ended.
#[derive(Debug)]
pub(crate) struct Ended {
    /// `None` for a signal.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs a command to its end.
#[track_caller]
pub(crate) fn run(command: &mut Command) -> Ended {
    ended(command.output().unwrap_or_else(|error| panic!("{command:?}: {error}")))
}

/// What there is of a finished process.
pub(crate) fn ended(output: Output) -> Ended {
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ended { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// The names in a folder, in order.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
