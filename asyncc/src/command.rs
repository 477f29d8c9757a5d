//! `asyncc FILE`: load, then print the program, say what it is, or run it.

use super::args::{EmitArg, MainArgs};
use super::coverage::Coverage;
use super::emit::emit;
use super::{TOOL, explore, summary, usage};
use console::args::TraceArg;
use console::console::{Console, print};
use console::deadline::{Deadline, GRACE};
use console::input::Loaded;
use console::outputs::Output;
use console::replay::Answer;
use console::report::Report;
use console::verdict::Verdict;
use console::{Result, assumptions, exit, listing, notes, runs, statistics};
use frontend::preprocess::display_name;
use frontend::program::{Note, Program};
use frontend::reduce::Size;
use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

/// Runs the command.
pub(super) fn run(args: &MainArgs, console: Console) -> Result {
    usage::check(args)?;
    let start = Instant::now();
    let report = Report::new(&TOOL, console, &display_name(args.input.path()), args.output.json);
    let deadline = Deadline::start(args.exploration.timeout, GRACE, report.clone());
    match usage::form(args) {
        Some(form) => write_program(args, form, &deadline, start, console),
        None => answer(args, report, &deadline, start, console),
    }
}

fn load(args: &MainArgs, deadline: &Deadline, console: Console) -> Result<(Loaded, Coverage)> {
    let name = display_name(args.input.path());
    deadline.progress().show(|| format!("reading and translating {name}"));
    let mut coverage = Coverage::default();
    let loaded = Loaded::load(&args.input, &usage::stage(args), console, |program| {
        deadline.progress().show(|| format!("making the program smaller ({})", Size::of(program)));
        if args.output.coverage {
            coverage = Coverage::of(program);
        }
        Ok(())
    })?;
    let exploration = &args.exploration;
    let runs = exploration.explore.is_some() || exploration.random.is_some() || exploration.replay.is_some();
    // A verdict says itself what it assumes.
    // The table says how much of it there is.
    if !args.output.coverage {
        console.remarks(&if runs { notes::inexact(&loaded) } else { notes::remarks(&loaded) });
    }
    Ok((loaded, coverage))
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
    let (mut loaded, _) = load(args, deadline, console)?;
    let emitting = Instant::now();
    let text = emit(&loaded, form)?;
    loaded.times.push(("printing", emitting.elapsed()));
    deadline.claim();
    if args.output.stats {
        let statistics = statistics::text(&loaded, start.elapsed());
        if output.is_stdout() {
            let _ = terminal::messages::stderr().write_all(statistics.as_bytes());
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
    let (mut loaded, coverage) = load(args, deadline, console)?;
    let exploring = Instant::now();
    deadline.progress().show(|| format!("running {}", Size::of(&loaded.program)));
    let found = explore::run(&loaded.program, args, deadline)?;
    let time = exploring.elapsed();
    deadline.claim();
    let is_exploration = found.is_some();
    if let Some(answer) = found {
        console.remarks(notes::nothing_to_check(&loaded).as_slice());
        let is_shown = trace.as_ref().is_some_and(Output::is_stdout);
        write_runs(trace, args, &loaded.name, &answer, console)?;
        report.text.push_str(&answer.text);
        if !is_shown {
            report.text.push_str(&answer.violated);
        }
        report_runs(&mut report, answer, &loaded.program, args.input.assumptions.strict);
    } else if args.input.properties.show_properties {
        report.text.push_str(&listing::properties_text(&loaded.program));
    } else if args.input.properties.show_loops {
        report.text.push_str(&listing::loops_text(&loaded.program));
        report.field("loops", || listing::loops_json(&loaded.program));
    } else if args.output.coverage {
        report.text.push_str(&coverage.text(&loaded));
        report.field("coverage", || coverage.json(&loaded));
    } else {
        report.text.push_str(&summary::text(&loaded));
        report.field("program", || summary::json(&loaded));
    }
    report.field("properties", || listing::properties_json(&loaded.program));
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
fn write_runs(
    trace: Option<Output>,
    args: &MainArgs,
    file: &str,
    answer: &Answer<'_>,
    console: Console,
) -> Result<()> {
    let Some(output) = trace else { return Ok(()) };
    let suffix = args.exploration.trace.as_deref().and_then(Path::extension);
    let is_json = suffix.is_some_and(|suffix| suffix == "json");
    match &answer.verdict {
        Verdict::Rejected(_) => Ok(()),
        _ if is_json => output.write(&runs::document(file, &answer.recorded)),
        _ => output.write(&runs::text(&answer.recorded, TraceArg::Auto.form(console))),
    }
}

fn report_runs(report: &mut Report, answer: Answer<'_>, program: &Program, strict: bool) {
    let Answer { verdict, json, recorded, .. } = answer;
    let assumed = match verdict {
        Verdict::Successful => assumptions::of_proof(program),
        Verdict::Failed => {
            let mut all: Vec<Note> = Vec::new();
            for note in recorded.iter().flat_map(|run| assumptions::of_run(program, run)) {
                if !all.contains(&note) {
                    all.push(note);
                }
            }
            all
        }
        Verdict::Unknown(_) | Verdict::Rejected(_) => Vec::new(),
    };
    let verdict = assumptions::judge(verdict, &assumed, program, strict);
    report.result.push_str(&assumptions::text(program, &assumed));
    report.field("assumptions", || assumptions::json(program, &assumed));
    report.field("exploration", || json);
    report.field("runs", || runs::list(&recorded));
    report.verdict = Some(verdict);
}

/// The process ends here; to free large programs piece by piece would only take time.
fn end(loaded: Loaded) {
    std::mem::forget(loaded);
}
