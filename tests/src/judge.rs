//! Asks, and believes no answer that it has not checked.
//!
//! A run is replayed, a proof is verified, and all answers to one question are compared with each other and with what
//! trying everything with few threads finds. A panic is caught and is a fault like others.

use crate::combination::Combination;
use breach::check::{coverable_within, replay, verify_problem};
use breach::coverability::{Algorithm, Options, Outcome, Verdict, check_coverability};
use breach::limits::Reason;
use breach::proof::Proof;
use breach::system::{Problem, State};
use breach::trace::Trace;
use std::cell::Cell;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::time::Duration;

/// With how many threads everything is tried.
pub const FEW: u32 = 5;
/// With how many instead, if there are too many states with [`FEW`].
const FEWER: u32 = 3;
/// How many states are too many.
const MANY_STATES: usize = 4_000;
/// No tiny system takes so long; if one does, a search hangs.
const PATIENCE: Duration = Duration::from_secs(120);
/// With transfers the forward search alone may go on for ever.
const FORWARD_PATIENCE: Duration = Duration::from_millis(3);

/// A checked answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A run covers a target; it was replayed.
    Coverable(Trace),
    /// No run does; the proof was verified.
    Uncoverable(Proof),
    /// The search alone cannot tell.
    Unknown,
}

impl Answer {
    /// True for coverable, false for uncoverable.
    pub fn is_coverable(&self) -> Option<bool> {
        match self {
            Answer::Coverable(_) => Some(true),
            Answer::Uncoverable(_) => Some(false),
            Answer::Unknown => None,
        }
    }
}

/// What can be wrong with answers. A smaller system has the same fault if its kind is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The checker panicked.
    Panic,
    /// The checker noticed a bug in itself.
    Internal,
    /// The run of a coverable answer cannot be replayed.
    Trace,
    /// The proof of an uncoverable answer is missing or wrong.
    Proof,
    /// An answer where there must be one.
    Unknown,
    /// Two answers differ.
    Disagreement,
    /// The answer is not what trying everything gives.
    BruteForce,
}

/// Something wrong with an answer.
#[derive(Clone, Debug)]
pub struct Fault {
    /// What kind of thing.
    pub kind: Kind,
    /// The message.
    pub text: String,
    /// How the question was asked.
    pub combination: Option<Combination>,
}

impl Fault {
    fn new(kind: Kind, text: impl fmt::Display) -> Self {
        Self { kind, text: text.to_string(), combination: None }
    }

    fn of(self, combination: &Combination) -> Self {
        Self { combination: Some(*combination), ..self }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.kind, self.text)?;
        match &self.combination {
            Some(combination) => write!(f, "\n  {combination:?}"),
            None => Ok(()),
        }
    }
}

/// Asks with the options and checks the answer.
pub fn ask(problem: &Problem, options: &Options) -> Result<Answer, Fault> {
    let outcome = quietly(|| check_coverability(problem, options))
        .map_err(|message| Fault::new(Kind::Panic, message))?
        .map_err(|error| Fault::new(Kind::Internal, error))?;
    check_answer(problem, options, outcome)
}

fn check_answer(problem: &Problem, options: &Options, outcome: Outcome) -> Result<Answer, Fault> {
    match outcome.verdict {
        Verdict::Coverable(trace) => {
            replay(&problem.system, &problem.init, &problem.targets, &trace)
                .map_err(|error| Fault::new(Kind::Trace, format_args!("{error}\n  {trace:?}")))?;
            Ok(Answer::Coverable(trace))
        }
        Verdict::Uncoverable(Some(proof)) => {
            verify_problem(problem, &proof)
                .map_err(|flaw| Fault::new(Kind::Proof, format_args!("{flaw}\n  {proof:?}")))?;
            check_minimal(&proof)?;
            Ok(Answer::Uncoverable(proof))
        }
        Verdict::Uncoverable(None) => Err(Fault::new(Kind::Proof, "there is no proof")),
        Verdict::Unknown(reason) => {
            let may_fail = options.algorithm == Algorithm::Forward && !problem.system.is_transfer_free();
            match reason {
                Reason::Incomplete | Reason::TimeLimit if may_fail => Ok(Answer::Unknown),
                _ => Err(Fault::new(Kind::Unknown, reason)),
            }
        }
    }
}

