//! The options of `impara` beside those that all programs around an engine have.

use clap::{Args, Parser, Subcommand, ValueEnum};
use console::args::{ConsoleArgs, InputArgs};
use report::args::{Command as Common, TaskArgs};
use std::path::PathBuf;

const ABOUT: &str = "Verifies C with a fixed number of threads by lazy abstraction with interpolants";

const LONG_ABOUT: &str = "\
Verifies C with a fixed number of threads by lazy abstraction with interpolants.

A tree of places of all threads is unwound. Where it reaches an error, the path is a run, which is replayed before it is shown, or the nodes on it get \
formulas that say why it is none. A node that has no more states than an older one is not unwound further. Steps that could have been made \
earlier are left out (partial-order reduction). Loops and data need no bound. The complete tree is a proof, which --proof writes and \
impara check checks.";

const EXAMPLES: &str = "\
Examples:
  impara lock.c
  impara --proof lock.proof lock.c && impara check lock.proof lock.c
  impara --por none --no-force --stats --dot tree.dot lock.c";

const EXIT_STATUS: &str = "\
Exit status: 0 SUCCESSFUL or PROOF ACCEPTED, 10 FAILED, 5 UNKNOWN, 1 wrong usage or PROOF REJECTED, 2 the input cannot be read, 6 a bug in impara";

/// The whole command line.
#[derive(Parser, Debug)]
#[command(
    name = "impara",
    version,
    about = ABOUT,
    long_about = LONG_ABOUT,
    after_help = format!("{EXAMPLES}\n\n{}", terminal::help::more("impara")),
    after_long_help = format!("{EXAMPLES}\n\n{EXIT_STATUS}"),
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
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
    Check(Box<CheckArgs>),
    #[command(flatten)]
    Common(Common),
}

/// `impara check`.
#[derive(Args, Debug)]
pub(super) struct CheckArgs {
    /// The proof
    pub(super) proof: PathBuf,
    #[command(flatten)]
    pub(super) input: InputArgs,
    #[command(flatten)]
    pub(super) console: ConsoleArgs,
}

/// `impara FILE`.
#[derive(Args, Debug, Default)]
pub(super) struct MainArgs {
    #[command(flatten)]
    pub(super) search: SearchArgs,
    #[command(flatten)]
    pub(super) task: TaskArgs,
}

/// How to search.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Search")]
pub(super) struct SearchArgs {
    /// Leave out steps by this partial-order reduction (default: monotonic)
    #[arg(long, value_name = "WHICH")]
    pub(super) por: Option<PorArg>,
    /// Do not force covers (default: force)
    #[arg(long)]
    pub(super) no_force: bool,
    /// Try N nodes to force a cover (default: 20)
    #[arg(long, value_name = "N", conflicts_with = "no_force")]
    pub(super) force_limit: Option<usize>,
    /// Do not refute impossible steps at once but when an error is behind them (default: at once)
    #[arg(long)]
    pub(super) no_prune: bool,
    /// Do not try a proof without a tree first, by what holds at each location whatever other threads do (default: try)
    #[arg(long)]
    pub(super) no_modular: bool,
    /// Explore only runs with at most N context switches, without partial-order reduction (default: all)
    #[arg(long, value_name = "N", conflicts_with = "por")]
    pub(super) context_bound: Option<usize>,
    /// Expand nodes in this order (default: dfs)
    #[arg(long, value_name = "ORDER")]
    pub(super) search: Option<SearchArg>,
    /// Find labels by this method (default: wp)
    #[arg(long, value_name = "HOW")]
    pub(super) interpolants: Option<InterpolantsArg>,
    /// Allow N threads, the initial one included; answer UNKNOWN beyond (default: 20)
    #[arg(long, value_name = "N")]
    pub(super) max_threads: Option<usize>,
    /// Give up above N nodes (default: 1000000)
    #[arg(long, value_name = "N")]
    pub(super) max_nodes: Option<usize>,
    /// Write the proof, if there is one (default: not written)
    #[arg(long, value_name = "FILE")]
    pub(super) proof: Option<PathBuf>,
    /// Write the tree, as a drawing for Graphviz (default: not written)
    #[arg(long, value_name = "FILE")]
    pub(super) dot: Option<PathBuf>,
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

impl report::program::Cli for Cli {
    const SHORT: &'static [&'static str] = &["max_threads", "proof"];

    fn input(&mut self) -> &mut InputArgs {
        match &mut self.command {
            Some(Command::Check(args)) => &mut args.input,
            _ => &mut self.main.task.input,
        }
    }

    fn console(&self) -> &ConsoleArgs {
        match &self.command {
            Some(Command::Check(args)) => &args.console,
            _ => &self.main.task.console,
        }
    }

    fn command(&self) -> Option<&Common> {
        match &self.command {
            Some(Command::Common(common)) => Some(common),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_table_is_consistent() {
        Cli::command().debug_assert();
    }
}
