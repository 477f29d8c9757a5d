//! What a proof assumes.
//!
//! The translation says where sequential consistency may matter. Where only plain accesses are in question, it is an assumption unless there
//! is no data race: the proof has shown that, or it is found out here.

use crate::task::Job;
use console::args::InputArgs;
use console::input::Loaded;
use console::{assumptions, options};
use engine::limits::Limits;
use engine::races::{Races, races};
use frontend::lower;
use frontend::program::{Assumption, Note, Position, Program};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// With less time left, nothing more is found out.
const LEAST_TIME: Duration = Duration::from_secs(2);

/// In larger programs there are too many pairs of accesses to look at them all.
const MOST_EDGES: usize = 4000;

/// With how many threads races are looked for.
const THREADS: usize = 6;

/// All assumptions of a proof about the program.
pub fn by_proof(job: &Job<'_>, limits: &Limits) -> Vec<Note> {
    by_proof_of(job.loaded, &job.args.input, limits)
}

/// The same for a program that was translated with these options.
pub fn by_proof_of(loaded: &Loaded, input: &InputArgs, limits: &Limits) -> Vec<Note> {
    let mut notes = assumptions::of_proof(&loaded.program);
    let Some(index) = notes.iter().position(|note| note.assumption == Some(Assumption::RaceFreedom)) else {
        return notes;
    };
    if loaded.races_are_checked {
        notes.remove(index);
        return notes;
    }
    let is_late = limits.left().is_some_and(|left| left < LEAST_TIME);
    if is_late || loaded.before.edges > MOST_EDGES {
        return notes;
    }
    let Some(asked) = with_races(loaded, input) else { return notes };
    match races(asked, THREADS, &AtomicBool::new(false)) {
        Races::None => {
            notes.remove(index);
        }
        Races::Real(race) => {
            notes[index].message = race;
            notes[index].position = Position::NONE;
        }
        Races::Open => {}
    }
    notes
}

/// The program with all races as properties.
fn with_races(loaded: &Loaded, input: &InputArgs) -> Option<Program> {
    let unit = loaded.unit.as_ref()?;
    let options = lower::Options { race_check: true, ..options::translation(input) };
    lower::lower(unit, &options).ok()
}
