//! Predicates over shared variables, a thread's own locals, and the locals of a generic passive thread: definition 9 of the thesis.
//!
//! The truth of a predicate for thread `a` is that of equation (12): it holds for all other threads `p` with `a`'s locals
//! for `L` and `p`'s locals for `L_P`, where only threads count in whose location the mentioned variables of `L_P` are in scope.
//! Shared predicates are bits of the shared state; all others are bits of each thread, in those locations
//! where the mentioned variables of `L` are in scope.

use crate::scope::{Extent, Setting};
use frontend::program::{LocationId, VariableId};
use smt::Term;
use std::fmt;

/// What a predicate speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// Shared variables only.
    Shared,
    /// The thread's own locals only.
    Local,
    /// The thread's own locals and shared variables.
    SingleThread,
    /// Locals of other threads, too.
    InterThread,
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Class::Shared => "shared",
            Class::Local => "local",
            Class::SingleThread => "single-thread",
            Class::InterThread => "inter-thread",
        })
    }
}

/// The number of a predicate among all that were ever considered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PredicateId(pub u32);

impl PredicateId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A predicate with what follows from its term.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// Over variables and passive copies.
    pub term: Term,
    /// Where its locals count.
    pub extent: Extent,
    /// Its class.
    pub class: Class,
    /// All variables, in any role; sorted.
    pub variables: Vec<VariableId>,
    /// Shared variables in it.
    pub shared: Vec<VariableId>,
    /// The thread's own locals in it.
    pub own: Vec<VariableId>,
    /// Passive copies in it.
    pub other: Vec<VariableId>,
    /// By location: whether a thread there has a bit for it.
    in_scope: Vec<bool>,
    /// By location: whether other threads' bits speak of a thread there.
    concerns: Vec<bool>,
}

impl Predicate {
    /// The predicate of a term, or nothing if the term mentions something that is not a variable of the program.
    pub fn new(setting: &Setting<'_>, term: Term, extent: Extent) -> Option<Predicate> {
        let (mut shared, mut own, mut other) = (Vec::new(), Vec::new(), Vec::new());
        for constant in term.constants() {
            let (variable, passive) = setting.variable(constant)?;
            if passive {
                other.push(variable);
            } else if setting.is_shared(variable) {
                shared.push(variable);
            } else {
                own.push(variable);
            }
        }
        for list in [&mut shared, &mut own, &mut other] {
            list.sort_unstable();
        }
        let class = match (shared.is_empty(), own.is_empty(), other.is_empty()) {
            (_, _, false) => Class::InterThread,
            (_, true, true) => Class::Shared,
            (true, false, true) => Class::Local,
            (false, false, true) => Class::SingleThread,
        };
        let locations = setting.locations();
        let everywhere = |list: &[VariableId], location| {
            list.iter().all(|&variable| setting.in_extent(variable, location, extent))
        };
        let in_scope = locations
            .clone()
            .map(|location| !setting.is_error(location) && everywhere(&own, location))
            .collect();
        let concerns =
            locations.map(|location| !setting.is_error(location) && everywhere(&other, location)).collect();
        let mut variables: Vec<VariableId> = shared.iter().chain(&own).chain(&other).copied().collect();
        variables.sort_unstable();
        variables.dedup();
        Some(Predicate { term, extent, class, variables, shared, own, other, in_scope, concerns })
    }

    /// Whether a thread in the location has a bit for it.
    pub fn in_scope(&self, location: LocationId) -> bool {
        self.in_scope[location.index()]
    }

    /// Whether it speaks of passive threads in the location.
    pub fn concerns(&self, location: LocationId) -> bool {
        self.class == Class::InterThread && self.concerns[location.index()]
    }
}

/// All predicates that were ever considered, each once. A predicate and its negation are the same, except for
/// inter-thread ones: there the negation is another predicate.
#[derive(Clone, Debug, Default)]
pub struct Store {
    predicates: Vec<Predicate>,
    numbers: rustc_hash::FxHashMap<(Term, Extent), PredicateId>,
}

impl Store {
    /// The predicate with this number.
    pub fn get(&self, id: PredicateId) -> &Predicate {
        &self.predicates[id.index()]
    }

    /// The number of a predicate, old or new; nothing if the term cannot be one.
    pub fn add(&mut self, setting: &Setting<'_>, term: Term, extent: Extent) -> Option<PredicateId> {
        if term.as_bool().is_some() || term.sort() != smt::Sort::Bool {
            return None;
        }
        if let Some(&id) = self.numbers.get(&(term, extent)) {
            return Some(id);
        }
        let mut predicate = Predicate::new(setting, term, extent)?;
        if predicate.class != Class::InterThread
            && let (smt::Op::Not, &[positive]) = (term.op(), term.args())
        {
            if let Some(&id) = self.numbers.get(&(positive, extent)) {
                return Some(id);
            }
            predicate.term = positive;
        }
        let id = PredicateId(self.predicates.len() as u32);
        self.numbers.insert((predicate.term, extent), id);
        self.numbers.insert((term, extent), id);
        self.predicates.push(predicate);
        Some(id)
    }
}

/// The predicates of an abstraction: which bits the shared state and the threads have, in this order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chosen {
    /// Bits of the shared state.
    pub shared: Vec<PredicateId>,
    /// Bits of each thread.
    pub thread: Vec<PredicateId>,
}

impl Chosen {
    /// How many of each a state can have.
    pub const CAPACITY: usize = 128;

    /// Adds a predicate, unless it is there.
    pub fn insert(&mut self, store: &Store, id: PredicateId) -> bool {
        let list = if store.get(id).class == Class::Shared { &mut self.shared } else { &mut self.thread };
        if list.contains(&id) {
            return false;
        }
        list.push(id);
        true
    }

    /// Whether the predicate is among them.
    pub fn contains(&self, id: PredicateId) -> bool {
        self.shared.contains(&id) || self.thread.contains(&id)
    }

    /// All, shared ones first.
    pub fn iter(&self) -> impl Iterator<Item = PredicateId> + '_ {
        self.shared.iter().chain(&self.thread).copied()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.shared.len() + self.thread.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
