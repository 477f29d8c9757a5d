//! Tests with the system's preprocessor.

use super::*;
use std::fs;

/// A directory with files for a test.
struct Files(tempfile::TempDir);

impl Files {
    fn new(files: &[(&str, &str)]) -> Files {
        let directory = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(directory.path().join(name), text).unwrap();
        }
        Files(directory)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

/// Whether this machine has a compiler; without one there is nothing to test here.
fn has_compiler() -> bool {
    let there = Compiler::find(&PreprocessOptions::default(), &Headers::write(None).unwrap()).is_ok();
    if !there {
        eprintln!("no C compiler: nothing tested");
    }
    there
}

fn text_of(files: &Files, options: &PreprocessOptions) -> String {
    preprocess(&files.path("a.c"), options).unwrap().text
}

#[test]
fn preprocessed_files_are_taken_as_they_are() {
    let files = Files::new(&[("a.i", "int x;\n"), ("b.c", "\n# 1 \"b.c\"\nint y;\n")]);
    let options = PreprocessOptions { compiler: Some("no-such-compiler".to_owned()), ..Default::default() };
    let read = |name| preprocess(&files.path(name), &options).unwrap();
    assert_eq!((read("a.i").text.as_str(), read("a.i").is_fresh), ("int x;\n", false));
    assert_eq!(read("b.c").text, "\n# 1 \"b.c\"\nint y;\n");
}

#[test]
fn bytes_that_are_not_text_become_escapes() {
    assert_eq!(decode(b"\"caf\xe9\" \xff\xfe \xc3\xa9"), "\"caf\\351\" \\377\\376 é");
}

#[test]
fn files_that_are_not_there() {
    let errors = preprocess(Path::new("no/such/file.c"), &PreprocessOptions::default()).unwrap_err();
    assert_eq!(errors.to_string(), "no/such/file.c: error: cannot be read: No such file or directory");
}

#[test]
fn binary_files_are_named_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.c");
    std::fs::write(&path, b"int x;\n\0\x01\x02").unwrap();
    let errors = preprocess(&path, &PreprocessOptions::default()).unwrap_err().to_string();
    assert!(
        errors.ends_with("a.c: error: this is not C but a binary file, or UTF-16: byte 8 is null"),
        "{errors}"
    );
}

#[test]
fn compilers_that_are_not_there() {
    let files = Files::new(&[("a.c", "int x;\n")]);
    let options = PreprocessOptions { compiler: Some("no-such-compiler".to_owned()), ..Default::default() };
    let errors = preprocess(&files.path("a.c"), &options).unwrap_err().to_string();
    assert!(errors.contains("error: the preprocessor `no-such-compiler` cannot be run"), "{errors}");
    assert!(errors.contains("hint: install one"), "{errors}");
}

#[test]
fn options_reach_the_preprocessor() {
    if !has_compiler() {
        return;
    }
    let source = "#include \"h.h\"\nint a = A, b = B, c = first;\n#ifdef C\nint d;\n#endif\n";
    let files = Files::new(&[("a.c", source), ("first.h", "#define first 7\n")]);
    fs::create_dir(files.path("sub")).unwrap();
    fs::write(files.path("sub/h.h"), "int h;\n").unwrap();
    let options = PreprocessOptions {
        include_directories: vec![files.path("sub")],
        macros: vec![
            MacroOption::Define("A=1 + 1".to_owned()),
            MacroOption::Define("B".to_owned()),
            MacroOption::Define("C".to_owned()),
            MacroOption::Undefine("C".to_owned()),
        ],
        includes: vec![files.path("first.h")],
        ..Default::default()
    };
    let text = text_of(&files, &options);
    assert!(text.contains("int h;") && text.contains("int a = 1 + 1, b = 1, c = 7;"), "{text}");
    assert!(!text.contains("int d;"), "{text}");
}

#[test]
fn our_headers_come_before_the_systems() {
    if !has_compiler() {
        return;
    }
    let source = "#include <assert.h>\n#include <stdatomic.h>\natomic_int x;\nvoid f(void) {\n  assert(x, 1);\n  atomic_fetch_add(&x, 2);\n}\n#define NDEBUG\n#include <assert.h>\nvoid g(void) { assert(x); }\n";
    let files = Files::new(&[("a.c", source)]);
    let text = text_of(&files, &PreprocessOptions::default());
    assert!(text.contains("__monabs_assert((_Bool)(x, 1), \"x, 1\");"), "{text}");
    assert!(
        text.contains("__atomic_fetch_add((&x), (2), 5);") && text.contains("void g(void) { ((void)0); }"),
        "{text}"
    );
    assert!(text.contains("# 1 \"<headers>/assert.h\" 1"), "{text}");
    let unit = crate::parse::parse_file(&files.path("a.c"), &PreprocessOptions::default(), "").unwrap();
    assert!(unit.warnings.is_empty(), "{}", unit.warnings);
    let call = unit.text.rfind("__monabs_assert((_Bool)(x").unwrap();
    let shown = unit.map.diagnostic(Severity::Error, call, "m");
    assert_eq!(
        (shown.position.line, shown.position.column, shown.source_line.as_str()),
        (5, 3, "  assert(x, 1);")
    );
}

