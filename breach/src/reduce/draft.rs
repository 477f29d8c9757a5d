//! A system while it is being reduced, in the user's numbering.

use crate::system::{InitialStates, Local, Problem, Shared, State, Transition};
use smallvec::SmallVec;

/// A step of the reduced system and the user's transitions that it stands for, in order.
#[derive(Clone, Debug)]
pub(crate) struct DraftStep {
    pub(crate) transition: Transition,
    pub(crate) path: SmallVec<[u32; 2]>,
}

/// The system as far as it is reduced.
pub(crate) struct Draft<'a> {
    pub(crate) problem: &'a Problem,
    pub(crate) steps: Vec<DraftStep>,
    pub(crate) init: InitialStates,
    pub(crate) targets: Vec<State>,
    /// Shared states that were merged into their neighbours.
    pub(crate) eliminated: Vec<bool>,
    /// Where a thread moves by forced steps on its own, to the end of the chain; itself if nowhere.
    pub(crate) forced: Vec<Local>,
    /// The user's transition for one forced step of a local state under a shared state.
    pub(crate) forced_steps: Vec<(Shared, Local, u32)>,
}

impl<'a> Draft<'a> {
    pub(crate) fn new(problem: &'a Problem, may_fire: impl Fn(&Transition) -> bool) -> Self {
        let steps = problem
            .system
            .transitions
            .iter()
            .enumerate()
            .filter(|(_, t)| may_fire(t))
            .map(|(id, t)| DraftStep { transition: t.clone(), path: SmallVec::from_slice(&[id as u32]) })
            .collect();
        Self {
            problem,
            steps,
            init: problem.init.clone(),
            targets: problem.targets.clone(),
            eliminated: vec![false; problem.system.shared_states as usize],
            forced: (0..problem.system.local_states).collect(),
            forced_steps: Vec::new(),
        }
    }

    pub(crate) fn shared_states(&self) -> usize {
        self.problem.system.shared_states as usize
    }

    pub(crate) fn local_states(&self) -> usize {
        self.problem.system.local_states as usize
    }
}
