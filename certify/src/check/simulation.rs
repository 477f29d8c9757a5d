//! Every step of the program is one of the system: one question per edge, and one per edge and location of a passive thread.

use super::Rejected;
use super::abstraction::Judge;
use super::step::{Owner, Time, bit, thread_bit};
use frontend::program::{EdgeId, LocationId};
use rayon::prelude::*;
use smt::Term;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};

impl Judge<'_> {
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
        let asked = AtomicUsize::new(0);
        // The first flaw in the order of the program, whoever finds one first: the same proof is rejected with the same words.
        let failed = tasks.par_iter().find_map_first(|&(edge, passive)| {
            let result = match passive {
                None => self.active(edge),
                Some(location) => self.passive(edge, location),
            };
            result.map(|number| asked.fetch_add(number, Ordering::Relaxed)).err()
        });
        failed.map_or_else(|| Ok(asked.into_inner()), Err)
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
}
