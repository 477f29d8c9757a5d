//! Types of expressions against those of the compiler.

use crate::lower::testing::{is_refused, outcome};
use crate::program::PropertyKind::{Assertion, Limit};
use std::process::Command;

const DECLARATIONS: &str = "struct s { unsigned u : 3; int i : 5; _Bool f : 1; int m[3]; char c; struct { long in; }; }; \
    enum e { A, B = 5 }; enum n { N = -1 }; union u { int i; char c; }; typedef unsigned short T; \
    int fi(int); char fc(void); struct s fs(void); void *fv(void); unsigned char (*fp)(int); \
    extern struct s v, *pv; extern union u uu; extern char c, *pc, ac[7]; extern signed char sc; extern unsigned char uc; extern short h; extern T us; extern int i, *pi, ai[4], aa[2][3]; \
    extern unsigned u; extern long l; extern unsigned long ul; extern long long ll; extern unsigned long long ull; extern _Bool b; extern void *pw; extern float f; extern double d; extern enum e ee; extern enum n en; extern _Atomic int at;";

const ATOMS: &[&str] = &[
    "v.u",
    "v.i",
    "v.f",
    "v.c",
    "v.in",
    "pv->m[1]",
    "c",
    "sc",
    "uc",
    "h",
    "us",
    "i",
    "u",
    "l",
    "ul",
    "ll",
    "ull",
    "b",
    "ee",
    "en",
    "at",
    "A",
    "1",
    "2u",
    "3L",
    "4ul",
    "0x80000000",
    "2147483648",
    "'a'",
    "uu.c",
    "*pi",
    "ai[2]",
    "aa[1][2]",
    "fi(1)",
    "fc()",
    "fp(2)",
    "fs().m[0]",
    "sizeof(int)",
    "*pc",
    "pi[1]",
    "(char)1",
    "(T)2",
    "(_Bool)3",
    "i++",
    "--h",
    "v.u++",
    "(c = 1)",
    "(us += 1)",
    "pi - ai",
    "!l",
];
const OPERATORS: &[&str] = &["+", "-", "*", "<<", ">>", "&", "|", "==", "<", "&&", "/", "%", ","];

/// Expressions whose types may surprise.
fn expressions() -> Vec<String> {
    let mut all: Vec<String> = ATOMS.iter().map(|a| format!("+({a})")).collect();
    let mut seed = 1usize;
    for (index, left) in ATOMS.iter().enumerate() {
        for step in 0..8 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let right = ATOMS[(seed >> 33) % ATOMS.len()];
            let operator = OPERATORS[(index + step) % OPERATORS.len()];
            all.push(format!("+(({left}) {operator} ({right}))"));
            all.push(format!("(({left}) ? ({right}) : ({left}))"));
        }
    }
    let more = [
        "~c",
        "-us",
        "f + 1",
        "d * f",
        "f + 1L",
        "i ? pi : 0",
        "i ? pw : pi",
        "i ? 0 : pc",
        "i ? (void *)0 : pi",
        "&i",
        "&ai",
        "&aa[1]",
        "aa",
        "aa[1]",
        "*aa",
        "pc + 1",
        "1 + pi",
        "pv",
        "&v.m",
        "v.m",
        "\"abc\"",
        "(i, ac)",
        "&\"abc\"",
        "fi",
        "&fi",
        "*fp",
        "fv()",
        "L\"x\"",
        "u\"x\"",
        "pw",
        "(long *)pw",
        "({ short q = 1; q; })",
        "({ __typeof__(c) q[3]; q; })",
        "({ struct s q; q.m; })",
        "i ?: l",
        "pc ?: 0",
        "_Generic(1, int: 2L)",
        "(int[]){ 1, 2 }",
        "(short){ 1 }",
        "sizeof i",
        "L'a'",
        "u'a'",
        "1.0f",
        "1.0",
        "i = 2",
    ];
    all.extend(more.iter().map(|text| (*text).to_owned()));
    all
}

const NAMES: &[&str] = &[
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "float",
    "double",
    "char *",
    "int *",
    "short *",
    "long *",
    "void *",
    "int (*)[3]",
    "int (*)[4]",
    "char (*)[4]",
    "unsigned short *",
    "int (*)(int)",
    "unsigned char (*)(int)",
    "struct s *",
];

/// The number of the type that the compiler gives each expression.
fn compiled(expressions: &[String]) -> Option<Vec<usize>> {
    let choices: Vec<String> =
        NAMES.iter().enumerate().map(|(n, name)| format!("{name}: {}", n + 1)).collect();
    let mut text = format!(
        "{DECLARATIONS} int printf(const char *, ...); int check(int q) {{ (void)q; return 0; }}\nint main(void) {{\n"
    );
    for expression in expressions {
        text +=
            &format!("printf(\"%d\\n\", _Generic(({expression}), {}, default: 0));\n", choices.join(", "));
    }
    text += "return 0; }";
    let folder = std::env::temp_dir().join(format!("typing-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (source, binary) = (folder.join("t.c"), folder.join("t"));
    std::fs::write(&source, text).unwrap();
    let built =
        Command::new("cc").args(["-std=gnu11", "-w", "-o"]).arg(&binary).arg(&source).output().ok()?;
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let run = Command::new(&binary).output().unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let numbers = String::from_utf8(run.stdout).unwrap();
    Some(numbers.lines().map(|line| line.parse().unwrap()).collect())
}

#[test]
fn types_are_those_of_the_compiler() {
    let expressions = expressions();
    let Some(numbers) = compiled(&expressions) else { return };
    let mut checks = String::new();
    for (expression, number) in expressions.iter().zip(numbers) {
        assert_ne!(number, 0, "{expression} has a type that is not in the list");
        let name = NAMES[number - 1];
        // Without a default, a wrong type is an error.
        checks += &format!("_Static_assert(_Generic(({expression}), {name}: 1), \"\");\n");
    }
    let text = format!("{DECLARATIONS} int main(void) {{ {checks} return 0; }}");
    if !is_refused(&text) {
        return;
    }
    for check in checks.lines() {
        let text = format!("{DECLARATIONS} int main(void) {{ {check} return 0; }}");
        assert!(!is_refused(&text), "{check}");
    }
}

#[test]
fn qualifiers_may_decide() {
    let choose = |selection: &str| {
        let text = format!(
            "extern void __VERIFIER_assert(int); const int *p; int *q; int main(void) {{ __VERIFIER_assert({selection}); return 0; }}"
        );
        let outcome = outcome(&text);
        (outcome.has(Limit), outcome.has(Assertion))
    };
    assert_eq!(choose("_Generic(p, int *: 1, default: 2) == 2"), (true, false));
    assert_eq!(choose("_Generic(p, int *: 1, const int *: 2) == 2"), (true, false));
    assert_eq!(choose("_Generic(q, long *: 1, default: 2) == 2"), (false, false));
    assert_eq!(choose("_Generic(q, int *: 1) == 1"), (false, false));
}

#[test]
fn asking_for_a_type_evaluates_nothing() {
    let text = "extern void __VERIFIER_assert(int); int g; int f(void) { return ++g; } int main(void) { int i = 0; \
        (void)sizeof(i++); (void)sizeof(f()); __typeof__(({ i = 5; f(); })) x = 0; (void)_Generic(i++, int: 0); \
        __VERIFIER_assert(i == 0 && g == 0 && x == 0); return 0; }";
    assert!(!outcome(text).has(Assertion));
}
