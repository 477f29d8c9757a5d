//! `__CPROVER_ASYNC_n:` in front of a statement: a new thread runs it.
//!
//! A call is what the thread starts with; its arguments are evaluated before, by the thread that starts it. Any other statement becomes the
//! body of a function without a name. As in CBMC, the new thread has copies of the variables of the blocks around it, with the values that
//! they have now: they are the parameters of that function, and the names mean them inside of it. Jumps do not lead out of it, and `return` ends the
//! thread.

use crate::lower::context::{Builder, Entity, Lowered, Lowerer, unsupported, wrong};
use crate::lower::expression::PlaceKind;
use crate::lower::function::AddressScan;
use crate::lower::graph::{Argument, Callee, FunctionId, Op, Parameter, Storage};
use crate::types::{FunctionType, Type};
use lang_c::ast::{self, Expression, Statement};
use lang_c::span::{Node, Span};
use lang_c::visit::Visit;
use smt::Term;
use std::rc::Rc;

/// A variable of the blocks around the statement, and what a copy of it starts with.
struct Captured<'a> {
    name: &'a str,
    ty: Type,
    value: Argument,
}

impl<'a> Lowerer<'a> {
    /// Starts a thread that runs the statement.
    pub(crate) fn asynchronous(&mut self, statement: &'a Node<Statement>) -> Lowered<()> {
        if let Statement::Expression(Some(expression)) = &statement.node
            && let Expression::Call(call) = &expression.node
            && self.is_ordinary_call(call)
        {
            return self.asynchronous_call(call);
        }
        let captured = self.captured(statement)?;
        let parameters = captured.iter().map(|c| c.ty.clone()).collect();
        let ty = Type::Function(Rc::new(FunctionType { result: Type::Void, parameters, variadic: false }));
        let name = self.unique(&format!("{}::async", self.function_name()));
        let id = self.declare_function(name.as_str(), ty, statement.span)?;
        let model = self.builder.as_ref().is_some_and(|b| b.model);
        let outer = (self.builder.take(), std::mem::take(&mut self.label_objects));
        let mut scan = AddressScan::default();
        scan.visit_statement(&statement.node, &statement.span);
        self.builder = Some(Builder::new(name, statement.span, scan, model));
        let built = self.asynchronous_body(id, &captured, statement);
        (self.builder, self.label_objects) = outer;
        built?;
        let arguments = captured.into_iter().map(|c| c.value).collect();
        let identity = self.identity_of_new_thread(statement.span)?;
        self.emit(Op::Spawn(Callee::Direct(id), arguments, identity));
        Ok(())
    }

    /// Whether a call is one of a function that has a body, or through a pointer; built-in functions are statements like others.
    fn is_ordinary_call(&self, call: &Node<ast::CallExpression>) -> bool {
        let Expression::Identifier(name) = &call.node.callee.node else { return true };
        match self.lookup(&name.node.name) {
            Some(Entity::Function(id)) => self.is_defined(*id),
            Some(Entity::Object(_) | Entity::Register(..)) => true,
            Some(Entity::Typedef(_) | Entity::Enumerator(..) | Entity::Unevaluated(_)) | None => false,
        }
    }

    fn asynchronous_call(&mut self, call: &'a Node<ast::CallExpression>) -> Lowered<()> {
        if let Expression::Identifier(name) = &call.node.callee.node
            && let Some(Entity::Function(id)) = self.lookup(&name.node.name).cloned()
        {
            self.require(id);
            let ty = self.functions[id.index()].ty.clone();
            let arguments = self.arguments(&ty, &call.node.arguments, call.span)?;
            let identity = self.identity_of_new_thread(call.span)?;
            self.emit(Op::Spawn(Callee::Direct(id), arguments, identity));
            return Ok(());
        }
        let callee = self.rvalue(&call.node.callee)?;
        let Some(ty @ Type::Function(_)) = callee.ty.pointee().cloned() else {
            return wrong(call.span, "this is not a function");
        };
        let arguments = self.arguments(&ty, &call.node.arguments, call.span)?;
        let identity = self.identity_of_new_thread(call.span)?;
        self.emit(Op::Spawn(Callee::Indirect(callee.term, ty), arguments, identity));
        Ok(())
    }

