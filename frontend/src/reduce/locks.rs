//! What locks protect, and what follows for the order of steps: Lipton's reduction for critical sections.
//!
//! At most one thread holds a [`Lock`], and then it is not free. A variable is *protected* by a lock if each edge that reads or writes it leaves a location that
//! holds the lock, or tests that the lock is free. So while a thread holds the lock, no other thread touches the variable. Hence, for a thread that
//! stays in a location which holds the lock:
//!
//! - What it did to protected variables *before*, coming here, commutes with all that others do while it is here; and so does what it does to them
//!   *next*, going away from here.
//! - Taking the lock can be delayed until it goes on from here, and releasing it can be done as soon as it is here: others do not write the
//!   lock meanwhile, and if they only ever test that it is free, and do nothing else with it, they do not take those steps while it is taken, and all
//!   other steps stay possible.
//!
//! With these steps invisible, large blocks ([`super::merge`]) make a step of a critical section. Data races are about the places in between,
//! so nothing of this is done where they are asked about.

use super::symbols::Symbols;
use crate::program::locks::Lock;
use crate::program::{Edge, LocationId, Program, Scope, Target, VariableId};
use smt::Term;

/// What nobody else touches while a thread holds a lock.
pub(super) struct Protection {
    locks: Vec<Lock>,
    /// By variable: the locks that protect it, by number; for a lock that others only test for being free, itself.
    by: Vec<Vec<usize>>,
}

impl Protection {
    /// In a program.
    pub(super) fn new(program: &Program, symbols: &Symbols) -> Protection {
        let races = program.properties.iter().any(|property| matches!(property.target, Target::Race(..)));
        let locks = if races || program.pool.is_none() { Vec::new() } else { Lock::all(program) };
        let all: Vec<usize> = (0..locks.len()).collect();
        let variables = program.variables.iter();
        let shared = variables.map(|variable| variable.scope == Scope::Shared);
        let mut by: Vec<Vec<usize>> =
            shared.map(|shared| if shared { all.clone() } else { Vec::new() }).collect();
        for (number, lock) in locks.iter().enumerate() {
            by[lock.variable.index()] = vec![number];
        }
        for edge in program.edges.iter().filter(|_| !locks.is_empty()) {
            let tested = edge.guard.conjuncts();
            let is_held = |number: &usize| locks[*number].held[edge.from.index()];
            let is_safe = |number: &usize| is_held(number) || tested.contains(&locks[*number].free);
            for id in touched(edge, symbols) {
                match locks.iter().position(|lock| lock.variable == id) {
                    // Who does not hold a lock may test that it is free, and take it.
                    Some(number) if !is_held(&number) && looks(edge, &locks[number], symbols) => {
                        by[id.index()].clear();
                    }
                    Some(_) => {}
                    None => by[id.index()].retain(is_safe),
                }
            }
        }
        Protection { locks, by }
    }

    /// Whether the variable is nobody else's business while a thread is in the location.
    pub(super) fn is_private(&self, variable: VariableId, location: LocationId) -> bool {
        self.by[variable.index()].iter().any(|&number| self.locks[number].held[location.index()])
    }
}

/// The terms of a step but its guard.
fn values(edge: &Edge) -> impl Iterator<Item = Term> {
    edge.assign.iter().chain(&edge.broadcast.assign).map(|&(_, term)| term)
}

/// What a step reads and writes.
fn touched(edge: &Edge, symbols: &Symbols) -> Vec<VariableId> {
    let read = std::iter::once(edge.guard).chain(values(edge)).flat_map(|term| symbols.reads(term));
    let mut touched: Vec<VariableId> = read.chain(edge.assign.iter().map(|&(id, _)| id)).collect();
    touched.sort_unstable();
    touched.dedup();
    touched
}

/// Whether an edge does anything with the lock but testing that it is free and taking it.
fn looks(edge: &Edge, lock: &Lock, symbols: &Symbols) -> bool {
    let reads = |term: Term| symbols.reads(term).any(|id| id == lock.variable);
    values(edge).any(reads) || edge.guard.conjuncts().into_iter().any(|part| part != lock.free && reads(part))
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
        let locks = Protection::new(&program, &Symbols::new(&program));
        for location in [one, third] {
            assert!(locks.is_private(data, location) && locks.is_private(lock, location));
        }
        assert!(!locks.is_private(data, end) && !locks.is_private(data, program.main));
    }

    #[test]
    fn one_access_without_the_lock_is_enough() {
        let (program, lock, data, [one, ..]) = section(false);
        let locks = Protection::new(&program, &Symbols::new(&program));
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
        let locks = Protection::new(&program, &Symbols::new(&program));
        assert!(!locks.is_private(lock, one) && locks.is_private(data, one));
    }

    #[test]
    fn who_releases_what_others_hold_breaks_it() {
        let (mut program, lock, data, [one, _, _, end]) = section(true);
        let mut release = edge(end, end);
        release.assign.push((lock, two(0)));
        program.edges.push(release);
        let locks = Protection::new(&program, &Symbols::new(&program));
        assert!(!locks.is_private(lock, one) && !locks.is_private(data, one));
    }
}
