//! The options of `cseq` beside those that all programs around an engine have.

use clap::{Args, Parser, ValueEnum};
use console::args::{ConsoleArgs, InputArgs};
use cseq::Schedule;
use report::args::{Command, TaskArgs};
use smt::SolverChoice;
use std::path::PathBuf;

const ABOUT: &str = "Finds bugs of C programs with threads within bounds, or proves that there are none";

const LONG_ABOUT: &str = "\
Finds bugs of C programs with threads within bounds, or proves that there are none.

Loops are unrolled, threads are told apart, and all schedules of K rounds, in each of which every thread has one turn, become one formula for a \
SAT solver (lazy sequentialization). Without options the bounds grow until a bug is found, until they have all runs of the program, which \
is a proof, or until a limit. Every run is replayed before it is shown.";

const EXAMPLES: &str = "\
Examples:
  cseq racy.c
  cseq --rounds 3 --unwind 4 queue.c
  cseq --proof once.proof once.c && monabs check once.proof once.c
  cseq --show-loops queue.c; cseq --unwindset main.2:8 queue.c";

const MORE_EXAMPLES: &str = "
  cseq --rounds 2 --unwind 2 --emit dimacs queue.c > queue.cnf";

const EXIT_STATUS: &str = "\
Exit status: 0 SUCCESSFUL, 10 FAILED, 5 UNKNOWN, 1 wrong usage, 2 the input cannot be read, 6 a bug in cseq; Ctrl-C ends with UNKNOWN and the \
bounds that were finished.";

/// The whole command line.
#[derive(Parser, Debug)]
#[command(
    name = "cseq",
    version,
    about = ABOUT,
    long_about = LONG_ABOUT,
    after_help = format!("{EXAMPLES}\n\n{}", terminal::help::more("cseq")),
    after_long_help = format!("{EXAMPLES}{MORE_EXAMPLES}\n\n{EXIT_STATUS}"),
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub(super) struct Cli {
    #[command(flatten)]
    pub(super) main: MainArgs,
    #[command(subcommand)]
    command: Option<Command>,
}

/// `cseq FILE`.
#[derive(Args, Debug, Default)]
pub(super) struct MainArgs {
    #[command(flatten)]
    pub(super) bounds: BoundArgs,
    #[command(flatten)]
    pub(super) task: TaskArgs,
}

/// How far to look.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Bounds")]
pub(super) struct BoundArgs {
    /// Unroll each loop N times beyond what is decided by constants (default: 1, 2, 4, 8, ...)
    #[arg(long, value_name = "N")]
    pub(super) unwind: Option<u32>,
    /// Unroll a loop of --show-loops N times, such as main.2:8; several with commas (default: as --unwind)
    #[arg(long, value_name = "LOOP:N", value_delimiter = ',', value_parser = loop_bound)]
    pub(super) unwindset: Vec<(String, u32)>,
    /// Answer UNKNOWN if a loop may run longer, or more threads may start, than the bounds allow (default)
    #[arg(long)]
    pub(super) unwinding_assertions: bool,
    /// Assume that no loop runs longer and no more threads start; the verdict says so (default: off)
    #[arg(long, conflicts_with = "unwinding_assertions")]
    pub(super) unwinding_assume: bool,
    /// Give each thread K turns, in the order of creation, and the initial thread one more at the end (default: 1, 2, 3, ...)
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(super) rounds: Option<u16>,
    /// Start at most N threads, the initial one included (default: 20)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(super) threads: Option<u16>,
    /// Set who has a turn in each round: threads with commas, + for all, colons between rounds, such as 0,1:+:2 (default: all)
    #[arg(long, value_name = "ROUNDS", conflicts_with = "rounds")]
    pub(super) schedule: Option<String>,
    /// Interrupt threads only at these lines, such as 10-20,35, or where they cannot go on (default: anywhere)
    #[arg(long, value_name = "LINES")]
    pub(super) switch_lines: Option<String>,
    /// Unroll to at most N locations (default: 20000; 200000 with --unwind)
    #[arg(long, value_name = "N")]
    pub(super) max_nodes: Option<usize>,
    /// Use this solver: sat (CaDiCaL), sat:batsat, z3, z3-pipe, cvc5, or pipe:COMMAND (default: sat)
    #[arg(long, value_name = "NAME")]
    pub(super) solver: Option<SolverChoice>,
    /// Print the formula for the bounds instead of solving it; satisfiable means that a run violates a property (default:
    /// solve)
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub(super) emit: Option<Format>,
    /// Write the proof, if the bounds have all runs, for monabs check; `-` is stdout (default: not written)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["unwinding_assume", "schedule", "switch_lines", "emit"])]
    pub(super) proof: Option<PathBuf>,
}

/// Formats of formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Clauses
    Dimacs,
    /// Terms over bit-vectors and arrays
    Smt2,
}

fn loop_bound(text: &str) -> Result<(String, u32), String> {
    let parts =
        text.rsplit_once(':').and_then(|(name, number)| Some((name.to_owned(), number.parse().ok()?)));
    parts.ok_or_else(|| format!("`{text}` is no bound of a loop, such as main.2:8"))
}

impl BoundArgs {
    /// The restrictions of schedules.
    pub(super) fn schedule(&self) -> Result<Schedule, String> {
        Ok(Schedule {
            rounds: self.schedule.as_deref().map(Schedule::parse_rounds).transpose()?,
            lines: self.switch_lines.as_deref().map(Schedule::parse_lines).transpose()?,
        })
    }
}

impl report::program::Cli for Cli {
    const SHORT: &'static [&'static str] = &["unwind", "rounds", "threads"];

    fn input(&mut self) -> &mut InputArgs {
        &mut self.main.task.input
    }

    fn console(&self) -> &ConsoleArgs {
        &self.main.task.console
    }

    fn command(&self) -> Option<&Command> {
        self.command.as_ref()
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

    #[test]
    fn bounds_of_loops() {
        assert_eq!(loop_bound("main.2:8"), Ok(("main.2".to_owned(), 8)));
        assert!(loop_bound("main.2").is_err() && loop_bound("main:x").is_err());
    }
}
