//! Tests of the way from text to a syntax tree.

use super::*;
use crate::tokens::ELVIS;
use lang_c::ast::*;

fn unit(text: &str) -> Unit {
    parse_text("t.i", text, "").unwrap_or_else(|errors| panic!("{text}\n{errors}"))
}

/// The tree of a text as text, without spans.
fn tree(text: &str) -> String {
    let unit = unit(text);
    let mut printed = String::new();
    for external in unit.ast.0.iter().filter(|external| !unit.map.is_prelude(external.span.start)) {
        let mut printer = lang_c::print::Printer::new(&mut printed);
        lang_c::visit::Visit::visit_external_declaration(&mut printer, &external.node, &external.span);
    }
    printed
}

fn message(text: &str) -> String {
    let errors = parse_text("t.i", text, "").err().unwrap_or_else(|| panic!("{text} is fine"));
    errors.to_string()
}

/// C that has to be understood; each is a file of its own.
const SNIPPETS: &[&str] = &[
    // Declarations.
    "int *(*(*f)(int (*)(void), char *[]))[3];",
    "void (*signal(int s, void (*h)(int)))(int);",
    "typedef int T, *P, A[2], F(int); F f; P p; A a; T g(T t) { return t; }",
    "int typedef T; T long_after; unsigned long int typedef U; U u;",
    "extern int a[], f(), (g)(void), (*h)(const char *restrict, ...);",
    "static inline __inline __inline__ _Noreturn void f(void);",
    "_Thread_local int a; static __thread int b; extern __thread int c; __thread struct { int x; } d;",
    "_Atomic int a; _Atomic(int) b; int *_Atomic c; _Atomic(struct s *) d; int _Atomic e; volatile _Atomic unsigned long f;",
    "_Alignas(16) char a; _Alignas(long) char b; struct { _Alignas(8) int x; _Alignas(double) char c; } s;",
    "__int128 a; unsigned __int128 b; __int128_t c; __uint128_t d; static const unsigned __int128 e = (unsigned __int128)1 << 64;",
    "__float128 a; _Float128 b; _Float64x c; _Float32 d; long double e; double _Complex z; __complex__ float w;",
    "static x; main() { return x; } f(a, b) char *b; { return a + *b; } const k = 3;",
    "int f(register i) { static c; auto a = 1; return i + a + c; }",
    "struct empty {}; struct flexible { int n; int a[]; }; struct zero { int a[0]; }; union {};",
    "struct s { int a : 3, : 0, b : 2; unsigned : 4; struct { int c; }; union { int d; float e; } u; };",
    "struct __attribute__((packed)) p { char c; int x; }; struct q { char c; } __attribute__((aligned(8))) q;",
    "enum { A, B = 3, C __attribute__((unused)) = B + 1, }; enum e; enum e { D } v = D; enum __attribute__((packed)) f { E };",
    "int x __attribute__((section(\".data\"))) = 1, y __asm__(\"z\") __attribute__((unused)); int __attribute__((noinline)) f(void);",
    "void f(int a __attribute__((unused)), int (*g)(int) __attribute__((nonnull)), const int *restrict p, int q[static 3]);",
    "int (__attribute__((noinline)) f)(void); int *__attribute__((aligned(8))) p; int (*(__attribute__((cdecl)) *q))(void);",
    "_Static_assert(1, \"x\"); _Static_assert(1); struct { _Static_assert(sizeof(int) == 4); int a; } s; void f(void) { _Static_assert(1, \"\" \"y\"); }",
    "typedef int T; struct s { T T; }; void f(T T, int x) { struct s s = { .T = T }; s.T = (T) - 1; x = (T) * 2; T *= x; }",
    "typedef int T; void f(void) { T T = 1; { typedef char T; T c = 2; } T = 3; for (int T = 0; T < 3; T++) ; }",
    "typedef int T; typedef T T; typedef struct s S; typedef struct s S; struct s { S *next; };",
    "__extension__ typedef struct { long long q; } L; __extension__ union { int a; __extension__ struct { int b; }; } u;",
    "void f(__builtin_va_list ap, ...) { int x = __builtin_va_arg(ap, int); typedef struct t { int a[3]; } t; x = __builtin_offsetof(struct t, a[1]); x = __builtin_offsetof(t, a); }",
    "[[noreturn]] void f(void); [[maybe_unused]] static int x;",
    "int a<:2:> = <% 1, 2 %>;",
    // Statements.
    "void f(int x) { switch (x) { case 1: case 2 ... 5: { } default: } l: }",
    "void f(int x) { l: int y = x; m: struct s { int a; } z; n: _Static_assert(1, \"\"); o: typedef int T; p: T t; }",
    "void f(int x) { switch (x) { case 1: int y; y = 1; break; case 2:; const int z = 2; } }",
    "void f(int x) { switch (x) { case 0: x++; __attribute__((fallthrough)); case 1: [[fallthrough]]; default: break; } }",
    "void f(int x) { l: __attribute__((unused)); if (x) a: b: c: goto l; else if (x) ; else { } for (;;) while (1) do ; while (0); }",
    "void f(int x) { { __label__ l; l: if (x) goto l; } { __label__ l, m; goto m; l: m: ; } l: ; }",
    "void f(int x) { asm(\"nop\"); __asm__ volatile (\"\" ::: \"memory\"); asm volatile(\"a %0\" : \"=r\"(x) : [y] \"r\" (x), \"0\"(x ?: 1) : \"cc\"); asm inline (\"\"); }",
    "asm(\".globl x\"); ; int x; __asm__(\"nop\");",
    "int f(int x) { __CPROVER_ASYNC_1: f(x); return ({ int y = x; y > 0 ? y : ({ -y; }); }); }",
    "void f(void) { int i, n = 3; int v[n], w[n][n + 1]; for (struct { int a; } s = { 0 }; s.a < n; s.a++) v[s.a] = 0; }",
    // Expressions.
    "int f(int x, int *p) { return x ?: p ? *p ?: 1 : ({ x; }) ?: 2; }",
    "typedef struct { int a, b; } T; T f(void) { T t = {}; t = (T){}; t = (T){ .b = 1 }; return (T){ 1, 2 }; }",
    "int x = sizeof (int[]){1, 2, 3}, y = sizeof (struct { int a; }){1}.a, z = sizeof(int) * 2, w = sizeof z;",
    "int a[] = { [0] = 1, [2 ... 4] = 5, [7] 8 }; struct s { int x, y; } s = { x: 1, y: 2 }, t[] = { [1].x = 3, { .y = 4 } };",
    "int f(double d) { __auto_type x = d; const __auto_type y = ({ __auto_type z = x; z; }); return _Generic(y, int: 1, const char *: 2, default: _Generic(1, int: 3)); }",
    "int x, y = __alignof__(x), z = _Alignof(int) + __alignof__(struct { int a; }) + __alignof x;",
    "typedef int T; typeof(T *) p; __typeof__(T[3]) a; typeof(1 + 2) b; __typeof(p) q; typeof(int (*)(T)) f;",
    "int x = __builtin_types_compatible_p(int *, const long) + __builtin_choose_expr(1, 2, 3) + __builtin_constant_p(x);",
    "double f(double _Complex z) { __real__ z = 1.0; return __imag__ z + 1.0i + 0x1.8p3 + 1e5f + 1.5q + .5L; }",
    "int x = 'a' + '\\'' + '\\x41' + '\\0' + L'b' + 'ab' + '\\e'; char *s = \"a\" u8\"b\" \"\\e[0m\\u00e9\\/\"; int *w = L\"\\u00e9\";",
    "int f(int a, int b) { a = b = -a - -b - ~!a; a <<= b >>= 1; return a+++b, a---b, a & (b && a) | b ^ a || a<b == (a>b), (a)-b, (a)*b; }",
    "int x = 0b101 + 0x1FULL + 017 + 1lu + 1LLU + 0 + 08.5;",
    "int a$b, été = 1; int f(void) { return a$b + été; }",
    "#pragma once\n# 3 \"x.c\" 1 3 4\nint x; /* a */ int y; // b\n\n  #pragma GCC diagnostic push\nint z;\x0c",
    "void f(void) { const char *n = __func__; n = __FUNCTION__; n = __PRETTY_FUNCTION__; __builtin_unreachable(); __sync_synchronize(); }",
    "typedef int T; int f(int x) { return (T)(x) + (T)-x + (T){ 1 } + sizeof(T) + (x)(1) + (T)*(&x) + (T)&x; }",
    "",
];

