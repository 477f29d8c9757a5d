//! A finite system that stands for a program with any number of threads.
//!
//! The state of a run is seen through predicates. A *shared* predicate is a bit of the shared state. A *thread* predicate is a bit of each thread, where the thread's location is among `scope`; elsewhere the bit is
//! false. If its term mentions passive copies (`x@P`), the bit of a thread says that the predicate holds for all other threads whose location is among `about`. Which locations these are is the
//! engine's choice, and makes no difference to the argument.

use breach::proof::Proof;
use breach::system::Problem;
use frontend::program::{EdgeId, LocationId, VariableId};
use smt::Term;
use std::collections::BTreeSet;

/// The width of counts. No machine has 2^62 threads, and a few such numbers have a sum below 2^68.
pub const COUNT_WIDTH: u32 = 68;

/// Values of predicates, the first one lowest.
pub type Bits = u128;

/// A predicate, and where it counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predicate {
    /// Over variables and passive copies.
    pub term: Term,
    /// Where a thread has a bit for it; none for shared predicates.
    pub scope: BTreeSet<LocationId>,
    /// Of threads in which locations it speaks, if it speaks of others.
    pub about: BTreeSet<LocationId>,
}

/// A shared variable that counts the threads in some locations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// The name of the variable; no variable of the program has it.
    pub name: String,
    /// The locations.
    pub locations: BTreeSet<LocationId>,
}

/// The state of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Local {
    /// Where it is.
    pub location: LocationId,
    /// Values of thread predicates.
    pub bits: Bits,
}

/// Everything that the proof needs.
#[derive(Clone, Debug)]
pub struct Abstraction {
    /// Edges to where a thread ends that get an end of their own: a new location each, in this order, after those of the program.
    pub ends: Vec<EdgeId>,
    /// Variables that are added to the program.
    pub counts: Vec<Count>,
    /// At most so many threads are alive at once: an assumption.
    pub bound: Option<u128>,
    /// What always holds, over shared variables and counts.
    pub facts: Vec<Term>,
    /// Variables that hold no identity but of threads that have started.
    pub carriers: BTreeSet<VariableId>,
    /// Bits of the shared state.
    pub shared_predicates: Vec<Predicate>,
    /// Bits of each thread.
    pub thread_predicates: Vec<Predicate>,
    /// Shared states of the system by number; it may have more, which are described below.
    pub shared: Vec<Bits>,
    /// Local states of the system by number; likewise.
    pub locals: Vec<Local>,
    /// The shared state after a violation.
    pub error: u32,
    /// By shared state: local states that can occur with it.
    pub occurs: Vec<BTreeSet<u32>>,
    /// By transition of the system: the edge. None for those that choose an initial state.
    pub edges: Vec<Option<EdgeId>>,
    /// The system, and what must not be coverable.
    pub problem: Problem,
    /// Why that is so.
    pub proof: Proof,
}
