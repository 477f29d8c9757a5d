//! Expressions: values, places, conditions (C11 6.5). Evaluation is from left to right; each read of memory becomes a
//! `Load` of its own, so that other threads can come between.

use super::context::{Entity, Lowered, Lowerer, unsupported, wrong};
use super::graph::{Access, Address, Index, MemoryOrder, NodeId, ObjectId, Op, RegisterId, Storage};
use super::literal::{Encoding, Text};
use crate::program::{Effect, PropertyKind};
use crate::types::{CHAR, Type};
use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span};
use smt::{Symbol, Term};
use std::rc::Rc;

/// A scalar value; truth values are Boolean terms, all others bit-vectors of the type's width.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub term: Term,
    pub ty: Type,
    /// The number of bits, if it was read from a bit-field, for the promotion.
    pub bits: Option<u32>,
}

impl Value {
    pub(crate) fn new(term: Term, ty: Type) -> Value {
        Value { term, ty, bits: None }
    }
}

/// What can be assigned to.
#[derive(Clone, Debug)]
pub(crate) enum PlaceKind {
    Register(RegisterId),
    Memory(Address),
}

/// A place with the type it is seen as.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub kind: PlaceKind,
    pub ty: Type,
    /// The width of a bit-field.
    pub bits: Option<u32>,
    /// The other bit-fields in the same memory location (C11 3.14): who writes one writes them all.
    pub neighbours: Vec<(Address, Access)>,
    /// The order of an atomic operation on it, if the source names one; operators on `_Atomic` have the strongest.
    pub order: Option<MemoryOrder>,
    /// A member of a packed struct, whose address need not fit its type.
    pub unaligned: bool,
}

impl Place {
    pub(crate) fn new(kind: PlaceKind, ty: Type) -> Place {
        Place { kind, ty, bits: None, neighbours: Vec::new(), order: None, unaligned: false }
    }

    /// A place in memory.
    pub(crate) fn memory(address: Address, ty: Type) -> Place {
        Place::new(PlaceKind::Memory(address), ty)
    }

    /// A register.
    pub(crate) fn register(register: RegisterId, ty: Type) -> Place {
        Place::new(PlaceKind::Register(register), ty)
    }

    /// A whole object.
    pub(crate) fn object(object: ObjectId, ty: Type) -> Place {
        Place::memory(Address::object(object), ty)
    }

    /// The order of accesses to it; none for plain ones.
    pub(crate) fn memory_order(&self) -> Option<MemoryOrder> {
        match self.ty {
            Type::Atomic(_) => Some(self.order.unwrap_or(MemoryOrder::SeqCst)),
            _ => None,
        }
    }
}

/// What an indexed element is needed for: behind the last element there is an address, but nothing to access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    Access,
    Address,
}

/// What an expression yields.
#[derive(Clone, Debug)]
pub(crate) enum Operand {
    Void,
    Scalar(Value),
    Aggregate(Place),
}

impl<'a> Lowerer<'a> {
    /// Evaluates for the side effects.
    pub(crate) fn effect(&mut self, expression: &'a Node<Expression>) -> Lowered<()> {
        match &expression.node {
            Expression::Comma(parts) => parts.iter().try_for_each(|p| self.effect(p)),
            _ => self.operand(expression).map(|_| ()),
        }
    }

    /// A scalar value.
    pub(crate) fn rvalue(&mut self, expression: &'a Node<Expression>) -> Lowered<Value> {
        match self.operand(expression)? {
            Operand::Scalar(value) => Ok(value),
            Operand::Void => wrong(expression.span, "a value is needed here, and this has none"),
            Operand::Aggregate(_) => {
                wrong(expression.span, "a number or pointer is needed here, not a struct")
            }
        }
    }

