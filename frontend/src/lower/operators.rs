//! Operators and conversions (C11 6.3, 6.5): machine arithmetic on bit-vectors, with the checks that the user asked for.

use super::context::{Lowered, Lowerer, unsupported, wrong};
use super::expression::{Operand, Place, PlaceKind, Reach, Value};
use super::float::{Comparison, Format, Operation};
use super::graph::{Address, Index, Op};
use crate::program::PropertyKind;
use crate::types::{DataModel, INT, Type};
use lang_c::ast::{self, BinaryOperator as B, Expression, UnaryOperator as U};
use lang_c::span::{Node, Span};
use smt::{Sort, Term};
use std::rc::Rc;

/// How many scalars a struct assignment copies one by one before it is refused.
const MAX_COPIED: usize = 4096;

impl<'a> Lowerer<'a> {
    /// The value as a bit-vector: truth values become 0 or 1.
    pub(crate) fn as_bits(&self, value: &Value) -> Term {
        let width = self.types.width(&value.ty);
        bits_of(value.term, width.max(1))
    }

    /// Whether the value is not zero.
    pub(crate) fn truth(&mut self, value: &Value) -> Term {
        if value.term.sort().is_bool() {
            return value.term;
        }
        if let Some(format) = self.float_format(&value.ty) {
            return format.truth(value.term);
        }
        if value.ty.is_float() {
            self.unknown_float(value.ty.clone(), self.span());
            return self.any(&Type::Bool);
        }
        value.term.distinct(Term::bv(value.term.width(), 0))
    }

    /// 0 or 1 of type `int`.
    pub(crate) fn flag(&self, truth: Term) -> Value {
        Value::new(bits_of(truth, 32), INT)
    }

    /// Converts a scalar to another scalar type (C11 6.3).
    pub(crate) fn convert(&mut self, value: &Value, to: &Type, span: Span) -> Lowered<Value> {
        let to = to.unatomic();
        if *to == value.ty {
            return Ok(Value::new(value.term, to.clone()));
        }
        let untyped = value.ty.is_integer() || value.ty.pointee() == Some(&Type::Void);
        if let Type::Pointer(pointee) = to
            && untyped
            && **pointee != Type::Void
            && value.term.as_bits().is_none()
        {
            self.hints.push((value.term, (**pointee).clone()));
        }
        match to {
            Type::Void => Ok(Value::new(Term::bv(8, 0), Type::Void)),
            Type::Bool => Ok(Value::new(self.truth(value), Type::Bool)),
            Type::Float(_) => Ok(self.number_as_float(value, to, span)),
            _ if value.ty.is_float() => Ok(self.float_as_number(value, to, span)),
            Type::Int(_) | Type::Pointer(_) => {
                let bits = self.as_bits(value);
                let width = self.types.width(to);
                let signed = self.types.signed(&value.ty);
                let term = if signed { bits.resize_signed(width) } else { bits.resize_unsigned(width) };
                Ok(Value::new(term, to.clone()))
            }
            Type::Function(_) | Type::Array(..) => self.convert(value, &to.decay(), span),
            Type::Record(_) | Type::Atomic(_) => wrong(
                span,
                format!("'{}' does not become '{}'", self.types.show(&value.ty), self.types.show(to)),
            ),
        }
    }

    /// The format of a floating-point type, if it is exact. Code for 32 bits computes with more bits than the types have.
    pub(crate) fn float_format(&self, ty: &Type) -> Option<Format> {
        match ty.unatomic() {
            Type::Float(bytes) if self.types.model == DataModel::Lp64 => Format::of_bytes(*bytes),
            _ => None,
        }
    }

    fn number_as_float(&mut self, value: &Value, to: &Type, span: Span) -> Value {
        let term = match (self.float_format(to), self.float_format(&value.ty)) {
            (Some(format), Some(from)) => from.convert(value.term, format),
            (Some(format), None) if value.ty.is_integer() => {
                let signed = self.types.signed(&value.ty);
                format.of_integer(self.as_bits(value), signed)
            }
            _ => return self.unknown_float(to.clone(), span),
        };
        Value::new(term, to.clone())
    }

    /// Without the fraction. What does not fit is not defined: any value.
    fn float_as_number(&mut self, value: &Value, to: &Type, span: Span) -> Value {
        let (Some(format), Type::Int(_)) = (self.float_format(&value.ty), to) else {
            return self.unknown_float(to.clone(), span);
        };
        let (term, fits) = format.to_integer(value.term, self.types.width(to), self.types.signed(to));
        if fits.is_true() {
            return Value::new(term, to.clone());
        }
        let other = self.any(to);
        Value::new(fits.ite(term, other), to.clone())
    }

