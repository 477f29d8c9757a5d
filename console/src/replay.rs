//! `--replay`: runs from a file, made again step by step, and what they violate.

use crate::failure::Result;
use crate::input::read_text;
use crate::plural;
use crate::runs::{self, Recorded};
use crate::verdict::{Finding, Verdict, judge};
use frontend::preprocess::display_name;
use frontend::program::Program;
use serde_json::{Value as Json, json};
use std::path::Path;

/// What is known after some runs.
#[derive(Debug)]
pub struct Answer<'a> {
    /// What they mean.
    pub verdict: Verdict,
    /// Lines for people: what was looked at.
    pub text: String,
    /// What was violated; runs that are shown as text say it themselves.
    pub violated: String,
    /// The same for programs.
    pub json: Json,
    /// The runs.
    pub recorded: Vec<Recorded<'a>>,
}

/// Replays the runs of a file.
pub fn replay<'a>(program: &'a Program, path: &Path) -> Result<Answer<'a>> {
    let runs = runs::read(&display_name(path), &read_text(path)?, program)?;
    let json = json!({ "mode": "replay", "runs": runs.len() });
    let mut recorded = Vec::new();
    for (number, (goal, run)) in runs.into_iter().enumerate() {
        match Recorded::new(program, goal, run) {
            Ok(run) => recorded.push(run),
            Err(error) => {
                let advice = "was it written for this file, with the same options?";
                let verdict = Verdict::Rejected(format!("run {}: {error}; {advice}", number + 1));
                return Ok(Answer { verdict, text: String::new(), violated: String::new(), json, recorded });
            }
        }
    }
    let findings = findings(program, &recorded);
    let text = format!("{} replayed\n", plural(recorded.len(), "run"));
    let violated = findings.iter().map(|finding| finding.text(program)).collect();
    let verdict = judge(&findings, Some("no violation in these runs".to_owned()));
    Ok(Answer { verdict, text, violated, json, recorded })
}

/// What all these runs violate.
pub fn findings<'a>(program: &'a Program, recorded: &[Recorded<'a>]) -> Vec<Finding<'a>> {
    recorded.iter().flat_map(|run| Finding::all_of(program, run)).collect()
}
