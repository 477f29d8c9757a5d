//! Places: what can be assigned to, or have its address taken (C11 6.3.2.1).

use super::{Operand, Place, PlaceKind, Reach, Value};
use crate::lower::context::{Entity, Lowered, Lowerer, unsupported, wrong};
use crate::lower::expression::literal::Text;
use crate::lower::graph::{Access, Address, Index, ObjectId, Storage};
use crate::program::PropertyKind;
use crate::types::Type;
use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span};
use rustc_hash::FxHashMap;
use smt::Term;
use std::rc::Rc;

/// The objects that string literals are, by place and text.
#[derive(Default)]
pub(crate) struct Strings(FxHashMap<(usize, Text), ObjectId>);

impl<'a> Lowerer<'a> {
    // Places

    pub(super) fn place_of_name(&mut self, name: &'a Node<ast::Identifier>) -> Lowered<Place> {
        match self.lookup(&name.node.name).cloned() {
            Some(Entity::Object(object)) => {
                self.used(object, name.span)?;
                let ty = self.objects[object.index()].ty.clone();
                Ok(Place::object(object, ty))
            }
            Some(Entity::Register(register, ty)) => Ok(Place::register(register, ty)),
            Some(Entity::Function(id)) => {
                let id = self.take_function_address(id);
                let object = self.functions[id.index()].object;
                self.used(object, name.span)?;
                let ty = self.functions[id.index()].ty.clone();
                Ok(Place::object(object, ty))
            }
            Some(_) => wrong(name.span, format!("'{}' is not a variable", name.node.name)),
            None => match self.unknown_name(name)? {
                Operand::Scalar(value) => Ok(self.pointed(&value)),
                _ => wrong(name.span, format!("'{}' is not declared", name.node.name)),
            },
        }
    }

    /// The place that a pointer points to.
    pub(crate) fn pointed(&self, pointer: &Value) -> Place {
        let ty = pointer.ty.pointee().cloned().unwrap_or(Type::Void);
        Place::memory(Address::pointer(pointer.term), ty)
    }

    /// A place.
    pub(crate) fn place(&mut self, expression: &'a Node<Expression>) -> Lowered<Place> {
        let span = expression.span;
        match &expression.node {
            Expression::Identifier(name) => self.place_of_name(name),
            Expression::StringLiteral(literal) => {
                let object = self.string_object(
                    crate::lower::expression::literal::string(&literal.node, span)?,
                    span.start,
                );
                let ty = self.objects[object.index()].ty.clone();
                Ok(Place::object(object, ty))
            }
            Expression::CompoundLiteral(literal) => self.compound_literal(literal, span),
            Expression::Member(member) => self.member(member, span),
            Expression::UnaryOperator(unary)
                if unary.node.operator.node == ast::UnaryOperator::Indirection =>
            {
                let pointer = self.rvalue(&unary.node.operand)?;
                if !pointer.ty.is_pointer() {
                    return wrong(span, "only a pointer can be dereferenced");
                }
                Ok(self.pointed(&pointer))
            }
            Expression::BinaryOperator(binary) if binary.node.operator.node == ast::BinaryOperator::Index => {
                self.index_place(&binary.node.lhs, &binary.node.rhs, Reach::Access, span)
            }
            Expression::Comma(parts) if !parts.is_empty() => {
                let (last, first) = (&parts[parts.len() - 1], &parts[..parts.len() - 1]);
                first.iter().try_for_each(|p| self.effect(p))?;
                self.place(last)
            }
            Expression::GenericSelection(_)
            | Expression::Statement(_)
            | Expression::Call(_)
            | Expression::Conditional(_)
            | Expression::Cast(_)
            | Expression::BinaryOperator(_)
            | Expression::VaArg(_) => {
                match self.operand(expression)? {
                    Operand::Aggregate(place) => Ok(place),
                    Operand::Scalar(value) => {
                        // Not a place in C, but members and addresses of temporaries are asked for by macros.
                        let register = self.temporary(&value.ty);
                        self.set(register, value.term);
                        Ok(Place::register(register, value.ty))
                    }
                    Operand::Void => wrong(span, "this is not a variable"),
                }
            }
            _ => wrong(span, "this cannot be assigned to, nor its address taken"),
        }
    }

