//! What may be said: when a program may be called safe, and when a run is one of the source.
//!
//! The only place that knows these rules. Engines, explorations and replays ask here.
//!
//! - *Safe* needs that the program does at least what its source does: no note says less. It holds under the assumptions.
//! - *A run is real* if it violates something that is an error of the source, and takes no step before that carries a note.

use super::{Assumption, Effect, Note, NoteId, Program, Property, PropertyKind};

/// Why a run shows no error of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// It ends where the model ends; nothing is known behind.
    Limit,
    /// It takes a step that the source may not have.
    Step(NoteId),
}

/// Why a run that violates the property after so many steps is none of the source, if so. `approximate` are the steps of the run
/// that carry a note.
pub fn doubt(property: &Property, after: usize, approximate: &[(usize, NoteId)]) -> Option<Doubt> {
    if property.kind == PropertyKind::Limit {
        return Some(Doubt::Limit);
    }
    approximate.iter().find(|(step, _)| *step < after).map(|(_, note)| Doubt::Step(*note))
}

/// Whether a program without violations may be called safe: what is assumed then; or the note that forbids it.
pub fn may_be_safe(program: &Program) -> Result<Vec<&Note>, NoteId> {
    let less = |note: &Note| matches!(note.effect, Effect::Under | Effect::Inexact);
    match program.notes.iter().position(less) {
        Some(note) => Err(NoteId(note as u32)),
        None => Ok(assumptions(program)),
    }
}

/// What is assumed, sorted by kind, each once: the first place of each message, and of sequential consistency the first reason.
pub fn assumptions(program: &Program) -> Vec<&Note> {
    let mut found: Vec<&Note> = Vec::new();
    for kind in Assumption::all() {
        for note in program.notes.iter().filter(|note| note.assumption == Some(kind)) {
            if !found.iter().any(|known| says(known, note)) {
                found.push(note);
            }
        }
    }
    found
}

/// Whether the second note adds nothing to the first.
fn says(known: &Note, note: &Note) -> bool {
    let orders = |note: &Note| {
        matches!(note.assumption, Some(Assumption::SequentialConsistency | Assumption::RaceFreedom))
    };
    (orders(known) && orders(note)) || (known.assumption == note.assumption && known.message == note.message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::text::read;

    const TEXT: &str = r#"program 1
        note 0 assumption undefined-function "f"
        note 1 over "more"
        note 2 assumption race-freedom "x"
        note 3 assumption undefined-function "f"
        note 4 assumption sequential-consistency "relaxed"
        note 5 assumption "else"
        location 0
        location 1
        main 0
        edge 0: 0 -> 1
          approximate 1
        property p assertion "p" at 1
        property l limit "l" at 1
        "#;

    #[test]
    fn each_assumption_once_and_the_weightiest_first() {
        let program = read(TEXT).unwrap();
        let found: Vec<&str> =
            may_be_safe(&program).unwrap().iter().map(|note| note.message.as_str()).collect();
        assert_eq!(found, ["relaxed", "f", "else"]);
    }

    #[test]
    fn less_than_the_source_is_not_safe() {
        for (effect, is_safe) in [("over", true), ("assumption", true), ("under", false), ("inexact", false)]
        {
            let text = TEXT.replace("over \"more\"", &format!("{effect} \"more\""));
            assert_eq!(may_be_safe(&read(&text).unwrap()).is_ok(), is_safe, "{effect}");
        }
    }

    #[test]
    fn runs_with_noted_steps_prove_nothing() {
        let program = read(TEXT).unwrap();
        let [assertion, limit] = &program.properties[..] else { panic!() };
        let note = NoteId(1);
        assert_eq!(doubt(assertion, 1, &[]), None);
        assert_eq!(doubt(assertion, 1, &[(1, note)]), None, "it comes too late");
        assert_eq!(doubt(assertion, 1, &[(0, note)]), Some(Doubt::Step(note)));
        assert_eq!(doubt(limit, 1, &[]), Some(Doubt::Limit));
    }
}
