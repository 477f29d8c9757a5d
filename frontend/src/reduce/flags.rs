//! Random programs in which locals remember which way a thread came, and are tested later: what locations are split by.

use super::samples::{Builder, edge, two};
use crate::program::random::Random;
use crate::program::{LocationId, Program, Target, VariableId};
use smt::Term;

/// A program, a function of the seed.
pub(super) fn random(seed: u64) -> Program {
    let mut random = Random::new(seed ^ 0xf1a6);
    let mut builder = Builder::new();
    let shared = ["s", "t"].map(|name| builder.shared(name, Some(0)));
    let locals = ["a", "b", "heard"].map(|name| {
        let init = (!random.chance(1, 8)).then(|| random.below(2) as u128);
        builder.local(name, init)
    });
    let mut maker = Maker { random, builder, shared, locals };
    let main = maker.builder.program.main;
    maker.code(main);
    let pool = maker.builder.pool();
    let start = maker.builder.location();
    maker.builder.guard(pool, start, Term::tru());
    maker.code(start);
    maker.builder.program
}

struct Maker {
    random: Random,
    builder: Builder,
    shared: [(VariableId, Term); 2],
    /// The last one is the only one that broadcasts assign.
    locals: [(VariableId, Term); 3],
}

impl Maker {
    /// Ways that set a flag, steps, a test of the flag; perhaps once more, perhaps again from the start.
    fn code(&mut self, start: LocationId) {
        let mut at = start;
        for _ in 0..1 + self.random.below(2) {
            let flag = self.locals[self.random.below(3)];
            let mut meet = self.ways(at, flag.0);
            if self.random.chance(1, 3) {
                let next = self.builder.location();
                self.step(meet, next, Term::tru());
                meet = next;
            }
            at = self.test(meet, flag.1);
        }
        if self.random.chance(1, 2) {
            self.step(at, start, Term::tru());
        }
    }

    /// A few ways to one place, most of which set a local to a value of their own.
    fn ways(&mut self, from: LocationId, flag: VariableId) -> LocationId {
        let meet = self.builder.location();
        for number in 0..2 + self.random.below(2) {
            let guard = self.condition();
            self.step(from, meet, guard);
            let value = if self.random.chance(1, 5) { self.shared[0].1 } else { two(number as u128 % 3) };
            let other = self.locals[self.random.below(2)].0;
            let last = self.builder.program.edges.len() - 1;
            let assign = &mut self.builder.program.edges[last].assign;
            assign.retain(|(id, _)| *id != flag && *id != other);
            if self.random.chance(6, 7) {
                assign.push((flag, value));
            }
            if other != flag && self.random.chance(1, 3) {
                assign.push((other, two(self.random.below(2) as u128)));
            }
        }
        meet
    }

    /// A test of a local, behind which the ways meet again; errors on the ways.
    fn test(&mut self, from: LocationId, flag: Term) -> LocationId {
        let end = self.builder.location();
        for number in 0..2 + self.random.below(2) {
            let side = self.builder.location();
            let value = two(number as u128 % 3);
            let mut guard = match self.random.below(4) {
                0 => flag.distinct(value),
                1 => flag.ult(two(1)),
                _ => flag.equals(value),
            };
            if self.random.chance(1, 4) {
                guard = guard.and(self.condition());
            }
            self.step(from, side, guard);
            self.step(side, end, Term::tru());
            if self.random.chance(1, 3) {
                let name = format!("error {}", self.builder.program.properties.len());
                let error = if self.random.chance(1, 4) {
                    self.builder.property(&name, Target::Location(side));
                    continue;
                } else {
                    self.builder.error(&name)
                };
                let guard = self.condition();
                self.builder.guard(side, error, guard);
            }
        }
        end
    }

    /// A step that changes something, or nothing.
    fn step(&mut self, from: LocationId, to: LocationId, guard: Term) {
        let mut step = edge(from, to);
        step.guard = guard;
        let (id, term) = self.shared[self.random.below(2)];
        match self.random.below(8) {
            0..=2 => step.assign = vec![(id, term.bv_add(two(1)))],
            3 => step.assign = vec![(id, two(self.random.below(3) as u128))],
            4 => step.assign = vec![(self.locals[self.random.below(3)].0, term)],
            5 if self.random.chance(1, 2) => {
                step.broadcast.assign = vec![(self.locals[2].0, two(self.random.below(2) as u128))];
            }
            _ => {}
        }
        self.builder.program.edges.push(step);
    }

    fn condition(&mut self) -> Term {
        let (one, two_) = (self.shared[self.random.below(2)].1, self.locals[self.random.below(3)].1);
        let number = two(self.random.below(3) as u128);
        match self.random.below(6) {
            0 => Term::tru(),
            1 => one.equals(number),
            2 => one.distinct(number),
            3 => two_.equals(number),
            4 => one.ult(two(2)),
            _ => one.equals(two_),
        }
    }
}
