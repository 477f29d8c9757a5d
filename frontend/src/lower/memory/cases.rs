//! The ways that an access can go, decided by the address.

use super::{INDEX_WIDTH, Memory};
use crate::lower::graph::{Access, Address, Index, NodeId, ObjectId};
use crate::lower::layout::holds;
use crate::program::VariableId;
use crate::types::Leaf;
use smt::Term;
use std::collections::BTreeMap;

/// One way an access can go: the condition, the variable, its element and the bits of it.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub object: ObjectId,
    /// When the address is this one.
    pub condition: Term,
    /// Whether the object lives then.
    pub alive: Term,
    pub variable: VariableId,
    /// None for variables that are no arrays. The first byte of objects of bytes.
    pub index: Option<Term>,
    /// The first bit.
    pub low: u32,
    /// Whether the access is to as many elements as it has bytes.
    pub bytes: bool,
    /// Whether the object is known without looking at the value of a pointer.
    pub direct: bool,
}

impl Case {
    /// How many elements are accessed.
    pub(crate) fn elements(&self, access: &Access) -> u32 {
        if self.bytes { (self.low + access.stored_bits()).div_ceil(8).max(1) } else { 1 }
    }
}

/// An address inside of an object.
struct Place {
    object: ObjectId,
    /// When it is one.
    condition: Term,
    /// Which object of the site.
    slot: Term,
    /// Bytes from the start of that object.
    inside: Term,
    /// The bit of the byte.
    bit: u32,
}
impl Memory<'_> {
    /// All ways that an access at a node can go, with conditions that exclude each other.
    pub(crate) fn cases(&mut self, address: &Address, access: &Access, at: NodeId) -> Vec<Case> {
        let direct = match address {
            Address::Object { .. } => Some(address.clone()),
            Address::Pointer { address, bit } => self.decompose(*address, *bit),
        };
        let by_pointer = matches!(address, Address::Pointer { .. });
        if let Some(Address::Object { object, offset, indices }) = &direct
            && let Some(mut case) = self.direct(*object, *offset, indices, access, by_pointer)
        {
            if by_pointer && self.lifetimes.is_checked(*object, at) {
                case.alive = self.is_alive(*object, Term::bv(INDEX_WIDTH, 0));
            }
            return vec![case];
        }
        let (pointer, bit) = self.as_pointer(address);
        let mut cases = Vec::new();
        let mut offsets: BTreeMap<ObjectId, Option<Vec<u64>>> = BTreeMap::new();
        let is_indexed = matches!(address, Address::Object { indices, .. } if !indices.is_empty());
        for (object, offset) in self.points_to.targets(address).iter() {
            let offset = offset.filter(|_| !is_indexed);
            let known = offsets.entry(object).or_insert_with(|| Some(Vec::new()));
            match (known.as_mut(), offset) {
                (Some(list), Some(offset)) => list.push(offset * 8 + u64::from(bit)),
                _ => *known = None,
            }
        }
        for (object, offsets) in offsets {
            let place = self.inside(pointer, bit, object);
            let first = cases.len();
            for cell in 0..self.layout(object).cells.len() {
                self.cell_cases(&place, cell, offsets.as_deref(), access, &mut cases);
            }
            if self.lifetimes.is_checked(object, at) && !self.is_told_by_address(pointer, object) {
                for case in &mut cases[first..] {
                    case.alive = self.is_alive(object, place.slot);
                }
            }
        }
        cases.retain(|c: &Case| !c.condition.is_false());
        cases
    }

    /// When the pointer points into an object of a site, and which one then.
    pub(crate) fn points_into(&mut self, pointer: Term, object: ObjectId) -> (Term, Term) {
        let place = self.inside(pointer, 0, object);
        let room = Term::bv(self.width, u128::from(self.layout(object).reserved()));
        (place.condition.and(place.inside.ult(room)), place.slot)
    }

    /// When the pointer points into the object, and that does not live.
    pub(crate) fn is_dangling(&mut self, pointer: Term, object: ObjectId) -> Term {
        if self.lifetimes.is_renewed(object) {
            return self.is_old(pointer, object);
        }
        let (condition, slot) = self.points_into(pointer, object);
        condition.and(self.is_alive(object, slot).not())
    }

    fn is_alive(&mut self, object: ObjectId, slot: Term) -> Term {
        let variable = self.alive(object);
        self.of_slot(object, variable, slot)
    }

    pub(super) fn symbol(&self, object: ObjectId) -> Term {
        let name = crate::lower::graph::address_name(self.objects[object.index()].name);
        Term::constant(name, smt::Sort::BitVec(self.width))
    }

    /// A pointer as one into an object.
    fn inside(&mut self, pointer: Term, bit: u32, object: ObjectId) -> Place {
        let relative = pointer.bv_sub(self.symbol(object));
        let relative = self.values.apply(relative);
        let layout = self.layout(object);
        if layout.slots == 1 {
            let slot = Term::bv(INDEX_WIDTH, 0);
            return Place { object, condition: Term::tru(), slot, inside: relative, bit };
        }
        let (slots, pitch) = (layout.slots, layout.pitch);
        let condition = relative.ult(Term::bv(self.width, u128::from(slots.saturating_mul(pitch))));
        let (slot, inside) = divide(relative, pitch, self.width);
        Place { object, condition, slot: slot.resize_unsigned(INDEX_WIDTH), inside, bit }
    }

    /// The condition that so many bytes at a place are within an object whose size is known only at run time.
    fn within(&mut self, place: &Place, bytes: u32) -> Term {
        let Some(size) = self.size(place.object) else { return Term::tru() };
        let size = self.of_slot(place.object, size, place.slot);
        let bytes = Term::bv(self.width, u128::from(bytes));
        bytes.ule(size).and(place.inside.ule(size.bv_sub(bytes)))
    }

    /// A known object with known indices.
    fn direct(
        &mut self,
        object: ObjectId,
        offset: u64,
        indices: &[Index],
        access: &Access,
        by_pointer: bool,
    ) -> Option<Case> {
        let layout = self.layout(object);
        if layout.slots > 1 || layout.bytes {
            return None;
        }
        let width = u64::from(access.width);
        let fits = |l: &Leaf| {
            let within = l.offset <= offset && offset + width <= l.offset + u64::from(l.width);
            within && l.thread_local == access.own
        };
        let cell = layout.cells.iter().position(fits)?;
        let found = layout.cells[cell].clone();
        if found.dimensions.len() != indices.len() || !holds(&found, access) {
            return None;
        }
        if found.dimensions.iter().zip(indices).any(|((_, stride), index)| *stride != index.stride) {
            return None;
        }
        let dimensions = layout.dimensions(&found);
        let mut condition = Term::tru();
        let mut index: Option<Term> = None;
        for ((count, _), i) in dimensions.iter().zip(indices) {
            let term = self.values.apply(i.term);
            // Nobody has compared this index with the bounds of the array.
            if by_pointer || i.count.is_none() || !self.bounds_checked {
                condition = condition.and(term.ult(Term::bv(self.width, u128::from(*count))));
            }
            let term = term.resize_unsigned(INDEX_WIDTH);
            index = Some(match index {
                None => term,
                Some(outer) => outer.bv_mul(Term::bv(INDEX_WIDTH, u128::from(*count))).bv_add(term),
            });
        }
        let is_compared =
            !by_pointer && self.bounds_checked && indices.iter().all(|index| index.count.is_some());
        if !is_compared && self.size(object).is_some() {
            let address = Address::Object { object, offset, indices: indices.to_vec() };
            let (pointer, bit) = self.as_pointer(&address);
            let place = self.inside(pointer, bit, object);
            condition = condition.and(self.within(&place, access.stored_bits().div_ceil(8)));
        }
        let variable = self.variable(object, cell);
        let low = (offset - found.offset) as u32;
        Some(Case { object, condition, alive: Term::tru(), variable, index, low, bytes: false, direct: true })
    }

    /// The cases of one cell for a place of any value. `offsets` in bits are the only ones, if given, with all array indices taken as zero.
    fn cell_cases(
        &mut self,
        place: &Place,
        cell: usize,
        offsets: Option<&[u64]>,
        access: &Access,
        cases: &mut Vec<Case>,
    ) {
        let layout = self.layout(place.object);
        let (found, is_bytes) = (layout.cells[cell].clone(), layout.bytes);
        if found.thread_local != access.own {
            return;
        }
        if is_bytes && !found.dimensions.is_empty() {
            return self.byte_case(place, cell, access, cases);
        }
        let stored = if is_bytes { access.stored_bits() } else { access.width };
        if stored > found.width || (!is_bytes && !holds(&found, access)) {
            return;
        }
        for low in 0..=found.width - stored {
            let start = found.offset + u64::from(low);
            let is_possible = offsets.is_none_or(|offsets| is_bytes || offsets.contains(&start));
            if start % 8 != u64::from(place.bit) || !is_possible {
                continue;
            }
            let relative = place.inside.bv_sub(Term::bv(self.width, u128::from(start / 8)));
            let layout = self.layout(place.object);
            let inner = layout.dimensions(&found);
            let outer = usize::from(layout.slots > 1);
            let (condition, index) = split(relative, &inner[outer..], self.width);
            let index = self.element(place, &found, index);
            let size = self.within(place, stored.div_ceil(8));
            let condition = place.condition.and(condition).and(size);
            let variable = self.variable(place.object, cell);
            let alive = Term::tru();
            cases.push(Case {
                object: place.object,
                condition,
                alive,
                variable,
                index,
                low,
                bytes: false,
                direct: false,
            });
        }
    }

    /// The element of a cell's variable, among all objects of the site.
    fn element(&self, place: &Place, cell: &Leaf, index: Option<Term>) -> Option<Term> {
        let layout = self.layout(place.object);
        if layout.slots == 1 {
            return index;
        }
        let each = layout.length(cell) / layout.slots;
        let first = place.slot.bv_mul(Term::bv(INDEX_WIDTH, u128::from(each)));
        Some(index.map_or(first, |index| first.bv_add(index)))
    }

    /// The case of an object of bytes: anywhere inside of it.
    fn byte_case(&mut self, place: &Place, cell: usize, access: &Access, cases: &mut Vec<Case>) {
        let layout = self.layout(place.object);
        let (found, room) = (layout.cells[cell].clone(), layout.reserved());
        let bytes = (place.bit + access.stored_bits()).div_ceil(8).max(1);
        if u64::from(bytes) > room {
            return;
        }
        let last = Term::bv(self.width, u128::from(room - u64::from(bytes)));
        let condition = place.condition.and(place.inside.ule(last)).and(self.within(place, bytes));
        let index = self.element(place, &found, Some(place.inside.resize_unsigned(INDEX_WIDTH)));
        let variable = self.variable(place.object, cell);
        let (object, low) = (place.object, place.bit);
        cases.push(Case {
            object,
            condition,
            alive: Term::tru(),
            variable,
            index,
            low,
            bytes: true,
            direct: false,
        });
    }
}

