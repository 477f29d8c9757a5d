//! The table of commands and options, from which parsing, `--help`, man pages and completions are made.
//!
//! Here are the commands and the options that several of them share; those of the main command are in
//! [`options`](super::options). What depends on more than one option is in [`usage`](super::usage).

use super::options::CoverArgs;
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use terminal::color::ColorArg;

const ABOUT: &str = "Decides whether a state is coverable in a program run by any number of threads";

const LONG_ABOUT: &str = "\
Decides whether a state is coverable in a program run by any number of threads.

FILE has an explicit monotone dual-reference program (EMDR) or a Petri net with transfers (.spec). A target is \
coverable if some run from an initial state, with as many threads as it likes, reaches a state with the target's \
shared state and at least the target's threads. A state is written s|l1,l2: the shared state, then one local state \
per thread. Initial states are written s|l1,l2/l3: exactly these threads before the slash, any number after it.";

const EXAMPLES: &str = "\
Examples:
  breach --init 0/2 --target '0|16,16' examples/ticket.emdr
  breach --stats --trace run.txt examples/emdr/semaphore-full.emdr
  breach --proof lock.proof examples/ticket.emdr && breach check lock.proof examples/ticket.emdr";

const MORE_EXAMPLES: &str = "
  breach convert net.spec --to emdr | breach --format emdr -";

const EXIT_STATUS: &str = "\
Exit status:
  0   VERIFICATION SUCCESSFUL: no target is coverable
  10  VERIFICATION FAILED: a target is coverable
  5   VERIFICATION UNKNOWN: a limit was reached; the line before gives the reason
  1   wrong usage, or an output that cannot be written; `breach check` also: PROOF REJECTED, TRACE REJECTED
  2   the input cannot be read
  6   internal error: a bug in breach
  130 ended at once by a second Ctrl-C

A file named like a command is meant by its path: breach ./check";

/// What the short help shows.
pub(super) const SHORT: &[&str] =
    &["file", "init", "target", "timeout", "trace", "proof", "check", "json", "verbose"];

/// The whole command line.
#[derive(Parser, Debug)]
#[command(
    name = "breach",
    version,
    about = ABOUT,
    long_about = LONG_ABOUT,
    after_help = format!("{EXAMPLES}\n\n{}", terminal::help::more("breach")),
    after_long_help = format!("{EXAMPLES}{MORE_EXAMPLES}\n\n{EXIT_STATUS}"),
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub(super) struct Cli {
    #[command(flatten)]
    pub(super) cover: CoverArgs,
    #[command(subcommand)]
    pub(super) command: Option<Command>,
}

/// What else `breach` does.
#[derive(Subcommand, Debug)]
pub(super) enum Command {
    /// Verify a proof, or replay a trace, that an earlier run has written
    #[command(long_about = CHECK_LONG)]
    Check(CheckArgs),
    /// Write a system in another format
    Convert(ConvertArgs),
    /// Write a random system
    Generate(GenerateArgs),
    /// Print a script that makes a shell complete the options
    #[command(hide = true)]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    #[command(hide = true)]
    Man {
        /// The command to describe (default: breach itself)
        command: Option<String>,
    },
}

const CHECK_LONG: &str = "\
Verifies a proof, or replays a trace, with code that shares nothing with the search.

What is proved is what the file says: its initial states and its targets. If --init or --target is given, the file has
to be about these. If the system itself names others, a warning says so.

A proof that holds ends in VERIFICATION SUCCESSFUL (exit 0), a trace that is a run in VERIFICATION FAILED (exit 10).
One that does not hold says nothing about the system: its last line is PROOF REJECTED or TRACE REJECTED with the reason,
and the exit status is 1. A file that cannot be read as a proof or trace of this system has exit status 2.";

/// `breach check`.
#[derive(Args, Debug)]
pub(super) struct CheckArgs {
    /// The proof or trace to check; its first line says which it is; `-` reads stdin
    #[arg(value_name = "PROOF")]
    pub(super) claim: PathBuf,
    /// The system that it is about; `-` reads stdin
    #[arg(value_name = "SYSTEM")]
    pub(super) system: PathBuf,
    #[command(flatten)]
    pub(super) question: QuestionArgs,
    #[command(flatten)]
    pub(super) console: ConsoleArgs,
}

/// `breach convert`.
#[derive(Args, Debug)]
pub(super) struct ConvertArgs {
    /// The system to convert; `-` reads stdin
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    /// Write this format (default: by the suffix of OUT)
    #[arg(long, value_name = "FORMAT")]
    pub(super) to: Option<FormatArg>,
    /// Write to this file (default: stdout)
    #[arg(short, long, value_name = "OUT")]
    pub(super) output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) question: QuestionArgs,
    #[command(flatten)]
    pub(super) console: ConsoleArgs,
}

/// `breach generate`.
#[derive(Args, Debug)]
pub(super) struct GenerateArgs {
    /// Number of shared states
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) shared: u32,
    /// Number of local states
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) locals: u32,
    /// Number of transitions
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(..=MOST_TRANSITIONS))]
    pub(super) transitions: u32,
    /// Part of the transitions that move other threads along, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = share)]
    pub(super) transfers: f64,
    /// Part of the transitions that create a thread, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    pub(super) spawns: f64,
    /// Part of the transitions that are broadcasts without an active thread, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    pub(super) broadcasts: f64,
    /// Number of rules `a ~> b` of each transfer or broadcast
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(super) rules: u32,
    /// Where the random numbers start: the same seed gives the same system on every machine
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) seed: u64,
    /// Write to this file (default: stdout)
    #[arg(short, long, value_name = "OUT")]
    pub(super) output: Option<PathBuf>,
}

/// More transitions than this are taken for a mistake.
const MOST_TRANSITIONS: i64 = 10_000_000;

fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("expected a number from 0 to 1".to_owned()),
    }
}

/// How a system is read and what is asked about it.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Question")]
pub(super) struct QuestionArgs {
    /// Read the system in this format (default: by suffix, .emdr and .tts or .spec)
    #[arg(long, value_name = "FORMAT")]
    pub(super) format: Option<FormatArg>,
    /// Start in these states, such as 0/2 or '0|1,2/3' (default: in the file)
    #[arg(long, value_name = "STATES")]
    pub(super) init: Option<String>,
    /// Look for this target, such as '0|16,16' (default: in the file)
    ///
    /// A file of targets is possible; several are alternatives.
    #[arg(long, value_name = "STATE_OR_FILE")]
    pub(super) target: Vec<String>,
}

/// How much is said, and in which colours.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Console")]
pub(super) struct ConsoleArgs {
    /// Log to stderr; -vv logs more (default: warnings only)
    #[arg(short, long, action = ArgAction::Count, conflicts_with = "quiet")]
    pub(super) verbose: u8,
    /// Print only the verdict, and its reason if it is UNKNOWN; no progress, no notes (default: off)
    #[arg(short, long)]
    pub(super) quiet: bool,
    /// Use colours; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(super) color: ColorArg,
}

/// Formats of systems.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FormatArg {
    /// Explicit monotone dual-reference programs
    Emdr,
    /// Petri nets with transfers, as the tool mist reads them
    Spec,
}