#[test]
fn snippets() {
    for snippet in SNIPPETS {
        unit(snippet);
    }
    assert!(SNIPPETS.len() > 50);
}

#[test]
fn all_snippets_in_one_unit_in_any_order() {
    // Their names collide, which the parser does not mind.
    let apart: Vec<String> =
        SNIPPETS.iter().filter(|text| !text.contains("typedef")).map(|text| format!("\n{text}\n")).collect();
    unit(&apart.concat());
    unit(&apart.iter().rev().cloned().collect::<String>());
}

#[test]
fn casts_and_types_are_told_from_expressions() {
    let shadowed = tree("typedef int T; int f(int T) { return (T) - 1; }");
    assert!(!shadowed.contains("Cast") && shadowed.contains("BinaryOperator Minus"), "{shadowed}");
    assert!(!shadowed.contains("__monabs"), "{shadowed}");
    assert!(tree("typedef int T; int f(int x) { return (T) - 1; }").contains("Cast"));
    let local = tree("typedef int T; int f(void) { int T = 2; return (T) - 1; }");
    assert!(!local.contains("Cast"), "{local}");
    for text in
        ["typedef int T; typeof(T) x;", "typedef int T; typeof(T[2]) x;", "typedef int T; typeof(T *) x;"]
    {
        let tree = tree(text);
        assert!(tree.contains("TypeName") && !tree.contains("BinaryOperator"), "{tree}");
    }
    assert!(tree("typedef int T; void f(void) { for (T *p; ; ) ; }").contains("Declaration"));
}

