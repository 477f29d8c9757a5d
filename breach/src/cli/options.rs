//! The options of the main command, `breach FILE`.

use super::args::{ConsoleArgs, QuestionArgs};
use breach::Reductions;
use breach::coverability::{Algorithm, Options};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

/// `breach FILE`.
#[derive(Args, Debug, Default)]
pub(super) struct CoverArgs {
    /// The system to check; `-` reads stdin and needs --format
    #[arg(value_name = "FILE", required = true)]
    pub(super) file: Option<PathBuf>,
    #[command(flatten)]
    pub(super) question: QuestionArgs,
    #[command(flatten)]
    pub(super) search: SearchArgs,
    #[command(flatten)]
    pub(super) limits: LimitArgs,
    #[command(flatten)]
    pub(super) output: OutputArgs,
    #[command(flatten)]
    pub(super) console: ConsoleArgs,
}

/// How to search.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Search")]
pub(super) struct SearchArgs {
    /// Search with this algorithm; all give the same verdict
    #[arg(long, value_name = "NAME", default_value = "optimistic")]
    pub(super) algorithm: AlgorithmArg,
    /// Widen candidates of up to K threads; 0 is no limit (default: 1)
    #[arg(long, value_name = "K", conflicts_with = "no_widening")]
    pub(super) widening_width: Option<u32>,
    /// Search backward without widening (default: widen)
    #[arg(long)]
    pub(super) no_widening: bool,
    /// Search backward without the help of the forward search (default: with it)
    #[arg(long)]
    pub(super) no_oracle: bool,
    /// Do not reduce the system first: all of the following three (default: reduce)
    #[arg(long)]
    pub(super) no_reductions: bool,
    /// Keep thread states that no run reaches (default: drop them)
    #[arg(long)]
    pub(super) no_unreachable: bool,
    /// Keep transitions that cannot matter for the targets (default: drop them)
    #[arg(long)]
    pub(super) no_irrelevant: bool,
    /// Do not merge forced steps (default: merge)
    #[arg(long)]
    pub(super) no_merge: bool,
    /// Do not exclude states by linear invariants, the state equation (default: exclude)
    #[arg(long)]
    pub(super) no_state_equation: bool,
    /// Use N processor cores; more than 2 make no difference (default: those of the machine, at most 2)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) threads: Option<u16>,
}

/// When to give up.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Limits")]
pub(super) struct LimitArgs {
    /// Give up (UNKNOWN) after SECONDS, such as 60 or 0.5 (default: no limit)
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(super) timeout: Option<Duration>,
    /// Give up (UNKNOWN) above MB megabytes of memory (default: no limit)
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=MOST_MEGABYTES))]
    pub(super) memory_limit: Option<u64>,
}

/// What to write and where.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Output")]
pub(super) struct OutputArgs {
    /// Write a run that covers a target; `-` is stdout (default: none)
    #[arg(long, value_name = "FILE")]
    pub(super) trace: Option<PathBuf>,
    /// Write a proof if no target is coverable; `-` is stdout (default: none)
    #[arg(long, value_name = "FILE")]
    pub(super) proof: Option<PathBuf>,
    /// Write the graph of the backward search for Graphviz; `-` is stdout (default: not written)
    #[arg(long, value_name = "FILE.dot")]
    pub(super) write_graph: Option<PathBuf>,
    /// Write the tree of the forward search for Graphviz; `-` is stdout (default: not written)
    #[arg(long, value_name = "FILE.dot")]
    pub(super) write_tree: Option<PathBuf>,
    /// Write the number of states after each iteration of the backward search as CSV; `-` is stdout (default: not written)
    #[arg(long, value_name = "FILE.csv")]
    pub(super) write_curve: Option<PathBuf>,
    /// Verify a proof before answering (default: only if it is written)
    ///
    /// Runs are always replayed.
    #[arg(long)]
    pub(super) check: bool,
    /// Print sizes, counts, times and memory (default: off)
    #[arg(long)]
    pub(super) stats: bool,
    /// Print one JSON document instead of text (default: text)
    ///
    /// It has the proof if --check or --proof is given.
    #[arg(long)]
    pub(super) json: bool,
}

/// One terabyte times a thousand: more is a mistake.
const MOST_MEGABYTES: u64 = 1_000_000_000;

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    // Some tools take 0 for "no limit", others for "no time": better to refuse it.
    if seconds.is_nan() || seconds <= 0.0 {
        return Err("must be more than 0; without the option there is no limit".to_owned());
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| "too large".to_owned())
}

/// The algorithms.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum AlgorithmArg {
    /// Classical backward search
    Backward,
    /// Target set widening with partitions and backtracking
    Widening,
    /// Target set widening that keeps minimal states only
    #[default]
    Optimistic,
    /// Karp-Miller alone; does not decide all systems with transfers
    Forward,
}

impl SearchArgs {
    /// What the library is asked to do; limits, proofs and drawings are up to the caller.
    pub(super) fn options(&self) -> Options {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from).min(2);
        Options {
            algorithm: match self.algorithm {
                AlgorithmArg::Backward => Algorithm::Backward,
                AlgorithmArg::Widening => Algorithm::Widening,
                AlgorithmArg::Optimistic => Algorithm::Optimistic,
                AlgorithmArg::Forward => Algorithm::Forward,
            },
            widening_width: self.widening_width.unwrap_or(1),
            widening: !self.no_widening,
            oracle: !self.no_oracle,
            reductions: Reductions {
                unreachable: !(self.no_reductions || self.no_unreachable),
                irrelevant: !(self.no_reductions || self.no_irrelevant),
                merge: !(self.no_reductions || self.no_merge),
            },
            invariants: !self.no_state_equation,
            threads: self.threads.map_or_else(cores, usize::from),
            ..Options::default()
        }
    }
}

impl OutputArgs {
    /// Whether a proof is needed: to be written, to be verified, and always in debug builds.
    pub(super) fn needs_proof(&self) -> bool {
        self.proof.is_some() || self.check || cfg!(debug_assertions)
    }
}
