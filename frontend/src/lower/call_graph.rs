//! Who calls whom, and which functions get one graph for all calls.
//!
//! Copying a function at each call makes most pointers known where they are used, and is exponential in the depth of the call graph. So where
//! the copies would be too many, a function that is larger than a threshold, with what is copied into it, is *shared* (`shared`):
//! the program is then linear in the source, and means the same. Functions of the models are small, and stand for the place of their
//! call, so they are always copied.
//!
//! Recursion has *levels*. The functions that call each other in a cycle are in an order; a call to a function that comes later stays on its
//! level, any other goes to the next one. So along a stack of calls, level and order grow, and a function is active at most once on each
//! level, which is what registers without frames need.

use super::expand::compatible;
use super::graph::{Callee, FunctionId, Op};
use crate::lower::code::Code;
use crate::types::Type;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::DfsPostOrder;
use rustc_hash::{FxHashMap, FxHashSet};

/// Functions that a pointer of a type may point to, by the type.
#[derive(Debug, Default)]
pub(super) struct ByType {
    taken: Vec<FunctionId>,
    known: FxHashMap<Type, Vec<FunctionId>>,
}

impl ByType {
    pub(super) fn new(code: &Code<'_>) -> ByType {
        let mut taken: Vec<FunctionId> = code.address_taken.iter().copied().collect();
        taken.sort();
        ByType { taken, known: FxHashMap::default() }
    }

    /// Functions whose address is taken and whose type is compatible.
    pub(super) fn candidates(&mut self, code: &Code<'_>, ty: &Type) -> &[FunctionId] {
        self.known.entry(ty.clone()).or_insert_with(|| {
            let fits = |f: &FunctionId| compatible(&code.types, &code.functions[f.index()].ty, ty);
            self.taken.iter().copied().filter(fits).collect()
        })
    }

    /// All functions whose address is taken.
    pub(super) fn taken(&self) -> &[FunctionId] {
        &self.taken
    }
}

/// The calls of all functions.
#[derive(Debug)]
pub(super) struct CallGraph {
    /// Once for each call.
    callees: Vec<Vec<FunctionId>>,
    /// Operations without those of callees.
    operations: Vec<u64>,
    is_model: Vec<bool>,
    /// Functions that call each other, callees before callers.
    groups: Vec<Vec<FunctionId>>,
    group_of: Vec<u32>,
    is_recursive: Vec<bool>,
    /// Callers come first, as far as calls are no cycle.
    order: Vec<u32>,
}

impl CallGraph {
    pub(super) fn new(code: &Code<'_>, by_type: &mut ByType, main: FunctionId) -> CallGraph {
        let count = code.functions.len();
        let (mut callees, mut operations) = (vec![Vec::new(); count], vec![0u64; count]);
        for (index, function) in code.functions.iter().enumerate() {
            let Some(body) = &function.body else { continue };
            operations[index] = body.graph.edges.len() as u64;
            for edge in &body.graph.edges {
                match &edge.op {
                    Op::Call(Callee::Direct(callee), ..) => callees[index].push(*callee),
                    Op::Call(Callee::Indirect(_, ty), ..) => {
                        callees[index].extend(by_type.candidates(code, ty))
                    }
                    _ => {}
                }
            }
        }
        let mut graph: DiGraph<(), ()> = DiGraph::new();
        for _ in 0..count {
            graph.add_node(());
        }
        for (caller, list) in callees.iter().enumerate() {
            let distinct: FxHashSet<FunctionId> = list.iter().copied().collect();
            for callee in distinct {
                graph.update_edge(NodeIndex::new(caller), NodeIndex::new(callee.index()), ());
            }
        }
        let is_model = code.functions.iter().map(|f| f.model).collect();
        let mut calls = CallGraph {
            callees,
            operations,
            is_model,
            groups: Vec::new(),
            group_of: vec![0; count],
            is_recursive: vec![false; count],
            order: order(&graph, main),
        };
        calls.find_groups(&graph);
        calls
    }

    fn find_groups(&mut self, graph: &DiGraph<(), ()>) {
        for (number, component) in kosaraju_scc(graph).into_iter().enumerate() {
            let group: Vec<FunctionId> = component.iter().map(|n| FunctionId(n.index() as u32)).collect();
            for function in &group {
                self.group_of[function.index()] = number as u32;
                self.is_recursive[function.index()] =
                    group.len() > 1 || self.callees[function.index()].contains(function);
            }
            self.groups.push(group);
        }
    }

    /// The level of recursion of a callee, given that of its caller.
    pub(super) fn level(&self, caller: FunctionId, level: u32, callee: FunctionId) -> u32 {
        let (from, to) = (caller.index(), callee.index());
        if !self.is_recursive[to] || self.group_of[from] != self.group_of[to] {
            return 0;
        }
        level + u32::from(self.order[to] <= self.order[from])
    }

    /// The functions to share if what is larger than the threshold is: all that have several calls or call themselves.
    pub(super) fn shared(&self, threshold: u64) -> FxHashSet<FunctionId> {
        let mut calls = vec![0u32; self.callees.len()];
        self.callees.iter().flatten().for_each(|callee| calls[callee.index()] += 1);
        let mut shared = FxHashSet::default();
        let mut size = self.operations.clone();
        for function in self.groups.iter().flatten() {
            let index = function.index();
            for callee in &self.callees[index] {
                let copied =
                    !shared.contains(callee) && self.group_of[callee.index()] != self.group_of[index];
                size[index] = size[index].saturating_add(if copied { size[callee.index()] } else { 2 });
            }
            let is_wanted = self.is_recursive[index] || (calls[index] > 1 && size[index] > threshold);
            if is_wanted && !self.is_model[index] {
                shared.insert(*function);
            }
        }
        shared
    }
}

/// Positions of functions in reverse postorder.
fn order(graph: &DiGraph<(), ()>, main: FunctionId) -> Vec<u32> {
    let mut order = vec![0; graph.node_count()];
    let mut next = graph.node_count() as u32;
    let mut search = DfsPostOrder::new(graph, NodeIndex::new(main.index()));
    let starts = (0..graph.node_count()).map(NodeIndex::new);
    for start in std::iter::once(NodeIndex::new(main.index())).chain(starts) {
        search.move_to(start);
        while let Some(node) = search.next(graph) {
            next -= 1;
            order[node.index()] = next;
        }
    }
    order
}
