//! Functions with one graph for all calls of a thread.
//!
//! A call of a shared function notes its number in a register of the function, and goes to its entry; from its exit, each number leads back
//! behind its call. A function is active at most once at a time on its level of recursion (`call_graph`), so one register is enough,
//! parameters and results are where they always are, and the program has the same runs as one with copies. What is lost is
//! only what copies would have known about arguments.
//!
//! A graph is for one thread's code, one level of recursion and one depth of atomic sections, since each location is either inside of a
//! section or not.

use super::call_graph::CallGraph;
use super::expand::{Expander, Instance, Known, Source};
use super::graph::{FunctionId, NodeId, Op, Register, RegisterId};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Sort, Term};

/// Which functions are shared, and their graphs so far.
#[derive(Debug)]
pub(super) struct Sharing {
    pub calls: CallGraph,
    functions: FxHashSet<FunctionId>,
    graphs: FxHashMap<Key, SharedGraph>,
    /// By function and level of recursion.
    registers: FxHashMap<(FunctionId, u32), RegisterId>,
    /// What is being copied, innermost last: functions with their levels.
    pub active: Vec<(FunctionId, u32)>,
}

/// The root, the function, the level of recursion, the depth of atomic sections.
type Key = (u32, FunctionId, u32, u32);

#[derive(Clone, Copy, Debug)]
struct SharedGraph {
    entry: NodeId,
    exit: NodeId,
    /// Depth of atomic sections at the exit.
    depth: u32,
    calls: u32,
}

/// A call of a shared graph: where it begins and ends in the caller, and the graph.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SharedCall {
    pub from: NodeId,
    pub to: NodeId,
    pub entry: NodeId,
    pub exit: NodeId,
}

/// The width of the register for the number of a call.
const NUMBER_WIDTH: u32 = 32;

impl Sharing {
    pub(super) fn new(calls: CallGraph, threshold: u64) -> Sharing {
        let functions = calls.shared(threshold);
        Sharing {
            calls,
            functions,
            graphs: FxHashMap::default(),
            registers: FxHashMap::default(),
            active: Vec::new(),
        }
    }

    /// The level of recursion that a call from where we are leads to.
    pub(super) fn level(&self, callee: FunctionId) -> u32 {
        self.active.last().map_or(0, |(caller, level)| self.calls.level(*caller, *level, callee))
    }

    pub(super) fn is_shared(&self, function: FunctionId) -> bool {
        self.functions.contains(&function)
    }
}

impl Expander<'_, '_> {
    /// Goes through a shared graph; parameters are assigned before, the result is taken behind. The depth of atomic sections behind.
    pub(super) fn through_shared(
        &mut self,
        function: FunctionId,
        instance: &Instance,
        (from, to): (NodeId, NodeId),
        depth: u32,
        source: Source,
        model: bool,
    ) -> u32 {
        let Some(sharing) = &self.sharing else { return depth };
        let level = sharing.level(function);
        let key = (self.root, function, level, depth);
        let register = self.return_register(function, level);
        let known = self.sharing.as_ref().and_then(|sharing| sharing.graphs.get(&key).copied());
        let mut graph = match known {
            Some(graph) => graph,
            None => {
                let place = Source { span: self.head(function), function: instance.name };
                let (entry, exit) = (self.node(place), self.node(place));
                let after = self.copy(function, instance, (entry, exit), Known::default(), None, depth);
                SharedGraph { entry, exit, depth: after, calls: 0 }
            }
        };
        let number = Term::bv(NUMBER_WIDTH, u128::from(graph.calls));
        let is_this = self.code.register_term(register).equals(number);
        self.step(from, graph.entry, Op::Let(register, number), source, model);
        self.step(graph.exit, to, Op::Assume(is_this), source, model);
        self.out.shared_calls.push(SharedCall { from, to, entry: graph.entry, exit: graph.exit });
        graph.calls += 1;
        if let Some(sharing) = &mut self.sharing {
            sharing.graphs.insert(key, graph);
        }
        graph.depth
    }

    fn return_register(&mut self, function: FunctionId, level: u32) -> RegisterId {
        if let Some(sharing) = &self.sharing
            && let Some(known) = sharing.registers.get(&(function, level))
        {
            return *known;
        }
        let name = self.code.shown_name(function);
        let name = self.code.unique(&format!("{name}.return@{level}"));
        let offset = self.head(function).0 as usize;
        let register = RegisterId(self.code.registers.len() as u32);
        let sort = Sort::BitVec(NUMBER_WIDTH);
        self.code.registers.push(Register {
            name,
            sort,
            signed: false,
            offset,
            guess: None,
            result_of: None,
        });
        if let Some(sharing) = &mut self.sharing {
            sharing.registers.insert((function, level), register);
        }
        register
    }
}
