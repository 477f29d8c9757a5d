//! The program from outside: verdicts, exit statuses, proofs in files.

#![allow(clippy::unwrap_used, reason = "helpers of tests may stop at the first broken assumption, too")]

use std::path::{Path, PathBuf};
use std::process::Command;

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c").join(name)
}

/// The last line of the output, and the exit status.
fn impara(args: &[&str], file: &str) -> (String, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_impara")).args(args).arg(source(file)).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let last = text.lines().last().unwrap_or_default().to_owned();
    (last, output.status.code().unwrap())
}

fn successful() -> (String, i32) {
    ("VERIFICATION SUCCESSFUL".to_owned(), 0)
}

fn failed() -> (String, i32) {
    ("VERIFICATION FAILED".to_owned(), 10)
}

#[test]
fn verdicts_of_programs_that_never_end() {
    assert_eq!(impara(&["--timeout", "60", "--check"], "ring.c"), successful());
    assert_eq!(impara(&["--timeout", "60", "--check", "-DLEAST=-1"], "ring.c"), failed());
    assert_eq!(impara(&["--timeout", "60", "--check"], "handover.c"), successful());
    assert_eq!(impara(&["--timeout", "60", "--check", "-DWAITS=0"], "handover.c"), failed());
}

#[test]
fn parts_can_be_switched_off() {
    for args in [
        &["--por", "none"][..],
        &["--por", "static", "--no-force"],
        &["--no-prune", "--search", "bfs"],
        &["--interpolants", "spacer"],
    ] {
        let args: Vec<&str> = args.iter().copied().chain(["--timeout", "60", "--check"]).collect();
        assert_eq!(impara(&args, "handover.c"), successful(), "{args:?}");
    }
}

#[test]
fn what_is_not_known_is_not_said() {
    let unknown = ("VERIFICATION UNKNOWN".to_owned(), 5);
    assert_eq!(impara(&["--max-threads", "1"], "handover.c"), unknown);
    assert_eq!(impara(&["--max-nodes", "3"], "handover.c"), unknown);
    assert_eq!(impara(&["--context-bound", "1"], "handover.c"), unknown);
}

#[test]
fn proofs_are_checked_and_damaged_ones_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("proof");
    let name = path.to_str().unwrap();
    assert_eq!(impara(&["--proof", name], "handover.c"), successful());
    assert_eq!(impara(&["check", name], "handover.c"), ("PROOF ACCEPTED".to_owned(), 0));
    let (last, status) = impara(&["check", name, "-DWAITS=0"], "handover.c");
    assert!(last.starts_with("PROOF REJECTED") && status == 1, "{last}");
    let text = std::fs::read_to_string(&path).unwrap();
    // The first node claims that it cannot be reached.
    std::fs::write(&path, text.replacen("node 0\n", "node 0\n  label false\n", 1)).unwrap();
    let (last, status) = impara(&["check", name], "handover.c");
    assert!(last.starts_with("PROOF REJECTED") && status == 1, "{last}");
}
