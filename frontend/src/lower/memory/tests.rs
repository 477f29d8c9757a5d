//! Objects as scalars and as bytes: what a byte-wise look at an object sees is what C says.

use crate::lower::Options;
use crate::lower::testing::{Outcome, outcome_with};
use crate::program::PropertyKind::{self, Assertion, Free, Leak, Limit, Pointer};

const HEAD: &str = "extern void __VERIFIER_assert(int); extern int __VERIFIER_nondet_int(void); void *malloc(unsigned long); \
                    void *calloc(unsigned long, unsigned long); void free(void *); typedef unsigned char byte; ";

fn run(globals: &str, body: &str, options: &Options) -> Outcome {
    outcome_with(&format!("{HEAD}{globals} int main(void) {{ {body} return 0; }}"), options, 1)
}

/// Holds for one value, and not for another: so it was looked at, and no path was lost.
fn decides(globals: &str, body: &str, holds: &str, fails: &str) {
    let with = |assertion: &str| {
        run(globals, &format!("{body} __VERIFIER_assert({assertion});"), &Options::default())
    };
    let (good, bad) = (with(holds), with(fails));
    assert!(good.violated.is_empty(), "{body} {holds}: {:?}", good.violated);
    assert_eq!(bad.violated.len(), 1, "{body} {fails}: {:?}", bad.violated);
    assert!(bad.has(Assertion), "{body} {fails}");
}

fn violates(globals: &str, body: &str, kind: PropertyKind, options: &Options) -> bool {
    run(globals, body, options).has(kind)
}

fn all_checks() -> Options {
    Options { pointer_check: true, free_check: true, leak_check: true, ..Options::default() }
}

#[test]
fn structs_are_copied_byte_by_byte() {
    let globals = "struct s { char c; int i; short h; } a = { 1, 0x01020304, 5 }, b;";
    let body = "for (unsigned k = 0; k < sizeof a; k++) ((byte *)&b)[k] = ((byte *)&a)[k];";
    decides(globals, body, "b.i == 0x01020304 && b.c == 1 && b.h == 5", "b.i == 0x04030201");
    decides(globals, "byte *p = (byte *)&a;", "p[4] == 4 && p[7] == 1", "p[4] == 1");
}

#[test]
fn numbers_lie_over_bytes() {
    decides("byte pool[16];", "*(int *)(pool + 4) = -2;", "pool[4] == 254 && pool[8] == 0", "pool[4] == 255");
    decides(
        "byte pool[16];",
        "pool[2] = 1; pool[3] = 2; short *p = (short *)(pool + 2);",
        "*p == 513",
        "*p == 258",
    );
    decides("int x = 0x11223344;", "short *p = (short *)&x; p[1] = 1;", "x == 0x13344", "x == 0x11220001");
}

#[test]
fn truth_values_have_a_byte() {
    decides("struct t { _Bool a, b; } t;", "byte *p = (byte *)&t; p[1] = 1;", "t.b && !t.a", "t.a");
    decides("_Bool t;", "t = 1; byte *p = (byte *)&t;", "*p == 1", "*p == 255");
}

#[test]
fn bit_fields_keep_their_neighbours() {
    let globals = "struct f { unsigned a : 3; unsigned b : 7; _Bool c : 1; } f; struct f g = { 5, 100, 1 };";
    decides(
        globals,
        "f.a = 5; f.b = 100; f.c = 1; byte *p = (byte *)&f;",
        "p[0] == 37 && p[1] == 7",
        "p[1] == 3",
    );
    decides(globals, "byte *p = (byte *)&g; p[0] = 0; ", "g.a == 0 && g.b == 96 && g.c", "g.b == 100");
}

#[test]
fn large_unions_are_bytes() {
    let globals = "union u { int i[8]; byte b[32]; struct { long x; char y; } s; } u, v;";
    decides(
        globals,
        "u.i[1] = 0x0a0b0c0d; v = u;",
        "v.b[4] == 13 && u.s.x == 0x0a0b0c0d00000000L",
        "v.b[4] == 10",
    );
}

#[test]
fn a_pointer_goes_from_row_to_row() {
    decides(
        "int m[3][4];",
        "int *p = &m[0][0]; for (int i = 0; i < 12; i++) p[i] = i;",
        "m[1][3] == 7",
        "m[1][3] == 8",
    );
}

