//! Programs made of pieces of locks, which relate the locals of threads to each other: tickets, turns, flags, the largest value so far.
//!
//! Counters have two bits and overflow. So some of these programs go wrong only with five or more threads, which no exploration
//! with four finds.

use frontend::program::random::Random;
use frontend::program::{
    Broadcast, DataType, Edge, Location, LocationId, Position, Program, Property, PropertyKind, RaceAccess,
    Scope, Target, Variable, VariableId, liveness,
};
use smt::{Symbol, Term, Value};

const S: VariableId = VariableId(0);
const T: VariableId = VariableId(1);
const LOCK: VariableId = VariableId(2);
const L: VariableId = VariableId(3);
const M: VariableId = VariableId(4);

/// A program, a function of the seed. The initial thread does nothing; the others start on their own.
pub fn program(seed: u64) -> Program {
    let mut random = Random::new(seed ^ 0x71c_4e75);
    let count = 3 + random.below(3);
    let mut program = empty(&mut random, count);
    for from in 1..=count {
        for _ in 0..1 + random.below(2) {
            let to = if from < count && random.chance(3, 4) { from + 1 } else { 1 + random.below(count) };
            let edge = piece(&mut random, &program, from, to);
            program.edges.push(edge);
        }
    }
    error(&mut random, &mut program, count);
    liveness::annotate(&mut program);
    program
}

fn empty(random: &mut Random, count: usize) -> Program {
    let mut variables = Vec::new();
    let width = random.pick(1, &[2, 2]);
    for (name, scope) in [("s", Scope::Shared), ("t", Scope::Shared)] {
        variables.push(variable(name, scope, DataType::Int { width, signed: false }, random.chance(5, 6)));
    }
    variables.push(variable("lock", Scope::Shared, DataType::Bool, true));
    variables.push(variable("l", Scope::Local, DataType::Int { width, signed: false }, random.chance(2, 3)));
    variables.push(variable("m", Scope::Local, DataType::Bool, random.chance(2, 3)));
    let location = |name: &str| Location {
        function: Symbol::new(name),
        position: Position::NONE,
        live: Vec::new(),
        atomic: false,
        may_end: Term::fls(),
    };
    let mut locations = vec![location("main")];
    locations.extend((0..count).map(|_| location("thread")));
    Program {
        files: Vec::new(),
        variables,
        locations,
        edges: Vec::new(),
        main: LocationId(0),
        pool: Some(LocationId(1)),
        properties: Vec::new(),
        notes: Vec::new(),
        addresses: Vec::new(),
        predicates: Vec::new(),
    }
}

fn variable(name: &str, scope: Scope, data_type: DataType, known: bool) -> Variable {
    let init = known.then(|| Value::zero(data_type.sort()));
    Variable { name: Symbol::new(name), scope, data_type, init, identity: false, position: Position::NONE }
}

fn edge(from: usize, to: usize) -> Edge {
    Edge {
        from: LocationId(from as u32),
        to: LocationId(to as u32),
        guard: Term::tru(),
        assign: Vec::new(),
        inputs: Vec::new(),
        broadcast: Broadcast::default(),
        approximate: None,
        origin: Vec::new(),
    }
}

/// One or two things that locks do, in one step.
fn piece(random: &mut Random, program: &Program, from: usize, to: usize) -> Edge {
    let mut edge = edge(from, to);
    for _ in 0..random.pick(1, &[2]) {
        let [s, t, lock, l, m] = [S, T, LOCK, L, M].map(|id| program.variable(id).term());
        let one = Term::bv(s.width(), 1);
        let (guard, assign): (Term, Vec<(VariableId, Term)>) = match random.below(14) {
            0 => (Term::tru(), vec![(L, t), (T, t.bv_add(one))]),
            1 => (l.equals(s), Vec::new()),
            2 => (Term::tru(), vec![(S, s.bv_add(one))]),
            3 => (lock.not(), vec![(LOCK, Term::tru())]),
            4 => (Term::tru(), vec![(LOCK, Term::fls())]),
            5 => (s.ult(l), vec![(S, l)]),
            6 => (Term::tru(), vec![(L, s)]),
            7 => (Term::tru(), vec![(L, l.bv_add(one))]),
            8 => (s.equals(l), vec![(S, l.bv_add(one)), (M, Term::tru())]),
            9 => (m.not(), vec![(M, s.equals(t))]),
            10 => (t.equals(s), vec![(T, t.bv_add(one)), (M, lock)]),
            11 => (Term::tru(), vec![(T, l)]),
            12 => {
                let passive = program.variable(L).passive_term();
                let new = if random.chance(1, 2) { s } else { passive.bv_add(one) };
                edge.broadcast.assign = vec![(L, new)];
                (l.ule(t), Vec::new())
            }
            _ => {
                let passive = program.variable(M).passive_term();
                let new = if random.chance(1, 2) { Term::tru() } else { passive.and(lock) };
                edge.broadcast.assign = vec![(M, new)];
                (Term::tru(), vec![(M, Term::fls())])
            }
        };
        edge.guard = edge.guard.and(guard);
        for (variable, term) in assign {
            if edge.assign.iter().all(|(assigned, _)| *assigned != variable) {
                edge.assign.push((variable, term));
            }
        }
    }
    edge
}

/// Two threads in the last location, with some relation of their tickets, or an assertion there.
fn error(random: &mut Random, program: &mut Program, count: usize) {
    let last = LocationId(count as u32);
    let [s, t, lock, l, m] = [S, T, LOCK, L, M].map(|id| program.variable(id).term());
    let (kind, target) = if random.chance(1, 2) {
        let index = random.chance(1, 2).then_some(l);
        let access = RaceAccess { location: last, index, write: true };
        (PropertyKind::DataRace, Target::Race(access.clone(), access))
    } else {
        let location = LocationId(program.locations.len() as u32);
        program.locations.push(Location {
            function: Symbol::new("error"),
            position: Position::NONE,
            live: Vec::new(),
            atomic: false,
            may_end: Term::fls(),
        });
        let mut edge = edge(count, location.index());
        edge.guard = match random.below(5) {
            0 => s.ult(l),
            1 => t.equals(l).and(m),
            2 => lock.not(),
            3 => l.distinct(s),
            _ => m.and(lock.not()),
        };
        program.edges.push(edge);
        (PropertyKind::Assertion, Target::Location(location))
    };
    let description = "mutual exclusion".to_owned();
    let position = Position::NONE;
    program.properties.push(Property { name: "claim".to_owned(), kind, description, position, target });
}
