//! The verdict with what shows it, in words.

use super::assumed;
use super::command::Job;
use super::reasons::Explanation;
use console::report::plural;
use console::runs::{self, Recorded};
use console::verdict::{Finding, Verdict};
use console::{Failure, Result, assumptions, listing};
use cseq::Explored;
use frontend::program::infix::Infix;
use frontend::program::{Note, Program, Property};
use monabs::predicate::Class;
use monabs::search::Exhausted;
use monabs::verify::{Evidence, Statistics};
use monabs::{Options, Outcome, Verdict as Found};
use smt::Term;

/// What was found.
#[derive(Debug)]
pub(super) struct Answer<'a> {
    /// Its last line.
    pub(super) verdict: Verdict,
    /// The run, if there is one; replayed.
    pub(super) recorded: Vec<Recorded<'a>>,
    /// The property that it violates.
    pub(super) property: Option<&'a Property>,
    /// What the answer assumes.
    pub(super) assumed: Vec<Note>,
    /// What to try if there is no answer.
    pub(super) advice: Vec<String>,
    /// The predicates of the last abstraction.
    pub(super) predicates: Vec<Shown>,
    /// If all states of a number of threads are the proof.
    exhausted: Option<Exhausted>,
    /// If all schedules of some rounds are the proof.
    bounded: Option<Explored>,
    statistics: Statistics,
    program: &'a Program,
}

/// A predicate for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shown {
    pub(super) class: Class,
    /// As C programmers read it.
    pub(super) text: String,
    pub(super) term: Term,
}

impl<'a> Answer<'a> {
    /// The answer of the verifier.
    pub(super) fn new(job: &Job<'a>, options: &Options, outcome: &Outcome) -> Result<Answer<'a>> {
        let program = &job.loaded.program;
        let infix = Infix::new(program);
        let mut predicates: Vec<Shown> = outcome
            .predicates
            .iter()
            .map(|&(class, term)| Shown { class, text: infix.term(term), term })
            .collect();
        predicates.sort_by_key(|shown| shown.class);
        let mut answer = Answer {
            verdict: Verdict::Successful,
            recorded: Vec::new(),
            property: None,
            assumed: Vec::new(),
            advice: Vec::new(),
            predicates,
            exhausted: None,
            bounded: None,
            statistics: outcome.statistics.clone(),
            program,
        };
        match &outcome.verdict {
            Found::Safe(Evidence::Proof(_)) => {}
            Found::Safe(Evidence::Exhausted(exhausted)) => answer.exhausted = Some(*exhausted),
            Found::Safe(Evidence::Bounded(explored)) => answer.bounded = Some(*explored),
            Found::Unsafe(bug) => {
                let property = program.properties.get(bug.property);
                let goal = property.map(|property| property.name.clone());
                let recorded = Recorded::new(program, goal, bug.run.clone())
                    .map_err(|error| Failure::Internal(format!("the run that was found is none: {error}")))?;
                answer.verdict = Verdict::Failed;
                answer.recorded.push(recorded);
                answer.property = property;
            }
            Found::Unknown(reason) => {
                let Explanation { reason, advice } = Explanation::new(job, options, reason, outcome);
                answer.verdict = Verdict::Unknown(reason);
                answer.advice = advice;
            }
        }
        answer.assumed = match &answer.verdict {
            Verdict::Successful => assumed::by_proof(job, options, outcome.live_threads),
            _ => answer.recorded.iter().flat_map(|run| assumptions::of_run(program, run)).collect(),
        };
        let is_strict = job.args.input.assumptions.strict;
        let found = std::mem::replace(&mut answer.verdict, Verdict::Successful);
        answer.verdict = assumptions::judge(found, &answer.assumed, program, is_strict);
        Ok(answer)
    }

    /// Whether the program is safe, if that is known.
    pub(super) fn is_safe(&self) -> Option<bool> {
        match self.verdict {
            Verdict::Successful => Some(true),
            Verdict::Failed => Some(false),
            Verdict::Unknown(_) | Verdict::Rejected(_) => None,
        }
    }

    /// Everything before the verdict.
    pub(super) fn text(&self, trace: bool) -> String {
        match self.verdict {
            Verdict::Failed => self.run(trace),
            Verdict::Successful => self.proof(),
            Verdict::Unknown(_) | Verdict::Rejected(_) => self.remains(),
        }
    }

    fn run(&self, trace: bool) -> String {
        // The run says itself what it violates.
        if trace {
            return runs::text(&self.recorded);
        }
        let mut text = String::new();
        for recorded in &self.recorded {
            let found = Finding::all_of(self.program, recorded);
            found.iter().for_each(|finding| text.push_str(&finding.text(self.program)));
        }
        text
    }

    fn proof(&self) -> String {
        let (all, trivial) = listing::counted(self.program);
        let hold = if trivial == 1 { "holds" } else { "hold" };
        let properties = match trivial {
            0 => String::new(),
            _ => format!("{}: {trivial} {hold} trivially\n", listing::properties_in_words(all)),
        };
        properties + &self.evidence()
    }

    fn evidence(&self) -> String {
        if let Some(Exhausted { threads, states }) = self.exhausted {
            let (states, threads) = (plural(states, "state"), plural(threads, "thread"));
            return format!(
                "all {states} of {threads} were seen; more threads can do no more\nsafe for every number of threads\n"
            );
        }
        if let Some(Explored { rounds, threads, .. }) = self.bounded {
            let (turns, threads) = (plural(rounds, "turn"), plural(threads, "thread"));
            return format!(
                "the program has {threads}; no schedule of {turns} each violates a property, and there are no others\nsafe for every number of threads\n"
            );
        }
        let Statistics { shared_states, local_states, transitions, proof_size, proof_threads, .. } =
            self.statistics;
        let mut text = self.show_predicates();
        let threads = usize::try_from(proof_threads).unwrap_or(usize::MAX);
        text.push_str(&format!(
            "abstraction: {}, {}, {}\n",
            plural(shared_states, "shared state"),
            plural(local_states, "local state"),
            plural(transitions, "transition")
        ));
        text.push_str(&format!(
            "proof: {} with at most {}, verified\nsafe for every number of threads, after {}\n",
            plural(proof_size, "element"),
            plural(threads, "thread"),
            plural(self.statistics.iterations, "iteration")
        ));
        text
    }

    /// What is known without an answer.
    fn remains(&self) -> String {
        let mut text = self.show_predicates();
        if self.statistics.iterations > 0 {
            text.push_str(&format!("no answer after {}\n", plural(self.statistics.iterations, "iteration")));
        }
        self.advice.iter().for_each(|advice| text.push_str(&format!("try: {advice}\n")));
        text
    }

    fn show_predicates(&self) -> String {
        let mut text = String::new();
        if !self.predicates.is_empty() {
            text.push_str(&format!("{}:\n", plural(self.predicates.len(), "predicate")));
        }
        for Shown { class, text: predicate, .. } in &self.predicates {
            text.push_str(&format!("  {:<14}{predicate}\n", class.to_string()));
        }
        text
    }
}
