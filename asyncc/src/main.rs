//! The `asyncc` program: what users type, and what they get.
//!
//! - [`args`]: the table of options; [`usage`]: which of them contradict each other, and what they mean.
//! - [`emit`], [`summary`], [`coverage`]: the program as the result.   [`explore`]: runs of it.
//!
//! The rest is what all programs here share: the crate `console`.

mod args;
mod command;
mod coverage;
mod emit;
mod explore;
mod summary;
mod usage;

use args::{Cli, Command};
use clap::CommandFactory as _;
use console::{Console, Failure, Result, Tool};
use frontend::parse::on_large_stack;
use std::process::ExitCode;

/// Who we are.
const TOOL: Tool = Tool { name: "asyncc", version: env!("CARGO_PKG_VERSION"), command: Cli::command };

fn main() -> ExitCode {
    let cli = match Cli::read() {
        Ok(cli) => cli,
        Err(error) => {
            return Failure::from(console::usage::explain(&TOOL, error))
                .report(&TOOL, &Console::plain())
                .into();
        }
    };
    let console = Console::open(&cli.main.console);
    // There is nothing to save, but something to clean up. Without a handler the system ends the process.
    let _ = ctrlc::set_handler(|| frontend::preprocess::exit(console::exit::KILLED.into()));
    // Programs nest as deep as their source: everything runs where there is room for that.
    let result = terminal::panics::catch(|| on_large_stack(|| run(&cli, console)), Failure::Internal);
    result.unwrap_or_else(|failure| failure.report(&TOOL, &console)).into()
}

fn run(cli: &Cli, console: Console) -> Result {
    match &cli.command {
        None => command::run(&cli.main, console),
        Some(Command::Completions { shell }) => console::args::completions(*shell, Cli::command()),
        Some(Command::Man) => console::args::man(Cli::command(), None),
    }
}
