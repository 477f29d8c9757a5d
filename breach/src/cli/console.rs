//! stdout, stderr and colours.

use super::args::{ColorArg, ConsoleArgs};
use super::failure::{Failure, Result};
use std::io::{self, IsTerminal as _, Write as _};

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
            color_stdout: use_color(args.color, io::stdout().is_terminal()),
            color_stderr: use_color(args.color, io::stderr().is_terminal()),
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
        let color = match code {
            super::failure::exit::SUCCESSFUL => "\x1b[1;32m",
            super::failure::exit::UNKNOWN => "\x1b[1;33m",
            _ => "\x1b[1;31m",
        };
        if self.color_stdout { format!("{color}{text}\x1b[0m") } else { text.to_owned() }
    }

    /// A message for stderr with its word `error:` in red.
    pub(super) fn highlight_error(&self, message: &str) -> String {
        if self.color_stderr {
            message.replacen("error:", "\x1b[1;31merror:\x1b[0m", 1)
        } else {
            message.to_owned()
        }
    }

    /// A remark on stderr that is no part of the result.
    pub(super) fn note(&self, message: &str) {
        if !self.quiet {
            let _ = writeln!(io::stderr(), "note: {message}");
        }
    }

    /// A remark without which the result is easily misunderstood: also printed if the user wants quiet.
    pub(super) fn warn(&self, message: &str) {
        let _ = writeln!(io::stderr(), "warning: {message}");
    }
}

fn use_color(choice: ColorArg, is_terminal: bool) -> bool {
    match choice {
        ColorArg::Always => true,
        ColorArg::Never => false,
        // See https://no-color.org: set and not empty.
        ColorArg::Auto => is_terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
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
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Usage(format!("cannot write to stdout: {error}")))
        }
        _ => Ok(()),
    }
}
