//! The table of options, from which parsing, `--help`, the manual page and completions are made.
//!
//! What depends on more than one option, beyond simple conflicts, is in [`usage`](super::usage).

use clap::{Args, Parser, Subcommand};
use console::args::{ConsoleArgs, InputArgs};
use monabs::Engine;
use monabs::abstraction::table::Method;
use report::args::{Command as Common, LimitArgs, TaskArgs};
use smt::SolverChoice;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

const ABOUT: &str = "Proves C programs safe for every number of threads, or shows a run that fails";

const LONG_ABOUT: &str = "\
Proves C programs safe for every number of threads, or shows a run that fails.

FILE is C, preprocessed C (.i), or a program that asyncc printed (.prog). Predicates over shared variables and over the \
locals of two threads turn it into a finite system for any number of threads, which is checked for coverability; \
new predicates come from runs of that system that the program does not have. At the same time the program is run with \
few threads to find errors. Every verdict has been checked: a proof by code that shares nothing with the search, a run by \
replaying it.";

const EXAMPLES: &str = "\
Examples:
  monabs lock.c
  monabs --data-race-check --timeout 60 lock.c
  monabs --proof lock.proof lock.c && monabs check lock.proof lock.c";

const MORE_EXAMPLES: &str = "
  monabs --entry 'ioctl(any)' --entry close driver.c
  monabs --write-run run.json racy.c; monabs --replay run.json racy.c
  monabs --spec unreach-call.prp --witness witness.graphml task.i
  monabs --predicates ticket.txt --dump steps ticket.c";

const EXIT_STATUS: &str = "\
Exit status:
  0   VERIFICATION SUCCESSFUL: safe for every number of threads; PROOF ACCEPTED; or what was asked for is printed
  10  VERIFICATION FAILED: a real run violates a property
  5   VERIFICATION UNKNOWN: anything else; the line before gives the reason
  1   wrong usage, or an output that cannot be written; PROOF REJECTED; TRACE REJECTED
  2   the input cannot be read or translated
  6   internal error: a bug in monabs
  130 Ctrl-C a second time

Ctrl-C ends with UNKNOWN and what was found so far; a second one ends at once. $CC is the preprocessor (default: cc, gcc \
or clang). A file named like a command is meant by its path: monabs ./man";

/// The whole command line.
#[derive(Parser, Debug)]
#[command(
    name = "monabs",
    version,
    about = ABOUT,
    long_about = LONG_ABOUT,
    after_help = format!("{EXAMPLES}\n\n{}", terminal::help::more("monabs")),
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

/// What else `monabs` does.
#[derive(Subcommand, Debug)]
pub(super) enum Command {
    /// Check a proof that --proof of monabs, impara or cseq wrote
    ///
    /// FILE and the options of the translation must be those that the proof was written for.
    Check(Box<CheckArgs>),
    #[command(flatten)]
    Common(Common),
}

/// `monabs check`.
#[derive(Args, Debug)]
pub(super) struct CheckArgs {
    /// The proof
    pub(super) proof: PathBuf,
    #[command(flatten)]
    pub(super) input: InputArgs,
    /// The property file that the proof was made with (default: none)
    #[arg(long, value_name = "FILE.prp")]
    pub(super) spec: Option<PathBuf>,
    /// Ask this solver: sat (bits and a SAT solver; shares nothing with z3), z3, z3-pipe, cvc5 or pipe:COMMAND (default: z3; sat for
    /// a proof by bounds)
    #[arg(long, value_name = "NAME")]
    pub(super) solver: Option<SolverChoice>,
    #[command(flatten)]
    pub(super) limits: LimitArgs,
    #[command(flatten)]
    pub(super) console: ConsoleArgs,
}

impl report::program::Cli for Cli {
    const SHORT: &'static [&'static str] = &[];

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

/// `monabs FILE`.
#[derive(Args, Debug, Default)]
pub(super) struct MainArgs {
    #[command(flatten)]
    pub(super) task: TaskArgs,
    #[command(flatten)]
    pub(super) question: ThreadNumberArgs,
    #[command(flatten)]
    pub(super) search: SearchArgs,
    #[command(flatten)]
    pub(super) evidence: AbstractionArgs,
}

