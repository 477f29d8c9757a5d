//! Runs a backward and a forward search side by side, with the same result in every run.
//!
//! Work proceeds in rounds. In each round both searches do a fixed amount of work, counted in comparisons and
//! not in seconds; then the backward search learns what the forward search found. The first rounds are
//! short and run one after the other, so that small systems pay for no second thread; later rounds run on
//! two threads. If both find an answer in the same round, the forward one counts; an answer of the forward
//! search stops the other at once, an answer of the backward search waits for the rest of the round, which
//! is milliseconds. So the answer, the proof and the run depend on the input only.

use super::{Backward, BackwardSearch, Counts};
use crate::limits::{Reason, Stop, Watch};
use crate::oracle::{Forward, KarpMiller};

/// Work of a search in the first round and at most in a round.
const FIRST_ROUND: u64 = 2_000;
const LONGEST_ROUND: u64 = 100_000;
/// From this amount of work on, rounds use two threads.
const PARALLEL_FROM: u64 = 32_000;

/// The answer of whichever search came first.
pub(crate) enum Answer {
    /// A node of the forward search covers a target.
    Forward { node: u32, target: u32 },
    /// The forward search has seen everything: no target is coverable.
    ForwardExhausted,
    /// The backward search's answer.
    Backward(Backward),
    /// No answer.
    Unknown(Reason),
}

/// The work of one search in the round just over, and in all rounds.
#[derive(Clone, Copy)]
pub(crate) struct Round {
    pub(crate) quota: u64,
    pub(crate) total: u64,
}

/// The searches of one check, at least one.
pub(crate) struct Searches<'n> {
    pub(crate) forward: Option<KarpMiller<'n>>,
    pub(crate) backward: Option<Box<dyn BackwardSearch<'n> + 'n>>,
    /// What the backward search had done when it was last sure to do the same in every run.
    pub(crate) backward_counts: Counts,
}

/// Runs the searches; `between` is called after each round without an answer.
pub(crate) fn run<'n>(
    searches: &mut Searches<'n>,
    threads: usize,
    watch: &Watch,
    between: &mut dyn FnMut(&mut Searches<'n>, Round),
) -> Answer {
    let stop = &Stop::new(watch);
    let mut quota = FIRST_ROUND;
    let mut forward_done = searches.forward.is_none();
    let mut total = 0;
    loop {
        let Searches { forward, backward, backward_counts } = searches;
        let mut ahead = forward.as_mut().filter(|_| !forward_done);
        let parallel = threads > 1 && quota >= PARALLEL_FROM && ahead.is_some() && backward.is_some();
        let (found_forward, found_backward) = match (&mut ahead, backward.as_mut()) {
            (Some(forward), Some(backward)) if parallel => {
                round_on_two_threads(forward, backward, quota, stop)
            }
            (ahead, backward) => {
                let found = ahead.as_mut().and_then(|f| f.advance(quota, stop));
                match found {
                    Some(Forward::Covered { .. } | Forward::Exhausted) => (found, None),
                    _ => (found, backward.and_then(|b| b.advance(quota, stop))),
                }
            }
        };
        // A round that the forward search ended stopped the backward search anywhere: it does not count.
        let ended = matches!(found_forward, Some(Forward::Covered { .. } | Forward::Exhausted));
        if let Some(backward) = backward.as_ref().filter(|_| !ended) {
            *backward_counts = backward.counts();
        }
        match found_forward {
            Some(Forward::Covered { node, target }) => return Answer::Forward { node, target },
            Some(Forward::Exhausted) => return Answer::ForwardExhausted,
            Some(Forward::GaveUp) => forward_done = true,
            None => {}
        }
        if let Some(answer) = found_backward {
            return Answer::Backward(answer);
        }
        if let (Some(forward), Some(backward)) = (forward.as_mut(), backward.as_mut())
            && let Some(answer) = backward.learn(forward.export())
        {
            return Answer::Backward(answer);
        }
        if let Some(reason) = watch.reached() {
            return Answer::Unknown(reason);
        }
        if backward.is_none() && forward_done {
            return Answer::Unknown(Reason::Incomplete);
        }
        total += quota;
        between(searches, Round { quota, total });
        quota = (quota * 2).min(LONGEST_ROUND);
    }
}

/// One round with the forward search on this thread and the backward search on another.
fn round_on_two_threads<'n>(
    forward: &mut KarpMiller<'n>,
    backward: &mut Box<dyn BackwardSearch<'n> + 'n>,
    quota: u64,
    stop: &Stop<'_>,
) -> (Option<Forward>, Option<Backward>) {
    std::thread::scope(|scope| {
        let other = scope.spawn(|| backward.advance(quota, stop));
        let found = forward.advance(quota, stop);
        if matches!(found, Some(Forward::Covered { .. } | Forward::Exhausted)) {
            stop.request();
        }
        // A panic over there is a bug; it must not be taken for "no answer".
        let answer = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        (found, answer)
    })
}
