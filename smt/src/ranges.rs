//! What comparisons with numbers say about the terms that they compare: `0 <= n && n < 10` leaves ten numbers.
//!
//! A comparison may be signed or unsigned; what it leaves of a term is a list of ranges of unsigned numbers. A formula's own
//! comparisons, those that have to hold for it to hold, decide others in it: `n < 10 && (n < 20 || c)` is `n < 10`.

use crate::term::{Op, Term};
use rustc_hash::FxHashMap;

/// Ranges of numbers, both ends included, in no order, that do not meet.
type Numbers = Vec<(u128, u128)>;

/// Wider numbers are not looked at.
const MOST_BITS: u32 = 64;
/// How deep formulas are looked into.
const DEPTH: u32 = 16;
/// How often what is decided may decide something else.
const ROUNDS: usize = 4;
/// More comparisons of one term are kept as they are.
const COMPARISONS: usize = 16;

/// What is left of some terms.
#[derive(Clone, Debug, Default)]
pub struct Ranges {
    of: FxHashMap<Term, Numbers>,
}

impl Ranges {
    /// What a formula leaves if it holds.
    pub fn implied_by(formula: Term) -> Ranges {
        let mut ranges = Ranges::default();
        for part in formula.conjuncts() {
            if let Some((term, allowed)) = comparison(part) {
                ranges.restrict(term, &allowed);
            }
        }
        ranges
    }

    /// Whether some term would have to be in no range.
    pub fn are_impossible(&self) -> bool {
        self.of.values().any(Vec::is_empty)
    }

    /// The smallest and the largest number that a term may be, without sign; nothing if nothing is known or possible.
    pub fn bounds(&self, term: Term) -> Option<(u128, u128)> {
        let numbers = self.of.get(&term)?;
        let first = numbers.iter().map(|(first, _)| *first).min()?;
        let last = numbers.iter().map(|(_, last)| *last).max()?;
        Some((first, last))
    }

    fn restrict(&mut self, term: Term, allowed: &Numbers) {
        let left = self.of.entry(term).or_insert_with(|| all(term.width()));
        *left = meet(left, allowed);
    }

    /// A formula whose comparisons are decided where they can be.
    fn decide(&self, formula: Term, depth: u32, known: &mut FxHashMap<Term, Term>) -> Term {
        let Some(depth) = depth.checked_sub(1) else { return formula };
        if let Some(&decided) = known.get(&formula) {
            return decided;
        }
        let mut parts =
            || -> Vec<Term> { formula.args().iter().map(|part| self.decide(*part, depth, known)).collect() };
        let decided = match (formula.op(), formula.args()) {
            (Op::And, _) => Term::and_all(parts()),
            (Op::Or, _) => Term::or_all(parts()),
            (Op::Not, [inner]) if matches!(inner.op(), Op::And | Op::Or) => Term::and_all(parts()).not(),
            _ => self.decide_comparison(formula),
        };
        known.insert(formula, decided);
        decided
    }

    fn decide_comparison(&self, formula: Term) -> Term {
        let Some((term, allowed)) = comparison(formula) else { return formula };
        let Some(left) = self.of.get(&term) else { return formula };
        let common = meet(left, &allowed);
        if common.is_empty() {
            Term::fls()
        } else if size(&common) == size(left) {
            Term::tru()
        } else {
            formula
        }
    }
}

/// The same formula with fewer comparisons: false if they contradict each other, and without those that others decide.
pub fn simplified(formula: Term) -> Term {
    let mut formula = formula;
    for _ in 0..ROUNDS {
        let next = simplified_once(formula);
        if next == formula {
            break;
        }
        formula = next;
    }
    formula
}

fn simplified_once(formula: Term) -> Term {
    let ranges = Ranges::implied_by(formula);
    if ranges.of.is_empty() {
        return formula;
    }
    if ranges.are_impossible() {
        return Term::fls();
    }
    let mut comparisons: Vec<(Term, Vec<(Term, Numbers)>)> = Vec::new();
    let mut numbers: FxHashMap<Term, usize> = FxHashMap::default();
    let mut kept = Vec::new();
    let mut known = FxHashMap::default();
    for part in formula.conjuncts() {
        let Some((term, allowed)) = comparison(part) else {
            kept.push(ranges.decide(part, DEPTH, &mut known));
            continue;
        };
        let number = *numbers.entry(term).or_insert(comparisons.len());
        if number == comparisons.len() {
            comparisons.push((term, Vec::new()));
        }
        comparisons[number].1.push((part, allowed));
    }
    for (term, parts) in comparisons {
        kept.extend(needed(term, parts));
    }
    Term::and_all(kept)
}