#[test]
fn flexible_arrays_have_the_room_that_was_allocated() {
    let globals = "struct r { int n; int a[]; }; struct z { int n; int a[0]; };";
    for tag in ["r", "z"] {
        let body = format!("struct {tag} *p = malloc(sizeof(struct {tag}) + 3 * sizeof(int)); p->a[2] = 7;");
        decides(globals, &body, "p->a[2] == 7", "p->a[2] == 8");
        let beyond =
            format!("struct {tag} *p = malloc(sizeof(struct {tag}) + 3 * sizeof(int)); p->a[3] = 7;");
        assert!(violates(globals, &beyond, Limit, &Options::default()), "{tag}");
        assert!(violates(globals, &beyond, Pointer, &all_checks()), "{tag}");
    }
}

#[test]
fn no_address_ends_in_silence() {
    for body in [
        "int *p = 0; *p = 1;",
        "int a[4]; int *p = a + 4; *p = 1;",
        "int a[4]; int *p = a; int i = __VERIFIER_nondet_int(); if (i < 0 || i > 4) return 0; p[i] = 1;",
        "int n = __VERIFIER_nondet_int(); if (n != 3) return 0; int *p = malloc(n * sizeof(int)); p[n] = 1;",
        "int *p = malloc(4); free(p); *p = 1;",
        "int *p; { int x; p = &x; } *p = 1;",
        "char *s = \"abc\"; s[0] = 1;",
        "int (*f)(void) = 0; int (*g)(void) = __VERIFIER_nondet_int() ? f : main; g();",
    ] {
        assert!(violates("", body, Limit, &Options::default()), "{body}");
        assert!(violates("", body, Pointer, &all_checks()), "{body}");
    }
}

#[test]
fn what_is_freed_was_allocated_and_not_freed() {
    for body in
        ["int *p = malloc(4); free(p); free(p);", "int x; free(&x);", "int *p = malloc(8); free(p + 1);"]
    {
        assert!(violates("", body, Limit, &Options::default()), "{body}");
        assert!(violates("", body, Free, &all_checks()), "{body}");
    }
    assert!(violates("", "int *p = malloc(4); *p = 1;", Leak, &all_checks()));
    assert!(run("", "int *p = malloc(4); *p = 1; free(p); free(0);", &all_checks()).violated.is_empty());
}

#[test]
fn allocations_in_a_loop_are_cleared_as_a_whole() {
    let body = "for (int i = 0; i < 2; i++) { byte *p = calloc(100, 4); p[399] += 1; p[3] += 1; \
                __VERIFIER_assert(p[399] == 1 && p[3] == 1); free(p); }";
    assert!(run("", body, &Options::default()).violated.is_empty());
}

#[test]
fn numbers_of_addresses_decide_nothing() {
    let is_guessed = |outcome: &Outcome| outcome.notes_with("number of an address") > 0;
    for body in [
        "__VERIFIER_assert((unsigned long)&x == 0x10000000);",
        "__VERIFIER_assert(((unsigned long)&x >> 4) % 7 == 3);",
        "__VERIFIER_assert((int)(long)&x != 5);",
    ] {
        let outcome = run("int x, y;", body, &Options::default());
        assert!(outcome.has(Assertion) && is_guessed(&outcome), "{body}");
    }
    assert!(violates("int x, y;", "__VERIFIER_assert(&x < &y);", Limit, &Options::default()));
    let two = "int *p = __VERIFIER_nondet_int() ? a : b; __VERIFIER_assert(p + 2 - p == 2 && p + 1 > p);";
    assert!(run("int a[4], b[4];", two, &Options::default()).violated.is_empty());
    for body in [
        "__VERIFIER_assert(&x != &y && &a[1] > &a[0] && &a[3] - &a[1] == 2);",
        "unsigned long t = (unsigned long)&x | 1; int *p = (int *)(t & ~3ul); *p = 4; __VERIFIER_assert((t & 1) && x == 4);",
        "__VERIFIER_assert(((unsigned long)&x & 3) == 0 && &x != (int *)-1);",
    ] {
        let outcome = run("int x, y, a[4];", body, &Options::default());
        assert!(outcome.violated.is_empty() && !is_guessed(&outcome), "{body}: {outcome:?}");
    }
}

#[test]
fn memory_may_lie_where_freed_memory_was() {
    let one = "int *p = 0, *old = 0; for (int i = 0; i < 2; i++) { p = malloc(4); __VERIFIER_assert(p != old); old = p; free(p); }";
    assert!(violates("", one, Assertion, &Options::default()));
    let two = "int *p = malloc(4); free(p); int *q = malloc(4); __VERIFIER_assert(p != q);";
    assert!(violates("", two, Limit, &Options::default()));
}
