//! Asks `monabs`, and believes no verdict that it has not checked.
//!
//! - *Safe* comes with a proof about a system, or with a number of threads that were tried. The system goes through EMDR text and the proof through its own notation; what is read back
//!   is checked. Then few threads try everything: they must violate nothing, not even the ends of what is modelled.
//! - *Unsafe* comes with a run. It replays, violates the property that it says, which is an error of the program, and takes no step that
//!   reality may not have.
//! - *Unknown* is no fault; whoever asks counts.

use crate::judge::quietly;
use breach::check::{parse_proof, verify_problem, write_proof};
use breach::diagnostics::Source;
use breach::input::Input;
use breach::proof::Proof;
use breach::system::Problem;
use engine::bug::Bug;
use engine::search::{Exhausted, Orders};
use frontend::program::interpret::{ExploreOptions, explore, replay};
use frontend::program::{Program, PropertyKind};
use monabs::Engine;
use monabs::certificate::certificate;
use monabs::verify::{Evidence, Nobody, Options, Outcome, Verdict};
use std::fmt;
use std::time::Duration;

/// With how many threads at most everything is tried.
pub const FEW: usize = 4;
/// How many states are too many, where not all need to be seen.
const MANY_STATES: usize = 20_000;

/// A checked verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// With a proof that was verified.
    Safe,
    /// With a run of so many threads that was replayed.
    Unsafe(usize),
    /// No answer, and why.
    Unknown(String),
}

/// What can be wrong with verdicts. A smaller program has the same fault if its kind is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Safe, but few threads violate something.
    Violated,
    /// The proof is wrong, or lost in its own notation.
    Proof,
    /// The run does not show what it says.
    Run,
    /// The library panicked.
    Panic,
    /// The library noticed a bug in itself.
    Internal,
}

/// Something wrong with a verdict.
#[derive(Clone, Debug)]
pub struct Fault {
    /// What kind of thing.
    pub kind: Kind,
    /// The message.
    pub text: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.kind, self.text)
    }
}

fn fault(kind: Kind, text: impl fmt::Display) -> Fault {
    Fault { kind, text: text.to_string() }
}

/// The options for random programs: no search beside the proof, few rounds, little time.
pub fn options(time: Duration) -> Options {
    let mut options = Options { iterations: 60, certify: true, ..Options::alone() };
    options.limits.time = Some(time);
    options
}

/// The loop alone, or everything that there is.
pub fn engines(search: bool) -> Vec<Engine> {
    if search { Engine::ALL.to_vec() } else { vec![Engine::Abstraction] }
}

/// Asks about a program, and checks the verdict with what few threads do, also in the program that it was made from. No more
/// than so many states are visited.
pub fn examine(
    program: &Program,
    original: Option<&Program>,
    options: &Options,
    states: usize,
) -> Result<Answer, Fault> {
    let answer = ask(program, options)?;
    if answer == Answer::Safe {
        for program in [Some(program), original].into_iter().flatten() {
            violates_nothing(program, states)?;
        }
    }
    Ok(answer)
}

/// Asks about a program, and checks the proof or the run.
pub fn ask(program: &Program, options: &Options) -> Result<Answer, Fault> {
    let outcome = quietly(|| monabs::verify(program, options, &mut Nobody))
        .map_err(|message| fault(Kind::Panic, message))?
        .map_err(|error| fault(Kind::Internal, error))?;
    check_certificate(program, &outcome)?;
    match &outcome.verdict {
        Verdict::Safe(Evidence::Proof(proof)) => check_proof(&outcome, proof),
        Verdict::Safe(Evidence::Exhausted(exhausted)) => check_exhausted(program, exhausted),
        Verdict::Safe(Evidence::Orders(Orders { threads, .. })) => check_bounded(program, *threads),
        Verdict::Safe(Evidence::Bounded(explored)) => check_bounded(program, explored.threads),
        // The certificate is the tree.
        Verdict::Safe(Evidence::Tree(_)) => Ok(Answer::Safe),
        Verdict::Unsafe(bug) => check_run(program, bug),
        Verdict::Unknown(reason) => Ok(Answer::Unknown(format!("{reason:?}"))),
    }
}

/// What shows that the program is safe, as a file that is read and judged.
fn check_certificate(program: &Program, outcome: &Outcome) -> Result<(), Fault> {
    let Verdict::Safe(evidence) = &outcome.verdict else { return Ok(()) };
    let Some(certificate) = certificate(evidence, outcome.certified.as_deref()) else { return Ok(()) };
    let wrong = |message: String| fault(Kind::Proof, message);
    let document = certify::Document::new(program, Vec::new(), Vec::new(), certificate);
    let text = certify::text::write(&document, program).map_err(wrong)?;
    let read = certify::text::read(&text, program).map_err(|why| wrong(why.to_string()))?;
    let config = smt::Config { time_limit: Some(Duration::from_secs(600)), ..smt::Config::default() };
    certify::check::check(&read, program, None, &config)
        .map_err(|why| fault(Kind::Proof, format!("{why}\n{text}")))?;
    Ok(())
}

