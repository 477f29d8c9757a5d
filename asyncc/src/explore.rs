//! `--explore`, `--random`, `--replay`: runs of a fixed number of threads.
//!
//! Every run is replayed before anything is said about it.

use super::args::{ExplorationArgs, MainArgs};
use console::deadline::{self, Deadline};
use console::plural;
use console::replay::{Answer, findings, replay};
use console::runs::Recorded;
use console::verdict::{Certainty, Finding, doubt_about_completeness, judge};
use console::{Failure, Result};
use frontend::program::Program;
use frontend::program::interpret::{
    End, Exploration, ExploreOptions, InterpreterError, Stop, explore, random,
};
use serde_json::{Value as Json, json};
use smt::Term;

/// Threads of a random run, unless the user says another number.
const THREADS: usize = 3;
/// Steps of a random run, unless the user says another number.
const STEPS: usize = 1000;

/// Looks at the runs that are asked for, if any are.
pub(super) fn run<'a>(
    program: &'a Program,
    args: &MainArgs,
    deadline: &Deadline,
) -> Result<Option<Answer<'a>>> {
    let exploration = &args.exploration;
    let threads = exploration.explore.map(usize::from);
    match (&exploration.replay, exploration.random, threads) {
        (Some(path), _, _) => replay(program, path).map(Some),
        (None, Some(seed), threads) => {
            try_one(program, threads.unwrap_or(THREADS), seed, exploration).map(Some)
        }
        (None, None, Some(threads)) => try_all(program, threads, exploration, deadline).map(Some),
        (None, None, None) => Ok(None),
    }
}

fn try_all<'a>(
    program: &'a Program,
    threads: usize,
    args: &ExplorationArgs,
    deadline: &Deadline,
) -> Result<Answer<'a>> {
    let mut options = ExploreOptions::default();
    options.limits.states = args.max_states.unwrap_or(options.limits.states);
    options.limits.time = deadline.left();
    let found = explore(program, threads, &options).map_err(internal)?;
    let threads = if program.pool.is_some() { threads } else { 1 };
    let (text, json) = describe(threads, &found);
    let otherwise = incomplete(threads, &found).or_else(|| doubt_about_completeness(program, threads));
    let mut recorded = record(program, found)?;
    let mut findings = findings(program, &recorded);
    if is_doubtful(&findings) {
        options.limits.time = deadline.left();
        let certain =
            explore(&without_approximation(program, &findings), threads, &options).map_err(internal)?;
        recorded.retain(|run| run.goal.as_ref().is_none_or(|goal| !certain.violated.contains_key(goal)));
        recorded.extend(record(program, certain)?);
        recorded.sort_by_key(|run| run.goal.as_ref().and_then(|goal| rank(program, goal)));
        findings = console::replay::findings(program, &recorded);
    }
    let violated = findings.iter().map(|finding| finding.text(program)).collect();
    Ok(Answer { verdict: judge(&findings, otherwise), text, violated, json, recorded })
}

fn describe(threads: usize, found: &Exploration) -> (String, Json) {
    let Exploration { states, steps, complete, sampled, .. } = *found;
    let (all, in_words) = (if complete { "all " } else { "" }, plural(threads, "thread"));
    let text = format!("{in_words}: {all}{}, {}\n", plural(states, "state"), plural(steps, "step"));
    let stop = found.stop.map(|stop| match stop {
        Stop::AllViolated => "all properties violated",
        Stop::Error => "an error was found",
        Stop::Interrupted => "interrupted",
        Stop::States => "states",
        Stop::Depth => "depth",
        Stop::Time => "time",
    });
    let json = json!({
        "mode": "all", "threads": threads, "states": states, "steps": steps,
        "complete": complete, "sampled": sampled, "stop": stop,
    });
    (text, json)
}

/// Why not all runs of so many threads were seen, if so.
fn incomplete(threads: usize, found: &Exploration) -> Option<String> {
    let nothing =
        format!("no violation with {} in {}", plural(threads, "thread"), plural(found.states, "state"));
    match found.stop {
        Some(Stop::States) => Some(format!("{nothing}; --max-states allows more")),
        Some(Stop::Time) => Some(deadline::REASON.to_owned()),
        Some(Stop::Depth) => Some(format!("{nothing}; longer runs were not tried")),
        Some(Stop::Interrupted) => Some("interrupted".to_owned()),
        None | Some(Stop::AllViolated | Stop::Error) => found
            .sampled
            .then(|| format!("{nothing}; only some of the values that inputs can have were tried")),
    }
}

/// Where a property stands in the program.
fn rank(program: &Program, name: &str) -> Option<usize> {
    program.properties.iter().position(|property| property.name == name)
}

/// Replays what an exploration found.
fn record(program: &Program, found: Exploration) -> Result<Vec<Recorded<'_>>> {
    let mut runs: Vec<_> = found.violated.into_iter().collect();
    runs.sort_by_key(|(name, _)| rank(program, name));
    let replayed = runs.into_iter().map(|(name, run)| Recorded::new(program, Some(name), run));
    replayed.map(|run| run.map_err(no_run)).collect()
}

/// Whether it pays to look for runs without approximation: some exist with it, and none without.
fn is_doubtful(findings: &[Finding<'_>]) -> bool {
    let is_real = |finding: &Finding<'_>| finding.certainty == Certainty::Real;
    let is_doubtful = |finding: &Finding<'_>| matches!(finding.certainty, Certainty::Doubtful(_));
    findings.iter().any(is_doubtful) && !findings.iter().any(is_real)
}

/// The program with only those steps that the source has for sure, and only the properties in doubt. Numbers stay the same, so
/// that its runs are runs of the program.
fn without_approximation(program: &Program, findings: &[Finding<'_>]) -> Program {
    let mut certain = program.clone();
    for edge in certain.edges.iter_mut().filter(|edge| edge.approximate.is_some()) {
        edge.guard = Term::fls();
    }
    let doubtful = findings.iter().filter(|finding| finding.certainty != Certainty::Limit);
    let doubtful: Vec<&str> = doubtful.map(|finding| finding.property.name.as_str()).collect();
    certain.properties.retain(|property| doubtful.contains(&property.name.as_str()));
    certain
}

fn try_one<'a>(
    program: &'a Program,
    threads: usize,
    seed: u64,
    args: &ExplorationArgs,
) -> Result<Answer<'a>> {
    let most = args.steps.map_or(STEPS, |steps| usize::try_from(steps).unwrap_or(usize::MAX));
    let found = random(program, threads, seed, most).map_err(internal)?;
    let length = found.run.steps.len();
    let end = match &found.end {
        End::Violated(_) => "violated",
        End::Stuck => "nothing can move",
        End::StepLimit => "--steps",
    };
    let json =
        json!({ "mode": "random", "threads": found.run.threads, "seed": seed, "steps": length, "end": end });
    let recorded = vec![Recorded::new(program, None, found.run).map_err(no_run)?];
    let findings = findings(program, &recorded);
    let violated = findings.iter().map(|finding| finding.text(program)).collect();
    let reason = match found.end {
        End::StepLimit => format!("no violation in the first {} of one random run", plural(length, "step")),
        End::Violated(_) | End::Stuck => {
            format!("no violation in one random run, which ended after {}", plural(length, "step"))
        }
    };
    let text = String::new();
    Ok(Answer { verdict: judge(&findings, Some(reason)), text, violated, json, recorded })
}

/// The program has been validated, and there is a thread.
fn internal(error: InterpreterError) -> Failure {
    Failure::Internal(error.to_string())
}

fn no_run(error: String) -> Failure {
    Failure::Internal(format!("the run that was found is none: {error}"))
}
