//! Tiny systems full of transfers, in which every thread counts, with all questions of up to two threads.

use super::{Random, init, rules, step, system, threads};
use breach::system::{Problem, State, System, Transition};

/// One question per target.
pub(super) fn problems(seed: u64) -> Vec<Problem> {
    let mut random = Random::new(seed);
    let mut system = system(random.between(1, 2), random.between(2, 3));
    for _ in 0..random.between(1, 4) {
        let transition = transition(&mut random, &system);
        system.transitions.push(transition);
    }
    // Few threads, mostly: with any number of them nearly everything is coverable.
    let unbounded = u32::from(random.chance(1, 3));
    let shared = random.below(system.shared_states);
    let init = init(&mut random, shared, system.local_states, (3, unbounded));
    let ask = |target| Problem { system: system.clone(), init: init.clone(), targets: vec![target] };
    targets(&system).into_iter().map(ask).collect()
}

fn transition(random: &mut Random, system: &System) -> Transition {
    let locals = system.local_states;
    let ends = (random.below(system.shared_states), random.below(system.shared_states));
    let (consume, produce) = match random.below(8) {
        0 => (0, 0),
        1 => (1, 2),
        2 => (random.below(3), random.below(3)),
        _ => (1, 1),
    };
    let (consume, produce) = (threads(random, consume, locals), threads(random, produce, locals));
    let mut transition = step(ends, consume.threads(), produce.threads());
    if random.chance(4, 5) {
        transition.transfers = rules(random, locals, 4, 12);
    }
    transition
}

/// All states with at most two threads.
fn targets(system: &System) -> Vec<State> {
    let mut all = Vec::new();
    for shared in 0..system.shared_states {
        all.push(State::new(shared, []));
        for a in 0..system.local_states {
            all.push(State::new(shared, [a]));
            all.extend((a..system.local_states).map(|b| State::new(shared, [a, b])));
        }
    }
    all
}
