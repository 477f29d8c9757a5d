//! Conditions: control goes one way or the other (C11 6.5.13 to 6.5.15).

use super::Family;
use super::{Operand, Place, Value};
use crate::lower::context::{Entity, Lowered, Lowerer, wrong};
use crate::lower::graph::{NodeId, Op, Storage};
use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span};

impl<'a> Lowerer<'a> {
    // Conditions

    /// Control goes to `yes` if the expression is not zero, otherwise to `no`; then nowhere.
    pub(crate) fn condition(
        &mut self,
        expression: &'a Node<Expression>,
        yes: NodeId,
        no: NodeId,
    ) -> Lowered<()> {
        match &expression.node {
            Expression::BinaryOperator(binary)
                if is_logical(&binary.node.operator.node) && !self.is_pure(&binary.node.rhs) =>
            {
                let middle = self.node();
                if binary.node.operator.node == ast::BinaryOperator::LogicalAnd {
                    self.condition(&binary.node.lhs, middle, no)?;
                } else {
                    self.condition(&binary.node.lhs, yes, middle)?;
                }
                self.continue_at(middle);
                self.condition(&binary.node.rhs, yes, no)
            }
            Expression::UnaryOperator(unary) if unary.node.operator.node == ast::UnaryOperator::Negate => {
                self.condition(&unary.node.operand, no, yes)
            }
            Expression::Comma(parts) if !parts.is_empty() => {
                let (last, first) = (&parts[parts.len() - 1], &parts[..parts.len() - 1]);
                first.iter().try_for_each(|p| self.effect(p))?;
                self.condition(last, yes, no)
            }
            _ => {
                let value = self.rvalue(expression)?;
                let truth = self.truth(&value);
                self.emit_branch(Op::Assume(truth), yes);
                self.emit_branch(Op::Assume(truth.not()), no);
                let nowhere = self.node();
                self.continue_at(nowhere);
                Ok(())
            }
        }
    }

    /// Whether evaluating needs no memory, has no effect and cannot fail: then order does not matter.
    pub(crate) fn is_pure(&mut self, expression: &'a Node<Expression>) -> bool {
        if self.builder.as_ref().is_some_and(|b| b.symbolic || b.passive.is_some()) {
            return true;
        }
        match &expression.node {
            Expression::Identifier(name) => matches!(
                self.lookup(&name.node.name),
                Some(Entity::Register(..) | Entity::Enumerator(..) | Entity::Function(_))
            ),
            Expression::Constant(_)
            | Expression::SizeOfTy(_)
            | Expression::SizeOfVal(_)
            | Expression::AlignOf(_) => true,
            Expression::UnaryOperator(unary) => {
                use ast::UnaryOperator as U;
                matches!(unary.node.operator.node, U::Plus | U::Complement | U::Negate)
                    && self.is_pure(&unary.node.operand)
                    || unary.node.operator.node == U::Minus
                        && !self.options.overflow_check
                        && self.is_pure(&unary.node.operand)
            }
            Expression::BinaryOperator(binary) => {
                use ast::BinaryOperator as B;
                let safe = match binary.node.operator.node {
                    B::Less
                    | B::Greater
                    | B::LessOrEqual
                    | B::GreaterOrEqual
                    | B::Equals
                    | B::NotEquals
                    | B::BitwiseAnd
                    | B::BitwiseOr
                    | B::BitwiseXor
                    | B::LogicalAnd
                    | B::LogicalOr => true,
                    B::Plus | B::Minus | B::Multiply => !self.options.overflow_check,
                    _ => false,
                };
                safe && self.is_pure(&binary.node.lhs) && self.is_pure(&binary.node.rhs)
            }
            Expression::Cast(cast) => self.is_pure(&cast.node.expression) && !self.truncates(cast),
            _ => false,
        }
    }

    /// Whether a number with a fraction becomes an integer, which it may not fit into.
    fn truncates(&mut self, cast: &'a Node<ast::CastExpression>) -> bool {
        let is_float =
            |s: &mut Self| s.type_of(&cast.node.expression).is_ok_and(|ty| ty.unatomic().is_float());
        let is_integer = |s: &mut Self| s.type_name(&cast.node.type_name).is_ok_and(|ty| ty.is_integer());
        !matches!(cast.node.expression.node, Expression::Constant(_)) && is_float(self) && is_integer(self)
    }

