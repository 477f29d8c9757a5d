//! Random programs with two numbers in one word, which is copied, compared, masked, shifted and counted in parts: what `words` is for.

use super::samples::{Builder, edge, two};
use crate::program::random::Random;
use crate::program::{DataType, LocationId, Position, Program, Scope, Variable, VariableId};
use smt::{Symbol, Term, Value};

/// A program, a function of the seed.
pub(super) fn random(seed: u64) -> Program {
    let mut random = Random::new(seed ^ 0xa1fe5);
    let mut builder = Builder::new();
    let init = |random: &mut Random| (!random.chance(1, 6)).then(|| random.below(16) as u128);
    let word = word(&mut builder, "w", Scope::Shared, init(&mut random));
    let copies = ["old", "new"].map(|name| {
        let init = init(&mut random);
        self::word(&mut builder, name, Scope::Local, init)
    });
    let small = builder.local("l", Some(random.below(4) as u128));
    let mut maker = Maker { random, builder, word, copies, small };
    let main = maker.builder.program.main;
    maker.code(main);
    let pool = maker.builder.pool();
    let start = maker.builder.location();
    maker.builder.guard(pool, start, Term::tru());
    maker.code(start);
    maker.builder.program
}

fn word(builder: &mut Builder, name: &str, scope: Scope, init: Option<u128>) -> (VariableId, Term) {
    let variable = Variable {
        name: Symbol::new(name),
        scope,
        data_type: DataType::Int { width: 4, signed: false },
        init: init.map(|value| Value::bits(4, value)),
        identity: false,
        position: Position::NONE,
    };
    let term = variable.term();
    builder.program.variables.push(variable);
    (VariableId(builder.program.variables.len() as u32 - 1), term)
}

fn four(value: usize) -> Term {
    Term::bv(4, value as u128)
}

struct Maker {
    random: Random,
    builder: Builder,
    word: (VariableId, Term),
    copies: [(VariableId, Term); 2],
    small: (VariableId, Term),
}

impl Maker {
    fn code(&mut self, start: LocationId) {
        let mut at = start;
        for _ in 0..2 + self.random.below(3) {
            let next = self.builder.location();
            self.step(at, next);
            if self.random.chance(1, 4) {
                self.step(at, next);
            }
            at = next;
        }
        let error = self.builder.error(&format!("error {}", start.0));
        let guard = self.condition();
        self.builder.guard(at, error, guard);
        if self.random.chance(1, 2) {
            self.builder.guard(at, start, Term::tru());
        }
    }

    fn step(&mut self, from: LocationId, to: LocationId) {
        let mut new = edge(from, to);
        if self.random.chance(1, 3) {
            new.guard = self.condition();
        }
        let target = if self.random.chance(1, 2) { self.word } else { self.any() };
        match self.random.below(5) {
            0 => {
                let part = self.part();
                new.assign.push((self.small.0, part));
            }
            1 => {
                new.assign.push((self.copies[0].0, self.word.1));
                let value = self.value();
                new.assign.push((self.word.0, value));
            }
            _ => {
                let value = self.value();
                new.assign.push((target.0, value));
            }
        }
        self.builder.program.edges.push(new);
    }

    fn any(&mut self) -> (VariableId, Term) {
        [self.word, self.copies[0], self.copies[1]][self.random.below(3)]
    }

    /// A word, made from another one part by part, or now and then with a carry.
    fn value(&mut self) -> Term {
        let from = self.any().1;
        let (high, low) = (from.extract(3, 2), from.extract(1, 0));
        match self.random.below(13) {
            0 => from,
            1 => from.bv_add(four(4)),
            2 => from.bv_sub(four(8)),
            3 => high.concat(low.bv_add(two(1))),
            4 => from.bv_and(four(12)),
            5 => from.bv_or(four([4, 3, 8][self.random.below(3)])),
            6 => from.bv_xor(four([12, 1, 15][self.random.below(3)])),
            7 => from.bv_not(),
            8 => four(self.random.below(16)),
            9 => self.small.1.zero_extend(2).bv_shl(four(2)),
            10 => self.condition().ite(from, self.word.1),
            11 => high.zero_extend(2).bv_add(from.bv_and(four(12))),
            _ if self.random.chance(1, 3) => from.bv_add(four(1)),
            _ => from.bv_urem(four(4)),
        }
    }

    /// Two bits.
    fn part(&mut self) -> Term {
        let from = self.any().1;
        match self.random.below(5) {
            0 => from.extract(1, 0),
            1 => from.bv_lshr(four(2)).extract(1, 0),
            2 => from.bv_udiv(four(4)).extract(1, 0),
            3 => from.bv_and(four(2)).extract(1, 0),
            _ => from.extract(3, 2).bv_add(two(1)),
        }
    }

    fn condition(&mut self) -> Term {
        let (one, other) = (self.any().1, self.any().1);
        match self.random.below(8) {
            0 => one.equals(other),
            1 => one.ult(four([4, 8, 12][self.random.below(3)])),
            2 => four([3, 7, 11][self.random.below(3)]).ult(one),
            3 => one.bv_and(four(3)).equals(four(self.random.below(4))),
            4 => one.extract(3, 2).equals(other.extract(3, 2)),
            5 => one.distinct(four(self.random.below(16))),
            6 => self.small.1.equals(one.extract(1, 0)),
            _ => four([4, 8][self.random.below(2)]).ule(one),
        }
    }
}
