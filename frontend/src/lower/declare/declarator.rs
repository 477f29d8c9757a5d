//! Declarators: pointers, arrays and functions around a name (C11 6.7.6).

use super::StorageClass;
use crate::lower::context::{Entity, Lowered, Lowerer, Refusal, unsupported, wrong};
use crate::lower::declare::attributes::Attributes;
use crate::lower::expression::order::has_effects;
use crate::lower::graph::Storage;
use crate::types::{FunctionType, INT, Type};
use lang_c::ast;
use lang_c::span::Node;
use std::rc::Rc;

impl<'a> Lowerer<'a> {
    /// Applies a declarator to a type: the name, if any, and the type.
    pub(crate) fn declarator(
        &mut self,
        base: Type,
        declarator: &'a Node<ast::Declarator>,
    ) -> Lowered<(Option<&'a Node<ast::Identifier>>, Type)> {
        let mut ty = base;
        let derived = &declarator.node.derived;
        let is_pointer = |d: &&Node<ast::DerivedDeclarator>| {
            matches!(d.node, ast::DerivedDeclarator::Pointer(_) | ast::DerivedDeclarator::Block(_))
        };
        for pointer in derived.iter().filter(is_pointer) {
            ty = ty.pointer();
            if let ast::DerivedDeclarator::Pointer(qualifiers) = &pointer.node
                && self.is_atomic_pointer(qualifiers)?
            {
                ty = Type::Atomic(Rc::new(ty));
            }
        }
        let suffixes = derived.iter().filter(|d| !is_pointer(d)).count();
        let is_inner = matches!(declarator.node.kind.node, ast::DeclaratorKind::Declarator(_));
        for (index, suffix) in derived.iter().filter(|d| !is_pointer(d)).rev().enumerate() {
            ty = match &suffix.node {
                ast::DerivedDeclarator::Array(array) => {
                    let size = self.array_size(array)?;
                    // The type of the variable itself may have any length; it is kept with the variable.
                    if size.is_none() && is_variable(array) && (is_inner || index + 1 < suffixes) {
                        return unsupported(
                            array.span,
                            "an array of this length, which is not constant, is modelled only by itself: not in other arrays, and not behind pointers; make the inner lengths constant, or compute the index (a[i * m + j])",
                        );
                    }
                    Type::Array(Rc::new(ty), size)
                }
                ast::DerivedDeclarator::Function(function) => self.function_type(ty, function)?,
                ast::DerivedDeclarator::KRFunction(_) => Type::Function(Rc::new(FunctionType {
                    result: ty,
                    parameters: Vec::new(),
                    variadic: true,
                })),
                ast::DerivedDeclarator::Pointer(_) | ast::DerivedDeclarator::Block(_) => ty,
            };
        }
        let mut attributes = Attributes::default();
        self.attributes(&declarator.node.extensions, &mut attributes)?;
        let ty = self.with_mode(ty, &mut attributes, declarator.span);
        attributes.of_a_type()?;
        match &declarator.node.kind.node {
            ast::DeclaratorKind::Abstract => Ok((None, ty)),
            ast::DeclaratorKind::Identifier(name) => Ok((Some(name), ty)),
            ast::DeclaratorKind::Declarator(inner) => self.declarator(ty, inner),
        }
    }

    /// Whether the pointer itself is atomic; refuses attributes that are not modelled.
    fn is_atomic_pointer(&mut self, qualifiers: &'a [Node<ast::PointerQualifier>]) -> Lowered<bool> {
        let mut atomic = false;
        for qualifier in qualifiers {
            match &qualifier.node {
                ast::PointerQualifier::TypeQualifier(t) => atomic |= t.node == ast::TypeQualifier::Atomic,
                ast::PointerQualifier::Extension(list) => {
                    let mut attributes = Attributes::default();
                    self.attributes(list, &mut attributes)?;
                    attributes.of_a_type()?;
                }
            }
        }
        Ok(atomic)
    }

    /// What is said behind the name, also inside of parentheses, and by the specifiers.
    pub(crate) fn declared_attributes(
        &mut self,
        declarator: &'a Node<ast::Declarator>,
        class: &StorageClass,
    ) -> Lowered<Attributes> {
        let mut attributes = Attributes::default();
        let mut level = declarator;
        loop {
            self.attributes(&level.node.extensions, &mut attributes)?;
            match &level.node.kind.node {
                ast::DeclaratorKind::Declarator(inner) => level = inner,
                ast::DeclaratorKind::Abstract | ast::DeclaratorKind::Identifier(_) => break,
            }
        }
        Ok(attributes.and(&class.attributes))
    }

