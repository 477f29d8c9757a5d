//! What holds in all states of a run before a violation: facts by induction, numbers of threads, identities.

use super::Rejected;
use super::counted::ALL_THREADS;
use crate::abstraction::{Abstraction, COUNT_WIDTH as WIDTH};
use frontend::program::{Edge, LocationId, Program, Scope, VariableId};
use rustc_hash::FxHashMap;
use smt::{Answer, Config, Op, SolverChoice, Term, create};

/// What is known about a program with counts.
pub(super) struct Facts<'a> {
    program: &'a Program,
    certificate: &'a Abstraction,
    counts: Vec<Term>,
    /// By location: only the initial thread can be there.
    initial: Vec<bool>,
    /// By count: whether only the initial thread can be in its locations, and whether threads there may have ended.
    kinds: Vec<(bool, bool)>,
    /// Locals that say which thread it is, each with the locations where a thread has one of its own.
    pub(super) identities: Vec<(VariableId, Vec<bool>)>,
}

impl<'a> Facts<'a> {
    pub(super) fn new(
        program: &'a Program,
        certificate: &'a Abstraction,
        counts: &[VariableId],
    ) -> Result<Facts<'a>, Rejected> {
        let others = program.reachable(program.pool);
        let initial: Vec<bool> = others.into_iter().map(|others| !others).collect();
        let (edges_from, errors) = (program.edges_from(), program.errors());
        let ends = |location: &LocationId| {
            let ended =
                edges_from[location.index()].is_empty() || !program.location(*location).may_end.is_false();
            ended && !errors[location.index()]
        };
        let kinds = certificate.counts.iter().map(|count| {
            let alone = count.locations.iter().all(|location| initial[location.index()]);
            (alone, count.locations.iter().any(ends))
        });
        let kinds = kinds.collect();
        let identities = (0..program.variables.len() as u32)
            .map(VariableId)
            .filter(|id| program.variable(*id).identity)
            .map(|id| (id, identified(program, id)))
            .collect();
        let counts = counts.iter().map(|id| program.variable(*id).term()).collect();
        let facts = Facts { program, certificate, counts, initial, kinds, identities };
        facts.check_carriers()?;
        Ok(facts)
    }

    /// The facts hold at the start, and each step but one to a violation keeps them.
    pub(super) fn check_induction(&self, solver: &SolverChoice, config: &Config) -> Result<usize, Rejected> {
        let (program, facts) = (self.program, &self.certificate.facts);
        let shared: FxHashMap<Term, VariableId> = (0..program.variables.len() as u32)
            .map(VariableId)
            .filter(|id| program.variable(*id).scope == Scope::Shared)
            .map(|id| (program.variable(id).term(), id))
            .collect();
        let errors = program.errors();
        let mut asked = 0;
        for &fact in facts {
            if fact.constants().iter().any(|constant| !shared.contains_key(constant)) {
                return Err(Rejected::new(format!("a fact is not about shared variables: {fact}")));
            }
            let mut start = vec![fact.not()];
            start.extend(shared.iter().filter_map(|(term, id)| {
                Some(term.equals(Term::value(program.variable(*id).init.as_ref()?)))
            }));
            asked += 1;
            refute(&start, solver, config).map_err(|why| why.at(format!("at the start: {fact}")))?;
            for edge in program.edges.iter().filter(|edge| !errors[edge.to.index()]) {
                let map: FxHashMap<Term, Term> =
                    edge.assign.iter().map(|(id, term)| (program.variable(*id).term(), *term)).collect();
                let after = fact.substitute(&map);
                if after == fact {
                    continue;
                }
                let mut step = vec![edge.guard, after.not()];
                step.extend(facts);
                asked += 1;
                refute(&step, solver, config).map_err(|why| why.at(format!("a fact is lost: {fact}")))?;
            }
        }
        Ok(asked)
    }

    /// What holds while known threads are in these locations.
    pub(super) fn constraints(&self, threads: &[LocationId]) -> Vec<Term> {
        let mut known = self.certificate.facts.clone();
        let number = |number: u128| Term::bv(WIDTH, number);
        let bound = self.certificate.bound.unwrap_or(ALL_THREADS).min(ALL_THREADS);
        let (mut alive, mut alone) = (Vec::new(), Vec::new());
        for ((count, &term), &(initial, ended)) in
            self.certificate.counts.iter().zip(&self.counts).zip(&self.kinds)
        {
            let there = threads.iter().filter(|location| count.locations.contains(location)).count();
            known.push(term.uge(number(there as u128)));
            if initial {
                // There is one initial thread. If it is elsewhere it is not here.
                let elsewhere = threads
                    .iter()
                    .any(|location| self.initial[location.index()] && !count.locations.contains(location));
                known.push(term.ule(number(u128::from(!elsewhere))));
                alone.push(term);
            } else if ended {
                known.push(term.ule(number(ALL_THREADS)));
            } else {
                known.push(term.ule(number(bound)));
                alive.push(term);
            }
        }
        for (terms, most) in [(alive, bound), (alone, 1)] {
            known.extend(terms.into_iter().reduce(Term::bv_add).map(|sum| sum.ule(number(most))));
        }
        known
    }

    /// Everything that is assigned to a carrier is what nobody's identity is, what the initial thread has, what the thread itself has, or what is in a carrier.
    fn check_carriers(&self) -> Result<(), Rejected> {
        let (program, carriers) = (self.program, &self.certificate.carriers);
        let first = self.identities.first().and_then(|(id, _)| program.variable(*id).init.as_ref());
        let first = first.map(Term::value);
        let is_old = |literal: Term| {
            Some(literal) == first || literal.as_bits().is_some_and(|bits| !bits.is_negative())
        };
        let wrong = |id: VariableId, why: &str| {
            Rejected::new(format!("{} may hold a new identity: {why}", program.variable(id).name))
        };
        for &id in carriers {
            let Some(variable) = program.variables.get(id.index()) else {
                return Err(Rejected::new("a carrier is no variable"));
            };
            if variable.identity || !variable.init.as_ref().is_some_and(|init| is_old(Term::value(init))) {
                return Err(wrong(id, "its first value"));
            }
            for edge in &program.edges {
                if edge.broadcast.assign.iter().any(|(assigned, _)| *assigned == id) {
                    return Err(wrong(id, "a broadcast"));
                }
                let Some(value) = edge.assigned(id) else { continue };
                let new: Vec<Term> = self.started(edge).map(|(_, term)| term).collect();
                let held = |leaf: Term| {
                    let is_held = |id: &VariableId| program.variable(*id).term() == leaf;
                    is_old(leaf)
                        || new.contains(&leaf)
                        || carriers.iter().any(is_held)
                        || self.identities.iter().any(|(id, _)| is_held(id))
                };
                if !choices(value).into_iter().all(held) {
                    return Err(wrong(id, &value.to_string()));
                }
            }
        }
        Ok(())
    }

    /// The identities that a step gives to a thread that starts.
    pub(super) fn started<'e>(&'e self, edge: &'e Edge) -> impl Iterator<Item = (VariableId, Term)> + 'e {
        let starts = Some(edge.from) == self.program.pool;
        edge.assign.iter().copied().filter(move |(id, _)| starts && self.program.variable(*id).identity)
    }
}

