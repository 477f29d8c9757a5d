//! Definitions of functions: which body counts, and parameters in the old style.

use crate::lower::context::{Lowered, Lowerer, wrong};
use crate::types::{FunctionType, Type};
use lang_c::ast;
use lang_c::span::Node;
use rustc_hash::FxHashMap;
use std::rc::Rc;

impl<'a> Lowerer<'a> {
    pub(super) fn definition(&mut self, definition: &'a Node<ast::FunctionDefinition>) -> Lowered<()> {
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
}

/// GNU C's `extern inline`: there may be another body.
fn is_inline(specifiers: &[Node<ast::DeclarationSpecifier>]) -> bool {
    let is = |s: &Node<ast::DeclarationSpecifier>| matches!(&s.node, ast::DeclarationSpecifier::Function(f) if f.node == ast::FunctionSpecifier::Inline);
    let external = |s: &Node<ast::DeclarationSpecifier>| matches!(&s.node, ast::DeclarationSpecifier::StorageClass(c) if c.node == ast::StorageClassSpecifier::Extern);
    specifiers.iter().any(is) && specifiers.iter().any(external)
}

pub(super) fn old_style_names(declarator: &Node<ast::Declarator>) -> Option<&[Node<ast::Identifier>]> {
    declarator.node.derived.iter().find_map(|d| match &d.node {
        ast::DerivedDeclarator::KRFunction(names) if !names.is_empty() => Some(names.as_slice()),
        _ => None,
    })
}

/// The parameters of the function that a declarator declares: the innermost function declarator.
pub(super) fn parameter_declarations(
    declarator: &Node<ast::Declarator>,
) -> &[Node<ast::ParameterDeclaration>] {
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
