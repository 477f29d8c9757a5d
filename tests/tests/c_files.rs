//! Programs of several files: what the compiler and linker make of them is what they mean here.
//!
//! Each case is a few small files. What holds is compiled, linked and run without a failure; what fails, with one; what is refused contradicts itself
//! in a way that compilers or linkers may not see, since they do not compare types of different files. Cases come in
//! pairs that differ by little.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may stop at the first broken assumption, too"
)]

use Expected::{Fails, Holds, Refused};
use frontend::entry::EntryPoints;
use frontend::lower::Options;
use frontend::preprocess::PreprocessOptions;
use frontend::program::PropertyKind;
use frontend::program::interpret::{ExploreOptions, explore};
use frontend::translate::{Source, Translation, translate_files};
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    Holds,
    Fails,
    /// With a message that says this.
    Refused(&'static str),
}

struct Case {
    name: &'static str,
    files: &'static [&'static str],
    expected: Expected,
}

const fn case(name: &'static str, files: &'static [&'static str], expected: Expected) -> Case {
    Case { name, files, expected }
}

const CASES: &[Case] = &[
    case(
        "tentative definitions merge",
        &["int x; int main(void) { assert(x == 2); return 0; }", "int x = 2;"],
        Holds,
    ),
    case(
        "the initial value counts",
        &["int x; int main(void) { assert(x == 0); return 0; }", "int x = 2;"],
        Fails,
    ),
    case(
        "static variables stay apart",
        &[
            "static int x = 1; int other(void); int main(void) { assert(x + other() == 11); return 0; }",
            "static int x = 10; int other(void) { return x; }",
        ],
        Holds,
    ),
    case(
        "an extern variable is the same one",
        &[
            "extern int x; int other(void); int main(void) { x = 1; assert(other() == 10); return 0; }",
            "int x = 10; int other(void) { return x; }",
        ],
        Fails,
    ),
    case(
        "static functions stay apart",
        &[
            "int other(void); static int f(void) { return 1; } int main(void) { assert(f() == 1 && other() == 2); return 0; }",
            "static int f(void) { return 2; } int other(void) { return f(); }",
        ],
        Holds,
    ),
    case(
        "a static function does not hide that of another file",
        &[
            "int f(void) { return 1; } int other(void); int main(void) { assert(f() == other()); return 0; }",
            "static int f(void) { return 2; } int other(void) { return f(); }",
        ],
        Fails,
    ),
    case(
        "names of types stay apart",
        &[
            "typedef char T; int other(void); int main(void) { assert(sizeof(T) == 1 && other() == 8); return 0; }",
            "typedef long T; int other(void) { return sizeof(T); }",
        ],
        Holds,
    ),
    case(
        "a type here, a variable there",
        &[
            "typedef int T; T v = 1; int other(void); int main(void) { assert(v + other() == 4); return 0; }",
            "int other(void) { int T = 3; return T; }",
        ],
        Holds,
    ),
    case(
        "structs with the same tag stay apart",
        &[
            "struct s { int x; }; int other(void); int main(void) { assert(sizeof(struct s) == 4 && other() == 16); return 0; }",
            "struct s { long x; char y; }; int other(void) { return sizeof(struct s); }",
        ],
        Holds,
    ),
    case(
        "a member may be named like a static variable",
        &[
            "struct s { int x; }; extern struct s it; int main(void) { assert(it.x == 7); return 0; }",
            "struct s { int x; }; static int x = 5; struct s it = { .x = 7 }; int other(void) { return it.x + x; }",
        ],
        Holds,
    ),
    case(
        "constants stay apart",
        &[
            "enum { A = 1 }; int other(void); int main(void) { assert(A + other() == 6); return 0; }",
            "enum { B, A = 5 }; int other(void) { return A; }",
        ],
        Holds,
    ),
    case(
        "an opaque struct",
        &[
            "struct n; struct n *make(void); int get(struct n *); int main(void) { assert(get(make()) == 7); return 0; }",
            "struct n { int v; }; static struct n it = { 7 }; struct n *make(void) { return &it; } int get(struct n *p) { return p->v; }",
        ],
        Holds,
    ),
    case(
        "two structs that are opaque in a third file",
        &[
            "struct n; int f(struct n *); int g(struct n *); int main(void) { assert(f(0) == 4 && g(0) == 8); return 0; }",
            "struct n { int v; }; int f(struct n *p) { return sizeof *p; }",
            "struct n { long v; }; int g(struct n *p) { return sizeof *p; }",
        ],
        Holds,
    ),
    case(
        "circles of structs from a header",
        &[
            "struct a { struct b *b; int x; }; struct b { struct a *a; }; int f(struct a); int main(void) { struct a a = { 0, 3 }; assert(f(a) == 3); return 0; }",
            "struct a { struct b *b; int x; }; struct b { struct a *a; }; int f(struct a a) { return a.x; }",
        ],
        Holds,
    ),
    case(
        "the same members, written differently",
        &[
            "struct s { int a, b; }; int f(struct s); int main(void) { struct s s = { 1, 2 }; assert(f(s) == 2); return 0; }",
            "typedef struct s { int a; int b; } T; int f(T s) { return s.b; }",
        ],
        Holds,
    ),
    case(
        "packed here, not there",
        &[
            "#pragma pack(1)\nstruct s { char c; int i; }; int f(void); int main(void) { assert(sizeof(struct s) == 5 && f() == 8); return 0; }",
            "struct s { char c; int i; }; int f(void) { return sizeof(struct s); }",
        ],
        Holds,
    ),
    case(
        "inline functions of a header",
        &[
            "static inline int f(int x) { return x + 1; } int g(int); int main(void) { assert(f(g(1)) == 3); return 0; }",
            "static inline int f(int x) { return x + 1; } int g(int x) { return f(x); }",
        ],
        Holds,
    ),
    case(
        "a weak function makes room",
        &[
            "__attribute__((weak)) int f(void) { return 1; } int main(void) { assert(f() == 2); return 0; }",
            "int f(void) { return 2; }",
        ],
        Holds,
    ),
    case(
        "a weak function is there for want of another",
        &[
            "__attribute__((weak)) int f(void) { return 1; } int main(void) { assert(f() == 2); return 0; }",
            "int g;",
        ],
        Fails,
    ),
    case(
        "static variables of functions",
        &[
            "static int f(void) { static int n; return ++n; } int g(void); int main(void) { f(); assert(f() == 2 && g() == 1); return 0; }",
            "static int f(void) { static int n; return ++n; } int g(void) { return f(); }",
        ],
        Holds,
    ),
    case(
        "__func__ is what is written",
        &[
            "static int f(void) { return sizeof __func__; } int g(void); int main(void) { assert(f() == 2 && g() == 2); return 0; }",
            "static int f(void) { return sizeof __func__; } int g(void) { return f(); }",
        ],
        Holds,
    ),
    case(
        "functions in tables of another file",
        &[
            "struct ops { int (*f)(int); }; extern struct ops ops; int main(void) { assert(ops.f(1) == 2); return 0; }",
            "struct ops { int (*f)(int); }; static int f(int x) { return x + 1; } struct ops ops = { .f = f };",
        ],
        Holds,
    ),
    case(
        "a length that another file gives",
        &["extern int a[]; int main(void) { assert(a[2] == 4); return 0; }", "int a[3] = { 1, 2, 4 };"],
        Holds,
    ),
    case(
        "a struct without a name",
        &[
            "extern struct { int a, b; } s; int main(void) { assert(s.b == 4); return 0; }",
            "struct { int a, b; } s = { 3, 4 };",
        ],
        Holds,
    ),
    case(
        "two types",
        &["extern long x; int main(void) { return x; }", "int x = 2;"],
        Refused("'x' is declared as 'int' here and as 'long' at 1.c:2:13"),
    ),
    case(
        "two values",
        &["int x = 1; int main(void) { return x; }", "int x = 2;"],
        Refused("2.c:2:5: error: 'x' has two initial values; the first is at 1.c:2:5"),
    ),
    case(
        "two bodies",
        &["int f(void) { return 1; } int main(void) { return f(); }", "int f(void) { return 1; }"],
        Refused("'f' has two bodies; the first is at 1.c:2:"),
    ),
    case(
        "two parameters",
        &["int f(int); int main(void) { return f(1); }", "int f(long x) { return x; }"],
        Refused("'f' is declared as 'int (long)' here and as 'int (int)' at 1.c:2:5"),
    ),
    case(
        "two structs",
        &[
            "struct s { int a; }; int f(struct s *); int main(void) { struct s s; return f(&s); }",
            "struct s { long a; }; int f(struct s *p) { return p->a; }",
        ],
        Refused("where that is another type"),
    ),
    case(
        "a function or a variable",
        &["extern int f; int main(void) { return f; }", "int f(void) { return 1; }"],
        Refused("'f'"),
    ),
    case(
        "one copy for each thread, or one",
        &["extern _Thread_local int x; int main(void) { return x; }", "int x;"],
        Refused("thread-local"),
    ),
    case("no C", &["int main(void) { return 0; }", "int f(void) { return 1 +; }"], Refused("2.c:2:")),
    case(
        "no main",
        &["int f(void) { return 0; }", "int g(void) { return 0; }"],
        Refused("try with: --entry f --entry g"),
    ),
];

fn write(folder: &Path, case: &Case) -> Vec<PathBuf> {
    let write = |(index, text): (usize, &&str)| {
        let path = folder.join(format!("{}.c", index + 1));
        std::fs::write(&path, format!("#include <assert.h>\n{text}\n")).unwrap();
        path
    };
    case.files.iter().enumerate().map(write).collect()
}

fn translated(paths: &[PathBuf]) -> Result<Translation, String> {
    let source = |path: &PathBuf| Source { path: path.clone(), options: PreprocessOptions::default() };
    let sources: Vec<Source> = paths.iter().map(source).collect();
    translate_files(&sources, &Options::default(), &[], &EntryPoints::default())
        .map_err(|errors| errors.to_string())
}

/// What the interpreter says.
fn found(paths: &[PathBuf]) -> Result<Expected, String> {
    let program = translated(paths)?.program;
    let explored = explore(&program, 1, &ExploreOptions::default()).unwrap();
    let mut failed = false;
    for name in explored.violated.keys() {
        let property = program.properties.iter().find(|property| property.name == *name).unwrap();
        assert_ne!(property.kind, PropertyKind::Limit, "{}", property.description);
        failed = true;
    }
    Ok(if failed { Fails } else { Holds })
}

/// What the compiled program does; none without a compiler.
fn compiled(folder: &Path, paths: &[PathBuf]) -> Option<Expected> {
    let binary = folder.join("program");
    let built = Command::new("cc")
        .args(["-std=gnu11", "-w", "-fcommon", "-o"])
        .arg(&binary)
        .args(paths)
        .output()
        .ok()?;
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    Some(if Command::new(&binary).output().unwrap().status.success() { Holds } else { Fails })
}

#[test]
fn files_mean_what_the_linker_makes_of_them() {
    for case in CASES {
        let folder = std::env::temp_dir().join(format!("c-files-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let paths = write(&folder, case);
        let relative = |text: String| text.replace(&format!("{}/", folder.display()), "");
        match (found(&paths).map_err(relative), case.expected) {
            (Ok(found), expected) => {
                assert_eq!(found, expected, "{}", case.name);
                if let Some(compiled) = compiled(&folder, &paths) {
                    assert_eq!(compiled, expected, "{} when compiled", case.name);
                }
            }
            (Err(message), Refused(text)) => assert!(message.contains(text), "{}: {message}", case.name),
            (Err(message), _) => panic!("{}: {message}", case.name),
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}

#[test]
fn the_order_of_files_does_not_matter() {
    for case in CASES.iter().filter(|case| matches!(case.expected, Holds | Fails)) {
        let folder = std::env::temp_dir().join(format!("c-files-order-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut paths = write(&folder, case);
        paths.reverse();
        assert_eq!(found(&paths), Ok(case.expected), "{}", case.name);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
