//! What shows that a program is safe, in words; or what is known if nothing does.

use super::spelling::Spelling;
use console::plural;
use cseq::Explored;
use engine::search::{Exhausted, Orders};
use engine::threads::{Handshake, is_unbounded};
use frontend::program::Program;
use monabs::predicate::Class;
use monabs::verify::{Evidence, Statistics};
use monabs::{Engine, Options, Outcome, Verdict};
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
    let spelling = Spelling::new(program);
    let shown = outcome.predicates.iter().map(|&(class, term)| Shown {
        class,
        text: spelling.text(class, term),
        term,
    });
    let mut shown: Vec<Shown> = shown.collect();
    shown.sort_by_key(|shown| shown.class);
    shown
}

/// Why the program is safe.
pub(super) fn proof(program: &Program, outcome: &Outcome, evidence: &Evidence) -> String {
    match evidence {
        &Evidence::Exhausted(Exhausted { threads, states }) => {
            format!("{}\nsafe for every number of threads\n", exhausted(threads, states))
        }
        &Evidence::Orders(Orders { threads, states, .. }) => {
            let (threads, states) = (plural(threads, "thread"), plural(states, "state"));
            format!(
                "the program has {threads}; all orders of their steps that can make a difference were tried ({states})\nsafe for every number of threads\n"
            )
        }
        &Evidence::Bounded(Explored { rounds, threads, .. }) => {
            let (turns, threads) = (plural(rounds, "turn"), plural(threads, "thread"));
            format!(
                "the program has {threads}; no schedule of {turns} each violates a property, and there are no others\nsafe for every number of threads\n"
            )
        }
        Evidence::Tree(proof) if proof.modular.is_some() => {
            format!(
                "impara: {}, whatever other threads do\nsafe for every number of threads\n",
                proof.summary()
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

/// What was visited.
fn exhausted(threads: usize, states: usize) -> String {
    let threads = plural(threads, "thread");
    match states {
        1 => format!("the only state of {threads} was visited; more threads add nothing"),
        more => format!("all {more} states of {threads} were visited; more threads add nothing"),
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
    let about = match proof_threads {
        0 => "about the shared state alone".to_owned(),
        most => format!("with at most {}", plural(most, "thread")),
    };
    text.push_str(&format!(
        "proof: {} {about}, verified\nsafe for every number of threads, after {}\n",
        plural(proof_size, "element"),
        plural(iterations, "iteration")
    ));
    text
}

/// `--explain`: why the program is safe, or what was tried, in sentences.
pub(super) fn why(program: &Program, options: &Options, outcome: &Outcome) -> String {
    match &outcome.verdict {
        Verdict::Safe(Evidence::Proof(_)) => why_abstraction(program, options, outcome),
        Verdict::Safe(Evidence::Exhausted(Exhausted { threads, states })) => format!(
            "The program was run with {} in every order: {} can be reached, none of them violates a property, and there was always a thread that \
             was not needed. So more threads can do nothing that these did not do.",
            plural(*threads, "thread"),
            plural(*states, "state")
        ),
        Verdict::Safe(Evidence::Orders(Orders { threads, states, .. })) => format!(
            "The program starts {} in all, and its loops end. Their steps were done in every order, but for orders that differ from others only in exchanges of \
             steps that do not disturb each other: {} were seen, and none violates a property.",
            plural(*threads, "thread"),
            plural(*states, "state")
        ),
        Verdict::Safe(Evidence::Bounded(Explored { rounds, threads, .. })) => format!(
            "The program starts {} in all, and its loops end: all schedules with up to {} of each thread were put into one formula, which has no \
             solution that violates a property, and there are no longer schedules.",
            plural(*threads, "thread"),
            plural(*rounds, "turn")
        ),
        Verdict::Safe(Evidence::Tree(proof)) if proof.modular.is_some() => WHY_PLACES.to_owned(),
        Verdict::Safe(Evidence::Tree(proof)) => format!(
            "The program creates {} in all. They were unwound into a tree of {}, each with a formula over the variables, which has no open \
             node and no error; a second piece of code has checked it.",
            plural(proof.threads(), "thread"),
            plural(proof.nodes.len(), "node")
        ),
        Verdict::Unsafe(_) => String::new(),
        Verdict::Unknown(_) => tried(program, options, outcome),
    }
}

/// Why a proof without a tree is one.
const WHY_PLACES: &str = "Each location has formulas about the shared variables and about those of the thread that is there. They hold at the beginning, every step of a thread leads \
    to those of its next location, and no step of another thread that can be made meanwhile breaks them; where errors are, they cannot hold. A second piece of \
    code has checked this step by step.";

fn why_abstraction(program: &Program, options: &Options, outcome: &Outcome) -> String {
    let predicates = predicates(program, outcome);
    let statistics = &outcome.statistics;
    let of_class = |class: Class| predicates.iter().filter(|shown| shown.class == class).count();
    let classes = [
        (of_class(Class::Shared), "about shared variables"),
        (of_class(Class::Local), "about a thread's own variables"),
        (of_class(Class::SingleThread), "between a thread's own and shared variables"),
        (of_class(Class::InterThread), "between a thread and all others"),
    ];
    let classes = classes.iter().filter(|(number, _)| *number > 0);
    let classes: Vec<String> = classes.map(|(number, what)| format!("{number} {what}")).collect();
    let mut text = format!("The proof keeps track of {}", plural(predicates.len(), "predicate"));
    if !classes.is_empty() {
        text.push_str(&format!(": {}", classes.join(", ")));
    }
    text.push('.');
    let between: Vec<String> = predicates
        .iter()
        .filter(|shown| shown.class == Class::InterThread)
        .map(|shown| format!("`{}`", shown.text))
        .collect();
    if !between.is_empty() {
        text.push_str(&format!(
            " What matters between threads, for every other thread and its variables: {}.",
            between.join(", ")
        ));
    }
    text.push_str(&format!(
        " {} answered {} on what each step does to them, which gives a finite system of {} for any number of threads. In it no error can be \
         reached: a proof of {} was checked by a second piece of code, which shares nothing with the search.",
        options.solver,
        plural(statistics.questions.solver, "question"),
        plural(statistics.transitions, "transition"),
        plural(statistics.proof_size, "element")
    ));
    text
}

/// What was done without an answer.
fn tried(program: &Program, options: &Options, outcome: &Outcome) -> String {
    let mut text = String::new();
    let has = |engine: Engine| options.engines.contains(&engine);
    if has(Engine::Search) {
        text.push_str(&format!(
            "Running the program with up to {} found no error, as far as that got. ",
            plural(options.search_threads, "thread")
        ));
    }
    let predicates = plural(outcome.predicates.len(), "predicate");
    match (has(Engine::Abstraction), outcome.statistics.iterations) {
        (false, _) => {}
        (true, 0) => text.push_str(&format!("The first abstraction, by {predicates}, was not finished.")),
        (true, more) => text.push_str(&format!(
            "{} with up to {predicates} did not prove it safe for every number of threads.",
            plural(more, "abstraction")
        )),
    }
    if has(Engine::Cseq) {
        text.push_str(" cseq tried schedules of a few rounds.");
    }
    if has(Engine::Impara) {
        let is_fixed = Handshake::of(program).is_ok_and(|handshake| !is_unbounded(program, &handshake));
        text.push_str(if is_fixed || options.engines.len() == 1 {
            " impara tried interpolants."
        } else {
            " impara tried only what holds at each location whatever other threads do: the number of threads is not fixed."
        });
    }
    text.trim_end().to_owned()
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
    let is_first = |index: usize| {
        predicates[..index]
            .iter()
            .all(|other| (other.class, &other.text) != (predicates[index].class, &predicates[index].text))
    };
    for index in (0..predicates.len()).filter(|index| is_first(*index)) {
        let Shown { class, text: predicate, .. } = &predicates[index];
        let same =
            predicates.iter().filter(|other| (other.class, &other.text) == (*class, predicate)).count();
        // A function that is called from several places has its variables several times.
        let copies = if same > 1 { format!("  ({same} copies)") } else { String::new() };
        text.push_str(&format!("  {:<14}{predicate}{copies}\n", class.to_string()));
    }
    let terms: Vec<Term> = predicates.iter().map(|shown| shown.term).collect();
    for line in Spelling::new(program).legend(outcome, &terms) {
        text.push_str(&format!("  where {line}\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_state_is_not_many() {
        assert_eq!(exhausted(1, 1), "the only state of 1 thread was visited; more threads add nothing");
        assert_eq!(exhausted(3, 84), "all 84 states of 3 threads were visited; more threads add nothing");
    }
}
