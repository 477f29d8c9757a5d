//! Whether operators have the arguments that they can have.
//!
//! The constructors of terms check this in debug builds only, and libraries of solvers end the process when they are
//! given nonsense. So nothing goes to a solver that has not passed here; every sub-term is looked at once.

use rustc_hash::FxHashSet;

use super::SolverError;
use crate::sort::Sort;
use crate::term::{Op, Term};

/// Checks terms, and remembers those that passed.
#[derive(Debug, Default)]
pub(crate) struct WellSorted {
    passed: FxHashSet<Term>,
}

impl WellSorted {
    /// Refuses terms that are not formulas, or ill-sorted somewhere.
    pub(crate) fn check_formula(&mut self, term: Term) -> Result<(), SolverError> {
        if !term.sort().is_bool() {
            return Err(SolverError::NotBoolean(term.sort()));
        }
        self.check(term)
    }

    /// Refuses terms that are ill-sorted somewhere.
    pub(crate) fn check(&mut self, term: Term) -> Result<(), SolverError> {
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            if self.passed.insert(term) {
                if sort_of(term) != Some(term.sort()) || !possible(term.sort()) {
                    // What contains the term has been counted as passed already.
                    self.passed.clear();
                    return Err(SolverError::IllSorted(shortened(term)));
                }
                stack.extend(term.args());
            }
        }
        Ok(())
    }
}

/// The beginning of a term's text; cut at a hundred characters.
pub(crate) fn shortened(term: Term) -> String {
    let text = term.to_string();
    match text.char_indices().nth(100) {
        Some((end, _)) => format!("{} ...", &text[..end]),
        None => text,
    }
}

/// Bit-vectors have a bit, and indices of arrays are bit-vectors.
fn possible(sort: Sort) -> bool {
    match sort {
        Sort::Bool => true,
        Sort::BitVec(width) => width > 0,
        Sort::Array(array) => {
            matches!(array.index, Sort::BitVec(width) if width > 0) && possible(array.element)
        }
    }
}

/// The sort that follows from the operator and the sorts of the arguments.
fn sort_of(term: Term) -> Option<Sort> {
    let args = term.args();
    match (term.op(), args) {
        (Op::True | Op::False, []) => Some(Sort::Bool),
        (Op::Bits(bits), []) => Some(Sort::BitVec(bits.width())),
        (Op::Const(_), []) => Some(term.sort()),
        (Op::And | Op::Or, [_, _, ..]) => all(args, Sort::Bool).then_some(Sort::Bool),
        (Op::Not, [_]) | (Op::Xor | Op::Implies, [_, _]) => all(args, Sort::Bool).then_some(Sort::Bool),
        (Op::Eq, [left, right]) => (left.sort() == right.sort()).then_some(Sort::Bool),
        (Op::Ite, [condition, then, els]) => {
            (condition.sort().is_bool() && then.sort() == els.sort()).then_some(then.sort())
        }
        (Op::Select, [array, index]) => {
            let Sort::Array(sort) = array.sort() else { return None };
            (index.sort() == sort.index).then_some(sort.element)
        }
        (Op::Store, [array, index, value]) => {
            let Sort::Array(sort) = array.sort() else { return None };
            (index.sort() == sort.index && value.sort() == sort.element).then_some(array.sort())
        }
        (Op::ConstArray(sort), [default]) => (sort.element() == Some(default.sort())).then_some(*sort),
        _ => sort_of_bits(term),
    }
}

/// The same for operators on bit-vectors.
fn sort_of_bits(term: Term) -> Option<Sort> {
    let args = term.args();
    let width = args.first()?.sort().width()?;
    let same = all(args, Sort::BitVec(width));
    match (term.op(), args) {
        (Op::BvNot | Op::BvNeg, [_]) => Some(Sort::BitVec(width)),
        (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle, [_, _]) => same.then_some(Sort::Bool),
        (Op::Concat, [_, low]) => Some(Sort::BitVec(width.checked_add(low.sort().width()?)?)),
        (Op::Extract { high, low }, [_]) => {
            (low <= high && *high < width).then(|| Sort::BitVec(high - low + 1))
        }
        (Op::ZeroExtend(by) | Op::SignExtend(by), [_]) => Some(Sort::BitVec(width.checked_add(*by)?)),
        (
            Op::BvAnd
            | Op::BvOr
            | Op::BvXor
            | Op::BvAdd
            | Op::BvSub
            | Op::BvMul
            | Op::BvUdiv
            | Op::BvUrem
            | Op::BvSdiv
            | Op::BvSrem
            | Op::BvShl
            | Op::BvLshr
            | Op::BvAshr,
            [_, _],
        ) => same.then_some(Sort::BitVec(width)),
        _ => None,
    }
}

fn all(args: &[Term], sort: Sort) -> bool {
    args.iter().all(|arg| arg.sort() == sort)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intern::intern;
    use crate::symbol::Symbol;

    fn constant(name: &str, sort: Sort) -> Term {
        Term::constant(Symbol::new(name), sort)
    }

    #[test]
    fn everything_that_constructors_build_passes() {
        let (x, y) = (constant("x", Sort::BitVec(8)), constant("y", Sort::BitVec(8)));
        let array = constant("array", Sort::array(Sort::BitVec(8), Sort::BitVec(8)));
        let wide = x.concat(y).bv_mul(x.zero_extend(8)).bv_udiv(y.sign_extend(8));
        let stored = array.store(x, wide.extract(11, 4)).select(y);
        let formula =
            stored.slt(y).and(x.equals(y).not()).or(x.ult(y).xor(y.sle(x))).implies(x.distinct(stored));
        let mut checker = WellSorted::default();
        assert!(checker.check_formula(formula).is_ok());
        assert!(checker.check(Term::const_array(array.sort(), x)).is_ok());
        assert!(matches!(checker.check_formula(x), Err(SolverError::NotBoolean(Sort::BitVec(8)))));
    }

    #[test]
    fn nonsense_is_refused_every_time_and_with_whatever_contains_it() {
        let (x, wide) = (constant("x", Sort::BitVec(8)), constant("x", Sort::BitVec(9)));
        let sum = intern(Op::BvAdd, &[x, wide], Sort::BitVec(8));
        let formula = intern(Op::Eq, &[sum, x], Sort::Bool);
        let mut checker = WellSorted::default();
        for _ in 0..2 {
            assert!(matches!(checker.check_formula(formula), Err(SolverError::IllSorted(_))));
        }
        let array = constant("a", Sort::array(Sort::Bool, Sort::Bool));
        for nonsense in [
            constant("w", Sort::BitVec(0)),
            array,
            intern(Op::Extract { high: 8, low: 0 }, &[x], Sort::BitVec(9)),
            intern(Op::Extract { high: 3, low: 0 }, &[x], Sort::BitVec(5)),
            intern(Op::Select, &[x, x], Sort::BitVec(8)),
            intern(Op::And, &[Term::tru()], Sort::Bool),
            intern(Op::Not, &[x], Sort::Bool),
            intern(Op::ZeroExtend(u32::MAX), &[x], Sort::BitVec(7)),
        ] {
            assert!(checker.check(nonsense).is_err(), "{nonsense}");
        }
    }

    #[test]
    fn long_terms_are_shortened() {
        let names: Vec<Term> = (0..100).map(|number| constant(&format!("x{number}"), Sort::Bool)).collect();
        assert!(shortened(Term::and_all(names)).ends_with(" ..."));
        assert_eq!(shortened(constant("x", Sort::Bool)), "x");
    }
}
