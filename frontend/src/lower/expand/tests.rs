//! What becomes of calls, threads and recursion.

use crate::lower::Options;
use crate::lower::expand::Step;
use crate::lower::graph::Op;
use crate::lower::testing::{expanded, outcome, outcome_with};
use crate::program::PropertyKind::{Assertion, Limit, Pointer};

#[test]
fn each_call_has_its_copy_and_each_function_of_a_thread_one_graph() {
    let text = "int g; void f(void) { g = 1; } void t(void) { f(); } \
        int main(void) { f(); f(); __CPROVER_ASYNC_1: t(); __CPROVER_ASYNC_2: t(); return 0; }";
    let (stores, calls, roots) = expanded(text, |_, expanded| {
        let count = |is: fn(&Step) -> bool| expanded.steps.iter().filter(|step| is(step)).count();
        let stores = count(|step| matches!(step.op, Op::Store(..)));
        (stores, count(|step| matches!(step.op, Op::Call(..))), expanded.roots.len())
    });
    assert_eq!((stores, calls, roots), (3, 0, 2));
}

#[test]
fn recursion_ends_in_a_limit_and_each_level_has_its_own_variables() {
    let text = |n: u32| {
        format!(
            "extern void __VERIFIER_assert(int); int f(int n) {{ int m = n; if (n == 0) return 0; f(n - 1); __VERIFIER_assert(m == n); return m; }} \
             int main(void) {{ return f({n}); }}"
        )
    };
    let options = Options { unwind_recursion: 3, ..Options::default() };
    let shallow = outcome_with(&text(3), &options, 1);
    assert!(!shallow.has(Limit) && !shallow.has(Assertion));
    assert!(outcome_with(&text(4), &options, 1).has(Limit));
}

#[test]
fn a_pointer_to_no_function_is_not_called() {
    let text = |pointer: &str| {
        format!(
            "int f(void) {{ return 1; }} int (*p)(void) = {pointer}; int main(void) {{ p = p; return p(); }}"
        )
    };
    assert!(!outcome(&text("f")).has(Limit));
    let null = outcome(&text("0"));
    assert!(null.has(Limit) || null.has(Pointer));
}
