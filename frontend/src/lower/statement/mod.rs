//! Statements become control flow (C11 6.8).

mod asynchronous;
mod blocks;
mod jump;
mod labels;
mod local;
mod passive;
mod step;
mod switch;
mod temporary;
#[cfg(test)]
mod tests;

use crate::lower::context::{Lowered, Lowerer, wrong};
use crate::lower::expression::{Operand, Place, Value};
use crate::lower::graph::{CallResult, NodeId, Op};
use crate::program::Assumption;
pub(crate) use blocks::{Blocks, Target};
pub(crate) use labels::label_of;
use lang_c::ast::{self, Expression, Statement};
use lang_c::span::{Node, Span};
pub(crate) use switch::Switch;

impl<'a> Lowerer<'a> {
    pub(crate) fn statement(&mut self, statement: &'a Node<Statement>) -> Lowered<()> {
        let outer = self.set_span(self.head(statement));
        let result = self.statement_inner(statement);
        self.set_span(outer);
        result
    }

    /// What stands for a statement where it is shown: all of it, or what is in front of its body. A body in the same line is shown with it.
    fn head(&self, statement: &'a Node<Statement>) -> Span {
        let span = statement.span;
        let body = match &statement.node {
            Statement::If(branch) => Some(&branch.node.then_statement),
            Statement::Switch(switch) => Some(&switch.node.statement),
            Statement::While(repeat) => Some(&repeat.node.statement),
            Statement::DoWhile(repeat) => Some(&repeat.node.statement),
            Statement::For(repeat) => Some(&repeat.node.statement),
            Statement::Labeled(labeled) => Some(&labeled.node.statement),
            Statement::Compound(_) => None,
            _ => return span,
        };
        let line = |offset: usize| self.unit.map.line_number(offset);
        let from = body.map_or(span.start, |body| body.span.start);
        let text = self.text(Span { start: from, end: span.end });
        let front = self.text(Span { start: span.start, end: from }).trim_end();
        if !front.is_empty() && line(from) != line(span.start + front.len() - 1) {
            return Span { start: span.start, end: span.start + front.len() };
        }
        // Lines are the user's: what a macro becomes may have more.
        let is_end = |(at, sign): &(usize, char)| match sign {
            '{' => true,
            '\n' => {
                let rest = &text[*at..];
                let next = from + at + (rest.len() - rest.trim_start().len());
                line(next) != line(from)
            }
            _ => false,
        };
        let end = text.char_indices().find(is_end).map_or(text.len(), |(at, _)| at);
        let shown = self.text(Span { start: span.start, end: from + end }).trim_end();
        Span { start: span.start, end: span.start + shown.len() }
    }

    fn statement_inner(&mut self, statement: &'a Node<Statement>) -> Lowered<()> {
        match &statement.node {
            Statement::Labeled(labeled) => self.labeled(labeled),
            Statement::Compound(items) => self.block(items),
            Statement::Expression(None) => Ok(()),
            Statement::Expression(Some(expression)) => {
                let (atomic, around) = (self.begin_statement(expression), self.begin_full_expression());
                let result = self.guarded(|s| s.effect(expression));
                self.end_full_expression(around);
                self.end_statement(atomic);
                result
            }
            Statement::If(branch) => self.if_statement(&branch.node),
            Statement::Switch(switch) => self.switch(&switch.node),
            Statement::While(repeat) => {
                let (head, body, end) = (self.node(), self.node(), self.node());
                self.join(head);
                self.decide(&repeat.node.expression, body, end)?;
                self.continue_at(body);
                self.loop_body(&repeat.node.statement, head, end)?;
                self.emit_branch(Op::Skip, head);
                self.continue_at(end);
                Ok(())
            }
            Statement::DoWhile(repeat) => {
                let (body, test, end) = (self.node(), self.node(), self.node());
                self.join(body);
                self.loop_body(&repeat.node.statement, test, end)?;
                self.join(test);
                self.decide(&repeat.node.expression, body, end)?;
                self.continue_at(end);
                Ok(())
            }
            Statement::For(repeat) => self.for_statement(&repeat.node),
            Statement::Goto(label) => {
                self.goto_label(&label.node.name, label.span);
                Ok(())
            }
            Statement::Continue => match self.builder.as_ref().and_then(|b| b.continues.last().copied()) {
                Some(target) => {
                    self.jump(target);
                    Ok(())
                }
                None => wrong(statement.span, "'continue' outside of a loop"),
            },
            Statement::Break => match self.builder.as_ref().and_then(|b| b.breaks.last().copied()) {
                Some(target) => {
                    self.jump(target);
                    Ok(())
                }
                None => wrong(statement.span, "'break' outside of a loop or switch"),
            },
            Statement::Return(value) => self.return_statement(value.as_deref(), statement.span),
            Statement::Asm(asm) => self.assembly(&asm.node, statement.span),
        }
    }

