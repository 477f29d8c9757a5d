//! What a proof says about places: one of several labels holds, all of it, whenever a thread is at a location.
//!
//! Of a proof without a tree, that is what it says itself. Of a tree, the labels of all nodes where the thread is at the location hold, one or another, *if the tree has all states*:
//! - A step that is left out after an independent one of a thread with a greater number loses no state. A run to the state can be reordered, step by step, without a change of its last state, until nothing of it is left out; so there is a node
//!   with these locations whose label holds (the argument of [`crate::check`], which is about the last state of a run, whichever that is). The states *between* exchanged steps are the last states of shorter runs.
//! - Where a thread goes first while others wait (`alone`), the states in which others have made a step and it has not are in no node: nothing is said then.
//!
//! - Threads of a tree start as soon as they are created. A state in between differs in the variables by which they are told to start; formulas that mention these are left out.
//!
//! Covered nodes add nothing: their labels imply those of the nodes that cover them.

use crate::proof::Proof;
use frontend::program::{LocationId, Program};
use rustc_hash::FxHashSet;
use smt::Term;
use std::collections::BTreeMap;

/// What holds at a location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// For which thread; any, if it is not said. Formulas about a thread call its locals `x#1`, those about any thread `x`.
    pub thread: Option<usize>,
    /// Where.
    pub location: LocationId,
    /// One of these holds, all of it.
    pub labels: Vec<Vec<Term>>,
}

/// What holds where; nothing if the proof does not have all states.
pub fn places(program: &Program, proof: &Proof) -> Option<Vec<Place>> {
    if let Some(modular) = &proof.modular {
        let possible = modular.holds.iter().enumerate().filter(|(_, holds)| !is_false(holds));
        let places = possible.map(|(index, holds)| Place {
            thread: None,
            location: LocationId(index as u32),
            labels: vec![holds.clone()],
        });
        return Some(places.collect());
    }
    if proof.nodes.iter().any(|node| node.alone.is_some()) {
        return None;
    }
    let mailboxes = mailboxes(program);
    let is_said = |part: &Term| !part.constants().iter().any(|constant| mailboxes.contains(constant));
    let mut labels: BTreeMap<(usize, LocationId), Vec<Vec<Term>>> = BTreeMap::new();
    for (node, locations) in proof.nodes.iter().zip(locations(program, proof)) {
        if node.cover.is_none() && !is_false(&node.label) {
            let said: Vec<Term> = node.label.iter().copied().filter(is_said).collect();
            for (thread, location) in locations.into_iter().enumerate() {
                labels.entry((thread, location)).or_default().push(said.clone());
            }
        }
    }
    let places = labels.into_iter();
    Some(
        places.map(|((thread, location), labels)| Place { thread: Some(thread), location, labels }).collect(),
    )
}

/// Shared variables that say to threads that they can start, and with what.
fn mailboxes(program: &Program) -> FxHashSet<Term> {
    let starts = program.edges.iter().filter(|edge| Some(edge.from) == program.pool);
    let read = starts.clone().flat_map(|edge| {
        let terms = edge.assign.iter().map(|(_, term)| *term).chain([edge.guard]);
        smt::traverse::constants(terms)
    });
    let written = starts.flat_map(|edge| edge.assign.iter().map(|(id, _)| program.variable(*id).term()));
    read.chain(written).collect()
}

fn is_false(label: &[Term]) -> bool {
    label.iter().any(|part| part.is_false())
}

/// Where the threads are at each node.
pub(crate) fn locations(program: &Program, proof: &Proof) -> Vec<Vec<LocationId>> {
    let mut all: Vec<Vec<LocationId>> = Vec::new();
    for node in &proof.nodes {
        let locations = match &node.from {
            None => vec![program.main],
            Some((parent, step)) => {
                let mut locations = all[*parent].clone();
                let mut edges = step.edges.iter().map(|edge| program.edge(*edge).to);
                if let (Some(location), Some(to)) = (locations.get_mut(step.thread), edges.next()) {
                    *location = to;
                }
                locations.extend(edges);
                locations
            }
        };
        all.push(locations);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "program 1\nshared x: u8 = 0\nlocation 0\nlocation 1\nmain 0\nedge 0: 0 -> 1\n  assign x := #x01\nedge 1: 1 -> 0\n  \
                           assign x := #x00\n";

    const PROOF: &str = "impara-proof 1\nnode 0\n  label (= x #x00)\nnode 1 from 0 thread 0 edges 0\n  label (= x #x01)\nnode 2 from 1 thread 0 \
                         edges 1\n  label (= x #x00)\n  cover 0\nend\n";

    #[test]
    fn labels_of_a_location_are_what_holds_there() {
        let program = frontend::program::text::read(PROGRAM).unwrap();
        let proof = Proof::read(PROOF, &program).unwrap();
        let places = places(&program, &proof).unwrap();
        let shown: Vec<(u32, usize, String)> = places
            .iter()
            .map(|place| (place.location.0, place.labels.len(), place.labels[0][0].to_string()))
            .collect();
        assert_eq!(shown, [(0, 1, "(= x #x00)".to_owned()), (1, 1, "(= x #x01)".to_owned())]);
    }

    #[test]
    fn nothing_is_said_where_a_thread_goes_first() {
        let program = frontend::program::text::read(PROGRAM).unwrap();
        let reduced = PROOF.replace("  cover 0\n", "  alone 0\n  cover 0\n");
        assert!(places(&program, &Proof::read(&reduced, &program).unwrap()).is_none());
    }
}
