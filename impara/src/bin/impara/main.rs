//! The `impara` program: lazy abstraction with interpolants for a fixed number of threads.
//!
//! - [`args`]: its own options.   [`command`]: from a program to the verdict, and from a proof to what it is worth.
//! - [`details`]: what the page of `--html` shows beside the answer.
//!
//! Everything else is what all programs around an engine share: the crate `report`.

mod args;
mod command;
mod details;

use args::{Cli, Command};
use clap::CommandFactory as _;
use console::Tool;
use std::process::ExitCode;

/// Who we are.
const TOOL: Tool = Tool { name: "impara", version: env!("CARGO_PKG_VERSION"), command: Cli::command };

fn main() -> ExitCode {
    report::program::main(&TOOL, |cli: Cli, console| match cli.command {
        Some(Command::Check(args)) => command::check(&args, console),
        _ => command::run(cli.main, console),
    })
}
