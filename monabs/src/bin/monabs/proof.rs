//! `--proof FILE` and `monabs check FILE`: why a program is safe, as one file, and whether that is true.

use super::args::CheckArgs;
use super::{TOOL, reasons};
use certify::Document;
use certify::text::{self, Unread};
use console::args::InputArgs;
use console::input::{Loaded, Stage, read_text};
use console::report::Report;
use console::verdict::Verdict::Unknown;
use console::{Console, Failure, Result, assumptions, exit};
use engine::limits::Limits;
use frontend::preprocess::display_name;
use monabs::certificate::certificate;
use monabs::{Outcome, Verdict};
use report::proof::changed;
use report::specification::Specification;
use report::{Answer, Job, assumed};
use smt::{Config, SolverChoice};
use std::sync::atomic::AtomicBool;

/// The text of the proof, if the program is safe.
pub(super) fn document(job: &Job<'_>, outcome: &Outcome, answer: &Answer<'_>) -> Result<Option<String>> {
    let Verdict::Safe(evidence) = &outcome.verdict else { return Ok(None) };
    let Some(certificate) = certificate(evidence, outcome.certified.as_deref()) else { return Ok(None) };
    let document = Document { head: report::proof::head(job, answer), certificate };
    text::write(&document, &job.loaded.program).map(Some).map_err(Failure::Internal)
}

/// Reads a proof from its text, and judges it: `--check`. Says what was checked.
pub(super) fn check_again(job: &Job<'_>, text: &str, solver: Option<&SolverChoice>) -> Result<String> {
    let program = &job.loaded.program;
    let wrong = |why: String| Failure::Internal(format!("the judge refuses the proof that was found: {why}"));
    let document = text::read(text, program).map_err(|why| wrong(why.to_string()))?;
    let accepted = certify::check::check(&document, program, solver, &Config::default());
    accepted
        .map(|accepted| format!("{}, read from text", accepted.text))
        .map_err(|why| wrong(why.to_string()))
}

/// `monabs check`.
pub(super) fn check(mut args: CheckArgs, console: Console) -> Result {
    let solver = args.solver.take();
    smt::create(&solver.clone().unwrap_or_default(), &Config::default())
        .map_err(|error| Failure::Usage(error.to_string()))?;
    let content = read_text(&args.proof)?;
    let specification = args.spec.as_deref().map(Specification::read).transpose()?;
    if let Some(specification) = &specification {
        specification.apply(&mut args.input);
    }
    let source = display_name(args.input.path()).to_string();
    let mut report = Report::new(&TOOL, console, &source, false);
    let (deadline, limits) = report::limits::start(&args.limits, None, report.clone(), console);
    deadline.progress().show(|| format!("reading and translating {source}"));
    let stage = Stage::Reduced(frontend::reduce::Options::default());
    let loaded = Loaded::load(&args.input, &stage, console, |program| {
        if let Some(specification) = &specification {
            specification.select(program, &args.input.properties);
        }
        Ok(())
    })?;
    let name = display_name(&args.proof);
    deadline.progress().show(|| format!("checking {name}"));
    let document = match text::read(&content, &loaded.program) {
        Ok(document) => document,
        Err(Unread::Malformed(message)) => return Err(Failure::about_file(&*name, message)),
        Err(ref other @ Unread::OtherProgram { ref head }) => {
            let note = changed(head, &args.input).map(|words| format!("note: {words}\n"));
            deadline.claim();
            console::console::print(&format!("{}PROOF REJECTED: {other}\n", note.unwrap_or_default()))?;
            return Ok(exit::REJECTED);
        }
    };
    // The program is the same, and the proof may hold for it; but it is not the source that the file names.
    if let Some(words) = changed(&document.head, &args.input) {
        deadline.claim();
        console::console::print(&format!(
            "PROOF REJECTED: {words}, though not the program that it is translated to\n"
        ))?;
        return Ok(exit::REJECTED);
    }
    let judged = limits.watched(&AtomicBool::new(false), |interrupt| {
        let config = Config { interrupt: interrupt.clone(), ..Config::default() };
        certify::check::check(&document, &loaded.program, solver.as_ref(), &config)
    });
    let (line, status) = match judged {
        Ok(accepted) => {
            let assumed: String = assumed(&document, &loaded, &args.input, accepted.bound)
                .into_iter()
                .map(|line| format!("assuming: {line}\n"))
                .collect();
            let kind = document.certificate.kind();
            (format!("{kind}: {}\n{assumed}PROOF ACCEPTED\n", accepted.text), exit::SUCCESSFUL)
        }
        Err(open) if open.is_open() || limits.check().is_err() => {
            let limit = limits.check().err().map(|limit| limit.to_string());
            let asked = solver.as_ref().map(|solver| format!(" (--solver {solver})")).unwrap_or_default();
            report.verdict = Some(Unknown(limit.unwrap_or_else(|| format!("{open}{asked}"))));
            deadline.claim();
            return report.print();
        }
        Err(rejected) => (format!("PROOF REJECTED: {rejected}\n"), exit::REJECTED),
    };
    deadline.claim();
    console::console::print(&line)?;
    Ok(status)
}

/// What the file says that is assumed, and what the program and the judge say, whether the file does or not.
fn assumed(document: &Document, loaded: &Loaded, input: &InputArgs, bound: Option<u128>) -> Vec<String> {
    let mut lines = document.head.assumptions.clone();
    let known = assumed::by_proof_of(loaded, input, &Limits::none());
    let known = assumptions::lines(&loaded.program, &known);
    let bound = bound.map(reasons::live_threads);
    for line in known.into_iter().chain(bound) {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}
