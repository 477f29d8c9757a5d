//! `monabs FILE`: verify, check the answer, write it.
//!
//! No answer leaves here that was not checked: the library verifies each proof and replays each run; `--check` does it again, from text.

use super::args::MainArgs;
use super::outputs::Outputs;
use super::predicates::Predicates;
use super::reasons::{self, Explanation};
use super::watch::Watch;
use super::{TOOL, check, details, evidence, json, statistics, usage};
use console::report::Report;
use console::{Console, Failure, Result};
use frontend::program::{Assumption, Note, Position, Program};
use monabs::limits::Limits;
use monabs::{Options, Outcome, Verdict, verify};
use report::answer::{Answer, Found};
use report::{Job, Task, assumed, task};
use std::cell::Cell;
use std::time::Instant;

/// Runs the command.
pub(super) fn run(mut args: MainArgs, console: Console) -> Result {
    usage::check(&args)?;
    let solver = args.search.solver.clone().unwrap_or_default();
    // A solver that is not installed is better found out now.
    smt::create(&solver, &smt::Config::default()).map_err(|error| Failure::Usage(error.to_string()))?;
    let predicates = args.search.predicates.as_deref().map(Predicates::read).transpose()?;
    let outputs = Outputs::open(&args)?;
    let task = Task { cores: args.search.threads };
    let common = std::mem::take(&mut args.task);
    let given = Cell::new(0);
    let prepare = |program: &mut Program| {
        predicates.as_ref().map_or(Ok(()), |predicates| predicates.add_to(program))?;
        given.set(program.predicates.len());
        Ok(())
    };
    task.run(&TOOL, common, console, prepare, |job, report, watch| {
        let (left, given) = (job.loaded.program.predicates.len(), given.get());
        if left < given {
            console.note(&format!(
                "note: {left} of {given} given predicates are left: no property depends on the variables of the others"
            ));
        }
        work(&args, job, report, watch, outputs)
    })
}

fn work(
    args: &MainArgs,
    job: &Job<'_>,
    report: &mut Report,
    task: task::Watch<'_>,
    outputs: Outputs,
) -> Result<()> {
    let mut options = options(args, task.limits);
    options.certify |= job.args.evidence.check;
    let program = &job.loaded.program;
    let mut watch = Watch::new(program, task.deadline, args.evidence.dump.as_deref());
    let outcome =
        verify(program, &options, &mut watch).map_err(|stop| Failure::Internal(stop.to_string()))?;
    let rounds = watch.finish()?;
    let mut answer = Answer::new(job, found(job, &options, &outcome))?;
    answer.why = evidence::why(program, &options, &outcome);
    let start = Instant::now();
    let is_checked = job.args.evidence.check;
    let checked = if is_checked { check::check(job, &options, &outcome, &answer)? } else { None };
    let check_time = is_checked.then(|| start.elapsed());
    task.deadline.claim();
    answer.fill(job, report, checked.as_deref());
    json::fill(report, program, &outcome);
    if job.args.output.stats {
        let total = options.limits.elapsed();
        report.statistics = statistics::text(job.loaded, &outcome.statistics, check_time, total);
        report.field("statistics", || statistics::json(job.loaded, &outcome.statistics, check_time, total));
    }
    let details = || details::details(job, &outcome, &rounds, check_time, options.limits.elapsed());
    let claims = impara::observed::claims;
    let written = outputs
        .write(job, &outcome, &answer)
        .and_then(|()| task.outputs.write(job, &answer, details, claims));
    written.inspect_err(|_| {
        let verdict = answer.verdict.line();
        job.console.note(&format!("the answer is {verdict}, but it cannot be written as asked"));
    })?;
    // The process ends soon; to free it piece by piece would only take time.
    std::mem::forget(outcome);
    Ok(())
}

fn options(args: &MainArgs, limits: Limits) -> Options {
    let (search, default) = (&args.search, Options::default());
    let bound = args.question.max_threads;
    Options {
        solver: search.solver.clone().unwrap_or_default(),
        abstractor: search.method(),
        limits,
        iterations: search.iterations.unwrap_or(default.iterations),
        max_transitions: search.max_transitions.unwrap_or(default.max_transitions),
        engines: search.engines(bound.is_some(), args.evidence.needs_abstraction()),
        search_threads: bound.or(search.search_threads).map_or(default.search_threads, usize::from),
        max_live_threads: args.question.max_live_threads,
        few_threads: bound.is_some(),
        certify: args.evidence.proof.is_some(),
        ..default
    }
}

/// What the library found, in words.
fn found(job: &Job<'_>, options: &Options, outcome: &Outcome) -> Found {
    let program = &job.loaded.program;
    match &outcome.verdict {
        Verdict::Safe(why) => {
            let mut assumed = assumed::by_proof(job, &options.limits);
            if let Some(bound) = outcome.live_threads {
                let message = reasons::live_threads(bound);
                assumed.push(Note::assumption(Assumption::ThreadBound, Position::NONE, message));
            }
            Found::Safe { proof: evidence::proof(program, outcome, why), assumed }
        }
        Verdict::Unsafe(bug) => Found::Unsafe(bug.clone()),
        Verdict::Unknown(reason) => {
            let Explanation { reason, advice } = Explanation::new(program, options, reason, outcome);
            Found::Unknown { reason, advice, known: evidence::remains(program, outcome) }
        }
    }
}
