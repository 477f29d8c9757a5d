//! The solvers from outside: answers, cores, models and limits of all back ends, against each other and brute force.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at the first broken assumption"
)]

mod answers;
mod cubes;
mod differential;
mod interpolants;
mod limits;
mod random;
mod speed;

use smt::{Config, Solver, SolverChoice, Sort, Symbol, Term, create};

/// The solvers that are there. z3 as a program comes with the library; whoever has cvc5 tests that, too.
fn choices() -> Vec<SolverChoice> {
    let mut choices = vec![SolverChoice::default(), SolverChoice::Z3Pipe];
    choices.dedup();
    #[cfg(any(feature = "cadical", feature = "batsat"))]
    choices.extend(smt::sat::SatChoice::ALL.iter().map(|&choice| SolverChoice::Sat(choice)));
    if create(&SolverChoice::Cvc5, &Config::default()).is_ok() {
        choices.push(SolverChoice::Cvc5);
    } else {
        eprintln!("SKIPPED: there is no cvc5 on the path, so nothing was asked to it");
    }
    choices
}

/// A solver that checks its models.
fn solver(choice: &SolverChoice) -> Box<dyn Solver> {
    create(choice, &Config { check_models: true, ..Config::default() }).expect("the solver starts")
}

fn bits(name: &str, width: u32) -> Term {
    Term::constant(Symbol::new(name), Sort::BitVec(width))
}

fn truth(name: &str) -> Term {
    Term::constant(Symbol::new(name), Sort::Bool)
}
