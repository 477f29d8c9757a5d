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
fn elements_of_arrays_are_told_apart_by_the_values_of_indices() {
    assert_eq!(impara(&["--timeout", "60", "--check"], "copies.c"), successful());
    assert_eq!(impara(&["--timeout", "60", "--check", "-DLAST=11"], "copies.c"), failed());
}

#[test]
fn the_drawing_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tree.dot");
    assert_eq!(impara(&["--dot", path.to_str().unwrap()], "handover.c"), successful());
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("style=dashed") && text.contains("shape=point"), "{text}");
    // So many boxes fit on a page.
    assert!(
        text.lines().filter(|line| line.contains("[label=") && !line.contains("->")).count() <= 60,
        "{text}"
    );
}

#[test]
fn divergence_is_explained() {
    let output = Command::new(env!("CARGO_BIN_EXE_impara"))
        .args(["--no-modular", "--max-nodes", "300"])
        .arg(source("levels.c"))
        .output()
        .unwrap();
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    for part in ["formulas on the longest path", "differ from", "in numbers only", "VERIFICATION UNKNOWN"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // What holds at each location is enough for this one.
    assert_eq!(impara(&["--timeout", "60", "--check"], "levels.c"), successful());
}

#[test]
fn parts_can_be_switched_off() {
    for args in [&["--por", "none"][..], &["--por", "static"]] {
        let args: Vec<&str> =
            args.iter().copied().chain(["--no-modular", "--timeout", "60", "--check"]).collect();
        assert_eq!(impara(&args, "handover.c"), successful(), "{args:?}");
    }
}

#[test]
fn what_is_not_known_is_not_said() {
    let unknown = ("VERIFICATION UNKNOWN".to_owned(), 5);
    for args in [["--max-threads", "1"], ["--max-nodes", "3"], ["--context-bound", "1"]] {
        let args = [&args[..], &["--no-modular"]].concat();
        assert_eq!(impara(&args, "handover.c"), unknown, "{args:?}");
    }
}

#[test]
fn proofs_are_checked_and_damaged_ones_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("proof");
    let name = path.to_str().unwrap();
    assert_eq!(impara(&["--no-modular", "--proof", name], "handover.c"), successful());
    assert_eq!(impara(&["check", name], "handover.c"), ("PROOF ACCEPTED".to_owned(), 0));
    // Another program: an edge of the proof is not there, or the proof is wrong.
    let (last, status) = impara(&["check", name, "-DWAITS=0"], "handover.c");
    assert!(last != "PROOF ACCEPTED" && (status == 1 || status == 2), "{last}");
    let text = std::fs::read_to_string(&path).unwrap();
    // The first node claims that it cannot be reached.
    std::fs::write(&path, text.replacen("node 0\n", "node 0\n  label false\n", 1)).unwrap();
    let (last, status) = impara(&["check", name], "handover.c");
    assert!(last.starts_with("PROOF REJECTED") && status == 1, "{last}");
}
