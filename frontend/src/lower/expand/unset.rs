//! Registers that are declared without a value and may be read before they are assigned.
//!
//! What such a read yields is anything. So a register that is assigned only once may be replaced by what it is assigned only if it
//! is not among these. A forward data-flow analysis: which of them may be without a value at a node.
//!
//! Likewise a register with the address of a local, which means the address of now where it is written out: where the local's lifetime begins or
//! ends, the register keeps the one of before, so that what it is assigned does not stand for it until it is assigned again.

use crate::lower::graph::{Body, Graph, ObjectId, Op, RegisterId};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::Term;

/// Those of the registers that may be read before they are assigned; `names` are the terms that read them.
pub(crate) fn read_unset(
    body: &Body,
    names: &FxHashMap<Term, RegisterId>,
    address: impl Fn(ObjectId) -> Term,
) -> FxHashSet<RegisterId> {
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
    let holders = holders(body, names, address);
    if declared.is_empty() && holders.is_empty() {
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
                None => match edge.op {
                    Op::Havoc(register) if declared.contains(&register) => {
                        after.insert(register);
                    }
                    Op::Forget(object) | Op::Clear(object) | Op::Dead(object) => {
                        after.extend(holders.get(&object).into_iter().flatten());
                    }
                    _ => {}
                },
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

/// For each local of the body whose lifetime ends the registers that get its address, or something that is computed from it.
fn holders(
    body: &Body,
    names: &FxHashMap<Term, RegisterId>,
    address: impl Fn(ObjectId) -> Term,
) -> FxHashMap<ObjectId, FxHashSet<RegisterId>> {
    let edges = || body.graph.edges.iter();
    let ended = edges().filter_map(|edge| if let Op::Dead(object) = edge.op { Some(object) } else { None });
    let addresses: FxHashMap<Term, ObjectId> = ended.map(|object| (address(object), object)).collect();
    let mut users: FxHashMap<Term, Vec<RegisterId>> = FxHashMap::default();
    if !addresses.is_empty() {
        let lets = edges().filter_map(|edge| {
            if let Op::Let(register, term) = edge.op { Some((register, term)) } else { None }
        });
        for (register, term) in lets {
            term.constants()
                .into_iter()
                .for_each(|constant| users.entry(constant).or_default().push(register));
        }
    }
    let readings: FxHashMap<RegisterId, Term> =
        names.iter().map(|(term, register)| (*register, *term)).collect();
    let mut found: FxHashMap<ObjectId, FxHashSet<RegisterId>> = FxHashMap::default();
    for (address, object) in addresses {
        let mut open = vec![address];
        while let Some(term) = open.pop() {
            for register in users.get(&term).into_iter().flatten() {
                if let Some(reading) = readings.get(register)
                    && found.entry(object).or_default().insert(*register)
                {
                    open.push(*reading);
                }
            }
        }
    }
    found
}
