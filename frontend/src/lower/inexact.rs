//! The steps that notes of the effect [`Effect::Inexact`] are about: a run through one of them may not be real.
//!
//! Such a note stands at the declaration of an object that is not modelled as it is. A step touches the object if it mentions one of its
//! variables, or a number that is an address in it. A note that is about no step that can be told makes all runs doubtful.

use crate::program::{Edge, Effect, NoteId, Program, VariableId};
use rustc_hash::FxHashSet;
use smt::Term;

/// Marks the edges.
pub(crate) fn mark(program: &mut Program) {
    for number in 0..program.notes.len() {
        if program.notes[number].effect == Effect::Inexact {
            mark_note(program, NoteId(number as u32));
        }
    }
}

fn mark_note(program: &mut Program, note: NoteId) {
    let object = Touched::new(program, note);
    let mut touching: Vec<usize> =
        (0..program.edges.len()).filter(|&edge| object.is_touched_by(&program.edges[edge])).collect();
    if touching.is_empty() {
        let starts = [Some(program.main), program.pool];
        touching = (0..program.edges.len())
            .filter(|&edge| starts.contains(&Some(program.edges[edge].from)))
            .collect();
    }
    for edge in touching {
        program.edges[edge].approximate.get_or_insert(note);
    }
}

/// What steps must not mention.
struct Touched {
    variables: FxHashSet<VariableId>,
    terms: FxHashSet<Term>,
    /// First and last address, for each object.
    addresses: Vec<(u64, u64)>,
}

impl Touched {
    fn new(program: &Program, note: NoteId) -> Touched {
        let position = program.notes[note.0 as usize].position;
        let declared = program.variables.iter().enumerate();
        let declared: Vec<_> =
            declared.filter(|(_, variable)| position.is_some() && variable.position == position).collect();
        let names: Vec<String> = declared.iter().map(|(_, variable)| format!("&{}", variable.name)).collect();
        // A member's name begins with the name of its object.
        let is_ours = |address: &str| {
            names.iter().any(|name| {
                name.strip_prefix(address).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
            })
        };
        let addresses = program.addresses.iter().filter(|address| is_ours(address.name.as_str()));
        Touched {
            variables: declared.iter().map(|(index, _)| VariableId(*index as u32)).collect(),
            terms: declared.iter().flat_map(|(_, v)| [v.term(), v.passive_term()]).collect(),
            addresses: addresses.map(|a| (a.address, a.address.saturating_add(a.size))).collect(),
        }
    }

    fn is_touched_by(&self, edge: &Edge) -> bool {
        let assigned = edge.assign.iter().chain(&edge.broadcast.assign);
        let mut terms = assigned.clone().map(|(_, term)| *term).chain([edge.guard]);
        assigned.clone().any(|(variable, _)| self.variables.contains(variable))
            || terms.any(|term| self.is_in(term))
    }

    fn is_in(&self, term: Term) -> bool {
        term.constants().iter().any(|constant| self.terms.contains(constant)) || self.has_address(term)
    }

    fn has_address(&self, term: Term) -> bool {
        let (mut open, mut seen) = (vec![term], rustc_hash::FxHashSet::default());
        while let Some(part) = open.pop() {
            let number = part.as_bits().and_then(|bits| bits.to_u128()).and_then(|n| u64::try_from(n).ok());
            match number {
                Some(number)
                    if self.addresses.iter().any(|&(first, end)| first <= number && number <= end) =>
                {
                    return true;
                }
                Some(_) => {}
                None if seen.insert(part) => open.extend(part.args()),
                None => {}
            }
        }
        false
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