/// The comparisons of a term without those that the others imply.
fn needed(term: Term, mut parts: Vec<(Term, Numbers)>) -> Vec<Term> {
    let left = |parts: &[(Term, Numbers)]| {
        parts.iter().fold(all(term.width()), |left, (_, allowed)| meet(&left, allowed))
    };
    if (2..=COMPARISONS).contains(&parts.len()) {
        parts.sort_by(|one, other| one.0.cmp_structural(other.0));
        let goal = size(&left(&parts));
        let mut index = 0;
        while index < parts.len() {
            let part = parts.remove(index);
            if size(&left(&parts)) != goal {
                parts.insert(index, part);
                index += 1;
            }
        }
    }
    parts.into_iter().map(|(part, _)| part).collect()
}

fn mask(width: u32) -> u128 {
    (1 << width) - 1
}

fn all(width: u32) -> Numbers {
    vec![(0, mask(width))]
}

/// How many numbers there are.
fn size(numbers: &Numbers) -> u128 {
    numbers.iter().map(|(first, last)| last - first + 1).sum()
}

/// The ranges that two lists have in common.
fn meet(one: &Numbers, other: &Numbers) -> Numbers {
    let pairs = one.iter().flat_map(|a| other.iter().map(move |b| (a.0.max(b.0), a.1.min(b.1))));
    pairs.filter(|(first, last)| first <= last).collect()
}

/// Everything else.
fn without(ranges: &Numbers, width: u32) -> Numbers {
    ranges.iter().fold(all(width), |rest, &(first, last)| {
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
fn comparison(part: Term) -> Option<(Term, Numbers)> {
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

fn equality(left: Term, right: Term) -> Option<(Term, Numbers)> {
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
    use crate::{Sort, Symbol, Value, eval};

    fn constant(name: &str, sort: Sort) -> Term {
        Term::constant(Symbol::new(name), sort)
    }

    /// All comparisons of `x`, three bits wide, with numbers.
    fn comparisons(x: Term) -> Vec<Term> {
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
        parts
    }

    fn holds(formula: Term, x: u128, c: bool) -> bool {
        let assignment =
            |name: Symbol, _| Some(if name.as_str() == "x" { Value::bits(3, x) } else { Value::Bool(c) });
        eval(formula, &assignment) == Ok(Value::Bool(true))
    }

    /// All pairs of comparisons over three bits, against all values: contradictions are found, and nothing else changes.
    #[test]
    fn pairs_are_decided_exactly() {
        let x = constant("x", Sort::BitVec(3));
        let parts = comparisons(x);
        let mut dropped = 0;
        for &one in &parts {
            for &other in &parts {
                let guard = one.and(other);
                let simple = simplified(guard);
                for value in 0..8 {
                    assert_eq!(holds(guard, value, true), holds(simple, value, true), "{guard} to {simple}");
                }
                let possible = (0..8).any(|value| holds(guard, value, true));
                assert_eq!(simple.is_false(), !possible, "{guard}");
                dropped += usize::from(!possible);
                let bounds = Ranges::implied_by(guard).bounds(x);
                let values = (0..8).filter(|value| holds(guard, *value, true));
                let values: Vec<u128> = values.collect();
                if let (Some((first, last)), false) = (bounds, values.is_empty()) {
                    assert_eq!((first, last), (values[0], values[values.len() - 1]), "{guard}");
                }
            }
        }
        assert!(dropped > 100);
    }

    /// Comparisons below a choice: the same values, and nothing is left that is decided.
    #[test]
    fn comparisons_decide_others() {
        let (x, c) = (constant("x", Sort::BitVec(3)), constant("c", Sort::Bool));
        let parts = comparisons(x);
        let mut shorter = 0;
        for (number, &one) in parts.iter().enumerate() {
            for &other in &parts {
                let third = parts[(number * 7 + 3) % parts.len()];
                for guard in
                    [one.and(other.or(c)), one.and(other.and(c).not()), one.and(c.or(other.and(third)))]
                {
                    let simple = simplified(guard);
                    for (value, flag) in (0..8).flat_map(|value| [(value, true), (value, false)]) {
                        assert_eq!(
                            holds(guard, value, flag),
                            holds(simple, value, flag),
                            "{guard}: {simple}"
                        );
                    }
                    shorter += usize::from(simple != guard);
                }
            }
        }
        assert!(shorter > 1000);
        assert_eq!(simplified(x.ult(Term::bv(3, 3)).and(x.ult(Term::bv(3, 5)).or(c))), x.ult(Term::bv(3, 3)));
    }

    /// What `main`'s arguments leave behind.
    #[test]
    fn signed_and_unsigned() {
        let n = constant("n", Sort::BitVec(32));
        let number = |value| Term::bv(32, value);
        let small = n.slt(number(0x20000)).and(number(0).sle(n));
        assert!(simplified(small.and(number(0x40000).ule(n))).is_false());
        assert!(!simplified(small.and(number(0x1ffff).ule(n))).is_false());
        let other = constant("m", Sort::BitVec(32));
        assert!(!simplified(small.and(number(0x40000).ule(other))).is_false());
        assert_eq!(Ranges::implied_by(small).bounds(n), Some((0, 0x1ffff)));
        assert_eq!(Ranges::implied_by(small).bounds(other), None);
    }
}
