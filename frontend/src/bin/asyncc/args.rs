//! The table of options, from which parsing, `--help`, the manual page and completions are made.
//!
//! What depends on more than one option, beyond simple conflicts, is in [`usage`](super::usage).

use super::console::print;
use super::failure::{Result, exit};
use clap::{ArgAction, Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};
use frontend::preprocess::MacroOption;
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
  asyncc --show-properties --data-race-check lock.c
  asyncc --explore 3 --trace - lock.c
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

/// The whole command line.
#[derive(Parser, Debug)]
#[command(
    name = "asyncc",
    version,
    about = ABOUT,
    long_about = LONG_ABOUT,
    after_help = EXAMPLES,
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
    /// The C file, preprocessed file or program; `-` reads stdin
    #[arg(value_name = "FILE", required = true)]
    pub(super) file: Option<PathBuf>,
    /// FILE is a program as --emit program prints it (default: by suffix, .prog)
    #[arg(long)]
    pub(super) from_program: bool,
    #[command(flatten)]
    pub(super) preprocessor: PreprocessorArgs,
    #[command(flatten)]
    pub(super) translation: TranslationArgs,
    #[command(flatten)]
    pub(super) properties: PropertyArgs,
    #[command(flatten)]
    pub(super) reductions: ReductionArgs,
    #[command(flatten)]
    pub(super) exploration: ExplorationArgs,
    #[command(flatten)]
    pub(super) output: OutputArgs,
    #[command(flatten)]
    pub(super) console: ConsoleArgs,
}

/// What the preprocessor is told.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Preprocessor")]
pub(super) struct PreprocessorArgs {
    /// Look for headers here first; repeatable (default: where the preprocessor looks)
    #[arg(short = 'I', value_name = "DIR")]
    pub(super) include_directories: Vec<PathBuf>,
    /// Define a macro, as 1 or as VALUE; repeatable (default: none)
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    define: Vec<String>,
    /// Remove a macro; repeatable, in order with -D (default: none)
    #[arg(short = 'U', value_name = "NAME")]
    undefine: Vec<String>,
    /// Read this file before FILE, as if it were included; repeatable (default: none)
    #[arg(long, value_name = "FILE")]
    pub(super) include: Vec<PathBuf>,
    /// `-D` and `-U` in the order in which they were given.
    #[arg(skip)]
    pub(super) macros: Vec<MacroOption>,
}

/// How C is understood.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Translation")]
pub(super) struct TranslationArgs {
    /// int, long and pointers have 32 bits (default: --64)
    #[arg(long = "32", conflicts_with = "lp64")]
    pub(super) ilp32: bool,
    /// int has 32 bits, long and pointers have 64 (default)
    #[arg(long = "64")]
    pub(super) lp64: bool,
    /// The function that the first thread runs (default: main)
    #[arg(long, value_name = "NAME")]
    pub(super) function: Option<String>,
    /// Each statement is one step; else each access to memory is one (default: off)
    #[arg(long)]
    pub(super) atomic_statements: bool,
    /// Expand recursive calls so deep; deeper ones are UNKNOWN (default: 4)
    #[arg(long, value_name = "N")]
    pub(super) unwind_recursion: Option<u32>,
    /// Model so many objects of an allocation that may run more than once; more are UNKNOWN (default: 4)
    #[arg(long, value_name = "N")]
    pub(super) objects_per_site: Option<u64>,
    /// Tell apart, for joining, so many threads of a creation that may run more than once (default: 16)
    #[arg(long, value_name = "N")]
    pub(super) thread_identities: Option<u64>,
    /// Refuse programs with more operations after calls are expanded (default: 2000000)
    #[arg(long, value_name = "N")]
    pub(super) max_operations: Option<usize>,
    /// C text with functions that replace library functions; repeatable (default: only those built in)
    #[arg(long, value_name = "FILE")]
    pub(super) model: Vec<PathBuf>,
}

