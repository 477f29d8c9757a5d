//! The engines that work on a program at the same time, and the board on which they write their answers.
//!
//! The first answer ends the work. What several engines have found until all have stopped must agree: "safe" from one and a run from another is a bug in one of them, and
//! becomes an internal error that names both, never a verdict.

use crate::verify::Evidence;
use cseq::Explored;
use engine::bug::{Bug, most_alive};
use engine::search::{Exhausted, Orders};
use engine::threads::{Handshake, is_unbounded};
use frontend::program::Program;
use smt::{Config, Interrupt, SolverChoice};
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use terminal::words::plural;

/// Who looks for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Engine {
    /// The loop of abstraction and refinement, for any number of threads.
    Abstraction,
    /// The program is run, with few threads.
    Search,
    /// All schedules of some rounds at once: bounded, for threads that are told apart.
    Cseq,
    /// Lazy abstraction with interpolants, for a fixed number of threads.
    Impara,
}

impl Engine {
    /// All of them.
    pub const ALL: [Engine; 4] = [Engine::Abstraction, Engine::Search, Engine::Cseq, Engine::Impara];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Abstraction => "abstraction",
            Engine::Search => "search",
            Engine::Cseq => "cseq",
            Engine::Impara => "impara",
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What an engine has found.
#[derive(Clone, Debug)]
pub enum Answer {
    /// A real run.
    Unsafe(Bug),
    /// Why there is none.
    Safe(Evidence),
}

impl From<engine::search::Found> for Answer {
    fn from(found: engine::search::Found) -> Answer {
        match found {
            engine::search::Found::Bug(bug) => Answer::Unsafe(bug),
            engine::search::Found::Exhausted(exhausted) => Answer::Safe(Evidence::Exhausted(exhausted)),
            engine::search::Found::Orders(orders) => Answer::Safe(Evidence::Orders(orders)),
        }
    }
}

/// Where engines write answers.
pub(crate) struct Board<'a> {
    over: &'a AtomicBool,
    program: &'a Program,
    /// So many threads are alive at once, says the user: runs of more do not count.
    bound: Option<u128>,
    answers: Mutex<Vec<(Engine, Answer)>>,
}

impl<'a> Board<'a> {
    pub(crate) fn new(over: &'a AtomicBool, program: &'a Program, bound: Option<u128>) -> Board<'a> {
        Board { over, program, bound, answers: Mutex::new(Vec::new()) }
    }

    /// Whether a run has no more threads alive at once than the user says.
    pub(crate) fn counts(&self, bug: &Bug) -> bool {
        self.bound.is_none_or(|bound| most_alive(self.program, &bug.run) as u128 <= bound)
    }

    /// Writes an answer, and ends the others' work. Says whether there is one.
    pub(crate) fn write(&self, engine: Engine, answer: Option<Answer>) -> bool {
        let Some(answer) = answer else { return false };
        if matches!(&answer, Answer::Unsafe(bug) if !self.counts(bug)) {
            return false;
        }
        if let Ok(mut answers) = self.answers.lock() {
            answers.push((engine, answer));
        }
        self.over.store(true, Ordering::Relaxed);
        true
    }

    /// The first answer, if there is one and none contradicts it. A proof that supposes a bound on the threads that are alive at once says nothing about a run of more.
    pub(crate) fn agreed(
        self,
        program: &Program,
        bound: Option<u128>,
    ) -> Result<Option<(Engine, Answer)>, String> {
        // A thread that panicked while it held the lock has said so itself.
        let answers = self.answers.into_inner().unwrap_or_default();
        let found = |safe: bool| answers.iter().find(|(_, answer)| matches!(answer, Answer::Safe(_)) == safe);
        if let (Some((one, Answer::Safe(evidence))), Some((other, Answer::Unsafe(bug)))) =
            (found(true), found(false))
            && bound.is_none_or(|bound| bug.run.threads as u128 <= bound)
        {
            let name = program.properties.get(bug.property).map_or("", |property| &property.name);
            let steps = bug.run.steps.len();
            return Err(format!(
                "the engines disagree: {one} has shown that the program is safe ({}), {other} has a run of {steps} steps to {name}",
                summary(evidence)
            ));
        }
        Ok(answers.into_iter().next())
    }
}

/// Evidence in a few words.
fn summary(evidence: &Evidence) -> String {
    match evidence {
        Evidence::Proof(proof) => {
            format!("a proof of {}", plural(proof.elements.len() + proof.invariants.len(), "element"))
        }
        Evidence::Exhausted(Exhausted { threads, states }) => {
            format!("{} of {}", plural(states, "state"), plural(threads, "thread"))
        }
        Evidence::Orders(Orders { threads, states, .. }) => {
            format!("all orders of {}, {}", plural(threads, "thread"), plural(states, "state"))
        }
        Evidence::Bounded(Explored { rounds, threads, .. }) => {
            format!("{} of {}", plural(rounds, "turn"), plural(threads, "thread"))
        }
        Evidence::Tree(proof) => proof.summary(),
    }
}

