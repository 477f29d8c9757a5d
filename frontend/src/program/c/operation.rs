//! One operation of a scalar term as a C expression.
//!
//! Invariant: the expression of a bit-vector has a value between 0 and `2^width - 1`. Types narrower than `int` are computed in
//! `uint32_t`, because C would take them to `int`, where products can overflow.

use super::block::Block;
use super::helpers::{Operation, literal};
use super::{CError, container};
use smt::{Bits, Op, Term};

impl Block<'_, '_> {
    /// A term whose arguments are done.
    pub(super) fn operation(&mut self, term: Term) -> Result<String, CError> {
        if let Some(bits) = term.as_bits() {
            return literal(bits);
        }
        if let Some(value) = term.as_bool() {
            return Ok(u8::from(value).to_string());
        }
        let arguments = term.args();
        match (term.op(), arguments) {
            (Op::Not, &[inner]) => Ok(format!("!{}", self.expression(inner)?)),
            (Op::And, _) => self.join(" && ", arguments),
            (Op::Or, _) => self.join(" || ", arguments),
            (Op::Implies, &[premise, conclusion]) => {
                Ok(format!("(!{} || {})", self.expression(premise)?, self.expression(conclusion)?))
            }
            (Op::Eq, &[first, second]) if first.sort().index().is_some() => self.equal_arrays(first, second),
            (Op::Eq, &[first, second]) => self.infix(first, "==", second),
            (Op::Ite, &[condition, then, otherwise]) => {
                let (then, otherwise) = (self.expression(then)?, self.expression(otherwise)?);
                Ok(format!("({} ? {then} : {otherwise})", self.expression(condition)?))
            }
            (Op::Select, &[array, index]) => self.element(array, index),
            (Op::BvUlt, &[first, second]) => self.infix(first, "<", second),
            (Op::BvUle, &[first, second]) => self.infix(first, "<=", second),
            (Op::BvSlt, &[first, second]) => self.signed_comparison(first, "<", second),
            (Op::BvSle, &[first, second]) => self.signed_comparison(first, "<=", second),
            (Op::BvNot, &[inner]) => wrap(term.width(), &format!("~{}", self.expression(inner)?)),
            (Op::BvNeg, &[inner]) => wrap(term.width(), &format!("0 - {}", self.expression(inner)?)),
            (Op::ZeroExtend(_), &[inner]) => {
                Ok(format!("({}){}", kind(term.width())?, self.expression(inner)?))
            }
            (Op::SignExtend(_), &[inner]) => self.sign_extend(term.width(), inner),
            (&Op::Extract { low, .. }, &[inner]) => self.extract(term.width(), low, inner),
            _ => self.chain(term),
        }
    }

    fn join(&mut self, symbol: &str, arguments: &[Term]) -> Result<String, CError> {
        let parts: Vec<String> =
            arguments.iter().map(|argument| self.expression(*argument)).collect::<Result<_, _>>()?;
        Ok(format!("({})", parts.join(symbol)))
    }

    fn infix(&mut self, first: Term, symbol: &str, second: Term) -> Result<String, CError> {
        Ok(format!("({} {symbol} {})", self.expression(first)?, self.expression(second)?))
    }

    /// By cast where there is a signed type, otherwise by moving the numbers.
    fn signed_comparison(&mut self, first: Term, symbol: &str, second: Term) -> Result<String, CError> {
        let width = first.width();
        let (a, b) = (self.expression(first)?, self.expression(second)?);
        let size = container(width)?;
        if size == width {
            return Ok(format!("({} {symbol} {})", as_signed(size, &a), as_signed(size, &b)));
        }
        let sign = literal(&Bits::signed_min(width))?;
        Ok(format!("(({a} ^ {sign}) {symbol} ({b} ^ {sign}))"))
    }

    fn sign_extend(&mut self, width: u32, inner: Term) -> Result<String, CError> {
        let from = inner.width();
        let text = self.expression(inner)?;
        let size = container(from)?;
        if size == from && container(width)? == width {
            return Ok(format!("(uint{width}_t){}", as_signed(size, &text)));
        }
        if size == from {
            return wrap(width, &format!("({}){}", wide_kind(width)?, as_signed(size, &text)));
        }
        let sign = literal(&Bits::signed_min(from))?;
        wrap(width, &format!("(({}){text} ^ {sign}) - {sign}", wide_kind(width)?))
    }

    fn extract(&mut self, width: u32, low: u32, inner: Term) -> Result<String, CError> {
        let text = self.expression(inner)?;
        let shifted = if low == 0 { text } else { format!("({text} >> {low})") };
        wrap(width, &shifted)
    }

