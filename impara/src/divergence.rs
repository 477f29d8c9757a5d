//! Why a search does not end: formulas on the longest path that differ in their numbers only.
//!
//! A loop whose rounds are told apart by a counter is unrolled round by round, since no label of a round implies that of another. Whoever sees which
//! formulas these are knows which bound or which invariant is missing.

use smt::{Term, Value};
use std::collections::BTreeMap;

/// So many formulas of a kind are no accident.
const MANY: usize = 3;

/// Kinds of formulas that keep coming with other numbers: one of each kind, and how many there are.
pub fn repeated(formulas: &[Term]) -> Vec<(Term, usize)> {
    let mut kinds: BTreeMap<String, (Term, usize)> = BTreeMap::new();
    for formula in formulas {
        let kind = kinds.entry(without_numbers(*formula)).or_insert((*formula, 0));
        kind.1 += 1;
    }
    let mut many: Vec<(Term, usize)> = kinds.into_values().filter(|(_, count)| *count >= MANY).collect();
    many.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    many
}

/// The formula with zero for all literals, as it is written and not simplified.
fn without_numbers(formula: Term) -> String {
    if formula.as_bits().is_some() {
        return Term::value(&Value::zero(formula.sort())).to_string();
    }
    if formula.args().is_empty() {
        return formula.to_string();
    }
    let parts: Vec<String> = formula.args().iter().map(|part| without_numbers(*part)).collect();
    format!("({:?} {})", formula.op(), parts.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::{Sort, Symbol};

    #[test]
    fn counters_are_seen() {
        let term = |name: &str| Term::constant(Symbol::new(name), Sort::BitVec(8));
        let (x, y) = (term("x"), term("y"));
        let mut formulas: Vec<Term> = (1..5).map(|number| x.equals(Term::bv(8, number))).collect();
        formulas.extend([y.ult(x), y.equals(Term::bv(8, 1)), y.equals(Term::bv(8, 2))]);
        assert_eq!(repeated(&formulas), [(formulas[0], 4)]);
    }
}
