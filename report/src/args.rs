//! Options that all programs around an engine have, in the groups in which `--help` shows them.

use clap::{Args, Subcommand};
use console::args::{ConsoleArgs, InputArgs, seconds};
use std::path::PathBuf;
use std::time::Duration;

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
    Man,
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
    /// Check only what this property file of SV-COMP says: unreach-call, no-data-race, no-overflow, valid-memsafety or valid-memcleanup (default: none)
    #[arg(long, value_name = "FILE.prp", conflicts_with = "property")]
    pub spec: Option<PathBuf>,
    /// Replay the runs that --write-run wrote for the same FILE and options, do nothing else (default: off)
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
    /// Check the answer again before it is given, from the text of the files that say it (default: checked once)
    #[arg(long)]
    pub check: bool,
    /// Show the run that violates a property (default)
    #[arg(long, overrides_with = "no_trace")]
    pub trace: bool,
    /// Do not show the run (default: show it)
    #[arg(long)]
    pub no_trace: bool,
    /// Write the run as JSON, for --replay; `-` is stdout (default: not written)
    #[arg(long, value_name = "FILE.json", conflicts_with = "replay")]
    pub write_run: Option<PathBuf>,
    /// Write a witness of SV-COMP: GraphML 1.0 for a violation, YAML 2.0 without invariants if correct (default: not written)
    #[arg(long, value_name = "FILE", conflicts_with = "replay")]
    pub witness: Option<PathBuf>,
    /// Write a program that runs the bug into this folder: FILE as it is, the schedule of the run, and a script (default: not written)
    #[arg(long, value_name = "DIR", conflicts_with = "replay")]
    pub harness: Option<PathBuf>,
}

/// What is printed and where.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// Print sizes, numbers of questions, time of each phase, and memory (default: off)
    #[arg(long)]
    pub stats: bool,
    /// Print one JSON document instead of text (default: text)
    #[arg(long)]
    pub json: bool,
    /// Write the result in SARIF 2.1.0, for services that show findings in the source; `-` is stdout (default: not written)
    #[arg(long, value_name = "FILE", conflicts_with = "replay")]
    pub sarif: Option<PathBuf>,
}
