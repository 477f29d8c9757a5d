//! The answer as text on stdout; [`json`](super::json) has the other form.
//!
//! The last line is the verdict. The line before it gives the reason if the verdict is UNKNOWN.

use super::console::{Console, print};
use super::failure::{Result, exit};
use super::{json, statistics};
use breach::coverability::{Progress, Statistics};
use breach::proof::Proof;
use breach::system::System;
use breach::trace::Trace;
use std::fmt::Write as _;
use std::time::Duration;
use terminal::words::plural;

/// How to print.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    pub(super) console: Console,
    pub(super) stats: bool,
    pub(super) json: bool,
}

/// Everything that is printed. Owns its texts, because the thread that gives up prints it, too.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) file: String,
    pub(super) format: &'static str,
    pub(super) init: String,
    pub(super) targets: Vec<String>,
    pub(super) answer: Answer,
    pub(super) statistics: Statistics,
    pub(super) read_time: Duration,
    pub(super) parse_time: Duration,
    pub(super) check_time: Duration,
    pub(super) total_time: Duration,
    /// For `--json`.
    pub(super) trace: Option<serde_json::Value>,
    /// For `--json`.
    pub(super) proof: Option<serde_json::Value>,
}

/// The answer without its details.
#[derive(Debug)]
pub(super) enum Answer {
    Coverable(RunSize),
    Uncoverable(Option<ProofSize>),
    Unknown(String),
}

impl Default for Answer {
    fn default() -> Self {
        Answer::Unknown(String::new())
    }
}

/// How long a run is.
#[derive(Debug)]
pub(super) struct RunSize {
    pub(super) target: String,
    pub(super) steps: usize,
    pub(super) threads: usize,
}

impl RunSize {
    pub(super) fn of(system: &System, trace: &Trace) -> Self {
        let moves = trace.steps.iter().flat_map(|step| &step.moves);
        Self {
            target: system.show(&trace.target).to_string(),
            steps: trace.steps.len(),
            threads: trace.threads.len() + moves.filter(|m| m.from.is_none()).count(),
        }
    }
}

/// How large a proof is.
#[derive(Debug)]
pub(super) struct ProofSize {
    pub(super) elements: usize,
    pub(super) max_threads: u64,
    pub(super) invariants: usize,
}

impl ProofSize {
    pub(super) fn of(proof: &Proof) -> Self {
        Self {
            elements: proof.elements.len(),
            max_threads: proof.max_threads(),
            invariants: proof.invariants.len(),
        }
    }
}

/// More targets than this are not listed.
const LISTED: usize = 5;

impl Report {
    /// Exit code and verdict line.
    pub(super) fn verdict(&self) -> (u8, &'static str) {
        match self.answer {
            Answer::Coverable(_) => (exit::FAILED, "VERIFICATION FAILED"),
            Answer::Uncoverable(_) => (exit::SUCCESSFUL, "VERIFICATION SUCCESSFUL"),
            Answer::Unknown(_) => (exit::UNKNOWN, "VERIFICATION UNKNOWN"),
        }
    }

    /// Takes over what a search in progress tells.
    pub(super) fn note_progress(&mut self, progress: &Progress) {
        self.statistics.iterations = progress.iterations;
        self.statistics.final_states = progress.states;
        self.statistics.forward_nodes = progress.forward_nodes;
        self.statistics.search_time = progress.elapsed;
    }

    /// Prints the report and returns the exit code.
    pub(super) fn print(&self, style: &Style) -> Result {
        let (code, _) = self.verdict();
        print(&if style.json { json::document(self) } else { self.text(style) })?;
        Ok(code)
    }

    fn text(&self, style: &Style) -> String {
        let mut text = String::new();
        if style.stats {
            statistics::write(&mut text, self);
        }
        if !style.console.quiet {
            self.write_summary(&mut text);
        }
        if let Answer::Unknown(reason) = &self.answer {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "reason: {reason}");
        }
        let (code, verdict) = self.verdict();
        text.push_str(&style.console.verdict(verdict, code));
        text.push('\n');
        text
    }

    fn write_summary(&self, text: &mut String) {
        let init = &self.init;
        let _ = match &self.answer {
            Answer::Coverable(RunSize { target, steps, threads }) => {
                let (steps, threads) = (plural(steps, "step"), plural(threads, "thread"));
                writeln!(text, "target {target} is coverable from {init}: a run of {steps} with {threads}")
            }
            Answer::Uncoverable(_) => match &self.targets[..] {
                [target] => writeln!(text, "target {target} is not coverable from {init}"),
                all => writeln!(text, "none of the targets {} is coverable from {init}", list(all)),
            },
            Answer::Unknown(_) => {
                let Statistics { iterations, final_states, forward_nodes, .. } = self.statistics;
                let (iterations, nodes) =
                    (plural(iterations, "iteration"), plural(forward_nodes, "forward node"));
                let (states, seconds) = (plural(final_states, "state"), self.total_time.as_secs_f64());
                writeln!(text, "no answer after {seconds:.1} s: {iterations}, {states}, {nodes}")
            }
        };
        if let Answer::Uncoverable(Some(proof)) = &self.answer {
            let _ = writeln!(text, "proof: {proof} (verified)");
        }
    }
}

impl std::fmt::Display for ProofSize {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let elements = plural(self.elements, "minimal element");
        let threads = plural(self.max_threads, "thread");
        let invariants = plural(self.invariants, "invariant");
        write!(f, "{elements} with at most {threads}, {invariants}")
    }
}

/// The first few of many.
pub(super) fn list(all: &[String]) -> String {
    let shown = all[..all.len().min(LISTED)].join(" ");
    if all.len() > LISTED { format!("{shown} and {} more", all.len() - LISTED) } else { shown }
}
