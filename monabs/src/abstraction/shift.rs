//! Formulas that only care about differences of some numbers: one of these numbers can be taken for zero.
//!
//! Tickets wrap around, so what is said about them is said modulo 2^32, by differences: `mine - served < next - served`. Such a formula stays what it
//! is when the same number is added to all of `mine`, `served` and `next`. So it has a model if and only if it has one with `served = 0`, and
//! without the subtractions it is much easier for a solver.
//!
//! Numbers of the same width that occur in one atom belong together. A term has a *degree*: how often the number that is added to all of these
//! is added to the term. Equations need the same degree on both sides, orders need degree zero on both sides, and so do all other
//! operations.

use crate::linear::Sum;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Op, Sort, Term};

/// Formulas with a model if and only if the given ones have one, with the same truth values.
pub fn normalise(formulas: Vec<Term>) -> Vec<Term> {
    without_distances(without_base(formulas))
}

/// The same formulas, with zero for one number of each group of which only differences matter.
fn without_base(formulas: Vec<Term>) -> Vec<Term> {
    let mut atoms = FxHashSet::default();
    formulas.iter().for_each(|&formula| collect(formula, &mut atoms));
    // Most formulas have no differences of numbers, and are left alone.
    let bases = bases(&atoms);
    if bases.is_empty() {
        return formulas;
    }
    let groups = groups(&atoms);
    let mut zeros: FxHashMap<Term, Term> = FxHashMap::default();
    let mut done: FxHashSet<usize> = FxHashSet::default();
    for base in bases {
        let Some(&group) = groups.get(&base) else { continue };
        let member = |term: Term| groups.get(&term) == Some(&group);
        if done.insert(group) && atoms.iter().all(|atom| is_invariant(*atom, &member)) {
            zeros.insert(base, Term::bv(base.width(), 0));
        }
    }
    if zeros.is_empty() {
        return formulas;
    }
    let mut substitution = smt::Substitution::new(zeros);
    formulas.into_iter().map(|formula| substitution.apply(formula)).collect()
}

/// Orders of distances as orders: `x - b < y - b` says that on the way up from `b`, around the end if need be, `x` comes before `y`. Said by the
/// orders of `b`, `x` and `y` there is nothing to subtract any more.
fn without_distances(formulas: Vec<Term>) -> Vec<Term> {
    let mut atoms = FxHashSet::default();
    formulas.iter().for_each(|&formula| collect(formula, &mut atoms));
    let map: FxHashMap<Term, Term> =
        atoms.into_iter().filter_map(|atom| Some((atom, around(atom)?))).collect();
    if map.is_empty() {
        return formulas;
    }
    let mut substitution = smt::Substitution::new(map);
    formulas.into_iter().map(|formula| substitution.apply(formula)).collect()
}

/// The order of two distances from the same number.
fn around(atom: Term) -> Option<Term> {
    let (Op::BvUlt | Op::BvUle, &[left, right]) = (atom.op(), atom.args()) else { return None };
    let width = left.width();
    let (one, two) = (Sum::of(left)?, Sum::of(right)?);
    // What is in one side only, and what is in the other side only.
    let (x, y) = (one.single_beside(&two)?, two.single_beside(&one)?);
    let common = one.without(x);
    if common != two.without(y) || common.parts.is_empty() {
        return None;
    }
    let base = common.term(width).bv_neg();
    let less = if *atom.op() == Op::BvUlt { x.ult(y) } else { x.ule(y) };
    let (x_is_behind, y_is_before) = (base.ule(x), y.ult(base));
    Some(x_is_behind.ite(y_is_before.or(less), y_is_before.and(less)))
}

/// The parts of a formula that are truth values and have no such parts.
fn collect(formula: Term, atoms: &mut FxHashSet<Term>) {
    let mut seen = FxHashSet::default();
    let mut open = vec![formula];
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        let is_connective = term.sort() == Sort::Bool
            && !term.args().is_empty()
            && term.args().iter().all(|arg| arg.sort() == Sort::Bool);
        if is_connective {
            open.extend(term.args());
        } else if !term.args().is_empty() {
            atoms.insert(term);
        }
    }
}

/// Numbers that others are compared with after subtracting them, those most often subtracted first.
fn bases(atoms: &FxHashSet<Term>) -> Vec<Term> {
    let mut counts: FxHashMap<Term, usize> = FxHashMap::default();
    for atom in atoms.iter().filter(|atom| matches!(atom.op(), Op::BvUlt | Op::BvUle)) {
        for side in atom.args() {
            if let (Op::BvSub, &[_, base]) = (side.op(), side.args())
                && base.as_constant().is_some()
            {
                *counts.entry(base).or_default() += 1;
            }
        }
    }
    let mut bases: Vec<(Term, usize)> = counts.into_iter().collect();
    bases.sort_by(|one, two| two.1.cmp(&one.1).then_with(|| one.0.cmp_structural(two.0)));
    bases.into_iter().map(|(base, _)| base).collect()
}

