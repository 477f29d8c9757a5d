//! The C programs under `examples/c/`, `examples/drivers/`, `examples/locks/`, `examples/thesis/` and `examples/walk/`: no verdict is the opposite of the expected one, and few
//! are missing.
//!
//! Proofs are read back from their text and verified, runs are replayed. Files that may stay without a verdict are listed here, each folder by
//! itself; they get little time, just enough for a wrong verdict to show. All others must be answered.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may stop at the first broken assumption, too"
)]

use frontend::preprocess::PreprocessOptions;
use frontend::program::Program;
use frontend::reduce::{self, reduce};
use frontend::translate::{Source, translate_files};
use monabs::limits::Limits;
use monabs::verify::Options;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use tests::programs::judge::{Answer, ask};
use tests::repository::{entry_points, environment, root};

/// How long a file may take that must be answered, on a machine that has much else to do; most take less than a second.
const PATIENCE: Duration = Duration::from_secs(300);
/// How long the others may take.
const LITTLE: Duration = Duration::from_secs(2);

/// Files in `examples/c` that may stay without a verdict: objects on the heap (create-join-heap), numbers without an end (seqlock-writer), sums of several variables
/// (several-locks), contents of arrays (the others).
const MAY_BE_UNKNOWN_C: &[&str] =
    &["create-join-heap.c", "semaphore-buffer.c", "seqlock-writer.c", "several-locks.c"];
/// Files in `examples/locks` that may stay without a verdict: nodes on the waiter's stack or on the heap (clh, k42, mcs, treiber), arrays of tickets
/// (ring-multi, ticket-partitioned), two turns for one ticket (task-fair, phase-fair), sums that data decides (eventcount, refcount-weak).
const MAY_BE_UNKNOWN_LOCKS: &[&str] = &[
    "clh.c",
    "eventcount.c",
    "k42.c",
    "mcs.c",
    "refcount-weak.c",
    "ring-multi.c",
    "rwlock-phase-fair.c",
    "rwlock-task-fair.c",
    "ticket-partitioned.c",
    "treiber.c",
];
/// Files in `examples/thesis` that may stay without a verdict.
const MAY_BE_UNKNOWN_THESIS: &[&str] = &[];
/// Files in `examples/walk` that may stay without a verdict: none, for newcomers are to get the answers that its text shows.
const MAY_BE_UNKNOWN_WALK: &[&str] = &[];

/// The programs of a folder, at least so many.
fn files(folder: &str, at_least: usize) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join(folder)).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    let is_program = |path: &PathBuf| {
        path.extension().is_some_and(|e| e == "c")
            && std::fs::read_to_string(path).unwrap().starts_with("// EXPECT: ")
    };
    files.retain(is_program);
    files.sort();
    assert!(files.len() >= at_least, "only {} programs in {folder}", files.len());
    files
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

fn small(path: &Path, text: &str) -> Program {
    let preprocess = PreprocessOptions { environment: environment(text), ..PreprocessOptions::default() };
    let source = Source { path: path.to_owned(), options: preprocess };
    match translate_files(&[source], &frontend::lower::Options::default(), &[], &entry_points(text)) {
        Ok(translation) => reduce(translation.program, &reduce::Options::default()).0,
        Err(errors) => panic!("{}", errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")),
    }
}

/// What a file's `OPTIONS` line says about the number of threads.
fn max_live_threads(text: &str) -> Option<u128> {
    let options = text.lines().find_map(|line| line.strip_prefix("// OPTIONS: "))?;
    let power = options.strip_prefix("--max-live-threads 2^")?;
    Some(1 << power.parse::<u32>().unwrap())
}

/// What is wrong with the answer, if anything.
fn check(path: &Path, may_be_unknown: bool) -> Option<String> {
    let text = std::fs::read_to_string(path).unwrap();
    let is_unsafe = text.starts_with("// EXPECT: unsafe");
    let mut limits = Limits::none();
    limits.time = Some(if may_be_unknown { LITTLE } else { PATIENCE });
    let started = Instant::now();
    let options = Options { limits, max_live_threads: max_live_threads(&text), ..Options::default() };
    let answer = frontend::parse::on_large_stack(|| ask(&small(path, &text), &options));
    println!("{}: {answer:?} in {:?}", name(path), started.elapsed());
    match answer {
        Ok(Answer::Safe) if !is_unsafe => None,
        Ok(Answer::Unsafe(_)) if is_unsafe => None,
        Ok(Answer::Unknown(_)) if may_be_unknown => None,
        Ok(Answer::Unknown(reason)) => Some(format!("{}: no verdict: {reason}", name(path))),
        Ok(answer) => Some(format!("{}: a wrong verdict: {answer:?}", name(path))),
        Err(fault) => Some(format!("{}: {fault}", name(path))),
    }
}

/// Checks all programs of a folder, two at a time.
fn check_all(folder: &str, at_least: usize, may_be_unknown: &[&str]) {
    let files = files(folder, at_least);
    for listed in may_be_unknown {
        assert!(files.iter().any(|path| name(path) == *listed), "there is no {listed}");
    }
    let open = Mutex::new(files.iter());
    let faults = Mutex::new(Vec::new());
    let work = || {
        loop {
            let Some(path) = open.lock().unwrap().next() else { return };
            if let Some(fault) = check(path, may_be_unknown.contains(&name(path).as_str())) {
                faults.lock().unwrap().push(fault);
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    let faults = faults.into_inner().unwrap();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn examples_have_the_expected_verdicts() {
    check_all("examples/c", 110, MAY_BE_UNKNOWN_C);
}

#[test]
fn drivers_have_the_expected_verdicts() {
    check_all("examples/drivers", 20, &[]);
}

#[test]
fn locks_have_the_expected_verdicts() {
    check_all("examples/locks", 60, MAY_BE_UNKNOWN_LOCKS);
}

#[test]
fn programs_of_the_thesis_have_the_expected_verdicts() {
    check_all("examples/thesis", 41, MAY_BE_UNKNOWN_THESIS);
}

#[test]
fn programs_of_the_first_walk_have_the_expected_verdicts() {
    check_all("examples/walk", 5, MAY_BE_UNKNOWN_WALK);
}
