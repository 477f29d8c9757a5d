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
use crate::team::{self, Answer, Board, Engine};
use cseq::Explored;
use engine::bug::Bug;
use engine::search::{Exhausted, Orders, Search};
use frontend::program::{LocationId, NoteId, Program, PropertyKind, trust};
use smt::{Config, Interrupt, SolverChoice, Symbol, Term};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// So long the others may go on at least when the loop has given up; they may take as long as it has taken.
const GRACE: Duration = Duration::from_secs(2);
/// The same where the loop has met an end of its own: that says nothing about the others.
const LONG_GRACE: Duration = Duration::from_secs(30);
/// The search never tries as many threads.
const MANY_THREADS: usize = 100;

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
    /// Who works on it.
    pub engines: Vec<Engine>,
    /// With how many threads the program is run at most.
    pub search_threads: usize,
    /// How many threads can be alive at once; any number, if there is none.
    pub max_live_threads: Option<u128>,
    /// Whether a proof is to be kept as a certificate.
    pub certify: bool,
    /// Whether to look at no more than `search_threads` threads: what is found about more is no answer.
    pub few_threads: bool,
}

impl Options {
    /// Options with the loop alone.
    pub fn alone() -> Options {
        Options { engines: vec![Engine::Abstraction], ..Options::default() }
    }

    fn has(&self, engine: Engine) -> bool {
        self.engines.contains(&engine)
    }
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
            engines: Engine::ALL.to_vec(),
            search_threads: 6,
            max_live_threads: None,
            certify: false,
            few_threads: false,
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
    /// All orders of steps of the threads that the program starts were looked at, as far as they make a difference.
    Orders(Orders),
    /// The program has no runs beyond these bounds, and none within them violates a property.
    Bounded(Explored),
    /// A complete tree for a fixed number of threads.
    Tree(impara::proof::Proof),
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
    /// Runs that violate a property were found, but in them more threads are alive at once than the user says there are.
    TooManyAlive,
    /// Only engines ran that prove nothing here, and they found no bug.
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
    /// Who has it.
    pub engine: Option<Engine>,
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
    /// What the proof by abstraction is, if it is asked for and there is one.
    pub certified: Option<Box<certify::abstraction::Abstraction>>,
    /// Its predicates by bit.
    pub chosen: Chosen,
    /// The predicates themselves.
    pub store: Store,
    /// Shared variables that were added: each counts the threads in these locations, of which the program has all but some where threads have ended.
    pub counts: Vec<(Symbol, BTreeSet<LocationId>)>,
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
    /// A run of the abstraction to an error.
    fn run(
        &mut self,
        _iteration: usize,
        _abstraction: &Abstraction,
        _store: &Store,
        _chosen: &Chosen,
        _trace: &breach::trace::Trace,
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
        engine: None,
        statistics: Statistics::default(),
        predicates: Vec::new(),
        abstraction: None,
        doing: Doing::default(),
        recent: Vec::new(),
        live_threads: None,
        certified: None,
        chosen: Chosen::default(),
        store: Store::default(),
        counts: Vec::new(),
    };
    let over = AtomicBool::new(false);
    let board = Board::new(&over, program, options.max_live_threads);
    // With no more threads than may be alive at once, no run has more.
    let alive = options.max_live_threads.and_then(|bound| usize::try_from(bound).ok()).unwrap_or(usize::MAX);
    let few_threads = options.few_threads || alive < MANY_THREADS;
    let search_threads = options.search_threads.min(alive);
    let result = limits.watched(&over, |interrupt| {
        let mut search = Search::new(program, search_threads);
        if few_threads {
            search = search.strictly();
        }
        let searching = options.has(Engine::Search) && has_errors(program);
        let first = searching && board.write(Engine::Search, search.first(&over).map(Answer::from));
        outcome.statistics.search_time = limits.elapsed();
        if first {
            return Ok(Ended::Unknown(Reason::NotProved));
        }
        std::thread::scope(|scope| {
            // What has found an answer, or has nothing more to do, ends the others.
            let _ended = Raise(&over);
            let mut others = Vec::new();
            if searching {
                let (board, over) = (&board, &over);
                others.push(scope.spawn(move || {
                    board.write(Engine::Search, search.others(over).map(Answer::from));
                }));
            }
            if options.has(Engine::Cseq) && has_errors(program) {
                let threads = few_threads.then_some(search_threads);
                let board = &board;
                let handle = scope.spawn(move || {
                    board.write(Engine::Cseq, team::bounded(program, threads, interrupt));
                });
                // With few threads the end of the search is the answer; deeper schedules would take no end.
                others.extend((!options.few_threads).then_some(handle));
            }
            if options.has(Engine::Impara) {
                let with_tree = options.engines.len() == 1 || team::suits_trees(program);
                let board = &board;
                others.push(scope.spawn(move || {
                    let answer = team::tree(program, &options.solver, with_tree, interrupt);
                    board.write(Engine::Impara, answer);
                }));
            }
            let start = Instant::now();
            let result = if options.has(Engine::Abstraction) {
                prove(program, options, interrupt, (&over, observer), &mut outcome)
            } else {
                Ok(Ended::Unknown(Reason::NotProved))
            };
            let grace = match &result {
                Ok(Ended::Unknown(Reason::NoPredicates))
                | Err(Stop::TooManyPredicates(_) | Stop::Solver(_)) => Some(LONG_GRACE),
                Ok(Ended::Unknown(_)) => Some(GRACE),
                Ok(_) | Err(_) => None,
            };
            if let Some(grace) = grace {
                let patience = options.has(Engine::Abstraction).then(|| start.elapsed().max(grace));
                wait(&others, patience, &over);
            }
            result
        })
    });
    outcome.statistics.total_time = limits.elapsed();
    let mut doubt = None;
    match result {
        Ok(Ended::Safe(proof)) => {
            board.write(Engine::Abstraction, Some(Answer::Safe(Evidence::Proof(proof))));
        }
        Ok(Ended::Unsafe(bug)) if board.counts(&bug) => {
            board.write(Engine::Abstraction, Some(Answer::Unsafe(bug)));
        }
        Ok(Ended::Unsafe(_)) => doubt = Some(Ok(Reason::TooManyAlive)),
        Ok(Ended::Unknown(reason)) => doubt = Some(Ok(reason)),
        Err(stop) => doubt = Some(Err(stop)),
    }
    let agreed = board.agreed(program, outcome.live_threads).map_err(Stop::Bug)?;
    outcome.verdict = match (agreed, doubt) {
        (Some((engine, answer)), _) => {
            outcome.engine = Some(engine);
            match answer {
                Answer::Unsafe(bug) => Verdict::Unsafe(bug),
                Answer::Safe(evidence) => safe(program, evidence),
            }
        }
        (None, Some(Ok(reason))) => Verdict::Unknown(reason),
        (None, Some(Err(Stop::Bug(message)))) => return Err(Stop::Bug(message)),
        (None, Some(Err(stop))) => {
            Verdict::Unknown(Reason::Stop(limits.check().map_err(Stop::from).err().unwrap_or(stop)))
        }
        (None, None) => return Err(Stop::Bug("an answer was lost".to_owned())),
    };
    Ok(outcome)
}

