//! `memcpy`, `memmove`, `memset` and relatives. Whole elements of the type that the pointers had before they became `void *` are copied
//! as such: scalar by scalar if there are few, in a loop if there are many, or a number of them that is not constant (`n * sizeof(T)`).
//! Everything else is copied byte by byte, by a model. Data that is seen only as what it is stays cheap that way.
//!
//! `memcpy` between objects that overlap is undefined in C, and no run goes on there (`Op::Apart`).

use super::padding::is_zero_or_one;
use crate::lower::context::{Lowered, Lowerer, wrong};
use crate::lower::expression::{Operand, Place, PlaceKind, Value};
use crate::lower::graph::{Address, Op};
use crate::models::library::plain_name;
use crate::types::Type;
use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span};
use smt::Term;

/// Copies of more elements are loops.
const UNROLLED: u64 = 256;

/// What a memory function does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Job {
    /// To, from, size.
    Copy,
    /// To, from, size; they may overlap.
    Move,
    /// To, value, size.
    Set,
    /// To, size: all become zero.
    Zero,
    /// From, to, size.
    MoveReversed,
}

impl Job {
    pub(super) fn of(name: &str) -> Option<Job> {
        Some(match name {
            "memcpy" | "mempcpy" => Job::Copy,
            "memmove" => Job::Move,
            "memset" => Job::Set,
            "bzero" | "explicit_bzero" => Job::Zero,
            "bcopy" => Job::MoveReversed,
            _ => return None,
        })
    }

    fn model(self) -> &'static str {
        match self {
            Job::Copy => "__monabs_copy_bytes",
            Job::Move | Job::MoveReversed => "__monabs_move_bytes",
            Job::Set | Job::Zero => "__monabs_set_bytes",
        }
    }
}
impl<'a> Lowerer<'a> {
    /// `memset`, `memcpy` and relatives.
    pub(super) fn memory_function(
        &mut self,
        name: &str,
        call: &'a Node<ast::CallExpression>,
        span: Span,
    ) -> Lowered<Option<Operand>> {
        let plain = plain_name(name);
        let Some(job) = Job::of(plain).filter(|_| !self.has_own_definition(plain)) else { return Ok(None) };
        let arguments = call.node.arguments.as_slice();
        let (first, second, size, rest) = match (job, arguments) {
            (Job::Zero, [to, size, rest @ ..]) => (to, None, size, rest),
            (Job::Zero, _) => return Ok(None),
            (_, [first, second, size, rest @ ..]) => (first, Some(second), size, rest),
            _ => return Ok(None),
        };
        let mut to = self.untyped_target(first)?;
        let mut from = match (job, second) {
            (Job::Copy | Job::Move | Job::MoveReversed, Some(second)) => Some(self.untyped_target(second)?),
            _ => None,
        };
        if let (Job::MoveReversed, Some(from)) = (job, &mut from) {
            std::mem::swap(&mut to, from);
        }
        let byte = match (job, second) {
            (Job::Set, Some(second)) => self.rvalue(second)?,
            _ => Value::new(Term::bv(32, 0), crate::types::INT),
        };
        let constant = self.constant(size).ok().and_then(|bytes| u64::try_from(bytes).ok());
        let count = match constant {
            Some(bytes) => self.size_value(bytes),
            None => self.rvalue(size)?,
        };
        rest.iter().try_for_each(|argument| self.effect(argument))?;
        let bytes = self.byte_count(&count);
        if let (Job::Copy, Some(from)) = (job, &from) {
            self.apart(&to, from, bytes, span)?;
        }
        // Bytes other than 0 and 1 are no truth values, which shows only where they are read.
        let is_typed = from.is_some() || !self.has_truth(&to.ty) || is_zero_or_one(&byte);
        let few =
            constant.filter(|_| is_typed).and_then(|bytes| self.few_elements(&to, from.as_ref(), bytes));
        if let Some(elements) = few {
            self.typed_job(job, &to, from.as_ref(), &byte, elements, span)?;
        } else if is_typed && self.has_elements(&to, from.as_ref(), bytes) {
            self.element_job(job, &to, from.as_ref(), &byte, bytes, span)?;
        } else {
            self.byte_job(job, &to, from.as_ref(), &byte, &count, span)?;
        }
        let mut result = self.address_term(&to, span)?;
        if plain == "mempcpy" {
            result = result.bv_add(self.byte_count(&count));
        }
        match job {
            Job::Zero | Job::MoveReversed => Ok(Some(Operand::Void)),
            _ => Ok(Some(Operand::Scalar(Value::new(result, Type::Void.pointer())))),
        }
    }

    /// Objects that are copied must not overlap. To copy one to itself is as good as undefined in C, too, but changes nothing anywhere.
    fn apart(&mut self, to: &Place, from: &Place, bytes: Term, span: Span) -> Lowered<()> {
        let (target, source) = (self.address_term(to, span)?, self.address_term(from, span)?);
        let none = Term::bv(bytes.width(), 0);
        let size = target.equals(source).ite(none, bytes);
        self.emit(Op::Apart([target, size, source, size]));
        Ok(())
    }

