//! Atoms of formulas: what is left when the connectives are taken away.

use crate::linear::cancelled;
use rustc_hash::FxHashSet;
use smt::{Op, Sort, Term};

/// The atoms of a formula, those inside of case distinctions included. A comparison of case distinctions becomes the comparisons of
/// the cases; an element of an array that was written before is such a distinction, too: it is the one that was written, or another one.
pub fn atoms(formula: Term, found: &mut Vec<Term>) {
    let mut seen = FxHashSet::default();
    let mut stack = vec![formula];
    while let Some(term) = stack.pop() {
        if !seen.insert(term) || term.as_bool().is_some() || seen.len() > LIMIT {
            continue;
        }
        if term.sort() == Sort::Bool && term.args().iter().any(|arg| arg.sort() == Sort::Bool) {
            stack.extend(term.args());
            continue;
        }
        match distinction(term) {
            Some((condition, then, els)) => stack.extend([condition, then, els]),
            None if term.sort() == Sort::Bool => {
                let positive = match (term.op(), term.args()) {
                    (Op::Not, &[positive]) => positive,
                    _ => term,
                };
                let positive = cancelled(positive).unwrap_or(positive);
                if !found.contains(&positive) {
                    found.push(positive);
                }
            }
            None => {}
        }
    }
}

/// So many sub-terms are looked at.
const LIMIT: usize = 4000;

/// The first case distinction in an atom: its condition, and the atom in both cases.
fn distinction(atom: Term) -> Option<(Term, Term, Term)> {
    let mut seen = FxHashSet::default();
    let mut stack = vec![atom];
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        let case = |value| atom.substitute(&[(term, value)].into_iter().collect());
        if let (Op::Ite, &[condition, then, els]) = (term.op(), term.args())
            && term.sort() != Sort::Bool
        {
            return Some((condition, case(then), case(els)));
        }
        if let (Op::Select, &[array, index]) = (term.op(), term.args())
            && let (Op::Store, &[before, written, value]) = (array.op(), array.args())
        {
            return Some((written.equals(index), case(value), case(before.select(index))));
        }
        stack.extend(term.args());
    }
    None
}

/// All sub-terms.
pub fn sub_terms(term: Term, seen: &mut FxHashSet<Term>) {
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            stack.extend(term.args());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::Symbol;

    #[test]
    fn elements_are_what_was_written_or_others() {
        let byte = |name: &str| Term::constant(Symbol::new(name), Sort::BitVec(8));
        let array = Term::constant(Symbol::new("array"), Sort::array(Sort::BitVec(8), Sort::Bool));
        let (i, j, k) = (byte("i"), byte("j"), byte("k"));
        let mut found = Vec::new();
        atoms(array.store(i, Term::tru()).store(j, Term::fls()).select(k), &mut found);
        found.sort_by(|one, two| one.cmp_structural(*two));
        let mut expected = vec![j.equals(k), i.equals(k), array.select(k)];
        expected.sort_by(|one, two| one.cmp_structural(*two));
        assert_eq!(found, expected);
    }

    #[test]
    fn cases_become_atoms() {
        let byte = |name: &str| Term::constant(Symbol::new(name), Sort::BitVec(8));
        let flag = Term::constant(Symbol::new("flag"), Sort::Bool);
        let (x, y, z) = (byte("x"), byte("y"), byte("z"));
        let mut found = Vec::new();
        atoms(flag.ite(x, y).equals(z).and(x.ult(y).not()), &mut found);
        found.sort_by(|one, two| one.cmp_structural(*two));
        let mut expected = vec![flag, x.equals(z), y.equals(z), y.ule(x)];
        expected.sort_by(|one, two| one.cmp_structural(*two));
        assert_eq!(found, expected);
    }
}
