//! The type of an expression, from the tree and the scopes only (C11 6.5): nothing is evaluated.
//!
//! Arrays and functions are not converted to pointers here, since `sizeof`, `typeof` and `&` see them as they are. Where an operator
//! converts its operand, that is done at the operator.

use super::Family;
use crate::lower::context::{Entity, Lowered, Lowerer, Scope, unsupported, wrong};
use crate::lower::expression::Operand;
use crate::types::{CHAR, INT, IntKind, Type, UNSIGNED};
use lang_c::ast::{self, Expression, Statement, UnaryOperator as U};
use lang_c::span::Node;
use std::rc::Rc;

/// A type, with the width of the bit-field that the expression names: promotions depend on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Typed {
    pub ty: Type,
    pub bits: Option<u32>,
}

impl From<Type> for Typed {
    fn from(ty: Type) -> Typed {
        Typed { ty, bits: None }
    }
}
impl<'a> Lowerer<'a> {
    /// The type of an expression, arrays not decayed, without evaluating it.
    pub(crate) fn type_of(&mut self, expression: &'a Node<Expression>) -> Lowered<Type> {
        Ok(self.typed(expression)?.ty)
    }

    /// The type of the expression's value: arrays and functions are pointers, and nothing is atomic.
    fn value_type(&mut self, expression: &'a Node<Expression>) -> Lowered<Type> {
        Ok(self.typed(expression)?.ty.decay())
    }

    /// The type after promotion, with the width of a bit-field that is wider than `int`.
    fn promoted_typed(&mut self, expression: &'a Node<Expression>) -> Lowered<Typed> {
        let typed = self.typed(expression)?;
        let bits = self.wide_bits(&typed.ty.decay(), typed.bits);
        Ok(Typed { ty: self.types.promote(&typed.ty.decay(), typed.bits), bits })
    }

    /// The type of an expression where the type itself counts: that of a bit-field wider than `int` is not modelled.
    pub(crate) fn type_as_such(&mut self, expression: &'a Node<Expression>) -> Lowered<Type> {
        let typed = self.typed(expression)?;
        if self.wide_bits(&typed.ty, typed.bits).is_some() {
            let message = "the type of a bit-field wider than int is not modelled; convert it first";
            return unsupported(expression.span, message);
        }
        Ok(typed.ty)
    }

    pub(crate) fn typed(&mut self, expression: &'a Node<Expression>) -> Lowered<Typed> {
        let span = expression.span;
        Ok(match &expression.node {
            Expression::Identifier(name) => self.type_of_name(name)?,
            Expression::Constant(constant) => {
                crate::lower::expression::literal::constant_type(&self.types, constant)?.into()
            }
            Expression::StringLiteral(literal) => {
                let string = crate::lower::expression::literal::string(&literal.node, span)?;
                string.ty(self.types.model).into()
            }
            Expression::CompoundLiteral(literal) => self.compound_literal_type(literal)?.into(),
            Expression::Member(member) => self.member_type(member)?,
            Expression::GenericSelection(selection) => {
                let chosen = self.generic_choice(selection)?;
                return self.typed(chosen);
            }
            Expression::Call(call) => self.call_type(call, expression)?.into(),
            Expression::SizeOfTy(_)
            | Expression::SizeOfVal(_)
            | Expression::AlignOf(_)
            | Expression::OffsetOf(_) => self.size_type().into(),
            Expression::UnaryOperator(unary) => return self.unary_type(unary),
            Expression::Cast(cast) => self.type_name(&cast.node.type_name)?.unatomic().clone().into(),
            Expression::BinaryOperator(binary) => return self.binary_type(binary),
            Expression::Conditional(conditional) => {
                let parts = &conditional.node;
                let left = if crate::lower::expression::is_elvis(&parts.then_expression) {
                    &parts.condition
                } else {
                    &parts.then_expression
                };
                self.conditional_type(left, &parts.else_expression)?.unwrap_or(Type::Void.into())
            }
            Expression::Comma(parts) => match parts.last() {
                Some(last) => {
                    let typed = self.typed(last)?;
                    Typed { ty: typed.ty.decay(), bits: typed.bits }
                }
                None => Type::Void.into(),
            },
            Expression::VaArg(argument) => {
                self.type_name(&argument.node.type_name)?.unatomic().clone().into()
            }
            Expression::Statement(statement) => self.statement_type(statement)?,
        })
    }

