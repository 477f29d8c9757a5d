//! Copies a body into the expanded graph, edge by edge.

use super::calls::CallSite;
use super::known::{Known, Propagation};
use super::{Expander, Instance, Source, Step, Trust};
use crate::lower::graph::{FunctionId, Graph, GraphEdge, NodeId, Op};
use smt::Symbol;

/// Functions of the models that use only what belongs to the thread that runs them.
const OWN_POINTERS: &[&str] = &["__monabs_thread_finish", "__monabs_run_destructors"];

/// Functions of the models that work on handles of threads.
const HANDLES: &[&str] = &[
    "__monabs_has_record",
    "__monabs_new_handle",
    "__monabs_new_identity",
    "__monabs_join",
    "__monabs_join_gives_up",
    "__monabs_join_or_not",
    "__monabs_detach",
    "__monabs_find",
    "__monabs_meant",
    "__monabs_is_initial",
    "__monabs_record",
];

fn trust(function: &str) -> Trust {
    if OWN_POINTERS.contains(&function) {
        Trust::Pointers
    } else if HANDLES.contains(&function) {
        Trust::Numbers
    } else {
        Trust::None
    }
}

/// What all operations of a copy have in common.
struct Frame {
    name: Symbol,
    /// A function of ours.
    model: bool,
    /// A function of ours whose accesses are not the user's.
    hidden: bool,
    trust: Trust,
    /// The place of the outermost call of a model.
    call: Option<Source>,
}

impl Frame {
    fn source(&self, edge: &GraphEdge) -> Source {
        match self.call {
            Some(outer) if self.model => outer,
            _ => Source { span: edge.span, function: self.name },
        }
    }
}

/// How far a copy has got, by the nodes of the body.
struct Progress {
    /// The nodes of the copy.
    nodes: Vec<Option<NodeId>>,
    seen: Vec<bool>,
    /// How many atomic sections are open.
    depths: Vec<Option<u32>>,
    open: Vec<NodeId>,
}

impl Progress {
    fn new(count: u32, (entry, exit): (NodeId, NodeId), depth: u32) -> Progress {
        let count = count as usize;
        let mut progress = Progress {
            nodes: vec![None; count],
            seen: vec![false; count],
            depths: vec![None; count],
            open: vec![Graph::ENTRY],
        };
        for (node, copy) in [(Graph::ENTRY, entry), (Graph::EXIT, exit)] {
            progress.nodes[node.index()] = Some(copy);
            progress.seen[node.index()] = true;
        }
        progress.depths[Graph::ENTRY.index()] = Some(depth);
        progress
    }

    /// Control gets to a node of the body.
    fn reach(&mut self, node: NodeId) {
        if !self.seen[node.index()] {
            self.seen[node.index()] = true;
            self.open.push(node);
        }
    }
}

impl Expander<'_, '_> {
    /// Copies a body between two nodes. `call` is the place of the outermost call of a model, `depth` that of atomic sections. The depth behind.
    pub(crate) fn copy(
        &mut self,
        function: FunctionId,
        instance: &Instance,
        ends: (NodeId, NodeId),
        known: Known,
        call: Option<Source>,
        depth: u32,
    ) -> u32 {
        if self.out.steps.len() > self.budget {
            self.out.too_large = true;
            return depth;
        }
        self.enter(function);
        let about = &self.code.functions[function.index()];
        let (model, hidden) = (about.model, about.model && !about.library);
        let trust = if hidden { trust(instance.name.as_str()) } else { Trust::None };
        let frame = Frame { name: instance.name, model, hidden, trust, call };
        let graph = &instance.body.graph;
        let mut known = Propagation { terms: smt::Substitution::new(known), once: &instance.once };
        let mut progress = Progress::new(graph.nodes, ends, depth);
        // Depth first, so that what is known about a register is mostly known before it is used.
        while let Some(node) = progress.open.pop() {
            let here = progress.depths[node.index()].unwrap_or(depth);
            for &edge in instance.from_node[node.index()].iter().rev() {
                let edge = &graph.edges[edge as usize];
                let op = known.apply(&edge.op, &self.fixed);
                if !matches!(op, Op::Assume(guard) if guard.is_false()) {
                    self.copy_edge(edge, op, here, &frame, &mut progress);
                }
            }
        }
        self.leave(function);
        progress.depths[Graph::EXIT.index()].unwrap_or(depth)
    }

    fn copy_edge(&mut self, edge: &GraphEdge, op: Op, depth: u32, frame: &Frame, progress: &mut Progress) {
        let source = frame.source(edge);
        let from = self.node_of(edge.from, source, progress);
        let to = self.node_of(edge.to, source, progress);
        let ends = matches!(op, Op::Fail(_) | Op::Limit(_) | Op::Stop(_) | Op::Exit);
        let site = CallSite { from, to, source, model: frame.hidden, depth };
        let behind = match op {
            Op::Call(callee, arguments, result) => self.calls(&callee, &arguments, &result, site),
            Op::Spawn(callee, arguments, record) => {
                self.spawns(&callee, &arguments, record, site);
                depth
            }
            op => {
                let behind = match op {
                    Op::AtomicBegin => depth + 1,
                    Op::AtomicEnd => depth.saturating_sub(1),
                    _ => depth,
                };
                let (model, trust) = (frame.hidden, frame.trust);
                self.out.steps.push(Step { from, to, op, source, model, trust });
                behind
            }
        };
        progress.depths[edge.to.index()].get_or_insert(behind);
        if !ends {
            progress.reach(edge.to);
        }
    }

    fn node_of(&mut self, node: NodeId, source: Source, progress: &mut Progress) -> NodeId {
        match progress.nodes[node.index()] {
            Some(known) => known,
            None => {
                let new = self.node(source);
                progress.nodes[node.index()] = Some(new);
                new
            }
        }
    }

    fn enter(&mut self, function: FunctionId) {
        *self.depth.entry(function).or_insert(0) += 1;
        if let Some(sharing) = &mut self.sharing {
            let level = sharing.level(function);
            sharing.active.push((function, level));
        }
    }

    fn leave(&mut self, function: FunctionId) {
        if let Some(count) = self.depth.get_mut(&function) {
            *count -= 1;
        }
        if let Some(sharing) = &mut self.sharing {
            sharing.active.pop();
        }
    }
}
