//! One step of one active thread as a formula over bits: equations (23), (24) and (34) of the thesis.
//!
//! The formula has the values before the step (variables for the shared state and the active thread, `x@P` for a passive thread,
//! `x@1`, `x@2`, ... for witnesses); values after the step are terms over these. A bit is true before or after the step if and
//! only if its predicate is, for all other threads that it concerns. Of the threads other than the active and the passive
//! one it only matters whether one of them makes an inter-thread predicate false (theorem 13): so for each such bit there
//! is one *witness*, which must respect all bits that are true. Witnesses are in some location of the program, which
//! says for which predicates they count. Where a predicate's truth for a witness cannot change in the step, one
//! witness serves before and after: that is how the bound of the theorem gets smaller.

use crate::predicate::{Class, PredicateId, Store};
use crate::scope::Setting;
use frontend::program::{Edge, EdgeId, LocationId, Scope, VariableId};
use rustc_hash::FxHashMap;
use smt::{Substitution, Symbol, Term};
use std::collections::BTreeSet;

/// A thread that has bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// The one that makes the step.
    Active,
    /// Another one.
    Passive,
}

/// When.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Time {
    /// Before the step.
    Before,
    /// After the step.
    After,
}

/// A bit of a step; no role for shared predicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bit {
    /// Whose, if not the shared state's.
    pub role: Option<Role>,
    /// When.
    pub time: Time,
    /// Of which predicate.
    pub predicate: PredicateId,
}

impl Bit {
    /// Its name in formulas.
    pub fn term(self) -> Term {
        let role = match self.role {
            None => "s",
            Some(Role::Active) => "a",
            Some(Role::Passive) => "p",
        };
        let time = if self.time == Time::Before { "" } else { "'" };
        let name = format!("{role}{}{time}", self.predicate.0);
        Term::constant(Symbol::new(&format!("bit.{name}")), smt::Sort::Bool)
    }
}

/// What is asked about: a step, or the initial states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Subject {
    /// An edge that the active thread takes.
    Edge(EdgeId),
    /// The initial states: the active thread is in `main`, others in the pool.
    Start,
}

/// Who can be told apart in a formula.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Who {
    Active,
    Passive,
    Witness(usize),
}

/// The constraints for a step with the given bits; the passive thread is in the location, if there is one.
pub fn constraints(
    setting: &Setting<'_>,
    store: &Store,
    subject: Subject,
    passive: Option<LocationId>,
    bits: &BTreeSet<Bit>,
) -> Vec<Term> {
    Builder { setting, store, subject, passive, bits, witnesses: 0, constraints: Vec::new() }.build()
}

struct Builder<'b, 'a> {
    setting: &'b Setting<'a>,
    store: &'b Store,
    subject: Subject,
    passive: Option<LocationId>,
    bits: &'b BTreeSet<Bit>,
    witnesses: usize,
    constraints: Vec<Term>,
}

/// A predicate's falsifying witness for an owner at a time.
struct Falsified {
    bit: Bit,
    witness: usize,
}

impl Builder<'_, '_> {
    fn build(mut self) -> Vec<Term> {
        if let Some(edge) = self.edge() {
            self.constraints.push(edge.guard);
        }
        let mut falsified: Vec<Falsified> = Vec::new();
        for &bit in self.bits {
            let predicate = self.store.get(bit.predicate);
            if predicate.class != Class::InterThread {
                let truth = self.truth(bit, None);
                self.constraints.push(bit.term().equals(truth));
                continue;
            }
            let reusable = falsified.iter().find(|earlier| {
                earlier.bit.predicate == bit.predicate
                    && earlier.bit.role == bit.role
                    && self.truth(earlier.bit, Some(Who::Witness(earlier.witness)))
                        == self.truth(bit, Some(Who::Witness(earlier.witness)))
            });
            let witness = match reusable {
                Some(earlier) => earlier.witness,
                None => {
                    self.witnesses += 1;
                    self.witnesses
                }
            };
            falsified.push(Falsified { bit, witness });
        }
        let classes = self.classes();
        for Falsified { bit, witness } in &falsified {
            let mut reasons = vec![bit.term()];
            if let Some(other) = self.partner(*bit) {
                let truth = self.truth(*bit, Some(other));
                self.constraints.push(bit.term().implies(truth));
                reasons.push(truth.not());
            }
            let untrue = self.truth(*bit, Some(Who::Witness(*witness))).not();
            for (number, class) in classes.iter().enumerate() {
                if class.contains(&bit.predicate) {
                    reasons.push(selected(*witness, number).and(untrue));
                }
            }
            self.constraints.push(Term::or_all(reasons));
        }
        for witness in 1..=self.witnesses {
            for (number, class) in classes.iter().enumerate() {
                let respects = falsified.iter().filter(|other| class.contains(&other.bit.predicate));
                let respects = respects.map(|other| {
                    other.bit.term().implies(self.truth(other.bit, Some(Who::Witness(witness))))
                });
                let respects = Term::and_all(respects);
                self.constraints.push(selected(witness, number).implies(respects));
            }
        }
        if self.subject == Subject::Start {
            self.initial_values();
        }
        self.facts();
        super::shift::normalise(self.constraints)
    }

