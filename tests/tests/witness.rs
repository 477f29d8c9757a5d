//! What a witness of correctness says holds: each claim is put into the source as an assertion where it is said to hold, and engines that had no part in finding it are asked.
//!
//! `WITNESS_RANDOM=500` looks at that many random programs.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may stop at the first broken assumption, too"
)]

use std::fs;
use std::path::{Path, PathBuf};
use tests::binary::{Verdict, ask, monabs, two_at_a_time};
use tests::random_threads;
use tests::repository::root;

/// A claim: line, column, condition.
type Claim = (usize, usize, String);

fn claims(witness: &str) -> Vec<Claim> {
    let field = |line: &str, name: &str| line.trim().strip_prefix(name).map(|rest| rest.trim().to_owned());
    let (mut line, mut column, mut found) = (0, 0, Vec::new());
    for text in witness.lines() {
        if let Some(number) = field(text, "line: ") {
            line = number.parse().unwrap();
        } else if let Some(number) = field(text, "column: ") {
            column = number.parse().unwrap();
        } else if let Some(value) = field(text, "value: ") {
            found.push((line, column, serde_json::from_str(&value).unwrap()));
        }
    }
    found
}

/// The source with assertions. A statement that is the body of a condition without braces has no place for one.
fn instrumented(source: &str, claims: &[Claim]) -> (String, usize) {
    let mut lines: Vec<String> = source.lines().map(str::to_owned).collect();
    let mut placed = 0;
    let mut last_first = claims.to_vec();
    last_first.sort();
    for (line, column, condition) in last_first.into_iter().rev() {
        let before: String = lines[..line - 1].join("\n") + "\n" + &lines[line - 1][..column - 1];
        if before.trim_end().ends_with(['{', '}', ';']) {
            let check = format!("claimed({condition}); ");
            lines[line - 1].insert_str(column - 1, &check);
            placed += 1;
        }
    }
    let head = "extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); extern void __VERIFIER_error(void);\n\
                #define claimed(c) do { __VERIFIER_atomic_begin(); if (!(c)) __VERIFIER_error(); __VERIFIER_atomic_end(); } while (0)\n";
    (format!("{head}{}\n", lines.join("\n")), placed)
}

/// Numbers of claims that were put into the source, and of sources that were proved with them.
fn judge(file: &Path, folder: &Path) -> (usize, usize) {
    let program = monabs().unwrap();
    let stem = file.file_stem().unwrap().to_string_lossy().into_owned();
    let witness = folder.join(format!("{stem}.yml"));
    let answer = ask(&program, file, &["--timeout", "30", "--witness", witness.to_str().unwrap()]).unwrap();
    if answer.verdict != Verdict::Safe {
        return (0, 0);
    }
    let claims = claims(&fs::read_to_string(&witness).unwrap());
    let (text, placed) = instrumented(&fs::read_to_string(file).unwrap(), &claims);
    if placed == 0 {
        return (0, 0);
    }
    let path = folder.join(format!("{stem}-claims.c"));
    fs::write(&path, &text).unwrap();
    let include = format!("-I{}", file.parent().unwrap().display());
    let options = [include.as_str(), "--timeout", "20", "--engine", "search,abstraction"];
    let answer = ask(&program, &path, &options).unwrap();
    assert!(
        matches!(answer.verdict, Verdict::Safe | Verdict::Unknown),
        "{}: a claim does not hold\n{}{}\n{text}",
        file.display(),
        answer.output,
        answer.messages
    );
    (placed, usize::from(answer.verdict == Verdict::Safe))
}

fn judge_all(files: &[PathBuf], folder: &Path) -> (usize, usize) {
    let counts = two_at_a_time(files, |file| judge(file, folder));
    counts.into_iter().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
}

#[test]
fn claims_about_examples_hold() {
    let folder = tempfile::tempdir().unwrap();
    let names =
        ["examples/c/peterson.c", "examples/c/join.c", "impara/tests/c/handover.c", "impara/tests/c/ring.c"];
    let files: Vec<PathBuf> = names.iter().map(|name| root().join(name)).collect();
    let (claims, proved) = judge_all(&files, folder.path());
    assert!(claims >= 9 && proved >= 2, "{claims} claims, {proved} programs proved with them");
}

#[test]
fn claims_about_random_programs_hold() {
    let folder = tempfile::tempdir().unwrap();
    let number = std::env::var("WITNESS_RANDOM").ok().and_then(|number| number.parse().ok()).unwrap_or(12);
    let write = |seed: u64| {
        // The question is what holds, not whether somebody's claim does.
        let text = random_threads::program(seed);
        let (start, _) = text.split_once("  __CPROVER_assert(").unwrap();
        let (_, end) = text.split_once("\"claim\");\n").unwrap();
        let path = folder.path().join(format!("random-{seed}.c"));
        fs::write(&path, format!("{start}  __CPROVER_assert(s + t >= 0, \"sum\");\n{end}")).unwrap();
        path
    };
    let files: Vec<PathBuf> = (0..number).map(write).collect();
    let (claims, proved) = judge_all(&files, folder.path());
    println!("{claims} claims, {proved} programs proved with them");
    assert!(claims > 0 && proved > 0, "{claims} claims, {proved} programs proved with them");
}
