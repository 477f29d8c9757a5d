//! The table of options, from which parsing, `--help`, the manual page and completions are made.
//!
//! What depends on more than one option, beyond simple conflicts, is in [`usage`](super::usage).

use clap::{Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};
use console::args::{ConsoleArgs, InputArgs, seconds};
use console::runs::MOST_THREADS;
use std::path::PathBuf;
use std::time::Duration;

const ABOUT: &str = "Translates C with threads into a strictly asynchronous program";

const LONG_ABOUT: &str = "\
Translates C with threads into a strictly asynchronous program.

FILE is C, preprocessed C (.i), or a program that was printed before (.prog). The program has shared variables, locals of \
each thread, and guarded steps; any number of threads run it. It is made as small as the properties allow. Without other \
options a summary is printed; --emit prints the program, --explore runs it. What is not exact is said at its place.";

const EXAMPLES: &str = "\
Examples:
  asyncc lock.c
  asyncc --emit dot lock.c | dot -Tsvg -o lock.svg
  asyncc --explore 3 --trace - lock.c";

const MORE_EXAMPLES: &str = "
  asyncc --show-properties --data-race-check lock.c
  asyncc --explore 3 --trace run.json lock.c; asyncc --replay run.json lock.c
  asyncc --stage lowered -o lock.prog lock.c && asyncc --stage reduced --emit c lock.prog";

const EXIT_STATUS: &str = "\
Exit status:
  0   the program is printed; with --explore VERIFICATION SUCCESSFUL: one thread, and no run violates a property
  10  VERIFICATION FAILED: a real run violates a property
  5   VERIFICATION UNKNOWN: anything else; the line before gives the reason
  1   wrong usage, or an output that cannot be written; with --replay also: TRACE REJECTED
  2   the input cannot be read or translated
  6   internal error: a bug in asyncc

Exploring a number of threads proves nothing about more threads, so that it ends in UNKNOWN where nothing is violated.
$CC is the preprocessor (default: cc, gcc or clang). A file named like a command is meant by its path: asyncc ./man";

/// What the short help shows.
const SHORT: &[&str] = &[
    "files",
    "show_properties",
    "data_race_check",
    "explore",
    "trace",
    "timeout",
    "emit",
    "output",
    "json",
    "verbose",
];

/// The whole command line.
#[derive(Parser, Debug)]
#[command(
    name = "asyncc",
    version,
    about = ABOUT,
    long_about = LONG_ABOUT,
    after_help = format!("{EXAMPLES}\n\n{}", terminal::help::more("asyncc")),
    after_long_help = format!("{EXAMPLES}{MORE_EXAMPLES}\n\n{EXIT_STATUS}"),
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub(super) struct Cli {
    #[command(flatten)]
    pub(super) main: MainArgs,
    #[command(subcommand)]
    pub(super) command: Option<Command>,
}

/// What else `asyncc` does.
#[derive(Subcommand, Debug)]
pub(super) enum Command {
    /// Print a script that makes a shell complete the options
    #[command(hide = true)]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    #[command(hide = true)]
    Man,
}

/// `asyncc FILE`.
#[derive(Args, Debug, Default)]
pub(super) struct MainArgs {
    #[command(flatten)]
    pub(super) input: InputArgs,
    #[command(flatten)]
    pub(super) reductions: ReductionArgs,
    #[command(flatten)]
    pub(super) exploration: ExplorationArgs,
    #[command(flatten)]
    pub(super) output: OutputArgs,
    #[command(flatten)]
    pub(super) console: ConsoleArgs,
}

/// How the program is made smaller.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Reductions")]
pub(super) struct ReductionArgs {
    /// Stop at this stage (default: reduced for C, lowered for programs)
    #[arg(long, value_name = "STAGE")]
    pub(super) stage: Option<StageArg>,
    /// Do not reduce the program: all of the following three (default: reduce)
    #[arg(long)]
    pub(super) no_reductions: bool,
    /// Do not propagate constants (default: propagate)
    #[arg(long)]
    pub(super) no_constants: bool,
    /// Keep what no property depends on (default: drop)
    #[arg(long)]
    pub(super) no_slice: bool,
    /// Do not merge steps that no other thread notices (default: merge)
    #[arg(long)]
    pub(super) no_merge: bool,
}