    /// `size_t`.
    pub(crate) fn size_type(&self) -> Type {
        match self.types.model {
            crate::types::DataModel::Ilp32 => UNSIGNED,
            crate::types::DataModel::Lp64 => Type::Int(IntKind::ULong),
        }
    }

    /// `ptrdiff_t`.
    pub(crate) fn difference_type(&self) -> Type {
        match self.types.model {
            crate::types::DataModel::Ilp32 => INT,
            crate::types::DataModel::Lp64 => Type::Int(IntKind::Long),
        }
    }

    fn type_of_name(&mut self, name: &Node<ast::Identifier>) -> Lowered<Typed> {
        Ok(match self.lookup(&name.node.name) {
            Some(Entity::Object(object)) => match self.unmodelled.get(object) {
                Some(message) => return crate::lower::context::unsupported(name.span, message.clone()),
                None => self.objects[object.index()].ty.clone().into(),
            },
            Some(Entity::Register(_, ty) | Entity::Enumerator(_, ty) | Entity::Unevaluated(ty)) => {
                ty.clone().into()
            }
            Some(Entity::Function(id)) => self.functions[id.index()].ty.clone().into(),
            Some(Entity::Typedef(_)) => return wrong(name.span, format!("'{}' is a type", name.node.name)),
            None => match name.node.name.as_str() {
                crate::tokens::ELVIS => match self.builder.as_ref().and_then(|b| b.elvis.last()) {
                    Some(value) => Typed { ty: value.ty.clone(), bits: value.bits },
                    None => {
                        return wrong(name.span, "a conditional without its middle operand, outside of one");
                    }
                },
                "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__" => {
                    let length = self.function_name().as_str().len() as u64 + 1;
                    Type::Array(Rc::new(CHAR), Some(length)).into()
                }
                other => return wrong(name.span, format!("'{other}' is not declared")),
            },
        })
    }

    fn member_type(&mut self, member: &'a Node<ast::MemberExpression>) -> Lowered<Typed> {
        let base = self.type_of(&member.node.expression)?;
        let base = match member.node.operator.node {
            ast::MemberOperator::Direct => base,
            ast::MemberOperator::Indirect => match base.pointee() {
                Some(pointee) => pointee.clone(),
                None => return wrong(member.span, "'->' needs a pointer on its left"),
            },
        };
        let name = &member.node.identifier.node.name;
        let Type::Record(id) = *base.unatomic() else {
            return wrong(member.span, format!("'{}' has no members", self.types.show(&base)));
        };
        match self.types.field(id, name) {
            Some((_, field)) => Ok(Typed { ty: field.ty.clone(), bits: field.bits }),
            None => self.no_member(&base, name, member.span),
        }
    }

    fn call_type(
        &mut self,
        call: &'a Node<ast::CallExpression>,
        expression: &'a Node<Expression>,
    ) -> Lowered<Type> {
        if let Expression::Identifier(name) = &call.node.callee.node
            && self.lookup(&name.node.name).is_none()
        {
            // A built-in function, whose type may depend on its arguments, or one that nobody declares.
            return Ok(match self.dry(|s| s.operand(expression))? {
                Operand::Void => Type::Void,
                Operand::Scalar(value) => value.ty,
                Operand::Aggregate(place) => place.ty,
            });
        }
        let callee = self.value_type(&call.node.callee)?;
        match callee.pointee() {
            Some(Type::Function(function)) => Ok(function.result.unatomic().clone()),
            _ => wrong(call.span, "this is not a function"),
        }
    }