#[test]
fn elvis_is_a_conditional_with_a_marker() {
    let unit = unit("int x = 1 ?: 2;");
    let Some(ExternalDeclaration::Declaration(declaration)) = unit.ast.0.last().map(|last| &last.node) else {
        panic!()
    };
    let Some(Initializer::Expression(value)) =
        declaration.node.declarators[0].node.initializer.as_ref().map(|i| &i.node)
    else {
        panic!()
    };
    let Expression::Conditional(conditional) = &value.node else { panic!() };
    let Expression::Identifier(marker) = &conditional.node.then_expression.node else { panic!() };
    assert_eq!(marker.node.name, ELVIS);
    assert_eq!(unit.written(value.span), "1 ?: 2");
    assert_eq!(unit.position(marker.span).column, 12);
}

#[test]
fn places_are_those_of_the_users_text() {
    let text = "# 7 \"a.c\"\nstatic __thread $x, y;\nint f(void) { l: }\nint z;\n";
    let unit = unit(text);
    let last = unit.ast.0.last().unwrap();
    let position = unit.position(last.span);
    assert_eq!((unit.map.file_name(position.file), position.line, position.column), ("a.c", 9, 1));
    let first = &unit.ast.0[unit.ast.0.len() - 3];
    let ExternalDeclaration::Declaration(declaration) = &first.node else { panic!() };
    let columns: Vec<u32> =
        declaration.node.declarators.iter().map(|d| unit.position(d.span).column).collect();
    assert_eq!(columns, [17, 21]);
    assert_eq!(unit.written(first.span), "static __thread $x, y;");
    assert_eq!((unit.name("_u24_x"), unit.name("y")), ("$x", "y"));
    assert_eq!(unit.position(Span::none()), Position::NONE);
    assert!(unit.error(last.span, "m").to_string().starts_with("a.c:9:1: error: m"));
}

#[test]
fn without_markers_lines_are_those_of_the_text() {
    let unit = unit("int x;\nint y;\n");
    let position = unit.position(unit.ast.0.last().unwrap().span);
    assert_eq!((unit.map.file_name(position.file), position.line), ("t.i", 2));
    let odd = parse_text("a \"b\\c\n.i", "int x", "").err().unwrap().to_string();
    assert!(odd.starts_with("a \"b\\c?.i:1:6: error: "), "{odd}");
}

