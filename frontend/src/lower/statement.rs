//! Statements become control flow (C11 6.8).

use super::blocks::Target;
use super::context::{Entity, Lowered, Lowerer, unsupported, wrong};
use super::expression::{Operand, Place, PlaceKind, Value};
use super::graph::{Access, CallResult, MemoryOrder, NodeId, Op, Storage};
use crate::assembly::Syntax;
use crate::program::{Assumption, PropertyKind};
use crate::types::Type;
use lang_c::ast::{self, Expression, Statement};
use lang_c::span::{Node, Span};
use lang_c::visit::Visit;
use smt::{Symbol, Term};

/// A `switch` whose body is being translated.
pub(crate) struct Switch {
    pub ty: Type,
    /// Values from, to, and where control goes.
    pub cases: Vec<(i128, i128, Target)>,
    pub default: Option<Target>,
}

/// `ERROR: goto ERROR;`, which verifiers' programs of old have where they must not get. Nobody else waits for ever at such a label; others
/// that are called so (`ERROR: return 1;`) are ordinary, unless --error-label names them.
fn is_error_loop(name: &str, statement: &Node<Statement>) -> bool {
    let returns = matches!(&statement.node, Statement::Goto(label) if label.node.name == name);
    returns && matches!(name, "ERROR" | "LDV_ERROR")
}

impl<'a> Lowerer<'a> {
    pub(crate) fn statement(&mut self, statement: &'a Node<Statement>) -> Lowered<()> {
        let outer = self.set_span(first_line(self.text(statement.span), statement.span));
        let result = self.statement_inner(statement);
        self.set_span(outer);
        result
    }

