//! The steps that notes of the effect [`Effect::Inexact`] are about: a run through one of them may not be real.
//!
//! Such a note stands at the declaration of an object that is not modelled as it is. A step touches the object if it mentions one of its
//! variables, or a number that is an address in it. A note that is about no step that can be told makes all runs doubtful.

use crate::program::{Edge, Effect, NoteId, Position, Program, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::Term;

/// Marks the edges.
pub(crate) fn mark(program: &mut Program) {
    let notes = program.notes.iter().enumerate().filter(|(_, note)| note.effect == Effect::Inexact);
    let notes: Vec<NoteId> = notes.map(|(number, _)| NoteId(number as u32)).collect();
    if notes.is_empty() {
        return;
    }
    let touched = Touched::new(program, &notes);
    let mut is_told: FxHashSet<NoteId> = FxHashSet::default();
    let mut known: FxHashMap<Term, Vec<NoteId>> = FxHashMap::default();
    for number in 0..program.edges.len() {
        let edge = &program.edges[number];
        let found = touched.by(edge, &mut known);
        is_told.extend(&found);
        if let Some(first) = found.first() {
            program.edges[number].approximate.get_or_insert(*first);
        }
    }
    let starts = [Some(program.main), program.pool];
    for note in notes.into_iter().filter(|note| !is_told.contains(note)) {
        for edge in program.edges.iter_mut().filter(|edge| starts.contains(&Some(edge.from))) {
            edge.approximate.get_or_insert(note);
        }
    }
}

/// What steps must not mention.
struct Touched {
    variables: FxHashMap<VariableId, Vec<NoteId>>,
    terms: FxHashMap<Term, Vec<NoteId>>,
    /// First and last address of each object, with the note.
    addresses: Vec<(u64, u64, NoteId)>,
}

impl Touched {
    fn new(program: &Program, notes: &[NoteId]) -> Touched {
        let mut by_place: FxHashMap<Position, Vec<NoteId>> = FxHashMap::default();
        for note in notes {
            let position = program.notes[note.0 as usize].position;
            if position.is_some() {
                by_place.entry(position).or_default().push(*note);
            }
        }
        let mut touched =
            Touched { variables: FxHashMap::default(), terms: FxHashMap::default(), addresses: Vec::new() };
        // A member's name begins with the name of its object.
        let mut by_name: FxHashMap<String, Vec<NoteId>> = FxHashMap::default();
        for (index, variable) in program.variables.iter().enumerate() {
            let Some(notes) = by_place.get(&variable.position) else { continue };
            touched.variables.insert(VariableId(index as u32), notes.clone());
            for term in [variable.term(), variable.passive_term()] {
                touched.terms.insert(term, notes.clone());
            }
            let name = variable.name.as_str();
            let ends = name.match_indices(['.', '[']).map(|(end, _)| end).chain([name.len()]);
            for end in ends {
                let known = by_name.entry(format!("&{}", &name[..end])).or_default();
                known.extend(notes);
            }
        }
        for address in &program.addresses {
            let mut notes = by_name.get(address.name.as_str()).cloned().unwrap_or_default();
            notes.sort_unstable();
            notes.dedup();
            let end = address.address.saturating_add(address.size);
            touched.addresses.extend(notes.into_iter().map(|note| (address.address, end, note)));
        }
        touched
    }

    /// The notes that a step is about, the first one first.
    fn by(&self, edge: &Edge, known: &mut FxHashMap<Term, Vec<NoteId>>) -> Vec<NoteId> {
        let mut found = Vec::new();
        for (variable, term) in edge.assign.iter().chain(&edge.broadcast.assign) {
            found.extend(self.variables.get(variable).into_iter().flatten());
            found.extend(known.entry(*term).or_insert_with(|| self.within(*term)).iter());
        }
        found.extend(known.entry(edge.guard).or_insert_with(|| self.within(edge.guard)).iter());
        found.sort_unstable();
        found.dedup();
        found
    }

    fn within(&self, term: Term) -> Vec<NoteId> {
        let constants = term.constants();
        let mut found: Vec<NoteId> =
            constants.iter().filter_map(|constant| self.terms.get(constant)).flatten().copied().collect();
        let (mut open, mut seen) = (vec![term], FxHashSet::default());
        while let Some(part) = open.pop() {
            let number = part.as_bits().and_then(|bits| bits.to_u128()).and_then(|n| u64::try_from(n).ok());
            match number {
                Some(number) => {
                    let is_in = |&&(first, end, _): &&(u64, u64, NoteId)| first <= number && number <= end;
                    found.extend(self.addresses.iter().filter(is_in).map(|(.., note)| *note));
                }
                None if !self.addresses.is_empty() && seen.insert(part) => open.extend(part.args()),
                None => {}
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::text::read;

    /// Which edges are marked.
    fn marked(position: &str) -> Vec<bool> {
        let text = format!(
            r#"program 1
            file 0 "a.c"
            note 0 inexact {position} "x"
            address &x = 64 size 4
            shared p: u8 = 0
            local x.a: u8 = 0 @0:2:5
            location 0
            location 1
            main 0
            edge 0: 0 -> 1
            edge 1: 1 -> 1
              assign x.a := #x01
            edge 2: 1 -> 1
              guard (= p #x00)
            edge 3: 1 -> 1
              assign p := #x41
            "#
        );
        let mut program = read(&text).unwrap();
        mark(&mut program);
        program.edges.iter().map(|edge| edge.approximate.is_some()).collect()
    }

    #[test]
    fn steps_that_touch_the_object_are_doubtful() {
        assert_eq!(marked("@0:2:5"), [false, true, false, true], "its member and its address");
        assert_eq!(marked("@0:9:9"), [true, false, false, false], "it can be anywhere");
    }
}
