//! Drops edges whose guard compares one term with numbers in a way that no value satisfies: `0 <= n && n < 10 && n >= 20u`.
//!
//! Nothing else is lost: such an edge is never taken. It matters, because a value that is chosen freely has too many values to try them all, and so an edge that nobody can take would
//! stand in the way of saying that everything was tried. The comparison may be signed or unsigned; what is left of a term is a list of ranges of unsigned numbers.

use crate::program::Program;
use rustc_hash::FxHashMap;
use smt::{Op, Term};

/// Ranges of numbers, both ends included, in no order, that do not meet.
type Ranges = Vec<(u128, u128)>;

/// Wider numbers are not looked at.
const MOST_BITS: u32 = 64;

/// Drops the edges.
pub(super) fn run(program: &mut Program) {
    let mut known: FxHashMap<Term, bool> = FxHashMap::default();
    for edge in &mut program.edges {
        if *known.entry(edge.guard).or_insert_with(|| is_impossible(edge.guard)) {
            edge.guard = Term::fls();
        }
    }
    program.edges.retain(|edge| !edge.guard.is_false());
}

/// Whether some term would have to be in no range.
fn is_impossible(guard: Term) -> bool {
    let mut ranges: FxHashMap<Term, Ranges> = FxHashMap::default();
    guard.conjuncts().into_iter().any(|part| {
        let Some((term, allowed)) = comparison(part) else { return false };
        let left = ranges.entry(term).or_insert_with(|| vec![(0, mask(term.width()))]);
        *left = meet(left, &allowed);
        left.is_empty()
    })
}

fn mask(width: u32) -> u128 {
    (1 << width) - 1
}

/// The ranges that two lists have in common.
fn meet(one: &Ranges, other: &Ranges) -> Ranges {
    let pairs = one.iter().flat_map(|a| other.iter().map(move |b| (a.0.max(b.0), a.1.min(b.1))));
    pairs.filter(|(first, last)| first <= last).collect()
}

/// Everything else.
fn without(ranges: &Ranges, width: u32) -> Ranges {
    ranges.iter().fold(vec![(0, mask(width))], |rest, &(first, last)| {
        let mut outside = Vec::new();
        if first > 0 {
            outside.push((0, first - 1));
        }
        if last < mask(width) {
            outside.push((last + 1, mask(width)));
        }
        meet(&rest, &outside)
    })
}

/// A term that is compared with a number, and where it has to be.
fn comparison(part: Term) -> Option<(Term, Ranges)> {
    if let (Op::Not, &[inner]) = (part.op(), part.args()) {
        let (term, ranges) = comparison(inner)?;
        return Some((term, without(&ranges, term.width())));
    }
    let (op, &[left, right]) = (part.op(), part.args()) else { return None };
    let is_number = |term: Term| term.sort().width().is_some_and(|width| (1..=MOST_BITS).contains(&width));
    if !is_number(left) {
        return None;
    }
    let half = 1u128 << (left.width() - 1);
    let all = mask(left.width());
    // Signed numbers in order are unsigned ones with the first bit turned around.
    let (signed, strict) = match op {
        Op::Eq => return equality(left, right),
        Op::BvUlt => (false, true),
        Op::BvUle => (false, false),
        Op::BvSlt => (true, true),
        Op::BvSle => (true, false),
        _ => return None,
    };
    let turned = |number: u128| if signed { number ^ half } else { number };
    let (term, ordered) = match (left.as_bits(), right.as_bits()) {
        (None, Some(most)) => {
            let most = turned(most.to_u128()?);
            (left, if strict && most == 0 { None } else { Some((0, most - u128::from(strict))) })
        }
        (Some(least), None) => {
            let least = turned(least.to_u128()?);
            (right, if strict && least == all { None } else { Some((least + u128::from(strict), all)) })
        }
        _ => return None,
    };
    let Some((first, last)) = ordered else { return Some((term, Vec::new())) };
    if !signed {
        return Some((term, vec![(first, last)]));
    }
    // Back to unsigned numbers: the part below the middle is the negative one.
    let ordered = vec![(first, last)];
    let negative = meet(&ordered, &vec![(0, half - 1)]).into_iter().map(|(a, b)| (a ^ half, b ^ half));
    let positive = meet(&ordered, &vec![(half, all)]).into_iter().map(|(a, b)| (a ^ half, b ^ half));
    Some((term, negative.chain(positive).collect()))
}

fn equality(left: Term, right: Term) -> Option<(Term, Ranges)> {
    let (term, number) = match (left.as_bits(), right.as_bits()) {
        (None, Some(number)) => (left, number),
        (Some(number), None) => (right, number),
        _ => return None,
    };
    let number = number.to_u128()?;
    Some((term, vec![(number, number)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::{Sort, Symbol, Value, eval};

    /// All pairs of comparisons over three bits, against all values.
    #[test]
    fn nothing_possible_is_dropped() {
        let x = Term::constant(Symbol::new("x"), Sort::BitVec(3));
        let mut parts = Vec::new();
        for number in 0..8 {
            let number = Term::bv(3, number);
            for part in [x.ult(number), x.ule(number), x.slt(number), x.sle(number), x.equals(number)] {
                parts.extend([part, part.not()]);
            }
            for part in [number.ult(x), number.sle(x)] {
                parts.extend([part, part.not()]);
            }
        }
        let mut dropped = 0;
        for &one in &parts {
            for &other in &parts {
                let guard = one.and(other);
                let possible = (0..8).any(|value| {
                    let assignment = |_, _| Some(Value::bits(3, value));
                    eval(guard, &assignment) == Ok(Value::Bool(true))
                });
                // A guard of one term is decided exactly.
                assert_eq!(is_impossible(guard), !possible && !guard.is_false(), "{guard}");
                dropped += usize::from(!possible);
            }
        }
        assert!(dropped > 100);
    }

    /// What `main`'s arguments leave behind.
    #[test]
    fn signed_and_unsigned() {
        let n = Term::constant(Symbol::new("n"), Sort::BitVec(32));
        let number = |value| Term::bv(32, value);
        let small = n.slt(number(0x20000)).and(number(0).sle(n));
        assert!(is_impossible(small.and(number(0x40000).ule(n))));
        assert!(!is_impossible(small.and(number(0x1ffff).ule(n))));
        let other = Term::constant(Symbol::new("m"), Sort::BitVec(32));
        assert!(!is_impossible(small.and(number(0x40000).ule(other))));
    }
}
