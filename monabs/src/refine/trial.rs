//! Whether predicates exclude a path: the abstract run as one formula.
//!
//! The formula has values of its own for each step and for each passive thread that the step is looked at with; only bits
//! lead from one step to the next. So it has a model if and only if the template has a run along the path, with whatever
//! bits. Passive threads that do not act any more are left out: they may go to the sink, but never stop another thread.
//! Each candidate's bits are tied together under an assumption, and the solver's core says which
//! candidates are needed.

use super::narrow::Narrow;
use crate::abstraction::Source;
use crate::abstraction::instance::{Bit, Role, Subject, Time, constraints, with_suffix};
use crate::abstraction::plan::Effect;
use crate::limits::Stop;
use crate::path::Path;
use crate::predicate::{Class, PredicateId};
use engine::limits::Limit;
use frontend::program::LocationId;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Answer, Config, Solver, SolverChoice, Sort, Symbol, Term, create};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// A path with candidates.
pub struct Trial {
    solver: Box<dyn Solver>,
}

/// Candidates that take longer to judge are no help.
const PATIENCE: Duration = Duration::from_secs(10);

/// The assumption that a candidate is tracked.
fn tracked(predicate: PredicateId) -> Term {
    Term::constant(Symbol::new(&format!("track.{}", predicate.0)), Sort::Bool)
}

/// Bits of a step, each with the bit of the run that it is.
type Tied = Vec<(Bit, Term)>;

struct Builder<'t, 's, 'a> {
    source: Source<'s, 'a>,
    path: &'t Path,
    steps: usize,
    predicates: Vec<PredicateId>,
    free: FxHashSet<PredicateId>,
    /// The bits in force, by thread or for the shared state.
    current: FxHashMap<(Option<usize>, PredicateId), Term>,
    locations: Vec<LocationId>,
    versions: usize,
    formulas: Vec<Term>,
}

impl Trial {
    /// The formula for the first steps of a path, with the predicates in use and candidates; for narrow variables, if asked to, and
    /// then its answers are guesses.
    pub fn new(
        source: Source<'_, '_>,
        path: &Path,
        steps: usize,
        candidates: &[PredicateId],
        narrow: bool,
        solver: (&SolverChoice, &Config),
    ) -> Result<Trial, Stop> {
        let mut predicates: Vec<PredicateId> = source.chosen.iter().collect();
        let free: FxHashSet<PredicateId> =
            candidates.iter().copied().filter(|id| !predicates.contains(id)).collect();
        predicates.extend(candidates.iter().copied().filter(|id| free.contains(id)));
        let mut builder = Builder {
            source,
            path,
            steps,
            predicates,
            free,
            current: FxHashMap::default(),
            locations: path.locations(source.setting, 0),
            versions: 0,
            formulas: Vec::new(),
        };
        builder.start();
        for number in 0..steps {
            builder.step(number);
        }
        let mut narrow = if narrow { Narrow::new(&builder.formulas) } else { None };
        let mut solver = create(solver.0, solver.1)?;
        solver.set_time_limit(Some(PATIENCE));
        for formula in builder.formulas {
            solver.assert(narrow.as_mut().map_or(formula, |narrow| narrow.apply(formula)))?;
        }
        Ok(Trial { solver })
    }

    /// Which of these candidates exclude the path, if all together do; not always a smallest set.
    pub fn excluding(&mut self, candidates: &[PredicateId]) -> Result<Option<Vec<PredicateId>>, Stop> {
        let assumptions: Vec<Term> = candidates.iter().map(|&id| tracked(id)).collect();
        match self.solver.check_assuming(&assumptions)? {
            Answer::Sat => Ok(None),
            // Too hard for an answer means that these are no help.
            Answer::Unknown(smt::Reason::Interrupted) => Err(Stop::from(Limit::Interrupted)),
            Answer::Unknown(_) => Ok(None),
            Answer::Unsat => {
                let core: FxHashSet<Term> = self.solver.unsat_core()?.into_iter().collect();
                Ok(Some(candidates.iter().copied().filter(|&id| core.contains(&tracked(id))).collect()))
            }
        }
    }

    /// A set of candidates that excludes the path and from which none can be left out, if that is soon found out; the last ones are tried
    /// first.
    pub fn minimal(&mut self, candidates: &[PredicateId]) -> Result<Option<Vec<PredicateId>>, Stop> {
        let Some(mut needed) = self.excluding(candidates)? else { return Ok(None) };
        let started = Instant::now();
        let mut place = needed.len();
        while place > 0 && started.elapsed() < PATIENCE {
            place -= 1;
            let mut fewer = needed.clone();
            fewer.remove(place);
            if let Some(core) = self.excluding(&fewer)? {
                needed = core;
                place = place.min(needed.len());
            }
        }
        Ok(Some(needed))
    }
}

