//! What the backward searches have in common: the order of expansion, and when to sweep.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Vertices to expand: those with few threads first, then those that came first.
#[derive(Default)]
pub(super) struct SmallestFirst(BinaryHeap<(Reverse<u64>, Reverse<u32>)>);

impl SmallestFirst {
    pub(super) fn push(&mut self, size: u64, id: u32) {
        self.0.push((Reverse(size), Reverse(id)));
    }

    pub(super) fn pop(&mut self) -> Option<u32> {
        self.0.pop().map(|(_, Reverse(id))| id)
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

/// Says when to look for vertices that nothing depends on any more: some were pruned since the last time, and
/// so much was expanded since that looking at all of them does not count.
#[derive(Default)]
pub(super) struct Sweep {
    expansions_since_pruning: Option<u64>,
}

/// Expansions that are always waited for.
const LEAST: u64 = 32;

impl Sweep {
    pub(super) fn note_pruning(&mut self) {
        self.expansions_since_pruning.get_or_insert(0);
    }

    pub(super) fn note_expansion(&mut self) {
        if let Some(expansions) = &mut self.expansions_since_pruning {
            *expansions += 1;
        }
    }

    /// True if it is time, with so many vertices to look at; the count then starts again.
    pub(super) fn is_due(&mut self, vertices: usize) -> bool {
        let due = self.expansions_since_pruning.is_some_and(|n| n > LEAST + vertices as u64);
        if due {
            self.expansions_since_pruning = None;
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sweep_waits_for_a_pruning_and_for_work() {
        let mut sweep = Sweep::default();
        (0..100).for_each(|_| sweep.note_expansion());
        assert!(!sweep.is_due(10), "nothing was pruned");
        sweep.note_pruning();
        (0..42).for_each(|_| sweep.note_expansion());
        assert!(!sweep.is_due(10));
        sweep.note_expansion();
        assert!(sweep.is_due(10));
        assert!(!sweep.is_due(10));
    }
}
