//! What a proof says about places: the labels of all nodes where a thread is at a location hold there, one or another.
//!
//! That is so if the tree has all runs. Partial-order reduction leaves out runs that differ from others in the order of steps only, and the
//! states on them: then nothing is said about places.

use crate::proof::Proof;
use frontend::program::{LocationId, Program};
use smt::Term;
use std::collections::BTreeMap;

/// By thread and location: labels, of which one holds, all of it.
pub type Labels<'p> = BTreeMap<(usize, LocationId), Vec<&'p [Term]>>;

/// What holds where; nothing if steps were left out.
pub fn labels<'p>(program: &Program, proof: &'p Proof) -> Option<Labels<'p>> {
    if proof.nodes.iter().any(|node| node.alone.is_some() || !node.skips.is_empty()) {
        return None;
    }
    let mut labels = Labels::new();
    for (node, locations) in proof.nodes.iter().zip(locations(program, proof)) {
        if !node.label.iter().any(|part| part.is_false()) {
            for (thread, location) in locations.into_iter().enumerate() {
                labels.entry((thread, location)).or_default().push(&node.label);
            }
        }
    }
    Some(labels)
}

/// Where the threads are at each node.
fn locations(program: &Program, proof: &Proof) -> Vec<Vec<LocationId>> {
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
        let labels = labels(&program, &proof).unwrap();
        let shown: Vec<(u32, usize, String)> =
            labels.iter().map(|((_, at), labels)| (at.0, labels.len(), labels[0][0].to_string())).collect();
        assert_eq!(shown, [(0, 2, "(= x #x00)".to_owned()), (1, 1, "(= x #x01)".to_owned())]);
    }

    #[test]
    fn nothing_is_said_where_steps_are_left_out() {
        let program = frontend::program::text::read(PROGRAM).unwrap();
        for part in ["  alone 0\n", "  skip thread 0 edges 0\n"] {
            let reduced = PROOF.replace("  cover 0\n", &format!("{part}  cover 0\n"));
            let proof = Proof::read(&reduced, &program).unwrap();
            assert!(labels(&program, &proof).is_none(), "{reduced}");
        }
    }
}