/// The group of each number: numbers of one width in one atom are in one group.
fn groups(atoms: &FxHashSet<Term>) -> FxHashMap<Term, usize> {
    let mut numbers: FxHashMap<Term, usize> = FxHashMap::default();
    let mut parent: Vec<usize> = Vec::new();
    fn root(parent: &mut [usize], mut index: usize) -> usize {
        while parent[index] != index {
            parent[index] = parent[parent[index]];
            index = parent[index];
        }
        index
    }
    for atom in atoms {
        let mut first: FxHashMap<u32, usize> = FxHashMap::default();
        for constant in atom.constants() {
            let Sort::BitVec(width) = constant.sort() else { continue };
            let number = *numbers.entry(constant).or_insert_with(|| {
                parent.push(parent.len());
                parent.len() - 1
            });
            let first = *first.entry(width).or_insert(number);
            let (one, two) = (root(&mut parent, first), root(&mut parent, number));
            parent[one] = two;
        }
    }
    numbers.into_iter().map(|(term, number)| (term, root(&mut parent, number))).collect()
}

fn is_invariant(atom: Term, member: &dyn Fn(Term) -> bool) -> bool {
    let degrees: Option<Vec<i128>> = atom.args().iter().map(|arg| degree(*arg, member)).collect();
    match (atom.op(), degrees.as_deref()) {
        (_, None) => false,
        (Op::Eq, Some([one, two])) => one == two,
        (_, Some(degrees)) => degrees.iter().all(|degree| *degree == 0),
    }
}

/// How often a number that is added to all members is added to the term; nothing if that cannot be said.
fn degree(term: Term, member: &dyn Fn(Term) -> bool) -> Option<i128> {
    if term.args().is_empty() {
        return Some(i128::from(member(term)));
    }
    let degrees: Vec<i128> = term.args().iter().map(|arg| degree(*arg, member)).collect::<Option<_>>()?;
    match (term.op(), degrees.as_slice()) {
        (Op::BvAdd, degrees) => Some(degrees.iter().sum()),
        (Op::BvSub, [one, two]) => Some(one - two),
        (Op::BvNeg, [one]) => Some(-one),
        (Op::Ite, [0, then, els]) if then == els => {
            // The condition must not depend on the number either.
            is_invariant(term.args()[0], member).then_some(*then)
        }
        (Op::Eq, [one, two]) if one == two => Some(0),
        (_, degrees) => degrees.iter().all(|degree| *degree == 0).then_some(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::Symbol;

    fn number(name: &str) -> Term {
        Term::constant(Symbol::new(name), Sort::BitVec(32))
    }

    #[test]
    fn differences_lose_their_base() {
        let (mine, next, served) = (number("mine"), number("next"), number("served"));
        let order = mine.bv_sub(served).ult(next.bv_sub(served));
        let changed = next.equals(served.bv_add(Term::bv(32, 1)));
        let other = number("inside").equals(Term::bv(32, 1));
        let result = normalise(vec![order, changed, other]);
        assert_eq!(result, [mine.ult(next), next.equals(Term::bv(32, 1)), other]);
    }

    #[test]
    fn what_depends_on_the_number_itself_stays() {
        let (mine, next, served) = (number("mine"), number("next"), number("served"));
        let order = mine.bv_sub(served).ult(next.bv_sub(served));
        for spoiler in
            [next.equals(Term::bv(32, 5)), next.ult(mine), next.extract(7, 0).equals(Term::bv(8, 0))]
        {
            let formulas = vec![order, spoiler];
            assert_eq!(without_base(formulas.clone()), formulas, "{spoiler}");
        }
    }

    /// All numbers of four bits.
    #[test]
    fn distances_are_orders() {
        let number = |name: &str| Term::constant(Symbol::new(name), Sort::BitVec(4));
        let (x, y, b) = (number("x"), number("y"), number("b"));
        let one = Term::bv(4, 1);
        let shifted = |term: Term| term.bv_sub(b).bv_sub(one);
        for (atom, base) in [
            (x.bv_sub(b).ult(y.bv_sub(b)), 0),
            (x.bv_sub(b).ule(y.bv_sub(b)), 0),
            (shifted(x).ult(shifted(y)), 1),
        ] {
            let result = around(atom).expect("it is an order of distances");
            for value in 0..4096u128 {
                let bits = |shift: u32| Term::bv(4, value >> shift & 15);
                let map = FxHashMap::from_iter([(x, bits(0)), (y, bits(4)), (b, bits(8))]);
                assert_eq!(atom.substitute(&map), result.substitute(&map), "{value} {base}");
            }
        }
        assert!(around(x.bv_add(y).ult(b)).is_none());
        assert!(around(x.ult(y)).is_none());
    }
}
