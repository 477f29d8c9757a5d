//! How a command can end without a result, and the exit codes.

use super::console::Console;
use frontend::diagnostics::{Diagnostic, Diagnostics, Severity};
use std::io;
use std::path::Path;

/// The exit codes.
pub(super) mod exit {
    pub(crate) const SUCCESSFUL: u8 = 0;
    pub(crate) const FAILED: u8 = 10;
    pub(crate) const UNKNOWN: u8 = 5;
    pub(crate) const USAGE: u8 = 1;
    pub(crate) const REJECTED: u8 = 1;
    pub(crate) const INPUT: u8 = 2;
    pub(crate) const INTERNAL: u8 = 6;
}

/// Why a command has no result: messages for stderr.
#[derive(Debug)]
pub(super) enum Failure {
    /// The command line asks for something that makes no sense.
    Clap(Box<clap::Error>),
    /// Something outside is not as the user said: an output that cannot be written.
    Usage(String),
    /// The input cannot be read or translated.
    Input(Diagnostics),
    /// A bug in this program.
    Internal(String),
}

/// What commands return: an exit code, or why there is none.
pub(super) type Result<T = u8> = std::result::Result<T, Failure>;

const HOW_TO_REPORT: &str = "this is a bug in asyncc; no result is given. Please report it as CONTRIBUTING.md says, with \
     the version (asyncc --version), the command line and the input file";

impl Failure {
    /// An output that cannot be written.
    pub(super) fn cannot_write(path: &Path, error: &io::Error) -> Self {
        Failure::Usage(format!("cannot write {}: {error}", path.display()))
    }

    /// An input that is not as it should be, as a whole.
    pub(super) fn about_file(name: impl Into<String>, message: impl Into<String>) -> Self {
        Diagnostic::about_file(Severity::Error, name, message).into()
    }

    /// Prints the messages; returns the exit code.
    pub(super) fn report(&self, console: &Console) -> u8 {
        match self {
            Failure::Clap(error) => {
                // Nobody to tell if stdout or stderr is closed.
                let _ = error.print();
                if error.use_stderr() { exit::USAGE } else { exit::SUCCESSFUL }
            }
            Failure::Usage(message) => {
                console.error(&format!("error: {message}"));
                exit::USAGE
            }
            Failure::Input(diagnostics) => {
                diagnostics.iter().for_each(|diagnostic| console.diagnostic(diagnostic));
                exit::INPUT
            }
            Failure::Internal(message) => {
                console.error(&format!("internal error: {message}\n{HOW_TO_REPORT}"));
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
        let console = Console::plain();
        assert_eq!(Failure::Usage("test".to_owned()).report(&console), 1);
        assert_eq!(Failure::about_file("test.c", "test").report(&console), 2);
        assert_eq!(Failure::Internal("test".to_owned()).report(&console), 6);
    }
}