    fn member(&mut self, member: &'a Node<ast::MemberExpression>, span: Span) -> Lowered<Place> {
        let base = match member.node.operator.node {
            ast::MemberOperator::Direct => self.place(&member.node.expression)?,
            ast::MemberOperator::Indirect => {
                let pointer = self.rvalue(&member.node.expression)?;
                if !pointer.ty.is_pointer() {
                    return wrong(span, "'->' needs a pointer on its left");
                }
                self.pointed(&pointer)
            }
        };
        self.field(base, &member.node.identifier.node.name, span)
    }

    /// A member of a struct at a place.
    pub(crate) fn field(&mut self, base: Place, name: &str, span: Span) -> Lowered<Place> {
        let Type::Record(id) = *base.ty.unatomic() else {
            return wrong(span, format!("'{}' has no members", self.types.show(&base.ty)));
        };
        let Some((offset, field)) = self.types.field(id, name) else {
            return self.no_member(&base.ty, name, span);
        };
        let (ty, bits, own) = (field.ty.clone(), field.bits, base.own || field.thread_local);
        let mut neighbours = Vec::new();
        for (offset, ty, width) in self.types.neighbours(id, name) {
            if let PlaceKind::Memory(address) = self.shift(base.kind.clone(), offset, span)? {
                neighbours.push((address, Access::plain(width, ty).of_bit_field(true)));
            }
        }
        let kind = self.shift(base.kind, offset, span)?;
        let unaligned = base.unaligned || self.types.align(&base.ty) < self.types.align(&ty);
        Ok(Place { bits, neighbours, unaligned, own, ..Place::new(kind, ty) })
    }

    /// The place some bits further on.
    fn shift(&mut self, kind: PlaceKind, bits: u64, span: Span) -> Lowered<PlaceKind> {
        let width = self.pointer_width();
        Ok(PlaceKind::Memory(match kind {
            PlaceKind::Memory(Address::Object { object, offset, indices }) => {
                Address::Object { object, offset: offset + bits, indices }
            }
            PlaceKind::Memory(Address::Pointer { address, bit }) => {
                let total = u64::from(bit) + bits;
                let address = address.bv_add(Term::bv(width, u128::from(total / 8)));
                Address::Pointer { address, bit: (total % 8) as u32 }
            }
            PlaceKind::Register(_) => return wrong(span, "a number has no members"),
        }))
    }

    pub(crate) fn index_place(
        &mut self,
        left: &'a Node<Expression>,
        right: &'a Node<Expression>,
        reach: Reach,
        span: Span,
    ) -> Lowered<Place> {
        // A declared array is indexed directly; anything else is pointer arithmetic.
        if is_place(&left.node) {
            let ty = self.type_of(left)?;
            if let Type::Array(element, count) = ty.unatomic().clone() {
                let place = self.place(left)?;
                let index = self.rvalue(right)?;
                return self.element(place, &element, (count, reach), index, span);
            }
        }
        let left = self.rvalue(left)?;
        let right = self.rvalue(right)?;
        let (pointer, index) = if left.ty.is_pointer() { (left, right) } else { (right, left) };
        if !pointer.ty.is_pointer() || !index.ty.is_integer() {
            return wrong(span, "only arrays and pointers can be indexed, and only with integers");
        }
        let moved = self.pointer_add(&pointer, &index, false, span)?;
        Ok(self.pointed(&moved))
    }

