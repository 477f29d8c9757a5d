//! Small random programs for tests, here and in crates that use this one: a function of the seed.
//!
//! Two shared and two local variables of one or two bits, a few locations for the initial thread and for created ones, a hand-shake
//! that creates threads, one place that should not be reached. The state spaces of a handful of threads are small enough to
//! be explored completely. Random numbers come from xorshift64* (Vigna 2016), written out below.

use super::{
    Broadcast, DataType, Edge, Input, Location, LocationId, Origin, Position, Program, Property,
    PropertyKind, RaceAccess, Scope, Target, Variable, VariableId, liveness,
};
use smt::{Symbol, Term, Value};

/// A source of numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Starts anywhere.
    pub fn new(seed: u64) -> Random {
        // Seeds that differ little must not give similar numbers, and zero would stay zero.
        Random(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Any number.
    #[expect(clippy::should_implement_trait, reason = "the numbers never end")]
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below the bound; 0 if that is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        if bound == 0 { 0 } else { ((u128::from(self.next()) * bound as u128) >> 64) as usize }
    }

    /// True so often on average.
    pub fn chance(&mut self, part: usize, of: usize) -> bool {
        self.below(of) < part
    }

    /// One of the elements.
    pub fn pick<T: Copy>(&mut self, first: T, others: &[T]) -> T {
        let number = self.below(others.len() + 1);
        others.get(number).copied().unwrap_or(first)
    }
}

/// What random programs may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Inputs in guards and assignments.
    pub inputs: bool,
    /// Broadcasts, some with inputs of the passive threads if `inputs` is set.
    pub broadcasts: bool,
    /// Atomic locations.
    pub atomic: bool,
    /// Variables without initial values.
    pub unknown: bool,
    /// A second property about two threads at once.
    pub races: bool,
    /// A shared array of two one-bit elements.
    pub arrays: bool,
}

impl Default for Shape {
    /// Everything but arrays.
    fn default() -> Shape {
        Shape { inputs: true, broadcasts: true, atomic: true, unknown: true, races: true, arrays: false }
    }
}

/// A program with everything but arrays.
pub fn program(seed: u64) -> Program {
    program_with(seed, Shape::default())
}

/// A program with some features.
pub fn program_with(seed: u64, shape: Shape) -> Program {
    let mut generator = Generator::new(Random::new(seed), shape);
    generator.threads();
    generator.error();
    let mut program = generator.program;
    liveness::annotate(&mut program);
    program
}

/// The mailbox through which threads are created.
const MAILBOX: VariableId = VariableId(0);

struct Generator {
    random: Random,
    shape: Shape,
    program: Program,
}

impl Generator {
    fn new(mut random: Random, shape: Shape) -> Generator {
        let mut variables =
            vec![variable("mailbox", Scope::Shared, DataType::Bool, Some(Value::Bool(false)))];
        for (name, scope) in
            [("s", Scope::Shared), ("t", Scope::Shared), ("l", Scope::Local), ("m", Scope::Local)]
        {
            let data_type = match random.below(4) {
                0 => DataType::Bool,
                kind => DataType::Int { width: random.pick(1, &[2]), signed: kind == 1 },
            };
            let unknown = shape.unknown && random.chance(1, 5);
            let init = (!unknown).then(|| random_value(&mut random, &data_type));
            variables.push(variable(name, scope, data_type, init));
        }
        if shape.arrays {
            let element = Box::new(DataType::Int { width: 1, signed: false });
            let data_type = DataType::Array { index_width: 1, length: Some(2), element };
            let init = Some(Value::zero(data_type.sort()));
            variables.push(variable("a", Scope::Shared, data_type, init));
        }
        let program = Program { files: vec!["random.c".to_owned()], variables, ..Program::empty() };
        Generator { random, shape, program }
    }

    fn location(&mut self, function: &str) -> LocationId {
        let line = self.program.locations.len() as u32 + 1;
        let atomic = self.shape.atomic && line > 1 && function != "pool" && self.random.chance(1, 6);
        self.program.locations.push(Location {
            function: Symbol::new(function),
            position: Position { line, ..Position::NONE },
            live: Vec::new(),
            atomic,
            may_end: Term::fls(),
        });
        LocationId(line - 1)
    }

    /// The code of the initial thread, the pool, and the code of created threads.
    fn threads(&mut self) {
        let main = self.code("main");
        let pool = self.location("pool");
        self.program.pool = Some(pool);
        let thread = self.code("thread");
        let mailbox = self.program.variable(MAILBOX).term();
        let target = self.random_location(main);
        let mut create = self.edge(main.0, target);
        create.guard = mailbox.not();
        create.assign = vec![(MAILBOX, Term::tru())];
        self.program.edges.push(create);
        let mut take = self.edge(pool.0 as usize, thread.0);
        take.guard = mailbox;
        take.assign = vec![(MAILBOX, Term::fls())];
        self.program.edges.push(take);
    }

