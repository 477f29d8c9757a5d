//! Tests of terms as C writes them.

use super::*;
use crate::program::text::read;

const DECLARATIONS: &str = r#"program 1
address &x = 4096 size 4
address &buffer = 8192 size 16
address f = 16384 size 1
shared x: i32 shared y: i32
shared u: u32 shared v: u32
shared b: bool shared c: bool
shared p: u64
shared a: [i8; 4 by u32]
local l: i8
location 0 main 0
"#;

/// What a condition looks like.
fn shown(condition: &str) -> String {
    let program = read(&format!("{DECLARATIONS} predicate {condition}")).unwrap();
    Infix::new(&program).term(program.predicates[0].term)
}

#[test]
fn comparisons_show_how_they_take_their_operands() {
    assert_eq!(shown("(bvslt x y)"), "x < y");
    assert_eq!(shown("(not (bvsle x #xfffffffb))"), "x > -5");
    assert_eq!(shown("(bvult u v)"), "u < v");
    assert_eq!(shown("(bvult x #x00000005)"), "(u32)x < 5");
    assert_eq!(shown("(bvslt u x)"), "(i32)u < x");
    assert_eq!(shown("(not (= x #xffffffff))"), "x != -1");
    assert_eq!(shown("(= u #xffffffff)"), "u == 4294967295");
    assert_eq!(shown("(bvslt (bvsdiv x y) (bvsrem x u))"), "x / y < x % (i32)u");
    assert_eq!(shown("(bvult (bvudiv u v) (bvurem x v))"), "u / v < (u32)x % v");
}

#[test]
fn parentheses_are_those_of_c() {
    assert_eq!(shown("(= (bvmul x (bvadd x y)) #x00000000)"), "x * (x + y) == 0");
    assert_eq!(shown("(= (bvsub x (bvsub y u)) #x00000003)"), "x - (y - u) == 3");
    // The order of commutative operands is that of the terms.
    let mixed = shown("(and b (or c (bvslt x y)))");
    assert!(mixed.contains("(c || x < y)") || mixed.contains("(x < y || c)"), "{mixed}");
    assert!(mixed.starts_with("b && ") || mixed.ends_with(" && b"), "{mixed}");
    assert_eq!(shown("(bvslt (bvadd x #xffffffff) y)"), "x - 1 < y");
    assert_eq!(shown("(= (ite b x y) #x00000007)"), "(b ? x : y) == 7");
}

#[test]
fn widths_are_casts_and_arrays_have_brackets() {
    assert_eq!(shown("(bvslt ((_ sign_extend 24) l) x)"), "(i32)l < x");
    assert_eq!(shown("(bvslt ((_ zero_extend 24) l) x)"), "(u32)(u8)l < x");
    assert_eq!(shown("(= ((_ extract 7 0) u) #x07)"), "(u8)u == 7");
    assert_eq!(shown("(= ((_ extract 15 8) u) #x07)"), "(u8)(u >> 8) == 7");
    assert_eq!(shown("(bvslt (select a u) #xff)"), "a[u] < -1");
    assert_eq!(shown("(= a (store a u #xff))"), "a == a[u := -1]");
}

#[test]
fn numbers_that_are_addresses_have_names() {
    assert_eq!(shown("(= p #x0000000000001000)"), "p == &x");
    assert_eq!(shown("(= p #x0000000000002003)"), "p == &buffer + 3");
    assert_eq!(shown("(= p #x0000000000002010)"), "p == 8208");
    assert_eq!(shown("(= p #x0000000000004000)"), "p == f");
    assert_eq!(shown("(= x #x00001000)"), "x == 4096", "signed numbers are no pointers");
}

#[test]
fn values_are_as_their_types_have_them() {
    let program = read(DECLARATIONS).unwrap();
    let infix = Infix::new(&program);
    let value = |index: usize, value: Value| infix.value(&program.variables[index].data_type, &value);
    assert_eq!(value(0, Value::bits(32, 0xffff_ffff)), "-1");
    assert_eq!(value(2, Value::bits(32, 0xffff_ffff)), "4294967295");
    assert_eq!(value(4, Value::Bool(true)), "true");
    assert_eq!(value(6, Value::bits(64, 4096)), "&x");
    let array = smt::ArrayValue::constant(smt::Sort::BitVec(32), Value::bits(8, 0));
    let array = array.store(Bits::new(32, 2), Value::bits(8, 0xfe));
    assert_eq!(value(7, Value::Array(array)), "{[2] = -2, else 0}");
    assert_eq!(infix.chosen(&Value::bits(32, 0xffff_fffe)), "-2");
}

#[test]
fn stores_are_assignments_of_elements() {
    let text = format!(
        "{DECLARATIONS} edge 0: 0 -> 0 assign a := (store (store a u #xff) #x00000001 l) assign x := (bvadd x y)"
    );
    let program = read(&text).unwrap();
    let infix = Infix::new(&program);
    let shown: Vec<String> = program.edges[0]
        .assign
        .iter()
        .map(|(id, term)| infix.assignment(program.variable(*id), *term))
        .collect();
    assert_eq!(shown, ["a[u] := -1, a[1] := l", "x := x + y"]);
}

#[test]
fn huge_terms_are_cut() {
    let program = read(DECLARATIONS).unwrap();
    let infix = Infix::new(&program);
    let x = program.variables[0].term();
    let mut deep = x;
    let mut wide = x;
    for _ in 0..2_000 {
        deep = deep.bv_not().bv_mul(x);
        wide = wide.bv_mul(wide.bv_xor(program.variables[1].term()));
    }
    for term in [deep, wide] {
        let text = infix.term(term);
        assert!(text.len() < 600 && text.contains("..."), "{text}");
    }
}
