//! Which bits of words are looked at together, and which words hang together.

use super::super::cases::terms;
use super::super::symbols::Symbols;
use crate::program::{Program, VariableId};
use rustc_hash::FxHashSet;
use smt::{Op, Term};
use std::collections::{BTreeMap, BTreeSet};

/// No more than so many questions are asked of a program.
const WORK: usize = 200_000;

/// The number that a term is, if it is a literal and fits.
pub(super) fn literal(term: Term) -> Option<u128> {
    term.as_bits().and_then(|bits| bits.to_u128())
}

/// The exponent of a power of two.
pub(super) fn exponent(term: Term) -> Option<u32> {
    literal(term).filter(|value| value.is_power_of_two()).map(u128::trailing_zeros)
}

/// By how much a literal shifts a word of the width, if less than the width.
pub(super) fn shift(by: Term, width: u32) -> Option<u32> {
    literal(by).and_then(|by| u32::try_from(by).ok()).filter(|by| *by < width)
}

/// Where parts of variables meet: the borders of the bits that are taken out of them. Nothing if there is too much to look at.
pub(super) fn cuts(
    program: &Program,
    symbols: &Symbols,
    candidates: &BTreeSet<VariableId>,
) -> Option<BTreeMap<VariableId, BTreeSet<u32>>> {
    let mut demand =
        Demand { symbols, candidates, cuts: BTreeMap::new(), seen: FxHashSet::default(), open: Vec::new() };
    for term in program.edges.iter().flat_map(terms) {
        demand.whole(term);
    }
    while let Some((term, high, low)) = demand.open.pop() {
        if demand.seen.len() > WORK {
            return None;
        }
        demand.parts(term, high, low);
    }
    Some(demand.cuts)
}

struct Demand<'s> {
    symbols: &'s Symbols,
    candidates: &'s BTreeSet<VariableId>,
    cuts: BTreeMap<VariableId, BTreeSet<u32>>,
    /// Terms with the highest and lowest bit that are asked for; what has no bits is asked for as a whole.
    seen: FxHashSet<(Term, u32, u32)>,
    open: Vec<(Term, u32, u32)>,
}

