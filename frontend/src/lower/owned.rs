//! Locals of several threads that others reach: memory that a block takes and gives back.
//!
//! All threads use the same number for "their" copy of a local, so its address must not reach another thread while several have one each (`escape`). A node that waits in a queue, a
//! request on the stack of whoever asks, a flag that another thread sets: their addresses do. Such a local becomes what `alloca` would have made: where its lifetime begins,
//! memory is allocated, and a register of the thread holds the address; where control leaves its block, the memory is released. C says the same of it (6.2.4): a
//! new object for each time that the block is entered, with an address of its own while it lives, which may come again afterwards. So everything that is
//! known about allocations (`sites`, `lifetime`) applies, also the limit on how many are there at once.
//!
//! A thread that stops somewhere, by `pthread_exit`, gives back what it has then, too, and only that: what a block has given back may belong to another thread by now.
//!
//! It is done where the lifetime has one beginning, which control cannot pass again without its end, and where each stop is inside of the lifetime on all ways to it, or on none. Others stay what
//! they were.

use super::code::Code;
use super::expand::{Expanded, Step, Trust};
use super::graph::{
    Address, Argument, NodeId, ObjectId, Op, Origin, RegisterId, Stop, Storage, address_name,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Sort, Symbol, Term};
use std::collections::BTreeMap;

/// Makes allocations of the objects that can be; whether there were any.
pub(super) fn allocate(code: &mut Code<'_>, expanded: &mut Expanded, conflicts: &[ObjectId]) -> bool {
    let entering = entering(expanded);
    let conflicts = conflicts
        .iter()
        .copied()
        .filter(|object| code.objects[object.index()].storage == Storage::Automatic)
        .filter(|object| begins_once(expanded, *object))
        .filter(|object| code.types.size(&code.objects[object.index()].ty).is_some());
    let eligible: Vec<(ObjectId, Vec<usize>)> =
        conflicts.filter_map(|object| Some((object, stops_inside(expanded, &entering, object)?))).collect();
    if eligible.is_empty() {
        return false;
    }
    let width = code.pointer_width();
    let (mut registers, mut map) = (FxHashMap::default(), FxHashMap::default());
    let mut held: BTreeMap<usize, Vec<Term>> = BTreeMap::new();
    for (object, stops) in eligible {
        let (name, offset) = (code.objects[object.index()].name, code.objects[object.index()].offset);
        let register = code.address_register(Symbol::new(&format!("{name}@address")), offset);
        let term = code.registers[register.index()].term();
        map.insert(Term::constant(address_name(name), Sort::BitVec(width)), term);
        registers.insert(object, register);
        stops.into_iter().for_each(|stop| held.entry(stop).or_default().push(term));
    }
    let rewriter = Rewriter { code, registers, map, width };
    expanded.steps.iter_mut().for_each(|step| rewriter.step(step));
    for (stop, addresses) in held {
        give_back(expanded, stop, addresses);
    }
    true
}

/// Steps by the node where they end.
fn entering(expanded: &Expanded) -> FxHashMap<NodeId, Vec<usize>> {
    let mut entering: FxHashMap<NodeId, Vec<usize>> = FxHashMap::default();
    for (index, step) in expanded.steps.iter().enumerate() {
        entering.entry(step.to).or_default().push(index);
    }
    entering
}

/// The steps that stop a thread inside of the object's lifetime; nothing if one of them is inside on some ways and outside on others.
fn stops_inside(
    expanded: &Expanded,
    entering: &FxHashMap<NodeId, Vec<usize>>,
    object: ObjectId,
) -> Option<Vec<usize>> {
    let mut inside = Vec::new();
    let stops = expanded.steps.iter().enumerate().filter(|(_, step)| matches!(step.op, Op::Stop(Stop::Ends)));
    for (index, stop) in stops {
        let (mut lives, mut does_not) = (false, false);
        let mut seen: FxHashSet<NodeId> = FxHashSet::default();
        let mut open = vec![stop.from];
        while let Some(node) = open.pop() {
            if !seen.insert(node) {
                continue;
            }
            does_not |= expanded.roots.iter().any(|root| root.entry == node);
            for &before in entering.get(&node).into_iter().flatten() {
                match &expanded.steps[before].op {
                    Op::Forget(o) | Op::Clear(o) if *o == object => lives = true,
                    Op::Dead(o) if *o == object => does_not = true,
                    _ => open.push(expanded.steps[before].from),
                }
            }
        }
        match (lives, does_not) {
            (true, true) => return None,
            (true, false) => inside.push(index),
            (false, _) => {}
        }
    }
    Some(inside)
}

/// Releases memory before a step.
pub(super) fn give_back(expanded: &mut Expanded, index: usize, addresses: Vec<Term>) {
    for address in addresses {
        let step = expanded.steps[index].clone();
        let node = NodeId(expanded.nodes.len() as u32);
        expanded.nodes.push(step.source);
        expanded.root_of.push(expanded.root_of[step.from.index()]);
        expanded.steps[index].from = node;
        let trust = step.trust.max(Trust::Numbers);
        expanded.steps.push(Step { to: node, op: Op::Free(address), model: true, trust, ..step });
    }
}

