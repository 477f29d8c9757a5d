//! File scope: globals, functions, and the bodies of those functions that are used.

mod definition;
mod zeroed;

use crate::lower::context::{Builder, Entity, Lowered, Lowerer, unsupported};
use crate::lower::graph::{Body, CallResult, FunctionId, Graph, Op, Parameter, Storage};
use crate::parse::declared_names;
use crate::program::Effect;
use crate::types::{FunctionType, Type};
use definition::{old_style_names, parameter_declarations};
use lang_c::ast::{self, Expression, ExternalDeclaration};
use lang_c::span::{Node, Span};
use lang_c::visit::Visit;
use rustc_hash::FxHashSet;
use smt::{Symbol, Term};

/// Functions whose bodies are needed.
#[derive(Default)]
pub(crate) struct Needed {
    queue: Vec<FunctionId>,
    all: FxHashSet<FunctionId>,
}

impl<'a> Lowerer<'a> {
    /// Translates the whole file: declarations first, then the functions that `main` and its threads need.
    pub(crate) fn file(&mut self) {
        let unit: &'a crate::parse::Unit = self.unit;
        self.find_replaced_models();
        for declaration in &unit.ast.0 {
            let (result, names) = match &declaration.node {
                ExternalDeclaration::Declaration(declaration) => {
                    let declarators = declaration.node.declarators.iter().map(|d| &d.node.declarator);
                    (self.global_declaration(declaration), declared_names(declarators))
                }
                ExternalDeclaration::StaticAssert(check) => (self.static_assert(check), Vec::new()),
                ExternalDeclaration::FunctionDefinition(definition) => {
                    let name = declared_names(std::iter::once(&definition.node.declarator));
                    (self.definition(definition), name)
                }
            };
            match result {
                Err(refusal) if !refusal.error => self.set_aside(&names, &refusal),
                Err(refusal) => self.errors.push(*refusal),
                Ok(()) => {}
            }
        }
        self.finish_globals();
        // Initial values may have named functions before these were defined.
        let mut taken: Vec<FunctionId> = self.address_taken.iter().copied().collect();
        taken.sort();
        taken.into_iter().for_each(|id| self.require(id));
        for (offset, message) in unit.doubts() {
            self.remark(Effect::Under, offset, message);
        }
        let entry = self.options.function.clone();
        match self.lookup(&entry).cloned() {
            Some(Entity::Function(id)) if self.is_defined(id) => self.require(id),
            _ => {
                let message =
                    format!("there is no function '{entry}' to start with; name another with --function");
                self.errors.push(crate::lower::context::Refusal {
                    offset: unit.text.len(),
                    message,
                    error: true,
                });
                return;
            }
        }
        if let Some(Entity::Function(id)) = self.lookup("__monabs_thread_finish").cloned() {
            self.require(id);
            self.finish = Some(id);
        }
        while let Some(id) = self.needed.queue.pop() {
            if let Err(refusal) = self.body(id) {
                self.errors.push(*refusal);
                self.builder = None;
                self.scopes.truncate(1);
            }
        }
    }

    /// The function's body is needed.
    pub(crate) fn require(&mut self, id: FunctionId) {
        if self.is_defined(id) && self.needed.all.insert(id) {
            self.needed.queue.push(id);
        }
    }

    /// The function may be called through a pointer. What is built in has no body; models have functions that stand for some (`by_pointer.c`).
    pub(crate) fn take_function_address(&mut self, id: FunctionId) -> FunctionId {
        let name = self.functions[id.index()].name;
        let id = match self.lookup(&format!("__monabs_by_pointer_{name}")) {
            Some(Entity::Function(other)) if !self.is_defined(id) => *other,
            _ => id,
        };
        self.address_taken.insert(id);
        self.require(id);
        id
    }