    /// An operator on two numbers of the same floating-point type.
    fn float_arithmetic(&mut self, operator: B, left: &Value, right: &Value, span: Span) -> Lowered<Value> {
        let (ty, a, b) = (left.ty.clone(), left.term, right.term);
        let is_comparison = is_comparison(&operator);
        let Some(format) = self.float_format(&ty) else {
            let unknown = self.unknown_float(ty, span);
            if is_comparison {
                let truth = self.any(&Type::Bool);
                return Ok(self.flag(truth));
            }
            return Ok(unknown);
        };
        if is_comparison {
            let truth = match operator {
                B::Less => format.compare(Comparison::Less, a, b),
                B::Greater => format.compare(Comparison::Less, b, a),
                B::LessOrEqual => format.compare(Comparison::LessOrEqual, a, b),
                B::GreaterOrEqual => format.compare(Comparison::LessOrEqual, b, a),
                B::NotEquals => format.compare(Comparison::Equal, a, b).not(),
                _ => format.compare(Comparison::Equal, a, b),
            };
            return Ok(self.flag(truth));
        }
        let operation = match operator {
            B::Plus => Operation::Add,
            B::Minus => Operation::Subtract,
            B::Multiply => Operation::Multiply,
            B::Divide => Operation::Divide,
            _ => return wrong(span, "this operator works on integers only"),
        };
        Ok(Value::new(format.operate(operation, a, b), ty))
    }

    pub(crate) fn promoted(&mut self, value: &Value, span: Span) -> Lowered<Value> {
        let to = self.types.promote(&value.ty, value.bits);
        self.convert(value, &to, span)
    }

    pub(crate) fn cast(&mut self, cast: &'a Node<ast::CastExpression>, span: Span) -> Lowered<Operand> {
        let ty = self.type_name(&cast.node.type_name)?;
        if ty == Type::Void {
            self.effect(&cast.node.expression)?;
            return Ok(Operand::Void);
        }
        let operand = self.hinted(&cast.node.expression, &ty)?;
        match operand {
            Operand::Aggregate(place) if place.ty == ty => Ok(Operand::Aggregate(place)),
            Operand::Aggregate(_) => unsupported(span, "a cast of a struct or to a union is not modelled"),
            Operand::Scalar(value) if ty.is_aggregate() => self.as_union(&value, &ty, span),
            Operand::Scalar(value) => self.convert(&value, &ty, span).map(Operand::Scalar),
            Operand::Void => wrong(span, "this has no value that could be converted"),
        }
    }