    pub(crate) fn block(&mut self, items: &'a [Node<ast::BlockItem>]) -> Lowered<()> {
        self.enter_block();
        let result = self.items(items);
        self.leave_block();
        result
    }

    fn items(&mut self, items: &'a [Node<ast::BlockItem>]) -> Lowered<()> {
        for item in items {
            match &item.node {
                ast::BlockItem::Declaration(declaration) => {
                    let outer = self.set_span(declaration.span);
                    let result = self.guarded(|s| s.local_declaration(declaration));
                    self.set_span(outer);
                    result?;
                }
                ast::BlockItem::Statement(statement) => self.statement(statement)?,
                ast::BlockItem::StaticAssert(check) => self.static_assert(check)?,
            }
        }
        Ok(())
    }

    pub(crate) fn static_assert(&mut self, check: &'a Node<ast::StaticAssert>) -> Lowered<()> {
        match self.constant(&check.node.expression) {
            Ok(0) => wrong(check.span, "a static assertion does not hold"),
            Ok(_) => Ok(()),
            // The compiler has evaluated it, or a remark says that there was none.
            Err(_) => {
                self.assuming(
                    Assumption::Other,
                    check.span.start,
                    "a static assertion is not evaluated here",
                );
                Ok(())
            }
        }
    }

    fn if_statement(&mut self, branch: &'a ast::IfStatement) -> Lowered<()> {
        let (yes, no, end) = (self.node(), self.node(), self.node());
        self.decide(&branch.condition, yes, no)?;
        self.continue_at(yes);
        self.statement(&branch.then_statement)?;
        self.emit_branch(Op::Skip, end);
        self.continue_at(no);
        if let Some(other) = &branch.else_statement {
            self.statement(other)?;
        }
        self.join(end);
        Ok(())
    }

    /// A condition of a statement; one step as a whole with `--atomic-statements`.
    fn decide(&mut self, condition: &'a Node<Expression>, yes: NodeId, no: NodeId) -> Lowered<()> {
        let outer = self.set_span(condition.span);
        let atomic = self.begin_statement(condition);
        let result = if atomic {
            let (then, other) = (self.node(), self.node());
            let result = self.guarded(|s| s.condition(condition, then, other));
            for (from, to) in [(then, yes), (other, no)] {
                self.continue_at(from);
                self.emit_branch(Op::AtomicEnd, to);
            }
            result
        } else {
            self.guarded(|s| s.condition(condition, yes, no))
        };
        self.set_span(outer);
        result
    }

    fn loop_body(&mut self, body: &'a Node<Statement>, next: NodeId, end: NodeId) -> Lowered<()> {
        let (next, end) = (self.target_at(next), self.target_at(end));
        if let Some(builder) = &mut self.builder {
            builder.continues.push(next);
            builder.breaks.push(end);
        }
        let result = self.statement(body);
        if let Some(builder) = &mut self.builder {
            builder.continues.pop();
            builder.breaks.pop();
        }
        result
    }

    fn for_statement(&mut self, repeat: &'a ast::ForStatement) -> Lowered<()> {
        self.enter_block();
        let result = self.for_inner(repeat);
        self.leave_block();
        result
    }

