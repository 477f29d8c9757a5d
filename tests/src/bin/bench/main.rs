//! Measures the release `breach` from outside, as a user would run it. `scripts/bench` builds and calls this.
//!
//! - [`coverability`]: a set of systems with known answers: time, memory, sizes of proofs, a check of every answer.
//! - [`algorithms`]: the same set with parts switched off: which part earns its keep?
//! - [`scale`]: random systems of growing size.
//!
//! - [`set`], [`csv`]: what is read.   [`process`], [`tool`]: what is run.   [`summary`]: what comes of it.
//! - [`table`], [`report`], [`plot`], [`svg`]: what is written.   [`machine`]: where it was measured.
//!
//! Children run one after the other, so that none disturbs another one's time.

mod algorithms;
mod coverability;
mod csv;
mod machine;
mod plot;
mod process;
mod report;
mod scale;
mod set;
mod summary;
mod svg;
mod table;
mod tool;

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;
use tool::Tool;

/// Measures breach
#[derive(Parser, Debug)]
#[command(name = "bench")]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// The breach to measure (default: the one beside this program)
    #[arg(long, global = true, value_name = "FILE")]
    breach: Option<PathBuf>,
    /// Where CSV and SVG files go (default: bench-results in the repository)
    #[arg(long, global = true, value_name = "DIR")]
    results: Option<PathBuf>,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Time, memory and checked answers on a set of systems with known answers
    Coverability(SetArgs),
    /// The same set by each algorithm and with parts of the tool switched off
    Algorithms(SetArgs),
    /// Time and memory on random systems of growing size
    Scale(ScaleArgs),
}

/// Which systems, and how often.
#[derive(Args, Debug)]
struct SetArgs {
    /// A folder with index.csv and maybe reference.csv, or with systems whose first line is `# EXPECT: ..`
    /// (default: ../shared/bench where it exists, otherwise examples)
    dir: Option<PathBuf>,
    /// Only files whose names contain this
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// How often each system is run; the best time counts (default: 3 for coverability, 1 for algorithms)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    runs: Option<u32>,
    /// Seconds for each run (default: 60 for coverability, 10 for algorithms)
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
}

/// How large.
#[derive(Args, Debug)]
struct ScaleArgs {
    /// The largest number of thread states
    #[arg(long, value_name = "N", default_value_t = 35_000)]
    most: u32,
    /// Random systems of each size
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    seeds: u32,
    /// Seconds for each run
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(&cli) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// True if nothing is wrong with the answers.
fn run(cli: &Cli) -> anyhow::Result<bool> {
    let tool = Tool::find(cli.breach.as_deref())?;
    let results = report::Results::open(cli.results.as_deref())?;
    match &cli.command {
        Command::Coverability(args) => coverability::run(&tool, &results, args),
        Command::Algorithms(args) => algorithms::run(&tool, &results, args),
        Command::Scale(args) => scale::run(&tool, &results, args),
    }
}
