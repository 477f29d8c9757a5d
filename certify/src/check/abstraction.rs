//! A certificate beside the program with counts: what it means, whether it fits together, and whether it begins where the program does.

use super::Rejected;
use super::facts::{Facts, refute};
use super::step::{Class, Owner, Step, Time, names, shared_bit, thread_bit};
use crate::abstraction::{Abstraction, Bits, Local};
use breach::system::Transition;
use frontend::program::{EdgeId, LocationId, Program, VariableId};
use rustc_hash::FxHashMap;
use smt::{Config, SolverChoice, Term};
use std::collections::{BTreeMap, BTreeSet};

/// A certificate beside the program with counts.
pub(super) struct Judge<'a> {
    pub(super) program: &'a Program,
    pub(super) certificate: &'a Abstraction,
    facts: &'a Facts<'a>,
    solver: &'a SolverChoice,
    config: &'a Config,
    names: FxHashMap<Term, (VariableId, bool)>,
    /// What threads can speak of, anywhere and in the pool.
    classes: Vec<Class>,
    pool: Vec<Class>,
    /// By edge: its transitions.
    pub(super) steps: BTreeMap<EdgeId, Vec<usize>>,
    /// By location: local states there.
    pub(super) there: BTreeMap<LocationId, Vec<u32>>,
}

/// A beginning of runs: shared state, initial thread, other threads.
pub(super) struct Beginning<'a> {
    pub(super) shared: u32,
    pub(super) main: u32,
    pub(super) pool: &'a [u32],
}

