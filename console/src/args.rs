//! Options that every program with C as its input has: FILE, the preprocessor, the translation, properties, messages.
//!
//! Each program puts them, by `flatten`, into a table of its own; what they mean is in [`options`](super::options).

use crate::console::{Console, print};
use crate::failure::{Result, exit};
use crate::usage::conflict;
use clap::{ArgAction, Args, ValueEnum};
use frontend::entry::{Entry, Init};
use frontend::preprocess::MacroOption;
use frontend::program::trace::Form;
use std::path::{Path, PathBuf};
use std::time::Duration;
pub use terminal::color::ColorArg;

/// FILE, and how it is read.
#[derive(Args, Debug, Default)]
pub struct InputArgs {
    /// C files, preprocessed or not, or one program that asyncc printed; `-` reads stdin
    #[arg(value_name = "FILE", required_unless_present = "project")]
    pub files: Vec<PathBuf>,
    /// Read FILE as a program that asyncc --emit program printed (default: by suffix, .prog)
    #[arg(long)]
    pub from_program: bool,
    /// For the preprocessor.
    #[command(flatten)]
    pub preprocessor: PreprocessorArgs,
    /// Where files and entry points come from.
    #[command(flatten)]
    pub project: ProjectArgs,
    /// For the translation.
    #[command(flatten)]
    pub translation: TranslationArgs,
    /// What is checked.
    #[command(flatten)]
    pub properties: PropertyArgs,
    /// What may be assumed.
    #[command(flatten)]
    pub assumptions: AssumptionArgs,
}

impl InputArgs {
    /// The first FILE, or the project.
    pub fn path(&self) -> &Path {
        let first = self.files.first().or(self.project.project.as_ref());
        first.map_or(Path::new("-"), PathBuf::as_path)
    }

    /// Whether the program is one file with a function to start with.
    pub fn is_plain(&self) -> bool {
        let ProjectArgs { project, entry, init, .. } = &self.project;
        self.files.len() == 1 && project.is_none() && entry.is_empty() && init.is_empty()
    }

    /// Whether FILE is a program.
    pub fn is_program(&self) -> bool {
        self.from_program || self.path().extension().is_some_and(|suffix| suffix == "prog")
    }
}

/// What the preprocessor is told.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Preprocessor")]
pub struct PreprocessorArgs {
    /// Search this folder for headers first; repeatable (default: none)
    #[arg(short = 'I', value_name = "DIR")]
    pub include_directories: Vec<PathBuf>,
    /// Define a macro, as 1 or as VALUE; repeatable (default: none)
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    define: Vec<String>,
    /// Undefine a macro; repeatable, in order with -D (default: none)
    #[arg(short = 'U', value_name = "NAME")]
    undefine: Vec<String>,
    /// Include this file before each FILE; repeatable (default: none)
    #[arg(long, value_name = "FILE")]
    pub include: Vec<PathBuf>,
    /// Add the headers of this kernel (default: only those of the system)
    #[arg(long, value_name = "KERNEL")]
    pub environment: Option<EnvironmentArg>,
    /// Skip the compiler's check of the syntax; for old preprocessed files (default: check)
    #[arg(long)]
    pub no_syntax_check: bool,
    /// `-D` and `-U` in the order in which they were given.
    #[arg(skip)]
    pub macros: Vec<MacroOption>,
}

/// Programs of several files, and programs without `main`.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Files and entry points")]
pub struct ProjectArgs {
    /// Read the files and their options from a compilation database, compile_commands.json (default: none)
    #[arg(long, value_name = "JSON")]
    pub project: Option<PathBuf>,
    /// Use only files of the project that match: *, ? and ** as in shells; a pattern without a slash matches the name alone;
    /// repeatable (default: all)
    #[arg(long, value_name = "PATTERN", requires = "project")]
    pub only: Vec<String>,
    /// Verify entry points instead of main: any number of threads call this function; repeatable (default: run main)
    ///
    /// Each thread calls functions so named again and again. (A,...) sets the arguments: any, fresh (pointer to a new object
    /// with any content), zero (the same, all zero), shared (pointer to one object per type for all calls), null, a number, a
    /// variable, &VARIABLE; without it pointers are fresh and numbers any. :N reserves N threads, which call nothing else.
    #[arg(long, value_name = "NAME[(A,...)][:N]", conflicts_with = "function")]
    pub entry: Vec<Entry>,
    /// Call this function once before the threads of --entry start. =RESULT stops the program if the function returns something
    /// else; repeatable, called in this order (default: none)
    #[arg(long, value_name = "NAME[(A,...)][=RESULT]", conflicts_with = "function")]
    pub init: Vec<Init>,
}

