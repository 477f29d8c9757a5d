//! Structs and unions are copied scalar by scalar.

use crate::lower::code::Code;
use crate::lower::context::{Lowered, Lowerer, unsupported};
use crate::lower::expression::{Place, PlaceKind};
use crate::lower::graph::{Address, Index, Op};
use crate::types::Type;
use lang_c::span::Span;
use smt::Term;
use std::rc::Rc;

/// How many scalars a struct assignment copies one by one before it is refused.
const MAX_COPIED: usize = 4096;
impl<'a> Lowerer<'a> {
    /// Copies a struct or union, scalar by scalar: other threads may come between, as on the machine. What is atomic is read or
    /// written as a whole.
    pub(crate) fn copy(&mut self, to: &Place, from: &Place, span: Span) -> Lowered<()> {
        if to.memory_order().is_some() || from.memory_order().is_some() {
            return self.copy_whole(to, from, span);
        }
        for (offset, indices, leaf) in self.scalars(&to.ty, span)? {
            let source = self.part(from, offset, &indices, &leaf);
            let target = self.part(to, offset, &indices, &leaf);
            let value = self.read(&source);
            self.write(&target, value.term);
        }
        Ok(())
    }

    fn copy_whole(&mut self, to: &Place, from: &Place, span: Span) -> Lowered<()> {
        let scalars = self.scalars(&to.ty, span)?;
        let atomic = from.memory_order().is_some();
        self.emit_if(atomic, Op::AtomicBegin);
        let mut values = Vec::new();
        for (offset, indices, leaf) in &scalars {
            let source = self.part(from, *offset, indices, leaf);
            values.push(self.read(&source).term);
        }
        self.emit_if(atomic, Op::AtomicEnd);
        let atomic = to.memory_order().is_some();
        self.emit_if(atomic, Op::AtomicBegin);
        for ((offset, indices, leaf), value) in scalars.iter().zip(values) {
            let target = self.part(to, *offset, indices, leaf);
            self.write(&target, value);
        }
        self.emit_if(atomic, Op::AtomicEnd);
        Ok(())
    }

    pub(crate) fn emit_if(&mut self, condition: bool, op: Op) {
        if condition {
            self.emit(op);
        }
    }
}

impl Code<'_> {
    /// All scalars of a type: offset in bits, indices, and the leaf they belong to.
    pub(crate) fn scalars(
        &self,
        ty: &Type,
        span: Span,
    ) -> Lowered<Vec<(u64, Vec<Index>, crate::types::Leaf)>> {
        let width = self.pointer_width();
        let mut scalars = Vec::new();
        for leaf in self.types.leaves(ty) {
            let mut all: Vec<Vec<Index>> = vec![Vec::new()];
            for (count, stride) in &leaf.dimensions {
                let Some(count) = count else {
                    return unsupported(
                        span,
                        "copying an array whose length is not constant is not modelled",
                    );
                };
                let mut next = Vec::new();
                for indices in &all {
                    for element in 0..*count {
                        if next.len() > MAX_COPIED {
                            return unsupported(
                                span,
                                "copying an array this large is not modelled; copy it in a loop",
                            );
                        }
                        let term = Term::bv(width, u128::from(element));
                        let mut indices = indices.clone();
                        indices.push(Index { term, stride: *stride, count: Some(*count) });
                        next.push(indices);
                    }
                }
                all = next;
            }
            for (offset, part) in parts(&leaf) {
                scalars.extend(all.iter().map(|indices| (offset, indices.clone(), part.clone())));
            }
        }
        Ok(scalars)
    }

    /// One scalar of a struct at a place.
    pub(crate) fn part(
        &self,
        base: &Place,
        offset: u64,
        indices: &[Index],
        leaf: &crate::types::Leaf,
    ) -> Place {
        let width = self.pointer_width();
        let kind = match &base.kind {
            PlaceKind::Memory(Address::Object { object, offset: start, indices: outer }) => {
                let indices = outer.iter().chain(indices).cloned().collect();
                PlaceKind::Memory(Address::Object { object: *object, offset: start + offset, indices })
            }
            PlaceKind::Memory(Address::Pointer { address, bit }) => {
                let mut address = *address;
                let total = u64::from(*bit) + offset;
                address = address.bv_add(Term::bv(width, u128::from(total / 8)));
                for index in indices {
                    address = address.bv_add(index.term.bv_mul(Term::bv(width, u128::from(index.stride))));
                }
                PlaceKind::Memory(Address::Pointer { address, bit: (total % 8) as u32 })
            }
            register => register.clone(),
        };
        let is_union = matches!(leaf.ty.unatomic(), Type::Record(_));
        let bits = (is_union || leaf.bit_field).then_some(leaf.width);
        // A union is read and written as one wide number.
        let ty = match base.memory_order() {
            Some(_) => Type::Atomic(Rc::new(leaf.ty.unatomic().clone())),
            None => leaf.ty.clone(),
        };
        Place { bits, order: base.order, own: base.own || leaf.thread_local, ..Place::new(kind, ty) }
    }
}

/// A large union is copied in pieces of eight bytes and less.
fn parts(leaf: &crate::types::Leaf) -> Vec<(u64, crate::types::Leaf)> {
    use crate::types::IntKind;
    if !matches!(leaf.ty.unatomic(), Type::Record(_)) || leaf.width <= 64 {
        return vec![(leaf.offset, leaf.clone())];
    }
    let (mut parts, mut done) = (Vec::new(), 0);
    while done < leaf.width {
        let (width, kind) = match leaf.width - done {
            64.. => (64, IntKind::ULongLong),
            32.. => (32, IntKind::UInt),
            16.. => (16, IntKind::UShort),
            _ => (8, IntKind::UChar),
        };
        let part = crate::types::Leaf { width, ty: Type::Int(kind), ..leaf.clone() };
        parts.push((leaf.offset + u64::from(done), part));
        done += width;
    }
    parts
}
