//! Small facts about conjunctions and disjunctions that go beyond what the constructors of terms simplify.

use rustc_hash::FxHashSet;
use smt::{Op, Term};

/// Disjunctions with more parts are not searched for parts that exclude each other.
const LARGE: usize = 64;

/// The parts of a conjunction.
pub(super) fn conjuncts(term: Term) -> Vec<Term> {
    parts(term, &Op::And)
}

fn parts(term: Term, op: &Op) -> Vec<Term> {
    let mut parts = Vec::new();
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        if term.op() == op {
            open.extend(term.args().iter().rev());
        } else {
            parts.push(term);
        }
    }
    parts
}

/// The disjunction, with what both have in common outside: `(p and c) or (p and not c)` becomes `p`.
pub(super) fn either(first: Term, second: Term) -> Term {
    let (left, right) = (conjuncts(first), conjuncts(second));
    let in_right: FxHashSet<Term> = right.iter().copied().collect();
    let common: FxHashSet<Term> = left.iter().copied().filter(|part| in_right.contains(part)).collect();
    let rest = |parts: &[Term]| Term::and_all(parts.iter().copied().filter(|part| !common.contains(part)));
    let alternatives = absorb(rest(&left).or(rest(&right)));
    Term::and_all(left.iter().copied().filter(|part| common.contains(part))).and(alternatives)
}

/// `not a or (a and b)` becomes `not a or b`, as long as there is such a thing.
fn absorb(mut term: Term) -> Term {
    loop {
        let all = parts(term, &Op::Or);
        if !(2..=LARGE).contains(&all.len()) {
            return term;
        }
        let set: FxHashSet<Term> = all.iter().copied().collect();
        let shorter = all.iter().enumerate().find_map(|(at, &part)| {
            let conjuncts = conjuncts(part);
            let kept: Vec<Term> = conjuncts.iter().copied().filter(|c| !set.contains(&c.not())).collect();
            (kept.len() < conjuncts.len()).then_some((at, Term::and_all(kept)))
        });
        let Some((at, shorter)) = shorter else { return term };
        let others = all.iter().enumerate().filter(|&(index, _)| index != at).map(|(_, &part)| part);
        term = Term::or_all(others.chain([shorter]));
    }
}

/// Whether both never hold at once, as far as the constructors of terms can see.
pub(super) fn are_exclusive(first: Term, second: Term) -> bool {
    first.and(second).is_false()
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::{Sort, Symbol};

    fn truth(name: &str) -> Term {
        Term::constant(Symbol::new(name), Sort::Bool)
    }

    #[test]
    fn complementary_cases_vanish() {
        let (a, b, c) = (truth("a"), truth("b"), truth("c"));
        assert_eq!(either(a.and(b), a.and(b.not())), a);
        assert_eq!(either(a, a.not()), Term::tru());
        assert_eq!(either(a, a.and(b)), a);
        let three = either(either(a.and(b), a.not()), a.and(b.not()));
        assert_eq!(three, Term::tru());
        assert_eq!(conjuncts(either(a.and(b), a.and(c))).len(), 2);
    }

    #[test]
    fn exclusive_means_never_both() {
        let (a, b) = (truth("a"), truth("b"));
        assert!(are_exclusive(a.and(b), b.not()));
        assert!(!are_exclusive(a, b));
    }
}
