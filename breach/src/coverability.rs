//! The question and the answer: [`check_coverability`].

use crate::limits::{Limits, Reason, Stop, Watch};
use crate::oracle::{KarpMiller, UnwindError};
use crate::proof::Proof;
use crate::reduce::{LocalMerges, Reduced, ReducedProof, Reductions, Unproved, reduce};
use crate::run::{NoTrace, Run, build_trace};
use crate::search::backward::ClassicalSearch;
use crate::search::from_cover::proof_from_cover;
use crate::search::optimistic::OptimisticSearch;
use crate::search::portfolio::{Answer, Searches, run};
use crate::search::widening::WideningSearch;
use crate::search::{Backward, BackwardSearch, Counts};
use crate::system::Problem;
use crate::trace::Trace;
use std::sync::Arc;
use std::time::Duration;

/// The search algorithms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Algorithm {
    /// Algorithm 1 of the thesis: classical backward search.
    Backward,
    /// Algorithms 3 and 2: target set widening with partitions and backtracking.
    Widening,
    /// Section 4.3.2: widening that keeps minimal states only.
    #[default]
    Optimistic,
    /// Karp-Miller alone.
    Forward,
}

/// What a search in progress tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Time since the start.
    pub elapsed: Duration,
    /// States expanded backward.
    pub iterations: u64,
    /// States kept by the backward search.
    pub states: u64,
    /// Nodes of the forward search.
    pub forward_nodes: u64,
}

/// Receives [`Progress`] a few times per second at most.
pub type OnProgress = Arc<dyn Fn(&Progress) + Send + Sync>;

/// How to check.
#[derive(Clone)]
pub struct Options {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The largest number of threads of a widening candidate; 0 is no limit.
    pub widening_width: u32,
    /// Whether to widen at all; without, `Widening` and `Optimistic` are `Backward`.
    pub widening: bool,
    /// Whether the forward search runs beside the backward one and feeds it.
    pub oracle: bool,
    /// Reductions before the search.
    pub reductions: Reductions,
    /// Whether to exclude states by linear invariants (the state equation).
    pub invariants: bool,
    /// After how much work of the searches to begin with that; small systems need no invariants.
    pub invariants_from: u64,
    /// Threads to use; more than two make no difference.
    pub threads: usize,
    /// Whether to produce a proof in case of "uncoverable".
    pub proof: bool,
    /// Whether to draw the backward graph; the searches then take turns on one thread.
    pub graph: bool,
    /// Whether to draw the forward tree.
    pub tree: bool,
    /// Time, memory, interrupt.
    pub limits: Limits,
    /// Called between rounds of the search.
    pub progress: Option<OnProgress>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::default(),
            widening_width: 1,
            widening: true,
            oracle: true,
            reductions: Reductions::ALL,
            invariants: true,
            invariants_from: 10_000,
            threads: 2,
            proof: false,
            graph: false,
            tree: false,
            limits: Limits::default(),
            progress: None,
        }
    }
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A target is coverable: a run that covers it.
    Coverable(Trace),
    /// No target is coverable; with a proof if one was asked for.
    Uncoverable(Option<Proof>),
    /// No answer, and why.
    Unknown(Reason),
}

/// Which search found the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Winner {
    /// The forward search.
    Forward,
    /// The backward search.
    Backward,
}

/// What it took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Shared states, local states and transitions as given.
    pub size: (u64, u64, u64),
    /// The same after the reductions.
    pub reduced_size: (u64, u64, u64),
    /// States expanded backward.
    pub iterations: u64,
    /// Cover predecessors looked at.
    pub predecessors: u64,
    /// The largest number of states the backward search kept.
    pub peak_states: u64,
    /// States kept at the end; for "uncoverable", the proof before it is brought back to the user's states.
    pub final_states: u64,
    /// Widening candidates tried.
    pub candidates: u64,
    /// Vertices found coverable and removed.
    pub backtracked: u64,
    /// Nodes of the forward search.
    pub forward_nodes: u64,
    /// Linear invariants found.
    pub invariants: u64,
    /// Linear programs solved for them.
    pub linear_programs: u64,
    /// Which search had the answer.
    pub winner: Option<Winner>,
    /// Time for the reductions.
    pub reduce_time: Duration,
    /// Time for the searches.
    pub search_time: Duration,
    /// Time for turning the answer into a proof or a trace.
    pub finish_time: Duration,
}