    fn body(&mut self, id: FunctionId) -> Lowered<()> {
        let function = &self.functions[id.index()];
        let (name, ty, model) = (function.name, function.ty.clone(), function.model);
        let Some(definition) = self.definitions.get(&name).copied() else { return Ok(()) };
        let Type::Function(function_type) = &ty else { return Ok(()) };
        let mut scan = AddressScan::default();
        scan.visit_declarator(&definition.node.declarator.node, &definition.node.declarator.span);
        scan.visit_statement(&definition.node.statement.node, &definition.node.statement.span);
        let is_variable = scan.starts_arguments && function_type.variadic;
        let mut builder = Builder::new(self.shown_name(id), definition.node.declarator.span, scan, model);
        builder.is_first = name.as_str() == self.options.function;
        self.builder = Some(builder);
        self.label_objects.clear();
        let result = self.result_place(&function_type.result, definition.span)?;
        if let Some(builder) = &mut self.builder {
            builder.result = result;
        }
        self.enter_block();
        // Whoever calls it, also by a pointer or as the first function of a thread; arguments are evaluated before.
        self.emit_if(self.functions[id.index()].atomic, Op::AtomicBegin);
        let parameters = self.parameters(definition, function_type)?;
        for parameter in parameter_declarations(&definition.node.declarator) {
            parameter
                .node
                .declarator
                .as_ref()
                .map_or(Ok(()), |declarator| self.length_effects(declarator))?;
        }
        if is_variable {
            let arguments = self.variable_arguments(definition.span);
            if let Some(builder) = &mut self.builder {
                builder.variable = Some(arguments);
            }
        }
        if let Some(builder) = &mut self.builder {
            builder.blocks.declared_parameters();
        }
        if name.as_str() == self.options.function {
            self.before_main(definition.span);
        }
        let body = self.statement(&definition.node.statement);
        self.leave_block();
        self.scopes.truncate(1);
        body?;
        self.check_labels()?;
        self.finish_jumps();
        self.finish_body(id, name, parameters);
        Ok(())
    }

    /// Functions with the attribute `constructor` run first, those with the smaller number before the others.
    fn before_main(&mut self, span: Span) {
        let destructor = self.marks.destructors().find(|id| self.is_defined(*id));
        if let Some(id) = destructor {
            let offset = self.objects[self.functions[id.index()].object.index()].offset;
            self.limit(offset, "functions with the attribute 'destructor' are not modelled");
        }
        let mut constructors = self.marks.take_constructors();
        constructors.retain(|(_, id)| self.is_defined(*id));
        let outer = self.set_span(span);
        for (index, (priority, id)) in constructors.iter().enumerate() {
            let function = &self.functions[id.index()];
            let offset = self.objects[function.object.index()].offset;
            let takes = matches!(&function.ty, Type::Function(f) if !f.parameters.is_empty());
            let ambiguous = index > 0 && constructors[index - 1].0 == *priority;
            if takes {
                self.limit(
                    offset,
                    "arguments of functions with the attribute 'constructor' are not modelled",
                );
            } else if ambiguous {
                self.limit(offset, "the order of functions with the attribute 'constructor' is not defined");
            } else {
                self.require(*id);
                self.emit(Op::Call(crate::lower::graph::Callee::Direct(*id), Vec::new(), CallResult::None));
            }
        }
        self.set_span(outer);
    }

    fn result_place(&mut self, ty: &Type, span: Span) -> Lowered<CallResult> {
        let name = format!("{}::return", self.function_name());
        Ok(match ty.unatomic() {
            Type::Void => CallResult::None,
            Type::Record(_) => {
                CallResult::Aggregate(self.new_object(&name, ty.clone(), Storage::Automatic, span.start))
            }
            scalar if scalar.is_scalar() => {
                let unique = self.unique(&name);
                CallResult::Scalar(self.new_register(unique, scalar, span.start), scalar.clone())
            }
            _ => return unsupported(span, "a function with this result type is not modelled"),
        })
    }

    fn parameters(
        &mut self,
        definition: &'a Node<ast::FunctionDefinition>,
        ty: &FunctionType,
    ) -> Lowered<Vec<(Parameter, Type)>> {
        let names: Vec<Option<&'a Node<ast::Identifier>>> = match old_style_names(&definition.node.declarator)
        {
            Some(names) => names.iter().map(Some).collect(),
            None => {
                let mut names = Vec::new();
                let declared = parameter_declarations(&definition.node.declarator);
                names.extend(declared.iter().map(|p| {
                    let declarators = p.node.declarator.iter();
                    declared_names(declarators).first().copied()
                }));
                names
            }
        };
        let mut parameters = Vec::new();
        for (index, ty) in ty.parameters.iter().enumerate() {
            let name = names.get(index).copied().flatten();
            let text = name.map_or("", |n| n.node.name.as_str());
            let offset = name.map_or(definition.span.start, |n| n.span.start);
            let shown = if text.is_empty() { format!("${index}") } else { self.unit.name(text).to_owned() };
            let full = format!("{}::{shown}", self.function_name());
            let taken = self.builder.as_ref().is_some_and(|b| b.address_taken.contains(text));
            let (parameter, entity) = if ty.is_scalar() && !taken {
                let unique = self.unique(&full);
                let register = self.new_register(unique, ty, offset);
                (Parameter::Register(register), Entity::Register(register, ty.clone()))
            } else {
                let object = self.new_object(&full, ty.clone(), Storage::Automatic, offset);
                (Parameter::Object(object), Entity::Object(object))
            };
            if !text.is_empty() {
                self.bind(text, entity);
            }
            parameters.push((parameter, ty.clone()));
        }
        Ok(parameters)
    }

