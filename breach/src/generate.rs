//! Random systems: large ones for measurements, tiny ones for differential tests.
//!
//! Everything is a function of the seed, on every machine and in every version of every dependency: the random
//! numbers come from splitmix64 (Steele, Lea, Flood 2014), written out below.

use crate::input::Input;
use crate::system::{InitialStates, Local, Multiset, Problem, Shared, State, System, Transfer, Transition};
use rustc_hash::FxHashSet;

/// What [`generate`] makes. The shares are parts of all transitions, between 0 and 1; what remains after
/// `transfer_share`, `spawn_share` and `broadcast_share` are plain steps of one thread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// The number of shared states, at least 1.
    pub shared_states: u32,
    /// The number of local states, at least 1.
    pub local_states: u32,
    /// The number of transitions.
    pub transitions: u32,
    /// Steps of one thread with transfer rules for the others.
    pub transfer_share: f64,
    /// Steps that create a thread.
    pub spawn_share: f64,
    /// Broadcasts without an active thread, at most one for each pair of shared states.
    pub broadcast_share: f64,
    /// How many `a ~> b` a transfer or broadcast has (fewer if there are repetitions).
    pub rules_per_transfer: u32,
    /// Where the random numbers start.
    pub seed: u64,
}

/// Makes a system with initial states and one target.
///
/// The local states are like the lines of a program: most steps go a few lines ahead, some go back or far away,
/// one in four changes the shared state.
pub fn generate(parameters: &Parameters) -> Input {
    let mut large = Large {
        random: Random(parameters.seed),
        shared: parameters.shared_states.max(1),
        local: parameters.local_states.max(1),
        broadcasts: FxHashSet::default(),
    };
    let transitions = (0..parameters.transitions).map(|_| large.transition(parameters)).collect();
    let init = large.init();
    let target = large.target();
    let system = System {
        shared_states: large.shared,
        local_states: large.local,
        transitions,
        lines: Vec::new(),
        local_names: Vec::new(),
    };
    Input { system, init: Some(init), targets: vec![target] }
}

/// The state of [`generate`].
struct Large {
    random: Random,
    shared: u32,
    local: u32,
    /// The ends of the broadcasts so far: a second one with the same ends would be read as part of the first.
    broadcasts: FxHashSet<(Shared, Shared)>,
}

impl Large {
    fn transition(&mut self, parameters: &Parameters) -> Transition {
        let choice = self.random.unit();
        let from = self.random.below(self.shared);
        let to = if self.random.chance(1, 4) { self.random.below(self.shared) } else { from };
        let mut transition = step(from, to);
        let broadcast_limit = parameters.broadcast_share;
        let spawn_limit = broadcast_limit + parameters.spawn_share;
        let transfer_limit = spawn_limit + parameters.transfer_share;
        if choice < broadcast_limit || (spawn_limit..transfer_limit).contains(&choice) {
            transition.transfers = self.moves(parameters.rules_per_transfer);
        }
        let is_broadcast = choice < broadcast_limit
            && !transition.transfers.is_empty()
            && self.broadcasts.insert((from, to));
        if !is_broadcast {
            let local = self.random.below(self.local);
            transition.consume.add(local, 1);
            if (broadcast_limit..spawn_limit).contains(&choice) {
                transition.produce.add(local, 1);
            }
            transition.produce.add(self.next_local(local), 1);
        }
        transition
    }

    fn moves(&mut self, number: u32) -> Vec<Transfer> {
        let mut moves = Vec::new();
        for _ in 0..number {
            let from = self.random.below(self.local);
            moves.push((from, self.next_local(from)));
        }
        Transition::group_transfers(moves)
    }

    /// Where a thread in `local` plausibly goes.
    fn next_local(&mut self, local: Local) -> Local {
        let distance = 1 + self.random.below(4);
        match self.random.below(20) {
            0 => self.random.below(self.local),
            1..3 => local.saturating_sub(distance),
            _ => local.saturating_add(distance).min(self.local - 1),
        }
    }

    /// `0/u` or `0|b/u`, near the start of the program.
    fn init(&mut self) -> InitialStates {
        let start = self.local.min(4);
        let unbounded = vec![self.random.below(start)];
        let bounded = if self.random.chance(1, 2) { Some(self.random.below(start)) } else { None };
        InitialStates::new(0, bounded, unbounded)
    }

    /// One or two threads in the second half of the program.
    fn target(&mut self) -> State {
        let shared = self.random.below(self.shared);
        let threads = 1 + self.random.below(2);
        let half = self.local / 2;
        let threads: Vec<_> = (0..threads).map(|_| half + self.random.below(self.local - half)).collect();
        State::new(shared, threads)
    }
}

