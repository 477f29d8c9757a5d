//! What shows that a program is safe, in words; or what is known if nothing does.

use console::plural;
use cseq::Explored;
use engine::search::Exhausted;
use frontend::program::Program;
use frontend::program::infix::Infix;
use monabs::Outcome;
use monabs::predicate::Class;
use monabs::verify::{Evidence, Statistics};
use smt::Term;

/// A predicate for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shown {
    pub(super) class: Class,
    /// As C programmers read it.
    pub(super) text: String,
    pub(super) term: Term,
}

/// The predicates of the last abstraction, by class.
pub(super) fn predicates(program: &Program, outcome: &Outcome) -> Vec<Shown> {
    let infix = Infix::new(program);
    let shown = outcome.predicates.iter().map(|&(class, term)| Shown { class, text: infix.term(term), term });
    let mut shown: Vec<Shown> = shown.collect();
    shown.sort_by_key(|shown| shown.class);
    shown
}

/// Why the program is safe.
pub(super) fn proof(program: &Program, outcome: &Outcome, evidence: &Evidence) -> String {
    match evidence {
        &Evidence::Exhausted(Exhausted { threads, states }) => {
            let (states, threads) = (plural(states, "state"), plural(threads, "thread"));
            format!(
                "all {states} of {threads} were seen; more threads can do no more\nsafe for every number of threads\n"
            )
        }
        &Evidence::Bounded(Explored { rounds, threads, .. }) => {
            let (turns, threads) = (plural(rounds, "turn"), plural(threads, "thread"));
            format!(
                "the program has {threads}; no schedule of {turns} each violates a property, and there are no others\nsafe for every number of threads\n"
            )
        }
        Evidence::Tree(proof) => {
            let (nodes, threads) = (plural(proof.nodes.len(), "node"), plural(proof.threads(), "thread"));
            format!(
                "impara: a complete tree of {nodes} for {threads}, which is all that the program creates\nsafe for every number of threads\n"
            )
        }
        Evidence::Proof(_) => by_abstraction(program, outcome),
    }
}

fn by_abstraction(program: &Program, outcome: &Outcome) -> String {
    let Statistics {
        shared_states, local_states, transitions, proof_size, proof_threads, iterations, ..
    } = outcome.statistics;
    let mut text = list(program, outcome);
    text.push_str(&format!(
        "abstraction: {}, {}, {}\n",
        plural(shared_states, "shared state"),
        plural(local_states, "local state"),
        plural(transitions, "transition")
    ));
    text.push_str(&format!(
        "proof: {} with at most {}, verified\nsafe for every number of threads, after {}\n",
        plural(proof_size, "element"),
        plural(proof_threads, "thread"),
        plural(iterations, "iteration")
    ));
    text
}

/// What is known without an answer.
pub(super) fn remains(program: &Program, outcome: &Outcome) -> String {
    let mut text = list(program, outcome);
    let iterations = outcome.statistics.iterations;
    if iterations > 0 {
        text.push_str(&format!("no answer after {}\n", plural(iterations, "iteration")));
    }
    text
}

fn list(program: &Program, outcome: &Outcome) -> String {
    let predicates = predicates(program, outcome);
    let mut text = String::new();
    if !predicates.is_empty() {
        text.push_str(&format!("{}:\n", plural(predicates.len(), "predicate")));
    }
    for Shown { class, text: predicate, .. } in &predicates {
        text.push_str(&format!("  {:<14}{predicate}\n", class.to_string()));
    }
    text
}
