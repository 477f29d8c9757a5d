//! The `cseq` program: bounded search for bugs by lazy sequentialization, and proofs where the bounds have all runs.
//!
//! - [`args`]: its own options.   [`command`]: from a program to the verdict.   [`words`]: bounds, reasons and statistics for people and programs.
//!
//! Everything else is what all programs around an engine share: the crate `report`.

mod args;
mod command;
mod words;

use args::Cli;
use clap::CommandFactory as _;
use console::Tool;
use std::process::ExitCode;

/// Who we are.
const TOOL: Tool = Tool { name: "cseq", version: env!("CARGO_PKG_VERSION"), command: Cli::command };

fn main() -> ExitCode {
    report::program::main(&TOOL, |cli: Cli, console| command::run(cli.main, console))
}
