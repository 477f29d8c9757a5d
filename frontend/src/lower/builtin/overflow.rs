//! Arithmetic that says whether it overflowed: `__builtin_add_overflow` and relatives, exact for all integer types.

use crate::lower::context::{Lowered, Lowerer, wrong};
use crate::lower::expression::{Operand, Value};
use crate::types::{IntKind, Type};
use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span};
use smt::Term;

#[derive(Clone, Copy)]
enum Operation {
    Add,
    Sub,
    Mul,
}

/// A function of the family.
struct Overflow {
    operation: Operation,
    /// The type of the operands, if the name says it.
    ty: Option<Type>,
    /// Only asks: the third operand is a value of the type.
    asks: bool,
}

fn classify(name: &str) -> Option<Overflow> {
    let rest = name.strip_prefix("__builtin_")?;
    let (rest, asks) = match rest.strip_suffix("_overflow_p") {
        Some(rest) => (rest, true),
        None => (rest.strip_suffix("_overflow")?, false),
    };
    let generic = |operation| Some(Overflow { operation, ty: None, asks });
    match rest {
        "add" => return generic(Operation::Add),
        "sub" => return generic(Operation::Sub),
        "mul" => return generic(Operation::Mul),
        _ => {}
    }
    let (signed, rest) = match rest.split_at_checked(1)? {
        ("s", rest) => (true, rest),
        ("u", rest) => (false, rest),
        _ => return None,
    };
    let (operation, size) = match rest.split_at_checked(3)? {
        ("add", size) => (Operation::Add, size),
        ("sub", size) => (Operation::Sub, size),
        ("mul", size) => (Operation::Mul, size),
        _ => return None,
    };
    let kind = match size {
        "" => IntKind::Int,
        "l" => IntKind::Long,
        "ll" => IntKind::LongLong,
        _ => return None,
    };
    let ty = Type::Int(if signed { kind } else { kind.to_unsigned() });
    Some(Overflow { operation, ty: Some(ty), asks })
}

impl<'a> Lowerer<'a> {
    /// The mathematical result is stored, cut to its type; the value says whether it was cut.
    pub(super) fn overflow_builtin(
        &mut self,
        name: &str,
        call: &'a Node<ast::CallExpression>,
        span: Span,
    ) -> Lowered<Option<Operand>> {
        let Some(overflow) = classify(name) else { return Ok(None) };
        let [a, b, to] = call.node.arguments.as_slice() else {
            return wrong(span, format!("'{name}' needs three arguments"));
        };
        let (a, b) = (self.overflow_operand(a, &overflow, span)?, self.overflow_operand(b, &overflow, span)?);
        let (place, bits, ty) = if overflow.asks {
            let value = self.rvalue(to)?;
            (None, value.bits, value.ty)
        } else {
            let place = self.target(to)?;
            let (bits, ty) = (place.bits, place.ty.unatomic().clone());
            (Some(place), bits, ty)
        };
        if !ty.is_integer() || !a.ty.is_integer() || !b.ty.is_integer() {
            return wrong(span, "integers are needed here");
        }
        let width = bits.unwrap_or(self.types.width(&ty));
        let wide = 2 * width.max(self.types.width(&a.ty)).max(self.types.width(&b.ty)) + 2;
        let (x, y) = (self.extended(&a, wide), self.extended(&b, wide));
        let exact = match overflow.operation {
            Operation::Add => x.bv_add(y),
            Operation::Sub => x.bv_sub(y),
            Operation::Mul => x.bv_mul(y),
        };
        let is_bool = ty == Type::Bool;
        let cut = if is_bool { exact.extract(0, 0) } else { exact.resize_unsigned(width) };
        let back = if self.types.signed(&ty) { cut.resize_signed(wide) } else { cut.resize_unsigned(wide) };
        let register = self.temporary(&Type::Bool);
        self.set(register, exact.distinct(back));
        if let Some(place) = place {
            self.write(&place, if is_bool { cut.equals(Term::bv(1, 1)) } else { cut });
        }
        Ok(Some(Operand::Scalar(Value::new(self.register_term(register), Type::Bool))))
    }

    fn overflow_operand(
        &mut self,
        operand: &'a Node<Expression>,
        overflow: &Overflow,
        span: Span,
    ) -> Lowered<Value> {
        let value = self.rvalue(operand)?;
        match &overflow.ty {
            Some(ty) => self.convert(&value, ty, span),
            None => Ok(value),
        }
    }

    fn extended(&self, value: &Value, wide: u32) -> Term {
        let bits = self.as_bits(value);
        if self.types.signed(&value.ty) { bits.resize_signed(wide) } else { bits.resize_unsigned(wide) }
    }
}