/// A tiny random problem, with all that the model allows: plain steps, spawns, transfers with choices and without,
/// broadcasts, Petri-like transitions; bounded, unbounded and mixed initial states. Some seeds leave out kinds of
/// transitions, so that special cases (no transfers, only EMDR) are frequent.
pub fn small(seed: u64) -> Problem {
    let mut random = Random(seed);
    let shared = 1 + random.below(4);
    let local = 1 + random.below(5);
    let kinds = *random.pick(&KINDS);
    let mut tiny = Tiny { random, shared, local, kinds };
    let count = 1 + tiny.random.below(12);
    let transitions = (0..count).map(|_| tiny.transition()).collect();
    let system = System {
        shared_states: shared,
        local_states: local,
        transitions,
        lines: Vec::new(),
        local_names: Vec::new(),
    };
    let init = tiny.init();
    let targets = (0..1 + u32::from(tiny.random.chance(1, 4))).map(|_| tiny.target()).collect();
    Problem { system, init, targets }
}

/// The kinds of transitions in tiny systems.
#[derive(Clone, Copy)]
enum Kind {
    Plain,
    Spawn,
    Transfer,
    Broadcast,
    Petri,
    /// Petri-like with transfers, some of which let threads vanish.
    Any,
}

/// Mixtures of kinds, one of which is chosen for a tiny system.
const KINDS: [&[Kind]; 6] = {
    use Kind::*;
    [
        &[Plain, Plain, Plain, Spawn],
        &[Plain, Plain, Transfer],
        &[Plain, Plain, Plain, Transfer, Transfer, Spawn, Broadcast],
        &[Plain, Petri, Petri],
        &[Plain, Plain, Plain, Spawn, Transfer, Broadcast, Petri, Any],
        &[Plain, Transfer, Broadcast, Petri, Any],
    ]
};

/// The state of [`small`].
struct Tiny {
    random: Random,
    shared: u32,
    local: u32,
    kinds: &'static [Kind],
}

impl Tiny {
    fn transition(&mut self) -> Transition {
        let from = self.random.below(self.shared);
        let to = if self.random.chance(1, 2) { self.random.below(self.shared) } else { from };
        let mut t = step(from, to);
        let kind = *self.random.pick(self.kinds);
        match kind {
            Kind::Plain | Kind::Transfer => {
                t.consume = self.threads(1);
                t.produce = self.threads(1);
            }
            Kind::Spawn => {
                t.consume = self.threads(1);
                t.produce = t.consume.clone();
                t.produce.add(self.random.below(self.local), 1);
            }
            Kind::Broadcast => {}
            Kind::Petri | Kind::Any => {
                t.consume = self.up_to(2);
                t.produce = self.up_to(2);
            }
        }
        if matches!(kind, Kind::Transfer | Kind::Broadcast | Kind::Any) {
            t.transfers = self.transfers(matches!(kind, Kind::Any));
        }
        t
    }

    fn transfers(&mut self, may_vanish: bool) -> Vec<Transfer> {
        let count = 1 + self.random.below(4);
        let moves: Vec<_> =
            (0..count).map(|_| (self.random.below(self.local), self.random.below(self.local))).collect();
        let mut transfers = Transition::group_transfers(moves);
        for rule in &mut transfers {
            if may_vanish && self.random.chance(1, 4) {
                rule.to.clear();
            }
        }
        transfers
    }

    fn init(&mut self) -> InitialStates {
        let form = self.random.below(3);
        let bounded = match form {
            0 => Multiset::new(),
            _ if self.random.chance(1, 20) => Multiset::new(),
            _ => self.up_to(3),
        };
        let unbounded = if form == 1 {
            Multiset::new()
        } else {
            let number = 1 + self.random.below(2);
            self.threads(number)
        };
        let unbounded = unbounded.pairs().iter().map(|p| p.0).collect();
        InitialStates { shared: self.random.below(self.shared), bounded, unbounded }
    }

    fn target(&mut self) -> State {
        let number = if self.random.chance(1, 12) { 0 } else { 1 + self.random.below(3) };
        State { shared: self.random.below(self.shared), threads: self.threads(number) }
    }

    /// Up to `most` threads.
    fn up_to(&mut self, most: u32) -> Multiset {
        let number = self.random.below(most + 1);
        self.threads(number)
    }

    fn threads(&mut self, number: u32) -> Multiset {
        (0..number).map(|_| self.random.below(self.local)).collect()
    }
}

/// A transition between two shared states in which nobody takes part yet.
fn step(from: Shared, to: Shared) -> Transition {
    Transition { from, to, consume: Multiset::new(), produce: Multiset::new(), transfers: Vec::new() }
}

