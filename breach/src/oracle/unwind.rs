//! From a node of the forward tree to a run: how often to repeat what was accelerated.
//!
//! The search knows that a node is coverable with any number of threads in its omegas; a run needs numbers.
//! They are found backward. Start with what is required at the node; undo the boosts from the last to the
//! first, repeating a step or a branch as often as the requirement on its omegas demands; undo the step
//! into the node; go on at the parent. Requirements travel through steps as cover predecessors do.

use super::config::covers;
use super::karp_miller::{Boost, KarpMiller, ROOT};
use crate::net::{Pairs, Part, count};
use crate::run::Run;

/// Runs longer than this are not built.
const MAX_STEPS: usize = 2_000_000;

/// Why a run could not be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum UnwindError {
    /// The accelerations multiply to more than can be written down.
    #[error("the run has more than {MAX_STEPS} steps")]
    TooLong,
    /// A requirement that the tree does not meet: a bug in this program.
    #[error("internal error: the forward tree does not justify its node")]
    Unjustified,
}

impl KarpMiller<'_> {
    /// A run that covers `required`, which the node covers.
    pub(crate) fn unwind(&self, node: u32, required: &Pairs) -> Result<Run, UnwindError> {
        let mut unwinding = Unwinding { search: self, required: required.clone(), steps: Vec::new() };
        unwinding.branch(node, ROOT)?;
        let Unwinding { required, mut steps, .. } = unwinding;
        steps.reverse();
        Ok(Run { initial: required, steps })
    }
}

struct Unwinding<'a> {
    search: &'a KarpMiller<'a>,
    required: Pairs,
    /// Steps in reverse, each with what is required after it.
    steps: Vec<(u32, Pairs)>,
}

impl Unwinding<'_> {
    /// From the node, boosts included, back to `ancestor` (exclusive), or past the root.
    fn branch(&mut self, node: u32, ancestor: u32) -> Result<(), UnwindError> {
        let mut at = node;
        while at != ancestor {
            self.boosts(at, self.search.nodes[at as usize].boosts.len())?;
            let (step, parent) = (self.search.nodes[at as usize].step, self.search.nodes[at as usize].parent);
            if parent != ROOT {
                self.step(step, parent)?;
            }
            at = parent;
        }
        Ok(())
    }

    /// The first `stage` boosts of a node, last first.
    fn boosts(&mut self, node: u32, stage: usize) -> Result<(), UnwindError> {
        for index in (0..stage).rev() {
            match &self.search.nodes[node as usize].boosts[index] {
                Boost::Saturate(step, gained) => {
                    let produce = &self.search.net().steps[*step as usize].produce;
                    let times = gained.iter().map(|&(l, before)| {
                        let missing = count(&self.required, l).saturating_sub(before);
                        missing.div_ceil(produce.count(l).max(1))
                    });
                    for _ in 0..times.max().unwrap_or(0) {
                        self.step(*step, ROOT)?;
                    }
                }
                Boost::Cycle { ancestor, gains } => {
                    let times = gains.iter().map(|&(l, before, gain)| {
                        count(&self.required, l).saturating_sub(before).div_ceil(gain)
                    });
                    for _ in 0..times.max().unwrap_or(0) {
                        self.boosts(node, index)?;
                        let node = &self.search.nodes[node as usize];
                        self.step(node.step, ROOT)?;
                        self.branch(node.parent, *ancestor)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Undoes one step. A step with transfers has several predecessors: one that the parent covers is taken.
    fn step(&mut self, step: u32, parent: u32) -> Result<(), UnwindError> {
        if self.steps.len() >= MAX_STEPS {
            return Err(UnwindError::TooLong);
        }
        let mut before = None;
        self.search.net().cover_predecessors(step, &self.required, &mut |p, part| {
            if part == Part::Open || before.is_some() {
                return before.is_some();
            }
            let fits = parent == ROOT || {
                let parent = &self.search.nodes[parent as usize];
                covers(self.search.omegas.bits(parent.omega), &parent.finite, p)
            };
            // Without transfers there is just one, and inside a cycle it may exceed the parent.
            let only = self.search.net().steps[step as usize].transfers.is_none();
            if fits || only {
                before = Some(p.clone());
            }
            false
        });
        let before = before.ok_or(UnwindError::Unjustified)?;
        let after = std::mem::replace(&mut self.required, before);
        self.steps.push((step, after));
        Ok(())
    }
}