#[test]
fn models_come_first_and_may_be_defined_again() {
    let prelude = "# 1 \"<models/pthread.c>\"\ntypedef struct { int locked; } pthread_mutex_t; /* ours */\ntypedef int pthread_t;\nvoid lock(pthread_mutex_t *m) { m->locked = 1; }\n";
    let text = "typedef union { char c[40]; long align; } pthread_mutex_t;\ntypedef unsigned long int pthread_t;\npthread_mutex_t m = { { 0 } }; pthread_t t;\n";
    let unit = parse_text("u.i", text, prelude).unwrap();
    let user: Vec<_> = unit.ast.0.iter().filter(|e| !unit.map.is_prelude(e.span.start)).collect();
    assert_eq!(user.len(), 4);
    let place = |span: Span| unit.error(span, "").position.to_string();
    assert_eq!(place(user[3].span), "u.i:3:32");
    let lock = unit.ast.0.iter().rfind(|e| unit.map.is_prelude(e.span.start)).unwrap();
    assert_eq!(place(lock.span), "<models/pthread.c>:3:1");
    let error = parse_text("u.i", "int x;", "# 1 \"<models/a.c>\"\n\nint y\n").err().unwrap().to_string();
    assert!(error.starts_with("<models/a.c>:2:6: error: expected `;`"), "{error}");
}

#[test]
fn syntax_errors() {
    let cases = [
        ("int x = 1\nint y;", "t.i:1:10: error: expected `;` before `int`\n    int x = 1\n             ^"),
        ("int y\nint x;", "t.i:1:6: error: expected `;` before `int`"),
        ("int f(void)\nint x;", "t.i:1:12: error: expected `;` before `int`"),
        ("int f(void) { return 1 }", "t.i:1:23: error: expected `;` before `}`"),
        ("int f(void) { g(1) h(2); }", "t.i:1:19: error: expected `;` before `h`"),
        ("int x = 1 + ;", "t.i:1:13: error: expected an expression before `;`"),
        ("int f(void) { g(1; }", "t.i:1:16: error: this `(` is never closed"),
        ("int f(void) { g(1 2); }", "t.i:1:18: error: expected `)` before `2`"),
        ("int a[3 = {};", "t.i:1:6: error: this `[` is never closed"),
        ("int f(void) { x = a[1 2]; }", "t.i:1:22: error: expected `]` before `2`"),
        ("foo_t x;", "t.i:1:1: error: `foo_t` is not the name of a type"),
        ("int y; foo_t *f(int x) { return 0; }", "t.i:1:8: error: `foo_t` is not the name of a type"),
        ("static foo_t x;", "t.i:1:8: error: `foo_t` is not the name of a type"),
        ("struct s { foo_t x; };", "t.i:1:12: error: `foo_t` is not the name of a type"),
        ("int f(foo_t *x);", "t.i:1:7: error: `foo_t` is not the name of a type"),
        ("int f(int y, foo_t x);", "t.i:1:14: error: `foo_t` is not the name of a type"),
        ("void f(void) { foo_t x; }", "t.i:1:16: error: `foo_t` is not the name of a type"),
        ("void f(void *p) { g((foo_t *)p); }", "t.i:1:22: error: `foo_t` is not the name of a type"),
        ("void f(void *p) { g((foo_t)p); }", "t.i:1:22: error: `foo_t` is not the name of a type"),
        ("void f(void) { else ; }", "t.i:1:16: error: `else` cannot stand here"),
        ("void f(int x) { if x) { } }", "t.i:1:21: error: expected `}` before `)`"),
        ("void f(int x) { if x { } }", "t.i:1:20: error: expected `(` before `x`"),
        ("int x = 1;\nint", "t.i:2:4: error: "),
        ("int x = 1", "t.i:1:10: error: expected `;` before the end of the file"),
        ("int x = @;", "t.i:1:9: error: `@` is not a character of C"),
        ("extern \"C\" int x;", "t.i:1:8: error: "),
        ("struct s { int x }", "t.i:1:17: error: expected `;` before `}`"),
        ("struct s { int x; } int y;", "t.i:1:21: error: `int` cannot stand here"),
        ("int x = 09;", "t.i:1:9: error: `09` is not a number"),
        ("int x = 5z;", "t.i:1:9: error: `5z` is not a number"),
        ("int f(int x) { return else; }", "t.i:1:23: error: `else` cannot stand here"),
        ("int f(void) { return; } }", "t.i:1:25: error: `}` closes nothing"),
    ];
    for (text, expected) in cases {
        let message = message(text);
        assert!(message.starts_with(expected), "{text}\n{message}");
    }
}