/// The answer with what it took.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// What it took.
    pub statistics: Statistics,
    /// Iterations of the backward search and the states that it kept after each; a sample where there are thousands.
    pub curve: Vec<(u64, u64)>,
    /// The backward graph as graphviz text, if asked for.
    pub graph: Option<String>,
    /// The forward tree as graphviz text, if asked for.
    pub tree: Option<String>,
}

/// A bug in this program that was noticed before it became a wrong answer.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct InternalError(pub String);

/// Decides whether a target of the problem is coverable.
///
/// ```
/// use breach::coverability::{Options, Verdict, check_coverability};
/// use breach::diagnostics::Source;
/// use breach::system::Problem;
///
/// let text = "#init 0/0\n#target 1|1,1\n2 2\n0 0 -> 1 1\n1 1 -> 0 0\n";
/// let input = breach::emdr::parse(Source { name: "mutex", text })?;
/// let init = input.init.expect("the text has #init");
/// let problem = Problem { system: input.system, init, targets: input.targets };
/// let outcome = check_coverability(&problem, &Options::default())?;
/// assert!(matches!(outcome.verdict, Verdict::Uncoverable(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_coverability(problem: &Problem, options: &Options) -> Result<Outcome, InternalError> {
    let watch = Watch::start(&options.limits);
    match check_with(problem, options, &watch, LocalMerges::Allowed)? {
        Some(outcome) => Ok(outcome),
        // The answer is known, but its proof needs a search that knows all local states.
        None => check_with(problem, options, &watch, LocalMerges::Forbidden)?
            .ok_or_else(|| InternalError("a proof is too large although nothing was merged".into())),
    }
}

/// The check with or without merging local states; `None` if the proof explodes because of such merges.
fn check_with(
    problem: &Problem,
    options: &Options,
    watch: &Watch,
    local_merges: LocalMerges,
) -> Result<Option<Outcome>, InternalError> {
    let start = watch.elapsed();
    let reduced = reduce(problem, options.reductions, local_merges);
    let mut statistics = Statistics {
        size: (
            problem.system.shared_states.into(),
            problem.system.local_states.into(),
            problem.system.transitions.len() as u64,
        ),
        reduced_size: (
            reduced.net.shared_states as u64,
            reduced.net.local_states as u64,
            reduced.net.steps.len() as u64,
        ),
        reduce_time: watch.elapsed() - start,
        ..Statistics::default()
    };
    let mut searches = Searches::new(&reduced, options);
    let answer = searches.run(options, watch);
    searches.count(&mut statistics);
    statistics.search_time = watch.elapsed() - start - statistics.reduce_time;
    statistics.winner = match answer {
        Answer::Forward { .. } | Answer::ForwardExhausted => Some(Winner::Forward),
        Answer::Backward(_) => Some(Winner::Backward),
        Answer::Unknown(_) => None,
    };
    let Some(verdict) = searches.verdict(problem, &reduced, answer, options.proof, watch)? else {
        return Ok(None);
    };
    statistics.finish_time = watch.elapsed() - start - statistics.search_time - statistics.reduce_time;
    let graph = searches.backward.as_ref().filter(|_| options.graph);
    let tree = searches.forward.as_ref().filter(|_| options.tree);
    let curve = searches.backward.as_ref().map(|b| {
        let Counts { iterations, states, .. } = searches.backward_counts;
        b.curve().until(iterations, states)
    });
    Ok(Some(Outcome {
        curve: curve.unwrap_or_default(),
        graph: graph.map(|b| b.graph().to_dot(&problem.system, &reduced.net, &reduced.lift)),
        tree: tree.map(|f| f.to_dot(&problem.system, &reduced.lift)),
        verdict,
        statistics,
    }))
}

impl<'n> Searches<'n> {
    fn new(reduced: &'n Reduced, options: &Options) -> Self {
        let net = &reduced.net;
        let backward: Option<Box<dyn BackwardSearch<'n> + 'n>> = match options.algorithm {
            Algorithm::Forward => None,
            Algorithm::Optimistic if options.widening => {
                Some(Box::new(OptimisticSearch::new(net, options.widening_width)))
            }
            Algorithm::Widening if options.widening => {
                Some(Box::new(WideningSearch::new(net, options.widening_width)))
            }
            _ => Some(Box::new(ClassicalSearch::new(net))),
        };
        let forward = options.oracle || options.algorithm == Algorithm::Forward;
        let backward_counts = backward.as_ref().map(|b| b.counts()).unwrap_or_default();
        Self { forward: forward.then(|| KarpMiller::new(net)), backward, backward_counts }
    }