impl Builder<'_, '_, '_> {
    /// A new bit.
    fn fresh(&mut self) -> Term {
        self.versions += 1;
        Term::constant(Symbol::new(&format!("run.{}", self.versions)), Sort::Bool)
    }

    fn get(&mut self, who: Option<usize>, predicate: PredicateId) -> Term {
        if let Some(&bit) = self.current.get(&(who, predicate)) {
            return bit;
        }
        let bit = self.fresh();
        self.current.insert((who, predicate), bit);
        bit
    }

    /// Whether a thread acts at or after a step, or has to be there at the end.
    fn acts(&self, thread: usize, from: usize) -> bool {
        self.path.steps[from..self.steps].iter().any(|&(other, _)| other == thread)
            || self.path.race.is_some_and(|(first, second, _)| first == thread || second == thread)
    }

    fn start(&mut self) {
        let others: Vec<usize> = (1..self.path.threads).filter(|&thread| self.acts(thread, 0)).collect();
        let partners: Vec<Option<usize>> =
            if others.is_empty() { vec![None] } else { others.into_iter().map(Some).collect() };
        for partner in partners {
            let mut bits = Vec::new();
            for predicate in self.predicates.clone() {
                self.mention(&mut bits, predicate, 0, partner, Time::Before);
            }
            self.instance(Subject::Start, partner, bits, &format!("!start.{}", partner.unwrap_or(0)));
        }
    }

    /// Adds the bits of a predicate before a step.
    fn mention(
        &mut self,
        bits: &mut Vec<(Bit, Term)>,
        predicate: PredicateId,
        active: usize,
        partner: Option<usize>,
        time: Time,
    ) {
        let details = self.source.store.get(predicate);
        if details.class == Class::Shared {
            let term = self.get(None, predicate);
            bits.push((Bit { role: None, time, predicate }, term));
            return;
        }
        if details.in_scope(self.locations[active]) {
            let term = self.get(Some(active), predicate);
            bits.push((Bit { role: Some(Role::Active), time, predicate }, term));
        }
        if let Some(partner) = partner
            && details.in_scope(self.locations[partner])
        {
            let term = self.get(Some(partner), predicate);
            bits.push((Bit { role: Some(Role::Passive), time, predicate }, term));
        }
    }

    fn step(&mut self, number: usize) {
        let (active, id) = self.path.steps[number];
        let edge = self.source.setting.program.edge(id);
        let effect = Effect::new(&self.source, edge);
        let others: Vec<usize> = (0..self.path.threads)
            .filter(|&thread| thread != active && self.acts(thread, number + 1))
            .collect();
        let partners: Vec<Option<usize>> =
            if others.is_empty() { vec![None] } else { others.into_iter().map(Some).collect() };
        let mut instances: Vec<(Option<usize>, Tied)> =
            partners.into_iter().map(|partner| (partner, Vec::new())).collect();
        for predicate in self.predicates.clone() {
            for (partner, bits) in &mut instances {
                self.mention(bits, predicate, active, *partner, Time::Before);
            }
        }
        // The bits that the step changes get a new version, the same for all instances.
        for predicate in self.predicates.clone() {
            let details = self.source.store.get(predicate);
            let changes = effect.changes_active(details);
            if details.class == Class::Shared {
                if changes {
                    let term = self.fresh();
                    self.current.insert((None, predicate), term);
                    let bit = Bit { role: None, time: Time::After, predicate };
                    instances.iter_mut().for_each(|(_, bits)| bits.push((bit, term)));
                }
                continue;
            }
            if !details.in_scope(edge.to) {
                self.current.remove(&(Some(active), predicate));
            } else if changes || !details.in_scope(edge.from) {
                let term = self.fresh();
                self.current.insert((Some(active), predicate), term);
                let bit = Bit { role: Some(Role::Active), time: Time::After, predicate };
                instances.iter_mut().for_each(|(_, bits)| bits.push((bit, term)));
            }
            for (partner, bits) in &mut instances {
                let Some(partner) = *partner else { continue };
                if details.in_scope(self.locations[partner]) && effect.changes_passive(details, edge) {
                    let term = self.fresh();
                    self.current.insert((Some(partner), predicate), term);
                    bits.push((Bit { role: Some(Role::Passive), time: Time::After, predicate }, term));
                }
            }
        }
        for (partner, bits) in instances {
            let suffix =
                format!("!{number}.{}", partner.map_or_else(String::new, |thread| thread.to_string()));
            self.instance(Subject::Edge(id), partner, bits, &suffix);
        }
        self.locations[active] = edge.to;
    }

    /// The formula of a step, tied to the bits of the run.
    fn instance(&mut self, subject: Subject, partner: Option<usize>, bits: Vec<(Bit, Term)>, suffix: &str) {
        let set: BTreeSet<Bit> = bits.iter().map(|(bit, _)| *bit).collect();
        let passive = partner.map(|thread| self.locations[thread]);
        let formulas = constraints(self.source.setting, self.source.store, subject, passive, &set);
        self.formulas.extend(with_suffix(&formulas, suffix));
        let own: Vec<Term> = bits.iter().map(|(bit, _)| bit.term()).collect();
        for ((bit, term), own) in bits.iter().zip(with_suffix(&own, suffix)) {
            let tied = own.equals(*term);
            let tied =
                if self.free.contains(&bit.predicate) { tracked(bit.predicate).implies(tied) } else { tied };
            self.formulas.push(tied);
        }
    }
}