    /// Evaluates an expression that will be converted to a type: allocations learn from it what they hold.
    pub(crate) fn hinted(&mut self, expression: &'a Node<Expression>, ty: &Type) -> Lowered<Operand> {
        if let (Expression::Call(call), Some(pointee)) = (&expression.node, ty.pointee())
            && *pointee != Type::Void
            && let Some(operand) = self.allocation(call, Some(pointee), expression.span)?
        {
            return Ok(operand);
        }
        self.operand(expression)
    }

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
                self.refuse_wide_field(&[&value], span)?;
                let value = self.promoted(&value, span)?;
                if value.ty.is_float() {
                    return Ok(Operand::Scalar(
                        match (&unary.node.operator.node, self.float_format(&value.ty)) {
                            (U::Plus, _) => value,
                            (U::Minus, Some(format)) => Value::new(format.negate(value.term), value.ty),
                            _ => self.unknown_float(value.ty, span),
                        },
                    ));
                }
                if !value.ty.is_integer() {
                    return wrong(span, "an integer is needed here");
                }
                let term = match unary.node.operator.node {
                    U::Minus => {
                        if self.types.signed(&value.ty) {
                            let least = Term::bv(value.term.width(), 1 << (value.term.width() - 1));
                            self.check(
                                PropertyKind::SignedOverflow,
                                value.term.distinct(least),
                                "signed overflow in negation",
                            );
                        }
                        value.term.bv_neg()
                    }
                    U::Complement => value.term.bv_not(),
                    _ => value.term,
                };
                Ok(Operand::Scalar(Value::new(term, value.ty)))
            }
        }
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

    /// Arithmetic, comparison, shifts and bit operations on values.
    pub(crate) fn arithmetic(
        &mut self,
        operator: B,
        left: &Value,
        right: &Value,
        span: Span,
    ) -> Lowered<Value> {
        self.refuse_wide_field(&[left, right], span)?;
        let pointers = (left.ty.is_pointer(), right.ty.is_pointer());
        match operator {
            B::Plus if pointers.0 => return self.pointer_add(left, right, false, span),
            B::Plus if pointers.1 => return self.pointer_add(right, left, false, span),
            B::Minus if pointers == (true, true) => return self.pointer_difference(left, right, span),
            B::Minus if pointers.0 => return self.pointer_add(left, right, true, span),
            B::ShiftLeft | B::ShiftRight => return self.shift_operator(operator, left, right, span),
            _ => {}
        }
        let left = self.promoted(left, span)?;
        let right = self.promoted(right, span)?;
        let is_comparison = is_comparison(&operator);
        let ty = match pointers {
            (false, false) => self.types.usual(&left.ty, &right.ty),
            _ if is_comparison => Type::Void.pointer(),
            _ => return wrong(span, "this operator does not work on pointers"),
        };
        let (left, right) = (self.convert(&left, &ty, span)?, self.convert(&right, &ty, span)?);
        if ty.is_float() {
            return self.float_arithmetic(operator, &left, &right, span);
        }
        let (a, b, signed) = (left.term, right.term, self.types.signed(&ty));
        if is_comparison {
            return Ok(self.flag(compare(operator, a, b, signed)));
        }
        let term = match operator {
            B::BitwiseAnd => a.bv_and(b),
            B::BitwiseOr => a.bv_or(b),
            B::BitwiseXor => a.bv_xor(b),
            B::Plus | B::Minus | B::Multiply => {
                if signed {
                    self.check_overflow(&operator, a, b);
                }
                match operator {
                    B::Plus => a.bv_add(b),
                    B::Minus => a.bv_sub(b),
                    _ => a.bv_mul(b),
                }
            }
            B::Divide | B::Modulo => {
                let width = a.width();
                self.check(PropertyKind::DivisionByZero, b.distinct(Term::bv(width, 0)), "division by zero");
                if signed {
                    let least = a.equals(Term::bv(width, 1 << (width - 1)));
                    let minus_one = b.equals(Term::bv_signed(width, -1));
                    let fits = least.and(minus_one).not();
                    self.check(PropertyKind::SignedOverflow, fits, "signed overflow in division");
                }
                let quotient = match (operator, signed) {
                    (B::Divide, true) => a.bv_sdiv(b),
                    (B::Divide, false) => a.bv_udiv(b),
                    (_, true) => a.bv_srem(b),
                    (_, false) => a.bv_urem(b),
                };
                let mut defined = Term::tru();
                if !self.options.checks(PropertyKind::DivisionByZero) {
                    defined = b.distinct(Term::bv(width, 0));
                }
                let may_be_negative = b.upper_bound().is_none_or(|most| most >> (width - 1) != 0);
                if signed && may_be_negative && !self.options.checks(PropertyKind::SignedOverflow) {
                    let least = a.equals(Term::bv(width, 1 << (width - 1)));
                    defined = defined.and(least.and(b.equals(Term::bv_signed(width, -1))).not());
                }
                self.defined(defined, quotient, &ty, "a division that C does not define")
            }
            _ => return wrong(span, "this operator is not expected here"),
        };
        Ok(Value::new(term, ty))
    }

    /// Compilers compute with bit-fields wider than `int` in as many bits as they have, or in those of their type.
    fn refuse_wide_field(&self, values: &[&Value], span: Span) -> Lowered<()> {
        let is_wide =
            |value: &&Value| value.bits.is_some_and(|bits| bits > 32 && bits < self.types.width(&value.ty));
        if values.iter().any(is_wide) {
            return unsupported(
                span,
                "arithmetic on a bit-field wider than int differs between compilers; convert it first",
            );
        }
        Ok(())
    }

    fn check_overflow(&mut self, operator: &B, a: Term, b: Term) {
        if !self.options.overflow_check {
            return;
        }
        let width = a.width();
        let wide = if *operator == B::Multiply { 2 * width } else { width + 1 };
        let (x, y) = (a.resize_signed(wide), b.resize_signed(wide));
        let (exact, name) = match operator {
            B::Plus => (x.bv_add(y), "addition"),
            B::Minus => (x.bv_sub(y), "subtraction"),
            _ => (x.bv_mul(y), "multiplication"),
        };
        let fits = exact.equals(exact.resize_unsigned(width).resize_signed(wide));
        self.check(PropertyKind::SignedOverflow, fits, format!("signed overflow in {name}"));
    }

    fn shift_operator(&mut self, operator: B, left: &Value, right: &Value, span: Span) -> Lowered<Value> {
        let left = self.promoted(left, span)?;
        let right = self.promoted(right, span)?;
        if !left.ty.is_integer() || !right.ty.is_integer() {
            return wrong(span, "shifts need integers");
        }
        let (width, amount) = (left.term.width(), right.term);
        let in_range = amount.ult(Term::bv(amount.width(), u128::from(width)));
        self.check(
            PropertyKind::Shift,
            in_range,
            format!("shift by a negative amount, or by {width} or more"),
        );
        let signed = self.types.signed(&left.ty);
        if operator == B::ShiftLeft && signed {
            self.check(PropertyKind::Shift, Term::bv(width, 0).sle(left.term), "shift of a negative number");
        }
        let amount = amount.resize_unsigned(width);
        let shifted = match (operator, signed) {
            (B::ShiftLeft, true) => self.shift_left(left.term, amount, in_range),
            (B::ShiftLeft, false) => left.term.bv_shl(amount),
            (_, true) => left.term.bv_ashr(amount),
            (_, false) => left.term.bv_lshr(amount),
        };
        let defined = if self.options.checks(PropertyKind::Shift) { Term::tru() } else { in_range };
        let term = self.defined(defined, shifted, &left.ty, "a shift by more than the width");
        Ok(Value::new(term, left.ty))
    }

    /// A signed shift to the left. Of what may be shifted at all, a number that is not negative by less than the width, C defines only results that fit (6.5.7).
    fn shift_left(&mut self, left: Term, amount: Term, in_range: Term) -> Term {
        let shifted = left.bv_shl(amount);
        if self.options.checks(PropertyKind::SignedOverflow) {
            let is_shifted = in_range.and(Term::bv(left.width(), 0).sle(left));
            let fits = is_shifted.implies(shifted.bv_ashr(amount).equals(left));
            self.check(PropertyKind::SignedOverflow, fits, "signed overflow in shift");
        }
        shifted
    }

    /// The value where C defines it; elsewhere any value, which may be more than the machine does.
    fn defined(&mut self, defined: Term, value: Term, ty: &Type, reason: &str) -> Term {
        let no_branches = self.builder.as_ref().is_none_or(|b| b.symbolic || b.passive.is_some());
        if defined.is_true() || (no_branches && !defined.is_false()) {
            return value;
        }
        let register = self.temporary(ty);
        let (yes, no, end) = (self.node(), self.node(), self.node());
        self.emit_branch(Op::Assume(defined), yes);
        self.emit_branch(Op::Assume(defined.not()), no);
        self.continue_at(yes);
        self.set(register, value);
        self.emit_branch(Op::Skip, end);
        self.continue_at(no);
        self.approximate(reason);
        self.emit(Op::Havoc(register));
        self.emit_branch(Op::Skip, end);
        self.continue_at(end);
        self.register_term(register)
    }

    /// A pointer moved by a number of elements.
    pub(crate) fn pointer_add(
        &mut self,
        pointer: &Value,
        index: &Value,
        down: bool,
        span: Span,
    ) -> Lowered<Value> {
        if !index.ty.is_integer() {
            return wrong(span, "only integers can be added to pointers");
        }
        let pointee = pointer.ty.pointee().cloned().unwrap_or(Type::Void);
        let Some(size) = self.types.size(&pointee) else {
            return unsupported(
                span,
                "arithmetic on pointers to types without a constant size is not modelled",
            );
        };
        let width = self.pointer_width();
        let bits = self.as_bits(index);
        let index = if self.types.signed(&index.ty) {
            bits.resize_signed(width)
        } else {
            bits.resize_unsigned(width)
        };
        let scaled = index.bv_mul(Term::bv(width, u128::from(size)));
        let term = if down { pointer.term.bv_sub(scaled) } else { pointer.term.bv_add(scaled) };
        Ok(Value::new(term, pointer.ty.clone()))
    }

    fn pointer_difference(&mut self, left: &Value, right: &Value, span: Span) -> Lowered<Value> {
        let sizes = [left, right].map(|value| value.ty.pointee().and_then(|t| self.types.size(t)));
        let size = match sizes {
            [Some(left), Some(right)] if left == right && left > 0 => left,
            _ => return unsupported(span, "the difference of these pointers is not modelled"),
        };
        let width = self.pointer_width();
        let bytes = left.term.bv_sub(right.term);
        Ok(Value::new(bytes.bv_sdiv(Term::bv(width, u128::from(size))), self.difference_type()))
    }

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

    /// All scalars of a type: offset in bits, indices, and the leaf they belong to.
    pub(crate) fn scalars(
        &mut self,
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
        Place { bits, order: base.order, ..Place::new(kind, ty) }
    }
}

