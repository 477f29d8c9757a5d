//! Terms about words as terms about their parts.

use super::demand::{exponent, literal, shift};
use rustc_hash::FxHashMap;
use smt::{Op, Term};

/// Terms that are nested deeper are not looked into.
const DEPTH: usize = 400;

/// The parts of a word, from the last bits up.
pub(super) struct Word {
    parts: Vec<Term>,
}

impl Word {
    pub(super) fn new(parts: Vec<Term>) -> Word {
        Word { parts }
    }

    /// The highest and the lowest bit of each part.
    fn bounds(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.parts.iter().scan(0u32, |low, part| {
            let start = *low;
            *low = low.saturating_add(part.width());
            Some((low.saturating_sub(1), start))
        })
    }
}

/// Rewrites terms.
pub(super) struct Slicer {
    words: FxHashMap<Term, Word>,
    memory: FxHashMap<(Term, u32, u32), Option<Term>>,
    depth: usize,
}

impl Slicer {
    pub(super) fn new(words: FxHashMap<Term, Word>) -> Slicer {
        Slicer { words, memory: FxHashMap::default(), depth: 0 }
    }

    /// The highest and the lowest bit of each part of a word.
    pub(super) fn bounds(&self, word: Term) -> Vec<(u32, u32)> {
        self.words.get(&word).map(|word| word.bounds().collect()).unwrap_or_default()
    }

    /// The term over parts; nothing if it needs a word as a whole.
    pub(super) fn whole(&mut self, term: Term) -> Option<Term> {
        self.part(term, term.width().saturating_sub(1), 0)
    }

    /// These bits of the term; all of it if it is no number.
    pub(super) fn part(&mut self, term: Term, high: u32, low: u32) -> Option<Term> {
        if !term.constants().iter().any(|constant| self.words.contains_key(constant)) {
            return Some(if term.width() == 0 { term } else { term.extract(high, low) });
        }
        if let Some(known) = self.memory.get(&(term, high, low)) {
            return *known;
        }
        if self.depth >= DEPTH {
            return None;
        }
        self.depth += 1;
        let new = if term.width() == 0 { self.condition(term) } else { self.bits(term, high, low) };
        self.depth -= 1;
        self.memory.insert((term, high, low), new);
        new
    }

    /// A term that is no number.
    fn condition(&mut self, term: Term) -> Option<Term> {
        match (term.op(), term.args()) {
            (Op::Eq, &[one, other]) if one.width() > 0 => self.equal(one, other),
            (Op::BvUlt, &[one, other]) => self.below(one, other),
            (Op::BvUle, &[one, other]) => self.below(other, one).map(Term::not),
            _ => self.rebuilt(term),
        }
    }

    /// The same operation on parts that need no word as a whole.
    fn rebuilt(&mut self, term: Term) -> Option<Term> {
        let args: Option<Vec<Term>> = term.args().iter().map(|&arg| self.whole(arg)).collect();
        Some(term.rebuild(&args?))
    }

    /// Numbers are equal if all their parts are.
    fn equal(&mut self, one: Term, other: Term) -> Option<Term> {
        if let (Some(one), Some(other)) = (self.whole(one), self.whole(other)) {
            return Some(one.equals(other));
        }
        let borders = self.borders(one, other);
        if borders.is_empty() {
            return None;
        }
        let mut all = Term::tru();
        for (high, low) in borders {
            let (one, other) = (self.part(one, high, low)?, self.part(other, high, low)?);
            all = all.and(one.equals(other));
        }
        Some(all)
    }

    /// A number is below another one that ends in zeros if what is above these is; above one that ends in ones likewise.
    fn below(&mut self, one: Term, other: Term) -> Option<Term> {
        if let (Some(one), Some(other)) = (self.whole(one), self.whole(other)) {
            return Some(one.ult(other));
        }
        let last = one.width().saturating_sub(1);
        let (zeros, ones) = (literal(other).map(u128::trailing_zeros), literal(one).map(u128::trailing_ones));
        let least = zeros.or(ones)?;
        let lows: Vec<u32> = self.borders(one, other).into_iter().map(|(_, low)| low).collect();
        let low = lows.into_iter().rev().find(|&low| 0 < low && low <= least && low <= last)?;
        Some(self.part(one, last, low)?.ult(self.part(other, last, low)?))
    }

    /// The bounds of the parts of words as wide as these numbers.
    fn borders(&self, one: Term, other: Term) -> Vec<(u32, u32)> {
        let constants = one.constants().into_iter().chain(other.constants());
        let mut words = constants.filter_map(|constant| self.words.get(&constant));
        let width = one.width();
        let word =
            words.find(|word| word.bounds().last().is_some_and(|(high, _)| high.saturating_add(1) == width));
        word.map(|word| word.bounds().collect()).unwrap_or_default()
    }