    fn run(&mut self, options: &Options, watch: &Watch) -> Answer {
        let mut last = Duration::ZERO;
        if let Some(backward) = &mut self.backward
            && options.invariants
            && options.invariants_from == 0
        {
            backward.use_invariants(0);
        }
        // A drawing shows the backward search as it is: it must not be stopped just anywhere.
        let threads = if options.graph { 1 } else { options.threads };
        run(self, threads, watch, &mut |searches, round| {
            if let Some(backward) = &mut searches.backward
                && options.invariants
                && round.total >= options.invariants_from
            {
                backward.use_invariants(round.quota);
            }
            if let Some(progress) = &options.progress
                && watch.elapsed() >= last + Duration::from_millis(100)
            {
                last = watch.elapsed();
                let counts = searches.backward.as_ref().map(|b| b.counts()).unwrap_or_default();
                progress(&Progress {
                    elapsed: last,
                    iterations: counts.iterations,
                    states: counts.states,
                    forward_nodes: searches.forward.as_ref().map_or(0, |f| f.len() as u64),
                });
            }
        })
    }

    fn count(&self, statistics: &mut Statistics) {
        statistics.forward_nodes = self.forward.as_ref().map_or(0, |f| f.len() as u64);
        let counts = self.backward_counts;
        statistics.iterations = counts.iterations;
        statistics.predecessors = counts.predecessors;
        statistics.peak_states = counts.peak_states;
        statistics.final_states = counts.states;
        statistics.candidates = counts.candidates;
        statistics.backtracked = counts.backtracked;
        statistics.invariants = counts.invariants;
        statistics.linear_programs = counts.linear_programs;
    }

    fn verdict(
        &mut self,
        problem: &Problem,
        reduced: &Reduced,
        answer: Answer,
        proof: bool,
        watch: &Watch,
    ) -> Result<Option<Verdict>, InternalError> {
        let trace = |target: u32, run: Result<Run, UnwindError>| {
            let run = match run {
                Ok(run) => run,
                Err(UnwindError::TooLong) => return Ok(Some(Verdict::Unknown(Reason::RunTooLong))),
                Err(error) => return Err(InternalError(error.to_string())),
            };
            let target = reduced.lift.target_of_net[target as usize];
            match build_trace(problem, &reduced.net, &reduced.lift, &run, target) {
                Ok(trace) => Ok(Some(Verdict::Coverable(trace))),
                Err(NoTrace::TooManyThreads) => Ok(Some(Verdict::Unknown(Reason::RunTooLong))),
                Err(error) => Err(InternalError(error.to_string())),
            }
        };
        let stop = Stop::new(watch);
        match (answer, &self.forward, &mut self.backward) {
            (Answer::Unknown(reason), _, _) => Ok(Some(Verdict::Unknown(reason))),
            (Answer::Forward { node, target }, Some(forward), _) => {
                trace(target, forward.unwind(node, &reduced.net.targets[target as usize].1))
            }
            (Answer::Backward(Backward::Coverable { target, fact }), forward, Some(backward)) => {
                trace(target, backward.facts().run(fact, forward.as_ref()))
            }
            _ if !proof => Ok(Some(Verdict::Uncoverable(None))),
            (Answer::Backward(Backward::Uncoverable), _, Some(backward)) => {
                let invariants = backward.pruner().invariants().to_vec();
                let proof = ReducedProof { elements: backward.elements(), invariants };
                lift_proof(problem, reduced, Some(proof), &stop)
            }
            (Answer::ForwardExhausted, Some(forward), _) => {
                lift_proof(problem, reduced, proof_from_cover(&reduced.net, forward, &stop), &stop)
            }
            (Answer::Forward { .. } | Answer::ForwardExhausted | Answer::Backward(_), _, _) => {
                Err(InternalError("an answer without its search".into()))
            }
        }
    }
}

/// Brings a proof back to the user's system. A proof that is `None` was stopped; a verdict that is `None` needs
/// another search, see [`LocalMerges`].
fn lift_proof(
    problem: &Problem,
    reduced: &Reduced,
    proof: Option<ReducedProof>,
    stop: &Stop<'_>,
) -> Result<Option<Verdict>, InternalError> {
    let lifted = proof.map_or(Err(Unproved::Stopped), |proof| reduced.lift.proof(problem, &proof, stop));
    match lifted {
        Ok(proof) => Ok(Some(Verdict::Uncoverable(Some(proof)))),
        Err(Unproved::TooLarge) => Ok(None),
        Err(Unproved::Stopped) => Ok(Some(Verdict::Unknown(Reason::ProofUnfinished))),
        Err(error) => Err(InternalError(error.to_string())),
    }
}
