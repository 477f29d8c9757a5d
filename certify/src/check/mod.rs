//! The judge of certificates. It uses nothing that searches.
//!
//! An abstraction is judged in steps, each of which is independent of the others:
//!
//! 1. The program in the file is the one that the source says: both are printed and compared.
//! 2. Counts are added to the program ([`counted`]); facts hold by induction over the edges ([`facts`]).
//! 3. Every initial state is one of the system ([`Judge::start`]).
//! 4. *Simulation.* Let a state of a run be seen as a state of the system, with one local state per thread, all of which occur with the shared state. For each step of the program the system has a transition
//!    for the same edge that takes the active thread and the shared state to what they are seen as after it ([`Judge::active`]), and that lets each passive thread become what it is seen as ([`Judge::passive`]). Each is one
//!    question to a solver per edge, or per edge and location of the passive thread, that must have no model ([`step`]).
//! 5. What occurs is closed under transitions ([`Judge::closure`]), so 4 can be used again and again: every run of the program, up to a violation, is one of the system.
//! 6. A violation is above a target ([`Judge::targets`]).
//! 7. No target is coverable, by `breach`'s checker.

mod abstraction;
mod closure;
mod counted;
mod facts;
mod orders;
mod simulation;
mod step;

use crate::abstraction::Abstraction;
use crate::{Certificate, Document, OTHER_PROGRAM};
use frontend::program::interpret::{ExploreOptions, explore};
use frontend::program::{Program, Property, Target, trust};
use smt::{Config, SolverChoice, SolverError};
use terminal::words::plural;

#[cfg(doc)]
use abstraction::Judge;

/// Why a proof is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct Rejected {
    why: String,
    is_open: bool,
}

impl Rejected {
    pub(crate) fn new(why: impl Into<String>) -> Rejected {
        Rejected { why: why.into(), is_open: false }
    }

    /// Nobody knows: a solver had no answer.
    pub(crate) fn open(why: impl Into<String>) -> Rejected {
        Rejected { why: why.into(), is_open: true }
    }

    fn at(self, place: impl std::fmt::Display) -> Rejected {
        // Where a solver gave up says nothing about the proof.
        if self.is_open { self } else { Rejected::new(format!("{place}: {}", self.why)) }
    }

    /// Whether the proof may still be right: a solver had no answer, was stopped, or failed.
    pub fn is_open(&self) -> bool {
        self.is_open
    }
}

impl From<SolverError> for Rejected {
    fn from(error: SolverError) -> Rejected {
        Rejected::open(error.to_string())
    }
}

/// What was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// In words.
    pub text: String,
    /// The proof holds if no more threads than these are alive at once.
    pub bound: Option<u128>,
}

impl Accepted {
    fn new(text: String) -> Accepted {
        Accepted { text, bound: None }
    }
}

/// Judges a document about a program. Without a chosen solver each kind of proof has its usual one.
pub fn check(
    document: &Document,
    program: &Program,
    chosen: Option<&SolverChoice>,
    config: &Config,
) -> Result<Accepted, Rejected> {
    let solver = &chosen.cloned().unwrap_or_default();
    if document.head.program != crate::printed(program) {
        return Err(Rejected::new(OTHER_PROGRAM));
    }
    if let Err(note) = trust::may_be_safe(program) {
        let why = program.notes.get(note.0 as usize).map_or("", |note| note.message.as_str());
        return Err(Rejected::new(format!("the source may do more than the program: {why}")));
    }
    match &document.certificate {
        Certificate::Abstraction(certificate) => abstraction(certificate, program, solver, config),
        Certificate::Tree(proof) => match impara::check::check(program, proof, solver, config) {
            Ok(()) => Ok(Accepted::new(proof.summary())),
            Err(rejected @ impara::check::Rejected::Solver(_)) => Err(Rejected::open(rejected.to_string())),
            Err(rejected) => Err(Rejected::new(rejected.to_string())),
        },
        &Certificate::Bounds { unwind, rounds, threads } => {
            bounds(program, (unwind, rounds, threads), chosen, config)
        }
        &Certificate::Orders { unwind, threads, states } => {
            orders::orders(program, (unwind, threads, states), solver, config)
        }
        &Certificate::States { threads, states } => all_states(program, threads, states),
    }
}

