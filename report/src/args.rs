//! Options that all programs around an engine have, in the groups in which `--help` shows them.

use clap::{Args, Subcommand};
use console::Console;
use console::args::{ConsoleArgs, InputArgs, TraceArg, seconds};
use console::verdict::FailOn;
use frontend::program::trace::Form;
use std::path::PathBuf;
use std::time::Duration;

/// What the short help of each program shows.
pub const SHORT: &[&str] = &[
    "files",
    "show_properties",
    "data_race_check",
    "memory_safety_check",
    "deadlock_check",
    "timeout",
    "explain",
    "html",
    "sarif",
    "verbose",
];

/// What else each program does.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Print a script that makes a shell complete the options
    #[command(hide = true)]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    #[command(hide = true)]
    Man {
        /// The command that it is about (default: the program)
        command: Option<String>,
    },
}

/// Everything that does not depend on the engine.
#[derive(Args, Debug, Default)]
pub struct TaskArgs {
    /// What is read, and how.
    #[command(flatten)]
    pub input: InputArgs,
    /// What is asked.
    #[command(flatten)]
    pub question: QuestionArgs,
    /// When to give up.
    #[command(flatten)]
    pub limits: LimitArgs,
    /// What shows that the answer is right.
    #[command(flatten)]
    pub evidence: EvidenceArgs,
    /// What is printed and where.
    #[command(flatten)]
    pub output: OutputArgs,
    /// The terminal.
    #[command(flatten)]
    pub console: ConsoleArgs,
}

/// What is asked.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Question")]
pub struct QuestionArgs {
    /// Check what this SV-COMP property file says: unreach-call, no-data-race, no-overflow, valid-memsafety or valid-memcleanup
    /// (default: none)
    #[arg(long, value_name = "FILE.prp", conflicts_with = "property")]
    pub spec: Option<PathBuf>,
    /// Only replay the runs that --write-run wrote for the same FILE and options (default: off)
    #[arg(long, value_name = "FILE.json", conflicts_with = "spec")]
    pub replay: Option<PathBuf>,
}

/// When to give up.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Limits")]
pub struct LimitArgs {
    /// Give up (UNKNOWN) after SECONDS, such as 60 or 0.5 (default: no limit)
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// Give up (UNKNOWN) above MB megabytes of memory (default: no limit)
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    pub memory_limit: Option<u64>,
}

/// What shows that the answer is right.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Evidence")]
pub struct EvidenceArgs {
    /// Check the answer a second time, from the text of its evidence (default: checked once)
    #[arg(long)]
    pub check: bool,
    /// Show the run that violates a property in this form (default: auto)
    #[arg(
        long,
        value_name = "FORM",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "auto",
        overrides_with = "no_trace"
    )]
    pub trace: Option<TraceArg>,
    /// Do not show the run (default: show)
    #[arg(long)]
    pub no_trace: bool,
    /// Write the run as JSON, for --replay; `-` is stdout (default: not written)
    #[arg(long, value_name = "FILE.json", conflicts_with = "replay")]
    pub write_run: Option<PathBuf>,
    /// Write an SV-COMP witness: GraphML 1.0 for a violation, YAML 2.0 for correctness, with what holds at statements where that is known (default: not
    /// written)
    #[arg(long, value_name = "FILE", conflicts_with = "replay")]
    pub witness: Option<PathBuf>,
    /// Write a program that runs the bug into this folder: FILE as it is, the schedule of the run, and a script (default: not written)
    #[arg(long, value_name = "DIR", conflicts_with = "replay")]
    pub harness: Option<PathBuf>,
}

impl EvidenceArgs {
    /// How a run is shown, if it is.
    pub fn form(&self, console: Console) -> Option<Form> {
        (!self.no_trace).then(|| self.trace.unwrap_or_default().form(console))
    }
}

/// What is printed and where.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// Print sizes, numbers of solver queries, times and memory (default: off)
    #[arg(long)]
    pub stats: bool,
    /// Explain in a paragraph why the verdict holds (default: off)
    #[arg(long)]
    pub explain: bool,
    /// Exit with a status other than 0 only for these verdicts, with commas (default: unsafe,unknown)
    #[arg(long, value_name = "VERDICTS", value_delimiter = ',')]
    pub fail_on: Vec<FailOn>,
    /// Print one JSON document instead of text (default: text)
    #[arg(long)]
    pub json: bool,
    /// Write the result as SARIF 2.1.0 for editors and pipelines (default: none)
    ///
    /// `-` is stdout.
    #[arg(long, value_name = "FILE", conflicts_with = "replay")]
    pub sarif: Option<PathBuf>,
    /// Write the answer as one page for a browser; `-` is stdout (default: none)
    #[arg(long, value_name = "FILE", conflicts_with = "replay")]
    pub html: Option<PathBuf>,
    /// Write the run as a picture, a lane for each thread; `-` is stdout (default: not written)
    #[arg(long, value_name = "FILE", conflicts_with = "replay")]
    pub svg: Option<PathBuf>,
}
