//! Transitions and local states that cannot matter for the target.
//!
//! Backward from the targets: a shared state matters if some path of shared states leads from it to a
//! target's; a local state matters if a target names it, if a transition that matters consumes it, or if a
//! passive thread moves from it to one that matters. A transition that keeps the shared state matters only
//! if it brings a thread into a local state that matters. What does not matter occurs in no state of the
//! backward search, so proofs are unaffected, and in no requirement of a run.

use super::draft::Draft;
use crate::system::{Local, Multiset, Transition};

/// Drops what cannot matter; true if anything was dropped.
pub(super) fn drop_irrelevant(draft: &mut Draft<'_>) -> bool {
    let before = draft.steps.len();
    drop_dead_ends(draft);
    let matters = relevant_locals(draft);
    let has = |l: Local| matters[l as usize];
    for step in &mut draft.steps {
        let t = &mut step.transition;
        if t.produce.pairs().iter().any(|p| !has(p.0)) {
            t.produce =
                Multiset::from_sorted(t.produce.pairs().iter().copied().filter(|p| has(p.0)).collect());
        }
        t.transfers.retain(|rule| has(rule.from));
        for rule in &mut t.transfers {
            rule.to.retain(|&l| has(l));
        }
        t.transfers.retain(|rule| rule.to != [rule.from]);
    }
    draft.steps.retain(|step| !is_useless(&step.transition));
    draft.steps.len() < before
}

/// Removes transitions into shared states from which no target's shared state can be reached.
fn drop_dead_ends(draft: &mut Draft<'_>) {
    let mut incoming: Vec<Vec<u32>> = vec![Vec::new(); draft.shared_states()];
    for step in &draft.steps {
        if step.transition.from != step.transition.to {
            incoming[step.transition.to as usize].push(step.transition.from);
        }
    }
    let mut live = vec![false; draft.shared_states()];
    let mut stack: Vec<_> = draft.targets.iter().map(|t| t.shared).collect();
    while let Some(s) = stack.pop() {
        if !std::mem::replace(&mut live[s as usize], true) {
            stack.extend(&incoming[s as usize]);
        }
    }
    draft.steps.retain(|step| live[step.transition.to as usize]);
}

/// The least set of local states that matter.
fn relevant_locals(draft: &Draft<'_>) -> Vec<bool> {
    let mut matters = vec![false; draft.local_states()];
    for target in &draft.targets {
        for &(l, _) in target.threads.pairs() {
            matters[l as usize] = true;
        }
    }
    let mut active = vec![false; draft.steps.len()];
    loop {
        let mut grew = false;
        for (step, active) in draft.steps.iter().zip(&mut active) {
            let t = &step.transition;
            if !*active && brings_something(t, &matters) {
                *active = true;
                for &(l, _) in t.consume.pairs() {
                    grew |= !std::mem::replace(&mut matters[l as usize], true);
                }
            }
            if *active {
                for rule in &t.transfers {
                    if !matters[rule.from as usize] && rule.to.iter().any(|&l| matters[l as usize]) {
                        matters[rule.from as usize] = true;
                        grew = true;
                    }
                }
            }
        }
        if !grew {
            return matters;
        }
    }
}

/// A transition matters if it changes the shared state or brings a thread to where it matters.
fn brings_something(t: &Transition, matters: &[bool]) -> bool {
    t.from != t.to
        || t.produce.pairs().iter().any(|&(l, c)| matters[l as usize] && c > t.consume.count(l))
        || t.transfers.iter().any(|r| r.to.iter().any(|&l| l != r.from && matters[l as usize]))
}

/// Keeps the shared state and brings no thread anywhere: its cover predecessors are above what they come from.
fn is_useless(t: &Transition) -> bool {
    t.from == t.to
        && t.produce.included_in(&t.consume)
        && t.transfers.iter().all(|rule| rule.to.iter().all(|&l| l == rule.from))
}
