//! What is not C is refused; what is C but not modelled is never answered.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests stop at the first broken assumption")]

use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// Runs the program on a text in a file with this suffix: exit status, and everything that it printed.
fn run_as(suffix: &str, text: &str, args: &[&str]) -> (i32, String) {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("invalid-c-{}-{number}{suffix}", std::process::id()));
    std::fs::write(&path, text).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_asyncc")).args(args).arg(&path).output().unwrap();
    std::fs::remove_file(&path).unwrap();
    let printed =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (output.status.code().unwrap_or(-1), printed)
}

fn run(text: &str, args: &[&str]) -> (i32, String) {
    run_as(".c", text, args)
}

const REFUSED: i32 = 2;

/// Each with a piece of the message. All are refused by the compiler.
const INVALID: [(&str, &str); 27] = [
    ("int main(void) { goto l; }", "label 'l' used but not defined"),
    (
        "int f(void) { return 1; } int f(void) { return 2; } int main(void) { return f(); }",
        "redefinition of 'f'",
    ),
    ("int x = 1; int x = 2; int main(void) { return x; }", "redefinition of 'x'"),
    ("int x; char x; int main(void) { return x; }", "conflicting types"),
    ("extern int f(void); char f(void); int main(void) { return 0; }", "conflicting types"),
    ("const int c = 1; int main(void) { c = 2; return 0; }", "read-only"),
    ("int main(void) { const int c = 1; int *p = &c; (*(const int *)p)++; return 0; }", "read-only"),
    ("struct s { const int c; }; int main(void) { struct s v = {1}; v.c = 2; return 0; }", "read-only"),
    ("int main(int n, char **v) { switch (n) { case 1: case 1: ; } return 0; }", "duplicate case"),
    ("int main(int n, char **v) { switch (n) { case 1 ... 3: case 2: ; } return 0; }", "duplicate"),
    ("int main(int n, char **v) { switch (n) { default: default: ; } return 0; }", "multiple default"),
    ("int main(void) { l: ; l: ; return 0; }", "duplicate label"),
    ("void x; int main(void) { return 0; }", "incomplete type"),
    ("struct s x; int main(void) { return 0; }", "storage size of 'x' isn't known"),
    ("int x = 12345678901234567890123456; int main(void) { return 0; }", "too large"),
    ("int main(void) { int a; char a; return 0; }", "conflicting types"),
    ("int f(int a) { return a; } int main(void) { return f(); }", "too few arguments"),
    ("int main(void) { return y; }", "undeclared"),
    ("int n; _Static_assert(n, \"x\"); int main(void) { return 0; }", "not constant"),
    ("int main(void) { int *p; return p.x; }", "not a structure"),
    ("struct s { int x; int x; }; int main(void) { return 0; }", "duplicate member"),
    ("struct s { int x; }; struct s { int x; }; int main(void) { return 0; }", "redefinition"),
    ("enum e { A, A }; int main(void) { return 0; }", "redeclaration"),
    ("int main(void) { continue; }", "continue statement not within a loop"),
    ("int f(int a, int a) { return a; } int main(void) { return 0; }", "redefinition of parameter"),
    ("int a[2][]; int main(void) { return 0; }", "incomplete element type"),
    ("typedef int t; int main(void) { return t; }", "expected expression"),
];

#[test]
fn invalid_c_is_refused() {
    for (text, message) in INVALID {
        let (status, printed) = run(text, &[]);
        assert_eq!(status, REFUSED, "{text}\n{printed}");
        assert!(printed.contains(message), "{text}\n{printed}");
        assert!(printed.contains(".c:1:"), "{text}\n{printed}");
    }
}

