//! One step of a run as a formula over the bits of a certificate.
//!
//! There is the active thread, perhaps one passive thread that is looked at, and *witnesses*: threads that nobody looks at, but without which a bit would not be false. The formula is made so that every
//! real step satisfies it for some choice of witnesses. So if it has no model, there is no such step:
//!
//! - The bit of a predicate about others is true only if the predicate holds for the other one of the two threads, and for all witnesses.
//! - If it is false, it is false for the other one of the two, or for its own witness. Each false bit has one.
//! - A witness is in some location. All that matters about it is of which predicates it speaks: its *class*.

use super::facts::Facts;
use crate::abstraction::{Abstraction, Predicate};
use frontend::program::{Edge, LocationId, Program, Scope, VariableId, passive};
use rustc_hash::FxHashMap;
use smt::{Sort, Symbol, Term};
use std::collections::BTreeSet;

/// Before or after the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Time {
    Before,
    After,
}

/// One of the two threads that are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Owner {
    Active,
    Passive,
}

/// A thread in a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    Owner(Owner),
    Witness(usize),
}

/// The bit of a shared predicate.
pub(super) fn shared_bit(number: usize, time: Time) -> Term {
    bit(&format!("s{number}{}", mark(time)))
}

/// The bit of a thread predicate.
pub(super) fn thread_bit(owner: Owner, number: usize, time: Time) -> Term {
    let role = if owner == Owner::Active { 'a' } else { 'p' };
    bit(&format!("{role}{number}{}", mark(time)))
}

fn mark(time: Time) -> &'static str {
    if time == Time::Before { "" } else { "'" }
}

/// A truth value with a name that no variable has.
pub(super) fn bit(name: &str) -> Term {
    Term::constant(Symbol::new(&format!("certify|{name}")), Sort::Bool)
}

/// Who does what, and where.
pub(super) struct Step<'a> {
    pub(super) program: &'a Program,
    pub(super) certificate: &'a Abstraction,
    pub(super) facts: &'a Facts<'a>,
    /// What the active thread does; none at the start of a run.
    pub(super) edge: Option<&'a Edge>,
    /// Where the passive thread is that is looked at.
    pub(super) passive: Option<LocationId>,
    /// By constant: the variable, and whether it is a passive copy.
    pub(super) names: &'a FxHashMap<Term, (VariableId, bool)>,
    /// What threads that nobody looks at can speak of, with whether their identities are their own, by identity.
    pub(super) classes: &'a [Class],
}

/// What all threads in some locations have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Class {
    /// Thread predicates, by number, that speak of them.
    pub(super) spoken: BTreeSet<usize>,
    /// By identity: whether each of them has its own.
    pub(super) identified: Vec<bool>,
}

/// Variables by constant.
pub(super) fn names(program: &Program) -> FxHashMap<Term, (VariableId, bool)> {
    let mut names = FxHashMap::default();
    for (index, variable) in program.variables.iter().enumerate() {
        let id = VariableId(index as u32);
        names.insert(variable.term(), (id, false));
        if variable.scope == Scope::Local {
            names.insert(Term::constant(passive(variable.name), variable.data_type.sort()), (id, true));
        }
    }
    names
}

/// A bit about others.
struct Spoken {
    number: usize,
    owner: Owner,
    time: Time,
    bit: Term,
    witness: usize,
}