    /// What holds in all states, as far as it has to do with the constraints.
    fn facts(&mut self) {
        let setting = self.setting;
        let constants = smt::traverse::constants(self.constraints.iter().copied());
        let variables: BTreeSet<VariableId> =
            constants.into_iter().filter_map(|constant| Some(setting.variable(constant)?.0)).collect();
        for &variable in variables.intersection(&setting.identities.own) {
            self.identities(variable);
        }
        self.fresh_identities(&variables);
        if setting.counting.is_empty() {
            return;
        }
        let active = self.edge().map_or(setting.program.main, |edge| edge.from);
        let threads: Vec<LocationId> = [active].into_iter().chain(self.passive).collect();
        self.constraints.extend(setting.counting.constraints(setting.program, &variables, &threads));
    }

    /// No two threads have the same identity, neither before nor after the step. Witnesses are others than the active and the passive thread.
    fn identities(&mut self, variable: VariableId) {
        let setting = self.setting;
        let passive = self.passive.filter(|&location| setting.is_identity(variable, location));
        let mut others: Vec<Who> = (1..=self.witnesses).map(Who::Witness).collect();
        others.extend(passive.map(|_| Who::Passive));
        let (from, to) = match self.edge() {
            None => (setting.program.main, setting.program.main),
            Some(edge) => (edge.from, edge.to),
        };
        let mut facts = Vec::new();
        let is_number = |term: Term| term.slt(Term::bv(term.width(), 0));
        for (time, location) in [(Time::Before, from), (Time::After, to)] {
            if setting.is_identity(variable, location) {
                let own = self.local(Who::Active, variable, time);
                facts.push(is_number(own));
                facts.extend(others.iter().map(|&other| own.distinct(self.local(other, variable, time))));
            }
        }
        if passive.is_some() {
            let own = self.local(Who::Passive, variable, Time::Before);
            facts.push(is_number(own));
            let witnesses = (1..=self.witnesses).map(Who::Witness);
            facts.extend(witnesses.map(|other| own.distinct(self.local(other, variable, Time::Before))));
        }
        self.constraints.extend(facts);
    }

    /// What a new thread gets is in no variable yet.
    fn fresh_identities(&mut self, variables: &BTreeSet<VariableId>) {
        let setting = self.setting;
        let Subject::Edge(edge) = self.subject else { return };
        let fresh = setting.identities.fresh(setting.program, setting.program.edge(edge));
        for (new, carrier, scope) in fresh.filter(|(_, carrier, _)| variables.contains(carrier)) {
            let mut old = Vec::new();
            match scope {
                Scope::Shared => old.push(setting.program.variable(carrier).term()),
                Scope::Local => {
                    let others = self.passive.map(|_| Who::Passive).into_iter();
                    let others = others.chain((1..=self.witnesses).map(Who::Witness));
                    old.extend(others.map(|other| self.local(other, carrier, Time::Before)));
                }
            }
            self.constraints.extend(old.into_iter().map(|old| new.distinct(old)));
        }
    }

    fn edge(&self) -> Option<&Edge> {
        match self.subject {
            Subject::Edge(edge) => Some(self.setting.program.edge(edge)),
            Subject::Start => None,
        }
    }

    /// Sets of inter-thread predicates that count together for a thread in some location.
    fn classes(&self) -> Vec<BTreeSet<PredicateId>> {
        if self.witnesses == 0 || self.setting.program.pool.is_none() {
            return Vec::new();
        }
        let inter: BTreeSet<PredicateId> = self
            .bits
            .iter()
            .map(|bit| bit.predicate)
            .filter(|&id| self.store.get(id).class == Class::InterThread)
            .collect();
        let class = |location| -> BTreeSet<PredicateId> {
            inter.iter().copied().filter(|&id| self.store.get(id).concerns(location)).collect()
        };
        let mut classes: BTreeSet<BTreeSet<PredicateId>> = match self.subject {
            Subject::Start => self.setting.program.pool.into_iter().map(class).collect(),
            Subject::Edge(_) => self
                .setting
                .locations()
                .filter(|&location| self.setting.is_reachable(location))
                .map(class)
                .collect(),
        };
        classes.remove(&BTreeSet::new());
        classes.into_iter().collect()
    }

