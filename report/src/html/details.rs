//! What an engine knows beyond the answer, for the page.

use frontend::program::LocationId;
use smt::Term;
use std::collections::BTreeSet;
use std::time::Duration;

/// Everything that an engine adds to the page; what it does not have is empty.
#[derive(Clone, Debug, Default)]
pub struct Details {
    /// What a proof speaks of.
    pub predicates: Vec<Predicate>,
    /// Names in predicates that are not in the source, and what they mean.
    pub glossary: Vec<(String, String)>,
    /// What holds where.
    pub invariants: Invariants,
    /// Numbers that change while the engine works.
    pub curves: Vec<Curve>,
    /// Times of phases, in the order of the work.
    pub times: Vec<(String, Duration)>,
    /// Other numbers, by name.
    pub figures: Vec<(String, String)>,
}

/// What a proof speaks of.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// A word for what it is about.
    pub class: String,
    /// The formula.
    pub formula: Formula,
}

/// A formula over shared variables, a thread's locals, and the locals of another thread (`x@P`). With these it means: for every other thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    /// The formula.
    pub term: Term,
    /// Which other threads are meant, if it speaks of them and not of all: `that wait`.
    pub among: &'static str,
}

/// What is known about places of the source.
#[derive(Clone, Debug)]
pub enum Invariants {
    /// Nothing, for this reason.
    Unknown(String),
    /// For each location that a thread can get to; it cannot get to any other.
    Known(Vec<Invariant>),
}

impl Default for Invariants {
    fn default() -> Invariants {
        Invariants::Unknown("there is no proof".to_owned())
    }
}

/// What holds while a thread is at a location: one of the rows does.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// Where the thread is.
    pub location: LocationId,
    /// Which thread that is, if threads are told apart.
    pub thread: Option<usize>,
    /// Formulas.
    pub formulas: Vec<Formula>,
    /// For each formula whether it holds; nothing if a row does not say it.
    pub rows: Vec<Vec<Option<bool>>>,
}

/// More formulas are not shown.
const MOST: usize = 60;

/// A formula that is meant as it is.
fn plain(term: Term) -> Formula {
    Formula { term, among: "" }
}

impl Predicate {
    /// The formulas in lists of formulas about threads with numbers (`x#1`), each once.
    pub fn of_labels<'l>(labels: impl Iterator<Item = &'l [Term]>) -> Vec<Predicate> {
        let mut seen = BTreeSet::new();
        let new = labels.flatten().filter(|part| !part.is_false() && seen.insert(part.to_string()));
        let is_local =
            |constant: &Term| constant.as_constant().is_some_and(|name| name.as_str().contains('#'));
        let class = |term: Term| if term.constants().iter().any(is_local) { "of threads" } else { "shared" };
        new.take(MOST)
            .map(|part| Predicate { class: class(*part).to_owned(), formula: plain(*part) })
            .collect()
    }
}

impl Invariant {
    /// All formulas of one of the labels hold.
    pub fn of_labels(location: LocationId, thread: Option<usize>, labels: &[&[Term]]) -> Invariant {
        let mut terms: Vec<Term> = Vec::new();
        for part in labels.iter().copied().flatten() {
            if !terms.contains(part) {
                terms.push(*part);
            }
        }
        let row = |label: &&[Term]| terms.iter().map(|term| label.contains(term).then_some(true)).collect();
        let rows = labels.iter().map(row).collect();
        Invariant { location, thread, formulas: terms.into_iter().map(plain).collect(), rows }
    }
}

/// Numbers in an order.
#[derive(Clone, Debug)]
pub struct Curve {
    /// What is counted.
    pub title: String,
    /// What the order is: `iteration`.
    pub over: String,
    /// The numbers.
    pub points: Vec<f64>,
    /// Behind each number.
    pub unit: &'static str,
}
