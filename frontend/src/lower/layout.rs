//! Where objects lie, and which pieces of them become variables.
//!
//! An object whose accesses all fit its scalars is a variable for each scalar (arrays of scalars are array variables, arrays of structs
//! one array for each member). An object that is also accessed with another type, size or offset is *bytes*: one array of bytes with
//! C's layout and the byte order of the machine, padding included; up to eight bytes one number instead. Which accesses there
//! are is known from `points_to`, so this pass looks at each of them once.
//!
//! Members of which each thread has its own copy (`own`) lie beside, in a second array of bytes, of which each thread has its own: a lock may stand in a union,
//! or in memory that a program shares out by itself.
//!
//! Nothing hangs on the choice but speed and the number of answers: an access that turns out not to fit the pieces of its object
//! is a limit (`emit::access`), never silence.
//!
//! Each object has an address, a multiple of 16 with room behind it, so that one past the end is no other object. Objects of one
//! allocation site lie in slots with room between them. That programs do not depend on these numbers is the business of `exposure`.

use super::expand::Expanded;
use super::graph::{Access, Address, Object, ObjectId, Op, Storage};
use super::lifetime::Lifetimes;
use super::points_to::PointsTo;
use super::stale;
use crate::types::{IntKind, Leaf, Type, Types};

/// Where the first object lies; what is below is never a valid address. Far from the numbers that programs compute with, so
/// that a number that is an address is mostly meant to be one; on 64 bits also such that half of an address is none.
fn first_address(types: &Types) -> u64 {
    if types.model.pointer_width() >= 64 { 0x5a5a_1000_0000 } else { 0x1000_0000 }
}
/// Bytes for objects whose size is not known.
pub(crate) const UNKNOWN_SIZE: u64 = 1 << 20;
/// Bytes of no object behind each.
const GAP: u64 = 16;
/// The largest object of bytes that is one number.
const WORD: u64 = 8;
/// The largest union that stays one number inside an object.
const LARGEST_UNION: u32 = 64;
/// How many cases an access with an unknown offset may have before bytes are better.
const MAX_PARTS: usize = 8;

/// One object in memory.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// The address of the first byte.
    pub address: u64,
    /// Bytes of one object; none if that is known only when it is allocated.
    pub size: Option<u64>,
    /// How many objects an allocation site has.
    pub slots: u64,
    /// Bytes from one object of the site to the next.
    pub pitch: u64,
    /// How many addresses there are, one pitch from each other: one for each slot, or for lifetimes that must be told apart.
    pub addresses: u64,
    /// What becomes a variable each.
    pub cells: Vec<Leaf>,
    /// Whether the first cell is all bytes of the object. If there is a second one, it has those of which each thread has its own copy.
    pub bytes: bool,
}

impl Layout {
    /// Bytes that are reserved for one object.
    pub(crate) fn reserved(&self) -> u64 {
        self.size.unwrap_or(UNKNOWN_SIZE).max(1)
    }

    /// Arrays around a cell: the objects of an allocation site, then those of its type.
    pub(crate) fn dimensions(&self, cell: &Leaf) -> Vec<(u64, u64)> {
        let mut dimensions = Vec::with_capacity(cell.dimensions.len() + 1);
        if self.slots > 1 {
            dimensions.push((self.slots, self.pitch));
        }
        // Addresses tell objects apart, so there must be an end.
        let room = |stride: u64| self.reserved().saturating_sub(cell.offset / 8) / stride.max(1);
        dimensions.extend(
            cell.dimensions.iter().map(|(count, stride)| (count.unwrap_or_else(|| room(*stride)), *stride)),
        );
        dimensions
    }

    /// Number of elements of a cell; one if it is no array.
    pub(crate) fn length(&self, cell: &Leaf) -> u64 {
        self.dimensions(cell).iter().fold(1u64, |n, (count, _)| n.saturating_mul(*count))
    }
}

/// Lays out all objects; none if the address space is too small for them.
pub(crate) fn layouts(
    types: &Types,
    objects: &[Object],
    expanded: &Expanded,
    points_to: &PointsTo<'_>,
    lifetimes: &Lifetimes,
) -> Option<Vec<Layout>> {
    let bytes = byte_objects(types, objects, expanded, points_to);
    let mut next = first_address(types);
    let mut layouts = Vec::with_capacity(objects.len());
    for (index, object) in objects.iter().enumerate() {
        let slots = if let Storage::Heap(slots) = object.storage { slots.max(1) } else { 1 };
        let (size, mut cells) = pieces(types, object);
        if bytes[index].shared {
            cells = vec![byte_cell(size)];
        }
        if bytes[index].own {
            cells.push(Leaf { thread_local: true, ..byte_cell(size) });
        }
        let align = types.align(&object.ty).max(GAP);
        let address = next.next_multiple_of(align);
        let reserved = size.unwrap_or(UNKNOWN_SIZE).max(1);
        let pitch = reserved.checked_add(GAP)?.checked_next_multiple_of(align)?;
        let is_renewed = lifetimes.is_renewed(ObjectId(index as u32));
        let addresses = if is_renewed { stale::FIRST + stale::LATER } else { slots };
        next = address.checked_add(pitch.checked_mul(addresses)?)?;
        layouts.push(Layout { address, size, slots, pitch, addresses, cells, bytes: bytes[index].shared });
    }
    let fits = types.model.pointer_width() >= 64 || next < u64::from(u32::MAX);
    fits.then_some(layouts)
}