/// The generator splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`; 0 if `bound` is 0.
    fn below(&mut self, bound: u32) -> u32 {
        // The upper half of a 32 by 32 bit product: no division, and the bias is far below what tests can see.
        (((self.next() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// A number from 0 up to but not including 1.
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// True in `part` of `whole` cases.
    fn chance(&mut self, part: u32, whole: u32) -> bool {
        self.below(whole) < part
    }

    /// One of the choices, of which there must be one.
    fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len() as u32) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::naive::coverable;
    use crate::diagnostics::Source;
    use proptest::prelude::*;

    fn in_range(input: &Input) -> bool {
        let system = &input.system;
        let local = |l: &Local| *l < system.local_states;
        let threads = |m: &Multiset| m.pairs().iter().all(|p| local(&p.0));
        let transition = |t: &Transition| {
            t.from.max(t.to) < system.shared_states
                && threads(&t.consume)
                && threads(&t.produce)
                && t.transfers.is_sorted_by(|a, b| a.from < b.from)
                && t.transfers
                    .iter()
                    .all(|r| local(&r.from) && r.to.is_sorted_by(|a, b| a < b) && r.to.iter().all(local))
        };
        let init = |i: &InitialStates| {
            i.shared < system.shared_states
                && threads(&i.bounded)
                && i.unbounded.is_sorted_by(|a, b| a < b)
                && i.unbounded.iter().all(local)
        };
        system.transitions.iter().all(transition)
            && input.init.as_ref().is_some_and(init)
            && input.targets.iter().all(|t| t.shared < system.shared_states && threads(&t.threads))
    }

    fn input(problem: Problem) -> Input {
        Input { system: problem.system, init: Some(problem.init), targets: problem.targets }
    }

    #[test]
    fn the_numbers_are_those_of_splitmix64() {
        let mut random = Random(1234567);
        assert_eq!(random.next(), 6457827717110365317);
        assert_eq!(random.next(), 3203168211198807973);
    }

    #[test]
    fn shares_are_kept() {
        let parameters = Parameters {
            shared_states: 100,
            local_states: 350,
            transitions: 20_000,
            transfer_share: 0.2,
            spawn_share: 0.1,
            broadcast_share: 0.01,
            rules_per_transfer: 3,
            seed: 7,
        };
        let made = generate(&parameters);
        let share = |accept: fn(&Transition) -> bool| {
            made.system.transitions.iter().filter(|t| accept(t)).count() as f64 / 20_000.0
        };
        assert!((share(|t| t.consume.is_empty()) - 0.01).abs() < 0.01);
        assert!((share(|t| t.produce.size() == 2) - 0.1).abs() < 0.02);
        assert!((share(|t| !t.transfers.is_empty()) - 0.21).abs() < 0.02);
        assert_eq!(made, generate(&parameters));
        assert_ne!(made, generate(&Parameters { seed: 8, ..parameters }));
    }

    #[test]
    fn both_answers_and_all_kinds_are_frequent() {
        let inputs: Vec<_> = (0..1000).map(|seed| input(small(seed))).collect();
        let answers: Vec<_> = inputs.iter().map(|i| coverable(i, 2000)).collect();
        let share = |answer| answers.iter().filter(|a| **a == answer).count();
        let (yes, no, unknown) = (share(Some(true)), share(Some(false)), share(None));
        assert!(
            yes > 250 && no > 250 && unknown < 50,
            "{yes} coverable, {no} uncoverable, {unknown} unknown"
        );
        let systems = |accept: fn(&Input) -> bool| inputs.iter().filter(|i| accept(i)).count();
        let any = |i: &Input, accept: fn(&Transition) -> bool| i.system.transitions.iter().any(accept);
        assert!(systems(|i| i.system.is_transfer_free()) > 200);
        for (what, count) in [
            (
                "choices",
                inputs.iter().filter(|i| any(i, |t| t.transfers.iter().any(|r| r.to.len() > 1))).count(),
            ),
            (
                "vanishing",
                inputs.iter().filter(|i| any(i, |t| t.transfers.iter().any(|r| r.to.is_empty()))).count(),
            ),
            (
                "stay",
                inputs
                    .iter()
                    .filter(|i| any(i, |t| t.transfers.iter().any(|r| r.to.contains(&r.from))))
                    .count(),
            ),
            (
                "broadcasts",
                inputs.iter().filter(|i| any(i, |t| t.consume.is_empty() && t.produce.is_empty())).count(),
            ),
            ("pairs", inputs.iter().filter(|i| any(i, |t| t.consume.size() == 2)).count()),
            ("bounded only", systems(|i| i.init.as_ref().is_some_and(|init| init.unbounded.is_empty()))),
            ("two targets", systems(|i| i.targets.len() == 2)),
            ("empty targets", systems(|i| i.targets.iter().any(|t| t.threads.is_empty()))),
        ] {
            assert!(count > 50, "{what}: {count}");
        }
    }

    proptest! {
        #[test]
        fn large_systems_are_well_formed_emdr(
            sizes in (0..6u32, 0..9u32, 0..40u32, 0..4u32),
            shares in (0.0..0.5f64, 0.0..0.5f64, 0.0..0.5f64),
            seed in any::<u64>(),
        ) {
            let made = generate(&Parameters {
                shared_states: sizes.0,
                local_states: sizes.1,
                transitions: sizes.2,
                transfer_share: shares.0,
                spawn_share: shares.1,
                broadcast_share: shares.2,
                rules_per_transfer: sizes.3,
                seed,
            });
            prop_assert!(in_range(&made));
            let text = crate::emdr::print(&made).unwrap();
            let mut back = crate::emdr::parse(Source { name: "t", text: &text }).unwrap();
            back.system.lines.clear();
            prop_assert_eq!(back, made);
        }

        #[test]
        fn small_systems_are_well_formed(seed in any::<u64>()) {
            prop_assert!(in_range(&input(small(seed))));
        }
    }
}
