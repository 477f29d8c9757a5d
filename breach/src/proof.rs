//! Proofs of uncoverability: what they are and how they are written.
//!
//! A proof stands for a set X of states that is closed upward (thesis, definition 24): X contains the targets,
//! contains with every state all its predecessors, and contains no initial state. X is the union of
//! - everything above one of the minimal [`elements`](Proof::elements), and
//! - for each [linear invariant](Invariant), the states that violate it.
//!
//! The second kind is our addition: where the state equation of a Petri net decides, one inequality replaces
//! what can be millions of minimal elements. [`crate::check`] verifies both with code of its own.

use crate::system::{InitialStates, Local, Shared, State};

/// An inequality `weight(shared) + sum of the threads' weights <= bound` that no step of the system breaks.
///
/// It speaks only of the shared states that it lists; states with another shared part do not violate it.
/// Weights of local states are not negative, so the states that violate it are closed upward.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    /// Weights of shared states, ascending by state.
    pub shared: Vec<(Shared, i64)>,
    /// Weights of local states, ascending by state; 0 where not listed.
    pub locals: Vec<(Local, u32)>,
    /// The bound.
    pub bound: i64,
}

/// A proof that none of `targets` is coverable from `init`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The initial states that the proof is about.
    pub init: InitialStates,
    /// The states shown uncoverable.
    pub targets: Vec<State>,
    /// Minimal elements, ascending.
    pub elements: Vec<State>,
    /// Linear invariants.
    pub invariants: Vec<Invariant>,
}

impl Proof {
    /// The largest number of threads in an element.
    pub fn max_threads(&self) -> u64 {
        self.elements.iter().map(|e| e.threads.size()).max().unwrap_or(0)
    }
}
