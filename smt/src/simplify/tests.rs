//! Examples of the rules. That they are right is checked by the properties of random terms.

use super::*;
use crate::sort::Sort;
use crate::symbol::Symbol;

fn word(name: &str) -> Term {
    Term::constant(Symbol::new(name), Sort::BitVec(32))
}

fn byte(name: &str) -> Term {
    Term::constant(Symbol::new(name), Sort::BitVec(8))
}

fn truth(name: &str) -> Term {
    Term::constant(Symbol::new(name), Sort::Bool)
}

fn int(value: i128) -> Term {
    Term::bv_signed(32, value)
}

/// What a C front end makes of a truth value.
fn as_int(condition: Term) -> Term {
    condition.ite(int(1), int(0))
}

#[test]
fn truth_values_of_c_collapse() {
    let (x, y) = (word("x"), word("y"));
    let less = x.slt(y);
    assert_eq!(as_int(less).distinct(int(0)), less);
    assert_eq!(as_int(less).equals(int(0)), y.sle(x));
    assert_eq!(int(1).equals(as_int(less)), less);
    assert_eq!(as_int(less).equals(int(2)), Term::fls());
    // !!(x < y), and the same as a char
    let negated = as_int(as_int(less).equals(int(0)));
    assert_eq!(as_int(negated.equals(int(0))), as_int(less));
    assert_eq!(as_int(less).extract(7, 0).sign_extend(24), as_int(less));
    // (x < y) & (y < 3) != 0, (x < y) == (y < 3), (x < y) + 1 > 1
    let other = y.slt(int(3));
    assert_eq!(as_int(less).bv_and(as_int(other)).distinct(int(0)), less.and(other));
    assert_eq!(as_int(less).bv_or(as_int(other)).distinct(int(0)), less.or(other));
    assert_eq!(as_int(less).equals(as_int(other)), less.equals(other));
    assert_eq!(*as_int(less).bv_or(other.ite(int(2), int(0))).op(), Op::BvOr);
    assert_eq!(as_int(less).bv_add(int(1)).sgt(int(1)), less);
    // c ? 1 : (d ? 1 : x)
    let (c, d) = (truth("c"), truth("d"));
    let chain = c.ite(int(1), d.ite(int(1), x));
    assert_eq!(chain.equals(int(0)), c.not().and(d.not()).and(x.equals(int(0))));
}

#[test]
fn connectives() {
    let (p, q, r) = (truth("p"), truth("q"), truth("r"));
    assert_eq!(p.and(Term::tru()), p);
    assert_eq!(p.or(Term::tru()), Term::tru());
    assert_eq!(Term::and_all([]), Term::tru());
    assert_eq!(Term::or_all([]), Term::fls());
    assert_eq!(p.and(q).and(p), q.and(p));
    assert_eq!(p.and(q).and(r).args().len(), 3);
    assert_eq!(p.and(q.and(r)), Term::and_all([r, q, p]));
    assert_eq!(Term::and_all([p, q, r, p.not()]), Term::fls());
    assert_eq!(p.and(q).or(p.and(q).not()), Term::tru());
    assert_eq!(p.or(q).or(p.or(q).not()), Term::tru());
    assert_eq!(p.and(q).not().and(p).args().len(), 2);
    let (x, y) = (word("x"), word("y"));
    assert_eq!(Term::or_all([p, x.ult(y), q, y.ule(x)]), Term::tru());
    assert_eq!(p.not().not(), p);
    assert_eq!(p.implies(Term::fls()), p.not());
    assert_eq!(p.not().implies(q), p.or(q));
    assert_eq!(p.implies(p.not()), p.not());
    assert_eq!(p.xor(q).not(), p.equals(q));
    assert_eq!(p.not().equals(q), p.xor(q));
    assert_eq!(p.xor(q).xor(q), p);
    assert_eq!(p.equals(Term::fls()), p.not());
    assert_eq!(p.xor(p.not()), Term::tru());
}

#[test]
fn long_conjunctions_grow_without_copies() {
    let members: Vec<Term> = (0..1000).map(|number| truth(&format!("member {number}"))).collect();
    let grown = members.iter().copied().reduce(Term::and).unwrap();
    assert!(grown.size() < 1200);
    assert_eq!(grown.constants().len(), 1000);
    assert_eq!(Term::and_all(members.iter().copied()).args().len(), 1000);
    assert_eq!(Term::and_all(members.iter().copied().chain([members[7].not()])), Term::fls());
}

#[test]
fn choices() {
    let (p, q, x, y) = (truth("p"), truth("q"), word("x"), word("y"));
    assert_eq!(p.ite(x, x), x);
    assert_eq!(Term::tru().ite(x, y), x);
    assert_eq!(p.not().ite(x, y), p.ite(y, x));
    assert_eq!(p.ite(p.ite(x, y), y), p.ite(x, y));
    assert_eq!(p.ite(x, p.ite(x, y)), p.ite(x, y));
    assert_eq!(p.ite(Term::tru(), q), p.or(q));
    assert_eq!(p.ite(q, Term::fls()), p.and(q));
    assert_eq!(p.ite(q, q.not()), p.equals(q));
    assert_eq!(p.ite(p, q), p.or(q));
}

