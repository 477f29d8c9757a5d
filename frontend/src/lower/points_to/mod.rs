//! What pointers point to: inclusion-based, insensitive to the order of operations, sensitive to fields.
//!
//! Calls are expanded already, so this is as good as an analysis that distinguishes calls, as far as parameters were known.
//! Integers carry addresses, too: a pointer may be cast, stored and cast back. A target is an object and an offset in bytes with all array
//! indices taken as zero, or any offset. The result says which cases a dereference needs; which case applies is decided
//! exactly, by the address, in the program.

mod sets;

use super::expand::Expanded;
use super::graph::{Address, Argument, Callee, Object, ObjectId, Op, Parameter, Register, RegisterId};
use super::sites::Site;
use crate::types::{Leaf, Type, Types};
use rustc_hash::{FxHashMap, FxHashSet};
use sets::{SetId, Sets};
use smt::{Symbol, Term};
use std::collections::VecDeque;

pub(crate) use sets::Targets;

/// An object and an offset in bytes (none: any).
pub(crate) type Target = (ObjectId, Option<u64>);

/// The result of the analysis.
pub(crate) struct PointsTo<'a> {
    types: &'a Types,
    objects: &'a [Object],
    leaves: Vec<Vec<Leaf>>,
    sets: Sets,
    registers: Vec<SetId>,
    /// By object, then by leaf.
    contents: Vec<Vec<SetId>>,
    by_name: FxHashMap<Symbol, Source>,
    /// The object that holds a thread's own record.
    own_record: Option<ObjectId>,
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
    let contents = leaves.iter().map(|l| vec![SetId::NONE; l.len()]).collect();
    let own_record = objects.iter().position(|o| o.name.as_str() == super::emit::SELF);
    let mut analysis = PointsTo {
        types,
        objects,
        leaves,
        sets: Sets::new(),
        registers: vec![SetId::NONE; registers.len()],
        contents,
        by_name,
        own_record: own_record.map(|index| ObjectId(index as u32)),
    };
    analysis.initial_values();
    for site in sites {
        if let Op::Allocate { register, .. } = &expanded.steps[site.step].op {
            let targets = site.objects.iter().map(|object| (*object, Some(0))).collect();
            let (id, known) = (analysis.sets.id(targets), analysis.registers[register.index()]);
            analysis.registers[register.index()] = analysis.sets.union(known, id);
        }
    }
    Work::new(&analysis, expanded).run(&mut analysis, expanded);
    analysis
}

fn moves_values(op: &Op) -> bool {
    matches!(op, Op::Let(..) | Op::Load(..) | Op::Store(..) | Op::Spawn(..) | Op::Broadcast(..))
}

/// Which operations have to be looked at again.
struct Work<'e> {
    operations: Vec<&'e Op>,
    /// By register: the operations that read it.
    readers: Vec<Vec<u32>>,
    /// By object: the loads that read it, as far as is known.
    loads: Vec<Vec<u32>>,
    is_load: FxHashSet<(u32, ObjectId)>,
    open: VecDeque<u32>,
    is_open: Vec<bool>,
}

/// What an operation has changed.
#[derive(Default)]
struct Changed {
    registers: Vec<RegisterId>,
    objects: Vec<ObjectId>,
}

impl<'e> Work<'e> {
    fn new(analysis: &PointsTo<'_>, expanded: &'e Expanded) -> Work<'e> {
        let operations: Vec<&Op> =
            expanded.steps.iter().map(|s| &s.op).filter(|op| moves_values(op)).collect();
        let mut readers: Vec<Vec<u32>> = vec![Vec::new(); analysis.registers.len()];
        for (number, op) in operations.iter().enumerate() {
            op.for_each_term(&mut |term| {
                for name in term.constants().iter().filter_map(|c| c.as_constant()) {
                    if let Some(Source::Register(register)) = analysis.by_name.get(&name) {
                        readers[register.index()].push(number as u32);
                    }
                }
            });
        }
        Work {
            readers,
            loads: vec![Vec::new(); analysis.objects.len()],
            is_load: FxHashSet::default(),
            open: (0..operations.len() as u32).collect(),
            is_open: vec![true; operations.len()],
            operations,
        }
    }

    fn run(mut self, analysis: &mut PointsTo<'_>, expanded: &Expanded) {
        let mut changed = Changed::default();
        while let Some(number) = self.open.pop_front() {
            self.is_open[number as usize] = false;
            let op = self.operations[number as usize];
            if let Op::Load(_, address, _) = op {
                for (object, _) in analysis.targets(address).iter() {
                    if self.is_load.insert((number, object)) {
                        self.loads[object.index()].push(number);
                    }
                }
            }
            analysis.transfer(op, expanded, &mut changed);
            let Work { readers, loads, open, is_open, .. } = &mut self;
            let by_register = changed.registers.drain(..).flat_map(|r| &readers[r.index()]);
            for &reader in by_register.chain(changed.objects.drain(..).flat_map(|o| &loads[o.index()])) {
                if !std::mem::replace(&mut is_open[reader as usize], true) {
                    open.push_back(reader);
                }
            }
        }
    }
}

