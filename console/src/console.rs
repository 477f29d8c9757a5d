//! stdout, stderr and colours.

use crate::args::ConsoleArgs;
use crate::failure::{Failure, Result, exit};
use crate::obstacles::more_errors;
use frontend::diagnostics::{Diagnostic, Severity};
use std::io::{self, IsTerminal as _, Write as _};
use terminal::color::Paint;

/// What may be printed and how.
#[derive(Clone, Copy, Debug)]
pub struct Console {
    /// Only the result.
    pub quiet: bool,
    /// Everything that there is to say.
    pub verbose: bool,
    /// Whether somebody watches stderr for a line of progress.
    pub is_watched: bool,
    color_stdout: bool,
    color_stderr: bool,
}

/// So many warnings, or errors, are shown, unless the user wants all.
const SHOWN: usize = 20;

impl Console {
    /// Decides about colours.
    pub fn open(args: &ConsoleArgs) -> Self {
        Self {
            quiet: args.quiet,
            verbose: args.verbose > 0,
            // The log of -v is progress enough.
            is_watched: io::stderr().is_terminal() && !args.quiet && args.verbose == 0,
            color_stdout: args.color.applies_to(io::stdout().is_terminal()),
            color_stderr: args.color.applies_to(io::stderr().is_terminal()),
        }
    }

    /// The console of a command without options for it.
    pub fn plain() -> Self {
        Self::open(&ConsoleArgs::default())
    }

    /// A verdict, green for good and red for bad.
    pub fn verdict(&self, text: &str, code: u8) -> String {
        let paint = match code {
            exit::SUCCESSFUL => Paint::Good,
            exit::UNKNOWN => Paint::Open,
            _ => Paint::Bad,
        };
        if self.color_stdout { paint.on(text) } else { text.to_owned() }
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

    /// All messages about an input that cannot be translated; of very many, the first ones, and the others by kind.
    pub fn diagnostics(&self, diagnostics: &[&Diagnostic]) {
        let shown = if self.verbose { diagnostics.len() } else { SHOWN };
        diagnostics.iter().take(shown).for_each(|diagnostic| self.diagnostic(diagnostic));
        if let Some(more @ [_, ..]) = diagnostics.get(shown..) {
            say(&format!("{}; -v shows all", more_errors(more)));
        }
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
        let paint = match severity {
            Severity::Error => Paint::Bad,
            Severity::Warning => Paint::Warning,
            Severity::Note => Paint::Remark,
        };
        let word = format!("{severity}:");
        if self.color_stderr { message.replacen(&word, &paint.on(&word), 1) } else { message.to_owned() }
    }
}

/// Nobody to tell if stderr is closed.
fn say(message: &str) {
    terminal::progress::make_room();
    // In one piece: others write, too.
    let _ = terminal::messages::stderr().write_all(format!("{message}\n").as_bytes());
}

/// Writes the result. A reader who has gone away does not change it; any other error is reported.
pub fn print(text: &str) -> Result<()> {
    terminal::output::print(text).map_err(Failure::Usage)
}
