//! File scope: globals, functions, and the bodies of those functions that are used.

use super::attributes::Attributes;
use super::context::{Builder, Entity, Lowered, Lowerer, unsupported, wrong};
use super::declare::StorageClass;
use super::expression::{Operand, PlaceKind, Value};
use super::graph::{
    Address, Body, CallResult, Function, FunctionId, Graph, ObjectId, Op, Parameter, Storage,
};
use crate::parse::declared_names;
use crate::program::{Assumption, Effect};
use crate::types::{FunctionType, Type};
use lang_c::ast::{self, Expression, ExternalDeclaration};
use lang_c::span::{Node, Span};
use lang_c::visit::Visit;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Symbol, Term};
use std::rc::Rc;

/// Functions whose name says that they run without interruption.
const ATOMIC_PREFIX: &str = "__VERIFIER_atomic_";

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
                self.errors.push(super::context::Refusal { offset: unit.text.len(), message, error: true });
                return;
            }
        }
        if let Some(Entity::Function(id)) = self.lookup("__monabs_thread_finish").cloned() {
            self.require(id);
        }
        while let Some(id) = self.queue.pop() {
            if let Err(refusal) = self.body(id) {
                self.errors.push(*refusal);
                self.builder = None;
                self.scopes.truncate(1);
            }
        }
    }

    fn global_declaration(&mut self, declaration: &'a Node<ast::Declaration>) -> Lowered<()> {
        let (base, class) = self.specifiers(&declaration.node.specifiers)?;
        for declared in &declaration.node.declarators {
            let (name, ty) = self.declarator(base.clone(), &declared.node.declarator)?;
            let Some(name) = name else { return wrong(declared.span, "a declaration needs a name") };
            let text = name.node.name.as_str();
            let attributes = self.declared_attributes(&declared.node.declarator, &class)?;
            if !matches!(ty, Type::Function(_)) || class.typedef {
                attributes.of_a_variable(name.span)?;
            }
            if class.typedef {
                if let (Type::Record(id), true) = (&ty, attributes.transparent) {
                    self.transparent.insert(*id);
                }
                self.align_type(text, &ty, &base, &class, &attributes);
                self.global_typedef(text, ty, name.span);
            } else if matches!(ty, Type::Function(_)) {
                let id = self.declare_function(text, ty, name.span)?;
                self.mark_function(id, &attributes);
            } else {
                let initializer = declared.node.initializer.as_ref();
                let object = self.declare_global(text, ty, &class, initializer, name.span)?;
                if attributes.weak {
                    self.weak.push(object);
                }
            }
        }
        Ok(())
    }

    /// Remembers the alignment that the name of a type has.
    fn align_type(
        &mut self,
        name: &str,
        ty: &Type,
        base: &Type,
        class: &StorageClass,
        attributes: &Attributes,
    ) {
        let inherited = class.type_align.filter(|_| ty == base || matches!(ty, Type::Array(..)));
        let own = (attributes.align > 0).then_some(attributes.align);
        match own.or(inherited) {
            Some(bytes) => self.type_alignments.insert(name.to_owned(), bytes),
            None => self.type_alignments.remove(name),
        };
    }

    /// What attributes say about a function.
    pub(crate) fn mark_function(&mut self, id: FunctionId, attributes: &Attributes) {
        if attributes.noreturn {
            self.noreturn.insert(id);
        }
        if let Some(priority) = attributes.constructor
            && self.constructors.iter().all(|(_, known)| *known != id)
        {
            self.constructors.push((priority, id));
        }
        if attributes.destructor {
            self.destructors.insert(id);
        }
        if attributes.weak {
            self.weak.push(self.functions[id.index()].object);
        }
        if let Some(label) = &attributes.label {
            self.labelled.push((id, label.clone()));
        }
    }

    /// What is only known at the end of the file: which declarations have no definition.
    fn finish_globals(&mut self) {
        for object in std::mem::take(&mut self.weak) {
            let is_defined = match self.objects[object.index()].storage {
                Storage::Code(id) => self.is_defined(id),
                _ => self.objects[object.index()].init.is_some(),
            };
            if !is_defined {
                let name = self.objects[object.index()].name;
                let message = format!("'{name}' is weak and not defined here, which is not modelled");
                self.unmodelled.insert(object, message);
            }
        }
        // Another name for what nobody defines changes nothing.
        for (id, label) in std::mem::take(&mut self.labelled) {
            let function = &self.functions[id.index()];
            let (name, object) = (function.name, function.object);
            let is_other = match self.scopes[0].names.get(&label) {
                Some(Entity::Function(other)) => *other != id && self.is_defined(*other),
                Some(Entity::Object(_)) => true,
                Some(
                    Entity::Typedef(_)
                    | Entity::Register(..)
                    | Entity::Enumerator(..)
                    | Entity::Unevaluated(_),
                )
                | None => false,
            };
            if is_other || (self.is_defined(id) && label != name.as_str()) {
                self.unmodelled.insert(object, "a name for the assembler is not modelled".to_owned());
            }
        }
        for index in 0..self.objects.len() {
            let object = &self.objects[index];
            if object.storage != Storage::Static || object.init.is_none() || self.is_complete(&object.ty) {
                continue;
            }
            // C11 6.9.2: one element.
            if let Type::Array(element, None) = &object.ty
                && self.is_complete(element)
            {
                self.objects[index].ty = Type::Array(element.clone(), Some(1));
                continue;
            }
            let message =
                format!("'{}' has the incomplete type '{}'", object.name, self.types.show(&object.ty));
            self.errors.push(super::context::Refusal { offset: object.offset, message, error: true });
        }
    }

    /// Whether a name may be used: a limit if what it stands for is not modelled; a remark if nobody defines it.
    pub(crate) fn used(&mut self, object: ObjectId, span: Span) -> Lowered<()> {
        if let Some(message) = self.unmodelled.get(&object) {
            return unsupported(span, message.clone());
        }
        let known = &self.objects[object.index()];
        let is_undefined = known.storage == Storage::Static
            && known.init.is_none()
            && known.everywhere.is_none()
            && !matches!(known.name.as_str(), "stdin" | "stdout" | "stderr");
        if is_undefined && !self.is_model(span.start) && !self.is_model(known.offset) {
            let message = format!("'{}' is declared but not defined: it may have any value", known.name);
            self.assuming(Assumption::ExternVariable, span.start, message);
        }
        Ok(())
    }

    /// A typedef; those of the models stay as they are.
    fn global_typedef(&mut self, name: &str, ty: Type, span: Span) {
        if self.is_model(span.start) {
            self.model_types.insert(name.to_owned(), ty.clone());
            self.model_type_places.insert(name.to_owned(), span.start);
        } else if let Some(place) = self.model_type_places.get(name) {
            if !self.steps_back(*place, span.start) {
                return;
            }
            self.model_types.remove(name);
            self.model_type_places.remove(name);
        }
        self.bind(name, Entity::Typedef(ty));
    }

    /// A function's name; the first declaration makes it, later ones complete its type.
    pub(crate) fn declare_function(&mut self, name: &str, ty: Type, span: Span) -> Lowered<FunctionId> {
        if let Some(Entity::Object(object)) = self.scopes[0].names.get(name)
            && !self.is_model(self.objects[object.index()].offset)
        {
            return match self.unmodelled.get(object) {
                Some(message) => unsupported(span, message.clone()),
                None => wrong(span, format!("'{name}' is declared as a variable and as a function")),
            };
        }
        if let Some(Entity::Function(id)) = self.scopes[0].names.get(name).cloned() {
            self.check_linked_type(self.functions[id.index()].object, &ty, span)?;
            let known = &self.functions[id.index()].ty;
            let knows_parameters = matches!(known, Type::Function(f) if !f.parameters.is_empty());
            if !knows_parameters && !self.is_defined(id) {
                self.functions[id.index()].ty = ty;
            }
            return Ok(id);
        }
        let id = FunctionId(self.functions.len() as u32);
        let symbol = Symbol::new(name);
        let object = self.new_object(name, ty.clone(), Storage::Code(id), span.start);
        let atomic =
            name.starts_with(ATOMIC_PREFIX) && !matches!(&name[ATOMIC_PREFIX.len()..], "begin" | "end");
        self.functions.push(Function {
            name: symbol,
            ty,
            model: false,
            library: false,
            atomic,
            body: None,
            object,
        });
        self.scopes[0].names.insert(name.to_owned(), Entity::Function(id));
        Ok(id)
    }

    pub(crate) fn declare_global(
        &mut self,
        name: &str,
        ty: Type,
        class: &StorageClass,
        initializer: Option<&'a Node<ast::Initializer>>,
        span: Span,
    ) -> Lowered<ObjectId> {
        let known = match self.scopes[0].names.get(name) {
            Some(Entity::Object(object)) => Some(*object),
            // A name of ours is the user's, too.
            Some(Entity::Function(id)) => {
                let declared = self.objects[self.functions[id.index()].object.index()].offset;
                if !self.is_model(declared) {
                    return wrong(span, format!("'{name}' is declared as a function and as a variable"));
                }
                None
            }
            Some(
                Entity::Typedef(_) | Entity::Register(..) | Entity::Enumerator(..) | Entity::Unevaluated(_),
            )
            | None => None,
        };
        if let Some(message) = known.and_then(|object| self.unmodelled.get(&object)) {
            return unsupported(span, message.clone());
        }
        if ty == Type::Void && !class.external {
            return wrong(span, format!("'{name}' has the incomplete type 'void'"));
        }
        let ty = self.completed(ty, initializer)?;
        let object = match known {
            Some(object) => {
                self.check_linked_storage(object, class.thread_local, span)?;
                self.redeclare(object, ty, span)?;
                if !class.external {
                    self.objects[object.index()].init.get_or_insert_with(Vec::new);
                }
                object
            }
            None => {
                let storage = if class.thread_local { Storage::ThreadLocal } else { Storage::Static };
                let object = self.new_object(name, ty, storage, span.start);
                if class.external && initializer.is_none() {
                    self.objects[object.index()].init = None;
                }
                self.scopes[0].names.insert(name.to_owned(), Entity::Object(object));
                object
            }
        };
        if !self.at_file_scope() {
            self.bind(name, Entity::Object(object));
        }
        // A qualifier in front of a pointer is about what it points to.
        if !self.objects[object.index()].ty.is_pointer() {
            if class.volatile {
                self.volatile.insert(object);
            }
            if class.constant {
                self.objects[object.index()].writes = super::graph::Writes::Violation;
            }
        }
        if let Some(initializer) = initializer {
            if let Some(first) = self.initialised.insert(object, span.start) {
                let (name, first) = (self.unit.name(name), self.place_text(first));
                return wrong(span, format!("'{name}' has two initial values; the first is at {first}"));
            }
            self.static_initializer(object, initializer)?;
        }
        Ok(object)
    }

    /// A variable is declared once more: with the same type, or with one that completes it.
    fn redeclare(&mut self, object: ObjectId, ty: Type, span: Span) -> Lowered<()> {
        let known = &self.objects[object.index()];
        let is_ours = self.is_model(known.offset);
        self.check_linked_type(object, &ty, span)?;
        if !self.is_complete(&ty) {
            return Ok(());
        }
        let is_same_file = self.unit.part(known.offset) == self.unit.part(span.start);
        if is_same_file && self.is_complete(&known.ty) && !compatible(&known.ty, &ty) && !is_ours {
            let (before, now) = (self.types.show(&known.ty), self.types.show(&ty));
            return wrong(
                span,
                format!("'{}' is declared as '{now}' here and as '{before}' before", known.name),
            );
        }
        self.objects[object.index()].ty = ty;
        Ok(())
    }

    fn definition(&mut self, definition: &'a Node<ast::FunctionDefinition>) -> Lowered<()> {
        let (base, class) = self.specifiers(&definition.node.specifiers)?;
        let (name, ty) = self.declarator(base, &definition.node.declarator)?;
        let Some(name) = name else { return wrong(definition.span, "a function needs a name") };
        let ty = self.old_style(ty, definition)?;
        let attributes = self.declared_attributes(&definition.node.declarator, &class)?;
        let id = self.declare_function(&name.node.name, ty.clone(), name.span)?;
        self.mark_function(id, &attributes);
        let symbol = self.functions[id.index()].name;
        let model = self.is_model(definition.span.start);
        if let Some(first) = self.definitions.get(&symbol) {
            // The user's own text wins over ours; GNU C's "extern inline" versions are repeated.
            let first_is_model = self.is_model(first.span.start);
            if !first_is_model && model {
                return Ok(());
            }
            let is_spare = |d: &Node<ast::FunctionDefinition>| is_inline(&d.node.specifiers);
            if first_is_model == model && !is_spare(first) && !is_spare(definition) {
                let (name_written, first) =
                    (self.unit.name(&name.node.name), self.place_text(first.span.start));
                return wrong(name.span, format!("'{name_written}' has two bodies; the first is at {first}"));
            }
        }
        self.functions[id.index()].ty = ty;
        self.functions[id.index()].model = model;
        self.functions[id.index()].library = model && self.is_library(definition.span.start);
        self.definitions.insert(symbol, definition);
        Ok(())
    }

    /// The type of a function in the old style: parameters are declared between the head and the body.
    fn old_style(&mut self, ty: Type, definition: &'a Node<ast::FunctionDefinition>) -> Lowered<Type> {
        let Type::Function(function) = &ty else { return wrong(definition.span, "this is not a function") };
        let Some(names) = old_style_names(&definition.node.declarator) else { return Ok(ty) };
        let mut declared: FxHashMap<&str, Type> = FxHashMap::default();
        for declaration in &definition.node.declarations {
            let (base, _) = self.specifiers(&declaration.node.specifiers)?;
            for declarator in &declaration.node.declarators {
                if let (Some(name), ty) = self.declarator(base.clone(), &declarator.node.declarator)? {
                    declared.insert(&name.node.name, ty);
                }
            }
        }
        let parameter = |name: &Node<ast::Identifier>| {
            let ty = declared.get(name.node.name.as_str()).cloned().unwrap_or(crate::types::INT);
            if matches!(ty, Type::Array(..) | Type::Function(_)) { ty.decay() } else { ty }
        };
        let parameters = names.iter().map(parameter).collect();
        Ok(Type::Function(Rc::new(FunctionType {
            result: function.result.clone(),
            parameters,
            variadic: true,
        })))
    }

    /// The function's body is needed.
    pub(crate) fn require(&mut self, id: FunctionId) {
        if self.is_defined(id) && self.queued.insert(id) {
            self.queue.push(id);
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
        scan.visit_statement(&definition.node.statement.node, &definition.node.statement.span);
        self.label_objects.clear();
        let mut builder = Builder::new(self.shown_name(id), definition.node.declarator.span, scan, model);
        builder.is_first = name.as_str() == self.options.function;
        self.builder = Some(builder);
        let result = self.result_place(&function_type.result, definition.span)?;
        if let Some(builder) = &mut self.builder {
            builder.result = result;
        }
        self.enter_block();
        let parameters = self.parameters(definition, function_type)?;
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
        if let Some(id) = self.destructors.iter().copied().find(|id| self.is_defined(*id)) {
            let offset = self.objects[self.functions[id.index()].object.index()].offset;
            self.limit(offset, "functions with the attribute 'destructor' are not modelled");
        }
        let mut constructors = std::mem::take(&mut self.constructors);
        constructors.retain(|(_, id)| self.is_defined(*id));
        constructors.sort_by_key(|(priority, _)| *priority);
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
                self.emit(Op::Call(super::graph::Callee::Direct(*id), Vec::new(), CallResult::None));
            }
        }
        self.set_span(outer);
    }

    /// Every jump needs its label.
    pub(super) fn check_labels(&self) -> Lowered<()> {
        let Some(builder) = &self.builder else { return Ok(()) };
        match builder.gotos.iter().find(|(name, _)| !builder.label_places.contains_key(name)) {
            Some((name, span)) => wrong(*span, format!("there is no label '{}'", self.unit.name(name))),
            None => Ok(()),
        }
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

    pub(super) fn finish_body(&mut self, id: FunctionId, name: Symbol, parameters: Vec<(Parameter, Type)>) {
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
        if let Some(builder) = self.builder.take() {
            self.functions[id.index()].body = Some(Body {
                graph: builder.graph,
                parameters,
                result: builder.result,
                registers: builder.registers,
                objects: builder.objects,
            });
        }
    }

    // Predicates and passive copies

    /// `__CPROVER_predicate(e)`: for engines that want it; no operation.
    pub(crate) fn user_predicate(&mut self, expression: &'a Node<Expression>) -> Lowered<()> {
        if let Some(builder) = &mut self.builder {
            builder.symbolic = true;
        }
        let value = self.dry(|s| s.rvalue(expression));
        if let Some(builder) = &mut self.builder {
            builder.symbolic = false;
        }
        let value = value?;
        let truth = self.truth(&value);
        self.predicates.push((truth, expression.span.start));
        Ok(())
    }

    /// `__CPROVER_passive(x)`: a passive thread's copy.
    pub(crate) fn passive(&mut self, expression: &'a Node<Expression>) -> Lowered<Operand> {
        let place = self.place(expression)?;
        let ty = place.ty.unatomic().clone();
        let name = match &place.kind {
            PlaceKind::Register(register) => self.registers[register.index()].name.to_string(),
            PlaceKind::Memory(address)
                if self.builder.as_ref().is_some_and(|b| b.broadcast.as_ref() == Some(address)) =>
            {
                let own = Term::constant(Symbol::new(super::graph::OWN), self.sort(&ty));
                return Ok(Operand::Scalar(Value::new(own, ty)));
            }
            PlaceKind::Memory(address) => match self.symbolic_name(address) {
                Some(name) => name,
                None => {
                    return unsupported(
                        expression.span,
                        "only variables and members have passive copies here",
                    );
                }
            },
        };
        let term = Term::constant(Symbol::new(&format!("{name}@P")), self.sort(&ty));
        Ok(Operand::Scalar(Value::new(term, ty)))
    }

    /// A name for the scalar at a fixed address, until it is known which variable it is.
    pub(crate) fn symbolic_name(&self, address: &Address) -> Option<String> {
        match address {
            Address::Object { object, offset, indices } if indices.is_empty() => {
                Some(format!("%{}:{offset}", object.0))
            }
            _ => None,
        }
    }

    /// Whether a struct is one of the models', initialised in the user's text as the system's headers have it.
    pub(crate) fn is_model_initializer(&self, ty: &Type, offset: usize) -> bool {
        // Structs of the library's files have the members that the standard says.
        let is_own = |id| self.record_places.get(id).is_none_or(|place| !self.is_library(*place));
        matches!(ty.unatomic(), Type::Record(id) if self.model_records.contains(id) && is_own(id))
            && !self.is_model(offset)
    }

    /// Members of a model struct and their values, from the list of numbers that the system's headers write.
    pub(crate) fn model_values(
        &mut self,
        ty: &Type,
        numbers: &[i128],
        span: Span,
    ) -> Lowered<Vec<(u64, Type, i128)>> {
        let Type::Record(id) = *ty.unatomic() else { return Ok(Vec::new()) };
        let typedefs = self.model_types.iter().filter(|(_, t)| *t == ty).map(|(n, _)| n.as_str());
        let name = typedefs.min().unwrap_or(&self.types.record(id).name);
        let (mut values, mut taken) = (Vec::new(), FxHashSet::default());
        for (field, element) in crate::models::initialisers(name, self.types.model) {
            let Some((offset, found)) = self.types.field(id, field) else { continue };
            taken.insert(element);
            let number = numbers.get(element).copied().unwrap_or(0);
            if number != 0 {
                values.push((offset, found.ty.clone(), number));
            }
        }
        if numbers.iter().enumerate().any(|(index, n)| *n != 0 && !taken.contains(&index)) {
            return unsupported(span, format!("this initial value of '{name}' is not modelled"));
        }
        Ok(values)
    }

    /// The numbers in an initialiser, whatever its braces.
    pub(crate) fn flatten(&mut self, initializer: &'a Node<ast::Initializer>, numbers: &mut Vec<i128>) {
        match &initializer.node {
            ast::Initializer::List(list) => {
                list.iter().for_each(|item| self.flatten(&item.node.initializer, numbers))
            }
            ast::Initializer::Expression(expression) => numbers.push(self.constant(expression).unwrap_or(0)),
        }
    }
}