#[test]
fn hints() {
    assert!(message("foo_t x;").ends_with("hint: a header may be missing, or a typedef further up"));
    assert!(message("extern \"C\" int x;").contains("looks like C++"));
}

#[test]
fn doubts_about_system_headers_are_not_told() {
    let text =
        "# 1 \"/usr/include/x.h\" 1 3\n#pragma weak f\n# 1 \"a.c\" 2\nint y;\n#pragma weak g\nint x;\n";
    let unit = unit(text);
    let doubts: Vec<_> = unit.doubts().map(|(offset, _)| unit.map.position(offset).line).collect();
    assert_eq!(doubts, [2]);
}

#[test]
fn packs_hold_from_their_line_on() {
    let text = "struct a { int x; };\n#pragma pack(push, 2)\nstruct b { int x; };\n#pragma pack(pop)\nstruct c { int x; };";
    let unit = unit(text);
    let pack = |name: &str| unit.pack_at(unit.text.find(name).unwrap());
    assert_eq!((pack("a {"), pack("b {"), pack("c {")), (None, Some(2), None));
}

/// Trees as deep as they may be, and one level deeper.
#[test]
fn depth_is_bounded() {
    let deep = [
        ("int x = ", "(", "1", ")", ";"),
        ("int x = 1", " + 1", ";", "", ""),
        ("int x = ", "- ", "1;", "", ""),
        ("int f(int x) { return ", "x = ", "1; }", "", ""),
        ("int f(int x) { return ", "x ? x : ", "1; }", "", ""),
        ("int f(int x) { return x", "(1)", "; }", "", ""),
        ("int x = ", "({ ", "1", "; })", ";"),
        ("void f(int x) { ", "{ ", "", "} ", "}"),
        ("void f(int x) { ", "if (x) ", ";", "", "}"),
        ("void f(int x) { switch (x) { ", "case 1: ", "", "", "} }"),
        ("void f(int x) { ", "do ", ";", " while (x);", "}"),
        ("", "struct { ", "int x; ", "} s; ", ""),
        ("int a = ", "{ ", "1", " }", ";"),
        ("int ", "(*", "x", ")(void)", ";"),
        ("int x = ", "(int)", "1;", "", ""),
        ("int x = ", "sizeof(", "int", ")", ";"),
    ];
    for (before, open, middle, close, after) in deep {
        let text =
            |levels: usize| format!("{before}{}{middle}{}{after}", open.repeat(levels), close.repeat(levels));
        let is_taken = |levels: usize| {
            let text = text(levels);
            tokens::rewrite(&text, &lexer::lex(&text)).is_ok()
        };
        let deepest = (0..=13).rev().fold(0, |levels, bit| {
            let more = levels | 1 << bit;
            if is_taken(more) { more } else { levels }
        });
        assert!((500..10_000).contains(&deepest), "{open}: {deepest}");
        drop(unit(&text(deepest)));
        let refused = message(&text(deepest + 1));
        assert!(refused.contains("nested more than"), "{open}: {refused}");
    }
}

#[test]
fn the_large_stack_gives_results_and_panics_back() {
    assert_eq!(on_large_stack(|| 1 + 1), 2);
    let caught = std::panic::catch_unwind(|| on_large_stack(|| -> () { panic!("through") }));
    assert_eq!(caught.unwrap_err().downcast_ref::<&str>(), Some(&"through"));
}

#[test]
fn random_text_is_no_danger() {
    let pieces: Vec<&str> = SNIPPETS.iter().flat_map(|snippet| snippet.split_inclusive(' ')).collect();
    let mut state = 7_u64;
    for _ in 0..300 {
        let mut text = String::new();
        for _ in 0..15 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push_str(pieces[(state >> 33) as usize % pieces.len()]);
        }
        match parse_text("t.i", &text, "") {
            Ok(unit) => assert!(unit.ast.0.iter().all(|external| unit.position(external.span).line > 0)),
            Err(errors) => assert!(errors.iter().all(|error| error.position.line > 0), "{text}\n{errors}"),
        }
    }
}
