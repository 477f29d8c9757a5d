//! Petri nets with weighted arcs: transitions that consume and produce several threads at once.

use super::{Random, rules, step, system};
use breach::system::{InitialStates, Multiset, Problem, State};

/// One question; arcs, initial counts and targets have weights up to `weight`.
pub(super) fn problem(seed: u64, weight: u32) -> Problem {
    // Not the same nets with other weights.
    let mut random = Random::new(seed + (u64::from(weight) << 32));
    let mut system = system(random.between(1, 2), random.between(2, 4));
    let has_transfers = random.chance(1, 4);
    for _ in 0..random.between(1, 6) {
        let ends = (random.below(system.shared_states), random.below(system.shared_states));
        let (places, products) = (random.between(0, 2), random.between(0, 2));
        let mut transition = step(ends, [], []);
        transition.consume = bag(&mut random, places, system.local_states, weight);
        transition.produce = bag(&mut random, products, system.local_states, weight);
        if has_transfers && random.chance(1, 3) {
            transition.transfers = rules(&mut random, system.local_states, 2, 4);
        }
        system.transitions.push(transition);
    }
    let places = random.between(1, 3);
    let unbounded = if random.chance(1, 4) { vec![random.below(system.local_states)] } else { Vec::new() };
    let init = InitialStates {
        shared: random.below(system.shared_states),
        bounded: bag(&mut random, places, system.local_states, weight),
        unbounded,
    };
    let places = random.between(1, 2);
    let target = State {
        shared: random.below(system.shared_states),
        threads: bag(&mut random, places, system.local_states, weight),
    };
    Problem { system, init, targets: vec![target] }
}

/// Up to `places` places with up to `weight` threads each.
fn bag(random: &mut Random, places: u32, locals: u32, weight: u32) -> Multiset {
    let mut bag = Multiset::new();
    for _ in 0..places {
        let place = random.below(locals);
        if bag.count(place) == 0 {
            bag.add(place, random.between(1, weight));
        }
    }
    bag
}
