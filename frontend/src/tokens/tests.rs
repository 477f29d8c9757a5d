//! Each rewrite of the token pass.

use super::lexer::lex;
use super::*;

fn rewritten(text: &str) -> Rewritten {
    rewrite(text, &lex(text)).unwrap_or_else(|remarks| panic!("{text}: {remarks:?}"))
}

/// Checks what texts become.
fn becomes(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(rewritten(text).text, *expected, "{text}");
    }
}

/// Checks that texts are left alone.
fn stay(texts: &[&str]) {
    for text in texts {
        assert_eq!(rewritten(text).text, *text);
    }
}

/// The errors about a text, with their places.
fn refused(text: &str) -> Vec<(usize, String)> {
    let remarks = rewrite(text, &lex(text)).expect_err("an error");
    remarks.into_iter().map(|remark| (remark.offset, remark.message)).collect()
}

#[test]
fn plain_c_stays_as_it_is() {
    stay(&[
        "int x = 1, *y[3], (*f)(int, char *), z;",
        "typedef struct s { int a : 3, : 2; struct { int b; } c[2]; } T; T t = { .a = 1, .c[0].b = 2 };",
        "enum e { A, B = A + 1, }; enum e f(enum e x) { return x ? A : B; }",
        "int f(int a, ...) { if (a) goto l; else a++; do { a--; } while (a); l: return a; }",
        "typedef int T; void f(void) { T x; T *p = (T *)&x; for (;;) { T(y); (void)sizeof(T); } }",
        "int f(a, b) int a; char *b; { return a + *b; }",
        "int (*f(int a))(int b) { switch (a) { case 1: default: break; } return 0; }",
        "_Static_assert(1, \"a\"); struct { _Static_assert(1, \"b\"); int x; } s;",
        "int f(int x) { return ({ int y = x; y + 1; }) ? x : (int){1}; }",
    ]);
}

#[test]
fn comments_directives_and_blanks_go() {
    becomes(&[
        ("int /* c */x;// d\nint y;", "int  x; \nint y;"),
        ("# 1 \"a.c\"\nint x;\x0c\n#pragma once\n", " \nint x; \n \n"),
        ("int a \\\n b;", "int a   b;"),
    ]);
}

#[test]
fn directives_that_matter() {
    let doubts = |text: &str| rewritten(text).doubts.into_iter().map(|d| d.1).collect::<Vec<_>>();
    assert_eq!(doubts("#pragma omp parallel\nint x;"), ["`#pragma omp` is not modelled"]);
    assert_eq!(rewritten("#pragma pack(1)\nint x;").packs, [(0, 1)]);
    assert_eq!(doubts("#pragma GCC poison x\n#ident \"x\"\n# 1 \"a\"\n#line 3\n#\nint x;"), [""; 0]);
    assert_eq!(refused("int x;\n#include <stdio.h>\n"), [(7, "`#include` in preprocessed text".to_owned())]);
    assert_eq!(refused("%: ifdef X\n"), [(0, "`#ifdef` in preprocessed text".to_owned())]);
}