    /// The other one of the active and the passive thread, if a bit of the first speaks of it.
    fn partner(&self, bit: Bit) -> Option<Who> {
        let predicate = self.store.get(bit.predicate);
        let passive = self.passive?;
        match bit.role? {
            Role::Active => predicate.concerns(passive).then_some(Who::Passive),
            Role::Passive => {
                let location = match (self.edge(), bit.time) {
                    (None, _) => self.setting.program.main,
                    (Some(edge), Time::Before) => edge.from,
                    (Some(edge), Time::After) => edge.to,
                };
                predicate.concerns(location).then_some(Who::Active)
            }
        }
    }

    /// The predicate of a bit for its owner and another thread.
    fn truth(&self, bit: Bit, other: Option<Who>) -> Term {
        let predicate = self.store.get(bit.predicate);
        let owner = match bit.role {
            Some(Role::Passive) => Who::Passive,
            _ => Who::Active,
        };
        let program = self.setting.program;
        let mut map = FxHashMap::default();
        for &variable in &predicate.shared {
            map.insert(program.variable(variable).term(), self.shared(variable, bit.time));
        }
        for &variable in &predicate.own {
            map.insert(program.variable(variable).term(), self.local(owner, variable, bit.time));
        }
        if let Some(other) = other {
            for &variable in &predicate.other {
                map.insert(program.variable(variable).passive_term(), self.local(other, variable, bit.time));
            }
        }
        predicate.term.substitute(&map)
    }

    fn shared(&self, variable: VariableId, time: Time) -> Term {
        self.assigned(variable, time).unwrap_or_else(|| self.setting.program.variable(variable).term())
    }

    fn assigned(&self, variable: VariableId, time: Time) -> Option<Term> {
        let edge = self.edge().filter(|_| time == Time::After)?;
        edge.assigned(variable)
    }

    fn local(&self, who: Who, variable: VariableId, time: Time) -> Term {
        let declared = self.setting.program.variable(variable);
        if who == Who::Active {
            return self.assigned(variable, time).unwrap_or_else(|| declared.term());
        }
        let broadcast = self.edge().filter(|_| time == Time::After).map(|edge| &edge.broadcast);
        let new = broadcast.and_then(|broadcast| {
            let (_, term) = broadcast.assign.iter().find(|(assigned, _)| *assigned == variable)?;
            Some((broadcast, *term))
        });
        let (term, inputs) = match new {
            Some((broadcast, term)) => (term, broadcast.inputs.as_slice()),
            None => (declared.passive_term(), [].as_slice()),
        };
        let Who::Witness(number) = who else { return term };
        // Everything that is the passive thread's own becomes the witness's.
        let own = term.constants().into_iter().filter_map(|constant| {
            let name = constant.as_constant()?;
            let copy = match self.setting.variable(constant) {
                Some((variable, true)) => witness_name(self.setting.program.variable(variable).name, number),
                Some((_, false)) => return None,
                None => inputs.iter().any(|input| input.name == name).then(|| witness_name(name, number))?,
            };
            Some((constant, Term::constant(copy, constant.sort())))
        });
        Substitution::new(own.collect()).apply(term)
    }

    /// The values at the start, as far as they are given.
    fn initial_values(&mut self) {
        let predicates: BTreeSet<PredicateId> = self.bits.iter().map(|bit| bit.predicate).collect();
        let variables: BTreeSet<VariableId> =
            predicates.iter().flat_map(|&id| self.store.get(id).variables.iter().copied()).collect();
        for variable in variables {
            let declared = self.setting.program.variable(variable);
            let Some(value) = declared.init.as_ref().map(Term::value) else { continue };
            self.constraints.push(declared.term().equals(value));
            if !self.setting.is_shared(variable) {
                self.constraints.push(declared.passive_term().equals(value));
                for witness in 1..=self.witnesses {
                    let name = witness_name(declared.name, witness);
                    self.constraints.push(Term::constant(name, value.sort()).equals(value));
                }
            }
        }
    }
}

fn witness_name(name: Symbol, witness: usize) -> Symbol {
    Symbol::new(&format!("{name}@{witness}"))
}

/// Says that a witness is in a location of a class.
fn selected(witness: usize, class: usize) -> Term {
    Term::constant(Symbol::new(&format!("witness.{witness}.{class}")), smt::Sort::Bool)
}

/// The names of all constants of a step, with a suffix: steps of a run must not share values. Bits keep theirs if asked to.
pub fn with_suffix(terms: &[Term], suffix: &str) -> Vec<Term> {
    let map: FxHashMap<Term, Term> = smt::traverse::constants(terms.iter().copied())
        .into_iter()
        .filter_map(|constant| {
            let name = constant.as_constant()?;
            Some((constant, Term::constant(Symbol::new(&format!("{name}{suffix}")), constant.sort())))
        })
        .collect();
    let mut substitution = Substitution::new(map);
    terms.iter().map(|&term| substitution.apply(term)).collect()
}