    /// Evaluates an expression.
    pub(crate) fn operand(&mut self, expression: &'a Node<Expression>) -> Lowered<Operand> {
        let span = expression.span;
        match &expression.node {
            Expression::Identifier(name) => self.identifier(name),
            Expression::Constant(constant) => self.literal_constant(constant).map(Operand::Scalar),
            Expression::StringLiteral(_) | Expression::CompoundLiteral(_) | Expression::Member(_) => {
                let place = self.place(expression)?;
                self.read_operand(place, span)
            }
            Expression::GenericSelection(selection) => self.generic(selection),
            Expression::Call(call) => self.call(call, span),
            Expression::SizeOfTy(size) => {
                let ty = self.type_name(&size.node.0)?;
                self.size_of(&ty, span).map(Operand::Scalar)
            }
            Expression::SizeOfVal(size) => {
                if let Some(value) = self.variable_size(&size.node.0)? {
                    return Ok(Operand::Scalar(value));
                }
                let ty = self.type_of(&size.node.0)?;
                self.size_of(&ty, span).map(Operand::Scalar)
            }
            Expression::AlignOf(align) => {
                let ty = self.type_name(&align.node.0)?;
                let is_gnu = self.text(align.span).starts_with("__alignof");
                let bytes = if is_gnu { self.types.preferred_align(&ty) } else { self.types.align(&ty) };
                Ok(Operand::Scalar(self.size_value(bytes)))
            }
            Expression::UnaryOperator(unary) => self.unary(unary, span),
            Expression::Cast(cast) => self.cast(cast, span),
            Expression::BinaryOperator(binary) => self.binary(binary, span),
            Expression::Conditional(conditional) => self.conditional(conditional, span),
            Expression::Comma(parts) => {
                let Some((last, first)) = parts.split_last() else { return Ok(Operand::Void) };
                first.iter().try_for_each(|p| self.effect(p))?;
                self.operand(last)
            }
            Expression::OffsetOf(offset) => self.offset_of(offset),
            Expression::VaArg(argument) => {
                let ty = self.type_name(&argument.node.type_name)?.unatomic().clone();
                if !ty.is_scalar() {
                    return unsupported(
                        span,
                        "variable arguments other than numbers and pointers are not modelled",
                    );
                }
                self.effect(&argument.node.va_list)?;
                self.remark(
                    Effect::Over,
                    span.start,
                    "variable arguments are not modelled: any value is read",
                );
                self.approximate("variable arguments");
                Ok(Operand::Scalar(Value::new(self.any(&ty), ty)))
            }
            Expression::Statement(statement) => self.statement_expression(statement),
        }
    }

    /// From here on the program does more than reality.
    pub(crate) fn approximate(&mut self, reason: &str) {
        self.emit(Op::Approximate(reason.to_owned()));
    }

    fn identifier(&mut self, name: &'a Node<ast::Identifier>) -> Lowered<Operand> {
        match self.lookup(&name.node.name).cloned() {
            Some(Entity::Enumerator(term, ty)) => Ok(Operand::Scalar(Value::new(term, ty))),
            Some(Entity::Function(id)) => {
                let id = self.take_function_address(id);
                let object = self.functions[id.index()].object;
                self.used(object, name.span)?;
                let ty = self.functions[id.index()].ty.decay();
                Ok(Operand::Scalar(Value::new(self.object_address(object), ty)))
            }
            Some(Entity::Register(id, ty)) => {
                let term = self.register_term(id);
                Ok(Operand::Scalar(Value::new(term, ty.unatomic().clone())))
            }
            Some(Entity::Object(_)) => {
                let place = self.place_of_name(name)?;
                self.read_operand(place, name.span)
            }
            Some(Entity::Typedef(_)) => wrong(name.span, format!("'{}' is a type", name.node.name)),
            Some(Entity::Unevaluated(ty)) if ty.decay().is_scalar() => {
                let ty = ty.decay();
                let register = self.temporary(&ty);
                Ok(Operand::Scalar(Value::new(self.register_term(register), ty)))
            }
            Some(Entity::Unevaluated(_)) => wrong(name.span, "a constant is needed here"),
            None => self.unknown_name(name),
        }
    }

