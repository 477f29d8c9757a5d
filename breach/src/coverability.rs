//! The question and the answer: [`check_coverability`].

use crate::limits::{Limits, Reason, Watch};
use crate::net::Net;
use crate::oracle::{KarpMiller, UnwindError};
use crate::proof::Proof;
use crate::reduce::{ReducedProof, Reductions, reduce};
use crate::run::{Run, build_trace};
use crate::search::backward::ClassicalSearch;
use crate::search::optimistic::OptimisticSearch;
use crate::search::portfolio::{Answer, run};
use crate::search::{Backward, BackwardSearch};
use crate::system::Problem;
use crate::trace::Trace;

/// After this much work of the searches, linear invariants are looked for.
const INVARIANTS_FROM: u64 = 10_000;

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

/// How to check.
#[derive(Clone, Debug)]
pub struct Options {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The largest number of threads of a widening candidate; 0 is no limit.
    pub widening_width: u32,
    /// Whether to widen at all.
    pub widening: bool,
    /// Whether the forward search helps.
    pub oracle: bool,
    /// Reductions before the search.
    pub reductions: Reductions,
    /// Whether to use linear invariants.
    pub invariants: bool,
    /// Threads to use.
    pub threads: usize,
    /// Whether to produce a proof.
    pub proof: bool,
    /// Time, memory, interrupt.
    pub limits: Limits,
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
            threads: 2,
            proof: false,
            limits: Limits::default(),
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

/// The answer with what it took.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
}

/// A bug in this program that was noticed before it became a wrong answer.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct InternalError(pub String);

/// Decides whether a target of the problem is coverable.
pub fn check_coverability(problem: &Problem, options: &Options) -> Result<Outcome, InternalError> {
    let watch = Watch::start(&options.limits);
    let reduced = reduce(problem, options.reductions);
    if std::env::var_os("BREACH_DEBUG").is_some() {
        eprintln!("reduced: S {} L {} T {} in {:?}", reduced.net.shared_states, reduced.net.local_states, reduced.net.steps.len(), watch.elapsed());
    }
    let net = &reduced.net;
    let mut forward = (options.oracle || options.algorithm == Algorithm::Forward).then(|| KarpMiller::new(net));
    let mut backward: Option<Box<dyn BackwardSearch<'_> + '_>> = match options.algorithm {
        Algorithm::Forward => None,
        Algorithm::Optimistic if options.widening => {
            Some(Box::new(OptimisticSearch::new(net, options.widening_width)))
        }
        _ => Some(Box::new(ClassicalSearch::new(net))),
    };
    let answer = run(&mut forward, &mut backward, options.threads, &watch, &mut |_, backward, work| {
        if let Some(backward) = backward
            && options.invariants
            && work >= INVARIANTS_FROM
        {
            backward.use_invariants();
        }
    });
    let invariants = backward.as_mut().map_or(Vec::new(), |b| b.pruner().invariants().to_vec());
    if std::env::var_os("BREACH_DEBUG").is_some() {
        eprintln!("searched in {:?}; forward nodes {:?}; backward {:?} invariants {} programs {}", watch.elapsed(), forward.as_ref().map(|f| f.len()), backward.as_ref().map(|b| b.counts()), invariants.len(), backward.as_mut().map_or(0, |b| b.pruner().programs));
    }
    let lift_proof = |elements| -> Result<Verdict, InternalError> {
        let proof = ReducedProof { elements, invariants: invariants.clone() };
        let proof = if options.proof {
            Some(reduced.lift.proof(problem, &proof).map_err(|e| InternalError(e.to_string()))?)
        } else {
            None
        };
        Ok(Verdict::Uncoverable(proof))
    };
    let trace = |target: u32, run: Result<Run, UnwindError>| -> Result<Verdict, InternalError> {
        let run = match run {
            Ok(run) => run,
            Err(UnwindError::TooLong) => return Ok(Verdict::Unknown(Reason::RunTooLong)),
            Err(error) => return Err(InternalError(error.to_string())),
        };
        let target = reduced.lift.target_of_net[target as usize];
        let trace = build_trace(problem, net, &reduced.lift, &run, target);
        Ok(Verdict::Coverable(trace.map_err(|e| InternalError(e.to_string()))?))
    };
    let verdict = match answer {
        Answer::Unknown(reason) => Verdict::Unknown(reason),
        Answer::Forward { node, target } => {
            let required = net.targets[target as usize].1.clone();
            let run = forward.as_ref().map_or(Err(UnwindError::Unjustified), |f| f.unwind(node, &required));
            trace(target, run)?
        }
        Answer::Backward(Backward::Coverable { target, fact }) => {
            let run = backward.as_ref().map_or(Err(UnwindError::Unjustified), |b| b.facts().run(fact, forward.as_ref()));
            trace(target, run)?
        }
        Answer::Backward(Backward::Uncoverable) => {
            lift_proof(backward.as_ref().map_or(Vec::new(), |b| b.elements()))?
        }
        Answer::ForwardExhausted => match &forward {
            Some(forward) if options.proof => lift_proof(proof_from_cover(net, forward))?,
            _ => Verdict::Uncoverable(None),
        },
    };
    Ok(Outcome { verdict })
}

fn proof_from_cover(_net: &Net, _forward: &KarpMiller<'_>) -> Vec<(u32, crate::net::Pairs)> {
    Vec::new()
}
