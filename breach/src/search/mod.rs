//! Backward searches over upward-closed sets of states (thesis, chapter 4).

pub(crate) mod backward;
pub(crate) mod curve;
pub(crate) mod facts;
pub(crate) mod from_cover;
pub(crate) mod graph;
pub(crate) mod optimistic;
mod partition;
pub(crate) mod portfolio;
pub(crate) mod widening;
mod worklist;

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
    /// Linear invariants found, and linear programs solved for them.
    pub(crate) invariants: u64,
    pub(crate) linear_programs: u64,
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
    /// Its size from iteration to iteration.
    fn curve(&self) -> &curve::Curve;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::Source;
    use crate::limits::{Limits, Watch};
    use crate::system::Problem;

    /// The running example of the thesis (figures 15 and 16).
    const RUNNING: &str = "#init 0/0\n#target 2|\n4 3\n1 2->2 0\n0 2->1 0\n3 2->0 0\n3 1->3 2\n0 0->3 1\n";

    fn net(text: &str) -> Net {
        let input = crate::emdr::parse(Source { name: "t", text }).unwrap();
        Net::of_user(&Problem { system: input.system, init: input.init.unwrap(), targets: input.targets })
    }

    fn finish<'a>(search: &mut dyn BackwardSearch<'a>) -> Backward {
        let watch = Watch::start(&Limits::default());
        search.advance(u64::MAX / 2, &Stop::new(&watch)).unwrap()
    }

    #[test]
    fn figure_17_and_figure_20() {
        let net = net(RUNNING);
        let mut classical = backward::ClassicalSearch::new(&net);
        assert!(matches!(finish(&mut classical), Backward::Uncoverable));
        assert_eq!(classical.counts().iterations, 9, "figure 17");
        assert_eq!(classical.elements().len(), 9);
        let mut optimistic = optimistic::OptimisticSearch::new(&net, 1);
        assert!(matches!(finish(&mut optimistic), Backward::Uncoverable));
        let most = |elements: Vec<(Shared, Pairs)>| {
            elements.iter().map(|e| crate::antichain::size(&e.1)).max().unwrap_or(0)
        };
        assert_eq!(optimistic.elements().len(), 7, "figure 20");
        assert_eq!(most(optimistic.elements()), 2);
    }

    #[test]
    fn wrong_candidates_are_taken_back() {
        // 3| and 3|2 look promising but are coverable (thesis, example 27).
        let net = net(RUNNING);
        for mut search in [
            Box::new(widening::WideningSearch::new(&net, 1)) as Box<dyn BackwardSearch<'_>>,
            Box::new(optimistic::OptimisticSearch::new(&net, 1)),
        ] {
            assert!(matches!(finish(search.as_mut()), Backward::Uncoverable));
            assert!(search.counts().backtracked >= 2);
        }
    }

    #[test]
    fn the_graph_shows_the_widened_targets_in_bold() {
        let net = net(RUNNING);
        let mut search = widening::WideningSearch::new(&net, 1);
        finish(&mut search);
        let graph = search.graph();
        assert_eq!(graph.vertices.len(), 9, "example 28");
        let bold = |s: Shared, threads: &[(Local, u32)]| {
            graph.vertices.iter().any(|v| v.is_candidate && v.shared == s && v.threads.as_slice() == threads)
        };
        assert!(bold(2, &[]) && bold(1, &[]) && bold(0, &[(1, 1)]));
        assert!(!bold(1, &[(2, 1)]) && !bold(3, &[(2, 2)]));
    }
}
