//! The `monabs` program: how it is called, and what its output says.

use super::process::Finished;
use super::set::Answer;
use super::tool::{self, Tool};
use anyhow::Result;
use serde_json::Value;
use std::ffi::OsString;
use std::fmt;
use std::path::Path;
use std::time::Duration;

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Safe,
    Unsafe,
    /// With the reason.
    Unknown(String),
    /// No verdict at all: a crash, a refused input. With the first message.
    Failed(String),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Verdict::Safe => "safe",
            Verdict::Unsafe => "unsafe",
            Verdict::Unknown(_) => "unknown",
            Verdict::Failed(_) => "failed",
        })
    }
}

impl Verdict {
    /// Why there is no answer.
    pub(crate) fn reason(&self) -> Option<&str> {
        match self {
            Verdict::Safe | Verdict::Unsafe => None,
            Verdict::Unknown(reason) | Verdict::Failed(reason) => Some(reason),
        }
    }

    /// What the exit code and the last line say.
    pub(crate) fn of_text(finished: &Finished) -> Verdict {
        match tool::verdict(finished) {
            tool::Verdict::Answer(Answer::Uncoverable) => Verdict::Safe,
            tool::Verdict::Answer(Answer::Coverable) => Verdict::Unsafe,
            tool::Verdict::Unknown(reason) => Verdict::Unknown(reason),
            tool::Verdict::Failed(message) => Verdict::Failed(message),
        }
    }

    /// What the exit code and the document say. They have to agree.
    fn of_json(finished: &Finished, document: &Value) -> Verdict {
        match (finished.exit_code, document["verdict"].as_str()) {
            (Some(0), Some("VERIFICATION SUCCESSFUL")) => Verdict::Safe,
            (Some(10), Some("VERIFICATION FAILED")) => Verdict::Unsafe,
            (Some(5), Some("VERIFICATION UNKNOWN")) => {
                Verdict::Unknown(document["reason"].as_str().unwrap_or_default().to_owned())
            }
            _ => Verdict::Failed(tool::explain(finished)),
        }
    }
}

/// Numbers of predicates, counted as in the thesis: single-thread ones include local ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Predicates {
    pub(crate) shared: u64,
    pub(crate) single_thread: u64,
    pub(crate) local: u64,
    pub(crate) inter_thread: u64,
}

impl Predicates {
    /// In the order of the thesis' columns.
    pub(crate) fn columns(self) -> [u64; 4] {
        [self.shared, self.single_thread, self.local, self.inter_thread]
    }

    fn of_json(list: &Value) -> Predicates {
        let mut counts = Predicates::default();
        for predicate in list.as_array().into_iter().flatten() {
            match predicate["class"].as_str() {
                Some("shared") => counts.shared += 1,
                Some("single-thread") => counts.single_thread += 1,
                Some("local") => {
                    counts.single_thread += 1;
                    counts.local += 1;
                }
                Some("inter-thread") => counts.inter_thread += 1,
                _ => {}
            }
        }
        counts
    }
}

/// What `--json --stats` says about a run. Numbers that are missing are 0.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Report {
    pub(crate) verdict: Verdict,
    /// Whether the answer was checked again.
    pub(crate) checked: bool,
    pub(crate) predicates: Predicates,
    pub(crate) iterations: u64,
    pub(crate) transitions: u64,
    /// Those that change passive threads, and those that need the monotone closure.
    pub(crate) passive: u64,
    pub(crate) closed: u64,
    /// Of the program, after reductions: shared and local ones.
    pub(crate) variables: [u64; 2],
    /// Of the program, after reductions.
    pub(crate) edges: u64,
    pub(crate) queries: u64,
    /// Questions to the solver that were asked before.
    pub(crate) remembered: u64,
    pub(crate) times: Times,
    /// Megabytes of 2^20 bytes.
    pub(crate) memory: f64,
}

/// Seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Times {
    pub(crate) abstracting: f64,
    /// Coverability.
    pub(crate) checking: f64,
    /// Simulation of abstract runs, and new predicates.
    pub(crate) refining: f64,
    /// Of the whole process, seen from outside.
    pub(crate) total: f64,
}

