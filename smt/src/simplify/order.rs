//! Comparisons, with and without sign.
//!
//! Extensions on both sides are stripped, in a loop. A literal out of the range of the other side decides, and a
//! comparison with the least or greatest number is an equality. Where signs are obviously zero, comparisons are without sign.

use crate::bits::Bits;
use crate::intern::intern;
use crate::sort::Sort;
use crate::term::{Op, Term};

use super::{Step, fold_binary};

impl Term {
    /// Less without sign.
    pub fn ult(self, other: Term) -> Term {
        compare(Order { signed: false, strict: true }, self, other)
    }

    /// Less or equal without sign.
    pub fn ule(self, other: Term) -> Term {
        compare(Order { signed: false, strict: false }, self, other)
    }

    /// Greater without sign.
    pub fn ugt(self, other: Term) -> Term {
        other.ult(self)
    }

    /// Greater or equal without sign.
    pub fn uge(self, other: Term) -> Term {
        other.ule(self)
    }

    /// Less with sign.
    pub fn slt(self, other: Term) -> Term {
        compare(Order { signed: true, strict: true }, self, other)
    }

    /// Less or equal with sign.
    pub fn sle(self, other: Term) -> Term {
        compare(Order { signed: true, strict: false }, self, other)
    }

    /// Greater with sign.
    pub fn sgt(self, other: Term) -> Term {
        other.slt(self)
    }

    /// Greater or equal with sign.
    pub fn sge(self, other: Term) -> Term {
        other.sle(self)
    }
}

/// One of the four orders.
#[derive(Clone, Copy)]
struct Order {
    signed: bool,
    strict: bool,
}

impl Order {
    fn op(self) -> Op {
        match (self.signed, self.strict) {
            (false, true) => Op::BvUlt,
            (false, false) => Op::BvUle,
            (true, true) => Op::BvSlt,
            (true, false) => Op::BvSle,
        }
    }

    fn holds(self, left: &Bits, right: &Bits) -> bool {
        match (self.signed, self.strict) {
            (false, true) => left.ult(right),
            (false, false) => left.ule(right),
            (true, true) => left.slt(right),
            (true, false) => left.sle(right),
        }
    }

    fn least(self, width: u32) -> Bits {
        if self.signed { Bits::signed_min(width) } else { Bits::zero(width) }
    }
}

fn compare(mut order: Order, mut left: Term, mut right: Term) -> Term {
    debug_assert!(left.sort() == right.sort() && left.width() > 0, "sides of a comparison");
    loop {
        if left == right {
            return Term::bool(!order.strict);
        }
        if let Some(folded) = fold_binary(left, right, |left, right| order.holds(left, right), Term::bool) {
            return folded;
        }
        if let Some(step) = compare_with_extreme(order, left, right) {
            return step;
        }
        if is_non_negative(left) && is_non_negative(right) {
            order.signed = false;
        }
        if !order.signed
            && let Some(decided) = bounded(order.strict, left, right)
        {
            return Term::bool(decided);
        }
        match compare_parts(order, left, right) {
            Step::Done(term) => return term,
            Step::Again(first, second) => (left, right) = (first, second),
            Step::Stuck => return intern(order.op(), &[left, right], Sort::Bool),
        }
    }
}

/// A comparison with a literal that is beyond what the other side can be.
fn bounded(strict: bool, left: Term, right: Term) -> Option<bool> {
    let number = |term: Term| term.as_bits().and_then(|bits| bits.to_u128());
    match (number(left), number(right)) {
        (None, Some(literal)) => {
            let largest = left.upper_bound()?;
            (largest < literal || (!strict && largest == literal)).then_some(true)
        }
        (Some(literal), None) => {
            let largest = right.upper_bound()?;
            (literal > largest || (strict && literal == largest)).then_some(false)
        }
        _ => None,
    }
}

/// Whether the highest bit is obviously zero.
fn is_non_negative(term: Term) -> bool {
    match term.op() {
        Op::ZeroExtend(_) => true,
        Op::Bits(bits) => !bits.is_negative(),
        _ => false,
    }
}

/// Comparisons with a literal at an end of the range, or next to it.
fn compare_with_extreme(order: Order, left: Term, right: Term) -> Option<Term> {
    let width = left.width();
    let (term, literal, below) = match (left.as_bits(), right.as_bits()) {
        (None, Some(literal)) => (left, literal, true),
        (Some(literal), None) => (right, literal, false),
        _ => return None,
    };
    // `near` is the end on the side of the term: the least number if the term is on the left.
    let (least, greatest) = (order.least(width), order.least(width).not());
    let (near, far) = if below { (least, greatest) } else { (greatest, least) };
    let one = Bits::one(width);
    let inwards = |end: &Bits| if *end == order.least(width) { end.add(&one) } else { end.sub(&one) };
    let equals = |end: &Bits| term.equals(Term::bits(end.clone()));
    match order.strict {
        true if *literal == near => Some(Term::fls()),
        true if *literal == far => Some(equals(&far).not()),
        true if *literal == inwards(&near) => Some(equals(&near)),
        false if *literal == far => Some(Term::tru()),
        false if *literal == near => Some(equals(&near)),
        false if *literal == inwards(&far) => Some(equals(&far).not()),
        _ => None,
    }
}

fn compare_parts(order: Order, left: Term, right: Term) -> Step {
    match (left.op(), left.args(), right.op(), right.args()) {
        (Op::ZeroExtend(by), &[first], Op::ZeroExtend(other), &[second]) if by == other && !order.signed => {
            Step::Again(first, second)
        }
        // Sign extension keeps both orders.
        (Op::SignExtend(by), &[first], Op::SignExtend(other), &[second]) if by == other => {
            Step::Again(first, second)
        }
        (Op::BvNot, &[first], Op::BvNot, &[second]) => Step::Again(second, first),
        (Op::ZeroExtend(_) | Op::SignExtend(_), &[part], Op::Bits(literal), _) => {
            match narrowed(order, left, literal) {
                Some(Ok(literal)) => Step::Again(part, Term::bits(literal)),
                Some(Err(above)) => Step::Done(Term::bool(above)),
                None => Step::Stuck,
            }
        }
        (Op::Bits(literal), _, Op::ZeroExtend(_) | Op::SignExtend(_), &[part]) => {
            match narrowed(order, right, literal) {
                Some(Ok(literal)) => Step::Again(Term::bits(literal), part),
                Some(Err(above)) => Step::Done(Term::bool(!above)),
                None => Step::Stuck,
            }
        }
        _ => Step::Stuck,
    }
}

/// The literal in the width of what is extended; or whether it is above all values of the extension, not below.
/// A sign extension leaves a gap in the order without sign: nothing is known about literals there.
fn narrowed(order: Order, extension: Term, literal: &Bits) -> Option<Result<Bits, bool>> {
    let &[part] = extension.args() else { return None };
    let low = literal.extract(part.width().saturating_sub(1), 0);
    match extension.op() {
        // Literals without sign have been compared without sign.
        Op::ZeroExtend(_) if order.signed => Some(Err(false)),
        Op::ZeroExtend(by) if low.zero_extend(*by) != *literal => Some(Err(true)),
        Op::SignExtend(by) if low.sign_extend(*by) != *literal => {
            order.signed.then(|| Err(!literal.is_negative()))
        }
        _ => Some(Ok(low)),
    }
}
