//! `--check`: the answer made sure of once more, from the text of the files that say it.
//!
//! What users would do with the files: print the proof, read it again, judge it. Or print the run, read it,
//! make all its steps again. The code that judges shares nothing with the code that searches.

use super::proof;
use console::{Failure, Result};
use monabs::verify::Evidence;
use monabs::{Options, Outcome, Verdict};
use report::{Answer, Job};

/// Says what was checked; nothing if there is no answer.
pub(super) fn check(
    job: &Job<'_>,
    options: &Options,
    outcome: &Outcome,
    answer: &Answer<'_>,
) -> Result<Option<String>> {
    match &outcome.verdict {
        Verdict::Safe(_) => {
            let text = proof::document(job, outcome, answer)?;
            let text = text.ok_or_else(|| Failure::Internal("there is no proof to check".to_owned()))?;
            proof::check_again(
                job,
                &text,
                Some(&options.solver).filter(|solver| **solver != smt::SolverChoice::default()),
            )
            .map(Some)
        }
        Verdict::Unsafe(_) => answer.check_run(&job.loaded.name).map(Some),
        Verdict::Unknown(_) => Ok(None),
    }
}

/// The text of the last abstraction, if there is one that says the same as the verdict.
pub(super) fn emdr(job: &Job<'_>, outcome: &Outcome) -> Result<Option<String>> {
    let is_older = matches!(
        outcome.verdict,
        Verdict::Safe(
            Evidence::Exhausted(_) | Evidence::Orders(_) | Evidence::Bounded(_) | Evidence::Tree(_)
        )
    );
    let Some(abstraction) = outcome.abstraction.as_ref().filter(|_| !is_older) else { return Ok(None) };
    monabs::emit::emdr(&job.loaded.program, abstraction, &outcome.store, &outcome.chosen)
        .map(Some)
        .map_err(|error| Failure::Internal(error.to_string()))
}