/// How C is understood.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Translation")]
pub struct TranslationArgs {
    /// Use 32 bits for int, long and pointers (default: --64)
    #[arg(long = "32", conflicts_with = "lp64")]
    pub ilp32: bool,
    /// Use 32 bits for int, 64 for long and pointers (default)
    #[arg(long = "64")]
    pub lp64: bool,
    /// Start the first thread in this function (default: main)
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,
    /// Run each statement as one step; hides errors inside of statements (default: one step per memory access)
    #[arg(long)]
    pub atomic_statements: bool,
    /// Expand recursive calls up to depth N; answer UNKNOWN beyond (default: 4)
    #[arg(long, value_name = "N")]
    pub unwind_recursion: Option<u32>,
    /// Model N objects per repeated allocation; answer UNKNOWN beyond (default: 4)
    #[arg(long, value_name = "N")]
    pub objects_per_site: Option<u64>,
    /// Distinguish N threads per repeated pthread_create, for joins (default: 16)
    #[arg(long, value_name = "N")]
    pub thread_identities: Option<u64>,
    /// Refuse programs with more than N operations after expanding calls (default: 2000000)
    #[arg(long, value_name = "N")]
    pub max_operations: Option<usize>,
    /// Choose what a function without a definition may change (default: pure)
    #[arg(long, value_name = "WHAT")]
    pub undefined: Option<UndefinedArg>,
    /// Replace functions of the library and of the program by those in this C file; repeatable (default: none)
    #[arg(long, value_name = "FILE")]
    pub model: Vec<PathBuf>,
}

/// Whose headers there are.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnvironmentArg {
    /// sys/mutex.h, sys/sx.h, machine/atomic.h and others
    Freebsd,
    /// sys/mutex.h, sys/condvar.h, sys/callout.h and others
    Netbsd,
    /// sys/mutex.h, sys/rwlock.h, sys/timeout.h and others
    Openbsd,
    /// linux/spinlock.h, linux/list.h, linux/kref.h and others
    Linux,
    /// sys/ksynch.h, sys/ddi.h, sys/sunddi.h and others
    Illumos,
}

/// What a function without a definition may change.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndefinedArg {
    /// Nothing: it returns any value
    Pure,
    /// What its arguments point to
    Arguments,
    /// What its arguments point to, and all global variables; functions that it is given run in threads
    All,
    /// It must not be called: UNKNOWN if it can be
    Refuse,
}

/// What must not happen.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Properties")]
pub struct PropertyArgs {
    /// Report an error if this label is reached; repeatable (default: none)
    #[arg(long, value_name = "LABEL")]
    pub error_label: Vec<String>,
    /// Check only this property; repeatable (default: all that --show-properties lists)
    #[arg(long, value_name = "NAME")]
    pub property: Vec<String>,
    /// List the properties with kinds and places (default: off)
    #[arg(long)]
    pub show_properties: bool,
    /// List the loops with places (default: off)
    #[arg(long, conflicts_with = "show_properties")]
    pub show_loops: bool,
    /// Do not check array indices (default: check)
    #[arg(long, overrides_with = "bounds_check")]
    pub no_bounds_check: bool,
    #[expect(missing_docs, reason = "a hidden option; documentation would be its help")]
    #[arg(long, hide = true)]
    pub bounds_check: bool,
    /// Do not check for division by zero (default: check)
    #[arg(long, overrides_with = "div_by_zero_check")]
    pub no_div_by_zero_check: bool,
    #[expect(missing_docs, reason = "a hidden option; documentation would be its help")]
    #[arg(long, hide = true)]
    pub div_by_zero_check: bool,
    /// Do not check for misuse of mutexes: double lock, unlock by another thread (default: check)
    #[arg(long, overrides_with = "mutex_check")]
    pub no_mutex_check: bool,
    #[expect(missing_docs, reason = "a hidden option; documentation would be its help")]
    #[arg(long, hide = true)]
    pub mutex_check: bool,
    /// Check for signed overflow (default: off)
    #[arg(long)]
    pub signed_overflow_check: bool,
    /// Check for shifts by a negative or too large amount (default: off)
    #[arg(long)]
    pub shift_check: bool,
    /// Check for dereferences of invalid pointers (default: off)
    #[arg(long)]
    pub pointer_check: bool,
    /// Check all use of memory (default: off)
    ///
    /// Invalid pointers, use after free or after the end of a block, writes to literals, accesses out of bounds, invalid and
    /// double free, leaks. Without it such an access makes the answer UNKNOWN.
    #[arg(long)]
    pub memory_safety_check: bool,
    /// With --memory-safety-check, do not check for leaks (default: check)
    #[arg(long, requires = "memory_safety_check")]
    pub no_leak_check: bool,
    /// Check for data races (default: off)
    #[arg(long)]
    pub data_race_check: bool,
    /// Check for deadlocks (default: off)
    ///
    /// A deadlock: no thread can move, and one waits for a lock, semaphore, barrier, condition variable, join or one-time
    /// initialisation. Who waits for a condition variable waits until it is woken: nobody can rely on waking up without a reason.
    #[arg(long)]
    pub deadlock_check: bool,
}

