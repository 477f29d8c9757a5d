//! Steps of programs that count: each function adds locations and edges behind a location and says where they end.

use frontend::program::random::Random;
use frontend::program::{
    Broadcast, DataType, Edge, Location, LocationId, Position, Program, Property, PropertyKind, RaceAccess,
    Scope, Target, Variable, VariableId,
};
use smt::{Symbol, Term, Value};

/// A number that is counted: a variable, or a half of one.
#[derive(Clone, Copy, Debug)]
pub(super) enum Counter {
    Whole(VariableId),
    Low(VariableId),
    High(VariableId),
}

/// A program in the making. Location 0 is `main`.
pub(super) struct Maker {
    pub(super) random: Random,
    pub(super) program: Program,
    /// How many bits counters and numbers of threads have.
    pub(super) width: u32,
    pub(super) counters: Vec<Counter>,
    pub(super) readers: Counter,
    pub(super) next: VariableId,
    pub(super) served: VariableId,
    pub(super) lock: VariableId,
    pub(super) busy: VariableId,
    /// What starts threads, by kind.
    pub(super) mailboxes: [VariableId; 2],
    pub(super) ticket: VariableId,
    pub(super) number: VariableId,
    pub(super) flag: VariableId,
}

fn declare(program: &mut Program, name: &str, scope: Scope, width: u32, init: u128) -> VariableId {
    let (data_type, init) = match width {
        0 => (DataType::Bool, Value::Bool(init != 0)),
        _ => (DataType::Int { width, signed: false }, Value::bits(width, init)),
    };
    let name = Symbol::new(name);
    program.variables.push(Variable {
        name,
        scope,
        data_type,
        init: Some(init),
        identity: false,
        position: Position::NONE,
    });
    VariableId(program.variables.len() as u32 - 1)
}

impl Maker {
    pub(super) fn new(mut random: Random) -> Maker {
        let mut program = Program::empty();
        let width = random.pick(2, &[2, 2, 2, 3, 4, 8, 32]);
        let start = |random: &mut Random| random.pick(0, &[0, 0, 1, 2]);
        let mut counters = Vec::new();
        if random.chance(1, 4) {
            let word = declare(&mut program, "word", Scope::Shared, 2 * width, 0);
            counters.extend([Counter::Low(word), Counter::High(word)]);
        } else {
            for name in ["c", "d"] {
                let init = start(&mut random);
                counters.push(Counter::Whole(declare(&mut program, name, Scope::Shared, width, init)));
            }
        }
        let mut shared = |name: &str, width: u32| declare(&mut program, name, Scope::Shared, width, 0);
        let readers = Counter::Whole(shared("readers", width));
        let (next, served) = (shared("next", width), shared("served", width));
        let (lock, busy) = (shared("lock", 0), shared("busy", 0));
        let mailboxes = [shared("start1", 0), shared("start2", 0)];
        let mut local = |name: &str, width: u32| declare(&mut program, name, Scope::Local, width, 0);
        let (ticket, number, flag) = (local("ticket", width), local("number", width), local("flag", 0));
        let mut maker = Maker {
            random,
            program,
            width,
            counters,
            readers,
            next,
            served,
            lock,
            busy,
            mailboxes,
            ticket,
            number,
            flag,
        };
        maker.location("main");
        maker
    }

    pub(super) fn location(&mut self, function: &str) -> LocationId {
        self.program.locations.push(Location {
            function: Symbol::new(function),
            position: Position::NONE,
            live: Vec::new(),
            atomic: false,
            may_end: Term::fls(),
        });
        LocationId(self.program.locations.len() as u32 - 1)
    }

    pub(super) fn step(
        &mut self,
        from: LocationId,
        to: LocationId,
        guard: Term,
        assign: Vec<(VariableId, Term)>,
    ) {
        let broadcast = Broadcast::default();
        let (inputs, origin) = (Vec::new(), Vec::new());
        self.program.edges.push(Edge {
            from,
            to,
            guard,
            assign,
            inputs,
            broadcast,
            approximate: None,
            origin,
        });
    }

    /// Any counter.
    pub(super) fn counter(&mut self) -> Counter {
        self.counters[self.random.below(self.counters.len())]
    }