    fn unknown_name(&mut self, name: &Node<ast::Identifier>) -> Lowered<Operand> {
        let function = self.function_name().as_str();
        match name.node.name.as_str() {
            crate::tokens::ELVIS => match self.builder.as_ref().and_then(|b| b.elvis.last()) {
                Some((term, ty)) => Ok(Operand::Scalar(Value::new(*term, ty.clone()))),
                None => wrong(name.span, "a conditional without its middle operand, outside of one"),
            },
            "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__" => {
                let units = function.bytes().map(u32::from).collect();
                let object = self.string_object(Text { encoding: Encoding::Plain, units }, name.span.start);
                Ok(Operand::Scalar(Value::new(self.object_address(object), CHAR.pointer())))
            }
            other => wrong(name.span, format!("'{other}' is not declared")),
        }
    }

    /// The value at a place; arrays become pointers, structs stay places.
    pub(crate) fn read_operand(&mut self, place: Place, span: Span) -> Lowered<Operand> {
        match place.ty.unatomic() {
            Type::Array(element, _) => {
                let ty = Type::Pointer(element.clone());
                let term = self.address_term(&place, span)?;
                Ok(Operand::Scalar(Value::new(term, ty)))
            }
            Type::Function(_) => {
                let ty = place.ty.decay();
                let term = self.address_term(&place, span)?;
                Ok(Operand::Scalar(Value::new(term, ty)))
            }
            Type::Record(_) => Ok(Operand::Aggregate(place)),
            Type::Void => Ok(Operand::Void),
            _ => Ok(Operand::Scalar(self.read(&place))),
        }
    }

    /// Reads a scalar.
    pub(crate) fn read(&mut self, place: &Place) -> Value {
        let ty = place.ty.unatomic().clone();
        let term = match &place.kind {
            PlaceKind::Register(register) => self.register_term(*register),
            PlaceKind::Memory(address) => {
                let symbolic = self.builder.as_ref().is_some_and(|b| b.symbolic);
                if symbolic && let Some(name) = self.symbolic_name(address) {
                    return Value::new(Term::constant(Symbol::new(&name), self.sort(&ty)), ty);
                }
                if let Some(term) = self.initial_constant(address) {
                    return Value::new(term, ty);
                }
                let width = place.bits.unwrap_or(self.types.width(&ty));
                let access = Access::of(width, ty.clone(), place.memory_order());
                if self.is_foreign(address) {
                    self.any(&ty)
                } else {
                    self.load_in_pieces(
                        address.clone(),
                        access.of_bit_field(place.bits.is_some()),
                        place.unaligned,
                    )
                }
            }
        };
        Value { term, ty, bits: place.bits }
    }

    /// The value of a constant variable in the initial value of another one, as GNU C has it: what the compiler accepts there is `const`, and does not change.
    fn initial_constant(&self, address: &Address) -> Option<Term> {
        let Address::Object { object, offset: 0, indices } = address else { return None };
        let object = &self.objects[object.index()];
        if self.builder.is_some() || !indices.is_empty() || !object.ty.is_scalar() {
            return None;
        }
        object.init.as_ref()?.iter().find(|initial| initial.offset == 0).map(|initial| initial.value)
    }

    /// Whether others than the program write the object: a register of a device, or a variable of a signal handler, say.
    fn is_foreign(&self, address: &Address) -> bool {
        matches!(address, Address::Object { object, .. }
            if self.volatile.contains(object) && self.objects[object.index()].init.is_none())
    }

