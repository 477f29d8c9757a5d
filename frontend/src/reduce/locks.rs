//! Locks, what they protect, and what follows for the order of steps: Lipton's reduction for critical sections.
//!
//! A *lock* is a shared variable with a literal for "free", its initial value. All edges assign literals to it; one that assigns another literal tests that it is
//! free (it *takes* the lock), and one that assigns "free" (it *releases* the lock) leaves a location where the thread holds it. A thread
//! holds a lock in a location if on all ways there it was taken and not released since.
//!
//! *At most one thread is in locations that hold the lock, and then it is not free.* At the start none is. Who takes it finds it free, so nobody holds
//! it. Who releases it is the one that holds it, and goes to a location that does not. All other edges into a location that holds come from
//! one that holds.
//!
//! A variable is *protected* by a lock if each edge that reads or writes it leaves a location that holds the lock, or tests that the lock is free. So while a thread
//! holds the lock, no other thread touches the variable. Hence, for a thread that stays in a location which holds the lock:
//!
//! - What it did to protected variables *before*, coming here, commutes with all that others do while it is here; and so does what it does to them
//!   *next*, going away from here.
//! - Taking the lock can be delayed until it goes on from here, and releasing it can be done as soon as it is here: others do not write the
//!   lock meanwhile, and if they only ever test that it is free, and do nothing else with it, they do not take those steps while it is taken, and all
//!   other steps stay possible.
//!
//! With these steps invisible, large blocks ([`super::merge`]) make a step of a critical section. Data races are about the places in between,
//! so nothing of this is done where they are asked about.

use super::formula::conjuncts;
use super::symbols::Symbols;
use crate::program::{Edge, LocationId, Program, Scope, Target, VariableId};
use rustc_hash::FxHashMap;
use smt::Term;
use std::collections::VecDeque;

/// More locks than these are not looked at.
const MOST: usize = 64;

/// Locks as a set of bits.
type Set = u64;

/// Who holds what, where, and what for.
pub(super) struct Locks {
    /// By location: the locks that a thread there holds.
    held: Vec<Set>,
    /// By variable: the locks that protect it.
    protected: Vec<Set>,
    /// By variable: itself, if it is a lock that others only test for being free.
    taken: Vec<Set>,
}

struct Candidate {
    variable: VariableId,
    /// The term that says that it is free.
    free: Term,
    value: Term,
}

impl Locks {
    /// Of a program.
    pub(super) fn new(program: &Program, symbols: &Symbols) -> Locks {
        let candidates = candidates(program);
        let races = program.properties.iter().any(|property| matches!(property.target, Target::Race(..)));
        if candidates.is_empty() || races || program.pool.is_none() {
            return Locks { held: Vec::new(), protected: Vec::new(), taken: Vec::new() };
        }
        let effects: Vec<Effect> = program.edges.iter().map(|edge| Effect::new(edge, &candidates)).collect();
        let mut valid: Set = effects.iter().fold(Set::MAX, |valid, effect| valid & !effect.wrong);
        let held = held(program, &effects);
        for (edge, effect) in program.edges.iter().zip(&effects) {
            valid &= !effect.released | held[edge.from.index()];
        }
        let held: Vec<Set> = held.into_iter().map(|set| set & valid).collect();
        let mut protected: Vec<Set> = program
            .variables
            .iter()
            .map(|variable| if variable.scope == Scope::Shared { valid } else { 0 })
            .collect();
        let mut taken = vec![0; program.variables.len()];
        for (number, candidate) in candidates.iter().enumerate() {
            protected[candidate.variable.index()] = 0;
            taken[candidate.variable.index()] = 1 << number & valid;
        }
        for (edge, effect) in program.edges.iter().zip(&effects) {
            let here = held[edge.from.index()] | (effect.tested & valid);
            let values = edge.assign.iter().chain(&edge.broadcast.assign).map(|&(_, term)| term);
            let read = std::iter::once(edge.guard).chain(values).flat_map(|term| symbols.reads(term));
            for id in read.chain(edge.assign.iter().map(|&(id, _)| id)) {
                protected[id.index()] &= here;
            }
            // Who does not hold a lock may test that it is free, and take it.
            for (number, candidate) in candidates.iter().enumerate() {
                let bit = 1 << number;
                if held[edge.from.index()] & bit == 0 && effect.looks(edge, candidate, symbols) {
                    taken[candidate.variable.index()] = 0;
                }
            }
        }
        Locks { held, protected, taken }
    }

    /// Whether the variable is nobody else's business while a thread is in the location.
    pub(super) fn is_private(&self, variable: VariableId, location: LocationId) -> bool {
        let Some(held) = self.held.get(location.index()) else { return false };
        held & (self.protected[variable.index()] | self.taken[variable.index()]) != 0
    }
}

/// What an edge does with locks.
struct Effect {
    tested: Set,
    taken: Set,
    released: Set,
    /// These are no locks.
    wrong: Set,
}

impl Effect {
    fn new(edge: &Edge, candidates: &[Candidate]) -> Effect {
        let mut effect = Effect { tested: 0, taken: 0, released: 0, wrong: 0 };
        let guard = conjuncts(edge.guard);
        let assigned: FxHashMap<VariableId, Term> = edge.assign.iter().copied().collect();
        for (number, candidate) in candidates.iter().enumerate() {
            let bit = 1 << number;
            let is_tested = guard.contains(&candidate.free);
            effect.tested |= if is_tested { bit } else { 0 };
            match assigned.get(&candidate.variable) {
                None => {}
                // A critical section that is one step already.
                Some(value) if *value == candidate.value && is_tested => {}
                Some(value) if *value == candidate.value => effect.released |= bit,
                Some(_) if is_tested => effect.taken |= bit,
                Some(_) => effect.wrong |= bit,
            }
        }
        effect
    }

