//! What the structure of a term says about its value: an upper bound, and a number of low bits that are zero.
//!
//! Offsets into arrays are sums of products of bounded indices and constant sizes. With these facts, that such an offset is inside of its
//! array, and how it is divided by the size of an element, is decided while terms are built.

use crate::term::{Op, Term};

/// How deep terms are looked into.
const DEPTH: u32 = 8;

/// A number that the value, read without sign, does not exceed; none for terms wider than 64 bits.
pub(super) fn upper_bound(term: Term) -> Option<u128> {
    (term.width() > 0 && term.width() <= 64).then(|| bound(term, DEPTH))
}

fn bound(term: Term, depth: u32) -> u128 {
    let all = (1u128 << term.width().min(64)) - 1;
    let Some(depth) = depth.checked_sub(1) else { return all };
    let args = term.args();
    let exact = match term.op() {
        Op::Bits(bits) => bits.to_u128().unwrap_or(all),
        Op::ZeroExtend(_) if args[0].width() <= 64 => bound(args[0], depth),
        Op::BvUrem => match literal(args[1]) {
            Some(divisor) if divisor > 0 => bound(args[0], depth).min(divisor - 1),
            _ => bound(args[0], depth),
        },
        Op::BvUdiv => match literal(args[1]) {
            Some(divisor) if divisor > 0 => bound(args[0], depth) / divisor,
            _ => all,
        },
        Op::BvLshr => match literal(args[1]) {
            Some(distance) if distance < 64 => bound(args[0], depth) >> distance,
            _ => bound(args[0], depth),
        },
        Op::BvAnd => args.iter().map(|a| bound(*a, depth)).min().unwrap_or(all),
        Op::BvMul => {
            args.iter().map(|a| bound(*a, depth)).try_fold(1u128, u128::checked_mul).unwrap_or(u128::MAX)
        }
        Op::BvAdd => {
            args.iter().map(|a| bound(*a, depth)).try_fold(0u128, u128::checked_add).unwrap_or(u128::MAX)
        }
        Op::Ite => bound(args[1], depth).max(bound(args[2], depth)),
        _ => all,
    };
    // What may be too large has wrapped around.
    if exact > all { all } else { exact }
}

fn literal(term: Term) -> Option<u128> {
    term.as_bits().and_then(|bits| bits.to_u128())
}

/// The base and the factor of a product with a literal that does not wrap around.
pub(super) fn product(term: Term) -> Option<(Term, u128)> {
    let (Op::BvMul, &[left, right]) = (term.op(), term.args()) else { return None };
    let (base, factor) = match (literal(left), literal(right)) {
        (Some(factor), None) => (right, factor),
        (None, Some(factor)) => (left, factor),
        _ => return None,
    };
    let all = upper_bound(term).map(|_| (1u128 << term.width()) - 1)?;
    let largest = upper_bound(base)?.checked_mul(factor)?;
    (largest <= all).then_some((base, factor))
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
