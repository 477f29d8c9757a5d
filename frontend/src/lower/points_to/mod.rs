//! What pointers point to: inclusion-based, insensitive to the order of operations, sensitive to fields.
//!
//! Calls are expanded already, so this is as good as an analysis that distinguishes calls, as far as parameters were known.
//! Integers carry addresses, too: a pointer may be cast, stored and cast back. A target is an object and an offset in bytes with all array
//! indices taken as zero, or any offset. The result says which cases a dereference needs; which case applies is decided
//! exactly, by the address, in the program.
//!
//! [`analyse`] makes inclusions from operations, and `solve` their least solution. `places` knows objects and offsets, `sums` arithmetic.

mod places;
mod sets;
mod solve;
mod sums;
#[cfg(test)]
mod tests;

use super::expand::Expanded;
use super::graph::{
    Access, Address, Argument, Callee, Object, ObjectId, Op, Parameter, Register, RegisterId,
};
use super::sites::Site;
use crate::types::{Leaf, Types};
use places::{Places, Shift};
use rustc_hash::FxHashMap;
use smt::{Symbol, Term};
use solve::{Difference, Node, Solver};
use std::cell::RefCell;
use sums::Sum;

pub(crate) use sets::Targets;

/// An object and an offset in bytes (none: any).
pub(crate) type Target = (ObjectId, Option<u64>);

/// The result of the analysis.
pub(crate) struct PointsTo<'a> {
    places: Places<'a>,
    registers: Vec<Targets>,
    /// By object: what its scalars may point to, all together.
    contents: Vec<Targets>,
    by_name: FxHashMap<Symbol, Source>,
    /// What terms that were asked about point to.
    terms: RefCell<FxHashMap<Term, Targets>>,
}

#[derive(Clone, Copy)]
enum Source {
    Register(RegisterId),
    Address(ObjectId),
}

/// Runs the analysis to its fixed point.
pub(crate) fn analyse<'a>(
    expanded: &Expanded,
    types: &'a Types,
    objects: &'a [Object],
    registers: &[Register],
    sites: &[Site],
) -> PointsTo<'a> {
    let mut by_name = FxHashMap::default();
    for (index, register) in registers.iter().enumerate() {
        by_name.insert(register.name, Source::Register(RegisterId(index as u32)));
    }
    for (index, object) in objects.iter().enumerate() {
        by_name.insert(super::graph::address_name(object.name), Source::Address(ObjectId(index as u32)));
    }
    let places = Places::new(types, objects);
    let own_record = objects.iter().position(|o| o.name.as_str() == super::emit::SELF);
    let mut inclusions = Inclusions {
        solver: Solver::new(&places, registers.len()),
        by_name: &by_name,
        terms: FxHashMap::default(),
        accesses: FxHashMap::default(),
        own_record: own_record.map(|index| ObjectId(index as u32)),
    };
    inclusions.initial_values(&places, objects);
    for site in sites {
        if let Op::Allocate { register, .. } = &expanded.steps[site.step].op {
            let targets: Targets = site.objects.iter().map(|object| (*object, Some(0))).collect();
            inclusions.solver.add(register.0, targets);
        }
    }
    for step in &expanded.steps {
        inclusions.operation(&step.op, expanded);
    }
    let Inclusions { mut solver, terms, .. } = inclusions;
    solver.solve();
    let terms = terms
        .into_iter()
        .map(|(term, node)| (term, node.map_or_else(Targets::none, |node| solver.targets(node))));
    let terms = RefCell::new(terms.collect());
    let found = (0..registers.len()).map(|register| solver.targets(register as Node)).collect();
    let contents = (0..objects.len()).map(|index| contents(&mut solver, &places, ObjectId(index as u32)));
    let contents = contents.collect();
    drop(solver);
    PointsTo { places, registers: found, contents, by_name, terms }
}

fn contents(solver: &mut Solver<'_, '_>, places: &Places<'_>, object: ObjectId) -> Targets {
    let mut all = solver.sets.none();
    for leaf in 0..places.leaves(object).len() {
        let more = solver.targets(solver.scalar(object, leaf));
        all = solver.sets.union(&all, &more);
    }
    all
}

