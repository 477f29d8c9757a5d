//! Data races as targets (C11 5.1.2.4, 3.14): two threads, each about to access the same memory location, at least one to change it, at least
//! one by a plain access.
//!
//! | | plain | atomic operation | in an atomic section |
//! |---|---|---|---|
//! | plain | race | race | race |
//! | atomic operation | race | - | - |
//! | in an atomic section | race | - | - |
//!
//! - Sections (`__VERIFIER_atomic_begin`, `__CPROVER_atomic_begin`, functions named `__VERIFIER_atomic_*`) are atomic for each other and for atomic
//!   operations, as SV-COMP has it. Whoever accesses the same memory outside of any is not protected.
//! - `atomic_init` is a plain write. `free` writes the whole object.
//! - What the library does with the user's memory is the user's access, at the call: strings, the handle of a new thread, the result of a join.
//! - What synchronisation does with its own objects (mutexes, semaphores, `once` controls) is no access: to initialise one while others use
//!   it is not found.
//! - In interleavings an atomic operation orders everything. That weaker orders order less is an assumption of the answer.

use crate::program::{LocationId, Position, Program, Property, PropertyKind, RaceAccess, Target, VariableId};
use rustc_hash::FxHashMap;
use smt::Term;
use std::collections::BTreeMap;

/// With more pairs of accesses than these, not all are looked at.
const MAX_PAIRS: usize = 50_000;

/// The name of the property that says so.
const TOO_MANY: &str = "race.limit";

/// What protects an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Plain,
    Atomic,
    Section,
}

/// What an access does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Does {
    Reads,
    Writes,
    Frees,
}

/// Which part of a variable is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Extent {
    Whole,
    /// So many elements from this one on.
    Elements(Term, u32),
    /// All elements of one of the objects of an allocation site: its number, and how many elements each object has.
    Object(u64, u64),
}

/// A place just before an access to shared memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RaceSite {
    pub location: LocationId,
    pub variable: VariableId,
    pub extent: Extent,
    /// The first bit of the scalar, and the one behind the last.
    pub bits: (u32, u32),
    pub does: Does,
    pub kind: Kind,
    pub position: Position,
    /// The code that the thread runs.
    pub root: u32,
}

impl RaceSite {
    fn conflicts(&self, other: &RaceSite) -> bool {
        let overlap = self.bits.0 < other.bits.1 && other.bits.0 < self.bits.1;
        let changes = self.does != Does::Reads || other.does != Does::Reads;
        let unprotected = self.kind == Kind::Plain || other.kind == Kind::Plain;
        // The initial thread is alone in its code.
        let two_threads = self.root != 0 || other.root != 0;
        overlap && changes && unprotected && two_threads
    }

    fn access(&self, index: Option<Term>) -> RaceAccess {
        RaceAccess { location: self.location, index, write: self.does != Does::Reads }
    }
}

/// Pairs of indices; the parts have something in common if the indices of one pair are equal, or if there are none.
fn meetings(first: Extent, second: Extent) -> Vec<(Option<Term>, Option<Term>)> {
    let always = vec![(None, None)];
    let known = |condition: bool| if condition { vec![(None, None)] } else { Vec::new() };
    let number = |term: Term| term.as_bits().and_then(|bits| bits.to_u128());
    match (first, second) {
        (Extent::Whole, _) | (_, Extent::Whole) => always,
        (Extent::Object(one, _), Extent::Object(other, _)) => known(one == other),
        (Extent::Elements(index, _), Extent::Object(object, each)) => {
            let (mine, other) = (quotient(index, each), Term::bv(index.width(), u128::from(object)));
            match number(mine) {
                Some(mine) => known(mine == u128::from(object)),
                None => vec![(Some(mine), Some(other))],
            }
        }
        (Extent::Object(..), Extent::Elements(..)) => {
            meetings(second, first).into_iter().map(|(one, other)| (other, one)).collect()
        }
        (Extent::Elements(one, count), Extent::Elements(other, other_count)) => {
            if let (Some(one), Some(other)) = (number(one), number(other)) {
                return known(one < other + u128::from(other_count) && other < one + u128::from(count));
            }
            let plus = |term: Term, n: u32| term.bv_add(Term::bv(term.width(), u128::from(n)));
            let behind = (0..other_count).map(|n| (Some(one), Some(plus(other, n))));
            let before = (1..count).map(|n| (Some(plus(one, n)), Some(other)));
            behind.chain(before).collect()
        }
    }
}

fn quotient(term: Term, by: u64) -> Term {
    let literal = |n: u64| Term::bv(term.width(), u128::from(n));
    if by.is_power_of_two() {
        term.bv_lshr(literal(u64::from(by.trailing_zeros())))
    } else {
        term.bv_udiv(literal(by.max(1)))
    }
}

/// Several accesses at one place to the same part of memory are one: a read and a write of an atomic operation.
fn distinct(sites: &[RaceSite]) -> BTreeMap<VariableId, Vec<RaceSite>> {
    let mut known: FxHashMap<(LocationId, VariableId, Extent, (u32, u32)), usize> = FxHashMap::default();
    let mut by_variable: BTreeMap<VariableId, Vec<RaceSite>> = BTreeMap::new();
    for site in sites {
        let list = by_variable.entry(site.variable).or_default();
        let key = (site.location, site.variable, site.extent, site.bits);
        match known.get(&key) {
            Some(&at) => list[at].does = list[at].does.max(site.does),
            None => {
                known.insert(key, list.len());
                list.push(*site);
            }
        }
    }
    by_variable
}

/// One property for each pair of conflicting places.
pub(crate) fn properties(program: &mut Program, sites: &[RaceSite]) {
    let mut count = 0;
    for (variable, sites) in distinct(sites) {
        for (index, first) in sites.iter().enumerate() {
            for second in sites[index..].iter().filter(|second| first.conflicts(second)) {
                for (one, other) in meetings(first.extent, second.extent) {
                    if count == MAX_PAIRS {
                        return too_many(program);
                    }
                    count += 1;
                    let description = describe(program, variable, first, second);
                    program.properties.push(Property {
                        name: format!("race.{count}"),
                        kind: PropertyKind::DataRace,
                        description,
                        position: first.position,
                        target: Target::Race(first.access(one), second.access(other)),
                    });
                }
            }
        }
    }
}

/// What goes wrong; the places are those of the target.
fn describe(program: &Program, variable: VariableId, first: &RaceSite, second: &RaceSite) -> String {
    let name = program.variable(variable).name;
    let either = |kind: Kind| first.kind == kind || second.kind == kind;
    let reason = if first.does == Does::Frees || second.does == Does::Frees {
        " that is freed"
    } else if either(Kind::Atomic) {
        " between an atomic and a plain access"
    } else if either(Kind::Section) {
        " between accesses inside and outside of an atomic section"
    } else {
        ""
    };
    format!("data race on {name}{reason}")
}

/// Nothing is known about the pairs that were not looked at.
fn too_many(program: &mut Program) {
    let description = format!(
        "there are more than {MAX_PAIRS} pairs of accesses that may be in a data race: not all are looked at; split the program"
    );
    let position = program.location(program.main).position;
    program.properties.push(Property {
        name: TOO_MANY.to_owned(),
        kind: PropertyKind::Limit,
        description,
        position,
        target: Target::Location(program.main),
    });
}

#[cfg(test)]
mod tests;
