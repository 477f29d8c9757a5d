//! The whole job: a search for bugs, and the loop of figure 26 of the thesis, whichever has an answer first.

use crate::abstraction::system::Abstraction;
use crate::abstraction::table::{Method, Questions};
use crate::cegar::{Ended, Verifier};
use crate::counting::count;
use crate::limits::{Limits, Raise, Stop};
use crate::path::Path;
use crate::predicate::{Chosen, Class, PredicateId, Store};
use crate::refine::Origin;
use crate::scope::Setting;
use cseq::Explored;
use engine::bug::Bug;
use engine::search::{Exhausted, Found, Search};
use frontend::program::{NoteId, Program, PropertyKind, trust};
use smt::{Config, Interrupt, SolverChoice, Term};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How to verify.
#[derive(Clone, Debug)]
pub struct Options {
    /// Who answers questions about formulas.
    pub solver: SolverChoice,
    /// How exact abstractions are before they are refined.
    pub abstractor: Method,
    /// How many threads compute abstractions.
    pub threads: usize,
    /// When to give up.
    pub limits: Limits,
    /// The largest number of rounds of the loop.
    pub iterations: usize,
    /// The largest number of transitions of an abstraction.
    pub max_transitions: usize,
    /// Predicates to begin with, over variables and passive copies.
    pub predicates: Vec<Term>,
    /// Whether bugs are also looked for by running the program.
    pub search: bool,
    /// With how many threads at most.
    pub search_threads: usize,
    /// Whether bugs are also looked for in all schedules of few rounds at once.
    pub symbolic_search: bool,
    /// How many threads can be alive at once; any number, if there is none.
    pub max_live_threads: Option<u128>,
    /// Whether to prove at all; otherwise only the search runs.
    pub prove: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            solver: SolverChoice::default(),
            abstractor: Method::default(),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            limits: Limits::none(),
            iterations: 1000,
            max_transitions: 2_000_000,
            predicates: Vec::new(),
            search: true,
            search_threads: 6,
            symbolic_search: true,
            max_live_threads: None,
            prove: true,
        }
    }
}

/// The answer.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// No property can be violated, by however many threads.
    Safe(Evidence),
    /// A real run, replayed, and the property that it violates.
    Unsafe(Bug),
    /// No answer.
    Unknown(Reason),
}

/// Why a program is safe.
#[derive(Clone, Debug)]
pub enum Evidence {
    /// No target of the abstraction in the outcome is coverable. The proof was verified.
    Proof(breach::proof::Proof),
    /// All states of so many threads were seen, and more threads do no more.
    Exhausted(Exhausted),
    /// The program has no runs beyond these bounds, and none within them violates a property.
    Bounded(Explored),
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A limit, or a question that was too hard.
    Stop(Stop),
    /// So many rounds were not enough.
    Iterations(usize),
    /// An abstract run cannot be run, but no predicates were found that exclude it.
    NoPredicates,
    /// The end of what is modelled can be reached: a property, by number, of the kind [`PropertyKind::Limit`].
    Limit(usize),
    /// All runs that were found to this property take a step that reality may not have.
    Approximate(usize, NoteId),
    /// The program may do less than its source: this note.
    Under(NoteId),
    /// Safe if no more threads than these are alive at once; nothing is known beyond.
    LiveThreads(u128),
    /// Only the search for bugs ran, and found none.
    NotProved,
}