    fn unary_type(&mut self, unary: &'a Node<ast::UnaryOperatorExpression>) -> Lowered<Typed> {
        let operand = &unary.node.operand;
        Ok(match unary.node.operator.node {
            U::Address => self.type_of(operand)?.pointer().into(),
            U::Indirection => match self.value_type(operand)?.pointee() {
                Some(pointee) => pointee.clone().into(),
                None => return wrong(unary.span, "only a pointer can be dereferenced"),
            },
            U::PreIncrement | U::PreDecrement | U::PostIncrement | U::PostDecrement => {
                let typed = self.typed(operand)?;
                Typed { ty: typed.ty.unatomic().clone(), bits: typed.bits }
            }
            U::Negate => INT.into(),
            U::Plus | U::Minus | U::Complement => return self.promoted_typed(operand),
        })
    }

    fn binary_type(&mut self, binary: &'a Node<ast::BinaryOperatorExpression>) -> Lowered<Typed> {
        let (left, right) = (&binary.node.lhs, &binary.node.rhs);
        Ok(match Family::of(&binary.node.operator.node) {
            Family::Index => match self.binary_element(left, right)? {
                Type::Void => return wrong(binary.span, "only arrays and pointers can be indexed"),
                element => element.into(),
            },
            Family::Assignment => {
                let typed = self.typed(left)?;
                Typed { ty: typed.ty.unatomic().clone(), bits: typed.bits }
            }
            Family::Comparison | Family::Logical => INT.into(),
            Family::Shift => return self.promoted_typed(left),
            Family::Additive | Family::Multiplicative | Family::Bitwise => {
                // Each operand once: they may be deep.
                let (a, b) = (self.typed(left)?, self.typed(right)?);
                if let Some((ty, bits)) = self.wide_common((&a.ty.decay(), a.bits), (&b.ty.decay(), b.bits)) {
                    return Ok(Typed { ty, bits });
                }
                let [a, b] = [a, b].map(|typed| self.types.promote(&typed.ty.decay(), typed.bits));
                match (a.is_pointer(), b.is_pointer()) {
                    (true, true) => self.difference_type(),
                    (true, false) => a,
                    (false, true) => b,
                    (false, false) => self.types.usual(&a, &b),
                }
                .into()
            }
        })
    }

    /// The type of `a[b]`.
    pub(crate) fn binary_element(
        &mut self,
        left: &'a Node<Expression>,
        right: &'a Node<Expression>,
    ) -> Lowered<Type> {
        let (left, right) = (self.value_type(left)?, self.value_type(right)?);
        match left.pointee().or(right.pointee()) {
            Some(element) => Ok(element.clone()),
            None => Ok(Type::Void),
        }
    }

    /// The type of `c ? a : b`; none for `void`.
    pub(crate) fn conditional_type(
        &mut self,
        left: &'a Node<Expression>,
        right: &'a Node<Expression>,
    ) -> Lowered<Option<Typed>> {
        // Each operand once: they may be deep.
        let (left_typed, right_typed) = (self.typed(left)?, self.typed(right)?);
        let (a, b) = (left_typed.ty.decay(), right_typed.ty.decay());
        let is_void = |ty: &Type| ty.pointee() == Some(&Type::Void);
        let ty = match (&a, &b) {
            (Type::Void, _) | (_, Type::Void) => None,
            (Type::Pointer(_), Type::Pointer(_)) => Some(if is_void(&a) {
                if self.is_null(left) { b } else { a }
            } else if is_void(&b) {
                if self.is_null(right) { a } else { b }
            } else {
                a
            }),
            (Type::Pointer(_), _) => Some(a),
            (_, Type::Pointer(_)) => Some(b),
            _ if a.is_arithmetic() && b.is_arithmetic() => {
                let sides = [(a, left_typed.bits), (b, right_typed.bits)];
                if let Some((ty, bits)) =
                    self.wide_common((&sides[0].0, sides[0].1), (&sides[1].0, sides[1].1))
                {
                    return Ok(Some(Typed { ty, bits }));
                }
                let [a, b] = sides.map(|(ty, bits)| self.types.promote(&ty, bits));
                Some(self.types.usual(&a, &b))
            }
            _ => Some(a),
        };
        Ok(ty.map(Typed::from))
    }