/// From operations to inclusions.
struct Inclusions<'p, 'a> {
    solver: Solver<'p, 'a>,
    by_name: &'p FxHashMap<Symbol, Source>,
    /// The nodes of terms; none for numbers that no address takes part in.
    terms: FxHashMap<Term, Option<Node>>,
    /// The values of accesses through pointers: the node of the address, the bit, the width, and whether it is a load.
    accesses: FxHashMap<(Node, u32, u32, bool), Node>,
    /// The object that holds a thread's own record.
    own_record: Option<ObjectId>,
}

impl Inclusions<'_, '_> {
    fn initial_values(&mut self, places: &Places<'_>, objects: &[Object]) {
        for (index, about) in objects.iter().enumerate() {
            let object = ObjectId(index as u32);
            if let Some(node) = about.everywhere.and_then(|term| self.term(term)) {
                for leaf in 0..places.leaves(object).len() {
                    self.solver.copy(node, self.solver.scalar(object, leaf));
                }
            }
            for value in about.init.iter().flatten() {
                let Some(node) = self.term(value.value) else { continue };
                let canonical = places.canonical(object, (value.offset / 8) as i128);
                let target = sets::pack((object, canonical));
                for scalar in self.solver.scalars_at(target, 0, value.value.width()).iter() {
                    self.solver.copy(node, *scalar);
                }
            }
        }
    }

    fn operation(&mut self, op: &Op, expanded: &Expanded) {
        match op {
            Op::Let(register, term) => {
                if let Some(node) = self.term(*term) {
                    self.solver.copy(node, register.0);
                }
            }
            Op::Load(register, address, access) => self.access(address, access, register.0, true),
            Op::Store(address, access, term) | Op::Broadcast(address, access, term, _) => {
                if let Some(node) = self.term(*term) {
                    self.access(address, access, node, false);
                }
            }
            Op::Spawn(Callee::Direct(function), arguments, record) => {
                let root = expanded.roots.iter().find(|r| r.function == Some(*function));
                let Some(root) = root else { return };
                for (argument, (parameter, _)) in arguments.iter().zip(&root.parameters) {
                    let Argument::Scalar(term, _) = argument else { continue };
                    match parameter {
                        Parameter::Register(register) => {
                            if let Some(node) = self.term(*term) {
                                self.solver.copy(node, register.0);
                            }
                        }
                        Parameter::Object(object) => self.first_scalar(*object, *term),
                    }
                }
                if let Some(object) = self.own_record {
                    self.first_scalar(object, *record);
                }
            }
            _ => {}
        }
    }

    fn first_scalar(&mut self, object: ObjectId, term: Term) {
        let target = sets::pack((object, None));
        let first = self.solver.scalars_at(target, 0, 1).first().copied();
        if let (Some(scalar), Some(node)) = (first, self.term(term)) {
            self.solver.copy(node, scalar);
        }
    }

    /// A value is loaded or stored.
    fn access(&mut self, address: &Address, access: &Access, value: Node, is_load: bool) {
        match address {
            Address::Object { object, offset, .. } => {
                let target = sets::pack((*object, Some(offset / 8)));
                for &scalar in self.solver.scalars_at(target, (offset % 8) as u32, access.width).iter() {
                    if is_load { self.solver.copy(scalar, value) } else { self.solver.copy(value, scalar) }
                }
            }
            Address::Pointer { address, bit } => {
                let Some(address) = self.term(*address) else { return };
                let key = (address, *bit, access.width, is_load);
                let through = match self.accesses.get(&key) {
                    Some(known) => *known,
                    None => {
                        let node = self.solver.node();
                        self.solver.dereference(address, node, (*bit, access.width), is_load);
                        self.accesses.insert(key, node);
                        node
                    }
                };
                if is_load { self.solver.copy(through, value) } else { self.solver.copy(value, through) }
            }
        }
    }

    /// The node of a term; none if no address takes part in it.
    fn term(&mut self, term: Term) -> Option<Node> {
        if term.sort().is_bool() || term.as_value().is_some() {
            return None;
        }
        if let Some(known) = self.terms.get(&term) {
            return *known;
        }
        let node = self.new_term(term);
        self.terms.insert(term, node);
        node
    }