impl Step<'_> {
    /// The formula, in parts.
    pub(super) fn constraints(&self) -> Vec<Term> {
        let mut parts: Vec<Term> = self.edge.iter().map(|edge| edge.guard).collect();
        for (number, predicate) in self.certificate.shared_predicates.iter().enumerate() {
            for time in self.times() {
                parts.push(shared_bit(number, time).equals(self.truth(predicate, Owner::Active, None, time)));
            }
        }
        let mut spoken = Vec::new();
        for owner in self.owners() {
            for time in self.times() {
                self.thread_bits(owner, time, &mut parts, &mut spoken);
            }
        }
        let witnesses = spoken.iter().map(|one: &Spoken| one.witness + 1).max().unwrap_or(0);
        for one in &spoken {
            self.meaning(one, &mut parts);
        }
        for witness in 0..witnesses {
            for (number, class) in self.classes.iter().enumerate() {
                let told = spoken.iter().filter(|one| class.spoken.contains(&one.number));
                let told = told.map(|one| one.bit.implies(self.spoken_truth(one, Who::Witness(witness))));
                parts.push(is_in(witness, number).implies(Term::and_all(told)));
            }
        }
        if self.edge.is_none() {
            self.first_values(witnesses, &mut parts);
        }
        self.identities(witnesses, &mut parts);
        let threads: Vec<LocationId> =
            [self.at(Owner::Active, Time::Before)].into_iter().chain(self.passive).collect();
        parts.extend(self.facts.constraints(&threads));
        parts
    }

    /// Whether no bit of a passive thread there can change: what its predicates speak of stays the same, term by term.
    pub(super) fn leaves_alone(&self, location: LocationId) -> bool {
        let predicates = self.certificate.thread_predicates.iter().enumerate();
        let mut counted = predicates.filter(|(_, predicate)| predicate.scope.contains(&location));
        counted.all(|(_, predicate)| {
            let same = |other: Option<Who>| {
                self.truth(predicate, Owner::Passive, other, Time::Before)
                    == self.truth(predicate, Owner::Passive, other, Time::After)
            };
            if !self.is_about_others(predicate) {
                return same(None);
            }
            let speaks = |time| predicate.about.contains(&self.at(Owner::Active, time));
            let active = match (speaks(Time::Before), speaks(Time::After)) {
                (false, false) => true,
                (true, true) => same(Some(Who::Owner(Owner::Active))),
                _ => false,
            };
            active && same(Some(Who::Witness(0)))
        })
    }

    /// The start of a run has no after.
    pub(super) fn times(&self) -> impl Iterator<Item = Time> + use<> {
        let after = self.edge.map(|_| Time::After);
        [Time::Before].into_iter().chain(after)
    }

    fn owners(&self) -> impl Iterator<Item = Owner> + use<> {
        [Owner::Active].into_iter().chain(self.passive.map(|_| Owner::Passive))
    }

    /// Where one of the two is.
    fn at(&self, owner: Owner, time: Time) -> LocationId {
        match (owner, self.edge, time, self.passive) {
            (Owner::Passive, _, _, Some(location)) => location,
            (_, None, ..) => self.program.main,
            (_, Some(edge), Time::Before, _) => edge.from,
            (_, Some(edge), Time::After, _) => edge.to,
        }
    }

    fn thread_bits(&self, owner: Owner, time: Time, parts: &mut Vec<Term>, spoken: &mut Vec<Spoken>) {
        let location = self.at(owner, time);
        for (number, predicate) in self.certificate.thread_predicates.iter().enumerate() {
            let bit = thread_bit(owner, number, time);
            if !predicate.scope.contains(&location) {
                parts.push(bit.not());
            } else if !self.is_about_others(predicate) {
                parts.push(bit.equals(self.truth(predicate, owner, None, time)));
            } else {
                let mut one = Spoken { number, owner, time, bit, witness: spoken.len() };
                // A predicate that the step does not change needs no second witness.
                let same = spoken.iter().find(|other: &&Spoken| {
                    other.number == number && other.owner == owner && {
                        let generic = Who::Witness(usize::MAX);
                        self.spoken_truth(other, generic) == self.spoken_truth(&one, generic)
                    }
                });
                if let Some(same) = same {
                    one.witness = same.witness;
                }
                spoken.push(one);
            }
        }
    }

    /// When the bit of a predicate about others is true.
    fn meaning(&self, one: &Spoken, parts: &mut Vec<Term>) {
        let predicate = &self.certificate.thread_predicates[one.number];
        let mut reasons = vec![one.bit];
        let other = match one.owner {
            Owner::Active => self.passive.map(|_| Owner::Passive),
            Owner::Passive => Some(Owner::Active),
        };
        if let Some(other) = other.filter(|other| predicate.about.contains(&self.at(*other, one.time))) {
            let truth = self.spoken_truth(one, Who::Owner(other));
            parts.push(one.bit.implies(truth));
            reasons.push(truth.not());
        }
        let untrue = self.spoken_truth(one, Who::Witness(one.witness)).not();
        for (number, _) in
            self.classes.iter().enumerate().filter(|(_, class)| class.spoken.contains(&one.number))
        {
            reasons.push(is_in(one.witness, number).and(untrue));
        }
        parts.push(Term::or_all(reasons));
    }

    fn is_about_others(&self, predicate: &Predicate) -> bool {
        predicate
            .term
            .constants()
            .iter()
            .any(|constant| self.names.get(constant).is_some_and(|(_, passive)| *passive))
    }

    fn spoken_truth(&self, one: &Spoken, other: Who) -> Term {
        self.truth(&self.certificate.thread_predicates[one.number], one.owner, Some(other), one.time)
    }

    /// A predicate for a thread and another one.
    fn truth(&self, predicate: &Predicate, owner: Owner, other: Option<Who>, time: Time) -> Term {
        let mut map = FxHashMap::default();
        for constant in predicate.term.constants() {
            let Some(&(variable, passive)) = self.names.get(&constant) else { continue };
            let value = match (self.program.variable(variable).scope, passive, other) {
                (Scope::Shared, ..) => self.assigned(variable, time),
                (Scope::Local, false, _) => self.local(Who::Owner(owner), variable, time),
                (Scope::Local, true, Some(other)) => self.local(other, variable, time),
                // A predicate without another thread has no passive copies.
                (Scope::Local, true, None) => continue,
            };
            map.insert(constant, value);
        }
        predicate.term.substitute(&map)
    }

    /// What the step makes of a shared variable, or of the active thread's own.
    fn assigned(&self, variable: VariableId, time: Time) -> Term {
        let old = self.program.variable(variable).term();
        match (self.edge, time) {
            (Some(edge), Time::After) => edge.assigned(variable).unwrap_or(old),
            _ => old,
        }
    }

    fn local(&self, who: Who, variable: VariableId, time: Time) -> Term {
        let old = self.program.variable(variable).passive_term();
        let number = match who {
            Who::Owner(Owner::Active) => return self.assigned(variable, time),
            Who::Owner(Owner::Passive) => None,
            Who::Witness(number) => Some(number),
        };
        let heard = self.edge.filter(|_| time == Time::After).and_then(|edge| {
            let (_, new) = edge.broadcast.assign.iter().find(|(assigned, _)| *assigned == variable)?;
            Some((*new, &edge.broadcast.inputs))
        });
        let (value, inputs) = heard.map_or((old, [].as_slice()), |(new, inputs)| (new, inputs.as_slice()));
        let Some(number) = number else { return value };
        let map = value.constants().into_iter().filter_map(|constant| {
            let is_own = self.names.get(&constant).is_some_and(|(_, passive)| *passive)
                || inputs.iter().any(|input| input.term() == constant);
            is_own.then(|| Some((constant, copy(constant, number)?))).flatten()
        });
        value.substitute(&map.collect())
    }

    /// What variables are at the start.
    fn first_values(&self, witnesses: usize, parts: &mut Vec<Term>) {
        for variable in &self.program.variables {
            let Some(value) = variable.init.as_ref().map(Term::value) else { continue };
            parts.push(variable.term().equals(value));
            if variable.scope == Scope::Local {
                let passive = variable.passive_term();
                parts.push(passive.equals(value));
                let copies = (0..witnesses).filter_map(|number| copy(passive, number));
                parts.extend(copies.map(|copy| copy.equals(value)));
            }
        }
    }

    /// No two threads have the same identity; a new one is in no carrier.
    fn identities(&self, witnesses: usize, parts: &mut Vec<Term>) {
        for (place, (id, identified)) in self.facts.identities.iter().enumerate() {
            let has = |location: LocationId| identified.get(location.index()) == Some(&true);
            for time in self.times() {
                let mut mine = Vec::new();
                for owner in self.owners().filter(|owner| has(self.at(*owner, time))) {
                    let own = self.local(Who::Owner(owner), *id, time);
                    parts.push(own.slt(Term::bv(own.width(), 0)));
                    parts.extend(mine.iter().map(|other: &Term| own.distinct(*other)));
                    for witness in 0..witnesses {
                        let theirs = self.local(Who::Witness(witness), *id, time);
                        let classes = self.classes.iter().enumerate();
                        for (number, _) in classes.filter(|(_, class)| class.identified[place]) {
                            parts.push(is_in(witness, number).implies(own.distinct(theirs)));
                        }
                    }
                    mine.push(own);
                }
            }
        }
        let new: Vec<Term> =
            self.edge.iter().flat_map(|edge| self.facts.started(edge)).map(|(_, term)| term).collect();
        for (new, &carrier) in
            new.iter().flat_map(|new| self.certificate.carriers.iter().map(move |id| (*new, id)))
        {
            let variable = self.program.variable(carrier);
            if variable.data_type.sort() != new.sort() {
                continue;
            }
            if variable.scope == Scope::Shared {
                parts.push(new.distinct(variable.term()));
            } else {
                let passive = variable.passive_term();
                parts.extend(self.passive.map(|_| new.distinct(passive)));
                let copies = (0..witnesses).filter_map(|number| copy(passive, number));
                parts.extend(copies.map(|copy| new.distinct(copy)));
            }
        }
    }
}

/// The witness is in a location of the class.
fn is_in(witness: usize, class: usize) -> Term {
    bit(&format!("w{witness}.{class}"))
}

/// A witness' own copy of a passive constant.
fn copy(constant: Term, witness: usize) -> Option<Term> {
    let name = constant.as_constant()?;
    Some(Term::constant(Symbol::new(&format!("certify|{name}.{witness}")), constant.sort()))
}
