//! Bitwise operators and shifts.
//!
//! Literal operands of nested operators meet: `(x & 12) & 10` is `x & 8`. Choices between zero and the same other literal,
//! which is what truth values look like in C, combine into one choice.

use crate::bits::Bits;
use crate::intern::intern;
use crate::term::{Op, Term};

use super::{fold_binary, fold_unary, literal_arms, ordered};

impl Term {
    /// Every bit negated.
    pub fn bv_not(self) -> Term {
        debug_assert!(self.width() > 0, "bitwise negation of {}", self.sort());
        if let Some(folded) = fold_unary(self, Bits::not) {
            return folded;
        }
        match (self.op(), self.args()) {
            (Op::BvNot, &[negated]) => negated,
            (Op::BvXor, &[base, mask]) if mask.as_bits().is_some() => {
                intern(Op::BvXor, &[base, mask.bv_not()], self.sort())
            }
            _ => intern(Op::BvNot, &[self], self.sort()),
        }
    }

    /// Bitwise conjunction.
    pub fn bv_and(self, other: Term) -> Term {
        for (term, mask) in [(self, other), (other, self)] {
            let below = mask.as_bits().and_then(|bits| bits.to_u128()).map(|mask| 128 - mask.leading_zeros());
            if below.is_some_and(|below| below <= super::bounds::trailing_zeros(term))
                && term.as_bits().is_none()
            {
                return Term::bv(self.width(), 0);
            }
        }
        lattice(Op::BvAnd, self, other)
    }

    /// Bitwise disjunction.
    pub fn bv_or(self, other: Term) -> Term {
        lattice(Op::BvOr, self, other)
    }

    /// Bitwise exclusive disjunction.
    pub fn bv_xor(self, other: Term) -> Term {
        debug_assert!(self.sort() == other.sort() && self.width() > 0, "operands of a bitwise operator");
        if let Some(folded) = fold_binary(self, other, Bits::xor, Term::bits) {
            return folded;
        }
        if let Some(choice) = combine_choices(self, other, Term::xor) {
            return choice;
        }
        // Negations are outermost.
        match (bitwise_negated(self), bitwise_negated(other)) {
            (Some(left), Some(right)) => exclusive(left, right),
            (Some(left), None) => exclusive(left, other).bv_not(),
            (None, Some(right)) => exclusive(self, right).bv_not(),
            (None, None) => exclusive(self, other),
        }
    }

    /// Shift to the left; zero if the distance is at least the width.
    pub fn bv_shl(self, other: Term) -> Term {
        shift(Op::BvShl, self, other)
    }

    /// Shift to the right that fills with zeros.
    pub fn bv_lshr(self, other: Term) -> Term {
        shift(Op::BvLshr, self, other)
    }

    /// Shift to the right that fills with the highest bit.
    pub fn bv_ashr(self, other: Term) -> Term {
        shift(Op::BvAshr, self, other)
    }
}

fn bitwise_negated(term: Term) -> Option<Term> {
    match (term.op(), term.args()) {
        (Op::BvNot, &[negated]) => Some(negated),
        _ => None,
    }
}

/// The base and the literal of an operator with a literal operand.
fn literal_operand(op: &Op, term: Term) -> Option<(Term, &'static Bits)> {
    match (term.op(), term.args()) {
        (found, &[base, literal]) if found == op => Some((base, literal.as_bits()?)),
        _ => None,
    }
}

/// Choices between the same literal and zero.
fn combine_choices(left: Term, right: Term, combine: impl Fn(Term, Term) -> Term) -> Option<Term> {
    let ((first, then, els), (second, other, zero)) = (literal_arms(left)?, literal_arms(right)?);
    let same = then == other && els.is_zero() && zero.is_zero();
    same.then(|| combine(first, second).ite(Term::bits(then.clone()), Term::bits(els.clone())))
}

/// Conjunction and disjunction.
fn lattice(op: Op, left: Term, right: Term) -> Term {
    debug_assert!(left.sort() == right.sort() && left.width() > 0, "operands of a bitwise operator");
    let conjunction = op == Op::BvAnd;
    let bits = if conjunction { Bits::and } else { Bits::or };
    let truth = if conjunction { Term::and } else { Term::or };
    if let Some(folded) = fold_binary(left, right, bits, Term::bits) {
        return folded;
    }
    if let Some(choice) = combine_choices(left, right, truth) {
        return choice;
    }
    let (left, right) = ordered(left, right);
    if let Some(literal) = right.as_bits() {
        return match literal_operand(&op, left) {
            Some((base, other)) => lattice_literal(op, base, bits(literal, other)),
            None => lattice_literal(op, left, literal.clone()),
        };
    }
    if left == right {
        left
    } else if bitwise_negated(left) == Some(right) || bitwise_negated(right) == Some(left) {
        let zero = Bits::zero(left.width());
        Term::bits(if conjunction { zero } else { zero.not() })
    } else {
        intern(op, &[left, right], left.sort())
    }
}