    /// Writes a scalar; the value has the place's type already.
    pub(crate) fn write(&mut self, place: &Place, value: Term) {
        match &place.kind {
            PlaceKind::Register(register) => self.set(*register, value),
            PlaceKind::Memory(address) => {
                let ty = place.ty.unatomic().clone();
                let width = place.bits.unwrap_or(self.types.width(&ty));
                let access = Access::of(width, ty, place.memory_order()).of_bit_field(place.bits.is_some());
                let value = if value.sort() == access.sort() { value } else { value.resize_unsigned(width) };
                if place.neighbours.is_empty() {
                    self.store_in_pieces(address.clone(), access, value, place.unaligned);
                } else {
                    self.write_bit_field(address, access, value, &place.neighbours);
                }
            }
        }
    }

    /// A machine reads the memory location of a bit-field, and writes it back with the bits changed. What others write to the
    /// neighbours in between is lost.
    fn write_bit_field(
        &mut self,
        address: &Address,
        access: Access,
        value: Term,
        neighbours: &[(Address, Access)],
    ) {
        // With races to look for, each part is an access of its own: who comes between is in one.
        let atomic = !self.options.race_check;
        self.emit_if(atomic, Op::AtomicBegin);
        let read =
            |s: &mut Self, (address, access): &(Address, Access)| s.load(address.clone(), access.clone());
        let before: Vec<Term> = neighbours.iter().map(|neighbour| read(self, neighbour)).collect();
        self.emit_if(atomic, Op::AtomicEnd);
        self.emit_if(atomic, Op::AtomicBegin);
        self.emit(Op::Store(address.clone(), access, value));
        for ((address, access), before) in neighbours.iter().zip(before) {
            let same = before.sort() == access.sort();
            let before = if same { before } else { before.resize_unsigned(access.width) };
            self.emit(Op::Store(address.clone(), access.clone(), before));
        }
        self.emit_if(atomic, Op::AtomicEnd);
    }

    // Places

