//! What the page of `--html` shows beside the answer: the formulas of the tree, what holds where, and numbers.

use console::input::Loaded;
use frontend::program::Program;
use impara::proof::Proof;
use impara::{Outcome, Verdict, places};
use report::html::{Details, Invariant, Invariants, Predicate};
use smt::Term;
use std::time::Duration;

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
        Verdict::Safe(proof) => (Predicate::of_labels(proof.labels()), invariants(&loaded.program, proof)),
        Verdict::Bug(_) | Verdict::Unknown(_) => (Vec::new(), Invariants::default()),
    };
    Details { predicates, invariants, times, figures, ..Details::default() }
}

fn invariants(program: &Program, proof: &Proof) -> Invariants {
    let Some(places) = places::places(program, proof) else {
        return Invariants::Unknown(
            "the proof lets threads go first where nobody sees it, and says nothing about the states that this leaves out".to_owned(),
        );
    };
    let known = places.iter().map(|place| {
        let labels: Vec<&[Term]> = place.labels.iter().map(Vec::as_slice).collect();
        Invariant::of_labels(place.location, place.thread, &labels)
    });
    Invariants::Known(known.collect())
}
