//! Programs for the tests of the passes: a builder for those made by hand, and random ones that have what the passes
//! look for.

use crate::program::random::Random;
use crate::program::{
    Broadcast, DataType, Edge, Input, Location, LocationId, Origin, Position, Program, Property,
    PropertyKind, RaceAccess, Scope, Target, Variable, VariableId,
};
use smt::{Sort, Symbol, Term, Value};

/// A program in the making. Location 0 is `main`.
pub(super) struct Builder {
    pub(super) program: Program,
}

/// A step without guard and effect.
pub(super) fn edge(from: LocationId, to: LocationId) -> Edge {
    let position = Position { line: from.0 + 1, column: to.0 + 1, ..Position::NONE };
    let text = Symbol::new(&format!("{} to {}", from.0, to.0));
    Edge {
        from,
        to,
        guard: Term::tru(),
        assign: Vec::new(),
        inputs: Vec::new(),
        broadcast: Broadcast::default(),
        approximate: None,
        origin: vec![Origin { position, function: Symbol::new("f"), text }],
    }
}

impl Builder {
    pub(super) fn new() -> Builder {
        let program = Program { files: vec!["sample.c".to_owned()], ..Program::empty() };
        let mut builder = Builder { program };
        builder.location();
        builder
    }

    pub(super) fn location(&mut self) -> LocationId {
        let line = self.program.locations.len() as u32 + 1;
        self.program.locations.push(Location {
            function: Symbol::new("f"),
            position: Position { line, ..Position::NONE },
            live: Vec::new(),
            atomic: false,
            may_end: Term::fls(),
        });
        LocationId(line - 1)
    }

    pub(super) fn locations<const N: usize>(&mut self) -> [LocationId; N] {
        std::array::from_fn(|_| self.location())
    }

    pub(super) fn atomic(&mut self) -> LocationId {
        let location = self.location();
        self.program.locations[location.index()].atomic = true;
        location
    }

    /// A pool in which threads wait for nothing.
    pub(super) fn pool(&mut self) -> LocationId {
        let pool = self.location();
        self.program.pool = Some(pool);
        pool
    }

    fn variable(&mut self, name: &str, scope: Scope, init: Option<u128>) -> (VariableId, Term) {
        let variable = Variable {
            name: Symbol::new(name),
            scope,
            data_type: DataType::Int { width: 2, signed: false },
            init: init.map(|value| Value::bits(2, value)),
            identity: false,
            position: Position::NONE,
        };
        let term = variable.term();
        self.program.variables.push(variable);
        (VariableId(self.program.variables.len() as u32 - 1), term)
    }

    /// Two bits.
    pub(super) fn shared(&mut self, name: &str, init: Option<u128>) -> (VariableId, Term) {
        self.variable(name, Scope::Shared, init)
    }

    /// Two bits.
    pub(super) fn local(&mut self, name: &str, init: Option<u128>) -> (VariableId, Term) {
        self.variable(name, Scope::Local, init)
    }

    /// Adds an edge for the caller to fill in.
    pub(super) fn edge(&mut self, from: LocationId, to: LocationId) -> &mut Edge {
        self.program.edges.push(edge(from, to));
        let last = self.program.edges.len() - 1;
        &mut self.program.edges[last]
    }

    pub(super) fn guard(&mut self, from: LocationId, to: LocationId, guard: Term) {
        self.edge(from, to).guard = guard;
    }

    pub(super) fn assign(&mut self, from: LocationId, to: LocationId, id: VariableId, term: Term) {
        self.edge(from, to).assign = vec![(id, term)];
    }

    pub(super) fn property(&mut self, name: &str, target: Target) {
        let kind = PropertyKind::Assertion;
        let (description, position) = (name.to_owned(), Position::NONE);
        self.program.properties.push(Property { name: name.to_owned(), kind, description, position, target });
    }

    /// A property about a new location.
    pub(super) fn error(&mut self, name: &str) -> LocationId {
        let error = self.location();
        self.property(name, Target::Location(error));
        error
    }
}

/// A number of two bits.
pub(super) fn two(value: u128) -> Term {
    Term::bv(2, value)
}

