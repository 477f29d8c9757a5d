//! Variables of which each thread has its own, and whose address other threads reach: memory that a thread takes where it begins and gives back where it ends.
//!
//! All threads use the same number for "their" variable, so its address must not reach another thread (`escape`). Where it does, the variable becomes memory that is allocated as
//! the first thing that a thread does, with the initial value; a register of the thread holds the address. C says the same (6.2.4): the lifetime of the object is the
//! execution of the thread. `owned` does this for variables of blocks.

use super::code::Code;
use super::expand::{Expanded, Step, Trust};
use super::graph::{Access, Address, MemoryOrder, NodeId, ObjectId, Op, Stop, Storage, address_name};
use super::owned::{Rewriter, give_back};
use crate::types::Leaf;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Sort, Symbol, Term};

/// Makes allocations of the variables that can be; whether there were any.
pub(super) fn allocate(code: &mut Code<'_>, expanded: &mut Expanded, conflicts: &[ObjectId]) -> bool {
    let width = code.pointer_width();
    let eligible: Vec<(ObjectId, Vec<Op>)> = conflicts
        .iter()
        .filter(|object| code.objects[object.index()].storage == Storage::ThreadLocal)
        .filter_map(|object| Some((*object, initial_stores(code, *object)?)))
        .collect();
    if eligible.is_empty() {
        return false;
    }
    let (mut registers, mut map) = (FxHashMap::default(), FxHashMap::default());
    for (object, _) in &eligible {
        let (name, offset) = (code.objects[object.index()].name, code.objects[object.index()].offset);
        let register = code.address_register(Symbol::new(&format!("{name}@address")), offset);
        let term = code.registers[register.index()].term();
        map.insert(Term::constant(address_name(name), Sort::BitVec(width)), term);
        registers.insert(*object, register);
    }
    let rewriter = Rewriter { code, registers, map, width };
    let mut first = Vec::new();
    for (object, stores) in eligible {
        first.push(rewriter.allocation(object, true));
        first.extend(stores);
    }
    let addresses: Vec<Term> = first
        .iter()
        .filter_map(|op| match op {
            Op::Allocate { register, .. } => Some(rewriter.code.registers[register.index()].term()),
            _ => None,
        })
        .collect();
    let stops = ends(expanded);
    begin(expanded, &first);
    expanded.steps.iter_mut().for_each(|step| rewriter.step(step));
    for stop in stops {
        give_back(expanded, stop, addresses.clone());
    }
    true
}

/// What gives the variable its initial value, but for zeros; nothing if that cannot be said scalar by scalar.
fn initial_stores(code: &Code<'_>, object: ObjectId) -> Option<Vec<Op>> {
    let about = &code.objects[object.index()];
    code.types.size(&about.ty)?;
    let leaves = code.types.leaves(&about.ty);
    let values = about.init.as_ref()?;
    if about.everywhere.is_some() {
        return None;
    }
    let store = |value: &super::graph::InitialValue| {
        let leaf = leaves.iter().find(|leaf| begins(leaf, value.offset))?;
        let access = Access::of(leaf.width, leaf.ty.clone(), Some(MemoryOrder::SeqCst));
        let address = Address::Object { object, offset: value.offset, indices: Vec::new() };
        let access = access.of_bit_field(leaf.bit_field).of_own(leaf.thread_local);
        (value.value.sort() == access.sort()).then_some(Op::Store(address, access, value.value))
    };
    values.iter().map(store).collect()
}

/// Whether the scalar, or one of its elements if it stands in arrays, begins at an offset in bits.
fn begins(leaf: &Leaf, offset: u64) -> bool {
    let Some(mut rest) = offset.checked_sub(leaf.offset) else { return false };
    for (count, stride) in &leaf.dimensions {
        let bits = (stride * 8).max(1);
        if count.is_none_or(|count| rest / bits >= count) {
            return false;
        }
        rest %= bits;
    }
    rest == 0
}

/// Operations that every thread begins with.
fn begin(expanded: &mut Expanded, ops: &[Op]) {
    for root in 0..expanded.roots.len() {
        let old = expanded.roots[root].entry;
        let mut at = node(expanded, old, root as u32);
        expanded.roots[root].entry = at;
        for (number, op) in ops.iter().enumerate() {
            let is_last = number + 1 == ops.len();
            let to = if is_last { old } else { node(expanded, old, root as u32) };
            let source = expanded.nodes[old.index()];
            let step = Step { from: at, to, op: op.clone(), source, model: true, trust: Trust::Pointers };
            expanded.steps.push(step);
            at = to;
        }
    }
}

/// A node like another one.
fn node(expanded: &mut Expanded, like: NodeId, root: u32) -> NodeId {
    let node = NodeId(expanded.nodes.len() as u32);
    expanded.nodes.push(expanded.nodes[like.index()]);
    expanded.root_of.push(root);
    node
}

/// The steps with which threads end: those that end them, and one behind the last of each other thread. Where the process ends it does not matter.
fn ends(expanded: &mut Expanded) -> Vec<usize> {
    let left: FxHashSet<NodeId> = expanded.steps.iter().map(|step| step.from).collect();
    let mut last: Vec<(NodeId, Step)> = Vec::new();
    for step in &expanded.steps {
        let is_end = !left.contains(&step.to) && !matches!(step.op, Op::Stop(_) | Op::Exit);
        let is_thread = expanded.roots[expanded.root_of[step.to.index()] as usize].function.is_some();
        if is_end && is_thread && last.iter().all(|(node, _)| *node != step.to) {
            last.push((step.to, step.clone()));
        }
    }
    let steps = expanded.steps.iter().enumerate();
    let mut ends: Vec<usize> =
        steps.filter(|(_, step)| matches!(step.op, Op::Stop(Stop::Ends))).map(|(index, _)| index).collect();
    for (from, step) in last {
        let to = node(expanded, from, expanded.root_of[from.index()]);
        ends.push(expanded.steps.len());
        expanded.steps.push(Step { from, to, op: Op::Skip, model: true, ..step });
    }
    ends
}