impl<'a> Judge<'a> {
    /// Fails if the certificate speaks of what is not there.
    pub(super) fn new(
        program: &'a Program,
        certificate: &'a Abstraction,
        facts: &'a Facts<'a>,
        solver: &'a SolverChoice,
        config: &'a Config,
    ) -> Result<Judge<'a>, Rejected> {
        let names = names(program);
        let system = &certificate.problem.system;
        let predicates = certificate.shared_predicates.iter().chain(&certificate.thread_predicates);
        for predicate in predicates {
            if let Some(constant) = predicate.term.constants().iter().find(|name| !names.contains_key(name)) {
                return Err(Rejected::new(format!("a predicate mentions {constant}, which is no variable")));
            }
        }
        let is_local = |term: Term| {
            let of = |name: &Term| program.variable(names[name].0).scope == frontend::program::Scope::Local;
            term.constants().iter().any(of)
        };
        let exists = |edge: &Option<EdgeId>| edge.is_none_or(|edge| edge.index() < program.edges.len());
        let width = certificate.shared_predicates.len().max(certificate.thread_predicates.len());
        let is_complete = certificate.edges.len() == system.transitions.len()
            && certificate.edges.iter().all(exists)
            && certificate.occurs.len() == certificate.shared.len()
            && certificate.shared.len() <= system.shared_states as usize
            && certificate.locals.len() <= system.local_states as usize
            && certificate.error as usize >= certificate.shared.len()
            && width <= Bits::BITS as usize
            && certificate.locals.iter().all(|local| local.location.index() < program.locations.len())
            && certificate.occurs.iter().flatten().all(|local| (*local as usize) < certificate.locals.len());
        if !is_complete || certificate.shared_predicates.iter().any(|one| is_local(one.term)) {
            return Err(Rejected::new("the abstraction does not fit together"));
        }
        let mut steps: BTreeMap<EdgeId, Vec<usize>> = BTreeMap::new();
        for (number, edge) in certificate.edges.iter().enumerate() {
            if let Some(edge) = edge {
                steps.entry(*edge).or_default().push(number);
            }
        }
        let mut there: BTreeMap<LocationId, Vec<u32>> = BTreeMap::new();
        for (number, local) in certificate.locals.iter().enumerate() {
            there.entry(local.location).or_default().push(number as u32);
        }
        let mut judge = Judge {
            program,
            certificate,
            facts,
            solver,
            config,
            names,
            classes: Vec::new(),
            pool: Vec::new(),
            steps,
            there,
        };
        let (reachable, errors) =
            (program.reachable(program.pool.into_iter().chain([program.main])), program.errors());
        let everywhere = (0..program.locations.len() as u32).map(LocationId);
        let anywhere = everywhere.filter(|at| reachable[at.index()] && !errors[at.index()]);
        if program.pool.is_some() {
            judge.classes = judge.classes_of(anywhere);
            judge.pool = judge.classes_of(program.pool.into_iter());
        }
        Ok(judge)
    }

    fn classes_of(&self, locations: impl Iterator<Item = LocationId>) -> Vec<Class> {
        let class = |location: LocationId| Class {
            spoken: (0..self.certificate.thread_predicates.len())
                .filter(|&number| self.certificate.thread_predicates[number].about.contains(&location))
                .collect(),
            identified: self.facts.identities.iter().map(|(_, known)| known[location.index()]).collect(),
        };
        let classes: BTreeSet<Class> =
            locations.map(class).filter(|class| !class.spoken.is_empty()).collect();
        classes.into_iter().collect()
    }

    pub(super) fn step(&self, edge: Option<EdgeId>, passive: Option<LocationId>) -> Step<'_> {
        Step {
            program: self.program,
            certificate: self.certificate,
            facts: self.facts,
            edge: edge.map(|edge| self.program.edge(edge)),
            passive,
            names: &self.names,
            classes: if edge.is_some() { &self.classes } else { &self.pool },
        }
    }

    pub(super) fn refute(&self, parts: &[Term]) -> Result<(), Rejected> {
        refute(parts, self.solver, self.config)
    }

    pub(super) fn local(&self, number: u32) -> Result<Local, Rejected> {
        let local = self.certificate.locals.get(number as usize);
        local.copied().ok_or_else(|| Rejected::new(format!("local state {number} means nothing")))
    }

    pub(super) fn shared(&self, number: u32) -> Result<Bits, Rejected> {
        let shared = self.certificate.shared.get(number as usize);
        shared.copied().ok_or_else(|| Rejected::new(format!("shared state {number} means nothing")))
    }

    /// The shared state has these bits.
    pub(super) fn is_shared(&self, bits: Bits, time: Time) -> Vec<Term> {
        literals(self.certificate.shared_predicates.len(), bits, |number| shared_bit(number, time))
    }

    /// A thread has these bits.
    pub(super) fn is_local(&self, owner: Owner, bits: Bits, time: Time) -> Vec<Term> {
        literals(self.certificate.thread_predicates.len(), bits, |number| thread_bit(owner, number, time))
    }

    pub(super) fn beginnings(&self) -> Result<Vec<Beginning<'_>>, Rejected> {
        let problem = &self.certificate.problem;
        let init = &problem.init;
        let &[(main, 1)] = init.bounded.pairs() else {
            return Err(Rejected::new("there is not one initial thread"));
        };
        if (init.shared as usize) < self.certificate.shared.len() {
            return Ok(vec![Beginning { shared: init.shared, main, pool: &init.unbounded }]);
        }
        let pool: Option<u32> = match init.unbounded[..] {
            [] => None,
            [pool] => Some(pool),
            _ => return Err(Rejected::new("threads in the pool start differently")),
        };
        let chosen = problem.system.transitions.iter().zip(&self.certificate.edges);
        let chosen = chosen.filter(|(step, edge)| edge.is_none() && step.from == init.shared);
        chosen
            .map(|(step, _)| {
                let (&[(from, 1)], &[(to, 1)]) = (step.consume.pairs(), step.produce.pairs()) else {
                    return Err(Rejected::new("the choice of an initial state is none"));
                };
                let others = pool.and_then(|pool| step.transfer(pool));
                if from != main || step.transfers.len() != usize::from(others.is_some()) {
                    return Err(Rejected::new("the choice of an initial state is none"));
                }
                // Threads without a rule stay what they are, and that means nothing.
                Ok(Beginning { shared: step.to, main: to, pool: others.map_or(&[], |rule| &rule.to) })
            })
            .collect()
    }

    /// Every initial state is one of the system.
    pub(super) fn start(&self) -> Result<(), Rejected> {
        let beginnings = self.beginnings()?;
        let mut parts = self.step(None, None).constraints();
        for beginning in &beginnings {
            let main = self.local(beginning.main)?;
            if main.location != self.program.main {
                return Err(Rejected::new("the initial thread is elsewhere"));
            }
            let mut bits = self.is_shared(self.shared(beginning.shared)?, Time::Before);
            bits.extend(self.is_local(Owner::Active, main.bits, Time::Before));
            parts.push(Term::and_all(bits).not());
        }
        self.refute(&parts).map_err(|why| why.at("some initial state is missing"))?;
        let Some(pool) = self.program.pool else { return Ok(()) };
        let step = self.step(None, Some(pool)).constraints();
        for beginning in &beginnings {
            let mut parts = step.clone();
            parts.extend(self.is_shared(self.shared(beginning.shared)?, Time::Before));
            parts.extend(self.is_local(Owner::Active, self.local(beginning.main)?.bits, Time::Before));
            for &thread in
                beginning.pool.iter().filter(|thread| (**thread as usize) < self.certificate.locals.len())
            {
                let thread = self.local(thread)?;
                if thread.location == pool {
                    let bits = self.is_local(Owner::Passive, thread.bits, Time::Before);
                    parts.push(Term::and_all(bits).not());
                }
            }
            self.refute(&parts).map_err(|why| why.at("some thread in the pool is missing"))?;
        }
        Ok(())
    }

    /// The transition with this number, with its ends.
    pub(super) fn transition(&self, number: usize) -> Result<(&Transition, u32, u32), Rejected> {
        let step = &self.certificate.problem.system.transitions[number];
        match (step.consume.pairs(), step.produce.pairs()) {
            (&[(from, 1)], &[(to, 1)]) => Ok((step, from, to)),
            _ => Err(Rejected::new(format!("transition {number} is not about one thread"))),
        }
    }
}

/// Bits as literals.
fn literals(number: usize, bits: Bits, bit: impl Fn(usize) -> Term) -> Vec<Term> {
    (0..number).map(|place| if bits >> place & 1 == 1 { bit(place) } else { bit(place).not() }).collect()
}
