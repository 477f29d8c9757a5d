//! Each program has a twin that differs in one small thing.

use crate::lower::Options;
use crate::lower::testing::{Outcome, outcome_with};
use crate::program::PropertyKind::{DataRace, Limit};
use crate::translate::translate_text;

fn checked() -> Options {
    Options { race_check: true, ..Options::default() }
}

fn outcome(text: &str, threads: usize) -> Outcome {
    outcome_with(text, &checked(), threads)
}

/// Whether a created thread that does the one thing races with the initial one that does the other.
fn races(declarations: &str, one: &str, other: &str) -> bool {
    let text = format!(
        "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); {declarations} \
         void t(void) {{ {one}; }} int main(void) {{ __CPROVER_ASYNC_1: t(); {other}; return 0; }}"
    );
    let outcome = outcome(&text, 2);
    assert!(!outcome.has(Limit), "{outcome:?}");
    outcome.has(DataRace)
}

#[test]
fn what_is_protected_in_different_ways_is_not_protected() {
    let section = |what: &str| format!("__VERIFIER_atomic_begin(); {what}; __VERIFIER_atomic_end()");
    let (write, read) = ("__atomic_store_n(&x, 1, 5)", "int y = __atomic_load_n(&x, 5)");
    let x = "int x;";
    assert!(races(x, "x = 1", "x = 2"));
    assert!(races(x, "x = 1", "int y = x"));
    assert!(!races(x, "int y = x", "int z = x"));
    assert!(races(x, write, "int y = x"));
    assert!(!races(x, write, read));
    assert!(!races(x, read, "int y = x"));
    assert!(races(x, read, "x = 1"));
    assert!(races(x, &section("x = 1"), "int y = x"));
    assert!(!races(x, &section("x = 1"), &section("int y = x")));
    assert!(!races(x, &section("int y = x"), "int y = x"));
    assert!(!races(x, &section("x = 1"), read));
    assert!(races(x, "__sync_fetch_and_add(&x, 1)", "int y = x"));
    assert!(!races(x, "__sync_fetch_and_add(&x, 1)", "__sync_fetch_and_add(&x, 1)"));
}

#[test]
fn sections_that_do_several_things() {
    let text = |guard: &str| {
        format!("__VERIFIER_atomic_begin(); if ({guard}) {{ y = 1; x = 1; }} __VERIFIER_atomic_end()")
    };
    assert!(races("int x, y, z;", &text("z == 0"), "int v = x"));
    assert!(!races("int x, y, z;", &text("z == 1"), "int v = x"));
    // Nobody sees the inside of a section.
    let reader = "__VERIFIER_atomic_begin(); int w = z; __VERIFIER_atomic_end(); if (w) { int v = x; }";
    let writer =
        |order: &str| format!("__VERIFIER_atomic_begin(); {order}; __VERIFIER_atomic_end(); int u = x");
    assert!(!races("int x, z;", &writer("z = 1; x = 1"), reader));
    assert!(races("int x, z;", &format!("{}; x = 2", writer("z = 1; x = 1")), reader));
}

#[test]
fn functions_that_run_atomically_do_so_after_their_arguments() {
    let functions = "int x; void __VERIFIER_atomic_set(int v) { x = v; }";
    assert!(!races(functions, "__VERIFIER_atomic_set(1)", "__VERIFIER_atomic_set(2)"));
    assert!(races(functions, "__VERIFIER_atomic_set(1)", "__VERIFIER_atomic_set(x)"));
}

#[test]
fn a_comparison_that_fails_writes_nothing() {
    let swap = |old: u32| format!("__sync_bool_compare_and_swap(&x, {old}, 2)");
    assert!(!races("int x;", &swap(1), "int y = x"));
    assert!(races("int x;", &swap(0), "int y = x"));
    assert!(races("int x;", &swap(1), "x = 0"));
}