    /// Whether the expression is a null pointer constant: zero, perhaps converted to `void *`.
    fn is_null(&mut self, expression: &'a Node<Expression>) -> bool {
        match &expression.node {
            Expression::Cast(cast) => {
                self.type_name(&cast.node.type_name)
                    .is_ok_and(|ty| ty.is_integer() || ty.pointee() == Some(&Type::Void))
                    && self.is_null(&cast.node.expression)
            }
            _ => self.constant(expression).is_ok_and(|number| number == 0),
        }
    }

    /// The expression that `_Generic` stands for.
    pub(crate) fn generic_choice(
        &mut self,
        selection: &'a Node<ast::GenericSelection>,
    ) -> Lowered<&'a Node<Expression>> {
        let ty = self.type_as_such(&selection.node.expression)?.decay();
        let (mut default, mut chosen) = (None, Vec::new());
        for association in &selection.node.associations {
            match &association.node {
                ast::GenericAssociation::Type(choice) => {
                    let expression: &'a Node<Expression> = &choice.node.expression;
                    if self.type_name(&choice.node.type_name)? == ty {
                        chosen.push(expression);
                    }
                }
                ast::GenericAssociation::Default(expression) => default = Some(&**expression),
            }
        }
        match (chosen.as_slice(), default) {
            // Types here know no `const`. Where there is another way to choose, it may be the right one.
            ([_, _, ..], _) | ([_], Some(_)) if ty.is_pointer() => unsupported(
                selection.span,
                "_Generic for a pointer is not modelled where qualifiers of what it points to may decide",
            ),
            ([only], _) => Ok(*only),
            ([], Some(default)) => Ok(default),
            ([], None) => {
                wrong(selection.span, format!("no association for type '{}'", self.types.show(&ty)))
            }
            ([_, _, ..], _) => unsupported(selection.span, "_Generic with qualified types is not modelled"),
        }
    }

    /// `({ ... })`: what its declarations declare is known inside of it only.
    fn statement_type(&mut self, statement: &'a Node<Statement>) -> Lowered<Typed> {
        let Statement::Compound(items) = &statement.node else { return Ok(Type::Void.into()) };
        self.scopes.push(Scope::default());
        let result = self.last_type(items);
        self.scopes.pop();
        result
    }

    fn last_type(&mut self, items: &'a [Node<ast::BlockItem>]) -> Lowered<Typed> {
        let Some((last, first)) = items.split_last() else { return Ok(Type::Void.into()) };
        for item in first {
            if let ast::BlockItem::Declaration(declaration) = &item.node {
                self.declare_unevaluated(declaration)?;
            }
        }
        match &last.node {
            ast::BlockItem::Statement(statement) => {
                match crate::lower::statement::without_labels(statement).1 {
                    Statement::Expression(Some(expression)) => {
                        let typed = self.typed(expression)?;
                        Ok(Typed { ty: typed.ty.decay(), bits: typed.bits })
                    }
                    _ => Ok(Type::Void.into()),
                }
            }
            _ => Ok(Type::Void.into()),
        }
    }

    fn declare_unevaluated(&mut self, declaration: &'a Node<ast::Declaration>) -> Lowered<()> {
        let (mut base, class) = self.specifiers(&declaration.node.specifiers)?;
        for declared in &declaration.node.declarators {
            if let Some(ty) = self.automatic_type(declaration, declared)? {
                base = ty;
            }
            let (name, ty) = self.declarator(base.clone(), &declared.node.declarator)?;
            let Some(name) = name else { continue };
            let entity = if class.typedef {
                Entity::Typedef(ty)
            } else {
                Entity::Unevaluated(self.completed(ty, declared.node.initializer.as_ref())?)
            };
            self.bind(&name.node.name, entity);
        }
        Ok(())
    }

    /// The type of a variable that takes it from its initial value (`__auto_type`).
    pub(crate) fn automatic_type(
        &mut self,
        declaration: &'a Node<ast::Declaration>,
        declared: &'a Node<ast::InitDeclarator>,
    ) -> Lowered<Option<Type>> {
        if Self::is_automatic_type(&declaration.node.specifiers)
            && let Some(initializer) = &declared.node.initializer
            && let ast::Initializer::Expression(expression) = &initializer.node
        {
            return Ok(Some(self.type_as_such(expression)?.decay()));
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests;
