//! What pointers point to: inclusion-based, insensitive to the order of operations, sensitive to fields.
//!
//! Calls are expanded already, so this is as good as an analysis that distinguishes calls, as far as parameters were known.
//! Integers carry addresses, too: a pointer may be cast, stored and cast back. A target is an object and an offset in bytes with all array
//! indices taken as zero, or any offset. The result says which cases a dereference needs; which case applies is decided
//! exactly, by the address, in the program.

use super::expand::Expanded;
use super::graph::{Address, Argument, Callee, Object, ObjectId, Op, Parameter, Register, RegisterId};
use super::sites::Site;
use crate::types::{Leaf, Type, Types};
use rustc_hash::FxHashMap;
use smt::{Symbol, Term};
use std::collections::BTreeSet;

/// An object and an offset in bytes (none: any).
pub(crate) type Target = (ObjectId, Option<u64>);
/// A set of targets.
pub(crate) type Targets = BTreeSet<Target>;

/// The result of the analysis.
pub(crate) struct PointsTo<'a> {
    types: &'a Types,
    objects: &'a [Object],
    leaves: Vec<Vec<Leaf>>,
    registers: Vec<Targets>,
    /// By object, then by leaf.
    contents: Vec<Vec<Targets>>,
    by_name: FxHashMap<Symbol, Source>,
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
    let leaves: Vec<Vec<Leaf>> = objects.iter().map(|o| types.leaves(&o.ty)).collect();
    let contents = leaves.iter().map(|l| vec![Targets::new(); l.len()]).collect();
    let mut analysis = PointsTo {
        types,
        objects,
        leaves,
        registers: vec![Targets::new(); registers.len()],
        contents,
        by_name,
    };
    analysis.initial_values();
    for site in sites {
        if let Op::Allocate { register, .. } = &expanded.steps[site.step].op {
            let objects = site.objects.iter().map(|object| (*object, Some(0)));
            grow(&mut analysis.registers[register.index()], objects.collect());
        }
    }
    let relevant: Vec<&Op> = expanded.steps.iter().map(|s| &s.op).filter(|op| moves_values(op)).collect();
    loop {
        let mut changed = false;
        for op in &relevant {
            changed |= analysis.transfer(op, expanded);
        }
        if !changed {
            return analysis;
        }
    }
}

fn moves_values(op: &Op) -> bool {
    matches!(op, Op::Let(..) | Op::Load(..) | Op::Store(..) | Op::Spawn(..) | Op::Broadcast(..))
}

