//! Equality of terms of any sort.
//!
//! Strips what both sides have in common, in a loop: extensions, negations, literal summands. A literal that the other
//! side cannot be decides. A chain of choices with literal arms is compared arm by arm if it is short.

use crate::bits::Bits;
use crate::intern::intern;
use crate::sort::Sort;
use crate::term::{Op, Term};

use super::boolean::equivalence;
use super::{Step, literal_arms, ordered};

/// The longest chain of choices with a literal arm that is compared arm by arm.
const CHAIN: usize = 8;

impl Term {
    /// Equality.
    pub fn equals(self, other: Term) -> Term {
        debug_assert_eq!(self.sort(), other.sort(), "sides of an equality");
        if self == other {
            return Term::tru();
        }
        match self.sort() {
            Sort::Bool => equivalence(self, other, false),
            Sort::BitVec(_) => equal_bits(self, other),
            Sort::Array(_) => match (self.op(), self.args(), other.op(), other.args()) {
                // Elements are no arrays of this sort, so this goes no deeper than the sort.
                (Op::ConstArray(_), &[left], Op::ConstArray(_), &[right]) => left.equals(right),
                _ => equality(self, other),
            },
        }
    }

    /// Negated equality.
    pub fn distinct(self, other: Term) -> Term {
        self.equals(other).not()
    }
}

fn equality(left: Term, right: Term) -> Term {
    let (left, right) = ordered(left, right);
    intern(Op::Eq, &[left, right], Sort::Bool)
}

fn equal_bits(mut left: Term, mut right: Term) -> Term {
    loop {
        if left == right {
            return Term::tru();
        }
        if left.as_bits().is_some() {
            std::mem::swap(&mut left, &mut right);
        }
        let step = match (left.as_bits(), right.as_bits()) {
            (Some(left), Some(right)) => Step::Done(Term::bool(left == right)),
            (None, Some(literal)) => equal_to_literal(left, literal),
            _ => equal_terms(left, right),
        };
        match step {
            Step::Done(term) => return term,
            Step::Again(first, second) => (left, right) = (first, second),
            Step::Stuck => return equality(left, right),
        }
    }
}

fn equal_to_literal(term: Term, literal: &Bits) -> Step {
    let again = |part: Term, literal: Bits| Step::Again(part, Term::bits(literal));
    let never = Step::Done(Term::fls());
    match (term.op(), term.args()) {
        (Op::ZeroExtend(by), &[part]) => {
            let low = literal.extract(part.width().saturating_sub(1), 0);
            if low.zero_extend(*by) == *literal { again(part, low) } else { never }
        }
        (Op::SignExtend(by), &[part]) => {
            let low = literal.extract(part.width().saturating_sub(1), 0);
            if low.sign_extend(*by) == *literal { again(part, low) } else { never }
        }
        (Op::Concat, &[high, low]) => {
            let (top, cut) = (literal.width().saturating_sub(1), low.width());
            let (upper, lower) = (literal.extract(top, cut), literal.extract(cut.saturating_sub(1), 0));
            match (high.as_bits(), low.as_bits()) {
                (Some(bits), _) => {
                    if *bits == upper {
                        again(low, lower)
                    } else {
                        never
                    }
                }
                (_, Some(bits)) => {
                    if *bits == lower {
                        again(high, upper)
                    } else {
                        never
                    }
                }
                _ => Step::Stuck,
            }
        }
        (Op::BvNot, &[part]) => again(part, literal.not()),
        (Op::BvNeg, &[part]) => again(part, literal.neg()),
        (Op::BvSub | Op::BvXor, &[left, right]) if literal.is_zero() => Step::Again(left, right),
        (Op::BvSub, &[left, right]) => match left.as_bits() {
            Some(minuend) => again(right, minuend.sub(literal)),
            None => Step::Stuck,
        },
        (Op::Ite, _) => choice_equal_to_literal(term, literal),
        (op, &[left, right]) => match right.as_bits() {
            Some(bits) => equal_with_literal_operand(op, left, bits, literal),
            None => Step::Stuck,
        },
        _ => Step::Stuck,
    }
}

