//! Runs the program in a folder of its own.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// Two threads are never inside.
pub(crate) const MUTEX: &str = "#init 0/0\n#target 1|1,1\n2 2\n0 0 -> 1 1\n1 1 -> 0 0\n";
/// The same without a question.
pub(crate) const NO_QUESTION: &str = "2 2\n0 0 -> 1 1\n1 1 -> 0 0\n";
/// Two threads get in.
pub(crate) const OPEN: &str = "#init 0/0\n#target 0|1,1\n1 2\n0 0 -> 0 1\n";

/// 49 threads on a way of 10 places never become 50; without reductions and invariants, a backward search goes
/// through all ways to place them.
pub(crate) fn hard() -> String {
    let steps: String = (0..9).map(|l| format!("0 {l} -> 0 {}\n", l + 1)).collect();
    format!("#init 0|0^49\n#target 0|9^50\n1 10\n{steps}")
}

/// The options that make [`hard`] hard.
pub(crate) const HARD: [&str; 5] =
    ["--algorithm", "backward", "--no-oracle", "--no-reductions", "--no-state-equation"];

/// A temporary folder that goes away with the test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("breach-cli-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// A folder with one file.
    pub(crate) fn with(name: &str, content: impl AsRef<[u8]>) -> Self {
        let folder = Self::new();
        folder.write(name, content);
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.0.join(name), content).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.join(name).exists()
    }

    /// The program, to be started in this folder.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_breach"));
        command.current_dir(&self.0).args(args).env_remove("NO_COLOR").env_remove("RUST_BACKTRACE");
        command
    }

    /// Runs the program.
    pub(crate) fn run(&self, args: &[&str]) -> Run {
        Run::of(args, self.command(args).stdin(Stdio::null()).output().unwrap())
    }

    /// Runs the program with a text on stdin.
    pub(crate) fn pipe(&self, args: &[&str], input: &str) -> Run {
        let mut command = self.command(args);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // A program that refuses its options does not read.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        Run::of(args, child.wait_with_output().unwrap())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What a run of the program has left.
#[derive(Debug)]
pub(crate) struct Run {
    #[expect(dead_code, reason = "for messages")]
    args: Vec<String>,
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    pub(crate) fn of(args: &[&str], output: Output) -> Self {
        Self {
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Checks exit code and last line of stdout.
    #[track_caller]
    pub(crate) fn ends_with(self, code: i32, last_line: &str) -> Self {
        assert_eq!((self.code, self.stdout.lines().last()), (Some(code), Some(last_line)), "{self:#?}");
        self
    }

    #[track_caller]
    pub(crate) fn successful(self) -> Self {
        self.ends_with(0, "VERIFICATION SUCCESSFUL")
    }

    #[track_caller]
    pub(crate) fn failed(self) -> Self {
        self.ends_with(10, "VERIFICATION FAILED")
    }

    #[track_caller]
    pub(crate) fn unknown(self) -> Self {
        self.ends_with(5, "VERIFICATION UNKNOWN")
    }

    /// Checks that there is no result, but an exit code and a message on stderr that has all these parts.
    #[track_caller]
    pub(crate) fn refused(self, code: i32, parts: &[&str]) -> Self {
        assert_eq!((self.code, self.stdout.as_str()), (Some(code), ""), "{self:#?}");
        for part in parts {
            assert!(self.stderr.contains(part), "{part:?} is missing: {self:#?}");
        }
        self
    }

    /// Checks that stdout has all these parts.
    #[track_caller]
    pub(crate) fn says(self, parts: &[&str]) -> Self {
        for part in parts {
            assert!(self.stdout.contains(part), "{part:?} is missing: {self:#?}");
        }
        self
    }

    /// The line before the last one.
    pub(crate) fn line_before_last(&self) -> &str {
        self.stdout.lines().rev().nth(1).unwrap_or_default()
    }
}
