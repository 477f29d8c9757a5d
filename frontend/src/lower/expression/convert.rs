//! Conversions between scalar types (C11 6.3).

use crate::lower::context::{Lowered, Lowerer, unsupported, wrong};
use crate::lower::expression::float::Format;
use crate::lower::expression::{Operand, Value};
use crate::lower::graph::Op;
use crate::program::PropertyKind;
use crate::types::{DataModel, INT, Type};
use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span};
use smt::{Sort, Term};

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
        self.types.note_conversion(&value.ty, to);
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

    /// Without the fraction. What does not fit is not defined (C11 6.3.1.4), and machines and compilers disagree on it: an overflow where these are looked for and the type is signed,
    /// otherwise any value, which is no reason to call a run real.
    fn float_as_number(&mut self, value: &Value, to: &Type, span: Span) -> Value {
        let (Some(format), Type::Int(_)) = (self.float_format(&value.ty), to) else {
            return self.unknown_float(to.clone(), span);
        };
        let (term, fits) = format.to_integer(value.term, self.types.width(to), self.types.signed(to));
        if fits.is_true() {
            return Value::new(term, to.clone());
        }
        if self.options.overflow_check && self.types.signed(to) {
            self.check(
                PropertyKind::SignedOverflow,
                fits,
                "signed overflow in a conversion from floating point",
            );
            return Value::new(term, to.clone());
        }
        if self.builder.as_ref().is_none_or(|b| b.symbolic || b.passive.is_some()) {
            let other = self.any(to);
            return Value::new(fits.ite(term, other), to.clone());
        }
        let register = self.temporary(to);
        let (good, bad, end) = (self.node(), self.node(), self.node());
        self.emit_branch(Op::Assume(fits), good);
        self.emit_branch(Op::Assume(fits.not()), bad);
        self.continue_at(bad);
        self.approximate("a floating-point number becomes an integer that it does not fit into");
        self.emit(Op::Havoc(register));
        self.emit_branch(Op::Skip, end);
        self.continue_at(good);
        self.set(register, term);
        self.emit_branch(Op::Skip, end);
        self.continue_at(end);
        Value::new(self.register_term(register), to.clone())
    }

    pub(crate) fn promoted(&mut self, value: &Value, span: Span) -> Lowered<Value> {
        let to = self.types.promote(&value.ty, value.bits);
        self.convert(value, &to, span)
    }

    pub(crate) fn cast(&mut self, cast: &'a Node<ast::CastExpression>, span: Span) -> Lowered<Operand> {
        let ty = self.type_name(&cast.node.type_name)?;
        self.length_effects_of_type(&cast.node.type_name)?;
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
}

/// A truth value as a number.
pub(crate) fn bits_of(term: Term, width: u32) -> Term {
    if term.sort() == Sort::Bool { term.ite(Term::bv(width, 1), Term::bv(width, 0)) } else { term }
}