/// What answers may be based on.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Assumptions")]
pub struct AssumptionArgs {
    /// Answer UNKNOWN if the answer rests on an assumption, such as sequential consistency (default: answer, and list
    /// assumptions)
    #[arg(long)]
    pub strict: bool,
}

/// How much is said, and in which colours.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Console")]
pub struct ConsoleArgs {
    /// Show all warnings and steps, and log; -vv logs more (default: 20 warnings)
    #[arg(short, long, action = ArgAction::Count, conflicts_with = "quiet")]
    pub verbose: u8,
    /// Print only the verdict and its reason, or the program; no warnings (default: off)
    #[arg(short, long)]
    pub quiet: bool,
    /// Use colours; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: ColorArg,
}

/// How a run is shown.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TraceArg {
    /// In columns if they fit, otherwise as a list; with -v all steps
    #[default]
    Auto,
    /// One column per thread
    Columns,
    /// One step below the other
    List,
    /// A list with all steps, also those inside library functions
    All,
}

impl TraceArg {
    /// The form for this terminal.
    pub fn form(self, console: Console) -> Form {
        let width = terminal::size::width();
        match self {
            TraceArg::Auto if console.verbose => Form::All,
            TraceArg::Auto => Form::Columns { width, always: false },
            TraceArg::Columns => Form::Columns { width, always: true },
            TraceArg::List => Form::List,
            TraceArg::All => Form::All,
        }
    }
}

/// A number of seconds, such as 60 or 0.5.
pub fn seconds(text: &str) -> std::result::Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    // Some tools take 0 for "no limit", others for "no time": better to refuse it.
    if seconds.is_nan() || seconds <= 0.0 {
        return Err("must be more than 0; without the option there is no limit".to_owned());
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| "too large".to_owned())
}

impl PreprocessorArgs {
    /// The parser keeps `-D` and `-U` apart; where they stood says which came first.
    pub fn order_macros(&mut self, matches: &clap::ArgMatches) {
        let places = |id: &str| matches.indices_of(id).into_iter().flatten().collect::<Vec<_>>();
        let defined = self.define.drain(..).map(MacroOption::Define);
        let undefined = self.undefine.drain(..).map(MacroOption::Undefine);
        let mut all: Vec<_> = places("define").into_iter().zip(defined).collect();
        all.extend(places("undefine").into_iter().zip(undefined));
        all.sort_by_key(|(place, _)| *place);
        self.macros = all.into_iter().map(|(_, option)| option).collect();
    }
}

/// A script that makes a shell complete the options.
pub fn completions(shell: clap_complete::Shell, mut command: clap::Command) -> Result {
    let mut script = Vec::new();
    let name = command.get_name().to_owned();
    clap_complete::generate(shell, &mut command, name, &mut script);
    print(&String::from_utf8_lossy(&script))?;
    Ok(exit::SUCCESSFUL)
}

/// Prints the manual page of a program, or of one of its commands.
pub fn man(command: clap::Command, name: Option<&str>) -> Result {
    match terminal::help::manual(command, name) {
        Some(page) => print(&page)?,
        None => return conflict(format!("there is no command '{}'", name.unwrap_or_default())),
    }
    Ok(exit::SUCCESSFUL)
}
