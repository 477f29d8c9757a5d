//! The judge: checks answers with code that shares no algorithm with the search.
//!
//! - [`verify()`]: is this a proof that the targets are uncoverable? (thesis, definition 24)
//! - [`replay()`]: is this a run that covers a target?
//! - [`mod@format`]: proofs and runs as text files, so that they can be checked later and by others.
//! - [`brute`]: the answer by trying everything, for tests on small systems.
//!
//! Only the model of systems and the data types of proofs and runs are shared with the search. Code here
//! prefers the obvious to the fast, up to the point where proofs of 100,000 elements would take too long.

pub mod brute;
pub mod format;
mod members;
mod predecessors;
pub mod replay;
#[cfg(test)]
pub(crate) mod samples;
pub mod verify;

pub use brute::coverable_within;
pub use format::{parse_proof, parse_trace, write_proof, write_trace};
pub use replay::{ReplayError, replay};
pub use verify::{Flaw, Summary, verify, verify_problem};

use crate::system::System;

/// A transition as messages name it: its number, the line of the input where it starts, and its text.
fn name_transition(system: &System, id: usize) -> String {
    let text = system.show_transition(id);
    match system.lines.get(id) {
        Some(&line) if line > 0 => format!("transition {id} (line {line}: {text})"),
        _ => format!("transition {id} ({text})"),
    }
}
