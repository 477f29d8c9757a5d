//! Locks, whatever they are called: shared variables that let one thread in at a time.
//!
//! A *lock* has a literal for "free", its initial value. An edge that assigns another literal to it tests that it is free (it *takes* the lock), and one that assigns
//! "free" without that test (it *releases* the lock) leaves a location where the thread holds it. A thread holds a lock in a location if on all ways there
//! it was taken and not released since.
//!
//! *At most one thread is in locations that hold the lock, and then it is not free.* At the start none is. Who takes it finds it free, so nobody holds
//! it. Who releases it is the one that holds it, and goes to a location that does not. All other edges into a location that holds come from
//! one that holds.

use super::{EdgeId, LocationId, Program, Scope, VariableId};
use rustc_hash::FxHashMap;
use smt::{Sort, Term};
use std::collections::VecDeque;

/// A lock of a program.
#[derive(Clone, Debug)]
pub struct Lock {
    /// The variable.
    pub variable: VariableId,
    /// The term that says that it is free.
    pub free: Term,
    /// By location: whether threads there hold it.
    pub held: Vec<bool>,
}

/// What a step does to a lock.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    Takes,
    Releases,
}

impl Lock {
    /// All locks of a program.
    pub fn all(program: &Program) -> Vec<Lock> {
        let edges_from = program.edges_from();
        let mut writes: Vec<Vec<(usize, Term)>> = vec![Vec::new(); program.variables.len()];
        for (index, edge) in program.edges.iter().enumerate() {
            edge.assign.iter().for_each(|(id, term)| writes[id.index()].push((index, *term)));
        }
        let ids = (0..program.variables.len() as u32).map(VariableId);
        ids.zip(&writes).filter_map(|(id, writes)| Lock::new(program, id, writes, &edges_from)).collect()
    }

    /// Whether no two threads can be at these places at once.
    pub fn excludes(&self, first: LocationId, second: LocationId) -> bool {
        self.held[first.index()] && self.held[second.index()]
    }

    /// The variable as a lock, if it is one; it is written by these edges.
    fn new(
        program: &Program,
        id: VariableId,
        writes: &[(usize, Term)],
        edges_from: &[Vec<EdgeId>],
    ) -> Option<Lock> {
        let variable = program.variable(id);
        if variable.scope != Scope::Shared || matches!(variable.data_type.sort(), Sort::Array(_)) {
            return None;
        }
        let value = Term::value(variable.init.as_ref()?);
        let free = variable.term().equals(value);
        let mut effects: FxHashMap<usize, Effect> = FxHashMap::default();
        for &(index, new) in writes {
            let is_tested = program.edges[index].guard.conjuncts().contains(&free);
            let effect = match is_tested {
                // It is free and stays so.
                true if new == value => continue,
                true if new.as_value().is_some() => Effect::Takes,
                false if new == value => Effect::Releases,
                _ => return None,
            };
            effects.insert(index, effect);
        }
        if !effects.values().any(|effect| *effect == Effect::Takes) {
            return None;
        }
        let held = held(program, &effects, edges_from);
        let mut releases = effects.iter().filter(|(_, effect)| **effect == Effect::Releases);
        let is_lock = releases.all(|(&index, _)| held[program.edges[index].from.index()]);
        is_lock.then_some(Lock { variable: id, free, held })
    }
}

/// Where the lock was taken and not released on all ways.
fn held(program: &Program, effects: &FxHashMap<usize, Effect>, edges_from: &[Vec<EdgeId>]) -> Vec<bool> {
    let mut held = vec![true; program.locations.len()];
    let mut reached = vec![false; program.locations.len()];
    let mut open: VecDeque<LocationId> = program.pool.into_iter().chain([program.main]).collect();
    for start in &open {
        held[start.index()] = false;
        reached[start.index()] = true;
    }
    while let Some(location) = open.pop_front() {
        for &id in &edges_from[location.index()] {
            let to = program.edge(id).to.index();
            let after = match effects.get(&id.index()) {
                None => held[location.index()],
                Some(Effect::Takes) => true,
                Some(Effect::Releases) => false,
            };
            let is_less = held[to] && !after;
            held[to] &= after;
            if !std::mem::replace(&mut reached[to], true) || is_less {
                open.push_back(program.edge(id).to);
            }
        }
    }
    held
}
