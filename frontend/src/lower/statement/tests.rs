//! Tests of statements.

use crate::lower::Options;
use crate::lower::testing::{outcome, outcome_with};
use crate::program::PropertyKind::{Assertion, DataRace, Limit};

pub(super) fn options() -> Options {
    Options { atomic_statements: true, ..Options::default() }
}

/// Whether main, which runs beside a thread that moves a one from x to y in one step, can see neither or both.
fn sees_half(statement: &str, options: &Options) -> bool {
    let text = format!(
        "extern void __VERIFIER_assert(int); extern void __VERIFIER_assume(int); void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); \
         extern int __VERIFIER_nondet_int(void); int x = 1, y; \
         void t(void) {{ __VERIFIER_atomic_begin(); x = 0; y = 1; __VERIFIER_atomic_end(); }} \
         int f(void) {{ return x + y == 1; }} int g(void) {{ return x || y; }} void check(int c) {{ __VERIFIER_assert(c); }} \
         int main(void) {{ __CPROVER_ASYNC_1: t(); {statement} return 0; }}"
    );
    outcome_with(&text, options, 2).has(Assertion)
}

#[test]
fn a_statement_is_one_step() {
    for statement in [
        "__VERIFIER_assert(y || x);",
        "__VERIFIER_assert(y > 0 || x == 1);",
        "int v = y + x; __VERIFIER_assert(v == 1);",
        "int v[2] = { y, x }; __VERIFIER_assert(v[0] + v[1] == 1);",
        "if (y == 0 && x == 0) __VERIFIER_assert(0);",
        "while (!y && !x) __VERIFIER_assert(0);",
        "switch (y + x) { case 1: break; default: __VERIFIER_assert(0); }",
        "int v; for (v = y + x; 0; ); __VERIFIER_assert(v == 1);",
        "__VERIFIER_assert(f());",
        "__VERIFIER_assert(g());",
        "check(y || x);",
        "int v = y ? 1 : x; __VERIFIER_assert(v == 1);",
        "__VERIFIER_assume(y == 0 && x == 0); __VERIFIER_assert(0);",
    ] {
        assert!(!sees_half(statement, &options()), "{statement}");
    }
    assert!(sees_half("int v = y; __VERIFIER_assert(v || x);", &options()));
    assert!(sees_half("__VERIFIER_assert(y || x);", &Options::default()));
}

#[test]
fn a_race_does_not_depend_on_what_a_step_is() {
    let text = "int x; void t(void) { x = 1; } int main(void) { __CPROVER_ASYNC_1: t(); x = 2; return 0; }";
    let options = Options { race_check: true, ..options() };
    assert!(outcome_with(text, &options, 2).has(DataRace));
}

#[test]
fn assembly_that_is_not_known_is_a_limit() {
    let of = |asm: &str| {
        let text = format!(
            "extern void __VERIFIER_assert(int); int main(void) {{ int k = 4, i = 0; {asm} __VERIFIER_assert(k == 4 && i == 0); return 0; }}"
        );
        let outcome = outcome(&text);
        (outcome.has(Limit), outcome.has(Assertion))
    };
    assert_eq!(of("__asm__ volatile(\"\" : \"+r\"(k) : : \"memory\");"), (false, false));
    assert_eq!(of("__asm__(\"\" : : \"r\"(i++));"), (false, true));
    assert_eq!(of("__asm__(\"\" : \"=r\"(k));"), (false, true));
    assert_eq!(of("__asm__(\"inc %0\" : \"+r\"(i));"), (false, true));
    assert_eq!(of("__asm__(\"rdtsc\" : \"=a\"(k) : : \"rdx\");"), (false, true));
    assert_eq!(
        of("__asm__(\"cpuid\" : \"+a\"(k) : : \"rbx\", \"rcx\", \"rdx\", \"memory\");"),
        (true, false)
    );
    assert_eq!(of("__asm__(\"wrmsr\");"), (true, false));
}

#[test]
fn what_a_switch_looks_at_may_not_be_modelled() {
    let text = "struct s { unsigned long long w : 40; } s; int main(void) { switch (_Generic(s.w, default: 1)) { case 1: l: return 1; } goto l; }";
    assert!(outcome(text).has(Limit));
}
