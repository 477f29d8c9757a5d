//! Truth values: connectives and choices.
//!
//! Conjunctions and disjunctions are flat, sorted and free of duplicates, and a member next to its negation decides
//! them. A member that is a long conjunction itself is not merged: a conjunction that grows by one member at a time
//! would otherwise leave a quadratic number of arguments behind.

use smallvec::SmallVec;

use crate::intern::{find, intern};
use crate::sort::Sort;
use crate::term::{Op, Term};

use super::equality::is_opaque;
use super::ordered;

/// The longest conjunction (disjunction) that is merged into the one around it.
const MERGED: usize = 16;

impl Term {
    /// Negation.
    #[expect(clippy::should_implement_trait, reason = "all operations on terms are methods of one kind")]
    pub fn not(self) -> Term {
        debug_assert!(self.sort().is_bool(), "negation of {}", self.sort());
        match (self.op(), self.args()) {
            (Op::True, _) => Term::fls(),
            (Op::False, _) => Term::tru(),
            (Op::Not, &[negated]) => negated,
            (op, args) => match complement(op, args) {
                Some((op, args)) => intern(op, &args, Sort::Bool),
                None => intern(Op::Not, &[self], Sort::Bool),
            },
        }
    }

    /// Conjunction.
    pub fn and(self, other: Term) -> Term {
        junction(true, [self, other])
    }

    /// Disjunction.
    pub fn or(self, other: Term) -> Term {
        junction(false, [self, other])
    }

    /// Conjunction of any number of terms.
    pub fn and_all(terms: impl IntoIterator<Item = Term>) -> Term {
        junction(true, terms)
    }

    /// Disjunction of any number of terms.
    pub fn or_all(terms: impl IntoIterator<Item = Term>) -> Term {
        junction(false, terms)
    }

    /// Exclusive disjunction.
    pub fn xor(self, other: Term) -> Term {
        equivalence(self, other, true)
    }

    /// Implication.
    pub fn implies(self, other: Term) -> Term {
        debug_assert!(self.sort().is_bool() && other.sort().is_bool(), "implication of truth values");
        match (self.op(), self.args(), other.op()) {
            (Op::False, ..) | (.., Op::True) => Term::tru(),
            (Op::True, ..) => other,
            (.., Op::False) => self.not(),
            (Op::Not, &[negated], _) => negated.or(other),
            _ if self == other => Term::tru(),
            _ if are_complements(self, other) => other,
            _ => intern(Op::Implies, &[self, other], Sort::Bool),
        }
    }

    /// Choice: `then` if the condition `self` holds, else `els`.
    pub fn ite(self, then: Term, els: Term) -> Term {
        debug_assert!(self.sort().is_bool(), "condition of sort {}", self.sort());
        debug_assert_eq!(then.sort(), els.sort(), "branches of a choice");
        let (condition, then, els) = match (self.op(), self.args()) {
            (Op::True, _) => return then,
            (Op::False, _) => return els,
            (Op::Not, &[negated]) => (negated, els, then),
            _ => (self, then, els),
        };
        let then = arm_under(condition, then, 1);
        let els = arm_under(condition, els, 2);
        if then == els {
            return then;
        }
        if then.sort().is_bool()
            && let Some(connective) = choice_as_connective(condition, then, els)
        {
            return connective;
        }
        intern(Op::Ite, &[condition, then, els], then.sort())
    }
}

/// The arm of a choice; a choice by the same condition inside is decided.
fn arm_under(condition: Term, arm: Term, taken: usize) -> Term {
    match (arm.op(), arm.args()) {
        (Op::Ite, args) if args[0] == condition => args[taken],
        _ => arm,
    }
}

/// A choice between truth values that needs no choice.
fn choice_as_connective(condition: Term, then: Term, els: Term) -> Option<Term> {
    match (then.as_bool(), els.as_bool()) {
        (Some(true), _) => Some(condition.or(els)),
        (Some(false), _) => Some(condition.not().and(els)),
        (_, Some(true)) => Some(condition.not().or(then)),
        (_, Some(false)) => Some(condition.and(then)),
        _ if then == condition => Some(condition.or(els)),
        _ if els == condition => Some(condition.and(then)),
        _ if are_complements(then, condition) => Some(then.and(els)),
        _ if are_complements(els, condition) => Some(els.or(then)),
        _ if are_complements(then, els) => Some(condition.equals(then)),
        _ => None,
    }
}