/// Whether two declarations of a variable may have these types. Parameters of functions are not compared.
fn compatible(one: &Type, other: &Type) -> bool {
    match (one, other) {
        (Type::Pointer(one), Type::Pointer(other)) | (Type::Atomic(one), Type::Atomic(other)) => {
            compatible(one, other)
        }
        (Type::Array(one, a), Type::Array(other, b)) => {
            compatible(one, other) && (a == b || a.is_none() || b.is_none())
        }
        (Type::Function(one), Type::Function(other)) => compatible(&one.result, &other.result),
        (one, other) => one == other,
    }
}

/// GNU C's `extern inline`: there may be another body.
fn is_inline(specifiers: &[Node<ast::DeclarationSpecifier>]) -> bool {
    let is = |s: &Node<ast::DeclarationSpecifier>| matches!(&s.node, ast::DeclarationSpecifier::Function(f) if f.node == ast::FunctionSpecifier::Inline);
    let external = |s: &Node<ast::DeclarationSpecifier>| matches!(&s.node, ast::DeclarationSpecifier::StorageClass(c) if c.node == ast::StorageClassSpecifier::Extern);
    specifiers.iter().any(is) && specifiers.iter().any(external)
}

fn old_style_names(declarator: &Node<ast::Declarator>) -> Option<&[Node<ast::Identifier>]> {
    declarator.node.derived.iter().find_map(|d| match &d.node {
        ast::DerivedDeclarator::KRFunction(names) if !names.is_empty() => Some(names.as_slice()),
        _ => None,
    })
}