/// Time and numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Rounds of the loop.
    pub iterations: usize,
    /// Rounds that found new predicates.
    pub refinements: usize,
    /// Rounds that found steps of abstract runs that the exact template does not have.
    pub transition_refinements: usize,
    /// Shared states of the last abstraction.
    pub shared_states: usize,
    /// Thread states of the last abstraction.
    pub local_states: usize,
    /// Transitions of the last abstraction.
    pub transitions: usize,
    /// Those of them that change passive threads; with one, the abstraction is truly dual-reference.
    pub passive_transitions: usize,
    /// Those of them that some passive threads stand in the way of; with one, only the closure makes it monotone.
    pub closed_transitions: usize,
    /// Elements of the proof.
    pub proof_size: usize,
    /// The largest number of threads in an element of the proof.
    pub proof_threads: u64,
    /// Questions for abstractions.
    pub questions: Questions,
    /// For the first search for bugs.
    pub search_time: Duration,
    /// For abstractions.
    pub abstract_time: Duration,
    /// For coverability.
    pub check_time: Duration,
    /// For simulation.
    pub simulate_time: Duration,
    /// For refinement.
    pub refine_time: Duration,
    /// Altogether.
    pub total_time: Duration,
}

/// What the loop was doing last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Doing {
    /// Nothing yet.
    #[default]
    Starting,
    /// Asking what steps do to predicates.
    Abstracting,
    /// Looking for an abstract run.
    Checking,
    /// Looking whether an abstract run is real.
    Simulating,
    /// Looking for predicates that exclude an abstract run.
    Refining,
}

/// Everything that is known at the end.
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// What it took.
    pub statistics: Statistics,
    /// The predicates of the last abstraction, in the order in which they were found.
    pub predicates: Vec<(Class, Term)>,
    /// The last abstraction, if there was one.
    pub abstraction: Option<Abstraction>,
    /// What the loop was doing last.
    pub doing: Doing,
    /// The predicates that were found last, the newest last.
    pub recent: Vec<Term>,
    /// So many threads are alive at once at most: the proof holds under this assumption.
    pub live_threads: Option<u128>,
    /// Its predicates by bit.
    pub chosen: Chosen,
    /// The predicates themselves.
    pub store: Store,
}

/// Watches the loop.
pub trait Observer {
    /// A round begins with these predicates.
    fn round(&mut self, _iteration: usize, _statistics: &Statistics, _store: &Store, _chosen: &Chosen) {}
    /// There is an abstraction.
    fn abstraction(
        &mut self,
        _iteration: usize,
        _abstraction: &Abstraction,
        _store: &Store,
        _chosen: &Chosen,
    ) {
    }
    /// An abstract run, and how many of its steps cannot be run; none if all can.
    fn path(&mut self, _iteration: usize, _path: &Path, _infeasible: Option<usize>) {}
    /// New predicates.
    fn refined(&mut self, _iteration: usize, _store: &Store, _new: &[PredicateId], _origin: Origin) {}
}

/// Nobody watches.
pub struct Nobody;

impl Observer for Nobody {}