fn lattice_literal(op: Op, base: Term, literal: Bits) -> Term {
    // What the zeros of a conjunction and the ones of a disjunction leave of the base.
    let open = if op == Op::BvAnd { literal.clone() } else { literal.not() };
    if open.is_zero() {
        Term::bits(literal)
    } else if open.is_ones() || (op == Op::BvAnd && keeps_extension(base, &literal)) {
        base
    } else {
        intern(op, &[base, Term::bits(literal)], base.sort())
    }
}

/// Whether a mask clears only what a zero extension has put there.
fn keeps_extension(base: Term, mask: &Bits) -> bool {
    match (base.op(), base.args()) {
        (Op::ZeroExtend(_), &[part]) => mask.extract(part.width().saturating_sub(1), 0).is_ones(),
        _ => false,
    }
}

/// Exclusive disjunction of terms that are no negations.
fn exclusive(left: Term, right: Term) -> Term {
    let (left, right) = ordered(left, right);
    let width = left.width();
    let (base, literal) = match right.as_bits() {
        Some(literal) => match literal_operand(&Op::BvXor, left) {
            Some((base, other)) => (base, literal.xor(other)),
            None => (left, literal.clone()),
        },
        None => return exclusive_terms(left, right),
    };
    if literal.is_zero() {
        base
    } else if literal == Bits::ones(width) {
        base.bv_not()
    } else {
        intern(Op::BvXor, &[base, Term::bits(literal)], base.sort())
    }
}

fn exclusive_terms(left: Term, right: Term) -> Term {
    match (left.op(), left.args(), right.op(), right.args()) {
        _ if left == right => Term::bv(left.width(), 0),
        (Op::BvXor, &[first, second], ..) if first == right => second,
        (Op::BvXor, &[first, second], ..) if second == right => first,
        (.., Op::BvXor, &[first, second]) if first == left => second,
        (.., Op::BvXor, &[first, second]) if second == left => first,
        _ => intern(Op::BvXor, &[left, right], left.sort()),
    }
}

fn shift(op: Op, term: Term, distance: Term) -> Term {
    debug_assert!(term.sort() == distance.sort() && term.width() > 0, "operands of a shift");
    let bits = match op {
        Op::BvShl => Bits::shl,
        Op::BvLshr => Bits::lshr,
        _ => Bits::ashr,
    };
    if let Some(folded) = fold_binary(term, distance, bits, Term::bits) {
        return folded;
    }
    match (term.as_bits(), distance.as_bits()) {
        (Some(literal), _) if literal.is_zero() || (op == Op::BvAshr && literal.is_ones()) => term,
        (_, Some(literal)) => shift_by_literal(op, term, literal),
        _ => intern(op, &[term, distance], term.sort()),
    }
}

fn shift_by_literal(op: Op, term: Term, distance: &Bits) -> Term {
    let width = term.width();
    // Distances from the width on all do the same.
    let clamped = |bits: &Bits| bits.to_u128().unwrap_or(u128::MAX).min(u128::from(width));
    let (term, inner) = match literal_operand(&op, term) {
        Some((base, inner)) => (base, clamped(inner)),
        None => (term, 0),
    };
    let total = clamped(distance) + inner;
    if op == Op::BvLshr && total < 64 {
        let quotient = super::bounds::literal_product(term).filter(|(_, factor)| factor % (1 << total) == 0);
        if let Some((base, factor)) = quotient {
            return base.bv_mul(Term::bv(width, factor >> total));
        }
    }
    if total == 0 {
        return term;
    }
    if total < u128::from(width) {
        return intern(op, &[term, Term::bv(width, total)], term.sort());
    }
    match op {
        // An arithmetic shift leaves the sign.
        Op::BvAshr if width == 1 => term,
        Op::BvAshr => intern(op, &[term, Term::bv(width, u128::from(width - 1))], term.sort()),
        _ => Term::bv(width, 0),
    }
}