/// Which runs to look at.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Exploration")]
pub(super) struct ExplorationArgs {
    /// Run all schedules of N threads, the first one included (default: off)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS as i64))]
    pub(super) explore: Option<u16>,
    /// Run one random schedule, with the threads of --explore or else 3; the same seed gives the same run (default: off)
    #[arg(long, value_name = "SEED")]
    pub(super) random: Option<u64>,
    /// Stop the random run after N steps (default: 1000)
    #[arg(long, value_name = "N", requires = "random", value_parser = clap::value_parser!(u64).range(..=MOST_STEPS))]
    pub(super) steps: Option<u64>,
    /// Only replay the runs that --trace FILE.json wrote for the same FILE and options (default: off)
    #[arg(long, value_name = "FILE.json", conflicts_with_all = ["explore", "random"])]
    pub(super) replay: Option<PathBuf>,
    /// Give up after N states (default: 1000000)
    #[arg(long, value_name = "N", requires = "explore", conflicts_with = "random")]
    pub(super) max_states: Option<usize>,
    /// Give up (UNKNOWN) after SECONDS, such as 60 or 0.5 (default: no limit)
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(super) timeout: Option<Duration>,
    /// Write the runs found, as JSON if the suffix is .json; `-` is stdout (default: not written)
    #[arg(long, value_name = "FILE")]
    pub(super) trace: Option<PathBuf>,
}

/// What is printed and where.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Output")]
pub(super) struct OutputArgs {
    /// Print the program in this form instead of a summary (default: by the suffix of OUT, or no program)
    #[arg(long, value_name = "FORM", conflicts_with_all = ["show_properties", "show_loops", "explore", "random", "replay", "json"])]
    pub(super) emit: Option<EmitArg>,
    /// Write the program to this file; `-` is stdout (default: stdout)
    #[arg(short, long, value_name = "OUT", conflicts_with_all = ["show_properties", "show_loops", "explore", "random", "replay", "json"])]
    pub(super) output: Option<PathBuf>,
    /// Print a table of functions: what in them is exact, over-approximated, a limit, or matters to no property (default: off)
    #[arg(long, conflicts_with_all = ["show_properties", "show_loops", "explore", "random", "replay", "emit", "output", "stage", "no_reductions", "no_constants", "no_slice", "no_merge"])]
    pub(super) coverage: bool,
    /// Print times, sizes after each pass, and memory; on stderr if stdout has the program (default: off)
    #[arg(long)]
    pub(super) stats: bool,
    /// Print one JSON document instead of text (default: text)
    #[arg(long)]
    pub(super) json: bool,
}

/// More steps than this are taken for a mistake.
const MOST_STEPS: u64 = 100_000_000;

/// Stages of the program.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StageArg {
    /// As translated or read, with atomic sections
    Lowered,
    /// Strictly asynchronous: atomic sections are single steps
    Atomic,
    /// Strictly asynchronous and small
    Reduced,
}

/// Forms of a program.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EmitArg {
    /// Text that can be read back (.prog)
    Program,
    /// A drawing in the language of Graphviz (.dot)
    Dot,
    /// C again (.c)
    C,
    /// For other tools (.json)
    Json,
}

impl Cli {
    /// Reads the command line.
    pub(super) fn read() -> std::result::Result<Cli, clap::Error> {
        let mut command = terminal::help::shorten(Cli::command(), SHORT);
        let matches = command.try_get_matches_from_mut(std::env::args_os())?;
        let mut cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
        cli.main.input.preprocessor.order_macros(&matches);
        Ok(cli)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frontend::preprocess::MacroOption;

    #[test]
    fn the_table_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn macros_stay_in_order() {
        let mut command = Cli::command();
        let given = ["asyncc", "-DA", "-UA", "-D", "B=1", "-DA=2", "x.c", "-UB"];
        let matches = command.try_get_matches_from_mut(given).unwrap();
        let mut cli = Cli::from_arg_matches(&matches).unwrap();
        cli.main.input.preprocessor.order_macros(&matches);
        let define = |text: &str| MacroOption::Define(text.to_owned());
        let undefine = |text: &str| MacroOption::Undefine(text.to_owned());
        let expected = [define("A"), undefine("A"), define("B=1"), define("A=2"), undefine("B")];
        assert_eq!(cli.main.input.preprocessor.macros, expected);
    }
}