#[test]
fn the_first_value_of_an_atomic_is_plain() {
    assert!(races("_Atomic int x;", "atomic_init(&x, 1)", "int y = x"));
    assert!(!races("_Atomic int x;", "atomic_store(&x, 1)", "int y = x"));
    assert!(!races("_Atomic int x;", "x++", "x = 3"));
    assert!(races(
        "_Atomic struct s { int a, b; } x;",
        "struct s v = { 1, 2 }; atomic_init(&x, v)",
        "struct s y = x"
    ));
    assert!(!races("_Atomic struct s { int a, b; } x;", "struct s v = { 1, 2 }; x = v", "struct s y = x"));
}

#[test]
fn volatile_protects_nothing_and_what_is_of_the_thread_needs_nothing() {
    assert!(races("volatile int x;", "x = 1", "x = 2"));
    assert!(!races("_Thread_local int x;", "x = 1", "x = 2"));
}

#[test]
fn flags_and_fences() {
    let flag = "struct { _Atomic(_Bool) value; } f; int x;";
    let locked = "while (__atomic_test_and_set(&f.value, 2)) ; x++; __atomic_clear(&f.value, 3)";
    let open = "__atomic_test_and_set(&f.value, 2); x++; __atomic_clear(&f.value, 3)";
    assert!(!races(flag, locked, locked));
    assert!(races(flag, open, locked));
    assert!(races("int x;", "x = 1; __sync_synchronize()", "__atomic_thread_fence(5); x = 2"));
}

#[test]
fn parts_of_memory() {
    assert!(!races("struct { char a, b; } s;", "s.a = 1", "s.b = 1"));
    assert!(!races("int a[2];", "a[0] = 1", "a[1] = 1"));
    assert!(races("int a[2]; int i;", "a[i] = 1", "a[0] = 1"));
    assert!(races("struct s { int a, b; } s, r;", "s = r", "s.b = 1"));
    assert!(!races("struct s { int a, b; } s, r;", "s = r", "r.b == 1"));
    let both = "union { struct { int a, b; } s; long all; unsigned char c[8]; } u;";
    assert!(!races(both, "u.s.a = 1", "u.s.b = 1"));
    assert!(races(both, "u.s.a = 1", "u.all = 1"));
    assert!(races(both, "u.s.b = 1", "u.c[4] = 1"));
    assert!(!races(both, "u.s.b = 1", "u.c[3] = 1"));
}

#[test]
fn bit_fields_share_their_memory_location() {
    assert!(races("struct { unsigned a : 4, b : 4; } s;", "s.a = 1", "s.b = 1"));
    assert!(races("struct { unsigned a : 4, b : 4; } s;", "s.a = 1", "int v = s.b"));
    assert!(!races("struct { unsigned a : 4, b : 4; } s;", "int v = s.a", "int v = s.b"));
    assert!(!races("struct { unsigned a : 4, : 0, b : 4; } s;", "s.a = 1", "s.b = 1"));
    assert!(!races("struct { unsigned a : 4; char c; unsigned b : 4; } s;", "s.a = 1", "s.b = 1"));
}

#[test]
fn the_library_works_on_memory_of_the_user() {
    let texts = "void *memcpy(void *, const void *, unsigned long); char *strcpy(char *, const char *); \
                 int memcmp(const void *, const void *, unsigned long); char a[4], b[4];";
    assert!(races(texts, "strcpy(a, \"x\")", "char c = a[1]"));
    assert!(!races(texts, "strcpy(a, \"x\")", "char c = a[2]"));
    assert!(races(texts, "memcmp(a, b, 4)", "b[0] = 1"));
    assert!(races(texts, "memcpy(a, b, 4)", "b[3] = 1"));
    assert!(!races(texts, "memcpy(a, b, 3)", "b[3] = 1"));
}

#[test]
fn who_frees_writes_everything() {
    let text = |first: &str, second: &str| {
        format!(
            "void *malloc(unsigned long); void free(void *); int *p, *q, m; void t(void) {{ {first}; }} \
             int main(void) {{ p = malloc(4); q = malloc(4); *p = 1; *q = 1; __CPROVER_ASYNC_1: t(); {second}; return 0; }}"
        )
    };
    assert!(outcome(&text("m = *p", "free(p)"), 2).has(DataRace));
    assert!(!outcome(&text("m = *q", "free(p)"), 2).has(DataRace));
    assert!(outcome(&text("free(p)", "free(p)"), 2).has(DataRace));
}

