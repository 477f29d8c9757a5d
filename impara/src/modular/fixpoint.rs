//! The least formulas of the known shapes that are right, from below.
//!
//! At first only the beginning is possible. As long as a step leads out of what is believed, a model of it is a state that was forgotten: what it says at the location is
//! joined to what is known there. Bounds give way a few times only, so this ends; a question that the solver does not answer makes everything possible where it would have said something.

use super::shape::{Known, Shapes};
use super::{InC, Modular, pair};
use crate::options::Options;
use engine::order::{Counts, Order};
use frontend::program::{Edge, LocationId, Program, Scope, VariableId};
use rustc_hash::FxHashMap;
use smt::{Answer, Config, Reason, Solver, SolverError, Term, Value, create};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// What to do where a thread gets to an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Errors {
    /// There is no proof: stop.
    Stop,
    /// Go on: somebody else has proved that nobody gets there.
    Pass,
}

/// So many questions are asked.
const QUESTIONS: usize = 20_000;

/// So long a question may take. One that takes longer is no easy proof.
const PATIENCE: Duration = Duration::from_secs(2);

/// So long a witness may take beyond the proof, whatever single questions take.
const OBSERVING: Duration = Duration::from_secs(30);

/// So many questions a witness is worth.
const OBSERVATIONS: usize = 6000;

/// What is known, unless an error is reached, or it takes too much.
pub(super) fn least(program: &Program, options: &Options) -> Result<Option<Modular>, SolverError> {
    let mut fixpoint = Fixpoint::new(program, options, Errors::Stop)?;
    Ok(fixpoint.run()?.then(|| fixpoint.result()))
}

/// The same in C, by location, where errors do not matter; about shared variables that `name` has a name for. Nothing if it takes too much.
pub(super) fn in_c(
    program: &Program,
    options: &Options,
    name: &dyn Fn(VariableId) -> Option<String>,
) -> Result<Option<Vec<InC>>, SolverError> {
    let mut fixpoint = Fixpoint::new(program, options, Errors::Pass)?;
    fixpoint.end = Some(Instant::now() + OBSERVING);
    fixpoint.most = OBSERVATIONS;
    Ok(fixpoint.run()?.then(|| {
        let locations = (0..program.locations.len() as u32).map(LocationId);
        locations.map(|location| fixpoint.in_c(location, name)).collect()
    }))
}

impl<'a> Fixpoint<'a> {
    fn new(program: &'a Program, options: &Options, errors: Errors) -> Result<Fixpoint<'a>, SolverError> {
        let config = Config { time_limit: Some(PATIENCE), ..options.config.clone() };
        Ok(Fixpoint {
            program,
            solver: create(&options.solver, &config)?,
            shapes: Shapes::new(program),
            errors: match errors {
                Errors::Stop => program.errors(),
                Errors::Pass => vec![false; program.locations.len()],
            },
            known: vec![None; program.locations.len()],
            waiting: flags(program).into_iter().map(|flag| (flag, None)).collect(),
            versions: vec![0; program.locations.len()],
            together: BTreeSet::new(),
            partners: vec![Vec::new(); program.locations.len()],
            asked: FxHashMap::default(),
            order: along(program),
            questions: 0,
            most: QUESTIONS,
            end: None,
        })
    }
}

struct Fixpoint<'a> {
    program: &'a Program,
    solver: Box<dyn Solver>,
    shapes: Shapes,
    /// By location.
    errors: Vec<bool>,
    /// By location: what is known about each shape there; nothing if nobody gets there.
    known: Vec<Option<Vec<Known>>>,
    /// What is known where threads wait, by the variable that lets one of them start, while it is true; nothing if it never is. Those that wait for ever see all that others do, and the one that starts has seen less.
    waiting: Vec<(Term, Option<Vec<Known>>)>,
    /// By location: how often that changed.
    versions: Vec<u32>,
    together: BTreeSet<(LocationId, LocationId)>,
    /// The same by location.
    partners: Vec<Vec<LocationId>>,
    /// Questions with the versions that they were about: an edge, and the location of another thread.
    asked: FxHashMap<(usize, Option<LocationId>), (u32, u32)>,
    /// All edges, along the control flow: a sweep gets as far as what is known so far leads.
    order: Vec<usize>,
    questions: usize,
    /// So many are asked.
    most: usize,
    /// When to give up, beside questions.
    end: Option<Instant>,
}

/// The edges of the initial thread in a topological order, then those of the others; those that nobody reaches last.
fn along(program: &Program) -> Vec<usize> {
    let edges_from = program.edges_from();
    let starts = [Some(program.main), program.pool].into_iter().flatten();
    let orders: Vec<Order> = starts.map(|start| Order::new(program, &edges_from, start)).collect();
    let rank = |location: LocationId| {
        let places = orders.iter().enumerate();
        places
            .filter(|(_, order)| order.place(location).is_some())
            .map(|(number, order)| (number, order.key(location, &Counts::new())))
            .next()
    };
    let mut order: Vec<usize> = (0..program.edges.len()).collect();
    order.sort_by_cached_key(|&number| {
        rank(program.edges[number].from).map_or((true, None), |rank| (false, Some(rank)))
    });
    order
}