    /// A number that assertions speak of.
    pub(super) fn something(&mut self) -> Term {
        match self.random.below(4) {
            0 => self.program.variable(self.number).term(),
            1 => self.read(self.readers),
            _ => {
                let counter = self.counter();
                self.read(counter)
            }
        }
    }

    pub(super) fn read(&self, counter: Counter) -> Term {
        let width = self.width;
        match counter {
            Counter::Whole(id) => self.program.variable(id).term(),
            Counter::Low(id) => self.program.variable(id).term().extract(width - 1, 0),
            Counter::High(id) => self.program.variable(id).term().extract(2 * width - 1, width),
        }
    }

    /// The assignment that makes a counter this value.
    pub(super) fn write(&self, counter: Counter, value: Term) -> (VariableId, Term) {
        match counter {
            Counter::Whole(id) => (id, value),
            Counter::Low(id) => (id, self.read(Counter::High(id)).concat(value)),
            Counter::High(id) => (id, value.concat(self.read(Counter::Low(id)))),
        }
    }

    /// Adds to a counter in some way.
    pub(super) fn change(&mut self, at: LocationId, counter: Counter, amount: i128) -> LocationId {
        let amount_term = Term::bv_signed(self.width, amount);
        let after = self.location("thread");
        match self.random.below(12) {
            // Load and store.
            0 => {
                let loaded = self.load(at, counter);
                let new = self.program.variable(self.number).term().bv_add(amount_term);
                let assign = vec![self.write(counter, new)];
                self.step(loaded, after, Term::tru(), assign);
            }
            // Load, compare and swap, until it works.
            1 | 2 => {
                let loaded = self.load(at, counter);
                let old = self.program.variable(self.number).term();
                let same = self.read(counter).equals(old);
                let assign = vec![self.write(counter, old.bv_add(amount_term))];
                self.step(loaded, after, same, assign);
                self.step(loaded, at, same.not(), Vec::new());
            }
            // The whole word, with a carry from one half to the other.
            3..=5 if !matches!(counter, Counter::Whole(_)) => {
                let (Counter::Whole(id) | Counter::Low(id) | Counter::High(id)) = counter;
                let word = self.program.variable(id).term();
                let factor = if matches!(counter, Counter::High(_)) { 1 << self.width } else { 1 };
                let new = word.bv_add(Term::bv_signed(2 * self.width, amount * factor));
                self.step(at, after, Term::tru(), vec![(id, new)]);
            }
            // One step.
            _ => {
                let assign = vec![self.write(counter, self.read(counter).bv_add(amount_term))];
                self.step(at, after, Term::tru(), assign);
            }
        }
        after
    }

    /// Sets a counter.
    pub(super) fn assign(&mut self, at: LocationId, counter: Counter, value: u128) -> LocationId {
        let after = self.location("thread");
        let assign = vec![self.write(counter, Term::bv(self.width, value))];
        self.step(at, after, Term::tru(), assign);
        after
    }

    /// Reads a counter into a local.
    pub(super) fn load(&mut self, at: LocationId, counter: Counter) -> LocationId {
        let after = self.location("thread");
        let assign = vec![(self.number, self.read(counter))];
        self.step(at, after, Term::tru(), assign);
        after
    }

    /// Sets a counter to what the local is.
    pub(super) fn store(&mut self, at: LocationId, counter: Counter) -> LocationId {
        let after = self.location("thread");
        let assign = vec![self.write(counter, self.program.variable(self.number).term())];
        self.step(at, after, Term::tru(), assign);
        after
    }

    /// An error where the condition holds.
    pub(super) fn error(&mut self, at: LocationId, wrong: Term) {
        let error = self.location("error");
        self.step(at, error, wrong, Vec::new());
        self.property(PropertyKind::Assertion, Target::Location(error));
    }

    /// An error where two threads are at once.
    pub(super) fn alone(&mut self, at: LocationId) {
        let access = RaceAccess { location: at, index: None, write: true };
        self.property(PropertyKind::DataRace, Target::Race(access.clone(), access));
    }

    fn property(&mut self, kind: PropertyKind, target: Target) {
        let name = format!("claim.{}", self.program.properties.len() + 1);
        let (description, position) = (String::new(), Position::NONE);
        self.program.properties.push(Property { name, kind, description, position, target });
    }
}
