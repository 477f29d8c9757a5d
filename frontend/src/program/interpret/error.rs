//! What can go wrong with programs and steps.

use crate::program::validate::InvalidProgram;
use crate::program::{EdgeId, LocationId};
use smt::{Sort, Symbol};
use std::fmt;

/// Why there is no interpreter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InterpreterError {
    /// The program has flaws.
    #[error("the program is not valid:\n{0}")]
    Invalid(#[from] InvalidProgram),
    /// There is always the initial thread.
    #[error("a program has at least one thread")]
    NoThread,
}

/// Why a step is not possible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StepError {
    /// The thread's number is too large.
    #[error("there is no thread {0}")]
    NoSuchThread(usize),
    /// The edge's number is too large.
    #[error("there is no edge {}", .0.0)]
    NoSuchEdge(EdgeId),
    /// The thread is somewhere else.
    #[error("thread {thread} is at location {}, but edge {} leaves {}", .at.0, .edge.0, .from.0)]
    NotThere {
        /// The thread that should move.
        thread: usize,
        /// The edge.
        edge: EdgeId,
        /// Where the thread is.
        at: LocationId,
        /// Where it should be.
        from: LocationId,
    },
    /// Another thread is in an atomic section.
    #[error("thread {thread} cannot move while thread {holder} is in an atomic section")]
    Blocked {
        /// The thread that should move.
        thread: usize,
        /// The thread in the atomic section.
        holder: usize,
    },
    /// The guard does not hold.
    #[error("the guard of edge {} does not hold", .0.0)]
    Guard(EdgeId),
    /// Not as many inputs as the edge has.
    #[error("edge {} needs {needed} inputs ({whose}), not {given}", .edge.0)]
    InputCount {
        /// The edge.
        edge: EdgeId,
        /// Whose inputs.
        whose: Whose,
        /// As many as the edge has.
        needed: usize,
        /// As many as there are.
        given: usize,
    },
    /// An input of the wrong sort.
    #[error("input `{name}` of edge {} has the sort {expected}, not {found}", .edge.0)]
    InputSort {
        /// The edge.
        edge: EdgeId,
        /// The input.
        name: Symbol,
        /// What it should be.
        expected: Sort,
        /// What it is.
        found: Sort,
    },
}

/// Whose inputs an error is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// Those of the step.
    Active,
    /// Those that a passive thread chooses.
    Passive(usize),
}

impl fmt::Display for Whose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Whose::Active => write!(f, "of the step"),
            Whose::Passive(thread) => write!(f, "of passive thread {thread}"),
        }
    }
}
