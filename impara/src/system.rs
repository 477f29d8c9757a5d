//! The program as a transition system over vectors of locations: who can do what, and what that changes.
//!
//! A state has threads with numbers; thread 0 is the initial one, others get the next number when they are created. Creation and the start of the thread are one
//! step (see [`engine::threads`]), so a *move* is an edge and the edges out of the pool that follow it at once. The local `x` of thread 2 is the constant `x#2`; shared variables keep their
//! names. A *transition* is a move of a certain thread among so many: a guard and a parallel assignment over these constants and the inputs of the step.
//!
//! Broadcasts reach threads that wait in the pool, too. A thread that starts is taken to have its initial values, so it is
//! checked that no broadcast changes them ([`Obstacle::Pool`]).

mod effect;

use self::effect::Effect;
use engine::threads::{Handshake, heard, mentioned, names};
use frontend::program::{EdgeId, Input, LocationId, Program, PropertyKind, Scope, Target, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Symbol, Term};
use std::rc::Rc;

/// An edge, and the edges by which threads start that it creates.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// What the thread does.
    pub edge: EdgeId,
    /// How the created threads start.
    pub starts: Vec<EdgeId>,
}

/// A move of a thread.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Step {
    /// Whose.
    pub thread: usize,
    /// What.
    pub what: Rc<Move>,
}

/// What a step does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// When it is possible.
    pub guard: Term,
    /// What it changes; identities are left out.
    pub assign: Vec<(Term, Term)>,
    /// What it chooses.
    pub inputs: Vec<Term>,
}

/// Why a program is beyond this engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Obstacle {
    /// Creation is no handshake.
    #[error("{0}, so that the number of threads is not fixed")]
    Threads(#[from] engine::threads::Obstacle),
    /// Broadcasts change threads before they start.
    #[error("a broadcast changes threads that have not started")]
    Pool,
    /// The program still has atomic sections.
    #[error("the program has atomic sections that are no single steps")]
    Atomic,
}

/// A program with tables about it.
#[derive(Debug)]
pub struct System<'a> {
    /// The program.
    pub program: &'a Program,
    names: FxHashMap<Symbol, VariableId>,
    passive: FxHashMap<Symbol, VariableId>,
    /// By location.
    moves: Vec<Vec<Rc<Move>>>,
    /// By edge: flags that it may set, with the edges that wait for them.
    starts: FxHashMap<EdgeId, Vec<(VariableId, Vec<EdgeId>)>>,
    /// By location: properties that are violated there.
    errors: Vec<Vec<usize>>,
    /// By location: whether nobody can see or hinder what a thread does there.
    private: Vec<bool>,
}