fn abstraction(
    certificate: &Abstraction,
    program: &Program,
    solver: &SolverChoice,
    config: &Config,
) -> Result<Accepted, Rejected> {
    let (program, counts) = counted::counted(program, certificate)?;
    let facts = facts::Facts::new(&program, certificate, &counts)?;
    let mut asked = facts.check_induction(solver, config)?;
    let judge = abstraction::Judge::new(&program, certificate, &facts, solver, config)?;
    judge.start()?;
    asked += judge.steps()?;
    judge.closure()?;
    judge.targets()?;
    breach::check::verify_problem(&certificate.problem, &certificate.proof)
        .map_err(|flaw| Rejected::new(flaw.to_string()))?;
    let predicates = certificate.shared_predicates.len() + certificate.thread_predicates.len();
    let transitions = certificate.problem.system.transitions.len();
    let elements = certificate.proof.elements.len() + certificate.proof.invariants.len();
    let text = format!(
        "{}, {}, {} to {solver}, a proof of {}",
        plural(predicates, "predicate"),
        plural(transitions, "transition"),
        plural(asked, "question"),
        plural(elements, "element")
    );
    Ok(Accepted { text, bound: certificate.bound })
}

/// All runs within the bounds are asked about again, and that there are no others.
fn bounds(
    program: &Program,
    (unwind, rounds, threads): (u32, usize, usize),
    chosen: Option<&SolverChoice>,
    config: &Config,
) -> Result<Accepted, Rejected> {
    let usual = cseq::Options::default();
    let solver = chosen.cloned().unwrap_or(usual.solver);
    let text = format!(
        "all schedules of {} of {}, one question to {solver}",
        plural(rounds, "turn"),
        plural(threads, "thread")
    );
    let options = cseq::Options {
        unwind: Some(unwind),
        rounds: Some(rounds),
        solver,
        nodes: 10 * usual.nodes,
        threads: threads.max(usual.threads),
        ..cseq::Options::default()
    };
    let found = cseq::verify(program, &options, config, &mut |_, _| true);
    match found.map_err(|error| Rejected::open(error.to_string()))?.verdict {
        cseq::Verdict::Safe(explored) if explored.threads == threads => Ok(Accepted::new(text)),
        cseq::Verdict::Safe(_) => Err(Rejected::new("the program has another number of threads")),
        cseq::Verdict::Bug(_) => Err(Rejected::new("a run within the bounds violates a property")),
        cseq::Verdict::Unknown(cseq::Unknown::Solver(reason)) => {
            Err(Rejected::open(format!("the solver has no answer: {reason}")))
        }
        cseq::Verdict::Unknown(_) => {
            Err(Rejected::new("the bounds do not have all runs, or not all of them are safe"))
        }
    }
}

/// All states are visited again.
fn all_states(program: &Program, threads: usize, states: usize) -> Result<Accepted, Rejected> {
    let waits = |location| Some(location) == program.pool;
    let asks = |property: &Property| match &property.target {
        Target::Location(location) => waits(*location),
        Target::Race(first, second) => waits(first.location) || waits(second.location),
    };
    if program.properties.iter().any(asks) {
        return Err(Rejected::new(
            "a property asks about threads that have not started: more of them may violate it",
        ));
    }
    let mut options = ExploreOptions { forget_dead: true, ..ExploreOptions::default() };
    options.limits.states = states.saturating_add(1);
    let found = explore(program, threads, &options).map_err(|error| Rejected::new(error.to_string()))?;
    if !found.complete || !found.violated.is_empty() || found.pool_emptied {
        return Err(Rejected::new("not all states were seen, or not all are safe"));
    }
    let threads = plural(threads, "thread");
    Ok(Accepted::new(match found.states {
        1 => format!("the only state of {threads}, visited again"),
        more => format!("all {more} states of {threads}, visited again"),
    }))
}
