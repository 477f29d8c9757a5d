//! Runs that cover a target, with thread identities.

use crate::system::{Local, Shared, State};

/// How a thread takes part in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// One of the threads that the transition consumes or produces.
    Active,
    /// A thread that follows a transfer rule.
    Passive,
}

/// What one thread does in one step. Threads that are not mentioned stay where they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The thread. Threads 0, 1, .. are there initially; threads that appear later get the next numbers.
    pub thread: u32,
    /// Where it was; `None` for a thread that appears.
    pub from: Option<Local>,
    /// Where it is now; `None` for a thread that vanishes.
    pub to: Option<Local>,
    /// Its role.
    pub role: Role,
}

/// One step: a transition of the system and what the threads do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Index into [`crate::system::System::transitions`].
    pub transition: usize,
    /// Active threads first.
    pub moves: Vec<Move>,
}

/// A run from a concrete initial state to a state that covers the target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The shared state at the start.
    pub shared: Shared,
    /// The local state of each thread at the start.
    pub threads: Vec<Local>,
    /// The steps.
    pub steps: Vec<Step>,
    /// The target that is covered at the end.
    pub target: State,
}
