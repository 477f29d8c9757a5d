//! Several files, projects, pipes, entry points and models on the command line.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests stop at the first broken assumption"
)]

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// What a run ended with: the exit code, and all that was said.
struct Said(Option<i32>, String);

impl Said {
    fn has(&self, code: i32, parts: &[&str]) {
        assert_eq!(self.0, Some(code), "{}", self.1);
        for part in parts {
            assert!(self.1.contains(part), "no {part:?} in:\n{}", self.1);
        }
        assert!(!self.1.contains("__monabs_"), "{}", self.1);
    }
}

fn asyncc(folder: &Path, args: &[&str], input: Option<&str>) -> Said {
    let mut command = Command::new(env!("CARGO_BIN_EXE_asyncc"));
    command
        .current_dir(folder)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.unwrap_or_default().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    Said(output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

const MAIN: &str = "#include <assert.h>\nint f(void);\nint main(void) { assert(f() == VALUE); return 0; }\n";
const PART: &str = "int f(void) { return RESULT; }\n";

#[test]
fn several_files_and_standard_input() {
    let folder = folder(&[("main.c", MAIN), ("part.c", PART)]);
    let run = |args: &[&str], input| asyncc(folder.path(), args, input);
    run(&["--explore", "1", "-DVALUE=1", "-DRESULT=1", "main.c", "part.c"], None).has(0, &["SUCCESSFUL"]);
    run(&["--explore", "1", "-DVALUE=1", "-DRESULT=2", "main.c", "part.c"], None).has(10, &["main.c:3"]);
    run(&["--explore", "1", "-DVALUE=1", "-DRESULT=1", "main.c", "-"], Some(PART)).has(0, &["SUCCESSFUL"]);
    run(&["-DVALUE=1", "main.c", "-"], Some("int f(void) { return 1 +; }\n"))
        .has(2, &["<stdin>:1:25: error"]);
    run(&["main.c", "x.prog", "--from-program"], None).has(1, &["a program stands alone"]);
    run(&["-", "-"], None).has(1, &["only one input can be read from stdin"]);
}

#[test]
#[cfg(unix)]
fn a_pipe_is_read_once() {
    let folder = folder(&[]);
    for (text, code, said) in [
        ("int main(void) { return 0; }\n", 0, "SUCCESSFUL"),
        ("# 1 \"x.c\"\nint main(void) { return 0; }\n", 0, "SUCCESSFUL"),
        ("int main(void) { return 1 +; }\n", 2, "pipe:1:28: error"),
    ] {
        let pipe = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let writer = {
            let pipe = pipe.clone();
            std::thread::spawn(move || std::fs::write(pipe, text).unwrap())
        };
        asyncc(folder.path(), &["--explore", "1", "pipe"], None).has(code, &[said]);
        writer.join().unwrap();
        std::fs::remove_file(pipe).unwrap();
    }
}

#[test]
fn a_project_has_options_for_each_file() {
    let folder = folder(&[
        (
            "src/main.c",
            "#include \"h.h\"\n#include <assert.h>\nint main(void) { assert(f() == WANTED); return 0; }\n",
        ),
        ("src/part.c", "#include \"h.h\"\nint f(void) { return RESULT; }\n"),
        ("src/more.cpp", "class X {};\n"),
        ("inc/h.h", "int f(void);\n"),
    ]);
    let database = |result: &str| {
        let text = format!(
            r#"[{{"directory": ".", "file": "src/main.c", "command": "cc -Iinc '-DWANTED=(1 + 1)' -c src/main.c"}},
            {{"directory": ".", "file": "src/part.c", "arguments": ["cc", "-I", "inc", "-DRESULT={result}", "-c", "src/part.c"]}},
            {{"directory": ".", "file": "src/more.cpp", "command": "c++ -c src/more.cpp"}}]"#
        );
        std::fs::write(folder.path().join("compile_commands.json"), text).unwrap();
    };
    let run = |args: &[&str]| {
        let project = ["--explore", "1", "--project", "compile_commands.json"];
        asyncc(folder.path(), &[&project[..], args].concat(), None)
    };
    database("2");
    run(&["--only", "*.c"]).has(0, &["SUCCESSFUL"]);
    run(&["--only", "src/main.c", "--only", "part.c"]).has(0, &["SUCCESSFUL"]);
    run(&[]).has(2, &["more.cpp: error: is not C; leave it out with --only"]);
    run(&["--only", "other.c"]).has(2, &["no file matches --only 'other.c'"]);
    run(&["--only", "part.c"]).has(2, &["try with: --entry f"]);
    run(&["--only", "*.c", "-URESULT", "-DRESULT=3"]).has(10, &["main.c:3"]);
    database("3");
    run(&["--only", "*.c"]).has(10, &["FAILED"]);
    std::fs::write(folder.path().join("compile_commands.json"), "{}").unwrap();
    run(&[]).has(2, &["is not a list of commands"]);
}

const DRIVER: &str = "#include <assert.h>
static int inside;
static int driver_open(int flags) { inside++; assert(inside == 1); inside--; return flags; }
static int driver_attach(void) { return 0; }
struct operations { int (*open)(int); } driver_operations = { .open = driver_open };
";

#[test]
fn entry_points_and_what_could_be_meant() {
    let folder = folder(&[("driver.c", DRIVER)]);
    let run = |args: &[&str]| asyncc(folder.path(), &[&["driver.c", "--explore", "3"], args].concat(), None);
    run(&[]).has(
        2,
        &[
            "there is no function 'main'",
            "table 'driver_operations': driver_open",
            "try with: --init driver_attach --entry driver_open",
        ],
    );
    run(&["--init", "driver_attach", "--entry", "driver_open"]).has(10, &["driver.c:3"]);
    run(&["--init", "driver_attach", "--entry", "driver_open:1"]).has(5, &["no violation"]);
    run(&["--entry", "opne"]).has(2, &["there is no function 'opne'"]);
    run(&["--entry", "driver_open(null)"])
        .has(2, &["parameter 1 of 'driver_open' is a 'int', not a pointer"]);
    run(&["--entry", "driver_open("]).has(1, &["a closing parenthesis is missing"]);
    run(&["--entry", "driver_open", "--function", "driver_attach"]).has(1, &["cannot be used with"]);
}

#[test]
fn models_replace_or_are_refused() {
    let folder = folder(&[
        (
            "main.c",
            "#include <assert.h>\nstatic int f(void) { return 1; }\nint main(void) { assert(f() == 1); return 0; }\n",
        ),
        ("two.c", "int f(void) { return 2; }\n"),
        ("other.c", "int other(void) { return 2; }\n"),
        ("never.c", "//! requires: absent\nint f(void) { return 2; }\n"),
    ]);
    let run = |args: &[&str]| asyncc(folder.path(), &[&["main.c", "--explore", "1"], args].concat(), None);
    run(&[]).has(0, &["SUCCESSFUL"]);
    run(&["--model", "two.c"]).has(10, &["FAILED"]);
    run(&["--model", "other.c"]).has(2, &["other.c: error: replaces nothing"]);
    run(&["--model", "never.c"]).has(2, &["never.c: error: is not used"]);
}

#[test]
fn own_definitions_count() {
    let own = "#include <assert.h>
typedef struct { volatile int word; } pthread_mutex_t;
typedef struct { int mine; } pthread_attr_t;
int pthread_mutex_lock(pthread_mutex_t *m) { m->word = 1; return 0; }
int pthread_attr_init(pthread_attr_t *a) { a->mine = 1; return 0; }
static pthread_mutex_t m;
int main(void) { pthread_attr_t a; pthread_attr_init(&a); pthread_mutex_lock(&m); assert(a.mine == m.word); return 0; }
";
    let private = "#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) { pthread_mutex_lock(&m); return m.__data.__lock; }
";
    let folder = folder(&[("own.c", own), ("private.c", private)]);
    let run = |name: &str| asyncc(folder.path(), &["--explore", "1", name], None);
    run("own.c").has(0, &["SUCCESSFUL"]);
    run("private.c").has(5, &["private.c:3", "the member '__data' of 'pthread_mutex_t' is not modelled"]);
}