/// Quotient and remainder by a constant.
fn divide(term: Term, by: u64, width: u32) -> (Term, Term) {
    let literal = |n: u64| Term::bv(width, u128::from(n));
    if by.is_power_of_two() {
        (term.bv_lshr(literal(u64::from(by.trailing_zeros()))), term.bv_and(literal(by - 1)))
    } else {
        (term.bv_udiv(literal(by)), term.bv_urem(literal(by)))
    }
}

/// From an offset in bytes to the condition that it falls on an element, and the number of the element.
fn split(relative: Term, dimensions: &[(u64, u64)], width: u32) -> (Term, Option<Term>) {
    let literal = |n: u64| Term::bv(width, u128::from(n));
    if dimensions.is_empty() {
        return (relative.equals(literal(0)), None);
    }
    let (mut rest, mut index, mut condition) = (relative, literal(0), Term::tru());
    for (count, stride) in dimensions {
        let stride = (*stride).max(1);
        condition = condition.and(rest.ult(literal(count.saturating_mul(stride))));
        let (position, remainder) = divide(rest, stride, width);
        index = index.bv_mul(literal(*count)).bv_add(position);
        rest = remainder;
    }
    (condition.and(rest.equals(literal(0))), Some(index.resize_unsigned(INDEX_WIDTH)))
}

/// Bits `low..` of a number replaced.
pub(crate) fn insert(old: Term, new: Term, low: u32) -> Term {
    let (width, size) = (old.width(), new.width());
    if size >= width {
        return new.resize_unsigned(width);
    }
    let mut term = new;
    if low > 0 {
        term = term.concat(old.extract(low - 1, 0));
    }
    if low + size < width {
        term = old.extract(width - 1, low + size).concat(term);
    }
    term
}