    fn random_location(&mut self, (start, end): (usize, usize)) -> usize {
        start + self.random.below(end - start)
    }

    /// A few locations with steps between them; the range of their numbers.
    fn code(&mut self, function: &str) -> (usize, usize) {
        let start = self.program.locations.len();
        let count = 2 + self.random.below(3);
        for _ in 0..count {
            self.location(function);
        }
        let end = start + count;
        for from in start..end {
            for _ in 0..1 + self.random.below(2) {
                let to = if self.random.chance(2, 3) {
                    (from + 1).min(end - 1)
                } else {
                    self.random_location((start, end))
                };
                let edge = self.random_edge(from, to);
                self.program.edges.push(edge);
            }
        }
        (start, end)
    }

    /// A step that does nothing.
    fn edge(&self, from: usize, to: usize) -> Edge {
        let position =
            Position { line: from as u32 + 1, column: self.program.edges.len() as u32 + 1, ..Position::NONE };
        let function = self.program.locations[from].function;
        Edge {
            from: LocationId(from as u32),
            to: LocationId(to as u32),
            guard: Term::tru(),
            assign: Vec::new(),
            inputs: Vec::new(),
            broadcast: Broadcast::default(),
            approximate: None,
            origin: vec![Origin { position, function, text: Symbol::new(&format!("go to {to};")) }],
        }
    }

    fn random_edge(&mut self, from: usize, to: usize) -> Edge {
        let mut edge = self.edge(from, to);
        let mut visible: Vec<Term> = self.program.variables.iter().map(Variable::term).collect();
        if self.shape.inputs && self.random.chance(1, 4) {
            edge.inputs.push(self.input("in"));
            visible.extend(edge.inputs.iter().map(Input::term));
        }
        if self.random.chance(1, 2) {
            edge.guard = self.condition(&visible);
        }
        edge.assign = self.assignments(&visible, false);
        if self.shape.broadcasts && self.random.chance(1, 6) {
            let locals = self.program.variables.iter().filter(|variable| variable.scope == Scope::Local);
            visible.extend(locals.map(Variable::passive_term));
            if self.shape.inputs && self.random.chance(1, 2) {
                edge.broadcast.inputs.push(self.input("out"));
                visible.extend(edge.broadcast.inputs.iter().map(Input::term));
            }
            edge.broadcast.assign = self.assignments(&visible, true);
        }
        edge
    }

    fn input(&mut self, name: &str) -> Input {
        let sort = DataType::Int { width: self.random.pick(1, &[2]), signed: false }.sort();
        Input { name: Symbol::new(name), sort }
    }

    fn assignments(&mut self, visible: &[Term], locals_only: bool) -> Vec<(VariableId, Term)> {
        let mut assign = Vec::new();
        for index in 1..self.program.variables.len() {
            let variable = &self.program.variables[index];
            let sort = variable.data_type.sort();
            if (locals_only && variable.scope == Scope::Shared) || !self.random.chance(1, 3) {
                continue;
            }
            let variable = variable.term();
            let value = match sort.width() {
                _ if sort.is_bool() => self.condition(visible),
                Some(width) => self.number(visible, width),
                None => variable.store(self.number(visible, 1), self.number(visible, 1)),
            };
            assign.push((VariableId(index as u32), value));
        }
        assign
    }

    fn condition(&mut self, visible: &[Term]) -> Term {
        let width = self.random.pick(1, &[2, 2]);
        let first = self.number(visible, width);
        let second = self.number(visible, width);
        let atom = match self.random.below(5) {
            0 => first.distinct(second),
            1 => first.slt(second),
            2 => first.ule(second),
            _ => first.equals(second),
        };
        match self.random.below(6) {
            0 => atom.and(self.condition(visible)),
            1 => atom.or(self.condition(visible)),
            _ => atom,
        }
    }

    /// A number of this width.
    fn number(&mut self, visible: &[Term], width: u32) -> Term {
        let leaf = |generator: &mut Generator| match generator.random.chance(1, 4) {
            true => Term::bv(width, generator.random.below(4) as u128),
            false => {
                let chosen = visible[generator.random.below(visible.len())];
                if chosen.sort().is_bool() {
                    chosen.ite(Term::bv(width, 1), Term::bv(width, 0))
                } else if let Some(index) = chosen.sort().index() {
                    let index = generator.number(visible, index.width().unwrap_or(1));
                    chosen.select(index).resize_unsigned(width)
                } else {
                    chosen.resize_unsigned(width)
                }
            }
        };
        let first = leaf(self);
        match self.random.below(6) {
            0 => first.bv_add(leaf(self)),
            1 => first.bv_sub(leaf(self)),
            2 => first.bv_xor(leaf(self)),
            3 => first.bv_mul(leaf(self)),
            _ => first,
        }
    }

