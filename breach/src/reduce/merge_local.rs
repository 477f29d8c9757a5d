//! Merging forced steps, second kind: local states that a thread can only leave on its own.
//!
//! If the only thing a thread in l can ever do is to move to m, whatever the shared state, without changing
//! it and without any other thread noticing, then being in l is as good as being in m. The local state l is
//! replaced by m everywhere. No target may mention l, and no transfer may tell the two apart: l has no rule,
//! and a rule for m lets threads stay in m. The run that is shown to the user makes the step just before
//! the thread is needed in m; a proof element with a thread in m stands for the same one with it in l.

use super::draft::Draft;
use super::reach::Reach;
use crate::system::{Local, Multiset, Shared, Transition};

/// What is known about the steps that leave a local state.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Exit {
    None,
    /// Always to this local state, under so many shared states.
    To(Local, u32),
    Other,
}

/// Merges local states; true if there were any to merge.
pub(super) fn merge_local(draft: &mut Draft<'_>, reach: &Reach) -> bool {
    let exits = exits(draft);
    let (has_rule, must_leave) = rules(draft);
    let mut in_target = vec![false; draft.local_states()];
    for &(l, _) in draft.targets.iter().flat_map(|t| t.threads.pairs()) {
        in_target[l as usize] = true;
    }
    let mentioned = mentioned_shared_states(draft);
    let mut next: Vec<Local> = (0..draft.local_states() as Local).collect();
    let mut merged = false;
    for l in 0..draft.local_states() as Local {
        let Exit::To(m, under) = exits[l as usize] else { continue };
        let blocked = in_target[l as usize] || has_rule[l as usize] || must_leave[m as usize];
        if blocked || end_of_chain(&next, m) == l {
            continue;
        }
        let possible = mentioned.iter().filter(|&&s| reach.pair(s, l)).count();
        if possible == under as usize {
            next[l as usize] = m;
            merged = true;
        }
    }
    if merged {
        apply(draft, &next);
    }
    merged
}

/// The shared states in which anything can still happen or be asked.
fn mentioned_shared_states(draft: &Draft<'_>) -> Vec<Shared> {
    let steps = draft.steps.iter().flat_map(|s| [s.transition.from, s.transition.to]);
    let mut mentioned: Vec<Shared> = steps.chain(draft.targets.iter().map(|t| t.shared)).collect();
    mentioned.sort_unstable();
    mentioned.dedup();
    mentioned
}

fn end_of_chain(next: &[Local], start: Local) -> Local {
    let mut at = start;
    while next[at as usize] != at {
        at = next[at as usize];
    }
    at
}

/// How threads leave each local state. Steps are distinct, so counting shared states is counting steps.
fn exits(draft: &Draft<'_>) -> Vec<Exit> {
    let mut exits = vec![Exit::None; draft.local_states()];
    for step in &draft.steps {
        // The user's transition may produce threads besides that do not matter; it is then left alone.
        let user = &draft.problem.system.transitions[step.path[0] as usize];
        let forced = forced_step(&step.transition).filter(|_| user.produce.size() == 1);
        for &(l, _) in step.transition.consume.pairs() {
            let exit = &mut exits[l as usize];
            *exit = match (*exit, forced) {
                (Exit::None, Some((_, m))) => Exit::To(m, 1),
                (Exit::To(n, k), Some((_, m))) if n == m => Exit::To(m, k + 1),
                _ => Exit::Other,
            };
        }
    }
    exits
}

/// `s l -> s m` without transfers.
fn forced_step(t: &Transition) -> Option<(Local, Local)> {
    match (t.consume.pairs(), t.produce.pairs()) {
        (&[(l, 1)], &[(m, 1)]) if t.from == t.to && t.transfers.is_empty() && l != m => Some((l, m)),
        _ => None,
    }
}

/// For each local state: does some transfer have a rule for it, and one that does not let threads stay?
fn rules(draft: &Draft<'_>) -> (Vec<bool>, Vec<bool>) {
    let mut has_rule = vec![false; draft.local_states()];
    let mut must_leave = has_rule.clone();
    for rule in draft.steps.iter().flat_map(|s| &s.transition.transfers) {
        has_rule[rule.from as usize] = true;
        must_leave[rule.from as usize] |= !rule.to.contains(&rule.from);
    }
    (has_rule, must_leave)
}

fn apply(draft: &mut Draft<'_>, next: &[Local]) {
    let merged = |l: Local| next[l as usize] != l;
    let mut forced_steps = std::mem::take(&mut draft.forced_steps);
    draft.steps.retain(|step| match forced_step(&step.transition) {
        Some((l, _)) if merged(l) => {
            // This pass runs before shared states are merged: the path is one transition.
            forced_steps.push((step.transition.from, l, step.path[0]));
            false
        }
        _ => true,
    });
    draft.forced_steps = forced_steps;
    let rename = |threads: &Multiset| -> Multiset {
        let mut renamed = Multiset::new();
        for &(l, c) in threads.pairs() {
            renamed.add(end_of_chain(next, l), c);
        }
        renamed
    };
    for step in &mut draft.steps {
        step.transition.produce = rename(&step.transition.produce);
        for rule in &mut step.transition.transfers {
            for to in &mut rule.to {
                *to = end_of_chain(next, *to);
            }
            rule.to.sort_unstable();
            rule.to.dedup();
        }
    }
    draft.init.bounded = rename(&draft.init.bounded);
    for l in &mut draft.init.unbounded {
        *l = end_of_chain(next, *l);
    }
    draft.init.unbounded.sort_unstable();
    draft.init.unbounded.dedup();
    for forced in &mut draft.forced {
        *forced = end_of_chain(next, *forced);
    }
}