impl Report {
    fn of(finished: &Finished) -> Report {
        let document: Value = serde_json::from_str(&finished.stdout).unwrap_or_default();
        let statistics = &document["statistics"];
        let number = |name: &str| statistics[name].as_u64().unwrap_or(0);
        let time = |name: &str| statistics["times"][name].as_f64().unwrap_or(0.0);
        Report {
            verdict: Verdict::of_json(finished, &document),
            checked: document["checked_again"].is_string(),
            predicates: Predicates::of_json(&document["predicates"]),
            iterations: number("iterations"),
            transitions: number("transitions"),
            passive: number("passive_transitions"),
            closed: number("closed_transitions"),
            variables: ["shared_variables", "local_variables"].map(number),
            edges: statistics["after_reductions"]["edges"].as_u64().unwrap_or(0),
            queries: number("solver_queries"),
            remembered: number("remembered_queries"),
            times: Times {
                abstracting: time("abstracting"),
                checking: time("coverability"),
                refining: time("simulating") + time("refining"),
                total: finished.wall.as_secs_f64(),
            },
            memory: number("peak_memory") as f64 / f64::from(1 << 20),
        }
    }
}

/// Runs `monabs` on a file and reads its numbers.
pub(crate) fn measure(monabs: &Tool, options: &[OsString], file: &Path, limit: Duration) -> Result<Report> {
    let mut arguments: Vec<OsString> = ["--json", "--stats", "--check"].map(OsString::from).to_vec();
    arguments.push(tool::timeout(limit));
    arguments.extend_from_slice(options);
    arguments.push(file.into());
    Ok(Report::of(&monabs.call(&arguments, limit)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finished(exit_code: i32, stdout: &str) -> Finished {
        Finished {
            exit_code: Some(exit_code),
            killed: false,
            stdout: stdout.to_owned(),
            stderr: "error: bad\n".to_owned(),
            wall: Duration::from_secs(2),
            cpu: Duration::ZERO,
        }
    }

    #[test]
    fn a_report_is_read() {
        let text = r#"{"verdict":"VERIFICATION SUCCESSFUL","checked_again":"a proof","predicates":[{"class":"shared"},
            {"class":"local"},{"class":"single-thread"},{"class":"inter-thread"}],"statistics":{"iterations":3,"transitions":104,
            "passive_transitions":5,"closed_transitions":4,"shared_variables":2,"local_variables":1,"after_reductions":{"edges":12},"solver_queries":7,"remembered_queries":9,"peak_memory":2097152,
            "times":{"abstracting":0.5,"coverability":0.25,"simulating":0.125,"refining":0.125}}}"#;
        let report = Report::of(&finished(0, text));
        assert_eq!((report.verdict, report.checked), (Verdict::Safe, true));
        assert_eq!(report.predicates.columns(), [1, 2, 1, 1]);
        assert_eq!((report.iterations, report.transitions, report.edges), (3, 104, 12));
        assert_eq!((report.passive, report.closed, report.variables), (5, 4, [2, 1]));
        assert_eq!((report.queries, report.remembered, report.memory), (7, 9, 2.0));
        let times = Times { abstracting: 0.5, checking: 0.25, refining: 0.25, total: 2.0 };
        assert_eq!(report.times, times);
    }

    #[test]
    fn exit_code_and_document_have_to_agree() {
        let of = |code, text| Report::of(&finished(code, text)).verdict;
        assert_eq!(of(10, r#"{"verdict":"VERIFICATION FAILED"}"#), Verdict::Unsafe);
        let unknown = of(5, r#"{"verdict":"VERIFICATION UNKNOWN","reason":"time"}"#);
        assert_eq!((unknown.reason(), unknown.to_string()), (Some("time"), "unknown".to_owned()));
        for (code, text) in [(0, r#"{"verdict":"VERIFICATION FAILED"}"#), (2, ""), (6, "{"), (0, "[]")] {
            assert_eq!(of(code, text), Verdict::Failed(format!("exit {code}: error: bad")));
        }
    }

    #[test]
    fn text_is_read_too() {
        assert_eq!(Verdict::of_text(&finished(0, "true\nVERIFICATION SUCCESSFUL\n")), Verdict::Safe);
        assert_eq!(Verdict::of_text(&finished(10, "VERIFICATION FAILED\n")), Verdict::Unsafe);
        assert_eq!(Verdict::of_text(&finished(1, "")), Verdict::Failed("exit 1: error: bad".to_owned()));
    }
}
