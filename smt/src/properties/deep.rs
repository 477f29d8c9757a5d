//! Deep terms: nothing may recurse over them.
//!
//! A test runs with two megabytes of stack, so a recursion with 20 bytes per level shows at 100,000 levels.

use rustc_hash::FxHashMap;

use crate::eval::eval;
use crate::smtlib::parse_term;
use crate::sort::Sort;
use crate::symbol::Symbol;
use crate::term::Term;
use crate::value::Value;

const LEVELS: usize = 100_000;

fn constant(name: &str, sort: Sort) -> Term {
    Term::constant(Symbol::new(name), sort)
}

/// Everything that walks over a term. The replacement of `x` has to change every level.
fn walk(term: Term, x: Term, replacement: Term) {
    assert!(term.size() > LEVELS, "{}", term.size());
    assert_eq!(term.constants().iter().filter(|it| **it == x).count(), 1);
    let text = term.to_string();
    assert_eq!(parse_term(&text, term.constants()), Ok(term));
    let zero = |_: Symbol, sort: Sort| Some(Value::zero(sort));
    let value = eval(term, &zero).unwrap();
    assert_eq!(value.sort(), term.sort());
    let substituted = term.substitute(&FxHashMap::from_iter([(x, replacement)]));
    assert_ne!(substituted, term);
    let there = term.rename(&mut |name| Some(Symbol::new(&format!("{name}'"))));
    assert_ne!(there, term);
    assert!(there.cmp_structural(term).is_ne());
}

fn repeated(start: Term, step: impl Fn(usize, Term) -> Term) -> Term {
    (0..LEVELS).fold(start, |term, level| step(level, term))
}

#[test]
fn a_million_levels() {
    let (x, y) = (constant("x", Sort::BitVec(32)), constant("y", Sort::BitVec(32)));
    walk((0..1_000_000).fold(x, |term, _| y.bv_udiv(term)), x, y.bv_lshr(x));
}

#[test]
fn arithmetic() {
    let (x, y) = (constant("x", Sort::BitVec(32)), constant("y", Sort::BitVec(32)));
    walk(repeated(x, |_, term| y.bv_sub(term).bv_mul(y)), x, y.bv_udiv(x));
    walk(repeated(x, |level, term| term.bv_udiv(y).bv_add(Term::bv(32, level as u128))), x, y);
}

#[test]
fn connectives() {
    let (p, q, r) = (constant("p", Sort::Bool), constant("q", Sort::Bool), constant("r", Sort::Bool));
    walk(repeated(p, |_, term| term.and(q).not().or(r)), p, q.xor(r));
    walk(repeated(p, |_, term| term.xor(q).implies(r)), p, q.and(r));
}

#[test]
fn choices() {
    let (p, x) = (constant("p", Sort::Bool), constant("x", Sort::BitVec(32)));
    let literal = |level: usize| Term::bv(32, level as u128);
    // A counter that is set to something or goes on: equality with a literal looks at choices and sums.
    let counter =
        repeated(x, |level, term| x.ult(literal(level + 2)).ite(literal(level), term.bv_add(literal(1))));
    walk(counter, x, p.ite(x, literal(7)));
    walk(counter.equals(literal(3)), x, p.ite(x, literal(7)));
    walk(counter.bv_not().bv_neg().zero_extend(8).ult(Term::bv(40, 3)), x, p.ite(x, literal(7)));
    let chain = repeated(x, |level, term| x.ult(literal(level + 2)).ite(literal(level), term));
    walk(chain.equals(literal(3)), x, literal(3));
}

#[test]
fn arrays() {
    let sort = Sort::array(Sort::BitVec(32), Sort::BitVec(8));
    let (array, x, i) =
        (constant("array", sort), constant("x", Sort::BitVec(8)), constant("i", Sort::BitVec(32)));
    let literal = |level: usize| Term::bv(32, level as u128);
    let stores =
        repeated(array, |level, term| term.store(literal(level), x.bv_add(Term::bv(8, level as u128))));
    walk(stores, x, x.bv_not());
    assert_eq!(stores.select(literal(0)), x);
    assert_eq!(stores.select(literal(LEVELS)), array.select(literal(LEVELS)));
    let zeros = Term::const_array(sort, Term::bv(8, 0));
    let filled = repeated(zeros, |level, term| term.store(literal(level), Term::bv(8, 1)));
    assert_eq!(Term::value(&filled.as_value().unwrap()), filled);
    let choices = repeated(array, |level, term| {
        let element = x.bv_add(Term::bv(8, level as u128));
        i.ult(literal(level + 2)).ite(term.store(literal(level % 2), element), term.store(literal(3), x))
    });
    let element = choices.select(literal(7));
    assert_eq!(element, array.select(literal(7)));
    walk(choices.select(literal(0)), x, x.bv_not());
}

#[test]
fn slices() {
    let (x, y) = (constant("x", Sort::BitVec(8)), constant("y", Sort::BitVec(8)));
    let mixed = repeated(x, |_, term| y.concat(term.bv_udiv(y)).extract(9, 2));
    walk(mixed, x, y.bv_lshr(x));
    let extended = repeated(x, |_, term| term.sign_extend(1).bv_udiv(y.zero_extend(1)).extract(8, 1));
    walk(extended, x, y.bv_lshr(x));
}

#[test]
fn wide_concatenations() {
    let (x, y) = (constant("x", Sort::BitVec(1)), constant("y", Sort::BitVec(1)));
    let mut term = x;
    for level in 0..20_000 {
        term = if level % 2 == 0 { term.concat(y) } else { x.concat(term) };
    }
    assert_eq!(term.extract(20_000, 20_000), x);
    assert_eq!(term.extract(0, 0), y);
    assert_eq!(term.extract(19_999, 1).width(), 19_999);
    assert_eq!(
        term.substitute(&FxHashMap::from_iter([(x, Term::bv(1, 0)), (y, Term::bv(1, 0))])),
        Term::bv(20_001, 0)
    );
}
