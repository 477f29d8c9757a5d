//! Sums, products and quotients.
//!
//! Sums have a literal part that is kept outermost: `base + literal`, or `literal - term`, or no literal part. So
//! `(x + 1) + 2` is `x + 3`, `x - 1` is `x + (-1)`, and literals on both sides of an operator meet. Bases have at most one
//! minus sign: `-x + y` is `y - x`, `-x - y` is `-(x + y)`.

use crate::bits::Bits;
use crate::intern::intern;
use crate::term::{Op, Term};

use super::bounds::literal_product;
use super::{fold_binary, fold_unary, ordered};

impl Term {
    /// Sum.
    pub fn bv_add(self, other: Term) -> Term {
        debug_assert!(self.sort() == other.sort() && self.width() > 0, "operands of a sum");
        if let Some(folded) = fold_binary(self, other, Bits::add, Term::bits) {
            return folded;
        }
        let (left, right) = (split(self), split(other));
        let literal = left.literal(self.width()).add(&right.literal(self.width()));
        match (left.base, right.base) {
            (Some(left), Some(right)) => with_literal(add_bases(left, right), literal),
            (Some(base), None) | (None, Some(base)) => with_literal(base, literal),
            (None, None) => Term::bits(literal),
        }
    }

    /// Difference.
    pub fn bv_sub(self, other: Term) -> Term {
        debug_assert!(self.sort() == other.sort() && self.width() > 0, "operands of a difference");
        if let Some(folded) = fold_binary(self, other, Bits::sub, Term::bits) {
            return folded;
        }
        let (left, right) = (split(self), split(other));
        let literal = left.literal(self.width()).sub(&right.literal(self.width()));
        match (left.base, right.base) {
            (Some(left), Some(right)) => with_literal(sub_bases(left, right), literal),
            (Some(base), None) => with_literal(base, literal),
            (None, Some(base)) => with_literal(base.bv_neg(), literal),
            (None, None) => Term::bits(literal),
        }
    }

    /// Two's complement.
    pub fn bv_neg(self) -> Term {
        debug_assert!(self.width() > 0, "complement of {}", self.sort());
        if let Some(folded) = fold_unary(self, Bits::neg) {
            return folded;
        }
        if let Split { base: Some(base), literal: Some(literal) } = split(self) {
            return with_literal(base.bv_neg(), literal.neg());
        }
        match (self.op(), self.args()) {
            (Op::BvNeg, &[negated]) => negated,
            (Op::BvSub, &[left, right]) => plain_difference(right, left),
            (Op::BvMul, &[base, factor]) if factor.as_bits().is_some() => base.bv_mul(factor.bv_neg()),
            _ => intern(Op::BvNeg, &[self], self.sort()),
        }
    }

    /// Product.
    pub fn bv_mul(self, other: Term) -> Term {
        debug_assert!(self.sort() == other.sort() && self.width() > 0, "operands of a product");
        if let Some(folded) = fold_binary(self, other, Bits::mul, Term::bits) {
            return folded;
        }
        let (left, right) = ordered(self, other);
        match (left.op(), left.args(), right.op(), right.args()) {
            (_, _, Op::Bits(factor), _) => multiple(left, factor),
            (Op::BvNeg, &[left], Op::BvNeg, &[right]) => product(left, right),
            _ => product(left, right),
        }
    }

    /// Quotient without sign; all ones if the divisor is zero.
    pub fn bv_udiv(self, other: Term) -> Term {
        debug_assert!(self.sort() == other.sort() && self.width() > 0, "operands of a quotient");
        if let Some(folded) = fold_binary(self, other, Bits::udiv, Term::bits) {
            return folded;
        }
        match other.as_bits() {
            Some(divisor) if divisor.is_one() => self,
            Some(divisor) if divisor.is_zero() => Term::bits(Bits::ones(self.width())),
            Some(divisor) => {
                divided(self, divisor).unwrap_or_else(|| intern(Op::BvUdiv, &[self, other], self.sort()))
            }
            None => intern(Op::BvUdiv, &[self, other], self.sort()),
        }
    }