    /// The handle of a thread that nobody can wait for: a number of its own, so that `pthread_self` tells threads apart.
    pub(in crate::lower) fn identity_of_new_thread(&mut self, span: Span) -> Lowered<Term> {
        match self.call_model("__monabs_new_identity", Vec::new(), span)? {
            Some(identity) => Ok(identity.term),
            None => wrong(span, "the model of identities returns nothing; this is a bug"),
        }
    }

    /// The variables of the blocks around a statement that it speaks of, in the order of their names.
    fn captured(&mut self, statement: &'a Node<Statement>) -> Lowered<Vec<Captured<'a>>> {
        let mut names = Names::default();
        names.visit_statement(&statement.node, &statement.span);
        names.found.sort_by_key(|name| &name.node.name);
        names.found.dedup_by_key(|name| &name.node.name);
        let mut captured = Vec::new();
        for name in names.found {
            let text = name.node.name.as_str();
            let local = self.scopes.iter().skip(1).rev().find_map(|scope| scope.names.get(text)).cloned();
            let is_automatic = match &local {
                Some(Entity::Object(object)) => self.objects[object.index()].storage == Storage::Automatic,
                Some(Entity::Register(..)) => true,
                _ => false,
            };
            if !is_automatic {
                continue;
            }
            let (ty, value) = match local {
                Some(Entity::Register(register, ty)) => {
                    (ty.clone(), Argument::Scalar(self.register_term(register), ty))
                }
                Some(Entity::Object(object)) => self.copied(object, name.span)?,
                _ => continue,
            };
            captured.push(Captured { name: text, ty, value });
        }
        Ok(captured)
    }

    /// What is passed for a variable in memory.
    fn copied(&mut self, object: crate::lower::graph::ObjectId, span: Span) -> Lowered<(Type, Argument)> {
        let ty = self.objects[object.index()].ty.clone();
        let place = crate::lower::expression::Place::object(object, ty.clone());
        if ty.is_scalar() {
            let value = self.read(&place).term;
            return Ok((ty.unatomic().clone(), Argument::Scalar(value, ty.unatomic().clone())));
        }
        match (ty.unatomic(), place.kind) {
            (Type::Record(_), PlaceKind::Memory(address)) => {
                Ok((ty.clone(), Argument::Aggregate(address, ty)))
            }
            _ => unsupported(
                span,
                "an array of a function is used behind __CPROVER_ASYNC, where each thread has a copy; make it global",
            ),
        }
    }

    fn asynchronous_body(
        &mut self,
        id: FunctionId,
        captured: &[Captured<'a>],
        statement: &'a Node<Statement>,
    ) -> Lowered<()> {
        let name = self.functions[id.index()].name;
        let depth = self.scopes.len();
        self.enter_block();
        let mut parameters = Vec::new();
        for variable in captured {
            let full = format!("{name}::{}", variable.name);
            let taken = self.builder.as_ref().is_some_and(|b| b.address_taken.contains(variable.name));
            let ty = variable.ty.clone();
            let (parameter, entity) = if ty.is_scalar() && !taken {
                let unique = self.unique(&full);
                let register = self.new_register(unique, &ty, statement.span.start);
                (Parameter::Register(register), Entity::Register(register, ty.clone()))
            } else {
                let object = self.new_object(&full, ty.clone(), Storage::Automatic, statement.span.start);
                (Parameter::Object(object), Entity::Object(object))
            };
            self.bind(variable.name, entity);
            parameters.push((parameter, ty));
        }
        if let Some(builder) = &mut self.builder {
            builder.blocks.declared_parameters();
        }
        self.enter_block();
        let body = self.statement(statement);
        self.leave_block();
        self.leave_block();
        self.scopes.truncate(depth);
        body?;
        if let Err(refusal) = self.check_labels() {
            return unsupported(
                statement.span,
                format!(
                    "{} in the statement behind __CPROVER_ASYNC, and jumps out of it are not modelled",
                    refusal.message
                ),
            );
        }
        self.finish_jumps();
        self.finish_body(id, name, parameters);
        Ok(())
    }
}

/// Finds the names in a statement.
#[derive(Default)]
struct Names<'a> {
    found: Vec<&'a Node<ast::Identifier>>,
}

impl<'a> Visit<'a> for Names<'a> {
    fn visit_expression(&mut self, expression: &'a Expression, span: &'a Span) {
        if let Expression::Identifier(name) = expression {
            self.found.push(name);
        }
        lang_c::visit::visit_expression(self, expression, span);
    }
}
