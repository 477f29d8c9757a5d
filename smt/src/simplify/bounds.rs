//! What the structure of a term says about its value: an upper bound, and a number of low bits that are zero.
//!
//! Offsets into arrays are sums of products of bounded indices and constant sizes. With these facts, that such an offset is inside of its
//! array, and how it is divided by the size of an element, is decided while terms are built.

use crate::term::{Op, Term};

/// How deep terms are looked into.
const DEPTH: u32 = 8;

impl Term {
    /// A number that the value, read without sign, does not exceed; none for terms wider than 128 bits. From the structure alone.
    pub fn upper_bound(self) -> Option<u128> {
        (self.width() > 0 && self.width() <= 128).then(|| bound(self, DEPTH))
    }
}

fn largest(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

fn bound(term: Term, depth: u32) -> u128 {
    let most = largest(term.width());
    if let Some(number) = literal(term) {
        return number;
    }
    let Some(depth) = depth.checked_sub(1) else { return most };
    let of = |term: Term| if term.width() <= 128 { bound(term, depth) } else { u128::MAX };
    // What does not fit wraps around and may be anything.
    let fits = |number: Option<u128>| number.filter(|number| *number <= most).unwrap_or(most);
    match (term.op(), term.args()) {
        (Op::Ite, &[_, then, other]) => of(then).max(of(other)),
        (Op::BvAnd, arguments) => arguments.iter().map(|a| of(*a)).min().unwrap_or(most),
        (Op::BvOr | Op::BvXor, arguments) => {
            let bits = arguments.iter().map(|a| 128 - of(*a).leading_zeros()).max().unwrap_or(128);
            largest(bits).min(most)
        }
        (Op::BvAdd, arguments) => fits(arguments.iter().try_fold(0u128, |sum, a| sum.checked_add(of(*a)))),
        (Op::BvMul, arguments) => {
            fits(arguments.iter().try_fold(1u128, |product, a| product.checked_mul(of(*a))))
        }
        (Op::BvUrem, &[number, by]) => match literal(by) {
            Some(by) if by > 0 => of(number).min(by - 1),
            _ => of(number),
        },
        (Op::BvUdiv, &[number, by]) => match literal(by) {
            Some(by) if by > 0 => of(number) / by,
            _ => most,
        },
        (Op::BvLshr, &[number, by]) => match literal(by) {
            Some(by) if by < 128 => of(number) >> by,
            _ => of(number),
        },
        (Op::ZeroExtend(_), &[number]) => of(number),
        // A sign that is never set.
        (Op::SignExtend(_), &[number]) if of(number) <= largest(number.width() - 1) => of(number),
        (Op::Extract { low: 0, .. }, &[number]) => of(number).min(most),
        _ => most,
    }
}

fn literal(term: Term) -> Option<u128> {
    term.as_bits().and_then(|bits| bits.to_u128())
}

/// The base and the factor of a product with a literal that does not wrap around.
pub(super) fn literal_product(term: Term) -> Option<(Term, u128)> {
    let (Op::BvMul, &[left, right]) = (term.op(), term.args()) else { return None };
    let (base, factor) = match (literal(left), literal(right)) {
        (Some(factor), None) => (right, factor),
        (None, Some(factor)) => (left, factor),
        _ => return None,
    };
    let most = base.upper_bound()?.checked_mul(factor)?;
    (most <= largest(term.width())).then_some((base, factor))
}

/// How many of the lowest bits are zero whatever the value.
pub(super) fn trailing_zeros(term: Term) -> u32 {
    zeros(term, DEPTH)
}

fn zeros(term: Term, depth: u32) -> u32 {
    let Some(depth) = depth.checked_sub(1) else { return 0 };
    let width = term.width();
    match (term.op(), term.args()) {
        (Op::Bits(bits), _) => {
            bits.to_u128().map_or(0, |n| if n == 0 { width } else { n.trailing_zeros().min(width) })
        }
        (Op::BvMul, args) => args.iter().map(|a| zeros(*a, depth)).sum::<u32>().min(width),
        (Op::BvAdd | Op::BvOr | Op::BvXor, args) => args.iter().map(|a| zeros(*a, depth)).min().unwrap_or(0),
        (Op::BvAnd, args) => args.iter().map(|a| zeros(*a, depth)).max().unwrap_or(0),
        (Op::ZeroExtend(_), args) => {
            let inner = zeros(args[0], depth);
            if inner == args[0].width() { width } else { inner }
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sort::Sort;
    use crate::symbol::Symbol;

    #[test]
    fn bounds() {
        let x = Term::constant(Symbol::new("bounds::x"), Sort::BitVec(32));
        let number = |n| Term::bv(32, n);
        let upper = |term: Term| term.upper_bound().unwrap();
        assert_eq!(upper(x), u128::from(u32::MAX));
        assert_eq!(upper(number(7)), 7);
        assert_eq!(upper(x.bv_and(number(31))), 31);
        assert_eq!(upper(x.bv_urem(number(4)).bv_mul(number(16))), 48);
        assert_eq!(upper(x.bv_urem(number(4)).bv_add(number(16))), 19);
        assert_eq!(upper(x.bv_add(number(1))), u128::from(u32::MAX));
        assert_eq!(upper(x.bv_and(number(7)).bv_mul(number(1 << 30))), u128::from(u32::MAX));
        assert_eq!(upper(x.bv_and(number(15)).resize_signed(64)), 15);
        assert_eq!(upper(x.bv_and(number(5)).bv_or(number(8))), 15);
        let y = Term::constant(Symbol::new("bounds::y"), Sort::BitVec(32));
        assert_eq!(upper(x.bv_urem(y)), u128::from(u32::MAX));
        assert!(x.resize_unsigned(200).upper_bound().is_none());
    }
}
