//! `breach FILE`: read, search, check the answer, write it.
//!
//! No answer leaves here unchecked that can be checked: every run is replayed, every proof that was made is verified.

use super::console::Console;
use super::failure::{Failure, Result};
use super::guard::Guard;
use super::options::CoverArgs;
use super::outputs::{Output, Outputs};
use super::question::SystemFile;
use super::report::{Answer, ProofSize, Report, RunSize, Style};
use super::{json, usage};
use breach::check::{replay, verify_problem, write_proof, write_trace};
use breach::coverability::{Options, Outcome, Verdict, check_coverability};
use breach::emdr::show_init;
use breach::input::Format;
use breach::system::Problem;
use std::path::Path;
use std::time::Instant;

/// Runs the command.
pub(super) fn run(args: &CoverArgs, console: Console) -> Result {
    usage::check_cover(args)?;
    let style = Style { console, stats: args.output.stats, json: args.output.json };
    let guard = Guard::start(&args.limits, console, style);
    let problem = read(args, &guard)?;
    let outputs = Outputs::open(&args.output)?;
    let outcome = search(args, &problem, &guard)?;
    check(&problem, &outcome, &guard)?;
    guard.claim();
    let mut report = take_report(&guard);
    if style.json {
        add_details(&mut report, &problem, &outcome);
    }
    if let Err(failure) = write_outputs(outputs, &problem, &outcome, console) {
        console.note(&format!("the answer is {}, but it cannot be written as asked", report.verdict().1));
        return Err(failure);
    }
    // The process ends here; to free large systems piece by piece would only take time.
    std::mem::forget((problem, outcome));
    report.print(&style)
}

/// Reads the question and notes it for the report.
fn read(args: &CoverArgs, guard: &Guard) -> Result<Problem> {
    // clap does not let a command line without a file pass.
    let path = args.file.as_deref().unwrap_or(Path::new("-"));
    guard.know(|known| known.report.file = super::text::name(path));
    let mut system = SystemFile::read(path, args.question.format)?;
    system.ask(&args.question)?;
    let (format, read_time, parse_time) = (system.format, system.read_time, system.parse_time);
    let problem = system.into_problem()?;
    log::info!(
        "{} shared states, {} local states, {} transitions, {} targets",
        problem.system.shared_states,
        problem.system.local_states,
        problem.system.transitions.len(),
        problem.targets.len()
    );
    guard.know(|known| {
        let report = &mut known.report;
        report.format = match format {
            Format::Emdr => "emdr",
            Format::Spec => "spec",
        };
        (report.read_time, report.parse_time) = (read_time, parse_time);
        report.init = show_init(&problem.init, |local| problem.system.show_local(local));
        report.targets = problem.targets.iter().map(|t| problem.system.show(t).to_string()).collect();
        let (shared, local) = (problem.system.shared_states.into(), problem.system.local_states.into());
        report.statistics.size = (shared, local, problem.system.transitions.len() as u64);
    });
    Ok(problem)
}

fn search(args: &CoverArgs, problem: &Problem, guard: &Guard) -> Result<Outcome> {
    let options = Options {
        proof: args.output.needs_proof(),
        graph: args.output.write_graph.is_some(),
        tree: args.output.write_tree.is_some(),
        limits: guard.limits(),
        progress: Some(guard.on_progress()),
        ..args.search.options()
    };
    log::info!("searching, {:?}, {} threads", options.algorithm, options.threads);
    let outcome = check_coverability(problem, &options)?;
    guard.know(|known| known.report.statistics = outcome.statistics.clone());
    Ok(outcome)
}

/// Checks the answer with independent code and notes it for the report.
fn check(problem: &Problem, outcome: &Outcome, guard: &Guard) -> Result<()> {
    let start = Instant::now();
    let answer = match &outcome.verdict {
        Verdict::Coverable(trace) => {
            log::info!("replaying {} steps", trace.steps.len());
            replay(&problem.system, &problem.init, &problem.targets, trace)
                .map_err(|error| Failure::Internal(format!("the run that was found is none: {error}")))?;
            Answer::Coverable(RunSize::of(&problem.system, trace))
        }
        Verdict::Uncoverable(Some(proof)) => {
            log::info!("verifying {} elements", proof.elements.len());
            verify_problem(problem, proof)
                .map_err(|flaw| Failure::Internal(format!("the proof that was found is none: {flaw}")))?;
            Answer::Uncoverable(Some(ProofSize::of(proof)))
        }
        Verdict::Uncoverable(None) => Answer::Uncoverable(None),
        Verdict::Unknown(reason) => Answer::Unknown(reason.to_string()),
    };
    guard.know(|known| {
        known.report.check_time = start.elapsed();
        known.report.total_time = guard.elapsed();
        known.report.answer = answer;
    });
    Ok(())
}

fn take_report(guard: &Guard) -> Report {
    let mut report = Report::default();
    guard.know(|known| std::mem::swap(&mut report, &mut known.report));
    report
}

fn add_details(report: &mut Report, problem: &Problem, outcome: &Outcome) {
    match &outcome.verdict {
        Verdict::Coverable(trace) => report.trace = Some(json::trace(&problem.system, trace)),
        Verdict::Uncoverable(proof) => {
            report.proof = proof.as_ref().map(|proof| json::proof(&problem.system, proof));
        }
        Verdict::Unknown(_) => {}
    }
}

/// Writes the files. A trace or proof that does not exist is no error, but it is said.
fn write_outputs(outputs: Outputs, problem: &Problem, outcome: &Outcome, console: Console) -> Result<()> {
    let system = &problem.system;
    let (trace, proof, why) = match &outcome.verdict {
        Verdict::Coverable(trace) => (Some(write_trace(system, trace)), None, "the target is coverable"),
        Verdict::Uncoverable(proof) => {
            (None, proof.as_ref().map(|proof| write_proof(system, proof)), "no target is coverable")
        }
        Verdict::Unknown(_) => (None, None, "there is no answer"),
    };
    write_or_note(outputs.graph, outcome.graph.as_deref(), "graph", why, console)?;
    write_or_note(outputs.tree, outcome.tree.as_deref(), "tree", why, console)?;
    if let Some(output) = outputs.curve {
        output.write(&curve(outcome))?;
    }
    write_or_note(outputs.trace, trace.as_deref(), "trace", why, console)?;
    write_or_note(outputs.proof, proof.as_deref(), "proof", why, console)
}

/// The sizes of the backward search as a table.
fn curve(outcome: &Outcome) -> String {
    let rows = outcome.curve.iter().map(|(iteration, states)| format!("{iteration},{states}\n"));
    std::iter::once("iteration,states\n".to_owned()).chain(rows).collect()
}

fn write_or_note(
    output: Option<Output>,
    text: Option<&str>,
    what: &str,
    why: &str,
    console: Console,
) -> Result<()> {
    match (output, text) {
        (Some(output), Some(text)) => output.write(text),
        (Some(output), None) => {
            console.note(&format!("no {what} is written to {}: {why}", output.name()));
            Ok(())
        }
        (None, _) => Ok(()),
    }
}
