//! Tests of positions in the user's files.

use super::*;
use crate::tokens::lexer;

fn map_of(text: &str, user_start: usize, origin: Origin) -> SourceMap {
    let directives = lexer::lex(text).directives;
    SourceMap::new(text.to_owned(), &directives, user_start, origin)
}

fn place(map: &SourceMap, offset: usize) -> String {
    map.diagnostic(Severity::Error, offset, "m").position.to_string()
}

const TEXT: &str = "# 1 \"a.c\"\nint x;\n# 1 \"/usr/inc/b.h\" 1 3 4\nint y;\n\n  int z;\n# 3 \"a.c\" 2\nint w;\n# 3 \"a.c\" 3 4\n(1)\n";

#[test]
fn markers_give_file_and_line() {
    let map = map_of(TEXT, 0, Origin::Given);
    let of = |needle: &str| TEXT.find(needle).unwrap();
    assert_eq!(place(&map, of("x;")), "a.c:1:5");
    assert_eq!(place(&map, of("y;")), "/usr/inc/b.h:1:5");
    assert_eq!(place(&map, of("z;")), "/usr/inc/b.h:3:7");
    assert_eq!(place(&map, of("w;")), "a.c:3:5");
    assert!(map.is_system(of("z;")) && !map.is_system(of("w;")));
    assert!(!map.is_system(of("(1)")), "macros of the system do not make a user's file one of the system");
    assert_eq!(map.file_names().collect::<Vec<_>>(), ["<unknown>", "a.c", "/usr/inc/b.h"]);
    assert_eq!(map.file_name(map.position(of("y;")).file), "/usr/inc/b.h");
    assert_eq!(map.file_name(FileId(99)), "<unknown>");
}

#[test]
fn the_line_is_shown() {
    let map = map_of(TEXT, 0, Origin::Given);
    let offset = TEXT.find("z;").unwrap();
    let diagnostic = map.diagnostic(Severity::Warning, offset, "m");
    assert_eq!(diagnostic.to_string(), "/usr/inc/b.h:3:7: warning: m\n      int z;\n          ^");
    assert_eq!(map.diagnostic_at(Severity::Warning, map.position(offset), "m"), diagnostic);
    assert_eq!(map.diagnostic_at(Severity::Note, Position::NONE, "m").source_line, "");
}

#[test]
fn offsets_anywhere_are_safe() {
    for text in ["", "é", "\n\n", "# 4294967295 \"a\"\n\n\n\nx", "#line 3\nx", "# 1 \"a\""] {
        let map = map_of(text, 0, Origin::Given);
        for offset in 0..text.len() + 3 {
            let position = map.position(offset);
            map.diagnostic_at(Severity::Error, position, "m");
            map.written(Span::span(offset, offset + 2));
        }
        map.written(Span::none());
    }
}

#[test]
fn the_users_file_is_read_for_columns() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.c");
    std::fs::write(&path, "\n\tINC(x); y = 1;\n").unwrap();
    let name = path.to_str().unwrap();
    let text = format!("# 2 \"{name}\"\n        x++; y = 1;\n");
    let map = map_of(&text, 0, Origin::Fresh);
    assert_eq!(place(&map, text.find("x++").unwrap()), format!("{name}:2:6"));
    assert_eq!(place(&map, text.find("y =").unwrap()), format!("{name}:2:10"));
    let diagnostic = map.diagnostic(Severity::Error, text.find("y =").unwrap(), "m");
    assert_eq!(diagnostic.source_line, "\tINC(x); y = 1;");
}

#[test]
fn another_file_of_the_same_name_is_not_believed() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.c");
    std::fs::write(&path, "something else\n").unwrap();
    let name = path.to_str().unwrap();
    let text = format!("# 1 \"{name}\"\nint z;\n");
    let map = map_of(&text, 0, Origin::Given);
    assert_eq!(map.diagnostic(Severity::Error, text.find("z;").unwrap(), "m").source_line, "int z;");
}

#[test]
fn text_of_ours_is_told_from_the_users() {
    let text = "# 1 \"<models/a.c>\"\nint a;\n# 1 \"u.i\"\nint b;\n";
    let map = map_of(text, text.find("int b").unwrap(), Origin::Given);
    assert!(map.is_prelude(text.find("a;").unwrap()) && !map.is_prelude(text.find("b;").unwrap()));
    assert_eq!(place(&map, text.find("b;").unwrap()), "u.i:1:5");
}