    /// Remainder without sign; the dividend if the divisor is zero.
    pub fn bv_urem(self, other: Term) -> Term {
        debug_assert!(self.sort() == other.sort() && self.width() > 0, "operands of a remainder");
        if let Some(folded) = fold_binary(self, other, Bits::urem, Term::bits) {
            return folded;
        }
        match (self.as_bits(), other.as_bits()) {
            (_, Some(divisor)) if divisor.is_one() => Term::bv(self.width(), 0),
            (_, Some(divisor)) if divisor.is_zero() => self,
            (Some(dividend), _) if dividend.is_zero() => self,
            _ if self == other => Term::bv(self.width(), 0),
            (_, Some(divisor)) => {
                reduced(self, divisor).unwrap_or_else(|| intern(Op::BvUrem, &[self, other], self.sort()))
            }
            _ => intern(Op::BvUrem, &[self, other], self.sort()),
        }
    }

    /// Quotient with sign, rounded to zero; one or minus one if the divisor is zero.
    pub fn bv_sdiv(self, other: Term) -> Term {
        debug_assert!(self.sort() == other.sort() && self.width() > 0, "operands of a quotient");
        if let Some(folded) = fold_binary(self, other, Bits::sdiv, Term::bits) {
            return folded;
        }
        match other.as_bits() {
            // With one bit, all ones and one are the same, and both rules give the dividend.
            Some(divisor) if divisor.is_one() => self,
            Some(divisor) if divisor.is_ones() => self.bv_neg(),
            _ => intern(Op::BvSdiv, &[self, other], self.sort()),
        }
    }

    /// Remainder with the sign of the dividend; the dividend if the divisor is zero.
    pub fn bv_srem(self, other: Term) -> Term {
        debug_assert!(self.sort() == other.sort() && self.width() > 0, "operands of a remainder");
        if let Some(folded) = fold_binary(self, other, Bits::srem, Term::bits) {
            return folded;
        }
        match (self.as_bits(), other.as_bits()) {
            (_, Some(divisor)) if divisor.is_one() || divisor.is_ones() => Term::bv(self.width(), 0),
            (_, Some(divisor)) if divisor.is_zero() => self,
            (Some(dividend), _) if dividend.is_zero() => self,
            _ if self == other => Term::bv(self.width(), 0),
            _ => intern(Op::BvSrem, &[self, other], self.sort()),
        }
    }
}

/// A sum as base and literal.
struct Split {
    base: Option<Term>,
    literal: Option<&'static Bits>,
}

impl Split {
    fn literal(&self, width: u32) -> Bits {
        self.literal.cloned().unwrap_or_else(|| Bits::zero(width))
    }
}

fn split(term: Term) -> Split {
    match (term.op(), term.args()) {
        (Op::Bits(literal), _) => Split { base: None, literal: Some(literal) },
        (Op::BvAdd, &[base, summand]) if summand.as_bits().is_some() => {
            Split { base: Some(base), literal: summand.as_bits() }
        }
        (Op::BvSub, &[minuend, base]) if minuend.as_bits().is_some() => {
            Split { base: Some(base.bv_neg()), literal: minuend.as_bits() }
        }
        _ => Split { base: Some(term), literal: None },
    }
}

/// The base plus the literal, in the normal form.
fn with_literal(base: Term, literal: Bits) -> Term {
    if literal.is_zero() {
        return base;
    }
    let literal = Term::bits(literal);
    if let Some(folded) = fold_binary(base, literal, Bits::add, Term::bits) {
        return folded;
    }
    match (base.op(), base.args()) {
        (Op::BvNeg, &[negated]) => intern(Op::BvSub, &[literal, negated], base.sort()),
        _ => intern(Op::BvAdd, &[base, literal], base.sort()),
    }
}