/// A random program of a few blocks for each of two kinds of threads. Much of what happens is local, some of it is
/// atomic.
pub(super) fn random(seed: u64) -> Program {
    let mut maker =
        Maker { random: Random::new(seed), builder: Builder::new(), shared: vec![], locals: vec![] };
    maker.variables();
    maker.threads();
    maker.properties();
    maker.builder.program
}

struct Maker {
    random: Random,
    builder: Builder,
    shared: Vec<(VariableId, Term)>,
    /// The last one is the only one that broadcasts assign.
    locals: Vec<(VariableId, Term)>,
}

impl Maker {
    fn variables(&mut self) {
        for name in ["s", "t"] {
            let init = self.init();
            let variable = self.builder.shared(name, init);
            self.shared.push(variable);
        }
        for name in ["a", "b", "heard"] {
            let init = self.init();
            let variable = self.builder.local(name, init);
            self.locals.push(variable);
        }
    }

    fn init(&mut self) -> Option<u128> {
        (!self.random.chance(1, 8)).then(|| self.random.below(2) as u128)
    }

    fn threads(&mut self) {
        let main = self.builder.program.main;
        self.code(main);
        if self.random.chance(1, 10) {
            return;
        }
        let pool = self.builder.pool();
        let start = self.builder.location();
        let step = self.step(pool, start);
        self.builder.program.edges.push(step);
        self.code(start);
        if self.random.chance(1, 12) {
            self.builder.program.locations[0].atomic = true;
        }
    }

    /// A few blocks in a row, with jumps between them.
    fn code(&mut self, start: LocationId) {
        let first = self.builder.program.locations.len();
        let mut at = start;
        for _ in 0..2 + self.random.below(3) {
            at = match self.random.below(4) {
                0 => self.branch(at),
                _ => self.straight(at),
            };
        }
        let last = self.builder.program.locations.len();
        if last > first && self.random.chance(1, 2) {
            let to = LocationId((first + self.random.below(last - first)) as u32);
            let step = self.step(at, to);
            self.builder.program.edges.push(step);
        }
    }

    fn next(&mut self, atomic: bool) -> LocationId {
        if atomic { self.builder.atomic() } else { self.builder.location() }
    }

    /// Some steps, perhaps as an atomic section.
    fn straight(&mut self, start: LocationId) -> LocationId {
        let length = 1 + self.random.below(3);
        let atomic = self.random.chance(1, 3);
        let mut at = start;
        for number in 1..=length {
            let to = self.next(atomic && number < length);
            let step = self.step(at, to);
            self.builder.program.edges.push(step);
            at = to;
        }
        at
    }

    /// Two ways that meet again, perhaps without being exclusive, perhaps as an atomic section.
    fn branch(&mut self, start: LocationId) -> LocationId {
        let atomic = self.random.chance(1, 3);
        let fork = self.next(atomic);
        let step = self.step(start, fork);
        let sides = [self.next(atomic), self.next(atomic)];
        let still = atomic && self.random.chance(1, 2);
        let meet = self.next(still);
        let condition = self.condition(&[]);
        let otherwise = if self.random.chance(3, 4) { condition.not() } else { self.condition(&[]) };
        let program = &mut self.builder.program;
        program.edges.push(step);
        program.edges.push(Edge { guard: condition, ..edge(fork, sides[0]) });
        program.edges.push(Edge { guard: otherwise, ..edge(fork, sides[1]) });
        for side in sides {
            let step = self.step(side, meet);
            self.builder.program.edges.push(step);
        }
        let end = self.builder.location();
        let step = self.step(meet, end);
        self.builder.program.edges.push(step);
        end
    }

    /// Any step.
    fn step(&mut self, from: LocationId, to: LocationId) -> Edge {
        let mut edge = edge(from, to);
        match self.random.below(12) {
            0 => {}
            1 => edge.guard = self.condition(&[]),
            2 => edge.guard = self.value(true, &[]).equals(self.value(false, &[])),
            3 | 4 => edge.assign = vec![(self.a_shared(), self.value(false, &[]))],
            5 => {
                edge.assign = vec![(self.a_shared(), self.value(true, &[]))];
                edge.guard = self.value(true, &[]).distinct(self.value(false, &[]));
            }
            6 | 7 => edge.assign = vec![(self.a_local(), self.value(true, &[]))],
            8 => self.choose(&mut edge),
            9 => self.tell(&mut edge),
            10 => {
                let (first, second) = (self.locals[0], self.locals[1]);
                edge.assign = vec![(first.0, second.1), (second.0, self.value(false, &[]))];
            }
            _ => edge.assign = vec![(self.a_local(), self.value(false, &[]))],
        }
        edge
    }