/// Equality (or its negation) of truth values.
pub(super) fn equivalence(left: Term, right: Term, negated: bool) -> Term {
    debug_assert!(left.sort().is_bool() && right.sort().is_bool(), "equivalence of truth values");
    let (left, negated) = without_not(left, negated);
    let (right, negated) = without_not(right, negated);
    let with_sign = |term: Term, negated: bool| if negated { term.not() } else { term };
    match (left.as_bool(), right.as_bool()) {
        (Some(value), _) => with_sign(right, negated == value),
        (_, Some(value)) => with_sign(left, negated == value),
        _ if left == right => Term::bool(!negated),
        _ if are_complements(left, right) => Term::bool(negated),
        _ => {
            if let Some((rest, odd)) = without_member(left, right).or_else(|| without_member(right, left)) {
                return with_sign(rest, negated != odd);
            }
            let (left, right) = ordered(left, right);
            intern(if negated { Op::Xor } else { Op::Eq }, &[left, right], Sort::Bool)
        }
    }
}

/// What an equality of truth values says if one of its sides is true, and whether that is negated.
fn without_member(term: Term, member: Term) -> Option<(Term, bool)> {
    let (op @ (Op::Eq | Op::Xor), &[left, right]) = (term.op(), term.args()) else { return None };
    let rest = if left == member { right } else { left };
    (left == member || right == member).then_some((rest, *op == Op::Xor))
}

fn without_not(term: Term, negated: bool) -> (Term, bool) {
    match (term.op(), term.args()) {
        (Op::Not, &[inner]) => (inner, !negated),
        _ => (term, negated),
    }
}

/// The negation of an operator with arguments, if it is an operator with arguments other than `not`.
fn complement(op: &Op, args: &[Term]) -> Option<(Op, [Term; 2])> {
    let &[left, right] = args else { return None };
    match op {
        Op::BvUlt => Some((Op::BvUle, [right, left])),
        Op::BvUle => Some((Op::BvUlt, [right, left])),
        Op::BvSlt => Some((Op::BvSle, [right, left])),
        Op::BvSle => Some((Op::BvSlt, [right, left])),
        Op::Xor => Some((Op::Eq, [left, right])),
        Op::Eq if left.sort().is_bool() => Some((Op::Xor, [left, right])),
        // A single bit that is not zero is one. An equality with the other literal must not be something simpler.
        Op::Eq if left.width() == 1 && is_opaque(left) => {
            right.as_bits().map(|bit| (Op::Eq, [left, Term::bits(bit.not())]))
        }
        _ => None,
    }
}

/// Whether one term is the negation of the other.
pub(super) fn are_complements(left: Term, right: Term) -> bool {
    match (left.op(), right.op()) {
        (Op::Not, _) if left.args()[0] == right => true,
        (_, Op::Not) if right.args()[0] == left => true,
        _ => complement(left.op(), left.args())
            .is_some_and(|(op, args)| *right.op() == op && *right.args() == args),
    }
}

fn junction(conjunction: bool, terms: impl IntoIterator<Item = Term>) -> Term {
    let op = if conjunction { Op::And } else { Op::Or };
    let mut members: SmallVec<[Term; 2 * MERGED]> = SmallVec::new();
    for term in terms {
        debug_assert!(term.sort().is_bool(), "member of sort {}", term.sort());
        match term.as_bool() {
            Some(value) if value == conjunction => {}
            Some(_) => return term,
            None if *term.op() == op && term.args().len() <= MERGED => members.extend_from_slice(term.args()),
            None => members.push(term),
        }
    }
    members.sort_unstable_by(|left, right| left.cmp_structural(*right));
    members.dedup();
    match members[..] {
        [] => Term::bool(conjunction),
        [member] => member,
        _ if has_complements(&op, &members) => Term::bool(!conjunction),
        _ => intern(op, &members, Sort::Bool),
    }
}

/// Whether sorted members contain a term and its negation.
fn has_complements(op: &Op, members: &[Term]) -> bool {
    let contains = |term: &Term| members.binary_search_by(|member| member.cmp_structural(*term)).is_ok();
    members.iter().any(|member| match (member.op(), member.args()) {
        // The members of what is negated may have been merged.
        (Op::Not, [negated]) => {
            contains(negated) || (negated.op() == op && negated.args().iter().all(contains))
        }
        (member, args) => match complement(member, args) {
            Some((op, args)) => find(&op, &args, Sort::Bool).is_some_and(|negation| contains(&negation)),
            None => false,
        },
    })
}
