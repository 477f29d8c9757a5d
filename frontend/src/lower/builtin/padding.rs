//! Bytes that are no member's: they are filled and copied like the others.

use crate::lower::context::{Lowered, Lowerer};
use crate::lower::expression::{Place, Value};
use crate::lower::graph::{Access, Address, Index, Op};
use crate::types::Type;
use lang_c::span::Span;
use smt::Term;

impl<'a> Lowerer<'a> {
    /// Every byte of the place becomes the given one.
    pub(super) fn fill(&mut self, to: &Place, byte: Term, span: Span) -> Lowered<()> {
        for (offset, indices, leaf) in self.scalars(&to.ty.clone(), span)? {
            let part = self.part(to, offset, &indices, &leaf);
            let mut value = byte;
            while value.width() < leaf.width {
                value = value.concat(byte);
            }
            let value = value.resize_unsigned(leaf.width);
            let value = if *leaf.ty.unatomic() == Type::Bool {
                value.distinct(Term::bv(value.width(), 0))
            } else {
                value
            };
            self.write(&part, value);
        }
        for offset in self.padding(&to.ty.clone(), span)? {
            let (address, access) = self.padding_byte(to, offset, span)?;
            self.emit(Op::Store(address, access, byte));
        }
        Ok(())
    }

    pub(super) fn has_truth(&self, ty: &Type) -> bool {
        self.types.leaves(ty).iter().any(|leaf| *leaf.ty.unatomic() == Type::Bool)
    }

    /// Offsets of the bytes of a type that belong to no scalar.
    pub(super) fn padding(&mut self, ty: &Type, span: Span) -> Lowered<Vec<u64>> {
        let Some(size) = self.types.size(ty).filter(|_| ty.is_aggregate()) else { return Ok(Vec::new()) };
        let mut used = vec![false; usize::try_from(size).unwrap_or(0)];
        for (offset, indices, leaf) in self.scalars(ty, span)? {
            let index = |index: &Index| {
                index.term.as_bits().and_then(|bits| bits.to_u128()).unwrap_or(0) as u64 * index.stride
            };
            let start = offset / 8 + indices.iter().map(index).sum::<u64>();
            let end = start + (offset % 8 + u64::from(leaf.width)).div_ceil(8);
            used.iter_mut().take(end as usize).skip(start as usize).for_each(|byte| *byte = true);
        }
        Ok((0..size).filter(|at| !used[*at as usize]).collect())
    }

    /// One byte of padding: an access that counts only where the object is seen as bytes.
    fn padding_byte(&mut self, place: &Place, offset: u64, span: Span) -> Lowered<(Address, Access)> {
        let address = self.address_term(place, span)?;
        let address = address.bv_add(Term::bv(self.pointer_width(), u128::from(offset)));
        let access = Access::plain(8, Type::Int(crate::types::IntKind::UChar)).of_padding();
        Ok((Address::pointer(address), access))
    }

    pub(super) fn copy_padding(&mut self, to: &Place, from: &Place, span: Span) -> Lowered<()> {
        for offset in self.padding(&to.ty.clone(), span)? {
            let (source, access) = self.padding_byte(from, offset, span)?;
            let byte = self.load(source, access);
            let (target, access) = self.padding_byte(to, offset, span)?;
            self.emit(Op::Store(target, access, byte));
        }
        Ok(())
    }
}

pub(super) fn is_zero_or_one(byte: &Value) -> bool {
    byte.term.as_bits().and_then(|bits| bits.to_u128()).is_some_and(|number| number <= 1)
}
