//! Random programs, in families that each stress one part of the abstraction.
//!
//! Most come from `frontend`: two shared and two local variables of one or two bits, a few locations for the initial thread and
//! for created ones, loops, broadcasts, atomic sections, inputs. What that generator lacks is added here: threads that start without
//! being asked, more than one error, ends of what is modelled, steps that reality may not have, locals that count everywhere.
//! Predicates of a user are as random as the programs.

use super::tickets;
use frontend::program::random::{Random, Shape, program_with};
use frontend::program::{
    Effect, LocationId, Note, NoteId, Position, Program, Property, PropertyKind, Scope, Target, Variable,
    VariableId,
};
use frontend::reduce::{self, reduce};
use monabs::abstraction::table::Method;
use smt::Term;

/// A kind of random program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// As generated; atomic sections are made single steps, nothing else is changed.
    Plain,
    /// After all reductions.
    Reduced,
    /// Threads start on their own, and do not wait to be created.
    Free,
    /// With arrays.
    Arrays,
    /// All locals count in all locations.
    Live,
    /// Several errors, ends of what is modelled, steps that reality may not have.
    Notes,
    /// Pieces of locks.
    Tickets,
}

/// A program and what a user adds to it.
#[derive(Clone, Debug)]
pub struct Question {
    /// Before reductions: what it means.
    pub original: Program,
    /// Strictly asynchronous: what is asked about.
    pub program: Program,
    /// The user's predicates.
    pub predicates: Vec<Term>,
    /// How exact the abstraction is.
    pub method: Method,
    /// Whether bugs are looked for beside the proof, too.
    pub search: bool,
}

impl Family {
    /// All families.
    pub const ALL: [Family; 7] = [
        Family::Plain,
        Family::Reduced,
        Family::Free,
        Family::Arrays,
        Family::Live,
        Family::Notes,
        Family::Tickets,
    ];

    /// The question with this seed.
    pub fn question(self, seed: u64) -> Question {
        let mut random = Random::new(seed ^ 0x5eed_0000);
        let shape = Shape {
            inputs: random.chance(1, 2),
            broadcasts: random.chance(1, 2),
            atomic: random.chance(1, 3),
            unknown: random.chance(1, 3),
            races: random.chance(1, 3),
            arrays: self == Family::Arrays,
        };
        let mut original = match self {
            Family::Tickets => tickets::program(seed),
            _ => program_with(seed, shape),
        };
        if self == Family::Free {
            start_freely(&mut original);
        }
        if self == Family::Notes {
            annotate(&mut original, &mut random);
        }
        let options = match self {
            Family::Reduced | Family::Arrays => reduce::Options::default(),
            Family::Tickets if random.chance(1, 2) => reduce::Options::default(),
            _ => reduce::Options::minimal(),
        };
        let (mut program, _) = reduce(original.clone(), &options);
        if self == Family::Live {
            let locals = locals(&program);
            program.locations.iter_mut().for_each(|location| location.live.clone_from(&locals));
        }
        let number = if random.chance(1, 2) { 0 } else { 1 + random.below(3) };
        let predicates = (0..number).map(|_| predicate(&mut random, &program)).collect();
        let method = random.pick(Method::Lazy, &[Method::Lazy, Method::Precise, Method::Cartesian(2)]);
        let search = random.chance(1, 5);
        Question { original, program, predicates, method, search }
    }
}

fn locals(program: &Program) -> Vec<VariableId> {
    let all = (0..program.variables.len() as u32).map(VariableId);
    all.filter(|&id| program.variable(id).scope == Scope::Local).collect()
}

/// The step out of the pool waits for nothing.
fn start_freely(program: &mut Program) {
    let pool = program.pool;
    for edge in program.edges.iter_mut().filter(|edge| Some(edge.from) == pool) {
        edge.guard = Term::tru();
        edge.assign.clear();
    }
}

/// More properties, of all kinds, and steps that reality may not have.
fn annotate(program: &mut Program, random: &mut Random) {
    let message = "random".to_owned();
    program.notes.push(Note::new(Effect::Over, Position::NONE, message));
    for edge in &mut program.edges {
        if random.chance(1, 6) {
            edge.approximate = Some(NoteId(0));
        }
    }
    for number in 0..1 + random.below(2) {
        let location = LocationId(random.below(program.locations.len()) as u32);
        if Some(location) == program.pool {
            continue;
        }
        let kind = random.pick(PropertyKind::Limit, &[PropertyKind::Assertion]);
        program.properties.push(Property {
            name: format!("extra.{number}"),
            kind,
            description: "not here".to_owned(),
            position: Position::NONE,
            target: Target::Location(location),
        });
    }
}

/// A predicate over a few variables of any class; most relate two threads.
pub fn predicate(random: &mut Random, program: &Program) -> Term {
    let own = program.variables.iter().map(Variable::term);
    let locals = program.variables.iter().filter(|variable| variable.scope == Scope::Local);
    let mut visible: Vec<Term> = own.chain(locals.map(Variable::passive_term)).collect();
    visible.retain(|term| term.sort().index().is_none());
    let atom = comparison(random, &visible);
    match random.below(5) {
        0 => atom.and(comparison(random, &visible)),
        1 => atom.or(comparison(random, &visible)),
        2 => atom.not(),
        _ => atom,
    }
}

/// Two values of two bits, compared.
fn comparison(random: &mut Random, visible: &[Term]) -> Term {
    let (first, second) = (number(random, visible), number(random, visible));
    match random.below(5) {
        0 => first.distinct(second),
        1 => first.ult(second),
        2 => first.ule(second),
        3 => first.slt(second),
        _ => first.equals(second),
    }
}

/// A variable as a number of two bits, perhaps plus one, or a constant.
fn number(random: &mut Random, visible: &[Term]) -> Term {
    if visible.is_empty() || random.chance(1, 5) {
        return Term::bv(2, random.below(4) as u128);
    }
    let chosen = visible[random.below(visible.len())];
    let value = if chosen.sort().is_bool() {
        chosen.ite(Term::bv(2, 1), Term::bv(2, 0))
    } else {
        chosen.resize_unsigned(2)
    };
    if random.chance(1, 5) { value.bv_add(Term::bv(2, 1)) } else { value }
}