/// What is asked.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Question")]
pub(super) struct ThreadNumberArgs {
    /// Accept published command lines that have it; it changes nothing (default: any number of threads)
    #[arg(long)]
    pub(super) concurrency: bool,
    /// Only run the program with up to N threads; safe if more threads add nothing (default: prove)
    #[arg(long, value_name = "N", conflicts_with = "replay", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(super) max_threads: Option<u16>,
    /// Assume that at most N threads, such as 1000 or 2^31, are alive at once; matters where counters of threads overflow, and
    /// the verdict then names it (default: any number)
    #[arg(long, value_name = "N", value_parser = number_of_threads, conflicts_with_all = ["max_threads", "replay"])]
    pub(super) max_live_threads: Option<u128>,
}

/// A number, or a power such as `2^31`.
fn number_of_threads(text: &str) -> Result<u128, String> {
    let number = match text.split_once('^') {
        None => text.parse().ok(),
        Some((base, exponent)) => base
            .parse::<u128>()
            .ok()
            .zip(exponent.parse::<u32>().ok())
            .and_then(|(base, exponent)| base.checked_pow(exponent)),
    };
    match number {
        Some(number) if number > 0 => Ok(number),
        _ => Err("a number of threads is expected, such as 1000 or 2^31".to_owned()),
    }
}

/// How the answer is found.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Search")]
pub(super) struct SearchArgs {
    /// Start with the predicates in this file: one C expression per line, comments with # and //, `f::x` or `x` for a local,
    /// __CPROVER_passive(x) for another thread's; asyncc --emit program --stage lowered prints all names (default: none)
    #[arg(long, value_name = "FILE")]
    pub(super) predicates: Option<PathBuf>,
    /// Choose how exact abstractions are before refinement: lazy (exact for few states, then generalised), precise (the template of the
    /// thesis), cartesian (each predicate alone, from --max-cube-length others) (default: lazy)
    #[arg(long, value_name = "NAME", value_enum, conflicts_with = "max_threads")]
    pub(super) abstractor: Option<AbstractorName>,
    /// With --abstractor cartesian, let N predicates decide about one (default: 3)
    #[arg(long, value_name = "N", conflicts_with = "max_threads")]
    pub(super) max_cube_length: Option<usize>,
    /// Give up after N abstractions (default: 1000)
    #[arg(long, value_name = "N", conflicts_with = "max_threads")]
    pub(super) iterations: Option<usize>,
    /// Give up if an abstraction has more than N transitions (default: 2000000)
    #[arg(long, value_name = "N", conflicts_with = "max_threads")]
    pub(super) max_transitions: Option<usize>,
    /// Use only these engines, with commas: abstraction (any number of threads), search (runs with few threads), cseq (all
    /// schedules of some rounds), impara (interpolants, a fixed number of threads) (default: all that suit the program)
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = engine, conflicts_with_all = ["max_threads", "no_search"])]
    pub(super) engine: Vec<Engine>,
    /// Do not run the program to find errors (default: run it beside the proof)
    #[arg(long, conflicts_with_all = ["max_threads", "search_threads"])]
    pub(super) no_search: bool,
    /// Run the program with up to N threads to find errors (default: 6)
    #[arg(long, value_name = "N", conflicts_with = "max_threads", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(super) search_threads: Option<u16>,
    /// Use this solver: z3 or sat (built in), z3-pipe or cvc5 (programs), or pipe:COMMAND for any that reads SMT-LIB from stdin
    /// (default: z3)
    #[arg(long, value_name = "NAME")]
    pub(super) solver: Option<SolverChoice>,
    /// Use at most N processor cores, where the system lets us choose (default: all)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) threads: Option<u16>,
}

fn engine(text: &str) -> Result<Engine, String> {
    Engine::ALL.into_iter().find(|engine| engine.name() == text).ok_or_else(|| {
        let names = Engine::ALL.map(Engine::name).join(", ");
        format!("there is no such engine; there are: {names}")
    })
}

/// The names of the methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum AbstractorName {
    /// Exact for few states, then generalised
    Lazy,
    /// Exact
    Precise,
    /// Each predicate alone
    Cartesian,
}

impl SearchArgs {
    /// Who works on the program. An abstraction that is to be written must not be overtaken by other answers.
    pub(super) fn engines(&self, few_threads: bool, needs_abstraction: bool) -> Vec<Engine> {
        if few_threads {
            return vec![Engine::Search, Engine::Cseq];
        }
        if !self.engine.is_empty() {
            return self.engine.clone();
        }
        if self.no_search || (needs_abstraction && self.search_threads.is_none()) {
            return vec![Engine::Abstraction];
        }
        Engine::ALL.to_vec()
    }

