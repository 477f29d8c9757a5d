//! The same input gives the same answer, proof, run, statistics and drawings: in every run, on one thread or several.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may stop at the first broken assumption, too"
)]

use breach::coverability::{Algorithm, Options, Outcome, Statistics, check_coverability};
use breach::system::{InitialStates, Problem, State, System, Transition};
use std::time::Duration;
use tests::random::Family;
use tests::repository::Example;

const ALGORITHMS: [Algorithm; 4] =
    [Algorithm::Backward, Algorithm::Widening, Algorithm::Optimistic, Algorithm::Forward];

fn run(problem: &Problem, options: &Options, threads: usize) -> Outcome {
    let options = Options { threads, proof: true, graph: true, tree: true, ..options.clone() };
    let outcome = check_coverability(problem, &options).unwrap();
    let statistics = Statistics {
        reduce_time: Duration::ZERO,
        search_time: Duration::ZERO,
        finish_time: Duration::ZERO,
        ..outcome.statistics
    };
    Outcome { statistics, ..outcome }
}

/// Runs on one thread and then on each of these numbers of threads: the answers are the same, what else differs is
/// listed. Also the statistics of the first run.
fn compare(problem: &Problem, options: &Options, threads: &[usize]) -> (Vec<String>, Statistics) {
    let first = run(problem, options, 1);
    let mut differences = Vec::new();
    for &threads in threads {
        let again = run(problem, options, threads);
        let name = format!("{:?} with {threads} threads", options.algorithm);
        assert!(first.verdict == again.verdict, "{name}: the answer differs");
        if first.statistics != again.statistics {
            differences.push(format!("{name}: {:?} instead of {:?}", again.statistics, first.statistics));
        }
        if first.graph != again.graph || first.tree != again.tree {
            differences.push(format!("{name}: the drawings differ"));
        }
    }
    (differences, first.statistics)
}

/// With transfers the forward search alone may go on for ever.
fn may_go_on(problem: &Problem, algorithm: Algorithm) -> bool {
    algorithm == Algorithm::Forward && !problem.system.is_transfer_free()
}

fn compare_all(problem: &Problem) {
    for algorithm in ALGORITHMS {
        if !may_go_on(problem, algorithm) {
            let options = Options { algorithm, ..Options::default() };
            assert_eq!(compare(problem, &options, &[2, 1, 7]).0, [""; 0]);
            let options = Options { invariants_from: 0, ..options };
            assert_eq!(compare(problem, &options, &[2]).0, [""; 0]);
        }
    }
}

#[test]
fn tiny_systems() {
    for problem in Family::ALL.iter().flat_map(|family| (0..25).flat_map(|seed| family.problems(seed))) {
        compare_all(&problem);
    }
}

#[test]
fn examples() {
    for example in Example::read_all("examples").unwrap() {
        compare_all(&example.problem);
    }
}

/// Systems that take so much work that both searches run at the same time.
#[test]
fn systems_that_use_two_threads() {
    let (mut differences, mut long) = (Vec::new(), 0);
    for problem in [walk(3, 8, 6, 7), walk(3, 9, 7, 7)] {
        for algorithm in [Algorithm::Backward, Algorithm::Widening, Algorithm::Optimistic] {
            // An invariant (nobody appears) would end it at once.
            let options = Options { algorithm, invariants: false, ..Options::default() };
            let (found, statistics) = compare(&problem, &options, &[2, 2]);
            differences.extend(found);
            long += u32::from(statistics.predecessors > 10_000 && statistics.forward_nodes > 1_000);
        }
    }
    assert!(long >= 4, "only {long} runs were long enough for two threads");
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// A number of threads walk along the local states, mostly ahead, some back, and change the shared state on their
/// way. Can so many of them (more than there are, or all) be at the end?
fn walk(shared_states: u32, local_states: u32, threads: usize, asked: usize) -> Problem {
    let mut system = System { shared_states, local_states, ..System::default() };
    let mut step = |from: (u32, u32), to: (u32, u32), rules: &[(u32, u32)]| {
        system.transitions.push(Transition {
            from: from.0,
            to: to.0,
            consume: [from.1].into_iter().collect(),
            produce: [to.1].into_iter().collect(),
            transfers: Transition::group_transfers(rules.iter().copied()),
        });
    };
    for l in 0..local_states - 1 {
        for s in 0..shared_states {
            step((s, l), ((s + l) % shared_states, l + 1), &[]);
            if (l + s) % 3 == 0 {
                step((s, l + 1), (s, l / 2), &[]);
            }
            if l == 2 {
                step((s, l), (s, 0), &[(3, 4), (3, 3)]);
            }
        }
    }
    let init = InitialStates::new(0, vec![0; threads], vec![]);
    Problem { system, init, targets: vec![State::new(0, vec![local_states - 1; asked])] }
}