    pub(crate) fn finish_body(&mut self, id: FunctionId, name: Symbol, parameters: Vec<(Parameter, Type)>) {
        // Control that falls off the end: `main` returns 0, the result of others is indeterminate.
        let result = self.builder.as_ref().map_or(CallResult::None, |b| b.result.clone());
        if let CallResult::Scalar(register, _) = &result {
            if name.as_str() == "main" {
                let sort = self.registers[register.index()].sort;
                self.set(*register, Term::value(&smt::Value::zero(sort)));
            } else {
                self.emit(Op::Havoc(*register));
            }
        }
        self.emit_branch(Op::Skip, Graph::EXIT);
        self.close_open_ends();
        self.clear_fresh_memory();
        if let Some(mut builder) = self.builder.take() {
            if self.functions[id.index()].atomic {
                builder.graph.before_exit(Op::AtomicEnd);
            }
            self.functions[id.index()].body = Some(Body {
                graph: builder.graph,
                parameters,
                result: builder.result,
                registers: builder.registers,
                objects: builder.objects,
                variable: builder.variable,
            });
        }
    }
}

/// Finds the names whose address a function takes.
#[derive(Default)]
pub(crate) struct AddressScan {
    pub taken: FxHashSet<String>,
    /// Labels, in the order of the text.
    pub labels: Vec<String>,
    /// Whether it looks at its variable arguments.
    pub starts_arguments: bool,
    /// Where control may come back to: everywhere if there are labels, and in loops.
    pub repeated: Repeated,
}

/// What a function's text says about what runs more than once in a call.
#[derive(Default)]
pub(crate) struct Repeated {
    has_labels: bool,
    loops: Vec<Span>,
}

impl Repeated {
    /// Whether what stands at a place runs at most once in each call.
    pub(crate) fn is_once(&self, place: usize) -> bool {
        !self.has_labels && !self.loops.iter().any(|span| (span.start..span.end).contains(&place))
    }
}

impl<'ast> Visit<'ast> for AddressScan {
    fn visit_statement(&mut self, statement: &'ast ast::Statement, span: &'ast Span) {
        use ast::Statement;
        match statement {
            // All of it: what a loop tests, and the step of `for`, are repeated like its body.
            Statement::While(_) | Statement::DoWhile(_) | Statement::For(_) => {
                self.repeated.loops.push(*span)
            }
            Statement::Labeled(labeled) => {
                self.repeated.has_labels |= matches!(labeled.node.label.node, ast::Label::Identifier(_));
            }
            Statement::Compound(_)
            | Statement::Expression(_)
            | Statement::If(_)
            | Statement::Switch(_)
            | Statement::Goto(_)
            | Statement::Continue
            | Statement::Break
            | Statement::Return(_)
            | Statement::Asm(_) => {}
        }
        lang_c::visit::visit_statement(self, statement, span);
    }

    fn visit_call_expression(&mut self, call: &'ast ast::CallExpression, span: &'ast Span) {
        if let Some(label) = crate::lower::statement::label_of(call)
            && !self.labels.contains(&label)
        {
            self.labels.push(label);
        }
        if let Expression::Identifier(name) = &call.callee.node {
            self.starts_arguments |= matches!(name.node.name.as_str(), "va_start" | "__builtin_va_start");
        }
        lang_c::visit::visit_call_expression(self, call, span);
    }

    fn visit_unary_operator_expression(
        &mut self,
        unary: &'ast ast::UnaryOperatorExpression,
        span: &'ast Span,
    ) {
        if unary.operator.node == ast::UnaryOperator::Address
            && let Expression::Identifier(name) = &unary.operand.node
        {
            self.taken.insert(name.node.name.clone());
        }
        lang_c::visit::visit_unary_operator_expression(self, unary, span);
    }
}