/// The shared truth values that let threads start.
fn flags(program: &Program) -> Vec<Term> {
    let starts = program.edges.iter().filter(|edge| Some(edge.from) == program.pool);
    let parts = starts.flat_map(|edge| edge.guard.conjuncts());
    let is_flag = |part: &Term| {
        let shared = program.variables.iter().filter(|variable| variable.scope == Scope::Shared);
        part.as_constant().is_some() && shared.into_iter().any(|variable| variable.term() == *part)
    };
    let mut flags: Vec<Term> = parts.filter(is_flag).collect();
    flags.sort_by(|one, other| one.cmp_structural(*other));
    flags.dedup();
    flags
}

/// What a question leads to.
enum Model {
    /// It is impossible.
    None,
    /// It is possible.
    Some(smt::Model),
    /// Nobody knows.
    Unknown,
}

impl Fixpoint<'_> {
    /// Whether it came to an end without an error.
    fn run(&mut self) -> Result<bool, SolverError> {
        self.begin();
        let begins = [Some(self.program.main), self.program.pool];
        if begins.into_iter().flatten().any(|location| self.errors[location.index()]) {
            return Ok(false);
        }
        loop {
            let before = (self.versions.clone(), self.together.len());
            for index in 0..self.order.len() {
                if !self.edge(self.order[index])? {
                    return Ok(false);
                }
            }
            if (self.versions.clone(), self.together.len()) == before {
                return Ok(true);
            }
        }
    }

    /// The initial thread is where it begins, others wait.
    fn begin(&mut self) {
        let program = self.program;
        let first: FxHashMap<Term, Value> = program
            .variables
            .iter()
            .filter_map(|variable| Some((variable.term(), variable.init.clone()?)))
            .collect();
        let value = |term: Term| {
            let map = first.iter().map(|(constant, value)| (*constant, Term::value(value))).collect();
            term.substitute(&map).as_value()
        };
        for location in [Some(program.main), program.pool].into_iter().flatten() {
            let known = self.shapes.at(location).map(|shape| match value(shape.term) {
                Some(value) => self.shapes.join(shape, None, &value),
                None => Known::Nothing,
            });
            self.known[location.index()] = Some(known.collect());
        }
        for (flag, known) in &mut self.waiting {
            let pool = program.pool.map(|pool| self.known[pool.index()].clone());
            if value(*flag) != Some(Value::Bool(false)) {
                *known = pool.flatten();
            }
        }
        if let Some(pool) = program.pool {
            self.meet(pool, pool);
            self.meet(program.main, pool);
        }
    }

    /// Looks at one edge and everybody who could see it. Whether to go on.
    fn edge(&mut self, number: usize) -> Result<bool, SolverError> {
        let edge = &self.program.edges[number];
        if self.known[edge.from.index()].is_none() {
            return Ok(true);
        }
        if self.is_new(number, None, edge.from) && !self.alone(edge)? {
            return Ok(false);
        }
        let is_seen = !edge.broadcast.is_empty()
            || edge.assign.iter().any(|(id, _)| self.program.variable(*id).scope == Scope::Shared);
        for other in self.partners[edge.from.index()].clone() {
            let is_together = self.together.contains(&pair(edge.to, other));
            if (is_seen || !is_together) && self.is_new(number, Some(other), other) {
                self.seen(edge, other, is_seen)?;
            }
            if self.questions > self.most || self.end.is_some_and(|end| Instant::now() > end) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Two threads can be at these locations at once.
    fn meet(&mut self, one: LocationId, other: LocationId) {
        if self.together.insert(pair(one, other)) {
            self.partners[one.index()].push(other);
            if one != other {
                self.partners[other.index()].push(one);
            }
        }
    }

    /// Whether a question has not been asked about what is known now.
    fn is_new(&mut self, edge: usize, other: Option<LocationId>, place: LocationId) -> bool {
        let from = self.program.edges[edge].from;
        let versions = (self.versions[from.index()], self.versions[place.index()]);
        self.asked.insert((edge, other), versions) != Some(versions)
    }

    /// A step for the thread that makes it. False if it leads to an error.
    fn alone(&mut self, edge: &Edge) -> Result<bool, SolverError> {
        let program = self.program;
        let after: FxHashMap<Term, Term> =
            edge.assign.iter().map(|(id, term)| (program.variable(*id).term(), *term)).collect();
        let mut premises = self.formulas(edge.from);
        premises.push(edge.guard);
        loop {
            let mut question = premises.clone();
            if self.known[edge.to.index()].is_some() {
                // What is known before the step, and not touched by it, holds afterwards.
                let claims = self.formulas(edge.to).into_iter().map(|part| part.substitute(&after));
                let open: Vec<Term> = claims.filter(|part| !premises.contains(part)).collect();
                if open.is_empty() {
                    return Ok(true);
                }
                question.push(Term::and_all(open).not());
            }
            match self.ask(&question)? {
                Model::None => return Ok(true),
                _ if self.errors[edge.to.index()] => return Ok(false),
                Model::Some(model) => self.add(edge.to, |term| model.eval(term.substitute(&after)).ok()),
                Model::Unknown => self.add(edge.to, |_| None),
            }
        }
    }

    /// A step for another thread.
    fn seen(&mut self, edge: &Edge, other: LocationId, is_seen: bool) -> Result<(), SolverError> {
        let program = self.program;
        let locals = program.variables.iter().filter(|variable| variable.scope == Scope::Local);
        let passive: FxHashMap<Term, Term> =
            locals.map(|variable| (variable.term(), variable.passive_term())).collect();
        let mut after: FxHashMap<Term, Term> = FxHashMap::default();
        for (id, term) in &edge.assign {
            let variable = program.variable(*id);
            if variable.scope == Scope::Shared {
                after.insert(variable.term(), *term);
            }
        }
        for (id, term) in &edge.broadcast.assign {
            after.insert(program.variable(*id).passive_term(), *term);
        }
        let mine = self.formulas(edge.from);
        loop {
            let its = self.formulas(other).into_iter().map(|part| part.substitute(&passive));
            let its: Vec<Term> = its.collect();
            let mut question: Vec<Term> = mine.iter().chain(&its).copied().collect();
            question.push(edge.guard);
            let is_together = self.together.contains(&pair(edge.to, other));
            if is_together {
                // What the step does not touch goes on to hold.
                let touched = its.into_iter().filter(|part| part.substitute(&after) != *part);
                let claims: Vec<Term> = touched.map(|part| part.substitute(&after)).collect();
                if !is_seen || claims.is_empty() {
                    return Ok(());
                }
                question.push(Term::and_all(claims).not());
            }
            match self.ask(&question)? {
                Model::None => return Ok(()),
                Model::Some(model) => {
                    self.add(other, |term| model.eval(term.substitute(&passive).substitute(&after)).ok())
                }
                Model::Unknown => self.add(other, |_| None),
            }
            self.meet(edge.to, other);
        }
    }

    /// What is known at a location, as formulas.
    fn formulas(&self, location: LocationId) -> Vec<Term> {
        let Some(known) = &self.known[location.index()] else { return vec![Term::fls()] };
        let formulas = |known: &[Known]| -> Vec<Term> {
            let all = self.shapes.at(location).zip(known).map(|(shape, known)| shape.formula(*known));
            all.filter(|formula| !formula.is_true()).collect()
        };
        let mut all = formulas(known);
        if Some(location) == self.program.pool {
            for (flag, known) in &self.waiting {
                let then = known.as_ref().map_or_else(Term::fls, |known| Term::and_all(formulas(known)));
                all.push(flag.implies(then));
            }
        }
        all.retain(|formula| !formula.is_true());
        all
    }

    /// One more state is possible at a location: values of shapes, where they are known.
    fn add(&mut self, location: LocationId, value: impl Fn(Term) -> Option<Value>) {
        let joined = |old: &Option<Vec<Known>>| -> Vec<Known> {
            let shapes = self.shapes.at(location).enumerate();
            let new = shapes.map(|(number, shape)| match value(shape.term) {
                Some(value) => self.shapes.join(shape, old.as_ref().map(|old| old[number]), &value),
                None => Known::Nothing,
            });
            new.collect()
        };
        let mut changed = false;
        let new = joined(&self.known[location.index()]);
        let mut waiting = self.waiting.clone();
        if Some(location) == self.program.pool {
            for (flag, known) in &mut waiting {
                // What is not known to be false may be true.
                if value(*flag) != Some(Value::Bool(false)) {
                    let more = Some(joined(known));
                    changed |= *known != more;
                    *known = more;
                }
            }
        }
        self.waiting = waiting;
        changed |= self.known[location.index()].as_ref() != Some(&new);
        self.known[location.index()] = Some(new);
        self.versions[location.index()] += u32::from(changed);
    }

    fn ask(&mut self, question: &[Term]) -> Result<Model, SolverError> {
        if question.iter().any(|part| part.is_false()) {
            return Ok(Model::None);
        }
        self.questions += 1;
        match self.solver.check_assuming(question)? {
            Answer::Unsat => Ok(Model::None),
            Answer::Sat => Ok(Model::Some(self.solver.model()?)),
            Answer::Unknown(Reason::TimeLimit | Reason::Incomplete(_)) => Ok(Model::Unknown),
            Answer::Unknown(reason) => {
                let solver = self.solver.name().to_owned();
                Err(SolverError::Protocol { solver, message: reason.to_string() })
            }
        }
    }

    /// What is known at a location about shared variables, as conditions of C.
    fn in_c(&self, location: LocationId, name: &dyn Fn(VariableId) -> Option<String>) -> InC {
        let Some(known) = &self.known[location.index()] else { return InC::Never };
        let all = self.shapes.at(location).zip(known);
        InC::Known(all.filter_map(|(shape, known)| shape.in_c(*known, self.program, name)).collect())
    }

    fn result(&self) -> Modular {
        let locations = (0..self.program.locations.len() as u32).map(LocationId);
        Modular {
            holds: locations.map(|location| self.formulas(location)).collect(),
            together: self.together.clone(),
        }
    }
}
