//! What a thread knows of a lock that it holds: it is not free.
//!
//! While a thread is in a location that holds a [`Lock`], the lock is not free ([`crate::program::locks`]). So in the steps out of such a location the test that it is free is false, and if
//! everybody who takes it assigns the same literal, the lock is that literal. A test before the release, which is there to find who releases what is not locked, then decides
//! nothing, and what is left of a critical section may be one step, of which the lock is no part.

use crate::program::Program;
use crate::program::locks::Lock;
use rustc_hash::FxHashMap;
use smt::{Substitution, Term};

/// Puts in what is known.
pub(super) fn run(program: &mut Program) {
    if program.pool.is_none() {
        return;
    }
    for lock in Lock::all(program) {
        let mut known = Substitution::new(FxHashMap::from_iter([value(program, &lock)]));
        for edge in &mut program.edges {
            if lock.held[edge.from.index()] {
                edge.guard = known.apply(edge.guard);
                for (_, term) in edge.assign.iter_mut().chain(&mut edge.broadcast.assign) {
                    *term = known.apply(*term);
                }
            }
        }
    }
    program.edges.retain(|edge| !edge.guard.is_false());
}

/// A term about the lock, and what it is where the lock is held.
fn value(program: &Program, lock: &Lock) -> (Term, Term) {
    let variable = program.variable(lock.variable).term();
    let is_free = |value| lock.free.substitute(&FxHashMap::from_iter([(variable, value)])).is_true();
    let assigned = program.edges.iter().filter_map(|edge| edge.assigned(lock.variable));
    let mut taken = assigned.filter(|&value| !is_free(value));
    match taken.next() {
        Some(literal) if taken.all(|other| other == literal) => (variable, literal),
        _ => (lock.free, Term::fls()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{Builder, edge, two};
    use super::*;
    use crate::program::LocationId;

    /// Threads take a lock with one of some literals, go to an error if it is free, and release it if it is not.
    fn program(literals: &[u128], early: bool) -> Program {
        let mut builder = Builder::new();
        let lock = builder.shared("lock", Some(0));
        let pool = builder.pool();
        let error = builder.error("not locked");
        let [inside, end] = builder.locations();
        for &literal in literals {
            let mut take = edge(pool, inside);
            take.guard = lock.1.equals(two(0));
            take.assign.push((lock.0, two(literal)));
            builder.program.edges.push(take);
        }
        builder.guard(inside, error, lock.1.equals(two(0)));
        let mut release = edge(inside, end);
        release.guard = lock.1.distinct(two(0));
        release.assign.push((lock.0, two(0)));
        builder.program.edges.push(release);
        if early {
            builder.assign(end, LocationId(0), lock.0, two(0));
        }
        builder.program
    }

    #[test]
    fn what_is_held_is_not_free() {
        for literals in [&[1][..], &[1, 2]] {
            let mut held = program(literals, false);
            run(&mut held);
            assert_eq!(held.edges.len(), literals.len() + 1, "the error is impossible");
            assert!(held.edges[literals.len()].guard.is_true());
        }
    }

    #[test]
    fn who_releases_what_others_hold_keeps_the_tests() {
        let mut held = program(&[1], true);
        let before = held.edges.clone();
        run(&mut held);
        assert_eq!(held.edges.len(), before.len());
    }
}
