//! The smart constructors and their rules.
//!
//! Every operation on [`Term`] simplifies what it builds. The rules are local, cheap, and make terms smaller or put them
//! into a normal form; deep reasoning is for solvers. Three principles:
//!
//! - *Stability.* A term built again from its own arguments is the same term. So substitution and reading back what was
//!   printed change nothing that need not change. A rule therefore never depends on a budget that runs out halfway: it
//!   applies as a whole or not at all.
//! - *Bounded recursion.* Rules that walk down a term do so in loops. Constructors call each other a fixed number of
//!   times, whatever the depth of the arguments.
//! - *Commutative operators are ordered* by the structure of their arguments, a literal last.
//!
//! The negation of a negation is the term itself, and comparisons, equalities of truth values and exclusive
//! disjunctions have negations without `not`. Literals wander outwards: `(x + 1) + y` is `(x + y) + 1`. An operator on a
//! choice between two literals, `ite(c, 1, 0) + 1`, is the choice between two other literals; so what a C front end makes of
//! `(x < y) != 0` becomes `x < y`.

mod arithmetic;
mod array;
mod bitwise;
mod boolean;
mod bounds;
mod equality;
mod order;
mod slice;

#[cfg(test)]
mod tests;

use crate::bits::Bits;
use crate::term::{Op, Term};

/// What a rule makes of an operator with two arguments.
enum Step {
    /// It is decided or built.
    Done(Term),
    /// It is the same operator on these.
    Again(Term, Term),
    /// No rule applies.
    Stuck,
}

/// The arguments of a commutative operator in their normal order: a literal last, else by structure.
fn ordered(left: Term, right: Term) -> (Term, Term) {
    let swap = match (left.as_bits(), right.as_bits()) {
        (None, Some(_)) => false,
        (Some(_), None) => true,
        _ => left.cmp_structural(right).is_gt(),
    };
    if swap { (right, left) } else { (left, right) }
}

/// A choice between two literals.
fn literal_arms(term: Term) -> Option<(Term, &'static Bits, &'static Bits)> {
    match (term.op(), term.args()) {
        (Op::Ite, &[condition, then, els]) => Some((condition, then.as_bits()?, els.as_bits()?)),
        _ => None,
    }
}

/// The operation on a literal or on a choice between two.
fn fold_unary(term: Term, apply: impl Fn(&Bits) -> Bits) -> Option<Term> {
    if let Some(bits) = term.as_bits() {
        return Some(Term::bits(apply(bits)));
    }
    let (condition, then, els) = literal_arms(term)?;
    Some(condition.ite(Term::bits(apply(then)), Term::bits(apply(els))))
}

/// The operation on literals and choices between two, if there is at most one condition.
fn fold_binary<T>(
    left: Term,
    right: Term,
    apply: impl Fn(&Bits, &Bits) -> T,
    literal: impl Fn(T) -> Term,
) -> Option<Term> {
    match (left.as_bits(), right.as_bits()) {
        (Some(left), Some(right)) => Some(literal(apply(left, right))),
        (Some(left), None) => {
            let (condition, then, els) = literal_arms(right)?;
            Some(condition.ite(literal(apply(left, then)), literal(apply(left, els))))
        }
        (None, Some(right)) => {
            let (condition, then, els) = literal_arms(left)?;
            Some(condition.ite(literal(apply(then, right)), literal(apply(els, right))))
        }
        (None, None) => {
            let (first, then, els) = literal_arms(left)?;
            let (second, other_then, other_els) = literal_arms(right)?;
            (first == second)
                .then(|| first.ite(literal(apply(then, other_then)), literal(apply(els, other_els))))
        }
    }
}