/// Verifies a program. The error is a bug in this program, never a verdict.
pub fn verify(program: &Program, options: &Options, observer: &mut dyn Observer) -> Result<Outcome, Stop> {
    let limits = &options.limits;
    let mut outcome = Outcome {
        verdict: Verdict::Unknown(Reason::NotProved),
        statistics: Statistics::default(),
        predicates: Vec::new(),
        abstraction: None,
        doing: Doing::default(),
        recent: Vec::new(),
        live_threads: None,
        chosen: Chosen::default(),
        store: Store::default(),
    };
    let has_errors = program.properties.iter().any(|property| property.kind != PropertyKind::Limit);
    let searching = options.search && has_errors;
    let mut search = Search::new(program, options.search_threads);
    let found: Mutex<Option<Discovered>> = Mutex::new(None);
    let keep = |answer: Option<Discovered>| {
        let is_some = answer.is_some();
        if let (true, Ok(mut slot)) = (is_some, found.lock()) {
            *slot = answer;
        }
        is_some
    };
    let over = AtomicBool::new(false);
    let result = limits.watched(&over, |interrupt| {
        let first = searching && keep(search.first(&over).map(Discovered::from));
        outcome.statistics.search_time = limits.elapsed();
        if first {
            return Ok(Ended::Unknown(Reason::NotProved));
        }
        std::thread::scope(|scope| {
            // What has found an answer, or has nothing more to do, ends the others.
            let _ended = Raise(&over);
            let searcher = searching.then(|| {
                scope.spawn(|| {
                    if keep(search.others(&over).map(Discovered::from)) {
                        over.store(true, Ordering::Relaxed);
                    }
                })
            });
            if searching && options.symbolic_search {
                scope.spawn(|| {
                    let threads = (!options.prove).then_some(options.search_threads);
                    if keep(symbolic(program, threads, interrupt)) {
                        over.store(true, Ordering::Relaxed);
                    }
                });
            }
            if options.prove {
                let config = Config { interrupt: interrupt.clone(), ..Config::default() };
                let counted = count(program, options.max_live_threads, &options.solver, &config);
                let setting = match &counted {
                    Some((program, counting)) => Setting::with_counting(program, counting.clone()),
                    None => Setting::new(program),
                };
                let mut verifier = Verifier::new(setting, options, &over, config);
                let result = verifier.run(observer);
                let result = verifier.without_answer(result);
                verifier.report(&mut outcome);
                result
            } else {
                // A search that panicked has said so.
                searcher.map(|searcher| searcher.join().is_ok());
                limits.check().map(|()| Ended::Unknown(Reason::NotProved)).map_err(Stop::from)
            }
        })
    });
    outcome.statistics.total_time = limits.elapsed();
    let found = found.into_inner().ok().flatten();
    outcome.verdict = match (found, result) {
        (Some(found), _) => decided(program, found),
        (None, Ok(Ended::Safe(proof))) => safe(program, Evidence::Proof(proof)),
        (None, Ok(Ended::Unsafe(bug))) => Verdict::Unsafe(bug),
        (None, Ok(Ended::Unknown(reason))) => Verdict::Unknown(reason),
        (None, Err(Stop::Bug(message))) => return Err(Stop::Bug(message)),
        (None, Err(stop)) => {
            Verdict::Unknown(Reason::Stop(limits.check().map_err(Stop::from).err().unwrap_or(stop)))
        }
    };
    Ok(outcome)
}

/// What was found beside the loop.
#[derive(Clone, Debug)]
enum Discovered {
    /// By running the program.
    Run(Found),
    /// By looking at all schedules of some rounds; these have all runs.
    Bounded(Explored),
}

impl From<Found> for Discovered {
    fn from(found: Found) -> Discovered {
        Discovered::Run(found)
    }
}

/// All schedules of some rounds at once, deeper and deeper: [`cseq`]. Beside the search by running, it has the bugs that many values or long ways hide.
fn symbolic(program: &Program, threads: Option<usize>, interrupt: &Interrupt) -> Option<Discovered> {
    let config = Config { interrupt: interrupt.clone(), ..Config::default() };
    let default = cseq::Options::default();
    let options = cseq::Options { threads: threads.unwrap_or(default.threads), ..default };
    let outcome = cseq::verify(program, &options, &config, &mut |_, _| !interrupt.is_stopped());
    match outcome {
        Ok(cseq::Outcome { verdict: cseq::Verdict::Bug(bug), .. }) => Some(Found::Bug(bug).into()),
        Ok(cseq::Outcome { verdict: cseq::Verdict::Safe(explored), .. }) => {
            Some(Discovered::Bounded(explored))
        }
        Ok(_) => None,
        Err(error) => {
            log::warn!("bounded search: {error}");
            None
        }
    }
}

/// What was found, as a verdict.
fn decided(program: &Program, found: Discovered) -> Verdict {
    match found {
        Discovered::Run(Found::Bug(bug)) => Verdict::Unsafe(bug),
        Discovered::Run(Found::Exhausted(exhausted)) => safe(program, Evidence::Exhausted(exhausted)),
        Discovered::Bounded(explored) => safe(program, Evidence::Bounded(explored)),
    }
}

/// Safe, if the program does all that its source does.
fn safe(program: &Program, evidence: Evidence) -> Verdict {
    match trust::may_be_safe(program) {
        Err(note) => Verdict::Unknown(Reason::Under(note)),
        Ok(_) => Verdict::Safe(evidence),
    }
}
