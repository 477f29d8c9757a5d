//! How a command can end without an answer, and the exit codes (`CONVENTIONS.md`).

use super::console::Console;
use breach::coverability::InternalError;
use breach::diagnostics::Diagnostic;
use std::io::{self, Write as _};
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
    pub(crate) const KILLED: u8 = 130;
}

/// Why a command has no answer: a message for stderr.
#[derive(Debug)]
pub(super) enum Failure {
    /// The command line asks for something that makes no sense.
    Clap(Box<clap::Error>),
    /// Something outside is not as the user said: an output that cannot be written.
    Usage(String),
    /// The input cannot be read. The message names the place.
    Input(String),
    /// A bug in this program.
    Internal(String),
}

/// What commands return: an exit code, or why there is none.
pub(super) type Result<T = u8> = std::result::Result<T, Failure>;

const HOW_TO_REPORT: &str = "this is a bug in breach; no verdict is given. Please report it as CONTRIBUTING.md says, with \
     the version (breach --version), the command line and the input file";

impl Failure {
    /// An output that cannot be written.
    pub(super) fn cannot_write(path: &Path, error: &io::Error) -> Self {
        Failure::Usage(format!("cannot write {}: {error}", path.display()))
    }

    /// An input that cannot be read.
    pub(super) fn cannot_read(path: &Path, error: &io::Error) -> Self {
        Failure::Input(format!("error: cannot read {}: {error}", path.display()))
    }

    /// Prints the message; returns the exit code.
    pub(super) fn report(&self, console: &Console) -> u8 {
        match self {
            Failure::Clap(error) => {
                if let Err(message) = terminal::help::print(error) {
                    return Failure::Usage(message).report(console);
                }
                if error.use_stderr() { exit::USAGE } else { exit::SUCCESSFUL }
            }
            Failure::Usage(message) => say(console, &format!("error: {message}"), exit::USAGE),
            Failure::Input(message) => say(console, message, exit::INPUT),
            Failure::Internal(message) => {
                say(console, &format!("internal error: {message}\n{HOW_TO_REPORT}"), exit::INTERNAL)
            }
        }
    }
}

fn say(console: &Console, message: &str, code: u8) -> u8 {
    let message = console.highlight_error(message);
    terminal::progress::make_room();
    let _ = writeln!(io::stderr(), "{message}");
    code
}

impl From<clap::Error> for Failure {
    fn from(error: clap::Error) -> Self {
        Failure::Clap(Box::new(error))
    }
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Self {
        Failure::Input(diagnostic.to_string())
    }
}

impl From<InternalError> for Failure {
    fn from(error: InternalError) -> Self {
        // Some messages of the library say it themselves.
        Failure::Internal(error.to_string().trim_start_matches("internal error: ").to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes() {
        let console = Console::plain();
        assert_eq!(Failure::Usage("test".to_owned()).report(&console), 1);
        assert_eq!(Failure::Input("test".to_owned()).report(&console), 2);
        let internal = Failure::from(InternalError("internal error: test".to_owned()));
        assert_eq!(internal.report(&console), 6);
        assert!(matches!(internal, Failure::Internal(text) if text == "test"));
    }
}