/// Bytes and scalars of an object. An array without a length at the end of a struct has as many elements as the initial value gives
/// it, or as the allocation has room for.
fn pieces(types: &Types, object: &Object) -> (Option<u64>, Vec<Leaf>) {
    let mut cells = types.leaves(&object.ty);
    let open = cells.iter_mut().filter(|leaf| leaf.dimensions.iter().any(|(count, _)| count.is_none()));
    let open: Vec<&mut Leaf> = open.collect();
    if open.is_empty() {
        return (types.size(&object.ty), cells);
    }
    if matches!(object.storage, Storage::Heap(_)) || matches!(object.ty.unatomic(), Type::Array(..)) {
        return (None, cells);
    }
    let mut size = types.size(&object.ty).unwrap_or(0);
    for leaf in open {
        let given =
            object.init.iter().flatten().map(|value| value.offset).filter(|at| *at >= leaf.offset).max();
        for (count, stride) in &mut leaf.dimensions {
            if count.is_none() {
                let bits = (*stride).max(1) * 8;
                let number = given.map_or(0, |at| (at - leaf.offset) / bits + 1);
                *count = Some(number);
                size = size.max((leaf.offset + number * bits) / 8);
            }
        }
    }
    (Some(size), cells)
}

/// All bytes of an object as one cell.
fn byte_cell(size: Option<u64>) -> Leaf {
    let byte = Type::Int(IntKind::UChar);
    let root = Leaf {
        path: String::new(),
        offset: 0,
        width: 8,
        ty: byte,
        dimensions: Vec::new(),
        thread_local: false,
        bit_field: false,
    };
    match size {
        Some(size) if size <= WORD => Leaf { width: (size.max(1) * 8) as u32, ..root },
        size => Leaf { dimensions: vec![(size, 1)], ..root },
    }
}

/// Whether an object is bytes, and whether some of them are each thread's own.
#[derive(Clone, Copy, Default)]
struct Bytes {
    shared: bool,
    own: bool,
}

/// Which objects have an access that fits none of their scalars.
fn byte_objects(
    types: &Types,
    objects: &[Object],
    expanded: &Expanded,
    points_to: &PointsTo<'_>,
) -> Vec<Bytes> {
    let mut bytes: Vec<Bytes> = Vec::with_capacity(objects.len());
    // Objects that are declared with members of which each thread has its own copy are the models' locks, and are never seen as bytes.
    let mut fixed: Vec<bool> = Vec::with_capacity(objects.len());
    for index in 0..objects.len() {
        let leaves = points_to.leaves(ObjectId(index as u32));
        let is_large_union =
            |leaf: &Leaf| matches!(leaf.ty.unatomic(), Type::Record(_)) && leaf.width > LARGEST_UNION;
        fixed.push(leaves.iter().any(|leaf| leaf.thread_local));
        bytes.push(Bytes { shared: !fixed[index] && leaves.iter().any(is_large_union), own: false });
    }
    for step in &expanded.steps {
        let (Op::Load(_, address, access)
        | Op::Store(address, access, _)
        | Op::Broadcast(address, access, ..)) = &step.op
        else {
            continue;
        };
        if access.padding {
            continue;
        }
        let bit = match address {
            Address::Object { offset, .. } => offset % 8,
            Address::Pointer { bit, .. } => u64::from(*bit),
        };
        for (object, offset) in points_to.targets(address).iter() {
            let index = object.index();
            if fixed[index] || matches!(objects[index].storage, Storage::Code(_)) {
                continue;
            }
            bytes[index].own |= access.own;
            if !bytes[index].shared {
                let at = offset.map(|offset| offset * 8 + bit);
                bytes[index].shared = access.own || !fits(types, points_to.leaves(object), at, access);
            }
        }
    }
    bytes
}

/// Whether an access that may begin at an offset in bits (none: anywhere) is one of a scalar, or of a part of it.
fn fits(types: &Types, leaves: &[Leaf], at: Option<u64>, access: &Access) -> bool {
    match at {
        Some(at) => leaves.iter().any(|leaf| {
            let end = leaf.offset + u64::from(leaf.width);
            leaf.offset <= at && at + u64::from(access.width) <= end && holds(leaf, access)
        }),
        None => {
            let same = |leaf: &Leaf| leaf.width == access.width && holds(leaf, access);
            let parts = |leaf: &Leaf| (leaf.width / access.width.max(1)) as usize;
            let is_typed = access.width > 8 && leaves.iter().any(|leaf| alike(types, &leaf.ty, &access.ty));
            leaves.iter().all(same)
                || is_typed
                || leaves.iter().all(|leaf| leaf.width >= access.width && holds(leaf, access))
                    && leaves.iter().map(parts).sum::<usize>() <= MAX_PARTS
                    && is_dense(leaves)
        }
    }
}

/// Whether the scalars follow each other without padding.
fn is_dense(leaves: &[Leaf]) -> bool {
    let mut end = 0;
    for leaf in leaves {
        if leaf.offset != end || !leaf.dimensions.is_empty() {
            return false;
        }
        end += u64::from(leaf.width);
    }
    true
}

/// Whether both are pointers, or integers of the same width.
fn alike(types: &Types, left: &Type, right: &Type) -> bool {
    left.is_pointer() == right.is_pointer() && left.is_scalar() && types.width(left) == types.width(right)
}

/// Whether a truth value is accessed as one, or a number as a number.
pub(crate) fn holds(leaf: &Leaf, access: &Access) -> bool {
    let leaf_is_truth = leaf.width == 1 && *leaf.ty.unatomic() == Type::Bool;
    let truth = access.sort() == smt::Sort::Bool;
    leaf_is_truth == truth || (!leaf_is_truth && truth && leaf.width >= 8)
}

#[cfg(test)]
mod tests;
