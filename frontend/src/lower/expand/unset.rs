//! Registers that are declared without a value and may be read before they are assigned.
//!
//! What such a read yields is anything. So a register that is assigned only once may be replaced by what it is assigned only if it
//! is not among these. A forward data-flow analysis: which of them may be without a value at a node.

use crate::lower::graph::{Body, Graph, Op, RegisterId};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::Term;

/// Those of the registers that may be read before they are assigned; `names` are the terms that read them.
pub(crate) fn read_unset(body: &Body, names: &FxHashMap<Term, RegisterId>) -> FxHashSet<RegisterId> {
    let mut found = FxHashSet::default();
    let asked: FxHashSet<RegisterId> = names.values().copied().collect();
    let declared: FxHashSet<RegisterId> = body
        .graph
        .edges
        .iter()
        .filter_map(|edge| match edge.op {
            Op::Havoc(register) => Some(register).filter(|register| asked.contains(register)),
            _ => None,
        })
        .collect();
    if declared.is_empty() {
        return found;
    }
    let from_node = body.graph.edges_from();
    let mut unset: Vec<Option<FxHashSet<RegisterId>>> = vec![None; body.graph.nodes as usize];
    unset[Graph::ENTRY.index()] = Some(declared.clone());
    let mut open = vec![Graph::ENTRY];
    while let Some(node) = open.pop() {
        let Some(here) = unset[node.index()].clone() else { continue };
        for &edge in &from_node[node.index()] {
            let edge = &body.graph.edges[edge as usize];
            edge.op.for_each_term(&mut |term| {
                let read = term.constants().into_iter().filter_map(|constant| names.get(&constant));
                found.extend(read.filter(|register| here.contains(register)));
            });
            let mut after = here.clone();
            match edge.op.assigned() {
                Some(register) => {
                    after.remove(&register);
                }
                None => {
                    if let Op::Havoc(register) = edge.op
                        && declared.contains(&register)
                    {
                        after.insert(register);
                    }
                }
            }
            let there = &mut unset[edge.to.index()];
            let is_new = there.as_ref().is_none_or(|known| !after.is_subset(known));
            if is_new {
                there.get_or_insert_default().extend(after);
                open.push(edge.to);
            }
        }
    }
    found
}