    /// A step with an input.
    fn choose(&mut self, edge: &mut Edge) {
        let input = Input { name: Symbol::new("in"), sort: Sort::BitVec(2) };
        let term = input.term();
        edge.inputs.push(input);
        edge.guard = match self.random.below(4) {
            0 => term.equals(self.value(false, &[])),
            1 => term.distinct(self.value(true, &[])),
            2 => term.ult(two(2)),
            _ => term.ule(two(1)).and(self.condition(&[term])),
        };
        if self.random.chance(2, 3) {
            edge.assign = vec![(self.a_local(), self.value(false, &[term]))];
        }
    }

    /// A step with a broadcast.
    fn tell(&mut self, edge: &mut Edge) {
        let program = &self.builder.program;
        let copies: Vec<Term> =
            self.locals.iter().map(|&(id, _)| program.variable(id).passive_term()).collect();
        let mut visible = copies;
        if self.random.chance(1, 3) {
            let input = Input { name: Symbol::new("out"), sort: Sort::BitVec(2) };
            visible.push(input.term());
            edge.broadcast.inputs.push(input);
        }
        let heard = self.locals[2].0;
        edge.broadcast.assign = vec![(heard, self.value(true, &visible).bv_and(two(1)))];
        if self.random.chance(1, 3) {
            edge.assign = vec![(heard, self.value(true, &[]))];
        }
    }

    fn a_shared(&mut self) -> VariableId {
        self.shared[self.random.below(2)].0
    }

    fn a_local(&mut self) -> VariableId {
        self.locals[self.random.below(3)].0
    }

    fn value(&mut self, with_shared: bool, more: &[Term]) -> Term {
        let mut visible: Vec<Term> = self.locals.iter().map(|&(_, term)| term).collect();
        visible.extend(more);
        visible.extend(more);
        if with_shared {
            visible.extend(self.shared.iter().map(|&(_, term)| term));
        }
        visible.extend([two(0), two(1)]);
        let first = visible[self.random.below(visible.len())];
        match self.random.below(5) {
            0 => first.bv_xor(visible[self.random.below(visible.len())]).bv_and(two(1)),
            _ => first,
        }
    }

    fn condition(&mut self, more: &[Term]) -> Term {
        let with_shared = self.random.chance(1, 4);
        let (first, second) = (self.value(with_shared, more), self.value(false, more));
        let atom = if self.random.chance(1, 4) { first.ult(second) } else { first.equals(second) };
        if self.random.chance(1, 5) { atom.and(self.condition(more)) } else { atom }
    }

    /// Errors reached under conditions, some inside of sections, and a race.
    fn properties(&mut self) {
        for number in 0..1 + self.random.below(2) {
            let inside = self.random.chance(1, 3);
            let mut from = self.anywhere();
            for _ in 0..if inside { 5 } else { 0 } {
                if !self.builder.program.location(from).atomic {
                    from = self.anywhere();
                }
            }
            let error = self.builder.error(&format!("error {number}"));
            let guard = self.value(true, &[]).equals(self.value(false, &[]));
            self.builder.guard(from, error, guard);
            self.builder.program.locations[error.index()].atomic = inside;
            if self.random.chance(1, 5) {
                let to = self.anywhere();
                let step = self.step(error, to);
                self.builder.program.edges.push(step);
            }
        }
        if self.random.chance(1, 2) {
            let with_index = self.random.chance(1, 2);
            let first = self.access(with_index);
            let second = self.access(with_index);
            self.builder.property("race", Target::Race(first, second));
        }
    }

    fn access(&mut self, with_index: bool) -> RaceAccess {
        let location = self.anywhere();
        let with_shared = self.random.chance(1, 4);
        RaceAccess { location, index: with_index.then(|| self.value(with_shared, &[])), write: true }
    }

    fn anywhere(&mut self) -> LocationId {
        LocationId(self.random.below(self.builder.program.locations.len()) as u32)
    }
}
