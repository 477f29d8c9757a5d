//! Expressions: values, places, conditions (C11 6.5). Evaluation is from left to right; each read of memory becomes a
//! `Load` of its own, so that other threads can come between.

mod access;
mod arithmetic;
mod condition;
mod convert;
mod copy;
mod family;
pub(crate) mod float;
pub(crate) mod literal;
mod operators;
pub(crate) mod order;
mod pieces;
mod place;
mod size;
#[cfg(test)]
mod tests;
pub(crate) mod typing;
mod wide;

use crate::lower::context::{Entity, Lowered, Lowerer, wrong};
use crate::lower::expression::literal::{Encoding, Text};
use crate::lower::graph::{Access, Address, MemoryOrder, ObjectId, Op, RegisterId};
use crate::program::Effect;
use crate::types::{CHAR, Type};
pub(crate) use condition::is_elvis;
pub(crate) use convert::bits_of;
use family::Family;
use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span};
pub(crate) use order::Summaries;
pub(crate) use place::Strings;
pub(crate) use size::Lengths;
use smt::Term;

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
    /// A member of which each thread has its own copy, or a part of one.
    pub own: bool,
}

impl Place {
    pub(crate) fn new(kind: PlaceKind, ty: Type) -> Place {
        Place { kind, ty, bits: None, neighbours: Vec::new(), order: None, unaligned: false, own: false }
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
            Expression::Call(_) => {
                self.unused_result = Some(expression.span);
                self.operand(expression).map(|_| ())
            }
            Expression::Cast(cast) if matches!(cast.node.expression.node, Expression::Call(_)) => {
                if self.type_name(&cast.node.type_name)? == Type::Void {
                    return self.effect(&cast.node.expression);
                }
                self.operand(expression).map(|_| ())
            }
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
            Expression::SizeOfTy(size) => self.size_of_type(&size.node.0, span).map(Operand::Scalar),
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
            Expression::VaArg(argument) => self.variable_argument(&argument.node, span),
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
                Some(value) => Ok(Operand::Scalar(value.clone())),
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

    fn generic(&mut self, selection: &'a Node<ast::GenericSelection>) -> Lowered<Operand> {
        let chosen = self.generic_choice(selection)?;
        self.operand(chosen)
    }

    /// A literal number or character.
    fn literal_constant(&mut self, constant: &'a Node<ast::Constant>) -> Lowered<Value> {
        match &constant.node {
            ast::Constant::Integer(integer) => {
                crate::lower::expression::literal::integer(&self.types, integer, constant.span)
            }
            ast::Constant::Character(text) => {
                crate::lower::expression::literal::character(self.types.model, text, constant.span)
            }
            ast::Constant::Float(float) => {
                let ty = Type::Float(crate::lower::expression::literal::float_size(float));
                let format = self.float_format(&ty).filter(|_| !float.suffix.imaginary);
                let term = format.and_then(|format| crate::lower::expression::literal::float(format, float));
                match term {
                    Some(term) => Ok(Value::new(term, ty)),
                    None => Ok(self.unknown_float(ty, constant.span)),
                }
            }
        }
    }

    /// What is not modelled of floating point (see `float`): any value of the type.
    pub(crate) fn unknown_float(&mut self, ty: Type, span: Span) -> Value {
        let message = "this floating-point operation is not modelled, any value is assumed: only 'float' and 'double' of 64-bit code are exact, and few functions of the library";
        self.remark(Effect::Over, span.start, message);
        self.approximate("floating point");
        let term = self.any(&ty);
        Value::new(term, ty)
    }
}
