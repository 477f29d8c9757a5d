//! Declarations in blocks: automatic variables become registers if nobody takes their address, otherwise objects.

use crate::assembly::Syntax;
use crate::lower::context::{Entity, Lowered, Lowerer, unsupported, wrong};
use crate::lower::expression::Place;
use crate::lower::graph::{Op, Storage};
use crate::types::Type;
use lang_c::ast;
use lang_c::span::{Node, Span};
use smt::Term;

impl<'a> Lowerer<'a> {
    /// Local variables. What cannot be declared cannot be used.
    pub(super) fn local_declaration(&mut self, declaration: &'a Node<ast::Declaration>) -> Lowered<()> {
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
        if declaration.node.declarators.is_empty() {
            self.hide_tags(&declaration.node.specifiers);
        }
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
            let cleanup = attributes.cleanup.take().filter(|_| !class.external && !class.fixed);
            if !matches!(ty, Type::Function(_)) || class.typedef {
                attributes.of_a_variable(name.span)?;
            }
            // That of a variable by itself is computed with the variable.
            let is_computed = !class.typedef && matches!(ty, Type::Array(_, None));
            if !is_computed {
                self.length_effects(&declared.node.declarator)?;
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
                if cleanup.is_some() {
                    return unsupported(
                        name.span,
                        "a cleanup of an array whose length is not constant is not modelled",
                    );
                }
                self.variable_array(text, ty, &declared.node.declarator, name.span)?;
                continue;
            }
            // Its address is needed.
            if let (Some(_), Some(builder)) = (&cleanup, &mut self.builder) {
                builder.address_taken.insert(text.to_owned());
            }
            self.automatic(text, ty, declared.node.initializer.as_ref(), name.span)?;
            if let Some(function) = cleanup {
                self.cleanup(text, &function, name.span)?;
            }
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
        sizes.try_for_each(|size| self.length_effect(size))?;
        let is_negative = self.as_bits(&value).slt(Term::bv(self.types.width(&value.ty), 0));
        if self.types.signed(&value.ty) {
            self.limit_if(is_negative, size.span, "an array with a negative length is not modelled");
        }
        let length_type = self.size_value(0).ty;
        let value = self.convert(&value, &length_type, size.span)?;
        let length = self.temporary(&length_type);
        self.set(length, value.term);
        let full = format!("{}::{}", self.function_name(), self.unit.name(name));
        let object = self.new_object(&full, ty, Storage::Automatic, span.start);
        self.lengths.set(object, length);
        self.bind(name, Entity::Object(object));
        let unit = self.objects[object.index()].ty.pointee().and_then(|ty| self.types.size(ty)).unwrap_or(1);
        let bytes = self.register_term(length).bv_mul(self.size_value(unit).term);
        self.emit(Op::Measure(object, bytes));
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
        let (atomic, around) = (self.begin_initializer(initializer), self.begin_full_expression());
        let result = self.local_initializer(place, initializer);
        self.end_full_expression(around);
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

fn is_machine_register(name: &str) -> bool {
    [Syntax::X86, Syntax::Aarch64].iter().any(|syntax| crate::assembly::register(name, *syntax).is_some())
}