/// By location: whether every thread there has got a value, or is the initial one.
fn identified(program: &Program, identity: VariableId) -> Vec<bool> {
    let mut known = vec![true; program.locations.len()];
    if let Some(pool) = program.pool {
        known[pool.index()] = false;
    }
    loop {
        let mut changed = false;
        for edge in &program.edges {
            let gets = edge.assigned(identity).is_some() || known[edge.from.index()];
            if !gets && known[edge.to.index()] {
                known[edge.to.index()] = false;
                changed = true;
            }
        }
        if !changed {
            return known;
        }
    }
}

/// The terms that a choice is made from.
fn choices(term: Term) -> Vec<Term> {
    match (term.op(), term.args()) {
        (Op::Ite, &[_, yes, no]) => [choices(yes), choices(no)].concat(),
        _ => vec![term],
    }
}

/// Accepts if the formulas have no model together.
pub(super) fn refute(formulas: &[Term], solver: &SolverChoice, config: &Config) -> Result<(), Rejected> {
    let mut solver = create(solver, config)?;
    for formula in formulas {
        solver.assert(*formula)?;
    }
    match solver.check()? {
        Answer::Unsat => Ok(()),
        Answer::Sat => Err(Rejected::new("it does not hold")),
        Answer::Unknown(reason) => Err(Rejected::open(format!("the solver has no answer: {reason}"))),
    }
}
