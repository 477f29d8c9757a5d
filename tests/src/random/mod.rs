//! Random questions, in families that each stress one part of the search.
//!
//! [`breach::generate::small`] draws from everything that the model allows, so what a reduction or a special case
//! looks for is rare in it. The other families build it in on purpose.

mod chains;
mod dense;
mod forced;
mod locks;
mod number;
mod petri;

pub use number::Random;

use breach::convert::to_emdr;
use breach::generate::small;
use breach::input::Input;
use breach::system::{InitialStates, Local, Multiset, Problem, Shared, State, System, Transfer, Transition};

/// The families.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// [`breach::generate::small`].
    Small,
    /// Tiny systems full of transfers with few threads, asked for all targets of up to two threads.
    Dense,
    /// Shared states that are only passed through, in chains.
    Chains,
    /// Local states that a thread can only leave on its own.
    Forced,
    /// Petri nets with small weights, some with transfers.
    Petri,
    /// The same with larger weights.
    Weights,
    /// Locks, flags and wake-ups: a bounded main thread and any number of workers.
    Locks,
    /// What [`to_emdr`] makes of systems that EMDR cannot express.
    Converted,
}

impl Family {
    /// All of them.
    pub const ALL: [Family; 8] = [
        Family::Small,
        Family::Dense,
        Family::Chains,
        Family::Forced,
        Family::Petri,
        Family::Weights,
        Family::Locks,
        Family::Converted,
    ];

    /// The questions about one random system, at least one.
    pub fn problems(self, seed: u64) -> Vec<Problem> {
        match self {
            Family::Small => vec![small(seed)],
            Family::Dense => dense::problems(seed),
            Family::Chains => vec![chains::problem(seed)],
            Family::Forced => vec![forced::problem(seed)],
            Family::Petri => vec![petri::problem(seed, 3)],
            Family::Weights => vec![petri::problem(seed, 6)],
            Family::Locks => vec![locks::problem(seed)],
            Family::Converted => vec![converted(seed)],
        }
    }
}

/// A converted system; where the conversion fails, the system itself.
fn converted(seed: u64) -> Problem {
    let problem = if seed.is_multiple_of(2) { small(seed) } else { petri::problem(seed, 2) };
    let input = Input {
        system: problem.system.clone(),
        init: Some(problem.init.clone()),
        targets: problem.targets.clone(),
    };
    match to_emdr(&input) {
        Ok(Input { system, init: Some(init), targets }) => Problem { system, init, targets },
        _ => problem,
    }
}

/// A system without transitions.
fn system(shared_states: u32, local_states: u32) -> System {
    System { shared_states, local_states, ..System::default() }
}

/// A transition without transfers.
fn step(
    (from, to): (Shared, Shared),
    consume: impl IntoIterator<Item = Local>,
    produce: impl IntoIterator<Item = Local>,
) -> Transition {
    Transition {
        from,
        to,
        consume: consume.into_iter().collect(),
        produce: produce.into_iter().collect(),
        transfers: Vec::new(),
    }
}

/// Up to `most` rules, at least one; each forgets where its threads go with a chance of 1 in `vanish`.
fn rules(random: &mut Random, local_states: u32, most: u32, vanish: u32) -> Vec<Transfer> {
    let count = random.between(1, most);
    let moves: Vec<_> =
        (0..count).map(|_| (random.below(local_states), random.below(local_states))).collect();
    let mut rules = Transition::group_transfers(moves);
    for rule in &mut rules {
        if random.chance(1, vanish) {
            rule.to.clear();
        }
    }
    rules
}

/// As many threads as asked for, anywhere.
fn threads(random: &mut Random, number: u32, local_states: u32) -> Multiset {
    (0..number).map(|_| random.below(local_states)).collect()
}

/// Initial states with up to `bounded` threads and up to `unbounded` local states with any number.
fn init(
    random: &mut Random,
    shared: Shared,
    local_states: u32,
    (bounded, unbounded): (u32, u32),
) -> InitialStates {
    let (bounded, unbounded) = (random.between(0, bounded), random.between(0, unbounded));
    let bounded = threads(random, bounded, local_states);
    let unbounded = (0..unbounded).map(|_| random.below(local_states)).collect();
    InitialStates::new(shared, bounded.threads(), unbounded)
}

/// A target with up to `most` threads anywhere.
fn target(random: &mut Random, system: &System, most: u32) -> State {
    let number = if random.chance(1, 10) { 0 } else { random.between(1, most) };
    State {
        shared: random.below(system.shared_states),
        threads: threads(random, number, system.local_states),
    }
}

#[cfg(test)]
mod tests;
