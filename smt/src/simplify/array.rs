//! Arrays: what a selection finds in stores.
//!
//! A selection walks down the stores whose indices are known to differ from its own. At a choice between arrays it
//! goes on if both sides lead to the same array, and becomes a choice between elements if at least one side has an element
//! for it. That is a loop, too: the sides that have elements are collected, and the choices are built around the end.

use crate::intern::intern;
use crate::sort::Sort;
use crate::term::{Op, Term};

impl Term {
    /// The array with the same element everywhere.
    pub fn const_array(sort: Sort, default: Term) -> Term {
        debug_assert_eq!(sort.element(), Some(default.sort()), "element of a constant array");
        intern(Op::ConstArray(sort), &[default], sort)
    }

    /// The element at an index.
    pub fn select(self, index: Term) -> Term {
        debug_assert_eq!(self.sort().index(), Some(index.sort()), "index of a selection");
        let mut choices = Vec::new();
        let mut array = self;
        let end = loop {
            let place = match lookup(array, index) {
                Ok(element) => break element,
                Err(place) => place,
            };
            let (Op::Ite, &[condition, then, els]) = (place.op(), place.args()) else {
                break selection(place, index);
            };
            match (lookup(then, index), lookup(els, index)) {
                (Err(then), Err(els)) if then == els => array = then,
                (Ok(element), Err(rest)) => {
                    choices.push((condition, element));
                    array = rest;
                }
                (Err(rest), Ok(element)) => {
                    choices.push((condition.not(), element));
                    array = rest;
                }
                (Ok(then), Ok(els)) => break condition.ite(then, els),
                (Err(_), Err(_)) => break selection(place, index),
            }
        };
        choices.into_iter().rev().fold(end, |rest, (condition, element)| condition.ite(element, rest))
    }

    /// The array with one element replaced.
    pub fn store(self, index: Term, value: Term) -> Term {
        debug_assert_eq!(self.sort().index(), Some(index.sort()), "index of a store");
        debug_assert_eq!(self.sort().element(), Some(value.sort()), "element of a store");
        let array = match (self.op(), self.args()) {
            (Op::Store, &[array, overwritten, _]) if overwritten == index => array,
            _ => self,
        };
        match (array.op(), array.args(), value.op(), value.args()) {
            // The element is there already.
            (Op::ConstArray(_), &[default], ..) if default == value => array,
            (.., Op::Select, &[from, at]) if from == array && at == index => array,
            _ => intern(Op::Store, &[array, index, value], array.sort()),
        }
    }
}

fn selection(array: Term, index: Term) -> Term {
    intern(Op::Select, &[array, index], array.sort().element().unwrap_or(Sort::Bool))
}

/// The element at an index if stores give it, else the array below those that are known not to matter.
fn lookup(array: Term, index: Term) -> Result<Term, Term> {
    let mut place = array;
    loop {
        match (place.op(), place.args()) {
            (Op::ConstArray(_), &[default]) => return Ok(default),
            (Op::Store, &[_, at, value]) if at == index => return Ok(value),
            (Op::Store, &[below, at, _]) if differ(at, index) => place = below,
            _ => return Err(place),
        }
    }
}

/// Whether two terms have different values whatever the constants are: literals, and the same base plus literals.
fn differ(left: Term, right: Term) -> bool {
    match (left.as_bits(), right.as_bits()) {
        (Some(left), Some(right)) => left != right,
        _ => left != right && without_literal(left) == without_literal(right),
    }
}

/// The base of a sum with a literal.
fn without_literal(term: Term) -> Term {
    match (term.op(), term.args()) {
        (Op::BvAdd, &[base, summand]) if summand.as_bits().is_some() => base,
        _ => term,
    }
}