    /// How exact abstractions are; a length of cubes means the Cartesian method.
    pub(super) fn method(&self) -> Method {
        let length = self.max_cube_length;
        match self.abstractor {
            Some(AbstractorName::Cartesian) => Method::Cartesian(length.unwrap_or(3)),
            Some(AbstractorName::Precise) => Method::Precise,
            Some(AbstractorName::Lazy) => Method::Lazy,
            None => length.map_or(Method::default(), Method::Cartesian),
        }
    }
}

/// What shows that the answer is right.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Evidence")]
pub(super) struct AbstractionArgs {
    /// Write the last abstraction as an EMDR file for breach; implies --no-search unless --search-threads is given (default
    /// FILE: the name of the input with .emdr, in the current folder)
    #[arg(
        long,
        value_name = "FILE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        conflicts_with_all = ["emit_emdr", "max_threads", "replay"]
    )]
    build_tts: Option<OsString>,
    /// Write the last abstraction to FILE, as --build-tts does; `-` is stdout (default: not written)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["max_threads", "replay"])]
    emit_emdr: Option<PathBuf>,
    /// Write the proof of safety as one file, with the program and all predicates, for `monabs check` (default: not written)
    #[arg(long, value_name = "FILE", conflicts_with = "replay")]
    pub(super) proof: Option<PathBuf>,
    /// Write the proof about the EMDR file alone, for `breach check`; implies --no-search like --build-tts (default: not written)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["max_threads", "replay"])]
    pub(super) emdr_proof: Option<PathBuf>,
    /// Write all predicates, abstractions and abstract runs into a folder, with a README (default: not written)
    #[arg(long, value_name = "DIR", conflicts_with_all = ["max_threads", "replay"])]
    pub(super) dump: Option<PathBuf>,
}

impl AbstractionArgs {
    /// Whether an answer needs an abstraction.
    pub(super) fn needs_abstraction(&self) -> bool {
        self.build_tts.is_some() || self.emit_emdr.is_some() || self.emdr_proof.is_some()
    }

    /// Where the abstraction is to be written, with the option that says so.
    pub(super) fn emdr(&self, input: &Path) -> Option<(&'static str, PathBuf)> {
        let built = self.build_tts.as_ref().map(|name| {
            let path = if name.is_empty() { default_emdr(input) } else { PathBuf::from(name) };
            ("--build-tts", path)
        });
        built.or_else(|| self.emit_emdr.clone().map(|path| ("--emit-emdr", path)))
    }
}

/// The name of the input with another suffix, in the current folder.
fn default_emdr(input: &Path) -> PathBuf {
    let name = input.file_name().filter(|name| *name != "-").unwrap_or("stdin".as_ref());
    Path::new(name).with_extension("emdr")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_table_is_consistent() {
        Cli::command().debug_assert();
    }

    /// The command line of the thesis: the option must not take the file for its value.
    #[test]
    fn the_name_of_the_abstraction() {
        let emdr = |args: &[&str]| {
            let main = Cli::try_parse_from(["monabs"].iter().chain(args)).unwrap().main;
            assert_eq!(main.task.input.path(), Path::new("dir/tsl.c"));
            main.evidence.emdr(main.task.input.path()).map(|(_, path)| path.display().to_string())
        };
        assert_eq!(emdr(&["--build-tts", "--concurrency", "dir/tsl.c"]).unwrap(), "tsl.emdr");
        assert_eq!(emdr(&["--build-tts", "dir/tsl.c"]).unwrap(), "tsl.emdr");
        assert_eq!(emdr(&["--build-tts=x.tts", "dir/tsl.c"]).unwrap(), "x.tts");
        assert_eq!(emdr(&["--emit-emdr", "y", "dir/tsl.c"]).unwrap(), "y");
        assert_eq!(emdr(&["dir/tsl.c"]), None);
    }

    /// The help says the defaults of the library.
    #[test]
    fn defaults() {
        let default = monabs::Options::default();
        let help = Cli::command().render_long_help().to_string();
        for (option, value) in [
            ("--iterations", default.iterations.to_string()),
            ("--max-transitions", default.max_transitions.to_string()),
            ("--search-threads", default.search_threads.to_string()),
            ("--solver", default.solver.to_string()),
        ] {
            let text = help.split(&format!("{option} <")).nth(1).unwrap();
            assert_eq!(
                text.split_once("(default: ").unwrap().1.split_once(')').unwrap().0,
                value,
                "{option}"
            );
        }
    }
}
