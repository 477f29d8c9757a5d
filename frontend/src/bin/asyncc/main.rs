//! The `asyncc` program: what users type, and what they get.
//!
//! - [`args`]: the table of options; [`usage`]: which of them contradict each other; [`options`]: what they mean for the library.
//! - [`input`]: C or a printed program becomes a program; [`notes`]: what is not exact in it.
//! - [`emit`], [`summary`]: the program as the result.   [`explore`], [`verdict`], [`runs`]: runs of it.
//! - [`report`], [`statistics`]: the answer.   [`console`], [`outputs`]: where it goes.
//! - [`deadline`]: the time limit.   [`failure`]: messages and exit codes.   [`panics`]: bugs.
//!
//! stdout has the result and nothing else; where there is a verdict, it is the last line. Messages go to stderr.

mod args;
mod command;
mod console;
mod deadline;
mod emit;
mod explore;
mod failure;
mod input;
mod notes;
mod options;
mod outputs;
mod panics;
mod report;
mod runs;
mod statistics;
mod summary;
mod usage;
mod verdict;

use args::{Cli, Command};
use console::Console;
use failure::{Failure, Result};
use frontend::parse::on_large_stack;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match Cli::read() {
        Ok(cli) => cli,
        Err(error) => return Failure::from(usage::explain(error)).report(&Console::plain()).into(),
    };
    let console = Console::open(&cli.main.console);
    // Programs nest as deep as their source: everything runs where there is room for that.
    let result = panics::catch(|| on_large_stack(|| run(&cli, console)));
    result.unwrap_or_else(|failure| failure.report(&console)).into()
}

fn run(cli: &Cli, console: Console) -> Result {
    match &cli.command {
        None => command::run(&cli.main, console),
        Some(Command::Completions { shell }) => args::completions(*shell),
        Some(Command::Man) => args::man(),
    }
}