impl PointsTo<'_> {
    /// The scalars of an object.
    pub(crate) fn leaves(&self, object: ObjectId) -> &[Leaf] {
        &self.leaves[object.index()]
    }

    fn initial_values(&mut self) {
        for index in 0..self.objects.len() {
            if let Some(term) = self.objects[index].everywhere {
                let targets = self.of_term(term);
                self.contents[index].iter_mut().for_each(|cell| cell.extend(&targets));
            }
            let Some(values) = &self.objects[index].init else { continue };
            for value in values {
                let targets = self.of_term(value.value);
                if targets.is_empty() {
                    continue;
                }
                let object = ObjectId(index as u32);
                let canonical = self.canonical(object, (value.offset / 8) as i128);
                for leaf in self.leaves_at(object, canonical, 0, value.value.width()) {
                    self.contents[index][leaf].extend(targets.iter().copied());
                }
            }
        }
    }

    fn transfer(&mut self, op: &Op, expanded: &Expanded) -> bool {
        match op {
            Op::Let(register, term) => {
                let targets = self.of_term(*term);
                grow(&mut self.registers[register.index()], targets)
            }
            Op::Load(register, address, access) => {
                let mut targets = Targets::new();
                for (object, leaf) in self.cells(address, access.width) {
                    targets.extend(&self.contents[object.index()][leaf]);
                }
                grow(&mut self.registers[register.index()], targets)
            }
            Op::Store(address, access, term) | Op::Broadcast(address, access, term, _) => {
                let targets = self.of_term(*term);
                if targets.is_empty() {
                    return false;
                }
                let mut changed = false;
                for (object, leaf) in self.cells(address, access.width) {
                    changed |= grow(&mut self.contents[object.index()][leaf], targets.clone());
                }
                changed
            }
            Op::Spawn(Callee::Direct(function), arguments, record) => {
                let root = expanded.roots.iter().find(|r| r.function == Some(*function));
                let Some(root) = root else { return false };
                let mut changed = false;
                for (argument, (parameter, _)) in arguments.iter().zip(&root.parameters) {
                    let Argument::Scalar(term, _) = argument else { continue };
                    let targets = self.of_term(*term);
                    changed |= match parameter {
                        Parameter::Register(register) => grow(&mut self.registers[register.index()], targets),
                        Parameter::Object(object) => match self.contents[object.index()].first_mut() {
                            Some(cell) => grow(cell, targets),
                            None => false,
                        },
                    };
                }
                let targets = self.of_term(*record);
                if let Some(object) = self.objects.iter().position(|o| o.name.as_str() == super::emit::SELF)
                    && let Some(cell) = self.contents[object].first_mut()
                {
                    changed |= grow(cell, targets);
                }
                changed
            }
            _ => false,
        }
    }

    /// Where an access may begin.
    pub(crate) fn targets(&self, address: &Address) -> Targets {
        match address {
            Address::Object { object, offset, .. } => Targets::from([(*object, Some(offset / 8))]),
            Address::Pointer { address, .. } => self.of_term(*address),
        }
    }

    /// The scalars that an access of so many bits may touch: object and index of the leaf.
    fn cells(&self, address: &Address, width: u32) -> Vec<(ObjectId, usize)> {
        let bit = match address {
            Address::Object { offset, .. } => (offset % 8) as u32,
            Address::Pointer { bit, .. } => *bit,
        };
        let mut cells = Vec::new();
        for (object, offset) in self.targets(address) {
            cells.extend(self.leaves_at(object, offset, bit, width).into_iter().map(|leaf| (object, leaf)));
        }
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// The leaves that so many bits at an offset overlap; all if it is not known. What reaches beyond an element of an array reaches
    /// its neighbour, which is the same leaf or one that begins within the array's distance.
    fn leaves_at(&self, object: ObjectId, offset: Option<u64>, bit: u32, width: u32) -> Vec<usize> {
        let leaves = self.leaves(object).iter().enumerate();
        match offset {
            None => leaves.map(|(index, _)| index).collect(),
            Some(bytes) => {
                let at = bytes * 8 + u64::from(bit);
                let end = at + u64::from(width.max(1));
                let touches = |l: &Leaf| {
                    let wraps = l.dimensions.iter().any(|(_, stride)| {
                        let (first, next) = (l.offset, l.offset + stride * 8);
                        first <= at && at < next && end > next
                    });
                    wraps || (l.offset < end && at < l.offset + u64::from(l.width).max(8))
                };
                leaves.filter(|(_, l)| touches(l)).map(|(i, _)| i).collect()
            }
        }
    }

    /// What a term may point to. Most large terms are made of numbers only, which one walk over the graph tells.
    pub(crate) fn of_term(&self, term: Term) -> Targets {
        let points = |constant: &Term| {
            let source = constant.as_constant().and_then(|name| self.by_name.get(&name));
            match source {
                Some(Source::Register(register)) => !self.registers[register.index()].is_empty(),
                Some(Source::Address(_)) => true,
                None => false,
            }
        };
        if term.constants().iter().any(points) { self.of_part(term) } else { Targets::new() }
    }

    fn of_part(&self, term: Term) -> Targets {
        if term.sort().is_bool() {
            return Targets::new();
        }
        if let Some(name) = term.as_constant() {
            return match self.by_name.get(&name) {
                Some(Source::Register(register)) => self.registers[register.index()].clone(),
                Some(Source::Address(object)) => Targets::from([(*object, Some(0))]),
                None => Targets::new(),
            };
        }
        match term.op() {
            smt::Op::Bits(_) => Targets::new(),
            smt::Op::BvAdd | smt::Op::BvSub | smt::Op::BvNeg => self.of_sum(term),
            smt::Op::Ite => {
                let mut targets = self.of_part(term.args()[1]);
                targets.extend(self.of_part(term.args()[2]));
                targets
            }
            _ => {
                let all = term.args().iter().flat_map(|a| self.of_part(*a));
                all.map(|(object, _)| (object, None)).collect()
            }
        }
    }

    fn of_sum(&self, term: Term) -> Targets {
        let mut targets = Targets::new();
        let mut constant = 0i128;
        let mut strides = Vec::new();
        for (argument, negative) in summands(term) {
            if let Some(number) = argument.as_bits().and_then(|b| b.to_i128()) {
                constant += if negative { -number } else { number };
                continue;
            }
            let found = self.of_part(argument);
            if found.is_empty() {
                strides.push(stride(argument));
            } else if negative && !targets.is_empty() {
                // The distance between two addresses is a number.
                return Targets::new();
            }
            targets.extend(found);
        }
        let moved = targets.into_iter().map(|(object, offset)| {
            let keeps = |at: u64| strides.iter().all(|s| s.is_some_and(|s| self.has_stride(object, at, s)));
            let at = offset.and_then(|offset| self.canonical(object, i128::from(offset) + constant));
            (object, at.filter(|at| keeps(*at)))
        });
        moved.collect()
    }

    /// Whether steps of this many bytes go from element to element of an array that all scalars at the offset belong to.
    fn has_stride(&self, object: ObjectId, offset: u64, stride: u64) -> bool {
        let at = self.leaves_at(object, Some(offset), 0, 1);
        let steps = |leaf: &Leaf| leaf.dimensions.iter().any(|(_, s)| *s > 0 && stride.is_multiple_of(*s));
        !at.is_empty() && at.iter().all(|leaf| steps(&self.leaves(object)[*leaf]))
    }

    /// An offset with all indices taken as zero; none if it is outside of the object.
    fn canonical(&self, object: ObjectId, offset: i128) -> Option<u64> {
        let offset = u64::try_from(offset).ok()?;
        let ty = &self.objects[object.index()].ty;
        match self.types.size(ty) {
            Some(size) if offset >= size.max(1) => None,
            _ => Some(self.canonical_in(ty, offset)),
        }
    }

    fn canonical_in(&self, ty: &Type, offset: u64) -> u64 {
        match ty.unatomic() {
            Type::Array(element, _) => match self.types.size(element) {
                Some(size) if size > 0 => self.canonical_in(element, offset % size),
                _ => offset,
            },
            Type::Record(id) if !self.types.record(*id).union => {
                let fields = &self.types.record(*id).fields;
                let field = fields.iter().rev().find(|f| f.bits.is_none() && f.offset / 8 <= offset);
                match field {
                    Some(field) => field.offset / 8 + self.canonical_in(&field.ty, offset - field.offset / 8),
                    None => offset,
                }
            }
            _ => offset,
        }
    }

    /// What an object's scalars may point to, all together.
    pub(crate) fn contents_of(&self, object: ObjectId) -> impl Iterator<Item = Target> + '_ {
        self.contents[object.index()].iter().flatten().copied()
    }
}

