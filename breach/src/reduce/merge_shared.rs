//! Merging forced steps, first kind: shared states that are only passed through.
//!
//! Where a program runs through a chain of shared states (a lock that is taken in two steps, a Petri net
//! transition that a converter split into single moves), nothing else can happen in between, because every
//! transition needs the shared state. Such an intermediate state is removed and each way in is joined with
//! each way out: first consume P1, produce Q1, then consume P2, produce Q2 becomes
//!
//! ```text
//! consume P1 + (P2 - Q1)      produce Q2 + (Q1 - P2)
//! ```
//!
//! This is exact for targets elsewhere. In proofs the removed state comes back as the cover predecessors of
//! the elements behind it.

use super::draft::{Draft, DraftStep};
use crate::system::{Multiset, Shared, Transition};

/// Removes intermediate shared states; true if there were any.
pub(super) fn merge_shared(draft: &mut Draft<'_>) -> bool {
    let mut graph = Graph::new(draft);
    let mut pinned = vec![false; draft.shared_states()];
    pinned[draft.init.shared as usize] = true;
    for target in &draft.targets {
        pinned[target.shared as usize] = true;
    }
    let mut merged = false;
    // Joining steps can make neighbours removable, hence the second look at them.
    let mut work: Vec<Shared> = (0..draft.shared_states() as Shared).rev().collect();
    while let Some(s) = work.pop() {
        if pinned[s as usize] || draft.eliminated[s as usize] || !graph.is_intermediate(s) {
            continue;
        }
        draft.eliminated[s as usize] = true;
        merged = true;
        graph.eliminate(s, &mut work);
    }
    draft.steps = graph.steps.into_iter().flatten().collect();
    merged
}

/// The steps with their incidence lists; removed steps leave a hole.
struct Graph {
    steps: Vec<Option<DraftStep>>,
    incoming: Vec<Vec<u32>>,
    outgoing: Vec<Vec<u32>>,
    /// How many of the listed steps are still there.
    degrees: Vec<(u32, u32)>,
}

impl Graph {
    fn new(draft: &mut Draft<'_>) -> Self {
        let mut graph = Graph {
            steps: Vec::new(),
            incoming: vec![Vec::new(); draft.shared_states()],
            outgoing: vec![Vec::new(); draft.shared_states()],
            degrees: vec![(0, 0); draft.shared_states()],
        };
        for step in std::mem::take(&mut draft.steps) {
            graph.add(step);
        }
        graph
    }

    fn add(&mut self, step: DraftStep) {
        let id = self.steps.len() as u32;
        self.outgoing[step.transition.from as usize].push(id);
        self.incoming[step.transition.to as usize].push(id);
        self.degrees[step.transition.from as usize].1 += 1;
        self.degrees[step.transition.to as usize].0 += 1;
        self.steps.push(Some(step));
    }

    fn take(&mut self, ids: &[u32]) -> Vec<DraftStep> {
        let taken: Vec<DraftStep> = ids.iter().filter_map(|&id| self.steps[id as usize].take()).collect();
        for step in &taken {
            self.degrees[step.transition.from as usize].1 -= 1;
            self.degrees[step.transition.to as usize].0 -= 1;
        }
        taken
    }

    /// Passed through without a loop or a transfer, and not more steps afterwards than before.
    fn is_intermediate(&self, s: Shared) -> bool {
        let (ins, outs) = self.degrees[s as usize];
        if ins == 0 || outs == 0 || u64::from(ins) * u64::from(outs) > u64::from(ins) + u64::from(outs) {
            return false;
        }
        let simple = |step: &DraftStep| {
            step.transition.transfers.is_empty() && step.transition.from != step.transition.to
        };
        let ids = self.incoming[s as usize].iter().chain(&self.outgoing[s as usize]);
        ids.filter_map(|&id| self.steps[id as usize].as_ref()).all(simple)
    }

    fn eliminate(&mut self, s: Shared, work: &mut Vec<Shared>) {
        let ins = std::mem::take(&mut self.incoming[s as usize]);
        let outs = std::mem::take(&mut self.outgoing[s as usize]);
        let (ins, outs) = (self.take(&ins), self.take(&outs));
        for first in &ins {
            for second in &outs {
                let joined = join(first, second);
                work.extend([joined.transition.from, joined.transition.to]);
                self.add(joined);
            }
        }
    }
}

/// Two steps without transfers, one after the other.
fn join(first: &DraftStep, second: &DraftStep) -> DraftStep {
    let (a, b) = (&first.transition, &second.transition);
    let mut consume = a.consume.clone();
    add_difference(&mut consume, &b.consume, &a.produce);
    let mut produce = b.produce.clone();
    add_difference(&mut produce, &a.produce, &b.consume);
    let mut path = first.path.clone();
    path.extend_from_slice(&second.path);
    DraftStep {
        transition: Transition { from: a.from, to: b.to, consume, produce, transfers: Vec::new() },
        path,
    }
}

/// Adds `plus - minus`, without going below zero, to `sum`.
fn add_difference(sum: &mut Multiset, plus: &Multiset, minus: &Multiset) {
    for &(l, c) in plus.pairs() {
        sum.add(l, c.saturating_sub(minus.count(l)));
    }
}