#[test]
fn sums_have_one_literal() {
    let (x, y) = (word("x"), word("y"));
    assert_eq!(x.bv_add(int(1)).bv_add(int(2)), x.bv_add(int(3)));
    assert_eq!(x.bv_sub(int(1)), x.bv_add(int(-1)));
    assert_eq!(x.bv_add(int(1)).bv_sub(int(1)), x);
    assert_eq!(x.bv_add(int(1)).bv_add(y), x.bv_add(y).bv_add(int(1)));
    assert_eq!(x.bv_sub(x), int(0));
    assert_eq!(x.bv_add(int(5)).bv_sub(x.bv_add(int(3))), int(2));
    assert_eq!(x.bv_add(y).bv_sub(y), x);
    assert_eq!(x.bv_sub(y).bv_add(y), x);
    assert_eq!(x.bv_add(y.bv_neg()), x.bv_sub(y));
    assert_eq!(int(3).bv_sub(x).bv_neg(), x.bv_add(int(-3)));
    assert_eq!(int(3).bv_sub(x).bv_add(x), int(3));
    assert_eq!(x.bv_sub(y).bv_neg(), y.bv_sub(x));
    assert_eq!(x.bv_add(y), y.bv_add(x));
}

#[test]
fn products_and_quotients() {
    let (x, y) = (word("x"), word("y"));
    assert_eq!(x.bv_mul(int(0)), int(0));
    assert_eq!(x.bv_mul(int(1)), x);
    assert_eq!(x.bv_mul(int(-1)), x.bv_neg());
    assert_eq!(x.bv_mul(int(3)).bv_mul(int(5)), x.bv_mul(int(15)));
    assert_eq!(x.bv_neg().bv_mul(y.bv_neg()), x.bv_mul(y));
    assert_eq!(x.bv_udiv(int(0)), int(-1));
    assert_eq!(x.bv_urem(int(0)), x);
    assert_eq!(x.bv_sdiv(int(-1)), x.bv_neg());
    assert_eq!(x.bv_srem(x), int(0));
    assert_eq!(int(-7).bv_sdiv(int(2)), int(-3));
    assert_eq!(int(-7).bv_srem(int(2)), int(-1));
}

#[test]
fn bitwise_operators_and_shifts() {
    let (x, y) = (word("x"), word("y"));
    assert_eq!(x.bv_and(int(12)).bv_and(int(10)), x.bv_and(int(8)));
    assert_eq!(x.bv_and(int(-1)), x);
    assert_eq!(x.bv_or(x.bv_not()), int(-1));
    assert_eq!(x.bv_xor(x), int(0));
    assert_eq!(x.bv_xor(int(-1)), x.bv_not());
    assert_eq!(x.bv_xor(y.bv_not()).bv_xor(y), x.bv_not());
    assert_eq!(byte("b").zero_extend(24).bv_and(int(255)), byte("b").zero_extend(24));
    assert_eq!(x.bv_shl(int(3)).bv_shl(int(4)), x.bv_shl(int(7)));
    assert_eq!(x.bv_lshr(int(32)), int(0));
    assert_eq!(x.bv_ashr(int(20)).bv_ashr(int(20)), x.bv_ashr(int(31)));
    assert_eq!(int(0).bv_shl(x), int(0));
}

#[test]
fn equalities() {
    let (x, y, b) = (word("x"), word("y"), byte("b"));
    assert_eq!(x.equals(x), Term::tru());
    assert_eq!(b.zero_extend(24).equals(int(7)), b.equals(Term::bv(8, 7)));
    assert_eq!(b.zero_extend(24).equals(int(256)), Term::fls());
    assert_eq!(b.sign_extend(24).equals(int(-1)), b.equals(Term::bv(8, 255)));
    assert_eq!(b.sign_extend(24).equals(int(255)), Term::fls());
    assert_eq!(x.bv_add(int(3)).equals(int(5)), x.equals(int(2)));
    assert_eq!(x.bv_add(int(3)).equals(x), Term::fls());
    assert_eq!(x.bv_sub(y).equals(int(0)), x.equals(y));
    assert_eq!(x.bv_neg().equals(int(5)), x.equals(int(-5)));
    assert_eq!(x.bv_or(int(1)).equals(int(2)), Term::fls());
    assert_eq!(Term::bv(8, 1).concat(b).equals(Term::bv(16, 0x1ff)), b.equals(Term::bv(8, 255)));
    assert_eq!(x.equals(y), y.equals(x));
}