    /// The declared names exist but cannot be used: what they are is not modelled.
    pub(crate) fn set_aside(&mut self, names: &[&'a Node<ast::Identifier>], refusal: &Refusal) {
        for name in names {
            let text = name.node.name.as_str();
            let known = self.scopes.last().and_then(|scope| scope.names.get(text)).cloned();
            let object = match known {
                Some(Entity::Function(id)) => self.functions[id.index()].object,
                Some(Entity::Object(object)) => object,
                Some(
                    Entity::Typedef(_)
                    | Entity::Register(..)
                    | Entity::Enumerator(..)
                    | Entity::Unevaluated(_),
                )
                | None => {
                    let object = self.new_object(text, INT, Storage::Static, name.span.start);
                    self.bind(text, Entity::Object(object));
                    object
                }
            };
            self.unmodelled.entry(object).or_insert_with(|| refusal.message.clone());
        }
    }

    fn array_size(&mut self, array: &'a Node<ast::ArrayDeclarator>) -> Lowered<Option<u64>> {
        match &array.node.size {
            ast::ArraySize::Unknown | ast::ArraySize::VariableUnknown => Ok(None),
            ast::ArraySize::VariableExpression(size) | ast::ArraySize::StaticExpression(size) => {
                let value = match self.dry(|s| s.rvalue(size)) {
                    // It may change parameters, which are no variables before the function is called.
                    Err(_) if has_effects(size) && !self.at_file_scope() => return Ok(None),
                    value => value?,
                };
                match value.term.as_bits().and_then(|b| b.to_i128()) {
                    Some(count) if count < 0 => wrong(size.span, "the size of an array is negative"),
                    Some(count) => match u64::try_from(count) {
                        Ok(count) if count <= u64::from(u32::MAX) => Ok(Some(count)),
                        _ => unsupported(size.span, "this array is too large to be modelled"),
                    },
                    None if self.at_file_scope() => {
                        wrong(size.span, "the size of an array must be constant here")
                    }
                    None => Ok(None),
                }
            }
        }
    }

    fn function_type(&mut self, result: Type, function: &'a Node<ast::FunctionDeclarator>) -> Lowered<Type> {
        let mut parameters = Vec::new();
        // Lengths of arrays speak of the parameters before; all that is needed is that these are not constant.
        self.scopes.push(crate::lower::context::Scope::default());
        for parameter in &function.node.parameters {
            match self.parameter(parameter) {
                Ok((name, ty)) => {
                    if let Some(name) = name {
                        self.bind(&name.node.name, Entity::Unevaluated(ty.clone()));
                    }
                    parameters.push(ty);
                }
                Err(refusal) => {
                    self.scopes.pop();
                    return Err(refusal);
                }
            }
        }
        self.scopes.pop();
        let unknown = parameters.is_empty();
        if parameters == [Type::Void] {
            parameters.clear();
        }
        let variadic = matches!(function.node.ellipsis, ast::Ellipsis::Some) || unknown;
        Ok(Type::Function(Rc::new(FunctionType { result, parameters, variadic })))
    }

    /// Name and type of a parameter; arrays and functions become pointers.
    pub(crate) fn parameter(
        &mut self,
        parameter: &'a Node<ast::ParameterDeclaration>,
    ) -> Lowered<(Option<&'a Node<ast::Identifier>>, Type)> {
        let (base, _) = self.specifiers(&parameter.node.specifiers)?;
        let mut attributes = Attributes::default();
        self.attributes(&parameter.node.extensions, &mut attributes)?;
        attributes.of_a_type()?;
        let (name, ty) = match &parameter.node.declarator {
            Some(declarator) => self.declarator(base, declarator)?,
            None => (None, base),
        };
        let ty = if matches!(ty, Type::Array(..) | Type::Function(_)) { ty.decay() } else { ty };
        Ok((name, ty))
    }
}

/// Whether the text says a length.
fn is_variable(array: &Node<ast::ArrayDeclarator>) -> bool {
    !matches!(array.node.size, ast::ArraySize::Unknown | ast::ArraySize::VariableUnknown)
}
