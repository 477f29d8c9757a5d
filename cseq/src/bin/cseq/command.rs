//! `cseq FILE`: ask about the bounds, check the answer, print it.

use super::args::{BoundArgs, Format, MainArgs};
use super::{TOOL, words};
use console::outputs::Output;
use console::report::Report;
use console::usage::conflict;
use console::{Console, Failure, Result};
use cseq::{Explored, Level, Options, Outcome, Verdict, formulas, verify};
use engine::unwind::loops::loops;
use frontend::program::{Assumption, Note, Position, Program};
use report::answer::{Answer, Found};
use report::outputs::{why_not, write_or_note};
use report::{Job, Task, assumed, task};
use smt::blast::Blaster;
use smt::smtlib::Script;
use smt::{Config, Interrupt};
use std::cell::Cell;
use std::sync::atomic::AtomicBool;

/// Runs the command.
pub(super) fn run(mut args: MainArgs, console: Console) -> Result {
    if let Err(message) = args.bounds.schedule() {
        return conflict(message);
    }
    if let Some(solver) = &args.bounds.solver {
        // A solver that is not installed is better found out now.
        smt::create(solver, &Config::default()).map_err(|error| Failure::Usage(error.to_string()))?;
    }
    let mut common = std::mem::take(&mut args.task);
    // The loops that can be unrolled are those of the program after reductions.
    let show_loops = std::mem::take(&mut common.input.properties.show_loops);
    let bounds = &args.bounds;
    report::usage::check_paths(&common, &[], &[("--proof", bounds.proof.as_deref())])?;
    let proof = bounds.proof.as_deref().map(Output::open).transpose()?;
    Task::default().run(
        &TOOL,
        common,
        console,
        |_| Ok(()),
        |job, report, watch| {
            if show_loops {
                watch.deadline.claim();
                report.text = words::loops_text(&job.loaded.program);
                report.field("loops", || words::loops_json(&job.loaded.program));
                return Ok(());
            }
            let options = options(bounds, &job.loaded.program)?;
            match bounds.emit {
                Some(format) => {
                    watch.deadline.claim();
                    report.text = emit(&job.loaded.program, &options, format)?;
                    Ok(())
                }
                None => work(&options, job, report, watch, proof),
            }
        },
    )
}

fn options(args: &BoundArgs, program: &Program) -> Result<Options> {
    let default = Options::default();
    let known = loops(program);
    let mut of_loops = Vec::new();
    for (name, rounds) in &args.unwindset {
        let found = known.iter().find(|found| found.name == name.replace(".loop.", "."));
        let Some(found) = found else {
            return Err(Failure::Usage(format!("there is no loop {name}; --show-loops lists them")));
        };
        of_loops.push((found.head, *rounds));
    }
    let nodes = if args.unwind.is_some() { 10 * default.nodes } else { default.nodes };
    Ok(Options {
        solver: args.solver.clone().unwrap_or(default.solver),
        unwind: args.unwind,
        of_loops,
        rounds: args.rounds.map(usize::from),
        threads: args.threads.map_or(default.threads, usize::from),
        nodes: args.max_nodes.unwrap_or(nodes),
        schedule: args.schedule().map_err(Failure::Conflict)?,
        assume: args.unwinding_assume,
    })
}

/// `--emit`: the formula as text.
fn emit(program: &Program, options: &Options, format: Format) -> Result<String> {
    let formulas = formulas(program, options);
    match format {
        Format::Smt2 => Ok(format!("(set-logic QF_ABV)\n{}", Script::new(formulas))),
        Format::Dimacs => {
            let internal = |error: smt::SolverError| Failure::Internal(error.to_string());
            let mut blaster = Blaster::new();
            formulas.into_iter().try_for_each(|formula| blaster.assert(formula)).map_err(internal)?;
            let mut text = Vec::new();
            blaster.write_dimacs(&mut text).map_err(|error| Failure::Internal(error.to_string()))?;
            Ok(String::from_utf8_lossy(&text).into_owned())
        }
    }
}

