//! Machine arithmetic on bit-vectors (C11 6.5.5 to 6.5.12), with the checks that the user asked for.

use super::Family;
use crate::lower::context::{Lowered, Lowerer, unsupported, wrong};
use crate::lower::expression::Value;
use crate::lower::expression::float::{Comparison, Operation};
use crate::lower::graph::Op;
use crate::program::PropertyKind;
use crate::types::Type;
use lang_c::ast::BinaryOperator as B;
use lang_c::span::Span;
use smt::Term;

impl<'a> Lowerer<'a> {
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

    /// Arithmetic, comparison, shifts and bit operations on values.
    pub(crate) fn arithmetic(
        &mut self,
        operator: B,
        left: &Value,
        right: &Value,
        span: Span,
    ) -> Lowered<Value> {
        let pointers = (left.ty.is_pointer(), right.ty.is_pointer());
        match operator {
            B::Plus if pointers.0 => return self.pointer_add(left, right, false, span),
            B::Plus if pointers.1 => return self.pointer_add(right, left, false, span),
            B::Minus if pointers == (true, true) => return self.pointer_difference(left, right, span),
            B::Minus if pointers.0 => return self.pointer_add(left, right, true, span),
            B::ShiftLeft | B::ShiftRight => return self.shift_operator(operator, left, right, span),
            _ => {}
        }
        if let Some(result) = self.wide_arithmetic(&operator, left, right, span)? {
            return Ok(result);
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
            B::Divide | B::Modulo => self.division(&operator, a, b, &ty),
            _ => return wrong(span, "this operator is not expected here"),
        };
        Ok(Value::new(term, ty))
    }

    /// `/` and `%`: not by zero, and not the least number by minus one.
    fn division(&mut self, operator: &B, a: Term, b: Term, ty: &Type) -> Term {
        let (width, signed) = (a.width(), self.types.signed(ty));
        let not_zero = b.distinct(Term::bv(width, 0));
        let least = a.equals(Term::bv(width, 1 << (width - 1)));
        let fits = least.and(b.equals(Term::bv_signed(width, -1))).not();
        self.check(PropertyKind::DivisionByZero, not_zero, "division by zero");
        if signed {
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
            defined = not_zero;
        }
        let may_be_negative = b.upper_bound().is_none_or(|most| most >> (width - 1) != 0);
        if signed && may_be_negative && !self.options.checks(PropertyKind::SignedOverflow) {
            defined = defined.and(fits);
        }
        self.defined(defined, quotient, ty, "a division that C does not define")
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
        let wide = self.wide_bits(&left.ty, left.bits);
        if wide.is_some() {
            self.refuse_wide_overflow(&left.ty, span)?;
        }
        let left = self.promoted(left, span)?;
        let right = self.promoted(right, span)?;
        if !left.ty.is_integer() || !right.ty.is_integer() {
            return wrong(span, "shifts need integers");
        }
        let (width, amount) = (left.term.width(), right.term);
        let in_range = amount.ult(Term::bv(amount.width(), u128::from(wide.unwrap_or(width))));
        self.check(
            PropertyKind::Shift,
            in_range,
            format!("shift by a negative amount, or by {} or more", wide.unwrap_or(width)),
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
        Ok(match wide {
            Some(bits) => self.wide_value(term, &left.ty, bits),
            None => Value::new(term, left.ty),
        })
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
}

fn is_comparison(operator: &B) -> bool {
    Family::of(operator) == Family::Comparison
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
