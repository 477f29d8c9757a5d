//! What the page of `--html` shows beside the answer: the formulas of the tree, what holds where, and numbers.
//!
//! The labels of all nodes where a thread is at a location are together what holds there, if the tree has all runs. Partial-order reduction leaves out
//! runs that differ from others in the order of steps only, and the states on them: then nothing is said about places.

use console::input::Loaded;
use frontend::program::{LocationId, Program};
use impara::proof::Proof;
use impara::{Outcome, Verdict};
use report::html::{Details, Formula, Invariant, Invariants, Predicate};
use smt::Term;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// More formulas are not shown.
const MOST: usize = 60;

/// Everything that the page can show.
pub(super) fn details(loaded: &Loaded, outcome: &Outcome, total: Duration) -> Details {
    let statistics = &outcome.statistics;
    let mut times: Vec<(String, Duration)> =
        loaded.times.iter().map(|(name, time)| ((*name).to_owned(), *time)).collect();
    times.push(("in total".to_owned(), total));
    let figures = [
        ("nodes of the tree", statistics.nodes),
        ("nodes that others cover", statistics.covers),
        ("paths that were refuted", statistics.refinements),
        ("steps that were left out", statistics.skipped),
        ("longest path", statistics.depth),
        ("threads", statistics.threads),
    ];
    let figures = figures.into_iter().map(|(name, value)| (name.to_owned(), value.to_string())).collect();
    let (predicates, invariants) = match &outcome.verdict {
        Verdict::Safe(proof) => (predicates(proof), invariants(&loaded.program, proof)),
        Verdict::Bug(_) | Verdict::Unknown(_) => (Vec::new(), Invariants::default()),
    };
    Details { predicates, invariants, times, figures, ..Details::default() }
}

/// The formulas of all labels, each once.
fn predicates(proof: &Proof) -> Vec<Predicate> {
    let mut seen = BTreeSet::new();
    let parts = proof.nodes.iter().flat_map(|node| &node.label).filter(|part| !part.is_false());
    let new = parts.filter(|part| seen.insert(part.to_string()));
    new.take(MOST).map(|part| Predicate { class: class(*part).to_owned(), formula: formula(*part) }).collect()
}

fn formula(term: Term) -> Formula {
    Formula { term, among: "" }
}

fn class(term: Term) -> &'static str {
    let is_local = |constant: &Term| constant.as_constant().is_some_and(|name| name.as_str().contains('#'));
    if term.constants().iter().any(is_local) { "of threads" } else { "shared" }
}

fn invariants(program: &Program, proof: &Proof) -> Invariants {
    if proof.nodes.iter().any(|node| node.alone.is_some() || !node.skips.is_empty()) {
        return Invariants::Unknown(
            "the proof leaves out orders of steps that make no difference, and its formulas speak of the states of those that are left; \
             `--por none` leaves out nothing"
                .to_owned(),
        );
    }
    let mut nodes: BTreeMap<(usize, LocationId), Vec<&[Term]>> = BTreeMap::new();
    for (node, locations) in proof.nodes.iter().zip(locations(program, proof)) {
        if !node.label.iter().any(|part| part.is_false()) {
            for (thread, location) in locations.into_iter().enumerate() {
                nodes.entry((thread, location)).or_default().push(&node.label);
            }
        }
    }
    let invariant = |((thread, location), labels): ((usize, LocationId), Vec<&[Term]>)| {
        let mut terms: Vec<Term> = Vec::new();
        for part in labels.iter().copied().flatten() {
            if !terms.contains(part) {
                terms.push(*part);
            }
        }
        let row = |label: &&[Term]| terms.iter().map(|term| label.contains(term).then_some(true)).collect();
        let rows = labels.iter().map(row).collect();
        let formulas = terms.iter().map(|term| formula(*term)).collect();
        Invariant { location, thread: Some(thread), formulas, rows }
    };
    Invariants::Known(nodes.into_iter().map(invariant).collect())
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

    fn of(proof: &str) -> Invariants {
        let program = frontend::program::text::read(PROGRAM).unwrap();
        invariants(&program, &Proof::read(proof, &program).unwrap())
    }

    #[test]
    fn labels_of_a_location_are_what_holds_there() {
        let Invariants::Known(known) = of(PROOF) else { panic!("there are some") };
        let shown: Vec<(u32, usize, String)> = known
            .iter()
            .map(|found| (found.location.0, found.rows.len(), found.formulas[0].term.to_string()))
            .collect();
        assert_eq!(shown, [(0, 2, "(= x #x00)".to_owned()), (1, 1, "(= x #x01)".to_owned())]);
    }

    #[test]
    fn nothing_is_said_where_steps_are_left_out() {
        for part in ["  alone 0\n", "  skip thread 0 edges 0\n"] {
            let reduced = PROOF.replace("  cover 0\n", &format!("{part}  cover 0\n"));
            assert!(matches!(of(&reduced), Invariants::Unknown(_)), "{reduced}");
        }
    }
}
