//! Linear invariants: pruning by the state equation, generalised to shared states and transfers.
//!
//! Weights w for shared states and y >= 0 for local states such that no step increases w(s) + y * threads give
//! an upper bound for every run; a state above it is uncoverable. By Farkas' lemma such weights exist for
//! exactly those states that the state equation of the net, relaxed to the rationals, excludes.

mod find;
mod pruner;
mod simplex;

pub(crate) use pruner::Pruner;

use crate::proof::Invariant;
use crate::system::{Local, Multiset, Shared, State, Transition};

/// An invariant of the reduced system, with a weight for each of its states.
#[derive(Clone, Debug)]
pub(crate) struct NetInvariant {
    pub(crate) shared: Vec<i64>,
    pub(crate) locals: Vec<u32>,
    pub(crate) bound: i64,
}

impl NetInvariant {
    /// True if the state is above the bound, hence uncoverable.
    pub(crate) fn is_violated(&self, s: Shared, threads: &[(Local, u32)]) -> bool {
        let weight = |&(l, c): &(Local, u32)| i128::from(self.locals[l as usize]) * i128::from(c);
        i128::from(self.shared[s as usize]) + threads.iter().map(weight).sum::<i128>()
            > i128::from(self.bound)
    }
}

fn local_weight(invariant: &Invariant, l: Local) -> i128 {
    invariant.locals.binary_search_by_key(&l, |w| w.0).map_or(0, |i| i128::from(invariant.locals[i].1))
}

fn shared_weight(invariant: &Invariant, s: Shared) -> Option<i128> {
    let index = invariant.shared.binary_search_by_key(&s, |w| w.0).ok()?;
    Some(i128::from(invariant.shared[index].1))
}

fn weight(invariant: &Invariant, threads: &Multiset) -> i128 {
    threads.pairs().iter().map(|&(l, c)| local_weight(invariant, l) * i128::from(c)).sum()
}

/// True if the user's state violates the invariant.
pub(crate) fn violates(invariant: &Invariant, state: &State) -> bool {
    shared_weight(invariant, state.shared)
        .is_some_and(|w| w + weight(invariant, &state.threads) > i128::from(invariant.bound))
}

/// Threads that `t` needs for increasing the weight: unless they cannot be there, the invariant is none.
pub(crate) fn broken_by(invariant: &Invariant, t: &Transition) -> Vec<Multiset> {
    let Some(after) = shared_weight(invariant, t.to) else { return Vec::new() };
    let holds = shared_weight(invariant, t.from).is_some_and(|before| {
        after + weight(invariant, &t.produce) <= before + weight(invariant, &t.consume)
    });
    if !holds {
        return vec![t.consume.clone()];
    }
    let increases = |rule: &&crate::system::Transfer| {
        rule.to.iter().any(|&b| local_weight(invariant, b) > local_weight(invariant, rule.from))
    };
    let with = |rule: &crate::system::Transfer| {
        let mut threads = t.consume.clone();
        threads.add(rule.from, 1);
        threads
    };
    t.transfers.iter().filter(increases).map(with).collect()
}
