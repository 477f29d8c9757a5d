//! Integer constant expressions (C11 6.6).

use crate::lower::context::{Lowered, Lowerer, wrong};
use lang_c::ast;
use lang_c::span::Node;

impl<'a> Lowerer<'a> {
    /// The value of an integer constant expression.
    pub(crate) fn constant(&mut self, expression: &'a Node<ast::Expression>) -> Lowered<i128> {
        let value = self.dry(|s| s.rvalue(expression))?;
        let term = if value.term.sort().is_bool() {
            value.term.as_bool().map(i128::from)
        } else {
            self.literal(&value)
        };
        match term {
            Some(number) => Ok(number),
            None => wrong(expression.span, "a constant is needed here"),
        }
    }

    /// The number that a constant value is, read with its type's sign.
    pub(crate) fn literal(&self, value: &crate::lower::expression::Value) -> Option<i128> {
        let bits = value.term.as_bits()?;
        if self.types.signed(&value.ty) {
            bits.to_i128()
        } else {
            bits.to_u128().and_then(|n| i128::try_from(n).ok())
        }
    }
}
