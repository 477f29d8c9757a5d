//! Every example answers what its first line expects, with every algorithm; each answer is checked.

use crate::support::Folder;
use std::path::{Path, PathBuf};

fn examples() -> Vec<(PathBuf, i32)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let mut files = vec![folder.join("ticket.emdr")];
    files.extend(std::fs::read_dir(folder.join("emdr")).unwrap().map(|entry| entry.unwrap().path()));
    files.sort();
    assert!(files.len() > 30, "{files:?}");
    files.into_iter().map(|path| (path.clone(), expected(&path))).collect()
}

fn expected(path: &Path) -> i32 {
    let text = std::fs::read_to_string(path).unwrap();
    match text.lines().next().unwrap_or_default() {
        "# EXPECT: coverable" => 10,
        "# EXPECT: uncoverable" => 0,
        other => panic!("{}: the first line says nothing: {other}", path.display()),
    }
}

#[track_caller]
fn all_answer(options: &[&str], timeout: &str, may_give_up: bool) {
    let folder = Folder::new();
    for (path, code) in examples() {
        let run = folder.run(&[options, &["--check", "--timeout", timeout, path.to_str().unwrap()]].concat());
        assert!(run.code == Some(code) || (may_give_up && run.code == Some(5)), "expected {code}: {run:#?}");
    }
}

#[test]
fn by_default() {
    all_answer(&[], "60", false);
}

#[test]
fn backward() {
    all_answer(&["--algorithm", "backward"], "60", false);
}

#[test]
fn widening() {
    all_answer(&["--algorithm", "widening", "--no-oracle"], "60", false);
}

#[test]
fn optimistic_alone() {
    all_answer(&["--no-oracle", "--no-reductions", "--no-state-equation"], "60", false);
}

/// The forward search does not end on all systems with transfers.
#[test]
fn forward() {
    all_answer(&["--algorithm", "forward"], "1", true);
}

#[test]
fn answers_can_be_checked_later() {
    let folder = Folder::new();
    for (path, code) in examples() {
        let path = path.to_str().unwrap();
        folder.run(&["--proof", "claim", "--trace", "claim2", path]);
        let claim = if code == 0 { "claim" } else { "claim2" };
        let run = folder.run(&["check", claim, path]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(code), ""), "{run:#?}");
        let _ = std::fs::remove_file(folder.path().join(claim));
    }
}

#[test]
fn the_ticket_lock() {
    let folder = Folder::new();
    let ticket = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/ticket.emdr");
    let ticket = ticket.to_str().unwrap();
    folder.run(&["--check", "--init", "0/2", "--target", "0|16,16", ticket]).successful();
    folder.run(&["--check", "--init", "0/2", "--target", "0|23", ticket]).failed();
}