fn work(
    options: &Options,
    job: &Job<'_>,
    report: &mut Report,
    task: task::Watch<'_>,
    proof: Option<Output>,
) -> Result<()> {
    let program = &job.loaded.program;
    let over = AtomicBool::new(false);
    let doing: Cell<Option<Explored>> = Cell::new(None);
    let outcome = task.limits.watched(&over, |interrupt| {
        search(program, options, interrupt, &mut |nodes, explored| {
            doing.set(Some(explored));
            task.deadline.progress().show(|| words::progress(nodes, explored));
        })
    });
    let outcome = outcome.map_err(|error| Failure::Internal(error.to_string()))?;
    let limit = task.limits.check().err();
    let found = match &outcome.verdict {
        Verdict::Bug(bug) => Found::Unsafe(bug.clone()),
        Verdict::Safe(explored) => {
            let mut assumed = assumed::by_proof(job, &task.limits);
            if options.assume {
                let message = words::assumption(options, *explored);
                assumed.push(Note::assumption(Assumption::ThreadBound, Position::NONE, message));
            }
            Found::Safe { proof: words::proof(*explored), assumed }
        }
        Verdict::Unknown(why) => words::unknown(program, why, &outcome, doing.get(), limit),
    };
    let mut answer = Answer::new(job, found)?;
    answer.why = words::why(&outcome);
    let checked = if job.args.evidence.check { check(job, options, &outcome, &answer)? } else { None };
    task.deadline.claim();
    answer.fill(job, report, checked.as_deref());
    report.field("bounds", || outcome.levels.iter().map(words::level_json).collect());
    if job.args.output.stats {
        report.statistics = words::statistics(job.loaded, &outcome, task.limits.elapsed());
    }
    if let Some(output) = proof {
        let text = match outcome.verdict {
            Verdict::Safe(explored) => {
                Some(report::proof::text(job, &answer, &certificate(options, explored)))
            }
            _ => None,
        };
        write_or_note(output, text, "proof", why_not(&answer), job.console)?;
    }
    let details = || words::details(job.loaded, &outcome, task.limits.elapsed());
    task.outputs.write(job, &answer, details, |_| Ok(Vec::new()))
}

/// The bounds, for the judge, who has the same one for all loops.
fn certificate(options: &Options, explored: Explored) -> String {
    let of_loops = options.of_loops.iter().map(|(_, rounds)| *rounds).max();
    let unwind = of_loops.map_or(explored.unwind, |rounds| rounds.max(explored.unwind));
    Explored { unwind, ..explored }.certificate()
}

fn search(
    program: &Program,
    options: &Options,
    interrupt: &Interrupt,
    watch: &mut dyn FnMut(usize, Explored),
) -> std::result::Result<Outcome, smt::SolverError> {
    let config = Config { interrupt: interrupt.clone(), ..Config::default() };
    verify(program, options, &config, &mut |unwinding, explored| {
        watch(unwinding.nodes(), explored);
        !interrupt.is_stopped()
    })
}

/// `--check`: a run is read from its text and replayed; bounds are asked about once more, by another solver.
fn check(job: &Job<'_>, options: &Options, outcome: &Outcome, answer: &Answer<'_>) -> Result<Option<String>> {
    let explored = match outcome.verdict {
        Verdict::Bug(_) => return answer.check_run(&job.loaded.name).map(Some),
        Verdict::Safe(explored) => explored,
        Verdict::Unknown(_) => return Ok(None),
    };
    let solver = match &options.solver {
        smt::SolverChoice::Z3 => Options::default().solver,
        _ => smt::SolverChoice::Z3,
    };
    let (unwind, rounds) = (Some(explored.unwind), Some(explored.rounds));
    let options = Options { solver, unwind, rounds, ..options.clone() };
    let found = verify(&job.loaded.program, &options, &Config::default(), &mut |_, _| true);
    let found = found.map_err(|error| Failure::Internal(error.to_string()))?;
    match (&found.verdict, found.levels.last()) {
        (Verdict::Safe(_), _) => {
            Ok(Some(format!("all schedules, asked about once more by {}", options.solver)))
        }
        (Verdict::Unknown(_), Some(Level { answered: cseq::Answered::Open(_), .. })) => Ok(None),
        _ => Err(Failure::Internal("the bounds do not have all schedules".to_owned())),
    }
}
