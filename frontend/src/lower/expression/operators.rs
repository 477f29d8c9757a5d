//! Operators as the source writes them (C11 6.5.2.4 to 6.5.16): those that read, write or jump. What they compute is in `arithmetic`.

use crate::lower::context::{Lowered, Lowerer, unsupported, wrong};
use crate::lower::expression::{Operand, Place, PlaceKind, Reach, Value};
use crate::lower::graph::Op;
use crate::program::PropertyKind;
use crate::types::{INT, Type};
use lang_c::ast::{self, BinaryOperator as B, Expression, UnaryOperator as U};
use lang_c::span::{Node, Span};
use smt::Term;

impl<'a> Lowerer<'a> {
    pub(crate) fn unary(
        &mut self,
        unary: &'a Node<ast::UnaryOperatorExpression>,
        span: Span,
    ) -> Lowered<Operand> {
        let operand = &unary.node.operand;
        match unary.node.operator.node {
            U::Address => self.address_of(operand, span),
            U::Indirection => {
                let pointer = self.rvalue(operand)?;
                if !pointer.ty.is_pointer() {
                    return wrong(span, "only a pointer can be dereferenced");
                }
                let place = self.pointed(&pointer);
                if matches!(place.ty, Type::Function(_)) {
                    return Ok(Operand::Scalar(pointer));
                }
                self.read_operand(place, span)
            }
            U::PreIncrement => self.step(operand, true, false, span),
            U::PreDecrement => self.step(operand, false, false, span),
            U::PostIncrement => self.step(operand, true, true, span),
            U::PostDecrement => self.step(operand, false, true, span),
            U::Negate => {
                let value = self.rvalue(operand)?;
                let truth = self.truth(&value);
                Ok(Operand::Scalar(self.flag(truth.not())))
            }
            U::Plus | U::Minus | U::Complement => {
                let value = self.rvalue(operand)?;
                self.sign(&unary.node.operator.node, &value, span).map(Operand::Scalar)
            }
        }
    }

    /// `+`, `-` and `~` of a number.
    fn sign(&mut self, operator: &U, value: &Value, span: Span) -> Lowered<Value> {
        let wide = self.wide_bits(&value.ty, value.bits);
        let value = self.promoted(value, span)?;
        if value.ty.is_float() {
            return Ok(match (operator, self.float_format(&value.ty)) {
                (U::Plus, _) => value,
                (U::Minus, Some(format)) => Value::new(format.negate(value.term), value.ty),
                _ => self.unknown_float(value.ty, span),
            });
        }
        if !value.ty.is_integer() {
            return wrong(span, "an integer is needed here");
        }
        let term = match operator {
            U::Minus => {
                if self.types.signed(&value.ty) {
                    let least = Term::bv(value.term.width(), 1 << (value.term.width() - 1));
                    let fits = value.term.distinct(least);
                    self.check(PropertyKind::SignedOverflow, fits, "signed overflow in negation");
                }
                value.term.bv_neg()
            }
            U::Complement => value.term.bv_not(),
            _ => value.term,
        };
        if let Some(bits) = wide {
            self.refuse_wide_overflow(&value.ty, span)?;
            return Ok(self.wide_value(term, &value.ty, bits));
        }
        Ok(Value::new(term, value.ty))
    }

    fn address_of(&mut self, operand: &'a Node<Expression>, span: Span) -> Lowered<Operand> {
        // `&*p` and `&f` are no accesses.
        if let Expression::UnaryOperator(inner) = &operand.node
            && inner.node.operator.node == U::Indirection
        {
            return self.rvalue(&inner.node.operand).map(Operand::Scalar);
        }
        let place = match &operand.node {
            Expression::BinaryOperator(binary) if binary.node.operator.node == B::Index => {
                self.index_place(&binary.node.lhs, &binary.node.rhs, Reach::Address, operand.span)?
            }
            _ => self.place(operand)?,
        };
        if place.bits.is_some() {
            return wrong(span, "a bit-field has no address");
        }
        if let PlaceKind::Register(_) = place.kind {
            return unsupported(
                span,
                "the address of this value is not modelled; give it a variable of its own",
            );
        }
        let term = self.address_term(&place, span)?;
        Ok(Operand::Scalar(Value::new(term, place.ty.pointer())))
    }

    /// `++` and `--`.
    fn step(&mut self, operand: &'a Node<Expression>, up: bool, post: bool, span: Span) -> Lowered<Operand> {
        let place = self.place(operand)?;
        let atomic = matches!(place.ty, Type::Atomic(_));
        if atomic {
            self.emit(Op::AtomicBegin);
        }
        let old = self.read(&place);
        let old = self.kept(&old, &place);
        let new = if old.ty.is_pointer() {
            let one = Value::new(Term::bv(32, 1), INT);
            self.pointer_add(&old, &one, !up, span)?
        } else {
            let promoted = self.promoted(&old, span)?;
            let one = Value::new(Term::bv(32, 1), INT);
            let operator = if up { B::Plus } else { B::Minus };
            let result = self.arithmetic(operator, &promoted, &one, span)?;
            self.convert(&result, &place.ty, span)?
        };
        self.write(&place, new.term);
        if atomic {
            self.emit(Op::AtomicEnd);
        }
        let result = if post { old } else { self.as_stored(new, &place) };
        Ok(Operand::Scalar(result))
    }

    /// A copy of a register's value, which the register's next assignment does not change.
    fn kept(&mut self, value: &Value, place: &Place) -> Value {
        if !matches!(place.kind, PlaceKind::Register(_)) {
            return value.clone();
        }
        let register = self.temporary(&value.ty);
        self.set(register, value.term);
        Value { term: self.register_term(register), ..value.clone() }
    }

