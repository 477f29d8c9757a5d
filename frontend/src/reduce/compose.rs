//! Two steps of one thread, one right after the other, as a single step.
//!
//! The second step sees what the first one assigned: each variable in it is replaced by its value after the first. Its
//! broadcast sees the active thread and the shared variables after the first step, and passive copies after the first
//! broadcast: `x@P` is replaced by what the first broadcast assigned to `x`. Both broadcasts choose their inputs anew
//! for each passive thread. The names of inputs must be apart: see [`super::inputs::make_unique`].

use super::formula::tighten;
use super::symbols::Symbols;
use crate::program::{Broadcast, Edge, Origin, VariableId};
use rustc_hash::FxHashMap;
use smt::{Substitution, Term};

/// Assigned variables and their values.
pub(super) type Assign = Vec<(VariableId, Term)>;

/// `first` and then `second`; nothing if that is never possible.
pub(super) fn compose(symbols: &Symbols, first: &Edge, second: &Edge) -> Option<Edge> {
    let mut after = after(symbols, first);
    let guard = tighten(first.guard.and(after.apply(second.guard)));
    if guard.is_false() {
        return None;
    }
    let assign = overwrite(&first.assign, &second.assign, |term| after.apply(term));
    let mut edge = Edge {
        from: first.from,
        to: second.to,
        guard,
        assign,
        inputs: first.inputs.iter().chain(&second.inputs).cloned().collect(),
        broadcast: compose_broadcasts(symbols, first, second),
        approximate: first.approximate.or(second.approximate),
        origin: chain(&first.origin, &second.origin),
    };
    drop_identities(symbols, &mut edge);
    Some(edge)
}

/// Both, with what is said several times in a row said once.
fn chain(first: &[Origin], second: &[Origin]) -> Vec<Origin> {
    let mut all: Vec<Origin> = first.iter().chain(second).copied().collect();
    all.dedup();
    all
}

/// The replacement of variables by their values after the step.
pub(super) fn after(symbols: &Symbols, edge: &Edge) -> Substitution {
    Substitution::new(edge.assign.iter().map(|&(id, term)| (symbols.own(id), term)).collect())
}

fn compose_broadcasts(symbols: &Symbols, first: &Edge, second: &Edge) -> Broadcast {
    if second.broadcast.is_empty() {
        return first.broadcast.clone();
    }
    let own = first.assign.iter().map(|&(id, term)| (symbols.own(id), term));
    let passive = first.broadcast.assign.iter().map(|&(id, term)| (symbols.passive(id), term));
    let map: FxHashMap<Term, Term> = own.chain(passive).collect();
    let mut after = Substitution::new(map);
    Broadcast {
        assign: overwrite(&first.broadcast.assign, &second.broadcast.assign, |term| after.apply(term)),
        inputs: first.broadcast.inputs.iter().chain(&second.broadcast.inputs).cloned().collect(),
    }
}

/// The assignments of both, sorted by variable, the later ones changed by `apply`; they win.
fn overwrite(first: &Assign, second: &Assign, mut apply: impl FnMut(Term) -> Term) -> Assign {
    let mut all: Assign = second.iter().map(|&(id, term)| (id, apply(term))).collect();
    all.extend(first);
    // A stable sort: of two assignments to the same variable, that of the second step comes first and stays.
    all.sort_by_key(|&(id, _)| id);
    all.dedup_by_key(|&mut (id, _)| id);
    all
}

/// Drops assignments of variables to themselves.
pub(super) fn drop_identities(symbols: &Symbols, edge: &mut Edge) {
    edge.assign.retain(|&(id, term)| term != symbols.own(id));
    edge.broadcast.assign.retain(|&(id, term)| term != symbols.passive(id));
}

/// Whether the step changes nothing but, perhaps, the thread's location.
pub(super) fn has_no_effect(edge: &Edge) -> bool {
    edge.assign.is_empty() && edge.broadcast.is_empty()
}

/// What was surely executed, if one of two ways to do the same was taken: what both begin with.
pub(super) fn common_origin(first: &[Origin], second: &[Origin]) -> Vec<Origin> {
    first.iter().zip(second).take_while(|(a, b)| a == b).map(|(origin, _)| *origin).collect()
}
