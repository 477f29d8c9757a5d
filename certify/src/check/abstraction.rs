//! Whether a finite system does all that a program does.

use super::Rejected;
use super::facts::{Facts, refute};
use super::step::{Class, Owner, Step, Time, bit, names, shared_bit, thread_bit};
use crate::abstraction::{Abstraction, Bits, Local};
use breach::system::{State, Transition};
use frontend::program::{EdgeId, LocationId, Program, Target, VariableId};
use rustc_hash::FxHashMap;
use smt::{Config, SolverChoice, Term};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A certificate beside the program with counts.
pub(super) struct Judge<'a> {
    program: &'a Program,
    certificate: &'a Abstraction,
    facts: &'a Facts<'a>,
    solver: &'a SolverChoice,
    config: &'a Config,
    names: FxHashMap<Term, (VariableId, bool)>,
    /// What threads can speak of, anywhere and in the pool.
    classes: Vec<Class>,
    pool: Vec<Class>,
    /// By edge: its transitions.
    steps: BTreeMap<EdgeId, Vec<usize>>,
    /// By location: local states there.
    there: BTreeMap<LocationId, Vec<u32>>,
}

/// A beginning of runs: shared state, initial thread, other threads.
struct Beginning<'a> {
    shared: u32,
    main: u32,
    pool: &'a [u32],
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

    fn step(&self, edge: Option<EdgeId>, passive: Option<LocationId>) -> Step<'_> {
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

    fn refute(&self, parts: &[Term]) -> Result<(), Rejected> {
        refute(parts, self.solver, self.config)
    }

    fn local(&self, number: u32) -> Result<Local, Rejected> {
        let local = self.certificate.locals.get(number as usize);
        local.copied().ok_or_else(|| Rejected::new(format!("local state {number} means nothing")))
    }

    fn shared(&self, number: u32) -> Result<Bits, Rejected> {
        let shared = self.certificate.shared.get(number as usize);
        shared.copied().ok_or_else(|| Rejected::new(format!("shared state {number} means nothing")))
    }

    /// The shared state has these bits.
    fn is_shared(&self, bits: Bits, time: Time) -> Vec<Term> {
        literals(self.certificate.shared_predicates.len(), bits, |number| shared_bit(number, time))
    }

    /// A thread has these bits.
    fn is_local(&self, owner: Owner, bits: Bits, time: Time) -> Vec<Term> {
        literals(self.certificate.thread_predicates.len(), bits, |number| thread_bit(owner, number, time))
    }

    fn beginnings(&self) -> Result<Vec<Beginning<'_>>, Rejected> {
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

    /// Every step of the program is one of the system. Returns how many questions were asked.
    pub(super) fn steps(&self) -> Result<usize, Rejected> {
        let errors = self.program.errors();
        let mut tasks: Vec<(EdgeId, Option<LocationId>)> = Vec::new();
        for (index, edge) in self.program.edges.iter().enumerate() {
            let id = EdgeId(index as u32);
            if errors[edge.from.index()] || !self.there.contains_key(&edge.from) {
                continue;
            }
            tasks.push((id, None));
            if errors[edge.to.index()] || self.program.pool.is_none() {
                continue;
            }
            let others = self.there.keys().filter(|location| !errors[location.index()]);
            tasks.extend(others.map(|location| (id, Some(*location))));
        }
        let (next, asked) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let failed: Mutex<Option<Rejected>> = Mutex::new(None);
        let work = || {
            while let Some(&(edge, passive)) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                let result = match passive {
                    None => self.active(edge),
                    Some(location) => self.passive(edge, location),
                };
                match result {
                    Ok(number) => {
                        asked.fetch_add(number, Ordering::Relaxed);
                    }
                    Err(why) => {
                        if let Ok(mut failed) = failed.lock() {
                            failed.get_or_insert(why);
                        }
                        next.store(tasks.len(), Ordering::Relaxed);
                    }
                }
            }
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            for _ in 1..cores {
                scope.spawn(work);
            }
            work();
        });
        match failed.into_inner() {
            Ok(None) => Ok(asked.into_inner()),
            Ok(Some(why)) => Err(why),
            Err(_) => Err(Rejected::new("the check was cut short")),
        }
    }

    /// The transition with this number, with its ends.
    fn transition(&self, number: usize) -> Result<(&Transition, u32, u32), Rejected> {
        let step = &self.certificate.problem.system.transitions[number];
        match (step.consume.pairs(), step.produce.pairs()) {
            (&[(from, 1)], &[(to, 1)]) => Ok((step, from, to)),
            _ => Err(Rejected::new(format!("transition {number} is not about one thread"))),
        }
    }

    /// Whatever the active thread does, a transition does.
    fn active(&self, id: EdgeId) -> Result<usize, Rejected> {
        let edge = self.program.edge(id);
        let mut known: BTreeMap<(u32, u32), Vec<usize>> = BTreeMap::new();
        for &local in self.there.get(&edge.from).into_iter().flatten() {
            for (shared, with) in self.certificate.occurs.iter().enumerate() {
                if with.contains(&local) {
                    known.insert((shared as u32, local), Vec::new());
                }
            }
        }
        if known.is_empty() {
            return Ok(0);
        }
        for &number in self.steps.get(&id).into_iter().flatten() {
            let (step, from, _) = self.transition(number)?;
            if let Some(steps) = known.get_mut(&(step.from, from)) {
                steps.push(number);
            }
        }
        let mut parts = self.step(Some(id), None).constraints();
        let mut chosen = Vec::new();
        for (place, ((shared, local), steps)) in known.iter().enumerate() {
            let here = bit(&format!("from{place}"));
            chosen.push(here);
            let mut bits = self.is_shared(self.shared(*shared)?, Time::Before);
            bits.extend(self.is_local(Owner::Active, self.local(*local)?.bits, Time::Before));
            parts.push(here.implies(Term::and_all(bits)));
            for &number in steps {
                parts.push(here.implies(Term::and_all(self.after(number, edge.to)?).not()));
            }
        }
        parts.push(Term::or_all(chosen));
        self.refute(&parts).map_err(|why| why.at(format!("a step of edge {} is missing", id.0)))?;
        Ok(1)
    }

    /// What the shared state and the active thread are after a transition; nothing matters about a violation but where the thread is.
    fn after(&self, number: usize, location: LocationId) -> Result<Vec<Term>, Rejected> {
        let (step, _, to) = self.transition(number)?;
        let local = self.local(to)?;
        if local.location != location {
            return Err(Rejected::new(format!("transition {number} leads elsewhere than its edge")));
        }
        if step.to == self.certificate.error {
            return Ok(Vec::new());
        }
        let mut bits = self.is_shared(self.shared(step.to)?, Time::After);
        bits.extend(self.is_local(Owner::Active, local.bits, Time::After));
        Ok(bits)
    }

    /// Whatever becomes of a passive thread, the transition lets it.
    fn passive(&self, id: EdgeId, location: LocationId) -> Result<usize, Rejected> {
        let edge = self.program.edge(id);
        let step = self.step(Some(id), Some(location));
        let stays = step.leaves_alone(location);
        // By shared state before: local states of the passive thread.
        let threads = &self.there[&location];
        let mut exceptions: Vec<(usize, u32, Vec<u32>)> = Vec::new();
        let mut steps = Vec::new();
        for &number in self.steps.get(&id).into_iter().flatten() {
            let (step, from, _) = self.transition(number)?;
            let occurs = self.certificate.occurs.get(step.from as usize);
            let Some(occurs) = occurs.filter(|with| with.contains(&from)) else { continue };
            let with: Vec<u32> = threads.iter().copied().filter(|thread| occurs.contains(thread)).collect();
            if with.is_empty() || step.to == self.certificate.error {
                continue;
            }
            for &thread in &with {
                if let Some(rule) = step.transfer(thread)
                    && !(stays && rule.to.contains(&thread))
                {
                    exceptions.push((number, thread, rule.to.clone()));
                }
            }
            steps.push((number, with));
        }
        if steps.is_empty() || (stays && exceptions.is_empty()) {
            return Ok(0);
        }
        if stays {
            // Only the exceptions are in question.
            let named: BTreeSet<usize> = exceptions.iter().map(|(number, ..)| *number).collect();
            steps.retain(|(number, _)| named.contains(number));
        }
        let mut parts = step.constraints();
        self.choose(&steps, &exceptions, edge.to, stays, &mut parts)?;
        let place = || format!("what edge {} does to a thread at location {} is missing", id.0, location.0);
        self.refute(&parts).map_err(|why| why.at(place()))?;
        Ok(1)
    }

    /// The transition is one of the steps, the passive thread is one that occurs with it, and it becomes what the transition does not let it.
    fn choose(
        &self,
        steps: &[(usize, Vec<u32>)],
        exceptions: &[(usize, u32, Vec<u32>)],
        to: LocationId,
        stays: bool,
        parts: &mut Vec<Term>,
    ) -> Result<(), Rejected> {
        let taken = |number: usize| bit(&format!("step{number}"));
        let is = |thread: u32| bit(&format!("thread{thread}"));
        let mut threads = BTreeSet::new();
        for (number, with) in steps {
            let (step, from, _) = self.transition(*number)?;
            let mut bits = self.is_shared(self.shared(step.from)?, Time::Before);
            bits.extend(self.is_local(Owner::Active, self.local(from)?.bits, Time::Before));
            bits.extend(self.after(*number, to)?);
            bits.push(Term::or_all(with.iter().map(|thread| is(*thread))));
            parts.push(taken(*number).implies(Term::and_all(bits)));
            threads.extend(with.iter().copied());
        }
        for &thread in &threads {
            let bits = self.is_local(Owner::Passive, self.local(thread)?.bits, Time::Before);
            parts.push(is(thread).equals(Term::and_all(bits)));
        }
        parts.push(Term::or_all(steps.iter().map(|(number, _)| taken(*number))));
        for (number, thread, allowed) in exceptions {
            let here = taken(*number).and(is(*thread));
            for &after in allowed.iter().filter(|after| (**after as usize) < self.certificate.locals.len()) {
                let after = self.local(after)?;
                let bits = self.is_local(Owner::Passive, after.bits, Time::After);
                parts.push(here.implies(Term::and_all(bits).not()));
            }
        }
        let mut wrong: Vec<Term> =
            exceptions.iter().map(|(number, thread, _)| taken(*number).and(is(*thread))).collect();
        if !stays {
            let bits = 0..self.certificate.thread_predicates.len();
            wrong.extend(bits.map(|number| {
                let bit = |time| thread_bit(Owner::Passive, number, time);
                bit(Time::Before).distinct(bit(Time::After))
            }));
        }
        parts.push(Term::or_all(wrong));
        Ok(())
    }

    /// Whatever follows from what occurs occurs.
    pub(super) fn closure(&self) -> Result<(), Rejected> {
        let occurs = |shared: u32, local: u32| {
            let with = self.certificate.occurs.get(shared as usize);
            with.is_some_and(|with| with.contains(&local))
        };
        // Whoever is in a state that means nothing has stood in the way of a step: there is no such run.
        let means = |local: &u32| (*local as usize) < self.certificate.locals.len();
        let errors = self.program.errors();
        let lost = |shared: u32, local: u32| {
            Rejected::new(format!("local state {local} is missing beside shared state {shared}"))
        };
        for beginning in self.beginnings()? {
            for &local in beginning.pool.iter().chain([&beginning.main]).filter(|local| means(local)) {
                if !occurs(beginning.shared, local) {
                    return Err(lost(beginning.shared, local));
                }
            }
        }
        for (number, edge) in self.certificate.edges.iter().enumerate() {
            let (step, from, to) = self.transition(number)?;
            if edge.is_none() || step.to == self.certificate.error || !occurs(step.from, from) {
                continue;
            }
            if !occurs(step.to, to) {
                return Err(lost(step.to, to));
            }
            for local in &self.certificate.occurs[step.from as usize] {
                // Runs are looked at up to the first violation: nobody has been at one before.
                if errors[self.local(*local)?.location.index()] {
                    continue;
                }
                let rule = step.transfer(*local).map_or(std::slice::from_ref(local), |rule| &rule.to);
                if let Some(local) =
                    rule.iter().filter(|local| means(local)).find(|local| !occurs(step.to, **local))
                {
                    return Err(lost(step.to, *local));
                }
            }
        }
        Ok(())
    }

    /// Every violation is above a target.
    pub(super) fn targets(&self) -> Result<(), Rejected> {
        let targets = &self.certificate.problem.targets;
        let demand = |shared: u32, threads: &[u32], name: &str| {
            let state = State::new(shared, threads.iter().copied());
            let is_target = targets.iter().any(|target| target.covered_by(&state));
            is_target
                .then_some(())
                .ok_or_else(|| Rejected::new(format!("{state} violates {name} and is no target")))
        };
        let mut named: BTreeMap<LocationId, &str> = BTreeMap::new();
        for property in &self.program.properties {
            match &property.target {
                Target::Location(location) => {
                    named.insert(*location, &property.name);
                }
                Target::Race(first, second) => {
                    let at = |location: LocationId, with: &BTreeSet<u32>| -> Vec<u32> {
                        let there = self.there.get(&location).into_iter().flatten().copied();
                        there.filter(|local| with.contains(local)).collect()
                    };
                    for (shared, with) in self.certificate.occurs.iter().enumerate() {
                        for one in at(first.location, with) {
                            for other in at(second.location, with) {
                                demand(shared as u32, &[one, other], &property.name)?;
                            }
                        }
                    }
                }
            }
        }
        for (number, edge) in self.certificate.edges.iter().enumerate() {
            let (step, _, to) = self.transition(number)?;
            let location = edge.map(|edge| self.program.edge(edge).to);
            match location.and_then(|location| named.get(&location)) {
                Some(name) => demand(step.to, &[to], name)?,
                None if step.to == self.certificate.error => {
                    return Err(Rejected::new(format!(
                        "transition {number} is taken for a violation and is none"
                    )));
                }
                None => {}
            }
        }
        for beginning in self.beginnings()? {
            for &local in beginning.pool.iter().chain([&beginning.main]) {
                if let Some(name) = self.local(local).ok().and_then(|local| named.get(&local.location)) {
                    demand(beginning.shared, &[local], name)?;
                }
            }
        }
        Ok(())
    }
}

/// Bits as literals.
fn literals(number: usize, bits: Bits, bit: impl Fn(usize) -> Term) -> Vec<Term> {
    (0..number).map(|place| if bits >> place & 1 == 1 { bit(place) } else { bit(place).not() }).collect()
}
