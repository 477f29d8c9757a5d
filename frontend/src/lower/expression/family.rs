//! Operators with two operands, by what they do with them: the one list of them.

use lang_c::ast::BinaryOperator as B;

/// What an operator does with its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    Index,
    /// `=`, and operators that write their result to the left operand.
    Assignment,
    /// `&&` and `||`: the right operand may not be evaluated.
    Logical,
    Comparison,
    /// The type is that of the left operand.
    Shift,
    /// `+` and `-`, also of pointers.
    Additive,
    Multiplicative,
    Bitwise,
}

impl Family {
    pub(crate) fn of(operator: &B) -> Family {
        match operator {
            B::Index => Family::Index,
            B::Assign
            | B::AssignMultiply
            | B::AssignDivide
            | B::AssignModulo
            | B::AssignPlus
            | B::AssignMinus
            | B::AssignShiftLeft
            | B::AssignShiftRight
            | B::AssignBitwiseAnd
            | B::AssignBitwiseXor
            | B::AssignBitwiseOr => Family::Assignment,
            B::LogicalAnd | B::LogicalOr => Family::Logical,
            B::Less | B::Greater | B::LessOrEqual | B::GreaterOrEqual | B::Equals | B::NotEquals => {
                Family::Comparison
            }
            B::ShiftLeft | B::ShiftRight => Family::Shift,
            B::Plus | B::Minus => Family::Additive,
            B::Multiply | B::Divide | B::Modulo => Family::Multiplicative,
            B::BitwiseAnd | B::BitwiseXor | B::BitwiseOr => Family::Bitwise,
        }
    }
}