    /// Whether an edge does anything with the lock but testing that it is free and taking it.
    fn looks(&self, edge: &Edge, candidate: &Candidate, symbols: &Symbols) -> bool {
        let reads = |term: Term| symbols.reads(term).any(|id| id == candidate.variable);
        edge.assign.iter().chain(&edge.broadcast.assign).any(|&(_, term)| reads(term))
            || conjuncts(edge.guard).into_iter().any(|part| part != candidate.free && reads(part))
    }
}

/// Variables that may be locks.
fn candidates(program: &Program) -> Vec<Candidate> {
    let mut assigned: Vec<Option<bool>> = vec![None; program.variables.len()];
    for (id, term) in program.edges.iter().flat_map(|edge| &edge.assign) {
        let literal = term.as_bits().is_some() || term.as_bool().is_some();
        let known = assigned[id.index()].get_or_insert(true);
        *known &= literal;
    }
    let mut found = Vec::new();
    for (index, variable) in program.variables.iter().enumerate() {
        let Some(value) = variable.init.as_ref().map(Term::value) else { continue };
        let is_literal = value.as_bits().is_some() || value.as_bool().is_some();
        if variable.scope == Scope::Shared
            && assigned[index] == Some(true)
            && is_literal
            && found.len() < MOST
        {
            let free = variable.term().equals(value);
            found.push(Candidate { variable: VariableId(index as u32), free, value });
        }
    }
    found
}

/// The locks that were taken and not released on all ways to each location.
fn held(program: &Program, effects: &[Effect]) -> Vec<Set> {
    let edges_from = program.edges_from();
    let mut held = vec![Set::MAX; program.locations.len()];
    let mut open: VecDeque<LocationId> = program.pool.into_iter().chain([program.main]).collect();
    open.iter().for_each(|start| held[start.index()] = 0);
    let mut reached = vec![false; program.locations.len()];
    while let Some(location) = open.pop_front() {
        reached[location.index()] = true;
        for &id in &edges_from[location.index()] {
            let (edge, effect) = (program.edge(id), &effects[id.index()]);
            let after = (held[location.index()] & !effect.released) | effect.taken;
            let before = held[edge.to.index()];
            held[edge.to.index()] &= after;
            if held[edge.to.index()] != before || !reached[edge.to.index()] {
                reached[edge.to.index()] = true;
                open.push_back(edge.to);
            }
        }
    }
    held
}

#[cfg(test)]
mod tests {
    use super::super::samples::{Builder, edge, two};
    use super::*;

    /// Threads take a lock, write a variable twice, and release the lock.
    fn section(careful: bool) -> (Program, VariableId, VariableId, [LocationId; 4]) {
        let mut builder = Builder::new();
        let (lock, data) = (builder.shared("lock", Some(0)), builder.shared("data", Some(0)));
        let pool = builder.pool();
        let places = builder.locations();
        let [one, second, third, end] = places;
        let mut take = edge(pool, one);
        take.guard = lock.1.equals(two(0));
        take.assign.push((lock.0, two(1)));
        builder.program.edges.push(take);
        for (from, to) in [(one, second), (second, third)] {
            let mut write = edge(from, to);
            write.assign.push((data.0, data.1.bv_add(two(1))));
            builder.program.edges.push(write);
        }
        let mut release = edge(third, end);
        release.assign.push((lock.0, two(0)));
        builder.program.edges.push(release);
        if !careful {
            let mut write = edge(end, end);
            write.assign.push((data.0, two(3)));
            builder.program.edges.push(write);
        }
        (builder.program, lock.0, data.0, places)
    }

    #[test]
    fn critical_sections() {
        let (program, lock, data, [one, _, third, end]) = section(true);
        let locks = Locks::new(&program, &Symbols::new(&program));
        for location in [one, third] {
            assert!(locks.is_private(data, location) && locks.is_private(lock, location));
        }
        assert!(!locks.is_private(data, end) && !locks.is_private(data, program.main));
    }

    #[test]
    fn one_access_without_the_lock_is_enough() {
        let (program, lock, data, [one, ..]) = section(false);
        let locks = Locks::new(&program, &Symbols::new(&program));
        assert!(!locks.is_private(data, one));
        assert!(locks.is_private(lock, one), "it is still a lock");
    }

    #[test]
    fn who_looks_whether_it_is_taken_notices() {
        let (mut program, lock, data, [one, _, _, end]) = section(true);
        let mut look = edge(end, one);
        look.to = end;
        look.guard = program.variable(lock).term().equals(two(1));
        program.edges.push(look);
        let locks = Locks::new(&program, &Symbols::new(&program));
        assert!(!locks.is_private(lock, one) && locks.is_private(data, one));
    }

    #[test]
    fn who_releases_what_others_hold_breaks_it() {
        let (mut program, lock, data, [one, _, _, end]) = section(true);
        let mut release = edge(end, end);
        release.assign.push((lock, two(0)));
        program.edges.push(release);
        let locks = Locks::new(&program, &Symbols::new(&program));
        assert!(!locks.is_private(lock, one) && !locks.is_private(data, one));
    }
}