/// Whether there is anything that a run could violate.
fn has_errors(program: &Program) -> bool {
    program.properties.iter().any(|property| property.kind != PropertyKind::Limit)
}

/// The loop.
fn prove(
    program: &Program,
    options: &Options,
    interrupt: &Interrupt,
    (over, observer): (&AtomicBool, &mut dyn Observer),
    outcome: &mut Outcome,
) -> Result<Ended, Stop> {
    let config = Config { interrupt: interrupt.clone(), ..Config::default() };
    let counted = count(program, options.max_live_threads, &options.solver, &config);
    let setting = match &counted {
        Some((program, counting)) => Setting::with_counting(program, counting.clone()),
        None => Setting::new(program),
    };
    let mut verifier = Verifier::new(setting, options, over, config);
    let result = verifier.run(observer);
    let result = verifier.without_answer(result);
    if let (Ok(Ended::Safe(proof)), true) = (&result, options.certify) {
        outcome.certified = verifier.certified(program, proof).map(Box::new);
    }
    verifier.report(outcome);
    result
}

/// Waits until the others have ended, for so long if a time is given.
fn wait(others: &[std::thread::ScopedJoinHandle<'_, ()>], patience: Option<Duration>, over: &AtomicBool) {
    let start = Instant::now();
    let is_patient = || patience.is_none_or(|patience| start.elapsed() < patience);
    while is_patient() && !over.load(Ordering::Relaxed) && !others.iter().all(|other| other.is_finished()) {
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Safe, if the program does all that its source does.
fn safe(program: &Program, evidence: Evidence) -> Verdict {
    match trust::may_be_safe(program) {
        Err(note) => Verdict::Unknown(Reason::Under(note)),
        Ok(_) => Verdict::Safe(evidence),
    }
}
