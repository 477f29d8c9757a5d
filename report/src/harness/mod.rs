//! `--harness`: the bug as a program that can be run.
//!
//! The run of the reduced program becomes one of the program as it was translated ([`lift`]), where each access to memory is a step. Its order
//! becomes a schedule ([`schedule`]) that is compiled together with the user's own source, unchanged ([`files`]).
//! gcc calls us before each access (`-fsanitize=thread`), the linker replaces functions that threads wait in ([`library`]); `runtime.c` lets
//! one thread after the other go on as the schedule says.

mod files;
mod folder;
mod library;
mod lift;
mod schedule;

use crate::answer::Answer;
use crate::task::Job;
use console::Result;
use console::input::{Loaded, Stage};
pub use folder::Folder;
use frontend::program::trace::Trace;
use frontend::program::{Program, Property};
use schedule::Schedule;
use sha2::{Digest as _, Sha256};

/// The files of a harness.
type Files = Vec<(&'static str, String)>;

/// Writes the harness, or says why there is none.
pub fn write(folder: &Folder, job: &Job<'_>, answer: &Answer<'_>, why: &str) -> Result<()> {
    let (Some(recorded), Some(property)) = (answer.recorded.first(), answer.property) else {
        job.console.note(&format!("note: no harness is written to {}: {why}", folder.path().display()));
        return Ok(());
    };
    match driven(job, recorded, property)? {
        Ok(files) => folder.write(&files),
        Err(reason) => {
            job.console.note(&format!("note: cannot be driven: {reason}"));
            Ok(())
        }
    }
}

/// The user's own source with a schedule, or why that is not possible.
fn driven(job: &Job<'_>, recorded: &console::runs::Recorded<'_>, property: &Property) -> Result<std::result::Result<Files, String>> {
    if let Some(reason) = undrivable(job, property) {
        return Ok(Err(reason));
    }
    let translated = Loaded::load(&job.args.input, &Stage::Lowered, console::Console::plain(), |_| Ok(()))?.program;
    let reduced = &job.loaded.program;
    let Some(run) = lift::lift(&translated, reduced, &recorded.trace, &recorded.run, &property.name) else {
        return Ok(Err("no run of the program before reductions was found".to_owned()));
    };
    let Ok(trace) = Trace::new(&translated, &run) else {
        return Ok(Err("the run of the program before reductions does not replay".to_owned()));
    };
    let schedule = Schedule::new(&translated, &trace);
    if !schedule.foreign.is_empty() {
        let names: Vec<&str> = schedule.foreign.iter().map(String::as_str).collect();
        return Ok(Err(format!("it calls {}, which cannot be scheduled", names.join(", "))));
    }
    Ok(Ok(of_source(job, &translated, &schedule, property)))
}

fn undrivable(job: &Job<'_>, property: &Property) -> Option<String> {
    let input = &job.args.input;
    if input.is_program() || console::input::is_stdin(input.path()) {
        return Some("there is no file of C".to_owned());
    }
    if !input.is_plain() {
        return Some("there are several files, or entry points instead of a main function".to_owned());
    }
    if files::visible(property.kind).is_none() {
        return Some("a failure of this kind cannot be seen from outside".to_owned());
    }
    None
}

fn of_source(job: &Job<'_>, translated: &Program, schedule: &Schedule, property: &Property) -> Files {
    let path = job.args.input.path();
    let bytes = std::fs::read(path).unwrap_or_default();
    let hash = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let source = files::Source { path: &absolute, hash, input: &job.args.input };
    vec![
        ("program.c", files::program(&source, translated, schedule, property)),
        ("harness.c", files::RUNTIME.to_owned()),
        ("harness.h", files::HEADER.to_owned()),
        ("run.sh", files::script(&source, property)),
    ]
}
