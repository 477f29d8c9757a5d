//! `monabs FILE`: translate, verify, check the answer, write it.
//!
//! No answer leaves here that was not checked: the library verifies each proof and replays each run; `--check` does it again, from text.

use super::answer::Answer;
use super::args::MainArgs;
use super::outputs::Outputs;
use super::predicates::Predicates;
use super::specification::Specification;
use super::watch::Watch;
use super::{TOOL, check, json, limits, statistics, usage};
use console::deadline::Deadline;
use console::input::{Loaded, Stage};
use console::report::Report;
use console::{Console, Failure, Result, assumptions, listing, notes, runs};
use frontend::preprocess::display_name;
use frontend::program::PropertyKind;
use monabs::limits::Limits;
use monabs::{Options, Outcome, verify};
use std::time::{Duration, Instant};

/// Runs the command.
pub(super) fn run(mut args: MainArgs, console: Console) -> Result {
    usage::check(&args)?;
    let specification = args.question.spec.as_deref().map(Specification::read).transpose()?;
    if let Some(specification) = &specification {
        specification.apply(&mut args.input);
    }
    let mut report = Report::new(&TOOL, console, &display_name(args.input.path()), args.output.json);
    let unknown = Report { result: answer_line(specification.as_ref(), None, None), ..report.clone() };
    let (deadline, limits) = limits::start(&args.limits, unknown, console);
    let solver = args.search.solver.clone().unwrap_or_default();
    // A solver that is not installed is better found out now.
    smt::create(&solver, &smt::Config::default()).map_err(|error| Failure::Usage(error.to_string()))?;
    let outputs = Outputs::open(&args)?;
    deadline.note_created(outputs.created());
    let loaded = load(&args, specification.as_ref(), console)?;
    let properties = &args.input.properties;
    if properties.show_properties || properties.show_loops {
        deadline.claim();
        list(&mut report, &loaded, properties.show_loops);
    } else if let Some(path) = &args.question.replay {
        let answer = console::replay::replay(&loaded.program, path)?;
        deadline.claim();
        let shown = if args.evidence.no_trace { answer.violated } else { runs::text(&answer.recorded) };
        report.text.push_str(&shown);
        report.text.push_str(&answer.text);
        report.field("runs", || runs::list(&answer.recorded));
        report.verdict = Some(answer.verdict);
    } else {
        console.remarks(notes::nothing_to_check(&loaded).as_slice());
        let job = Job { args: &args, loaded: &loaded, specification: specification.as_ref(), console };
        job.run(&mut report, &deadline, limits, outputs)?;
    }
    // The process ends here; to free large programs piece by piece would only take time.
    std::mem::forget(loaded);
    report.print()
}

/// The answer in the words of SV-COMP.
fn answer_line(
    specification: Option<&Specification>,
    safe: Option<bool>,
    violated: Option<PropertyKind>,
) -> String {
    specification.map_or_else(String::new, |given| format!("{}\n", given.answer(safe, violated)))
}

fn load(args: &MainArgs, specification: Option<&Specification>, console: Console) -> Result<Loaded> {
    let predicates = args.search.predicates.as_deref().map(Predicates::read).transpose()?;
    let stage = Stage::Reduced(frontend::reduce::Options::default());
    let mut given = 0;
    let loaded = Loaded::load(&args.input, &stage, console, |program| {
        if let Some(specification) = specification {
            specification.select(program, &args.input.properties);
        }
        if let Some(predicates) = &predicates {
            predicates.add_to(program)?;
        }
        given = program.predicates.len();
        Ok(())
    })?;
    console.remarks(&notes::inexact(&loaded));
    let left = loaded.program.predicates.len();
    if left < given {
        console.note(&format!(
            "note: {left} of {given} given predicates are left: no property depends on the variables of the others"
        ));
    }
    Ok(loaded)
}

/// `--show-properties`, `--show-loops`.
fn list(report: &mut Report, loaded: &Loaded, loops: bool) {
    let program = &loaded.program;
    if loops {
        report.text = listing::loops_text(program);
        report.field("loops", || listing::loops_json(program));
    } else {
        report.text = listing::properties_text(program);
        report.field("properties", || listing::properties_json(program));
    }
}

/// Everything that the verification of one program depends on.
pub(super) struct Job<'a> {
    pub(super) args: &'a MainArgs,
    pub(super) loaded: &'a Loaded,
    pub(super) specification: Option<&'a Specification>,
    pub(super) console: Console,
}

impl Job<'_> {
    fn run(&self, report: &mut Report, deadline: &Deadline, limits: Limits, outputs: Outputs) -> Result<()> {
        let options = self.options(limits);
        let program = &self.loaded.program;
        let mut watch = Watch::new(program, deadline, self.args.evidence.dump.as_deref());
        let outcome =
            verify(program, &options, &mut watch).map_err(|stop| Failure::Internal(stop.to_string()))?;
        watch.finish()?;
        let answer = Answer::new(self, &options, &outcome)?;
        let start = Instant::now();
        let checked = if self.args.evidence.check { check::check(self, &outcome, &answer)? } else { None };
        let check_time = self.args.evidence.check.then(|| start.elapsed());
        deadline.claim();
        self.fill(report, &outcome, &answer, checked.as_deref(), (check_time, options.limits.elapsed()));
        outputs.write(self, &outcome, &answer).inspect_err(|_| {
            let verdict = answer.verdict.line();
            self.console.note(&format!("the answer is {verdict}, but it cannot be written as asked"));
        })?;
        // See above.
        std::mem::forget(outcome);
        Ok(())
    }

    fn options(&self, limits: Limits) -> Options {
        let (search, default) = (&self.args.search, Options::default());
        let bound = self.args.question.max_threads;
        Options {
            solver: search.solver.clone().unwrap_or_default(),
            abstractor: search.method(),
            limits,
            iterations: search.iterations.unwrap_or(default.iterations),
            max_transitions: search.max_transitions.unwrap_or(default.max_transitions),
            // The search would have answers without an abstraction.
            search: !search.no_search
                && (!self.args.evidence.needs_abstraction() || search.search_threads.is_some()),
            search_threads: bound.or(search.search_threads).map_or(default.search_threads, usize::from),
            max_live_threads: self.args.question.max_live_threads,
            prove: bound.is_none(),
            ..default
        }
    }

    fn fill(
        &self,
        report: &mut Report,
        outcome: &Outcome,
        answer: &Answer<'_>,
        checked: Option<&str>,
        (check_time, total): (Option<Duration>, Duration),
    ) {
        report.text = answer.text(!self.args.evidence.no_trace);
        if let Some(checked) = checked {
            report.text.push_str(&format!("checked again: {checked}\n"));
        }
        report.result = assumptions::text(&self.loaded.program, &answer.assumed);
        report.result.push_str(&answer_line(
            self.specification,
            answer.is_safe(),
            answer.property.map(|p| p.kind),
        ));
        json::fill(report, self, outcome, answer, checked);
        if self.args.output.stats {
            report.statistics = statistics::text(self.loaded, &outcome.statistics, check_time, total);
            report.field("statistics", || {
                statistics::json(self.loaded, &outcome.statistics, check_time, total)
            });
        }
        report.verdict = Some(answer.verdict.clone());
    }
}