    fn statement_inner(&mut self, statement: &'a Node<Statement>) -> Lowered<()> {
        match &statement.node {
            Statement::Labeled(labeled) => self.labeled(labeled),
            Statement::Compound(items) => self.block(items),
            Statement::Expression(None) => Ok(()),
            Statement::Expression(Some(expression)) => {
                let atomic = self.begin_statement(expression);
                let result = self.guarded(|s| s.effect(expression));
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

    /// `goto`.
    pub(crate) fn goto_label(&mut self, name: &str, span: Span) {
        if let Some(builder) = &mut self.builder {
            builder.gotos.push((name.to_owned(), span));
        }
        let node = self.label(name);
        self.jump_to_label(name, node);
    }

    fn labeled(&mut self, labeled: &'a Node<ast::LabeledStatement>) -> Lowered<()> {
        let inner = &labeled.node.statement;
        match &labeled.node.label.node {
            ast::Label::Identifier(name) => {
                let name = name.node.name.as_str();
                if name.starts_with("__CPROVER_ASYNC_") {
                    return self.guarded(|s| s.asynchronous(inner));
                }
                if name == "__CPROVER_passive_broadcast" {
                    return self.broadcast(inner);
                }
                self.plain_label(name, labeled)?;
            }
            ast::Label::Case(value) => {
                let value = self.constant(value)?;
                self.case(value, value, labeled.span)?;
            }
            ast::Label::CaseRange(range) => {
                let (low, high) = (self.constant(&range.node.low)?, self.constant(&range.node.high)?);
                self.case(low, high, labeled.span)?;
            }
            ast::Label::Default => {
                let target = self.case_target();
                match self.builder.as_mut().and_then(|b| b.switches.last_mut()) {
                    Some(switch) if switch.default.is_some() => {
                        return wrong(labeled.span, "this 'switch' has two 'default' labels");
                    }
                    Some(switch) => switch.default = Some(target),
                    None => return wrong(labeled.span, "'default' outside of a switch"),
                }
            }
        }
        self.statement(inner)
    }

    /// A name that can be jumped to.
    fn plain_label(&mut self, name: &str, labeled: &'a Node<ast::LabeledStatement>) -> Lowered<()> {
        let place = labeled.span.start;
        let known = self.builder.as_mut().and_then(|b| b.label_places.insert(name.to_owned(), place));
        if known.is_some_and(|known| known != place) {
            return wrong(labeled.span, format!("the label '{}' is there twice", self.unit.name(name)));
        }
        let node = self.label(name);
        self.join(node);
        self.jumped_to(name);
        if self.options.error_labels.iter().any(|l| l == name) || is_error_loop(name, &labeled.node.statement)
        {
            self.error_labels.insert(name.to_owned());
            let description = format!("label {name} is reached");
            self.violation(PropertyKind::ErrorLabel, description, labeled.span);
        }
        Ok(())
    }

    fn case(&mut self, low: i128, high: i128, span: Span) -> Lowered<()> {
        let target = self.case_target();
        let ty = self.builder.as_ref().and_then(|b| b.switches.last()).map(|switch| switch.ty.clone());
        let (width, signed) = ty.map_or((64, true), |ty| (self.types.width(&ty), self.types.signed(&ty)));
        let number = |value: i128| as_number(value, width, signed);
        let (first, last) = (number(low), number(high));
        match self.builder.as_mut().and_then(|b| b.switches.last_mut()) {
            Some(switch)
                if switch.cases.iter().any(|(a, b, _)| first <= number(*b) && number(*a) <= last)
                    && first <= last =>
            {
                wrong(span, format!("two labels for case {first}"))
            }
            Some(switch) => {
                switch.cases.push((low, high, target));
                Ok(())
            }
            None => wrong(span, "'case' outside of a switch"),
        }
    }

    /// The place of a case, which is here.
    fn case_target(&mut self) -> Target {
        let node = self.node();
        self.join(node);
        self.target_at(node)
    }

    /// A node in the current block.
    fn target_at(&self, node: NodeId) -> Target {
        Target { node, block: self.builder.as_ref().and_then(|b| b.blocks.current()) }
    }

    pub(super) fn label(&mut self, name: &str) -> NodeId {
        if let Some(known) = self.builder.as_ref().and_then(|b| b.labels.get(name).copied()) {
            return known;
        }
        let node = self.node();
        if let Some(builder) = &mut self.builder {
            builder.labels.insert(name.to_owned(), node);
        }
        node
    }

    /// `__CPROVER_passive_broadcast: x = e`: all other threads' x (section 3.4).
    fn broadcast(&mut self, statement: &'a Node<Statement>) -> Lowered<()> {
        let message =
            "an assignment to a thread-local variable must follow the label __CPROVER_passive_broadcast";
        let Statement::Expression(Some(expression)) = &statement.node else {
            return wrong(statement.span, message);
        };
        let Expression::BinaryOperator(binary) = &expression.node else {
            return wrong(statement.span, message);
        };
        if binary.node.operator.node != ast::BinaryOperator::Assign {
            return wrong(statement.span, message);
        }
        let place = self.place(&binary.node.lhs)?;
        let PlaceKind::Memory(address) = place.kind.clone() else { return wrong(statement.span, message) };
        if let Some(builder) = &mut self.builder {
            builder.passive = Some(Vec::new());
            builder.broadcast = Some(address.clone());
        }
        let value = self.rvalue(&binary.node.rhs).and_then(|v| self.convert(&v, &place.ty, expression.span));
        let choices = self.builder.as_mut().and_then(|b| b.passive.take()).unwrap_or_default();
        if let Some(builder) = &mut self.builder {
            builder.broadcast = None;
        }
        let value = value?;
        let ty = place.ty.unatomic().clone();
        let access = Access::of(place.bits.unwrap_or(self.types.width(&ty)), ty, Some(MemoryOrder::SeqCst));
        let term = if value.term.sort() == access.sort() {
            value.term
        } else {
            value.term.resize_unsigned(access.width)
        };
        self.emit(Op::Broadcast(address, access, term, choices));
        Ok(())
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
                    let outer = self.set_span(first_line(self.text(declaration.span), declaration.span));
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
            let result = self.condition(condition, then, other);
            for (from, to) in [(then, yes), (other, no)] {
                self.continue_at(from);
                self.emit_branch(Op::AtomicEnd, to);
            }
            result
        } else {
            self.condition(condition, yes, no)
        };
        self.set_span(outer);
        match result {
            Err(refusal) if !refusal.error => {
                self.limit(refusal.offset, &refusal.message);
                Ok(())
            }
            other => other,
        }
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
        let atomic = self.begin_statement(expression);
        let result = self.guarded(|s| s.effect(expression));
        self.end_statement(atomic);
        self.set_span(outer);
        result
    }

    fn switch(&mut self, switch: &'a ast::SwitchStatement) -> Lowered<()> {
        let outer = self.set_span(switch.expression.span);
        let atomic = self.begin_statement(&switch.expression);
        let value = self.switch_value(&switch.expression);
        self.end_statement(atomic);
        self.set_span(outer);
        let value = value?;
        let register = self.temporary(&value.ty);
        self.set(register, value.term);
        let (dispatch, body, end) = (self.node(), self.node(), self.node());
        self.join(dispatch);
        let end = self.target_at(end);
        if let Some(builder) = &mut self.builder {
            builder.switches.push(Switch { ty: value.ty.clone(), cases: Vec::new(), default: None });
            builder.breaks.push(end);
        }
        self.continue_at(body);
        let result = self.statement(&switch.statement);
        self.emit_branch(Op::Skip, end.node);
        let Some(builder) = &mut self.builder else { return result };
        builder.breaks.pop();
        let Some(cases) = builder.switches.pop() else { return result };
        self.continue_at(dispatch);
        self.dispatch(&cases, self.register_term(register), end);
        self.continue_at(end.node);
        result
    }

    /// What a `switch` looks at. If it is not modelled, control does not get into the body, which is translated all the same.
    fn switch_value(&mut self, expression: &'a Node<Expression>) -> Lowered<Value> {
        let value = self.rvalue(expression).and_then(|value| self.promoted(&value, expression.span));
        match value {
            Ok(value) if value.ty.is_integer() => Ok(value),
            Ok(_) => wrong(expression.span, "a switch needs an integer"),
            Err(refusal) if !refusal.error => {
                self.limit(refusal.offset, &refusal.message);
                let ty = crate::types::INT;
                Ok(Value::new(self.any(&ty), ty))
            }
            Err(refusal) => Err(refusal),
        }
    }

    fn dispatch(&mut self, switch: &Switch, value: Term, end: Target) {
        let (width, signed) = (value.width(), self.types.signed(&switch.ty));
        let mut none = Term::tru();
        for (low, high, target) in &switch.cases {
            let (low, high) = (Term::bv_signed(width, *low), Term::bv_signed(width, *high));
            let matches = match (low == high, signed) {
                (true, _) => value.equals(low),
                (false, true) => low.sle(value).and(value.sle(high)),
                (false, false) => low.ule(value).and(value.ule(high)),
            };
            self.branch_into(Op::Assume(matches), end.block, *target);
            none = none.and(matches.not());
        }
        self.branch_into(Op::Assume(none), end.block, switch.default.unwrap_or(end));
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

    /// A full expression begins here. With `--atomic-statements` it is one step, if it has no calls.
    fn begin_statement(&mut self, expression: &'a Node<Expression>) -> bool {
        self.check_order(expression);
        let mut finder = CallFinder { lowerer: self, found: false };
        finder.visit_expression(&expression.node, &expression.span);
        let found = finder.found;
        self.begin_step(found)
    }

    /// What a race is does not depend on what we call a step: with races to look for, each access is one.
    fn begin_step(&mut self, has_calls: bool) -> bool {
        let model = self.builder.as_ref().is_none_or(|b| b.model);
        if !self.options.atomic_statements || self.options.race_check || model || has_calls {
            return false;
        }
        self.emit(Op::AtomicBegin);
        true
    }

    /// Initial values are one step like other statements.
    fn begin_initializer(&mut self, initializer: &'a Node<ast::Initializer>) -> bool {
        if let ast::Initializer::Expression(expression) = &initializer.node {
            return self.begin_statement(expression);
        }
        let mut finder = CallFinder { lowerer: self, found: false };
        finder.visit_initializer(&initializer.node, &initializer.span);
        let found = finder.found;
        self.begin_step(found)
    }

    /// Arguments are evaluated in one step, if they have no calls.
    pub(crate) fn begin_arguments(&mut self, arguments: &'a [Node<Expression>]) -> bool {
        let mut finder = CallFinder { lowerer: self, found: false };
        arguments.iter().for_each(|argument| finder.visit_expression(&argument.node, &argument.span));
        let found = finder.found;
        self.begin_step(found)
    }

    pub(crate) fn end_statement(&mut self, atomic: bool) {
        if atomic {
            self.emit(Op::AtomicEnd);
        }
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
                    Ok(Operand::Scalar(Value::new(self.register_term(register), value.ty)))
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

    /// Local variables. What cannot be declared cannot be used.
    fn local_declaration(&mut self, declaration: &'a Node<ast::Declaration>) -> Lowered<()> {
        let result = self.local_variables(declaration);
        if let Err(refusal) = &result
            && !refusal.error
        {
            let declarators = declaration.node.declarators.iter().map(|d| &d.node.declarator);
            self.set_aside(&crate::parse::declared_names(declarators), refusal);
        }
        result
    }

    fn local_variables(&mut self, declaration: &'a Node<ast::Declaration>) -> Lowered<()> {
        let (mut base, class) = self.specifiers(&declaration.node.specifiers)?;
        for declared in &declaration.node.declarators {
            if let Some(ty) = self.automatic_type(declaration, declared)? {
                base = ty;
            }
            let (name, ty) = self.declarator(base.clone(), &declared.node.declarator)?;
            let Some(name) = name else { return wrong(declared.span, "a declaration needs a name") };
            let text = name.node.name.as_str();
            let mut attributes = self.declared_attributes(&declared.node.declarator, &class)?;
            // `register long x asm("r10") = e;` is for operands of inline assembly, which say it again when they use the register.
            if declared.node.initializer.is_some()
                && attributes.label.as_deref().is_some_and(is_machine_register)
            {
                attributes.label = None;
            }
            if !matches!(ty, Type::Function(_)) || class.typedef {
                attributes.of_a_variable(name.span)?;
            }
            if class.typedef {
                if attributes.align > 0 || class.type_align.is_some() {
                    return unsupported(name.span, "the alignment of a local type is not modelled");
                }
                self.bind(text, Entity::Typedef(ty));
                continue;
            }
            if matches!(ty, Type::Function(_)) {
                let id = self.declare_function(text, ty, name.span)?;
                self.mark_function(id, &attributes);
                self.bind(text, Entity::Function(id));
                continue;
            }
            if class.external {
                self.declare_global(text, ty, &class, None, name.span)?;
                continue;
            }
            if class.fixed || class.thread_local {
                self.static_local(
                    text,
                    ty,
                    class.thread_local,
                    declared.node.initializer.as_ref(),
                    name.span,
                )?;
                continue;
            }
            if matches!(ty, Type::Array(_, None)) && declared.node.initializer.is_none() {
                self.variable_array(text, ty, &declared.node.declarator, name.span)?;
                continue;
            }
            self.automatic(text, ty, declared.node.initializer.as_ref(), name.span)?;
        }
        Ok(())
    }

    /// An array whose length is not constant: its length is kept for bounds and `sizeof`.
    fn variable_array(
        &mut self,
        name: &str,
        ty: Type,
        declarator: &'a Node<ast::Declarator>,
        span: Span,
    ) -> Lowered<()> {
        let sizes = declarator.node.derived.iter().filter_map(|d| match &d.node {
            ast::DerivedDeclarator::Array(array) => Some(&array.node.size),
            _ => None,
        });
        let mut sizes = sizes;
        let Some(ast::ArraySize::VariableExpression(size)) = sizes.next() else {
            let hint = "the length of this array is in its type and not constant, which is not modelled; write the length here";
            return unsupported(span, hint);
        };
        if ty.pointee().is_none_or(|element| !self.is_complete(element)) {
            return unsupported(
                span,
                "only the first length of an array may be other than constant; the others must be constant",
            );
        }
        let value = self.rvalue(size)?;
        let length_type = self.size_value(0).ty;
        let value = self.convert(&value, &length_type, size.span)?;
        let length = self.temporary(&length_type);
        self.set(length, value.term);
        let full = format!("{}::{}", self.function_name(), self.unit.name(name));
        let object = self.new_object(&full, ty, Storage::Automatic, span.start);
        self.lengths.insert(object, length);
        self.bind(name, Entity::Object(object));
        self.emit(Op::Forget(object));
        Ok(())
    }

    fn static_local(
        &mut self,
        name: &str,
        ty: Type,
        thread_local: bool,
        initializer: Option<&'a Node<ast::Initializer>>,
        span: Span,
    ) -> Lowered<()> {
        let full = format!("{}::{}", self.function_name(), self.unit.name(name));
        let storage = if thread_local { Storage::ThreadLocal } else { Storage::Static };
        let object = self.new_object(&full, ty, storage, span.start);
        self.bind(name, Entity::Object(object));
        match initializer {
            Some(initializer) => self.static_initializer(object, initializer),
            None => Ok(()),
        }
    }

    fn initialize(&mut self, place: &Place, initializer: &'a Node<ast::Initializer>) -> Lowered<()> {
        let atomic = self.begin_initializer(initializer);
        let result = self.local_initializer(place, initializer);
        self.end_statement(atomic);
        result
    }

    fn automatic(
        &mut self,
        name: &str,
        ty: Type,
        initializer: Option<&'a Node<ast::Initializer>>,
        span: Span,
    ) -> Lowered<()> {
        let full = format!("{}::{}", self.function_name(), self.unit.name(name));
        let taken = self.builder.as_ref().is_some_and(|b| b.address_taken.contains(name));
        if ty.is_scalar() && !taken {
            let unique = self.unique(&full);
            let register = self.new_register(unique, &ty, span.start);
            self.bind(name, Entity::Register(register, ty.clone()));
            if let Some(builder) = &mut self.builder {
                builder.blocks.declare_register(register);
            }
            match initializer {
                Some(initializer) => {
                    self.initialize(&Place::register(register, ty), initializer)?;
                }
                None => self.emit(Op::Havoc(register)),
            }
            return Ok(());
        }
        let ty = self.completed(ty, initializer)?;
        if !self.is_complete(&ty) {
            return wrong(span, format!("'{name}' has an incomplete type"));
        }
        let object = self.new_object(&full, ty.clone(), Storage::Automatic, span.start);
        self.bind(name, Entity::Object(object));
        match initializer {
            Some(initializer) => {
                self.emit(if ty.is_aggregate() { Op::Clear(object) } else { Op::Forget(object) });
                self.initialize(&Place::object(object, ty), initializer)?;
            }
            None => self.emit(Op::Forget(object)),
        }
        Ok(())
    }
}

/// Functions of the verifiers' vocabulary, which are no calls.
const VOCABULARY: &[&str] = &[
    "assert",
    "__monabs_assert",
    "__VERIFIER_assert",
    "__CPROVER_assert",
    "__VERIFIER_assume",
    "__CPROVER_assume",
    "__ESBMC_assert",
    "__ESBMC_assume",
    "__goblint_check",
    "__goblint_assert",
    "__goblint_assume",
    "__builtin_assume",
    crate::tokens::LABEL,
];
/// A number as a type has it.
fn as_number(value: i128, width: u32, signed: bool) -> i128 {
    let shift = 128 - width.clamp(1, 127);
    if signed { value << shift >> shift } else { ((value as u128) << shift >> shift) as i128 }
}

/// A statement without the names in front of it, which do not keep it from being the value of a block; and these.
pub(super) fn without_labels(
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

/// Only the first line of a compound statement stands for it.
fn first_line(text: &str, span: Span) -> Span {
    let length = text.find(['\n', '{']).unwrap_or(text.len());
    Span { start: span.start, end: span.start + length }
}

/// Whether an expression calls something or contains statements.
struct CallFinder<'l, 'a> {
    lowerer: &'l Lowerer<'a>,
    found: bool,
}

impl<'ast> Visit<'ast> for CallFinder<'_, '_> {
    fn visit_call_expression(&mut self, call: &'ast ast::CallExpression, _span: &'ast Span) {
        // Values of input functions are part of the statement, and so is what is asserted or assumed.
        let harmless = matches!(&call.callee.node, Expression::Identifier(name)
            if name.node.name.contains("nondet")
                || name.node.name.starts_with("__builtin_expect")
                || VOCABULARY.contains(&name.node.name.as_str())
                    && !self.lowerer.definitions.contains_key(&Symbol::new(&name.node.name)));
        self.found |= !harmless;
        call.arguments.iter().for_each(|argument| self.visit_expression(&argument.node, &argument.span));
    }

    fn visit_statement(&mut self, _statement: &'ast Statement, _span: &'ast Span) {
        self.found = true;
    }
}

fn is_machine_register(name: &str) -> bool {
    [Syntax::X86, Syntax::Aarch64].iter().any(|syntax| crate::assembly::register(name, *syntax).is_some())
}

#[cfg(test)]
mod tests {
    use crate::lower::Options;
    use crate::lower::testing::{outcome, outcome_with};
    use crate::program::PropertyKind::{Assertion, DataRace, Limit};

    fn options() -> Options {
        Options { atomic_statements: true, ..Options::default() }
    }

    /// Whether main, which runs beside a thread that moves a one from x to y in one step, can see neither or both.
    fn sees_half(statement: &str, options: &Options) -> bool {
        let text = format!(
            "extern void __VERIFIER_assert(int); extern void __VERIFIER_assume(int); void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); \
             extern int __VERIFIER_nondet_int(void); int x = 1, y; \
             void t(void) {{ __VERIFIER_atomic_begin(); x = 0; y = 1; __VERIFIER_atomic_end(); }} \
             int f(void) {{ return x + y == 1; }} int g(void) {{ return x || y; }} void check(int c) {{ __VERIFIER_assert(c); }} \
             int main(void) {{ __CPROVER_ASYNC_1: t(); {statement} return 0; }}"
        );
        outcome_with(&text, options, 2).has(Assertion)
    }

    #[test]
    fn a_statement_is_one_step() {
        for statement in [
            "__VERIFIER_assert(y || x);",
            "__VERIFIER_assert(y > 0 || x == 1);",
            "int v = y + x; __VERIFIER_assert(v == 1);",
            "int v[2] = { y, x }; __VERIFIER_assert(v[0] + v[1] == 1);",
            "if (y == 0 && x == 0) __VERIFIER_assert(0);",
            "while (!y && !x) __VERIFIER_assert(0);",
            "switch (y + x) { case 1: break; default: __VERIFIER_assert(0); }",
            "int v; for (v = y + x; 0; ); __VERIFIER_assert(v == 1);",
            "__VERIFIER_assert(f());",
            "__VERIFIER_assert(g());",
            "check(y || x);",
            "int v = y ? 1 : x; __VERIFIER_assert(v == 1);",
            "__VERIFIER_assume(y == 0 && x == 0); __VERIFIER_assert(0);",
        ] {
            assert!(!sees_half(statement, &options()), "{statement}");
        }
        assert!(sees_half("int v = y; __VERIFIER_assert(v || x);", &options()));
        assert!(sees_half("__VERIFIER_assert(y || x);", &Options::default()));
    }

    #[test]
    fn a_race_does_not_depend_on_what_a_step_is() {
        let text =
            "int x; void t(void) { x = 1; } int main(void) { __CPROVER_ASYNC_1: t(); x = 2; return 0; }";
        let options = Options { race_check: true, ..options() };
        assert!(outcome_with(text, &options, 2).has(DataRace));
    }

    #[test]
    fn assembly_that_is_not_known_is_a_limit() {
        let of = |asm: &str| {
            let text = format!(
                "extern void __VERIFIER_assert(int); int main(void) {{ int k = 4, i = 0; {asm} __VERIFIER_assert(k == 4 && i == 0); return 0; }}"
            );
            let outcome = outcome(&text);
            (outcome.has(Limit), outcome.has(Assertion))
        };
        assert_eq!(of("__asm__ volatile(\"\" : \"+r\"(k) : : \"memory\");"), (false, false));
        assert_eq!(of("__asm__(\"\" : : \"r\"(i++));"), (false, true));
        assert_eq!(of("__asm__(\"\" : \"=r\"(k));"), (false, true));
        assert_eq!(of("__asm__(\"inc %0\" : \"+r\"(i));"), (false, true));
        assert_eq!(of("__asm__(\"rdtsc\" : \"=a\"(k) : : \"rdx\");"), (false, true));
        assert_eq!(
            of("__asm__(\"cpuid\" : \"+a\"(k) : : \"rbx\", \"rcx\", \"rdx\", \"memory\");"),
            (true, false)
        );
        assert_eq!(of("__asm__(\"wrmsr\");"), (true, false));
    }

    #[test]
    fn what_a_switch_looks_at_may_not_be_modelled() {
        let text = "struct s { unsigned long long w : 40; } s; int main(void) { switch (s.w + 1) { case 1: l: return 1; } goto l; }";
        assert!(outcome(text).has(Limit));
    }
}