/// Whether one step begins the object's lifetime, and control does not come there again before a step that ends it.
fn begins_once(expanded: &Expanded, object: ObjectId) -> bool {
    let begins = |step: &&Step| matches!(&step.op, Op::Forget(o) | Op::Clear(o) if *o == object);
    let mut beginnings = expanded.steps.iter().filter(begins);
    let (Some(first), None) = (beginnings.next(), beginnings.next()) else { return false };
    let mut from: FxHashMap<NodeId, Vec<&Step>> = FxHashMap::default();
    for step in expanded.steps.iter().filter(|step| !matches!(&step.op, Op::Dead(o) if *o == object)) {
        from.entry(step.from).or_default().push(step);
    }
    let mut seen: FxHashSet<NodeId> = FxHashSet::default();
    let mut open = vec![first.to];
    while let Some(node) = open.pop() {
        if node == first.from {
            return false;
        }
        if seen.insert(node) {
            open.extend(from.get(&node).into_iter().flatten().map(|step| step.to));
        }
    }
    true
}

pub(super) struct Rewriter<'l, 'a> {
    pub code: &'l Code<'a>,
    pub registers: FxHashMap<ObjectId, RegisterId>,
    /// Addresses of the objects as registers.
    pub map: FxHashMap<Term, Term>,
    pub width: u32,
}

impl Rewriter<'_, '_> {
    pub(super) fn step(&self, step: &mut Step) {
        match &mut step.op {
            Op::Forget(object) | Op::Clear(object) if self.registers.contains_key(object) => {
                let (object, zeroed) = (*object, matches!(step.op, Op::Clear(_)));
                step.op = self.allocation(object, zeroed);
            }
            Op::Dead(object) if self.registers.contains_key(object) => {
                step.op = Op::Free(self.address_of(*object));
                // Nobody but this block gives it back, and it has it.
                step.trust = step.trust.max(Trust::Numbers);
                step.model = true;
            }
            op => self.op(op),
        }
    }

    pub(super) fn allocation(&self, object: ObjectId, zeroed: bool) -> Op {
        let ty = self.code.objects[object.index()].ty.clone();
        let size = self.code.types.size(&ty).unwrap_or(0);
        let (register, size) = (self.registers[&object], Term::bv(self.width, u128::from(size)));
        Op::Allocate { register, ty: Some(ty), size, zeroed, origin: Origin::Stack }
    }

    fn address_of(&self, object: ObjectId) -> Term {
        self.code.registers[self.registers[&object].index()].term()
    }

    fn term(&self, term: &mut Term) {
        *term = term.substitute(&self.map);
    }

    fn address(&self, address: &mut Address) {
        match address {
            Address::Pointer { address, .. } => self.term(address),
            Address::Object { object, offset, indices } => {
                indices.iter_mut().for_each(|index| self.term(&mut index.term));
                if self.registers.contains_key(object) {
                    let bytes = |number: u64| Term::bv(self.width, u128::from(number));
                    let mut sum = self.address_of(*object).bv_add(bytes(*offset / 8));
                    for index in indices.iter() {
                        sum = sum.bv_add(index.term.bv_mul(bytes(index.stride)));
                    }
                    *address = Address::Pointer { address: sum, bit: (*offset % 8) as u32 };
                }
            }
        }
    }

    fn op(&self, op: &mut Op) {
        match op {
            Op::Assume(term)
            | Op::Let(_, term)
            | Op::Free(term)
            | Op::Valid(term)
            | Op::ForgetPointed(term)
            | Op::Measure(_, term)
            | Op::ObjectSize(_, term)
            | Op::Allocate { size: term, .. } => self.term(term),
            Op::Apart(terms) => terms.iter_mut().for_each(|term| self.term(term)),
            Op::Load(_, address, _) => self.address(address),
            Op::Store(address, _, term) | Op::Broadcast(address, _, term, _) => {
                self.address(address);
                self.term(term);
            }
            Op::Call(_, arguments, _) => self.arguments(arguments),
            Op::Spawn(_, arguments, record) => {
                self.arguments(arguments);
                self.term(record);
            }
            Op::Skip
            | Op::Havoc(_)
            | Op::Clear(_)
            | Op::Forget(_)
            | Op::Dead(_)
            | Op::AtomicBegin
            | Op::AtomicEnd
            | Op::Approximate(_)
            | Op::Fail(_)
            | Op::Limit(_)
            | Op::Outside(_)
            | Op::Stop(_)
            | Op::Exit => {}
        }
    }

    fn arguments(&self, arguments: &mut [Argument]) {
        for argument in arguments {
            match argument {
                Argument::Scalar(term, _) => self.term(term),
                Argument::Aggregate(address, _) => self.address(address),
            }
        }
    }
}
