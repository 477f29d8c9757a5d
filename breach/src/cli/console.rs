//! stdout, stderr and colours.

use super::args::ConsoleArgs;
use super::failure::{Failure, Result};
use std::io::{self, IsTerminal as _, Write as _};
use terminal::color::Paint;

/// What may be printed and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct Console {
    /// Only the verdict and its reason.
    pub(super) quiet: bool,
    /// Whether a progress line may be shown on stderr.
    pub(super) progress: bool,
    color_stdout: bool,
    color_stderr: bool,
}

impl Console {
    /// Decides about colours and progress, and starts the log.
    pub(super) fn open(args: &ConsoleArgs) -> Self {
        let console = Self {
            quiet: args.quiet,
            // The log would get mixed up with the line.
            progress: !args.quiet && args.verbose == 0 && io::stderr().is_terminal(),
            color_stdout: args.color.applies_to(io::stdout().is_terminal()),
            color_stderr: args.color.applies_to(io::stderr().is_terminal()),
        };
        start_log(args, console.color_stderr);
        console
    }

    /// The console of a command without options for it.
    pub(super) fn plain() -> Self {
        Self::open(&ConsoleArgs::default())
    }

    /// A verdict, green for good and red for bad.
    pub(super) fn verdict(&self, text: &str, code: u8) -> String {
        let paint = match code {
            super::failure::exit::SUCCESSFUL => Paint::Good,
            super::failure::exit::UNKNOWN => Paint::Open,
            _ => Paint::Bad,
        };
        if self.color_stdout { paint.on(text) } else { text.to_owned() }
    }

    /// A message for stderr with its word `error:` in red.
    pub(super) fn highlight_error(&self, message: &str) -> String {
        if self.color_stderr {
            message.replacen("error:", &Paint::Bad.on("error:"), 1)
        } else {
            message.to_owned()
        }
    }

    /// A remark on stderr that is no part of the result.
    pub(super) fn note(&self, message: &str) {
        if !self.quiet {
            terminal::progress::make_room();
            let _ = writeln!(io::stderr(), "note: {message}");
        }
    }

    /// A remark without which the result is easily misunderstood: also printed if the user wants quiet.
    pub(super) fn warn(&self, message: &str) {
        terminal::progress::make_room();
        let _ = writeln!(io::stderr(), "warning: {message}");
    }
}

fn start_log(args: &ConsoleArgs, color: bool) {
    let level = match (args.quiet, args.verbose) {
        (true, _) => log::LevelFilter::Off,
        (false, 0) => log::LevelFilter::Warn,
        (false, 1) => log::LevelFilter::Info,
        (false, 2) => log::LevelFilter::Debug,
        (false, _) => log::LevelFilter::Trace,
    };
    let style = if color { env_logger::WriteStyle::Always } else { env_logger::WriteStyle::Never };
    // It fails only if it is already running.
    let _ = env_logger::Builder::new().filter_level(level).write_style(style).try_init();
}

/// Writes the result. A reader who has gone away does not change it; any other error is reported.
pub(super) fn print(text: &str) -> Result<()> {
    terminal::output::print(text).map_err(Failure::Usage)
}