    fn place_of_name(&mut self, name: &'a Node<ast::Identifier>) -> Lowered<Place> {
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
                let object = self.string_object(super::literal::string(&literal.node, span)?, span.start);
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
        let (ty, bits) = (field.ty.clone(), field.bits);
        let mut neighbours = Vec::new();
        for (offset, ty, width) in self.types.neighbours(id, name) {
            if let PlaceKind::Memory(address) = self.shift(base.kind.clone(), offset, span)? {
                neighbours.push((address, Access::plain(width, ty).of_bit_field(true)));
            }
        }
        let kind = self.shift(base.kind, offset, span)?;
        let unaligned = base.unaligned || self.types.align(&base.ty) < self.types.align(&ty);
        Ok(Place { bits, neighbours, unaligned, ..Place::new(kind, ty) })
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

    fn element(
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
        if let (None, PlaceKind::Memory(Address::Object { object, indices, .. })) = (count, &place.kind)
            && indices.is_empty()
            && let Some(length) = self.lengths.get(object).map(|l| self.register_term(*l))
        {
            let within = match reach {
                Reach::Access => term.ult(length),
                Reach::Address => term.ule(length),
            };
            self.check(PropertyKind::Bounds, within, self.outside(span, None));
        }
        let ty = (**element).clone();
        let kind = match place.kind {
            PlaceKind::Memory(Address::Object { object, offset, mut indices }) => {
                indices.push(Index { term, stride, count });
                PlaceKind::Memory(Address::Object { object, offset, indices })
            }
            PlaceKind::Memory(Address::Pointer { address, bit }) => {
                let scaled = term.bv_mul(Term::bv(width, u128::from(stride)));
                PlaceKind::Memory(Address::Pointer { address: address.bv_add(scaled), bit })
            }
            PlaceKind::Register(_) => return wrong(span, "only arrays and pointers can be indexed"),
        };
        Ok(Place::new(kind, ty))
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
        if let Some(known) = self.strings.get(&key) {
            return *known;
        }
        let text = key.1.clone();
        let shown: String = text.units.iter().map(|unit| char::from_u32(*unit).unwrap_or('?')).collect();
        let name = format!("\"{}\"", shown.escape_debug());
        let ty = text.ty(self.types.model);
        let width = self.types.width(&text.encoding.element(self.types.model));
        let id = self.new_object(&name, ty, Storage::Static, offset);
        let values = text.units.iter().enumerate().filter(|(_, unit)| **unit != 0).map(|(index, unit)| {
            super::graph::InitialValue {
                offset: index as u64 * u64::from(width),
                value: Term::bv(width, u128::from(*unit)),
            }
        });
        self.objects[id.index()].init = Some(values.collect());
        self.objects[id.index()].writes = super::graph::Writes::Violation;
        self.strings.insert(key, id);
        id
    }

    // Conditions

    /// Control goes to `yes` if the expression is not zero, otherwise to `no`; then nowhere.
    pub(crate) fn condition(
        &mut self,
        expression: &'a Node<Expression>,
        yes: NodeId,
        no: NodeId,
    ) -> Lowered<()> {
        match &expression.node {
            Expression::BinaryOperator(binary)
                if is_logical(&binary.node.operator.node) && !self.is_pure(&binary.node.rhs) =>
            {
                let middle = self.node();
                if binary.node.operator.node == ast::BinaryOperator::LogicalAnd {
                    self.condition(&binary.node.lhs, middle, no)?;
                } else {
                    self.condition(&binary.node.lhs, yes, middle)?;
                }
                self.continue_at(middle);
                self.condition(&binary.node.rhs, yes, no)
            }
            Expression::UnaryOperator(unary) if unary.node.operator.node == ast::UnaryOperator::Negate => {
                self.condition(&unary.node.operand, no, yes)
            }
            Expression::Comma(parts) if !parts.is_empty() => {
                let (last, first) = (&parts[parts.len() - 1], &parts[..parts.len() - 1]);
                first.iter().try_for_each(|p| self.effect(p))?;
                self.condition(last, yes, no)
            }
            _ => {
                let value = self.rvalue(expression)?;
                let truth = self.truth(&value);
                self.emit_branch(Op::Assume(truth), yes);
                self.emit_branch(Op::Assume(truth.not()), no);
                let nowhere = self.node();
                self.continue_at(nowhere);
                Ok(())
            }
        }
    }

    /// Whether evaluating needs no memory, has no effect and cannot fail: then order does not matter.
    pub(crate) fn is_pure(&self, expression: &Node<Expression>) -> bool {
        if self.builder.as_ref().is_some_and(|b| b.symbolic || b.passive.is_some()) {
            return true;
        }
        match &expression.node {
            Expression::Identifier(name) => matches!(
                self.lookup(&name.node.name),
                Some(Entity::Register(..) | Entity::Enumerator(..) | Entity::Function(_))
            ),
            Expression::Constant(_)
            | Expression::SizeOfTy(_)
            | Expression::SizeOfVal(_)
            | Expression::AlignOf(_) => true,
            Expression::UnaryOperator(unary) => {
                use ast::UnaryOperator as U;
                matches!(unary.node.operator.node, U::Plus | U::Complement | U::Negate)
                    && self.is_pure(&unary.node.operand)
                    || unary.node.operator.node == U::Minus
                        && !self.options.overflow_check
                        && self.is_pure(&unary.node.operand)
            }
            Expression::BinaryOperator(binary) => {
                use ast::BinaryOperator as B;
                let safe = match binary.node.operator.node {
                    B::Less
                    | B::Greater
                    | B::LessOrEqual
                    | B::GreaterOrEqual
                    | B::Equals
                    | B::NotEquals
                    | B::BitwiseAnd
                    | B::BitwiseOr
                    | B::BitwiseXor
                    | B::LogicalAnd
                    | B::LogicalOr => true,
                    B::Plus | B::Minus | B::Multiply => !self.options.overflow_check,
                    _ => false,
                };
                safe && self.is_pure(&binary.node.lhs) && self.is_pure(&binary.node.rhs)
            }
            Expression::Cast(cast) => self.is_pure(&cast.node.expression),
            _ => false,
        }
    }

    fn conditional(
        &mut self,
        conditional: &'a Node<ast::ConditionalExpression>,
        span: Span,
    ) -> Lowered<Operand> {
        let (yes, no, end) = (self.node(), self.node(), self.node());
        let parts = &conditional.node;
        let elvis = is_elvis(&parts.then_expression);
        if elvis {
            let value = self.rvalue(&parts.condition)?;
            let register = self.temporary(&value.ty);
            self.set(register, value.term);
            let kept = Value::new(self.register_term(register), value.ty);
            let truth = self.truth(&kept);
            if let Some(builder) = &mut self.builder {
                builder.elvis.push((kept.term, kept.ty));
            }
            self.emit_branch(Op::Assume(truth), yes);
            self.emit_branch(Op::Assume(truth.not()), no);
        } else if let Some(constant) = self.constant_condition(&parts.condition) {
            // Constant expressions must stay constant (array sizes, `__builtin_choose_expr`-like macros).
            let (taken, other) = if constant {
                (&parts.then_expression, &parts.else_expression)
            } else {
                (&parts.else_expression, &parts.then_expression)
            };
            let ty = self.conditional_type(taken, other)?;
            return match (self.operand(taken)?, ty) {
                (Operand::Scalar(value), Some(ty)) => Ok(Operand::Scalar(self.convert(&value, &ty, span)?)),
                (operand, _) => Ok(operand),
            };
        } else {
            self.condition(&parts.condition, yes, no)?;
        }
        let ty = self.conditional_type(&parts.then_expression, &parts.else_expression)?;
        let register = ty.as_ref().filter(|t| t.is_scalar()).map(|t| self.temporary(t));
        let mut aggregate = None;
        for (node, part) in [(yes, &parts.then_expression), (no, &parts.else_expression)] {
            self.continue_at(node);
            match (self.operand(part)?, &register, &ty) {
                (Operand::Scalar(value), Some(register), Some(ty)) => {
                    let converted = self.convert(&value, ty, span)?;
                    self.set(*register, converted.term);
                }
                (Operand::Aggregate(place), ..) => {
                    let object = *aggregate.get_or_insert_with(|| {
                        let name = format!("{}::$conditional", self.function_name());
                        self.new_object(&name, place.ty.clone(), Storage::Automatic, span.start)
                    });
                    self.emit(Op::Forget(object));
                    let target = Place::object(object, place.ty.clone());
                    self.copy(&target, &place, span)?;
                }
                _ => {}
            }
            self.emit_branch(Op::Skip, end);
        }
        if elvis && let Some(builder) = &mut self.builder {
            builder.elvis.pop();
        }
        self.continue_at(end);
        match (register, ty, aggregate) {
            (Some(register), Some(ty), _) => {
                Ok(Operand::Scalar(Value::new(self.register_term(register), ty)))
            }
            (_, Some(ty), Some(object)) => Ok(Operand::Aggregate(Place::object(object, ty))),
            _ => Ok(Operand::Void),
        }
    }

    fn constant_condition(&mut self, condition: &'a Node<Expression>) -> Option<bool> {
        if !self.is_pure(condition) {
            return None;
        }
        let value = self.dry(|s| s.rvalue(condition)).ok()?;
        self.truth(&value).as_bool()
    }

    fn generic(&mut self, selection: &'a Node<ast::GenericSelection>) -> Lowered<Operand> {
        let chosen = self.generic_choice(selection)?;
        self.operand(chosen)
    }

    pub(crate) fn size_value(&self, size: u64) -> Value {
        Value::new(Term::bv(self.pointer_width(), u128::from(size)), self.size_type())
    }

    /// The size of an array whose length is not constant.
    fn variable_size(&mut self, expression: &'a Node<Expression>) -> Lowered<Option<Value>> {
        let Expression::Identifier(name) = &expression.node else { return Ok(None) };
        let Some(Entity::Object(object)) = self.lookup(&name.node.name) else { return Ok(None) };
        let Some(length) = self.lengths.get(object) else { return Ok(None) };
        let element = self.objects[object.index()].ty.pointee().and_then(|t| self.types.size(t)).unwrap_or(1);
        let unit = self.size_value(element);
        Ok(Some(Value::new(self.register_term(*length).bv_mul(unit.term), unit.ty)))
    }

    fn size_of(&mut self, ty: &Type, span: Span) -> Lowered<Value> {
        match self.types.size(ty) {
            Some(size) => Ok(self.size_value(size)),
            None if matches!(ty, Type::Array(_, None)) => {
                unsupported(span, "the size of an array whose length is not constant is not modelled")
            }
            None => wrong(span, format!("the size of '{}' is not known", self.types.show(ty))),
        }
    }

    fn offset_of(&mut self, offset: &'a Node<ast::OffsetOfExpression>) -> Lowered<Operand> {
        let mut ty = self.type_name(&offset.node.type_name)?;
        let designator = &offset.node.designator.node;
        let mut bits = 0;
        let mut step = |s: &mut Self, name: &Node<ast::Identifier>, ty: &mut Type| match ty.unatomic() {
            Type::Record(id) => match s.types.field(*id, &name.node.name) {
                Some((offset, field)) => {
                    bits += offset;
                    *ty = field.ty.clone();
                    Ok(())
                }
                None => wrong(name.span, format!("there is no member '{}'", name.node.name)),
            },
            _ => wrong(name.span, "only structs and unions have members"),
        };
        step(self, &designator.base, &mut ty)?;
        let mut extra = 0;
        for member in &designator.members {
            match &member.node {
                ast::OffsetMember::Member(name) | ast::OffsetMember::IndirectMember(name) => {
                    step(self, name, &mut ty)?
                }
                ast::OffsetMember::Index(index) => {
                    let number = self.constant(index)?;
                    let Type::Array(element, _) = ty.unatomic().clone() else {
                        return wrong(index.span, "only an array is indexed here");
                    };
                    let (Some(size), Ok(number)) = (self.types.size(&element), u64::try_from(number)) else {
                        return wrong(index.span, "this index has no offset");
                    };
                    extra += number.saturating_mul(size);
                    ty = (*element).clone();
                }
            }
        }
        Ok(Operand::Scalar(self.size_value(bits / 8 + extra)))
    }

    /// A literal number or character.
    fn literal_constant(&mut self, constant: &'a Node<ast::Constant>) -> Lowered<Value> {
        match &constant.node {
            ast::Constant::Integer(integer) => super::literal::integer(&self.types, integer, constant.span),
            ast::Constant::Character(text) => {
                super::literal::character(self.types.model, text, constant.span)
            }
            ast::Constant::Float(float) => {
                let ty = Type::Float(super::literal::float_size(float));
                let format = self.float_format(&ty).filter(|_| !float.suffix.imaginary);
                let term = format.and_then(|format| super::literal::float(format, float));
                match term {
                    Some(term) => Ok(Value::new(term, ty)),
                    None => Ok(self.unknown_float(ty, constant.span)),
                }
            }
        }
    }

    /// What is not modelled of floating point (see `float`): any value of the type.
    pub(crate) fn unknown_float(&mut self, ty: Type, span: Span) -> Value {
        let message = "this floating-point operation is not modelled, any value is assumed: only 'float' and 'double' of 64-bit code are exact, and no functions of the library";
        self.remark(Effect::Over, span.start, message);
        self.approximate("floating point");
        let term = self.any(&ty);
        Value::new(term, ty)
    }
}

fn is_logical(operator: &ast::BinaryOperator) -> bool {
    matches!(operator, ast::BinaryOperator::LogicalAnd | ast::BinaryOperator::LogicalOr)
}

/// Whether the middle operand of a conditional was left out.
pub(crate) fn is_elvis(then: &Node<Expression>) -> bool {
    matches!(&then.node, Expression::Identifier(name) if name.node.name == crate::tokens::ELVIS)
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
