//! Parts of bit-vectors: extraction, concatenation, extension.
//!
//! An extraction is pushed through concatenations, extensions and other extractions until it meets something else, and is
//! then put together again from its pieces. That takes a work list, not recursion. If there are many pieces, the
//! extraction stays as it is. Neighbouring literals and neighbouring parts of the same term are joined again, so bytes
//! taken from a word and put together are the word.

use smallvec::SmallVec;

use crate::bits::Bits;
use crate::intern::intern;
use crate::sort::Sort;
use crate::term::{Op, Term};

use super::{Step, fold_unary};

/// The largest number of pieces of an extraction that is taken apart.
const PIECES: usize = 32;

impl Term {
    /// These bits above the other ones.
    pub fn concat(self, low: Term) -> Term {
        debug_assert!(self.width() > 0 && low.width() > 0, "operands of a concatenation");
        let (mut high, mut low) = (self, low);
        loop {
            match join_across(high, low) {
                Step::Done(joined) => return joined,
                Step::Again(first, second) => (high, low) = (first, second),
                Step::Stuck => break,
            }
        }
        if high.as_bits().is_some_and(Bits::is_zero) {
            return low.zero_extend(high.width());
        }
        let width = high.width().saturating_add(low.width());
        intern(Op::Concat, &[high, low], Sort::BitVec(width))
    }

    /// The bits from `low` to `high`, both included.
    pub fn extract(self, high: u32, low: u32) -> Term {
        debug_assert!(low <= high && high < self.width(), "bits {high} to {low} of {}", self.sort());
        let (mut term, mut high, mut low) = (self, high, low);
        while let (Op::Extract { low: skipped, .. }, &[inner]) = (term.op(), term.args()) {
            (term, high, low) = (inner, high.saturating_add(*skipped), low.saturating_add(*skipped));
        }
        let Some(pieces) = pieces(Slice { term, high, low }) else {
            return Slice { term, high, low }.intern();
        };
        // From the lowest piece up, so that zeros become an extension of what is below them.
        let joined = pieces.into_iter().rev().reduce(|low, high| high.concat(low));
        joined.unwrap_or(self)
    }

    /// So many zeros above the bits.
    pub fn zero_extend(self, by: u32) -> Term {
        debug_assert!(self.width() > 0, "extension of {}", self.sort());
        if by == 0 {
            return self;
        }
        if let Some(folded) = fold_unary(self, |bits| bits.zero_extend(by)) {
            return folded;
        }
        let sort = Sort::BitVec(self.width().saturating_add(by));
        match (self.op(), self.args()) {
            (Op::ZeroExtend(before), &[inner]) => {
                intern(Op::ZeroExtend(before.saturating_add(by)), &[inner], sort)
            }
            _ => intern(Op::ZeroExtend(by), &[self], sort),
        }
    }

    /// So many copies of the highest bit above the bits.
    pub fn sign_extend(self, by: u32) -> Term {
        debug_assert!(self.width() > 0, "extension of {}", self.sort());
        if by == 0 {
            return self;
        }
        if let Some(folded) = fold_unary(self, |bits| bits.sign_extend(by)) {
            return folded;
        }
        let sort = Sort::BitVec(self.width().saturating_add(by));
        match (self.op(), self.args()) {
            (Op::SignExtend(before), &[inner]) => {
                intern(Op::SignExtend(before.saturating_add(by)), &[inner], sort)
            }
            (Op::ZeroExtend(_), _) => self.zero_extend(by),
            _ => intern(Op::SignExtend(by), &[self], sort),
        }
    }

    /// The same number without sign in another width: extended with zeros, or its lowest bits.
    pub fn resize_unsigned(self, width: u32) -> Term {
        debug_assert!(width > 0, "a width of zero");
        match width.checked_sub(self.width()) {
            Some(by) => self.zero_extend(by),
            None => self.extract(width.saturating_sub(1), 0),
        }
    }

    /// The same number with sign in another width: extended with its sign, or its lowest bits.
    pub fn resize_signed(self, width: u32) -> Term {
        debug_assert!(width > 0, "a width of zero");
        match width.checked_sub(self.width()) {
            Some(by) => self.sign_extend(by),
            None => self.extract(width.saturating_sub(1), 0),
        }
    }
}

/// Neighbours that are one: literals, or parts of the same term.
fn join(high: Term, low: Term) -> Option<Term> {
    match (high.op(), high.args(), low.op(), low.args()) {
        (Op::Bits(high), _, Op::Bits(low), _) => Some(Term::bits(high.concat(low))),
        (Op::Extract { high: top, low: middle }, &[term], Op::Extract { high, low }, &[other])
            if term == other && *middle == high.saturating_add(1) =>
        {
            Some(term.extract(*top, *low))
        }
        _ => None,
    }
}

