//! Small facts about conjunctions and disjunctions that go beyond what the constructors of terms simplify.

use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Op, Substitution, Term};

/// Disjunctions with more parts are not searched for parts that exclude each other.
const LARGE: usize = 64;

/// The disjunction, with what both have in common outside: `(p and c) or (p and not c)` becomes `p`.
pub(super) fn either(first: Term, second: Term) -> Term {
    let (left, right) = (first.conjuncts(), second.conjuncts());
    let in_right: FxHashSet<Term> = right.iter().copied().collect();
    let common: FxHashSet<Term> = left.iter().copied().filter(|part| in_right.contains(part)).collect();
    let rest = |parts: &[Term]| Term::and_all(parts.iter().copied().filter(|part| !common.contains(part)));
    let alternatives = absorb(rest(&left).or(rest(&right)));
    Term::and_all(left.iter().copied().filter(|part| common.contains(part))).and(alternatives)
}

/// `not a or (a and b)` becomes `not a or b`, as long as there is such a thing.
fn absorb(mut term: Term) -> Term {
    loop {
        let all = term.disjuncts();
        if !(2..=LARGE).contains(&all.len()) {
            return term;
        }
        let set: FxHashSet<Term> = all.iter().copied().collect();
        let shorter = all.iter().enumerate().find_map(|(at, &part)| {
            let conjuncts = part.conjuncts();
            let kept: Vec<Term> = conjuncts.iter().copied().filter(|c| !set.contains(&c.not())).collect();
            (kept.len() < conjuncts.len()).then_some((at, Term::and_all(kept)))
        });
        let Some((at, shorter)) = shorter else { return term };
        let others = all.iter().enumerate().filter(|&(index, _)| index != at).map(|(_, &part)| part);
        term = Term::or_all(others.chain([shorter]));
    }
}

/// Whether both never hold at once, as far as the constructors of terms and [`tighten`] can see.
pub(super) fn are_exclusive(first: Term, second: Term) -> bool {
    tighten(first.and(second)).is_false()
}

/// A conjunction in which terms that equal a literal are replaced by it elsewhere: `p = 1 and p = 2` becomes false,
/// `p = 1 and not p = 2` becomes `p = 1`. Cases of a pointer are of this form.
pub(super) fn tighten(term: Term) -> Term {
    let all = term.conjuncts();
    if all.len() < 2 {
        return term;
    }
    let mut known: FxHashMap<Term, Term> = FxHashMap::default();
    for part in &all {
        if let (Op::Eq, [a, b]) = (part.op(), part.args())
            && (a.as_value().is_some() != b.as_value().is_some())
        {
            let (unknown, literal) = if a.as_value().is_some() { (*b, *a) } else { (*a, *b) };
            if known.insert(unknown, literal).is_some_and(|other| other != literal) {
                return Term::fls();
            }
        }
    }
    if known.is_empty() {
        return term;
    }
    let equalities =
        known.iter().map(|(unknown, literal)| unknown.equals(*literal)).collect::<FxHashSet<Term>>();
    let mut replacement = Substitution::new(known);
    let parts =
        all.into_iter().map(|part| if equalities.contains(&part) { part } else { replacement.apply(part) });
    Term::and_all(parts)
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
        assert_eq!(either(a.and(b), a.and(c)).conjuncts().len(), 2);
    }

    #[test]
    fn a_term_has_one_value() {
        let p = Term::constant(Symbol::new("p"), Sort::BitVec(8));
        let is = |n| p.equals(Term::bv(8, n));
        assert!(tighten(is(1).and(is(2))).is_false());
        assert_eq!(tighten(is(1).and(is(2).not())), is(1));
        assert_eq!(tighten(is(1).and(truth("a"))), is(1).and(truth("a")));
    }

    #[test]
    fn exclusive_means_never_both() {
        let (a, b) = (truth("a"), truth("b"));
        assert!(are_exclusive(a.and(b), b.not()));
        assert!(!are_exclusive(a, b));
    }
}
