//! Walks over terms as graphs, without recursion: every distinct sub-term is visited once.

use rustc_hash::FxHashSet;

use crate::term::{Op, Term};

impl Term {
    /// The number of distinct sub-terms, the term itself included.
    pub fn size(self) -> usize {
        let mut seen = FxHashSet::default();
        visit([self], &mut seen, |_| ());
        seen.len()
    }

    /// The parts of a conjunction, however it is nested, from left to right; the term itself if it is none.
    pub fn conjuncts(self) -> Vec<Term> {
        self.parts(&Op::And)
    }

    /// The parts of a disjunction, likewise.
    pub fn disjuncts(self) -> Vec<Term> {
        self.parts(&Op::Or)
    }

    fn parts(self, op: &Op) -> Vec<Term> {
        let mut parts = Vec::new();
        let mut open = vec![self];
        while let Some(term) = open.pop() {
            if term.op() == op {
                open.extend(term.args().iter().rev());
            } else {
                parts.push(term);
            }
        }
        parts
    }

    /// The distinct uninterpreted constants, in the order of their first occurrence from left to right.
    pub fn constants(self) -> Vec<Term> {
        constants([self])
    }
}

/// The distinct uninterpreted constants of several terms, in the order of their first occurrence.
pub fn constants(terms: impl IntoIterator<Item = Term>) -> Vec<Term> {
    let mut found = Vec::new();
    visit(terms, &mut FxHashSet::default(), |term| {
        if matches!(term.op(), Op::Const(_)) {
            found.push(term);
        }
    });
    found
}

/// Visits the sub-terms that are not yet in `seen`, parents first, from left to right.
fn visit(terms: impl IntoIterator<Item = Term>, seen: &mut FxHashSet<Term>, mut action: impl FnMut(Term)) {
    let mut stack = Vec::new();
    for root in terms {
        stack.push(root);
        while let Some(term) = stack.pop() {
            if seen.insert(term) {
                action(term);
                stack.extend(term.args().iter().rev());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sort::Sort;
    use crate::symbol::Symbol;

    fn byte(name: &str) -> Term {
        Term::constant(Symbol::new(name), Sort::BitVec(8))
    }

    #[test]
    fn constants_come_in_order_of_occurrence() {
        let (x, y, z) = (byte("x"), byte("y"), byte("z"));
        let term = z.bv_udiv(x.bv_urem(z)).bv_sub(y.bv_lshr(x));
        assert_eq!(term.constants(), [z, x, y]);
        assert_eq!(constants([x, term]), [x, z, y]);
        assert_eq!(Term::bv(8, 3).constants(), []);
    }

    #[test]
    fn parts_of_conjunctions() {
        let [p, q, r] = ["p", "q", "r"].map(|name| Term::constant(Symbol::new(name), Sort::Bool));
        assert_eq!(p.conjuncts(), [p]);
        let mut parts = p.and(q).and(r.not()).conjuncts();
        parts.sort_by(|one, two| one.cmp_structural(*two));
        let mut expected = vec![p, q, r.not()];
        expected.sort_by(|one, two| one.cmp_structural(*two));
        assert_eq!(parts, expected);
    }

    #[test]
    fn shared_terms_count_once() {
        let (x, y) = (byte("x"), byte("y"));
        let shared = x.bv_udiv(y);
        assert_eq!(shared.bv_urem(shared.bv_lshr(x)).size(), 5);
    }
}