#[test]
fn errors_of_the_preprocessor_have_places() {
    if !has_compiler() {
        return;
    }
    let files = Files::new(&[
        ("a.c", "int x;\n#include \"missing.h\"\n"),
        ("b.c", "\n#error no\n"),
        ("c.c", "#warning hm\n"),
    ]);
    let said = |name| preprocess(&files.path(name), &PreprocessOptions::default()).unwrap_err().to_string();
    let place = |name| files.path(name).to_string_lossy().into_owned();
    assert!(said("a.c").starts_with(&format!("{}:2:", place("a.c"))), "{}", said("a.c"));
    assert!(said("a.c").contains("missing.h") && !said("a.c").contains("monabs-"));
    assert!(said("a.c").contains("\n    #include \"missing.h\"\n"), "{}", said("a.c"));
    assert!(said("b.c").starts_with(&format!("{}:2:", place("b.c"))) && said("b.c").contains("error: "));
    let warnings = preprocess(&files.path("c.c"), &PreprocessOptions::default()).unwrap().warnings;
    assert!(warnings.to_string().contains("warning: ") && !warnings.has_errors(), "{warnings}");
}

#[test]
fn both_data_models_with_system_headers() {
    if !has_compiler() {
        return;
    }
    let source = "#include <stddef.h>\n#include <stdint.h>\n#include <pthread.h>\nint sizes[] = { __SIZEOF_LONG__, __SIZEOF_POINTER__ };\n";
    let files = Files::new(&[("a.c", source)]);
    for (data_model, size, size_type) in
        [(DataModel::Ilp32, "4, 4", "unsigned int"), (DataModel::Lp64, "8, 8", "long unsigned int")]
    {
        let options = PreprocessOptions { data_model, ..Default::default() };
        let text = text_of(&files, &options);
        assert!(text.contains(&format!("{{ {size} }}")), "{data_model:?}");
        assert!(
            text.contains(&format!("typedef {size_type} size_t;")) || cfg!(not(target_os = "linux")),
            "{data_model:?}"
        );
        crate::parse::parse_file(&files.path("a.c"), &options, "").unwrap();
    }
}

#[test]
fn thirty_two_bits_without_help_of_the_compiler() {
    if !has_compiler() {
        return;
    }
    let files = Files::new(&[(
        "a.c",
        "#include <stddef.h>\nint sizes[] = { __SIZEOF_LONG__, __SIZEOF_POINTER__ };\nsize_t s;\n",
    )]);
    let headers = Headers::write(None).unwrap();
    let compiler = Compiler::find(&PreprocessOptions::default(), &headers).unwrap();
    let modes = compiler.modes(DataModel::Ilp32);
    let last = modes.last().unwrap();
    assert_eq!(last.remark.as_ref().map(|remark| remark.severity), Some(Severity::Warning));
    let output = compiler.run(Task::Preprocess, &files.path("a.c"), None, &last.flags).unwrap();
    let text = decode(&output.stdout);
    let words: Vec<&str> =
        text.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace).collect();
    let text = words.join(" ");
    assert!(text.contains("{ 4, 4 }") && text.contains("typedef unsigned int size_t;"), "{text}");
}

#[test]
fn text_from_a_pipe() {
    if !has_compiler() {
        return;
    }
    let headers = Headers::write(None).unwrap();
    let compiler = Compiler::find(&PreprocessOptions::default(), &headers).unwrap();
    let long = "#define X 1\n".to_owned() + &"int x = X;\n".repeat(50_000);
    let output = compiler.run(Task::Preprocess, Path::new("-"), Some(long.as_bytes()), &[]).unwrap();
    let text = decode(&output.stdout);
    assert!(text.contains("# 1 \"<stdin>\"") && text.contains("int x = 1;"));
    assert_eq!(display_name(Path::new("-")), "<stdin>");
}

#[test]
fn names_are_no_options() {
    if !has_compiler() {
        return;
    }
    let errors = preprocess(Path::new("-DX.c"), &PreprocessOptions::default()).unwrap_err();
    assert!(errors.to_string().starts_with("-DX.c: error: cannot be read"), "{errors}");
    let options = PreprocessOptions { compiler: Some("false".to_owned()), ..Default::default() };
    let files = Files::new(&[("a.c", "int x;\n")]);
    assert!(preprocess(&files.path("a.c"), &options).is_err());
}

/// Headers that programs with threads use.
#[test]
fn system_headers_can_be_parsed() {
    if !has_compiler() || cfg!(not(target_os = "linux")) {
        return;
    }
    let headers = [
        "assert.h",
        "complex.h",
        "ctype.h",
        "errno.h",
        "fcntl.h",
        "fenv.h",
        "float.h",
        "inttypes.h",
        "limits.h",
        "locale.h",
        "math.h",
        "pthread.h",
        "sched.h",
        "semaphore.h",
        "setjmp.h",
        "signal.h",
        "stdalign.h",
        "stdarg.h",
        "stdatomic.h",
        "stdbool.h",
        "stddef.h",
        "stdint.h",
        "stdio.h",
        "stdlib.h",
        "stdnoreturn.h",
        "string.h",
        "strings.h",
        "sys/mman.h",
        "sys/socket.h",
        "sys/stat.h",
        "sys/time.h",
        "sys/types.h",
        "sys/wait.h",
        "tgmath.h",
        "threads.h",
        "time.h",
        "unistd.h",
        "wchar.h",
    ];
    let source: String = headers.iter().map(|header| format!("#include <{header}>\n")).collect();
    let files = Files::new(&[("a.c", &(source + "int main(void) { return 0; }\n"))]);
    for data_model in [DataModel::Lp64, DataModel::Ilp32] {
        let options = PreprocessOptions { data_model, ..Default::default() };
        let defined = PreprocessOptions {
            macros: vec![MacroOption::Define("_GNU_SOURCE".to_owned())],
            ..options.clone()
        };
        for options in [options, defined] {
            let unit = crate::parse::parse_file(&files.path("a.c"), &options, "");
            let unit = unit.unwrap_or_else(|errors| panic!("{errors}"));
            assert!(!unit.warnings.has_errors());
        }
    }
}
