//! An address that is computed from that of an object, as the object with an offset and indices again.

use super::Memory;
use crate::lower::graph::{Address, Index, ObjectId, Storage};
use crate::types::Type;
use smt::Term;

impl Memory<'_> {
    /// An address as a number, with a bit of that byte; addresses of objects are still symbols, so that differences are simple.
    pub(super) fn as_pointer(&self, address: &Address) -> (Term, u32) {
        match address {
            Address::Pointer { address, bit } => (*address, *bit),
            Address::Object { object, offset, indices } => {
                let mut term = self.symbol(*object).bv_add(Term::bv(self.width, u128::from(offset / 8)));
                for index in indices {
                    term = term.bv_add(index.term.bv_mul(Term::bv(self.width, u128::from(index.stride))));
                }
                (term, (offset % 8) as u32)
            }
        }
    }

    /// Reads an address as a known object with an offset and indices, if it is a sum of that form.
    pub(super) fn decompose(&self, address: Term, bit: u32) -> Option<Address> {
        let mut parts = Vec::new();
        flatten(address, &mut parts);
        let (mut object, mut constant, mut indices) = (None, 0u64, Vec::new());
        for part in parts {
            if let Some(name) = part.as_constant()
                && let Some(found) = self.by_address.get(&name)
            {
                if object.replace(*found).is_some() {
                    return None;
                }
            } else if let Some(bits) = part.as_bits() {
                constant = constant.checked_add(u64::try_from(bits.to_i128()?).ok()?)?;
            } else if *part.op() == smt::Op::BvMul && part.args().len() == 2 {
                let factor = part.args().iter().position(|a| a.as_bits().is_some())?;
                let stride = u64::try_from(part.args()[factor].as_bits()?.to_u128()?).ok()?;
                indices.push((part.args()[1 - factor], stride));
            } else {
                indices.push((part, 1));
            }
        }
        let object = object?;
        if matches!(self.objects[object.index()].storage, Storage::Heap(slots) if slots > 1) {
            return None;
        }
        self.walk(object, constant.checked_mul(8)? + u64::from(bit), indices)
    }

    /// Assigns strided indices to the arrays of the object's type; constants fill the rest. An index that may go from row to row of a
    /// matrix is decided by the address instead.
    fn walk(&self, object: ObjectId, constant: u64, mut indices: Vec<(Term, u64)>) -> Option<Address> {
        let mut ty = self.objects[object.index()].ty.clone();
        let (mut rest, mut offset, mut found) = (constant, 0u64, Vec::new());
        let is_open = !indices.is_empty();
        loop {
            match ty.unatomic().clone() {
                Type::Array(element, count) => {
                    let stride = self.types.size(&element).filter(|s| *s > 0)?;
                    let fixed = rest / (stride * 8);
                    rest %= stride * 8;
                    let mut term = Term::bv(self.width, u128::from(fixed));
                    let position = indices.iter().position(|(_, s)| *s == stride);
                    if let Some(position) = position {
                        term = term.bv_add(indices.remove(position).0);
                    } else if count.is_some_and(|c| fixed >= c) {
                        return None;
                    }
                    found.push(Index { term, stride, count });
                    ty = (*element).clone();
                }
                Type::Record(id) if !self.types.record(id).union => {
                    let fields = &self.types.record(id).fields;
                    let field = fields.iter().rev().find(|f| f.offset <= rest)?;
                    offset += field.offset;
                    rest -= field.offset;
                    if field.bits.is_some() {
                        break;
                    }
                    ty = field.ty.clone();
                }
                _ => break,
            }
        }
        let is_exact = indices.is_empty() && (found.len() <= 1 || !is_open);
        is_exact.then_some(Address::Object { object, offset: offset + rest, indices: found })
    }
}

fn flatten(term: Term, parts: &mut Vec<Term>) {
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        if *term.op() == smt::Op::BvAdd { stack.extend(term.args()) } else { parts.push(term) }
    }
}
