//! What the page of `--html` shows beside the answer: the formulas of the tree, what holds where, and numbers.

use console::input::Loaded;
use frontend::program::Program;
use impara::proof::Proof;
use impara::{Outcome, Verdict, places};
use report::html::{Details, Invariant, Invariants, Predicate};
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
        Verdict::Safe(proof) => {
            let labels = proof.nodes.iter().map(|node| node.label.as_slice());
            (Predicate::of_labels(labels), invariants(&loaded.program, proof))
        }
        Verdict::Bug(_) | Verdict::Unknown(_) => (Vec::new(), Invariants::default()),
    };
    Details { predicates, invariants, times, figures, ..Details::default() }
}

fn invariants(program: &Program, proof: &Proof) -> Invariants {
    let Some(labels) = places::labels(program, proof) else {
        return Invariants::Unknown(
            "the proof leaves out orders of steps that make no difference, and its formulas speak of the states of those that are left; \
             `--por none` leaves out nothing"
                .to_owned(),
        );
    };
    let known =
        labels.iter().map(|((thread, location), labels)| Invariant::of_labels(*location, *thread, labels));
    Invariants::Known(known.collect())
}
