//! What the thesis says about its own programs: section 5.1 on the test-and-set lock, chapter 3 on the ticket locks.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may stop at the first broken assumption, too"
)]

use frontend::preprocess::PreprocessOptions;
use frontend::program::Program;
use frontend::reduce::{self, reduce};
use frontend::translate::translate_file;
use monabs::predicate::Class;
use monabs::verify::{Evidence, Nobody, Options, Outcome, Verdict, verify};
use smt::Term;
use tests::repository::root;

fn program(file: &str, atomic_statements: bool) -> Program {
    let options = frontend::lower::Options { atomic_statements, ..frontend::lower::Options::default() };
    let path = root().join(file);
    match translate_file(&path, &PreprocessOptions::default(), &options, &[]) {
        Ok(translation) => reduce(translation.program, &reduce::Options::default()).0,
        Err(errors) => panic!("{}", errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")),
    }
}

fn prove(program: &Program, predicates: Vec<Term>) -> Outcome {
    let options = Options { predicates, ..Options::alone() };
    let outcome = frontend::parse::on_large_stack(|| verify(program, &options, &mut Nobody)).unwrap();
    let Verdict::Safe(Evidence::Proof(proof)) = &outcome.verdict else { panic!("{:?}", outcome.verdict) };
    let problem = &outcome.abstraction.as_ref().unwrap().problem;
    breach::check::verify_problem(problem, proof).unwrap();
    outcome
}

/// "In particular four shared, one local and one single-thread predicates are discovered." With whole statements as steps, as there.
#[test]
fn six_predicates_prove_the_test_and_set_lock() {
    let program = program("examples/tsl.c", true);
    let variable = |name: &str| {
        let found = program.variables.iter().find(|variable| variable.name.as_str().ends_with(name));
        found.unwrap_or_else(|| panic!("no variable {name}")).term()
    };
    let (c, lock, cond) = (variable("c"), variable("LOCK"), variable("COND"));
    let number = |value| Term::bv(32, value);
    let six = vec![
        c.equals(number(1)),
        lock.equals(number(0)),
        cond.equals(lock),
        c.equals(number(0)),
        lock.equals(number(1)),
        cond.equals(number(1)),
    ];
    let outcome = prove(&program, six);
    assert_eq!((outcome.statistics.iterations, outcome.predicates.len()), (1, 6));
    let count = |class| outcome.predicates.iter().filter(|(found, _)| *found == class).count();
    assert_eq!((count(Class::Shared), count(Class::Local), count(Class::SingleThread)), (4, 1, 1));
}

/// Lemma 10: there is no proof without predicates that relate threads, so the tool must have found some.
#[test]
fn ticket_locks_are_proved_with_predicates_between_threads() {
    for file in ["examples/ticket.c", "examples/thesis/25-ticket-hc.c"] {
        let outcome = prove(&program(file, false), Vec::new());
        let between = outcome.predicates.iter().filter(|(class, _)| *class == Class::InterThread).count();
        assert!(between >= 2, "{file}: {:?}", outcome.predicates);
    }
}
