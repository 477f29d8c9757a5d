//! Random programs in which locals choose elements of small arrays, and counters are looked at modulo a few bits: what `cases`, `scalars` and `widths` are for.

use super::samples::{Builder, edge, two};
use crate::program::random::Random;
use crate::program::{
    DataType, LocationId, Position, Program, RaceAccess, Scope, Target, Variable, VariableId,
};
use smt::{ArrayValue, Sort, Symbol, Term, Value};

/// A program, a function of the seed.
pub(super) fn random(seed: u64) -> Program {
    let mut random = Random::new(seed ^ 0xe1e3);
    let mut builder = Builder::new();
    let shared = builder.shared("s", Some(random.below(2) as u128));
    let locals = ["i", "j", "heard"].map(|name| {
        let init = (!random.chance(1, 8)).then(|| random.below(2) as u128);
        builder.local(name, init)
    });
    let zeros = ArrayValue::constant(Sort::BitVec(2), Value::bits(2, random.below(2) as u128));
    let element = DataType::Int { width: 2, signed: false };
    let array = DataType::Array { index_width: 2, length: Some(4), element: Box::new(element) };
    let array = variable(&mut builder, "a", array, Some(Value::Array(zeros)));
    let counter = DataType::Int { width: 4, signed: false };
    let counter = variable(&mut builder, "c", counter, Some(Value::bits(4, random.below(16) as u128)));
    let mut maker = Maker { random, builder, shared, locals, array, counter };
    let main = maker.builder.program.main;
    maker.code(main);
    let pool = maker.builder.pool();
    let start = maker.builder.location();
    maker.builder.guard(pool, start, Term::tru());
    maker.code(start);
    maker.builder.program
}

fn variable(
    builder: &mut Builder,
    name: &str,
    data_type: DataType,
    init: Option<Value>,
) -> (VariableId, Term) {
    let variable = Variable {
        name: Symbol::new(name),
        scope: Scope::Shared,
        data_type,
        init,
        identity: false,
        position: Position::NONE,
    };
    let term = variable.term();
    builder.program.variables.push(variable);
    (VariableId(builder.program.variables.len() as u32 - 1), term)
}

struct Maker {
    random: Random,
    builder: Builder,
    shared: (VariableId, Term),
    /// The last one is the only one that broadcasts assign.
    locals: [(VariableId, Term); 3],
    array: (VariableId, Term),
    counter: (VariableId, Term),
}

impl Maker {
    /// Steps in a row with a test now and then, perhaps again from the start.
    fn code(&mut self, start: LocationId) {
        let mut at = start;
        let mut seen = Vec::new();
        for _ in 0..3 + self.random.below(4) {
            let next = self.builder.location();
            self.step(at, next);
            if self.random.chance(1, 3) {
                self.step(at, next);
            }
            seen.push(at);
            at = next;
        }
        let name = format!("error {}", start.0);
        let error = self.builder.error(&name);
        let guard = self.condition();
        self.builder.guard(at, error, guard);
        if self.random.chance(1, 3) {
            let index = Some(self.locals[0].1);
            let mut access =
                || RaceAccess { location: seen[self.random.below(seen.len())], index, write: true };
            let target = Target::Race(access(), access());
            self.builder.property(&format!("race {}", start.0), target);
        }
        if self.random.chance(1, 2) {
            self.builder.guard(at, start, Term::tru());
        }
    }

    fn step(&mut self, from: LocationId, to: LocationId) {
        let mut new = edge(from, to);
        if self.random.chance(1, 4) {
            new.guard = self.condition();
        }
        let local = self.locals[self.random.below(2)];
        match self.random.below(6) {
            0 | 1 => new.assign.push((local.0, self.value())),
            2 => {
                let element = self.array.1.select(local.1);
                new.assign.push((self.array.0, self.array.1.store(local.1, element.bv_add(two(1)))));
            }
            3 => {
                let value = self.value();
                new.assign.push((self.array.0, self.array.1.store(local.1, value)));
            }
            4 => {
                let one = Term::bv(4, 1);
                new.assign.push((self.counter.0, self.counter.1.bv_add(one)));
                new.assign.push((local.0, self.counter.1.extract(1, 0)));
            }
            _ => new.assign.push((self.shared.0, self.value())),
        }
        if self.random.chance(1, 12) {
            new.broadcast.assign.push((self.locals[2].0, self.locals[2].1.bv_add(two(1))));
            let own = self.builder.program.variable(self.locals[2].0).passive_term();
            new.broadcast.assign[0].1 = own.bv_add(two(1));
        }
        self.builder.program.edges.push(new);
    }

    /// Two bits.
    fn value(&mut self) -> Term {
        let local = self.locals[self.random.below(3)].1;
        match self.random.below(7) {
            0 => self.shared.1,
            1 => self.array.1.select(local),
            2 => two(1).bv_sub(local),
            3 => self.counter.1.bv_urem(Term::bv(4, 2)).extract(1, 0),
            4 => local,
            _ => two(self.random.below(2) as u128),
        }
    }

    fn condition(&mut self) -> Term {
        let local = self.locals[self.random.below(2)].1;
        let number = two(self.random.below(3) as u128);
        match self.random.below(4) {
            0 => self.array.1.select(local).equals(number),
            1 => local.equals(number),
            2 => local.ult(number),
            _ => self.shared.1.distinct(number),
        }
    }
}
