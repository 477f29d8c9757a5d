//! The threads of a program, told apart, with their loops unrolled. O. Inverso's thesis on lazy sequentialization, section 4.2, and its numeric labels.
//!
//! Each thread is an acyclic graph of [`Node`]s in topological order; a node is a location together with how often the heads of loops were passed
//! ([`crate::order`]). A [`Step`] keeps the edge that it is a copy of, so that a path through the graphs is a run of the program. A
//! step that creates a thread starts it ([`crate::threads`]); a copy of a creating edge starts a thread of its own.
//!
//! Values that are known at a node are put into the steps from there: locals of the thread, and shared variables that only the initial thread can
//! touch. Known is what depends on nothing but values at the start ([`at_start`]) and values that steps choose ([`chosen`]): a thread is at a node
//! once at most, so these have one value in a run, whenever it is that the thread is there. Guards that become false have no steps. So loops with a constant number of rounds end by themselves, whatever the bound.
//! A round counts against the bound if the loop could have been left in it and could not: one that was decided by known values is free.
//! Where the bound is reached, a step has no target: to take it is to leave what is unrolled.

mod builder;
pub mod loops;
mod values;

pub use builder::unwind;
use frontend::program::{EdgeId, Input, LocationId, NoteId, Program, VariableId};
use rustc_hash::FxHashSet;
use smt::{Symbol, Term};

/// The value of a variable at the start; without a thread for shared ones.
pub fn at_start(program: &Program, variable: VariableId, thread: Option<usize>) -> Term {
    let declared = program.variable(variable);
    let name = || match thread {
        None => format!("{}@start", declared.name),
        Some(thread) => format!("{}@start.{thread}", declared.name),
    };
    let open = || Term::constant(Symbol::new(&name()), declared.data_type.sort());
    declared.init.as_ref().map_or_else(open, Term::value)
}

/// The value that a step of a node of a thread chooses.
pub fn chosen(input: &Input, (thread, node, step): (usize, usize, usize)) -> Term {
    Term::constant(Symbol::new(&format!("{}@{thread}.{node}.{step}", input.name)), input.sort)
}

/// How far to unroll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Undecided rounds of each loop.
    pub rounds: u32,
    /// Other numbers for some loops, by the location of their head.
    pub of_loops: Vec<(LocationId, u32)>,
    /// Threads, the initial one included.
    pub threads: usize,
    /// Nodes of all threads together.
    pub nodes: usize,
}

/// All threads.
#[derive(Clone, Debug, Default)]
pub struct Unwinding {
    /// The initial thread first; creators before those whom they create.
    pub threads: Vec<Thread>,
    /// Shared variables that only the initial thread can touch.
    pub owned: FxHashSet<VariableId>,
    /// Whether threads start with a step of their creator; otherwise all but the first begin in the pool by themselves, and there may be more of them in reality.
    pub fused: bool,
}

/// One thread.
#[derive(Clone, Debug, Default)]
pub struct Thread {
    /// In topological order; the first is where it starts.
    pub nodes: Vec<Node>,
}

/// A copy of a location.
#[derive(Clone, Debug)]
pub struct Node {
    /// The location.
    pub location: LocationId,
    /// What can be done here.
    pub steps: Vec<Step>,
    /// Whether others can see, or can have a say in, what is done here.
    pub visible: bool,
    /// Accesses of races here: property, whether it is the second, and the index with known values.
    pub accesses: Vec<(usize, bool, Option<Term>)>,
}

/// A copy of an edge.
#[derive(Clone, Debug)]
pub struct Step {
    /// The edge.
    pub edge: EdgeId,
    /// Its guard, with known values.
    pub guard: Term,
    /// What it assigns, with known values; values that are known at the target are not assigned.
    pub assign: Vec<(VariableId, Term)>,
    /// What it assigns to locals of passive threads, with known values of its own thread.
    pub broadcast: Vec<(VariableId, Term)>,
    /// The node in the same thread; nothing where the bound is reached.
    pub to: Option<usize>,
    /// The threads that may start with it.
    pub starts: Vec<Start>,
    /// As at the edge.
    pub approximate: Option<NoteId>,
}

/// A thread starts.
#[derive(Clone, Debug)]
pub struct Start {
    /// The edge out of the pool.
    pub edge: EdgeId,
    /// The thread; nothing if there are too many.
    pub thread: Option<usize>,
    /// What the new thread's locals become, over the state after the creator's step; known values are not assigned.
    pub assign: Vec<(VariableId, Term)>,
}

impl Unwinding {
    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.threads.iter().map(|thread| thread.nodes.len()).sum()
    }

    /// Whether no step leaves what is unrolled.
    pub fn is_complete(&self) -> bool {
        let steps = self.threads.iter().flat_map(|thread| &thread.nodes).flat_map(|node| &node.steps);
        self.fused
            && steps.clone().all(|step| step.to.is_some())
            && steps.flat_map(|step| &step.starts).all(|start| start.thread.is_some())
    }

    /// By thread, the largest number of visible nodes on a path.
    pub fn lengths(&self) -> Vec<usize> {
        let length = |thread: &Thread| {
            let mut longest = vec![0; thread.nodes.len()];
            for (index, node) in thread.nodes.iter().enumerate().rev() {
                let targets = node.steps.iter().filter_map(|step| step.to);
                let rest = targets.map(|to| longest[to]).max().unwrap_or(0);
                longest[index] = rest + usize::from(node.visible);
            }
            longest.first().copied().unwrap_or(0)
        };
        self.threads.iter().map(length).collect()
    }
}
