//! Random programs that set up their data before they let threads begin: steps with choices and unknown values, loops that count, branches, errors on the way.

use super::samples::{Builder, edge, two};
use crate::program::random::Random;
use crate::program::{Edge, Input, LocationId, Program, RaceAccess, Target, VariableId};
use smt::{Sort, Symbol, Term};

/// A program, a function of the seed.
pub(super) fn random(seed: u64) -> Program {
    let mut random = Random::new(seed ^ 0x5e70);
    let mut builder = Builder::new();
    let mut init = |chance: usize| (!random.chance(1, chance)).then(|| random.below(2) as u128);
    let shared = ["s", "t"].map(|name| builder.shared(name, init(4)));
    let locals = ["i", "a", "b"].map(|name| builder.local(name, init(3)));
    let gate = builder.shared("gate", Some(0));
    let mut maker = Maker { random, builder, shared, locals };
    let main = maker.builder.program.main;
    let ready = maker.code(main, 3);
    let open = maker.builder.location();
    maker.builder.assign(ready, open, gate.0, two(1));
    let end = maker.code(open, 1);
    match maker.random.below(6) {
        0 => maker.builder.program.edges.push(edge(end, main)),
        1 => maker.builder.assign(end, ready, gate.0, two(0)),
        _ => {}
    }
    let pool = maker.builder.pool();
    let start = maker.builder.location();
    let local = maker.locals[1].1;
    let extra = if maker.random.chance(1, 4) { local.ult(two(2)) } else { Term::tru() };
    maker.builder.guard(pool, start, gate.1.equals(two(1)).and(extra));
    if maker.random.chance(1, 3) {
        maker.builder.program.edges.last_mut().unwrap().assign = vec![(gate.0, two(0))];
    }
    let last = maker.code(start, 1);
    if maker.random.chance(1, 4) {
        maker.race(ready, last);
    }
    maker.builder.program
}

struct Maker {
    random: Random,
    builder: Builder,
    shared: [(VariableId, Term); 2],
    /// The first one counts.
    locals: [(VariableId, Term); 3],
}

impl Maker {
    fn code(&mut self, start: LocationId, blocks: usize) -> LocationId {
        (0..blocks + self.random.below(2)).fold(start, |at, _| match self.random.below(5) {
            0 | 1 => self.count(at),
            2 => self.branch(at),
            _ => self.next(at),
        })
    }

    /// A step to a new place.
    fn next(&mut self, from: LocationId) -> LocationId {
        let to = self.builder.location();
        let step = self.step(from, to);
        self.builder.program.edges.push(step);
        to
    }

    /// A loop that counts to a number, or further than it can.
    fn count(&mut self, from: LocationId) -> LocationId {
        let [head, end] = self.builder.locations();
        let (i, value) = self.locals[0];
        let mut enter = self.step(from, head);
        enter.assign.retain(|(id, _)| *id != i);
        if self.random.chance(7, 8) {
            enter.assign.push((i, two(self.random.below(2) as u128)));
        }
        let bound = two(1 + self.random.below(3) as u128);
        let mut round = self.step(head, head);
        round.assign.retain(|(id, _)| *id != i);
        round.assign.push((i, value.bv_add(two(1))));
        round.guard = if self.random.chance(5, 6) { value.ult(bound) } else { round.guard };
        self.builder.program.edges.extend([enter, round]);
        self.builder.guard(head, end, bound.ule(value));
        if self.random.chance(1, 4) {
            let guard = self.condition();
            self.builder.guard(head, end, guard);
        }
        end
    }

    fn branch(&mut self, from: LocationId) -> LocationId {
        let end = self.builder.location();
        let condition = self.condition();
        for guard in [condition, condition.not()] {
            let mut step = self.step(from, end);
            step.guard = guard;
            self.builder.program.edges.push(step);
        }
        if self.random.chance(1, 2) {
            let name = format!("error {}", self.builder.program.properties.len());
            let error = self.builder.error(&name);
            let guard = self.condition();
            self.builder.guard(end, error, guard);
        }
        end
    }

    /// Two threads at places, one of them about to write.
    fn race(&mut self, one: LocationId, other: LocationId) {
        let access = |location, write| RaceAccess { location, index: None, write };
        self.builder.property("race", Target::Race(access(one, true), access(other, false)));
    }

    fn step(&mut self, from: LocationId, to: LocationId) -> Edge {
        let mut step = edge(from, to);
        let input = Input { name: Symbol::new("?"), sort: Sort::BitVec(2) };
        let targets = [self.shared[0], self.shared[1], self.locals[1], self.locals[2]];
        for (id, term) in targets {
            let other = targets[self.random.below(4)].1;
            let value = match self.random.below(8) {
                0 => two(self.random.below(3) as u128),
                1 => input.term(),
                2 => term.bv_add(two(1)),
                3 => other,
                _ => continue,
            };
            step.assign.push((id, value));
        }
        if self.random.chance(1, 6) {
            step.guard = input.term().ult(targets[self.random.below(4)].1);
        }
        if self.random.chance(1, 10) {
            step.guard = step.guard.and(self.condition());
        }
        step.inputs = vec![input];
        super::inputs::eliminate(&mut step);
        step
    }

    fn condition(&mut self) -> Term {
        let (shared, local) = (self.shared[self.random.below(2)].1, self.locals[self.random.below(3)].1);
        let number = two(self.random.below(3) as u128);
        match self.random.below(4) {
            0 => shared.equals(number),
            1 => local.equals(number),
            2 => shared.ult(two(2)),
            _ => shared.equals(local),
        }
    }
}