/// What the translation sees without a compiler.
#[test]
fn invalid_c_is_refused_without_the_compiler() {
    for (text, message) in [
        ("int main(void) { goto l; }", "there is no label 'l'"),
        ("int main(void) { l: ; l: ; return 0; }", "the label 'l' is there twice"),
        (
            "int f(void) { return 1; } int f(void) { return 2; } int main(void) { return f(); }",
            "'f' has two bodies",
        ),
        ("int x = 1; int x = 2; int main(void) { return x; }", "'x' has two initial values"),
        ("int x; char x; int main(void) { return x; }", "'x' is declared as 'char' here and as 'int' before"),
        ("int main(int n, char **v) { switch (n) { case 1: case 1: ; } return 0; }", "two labels for case 1"),
        (
            "int main(int n, char **v) { switch (n) { case 1 ... 3: case 2: ; } return 0; }",
            "two labels for case 2",
        ),
        (
            "int main(int n, char **v) { switch ((char)n) { default: default: ; } return 0; }",
            "two 'default' labels",
        ),
        ("void x; int main(void) { return 0; }", "incomplete type 'void'"),
        ("struct s x; int main(void) { return 0; }", "incomplete type 'struct s'"),
        ("struct s { int x; }; struct s { int y; }; int main(void) { return 0; }", "'s' is defined twice"),
        ("int x; int x(void); int main(void) { return 0; }", "as a variable and as a function"),
    ] {
        let (status, printed) = run(text, &["--no-syntax-check"]);
        assert_eq!(status, REFUSED, "{text}\n{printed}");
        assert!(printed.contains(message), "{text}\n{printed}");
    }
}

#[test]
fn valid_c_is_accepted() {
    for text in [
        "int x; int x; extern int x; int x = 1; int main(void) { return x - 1; }",
        "int a[]; int a[3]; int b[]; int main(void) { return a[2] + b[0]; }",
        "static int f(void); int main(void) { return f(); } static int f(void) { return 0; }",
        "int main(int n, char **v) { switch (n) { case 0: break; case -1: ; case 1 ... 3: ; default: ; } return 0; }",
        "int main(void) { int x = 0; goto l; { __label__ l; l: x++; } l: return x; }",
        "int main(void) { int n = sizeof(struct s { int x; }); struct s v = {n}; return v.x - 4; }",
        "struct s; struct s *p; struct s { int x; }; int main(void) { struct s { char c; } v = {0}; return v.c; }",
        "extern inline __attribute__((gnu_inline)) int f(void) { return 1; } int f(void) { return 0; } int main(void) { return f(); }",
        // Verifiers' vocabulary.
        "void f(void) {} int main(void) { __CPROVER_ASYNC_1: f(); __CPROVER_ASYNC_1: f(); return 0; }",
        "int main(void) { int *p = __VERIFIER_nondet_pointer(); __CPROVER_assume(p != 0); __VERIFIER_atomic_begin(); __VERIFIER_atomic_end(); return 0; }",
        "f(a) { return a; } main() { return f(0); }",
    ] {
        let (status, printed) = run(text, &[]);
        assert_eq!(status, 0, "{text}\n{printed}");
        assert!(!printed.contains("has checked"), "{text}\n{printed}");
    }
}

#[test]
fn the_check_can_be_skipped_with_a_note() {
    let text = "const int c = 1; int main(void) { c = 2; return 0; }";
    let (status, printed) = run(text, &["--no-syntax-check"]);
    assert_eq!(status, 0, "{printed}");
    assert!(
        printed.contains("no compiler has checked that this is C: --no-syntax-check is set"),
        "{printed}"
    );
}

#[test]
fn headers_in_preprocessed_files_are_not_the_users() {
    let header = "# 1 \"a.c\"\n# 1 \"/usr/include/old.h\" 1 3 4\ntypedef float _Float32;\n# 2 \"a.c\" 2\n";
    let (status, printed) = run_as(".i", &format!("{header}int main(void) {{ return 0; }}\n"), &[]);
    assert!(status == 0 && printed.contains("no compiler has checked"), "{printed}");
    let text = "# 7 \"a.c\"\nconst int c = 1;\nint main(void) { c = 2; return 0; }\n";
    let (status, printed) = run_as(".i", text, &[]);
    assert!(status == REFUSED && printed.contains("a.c:8:20: error"), "{printed}");
}