    /// How many elements of the places' type the bytes are, if they are few and the types allow to copy elements.
    fn few_elements(&self, to: &Place, from: Option<&Place>, bytes: u64) -> Option<u64> {
        let (unit, scalars) = self.copied_element(to, from)?;
        let elements = bytes / unit;
        let fits = bytes.is_multiple_of(unit) && elements.checked_mul(scalars)? <= UNROLLED;
        fits.then_some(elements)
    }

    /// Whether a number of bytes that may not be constant is one of whole elements.
    pub(super) fn has_elements(&self, to: &Place, from: Option<&Place>, bytes: Term) -> bool {
        let element = self.copied_element(to, from).filter(|(_, scalars)| *scalars <= UNROLLED / 4);
        element.is_some_and(|(unit, _)| unit > 1 && factor(bytes).is_multiple_of(unit))
    }

    /// The size of an element and the number of its scalars, if the types of both places allow to copy elements.
    fn copied_element(&self, to: &Place, from: Option<&Place>) -> Option<(u64, u64)> {
        let unit = self.types.size(&to.ty).filter(|size| *size > 0)?;
        if let Some(from) = from {
            let (a, b) = (to.ty.unatomic(), from.ty.unatomic());
            let is_number = |ty: &Type| ty.is_integer() && *ty != Type::Bool || ty.is_pointer();
            let are_numbers = is_number(a) && is_number(b) && self.types.width(a) == self.types.width(b);
            if a != b && !are_numbers {
                return None;
            }
        }
        let scalars = self.types.leaves(&to.ty).iter().try_fold(0u64, |sum, leaf| {
            let elements = leaf.dimensions.iter().try_fold(1u64, |n, (count, _)| n.checked_mul((*count)?));
            sum.checked_add(elements?)
        })?;
        // What has a size but no scalars, `void` with GNU C's size of 1 among it, has no elements: its bytes are copied.
        (scalars > 0).then_some((unit, scalars))
    }

    /// Loops over whole elements; downwards where the objects may overlap and the target is behind.
    fn element_job(
        &mut self,
        job: Job,
        to: &Place,
        from: Option<&Place>,
        byte: &Value,
        bytes: Term,
        span: Span,
    ) -> Lowered<()> {
        let (Job::Move | Job::MoveReversed, Some(source)) = (job, from) else {
            return self.element_loop(to, from, byte, bytes, false, span);
        };
        let pointer = |term| Value::new(term, Type::Void.pointer());
        let ends = [pointer(self.address_term(source, span)?), pointer(self.address_term(to, span)?)];
        let Some(is_behind) = self.call_model("__monabs_is_behind", ends.to_vec(), span)? else {
            return wrong(span, "the order of two addresses is not known");
        };
        let is_behind = self.truth(&is_behind);
        let (down, up, end) = (self.node(), self.node(), self.node());
        self.emit_branch(Op::Assume(is_behind), down);
        self.emit_branch(Op::Assume(is_behind.not()), up);
        self.continue_at(down);
        self.element_loop(to, from, byte, bytes, true, span)?;
        self.emit_branch(Op::Skip, end);
        self.continue_at(up);
        self.element_loop(to, from, byte, bytes, false, span)?;
        self.join(end);
        Ok(())
    }

    /// Copies or fills element by element.
    pub(super) fn element_loop(
        &mut self,
        to: &Place,
        from: Option<&Place>,
        byte: &Value,
        bytes: Term,
        down: bool,
        span: Span,
    ) -> Lowered<()> {
        let size = self.size_value(self.types.size(&to.ty).unwrap_or(1).max(1));
        let (unit, ty) = (size.term, size.ty);
        // A product of a size that is no power of two may have lost its upper half.
        let zero = self.size_value(0).term;
        self.limit_if(
            bytes.bv_urem(unit).distinct(zero),
            span,
            "a part of an element is copied: this is not modelled",
        );
        let (number, index) = (bytes.bv_udiv(unit), self.temporary(&ty));
        let (at, one) = (self.register_term(index), self.size_value(1).term);
        self.set(index, if down { number } else { zero });
        let (head, body, end) = (self.node(), self.node(), self.node());
        self.join(head);
        let more = if down { zero.ult(at) } else { at.ult(number) };
        self.emit_branch(Op::Assume(more), body);
        self.emit_branch(Op::Assume(more.not()), end);
        self.continue_at(body);
        if down {
            self.set(index, at.bv_sub(one));
        }
        let target = self.at_index(to, at, unit, span)?;
        match from {
            None => {
                let fill = self.as_bits(byte).resize_unsigned(8);
                self.fill(&target, fill, span)?;
            }
            Some(from) => {
                let source = self.at_index(from, at, unit, span)?;
                if target.ty.is_aggregate() {
                    self.copy(&target, &source, span)?;
                    self.copy_padding(&target, &source, span)?;
                } else {
                    let value = self.read(&source);
                    self.write(&target, value.term);
                }
            }
        }
        if !down {
            self.set(index, at.bv_add(one));
        }
        self.emit_jump(Op::Skip, head);
        self.continue_at(end);
        Ok(())
    }

