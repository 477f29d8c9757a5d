//! Ways that start at the same location and meet again, as one edge that makes the case distinction itself.
//!
//! If the guards exclude each other, the guard of one says which of them is meant, and values are chosen by it.
//! Otherwise both may be possible at once, and a choice by guards would lose one: then an input of the joined edge
//! decides. Inputs of the same name, which come from what both have in common, become one; only one of the ways is
//! taken in a step.
//!
//! Ways that are exact are not joined with approximate ones, since a run through the latter proves nothing.

use super::Context;
use crate::program::{Edge, Input, VariableId};
use crate::reduce::compose::{Assign, common_origin};
use crate::reduce::formula::{are_exclusive, either};
use crate::reduce::inputs::Names;
use smt::{Sort, Symbol, Term};

/// Several ways in one.
struct Joined {
    edge: Edge,
    /// The guards of all of them.
    guards: Vec<Term>,
}

/// Joins what can be joined, in the order of the first ones.
pub(super) fn join(context: &Context<'_>, names: &mut Names, ways: Vec<Edge>) -> Vec<Edge> {
    let mut all: Vec<Joined> = Vec::new();
    for way in ways {
        let similar =
            |joined: &&mut Joined| joined.edge.from == way.from && joined.edge.approximate == way.approximate;
        match all.iter_mut().find(similar) {
            Some(joined) => add(context, names, joined, way),
            None => all.push(Joined { guards: vec![way.guard], edge: way }),
        }
    }
    all.into_iter().map(|joined| joined.edge).collect()
}

fn add(context: &Context<'_>, names: &mut Names, joined: &mut Joined, way: Edge) {
    let edge = &mut joined.edge;
    unite(&mut edge.inputs, &way.inputs);
    unite(&mut edge.broadcast.inputs, &way.broadcast.inputs);
    let condition = if joined.guards.iter().all(|&guard| are_exclusive(guard, way.guard)) {
        edge.guard = either(edge.guard, way.guard);
        way.guard
    } else {
        let choice = Input { name: names.fresh(Symbol::new("atomic.choice")), sort: Sort::Bool };
        let condition = choice.term();
        edge.guard = condition.ite(way.guard, edge.guard);
        edge.inputs.push(choice);
        condition
    };
    edge.assign = choose(condition, &way.assign, &edge.assign, |id| context.symbols.own(id));
    let broadcast = &mut edge.broadcast.assign;
    *broadcast = choose(condition, &way.broadcast.assign, broadcast, |id| context.symbols.passive(id));
    edge.origin = common_origin(&edge.origin, &way.origin);
    joined.guards.push(way.guard);
}

fn unite(inputs: &mut Vec<Input>, more: &[Input]) {
    for input in more {
        if !inputs.contains(input) {
            inputs.push(input.clone());
        }
    }
}

/// The values of `then` under the condition, otherwise those of `otherwise`; what only one of them assigns may keep its
/// value.
fn choose(condition: Term, then: &Assign, otherwise: &Assign, old: impl Fn(VariableId) -> Term) -> Assign {
    let mut ids: Vec<VariableId> = then.iter().chain(otherwise).map(|&(id, _)| id).collect();
    ids.sort_unstable();
    ids.dedup();
    let value = |assign: &Assign, id: VariableId| {
        assign.iter().find(|(assigned, _)| *assigned == id).map_or_else(|| old(id), |&(_, term)| term)
    };
    ids.into_iter().map(|id| (id, condition.ite(value(then, id), value(otherwise, id)))).collect()
}