/// Safe only if what is not modelled is ignored.
#[test]
fn what_is_not_modelled_is_a_limit() {
    const MAIN: &str = "extern void abort(void); void reach_error(void) { abort(); }\n";
    for text in [
        "__attribute__((destructor)) static void d(void) { reach_error(); } int main(void) { return 0; }",
        "int g(void) { reach_error(); return 1; } int f(void) __attribute__((alias(\"g\"))); int main(void) { return f(); }",
        "int x; extern int y __attribute__((alias(\"x\"))); int main(void) { y = 1; if (x) reach_error(); return 0; }",
        "int f(void) __attribute__((weak)); int main(void) { if (!f) reach_error(); return 0; }",
        "typedef int v4 __attribute__((vector_size(16))); int main(void) { v4 v = {1}; if (v[0]) reach_error(); return 0; }",
        "struct __attribute__((scalar_storage_order(\"big-endian\"))) s { short x; }; struct s v = {1}; int main(void) { if (*(char *)&v == 0) reach_error(); return 0; }",
        "int x asm(\"y\"); extern int y; int main(void) { x = 1; if (y) reach_error(); return 0; }",
        "#pragma omp parallel\nint main(void) { return 0; }",
        "#pragma weak f\nint f(void); int main(void) { return 0; }",
        "asm(\".globl z\"); int main(void) { return 0; }",
        "_Noreturn void f(void) { } int main(void) { f(); reach_error(); }",
        "typedef int t __attribute__((unheard_of)); int main(void) { t x = 1; return 0; }",
    ] {
        let (status, printed) = run(&format!("{MAIN}{text}"), &["--explore", "1"]);
        assert_eq!(status, 5, "{text}\n{printed}");
    }
}

#[test]
fn modelled_attributes() {
    const MAIN: &str = "extern void abort(void); void reach_error(void) { abort(); }\n";
    for (text, expected) in [
        (
            "int x; __attribute__((constructor)) static void c(void) { x = 1; } int main(void) { if (x != 1) reach_error(); return 0; }",
            0,
        ),
        (
            "int x; __attribute__((constructor(200))) static void c(void) { x = 2; } void d(void) __attribute__((constructor(101))); void d(void) { x = 1; } int main(void) { if (x == 2) reach_error(); return 0; }",
            10,
        ),
        (
            "void c(int *p) { reach_error(); } int main(void) { int x __attribute__((cleanup(c))) = 1; return 0; }",
            10,
        ),
        (
            "void c(int *p) { if (*p != 1) reach_error(); } int main(void) { __attribute__((__cleanup__(c))) int x = 1; return 0; }",
            0,
        ),
        ("void f(void) __attribute__((noreturn)); int main(void) { f(); reach_error(); }", 0),
        ("[[noreturn]] void f(void); int main(void) { f(); reach_error(); }", 0),
        ("_Noreturn void f(void) { for (;;) ; } int main(void) { f(); reach_error(); }", 0),
        (
            "struct s { char c; int packed; }; int main(void) { if (sizeof(struct s) != 8) reach_error(); return 0; }",
            0,
        ),
        (
            "struct s { char c; int x; } __attribute__((packed)); int main(void) { if (sizeof(struct s) != 5) reach_error(); return 0; }",
            0,
        ),
        (
            "#pragma pack(push, 1)\nstruct s { char c; int x; };\n#pragma pack(pop)\nstruct t { char c; int x; }; int main(void) { if (sizeof(struct s) != 5 || sizeof(struct t) != 8) reach_error(); return 0; }",
            0,
        ),
        (
            "_Pragma(\"pack(2)\") struct s { char c; int x; }; int main(void) { if (sizeof(struct s) != 6) reach_error(); return 0; }",
            0,
        ),
        (
            "struct s { char c __attribute__((aligned(sizeof(long)))); }; int main(void) { if (sizeof(struct s) != 8) reach_error(); return 0; }",
            0,
        ),
        (
            "int f(void) __attribute__((weak)); int f(void) { return 1; } int main(void) { if (f() != 1) reach_error(); return 0; }",
            0,
        ),
        (
            "enum e { A = 1, B = 0x100000000 }; int main(void) { if (sizeof(A) != 4 || sizeof(B) != 8) reach_error(); return 0; }",
            0,
        ),
    ] {
        let (status, printed) = run(&format!("{MAIN}{text}"), &["--explore", "1"]);
        assert_eq!(status, expected, "{text}\n{printed}");
    }
}

#[test]
fn variables_of_others_have_any_value_with_a_note() {
    let text = "extern void abort(void); void reach_error(void) { abort(); }\n\
                extern int x; int main(void) { if (x == 3) reach_error(); return 0; }";
    let (status, printed) = run(text, &["--explore", "1"]);
    assert_eq!(status, 10, "{printed}");
    assert!(printed.contains("'x' is declared but not defined"), "{printed}");
    let (_, printed) = run("extern int x; int main(void) { return 0; }", &[]);
    assert!(!printed.contains("'x'"), "{printed}");
}