    pub(super) fn element(
        &mut self,
        place: Place,
        element: &Rc<Type>,
        (count, reach): (Option<u64>, Reach),
        index: Value,
        span: Span,
    ) -> Lowered<Place> {
        if !index.ty.is_integer() {
            return wrong(span, "an index must be an integer");
        }
        let Some(stride) = self.types.size(element) else {
            return unsupported(span, "an array whose elements have no constant size is not modelled");
        };
        let width = self.pointer_width();
        let signed = self.types.signed(&index.ty);
        let raw = self.as_bits(&index);
        let term = if signed { raw.resize_signed(width) } else { raw.resize_unsigned(width) };
        if let Some(count) = count {
            // Compare at the index's own width where the bound fits: smaller terms.
            let bound = u128::from(count) + u128::from(reach == Reach::Address);
            let condition = if signed && raw.width() < 128 && bound >> (raw.width() - 1) == 0 {
                let bound = Term::bv(raw.width(), bound);
                Term::bv(raw.width(), 0).sle(raw).and(raw.slt(bound))
            } else if !signed && bound >> raw.width().min(127) == 0 {
                raw.ult(Term::bv(raw.width(), bound))
            } else {
                term.ult(Term::bv(width, bound))
            };
            self.check(PropertyKind::Bounds, condition, self.outside(span, Some(count)));
        }
        let mut is_compared = false;
        if let (None, PlaceKind::Memory(Address::Object { object, indices, .. })) = (count, &place.kind)
            && indices.is_empty()
            && let Some(length) = self.lengths.of(*object).map(|length| self.register_term(length))
        {
            let within = match reach {
                Reach::Access => term.ult(length),
                Reach::Address => term.ule(length),
            };
            self.check(PropertyKind::Bounds, within, self.outside(span, None));
            // It has been compared with the length, so it need not be again.
            is_compared = reach == Reach::Access;
        }
        let (ty, own) = ((**element).clone(), place.own);
        let kind = match place.kind {
            PlaceKind::Memory(Address::Object { object, offset, mut indices }) => {
                let count = count.or(is_compared.then_some(crate::lower::layout::UNKNOWN_SIZE));
                indices.push(Index { term, stride, count });
                PlaceKind::Memory(Address::Object { object, offset, indices })
            }
            PlaceKind::Memory(Address::Pointer { address, bit }) => {
                let scaled = term.bv_mul(Term::bv(width, u128::from(stride)));
                PlaceKind::Memory(Address::Pointer { address: address.bv_add(scaled), bit })
            }
            PlaceKind::Register(_) => return wrong(span, "only arrays and pointers can be indexed"),
        };
        Ok(Place { own, ..Place::new(kind, ty) })
    }

    /// The address of a place as a number.
    pub(crate) fn address_term(&mut self, place: &Place, span: Span) -> Lowered<Term> {
        let width = self.pointer_width();
        match &place.kind {
            PlaceKind::Register(_) => wrong(span, "this has no address"),
            PlaceKind::Memory(Address::Pointer { address, .. }) => Ok(*address),
            PlaceKind::Memory(Address::Object { object, offset, indices }) => {
                let mut term = self.object_address(*object).bv_add(Term::bv(width, u128::from(offset / 8)));
                for index in indices {
                    term = term.bv_add(index.term.bv_mul(Term::bv(width, u128::from(index.stride))));
                }
                Ok(term)
            }
        }
    }

    /// The object that a string literal is.
    pub(crate) fn string_object(&mut self, text: Text, offset: usize) -> ObjectId {
        // Equal literals in different places may be one object, or several.
        let key = (offset, text);
        if let Some(known) = self.strings.0.get(&key) {
            return *known;
        }
        let text = key.1.clone();
        let shown: String = text.units.iter().map(|unit| char::from_u32(*unit).unwrap_or('?')).collect();
        let name = format!("\"{}\"", shown.escape_debug());
        let ty = text.ty(self.types.model);
        let width = self.types.width(&text.encoding.element(self.types.model));
        let id = self.new_object(&name, ty, Storage::Static, offset);
        let values = text.units.iter().enumerate().filter(|(_, unit)| **unit != 0).map(|(index, unit)| {
            crate::lower::graph::InitialValue {
                offset: index as u64 * u64::from(width),
                value: Term::bv(width, u128::from(*unit)),
            }
        });
        self.objects[id.index()].init = Some(values.collect());
        self.objects[id.index()].writes = crate::lower::graph::Writes::Violation;
        self.strings.0.insert(key, id);
        id
    }
}

/// Whether the syntax is that of a place.
pub(crate) fn is_place(expression: &Expression) -> bool {
    match expression {
        Expression::Identifier(_)
        | Expression::Member(_)
        | Expression::StringLiteral(_)
        | Expression::CompoundLiteral(_) => true,
        Expression::UnaryOperator(unary) => unary.node.operator.node == ast::UnaryOperator::Indirection,
        Expression::BinaryOperator(binary) => binary.node.operator.node == ast::BinaryOperator::Index,
        _ => false,
    }
}