/// All schedules of some rounds at once, deeper and deeper: [`cseq`]. Beside the search by running, it has the bugs that many values or long ways hide.
pub(crate) fn bounded(program: &Program, threads: Option<usize>, interrupt: &Interrupt) -> Option<Answer> {
    let config = Config { interrupt: interrupt.clone(), ..Config::default() };
    let default = cseq::Options::default();
    let options = cseq::Options { threads: threads.unwrap_or(default.threads), ..default };
    let outcome = cseq::verify(program, &options, &config, &mut |_, _| !interrupt.is_stopped());
    match outcome {
        Ok(cseq::Outcome { verdict: cseq::Verdict::Bug(bug), .. }) => Some(Answer::Unsafe(bug)),
        Ok(cseq::Outcome { verdict: cseq::Verdict::Safe(explored), .. }) => {
            Some(Answer::Safe(Evidence::Bounded(explored)))
        }
        Ok(_) => None,
        Err(error) => {
            log::warn!("cseq: {error}");
            None
        }
    }
}

/// Lazy abstraction with interpolants: [`impara`]. It has the proofs that need neither counting nor an end of all loops, where the number of threads is fixed.
/// Elsewhere only proofs without a tree are tried.
pub(crate) fn tree(
    program: &Program,
    solver: &SolverChoice,
    with_tree: bool,
    interrupt: &Interrupt,
) -> Option<Answer> {
    let config = Config { interrupt: interrupt.clone(), ..Config::default() };
    let default = impara::Options::default();
    let max_nodes = if with_tree { default.max_nodes } else { 0 };
    let options = impara::Options { solver: solver.clone(), config, max_nodes, ..default };
    match impara::verify(program, &options, false) {
        Ok(impara::Outcome { verdict: impara::Verdict::Bug(bug), .. }) => Some(Answer::Unsafe(bug)),
        Ok(impara::Outcome { verdict: impara::Verdict::Safe(proof), .. }) => {
            Some(Answer::Safe(Evidence::Tree(proof)))
        }
        Ok(impara::Outcome { verdict: impara::Verdict::Unknown(why), .. }) => {
            match why {
                impara::Unknown::Nodes(0) => log::info!("impara: no proof without a tree was found"),
                why => log::info!("impara: {}", why.text(program)),
            }
            None
        }
        Err(error) => {
            log::warn!("impara: {error}");
            None
        }
    }
}

/// Whether a tree over a fixed number of threads may come to an end: threads can be told apart, and none is created again and again on no condition.
pub(crate) fn suits_trees(program: &Program) -> bool {
    Handshake::of(program).is_ok_and(|handshake| !is_unbounded(program, &handshake))
}

#[cfg(test)]
mod tests {
    use super::*;
    use frontend::program::Run;
    use frontend::program::text::read;

    /// Both pieces of evidence are named, and there is no verdict.
    #[test]
    fn a_contradiction_is_an_internal_error() {
        let program = read(
            "program 1\nlocation 0\nlocation 1\nmain 0\nedge 0: 0 -> 1\nproperty p assertion \"p\" at 1\n",
        )
        .unwrap();
        let over = AtomicBool::new(false);
        let bug = Bug { run: Run { threads: 3, initial: Vec::new(), steps: Vec::new() }, property: 0 };
        let board = Board::new(&over, &program, None);
        assert!(!board.write(Engine::Search, None));
        assert!(!over.load(Ordering::Relaxed));
        assert!(board.write(Engine::Search, Some(Answer::Unsafe(bug.clone()))));
        assert!(over.load(Ordering::Relaxed));
        let exhausted = Exhausted { threads: 2, states: 7 };
        assert!(board.write(Engine::Cseq, Some(Answer::Safe(Evidence::Exhausted(exhausted)))));
        let message = board.agreed(&program, Some(3)).unwrap_err();
        for part in ["cseq", "7 states of 2 threads", "search", "run of 0 steps to p"] {
            assert!(message.contains(part), "{message}");
        }
        // The proof is about two threads, the run has three.
        let board = Board::new(&over, &program, None);
        board.write(Engine::Search, Some(Answer::Unsafe(bug)));
        board.write(Engine::Abstraction, Some(Answer::Safe(Evidence::Exhausted(exhausted))));
        let agreed = board.agreed(&program, Some(2)).unwrap();
        assert!(matches!(agreed, Some((Engine::Search, Answer::Unsafe(_)))));
    }
}
