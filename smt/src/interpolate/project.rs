//! Elimination of constants from a conjunction.
//!
//! The result follows from the conjunction and has none of the constants that are not kept. It is the strongest such
//! formula as long as every constant has a definition: an equation that can be solved for it, or, for a truth value, a
//! choice between its two values. Disjunctions are split for that, a limited number of times. A constant that resists
//! takes all conjuncts with it, and the result is weaker; whoever uses it has to check it.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::bits::Bits;
use crate::subst::Substitution;
use crate::term::{Op, Term};
use crate::traverse::constants;

/// How many times truth values and disjunctions are split.
const SPLITS: usize = 12;
/// Larger terms are given up.
const LARGEST: usize = 50_000;

/// The consequences for the constants to keep; nothing if that gets out of hand.
pub(super) fn project(formula: Vec<Term>, keep: &FxHashSet<Term>) -> Option<Vec<Term>> {
    let mut splits = SPLITS;
    eliminate(formula, keep, &mut splits)
}

fn eliminate(mut formula: Vec<Term>, keep: &FxHashSet<Term>, splits: &mut usize) -> Option<Vec<Term>> {
    loop {
        let whole = Term::and_all(formula.iter().copied());
        if whole.is_false() {
            return Some(vec![whole]);
        }
        if whole.size() > LARGEST {
            return None;
        }
        formula = whole.conjuncts();
        formula.retain(|conjunct| !conjunct.is_true());
        let unwanted: Vec<Term> =
            whole.constants().into_iter().filter(|constant| !keep.contains(constant)).collect();
        let Some(&first) = unwanted.first() else { return Some(formula) };
        if let Some((position, constant, solution)) = definition(&formula, &unwanted) {
            formula.remove(position);
            formula.extend(solution.condition);
            let mut substitution = Substitution::new(FxHashMap::from_iter([(constant, solution.value)]));
            formula = formula.into_iter().map(|conjunct| substitution.apply(conjunct)).collect();
        } else if let Some(cases) = split(&formula, &unwanted, splits) {
            let mut results = Vec::new();
            for case in cases {
                results.push(Term::and_all(eliminate(case, keep, splits)?));
            }
            return Some(Term::or_all(results).conjuncts());
        } else {
            formula.retain(|conjunct| !constants([*conjunct]).contains(&first));
        }
    }
}

/// What a constant is, provided that a condition holds.
struct Solution {
    value: Term,
    condition: Vec<Term>,
}

/// A conjunct that can be solved for an unwanted constant.
fn definition(formula: &[Term], unwanted: &[Term]) -> Option<(usize, Term, Solution)> {
    for (position, &conjunct) in formula.iter().enumerate() {
        for constant in constants([conjunct]).into_iter().filter(|constant| unwanted.contains(constant)) {
            if let Some(solution) = solve(conjunct, constant) {
                return Some((position, constant, solution));
            }
        }
    }
    None
}

/// Solves a formula for a constant: it holds if and only if the constant has this value and the condition holds.
fn solve(formula: Term, constant: Term) -> Option<Solution> {
    match (formula.op(), formula.args()) {
        (Op::Const(_), _) if formula == constant => {
            Some(Solution { value: Term::tru(), condition: Vec::new() })
        }
        (Op::Not, &[inner]) if inner.sort().is_bool() => solve_for(inner, Term::fls(), constant),
        (Op::Eq, &[left, right]) => {
            solve_for(left, right, constant).or_else(|| solve_for(right, left, constant))
        }
        (Op::Xor, &[left, right]) => {
            solve_for(left, right.not(), constant).or_else(|| solve_for(right, left.not(), constant))
        }
        _ => None,
    }
}

/// Solves `term = value` for a constant that occurs once, on the left, below operators that can be undone.
fn solve_for(mut term: Term, mut value: Term, constant: Term) -> Option<Solution> {
    let contains = |term: Term| constants([term]).contains(&constant);
    if contains(value) {
        return None;
    }
    let mut condition = Vec::new();
    while term != constant {
        let (inner, undone) = match (term.op(), term.args()) {
            (Op::Not, &[a]) => (a, value.not()),
            (Op::BvNot, &[a]) => (a, value.bv_not()),
            (Op::BvNeg, &[a]) => (a, value.bv_neg()),
            (Op::BvAdd, &[a, b]) if !contains(b) => (a, value.bv_sub(b)),
            (Op::BvAdd, &[a, b]) if !contains(a) => (b, value.bv_sub(a)),
            (Op::BvSub, &[a, b]) if !contains(b) => (a, value.bv_add(b)),
            (Op::BvSub, &[a, b]) if !contains(a) => (b, a.bv_sub(value)),
            (Op::BvXor, &[a, b]) if !contains(b) => (a, value.bv_xor(b)),
            (Op::BvXor, &[a, b]) if !contains(a) => (b, value.bv_xor(a)),
            (Op::Xor, &[a, b]) if !contains(b) => (a, value.xor(b)),
            (Op::Xor, &[a, b]) if !contains(a) => (b, value.xor(a)),
            (Op::BvMul, &[a, b]) => match (a.as_bits(), b.as_bits()) {
                (Some(factor), None) => (b, value.bv_mul(Term::bits(inverse(factor)?))),
                (None, Some(factor)) => (a, value.bv_mul(Term::bits(inverse(factor)?))),
                _ => return None,
            },
            (Op::ZeroExtend(_), &[a]) => {
                let low = value.extract(a.width().checked_sub(1)?, 0);
                condition.push(low.resize_unsigned(value.width()).equals(value));
                (a, low)
            }
            (Op::SignExtend(_), &[a]) => {
                let low = value.extract(a.width().checked_sub(1)?, 0);
                condition.push(low.resize_signed(value.width()).equals(value));
                (a, low)
            }
            _ => return None,
        };
        (term, value) = (inner, undone);
    }
    Some(Solution { value, condition })
}

