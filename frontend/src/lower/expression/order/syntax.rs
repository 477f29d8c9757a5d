//! Effects that the syntax alone shows.

use crate::lower::expression::Family;
use lang_c::ast::{self, BinaryOperator as B, Expression, Initializer, UnaryOperator as U};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};

pub(super) fn is_atomic_operation(name: &str) -> bool {
    ["__sync_", "__atomic_", "__c11_atomic_", "atomic_"].iter().any(|prefix| name.starts_with(prefix))
        && !name.contains("fence")
        && !name.contains("synchronize")
}

/// Looks for anything that is not just a value: assignments, `++`, `--`, calls, statements.
struct EffectFinder(bool);

impl<'ast> Visit<'ast> for EffectFinder {
    fn visit_call_expression(&mut self, _: &'ast ast::CallExpression, _: &'ast Span) {
        self.0 = true;
    }

    fn visit_statement(&mut self, _: &'ast ast::Statement, _: &'ast Span) {
        self.0 = true;
    }

    fn visit_unary_operator_expression(
        &mut self,
        unary: &'ast ast::UnaryOperatorExpression,
        span: &'ast Span,
    ) {
        self.0 |= matches!(
            unary.operator.node,
            U::PreIncrement | U::PreDecrement | U::PostIncrement | U::PostDecrement
        );
        visit::visit_unary_operator_expression(self, unary, span);
    }

    fn visit_binary_operator_expression(
        &mut self,
        binary: &'ast ast::BinaryOperatorExpression,
        span: &'ast Span,
    ) {
        self.0 |= is_assignment(&binary.operator.node);
        visit::visit_binary_operator_expression(self, binary, span);
    }
}

pub(super) fn is_assignment(operator: &B) -> bool {
    Family::of(operator) == Family::Assignment
}

/// Whether evaluating the expression does more than yield a value.
pub(crate) fn has_effects(expression: &Node<Expression>) -> bool {
    let mut finder = EffectFinder(false);
    finder.visit_expression(&expression.node, &expression.span);
    finder.0
}

/// The same for an initialiser.
pub(crate) fn initializer_has_effects(initializer: &Node<Initializer>) -> bool {
    let mut finder = EffectFinder(false);
    finder.visit_initializer(&initializer.node, &initializer.span);
    finder.0
}
