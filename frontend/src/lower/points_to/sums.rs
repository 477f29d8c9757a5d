//! Sums of addresses and numbers.

use super::places::Shift;
use smt::Term;

/// A sum, apart from its literals.
pub(super) struct Sum {
    bytes: i128,
    pub(super) added: Vec<Term>,
    pub(super) subtracted: Vec<Term>,
}

impl Sum {
    /// The parts of a sum; none if the term is none.
    pub(super) fn of(term: Term) -> Option<Sum> {
        if !matches!(term.op(), smt::Op::BvAdd | smt::Op::BvSub | smt::Op::BvNeg) {
            return None;
        }
        let mut sum = Sum { bytes: 0, added: Vec::new(), subtracted: Vec::new() };
        let mut open = vec![(term, false)];
        while let Some((term, negative)) = open.pop() {
            match (term.op(), term.args()) {
                (smt::Op::BvAdd, args) => open.extend(args.iter().map(|argument| (*argument, negative))),
                (smt::Op::BvSub, &[left, right]) => open.extend([(left, negative), (right, !negative)]),
                (smt::Op::BvNeg, &[argument]) => open.push((argument, !negative)),
                _ => sum.add(term, negative),
            }
        }
        Some(sum)
    }

    fn add(&mut self, term: Term, negative: bool) {
        match (term.as_bits().and_then(|bits| bits.to_i128()), negative) {
            (Some(number), false) => self.bytes += number,
            (Some(number), true) => self.bytes -= number,
            (None, false) => self.added.push(term),
            (None, true) => self.subtracted.push(term),
        }
    }

    /// What the rest of the sum does to the address that is the part with this number among those that are added.
    pub(super) fn shift(&self, part: usize) -> Shift {
        let others = self.added.iter().enumerate().filter(|(index, _)| *index != part).map(|(_, term)| term);
        let strides: Option<Vec<u64>> = others.chain(&self.subtracted).map(|term| stride(*term)).collect();
        match strides {
            Some(mut strides) => {
                strides.sort_unstable();
                strides.dedup();
                Shift::By { bytes: self.bytes, strides }
            }
            None => Shift::Any,
        }
    }
}

/// The literal factor of an index: `i * 4`.
fn stride(term: Term) -> Option<u64> {
    match term.op() {
        smt::Op::BvMul => term
            .args()
            .iter()
            .find_map(|a| a.as_bits())
            .and_then(|b| b.to_u128())
            .and_then(|n| u64::try_from(n).ok()),
        smt::Op::BvShl => {
            let amount = term.args().get(1)?.as_bits()?.to_u128()?;
            1u64.checked_shl(u32::try_from(amount).ok()?)
        }
        smt::Op::BvNeg => stride(*term.args().first()?),
        smt::Op::BvAdd | smt::Op::BvSub => {
            let parts: Vec<u64> = term
                .args()
                .iter()
                .filter(|a| a.as_bits().is_none())
                .map(|a| stride(*a))
                .collect::<Option<_>>()?;
            parts.into_iter().min()
        }
        _ => Some(1),
    }
}
