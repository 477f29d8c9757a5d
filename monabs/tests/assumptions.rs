//! What answers assume is part of them, in every form; what went wrong is said, once.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests stop at the first broken assumption"
)]

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

const THREADS: &str = "typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void __VERIFIER_assert(int);
int x, y;
";

/// A temporary folder with a file `a.c`.
struct Folder(PathBuf);

impl Folder {
    fn with(source: &str) -> Folder {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("monabs-assumptions-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        std::fs::write(path.join("a.c"), source).unwrap();
        Folder(path)
    }

    /// The exit code and stdout.
    fn run(&self, args: &[&str]) -> (i32, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_monabs"))
            .current_dir(&self.0)
            .args(args)
            .arg("a.c")
            .output()
            .unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The lines about assumptions of a program that is safe.
#[track_caller]
fn assumed(source: &str, args: &[&str]) -> Vec<String> {
    let (code, stdout) = Folder::with(source).run(args);
    assert_eq!(code, 0, "{stdout}");
    let lines = stdout.lines().filter_map(|line| line.strip_prefix("assuming: "));
    lines.map(str::to_owned).collect()
}

/// A program in which a thread runs `thread` while `main` runs `main`, then waits.
fn two(thread: &str, main: &str) -> String {
    format!(
        "{THREADS}void *f(void *a) {{\n  {thread}\n  return 0;\n}}\nint main(void) {{\n  pthread_t t;\n  \
         pthread_create(&t, 0, f, 0);\n  {main}\n  pthread_join(t, 0);\n  __VERIFIER_assert(x < 2);\n}}\n"
    )
}

#[test]
fn weak_orders() {
    for (operation, is_weak) in [
        ("__atomic_store_n(&x, 1, 5);", false),
        ("__atomic_store_n(&x, 1, 3);", true),
        ("__atomic_store_n(&x, 1, y);", true),
        ("int e = 0; __atomic_compare_exchange_n(&x, &e, 1, 0, 5, 0);", true),
        ("int e = 0; __atomic_compare_exchange_n(&x, &e, 1, 0, 5, 5);", false),
        ("__sync_fetch_and_add(&x, 1);", false),
        ("__sync_lock_test_and_set(&x, 1);", true),
        ("if (0) __atomic_store_n(&x, 1, 0);", false),
    ] {
        let found = assumed(&two(operation, ""), &[]);
        let expected = "sequential consistency (first weakly ordered atomic: a.c:7:";
        assert_eq!(found.len(), usize::from(is_weak), "{operation}: {found:?}");
        assert!(found.iter().all(|line| line.starts_with(expected)), "{operation}: {found:?}");
    }
    let alone = format!("{THREADS}int main(void) {{ __atomic_store_n(&x, 1, 0); __VERIFIER_assert(x); }}");
    assert_eq!(assumed(&alone, &[]), [""; 0], "there is one thread");
}

#[test]
fn data_races() {
    let racy = two("x = 1;", "x = 0;");
    let found = assumed(&racy, &[]);
    assert_eq!(found, ["sequential consistency (data race on x: written at a.c:13, written at a.c:7)"]);
    let joined = two("x = 1;", "");
    assert_eq!(assumed(&joined, &[]), [""; 0], "main looks when the thread is over");
    assert_eq!(assumed(&joined, &["--data-race-check"]), [""; 0]);
    // Any number of threads, so that no exploration ends; the lock is what helps.
    let many = |enter: &str| {
        format!(
            "{THREADS}int lock;\nvoid *f(void *a) {{\n  {enter}\n  x = 1;\n  __VERIFIER_assert(x < 2);\n  \
             __atomic_store_n(&lock, 0, 5);\n  return 0;\n}}\nint main(void) {{\n  pthread_t t;\n  while (1)\n    \
             pthread_create(&t, 0, f, 0);\n}}\n"
        )
    };
    let locked = many("int e;\n  do e = 0; while (!__atomic_compare_exchange_n(&lock, &e, 1, 0, 5, 5));");
    assert_eq!(assumed(&locked, &[]), [""; 0]);
    let found = assumed(&many(""), &[]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("sequential consistency (data race on x: "), "{found:?}");
}

#[test]
fn statements_as_steps() {
    let source = two("x = 1;", "x = 0;");
    let found = assumed(&source, &["--atomic-statements"]);
    let expected = "each statement is one step: interleavings inside of statements are not explored";
    assert!(found.contains(&expected.to_owned()), "{found:?}");
    let alone = format!("{THREADS}int main(void) {{ x = 1; __VERIFIER_assert(x); }}");
    assert_eq!(assumed(&alone, &["--atomic-statements"]), [""; 0]);
}

#[test]
fn what_is_not_known_and_used() {
    let source = |body: &str| {
        format!(
            "{THREADS}int helper(int *);\nvoid *malloc(unsigned long);\nint next(void) {{ return x++; }}\n\
             int pure(int a) {{ return a + 1; }}\nvoid unused(void) {{ helper(&x); malloc(1); y = next() - next(); }}\n\
             int main(void) {{\n  int i = 0, a[2] = {{0, 0}};\n  {body}\n  __VERIFIER_assert(i < 9 && a[0] < 9);\n}}\n"
        )
    };
    assert_eq!(assumed(&source(""), &[]), [""; 0], "nobody calls `unused`");
    for (body, kind) in [
        ("helper(&y);", "'helper' is not defined"),
        ("malloc(4);", "allocation is assumed never to fail (a.c:"),
        ("y = next() - next();", "operands are evaluated from left to right here"),
        ("x += next();", "operands are evaluated from left to right here"),
    ] {
        let found = assumed(&source(body), &[]);
        assert!(found.len() == 1 && found[0].starts_with(kind), "{body}: {found:?}");
    }
    for body in [
        "y = pure(1) + pure(2);",
        "a[i++] = pure(y);",
        "y = next() && next();",
        "x = next();",
        "if (0) malloc(4);",
    ] {
        assert_eq!(assumed(&source(body), &[]), [""; 0], "{body}");
    }
}

#[test]
fn every_form_of_the_answer_has_them() {
    let folder = Folder::with(&two("__atomic_store_n(&x, 1, 0);", ""));
    let line = "sequential consistency (first weakly ordered atomic: a.c:7:3)";
    let (code, text) = folder.run(&["-q", "--sarif", "a.sarif", "--witness", "a.yml"]);
    assert_eq!((code, text), (0, format!("assuming: {line}\nVERIFICATION SUCCESSFUL\n")));
    let sarif: serde_json::Value = serde_json::from_str(&folder.read("a.sarif")).unwrap();
    let run = &sarif["runs"][0];
    assert_eq!(run["properties"]["assumptions"][0]["text"], line);
    let notification = &run["invocations"][0]["toolExecutionNotifications"][0];
    assert_eq!(
        (&notification["level"], &notification["message"]["text"]),
        (&"note".into(), &format!("assuming: {line}").into())
    );
    assert!(folder.read("a.yml").starts_with(&format!("# assuming: {line}\n- entry_type: ")));
    let (_, json) = folder.run(&["--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let assumption = &json["assumptions"][0];
    assert_eq!((&assumption["kind"], &assumption["text"]), (&"sequential-consistency".into(), &line.into()));
    assert_eq!((&assumption["position"]["line"], &json["answer"]), (&7.into(), &"safe".into()));
}

#[test]
fn strictly_nothing_is_assumed() {
    let folder = Folder::with(&two("__atomic_store_n(&x, 1, 0);", ""));
    let (code, text) = folder.run(&["-q", "--strict", "--witness", "a.yml"]);
    let expected = "assuming: sequential consistency (first weakly ordered atomic: a.c:7:3)\n\
        reason: no violation, but --strict allows no assumption: sequential consistency (first weakly ordered atomic: a.c:7:3)\n\
        VERIFICATION UNKNOWN\n";
    assert_eq!((code, text.as_str()), (5, expected));
    assert!(!folder.0.join("a.yml").exists(), "there is no answer to write");
    let (code, text) = Folder::with(&two("__atomic_store_n(&x, 1, 5);", "")).run(&["-q", "--strict"]);
    assert_eq!((code, text.as_str()), (0, "VERIFICATION SUCCESSFUL\n"));
}

#[test]
fn what_holds_trivially_is_counted() {
    let source = format!(
        "{THREADS}void unused(void) {{ __VERIFIER_assert(0); }}\n\
         int main(void) {{ __VERIFIER_assert(1); if (x) __VERIFIER_assert(y); }}"
    );
    let folder = Folder::with(&source);
    let (code, text) = folder.run(&[]);
    assert!(code == 0 && text.starts_with("3 properties: 3 hold trivially\n"), "{text}");
    let (_, text) = folder.run(&["--show-properties"]);
    for part in ["assertion `0` does not hold", "assertion `1` does not hold", "assertion `y` does not hold"]
    {
        assert!(text.contains(part), "{text}");
    }
    let said = |source: &str| {
        let folder = Folder::with(source);
        let output =
            Command::new(env!("CARGO_BIN_EXE_monabs")).current_dir(&folder.0).arg("a.c").output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    assert_eq!(said(&source), "");
    assert!(said("int main(void) { return 0; }").contains("there is no property to check"));
}

#[test]
fn what_went_wrong_is_said_once() {
    for (main, args, expected) in [
        ("int a[4]; int i = x + 4; a[i] = 1;", &[][..], "index i is outside of a[4]"),
        ("y = 1 / x;", &[], "division by zero"),
        ("__VERIFIER_assert(x == 1);", &[], "assertion `x == 1` does not hold"),
        ("int *p = 0; if (y == 0) *p = 1;", &["--pointer-check"], "a null pointer is dereferenced"),
        ("y = 2147483647; y = y + 1;", &["--signed-overflow-check"], "signed overflow in addition"),
        ("y = 32; x = 1 << y;", &["--shift-check"], "shift by a negative amount, or by 32 or more"),
        ("out: x = 1;", &["--error-label", "out"], "label out is reached"),
    ] {
        let (code, text) = Folder::with(&format!("{THREADS}int main(void) {{\n  {main}\n}}\n")).run(args);
        assert_eq!(code, 10, "{main}: {text}");
        assert_eq!(text.matches(expected).count(), 1, "{main}: {text}");
        assert!(!text.contains("__monabs"), "{text}");
    }
    let racy = Folder::with(&two("x = 1;", "y = x;"));
    let (code, text) = racy.run(&["--data-race-check"]);
    assert_eq!(code, 10, "{text}");
    let expected = "data race on x: thread 0 reads it at a.c:13, thread 1 writes it at a.c:7\n";
    assert_eq!(text.matches(expected).count(), 1, "{text}");
    assert_eq!(text.matches("data race").count(), 1, "{text}");
}

/// Each thread has its own `own`, of which the other gets the address: it is zero, whoever's it is.
#[test]
fn addresses_of_thread_local_variables() {
    let source = |main: &str| {
        format!(
            "{THREADS}int *p;\nstatic _Thread_local int own;\nvoid *f(void *a) {{\n  p = &own;\n  own = *p;\n  \
             __VERIFIER_assert(own == 1);\n  return 0;\n}}\nint main(void) {{\n  pthread_t t;\n  {main}\n  \
             pthread_create(&t, 0, f, 0);\n  pthread_create(&t, 0, f, 0);\n}}\n"
        )
    };
    let (code, text) = Folder::with(&source("")).run(&["--timeout", "20"]);
    assert_eq!(code, 10, "{text}");
    assert!(text.contains("assertion `own == 1` does not hold"), "{text}");
    let (code, text) = Folder::with(&source("__VERIFIER_assert(x);")).run(&["--timeout", "20"]);
    assert_eq!(code, 10, "this run does not come near: {text}");
}