/// The term below a minus sign.
fn negated(term: Term) -> Option<Term> {
    match (term.op(), term.args()) {
        (Op::BvNeg, &[negated]) => Some(negated),
        _ => None,
    }
}

/// The sum of terms without literal parts.
fn add_bases(left: Term, right: Term) -> Term {
    match (negated(left), negated(right)) {
        (Some(left), Some(right)) => plain_sum(left, right).bv_neg(),
        (Some(left), None) => sub_bases(right, left),
        (None, Some(right)) => sub_bases(left, right),
        (None, None) => plain_sum(left, right),
    }
}

/// The difference of terms without literal parts.
fn sub_bases(left: Term, right: Term) -> Term {
    match (negated(left), negated(right)) {
        (Some(left), Some(right)) => plain_difference(right, left),
        (Some(left), None) => plain_sum(left, right).bv_neg(),
        (None, Some(right)) => plain_sum(left, right),
        (None, None) => plain_difference(left, right),
    }
}

/// Neither has a minus sign.
fn plain_sum(left: Term, right: Term) -> Term {
    match (left.op(), left.args(), right.op(), right.args()) {
        (Op::BvSub, &[minuend, subtrahend], ..) if subtrahend == right => minuend,
        (.., Op::BvSub, &[minuend, subtrahend]) if subtrahend == left => minuend,
        _ => {
            let (left, right) = ordered(left, right);
            intern(Op::BvAdd, &[left, right], left.sort())
        }
    }
}

/// Neither has a minus sign.
fn plain_difference(left: Term, right: Term) -> Term {
    match (left.op(), left.args(), right.op(), right.args()) {
        _ if left == right => Term::bv(left.width(), 0),
        (Op::BvAdd, &[first, second], ..) if second == right => first,
        (Op::BvAdd, &[first, second], ..) if first == right => second,
        (Op::BvSub, &[minuend, subtrahend], ..) if minuend == right => subtrahend.bv_neg(),
        (.., Op::BvSub, &[minuend, subtrahend]) if minuend == left => subtrahend,
        (.., Op::BvAdd, &[first, second]) if second == left => first.bv_neg(),
        (.., Op::BvAdd, &[first, second]) if first == left => second.bv_neg(),
        _ => intern(Op::BvSub, &[left, right], left.sort()),
    }
}

fn product(left: Term, right: Term) -> Term {
    let (left, right) = ordered(left, right);
    intern(Op::BvMul, &[left, right], left.sort())
}

/// A product with a literal; the term is not one.
fn multiple(term: Term, factor: &Bits) -> Term {
    let (term, factor) = match (term.op(), term.args()) {
        (Op::BvNeg, &[negated]) => (negated, factor.neg()),
        (Op::BvMul, &[base, other]) => match other.as_bits() {
            Some(other) => (base, factor.mul(other)),
            None => (term, factor.clone()),
        },
        _ => (term, factor.clone()),
    };
    if factor.is_zero() {
        Term::bits(factor)
    } else if factor.is_one() {
        term
    } else if factor.is_ones() {
        term.bv_neg()
    } else {
        intern(Op::BvMul, &[term, Term::bits(factor)], term.sort())
    }
}

/// A quotient by a literal that structure decides: of small numbers, and of multiples.
fn divided(term: Term, divisor: &Bits) -> Option<Term> {
    let (divisor, width) = (divisor.to_u128()?, term.width());
    if term.upper_bound()? < divisor {
        return Some(Term::bv(width, 0));
    }
    let (base, factor) = literal_product(term).filter(|(_, factor)| factor % divisor == 0)?;
    Some(base.bv_mul(Term::bv(width, factor / divisor)))
}

/// A remainder by a literal that structure decides.
fn reduced(term: Term, divisor: &Bits) -> Option<Term> {
    let (divisor, width) = (divisor.to_u128()?, term.width());
    if term.upper_bound()? < divisor {
        return Some(term);
    }
    literal_product(term).filter(|(_, factor)| factor % divisor == 0).map(|_| Term::bv(width, 0))
}