#[test]
fn single_words() {
    becomes(&[
        ("static __thread int x;", "static _Thread_local int x;"),
        ("__extension__ int x;", "  int x;"),
        ("int *_Nonnull p; __const__ int c;", "int *  p; const int c;"),
        ("__float128 a = 1.5q; __float80 b;", "_Float128 a = 1.5f128; _Float64x b;"),
        ("int a<:3:> = <% 1 %>;", "int a[3] = { 1 };"),
        (r#"char *s = "\e[0m\u00e9";"#, r#"char *s = "\033[0mé";"#),
    ]);
}

#[test]
fn names_with_other_characters() {
    let unit = rewritten(r"int a$b, é = 1, \u00fc; int f(void) { return a$b + é; }");
    let expected = "int a_u24_b, _ue9_ = 1, _ufc_; int f(void) { return a_u24_b + _ue9_; }";
    assert_eq!(unit.text, expected);
    let written = |name: &str| unit.renamed.get(name).map(String::as_str);
    assert_eq!((written("a_u24_b"), written("_ue9_"), written("_ufc_")), (Some("a$b"), Some("é"), Some("ü")));
    becomes(&[("int a$, a_u24_, a_u24__;", "int a_u24___, a_u24_, a_u24__;")]);
}

#[test]
fn attributes() {
    becomes(&[
        ("int f(void) __attribute__ ((__nothrow__ , __leaf__));", "int f(void)  ;"),
        ("int x __attribute((unused));", "int x  ;"),
        ("int x __attribute__( ( aligned ( 8 ) ) );", "int x __attribute__(( aligned ( 8 ) ));"),
        ("[[nodiscard]] int f(void);", "  int f(void);"),
        (
            "struct __attribute__((packed)) s { int x; } v;",
            "struct   s { int x; } __attribute__((packed)) v;",
        ),
        (
            "struct __attribute__ ((packed, aligned (4))) { int x; };",
            "struct   { int x; } __attribute__((packed,aligned(4)));",
        ),
        ("enum __attribute__((packed)) e { A };", "enum   e { A } __attribute__((packed));"),
        ("union __attribute__((packed)) u;", "union   u;"),
        ("void f(void) { __attribute__((fallthrough)); }", "void f(void) {  ; }"),
        (
            "void f(int x) { l: __attribute__((hot)) x = 1; m: __attribute__((odd)) x = 2; }",
            "void f(int x) { l:   x = 1; m:   x = 2; }",
        ),
        (
            "void f(int x) { __attribute__((assume(x))); if (x) __attribute__((musttail)) return; }",
            "void f(int x) {  ; if (x)   return; }",
        ),
    ]);
    stay(&[
        "struct s { int x; } __attribute__((packed)) v;",
        "void f(void) { __attribute__((cleanup(g))) int x; int y __attribute__((aligned(16))) = 1; }",
        "_Noreturn void f(void) __attribute__((noreturn));",
    ]);
    assert_eq!(refused("[[gnu::packed]] int x;"), [(0, "this attribute is not supported".to_owned())]);
    becomes(&[
        ("[[noreturn]] void f(void);", " _Noreturn  void f(void);"),
        ("[[gnu::unused, deprecated]] int x;", "  int x;"),
    ]);
    let doubts =
        rewritten("void f(int x) { __attribute__((assume(x))); __attribute__((fallthrough)); }").doubts;
    assert_eq!(doubts, [(16, "this attribute of a statement is not modelled".to_owned())]);
}

#[test]
fn alignment_in_structures() {
    becomes(&[
        ("struct { _Alignas(16) int x; };", "struct { __attribute__((aligned(16))) int x; };"),
        (
            "struct { _Alignas(double) char x; };",
            "struct { __attribute__((aligned(_Alignof(double)))) char x; };",
        ),
    ]);
    stay(&["_Alignas(16) int x; void f(void) { _Alignas(double) char c; }"]);
}

#[test]
fn wide_integers() {
    becomes(&[
        ("__int128 a;", "__monabs_int128 a;"),
        ("unsigned __int128 a;", "  __monabs_uint128 a;"),
        ("const __int128 unsigned *p;", "const __monabs_uint128   *p;"),
        ("signed __int128 f(unsigned __int128 x);", "  __monabs_int128 f(  __monabs_uint128 x);"),
        ("int x = (int)(unsigned __int128)1;", "int x = (int)(  __monabs_uint128)1;"),
        (
            "typedef unsigned __int128 u; struct { unsigned __int128 a; } s;",
            "typedef   __monabs_uint128 u; struct {   __monabs_uint128 a; } s;",
        ),
    ]);
}

#[test]
fn deduced_types() {
    becomes(&[
        ("void f(int x) { __auto_type y = x; }", "void f(int x) { __monabs_auto y = x; }"),
        (
            "void f(int x) { for (const __auto_type y = x;;); }",
            "void f(int x) { for (const __monabs_auto y = x;;); }",
        ),
    ]);
}

#[test]
fn conditions_as_values() {
    becomes(&[
        ("int f(int x) { return x ?: 1; }", "int f(int x) { return x ? __monabs_elvis : 1; }"),
        ("int x = 1 ? : 2 ?: 3;", "int x = 1 ? __monabs_elvis  : 2 ? __monabs_elvis : 3;"),
        (
            "int f(int x) { switch (x) { case 1 ?: 2: return 0; } }",
            "int f(int x) { switch (x) { case 1 ? __monabs_elvis : 2: return 0; } }",
        ),
    ]);
}

#[test]
fn labels_without_statements() {
    becomes(&[
        ("void f(void) { l: }", "void f(void) { l:; }"),
        ("void f(int x) { switch (x) { case 1: } }", "void f(int x) { switch (x) { case 1:; } }"),
        (
            "void f(int x) { switch (x) { case 1: case 2 ... 3: default: } }",
            "void f(int x) { switch (x) { case 1: case 2 ... 3: default:; } }",
        ),
        ("void f(void) { l: int x; }", "void f(void) { l:; int x; }"),
        ("void f(void) { l: m: const int x = 1; }", "void f(void) { l: m:; const int x = 1; }"),
        (
            "typedef int T; void f(void) { l: T x; T: T *y; }",
            "typedef int T; void f(void) { l:; T x; T:; T *y; }",
        ),
        (
            "void f(int x) { switch (x) case 1: _Static_assert(1, \"\"); }",
            "void f(int x) { switch (x) case 1:; _Static_assert(1, \"\"); }",
        ),
        (
            "void f(int x) { switch (x) { case 1 ? 2 : 3: struct s { int a; } v; } }",
            "void f(int x) { switch (x) { case 1 ? 2 : 3:; struct s { int a; } v; } }",
        ),
    ]);
    stay(&[
        "typedef int T; void f(void) { int T; l: T = 1; m: T * T; }",
        "void f(int x) { __CPROVER_ASYNC_1: f(x); error: ; }",
        "struct s { int l : 3; }; struct s v = { l: 1 };",
        "int f(int x) { return x ? x : 1; }",
    ]);
}

#[test]
fn implicit_int() {
    becomes(&[
        ("static x; extern y[3], z;", "static int x; extern int y[3], z;"),
        ("main() { return 0; }", "int main() { return 0; }"),
        ("main(argc, argv) char **argv; { }", "int main(argc, argv) char **argv; { }"),
        ("x = 1; f(); *g(void) { return 0; }", "int x = 1; int f(); int *g(void) { return 0; }"),
        (
            "void f(register i, const j) { const n = 1; static s; auto a = 2; }",
            "void f(register int i, const int j) { const int n = 1; static int s; auto int a = 2; }",
        ),
        ("int f(int x) { return *(const *)&x; }", "int f(int x) { return *(const  int *)&x; }"),
        ("typedef t; t x;", "typedef int t; t x;"),
    ]);
    stay(&["typedef int T; static T; extern T x; T f(T), g(const T); unsigned u; foo_t y;"]);
}

#[test]
fn labels_of_blocks() {
    let text = "void f(void) { out: { __label__ out, in; goto out; in: out: ; } goto out; }";
    let unit = rewritten(text);
    let expected = "void f(void) { out: {   goto out__monabs_0; in__monabs_1: out__monabs_0: ; } goto out; }";
    assert_eq!(unit.text, expected);
    assert_eq!(unit.renamed.get("out__monabs_0").map(String::as_str), Some("out"));
    becomes(&[("int x = ({ __label__ l; l: 1; });", "int x = ({   l__monabs_0: 1; });")]);
}

#[test]
fn compound_literals() {
    becomes(&[
        ("struct s { int x; } v = (struct s){};", "struct s { int x; } v = (struct s){0};"),
        (
            "typedef int T; void f(T *p) { p = (T[]){}; g((T){}); return; }",
            "typedef int T; void f(T *p) { p = (T[]){0}; g((T){0}); return; }",
        ),
        ("int x = sizeof (int[]){1, 2};", "int x = sizeof ((int[]){1, 2});"),
    ]);
    stay(&["void f(int x) { if (x) {} while (x) {} for (;;) {} switch (x) {} } int a[] = {};"]);
}

#[test]
fn static_assertions() {
    becomes(&[
        ("_Static_assert(sizeof(int) == 4);", "_Static_assert(sizeof(int) == 4, \"\");"),
        ("struct { int x; _Static_assert(1); };", "struct { int x; _Static_assert(1, \"\"); };"),
        ("void f(void) { _Static_assert(1); }", "void f(void) { _Static_assert(1, \"\"); }"),
    ]);
}

#[test]
fn operands_of_operators() {
    becomes(&[
        ("int x = __alignof__(x);", "int x = __alignof__(__typeof__((x)));"),
        ("int x = _Alignof x;", "int x = _Alignof (__typeof__(x));"),
        ("int x = __alignof__ a.b[1]->c;", "int x = __alignof__ (__typeof__(a.b[1]->c));"),
        ("double x = __real__ z + __imag__(z);", "double x = __monabs_real (z) + __monabs_imaginary((z));"),
    ]);
    stay(&["int x = _Alignof(int) + __alignof__(struct s);"]);
}

#[test]
fn types_where_expressions_are_tried_first() {
    becomes(&[
        (
            "typedef int T; typeof(T *) p; __typeof__(T[3]) a;",
            "typedef int T; typeof(__attribute__(()) T *) p; __typeof__(__attribute__(()) T[3]) a;",
        ),
        (
            "typedef int T; void f(void) { for (T *p;;); }",
            "typedef int T; void f(void) { for (__attribute__(()) T *p;;); }",
        ),
    ]);
    stay(&["typedef int T; typeof(int *) p; void f(void) { int T; typeof(T) x; for (T = 1;;); }"]);
}

#[test]
fn compared_types() {
    becomes(&[(
        "int x = __builtin_types_compatible_p(int *, typeof(y));",
        "int x = __builtin_types_compatible_p(sizeof(int *),sizeof( typeof(y)));",
    )]);
}

#[test]
fn assembler() {
    becomes(&[
        (
            "void f(void) { asm volatile inline (\"\" ::: \"memory\"); }",
            "void f(void) { __asm__ volatile   (\"\" ::: \"memory\"); }",
        ),
        (
            "void f(void) { asm goto (\"\" : : : \"cc\" : l, m); l: m: ; }",
            "void f(void) { __asm__   (\"\" : : : \"cc\" , \"goto l\", \"goto m\"); l: m: ; }",
        ),
        ("asm(\".text\"); int x asm(\"y\");", "  int x __asm__(\"y\");"),
    ]);
    let doubts = rewritten("int x; __asm__(\"nop\");").doubts;
    assert_eq!(doubts, [(7, "assembler code outside of functions is not modelled".to_owned())]);
}

#[test]
fn stray_semicolons() {
    becomes(&[("; int x;; struct { ; int y;; };", "  int x;  struct {   int y;  };")]);
}

#[test]
fn parameters_that_hide_types() {
    let unit = rewritten("typedef int T; int f(int T) { return (T) + 1; } int g(T x) { return (T) + 1; }");
    assert_eq!(
        unit.text,
        "typedef int T; int f(int T) { __monabs_shadow T; return (T) + 1; } int g(T x) { return (T) + 1; }"
    );
    assert!(unit.shadows && !rewritten("int f(int x) { return x; }").shadows);
    stay(&["typedef int T; void f(void) { int T; g((T) + 1); }", "typedef int T; T f(T), g(T T);"]);
}

#[test]
fn addresses_of_labels() {
    let becomes = |text: &str, expected: &str| {
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(words(&rewritten(text).text), words(expected), "{text}");
    };
    becomes("void f(void *p) { goto *p; }", "void f(void *p) { __monabs_goto (p); }");
    becomes(
        "void f(void) { g((void *)&&l); l: ; }",
        "void f(void) { g((void *) __monabs_label(\"l\")); l: ; }",
    );
}

#[test]
fn long_chains_are_cut() {
    let text = format!("void f(void) {{ if (a) ; {} else ; b(); }}", "else if (c) { d(); } ".repeat(250));
    let cut = rewritten(&text).text;
    assert_eq!(cut.matches("goto __monabs_else_").count(), 2);
    assert_eq!(cut.matches("goto __monabs_end_").count(), 2);
    assert!(cut.contains(":;} b();"), "{}", &cut[cut.len() - 60..]);
    stay(&["void f(void) { if (a) b(); else if (c) d(); else e(); }"]);
}

#[test]
fn what_is_refused() {
    let only = |text: &str| {
        let errors = refused(text);
        assert_eq!(errors.len(), 1, "{errors:?}");
        errors[0].clone()
    };
    let is = |text: &str, place: &str, message: &str| {
        assert_eq!(only(text), (text.find(place).unwrap(), message.to_owned()), "{text}");
    };
    is(
        "void f(void) { int g(int x) { return x; } }",
        "{ return",
        "functions inside functions are not supported",
    );
    is("void f(void) { int x = 1; ", "{", "this `{` is never closed");
    let two = "void f(void) { int g(int x) { return x; } int h(int x) { return x; } }";
    assert_eq!(refused(two).len(), 2);
    stay(&["int f(int a, int b) { return a && b || (a) && b; }"]);
}

#[test]
fn no_text_is_too_strange() {
    let pieces = [
        "typedef",
        "int",
        "x",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        ";",
        ",",
        ":",
        "?",
        "case",
        "goto",
        "*",
        "&&",
        "struct",
        "__attribute__",
        "((",
        "))",
        "_Alignas",
        "__int128",
        "typeof",
        "_Generic",
        "asm",
        "for",
        "do",
        "=",
        "__label__",
        "_Static_assert",
        "__builtin_types_compatible_p",
        "sizeof",
        "enum",
        "__alignof__",
        "__real__",
        "1",
        "\"s\"",
    ];
    let mut state = 1_u64;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..12 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push_str(pieces[(state >> 33) as usize % pieces.len()]);
            text.push(' ');
        }
        if let Ok(unit) = rewrite(&text, &lex(&text)) {
            for offset in 0..=unit.text.len() {
                assert!(unit.offsets.to_original(offset) <= text.len());
            }
        }
    }
}
