//! The `monabs` program: what users type, and what they get.
//!
//! - [`args`]: its own options; [`usage`]: which of them contradict each other.
//! - [`command`]: the way from a program to the verdict; [`watch`]: what it says and writes on the way; [`predicates`]: a file that is read.
//! - [`evidence`], [`reasons`], [`statistics`]: the result for people; [`json`]: for programs; [`details`]: for the page of `--html`; [`check`]: made sure of; [`proof`]: as a file, and whether that is right.
//! - [`outputs`]: files that only this program writes.
//!
//! Everything else is what all programs around an engine share: the crate `report`.

mod args;
mod check;
mod command;
mod details;
mod evidence;
mod json;
mod outputs;
mod predicates;
mod proof;
mod reasons;
mod spelling;
mod statistics;
mod usage;
mod watch;

use args::{Cli, Command};
use clap::CommandFactory as _;
use console::Tool;
use std::process::ExitCode;

/// Who we are.
const TOOL: Tool = Tool { name: "monabs", version: env!("CARGO_PKG_VERSION"), command: Cli::command };

fn main() -> ExitCode {
    report::program::main(&TOOL, |cli: Cli, console| match cli.command {
        Some(Command::Check(args)) => proof::check(*args, console),
        _ => command::run(cli.main, console),
    })
}