impl PointsTo<'_> {
    /// The scalars of an object.
    pub(crate) fn leaves(&self, object: ObjectId) -> &[Leaf] {
        &self.leaves[object.index()]
    }

    fn initial_values(&mut self) {
        for index in 0..self.objects.len() {
            let object = ObjectId(index as u32);
            if let Some(term) = self.objects[index].everywhere {
                let targets = self.set_of(term);
                for leaf in 0..self.contents[index].len() {
                    self.grow_cell(object, leaf, targets);
                }
            }
            let Some(values) = &self.objects[index].init else { continue };
            for value in values {
                let targets = self.set_of(value.value);
                if targets == SetId::NONE {
                    continue;
                }
                let canonical = self.canonical(object, (value.offset / 8) as i128);
                for leaf in self.leaves_at(object, canonical, 0, value.value.width()) {
                    self.grow_cell(object, leaf, targets);
                }
            }
        }
    }

    fn transfer(&mut self, op: &Op, expanded: &Expanded, changed: &mut Changed) {
        match op {
            Op::Let(register, term) => {
                let targets = self.set_of(*term);
                self.grow_register(*register, targets, changed);
            }
            Op::Load(register, address, access) => {
                let mut targets = SetId::NONE;
                for (object, leaf) in self.cells(address, access.width) {
                    targets = self.sets.union(targets, self.contents[object.index()][leaf]);
                }
                self.grow_register(*register, targets, changed);
            }
            Op::Store(address, access, term) | Op::Broadcast(address, access, term, _) => {
                let targets = self.set_of(*term);
                if targets == SetId::NONE {
                    return;
                }
                for (object, leaf) in self.cells(address, access.width) {
                    if self.grow_cell(object, leaf, targets) {
                        changed.objects.push(object);
                    }
                }
            }
            Op::Spawn(Callee::Direct(function), arguments, record) => {
                let root = expanded.roots.iter().find(|r| r.function == Some(*function));
                let Some(root) = root else { return };
                for (argument, (parameter, _)) in arguments.iter().zip(&root.parameters) {
                    let Argument::Scalar(term, _) = argument else { continue };
                    let targets = self.set_of(*term);
                    match parameter {
                        Parameter::Register(register) => self.grow_register(*register, targets, changed),
                        Parameter::Object(object) => self.grow_first(*object, targets, changed),
                    }
                }
                let targets = self.set_of(*record);
                if let Some(object) = self.own_record {
                    self.grow_first(object, targets, changed);
                }
            }
            _ => {}
        }
    }

    fn grow_register(&mut self, register: RegisterId, more: SetId, changed: &mut Changed) {
        let known = self.registers[register.index()];
        let all = self.sets.union(known, more);
        if all != known {
            self.registers[register.index()] = all;
            changed.registers.push(register);
        }
    }

    /// Whether the scalar got a new target.
    fn grow_cell(&mut self, object: ObjectId, leaf: usize, more: SetId) -> bool {
        let cell = &mut self.contents[object.index()][leaf];
        let all = self.sets.union(*cell, more);
        std::mem::replace(cell, all) != all
    }

    fn grow_first(&mut self, object: ObjectId, more: SetId, changed: &mut Changed) {
        if !self.contents[object.index()].is_empty() && self.grow_cell(object, 0, more) {
            changed.objects.push(object);
        }
    }

    /// What a term may point to, as a number.
    fn set_of(&mut self, term: Term) -> SetId {
        let name = term.as_constant().filter(|_| !term.sort().is_bool());
        if let Some(Source::Register(register)) = name.and_then(|name| self.by_name.get(&name)) {
            return self.registers[register.index()];
        }
        let targets = self.of_term(term);
        self.sets.id(targets)
    }

    /// Where an access may begin.
    pub(crate) fn targets(&self, address: &Address) -> Targets {
        match address {
            Address::Object { object, offset, .. } => Targets::from_iter([(*object, Some(offset / 8))]),
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
        for (object, offset) in self.targets(address).iter() {
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
                Some(Source::Register(register)) => {
                    !self.sets.get(self.registers[register.index()]).is_empty()
                }
                Some(Source::Address(_)) => true,
                None => false,
            }
        };
        if term.constants().iter().any(points) { self.of_part(term) } else { Targets::none() }
    }

    fn of_part(&self, term: Term) -> Targets {
        if term.sort().is_bool() {
            return Targets::none();
        }
        if let Some(name) = term.as_constant() {
            return match self.by_name.get(&name) {
                Some(Source::Register(register)) => self.sets.get(self.registers[register.index()]).clone(),
                Some(Source::Address(object)) => Targets::from_iter([(*object, Some(0))]),
                None => Targets::none(),
            };
        }
        match term.op() {
            smt::Op::Bits(_) => Targets::none(),
            smt::Op::BvAdd | smt::Op::BvSub | smt::Op::BvNeg => self.of_sum(term),
            smt::Op::Ite => self.of_part(term.args()[1]).union(&self.of_part(term.args()[2])),
            _ => {
                let mut all = Vec::new();
                for argument in term.args() {
                    all.extend(self.of_part(*argument).iter().map(|(object, _)| (object, None)));
                }
                all.into_iter().collect()
            }
        }
    }

    fn of_sum(&self, term: Term) -> Targets {
        let mut targets = Targets::none();
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
                return Targets::none();
            }
            targets = if targets.is_empty() { found } else { targets.union(&found) };
        }
        let moved = targets.iter().map(|(object, offset)| {
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
        self.contents[object.index()].iter().flat_map(|cell| self.sets.get(*cell).iter())
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
