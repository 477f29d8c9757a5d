//! Threads that are created and joined in loops: safe programs are proved, unsafe ones refuted, and every proof and run is judged. `CREATE_JOIN=all` takes all programs with 2 to 8 threads: their judges look at all states, which takes minutes.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may stop at the first broken assumption, too"
)]

use engine::search::{Found, Search};
use frontend::preprocess::PreprocessOptions;
use frontend::program::Program;
use frontend::reduce::{self, reduce};
use frontend::translate::{Source, translate_files};
use monabs::limits::Limits;
use monabs::verify::Options;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tests::create_join::{Argument, Protection, Task};
use tests::programs::judge::{Answer, ask};
use tests::repository::entry_points;

/// On a machine that has much else to do; most take less than a second.
const PATIENCE: Duration = Duration::from_secs(300);

fn program(task: &Task) -> Program {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("task.c");
    std::fs::write(&path, task.text()).unwrap();
    let source = Source { path, options: PreprocessOptions::default() };
    let lower = frontend::lower::Options::default();
    match translate_files(&[source], &lower, &[], &entry_points("")) {
        Ok(translation) => reduce(translation.program, &reduce::Options::default()).0,
        Err(errors) => {
            panic!("{task}: {}", errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
        }
    }
}

fn tasks() -> Vec<Task> {
    let all = std::env::var("CREATE_JOIN").is_ok_and(|value| value == "all");
    let counts: &[u32] = if all { &[2, 3, 4, 5, 6, 7, 8] } else { &[2, 3] };
    counts.iter().flat_map(|threads| Task::all(*threads)).collect()
}

#[test]
fn twins_have_the_expected_verdicts() {
    for task in tasks() {
        let mut limits = Limits::none();
        limits.time = Some(PATIENCE);
        let options = Options { limits, ..Options::default() };
        let started = Instant::now();
        let answer = frontend::parse::on_large_stack(|| ask(&program(&task), &options));
        println!("{task}: {answer:?} in {:?}", started.elapsed());
        match answer {
            Ok(Answer::Safe) => assert!(task.safe, "{task} is not safe\n{}", task.text()),
            Ok(Answer::Unsafe(_)) => assert!(!task.safe, "{task} is safe\n{}", task.text()),
            Ok(Answer::Unknown(reason)) => panic!("{task}: no verdict: {reason}"),
            Err(fault) => panic!("{task}: {fault}"),
        }
    }
}

/// The number of states that are enough grows by so many for each thread, not by a factor.
#[test]
fn states_grow_with_the_number_of_threads() {
    let states = |threads: u32| {
        let (protection, argument) = (Protection::Atomic, Argument::Value);
        let task = Task { threads, protection, argument, results: true, safe: true };
        let program = frontend::parse::on_large_stack(|| program(&task));
        match Search::new(&program, 6).first(&AtomicBool::new(false)) {
            Some(Found::Orders(orders)) => orders.states,
            other => panic!("{task}: {other:?}"),
        }
    };
    let counts: Vec<usize> = [3, 5, 7].into_iter().map(states).collect();
    println!("{counts:?}");
    assert_eq!(counts[1] - counts[0], counts[2] - counts[1], "{counts:?}");
}