    /// The value that an assignment yields: what was stored, cut to a bit-field's width.
    fn as_stored(&self, value: Value, place: &Place) -> Value {
        match place.bits {
            Some(bits) if bits < value.term.width() && !value.term.sort().is_bool() => {
                let full = value.term.width();
                let narrow = value.term.resize_unsigned(bits);
                let signed = self.types.signed(&value.ty);
                let term = if signed { narrow.resize_signed(full) } else { narrow.resize_unsigned(full) };
                Value { term, bits: place.bits, ..value }
            }
            _ => Value { bits: place.bits, ..value },
        }
    }

    pub(crate) fn binary(
        &mut self,
        binary: &'a Node<ast::BinaryOperatorExpression>,
        span: Span,
    ) -> Lowered<Operand> {
        let (left, right) = (&binary.node.lhs, &binary.node.rhs);
        match binary.node.operator.node.clone() {
            B::Index => {
                // A row of a matrix is an address only.
                let is_row = matches!(self.binary_element(left, right)?, Type::Array(..));
                let reach = if is_row { Reach::Address } else { Reach::Access };
                let place = self.index_place(left, right, reach, span)?;
                self.read_operand(place, span)
            }
            B::LogicalAnd | B::LogicalOr => self.logical(binary, span).map(Operand::Scalar),
            B::Assign => self.assign(left, right, span),
            B::AssignMultiply => self.compound(B::Multiply, left, right, span),
            B::AssignDivide => self.compound(B::Divide, left, right, span),
            B::AssignModulo => self.compound(B::Modulo, left, right, span),
            B::AssignPlus => self.compound(B::Plus, left, right, span),
            B::AssignMinus => self.compound(B::Minus, left, right, span),
            B::AssignShiftLeft => self.compound(B::ShiftLeft, left, right, span),
            B::AssignShiftRight => self.compound(B::ShiftRight, left, right, span),
            B::AssignBitwiseAnd => self.compound(B::BitwiseAnd, left, right, span),
            B::AssignBitwiseXor => self.compound(B::BitwiseXor, left, right, span),
            B::AssignBitwiseOr => self.compound(B::BitwiseOr, left, right, span),
            operator => {
                let left = self.rvalue(left)?;
                let right = self.rvalue(right)?;
                self.arithmetic(operator, &left, &right, span).map(Operand::Scalar)
            }
        }
    }

    /// `&&` and `||` as values.
    fn logical(&mut self, binary: &'a Node<ast::BinaryOperatorExpression>, _span: Span) -> Lowered<Value> {
        let is_and = binary.node.operator.node == B::LogicalAnd;
        if self.is_pure(&binary.node.rhs) {
            let left = self.rvalue(&binary.node.lhs)?;
            let left = self.truth(&left);
            let right = self.rvalue(&binary.node.rhs)?;
            let right = self.truth(&right);
            let both = if is_and { left.and(right) } else { left.or(right) };
            return Ok(self.flag(both));
        }
        let (middle, yes, no, end) = (self.node(), self.node(), self.node(), self.node());
        if is_and {
            self.condition(&binary.node.lhs, middle, no)?;
        } else {
            self.condition(&binary.node.lhs, yes, middle)?;
        }
        self.continue_at(middle);
        self.condition(&binary.node.rhs, yes, no)?;
        let register = self.temporary(&Type::Bool);
        for (node, value) in [(yes, true), (no, false)] {
            self.continue_at(node);
            self.set(register, Term::bool(value));
            self.emit_branch(Op::Skip, end);
        }
        self.continue_at(end);
        let truth = self.register_term(register);
        Ok(self.flag(truth))
    }

    fn assign(
        &mut self,
        left: &'a Node<Expression>,
        right: &'a Node<Expression>,
        span: Span,
    ) -> Lowered<Operand> {
        let place = self.place(left)?;
        match self.hinted(right, &place.ty.clone())? {
            Operand::Scalar(value) => {
                let converted = self.convert(&value, &place.ty, span)?;
                self.write(&place, converted.term);
                // A register now holds the value; the term may be over its old value.
                let result = match place.kind {
                    PlaceKind::Register(_) => self.read(&place),
                    PlaceKind::Memory(_) => self.as_stored(converted, &place),
                };
                Ok(Operand::Scalar(result))
            }
            Operand::Aggregate(source) => {
                self.copy(&place, &source, span)?;
                Ok(Operand::Aggregate(place))
            }
            Operand::Void => wrong(right.span, "a value is needed here, and this has none"),
        }
    }

    fn compound(
        &mut self,
        operator: B,
        left: &'a Node<Expression>,
        right: &'a Node<Expression>,
        span: Span,
    ) -> Lowered<Operand> {
        let place = self.place(left)?;
        let right = self.rvalue(right)?;
        let atomic = matches!(place.ty, Type::Atomic(_));
        if atomic {
            self.emit(Op::AtomicBegin);
        }
        let old = self.read(&place);
        let result = self.arithmetic(operator, &old, &right, span)?;
        let converted = self.convert(&result, &place.ty, span)?;
        self.write(&place, converted.term);
        if atomic {
            self.emit(Op::AtomicEnd);
        }
        // A register now holds the value; the term would be over its old value.
        let result = match place.kind {
            PlaceKind::Register(_) => self.read(&place),
            PlaceKind::Memory(_) => self.as_stored(converted, &place),
        };
        Ok(Operand::Scalar(result))
    }
}
