//! Locks, whatever they are called: shared variables that let one thread in at a time.
//!
//! A variable is a lock if it has a *free* value, its first one, and every step that writes it either *acquires* it (the step needs that it is
//! free, and makes it something else) or *releases* it (makes it free) where the thread holds it on all ways. Then at most one thread
//! holds it: by induction, a holder exists only while it is not free, so that no other thread can acquire it. What a thread holds at a location is a
//! fixed point over the edges; what it holds on all ways is what counts.

use frontend::program::{DataType, Edge, LocationId, Program, Scope, VariableId};
use smt::{Op, Term};

/// The locks of a program.
pub(super) struct Locks {
    /// For each lock, by location: whether threads there hold it.
    held: Vec<Vec<bool>>,
}

/// What a step does to a lock.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    None,
    Acquire,
    Release,
}

impl Locks {
    pub(super) fn new(program: &Program) -> Locks {
        let ids = (0..program.variables.len()).map(|index| VariableId(index as u32));
        Locks { held: ids.filter_map(|id| held(program, id)).collect() }
    }

    /// Whether no two threads can be at these places at once.
    pub(super) fn exclude(&self, first: LocationId, second: LocationId) -> bool {
        self.held.iter().any(|held| held[first.index()] && held[second.index()])
    }
}

/// Where the variable is held, if it is a lock.
fn held(program: &Program, id: VariableId) -> Option<Vec<bool>> {
    let variable = program.variable(id);
    if variable.scope != Scope::Shared || matches!(variable.data_type, DataType::Array { .. }) {
        return None;
    }
    let free = Term::value(variable.init.as_ref()?);
    let is_free = variable.term().equals(free);
    let effects: Option<Vec<Effect>> =
        program.edges.iter().map(|edge| effect(edge, id, free, is_free)).collect();
    let effects = effects?;
    if !effects.contains(&Effect::Acquire) {
        return None;
    }
    let mut held = vec![true; program.locations.len()];
    held[program.main.index()] = false;
    program.pool.iter().for_each(|pool| held[pool.index()] = false);
    loop {
        let mut changed = false;
        for (edge, effect) in program.edges.iter().zip(&effects) {
            let after = match effect {
                Effect::None => held[edge.from.index()],
                Effect::Acquire => true,
                Effect::Release => false,
            };
            changed |= held[edge.to.index()] && !after;
            held[edge.to.index()] &= after;
        }
        if !changed {
            break;
        }
    }
    let mut releases = program.edges.iter().zip(&effects).filter(|(_, effect)| **effect == Effect::Release);
    releases.all(|(edge, _)| held[edge.from.index()]).then_some(held)
}

/// None if the step does something that locks do not allow.
fn effect(edge: &Edge, id: VariableId, free: Term, is_free: Term) -> Option<Effect> {
    let Some((_, value)) = edge.assign.iter().find(|(variable, _)| *variable == id) else {
        return Some(Effect::None);
    };
    if *value == free {
        return Some(Effect::Release);
    }
    let needs_free =
        edge.guard == is_free || (*edge.guard.op() == Op::And && edge.guard.args().contains(&is_free));
    (value.as_value().is_some() && needs_free).then_some(Effect::Acquire)
}