impl Demand<'_> {
    fn whole(&mut self, term: Term) {
        self.need(term, term.width().saturating_sub(1), 0);
    }

    fn need(&mut self, term: Term, high: u32, low: u32) {
        if self.seen.insert((term, high, low)) {
            self.open.push((term, high, low));
        }
    }

    /// What the bits of a term need of its parts.
    fn parts(&mut self, term: Term, high: u32, low: u32) {
        let width = term.width();
        match (term.op(), term.args()) {
            (Op::Const(_), _) => self.cut(term, high, low),
            (Op::BvAnd, &[one, other]) => {
                self.masked(one, other, high, low);
                self.masked(other, one, high, low);
            }
            (Op::BvAdd | Op::BvSub | Op::BvOr | Op::BvXor | Op::BvNot | Op::BvNeg, parts) => {
                parts.iter().for_each(|&part| self.need(part, high, low));
            }
            (Op::BvUrem, &[number, divisor]) if exponent(divisor).is_some_and(|exponent| exponent > 0) => {
                let end = exponent(divisor).unwrap_or(width);
                if low < end {
                    self.need(number, high.min(end.saturating_sub(1)), low);
                }
            }
            (Op::BvUdiv, &[number, divisor]) if exponent(divisor).is_some() => {
                self.shifted(number, exponent(divisor).unwrap_or(0), high, low);
            }
            (Op::BvLshr, &[number, by]) if shift(by, width).is_some() => {
                self.shifted(number, shift(by, width).unwrap_or(0), high, low);
            }
            (Op::BvShl, &[number, by]) if shift(by, width).is_some() => {
                let by = shift(by, width).unwrap_or(0);
                if high >= by {
                    self.need(number, high.saturating_sub(by), low.saturating_sub(by));
                }
            }
            (Op::Extract { low: skipped, .. }, &[number]) => {
                self.need(number, high.saturating_add(*skipped), low.saturating_add(*skipped));
            }
            (Op::ZeroExtend(_), &[number]) => self.shifted(number, 0, high, low),
            (Op::Concat, &[upper, lower]) => {
                let end = lower.width();
                if low < end {
                    self.need(lower, high.min(end.saturating_sub(1)), low);
                }
                if high >= end {
                    self.need(upper, high.saturating_sub(end), low.saturating_sub(end));
                }
            }
            (Op::Ite, &[condition, then, els]) if width > 0 => {
                self.whole(condition);
                self.need(then, high, low);
                self.need(els, high, low);
            }
            (_, parts) => parts.iter().for_each(|&part| self.whole(part)),
        }
    }

    /// These bits of a number that was shifted down.
    fn shifted(&mut self, number: Term, by: u32, high: u32, low: u32) {
        let last = number.width().saturating_sub(1);
        let (high, low) = (high.saturating_add(by).min(last), low.saturating_add(by));
        if low <= high {
            self.need(number, high, low);
        }
    }

    /// These bits of a number under a mask: a question for each row of ones.
    fn masked(&mut self, number: Term, mask: Term, high: u32, low: u32) {
        let Some(mask) = mask.as_bits() else { return self.need(number, high, low) };
        let mut first = None;
        for bit in low..=high {
            match (mask.bit(bit), first) {
                (true, None) => first = Some(bit),
                (false, Some(start)) => {
                    self.need(number, bit.saturating_sub(1), start);
                    first = None;
                }
                _ => {}
            }
        }
        if let Some(start) = first {
            self.need(number, high, start);
        }
    }

    fn cut(&mut self, constant: Term, high: u32, low: u32) {
        let Some(id) = self.symbols.own_reading(constant).filter(|id| self.candidates.contains(id)) else {
            return;
        };
        let width = constant.width();
        let inside = [low, high.saturating_add(1)].into_iter().filter(|cut| (1..width).contains(cut));
        self.cuts.entry(id).or_default().extend(inside);
    }
}

/// Pairs of variables that are copied or compared as they are.
pub(super) fn neighbours(program: &Program, symbols: &Symbols) -> BTreeSet<(VariableId, VariableId)> {
    let mut pairs = BTreeSet::new();
    let mut connect = |terms: &[Term]| {
        let mut ids =
            terms.iter().flat_map(|term| copied(*term)).filter_map(|term| symbols.own_reading(term));
        if let Some(first) = ids.next() {
            pairs.extend(ids.map(|other| (first, other)));
        }
    };
    let mut seen = FxHashSet::default();
    let mut open = Vec::new();
    for edge in &program.edges {
        edge.assign.iter().for_each(|&(id, term)| connect(&[symbols.own(id), term]));
        open.extend(terms(edge));
    }
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        open.extend(term.args());
        if let (Op::Eq, &[one, other]) = (term.op(), term.args())
            && one.width() > 0
        {
            connect(&[one, other]);
        }
    }
    pairs
}

/// The constants that a term may be a copy of, bit by bit.
fn copied(term: Term) -> Vec<Term> {
    let (mut found, mut open) = (Vec::new(), vec![term]);
    let mut seen = FxHashSet::default();
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        match (term.op(), term.args()) {
            (Op::Const(_), _) => found.push(term),
            (Op::Ite, &[_, then, els]) => open.extend([then, els]),
            (Op::BvAdd | Op::BvSub | Op::BvAnd | Op::BvOr | Op::BvXor, &[one, other]) => {
                open.extend(
                    [(one, other), (other, one)]
                        .into_iter()
                        .filter(|(_, by)| by.as_bits().is_some())
                        .map(|(part, _)| part),
                );
            }
            // Other terms are no copies.
            _ => {}
        }
    }
    found
}
