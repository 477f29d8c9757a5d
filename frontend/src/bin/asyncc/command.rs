//! `asyncc FILE`: load, then print the program, say what it is, or run it.

use super::args::{EmitArg, MainArgs};
use super::console::{Console, print};
use super::deadline::{self, Deadline};
use super::emit::emit;
use super::explore::{self, Answer};
use super::failure::{Result, exit};
use super::input::Loaded;
use super::outputs::Output;
use super::report::Report;
use super::verdict::Verdict;
use super::{notes, runs, statistics, summary, usage};
use frontend::preprocess::display_name;
use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

/// Runs the command.
pub(super) fn run(args: &MainArgs, console: Console) -> Result {
    usage::check(args)?;
    let start = Instant::now();
    // clap does not let a command line without a file pass.
    let name = display_name(args.file.as_deref().unwrap_or(Path::new("-")));
    let report = Report::new(console, &name, args.output.json);
    let unknown = Report { verdict: Some(Verdict::Unknown(deadline::REASON.to_owned())), ..report.clone() };
    let deadline = Deadline::start(args.exploration.timeout, unknown);
    match usage::form(args) {
        Some(form) => write_program(args, form, &deadline, start, console),
        None => answer(args, report, &deadline, start, console),
    }
}

fn load(args: &MainArgs, console: Console) -> Result<Loaded> {
    let loaded = Loaded::load(args, console)?;
    console.remarks(&notes::remarks(&loaded));
    Ok(loaded)
}

/// `--emit`.
fn write_program(
    args: &MainArgs,
    form: EmitArg,
    deadline: &Deadline,
    start: Instant,
    console: Console,
) -> Result {
    let output = Output::open(args.output.output.as_deref().unwrap_or(Path::new("-")))?;
    deadline.note_created(output.created());
    let mut loaded = load(args, console)?;
    let emitting = Instant::now();
    let text = emit(&loaded, form)?;
    loaded.times.push(("printing", emitting.elapsed()));
    deadline.claim();
    if args.output.stats {
        let statistics = statistics::text(&loaded, start.elapsed());
        if output.is_stdout() {
            let _ = std::io::stderr().write_all(statistics.as_bytes());
        } else {
            print(&statistics)?;
        }
    }
    output.write(&text)?;
    end(loaded);
    Ok(exit::SUCCESSFUL)
}

/// Everything else: a report.
fn answer(
    args: &MainArgs,
    mut report: Report,
    deadline: &Deadline,
    start: Instant,
    console: Console,
) -> Result {
    let trace = args.exploration.trace.as_deref().map(Output::open).transpose()?;
    deadline.note_created(trace.as_ref().and_then(Output::created));
    let mut loaded = load(args, console)?;
    let exploring = Instant::now();
    let found = explore::run(&loaded.program, args, deadline)?;
    let time = exploring.elapsed();
    deadline.claim();
    let is_exploration = found.is_some();
    if let Some(answer) = found {
        console.remarks(notes::nothing_to_check(&loaded).as_slice());
        write_runs(trace, args, &loaded.name, &answer)?;
        report_runs(&mut report, answer);
    } else if args.properties.show_properties {
        report.text.push_str(&summary::properties_text(&loaded.program));
    } else {
        report.text.push_str(&summary::text(&loaded));
        report.field("program", || summary::json(&loaded));
    }
    report.field("properties", || summary::properties_json(&loaded.program));
    if is_exploration {
        loaded.times.push(("exploring", time));
    }
    if args.output.stats {
        report.statistics = statistics::text(&loaded, start.elapsed());
        report.field("statistics", || statistics::json(&loaded, start.elapsed()));
    }
    end(loaded);
    report.print()
}

/// Writes the runs; a file without runs says that there are none.
fn write_runs(trace: Option<Output>, args: &MainArgs, file: &str, answer: &Answer<'_>) -> Result<()> {
    let Some(output) = trace else { return Ok(()) };
    let suffix = args.exploration.trace.as_deref().and_then(Path::extension);
    let is_json = suffix.is_some_and(|suffix| suffix == "json");
    match &answer.verdict {
        Verdict::Rejected(_) => Ok(()),
        _ if is_json => output.write(&runs::document(file, &answer.recorded)),
        _ => output.write(&runs::text(&answer.recorded)),
    }
}

fn report_runs(report: &mut Report, answer: Answer<'_>) {
    let Answer { verdict, text, json, recorded } = answer;
    report.text.push_str(&text);
    report.field("exploration", || json);
    report.field("runs", || runs::list(&recorded));
    report.verdict = Some(verdict);
}

/// The process ends here; to free large programs piece by piece would only take time.
fn end(loaded: Loaded) {
    std::mem::forget(loaded);
}
