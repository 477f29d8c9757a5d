//! Tests of linking: what the text of several files becomes, and where places lead. What it means is tested in `tests/tests/c_files.rs`.

use super::*;
use crate::parse::parse_text;

fn linked(texts: &[&str]) -> Unit {
    let file = |(index, text): (usize, &&str)| {
        let name = format!("{}.c", index + 1);
        let unit = parse_text(&name, text, "typedef int ours;\n").unwrap();
        File { name, unit, is_open: false }
    };
    link(texts.iter().enumerate().map(file).collect(), &FxHashSet::default()).unwrap()
}

fn place(unit: &Unit, needle: &str) -> String {
    let offset = unit.text.find(needle).unwrap();
    unit.map.diagnostic(Severity::Error, offset, "m").position.to_string()
}

#[test]
fn names_of_one_file_get_a_number() {
    let unit = linked(&[
        "static int x = 1; struct s { int x; } *p;\nint f(void) { return x + p->x; }\n",
        "\nstatic int x = 2;\n\n\nint g(void) { goto x; x: return x; }\n",
    ]);
    assert!(
        unit.text.contains("return x__1 + p->x;") && unit.text.contains("struct s { int x; }"),
        "{}",
        unit.text
    );
    assert!(unit.text.contains("goto x; x: return x__2;"), "{}", unit.text);
    assert_eq!((unit.name("x__1"), unit.name("x__2")), ("x", "x"));
    assert_eq!(
        (place(&unit, "x__1 +"), place(&unit, "x__2; }")),
        ("1.c:2:22".to_owned(), "2.c:5:33".to_owned())
    );
    assert_eq!(unit.part(unit.text.find("x__1 +").unwrap()), 1);
    assert_eq!(unit.part(unit.text.find("x__2; }").unwrap()), 2);
}

#[test]
fn what_is_the_same_is_kept_once() {
    let header = "typedef unsigned T; struct a { struct b *b; T t; }; struct b { struct a a; } extern it; enum { A, B };\n";
    let unit = linked(&[header, header, &header.replace("unsigned", "long")]);
    assert_eq!(unit.text.matches("typedef unsigned T").count(), 1, "{}", unit.text);
    assert_eq!(unit.text.matches("struct b__1 *b").count(), 1, "{}", unit.text);
    // What depends on another type is another type.
    assert_eq!(unit.text.matches("struct b__3 *b").count(), 1, "{}", unit.text);
    assert_eq!(unit.text.matches("enum").count(), 1, "{}", unit.text);
    assert_eq!(unit.text.matches("typedef int ours").count(), 1, "{}", unit.text);
}
