//! Tests of entry points: how they are written, and what the program around them does.

use super::*;
use crate::lower::Options;
use crate::preprocess::PreprocessOptions;
use crate::program::PropertyKind;
use crate::program::interpret::{ExploreOptions, explore};
use crate::reduce::{self, reduce};
use crate::translate::{Source, translate_files};

#[test]
fn entries_as_they_are_written() {
    let entry = |text: &str| text.parse::<Entry>();
    let plain = Entry { function: "open".to_owned(), arguments: Vec::new(), threads: None };
    assert_eq!(entry("open"), Ok(plain.clone()));
    assert_eq!(entry(" open() "), Ok(plain.clone()));
    assert_eq!(entry("open:2"), Ok(Entry { threads: Some(2), ..plain.clone() }));
    let arguments = vec![
        Argument::Shared,
        Argument::Usual,
        Argument::Null,
        Argument::Value("-1".to_owned()),
        Argument::Value("&sc".to_owned()),
    ];
    assert_eq!(entry("open(shared, , null,-1,&sc):1"), Ok(Entry { arguments, threads: Some(1), ..plain }));
    for wrong in
        ["", "1x", "open(", "open(a b)", "open:0", "open:x", "open:1000", "open)", "open(&1)", "open=0"]
    {
        assert!(entry(wrong).is_err(), "{wrong}");
    }
    let init = |text: &str| text.parse::<Init>();
    assert_eq!(init("attach=0").unwrap().result, Some(0));
    assert_eq!(init("attach(zero) = -1").unwrap().result, Some(-1));
    assert!(init("attach:1").is_err() && init("attach=x").is_err());
}

/// What the initial thread and two others can violate, or why the text is refused.
fn violated(text: &str, inits: &[&str], entries: &[&str]) -> Result<Vec<PropertyKind>, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("driver.i");
    std::fs::write(&path, text).unwrap();
    let points = EntryPoints {
        inits: inits.iter().map(|text| text.parse().unwrap()).collect(),
        entries: entries.iter().map(|text| text.parse().unwrap()).collect(),
    };
    let source = Source { path, options: PreprocessOptions::default() };
    let translation =
        translate_files(&[source], &Options::default(), &[], &points).map_err(|errors| errors.to_string())?;
    let (program, _) = reduce(translation.program, &reduce::Options::default());
    let found = explore(&program, 3, &ExploreOptions::default()).unwrap();
    let kind =
        |name: &String| program.properties.iter().find(|property| property.name == *name).unwrap().kind;
    Ok(found.violated.keys().map(kind).collect())
}

const FAILS: &[PropertyKind] = &[PropertyKind::Assertion];

fn check(text: &str, inits: &[&str], entries: &[&str], expected: &[PropertyKind]) {
    let text = format!("extern void __VERIFIER_assert(int);\n{text}");
    assert_eq!(violated(&text, inits, entries).unwrap(), expected, "{text} {inits:?} {entries:?}");
}

#[test]
fn entries_run_in_parallel_unless_counted() {
    let text =
        "static int inside; static void f(void) { inside++; __VERIFIER_assert(inside == 1); inside--; }";
    check(text, &[], &["f"], FAILS);
    check(text, &[], &["f:2"], FAILS);
    check(text, &[], &["f:1"], &[]);
}

#[test]
fn entries_are_called_again_and_any_of_them() {
    let text = "static int n; void f(void) { n = 1; } void g(void) { __VERIFIER_assert(n == 0); }";
    check(text, &[], &["f", "g"], FAILS);
    check(text, &[], &["g"], &[]);
    check("static int n; void f(void) { n++; __VERIFIER_assert(n < 3); }", &[], &["f:1"], FAILS);
}

#[test]
fn initialisations_come_first_and_once() {
    let text = "static int n; int init(void) { n++; return n; } void f(void) { __VERIFIER_assert(n == 1); }";
    check(text, &["init"], &["f"], &[]);
    check(text, &["init", "init"], &["f"], FAILS);
    check(text, &["init=0"], &["f"], &[]);
    check(text, &[], &["f"], FAILS);
    check(text, &["init=1", "init=1"], &["f"], &[]);
    check(text, &["init=1", "init=2"], &["f"], FAILS);
}

#[test]
fn numbers_are_any_unless_given() {
    let text = "void f(unsigned char c, int k) { __VERIFIER_assert(c != 77 || k == 3); }";
    check(text, &[], &["f"], FAILS);
    check(text, &[], &["f(,3)"], &[]);
    check(text, &[], &["f(78)"], &[]);
    check(
        "struct s { char a; char b; }; void f(struct s s) { __VERIFIER_assert(s.b != 9); }",
        &[],
        &["f"],
        FAILS,
    );
}

#[test]
fn pointers_lead_to_fresh_shared_or_no_objects() {
    let text = "void f(char *p) { *p = 1; __VERIFIER_assert(*p == 1); *p = 0; }";
    check(text, &[], &["f"], &[]);
    check(text, &[], &["f(shared)"], FAILS);
    let text = "void f(char *p) { __VERIFIER_assert(p == 0 || *p == 0); }";
    check(text, &[], &["f"], FAILS);
    check(text, &[], &["f(zero)"], &[]);
    check(text, &[], &["f(null)"], &[]);
    let text = "static char it = 1; void f(void *p) { char *q = p; __VERIFIER_assert(*q == 0); }";
    check(text, &[], &["f(&it)"], FAILS);
    // Any pointer: more than reality has, so that nothing is said to fail for certain, and the end of what is modelled is met.
    let text = format!("extern void __VERIFIER_assert(int);\n{text}");
    assert!(violated(&text, &[], &["f"]).unwrap().contains(&PropertyKind::Limit));
}

#[test]
fn what_cannot_be_called() {
    let refused = |text: &str, entry: &str| violated(text, &[], &[entry]).unwrap_err();
    assert!(refused("int f(void);", "f").contains("there is no function 'f' with a body"));
    assert!(
        refused("int f(int x) { return x; }", "f(1,2)")
            .contains("2 arguments to 'f', which has 1 parameters")
    );
    assert!(
        refused("int f(int x) { return x; }", "f(null)")
            .contains("parameter 1 of 'f' is a 'int', not a pointer")
    );
    assert!(refused("int f(void *x) { return 0; }", "f(fresh)").contains("what it points to is not known"));
}
