//! Variables that only ever have a few values, and which.
//!
//! The sets hold in all states, whoever is where: a variable has its value at the start, or one that some step assigns. Sets of the variables give sets of
//! values of terms: all combinations are tried, as long as they are few; of a choice either side counts, whatever decides it; a remainder, a
//! mask or a few bits have few values whatever they are taken from. Elements of an array have one set for all of them. Sets grow until nothing changes; what grows beyond
//! [`MOST`] values may have any.

use super::symbols::Symbols;
use crate::program::{Program, VariableId};
use rustc_hash::FxHashMap;
use smt::{Op, Sort, Term, Value};
use std::collections::BTreeSet;

/// More values than this are not told apart.
pub(super) const MOST: usize = 8;
/// So many combinations of values are tried.
const COMBINATIONS: usize = 64;
/// Larger terms may have any value.
const LARGEST: usize = 60;

/// Literals, in an order that does not depend on the run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Values(Vec<Term>);

impl Values {
    fn of(values: impl IntoIterator<Item = Term>) -> Option<Values> {
        let mut found = Values::default();
        for value in values {
            found.insert(value);
            if found.0.len() > MOST {
                return None;
            }
        }
        Some(found)
    }

    fn insert(&mut self, value: Term) -> bool {
        match self.0.binary_search_by(|known| known.cmp_structural(value)) {
            Ok(_) => false,
            Err(place) => {
                self.0.insert(place, value);
                true
            }
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Term> {
        self.0.iter().copied()
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

/// Terms that were looked at.
type Seen = FxHashMap<Term, Option<Values>>;

/// What is known about values.
pub(super) struct Domains<'s> {
    symbols: &'s Symbols,
    /// By variable; of arrays, that of all elements. Nothing: any value.
    sets: Vec<Option<Values>>,
}

impl<'s> Domains<'s> {
    /// Of the variables of a program.
    pub(super) fn new(program: &Program, symbols: &'s Symbols) -> Domains<'s> {
        let start = program.variables.iter().map(|variable| initial(variable.init.as_ref()?));
        let mut domains = Domains { symbols, sets: start.collect() };
        let assigned = || {
            let edges = program.edges.iter();
            edges.flat_map(|edge| edge.assign.iter().chain(&edge.broadcast.assign))
        };
        loop {
            let mut changed = false;
            for (id, term) in assigned() {
                changed |= domains.grow(*id, *term);
            }
            if !changed {
                return domains;
            }
        }
    }

    fn grow(&mut self, id: VariableId, term: Term) -> bool {
        if self.sets[id.index()].is_none() {
            return false;
        }
        let is_array = matches!(term.sort(), Sort::Array(_));
        let is_small = term.size() <= LARGEST;
        let found = match is_array {
            true if is_small => self.elements(term, &mut FxHashMap::default()),
            true => None,
            false => self.of(term),
        };
        let set = &mut self.sets[id.index()];
        let (Some(known), Some(found)) = (set.as_mut(), found) else {
            *set = None;
            return true;
        };
        let new = found.iter().filter(|value| known.insert(*value)).count();
        if known.len() > MOST {
            *set = None;
        }
        new > 0
    }

    /// The values of a variable, if they are few.
    pub(super) fn variable(&self, id: VariableId) -> Option<&Values> {
        self.sets[id.index()].as_ref()
    }

    /// The values that a term can have, if they are few.
    pub(super) fn of(&self, term: Term) -> Option<Values> {
        if term.size() > LARGEST {
            return None;
        }
        self.found(term, &mut FxHashMap::default())
    }

    fn found(&self, term: Term, seen: &mut Seen) -> Option<Values> {
        if let Some(known) = seen.get(&term) {
            return known.clone();
        }
        let found = self.look(term, seen);
        seen.insert(term, found.clone());
        found
    }

    fn look(&self, term: Term, seen: &mut Seen) -> Option<Values> {
        if term.as_value().is_some() {
            return Values::of([term]);
        }
        match (term.op(), term.args()) {
            (Op::Const(_), _) => match self.symbols.reading(term) {
                Some(reading) => self.sets[reading.variable().index()].clone().or_else(|| all(term.sort())),
                None => all(term.sort()),
            },
            (Op::Ite, &[_, then, els]) => {
                Values::of(self.found(then, seen)?.iter().chain(self.found(els, seen)?.iter()))
            }
            (Op::Select, &[array, _]) => self.elements(array, seen).or_else(|| all(term.sort())),
            _ => self.combined(term, seen).or_else(|| few(term)).or_else(|| all(term.sort())),
        }
    }

    /// All combinations of the values of the parts.
    fn combined(&self, term: Term, seen: &mut Seen) -> Option<Values> {
        let parts: Option<Vec<Values>> = term.args().iter().map(|&part| self.found(part, seen)).collect();
        let parts = parts?;
        let count = parts.iter().try_fold(1usize, |count, part| count.checked_mul(part.len()))?;
        if count > COMBINATIONS {
            return None;
        }
        let combinations = (0..count).map(|mut number| {
            let choose = |part: &Values| {
                let value = part.0[number % part.len()];
                number /= part.len();
                value
            };
            term.rebuild(&parts.iter().map(choose).collect::<Vec<Term>>())
        });
        let found = Values::of(combinations)?;
        // What has no value even for literals may have any.
        let are_known = found.iter().all(|value| value.as_value().is_some());
        are_known.then_some(found)
    }

    /// The values of all elements of an array.
    fn elements(&self, array: Term, seen: &mut Seen) -> Option<Values> {
        if let Some(value) = array.as_value() {
            return initial(&value);
        }
        match (array.op(), array.args()) {
            (Op::Const(_), _) => self.sets[self.symbols.reading(array)?.variable().index()].clone(),
            (Op::Store, &[before, _, value]) => {
                Values::of(self.elements(before, seen)?.iter().chain(self.found(value, seen)?.iter()))
            }
            (Op::Ite, &[_, then, els]) => {
                Values::of(self.elements(then, seen)?.iter().chain(self.elements(els, seen)?.iter()))
            }
            (Op::ConstArray(_), &[value]) => self.found(value, seen),
            _ => None,
        }
    }

    /// A guard without what always holds, and `false` if a part of it never does.
    pub(super) fn decided(&self, guard: Term) -> Term {
        let parts = guard.conjuncts().into_iter().map(|part| {
            match self.of(part).as_ref().map(|values| (values.len(), values.0[0])) {
                Some((1, value)) => value,
                _ => part,
            }
        });
        Term::and_all(parts)
    }
}

/// The value, or those of all elements.
fn initial(value: &Value) -> Option<Values> {
    match value.as_array() {
        None => Values::of([Term::value(value)]),
        Some(array) => {
            let elements = array.entries().map(|(_, element)| element).chain([array.default()]);
            Values::of(elements.map(Term::value))
        }
    }
}

/// All values of a sort, if they are few.
fn all(sort: Sort) -> Option<Values> {
    match sort {
        Sort::Bool => Values::of([Term::fls(), Term::tru()]),
        Sort::BitVec(width) if width <= 3 => Values::of((0..1 << width).map(|value| Term::bv(width, value))),
        _ => None,
    }
}

/// The values of terms that have few, whatever their parts are.
fn few(term: Term) -> Option<Values> {
    let literal = |term: Term| term.as_bits().and_then(|bits| bits.to_u128());
    let width = term.sort().width()?;
    match (term.op(), term.args()) {
        (Op::BvUrem, &[_, divisor]) => match literal(divisor)? {
            0 => None,
            count if count <= MOST as u128 => Values::of((0..count).map(|value| Term::bv(width, value))),
            _ => None,
        },
        (Op::BvAnd, &[one, other]) => {
            let mask = literal(other).or_else(|| literal(one))?;
            if mask.count_ones() > 3 {
                return None;
            }
            let mut parts: BTreeSet<u128> = BTreeSet::from([0]);
            for bit in (0..128).map(|place| 1u128 << place).filter(|bit| mask & bit != 0) {
                parts.extend(parts.clone().into_iter().map(|part| part | bit));
            }
            Values::of(parts.into_iter().map(|value| Term::bv(width, value)))
        }
        _ => None,
    }
}

/// What is known as a substitution.
pub(super) type Known = FxHashMap<Term, Term>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::text::read;

    #[test]
    fn values_are_those_that_are_assigned() {
        let program = read(
            "program 1
            shared which: u32 = 0
            shared count: u32 = 0
            shared turns: [u32; 2 by u32] = {else 0}
            local old: u32 = 0
            local place: u32 = 0
            location 0
            location 1
            main 0
            edge 0: 0 -> 1
              assign old := which
            edge 1: 1 -> 0
              assign which := (bvsub #x00000001 old)
              assign count := (bvadd count #x00000001)
              assign turns := (store turns old (bvadd old #x00000003))
              assign place := (bvurem count #x00000004)
            property p assertion \"p\" at 1
            ",
        )
        .unwrap();
        let symbols = Symbols::new(&program);
        let domains = Domains::new(&program, &symbols);
        let numbers = |name: &str| -> Option<Vec<u128>> {
            let id = program.variables.iter().position(|variable| variable.name.as_str() == name).unwrap();
            let values = domains.variable(VariableId(id as u32))?;
            let mut numbers: Vec<u128> =
                values.iter().filter_map(|value| value.as_bits()?.to_u128()).collect();
            numbers.sort_unstable();
            Some(numbers)
        };
        assert_eq!(numbers("which"), Some(vec![0, 1]));
        assert_eq!(numbers("old"), Some(vec![0, 1]));
        assert_eq!(numbers("count"), None);
        assert_eq!(numbers("place"), Some(vec![0, 1, 2, 3]));
        assert_eq!(numbers("turns"), Some(vec![0, 3, 4]));
        let old = program.variables[3].term();
        let guard = old.ult(Term::bv(32, 2)).and(old.equals(Term::bv(32, 1)));
        assert_eq!(domains.decided(guard), old.equals(Term::bv(32, 1)));
        assert!(domains.decided(old.equals(Term::bv(32, 5))).is_false());
    }
}
