//! Objects and offsets in them: which scalars an access touches, and where arithmetic leads.

use super::sets::{pack, unpack};
use crate::lower::graph::{Object, ObjectId};
use crate::types::{Leaf, Type, Types};

/// The objects with their scalars.
pub(super) struct Places<'a> {
    types: &'a Types,
    objects: &'a [Object],
    leaves: Vec<Vec<Leaf>>,
    /// By object, in which steps somebody may go through it, whatever its members are.
    walked: Vec<Vec<u64>>,
}

/// What arithmetic does to an address.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Shift {
    /// A number of bytes is added, and multiples of these.
    By { bytes: i128, strides: Vec<u64> },
    /// Anything.
    Any,
}

impl<'a> Places<'a> {
    pub(super) fn new(types: &'a Types, objects: &'a [Object]) -> Places<'a> {
        let leaves = objects.iter().map(|object| types.leaves(&object.ty)).collect();
        let walked = objects.iter().map(|object| types.walked(&object.ty)).collect();
        Places { types, objects, leaves, walked }
    }

    /// How many objects there are.
    pub(super) fn count(&self) -> usize {
        self.objects.len()
    }

    /// The scalars of an object.
    pub(super) fn leaves(&self, object: ObjectId) -> &[Leaf] {
        &self.leaves[object.index()]
    }

    /// The leaves that so many bits at an offset overlap; all if it is not known. What reaches beyond an element of an array reaches
    /// its neighbour, which is the same leaf or one that begins within the array's distance.
    pub(super) fn leaves_at(
        &self,
        object: ObjectId,
        offset: Option<u64>,
        bit: u32,
        width: u32,
    ) -> impl Iterator<Item = usize> + '_ {
        let range = offset.map(|bytes| {
            let at = bytes * 8 + u64::from(bit);
            (at, at + u64::from(width.max(1)))
        });
        let is_touched = move |leaf: &Leaf| {
            let Some((at, end)) = range else { return true };
            let wraps = leaf.dimensions.iter().any(|(_, stride)| {
                let (first, next) = (leaf.offset, leaf.offset + stride * 8);
                first <= at && at < next && end > next
            });
            wraps || (leaf.offset < end && at < leaf.offset + u64::from(leaf.width).max(8))
        };
        let leaves = self.leaves(object).iter().enumerate();
        leaves.filter(move |(_, leaf)| is_touched(leaf)).map(|(index, _)| index)
    }

    /// Where arithmetic leads from a target.
    pub(super) fn shifted(&self, packed: u64, shift: &Shift) -> u64 {
        let (object, offset) = unpack(packed);
        let Shift::By { bytes, strides } = shift else { return pack((object, None)) };
        let keeps = |at: &u64| strides.iter().all(|stride| self.has_stride(object, *at, *stride));
        let at = offset.and_then(|offset| self.canonical(object, i128::from(offset) + bytes));
        let at = at.filter(|at| *bytes == 0 || self.stays(object, *at));
        pack((object, at.filter(keeps)))
    }

    /// Whether steps of this many bytes go from element to element of an array that all scalars at the offset belong to.
    fn has_stride(&self, object: ObjectId, offset: u64, stride: u64) -> bool {
        let steps = |leaf: &Leaf| leaf.dimensions.iter().any(|(_, s)| *s > 0 && stride.is_multiple_of(*s));
        let mut at = self.leaves_at(object, Some(offset), 0, 1).peekable();
        at.peek().is_some() && at.all(|leaf| steps(&self.leaves(object)[leaf])) && self.stays(object, offset)
    }

    /// Whether who is at an offset and goes on stays in the arrays that the offset is in: who goes through a struct byte by byte may begin at an array of
    /// bytes, and does not end there.
    fn stays(&self, object: ObjectId, offset: u64) -> bool {
        let walked = &self.walked[object.index()];
        if walked.is_empty() {
            return true;
        }
        let all = self.types.size(&self.objects[object.index()].ty);
        let is_all = |(count, size): &(Option<u64>, u64)| {
            let whole = count.and_then(|count| count.checked_mul(*size));
            whole.is_some() && whole == all
        };
        let stays = |leaf: &Leaf| leaf.dimensions.iter().all(|d| !walked.contains(&d.1) || is_all(d));
        self.leaves_at(object, Some(offset), 0, 1).all(|leaf| stays(&self.leaves(object)[leaf]))
    }

    /// An offset with all indices taken as zero; none if it is outside of the object.
    pub(super) fn canonical(&self, object: ObjectId, offset: i128) -> Option<u64> {
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
}