/// The parameters of the function that a declarator declares: the innermost function declarator.
fn parameter_declarations(declarator: &Node<ast::Declarator>) -> &[Node<ast::ParameterDeclaration>] {
    if let ast::DeclaratorKind::Declarator(inner) = &declarator.node.kind.node {
        let found = parameter_declarations(inner);
        if !found.is_empty() || has_function(inner) {
            return found;
        }
    }
    let function = declarator.node.derived.iter().find_map(|d| match &d.node {
        ast::DerivedDeclarator::Function(function) => Some(function.node.parameters.as_slice()),
        _ => None,
    });
    function.unwrap_or(&[])
}

fn has_function(declarator: &Node<ast::Declarator>) -> bool {
    declarator.node.derived.iter().any(|d| matches!(d.node, ast::DerivedDeclarator::Function(_)))
}

/// Finds the names whose address a function takes.
#[derive(Default)]
pub(super) struct AddressScan {
    pub taken: FxHashSet<String>,
    /// Labels, in the order of the text.
    pub labels: Vec<String>,
}

impl<'ast> Visit<'ast> for AddressScan {
    fn visit_call_expression(&mut self, call: &'ast ast::CallExpression, span: &'ast Span) {
        if let Some(label) = super::labels::label_of(call)
            && !self.labels.contains(&label)
        {
            self.labels.push(label);
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
