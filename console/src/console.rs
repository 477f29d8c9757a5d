//! stdout, stderr and colours.

use crate::args::{ColorArg, ConsoleArgs};
use crate::failure::{Failure, Result, exit};
use frontend::diagnostics::{Diagnostic, Severity};
use std::io::{self, IsTerminal as _, Write as _};

/// What may be printed and how.
#[derive(Clone, Copy, Debug)]
pub struct Console {
    /// Only the result.
    pub quiet: bool,
    verbose: bool,
    /// Whether somebody watches stderr.
    pub is_watched: bool,
    color_stdout: bool,
    color_stderr: bool,
}

/// So many warnings are shown, unless the user wants all.
const SHOWN: usize = 20;

impl Console {
    /// Decides about colours.
    pub fn open(args: &ConsoleArgs) -> Self {
        Self {
            quiet: args.quiet,
            verbose: args.verbose > 0,
            is_watched: io::stderr().is_terminal() && !args.quiet,
            color_stdout: use_color(args.color, io::stdout().is_terminal()),
            color_stderr: use_color(args.color, io::stderr().is_terminal()),
        }
    }

    /// The console of a command without options for it.
    pub fn plain() -> Self {
        Self::open(&ConsoleArgs::default())
    }

    /// A verdict, green for good and red for bad.
    pub fn verdict(&self, text: &str, code: u8) -> String {
        let color = match code {
            exit::SUCCESSFUL => "\x1b[1;32m",
            exit::UNKNOWN => "\x1b[1;33m",
            _ => "\x1b[1;31m",
        };
        if self.color_stdout { format!("{color}{text}\x1b[0m") } else { text.to_owned() }
    }

    /// Says on stderr what is being done, if the user wants to know.
    pub fn progress(&self, message: impl FnOnce() -> String) {
        if self.verbose {
            say(&message());
        }
    }

    /// Says something on stderr that is no part of the result, unless the user wants only that.
    pub fn note(&self, message: &str) {
        if !self.quiet {
            say(message);
        }
    }

    /// A message on stderr with its first word `error:` in red.
    pub fn error(&self, message: &str) {
        say(&self.highlight(message, Severity::Error));
    }

    /// A message about the input.
    pub fn diagnostic(&self, diagnostic: &Diagnostic) {
        say(&self.highlight(&diagnostic.to_string(), diagnostic.severity));
    }

    /// Remarks about the input that are no part of the result.
    pub fn remarks(&self, remarks: &[Diagnostic]) {
        if self.quiet {
            return;
        }
        let shown = if self.verbose { remarks.len() } else { SHOWN };
        remarks.iter().take(shown).for_each(|remark| self.diagnostic(remark));
        if remarks.len() > shown {
            say(&format!("{} more; -v shows all", remarks.len() - shown));
        }
    }

    fn highlight(&self, message: &str, severity: Severity) -> String {
        let color = match severity {
            Severity::Error => "\x1b[1;31m",
            Severity::Warning => "\x1b[1;35m",
            Severity::Note => "\x1b[1;36m",
        };
        let word = format!("{severity}:");
        if self.color_stderr {
            message.replacen(&word, &format!("{color}{word}\x1b[0m"), 1)
        } else {
            message.to_owned()
        }
    }
}

/// Nobody to tell if stderr is closed.
fn say(message: &str) {
    let _ = writeln!(io::stderr(), "{message}");
}

fn use_color(choice: ColorArg, is_terminal: bool) -> bool {
    match choice {
        ColorArg::Always => true,
        ColorArg::Never => false,
        // See https://no-color.org: set and not empty.
        ColorArg::Auto => is_terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
    }
}

/// Writes the result. A reader who has gone away does not change it; any other error is reported.
pub fn print(text: &str) -> Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Usage(format!("cannot write to stdout: {error}")))
        }
        _ => Ok(()),
    }
}
