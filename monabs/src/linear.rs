//! Sums of numbers modulo a power of two.

use smt::{Op, Sort, Term};

/// An equation in which what is on both sides, or added and subtracted, is left out; nothing if there is no such thing. What a transfer takes from one
/// account and gives to another says nothing about their sum.
pub(crate) fn cancelled(equation: Term) -> Option<Term> {
    let (Op::Eq, &[left, right]) = (equation.op(), equation.args()) else { return None };
    let Sort::BitVec(width) = left.sort() else { return None };
    let difference = left.bv_sub(right);
    let sum = Sum::of(difference)?;
    let mut occurring = difference.constants();
    occurring.retain(|constant| sum.parts.iter().all(|(part, _)| !part.constants().contains(constant)));
    if occurring.is_empty() || sum.parts.is_empty() {
        return None;
    }
    let (added, subtracted): (Vec<_>, Vec<_>) = sum.parts.iter().partition(|(_, factor)| *factor > 0);
    let side = |parts: Vec<(Term, i128)>, literal| Sum { parts, literal }.term(width);
    let negated = subtracted.into_iter().map(|(part, factor)| (part, -factor)).collect();
    Some(side(added, 0).equals(side(negated, -sum.literal)))
}

/// A sum of constants with factors, and a literal, modulo the width.
#[derive(Clone, PartialEq, Eq, Default)]
pub(crate) struct Sum {
    pub(crate) parts: Vec<(Term, i128)>,
    pub(crate) literal: i128,
}

impl Sum {
    /// Of a term; nothing if it is no small sum.
    pub(crate) fn of(term: Term) -> Option<Sum> {
        let mut sum = Sum::default();
        sum.add(term, 1, 0)?;
        sum.parts.retain(|(_, factor)| *factor != 0);
        sum.parts.sort_by(|one, two| one.0.cmp_structural(two.0));
        Some(sum)
    }

    fn add(&mut self, term: Term, sign: i128, depth: usize) -> Option<()> {
        if depth > 8 {
            return None;
        }
        match (term.op(), term.args()) {
            (Op::Bits(bits), []) => self.literal += sign * bits.to_i128()?,
            (Op::BvAdd, args) => args.iter().try_for_each(|arg| self.add(*arg, sign, depth + 1))?,
            (Op::BvSub, &[one, two]) => {
                self.add(one, sign, depth + 1)?;
                self.add(two, -sign, depth + 1)?;
            }
            (Op::BvNeg, &[one]) => self.add(one, -sign, depth + 1)?,
            _ => match self.parts.iter_mut().find(|(part, _)| *part == term) {
                Some((_, factor)) => *factor += sign,
                None => self.parts.push((term, sign)),
            },
        }
        Some(())
    }

    fn factor(&self, term: Term) -> i128 {
        self.parts.iter().find(|(part, _)| *part == term).map_or(0, |(_, factor)| *factor)
    }

    /// The only part that the other sum does not have as often, if it is there once more.
    pub(crate) fn single_beside(&self, other: &Sum) -> Option<Term> {
        let mut more = self.parts.iter().filter(|(part, factor)| *factor > other.factor(*part));
        let (part, factor) = more.next()?;
        (more.next().is_none() && *factor == other.factor(*part) + 1).then_some(*part)
    }

    pub(crate) fn without(&self, term: Term) -> Sum {
        let mut rest = self.clone();
        rest.parts.iter_mut().filter(|(part, _)| *part == term).for_each(|(_, factor)| *factor -= 1);
        rest.parts.retain(|(_, factor)| *factor != 0);
        rest
    }

    pub(crate) fn term(&self, width: u32) -> Term {
        sum(width, self.parts.iter().copied()).bv_add(Term::bv_signed(width, self.literal))
    }
}

/// The sum of terms with factors, of this width.
pub(crate) fn sum(width: u32, terms: impl IntoIterator<Item = (Term, i128)>) -> Term {
    terms.into_iter().fold(Term::bv(width, 0), |sum, (term, factor)| {
        let term = term.resize_unsigned(width);
        match factor {
            1 => sum.bv_add(term),
            -1 => sum.bv_sub(term),
            _ => sum.bv_add(term.bv_mul(Term::bv_signed(width, factor))),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::Symbol;

    #[test]
    fn transfers_cancel_out() {
        let number = |name: &str| Term::constant(Symbol::new(name), Sort::BitVec(32));
        let (here, there, amount) = (number("here"), number("there"), number("amount"));
        let sum = Term::bv(32, 150);
        let equation = here.bv_sub(amount).bv_add(there.bv_add(amount)).equals(sum);
        assert_eq!(cancelled(equation), Some(here.bv_add(there).equals(sum)));
        assert_eq!(cancelled(here.bv_add(amount).equals(there)), None, "nothing to leave out");
        let both = here.bv_add(amount).equals(there.bv_add(amount));
        let left = cancelled(both).unwrap_or(both);
        assert_eq!(left, here.equals(there));
    }
}