/// The number that, multiplied with an odd one, is one.
fn inverse(odd: &Bits) -> Option<Bits> {
    if !odd.bit(0) {
        return None;
    }
    // Every round doubles the number of correct bits; one is correct to begin with.
    let two = Bits::new(odd.width(), 2);
    let mut inverse = odd.clone();
    let mut correct = 1;
    while correct < odd.width() {
        inverse = inverse.mul(&two.sub(&odd.mul(&inverse)));
        correct = correct.saturating_mul(2);
    }
    Some(inverse)
}

/// The formula as a choice between others, in a way that helps with an unwanted constant.
fn split(formula: &[Term], unwanted: &[Term], splits: &mut usize) -> Option<Vec<Vec<Term>>> {
    if *splits == 0 {
        return None;
    }
    if let Some(&constant) = unwanted.iter().find(|constant| constant.sort().is_bool()) {
        *splits -= 1;
        let case = |value: bool| {
            let mut substitution = Substitution::new(FxHashMap::from_iter([(constant, Term::bool(value))]));
            formula.iter().map(|&conjunct| substitution.apply(conjunct)).collect()
        };
        return Some(vec![case(true), case(false)]);
    }
    let affected = |conjunct: Term| constants([conjunct]).iter().any(|constant| unwanted.contains(constant));
    let choice = |conjunct: &Term| matches!(conjunct.op(), Op::Or | Op::Ite) && affected(*conjunct);
    let position = formula.iter().position(choice)?;
    let cases = match (formula[position].op(), formula[position].args()) {
        (Op::Ite, &[condition, then, els]) => vec![condition.and(then), condition.not().and(els)],
        (_, alternatives) => alternatives.to_vec(),
    };
    *splits = splits.checked_sub(cases.len())?;
    let with = |case: Term| {
        let mut formula = formula.to_vec();
        formula[position] = case;
        formula
    };
    Some(cases.into_iter().map(with).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sort::Sort;
    use crate::symbol::Symbol;

    fn byte(name: &str) -> Term {
        Term::constant(Symbol::new(name), Sort::BitVec(8))
    }

    fn truth(name: &str) -> Term {
        Term::constant(Symbol::new(name), Sort::Bool)
    }

    fn projected(formula: &[Term], keep: &[Term]) -> Term {
        Term::and_all(project(formula.to_vec(), &keep.iter().copied().collect()).unwrap())
    }

    #[test]
    fn definitions_are_put_in() {
        let (x, y, z) = (byte("x"), byte("y"), byte("z"));
        let formula = [y.equals(x.bv_mul(x)), z.equals(y.bv_add(Term::bv(8, 1))), z.ult(Term::bv(8, 9))];
        let expected = x.bv_mul(x).bv_add(Term::bv(8, 1)).ult(Term::bv(8, 9));
        assert_eq!(projected(&formula, &[x]), expected);
        assert_eq!(
            projected(&[x.ult(y), y.bv_neg().bv_add(x).equals(z)], &[x, z]),
            x.ult(z.bv_sub(x).bv_neg())
        );
    }

    #[test]
    fn extensions_leave_conditions() {
        let (x, wide) = (byte("x"), Term::constant(Symbol::new("wide"), Sort::BitVec(16)));
        let formula = [x.zero_extend(8).equals(wide), x.ult(Term::bv(8, 9))];
        let low = wide.extract(7, 0);
        assert_eq!(
            projected(&formula, &[wide]),
            low.zero_extend(8).equals(wide).and(low.ult(Term::bv(8, 9)))
        );
    }

    #[test]
    fn truth_values_are_split() {
        let (p, q, x) = (truth("p"), truth("q"), byte("x"));
        let formula = [p.implies(x.ult(Term::bv(8, 9))), p.or(q)];
        assert_eq!(projected(&formula, &[q, x]), x.ult(Term::bv(8, 9)).or(q));
        assert_eq!(projected(&[p.not(), p.or(q)], &[q]), q);
        assert_eq!(projected(&[p, p.not().or(q).xor(q.not())], &[]), Term::tru());
    }

    #[test]
    fn what_resists_is_dropped() {
        let (x, y, z) = (byte("x"), byte("y"), byte("z"));
        assert_eq!(projected(&[x.bv_mul(y).ult(z), z.ult(Term::bv(8, 4))], &[z]), z.ult(Term::bv(8, 4)));
    }

    #[test]
    fn odd_factors_can_be_undone() {
        for value in (1..256).step_by(2) {
            let odd = Bits::new(8, value);
            assert!(odd.mul(&inverse(&odd).unwrap()).is_one());
        }
        assert_eq!(inverse(&Bits::new(8, 6)), None);
        let wide = Bits::new(131, 12345);
        assert!(wide.mul(&inverse(&wide).unwrap()).is_one());
    }
}
