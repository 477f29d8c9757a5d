//! Drops edges whose guard compares one term with numbers in a way that no value satisfies, `0 <= n && n < 10 && n >= 20u`, and comparisons in guards that others decide.
//!
//! Nothing else is lost: such an edge is never taken. It matters, because a value that is chosen freely has too many values to try them all, and so an edge that nobody can take would
//! stand in the way of saying that everything was tried. What comparisons say is in [`smt::ranges`].

use crate::program::Program;
use rustc_hash::FxHashMap;
use smt::{Term, ranges};

/// Drops the edges, and simplifies the guards of the others.
pub(super) fn run(program: &mut Program) {
    let mut known: FxHashMap<Term, Term> = FxHashMap::default();
    for edge in &mut program.edges {
        edge.guard = *known.entry(edge.guard).or_insert_with(|| ranges::simplified(edge.guard));
    }
    program.edges.retain(|edge| !edge.guard.is_false());
}