/// Whether an operator on a term and `operand` can give `literal`, and where it does.
fn equal_with_literal_operand(op: &Op, left: Term, operand: &Bits, literal: &Bits) -> Step {
    match op {
        Op::BvAdd => Step::Again(left, Term::bits(literal.sub(operand))),
        Op::BvXor => Step::Again(left, Term::bits(literal.xor(operand))),
        Op::BvAnd if !literal.and(&operand.not()).is_zero() => Step::Done(Term::fls()),
        Op::BvOr if !operand.and(&literal.not()).is_zero() => Step::Done(Term::fls()),
        _ => Step::Stuck,
    }
}

/// The next choice in a chain: when the literal arm is taken, the literal, and the other arm.
fn link(term: Term) -> Option<(Term, bool, &'static Bits, Term)> {
    match (term.op(), term.args()) {
        (Op::Ite, &[condition, then, els]) => match (then.as_bits(), els.as_bits()) {
            (Some(literal), _) => Some((condition, true, literal, els)),
            (None, Some(literal)) => Some((condition, false, literal, then)),
            (None, None) => None,
        },
        _ => None,
    }
}

/// Compares a short chain of choices arm by arm, if the comparison with its end needs no rules.
fn choice_equal_to_literal(term: Term, literal: &Bits) -> Step {
    let mut links: [Option<(Term, bool, bool)>; CHAIN] = [None; CHAIN];
    let mut end = term;
    for slot in &mut links {
        let Some((condition, taken, arm, rest)) = link(end) else { break };
        *slot = Some((condition, taken, arm == literal));
        end = rest;
    }
    if end == term || !is_opaque(end) {
        return Step::Stuck;
    }
    let last = match end.as_bits() {
        Some(arm) => Term::bool(arm == literal),
        None => equality(end, Term::bits(literal.clone())),
    };
    let links = links.into_iter().flatten().rev();
    Step::Done(links.fold(last, |rest, (condition, taken, equal)| {
        // The literal arm decides where it is taken; the rest counts elsewhere.
        let side = if taken == equal { condition } else { condition.not() };
        if equal { side.or(rest) } else { side.and(rest) }
    }))
}

/// Whether an equality of this term with a literal is not simplified further.
pub(super) fn is_opaque(term: Term) -> bool {
    !matches!(
        term.op(),
        Op::ZeroExtend(_)
            | Op::SignExtend(_)
            | Op::Concat
            | Op::BvNot
            | Op::BvNeg
            | Op::BvAdd
            | Op::BvSub
            | Op::BvXor
            | Op::BvAnd
            | Op::BvOr
            | Op::Ite
    )
}

fn equal_terms(left: Term, right: Term) -> Step {
    match (left.op(), left.args(), right.op(), right.args()) {
        (Op::ZeroExtend(by), &[first], Op::ZeroExtend(other), &[second])
        | (Op::SignExtend(by), &[first], Op::SignExtend(other), &[second])
            if by == other =>
        {
            Step::Again(first, second)
        }
        (Op::BvNot, &[first], Op::BvNot, &[second]) | (Op::BvNeg, &[first], Op::BvNeg, &[second]) => {
            Step::Again(first, second)
        }
        (Op::BvNot, &[negated], ..) if negated == right => Step::Done(Term::fls()),
        (.., Op::BvNot, &[negated]) if negated == left => Step::Done(Term::fls()),
        (Op::BvAdd, &[first, summand], Op::BvAdd, &[second, other])
            if summand == other && summand.as_bits().is_some() =>
        {
            Step::Again(first, second)
        }
        (Op::Ite, _, Op::Ite, _) => equal_choices(left, right),
        _ => match (other_summand(left, right), other_summand(right, left)) {
            (Some(rest), _) | (_, Some(rest)) => Step::Again(rest, Term::bv(left.width(), 0)),
            (None, None) => Step::Stuck,
        },
    }
}

/// What a sum or difference adds to one of its operands.
fn other_summand(sum: Term, part: Term) -> Option<Term> {
    match (sum.op(), sum.args()) {
        (Op::BvAdd, &[first, second]) if second == part => Some(first),
        (Op::BvAdd | Op::BvSub, &[first, second]) if first == part => Some(second),
        _ => None,
    }
}

/// Choices between the same two literals.
fn equal_choices(left: Term, right: Term) -> Step {
    match (literal_arms(left), literal_arms(right)) {
        (Some((first, then, els)), Some((second, other_then, other_els))) => {
            if (then, els) == (other_then, other_els) {
                Step::Done(first.equals(second))
            } else if (then, els) == (other_els, other_then) {
                Step::Done(first.xor(second))
            } else {
                Step::Stuck
            }
        }
        _ => Step::Stuck,
    }
}