#[test]
fn an_object_of_several_is_freed_alone() {
    let text = |used: &str| {
        format!(
            "void *malloc(unsigned long); void free(void *); int *p[2], m; void t(void) {{ m = *p[{used}]; }} \
             int main(void) {{ for (int i = 0; i < 2; i++) {{ p[i] = malloc(4); *p[i] = 1; }} __CPROVER_ASYNC_1: t(); free(p[0]); return 0; }}"
        )
    };
    assert!(outcome(&text("0"), 2).has(DataRace));
    assert!(!outcome(&text("1"), 2).has(DataRace));
}

const THREADS: &str = "typedef unsigned long pthread_t; int pthread_create(pthread_t *, const void *, void *(*)(void *), void *); \
    int pthread_join(pthread_t, void **); ";

#[test]
fn synchronisation_stores_for_the_user() {
    let text = |read: &str| {
        format!(
            "{THREADS} pthread_t h; int x; void *t(void *a) {{ {read}; return a; }} \
             int main(void) {{ pthread_create(&h, 0, t, 0); pthread_join(h, 0); return 0; }}"
        )
    };
    assert!(outcome(&text("x = h == 0"), 2).has(DataRace));
    assert!(!outcome(&text("x = 1"), 2).has(DataRace));
}

#[test]
fn before_the_creation_and_after_the_join_there_is_nobody() {
    let text = |before: &str, between: &str, after: &str| {
        format!(
            "{THREADS} int x; void *t(void *a) {{ x = 1; return a; }} int main(void) {{ pthread_t h; {before}; \
             pthread_create(&h, 0, t, 0); {between}; pthread_join(h, 0); {after}; return 0; }}"
        )
    };
    assert!(!outcome(&text("x = 2", "", "x = 3"), 2).has(DataRace));
    assert!(outcome(&text("x = 2", "x = 4", "x = 3"), 2).has(DataRace));
}

#[test]
fn a_lock_that_was_not_got_protects_nothing() {
    let text = |condition: &str| {
        format!(
            "typedef struct {{ int x; }} pthread_mutex_t; int pthread_mutex_trylock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *); \
             pthread_mutex_t m; int x; void t(void) {{ if (pthread_mutex_trylock(&m) {condition} 0) {{ x++; pthread_mutex_unlock(&m); }} }} \
             int main(void) {{ __CPROVER_ASYNC_1: t(); __CPROVER_ASYNC_2: t(); return 0; }}"
        )
    };
    assert!(!outcome(&text("=="), 3).has(DataRace));
    assert!(outcome(&text(">="), 3).has(DataRace));
}

#[test]
fn it_is_said_why_it_is_a_race() {
    let words = |one: &str| {
        let text = format!(
            "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); int x;\n\
             void t(void) {{\n{one}; }}\nint main(void) {{\n__CPROVER_ASYNC_1: t();\nreturn x; }}\n"
        );
        let translation = translate_text("test.c", &text, &checked(), &[]).unwrap();
        let races = translation.program.properties.iter().filter(|property| property.kind == DataRace);
        races.map(|property| translation.program.describe(property, None)).collect::<Vec<_>>()
    };
    assert_eq!(words("x = 1")[..1], ["data race on x: read at test.c:6, written at test.c:3"]);
    let section = "__VERIFIER_atomic_begin();\nx = 1; __VERIFIER_atomic_end()";
    let expected = "data race on x between accesses inside and outside of an atomic section: read at test.c:7, written at test.c:4";
    assert_eq!(words(section), [expected]);
    let expected =
        "data race on x between an atomic and a plain access: read at test.c:6, written at test.c:3";
    assert_eq!(words("__sync_fetch_and_add(&x, 1)"), [expected]);
}

#[test]
fn too_many_pairs_are_a_limit() {
    let text = format!(
        "int x; void t(void) {{ {} }} int main(void) {{ __CPROVER_ASYNC_1: t(); return 0; }}",
        "x = 1; ".repeat(400)
    );
    assert!(outcome(&text, 1).has(Limit));
}
