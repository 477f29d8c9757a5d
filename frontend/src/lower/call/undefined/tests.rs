//! What becomes of calls that nobody defines, on the reduced program: limits, doubts, assumptions.

use crate::lower::{Options, Undefined};
use crate::program::{Effect, Program, PropertyKind};
use crate::reduce::{self, reduce};
use crate::translate::translate_text;

fn program(text: &str, undefined: Undefined) -> Program {
    let text = format!("void reach_error(void); int nondet_int(void); {text}");
    let options = Options { undefined, ..Options::default() };
    let program = translate_text("x.c", &text, &options, &[]).unwrap().program;
    reduce(program, &reduce::Options::default()).0
}

/// The limits that are left, as one text.
fn limits(text: &str, undefined: Undefined) -> String {
    let program = program(text, undefined);
    let limits = program.properties.iter().filter(|property| property.kind == PropertyKind::Limit);
    limits.map(|property| property.description.as_str()).collect::<Vec<_>>().join("; ")
}

fn is_doubted(text: &str, undefined: Undefined) -> bool {
    program(text, undefined).edges.iter().any(|edge| edge.approximate.is_some())
}

#[test]
fn values_of_undefined_functions_are_doubted_and_those_of_inputs_are_not() {
    let main = |call: &str| {
        format!("int f(int); int rand(void); int main(void) {{ if ({call} == 7) reach_error(); }}")
    };
    assert!(is_doubted(&main("f(1)"), Undefined::Pure));
    assert!(!is_doubted(&main("nondet_int()"), Undefined::Pure));
    assert!(!is_doubted(&main("rand()"), Undefined::Pure));
}

#[test]
fn functions_that_are_given_to_undefined_ones_are_limits() {
    let main = |call: &str| {
        format!(
            "int g(void (*)(void)); int h(void *); void called(void) {{ reach_error(); }}
             struct operations {{ int n; void (*open)(void); }}; struct operations table = {{ 1, called }}, empty;
             int main(void) {{ {call}; }}"
        )
    };
    for call in ["g(called)", "g(&called)", "h(called)", "h(&table)", "h((char *)&table + 8)"] {
        assert!(limits(&main(call), Undefined::Pure).contains("is given a function"), "{call}");
    }
    for call in ["g(0)", "h(0)", "h(&empty)"] {
        assert_eq!(limits(&main(call), Undefined::Pure), "", "{call}");
    }
    assert_eq!(limits(&main("g(called)"), Undefined::All), "");
    assert!(program(&main("g(called)"), Undefined::All).pool.is_some(), "it runs in threads");
}

#[test]
fn what_may_change_is_a_choice() {
    let text = "void f(int *); int a[3], b; int main(void) { f(a); if (a[2]) reach_error(); }";
    assert!(!is_doubted(text, Undefined::Pure));
    assert!(is_doubted(text, Undefined::Arguments));
    assert!(is_doubted(text, Undefined::All));
    assert!(limits(text, Undefined::Refuse).contains("'f' is not defined"));
    let other = "void f(int *); int a[3], b; int main(void) { f(a); if (b) reach_error(); }";
    assert!(!is_doubted(other, Undefined::Arguments));
    assert!(is_doubted(other, Undefined::All));
}

#[test]
fn each_undefined_function_is_an_assumption() {
    let program = program("void f(int); void g(void); int main(void) { f(1); f(2); g(); }", Undefined::Pure);
    let assumed: std::collections::BTreeSet<&str> = program
        .notes
        .iter()
        .filter(|note| note.effect == Effect::Assumption && note.message.contains("is not defined"))
        .map(|note| note.message.as_str())
        .collect();
    assert_eq!(assumed.len(), 2, "{assumed:?}");
}

#[test]
fn what_is_not_known_of_the_compiler_or_the_library_is_a_limit() {
    for (call, message) in [
        ("__builtin_cpu_supports(\"avx\")", "not modelled"),
        ("__sync_fetch_and_max(&x, 1)", "not modelled"),
        ("__builtin_unreachable()", "undefined behaviour"),
        ("__builtin_clz(x)", "undefined behaviour"),
        ("strftime(buffer, 8, \"%d\", 0)", "not modelled"),
        ("longjmp(buffer, 1)", "not modelled"),
        ("sprintf(buffer, \"%d\")", "undefined behaviour"),
    ] {
        let text =
            format!("int x; char buffer[8]; int main(void) {{ x = nondet_int(); {call}; reach_error(); }}");
        let found = limits(&text, Undefined::Pure);
        assert!(found.contains(message), "{call}: {found}");
    }
}
