//! The `monabs` program: what users type, and what they get.
//!
//! - [`args`]: the table of options; [`usage`]: which of them contradict each other.
//! - [`command`]: the way from FILE to the verdict; [`limits`]: when it ends earlier; [`watch`]: what it says and writes on the way.
//! - [`predicates`], [`specification`]: other files that are read.
//! - [`assumed`]: what a proof is based on.
//! - [`answer`], [`reasons`], [`statistics`]: the result for people; [`json`]: for programs; [`check`]: made sure of.
//! - [`outputs`]: files that are written; [`sarif`], [`witness`]: forms that others have defined; [`hash`]: what these need.
//!
//! Options of the input, messages, exit codes and runs in files are those of all programs here: the crate `console`.

mod answer;
mod args;
mod assumed;
mod check;
mod command;
mod hash;
mod json;
mod limits;
mod outputs;
mod predicates;
mod reasons;
mod sarif;
mod specification;
mod statistics;
mod usage;
mod watch;
mod witness;

use args::{Cli, Command};
use clap::CommandFactory as _;
use console::args::{ColorArg, ConsoleArgs};
use console::{Console, Failure, Result, Tool, panics};
use frontend::parse::on_large_stack;
use std::process::ExitCode;

/// Who we are.
const TOOL: Tool = Tool { name: "monabs", version: env!("CARGO_PKG_VERSION"), command: Cli::command };

fn main() -> ExitCode {
    let cli = match Cli::read() {
        Ok(cli) => cli,
        Err(error) => {
            let failure = Failure::from(console::usage::explain(&TOOL, error));
            return failure.report(&TOOL, &Console::plain()).into();
        }
    };
    let console = Console::open(&cli.main.console);
    start_log(&cli.main.console);
    // Programs nest as deep as their source: everything runs where there is room for that.
    let result = panics::catch(|| on_large_stack(|| run(cli, console)));
    result.unwrap_or_else(|failure| failure.report(&TOOL, &console)).into()
}

fn run(cli: Cli, console: Console) -> Result {
    match cli.command {
        None => command::run(cli.main, console),
        Some(Command::Completions { shell }) => console::args::completions(shell, Cli::command()),
        Some(Command::Man) => console::args::man(Cli::command()),
    }
}

fn start_log(args: &ConsoleArgs) {
    let level = match args.verbose {
        0 => log::LevelFilter::Off,
        1 => log::LevelFilter::Info,
        2 => log::LevelFilter::Debug,
        _ => log::LevelFilter::Trace,
    };
    let style = match args.color {
        ColorArg::Auto => env_logger::WriteStyle::Auto,
        ColorArg::Always => env_logger::WriteStyle::Always,
        ColorArg::Never => env_logger::WriteStyle::Never,
    };
    // It fails only if it is already running.
    let _ = env_logger::Builder::new().filter_level(level).write_style(style).try_init();
}