/// The elements of a proof are ascending, and none is above another one.
fn check_minimal(proof: &Proof) -> Result<(), Fault> {
    if !proof.elements.is_sorted_by(|a, b| a < b) {
        return Err(Fault::new(Kind::Proof, "the elements are not in order"));
    }
    let is_above = |a: &State| proof.elements.iter().any(|b| b != a && b.covered_by(a));
    match proof.elements.iter().find(|e| proof.elements.len() <= 1_000 && is_above(e)) {
        Some(element) => Err(Fault::new(Kind::Proof, format_args!("{element} is not minimal"))),
        None => Ok(()),
    }
}

/// Asks in one of the ways and checks the answer.
pub fn ask_with(problem: &Problem, combination: &Combination) -> Result<Answer, Fault> {
    let mut options = combination.options();
    let may_fail = options.algorithm == Algorithm::Forward && !problem.system.is_transfer_free();
    options.limits.timeout = Some(if may_fail { FORWARD_PATIENCE } else { PATIENCE });
    ask(problem, &options).map_err(|fault| fault.of(combination))
}

/// Asks in all of the ways; the answers must agree with each other and with what few threads can do.
/// The result is the common answer: coverable or not; `None` if no way could tell.
pub fn examine(problem: &Problem, combinations: &[Combination]) -> Result<Option<bool>, Fault> {
    let mut first: Option<(bool, &Combination)> = None;
    // The largest number of threads that some run needs.
    let mut least_threads = u64::MAX;
    for combination in combinations {
        let answer = ask_with(problem, combination)?;
        if let Answer::Coverable(trace) = &answer {
            least_threads = least_threads.min(most_threads(trace));
        }
        match (answer.is_coverable(), first) {
            (Some(new), Some((old, other))) if new != old => {
                let text = format!("coverable is {new}, but with {other:?} it is {old}");
                return Err(Fault::new(Kind::Disagreement, text).of(combination));
            }
            (Some(new), None) => first = Some((new, combination)),
            _ => {}
        }
    }
    if let Some((answer, combination)) = first {
        compare_with_brute_force(problem, answer, least_threads).map_err(|fault| fault.of(combination))?;
    }
    Ok(first.map(|f| f.0))
}

/// What few threads can do is coverable; a run with few threads is found by trying everything.
fn compare_with_brute_force(problem: &Problem, is_coverable: bool, threads: u64) -> Result<(), Fault> {
    let tried =
        [FEW, FEWER].into_iter().find_map(|few| Some((few, coverable_within(problem, few, MANY_STATES)?)));
    match tried {
        Some((few, true)) if !is_coverable => {
            Err(Fault::new(Kind::BruteForce, format_args!("uncoverable, but {few} threads cover a target")))
        }
        Some((few, false)) if is_coverable && threads <= u64::from(few) => {
            let text =
                format!("coverable by {threads} threads, but trying everything with {few} finds no run");
            Err(Fault::new(Kind::BruteForce, text))
        }
        _ => Ok(()),
    }
}

/// The largest number of threads at once in a run.
fn most_threads(trace: &Trace) -> u64 {
    let mut now = trace.threads.len() as u64;
    let mut most = now;
    for m in trace.steps.iter().map(|step| &step.moves) {
        now += m.iter().filter(|m| m.from.is_none()).count() as u64;
        now -= m.iter().filter(|m| m.to.is_none()).count() as u64;
        most = most.max(now);
    }
    most
}

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Runs something; a panic is returned as its message rather than printed.
pub fn quietly<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let previous = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                previous(info);
            }
        }));
    });
    QUIET.set(true);
    let result = catch_unwind(AssertUnwindSafe(run));
    QUIET.set(false);
    result.map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        text.or_else(|| panic.downcast_ref::<&str>().map(|&s| s.to_owned())).unwrap_or_default()
    })
}
