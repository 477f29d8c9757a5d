//! Whether there are data races, as far as that can be told quickly: not a question of the user, but what an answer assumes.
//!
//! Sequential consistency is no assumption in a program without data races. Three things exclude a race: a lock that both threads would hold
//! ([`Lock`]), that the other thread does not exist yet, and an exploration of all states of few threads, if they are few. The answer depends
//! on the program alone, not on the time.

use crate::search::{Found, Search};
use frontend::program::locks::Lock;
use frontend::program::{LocationId, Program, PropertyKind, Target};
use frontend::reduce;
use rustc_hash::FxHashMap;
use smt::Term;
use std::sync::atomic::AtomicBool;

/// How many states are looked at with each number of threads.
const STATES: usize = 20_000;

/// What is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Races {
    /// There is none.
    None,
    /// A real run leads to this one.
    Real(String),
    /// There may be one.
    Open,
}

/// Looks for the races that are properties of the program; others are not asked for.
pub fn races(mut program: Program, threads: usize, interrupt: &AtomicBool) -> Races {
    // Not all pairs of accesses were looked at.
    if program.properties.iter().any(|property| property.name == "race.limit") {
        return Races::Open;
    }
    program.properties.retain(|property| property.kind == PropertyKind::DataRace);
    let (mut program, _) = reduce::reduce(program, &reduce::Options::default());
    let locks = Lock::all(&program);
    let alone = alone(&program);
    let pool = program.pool;
    program.properties.retain(|property| match &property.target {
        Target::Race(first, second) => {
            let (first, second) = (first.location, second.location);
            let single = |one: LocationId, other| alone[one.index()] && Some(other) != pool;
            !(locks.iter().any(|lock| lock.excludes(first, second))
                || single(first, second)
                || single(second, first))
        }
        Target::Location(_) => true,
    });
    if program.properties.is_empty() || pool.is_none() {
        return Races::None;
    }
    let (program, _) = reduce::reduce(program, &reduce::Options::default());
    match Search::new(&program, threads).within(STATES, interrupt) {
        Some(Found::Exhausted(_) | Found::Orders(_)) => Races::None,
        Some(Found::Bug(bug)) => {
            let race = program.properties.get(bug.property);
            race.map_or(Races::Open, |race| Races::Real(program.describe(race, None)))
        }
        None => Races::Open,
    }
}

/// By location: whether only the initial thread is ever there, and no other has left the pool by then.
fn alone(program: &Program) -> Vec<bool> {
    let mut alone = vec![false; program.locations.len()];
    let Some(pool) = program.pool else { return alone };
    let starts: Vec<Term> =
        program.edges.iter().filter(|edge| edge.from == pool).map(|edge| edge.guard).collect();
    let first: FxHashMap<Term, Term> = program
        .variables
        .iter()
        .filter_map(|variable| Some((variable.term(), Term::value(variable.init.as_ref()?))))
        .collect();
    if !starts.iter().all(|guard| guard.substitute(&first).is_false()) {
        return alone;
    }
    let awaited: Vec<Term> = starts.iter().flat_map(|guard| guard.constants()).collect();
    let creates = |edge: &frontend::program::Edge| {
        edge.assign.iter().any(|(variable, _)| awaited.contains(&program.variable(*variable).term()))
    };
    let edges = program.edges_from();
    let walk = |starts: Vec<LocationId>, stop: &dyn Fn(&frontend::program::Edge) -> bool| {
        let mut reached = vec![false; program.locations.len()];
        let mut open = starts;
        while let Some(location) = open.pop() {
            if !std::mem::replace(&mut reached[location.index()], true) {
                let next = edges[location.index()].iter().map(|edge| program.edge(*edge));
                open.extend(next.filter(|edge| !stop(edge)).map(|edge| edge.to));
            }
        }
        reached
    };
    let created: Vec<LocationId> =
        program.edges.iter().filter(|edge| creates(edge)).map(|edge| edge.to).collect();
    let later = walk(created.into_iter().chain([pool]).collect(), &|_| false);
    let before = walk(vec![program.main], &|edge| creates(edge));
    for (location, alone) in alone.iter_mut().enumerate() {
        *alone = before[location] && !later[location];
    }
    alone
}

#[cfg(test)]
mod tests;