    /// Operations with any number of arguments, from left to right.
    fn chain(&mut self, term: Term) -> Result<String, CError> {
        let Some((&first, rest)) = term.args().split_first() else { return Ok("0".to_owned()) };
        let mut text = self.expression(first)?;
        let mut width = first.width();
        for &next in rest {
            text = match term.op() {
                Op::Xor => format!("({text} != {})", self.expression(next)?),
                Op::BvAnd => format!("({text} & {})", self.expression(next)?),
                Op::BvOr => format!("({text} | {})", self.expression(next)?),
                Op::BvXor => format!("({text} ^ {})", self.expression(next)?),
                Op::BvAdd => self.arithmetic(width, &text, "+", next)?,
                Op::BvSub => self.arithmetic(width, &text, "-", next)?,
                Op::BvMul => self.arithmetic(width, &text, "*", next)?,
                Op::BvSdiv => self.call(Operation::Sdiv, width, &text, next)?,
                Op::BvSrem => self.call(Operation::Srem, width, &text, next)?,
                Op::BvAshr => self.call(Operation::Ashr, width, &text, next)?,
                Op::Concat => {
                    let low = self.expression(next)?;
                    width += next.width();
                    let kind = wide_kind(width)?;
                    wrap(width, &format!("(({kind}){text} << {}) | {low}", next.width()))?
                }
                _ => self.guarded(term.op(), width, &text, next)?,
            };
        }
        Ok(text)
    }

    fn arithmetic(&mut self, width: u32, first: &str, symbol: &str, second: Term) -> Result<String, CError> {
        let cast = if container(width)? < 32 { "(uint32_t)" } else { "" };
        let second = self.expression(second)?;
        wrap(width, &format!("{cast}{first} {symbol} {second}"))
    }

    fn call(
        &mut self,
        operation: Operation,
        width: u32,
        first: &str,
        second: Term,
    ) -> Result<String, CError> {
        let second = self.expression(second)?;
        Ok(format!("{}({first}, {second})", self.emission.helpers.operation(operation, width)))
    }

    /// Operations that C does not define for all operands.
    fn guarded(&mut self, op: &Op, width: u32, first: &str, second: Term) -> Result<String, CError> {
        let known = second.as_bits().and_then(Bits::to_u128);
        let by = self.atom(second)?;
        let cast = if container(width)? < 32 { "(uint32_t)" } else { "" };
        let (result, otherwise) = match op {
            Op::BvUdiv => (format!("{first} / {by}"), literal(&Bits::ones(width))?),
            Op::BvUrem => (format!("{first} % {by}"), first.to_owned()),
            Op::BvShl => (wrap(width, &format!("{cast}{first} << {by}"))?, "0".to_owned()),
            _ => (format!("{first} >> {by}"), "0".to_owned()),
        };
        let shift = !matches!(op, Op::BvUdiv | Op::BvUrem);
        let fine = known.map(|known| if shift { known < u128::from(width) } else { known != 0 });
        Ok(match (fine, shift) {
            (Some(true), _) => format!("({result})"),
            (Some(false), _) => otherwise,
            (None, true) => format!("({by} < {width} ? {result} : {otherwise})"),
            (None, false) => format!("({by} == 0 ? {otherwise} : {result})"),
        })
    }
}

/// The C type that holds numbers of this width.
fn kind(width: u32) -> Result<String, CError> {
    Ok(format!("uint{}_t", container(width)?))
}

/// The C type that numbers of this width are computed in.
fn wide_kind(width: u32) -> Result<String, CError> {
    Ok(format!("uint{}_t", container(width)?.max(32)))
}

/// A number as a signed one. What was just made unsigned is taken as it was: signed, or narrower and so never negative.
fn as_signed(size: u32, text: &str) -> String {
    let inner = text.strip_prefix(&format!("(uint{size}_t)"));
    let is_name = |text: &&str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    match inner.filter(is_name) {
        Some(name) => name.to_owned(),
        None => format!("(int{size}_t){text}"),
    }
}

/// The number modulo `2^width`.
fn wrap(width: u32, text: &str) -> Result<String, CError> {
    let size = container(width)?;
    let text = if text.contains(' ') { format!("({text})") } else { text.to_owned() };
    if size == width {
        return Ok(format!("(uint{size}_t){text}"));
    }
    Ok(format!("({text} & {})", literal(&Bits::ones(width))?))
}
