//! Tests of operators.

use crate::lower::Options;
use crate::lower::testing::{operations, outcome, outcome_with};
use crate::program::PropertyKind::{self, Assertion, Bounds, Limit};

fn violates(body: &str, kind: PropertyKind, options: &Options) -> bool {
    let text = format!(
        "extern void __VERIFIER_assert(int); int a[4]; int m[2][3]; struct b {{ unsigned long long w : 40; }} b; \
         int id(int x) {{ return x; }} int main(void) {{ {body}; return 0; }}"
    );
    outcome_with(&text, options, 1).has(kind)
}

#[test]
fn one_past_the_end_is_an_address() {
    let options = Options::default();
    for fine in
        ["int *p = &a[4]", "int *p = &a[id(4)]", "int *p = m[2]", "int *p = &m[1][3]", "int (*p)[3] = &m[2]"]
    {
        assert!(!violates(fine, Bounds, &options), "{fine}");
    }
    for bad in
        ["int *p = &a[5]", "int i = a[id(4)]", "int *p = &m[2][0]", "int *p = &a[id(-1)]", "int *p = m[3]"]
    {
        assert!(violates(bad, Bounds, &options), "{bad}");
    }
}

#[test]
fn what_c_does_not_define_yields_any_value() {
    let unchecked = Options { division_check: false, ..Options::default() };
    for body in [
        "int x = 1 << id(32); __VERIFIER_assert(x == 0)",
        "int x = 1 << id(32); __VERIFIER_assert(x == 1)",
        "int x = 1 >> id(-1); __VERIFIER_assert(x != 0)",
        "unsigned x = 1u / (unsigned)id(0); __VERIFIER_assert(x == 0xffffffffu)",
        "int x = id(-2147483647 - 1) / id(-1); __VERIFIER_assert(x < 0)",
    ] {
        assert!(violates(body, Assertion, &unchecked), "{body}");
    }
    for body in [
        "int x = 1 << id(31); __VERIFIER_assert(x < 0)",
        "int x = id(7) / id(-1); __VERIFIER_assert(x == -7)",
    ] {
        assert!(!violates(body, Assertion, &unchecked), "{body}");
    }
}

#[test]
fn wide_bit_fields_compute_in_their_own_width() {
    assert!(!violates("long x = id(1) ? b.w : 0", Limit, &Options::default()), "the type is gcc's");
    assert!(violates("int x = _Generic(b.w, default: 1)", Limit, &Options::default()), "a type of its own");
    assert!(!violates("int x = b.w - 1 < 0", Limit, &Options::default()));
    assert!(!violates("long x = (long)b.w - 1", Limit, &Options::default()));
}

#[test]
fn floats_decide_nothing_without_a_mark() {
    let text = "long double f; int main(void) { if (f) { return 1; } return 0; }";
    assert!(outcome(text).notes_with("floating point") > 0);
}

#[test]
fn an_atomic_struct_is_copied_as_a_whole() {
    let text = "struct s { int a, b; }; _Atomic struct s x; void f(void) { struct s y = { 1, 2 }; x = y; y = x; } int main(void) { f(); return 0; }";
    let operations = operations(text, "f");
    let atomic = operations.iter().filter(|op| op.ends_with("Some(SeqCst)")).count();
    assert_eq!(atomic, 4);
    assert_eq!(operations.iter().filter(|op| *op == "begin").count(), 2);
}
