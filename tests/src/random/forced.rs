//! Local states that a thread can only leave on its own: what the merge of local states looks for, and what must
//! stop it.
//!
//! A local state l is *forced* if `s l -> s m` exists for every shared state s and nothing else consumes l. Here forced
//! states form chains, trees and cycles. Sometimes one s misses, or another transition consumes l after all, or a
//! transfer treats l and m differently, or the question names l, or threads start there.

use super::{Random, init, rules, step, system, target};
use breach::system::{Local, Problem, System, Transition};

/// One question.
pub(super) fn problem(seed: u64) -> Problem {
    let mut random = Random::new(seed);
    let mut system = system(random.between(1, 3), random.between(3, 5));
    let forced = random.between(1, system.local_states - 1);
    for l in 0..forced {
        let m = if l + 1 < system.local_states && random.chance(2, 3) {
            l + 1
        } else {
            random.below(system.local_states)
        };
        force(&mut random, &mut system, l, m);
    }
    let has_transfers = random.chance(2, 3);
    for _ in 0..random.between(1, 5) {
        let transition = transition(&mut random, &system, forced, has_transfers);
        system.transitions.push(transition);
    }
    let shared = random.below(system.shared_states);
    let init = init(&mut random, shared, system.local_states, (3, 1));
    let number = if random.chance(1, 4) { 2 } else { 1 };
    let mut targets: Vec<_> = (0..number).map(|_| target(&mut random, &system, 2)).collect();
    if random.chance(3, 4) {
        // Ask about the other local states only, so that the forced ones can be merged.
        let free = system.local_states - forced;
        for target in &mut targets {
            target.threads = target.threads.threads().map(|l| forced + l % free).collect();
        }
    }
    shuffle(&mut random, &mut system.transitions);
    Problem { system, init, targets }
}

/// `s l -> s m` for all s, or for nearly all.
fn force(random: &mut Random, system: &mut System, l: Local, m: Local) {
    let missing = random.chance(1, 6).then(|| random.below(system.shared_states));
    for s in (0..system.shared_states).filter(|&s| Some(s) != missing) {
        system.transitions.push(step((s, s), [l], [m]));
    }
    if random.chance(1, 12) {
        let s = random.below(system.shared_states);
        let elsewhere = random.below(system.local_states);
        system.transitions.push(step((s, s), [l], [elsewhere]));
    }
}

/// Any step; it rarely consumes a forced local state.
fn transition(random: &mut Random, system: &System, forced: u32, has_transfers: bool) -> Transition {
    let locals = system.local_states;
    let consumable = |random: &mut Random| match random.chance(1, 10) {
        true => random.below(locals),
        false => forced + random.below(locals - forced),
    };
    let ends = (random.below(system.shared_states), random.below(system.shared_states));
    let mut transition = step(ends, [consumable(random)], [random.below(locals)]);
    match random.below(8) {
        0 => transition.produce.add(random.below(locals), 1),
        1 => transition.consume.add(consumable(random), 1),
        2 => {
            transition.consume.add(consumable(random), 1);
            transition.produce.add(random.below(locals), 1);
        }
        3 if has_transfers => (transition.consume, transition.produce) = Default::default(),
        _ => {}
    }
    if has_transfers && (random.chance(1, 2) || transition.consume.is_empty()) {
        transition.transfers = rules(random, locals, 3, 16);
        for rule in &mut transition.transfers {
            if random.chance(1, 2) {
                // Rules that let threads stay are harmless for merges.
                rule.to.push(rule.from);
                rule.to.sort_unstable();
                rule.to.dedup();
            }
        }
    }
    transition
}

fn shuffle(random: &mut Random, transitions: &mut [Transition]) {
    for i in (1..transitions.len()).rev() {
        transitions.swap(i, random.below(i as u32 + 1) as usize);
    }
}
