//! Calls are expanded: one graph for `main` and one for each function that a thread starts with.
//!
//! If the copies of functions were too many operations, the larger functions are shared between calls (`shared`): first the largest, then smaller ones, until
//! the program is small enough.
//! Each call gets its own copy of the callee's nodes; registers are shared between copies, since a non-recursive
//! function has one frame per thread at a time. Recursive calls get registers of their own, down to a given depth.
//! While a copy is made, parameters and locals that are assigned once, with an address or a number, are replaced by it: so most
//! pointers to locks and structs are known where they are used, at no cost.

mod calls;
mod copy;
mod instance;
mod known;
mod renaming;
mod roots;
#[cfg(test)]
mod tests;
mod unset;
mod variable;

use crate::lower::call_graph::{ByType, CallGraph};
use crate::lower::code::Code;
use crate::lower::graph::{Body, FunctionId, InitialValue, NodeId, ObjectId, Op, Parameter, RegisterId};
use crate::lower::shared::{SharedCall, Sharing};
use crate::types::Type;
pub(crate) use calls::compatible;
pub(crate) use known::Known;
use known::fixed_objects;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Symbol, Term};
use std::collections::BTreeMap;

/// Where an operation comes from: the text, and the place the user sees (the call, for models).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Source {
    pub span: (u32, u32),
    pub function: Symbol,
}

/// What the models know about their own addresses, by construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Trust {
    /// Nothing: the user's code, and models that work on what the user gives them.
    None,
    /// Numbers of addresses: a thread's handle is the address of its record, or a number above all addresses. Records that were released
    /// may be looked at and released again. Locks are the user's memory, and no such matter.
    Numbers,
    /// Also that pointers are valid: a thread's own handle is.
    Pointers,
}

/// An operation of an expanded graph; calls are gone.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub from: NodeId,
    pub to: NodeId,
    pub op: Op,
    pub source: Source,
    /// Inside of a model whose accesses are not the user's.
    pub model: bool,
    pub trust: Trust,
}

/// What a thread starts with.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    /// None for the initial thread.
    pub function: Option<FunctionId>,
    pub entry: NodeId,
    pub parameters: Vec<(Parameter, Type)>,
}

/// All code, with calls expanded.
#[derive(Debug, Default)]
pub(crate) struct Expanded {
    pub nodes: Vec<Source>,
    pub steps: Vec<Step>,
    pub roots: Vec<Root>,
    /// The root whose thread can be at a node.
    pub root_of: Vec<u32>,
    /// Calls of functions with one graph for all calls.
    pub shared_calls: Vec<SharedCall>,
    /// Whether the program became too large.
    pub too_large: bool,
}

/// A copy of a function for a depth of recursion or a root of its own.
pub(crate) struct Instance {
    body: Body,
    pub(crate) name: Symbol,
    /// Edges by the node where they begin.
    from_node: Vec<Vec<u32>>,
    assigned: FxHashSet<RegisterId>,
    /// Registers that may be replaced by what they are assigned, if that is known.
    once: FxHashMap<RegisterId, Term>,
}

pub(crate) struct Expander<'l, 'a> {
    pub(crate) code: &'l mut Code<'a>,
    pub(crate) out: Expanded,
    /// Functions with one graph for all calls; none if each call has its copy.
    pub(crate) sharing: Option<Sharing>,
    /// How many operations there may be.
    budget: usize,
    /// How often each function is being expanded right now.
    depth: FxHashMap<FunctionId, u32>,
    instances: FxHashMap<(FunctionId, u32, u32), std::rc::Rc<Instance>>,
    /// Roots that use a function with objects, in order of first use.
    users: FxHashMap<FunctionId, Vec<u32>>,
    by_type: ByType,
    pub(crate) root: u32,
    roots: BTreeMap<FunctionId, u32>,
    queue: Vec<FunctionId>,
    fixed: FxHashMap<ObjectId, Vec<InitialValue>>,
    parts: variable::Parts,
}

/// Functions with more operations than these are shared: less and less, until the program is small enough.
const THRESHOLDS: [u64; 4] = [1000, 200, 40, 0];

/// Expands `main` and all threads: each call gets its copy if the program stays small enough.
pub(crate) fn expand(code: &mut Code<'_>, main: FunctionId) -> Expanded {
    let most = code.options.max_operations;
    let enough = most.min(code.options.copied_operations);
    let mut by_type = ByType::new(code);
    let start = code.mark();
    let copied = expand_within(code, main, None, enough);
    if !copied.too_large {
        return copied;
    }
    for threshold in THRESHOLDS {
        code.take_back(&start);
        let calls = CallGraph::new(code, &mut by_type, main);
        // What shares as much as possible may be as large as it is.
        let budget = if threshold == 0 { most } else { enough };
        let shared = expand_within(code, main, Some(Sharing::new(calls, threshold)), budget);
        if !shared.too_large || threshold == 0 {
            return shared;
        }
    }
    copied
}

fn expand_within(code: &mut Code<'_>, main: FunctionId, sharing: Option<Sharing>, budget: usize) -> Expanded {
    let by_type = ByType::new(code);
    let fixed = fixed_objects(code);
    let mut expander = Expander {
        fixed,
        code,
        out: Expanded::default(),
        sharing,
        budget,
        depth: FxHashMap::default(),
        instances: FxHashMap::default(),
        users: FxHashMap::default(),
        by_type,
        root: 0,
        roots: BTreeMap::new(),
        queue: Vec::new(),
        parts: variable::Parts::default(),
    };
    expander.root(None, main);
    let mut done = 0;
    while done < expander.queue.len() {
        let function = expander.queue[done];
        done += 1;
        expander.root(Some(function), function);
    }
    expander.out
}
impl Expander<'_, '_> {
    pub(crate) fn node(&mut self, source: Source) -> NodeId {
        self.out.nodes.push(source);
        self.out.root_of.push(self.root);
        NodeId((self.out.nodes.len() - 1) as u32)
    }

    pub(crate) fn step(&mut self, from: NodeId, to: NodeId, op: Op, source: Source, model: bool) {
        self.out.steps.push(Step { from, to, op, source, model, trust: Trust::None });
    }
}
