//! The table of options.

use clap::{Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};
use console::args::{ConsoleArgs, InputArgs, seconds};
use std::path::PathBuf;
use std::time::Duration;

const ABOUT: &str = "Verifies C with a fixed number of threads by lazy abstraction with interpolants";

const EXIT_STATUS: &str = "\
Exit status:
  0   VERIFICATION SUCCESSFUL: no run violates a property; check: PROOF ACCEPTED
  10  VERIFICATION FAILED: a real run violates a property
  5   VERIFICATION UNKNOWN: anything else; the line before gives the reason
  1   wrong usage, or an output that cannot be written; check: PROOF REJECTED
  2   the input cannot be read or translated
  6   internal error: a bug in impara";

/// The whole command line.
#[derive(Parser, Debug)]
#[command(name = "impara", version, about = ABOUT, after_long_help = EXIT_STATUS, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(super) struct Cli {
    #[command(flatten)]
    pub(super) main: MainArgs,
    #[command(subcommand)]
    pub(super) command: Option<Command>,
}

/// What else `impara` does.
#[derive(Subcommand, Debug)]
pub(super) enum Command {
    /// Check a proof that --proof wrote, for the same FILE and options of the translation
    Check {
        /// The proof
        proof: PathBuf,
        #[command(flatten)]
        input: Box<InputArgs>,
        #[command(flatten)]
        console: ConsoleArgs,
    },
}

/// `impara FILE`.
#[derive(Args, Debug, Default)]
pub(super) struct MainArgs {
    #[command(flatten)]
    pub(super) input: InputArgs,
    #[command(flatten)]
    pub(super) search: SearchArgs,
    #[command(flatten)]
    pub(super) output: OutputArgs,
    #[command(flatten)]
    pub(super) console: ConsoleArgs,
}

/// How to search.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Search")]
pub(super) struct SearchArgs {
    /// Which steps are left out (default: monotonic)
    #[arg(long, value_name = "WHICH")]
    pub(super) por: Option<PorArg>,
    /// Do not force covers (default: force them)
    #[arg(long)]
    pub(super) no_force: bool,
    /// Try so many nodes when a cover is forced (default: 20)
    #[arg(long, value_name = "N", conflicts_with = "no_force")]
    pub(super) force_limit: Option<usize>,
    /// Follow steps that are impossible on sight until there is an error behind them (default: refute them at once)
    #[arg(long)]
    pub(super) no_prune: bool,
    /// Look at runs with at most so many changes of threads, without partial-order reduction (default: all)
    #[arg(long, value_name = "N", conflicts_with = "por")]
    pub(super) context_bound: Option<usize>,
    /// The order in which nodes are looked at (default: dfs)
    #[arg(long, value_name = "ORDER")]
    pub(super) search: Option<SearchArg>,
    /// How labels are found (default: wp)
    #[arg(long, value_name = "HOW")]
    pub(super) interpolants: Option<InterpolantsArg>,
    /// Allow so many threads, the initial one included; more are UNKNOWN (default: 20)
    #[arg(long, value_name = "N")]
    pub(super) max_threads: Option<usize>,
    /// Give up beyond so many nodes (default: 1000000)
    #[arg(long, value_name = "N")]
    pub(super) max_nodes: Option<usize>,
    /// End in UNKNOWN after so many seconds, such as 60 or 0.5 (default: no limit)
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(super) timeout: Option<Duration>,
}

/// What is written.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Output")]
pub(super) struct OutputArgs {
    /// Write the proof here, if there is one (default: no file)
    #[arg(long, value_name = "FILE")]
    pub(super) proof: Option<PathBuf>,
    /// Write the tree here, as a drawing for Graphviz (default: no file)
    #[arg(long, value_name = "FILE")]
    pub(super) dot: Option<PathBuf>,
    /// Print what was done (default: off)
    #[arg(long)]
    pub(super) stats: bool,
}

/// Which steps are left out.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PorArg {
    /// None
    None,
    /// Steps of others, while a thread is where nobody can see or hinder what it does
    Static,
    /// Steps after an independent step of a thread with a greater number
    Monotonic,
}

/// Which node is looked at next.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SearchArg {
    /// The latest
    Dfs,
    /// The oldest
    Bfs,
}

/// How labels are found.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InterpolantsArg {
    /// By weakest preconditions
    Wp,
    /// By Z3's solver for Horn clauses
    Spacer,
}

impl Cli {
    /// Reads the command line.
    pub(super) fn read() -> Result<Cli, clap::Error> {
        let mut command = Cli::command();
        let matches = command.try_get_matches_from_mut(std::env::args_os())?;
        let mut cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
        cli.main.input.preprocessor.order_macros(&matches);
        if let (Some(Command::Check { input, .. }), Some(matches)) =
            (&mut cli.command, matches.subcommand_matches("check"))
        {
            input.preprocessor.order_macros(matches);
        }
        Ok(cli)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_consistent() {
        Cli::command().debug_assert();
    }
}