#[test]
fn comparisons() {
    let (x, y, b) = (word("x"), word("y"), byte("b"));
    assert_eq!(x.ult(int(0)), Term::fls());
    assert_eq!(x.ule(int(-1)), Term::tru());
    assert_eq!(x.ult(int(1)), x.equals(int(0)));
    assert_eq!(x.ugt(int(0)), x.distinct(int(0)));
    assert_eq!(x.uge(int(1)), x.distinct(int(0)));
    assert_eq!(x.sge(Term::bits(Bits::signed_min(32))), Term::tru());
    assert_eq!(x.sle(Term::bits(Bits::signed_min(32))), x.equals(Term::bits(Bits::signed_min(32))));
    assert_eq!(x.slt(y).not(), y.sle(x));
    assert_eq!(x.slt(x), Term::fls());
    // unsigned char against int
    assert_eq!(b.zero_extend(24).slt(int(10)), b.ult(Term::bv(8, 10)));
    assert_eq!(b.zero_extend(24).sgt(int(-1)), Term::tru());
    assert_eq!(b.zero_extend(24).slt(int(256)), Term::tru());
    assert_eq!(b.sign_extend(24).slt(int(10)), b.slt(Term::bv(8, 10)));
    assert_eq!(b.sign_extend(24).sge(int(-129)), Term::tru());
    assert_eq!(b.sign_extend(24).slt(byte("c").sign_extend(24)), b.slt(byte("c")));
}

#[test]
fn slices() {
    let (x, b) = (word("x"), byte("b"));
    let bytes: Vec<Term> = (0..4).map(|number| x.extract(8 * number + 7, 8 * number)).collect();
    assert_eq!(bytes[3].concat(bytes[2]).concat(bytes[1]).concat(bytes[0]), x);
    assert_eq!(bytes[3].concat(bytes[2].concat(bytes[1].concat(bytes[0]))), x);
    assert_eq!(x.extract(23, 8).extract(7, 0), bytes[1]);
    assert_eq!(b.zero_extend(24).extract(7, 0), b);
    assert_eq!(b.zero_extend(24).extract(15, 0), b.zero_extend(8));
    assert_eq!(b.zero_extend(24).extract(31, 8), Term::bv(24, 0));
    assert_eq!(b.sign_extend(24).extract(15, 0), b.sign_extend(8));
    assert_eq!(b.sign_extend(24).extract(31, 31), b.extract(7, 7));
    assert_eq!(b.zero_extend(8).zero_extend(16), b.zero_extend(24));
    assert_eq!(b.zero_extend(8).sign_extend(16), b.zero_extend(24));
    assert_eq!(Term::bv(24, 0).concat(b), b.zero_extend(24));
    assert_eq!(x.concat(b).extract(7, 0), b);
    assert_eq!(x.concat(b).extract(15, 4), bytes[0].concat(b.extract(7, 4)));
    assert_eq!(x.resize_unsigned(8), bytes[0]);
    assert_eq!(b.resize_signed(32), b.sign_extend(24));
}

#[test]
fn arrays() {
    let sort = Sort::array(Sort::BitVec(32), Sort::BitVec(8));
    let array = Term::constant(Symbol::new("array"), sort);
    let (i, j, b, c, p) = (word("i"), word("j"), byte("b"), byte("c"), truth("p"));
    assert_eq!(array.store(i, b).select(i), b);
    assert_eq!(array.store(int(1), b).select(int(2)), array.select(int(2)));
    assert_eq!(array.store(i, b).select(i.bv_add(int(1))), array.select(i.bv_add(int(1))));
    assert_eq!(array.store(i, b).select(j).args()[0], array.store(i, b));
    assert_eq!(array.store(i, b).store(i, c), array.store(i, c));
    assert_eq!(array.store(i, array.select(i)), array);
    let zeros = Term::const_array(sort, Term::bv(8, 0));
    assert_eq!(zeros.select(i), Term::bv(8, 0));
    assert_eq!(zeros.store(i, Term::bv(8, 0)), zeros);
    let choice = p.ite(array.store(int(1), b), array);
    assert_eq!(choice.select(int(1)), p.ite(b, array.select(int(1))));
    assert_eq!(choice.select(int(2)), array.select(int(2)));
    assert_eq!(*choice.select(i).op(), Op::Select);
}

#[test]
fn offsets_of_bounded_indices_are_decided() {
    let index =
        Term::constant(Symbol::new("i"), Sort::BitVec(32)).bv_urem(Term::bv(32, 4)).resize_unsigned(64);
    let number = |n: u128| Term::bv(64, n);
    let offset = index.bv_mul(number(12));
    assert!(offset.ult(number(48)).is_true());
    assert!(!offset.ult(number(36)).is_true());
    assert_eq!(offset.bv_urem(number(12)), number(0));
    assert_eq!(offset.bv_udiv(number(12)), index);
    assert_eq!(offset.bv_and(number(3)), number(0));
    assert_eq!(offset.bv_lshr(number(2)), index.bv_mul(number(3)));
    // A product that may wrap around says nothing.
    let any = Term::constant(Symbol::new("j"), Sort::BitVec(64)).bv_mul(number(12));
    assert_ne!(any.bv_urem(number(12)), number(0));
    assert!(any.ult(number(48)).as_bool().is_none());
}
