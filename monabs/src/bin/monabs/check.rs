//! `--check`: the answer made sure of once more, from the text of the files that say it.
//!
//! What users would do with the files: print the abstraction and the proof, read both again, verify. Or print the run, read it,
//! make all its steps again. The code that verifies shares nothing with the code that searches.

use breach::check::{parse_proof, verify_problem, write_proof};
use breach::diagnostics::Source;
use breach::proof::Proof;
use breach::system::Problem;
use console::plural;
use console::{Failure, Result};
use cseq::Explored;
use engine::search::Exhausted;
use frontend::program::interpret::{ExploreOptions, explore};
use monabs::verify::Evidence;
use monabs::{Outcome, Verdict};
use report::{Answer, Job};

/// Says what was checked; nothing if there is no answer.
pub(super) fn check(job: &Job<'_>, outcome: &Outcome, answer: &Answer<'_>) -> Result<Option<String>> {
    match &outcome.verdict {
        Verdict::Safe(Evidence::Proof(proof)) => check_proof(job, outcome, proof).map(Some),
        Verdict::Safe(Evidence::Exhausted(exhausted)) => check_exhausted(job, *exhausted).map(Some),
        Verdict::Safe(Evidence::Bounded(explored)) => check_bounded(job, *explored).map(Some),
        Verdict::Safe(Evidence::Tree(proof)) => check_tree(job, proof).map(Some),
        Verdict::Unsafe(_) => answer.check_run(&job.loaded.name).map(Some),
        Verdict::Unknown(_) => Ok(None),
    }
}

/// The text of the last abstraction, if there is one that says the same as the verdict.
pub(super) fn emdr(job: &Job<'_>, outcome: &Outcome) -> Result<Option<String>> {
    let is_older = matches!(
        outcome.verdict,
        Verdict::Safe(Evidence::Exhausted(_) | Evidence::Bounded(_) | Evidence::Tree(_))
    );
    let Some(abstraction) = outcome.abstraction.as_ref().filter(|_| !is_older) else { return Ok(None) };
    monabs::emit::emdr(&job.loaded.program, abstraction, &outcome.store, &outcome.chosen)
        .map(Some)
        .map_err(|error| Failure::Internal(error.to_string()))
}

fn check_proof(job: &Job<'_>, outcome: &Outcome, proof: &Proof) -> Result<String> {
    let lost = |what: &str| Failure::Internal(format!("the abstraction cannot be checked: {what}"));
    let text = emdr(job, outcome)?.ok_or_else(|| lost("there is none"))?;
    let input = breach::emdr::parse(Source { name: "abstraction", text: &text })
        .map_err(|error| lost(&error.to_string()))?;
    let init = input.init.ok_or_else(|| lost("it has no initial states"))?;
    let problem = Problem { system: input.system, init, targets: input.targets };
    let proof = write_proof(&problem.system, proof);
    let proof = parse_proof(Source { name: "proof", text: &proof }, &problem.system)
        .map_err(|error| lost(&error.to_string()))?;
    verify_problem(&problem, &proof)
        .map_err(|flaw| Failure::Internal(format!("the proof that was found is none: {flaw}")))?;
    Ok(format!(
        "an EMDR file of {} and a proof of {}, both read from text",
        plural(problem.system.transitions.len(), "transition"),
        plural(proof.elements.len() + proof.invariants.len(), "element")
    ))
}

fn check_tree(job: &Job<'_>, proof: &impara::proof::Proof) -> Result<String> {
    let program = &job.loaded.program;
    let read = impara::proof::Proof::read(&proof.write(), program)
        .map_err(|message| Failure::Internal(format!("the proof cannot be read again: {message}")))?;
    let options = impara::Options::default();
    impara::check::check(program, &read, &options.solver, &options.config)
        .map_err(|rejected| Failure::Internal(format!("the proof that was found is none: {rejected}")))?;
    Ok(format!("a tree of {}, read from text", plural(read.nodes.len(), "node")))
}

/// There is no text to read: all states are visited once more.
fn check_exhausted(job: &Job<'_>, exhausted: Exhausted) -> Result<String> {
    let Exhausted { threads, states } = exhausted;
    let mut options = ExploreOptions { forget_dead: true, ..ExploreOptions::default() };
    options.limits.states = states.saturating_add(1);
    let found = explore(&job.loaded.program, threads, &options);
    let found = found.map_err(|error| Failure::Internal(error.to_string()))?;
    if !found.complete || !found.violated.is_empty() || found.pool_emptied {
        return Err(Failure::Internal("not all states were seen, or not all are safe".to_owned()));
    }
    Ok(format!("all {} of {}, visited once more", plural(found.states, "state"), plural(threads, "thread")))
}

/// The same question once more.
fn check_bounded(job: &Job<'_>, explored: Explored) -> Result<String> {
    let options = cseq::Options {
        unwind: Some(explored.unwind),
        rounds: Some(explored.rounds),
        ..cseq::Options::default()
    };
    let found = cseq::verify(&job.loaded.program, &options, &smt::Config::default(), &mut |_, _| true);
    match found.map_err(|error| Failure::Internal(error.to_string()))?.verdict {
        cseq::Verdict::Safe(_) => {
            Ok(format!("all schedules of {}, asked about once more", plural(explored.rounds, "turn")))
        }
        _ => Err(Failure::Internal("the bounds do not have all schedules".to_owned())),
    }
}
