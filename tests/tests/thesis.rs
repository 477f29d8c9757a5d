//! The figures of Kaiser's thesis: how many states a proof takes, with how many threads.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may stop at the first broken assumption, too"
)]

use breach::Reductions;
use breach::check::verify_problem;
use breach::coverability::{Algorithm, Options};
use breach::diagnostics::Source;
use breach::proof::Proof;
use breach::system::{Problem, State};
use tests::judge::{Answer, ask};
use tests::repository::{Example, root};

const BACKWARD: [Algorithm; 3] = [Algorithm::Backward, Algorithm::Widening, Algorithm::Optimistic];

/// The algorithm as the thesis has it: without oracle and invariants.
fn plain(algorithm: Algorithm, reductions: Reductions) -> Options {
    Options { algorithm, reductions, oracle: false, invariants: false, proof: true, ..Options::default() }
}

fn proof(problem: &Problem, options: &Options) -> Proof {
    match ask(problem, options) {
        Ok(Answer::Uncoverable(proof)) => proof,
        other => panic!("{:?}: expected a proof, found {other:?}", options.algorithm),
    }
}

fn example(file: &str) -> Problem {
    Example::read(&root().join(file)).unwrap().problem
}

/// The ticket lock with another question.
fn ticket(init: &str, targets: &[&str]) -> Problem {
    let Problem { system, .. } = example("examples/ticket.emdr");
    let init = breach::emdr::parse_init(Source { name: "init", text: init }, &system).unwrap();
    let target = |text: &&str| breach::emdr::parse_target(Source { name: "target", text }, &system).unwrap();
    let targets = targets.iter().map(target).collect();
    Problem { system, init, targets }
}

/// Two threads in the critical section, whatever their bits.
fn both_critical() -> Problem {
    let mut problem = ticket("0/2", &[]);
    problem.targets = (16..24).flat_map(|i| (i..24).map(move |j| State::new(0, [i, j]))).collect();
    assert_eq!(problem.targets.len(), 36);
    problem
}

#[test]
fn figure_17_classical_backward_search() {
    let problem = example("examples/emdr/running-example.emdr");
    for reductions in [Reductions::NONE, Reductions::ALL] {
        let proof = proof(&problem, &plain(Algorithm::Backward, reductions));
        assert_eq!((proof.elements.len(), proof.max_threads()), (9, 3));
    }
}

#[test]
fn figure_20_widening() {
    let problem = example("examples/emdr/running-example.emdr");
    for algorithm in [Algorithm::Widening, Algorithm::Optimistic] {
        for reductions in [Reductions::NONE, Reductions::ALL] {
            let proof = proof(&problem, &plain(algorithm, reductions));
            assert_eq!((proof.elements.len(), proof.max_threads()), (7, 2), "{algorithm:?}");
        }
    }
}

/// "Every proper subset is not an uncoverability proof, and every state that is strictly covered by one of the 7
/// states in Figure 20 turns out to be coverable."
#[test]
fn figure_20_is_found_state_by_state() {
    let problem = example("examples/emdr/running-example.emdr");
    let proof = proof(&problem, &plain(Algorithm::Optimistic, Reductions::NONE));
    let elements: Vec<_> = proof.elements.iter().map(State::to_string).collect();
    assert_eq!(elements, ["0|1", "0|2", "1|", "2|", "3|1,2", "3|1,1", "3|2,2"]);
    for index in 0..proof.elements.len() {
        let mut part = proof.clone();
        let element = part.elements.remove(index);
        assert!(verify_problem(&problem, &part).is_err(), "{element} is not needed");
        for &(l, _) in element.threads.pairs() {
            let mut smaller = element.clone();
            smaller.threads.remove(l, 1);
            let question = Problem { targets: vec![smaller.clone()], ..problem.clone() };
            let answer = ask(&question, &plain(Algorithm::Backward, Reductions::NONE));
            assert!(matches!(answer, Ok(Answer::Coverable(_))), "{smaller} is uncoverable, too");
        }
    }
}

#[test]
fn the_ticket_lock_is_proved_with_one_pair() {
    let problem = example("examples/ticket.emdr");
    assert_eq!(problem, Problem { system: problem.system.clone(), ..ticket("0/2", &["0|16,16"]) });
    for algorithm in [Algorithm::Widening, Algorithm::Optimistic] {
        for reductions in [Reductions::NONE, Reductions::ALL] {
            let proof = proof(&problem, &plain(algorithm, reductions));
            // A thread with bits 000 is never critical, not even alone.
            assert_eq!((proof.elements.len(), proof.max_threads()), (8, 1), "{algorithm:?}");
        }
    }
}

#[test]
fn figure_12_the_ticket_lock_is_proved_with_16_states() {
    let problem = both_critical();
    for algorithm in [Algorithm::Widening, Algorithm::Optimistic] {
        for reductions in [Reductions::NONE, Reductions::ALL] {
            let proof = proof(&problem, &plain(algorithm, reductions));
            assert_eq!((proof.elements.len(), proof.max_threads()), (16, 2), "{algorithm:?}");
        }
    }
    let proof = proof(&problem, &Options { proof: true, ..Options::default() });
    assert_eq!(
        (proof.elements.len(), proof.max_threads(), proof.invariants.len()),
        (16, 2, 0),
        "the default"
    );
}

/// Section 3.3: "The search tree has 107 nodes."
#[test]
fn the_classical_search_needs_107_states_for_the_ticket_lock() {
    let proof = proof(&both_critical(), &plain(Algorithm::Backward, Reductions::NONE));
    assert_eq!((proof.elements.len(), proof.max_threads()), (107, 3));
}

#[test]
fn one_thread_gets_the_lock() {
    let problem = ticket("0/2", &["0|23"]);
    for algorithm in BACKWARD {
        match ask(&problem, &plain(algorithm, Reductions::ALL)) {
            Ok(Answer::Coverable(trace)) => assert_eq!((trace.threads.len(), trace.steps.len()), (1, 2)),
            other => panic!("{algorithm:?}: {other:?}"),
        }
    }
}

/// From the start of the program to its error state.
#[test]
fn the_assertion_in_the_ticket_lock_holds() {
    let problem = ticket("0/24", &["1|25,25"]);
    for algorithm in BACKWARD {
        let proof = proof(&problem, &plain(algorithm, Reductions::ALL));
        assert!(proof.elements.len() <= 20 && proof.max_threads() <= 2, "{algorithm:?}: {proof:?}");
    }
}