/// The parts of a sum, and whether they are subtracted; those that are added first.
fn summands(term: Term) -> Vec<(Term, bool)> {
    let (mut open, mut parts) = (vec![(term, false)], Vec::new());
    while let Some((term, negative)) = open.pop() {
        match (term.op(), term.args()) {
            (smt::Op::BvAdd, args) => open.extend(args.iter().map(|argument| (*argument, negative))),
            (smt::Op::BvSub, &[left, right]) => open.extend([(left, negative), (right, !negative)]),
            (smt::Op::BvNeg, &[argument]) => open.push((argument, !negative)),
            _ => parts.push((term, negative)),
        }
    }
    parts.sort_by_key(|(_, negative)| *negative);
    parts
}

/// The literal factor of an index: `i * 4`.
fn stride(term: Term) -> Option<u64> {
    match term.op() {
        smt::Op::BvMul => term
            .args()
            .iter()
            .find_map(|a| a.as_bits())
            .and_then(|b| b.to_u128())
            .and_then(|n| u64::try_from(n).ok()),
        smt::Op::BvShl => {
            let amount = term.args().get(1)?.as_bits()?.to_u128()?;
            1u64.checked_shl(u32::try_from(amount).ok()?)
        }
        smt::Op::BvNeg => stride(*term.args().first()?),
        smt::Op::BvAdd | smt::Op::BvSub => {
            let parts: Vec<u64> = term
                .args()
                .iter()
                .filter(|a| a.as_bits().is_none())
                .map(|a| stride(*a))
                .collect::<Option<_>>()?;
            parts.into_iter().min()
        }
        _ => Some(1),
    }
}

fn grow(set: &mut Targets, more: Targets) -> bool {
    let before = set.len();
    set.extend(more);
    set.len() != before
}