fn check_proof(outcome: &Outcome, proof: &Proof) -> Result<Answer, Fault> {
    let Some(abstraction) = &outcome.abstraction else {
        return Err(fault(Kind::Proof, "there is no system"));
    };
    let problem = &abstraction.problem;
    let again = through_text(problem).map_err(|message| fault(Kind::Proof, message))?;
    if again.targets != problem.targets || again.init != problem.init {
        return Err(fault(Kind::Proof, "the question is another one after printing and reading"));
    }
    let text = write_proof(&again.system, proof);
    let read = parse_proof(Source { name: "proof", text: &text }, &again.system)
        .map_err(|error| fault(Kind::Proof, error))?;
    verify_problem(&again, &read).map_err(|flaw| fault(Kind::Proof, flaw))?;
    Ok(Answer::Safe)
}

/// As many threads have as many states again, and one more thread, as far as it can be tried, violates nothing.
fn check_exhausted(program: &Program, exhausted: &Exhausted) -> Result<Answer, Fault> {
    let wrong = |text: String| fault(Kind::Proof, text);
    for (threads, states) in [(exhausted.threads, usize::MAX), (exhausted.threads + 1, MANY_STATES)] {
        let mut options = ExploreOptions { forget_dead: true, ..ExploreOptions::default() };
        options.limits.states = states;
        let found = explore(program, threads, &options).map_err(|error| wrong(error.to_string()))?;
        if let Some(name) = found.violated.keys().next() {
            return Err(fault(Kind::Violated, format!("safe, but {threads} threads violate {name}")));
        }
        if threads == exhausted.threads && !(found.complete && found.states == exhausted.states) {
            return Err(wrong(format!("{} states instead of {}", found.states, exhausted.states)));
        }
    }
    Ok(Answer::Safe)
}

/// As many threads, and one more, violate nothing, as far as it can be tried.
fn check_bounded(program: &Program, threads: usize) -> Result<Answer, Fault> {
    for threads in threads..=threads + 1 {
        let mut options = ExploreOptions { forget_dead: true, ..ExploreOptions::default() };
        options.limits.states = MANY_STATES;
        let found = explore(program, threads, &options).map_err(|error| fault(Kind::Proof, error))?;
        if let Some(name) = found.violated.keys().next() {
            return Err(fault(Kind::Violated, format!("safe, but {threads} threads violate {name}")));
        }
    }
    Ok(Answer::Safe)
}

/// The question after printing and reading it as EMDR.
fn through_text(problem: &Problem) -> Result<Problem, String> {
    let input = Input {
        system: problem.system.clone(),
        init: Some(problem.init.clone()),
        targets: problem.targets.clone(),
    };
    let text = breach::emdr::print(&input).map_err(|error| error.to_string())?;
    let read = breach::emdr::parse(Source { name: "abstraction", text: &text }).map_err(|e| e.to_string())?;
    let init = read.init.ok_or("no initial states")?;
    if read.targets.is_empty() {
        return Err("a file that asks nothing".to_owned());
    }
    Ok(Problem { system: read.system, init, targets: read.targets })
}

fn check_run(program: &Program, bug: &Bug) -> Result<Answer, Fault> {
    let run = |text: String| fault(Kind::Run, text);
    let property =
        program.properties.get(bug.property).ok_or_else(|| run("there is no such property".to_owned()))?;
    let outcome = replay(program, &bug.run).map_err(|error| run(error.to_string()))?;
    if !outcome.violated.contains_key(&property.name) {
        return Err(run(format!("the run does not violate {}", property.name)));
    }
    if property.kind == PropertyKind::Limit {
        return Err(run(format!("{} is the end of what is modelled", property.name)));
    }
    if let Some((step, _)) = outcome.approximate.first() {
        return Err(run(format!("step {} may not be real", step + 1)));
    }
    Ok(Answer::Unsafe(bug.run.threads))
}

/// Tries everything with few threads.
fn violates_nothing(program: &Program, states: usize) -> Result<(), Fault> {
    match violation(program, states) {
        None => Ok(()),
        Some((threads, name)) => {
            Err(fault(Kind::Violated, format!("safe, but {threads} threads violate {name}")))
        }
    }
}

/// A number of threads and a property that they violate, if trying everything with few threads finds one.
pub fn violation(program: &Program, states: usize) -> Option<(usize, String)> {
    (1..=FEW).find_map(|threads| {
        let mut options = ExploreOptions::default();
        options.limits.states = states;
        let found = explore(program, threads, &options).ok()?;
        found.violated.into_keys().next().map(|name| (threads, name))
    })
}