    fn new_term(&mut self, term: Term) -> Option<Node> {
        if let Some(name) = term.as_constant() {
            return match self.by_name.get(&name)? {
                Source::Register(register) => Some(register.0),
                Source::Address(object) => {
                    let node = self.solver.node();
                    self.solver.add(node, Targets::from_iter([(*object, Some(0))]));
                    Some(node)
                }
            };
        }
        if let Some(sum) = Sum::of(term) {
            return self.sum(&sum);
        }
        let is_choice = matches!(term.op(), smt::Op::Ite);
        let parts: Vec<Node> = term.args().iter().filter_map(|argument| self.term(*argument)).collect();
        if parts.is_empty() {
            return None;
        }
        let node = self.solver.node();
        for part in parts {
            if is_choice {
                self.solver.copy(part, node);
            } else {
                self.solver.shift(part, node, Shift::Any);
            }
        }
        Some(node)
    }

    fn sum(&mut self, sum: &Sum) -> Option<Node> {
        let added: Vec<(Node, Shift)> = (sum.added.iter().enumerate())
            .filter_map(|(part, term)| Some((self.term(*term)?, sum.shift(part))))
            .collect();
        let subtracted: Vec<Node> = sum.subtracted.iter().filter_map(|term| self.term(*term)).collect();
        if added.is_empty() {
            return None;
        }
        let value = self.solver.node();
        if subtracted.is_empty() {
            added.into_iter().for_each(|(node, shift)| self.solver.shift(node, value, shift));
        } else {
            self.solver.difference(Difference { value, added, subtracted });
        }
        Some(value)
    }
}

impl PointsTo<'_> {
    /// The scalars of an object.
    pub(crate) fn leaves(&self, object: ObjectId) -> &[Leaf] {
        self.places.leaves(object)
    }

    /// Where an access may begin.
    pub(crate) fn targets(&self, address: &Address) -> Targets {
        match address {
            Address::Object { object, offset, .. } => Targets::from_iter([(*object, Some(offset / 8))]),
            Address::Pointer { address, .. } => self.of_term(*address),
        }
    }

    /// What an object's scalars may point to, all together.
    pub(crate) fn contents_of(&self, object: ObjectId) -> impl Iterator<Item = Target> + '_ {
        self.contents[object.index()].iter()
    }

    /// What a term may point to.
    pub(crate) fn of_term(&self, term: Term) -> Targets {
        if term.sort().is_bool() || term.as_value().is_some() {
            return Targets::none();
        }
        if let Some(known) = self.terms.borrow().get(&term) {
            return known.clone();
        }
        let found = self.of_new(term);
        self.terms.borrow_mut().insert(term, found.clone());
        found
    }

    fn of_new(&self, term: Term) -> Targets {
        if let Some(name) = term.as_constant() {
            return match self.by_name.get(&name) {
                Some(Source::Register(register)) => self.registers[register.index()].clone(),
                Some(Source::Address(object)) => Targets::from_iter([(*object, Some(0))]),
                None => Targets::none(),
            };
        }
        if let Some(sum) = Sum::of(term) {
            return self.of_sum(&sum);
        }
        let is_choice = matches!(term.op(), smt::Op::Ite);
        let parts = term.args().iter().map(|argument| self.of_term(*argument));
        let moved = parts.map(|part| if is_choice { part } else { self.moved(&part, &Shift::Any) });
        moved.fold(Targets::none(), |all, part| if part.is_empty() { all } else { all.union(&part) })
    }

    fn of_sum(&self, sum: &Sum) -> Targets {
        let count = sum.subtracted.iter().filter(|term| !self.of_term(**term).is_empty()).count();
        let parts = sum.added.iter().enumerate().map(|(part, term)| (part, self.of_term(*term)));
        let addresses: Vec<(usize, Targets)> = parts.filter(|(_, part)| !part.is_empty()).collect();
        if addresses.len() <= count {
            return Targets::none();
        }
        let moved = addresses.iter().map(|(part, set)| {
            let shift = if count == 0 { sum.shift(*part) } else { Shift::Any };
            self.moved(set, &shift)
        });
        moved.fold(Targets::none(), |all, part| all.union(&part))
    }

    fn moved(&self, set: &Targets, shift: &Shift) -> Targets {
        set.packed().iter().map(|packed| self.places.shifted(*packed, shift)).collect()
    }
}