    /// One place that should not be reached, and perhaps two threads that should not meet.
    fn error(&mut self) {
        let count = self.program.locations.len();
        let error = self.location("error");
        self.program.locations[error.index()].atomic = false;
        let mut from = self.random.below(count);
        if Some(LocationId(from as u32)) == self.program.pool {
            from += 1;
        }
        let visible: Vec<Term> = self.program.variables.iter().map(Variable::term).collect();
        let mut edge = self.edge(from, error.index());
        edge.guard = self.condition(&visible);
        if self.random.chance(1, 2) {
            // Errors that need more than one coincidence.
            edge.guard = edge.guard.and(self.condition(&visible)).and(self.condition(&visible));
        }
        self.program.edges.push(edge);
        self.property("error", PropertyKind::Assertion, Target::Location(error));
        if self.shape.races {
            let first = RaceAccess {
                location: LocationId(self.random.below(count) as u32),
                index: None,
                write: true,
            };
            let local = self.program.variables[3].term();
            let mut second = RaceAccess {
                location: LocationId(self.random.below(count) as u32),
                index: None,
                write: true,
            };
            let mut first = first;
            if local.width() > 0 && self.random.chance(1, 2) {
                first.index = Some(local);
                second.index = Some(Term::bv(local.width(), 1));
            }
            self.property("race", PropertyKind::DataRace, Target::Race(first, second));
        }
    }

    fn property(&mut self, name: &str, kind: PropertyKind, target: Target) {
        let description = format!("no {name}");
        let position = Position { line: 1, ..Position::NONE };
        self.program.properties.push(Property { name: name.to_owned(), kind, description, position, target });
    }
}

fn variable(name: &str, scope: Scope, data_type: DataType, init: Option<Value>) -> Variable {
    Variable { name: Symbol::new(name), scope, data_type, init, identity: false, position: Position::NONE }
}

fn random_value(random: &mut Random, data_type: &DataType) -> Value {
    match data_type {
        DataType::Bool => Value::Bool(random.chance(1, 2)),
        DataType::Int { width, .. } => Value::bits(*width, random.below(4) as u128),
        DataType::Array { .. } => Value::zero(data_type.sort()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::validate::{Rules, validate};

    #[test]
    fn programs_are_valid_and_functions_of_the_seed() {
        for seed in 0..500 {
            let shape = Shape { arrays: seed % 3 == 0, atomic: seed % 2 == 0, ..Shape::default() };
            let program = program_with(seed, shape);
            let rules = Rules { strictly_asynchronous: !shape.atomic };
            assert_eq!(validate(&program, rules), [], "seed {seed}");
            assert_eq!(program, program_with(seed, shape));
        }
    }

    #[test]
    fn features_occur_and_can_be_switched_off() {
        let all: Vec<Program> = (0..200).map(program).collect();
        let edges = || all.iter().flat_map(|program| &program.edges);
        assert!(edges().any(|edge| !edge.inputs.is_empty()));
        assert!(edges().any(|edge| !edge.broadcast.inputs.is_empty() && !edge.broadcast.is_empty()));
        assert!(all.iter().any(|program| program.locations.iter().any(|location| location.atomic)));
        assert!(all.iter().any(|program| program.variables.iter().any(|variable| variable.init.is_none())));
        let nothing = Shape {
            inputs: false,
            broadcasts: false,
            atomic: false,
            unknown: false,
            races: false,
            arrays: false,
        };
        for seed in 0..200 {
            let program = program_with(seed, nothing);
            assert!(program.edges.iter().all(|edge| edge.inputs.is_empty() && edge.broadcast.is_empty()));
            assert!(program.locations.iter().all(|location| !location.atomic));
            assert!(program.variables.iter().all(|variable| variable.init.is_some()));
            assert_eq!(program.properties.len(), 1);
        }
    }

    #[test]
    fn numbers_are_spread() {
        let mut random = Random::new(7);
        let mut count = [0; 5];
        for _ in 0..5_000 {
            count[random.below(5)] += 1;
        }
        assert!(count.iter().all(|count| (800..1_200).contains(count)), "{count:?}");
        assert_eq!(random.below(0), 0);
    }
}