/// A truth value as a number.
pub(crate) fn bits_of(term: Term, width: u32) -> Term {
    if term.sort() == Sort::Bool { term.ite(Term::bv(width, 1), Term::bv(width, 0)) } else { term }
}

fn is_comparison(operator: &B) -> bool {
    matches!(operator, B::Less | B::Greater | B::LessOrEqual | B::GreaterOrEqual | B::Equals | B::NotEquals)
}

fn compare(operator: B, a: Term, b: Term, signed: bool) -> Term {
    match (operator, signed) {
        (B::Equals, _) => a.equals(b),
        (B::NotEquals, _) => a.distinct(b),
        (B::Less, true) => a.slt(b),
        (B::Less, false) => a.ult(b),
        (B::LessOrEqual, true) => a.sle(b),
        (B::LessOrEqual, false) => a.ule(b),
        (B::Greater, true) => b.slt(a),
        (B::Greater, false) => b.ult(a),
        (_, true) => b.sle(a),
        (_, false) => b.ule(a),
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

#[cfg(test)]
mod tests {
    use crate::lower::Options;
    use crate::lower::testing::{operations, outcome, outcome_with};
    use crate::program::PropertyKind::{self, Assertion, Bounds, Limit};

    fn violates(body: &str, kind: PropertyKind, options: &Options) -> bool {
        let text = format!(
            "extern void __VERIFIER_assert(int); int a[4]; int m[2][3]; struct b {{ unsigned long long w : 40; }} b; \
             int id(int x) {{ return x; }} int main(void) {{ {body}; return 0; }}"
        );
        outcome_with(&text, options, 1).has(kind)
    }

    #[test]
    fn one_past_the_end_is_an_address() {
        let options = Options::default();
        for fine in [
            "int *p = &a[4]",
            "int *p = &a[id(4)]",
            "int *p = m[2]",
            "int *p = &m[1][3]",
            "int (*p)[3] = &m[2]",
        ] {
            assert!(!violates(fine, Bounds, &options), "{fine}");
        }
        for bad in [
            "int *p = &a[5]",
            "int i = a[id(4)]",
            "int *p = &m[2][0]",
            "int *p = &a[id(-1)]",
            "int *p = m[3]",
        ] {
            assert!(violates(bad, Bounds, &options), "{bad}");
        }
    }

    #[test]
    fn what_c_does_not_define_yields_any_value() {
        let unchecked = Options { division_check: false, ..Options::default() };
        for body in [
            "int x = 1 << id(32); __VERIFIER_assert(x == 0)",
            "int x = 1 << id(32); __VERIFIER_assert(x == 1)",
            "int x = 1 >> id(-1); __VERIFIER_assert(x != 0)",
            "unsigned x = 1u / (unsigned)id(0); __VERIFIER_assert(x == 0xffffffffu)",
            "int x = id(-2147483647 - 1) / id(-1); __VERIFIER_assert(x < 0)",
        ] {
            assert!(violates(body, Assertion, &unchecked), "{body}");
        }
        for body in [
            "int x = 1 << id(31); __VERIFIER_assert(x < 0)",
            "int x = id(7) / id(-1); __VERIFIER_assert(x == -7)",
        ] {
            assert!(!violates(body, Assertion, &unchecked), "{body}");
        }
    }

    #[test]
    fn compilers_disagree_on_wide_bit_fields() {
        assert!(violates("int x = b.w - 1 < 0", Limit, &Options::default()));
        assert!(!violates("long x = (long)b.w - 1", Limit, &Options::default()));
    }

    #[test]
    fn floats_decide_nothing_without_a_mark() {
        let text = "long double f; int main(void) { if (f) { return 1; } return 0; }";
        assert!(outcome(text).notes_with("floating point") > 0);
    }

    #[test]
    fn an_atomic_struct_is_copied_as_a_whole() {
        let text = "struct s { int a, b; }; _Atomic struct s x; void f(void) { struct s y = { 1, 2 }; x = y; y = x; } int main(void) { f(); return 0; }";
        let operations = operations(text, "f");
        let atomic = operations.iter().filter(|op| op.ends_with("Some(SeqCst)")).count();
        assert_eq!(atomic, 4);
        assert_eq!(operations.iter().filter(|op| *op == "begin").count(), 2);
    }
}