    fn for_inner(&mut self, repeat: &'a ast::ForStatement) -> Lowered<()> {
        match &repeat.initializer.node {
            ast::ForInitializer::Empty => {}
            ast::ForInitializer::Expression(expression) => self.simple_statement(expression)?,
            ast::ForInitializer::Declaration(declaration) => {
                self.guarded(|s| s.local_declaration(declaration))?
            }
            ast::ForInitializer::StaticAssert(check) => self.static_assert(check)?,
        }
        let (head, body, step, end) = (self.node(), self.node(), self.node(), self.node());
        self.join(head);
        match &repeat.condition {
            Some(condition) => self.decide(condition, body, end)?,
            None => self.emit_jump(Op::Skip, body),
        }
        self.continue_at(body);
        self.loop_body(&repeat.statement, step, end)?;
        self.join(step);
        if let Some(expression) = &repeat.step {
            self.simple_statement(expression)?;
        }
        self.emit_branch(Op::Skip, head);
        self.continue_at(end);
        Ok(())
    }

    fn simple_statement(&mut self, expression: &'a Node<Expression>) -> Lowered<()> {
        let outer = self.set_span(expression.span);
        let (atomic, around) = (self.begin_statement(expression), self.begin_full_expression());
        let result = self.guarded(|s| s.effect(expression));
        self.end_full_expression(around);
        self.end_statement(atomic);
        self.set_span(outer);
        result
    }

    fn return_statement(&mut self, value: Option<&'a Node<Expression>>, span: Span) -> Lowered<()> {
        let result = self.builder.as_ref().map_or(CallResult::None, |b| b.result.clone());
        if let Some(expression) = value {
            let atomic = self.begin_statement(expression);
            let done = self.guarded(|s| match &result {
                CallResult::None => s.effect(expression),
                CallResult::Scalar(register, ty) => {
                    let Operand::Scalar(value) = s.hinted(expression, ty)? else {
                        return wrong(span, "a value is needed here");
                    };
                    let value = s.convert(&value, ty, span)?;
                    s.set(*register, value.term);
                    Ok(())
                }
                CallResult::Aggregate(object) => {
                    let source = s.place(expression)?;
                    let target = Place::object(*object, source.ty.clone());
                    s.copy(&target, &source, span)
                }
            });
            self.end_statement(atomic);
            done?;
        }
        self.jump_to_exit();
        Ok(())
    }

    /// `({ ... })`: the value of the last expression.
    pub(crate) fn statement_expression(&mut self, statement: &'a Node<Statement>) -> Lowered<Operand> {
        let Statement::Compound(items) = &statement.node else {
            return self.statement(statement).map(|()| Operand::Void);
        };
        self.enter_block();
        let result = self.statement_expression_items(items);
        self.leave_block();
        result
    }

    fn statement_expression_items(&mut self, items: &'a [Node<ast::BlockItem>]) -> Lowered<Operand> {
        let Some((last, first)) = items.split_last() else { return Ok(Operand::Void) };
        self.items(first)?;
        if let ast::BlockItem::Statement(statement) = &last.node
            && let (labels, Statement::Expression(Some(expression))) = without_labels(statement)
        {
            for (name, labeled) in labels {
                self.plain_label(name, labeled)?;
            }
            self.check_order(expression);
            return match self.operand(expression)? {
                Operand::Scalar(value) => {
                    // The block's variables go out of scope; keep the value.
                    let register = self.temporary(&value.ty);
                    self.set(register, value.term);
                    Ok(Operand::Scalar(Value { term: self.register_term(register), ..value }))
                }
                Operand::Aggregate(place) => {
                    let object = self.temporary_object(&place.ty, expression.span);
                    if let Some(builder) = &mut self.builder {
                        builder.blocks.outlive(object);
                    }
                    let copy = Place::object(object, place.ty.clone());
                    self.copy(&copy, &place, expression.span)?;
                    Ok(Operand::Aggregate(copy))
                }
                Operand::Void => Ok(Operand::Void),
            };
        }
        self.items(std::slice::from_ref(last))?;
        Ok(Operand::Void)
    }
}

/// A statement without the names in front of it, which do not keep it from being the value of a block; and these.
pub(crate) fn without_labels(
    statement: &Node<Statement>,
) -> (Vec<(&str, &Node<ast::LabeledStatement>)>, &Statement) {
    let (mut labels, mut inner) = (Vec::new(), statement);
    while let Statement::Labeled(labeled) = &inner.node
        && let ast::Label::Identifier(name) = &labeled.node.label.node
        && !name.node.name.starts_with("__CPROVER_")
    {
        labels.push((name.node.name.as_str(), labeled));
        inner = &labeled.node.statement;
    }
    (labels, &inner.node)
}