/// Joins neighbours, also across the border of a concatenation on either side.
fn join_across(high: Term, low: Term) -> Step {
    if let Some(joined) = join(high, low) {
        return Step::Done(joined);
    }
    if let (Op::Concat, &[first, second]) = (high.op(), high.args())
        && let Some(joined) = join(second, low)
    {
        return Step::Again(first, joined);
    }
    if let (Op::Concat, &[first, second]) = (low.op(), low.args())
        && let Some(joined) = join(high, first)
    {
        return Step::Again(joined, second);
    }
    Step::Stuck
}

/// Some bits of a term.
#[derive(Clone, Copy)]
struct Slice {
    term: Term,
    high: u32,
    low: u32,
}

impl Slice {
    fn new(term: Term, high: u32, low: u32) -> Slice {
        Slice { term, high, low }
    }

    fn width(self) -> u32 {
        self.high.saturating_sub(self.low).saturating_add(1)
    }

    /// The term, or an extraction as it is.
    fn intern(self) -> Term {
        if self.width() == self.term.width() {
            return self.term;
        }
        let op = Op::Extract { high: self.high, low: self.low };
        intern(op, &[self.term], Sort::BitVec(self.width()))
    }
}

/// What a slice consists of.
enum Parts {
    Whole(Term),
    One(Slice),
    Two(Slice, Slice),
    /// So many zeros above a slice.
    Zeros(u32, Slice),
}

/// The pieces of a slice from high to low, unless they are many.
fn pieces(slice: Slice) -> Option<SmallVec<[Term; 8]>> {
    let mut pieces = SmallVec::new();
    let mut stack = vec![slice];
    while let Some(slice) = stack.pop() {
        match parts(slice) {
            Parts::Whole(term) => pieces.push(term),
            Parts::One(part) => stack.push(part),
            Parts::Two(high, low) => stack.extend([low, high]),
            Parts::Zeros(width, low) => {
                pieces.push(Term::bv(width, 0));
                stack.push(low);
            }
        }
        if pieces.len() + stack.len() > PIECES {
            return None;
        }
    }
    Some(pieces)
}

fn parts(slice: Slice) -> Parts {
    let Slice { term, high, low } = slice;
    if slice.width() == term.width() {
        return Parts::Whole(term);
    }
    if let Some(folded) = fold_unary(term, |bits| bits.extract(high, low)) {
        return Parts::Whole(folded);
    }
    match (term.op(), term.args()) {
        (Op::Extract { low: skipped, .. }, &[inner]) => {
            Parts::One(Slice::new(inner, high.saturating_add(*skipped), low.saturating_add(*skipped)))
        }
        (Op::Concat, &[upper, lower]) => {
            match (high.checked_sub(lower.width()), low.checked_sub(lower.width())) {
                (Some(high), Some(low)) => Parts::One(Slice::new(upper, high, low)),
                (Some(high), None) => Parts::Two(
                    Slice::new(upper, high, 0),
                    Slice::new(lower, lower.width().saturating_sub(1), low),
                ),
                _ => Parts::One(Slice::new(lower, high, low)),
            }
        }
        (Op::ZeroExtend(_), &[inner]) if high < inner.width() => Parts::One(Slice::new(inner, high, low)),
        (Op::ZeroExtend(_), &[inner]) if low >= inner.width() => Parts::Whole(Term::bv(slice.width(), 0)),
        (Op::ZeroExtend(_), &[inner]) => {
            let highest = inner.width().saturating_sub(1);
            Parts::Zeros(high.saturating_sub(highest), Slice::new(inner, highest, low))
        }
        (Op::SignExtend(_), &[inner]) => sign_extension_parts(slice, inner),
        _ => Parts::Whole(slice.intern()),
    }
}

fn sign_extension_parts(slice: Slice, inner: Term) -> Parts {
    let Slice { high, low, .. } = slice;
    let highest = inner.width().saturating_sub(1);
    if high <= highest {
        Parts::One(Slice::new(inner, high, low))
    } else if low == 0 {
        Parts::Whole(inner.sign_extend(high.saturating_sub(highest)))
    } else if slice.width() == 1 {
        // A copy of the sign.
        Parts::One(Slice::new(inner, highest, highest))
    } else {
        Parts::Whole(slice.intern())
    }
}