/// What must not happen.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Properties")]
pub(super) struct PropertyArgs {
    /// Reaching this label is an error; repeatable (default: no label is)
    #[arg(long, value_name = "LABEL")]
    pub(super) error_label: Vec<String>,
    /// Keep only this property of those that --show-properties lists; repeatable (default: all)
    #[arg(long, value_name = "NAME")]
    pub(super) property: Vec<String>,
    /// List the properties with kinds and places (default: off)
    #[arg(long)]
    pub(super) show_properties: bool,
    /// Do not look for indices outside their array (default: look for them)
    #[arg(long, overrides_with = "bounds_check")]
    pub(super) no_bounds_check: bool,
    #[arg(long, hide = true)]
    pub(super) bounds_check: bool,
    /// Do not look for divisions by zero (default: look for them)
    #[arg(long, overrides_with = "div_by_zero_check")]
    pub(super) no_div_by_zero_check: bool,
    #[arg(long, hide = true)]
    pub(super) div_by_zero_check: bool,
    /// Do not look for misuse of mutexes: double lock, unlock by another thread (default: look for it)
    #[arg(long, overrides_with = "mutex_check")]
    pub(super) no_mutex_check: bool,
    #[arg(long, hide = true)]
    pub(super) mutex_check: bool,
    /// Look for signed results that do not fit (default: off)
    #[arg(long)]
    pub(super) signed_overflow_check: bool,
    /// Look for shifts by a negative or too large amount (default: off)
    #[arg(long)]
    pub(super) shift_check: bool,
    /// Look for dereferences of pointers that point to nothing (default: off)
    #[arg(long)]
    pub(super) pointer_check: bool,
    /// Look for conflicting accesses that are not atomic (default: off)
    #[arg(long)]
    pub(super) data_race_check: bool,
}

/// How the program is made smaller.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Reductions")]
pub(super) struct ReductionArgs {
    /// How far to go (default: reduced for C, lowered for programs)
    #[arg(long, value_name = "STAGE")]
    pub(super) stage: Option<StageArg>,
    /// Only make the program strictly asynchronous: all of the following three (default: reduce it)
    #[arg(long)]
    pub(super) no_reductions: bool,
    /// Do not put in known values (default: put them in)
    #[arg(long)]
    pub(super) no_constants: bool,
    /// Keep what no property depends on (default: drop it)
    #[arg(long)]
    pub(super) no_slice: bool,
    /// Keep steps apart that no other thread notices (default: merge them)
    #[arg(long)]
    pub(super) no_merge: bool,
}

/// Which runs to look at.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Exploration")]
pub(super) struct ExplorationArgs {
    /// Try all runs of N threads, the first one included (default: off)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    pub(super) explore: Option<u16>,
    /// Try one random run, with the threads of --explore or else 3; the same seed gives the same run (default: off)
    #[arg(long, value_name = "SEED")]
    pub(super) random: Option<u64>,
    /// Most steps of the random run (default: 1000)
    #[arg(long, value_name = "N", requires = "random", value_parser = clap::value_parser!(u64).range(..=MOST_STEPS))]
    pub(super) steps: Option<u64>,
    /// Replay the runs that --trace FILE.json wrote for the same FILE and options (default: off)
    #[arg(long, value_name = "FILE.json", conflicts_with_all = ["explore", "random"])]
    pub(super) replay: Option<PathBuf>,
    /// Give up after so many states (default: 1000000)
    #[arg(long, value_name = "N", requires = "explore", conflicts_with = "random")]
    pub(super) max_states: Option<usize>,
    /// End in UNKNOWN after so many seconds, such as 60 or 0.5 (default: no limit)
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(super) timeout: Option<Duration>,
    /// Write the runs found, as JSON if the suffix is .json; `-` is stdout (default: none)
    #[arg(long, value_name = "FILE")]
    pub(super) trace: Option<PathBuf>,
}

