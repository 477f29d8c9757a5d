//! From a node of the forward tree to a run: how often to repeat what was accelerated.
//!
//! The search knows that a node is coverable with any number of threads in its omegas; a run needs numbers.
//! They are found backward. Start with what is required at the node; undo the boosts from the last to the
//! first, repeating a step or a branch as often as the requirement on its omegas demands; undo the step
//! into the node; go on at the parent. Requirements travel through steps as cover predecessors do.

use super::config::covers;
use super::karp_miller::{Boost, KarpMiller, ROOT};
use crate::net::{Pairs, Part, count, subtract, sum};
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
        unwinding.branch(node, ROOT, false)?;
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
    /// From the node, boosts included, back to `ancestor` (exclusive), or past the root. In a branch that is
    /// repeated all passive threads stay.
    fn branch(&mut self, node: u32, ancestor: u32, repeated: bool) -> Result<(), UnwindError> {
        let mut at = node;
        while at != ancestor {
            self.boosts(at, self.search.nodes[at as usize].boosts.len())?;
            let (step, parent) = (self.search.nodes[at as usize].step, self.search.nodes[at as usize].parent);
            if repeated {
                self.step_staying(step)?;
            } else if parent != ROOT {
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
                        self.step_staying(*step)?;
                    }
                }
                Boost::Cycle { ancestor, gains } => {
                    let times = gains.iter().map(|&(l, before, gain)| {
                        count(&self.required, l).saturating_sub(before).div_ceil(gain)
                    });
                    for _ in 0..times.max().unwrap_or(0) {
                        self.boosts(node, index)?;
                        let node = &self.search.nodes[node as usize];
                        self.step_staying(node.step)?;
                        self.branch(node.parent, *ancestor, true)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Undoes one step in which all passive threads stay.
    fn step_staying(&mut self, step: u32) -> Result<(), UnwindError> {
        let step_of_net = &self.search.net().steps[step as usize];
        let rest = subtract(&self.required, step_of_net.produce.pairs());
        self.undo(step, sum(&rest, step_of_net.consume.pairs()))
    }

    /// Undoes the step from `parent`. With transfers there are several predecessors: one that the parent
    /// covers is taken.
    fn step(&mut self, step: u32, parent: u32) -> Result<(), UnwindError> {
        let parent = &self.search.nodes[parent as usize];
        let mut before = None;
        self.search.net().cover_predecessors(step, &self.required, &mut |p, part| {
            // What the parent does not cover in part it does not cover as a whole.
            let fits = before.is_none() && covers(self.search.omegas.bits(parent.omega), &parent.finite, p);
            if fits && part == Part::Whole {
                before = Some(p.clone());
            }
            !fits
        });
        self.undo(step, before.ok_or(UnwindError::Unjustified)?)
    }

    fn undo(&mut self, step: u32, before: Pairs) -> Result<(), UnwindError> {
        if self.steps.len() >= MAX_STEPS {
            return Err(UnwindError::TooLong);
        }
        let after = std::mem::replace(&mut self.required, before);
        self.steps.push((step, after));
        Ok(())
    }
}
