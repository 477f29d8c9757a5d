//! The command line: what users type, and what they get.
//!
//! - [`args`], [`options`]: the table of options; [`usage`]: which of them contradict each other.
//! - [`text`], [`question`]: what is read.   [`outputs`]: what is written.
//! - [`cover`]: `breach FILE`.   [`claim`]: `breach check`.   [`tools`]: the other commands.
//! - [`report`], [`statistics`], [`json`]: the answer.   [`console`], [`progress`]: how it is shown.
//! - [`guard`]: limits and Ctrl-C.   [`failure`]: messages and exit codes.
//!
//! stdout has the result and nothing else; the last line of text is the verdict. Messages, notes, the log and the progress
//! go to stderr.

mod args;
mod claim;
mod console;
mod cover;
mod failure;
mod guard;
mod json;
mod options;
mod outputs;
mod progress;
mod question;
mod report;
mod statistics;
mod text;
mod tools;
mod usage;

use args::{Cli, Command};
use clap::{CommandFactory as _, FromArgMatches as _};
use console::Console;
use failure::Failure;
use std::process::ExitCode;

/// Runs the program.
pub(crate) fn main() -> ExitCode {
    let mut table = terminal::help::shorten(Cli::command(), args::SHORT);
    let matches = table.try_get_matches_from_mut(std::env::args_os());
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return Failure::from(usage::explain(error)).report(&Console::plain()).into(),
    };
    let console = match &cli.command {
        None => Console::open(&cli.cover.console),
        Some(Command::Check(args)) => Console::open(&args.console),
        Some(Command::Convert(args)) => Console::open(&args.console),
        Some(Command::Generate(_) | Command::Completions { .. } | Command::Man { .. }) => Console::plain(),
    };
    let result = terminal::panics::catch(|| run(&cli, console), Failure::Internal);
    result.unwrap_or_else(|failure| failure.report(&console)).into()
}

fn run(cli: &Cli, console: Console) -> failure::Result {
    match &cli.command {
        None => cover::run(&cli.cover, console),
        Some(Command::Check(args)) => claim::run(args, console),
        Some(Command::Convert(args)) => tools::convert(args),
        Some(Command::Generate(args)) => tools::generate(args),
        Some(Command::Completions { shell }) => tools::completions(*shell),
        Some(Command::Man { command }) => tools::man(command.as_deref()),
    }
}
