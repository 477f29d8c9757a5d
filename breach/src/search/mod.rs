//! Backward searches over upward-closed sets of states (thesis, chapter 4).

pub(crate) mod backward;
pub(crate) mod facts;
pub(crate) mod from_cover;
pub(crate) mod graph;
pub(crate) mod optimistic;
mod partition;
pub(crate) mod portfolio;
pub(crate) mod widening;

use crate::limits::Stop;
use crate::net::{Net, Pairs};
use crate::oracle::Covered;
use crate::system::{Local, Shared};

/// What a backward search ends with.
#[derive(Clone, Debug)]
pub(crate) enum Backward {
    /// A target is coverable; `facts` of the search has the reason.
    Coverable {
        /// Index of the target.
        target: u32,
        /// The fact that says so.
        fact: u32,
    },
    /// The search's elements are a proof.
    Uncoverable,
}

/// Counts of a backward search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// States expanded.
    pub(crate) iterations: u64,
    /// Cover predecessors looked at.
    pub(crate) predecessors: u64,
    /// Widening candidates tried, and those found coverable.
    pub(crate) candidates: u64,
    pub(crate) backtracked: u64,
    /// States kept now, and at most.
    pub(crate) states: u64,
    pub(crate) peak_states: u64,
}

/// A backward search that can be interrupted and fed.
pub(crate) trait BackwardSearch<'a>: Send {
    /// Works until the answer is found, about `budget` units of work are done, or it is stopped for good.
    fn advance(&mut self, budget: u64, stop: &Stop<'_>) -> Option<Backward>;
    /// Takes in states that are known to be coverable.
    fn learn(&mut self, covered: Vec<Covered>) -> Option<Backward>;
    /// The elements so far: after `Uncoverable`, a proof.
    fn elements(&self) -> Vec<(Shared, Pairs)>;
    /// The reasons for coverability.
    fn facts(&self) -> &facts::Facts;
    /// What it has done so far.
    fn counts(&self) -> Counts;
    /// What it has built so far.
    fn graph(&self) -> graph::Graph;
    /// From now on looks for linear invariants, at a cost in proportion to the work given.
    fn use_invariants(&mut self, work: u64);
    /// Its linear invariants.
    fn pruner(&mut self) -> &mut crate::invariant::Pruner<'a>;
}

/// A smallest state strictly below that is not known to be coverable and has at most `width` threads (0: no
/// limit).
fn smallest_candidate(
    facts: &mut facts::Facts,
    net: &Net,
    width: u32,
    s: Shared,
    threads: &[(Local, u32)],
) -> Option<Pairs> {
    let size = crate::antichain::size(threads);
    let width = if width == 0 { u64::MAX } else { u64::from(width) };
    for count in 0..size.min(width.saturating_add(1)) {
        let mut found = None;
        subsets(threads, count, &mut Pairs::new(), &mut |part| {
            found = (facts.find(net, s, part).is_none()).then(|| part.clone());
            found.is_some()
        });
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Calls `visit` with the multisets of `count` threads below `threads` until it returns true.
fn subsets(
    threads: &[(Local, u32)],
    count: u64,
    so_far: &mut Pairs,
    visit: &mut dyn FnMut(&Pairs) -> bool,
) -> bool {
    if count == 0 {
        return visit(so_far);
    }
    let Some((&(l, most), rest)) = threads.split_first() else { return false };
    for here in (0..=u64::from(most).min(count)).rev() {
        if here > 0 {
            so_far.push((l, here as u32));
        }
        let done = subsets(rest, count - here, so_far, visit);
        if here > 0 {
            so_far.pop();
        }
        if done {
            return true;
        }
    }
    false
}
