//! How a command can end without a result, and the exit codes.

use crate::Tool;
use crate::console::Console;
use clap::error::ErrorKind;
use frontend::diagnostics::{Diagnostic, Diagnostics, Severity, reason};
use std::io;
use std::path::Path;

/// The exit codes.
pub mod exit {
    /// Nothing is violated, or what was asked for is printed.
    pub const SUCCESSFUL: u8 = 0;
    /// A real run violates a property.
    pub const FAILED: u8 = 10;
    /// Neither is known.
    pub const UNKNOWN: u8 = 5;
    /// Wrong usage.
    pub const USAGE: u8 = 1;
    /// What was to be checked does not hold.
    pub const REJECTED: u8 = 1;
    /// The input cannot be read.
    pub const INPUT: u8 = 2;
    /// A bug in the program.
    pub const INTERNAL: u8 = 6;
    /// Ended by a second Ctrl-C, as shells say it.
    pub const KILLED: u8 = 130;
}

/// Why a command has no result: messages for stderr.
#[derive(Debug)]
pub enum Failure {
    /// The command line asks for something that makes no sense.
    Clap(Box<clap::Error>),
    /// Options contradict each other.
    Conflict(String),
    /// Something outside is not as the user said: an output that cannot be written.
    Usage(String),
    /// The input cannot be read or translated.
    Input(Diagnostics),
    /// A bug in this program.
    Internal(String),
}

/// What commands return: an exit code, or why there is none.
pub type Result<T = u8> = std::result::Result<T, Failure>;

fn how_to_report(name: &str) -> String {
    format!(
        "this is a bug in {name}; no result is given. Please report it as CONTRIBUTING.md says, with the version ({name} \
         --version), the command line and the input file"
    )
}

impl Failure {
    /// An output that cannot be written.
    pub fn cannot_write(path: &Path, error: &io::Error) -> Self {
        Failure::Usage(format!("cannot write {}: {}", path.display(), reason(error)))
    }

    /// An input that is not as it should be, as a whole.
    pub fn about_file(name: impl Into<String>, message: impl Into<String>) -> Self {
        Diagnostic::about_file(Severity::Error, name, message).into()
    }

    /// Prints the messages; returns the exit code.
    pub fn report(&self, tool: &Tool, console: &Console) -> u8 {
        match self {
            Failure::Clap(error) => {
                if let Err(message) = terminal::help::print(error) {
                    return Failure::Usage(message).report(tool, console);
                }
                if error.use_stderr() { exit::USAGE } else { exit::SUCCESSFUL }
            }
            Failure::Conflict(message) => {
                let error = (tool.command)().error(ErrorKind::ArgumentConflict, message);
                Failure::from(error).report(tool, console)
            }
            Failure::Usage(message) => {
                console.error(&format!("error: {message}"));
                exit::USAGE
            }
            Failure::Input(diagnostics) => {
                console.diagnostics(&diagnostics.iter().collect::<Vec<_>>());
                exit::INPUT
            }
            Failure::Internal(message) => {
                console.error(&format!("internal error: {message}\n{}", how_to_report(tool.name)));
                exit::INTERNAL
            }
        }
    }
}

impl From<clap::Error> for Failure {
    fn from(error: clap::Error) -> Self {
        Failure::Clap(Box::new(error))
    }
}

impl From<Diagnostics> for Failure {
    fn from(diagnostics: Diagnostics) -> Self {
        Failure::Input(diagnostics)
    }
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Self {
        Failure::Input(diagnostic.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes() {
        let tool = Tool { name: "test", version: "1", command: || clap::Command::new("test") };
        let report = |failure: Failure| failure.report(&tool, &Console::plain());
        assert_eq!(report(Failure::Usage("test".to_owned())), 1);
        assert_eq!(report(Failure::Conflict("test".to_owned())), 1);
        assert_eq!(report(Failure::about_file("test.c", "test")), 2);
        assert_eq!(report(Failure::Internal("test".to_owned())), 6);
    }
}
