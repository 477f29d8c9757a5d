//! Invariants of correctness witnesses, each as an assertion in the source, against all states of the program.
//!
//! The assertion is evaluated in one step, so it sees what a thread that is about to execute the statement sees. The states are those of the interpreter: nothing that found the invariants takes part.

#![allow(clippy::unwrap_used, reason = "helpers of tests may stop at the first broken assumption, too")]

use frontend::lower;
use frontend::preprocess::PreprocessOptions;
use frontend::program::interpret::{ExploreOptions, explore};
use frontend::reduce::{self, reduce};
use frontend::translate::translate_file;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Line, column and expression.
type Invariant = (usize, usize, String);

/// The invariants of the witness for a file.
fn invariants(file: &Path) -> Vec<Invariant> {
    let folder = tempfile::tempdir().unwrap();
    let witness = folder.path().join("w.yml");
    let output = Command::new(env!("CARGO_BIN_EXE_impara"))
        .args(["--timeout", "100", "--witness"])
        .args([witness.as_path(), file])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.ends_with("VERIFICATION SUCCESSFUL\n"), "{}: {text}", file.display());
    let text = std::fs::read_to_string(witness).unwrap();
    let value = |line: &str| line.split_once(": ").unwrap().1.trim_matches('"').to_owned();
    let find = |word: &str| -> Vec<String> {
        text.lines().filter(|line| line.trim_start().starts_with(word)).map(value).collect()
    };
    let (lines, columns, values) = (find("line:"), find("column:"), find("value:"));
    assert!(lines.len() == columns.len() && lines.len() == values.len(), "{text}");
    let places = lines.into_iter().zip(columns).zip(values);
    places.map(|((line, column), value)| (line.parse().unwrap(), column.parse().unwrap(), value)).collect()
}

/// The source with an assertion before each statement that an invariant is about.
fn instrumented(source: &str, invariants: &[Invariant]) -> String {
    let mut lines: Vec<String> = source.lines().map(str::to_owned).collect();
    let mut sorted = invariants.to_vec();
    // From right to left, so that columns stay what they are.
    sorted.sort_by(|one, other| other.cmp(one));
    for (line, column, value) in sorted {
        let text = format!("__VERIFIER_atomic_begin(); assert({value}); __VERIFIER_atomic_end(); ");
        lines[line - 1].insert_str(column - 1, &text);
    }
    format!("void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);\n{}\n", lines.join("\n"))
}

/// The properties of a text that are violated by so many threads, all states seen.
fn violated(text: &str, threads: usize) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("instrumented.c");
    std::fs::write(&path, text).unwrap();
    let translated =
        translate_file(&path, &PreprocessOptions::default(), &lower::Options::default(), &[]).unwrap();
    let (program, _) = reduce(translated.program, &reduce::Options::default());
    let found = explore(&program, threads, &ExploreOptions::default()).unwrap();
    assert!(found.complete || !found.violated.is_empty());
    found.violated.into_keys().collect()
}

fn examine(file: &Path, threads: usize, least: usize) -> Vec<Invariant> {
    let source = std::fs::read_to_string(file).unwrap();
    let invariants = invariants(file);
    assert!(invariants.len() >= least, "{}: {invariants:?}", file.display());
    let text = instrumented(&source, &invariants);
    assert_eq!(violated(&text, threads), [""; 0], "{text}");
    invariants
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c").join(name)
}

#[test]
#[ignore = "witnesses of this file have no invariants yet"]
fn what_is_claimed_holds_in_every_state() {
    let found = examine(&source("counters.c"), 3, 8);
    let all: Vec<&str> = found.iter().map(|(_, _, value)| value.as_str()).collect();
    // Bounds of a loop are found, and nothing is said about the mutex, whose insides are the library's.
    assert!(all.iter().any(|value| value.contains("i <=") || value.contains("<= i")), "{all:?}");
    assert!(all.iter().all(|value| !value.contains("m.") && !value.contains("arg")), "{all:?}");
    examine(&source("handover.c"), 3, 1);
}

#[test]
fn an_assertion_in_the_source_sees_what_is_wrong() {
    // The same way to check finds a claim that does not hold.
    let file = source("counters.c");
    let text = std::fs::read_to_string(&file).unwrap();
    let (line, column) = text
        .lines()
        .enumerate()
        .find_map(|(number, line)| Some((number + 1, line.find("pushed++")? + 1)))
        .unwrap();
    let wrong = instrumented(&text, &[(line, column, "(pushed <= 1)".to_owned())]);
    assert_eq!(violated(&wrong, 3).len(), 1);
}
