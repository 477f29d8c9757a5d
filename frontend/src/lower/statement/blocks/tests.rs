//! Blocks end what they declare, whichever way control leaves them.

use crate::lower::testing::{operations, outcome};
use crate::program::PropertyKind::Assertion;

fn count(text: &str, operation: &str) -> usize {
    let text = format!("{text} int main(void) {{ f(1); return 0; }}");
    operations(&text, "f").iter().filter(|op| *op == operation).count()
}

#[test]
fn parameters_keep_their_values_where_there_are_labels() {
    let text = "extern void __VERIFIER_assert(int); int n; int f(unsigned q) { l: if (q != 7) return 0; \
                n += (&q != (void *)0); if (n < 2) goto l; return 1; } \
                int main(void) { __VERIFIER_assert(f(7)); return 0; }";
    assert!(!outcome(text).has(Assertion));
    assert!(outcome(&text.replace("f(7)", "f(8)")).has(Assertion));
}

#[test]
fn every_way_out_of_a_block_ends_its_objects() {
    let way = |statement: &str| {
        let text = format!("void f(int c) {{ for (;;) {{ int a[2]; a[0] = c; {statement} }} out:; }}");
        count(&text, "dead f::a")
    };
    // Falling off the end is one way.
    assert_eq!(way(""), 1);
    for statement in ["if (c) break;", "if (c) continue;", "if (c) return;", "if (c) goto out;"] {
        assert_eq!(way(statement), 2, "{statement}");
    }
    assert_eq!(way("again: if (c) goto again;"), 1);
    assert_eq!(way("{ int b[2]; b[0] = 1; if (c) goto out; }"), 2);
    assert_eq!(way("switch (c) { case 1: break; case 2: return; }"), 2);
}

#[test]
fn parameters_and_temporaries_end_too() {
    assert_eq!(count("void f(int c) { int *p = &c; *p = 1; }", "dead f::c"), 1);
    assert_eq!(count("int f(int c) { int *p = &c; if (*p) return 1; return 2; }", "dead f::c"), 3);
    assert_eq!(count("void f(int c) { int *p = (int[]){ c }; *p = 1; }", "dead f::$literal"), 1);
    let text = "struct s { int a[2]; }; struct s g(void) { struct s r; r.a[0] = 1; return r; } \
        int f(int c) { return ({ struct s x = g(); x; }).a[c]; }";
    assert_eq!(count(text, "dead f::x"), 1);
}

#[test]
fn the_process_ends_before_the_variables_of_main() {
    let text = "int main(void) { int a[2]; a[0] = 1; { int b[2]; b[0] = 1; } return a[0]; }";
    let operations = operations(text, "main");
    assert!(operations.contains(&"dead main::b".to_owned()));
    assert!(!operations.contains(&"dead main::a".to_owned()));
}

fn fails(body: &str) -> bool {
    let text = format!(
        "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assert(int); int main(void) {{ {body} return 0; }}"
    );
    outcome(&text).has(Assertion)
}

#[test]
fn a_skipped_declaration_leaves_any_value() {
    assert!(fails("goto past; int x = 1; past: __VERIFIER_assert(x == 1);"));
    assert!(fails("goto past; int x = 1, *p = &x; past: __VERIFIER_assert(x != 2);"));
    assert!(fails("switch (1) { int x = 1; case 1: __VERIFIER_assert(x == 1); }"));
    assert!(fails(
        "for (int i = 0; i < 2; i++) { if (i == 1) goto past; int x = 1; past: __VERIFIER_assert(i == 0 || x == 1); }"
    ));
    assert!(fails(
        "int n = 0; again: { int x; if (n) __VERIFIER_assert(x == 1); x = 1; } if (!n++) goto again;"
    ));
    assert!(fails(
        "for (int i = 0; i < 2; i++) { int x[1]; if (i) __VERIFIER_assert(x[0] == 1); x[0] = 1; }"
    ));
}

#[test]
fn a_block_that_is_not_left_keeps_its_values() {
    assert!(!fails(
        "int n = 0; { again:; if (n) goto use; int x = 4; n++; goto again; use: __VERIFIER_assert(x == 4); }"
    ));
    assert!(!fails(
        "int n = 0; { again:; if (n) goto use; int x[1] = { 4 }; n++; goto again; use: __VERIFIER_assert(x[0] == 4); }"
    ));
}

#[test]
fn every_way_out_of_a_scope_cleans_up() {
    let way = |statement: &str| {
        let text = format!(
            "void g(int *p) {{ *p = 0; }} void f(int c) {{ for (;;) {{ if (c == 9) break; int a __attribute__((cleanup(g))) = c; {statement} }} out:; }}"
        );
        count(&text, "call g")
    };
    // Falling off the end is one way; the jump in front of the declaration is none.
    assert_eq!(way(""), 1);
    for statement in ["if (c) break;", "if (c) continue;", "if (c) return;", "if (c) goto out;"] {
        assert_eq!(way(statement), 2, "{statement}");
    }
    assert_eq!(way("again: if (c) goto again;"), 1);
}

#[test]
fn cleanups_run_last_first_and_before_lifetimes_end() {
    let text = "void g(int *p) { *p = 0; } void h(int *p) { *p = 0; } \
        void f(int c) { int a __attribute__((cleanup(g))) = c; int b __attribute__((cleanup(h))) = c; int d[1]; d[0] = 1; } \
        int main(void) { f(1); return 0; }";
    let all = operations(text, "f");
    let ends: Vec<&str> = all
        .iter()
        .map(String::as_str)
        .filter(|op| op.starts_with("call") || op.starts_with("dead"))
        .collect();
    assert_eq!(ends[..2], ["call h", "call g"]);
    assert!(ends[2..].iter().all(|op| op.starts_with("dead")) && ends.len() == 5, "{ends:?}");
}