    /// Bits of a number that mentions a word.
    fn bits(&mut self, term: Term, high: u32, low: u32) -> Option<Term> {
        let width = term.width();
        match (term.op(), term.args()) {
            (Op::Const(_), _) => self.part_of_word(term, high, low),
            (Op::BvNot, &[number]) => Some(self.part(number, high, low)?.bv_not()),
            (Op::BvAnd, &[one, other]) => self.masked(one, other, high, low),
            (Op::BvOr, &[one, other]) => self.both(one, other, high, low, Term::bv_or),
            (Op::BvXor, &[one, other]) => self.both(one, other, high, low, Term::bv_xor),
            (Op::BvAdd, &[one, other]) => {
                let apart = low == 0 || self.is_zero(one, low) || self.is_zero(other, low);
                if apart { self.both(one, other, high, low, Term::bv_add) } else { None }
            }
            (Op::BvSub, &[one, other]) => {
                let apart = low == 0 || self.is_zero(other, low);
                if apart { self.both(one, other, high, low, Term::bv_sub) } else { None }
            }
            (Op::BvNeg, &[number]) if low == 0 => Some(self.part(number, high, 0)?.bv_neg()),
            (Op::BvUrem, &[number, divisor]) if exponent(divisor).is_some() => {
                self.extended(number, exponent(divisor)?, high, low)
            }
            (Op::BvUdiv, &[number, divisor]) if exponent(divisor).is_some() => {
                self.shifted(number, exponent(divisor)?, high, low)
            }
            (Op::BvLshr, &[number, by]) if shift(by, width).is_some() => {
                self.shifted(number, shift(by, width)?, high, low)
            }
            (Op::BvShl, &[number, by]) if shift(by, width).is_some() => {
                let by = shift(by, width)?;
                let zeros = Term::bv(by.max(1), 0);
                self.joined(number, (by > 0).then_some(zeros), high, low)
            }
            (Op::Extract { low: skipped, .. }, &[number]) => {
                self.part(number, high.saturating_add(*skipped), low.saturating_add(*skipped))
            }
            (Op::ZeroExtend(_), &[number]) => self.extended(number, number.width(), high, low),
            (Op::Concat, &[upper, lower]) => self.joined(upper, Some(lower), high, low),
            (Op::Ite, &[condition, then, els]) => {
                let condition = self.whole(condition)?;
                Some(condition.ite(self.part(then, high, low)?, self.part(els, high, low)?))
            }
            _ => Some(self.rebuilt(term)?.extract(high, low)),
        }
    }

    /// Whether the last bits of a number are zero.
    fn is_zero(&mut self, number: Term, bits: u32) -> bool {
        let last = bits.saturating_sub(1);
        self.part(number, last, 0).and_then(literal) == Some(0)
    }

    fn both(
        &mut self,
        one: Term,
        other: Term,
        high: u32,
        low: u32,
        operation: fn(Term, Term) -> Term,
    ) -> Option<Term> {
        Some(operation(self.part(one, high, low)?, self.part(other, high, low)?))
    }

    /// Under a mask of zeros nothing is needed. A mask that leaves one row of ones leaves the bits there.
    fn masked(&mut self, one: Term, other: Term, high: u32, low: u32) -> Option<Term> {
        let (number, mask) = if one.as_bits().is_some() { (other, one) } else { (one, other) };
        let Some(bits) = mask.extract(high, low).as_bits() else {
            return self.both(one, other, high, low, Term::bv_and);
        };
        let width = bits.width();
        let mut ones = (0..width).filter(|&bit| bits.bit(bit));
        let Some(first) = ones.next() else { return Some(Term::bv(width, 0)) };
        let last = ones.next_back().unwrap_or(first);
        if !(first..=last).all(|bit| bits.bit(bit)) {
            return self.both(one, other, high, low, Term::bv_and);
        }
        let row = self.part(number, low.saturating_add(last), low.saturating_add(first))?;
        let above = row.zero_extend(width.saturating_sub(last).saturating_sub(1));
        Some(if first == 0 { above } else { above.concat(Term::bv(first, 0)) })
    }

    /// Bits of a number of which only the last ones are not zero.
    fn extended(&mut self, number: Term, kept: u32, high: u32, low: u32) -> Option<Term> {
        let width = high.saturating_sub(low).saturating_add(1);
        if low >= kept {
            return Some(Term::bv(width, 0));
        }
        let part = self.part(number, high.min(kept.saturating_sub(1)), low)?;
        Some(part.zero_extend(width.saturating_sub(part.width())))
    }

    /// Bits of a number that was shifted down.
    fn shifted(&mut self, number: Term, by: u32, high: u32, low: u32) -> Option<Term> {
        let width = high.saturating_sub(low).saturating_add(1);
        let (first, last) = (low.saturating_add(by), number.width().saturating_sub(1));
        if first > last {
            return Some(Term::bv(width, 0));
        }
        let part = self.part(number, high.saturating_add(by).min(last), first)?;
        Some(part.zero_extend(width.saturating_sub(part.width())))
    }

    /// Bits of a number that stands above another one; bits that both give must not be of one word.
    fn joined(&mut self, upper: Term, lower: Option<Term>, high: u32, low: u32) -> Option<Term> {
        let Some(lower) = lower else { return self.part(upper, high, low) };
        let end = lower.width();
        if high < end {
            return self.part(lower, high, low);
        }
        let above = self.part(upper, high.saturating_sub(end), low.saturating_sub(end))?;
        if low >= end {
            return Some(above);
        }
        let below = self.part(lower, end.saturating_sub(1), low)?;
        (!self.is_torn(above, below)).then(|| above.concat(below))
    }

    /// Bits of a word, if they are of one part.
    fn part_of_word(&self, word: Term, high: u32, low: u32) -> Option<Term> {
        let Some(found) = self.words.get(&word) else { return Some(word.extract(high, low)) };
        let mut parts = found.parts.iter().zip(found.bounds());
        let (part, (_, start)) = parts.find(|(_, (end, start))| *start <= low && high <= *end)?;
        Some(part.extract(high.saturating_sub(start), low.saturating_sub(start)))
    }

    /// Whether two terms have different parts of one word.
    fn is_torn(&self, one: Term, other: Term) -> bool {
        let (one, other) = (one.constants(), other.constants());
        self.words.values().any(|word| {
            let has = |constants: &[Term]| word.parts.iter().any(|part| constants.contains(part));
            has(&one) && has(&other)
        })
    }
}
