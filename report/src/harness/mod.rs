//! `--harness`: the bug as a program that can be run.
//!
//! The run of the reduced program becomes one of the program as it was translated ([`lift`]), where each access to memory is a step. Its order
//! becomes a schedule ([`schedule`]) that is compiled together with the user's own source, unchanged ([`files`]).
//! gcc calls us before each access (`-fsanitize=thread`), the linker replaces functions that threads wait in ([`library`]); `scheduler.c` lets
//! one thread after the other go on as the schedule says. Where that is not possible, the harness runs the steps of the reduced program instead ([`model`]),
//! and says so.

mod doubt;
mod files;
mod folder;
mod library;
mod lift;
mod model;
mod names;
mod parts;
mod schedule;
mod walk;

use crate::answer::Answer;
use crate::task::Job;
use crate::witness::sha256;
use console::args::ProjectArgs;
use console::input::{Loaded, Stage, is_stdin};
use console::options;
use console::runs::Recorded;
use console::{Console, Failure, Result};
pub use folder::Folder;
use frontend::program::trace::Trace;
use frontend::program::{Assumption, Program, Property};
use schedule::Schedule;

/// The files of a harness.
type Files = Vec<(String, String)>;

/// Why the source itself cannot be driven.
type Reason = String;

/// Writes the harness, or says why there is none.
pub fn write(folder: &Folder, job: &Job<'_>, answer: &Answer<'_>, why: &str) -> Result<()> {
    let path = folder.path().display();
    let (Some(recorded), Some(property)) = (answer.recorded.first(), answer.property) else {
        job.console.note(&format!("note: no harness is written to {path}: {why}"));
        return Ok(());
    };
    match driven(job, recorded, property)? {
        Ok(files) => {
            folder.write(&files)?;
            job.console.note(&format!("note: {path}/run.sh runs {} into the failure", job.loaded.name));
        }
        Err(reason) => match modelled(job, recorded, property, &reason) {
            Ok(files) => {
                folder.write(&files)?;
                let name = &job.loaded.name;
                job.console.note(&format!(
                    "note: {path}/run.sh runs the model of {name}, not the source itself: {reason}"
                ));
            }
            Err(error) => {
                job.console.note(&format!("note: no harness is written to {path}: {reason}; and there is no C for the model: {error}"));
            }
        },
    }
    Ok(())
}

/// The user's own source with a schedule, or why that is not possible.
fn driven(
    job: &Job<'_>,
    recorded: &Recorded<'_>,
    property: &Property,
) -> Result<std::result::Result<Files, Reason>> {
    if let Some(reason) = undrivable(job, property) {
        return Ok(Err(reason));
    }
    let translated = Loaded::load(&job.args.input, &Stage::Lowered, Console::plain(), |_| Ok(()))?.program;
    if translated.notes.iter().any(|note| note.assumption == Some(Assumption::UndefinedFunction)) {
        return Ok(Err("it calls functions that are not defined".to_owned()));
    }
    let reduced = &job.loaded.program;
    let Some(run) = lift::lift(&translated, reduced, &recorded.trace, &recorded.run, &property.name) else {
        return Ok(Err("the run was not found again in the program before reductions".to_owned()));
    };
    let Ok(trace) = Trace::new(&translated, &run) else {
        return Err(Failure::Internal("the run of the program before reductions does not replay".to_owned()));
    };
    let schedule = Schedule::new(&translated, &trace, property);
    if !schedule.foreign.is_empty() {
        let names: Vec<&str> = schedule.foreign.iter().map(String::as_str).collect();
        return Ok(Err(format!("it uses {}, which cannot be scheduled", names.join(", "))));
    }
    if let Some(reason) = doubt::reason(&translated, &run, &trace, &schedule, property) {
        return Ok(Err(reason));
    }
    of_source(job, &translated, &schedule, property).map(Ok)
}

fn undrivable(job: &Job<'_>, property: &Property) -> Option<Reason> {
    let input = &job.args.input;
    if input.is_program() || is_stdin(input.path()) {
        return Some("there is no file of C".to_owned());
    }
    let ProjectArgs { entry, init, .. } = &input.project;
    if !entry.is_empty() || !init.is_empty() {
        return Some("there are entry points instead of a main function".to_owned());
    }
    if input.preprocessor.environment.is_some() {
        return Some("it is made for a kernel".to_owned());
    }
    if !input.translation.model.is_empty() {
        return Some("functions are replaced by --model".to_owned());
    }
    if files::visible(property.kind).is_none() {
        return Some("a failure of this kind cannot be seen from outside".to_owned());
    }
    None
}

fn of_source(job: &Job<'_>, translated: &Program, schedule: &Schedule, property: &Property) -> Result<Files> {
    let input = &job.args.input;
    let given = options::sources(input)?.into_iter().map(|source| {
        let path = &source.path;
        let bytes = std::fs::read(path).map_err(|error| {
            Failure::about_file(path.display().to_string(), format!("cannot be read again: {error}"))
        })?;
        let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
        Ok(files::Source { path, hash: sha256(&bytes), options: source.options })
    });
    let sources: Vec<files::Source> = given.collect::<Result<_>>()?;
    let start = input.translation.function.as_deref().unwrap_or("main");
    let (in_unit, in_schedule) = if sources.len() == 1 { (Some(start), None) } else { (None, Some(start)) };
    let mut written: Files = Vec::new();
    for (number, source) in sources.iter().enumerate() {
        written.push((files::unit_name(number, sources.len()), files::unit(source, in_unit)));
    }
    let texts = [
        ("schedule.c", files::program(translated, schedule, property, in_schedule)),
        ("harness.c", files::RUNTIME.to_owned()),
        ("harness.h", files::HEADER.to_owned()),
        ("run.sh", files::script(&sources, property)),
        ("README", files::readme(&job.loaded.name, property, None)),
    ];
    written.extend(texts.map(|(name, text)| (name.to_owned(), text)));
    Ok(written)
}

/// The steps of the run as a program of their own.
fn modelled(
    job: &Job<'_>,
    recorded: &Recorded<'_>,
    property: &Property,
    reason: &str,
) -> std::result::Result<Files, frontend::program::c::CError> {
    let text = model::program(&job.loaded.program, &recorded.trace, &recorded.run, property, reason)?;
    let texts = [
        ("model.c", text),
        ("run.sh", files::model_script()),
        ("README", files::readme(&job.loaded.name, property, Some(reason))),
    ];
    Ok(texts.map(|(name, text)| (name.to_owned(), text)).into())
}
