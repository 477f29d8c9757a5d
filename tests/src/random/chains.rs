//! Shared states that are only passed through: what the merge of shared states looks for, and what must stop it.
//!
//! A few *hubs* are connected by chains of 2 to 4 intermediate shared states, each with one way in and one way out.
//! Some chains have a self loop, a second way in or out, a transfer, or a dead end, some lie on the way of a question
//! or are where it starts. Some local states are only ever produced.

use super::{Random, init, rules, step, system, target, threads};
use breach::system::{Local, Multiset, Problem, Shared, State, System, Transition};

/// One question.
pub(super) fn problem(seed: u64) -> Problem {
    let mut random = Random::new(seed);
    let hubs = random.between(1, 2);
    let locals = random.between(2, 4);
    let mut chains = Chains {
        // Some systems are free of transfers: there the forward search is complete.
        has_transfers: random.chance(1, 2),
        has_weights: random.chance(1, 3),
        system: system(hubs, locals),
        unused: random.below(2),
        random,
    };
    for _ in 0..chains.random.between(1, 3) {
        chains.chain(hubs);
    }
    for _ in 0..chains.random.below(4) {
        chains.shortcut(hubs);
    }
    if chains.random.chance(1, 4) {
        chains.dead_end(hubs);
    }
    chains.finish(hubs)
}

struct Chains {
    random: Random,
    has_transfers: bool,
    has_weights: bool,
    system: System,
    /// Local states at the end of the range that nobody consumes.
    unused: u32,
}

impl Chains {
    fn fresh(&mut self) -> Shared {
        self.system.shared_states += 1;
        self.system.shared_states - 1
    }

    /// A path from hub to hub.
    fn chain(&mut self, hubs: u32) {
        let mut at = self.random.below(hubs);
        for _ in 0..self.random.between(1, 4) {
            let next = self.fresh();
            self.link(at, next);
            if self.random.chance(1, 8) {
                self.link(next, next);
            }
            if self.random.chance(1, 8) {
                self.link(at, next);
            }
            at = next;
        }
        let end = self.random.below(hubs);
        self.link(at, end);
    }

    /// A step between any two shared states, or on the spot.
    fn shortcut(&mut self, hubs: u32) {
        let any = self.system.shared_states;
        let (from, to) = match self.random.below(3) {
            0 => (self.random.below(hubs), self.random.below(any)),
            1 => (self.random.below(any), self.random.below(hubs)),
            _ => {
                let hub = self.random.below(hubs);
                (hub, hub)
            }
        };
        self.link(from, to);
    }

    fn dead_end(&mut self, hubs: u32) {
        let (from, to) = (self.random.below(hubs), self.fresh());
        self.link(from, to);
        if self.random.chance(1, 2) {
            self.link(to, to);
        }
    }

    fn link(&mut self, from: Shared, to: Shared) {
        let (consume, produce) = (self.consumed(), self.produced());
        let mut transition = step((from, to), consume.threads(), produce.threads());
        match self.random.below(10) {
            // A spawn: the thread stays, another appears.
            0 => transition.produce = consume.threads().chain(produce.threads()).collect(),
            // Only the shared state matters.
            1 => transition.produce = consume,
            // A broadcast.
            2 if self.has_transfers => (transition.consume, transition.produce) = Default::default(),
            _ => {}
        }
        if self.has_transfers && (self.random.chance(1, 4) || transition.consume.is_empty()) {
            transition.transfers = rules(&mut self.random, self.system.local_states, 3, 16);
        }
        self.push(transition);
    }

    fn push(&mut self, transition: Transition) {
        self.system.transitions.push(transition);
    }

    fn consumed(&mut self) -> Multiset {
        self.some_threads(self.system.local_states - self.unused)
    }

    fn produced(&mut self) -> Multiset {
        self.some_threads(self.system.local_states)
    }

    fn some_threads(&mut self, locals: Local) -> Multiset {
        let number = if self.has_weights { self.random.between(0, 3) } else { 1 };
        threads(&mut self.random, number, locals)
    }

    fn finish(mut self, hubs: u32) -> Problem {
        let random = &mut self.random;
        let shared =
            if random.chance(1, 10) { random.below(self.system.shared_states) } else { random.below(hubs) };
        let init = init(random, shared, self.system.local_states, (3, 1));
        let mut targets = Vec::new();
        for _ in 0..if random.chance(1, 4) { 2 } else { 1 } {
            let anywhere = target(random, &self.system, 3);
            // Mostly at a hub: a question about an intermediate state keeps it from being merged.
            let shared = if random.chance(3, 4) { random.below(hubs) } else { anywhere.shared };
            targets.push(State { shared, ..anywhere });
        }
        Problem { system: self.system, init, targets }
    }
}