    fn at_index(&mut self, place: &Place, index: Term, unit: Term, span: Span) -> Lowered<Place> {
        let address = self.address_term(place, span)?.bv_add(index.bv_mul(unit));
        Ok(self.pointed(&Value::new(address, place.ty.clone().pointer())))
    }

    fn typed_job(
        &mut self,
        job: Job,
        to: &Place,
        from: Option<&Place>,
        byte: &Value,
        elements: u64,
        span: Span,
    ) -> Lowered<()> {
        let unit = self.types.size(&to.ty).unwrap_or(1);
        let Some(from) = from else {
            let fill = self.as_bits(byte).resize_unsigned(8);
            for element in 0..elements {
                let to = self.moved(to, element, unit);
                self.fill(&to, fill, span)?;
            }
            return Ok(());
        };
        // Where objects may overlap, all is read before anything is written.
        let mut later = Vec::new();
        for element in 0..elements {
            let (to, from) = (self.moved(to, element, unit), self.moved(from, element, unit));
            if !to.ty.is_aggregate() {
                let value = self.read(&from);
                later.push((to, value.term));
            } else if job == Job::Copy {
                self.copy(&to, &from, span)?;
                self.copy_padding(&to, &from, span)?;
            } else {
                for (offset, indices, leaf) in self.scalars(&to.ty.clone(), span)? {
                    let value = self.read_part(&from, offset, &indices, &leaf);
                    later.push((self.part(&to, offset, &indices, &leaf), value));
                }
                self.copy_padding(&to, &from, span)?;
            }
            if job == Job::Copy {
                later.drain(..).for_each(|(place, value)| self.write(&place, value));
            }
        }
        later.drain(..).for_each(|(place, value)| self.write(&place, value));
        Ok(())
    }

    fn read_part(
        &mut self,
        from: &Place,
        offset: u64,
        indices: &[crate::lower::graph::Index],
        leaf: &crate::types::Leaf,
    ) -> Term {
        let part = self.part(from, offset, indices, leaf);
        self.read(&part).term
    }

    fn byte_job(
        &mut self,
        job: Job,
        to: &Place,
        from: Option<&Place>,
        byte: &Value,
        count: &Value,
        span: Span,
    ) -> Lowered<()> {
        let pointer = |term| Value::new(term, Type::Void.pointer());
        for place in [Some(to), from].into_iter().flatten() {
            self.types.note_bytes(&place.ty);
        }
        let to = pointer(self.address_term(to, span)?);
        let second = match from {
            Some(from) => pointer(self.address_term(from, span)?),
            None => byte.clone(),
        };
        self.call_model(job.model(), vec![to, second, count.clone()], span)?;
        Ok(())
    }

    /// What a `void *` argument points to, by the type it had before it was converted.
    fn untyped_target(&mut self, pointer: &'a Node<Expression>) -> Lowered<Place> {
        let mut expression = pointer;
        while let Expression::Cast(cast) = &expression.node {
            let ty = self.type_name(&cast.node.type_name)?;
            if ty.pointee().is_none_or(|t| *t != Type::Void) {
                break;
            }
            // A number that becomes an address is an address by the cast only.
            if !self.type_of(&cast.node.expression)?.decay().is_pointer() {
                break;
            }
            expression = &cast.node.expression;
        }
        self.target(expression)
    }

    fn moved(&self, place: &Place, elements: u64, unit: u64) -> Place {
        if elements == 0 {
            return place.clone();
        }
        let width = self.pointer_width();
        let kind = match &place.kind {
            PlaceKind::Memory(Address::Pointer { address, bit }) => {
                let address = address.bv_add(Term::bv(width, u128::from(elements * unit)));
                PlaceKind::Memory(Address::Pointer { address, bit: *bit })
            }
            PlaceKind::Memory(Address::Object { object, offset, indices }) => {
                let mut address = self
                    .object_address(*object)
                    .bv_add(Term::bv(width, u128::from(offset / 8 + elements * unit)));
                for index in indices {
                    address = address.bv_add(index.term.bv_mul(Term::bv(width, u128::from(index.stride))));
                }
                PlaceKind::Memory(Address::pointer(address))
            }
            register => register.clone(),
        };
        Place { kind, ..place.clone() }
    }
}

/// A number that the value is a multiple of.
fn factor(term: Term) -> u64 {
    if let Some(number) = term.as_bits().and_then(|bits| bits.to_u128()) {
        return u64::try_from(number).unwrap_or(1);
    }
    match term.op() {
        smt::Op::BvMul => term.args().iter().map(|argument| factor(*argument)).fold(1, u64::saturating_mul),
        _ => 1,
    }
}
