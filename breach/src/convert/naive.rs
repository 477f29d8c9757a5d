//! Coverability by the textbook, for tests: all predecessors of all minimal states, without any refinement.

use crate::input::Input;
use crate::system::{Local, Multiset, State, Transition};

/// Is a target coverable? `None` when more than `limit` states turn up.
pub(crate) fn coverable(input: &Input, limit: usize) -> Option<bool> {
    coverable_within(input, limit, |_| true)
}

/// The same with the knowledge that only states which `possible` accepts can be covered.
pub(crate) fn coverable_within(
    input: &Input,
    limit: usize,
    possible: impl Fn(&State) -> bool,
) -> Option<bool> {
    let init = input.init.as_ref()?;
    let mut minimal: Vec<State> = Vec::new();
    let mut work = input.targets.clone();
    let mut seen = 0;
    while let Some(state) = work.pop() {
        if minimal.iter().any(|m| m.covered_by(&state)) {
            continue;
        }
        if init.cover(&state) {
            return Some(true);
        }
        seen += 1;
        if seen > limit {
            return None;
        }
        for transition in &input.system.transitions {
            work.extend(predecessors(transition, &state).into_iter().filter(&possible));
        }
        minimal.retain(|m| !state.covered_by(m));
        minimal.push(state);
    }
    Some(false)
}

/// The minimal states from which one step leads to a state that covers `state`.
fn predecessors(t: &Transition, state: &State) -> Vec<State> {
    if t.to != state.shared {
        return Vec::new();
    }
    let mut rest = state.threads.clone();
    for &(local, count) in t.produce.pairs() {
        rest.remove(local, count);
    }
    let mut found = vec![t.consume.clone()];
    for local in rest.threads() {
        let origins = origins(t, local);
        found = found.iter().flat_map(|threads| origins.iter().map(|&o| plus(threads, o))).collect();
        found.sort_unstable();
        found.dedup();
    }
    found.into_iter().map(|threads| State { shared: t.from, threads }).collect()
}

/// Where a passive thread that is in `local` after the step can come from.
fn origins(t: &Transition, local: Local) -> Vec<Local> {
    let moved = t.transfers.iter().filter(|rule| rule.to.contains(&local)).map(|rule| rule.from);
    moved.chain(Some(local).filter(|&l| t.transfer(l).is_none())).collect()
}

fn plus(threads: &Multiset, local: Local) -> Multiset {
    let mut threads = threads.clone();
    threads.add(local, 1);
    threads
}