impl<'a> System<'a> {
    /// The system of a program.
    pub fn new(program: &'a Program) -> Result<System<'a>, Obstacle> {
        if program.locations.iter().any(|location| location.atomic) {
            return Err(Obstacle::Atomic);
        }
        let handshake = Handshake::of(program)?;
        let names = names(program);
        let passive =
            names.iter().map(|(name, variable)| (frontend::program::passive(*name), *variable)).collect();
        let mut errors = vec![Vec::new(); program.locations.len()];
        for (number, property) in program.properties.iter().enumerate() {
            if let Target::Location(location) = property.target {
                errors[location.index()].push(number);
            }
        }
        let mut starts = FxHashMap::default();
        for (index, edge) in program.edges.iter().enumerate() {
            let mut flags: Vec<(VariableId, Vec<EdgeId>)> = Vec::new();
            for (flag, start) in handshake.filled(edge) {
                match flags.iter_mut().find(|(known, _)| *known == flag) {
                    Some((_, edges)) => edges.push(start),
                    None => flags.push((flag, vec![start])),
                }
            }
            starts.insert(EdgeId(index as u32), flags);
        }
        let mut system =
            System { program, names, passive, moves: Vec::new(), starts, errors, private: Vec::new() };
        system.moves = program
            .edges_from()
            .into_iter()
            .map(|edges| edges.into_iter().flat_map(|edge| system.variants(edge)).map(Rc::new).collect())
            .collect();
        system.private = system.private_locations();
        if program.pool.is_some() && !system.pool_is_left_alone() {
            return Err(Obstacle::Pool);
        }
        Ok(system)
    }

    /// The moves at a location.
    pub fn moves(&self, location: LocationId) -> &[Rc<Move>] {
        &self.moves[location.index()]
    }

    /// Properties that are violated as soon as a thread is at a location, limits last.
    pub fn errors(&self, location: LocationId) -> Vec<usize> {
        let mut errors = self.errors[location.index()].clone();
        errors.sort_by_key(|&property| self.program.properties[property].kind == PropertyKind::Limit);
        errors
    }

    /// A thread that can go first while all others wait: it is where nobody can see or hinder what it does. What must be true, for all values, for it to have something to do there.
    pub fn alone(&self, locations: &[LocationId]) -> Option<(usize, Term)> {
        let thread = locations.iter().position(|location| self.private[location.index()])?;
        let guards = self.moves(locations[thread]).iter().map(|what| self.program.edge(what.edge).guard);
        Some((thread, Term::or_all(guards)))
    }

    /// Locations that no property asks about, whose edges access only locals that no broadcast touches, and that are on no cycle of such.
    fn private_locations(&self) -> Vec<bool> {
        let (targets, heard) = (self.program.targets(), heard(self.program, &self.names));
        let mut private: Vec<bool> = targets.iter().map(|is_target| !is_target).collect();
        for edge in &self.program.edges {
            let own = |variable: &VariableId| {
                self.program.variable(*variable).scope == Scope::Local && !heard.contains(variable)
            };
            let is_own = edge.broadcast.is_empty() && mentioned(&self.names, edge).iter().all(own);
            private[edge.from.index()] &= is_own && self.program.pool != Some(edge.from);
        }
        let next = |location: usize| {
            let moves = self.moves[location].iter();
            moves.map(|what| self.program.edge(what.edge).to.index()).filter(|&to| private[to])
        };
        let is_on_cycle = |location: usize| {
            let mut open: Vec<usize> = next(location).collect();
            let mut seen = FxHashSet::default();
            while let Some(here) = open.pop() {
                if here == location {
                    return true;
                }
                if seen.insert(here) {
                    open.extend(next(here));
                }
            }
            false
        };
        (0..private.len()).map(|location| private[location] && !is_on_cycle(location)).collect()
    }

    /// All steps that the locations allow.
    pub fn steps(&self, locations: &[LocationId]) -> Vec<Step> {
        let threads = locations.iter().enumerate();
        let steps = threads.flat_map(|(thread, &location)| {
            self.moves(location).iter().map(move |what| Step { thread, what: Rc::clone(what) })
        });
        steps.collect()
    }

    /// The locations after a step.
    pub fn after(&self, locations: &[LocationId], step: &Step) -> Vec<LocationId> {
        let mut after = locations.to_vec();
        after[step.thread] = self.program.edge(step.what.edge).to;
        after.extend(step.what.starts.iter().map(|&start| self.program.edge(start).to));
        after
    }

    /// The constant for a variable as a thread sees it.
    pub fn slot(&self, variable: VariableId, thread: usize) -> Term {
        slot(self.program, variable, thread)
    }

    /// What holds at the start.
    pub fn initial(&self) -> Vec<Term> {
        let variables = self.program.variables.iter().enumerate();
        let known = variables.filter_map(|(index, variable)| {
            let value = Term::value(variable.init.as_ref()?);
            Some(self.slot(VariableId(index as u32), 0).equals(value))
        });
        known.collect()
    }

    /// A term of a thread, over the constants of the system.
    pub fn seen_by(&self, thread: usize, term: Term) -> Term {
        let constants = term.constants().into_iter();
        let map = constants.filter_map(|constant| {
            let variable = self.names.get(&constant.as_constant()?)?;
            Some((constant, self.slot(*variable, thread)))
        });
        term.substitute(&map.collect())
    }

    /// When two threads race: the property, and the condition.
    pub fn races(&self, locations: &[LocationId]) -> Vec<(usize, Term)> {
        let mut races = Vec::new();
        for (number, property) in self.program.properties.iter().enumerate() {
            let Target::Race(first, second) = &property.target else { continue };
            let at = |location: LocationId| {
                locations
                    .iter()
                    .enumerate()
                    .filter(move |(_, here)| **here == location)
                    .map(|(thread, _)| thread)
            };
            for one in at(first.location) {
                for other in at(second.location).filter(|other| *other != one) {
                    let same = match (first.index, second.index) {
                        (Some(i), Some(j)) => self.seen_by(one, i).equals(self.seen_by(other, j)),
                        _ => Term::tru(),
                    };
                    races.push((number, same));
                }
            }
        }
        races
    }

    /// What a step does among so many threads.
    pub fn transition(&self, step: &Step, threads: usize) -> Transition {
        let mut effect = Effect::new(self);
        effect.take(step.what.edge, 0, step.thread, threads);
        for (index, &start) in step.what.starts.iter().enumerate() {
            let thread = threads + index;
            effect.begin(thread);
            effect.take(start, index + 1, thread, 0);
        }
        for (_, waiting) in &self.starts[&step.what.edge] {
            if !waiting.iter().any(|start| step.what.starts.contains(start)) {
                for &start in waiting {
                    effect.nobody(start);
                }
            }
        }
        let mut assign: Vec<(Term, Term)> =
            effect.values.into_iter().filter(|(slot, value)| slot != value).collect();
        assign.sort_by(|one, other| one.0.cmp_structural(other.0));
        Transition { guard: Term::and_all(effect.guards), assign, inputs: effect.inputs }
    }

    /// The moves that begin with an edge, without those whose guard is false on sight.
    fn variants(&self, edge: EdgeId) -> Vec<Move> {
        if self.program.pool == Some(self.program.edge(edge).from) {
            return Vec::new();
        }
        let mut variants = vec![Vec::new()];
        for (_, waiting) in &self.starts[&edge] {
            let longer = variants.iter().flat_map(|starts: &Vec<EdgeId>| {
                let with = waiting.iter().map(|&start| {
                    let mut longer = starts.clone();
                    longer.push(start);
                    longer
                });
                with.chain([starts.clone()]).collect::<Vec<_>>()
            });
            variants = longer.collect();
        }
        let moves = variants.into_iter().map(|starts| Move { edge, starts });
        let is_possible = |what: &Move| {
            let step = Step { thread: 0, what: Rc::new(what.clone()) };
            !self.transition(&step, 1).guard.is_false()
        };
        moves.filter(is_possible).collect()
    }

    /// Whether no broadcast changes a thread that has its initial values.
    fn pool_is_left_alone(&self) -> bool {
        let first: FxHashMap<Term, Term> = self
            .program
            .variables
            .iter()
            .filter(|variable| variable.scope == Scope::Local)
            .filter_map(|variable| Some((variable.passive_term(), Term::value(variable.init.as_ref()?))))
            .collect();
        let mut edges = self.program.edges.iter();
        edges.all(|edge| {
            edge.broadcast.assign.iter().all(|(variable, term)| {
                let variable = self.program.variable(*variable);
                match &variable.init {
                    // Any value may become any value of its own choice, as long as it does not have to.
                    None => *term == variable.passive_term(),
                    Some(init) => term.substitute(&first) == Term::value(init),
                }
            })
        })
    }
}

/// The constant for a variable as a thread sees it.
pub fn slot(program: &Program, variable: VariableId, thread: usize) -> Term {
    let declared = program.variable(variable);
    match declared.scope {
        Scope::Shared => declared.term(),
        Scope::Local => {
            Term::constant(Symbol::new(&format!("{}#{thread}", declared.name)), declared.data_type.sort())
        }
    }
}

/// An input of the edge with this number in a move; of a passive thread, if one is given.
pub fn input(number: usize, input: &Input, passive: Option<usize>) -> Term {
    let name = match passive {
        None => format!("{}!{number}", input.name),
        Some(thread) => format!("{}!{number}.{thread}", input.name),
    };
    Term::constant(Symbol::new(&name), input.sort)
}

/// The first value of a local of a thread, where the program leaves it open.
pub fn open_value(program: &Program, variable: VariableId, thread: usize) -> Term {
    let declared = program.variable(variable);
    Term::constant(Symbol::new(&format!("{}!open.{thread}", declared.name)), declared.data_type.sort())
}
