//! How large a number can be, from its term alone: a cheap bound that spares a branch for what cannot happen.

use smt::{Op, Term};

/// The terms that are looked at below one another.
const DEPTH: u32 = 16;

/// A bound that the number, read without a sign, does not exceed.
pub(crate) fn upper(term: Term) -> u128 {
    bounded(term, DEPTH)
}

fn largest(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

fn bounded(term: Term, depth: u32) -> u128 {
    let most = largest(term.width());
    if let Some(number) = term.as_bits() {
        return number.to_u128().unwrap_or(most);
    }
    if depth == 0 {
        return most;
    }
    let of = |term: Term| bounded(term, depth - 1);
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
        (Op::BvUrem, &[_, by]) => match by.as_bits().and_then(|by| by.to_u128()) {
            Some(by) if by > 0 => by - 1,
            _ => most,
        },
        (Op::BvUdiv, &[number, by]) => match by.as_bits().and_then(|by| by.to_u128()) {
            Some(by) if by > 0 => of(number) / by,
            _ => most,
        },
        (Op::BvLshr, &[number, _]) => of(number),
        (Op::ZeroExtend(_), &[number]) => of(number),
        // A sign that is never set.
        (Op::SignExtend(_), &[number]) if of(number) <= largest(number.width() - 1) => of(number),
        (Op::Extract { low: 0, .. }, &[number]) => of(number).min(most),
        _ => most,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::{Sort, Symbol};

    #[test]
    fn bounds() {
        let x = Term::constant(Symbol::new("bounds::x"), Sort::BitVec(32));
        let number = |n| Term::bv(32, n);
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
    }
}