/// What is printed and where.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Output")]
pub(super) struct OutputArgs {
    /// Print the program in this form instead of a summary (default: by the suffix of OUT, or no program)
    #[arg(long, value_name = "FORM", conflicts_with_all = ["show_properties", "explore", "random", "replay", "json"])]
    pub(super) emit: Option<EmitArg>,
    /// Where to write the program; `-` is stdout (default: stdout)
    #[arg(short, long, value_name = "OUT", conflicts_with_all = ["show_properties", "explore", "random", "replay", "json"])]
    pub(super) output: Option<PathBuf>,
    /// Print times, sizes after each pass, and memory; on stderr if stdout has the program (default: off)
    #[arg(long)]
    pub(super) stats: bool,
    /// Print one JSON document instead of text (default: text)
    #[arg(long)]
    pub(super) json: bool,
}

/// How much is said, and in which colours.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Console")]
pub(super) struct ConsoleArgs {
    /// Say on stderr what is being done, and all warnings (default: the first 20 warnings)
    #[arg(short, long, action = ArgAction::Count, conflicts_with = "quiet")]
    pub(super) verbose: u8,
    /// Print only the program, or the verdict and its reason; no warnings (default: off)
    #[arg(short, long)]
    pub(super) quiet: bool,
    /// Whether to use colours; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(super) color: ColorArg,
}

/// More threads or steps than this are taken for a mistake.
pub(super) const MOST_THREADS: i64 = 1000;
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

/// When to use colours.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ColorArg {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

fn seconds(text: &str) -> std::result::Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    // Some tools take 0 for "no limit", others for "no time": better to refuse it.
    if seconds.is_nan() || seconds <= 0.0 {
        return Err("must be more than 0; without the option there is no limit".to_owned());
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| "too large".to_owned())
}

impl Cli {
    /// Reads the command line.
    pub(super) fn read() -> std::result::Result<Cli, clap::Error> {
        let mut command = Cli::command();
        let matches = command.try_get_matches_from_mut(std::env::args_os())?;
        let mut cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
        cli.main.preprocessor.order_macros(&matches);
        Ok(cli)
    }
}

impl PreprocessorArgs {
    /// The parser keeps `-D` and `-U` apart; where they stood says which came first.
    fn order_macros(&mut self, matches: &clap::ArgMatches) {
        let places = |id: &str| matches.indices_of(id).into_iter().flatten().collect::<Vec<_>>();
        let defined = self.define.drain(..).map(MacroOption::Define);
        let undefined = self.undefine.drain(..).map(MacroOption::Undefine);
        let mut all: Vec<_> = places("define").into_iter().zip(defined).collect();
        all.extend(places("undefine").into_iter().zip(undefined));
        all.sort_by_key(|(place, _)| *place);
        self.macros = all.into_iter().map(|(_, option)| option).collect();
    }
}

/// `asyncc completions`.
pub(super) fn completions(shell: clap_complete::Shell) -> Result {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "asyncc", &mut script);
    print(&String::from_utf8_lossy(&script))?;
    Ok(exit::SUCCESSFUL)
}

/// `asyncc man`.
pub(super) fn man() -> Result {
    let mut page = Vec::new();
    // Writing to memory cannot fail.
    let _ = clap_mangen::Man::new(Cli::command()).render(&mut page);
    print(&String::from_utf8_lossy(&page))?;
    Ok(exit::SUCCESSFUL)
}

#[cfg(test)]
mod tests {
    use super::*;

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
        cli.main.preprocessor.order_macros(&matches);
        let define = |text: &str| MacroOption::Define(text.to_owned());
        let undefine = |text: &str| MacroOption::Undefine(text.to_owned());
        let expected = [define("A"), undefine("A"), define("B=1"), define("A=2"), undefine("B")];
        assert_eq!(cli.main.preprocessor.macros, expected);
    }
}