    pub(super) fn conditional(
        &mut self,
        conditional: &'a Node<ast::ConditionalExpression>,
        span: Span,
    ) -> Lowered<Operand> {
        let (yes, no) = (self.node(), self.node());
        let parts = &conditional.node;
        let elvis = is_elvis(&parts.then_expression);
        let end = self.node();
        if elvis {
            self.elvis(&parts.condition, yes, no)?;
        } else if let Some(constant) = self.constant_condition(&parts.condition) {
            return self.chosen(parts, constant, span);
        } else {
            self.condition(&parts.condition, yes, no)?;
        }
        let result = self.branches(parts, (yes, no, end), span);
        if elvis && let Some(builder) = &mut self.builder {
            builder.elvis.pop();
        }
        result
    }

    /// `x ?: y`: the value of `x` is kept, since its place in the text is evaluated once.
    fn elvis(&mut self, condition: &'a Node<Expression>, yes: NodeId, no: NodeId) -> Lowered<()> {
        let value = self.rvalue(condition)?;
        let register = self.temporary(&value.ty);
        self.set(register, value.term);
        let kept = Value { term: self.register_term(register), ..value };
        let truth = self.truth(&kept);
        if let Some(builder) = &mut self.builder {
            builder.elvis.push(kept);
        }
        self.emit_branch(Op::Assume(truth), yes);
        self.emit_branch(Op::Assume(truth.not()), no);
        Ok(())
    }

    /// Constant expressions must stay constant (array sizes, `__builtin_choose_expr`-like macros).
    fn chosen(
        &mut self,
        parts: &'a ast::ConditionalExpression,
        condition: bool,
        span: Span,
    ) -> Lowered<Operand> {
        let (taken, other) = if condition {
            (&parts.then_expression, &parts.else_expression)
        } else {
            (&parts.else_expression, &parts.then_expression)
        };
        let ty = self.conditional_type(taken, other)?;
        match (self.operand(taken)?, ty) {
            (Operand::Scalar(value), Some(typed)) => {
                let converted = self.convert(&value, &typed.ty, span)?;
                Ok(Operand::Scalar(self.typed_value(converted.term, typed)))
            }
            (operand, _) => Ok(operand),
        }
    }

    /// Both operands, each at its node, and what they yield at the end.
    fn branches(
        &mut self,
        parts: &'a ast::ConditionalExpression,
        (yes, no, end): (NodeId, NodeId, NodeId),
        span: Span,
    ) -> Lowered<Operand> {
        let typed = self.conditional_type(&parts.then_expression, &parts.else_expression)?;
        let ty = typed.as_ref().map(|typed| typed.ty.clone());
        let register = ty.as_ref().filter(|t| t.is_scalar()).map(|t| self.temporary(t));
        let mut aggregate = None;
        for (node, part) in [(yes, &parts.then_expression), (no, &parts.else_expression)] {
            self.continue_at(node);
            match (self.operand(part)?, &register, &ty) {
                (Operand::Scalar(value), Some(register), Some(ty)) => {
                    let converted = self.convert(&value, ty, span)?;
                    self.set(*register, converted.term);
                }
                (Operand::Aggregate(place), ..) => {
                    let object = *aggregate.get_or_insert_with(|| {
                        let name = format!("{}::$conditional", self.function_name());
                        self.new_object(&name, place.ty.clone(), Storage::Automatic, span.start)
                    });
                    self.emit(Op::Forget(object));
                    let target = Place::object(object, place.ty.clone());
                    self.copy(&target, &place, span)?;
                }
                // One operand is `void`, and so is the result.
                (Operand::Void | Operand::Scalar(_), None, None) => {}
                (Operand::Void | Operand::Scalar(_), ..) => {
                    return wrong(span, "the operands of this conditional do not fit each other");
                }
            }
            self.emit_branch(Op::Skip, end);
        }
        self.continue_at(end);
        match (register, typed, aggregate) {
            (Some(register), Some(typed), _) => {
                Ok(Operand::Scalar(self.typed_value(self.register_term(register), typed)))
            }
            (_, Some(typed), Some(object)) => Ok(Operand::Aggregate(Place::object(object, typed.ty))),
            _ => Ok(Operand::Void),
        }
    }

    fn constant_condition(&mut self, condition: &'a Node<Expression>) -> Option<bool> {
        if !self.is_pure(condition) {
            return None;
        }
        let value = self.dry(|s| s.rvalue(condition)).ok()?;
        self.truth(&value).as_bool()
    }
}

fn is_logical(operator: &ast::BinaryOperator) -> bool {
    Family::of(operator) == Family::Logical
}

/// Whether the middle operand of a conditional was left out.
pub(crate) fn is_elvis(then: &Node<Expression>) -> bool {
    matches!(&then.node, Expression::Identifier(name) if name.node.name == crate::tokens::ELVIS)
}
