//! Arithmetic with bit-fields wider than `int`, as gcc has it: such a field has a type of its own with as many bits as the field, signed or not as the type
//! that is written, and that type takes part in the usual conversions (C11 6.3.1.8) by its number of bits. `x.f + 1` with a field of 40 bits wraps around
//! at 40 bits; clang computes with the type that is written. Values are in the written type, and cut to the width of the field behind each operation.

use super::Family;
use crate::lower::context::{Lowered, Lowerer, unsupported};
use crate::lower::expression::Value;
use crate::lower::expression::typing::Typed;
use crate::types::Type;
use lang_c::ast::BinaryOperator as B;
use lang_c::span::Span;
use smt::Term;

impl<'a> Lowerer<'a> {
    /// The number of bits of such a field.
    pub(super) fn wide_bits(&self, ty: &Type, bits: Option<u32>) -> Option<u32> {
        bits.filter(|bits| ty.is_integer() && *bits > 32 && *bits < self.types.width(ty))
    }

    /// The common type of two operands of which one may be such a field, and its bits if it is that of a field.
    pub(super) fn wide_common(
        &self,
        left: (&Type, Option<u32>),
        right: (&Type, Option<u32>),
    ) -> Option<(Type, Option<u32>)> {
        let sides = [left, right].map(|(ty, bits)| {
            let wide = self.wide_bits(ty, bits);
            let ty = if wide.is_some() { ty.unatomic().clone() } else { self.types.promote(ty, bits) };
            let precision = wide.unwrap_or(self.types.width(&ty));
            (ty, wide, precision)
        });
        let [a, b] = sides;
        if (a.1.is_none() && b.1.is_none()) || !a.0.is_integer() || !b.0.is_integer() {
            return None;
        }
        let is_left = match a.2.cmp(&b.2) {
            std::cmp::Ordering::Greater => true,
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Equal => !self.types.signed(&a.0),
        };
        let chosen = if is_left { a } else { b };
        Some((chosen.0, chosen.1))
    }

    /// Arithmetic and comparison where an operand is such a field; none if there is none.
    pub(super) fn wide_arithmetic(
        &mut self,
        operator: &B,
        left: &Value,
        right: &Value,
        span: Span,
    ) -> Lowered<Option<Value>> {
        let Some((ty, bits)) = self.wide_common((&left.ty, left.bits), (&right.ty, right.bits)) else {
            return Ok(None);
        };
        let (mut left, mut right) = (self.convert(left, &ty, span)?, self.convert(right, &ty, span)?);
        if let Some(bits) = bits {
            self.refuse_wide_overflow(&ty, span)?;
            left.term = self.cut(left.term, &ty, bits);
            right.term = self.cut(right.term, &ty, bits);
        }
        let result = self.arithmetic(operator.clone(), &left, &right, span)?;
        Ok(Some(match bits {
            Some(bits) if Family::of(operator) != Family::Comparison => {
                self.wide_value(result.term, &ty, bits)
            }
            _ => result,
        }))
    }

    /// Overflow of these types is not looked for.
    pub(super) fn refuse_wide_overflow(&self, ty: &Type, span: Span) -> Lowered<()> {
        if self.options.overflow_check && self.types.signed(ty) {
            return unsupported(
                span,
                "overflow of a bit-field wider than int is not modelled; convert it first",
            );
        }
        Ok(())
    }

    /// A value with so many bits.
    pub(super) fn wide_value(&self, term: Term, ty: &Type, bits: u32) -> Value {
        Value { term: self.cut(term, ty, bits), ty: ty.clone(), bits: Some(bits) }
    }

    /// A value of a type, cut to the width of a bit-field if it is that of one.
    pub(super) fn typed_value(&self, term: Term, typed: Typed) -> Value {
        match typed.bits {
            Some(bits) => self.wide_value(term, &typed.ty, bits),
            None => Value::new(term, typed.ty),
        }
    }

    /// The number that the last bits are.
    fn cut(&self, term: Term, ty: &Type, bits: u32) -> Term {
        let (full, narrow) = (term.width(), term.resize_unsigned(bits));
        if self.types.signed(ty) { narrow.resize_signed(full) } else { narrow.resize_unsigned(full) }
    }
}
