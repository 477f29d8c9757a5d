//! `sizeof` and `offsetof`, and what else happens where a length is computed.

use super::order::has_effects;
use super::{Operand, Value};
use crate::lower::context::{Entity, Lowered, Lowerer, unsupported, wrong};
use crate::lower::graph::{ObjectId, RegisterId};
use crate::types::Type;
use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span};
use rustc_hash::FxHashMap;
use smt::Term;

/// The lengths of arrays whose length is not constant.
#[derive(Default)]
pub(crate) struct Lengths(FxHashMap<ObjectId, RegisterId>);

impl Lengths {
    pub(crate) fn of(&self, object: ObjectId) -> Option<RegisterId> {
        self.0.get(&object).copied()
    }

    pub(crate) fn set(&mut self, object: ObjectId, length: RegisterId) {
        self.0.insert(object, length);
    }
}

impl<'a> Lowerer<'a> {
    pub(crate) fn size_value(&self, size: u64) -> Value {
        Value::new(Term::bv(self.pointer_width(), u128::from(size)), self.size_type())
    }

    /// The size of an array whose length is not constant.
    pub(super) fn variable_size(&mut self, expression: &'a Node<Expression>) -> Lowered<Option<Value>> {
        let Expression::Identifier(name) = &expression.node else { return Ok(None) };
        let Some(Entity::Object(object)) = self.lookup(&name.node.name) else { return Ok(None) };
        let Some(length) = self.lengths.of(*object) else { return Ok(None) };
        let element = self.objects[object.index()].ty.pointee().and_then(|t| self.types.size(t)).unwrap_or(1);
        let unit = self.size_value(element);
        Ok(Some(Value::new(self.register_term(length).bv_mul(unit.term), unit.ty)))
    }

    /// The size of a type that is named; of arrays whose length is not constant, those whose elements are of constant size.
    pub(super) fn size_of_type(&mut self, name: &'a Node<ast::TypeName>, span: Span) -> Lowered<Value> {
        let ty = self.type_name(name)?;
        if let (Type::Array(element, None), Some(declarator)) = (&ty, &name.node.declarator)
            && let [derived] = declarator.node.derived.as_slice()
            && let ast::DerivedDeclarator::Array(array) = &derived.node
            && let ast::ArraySize::VariableExpression(length) = &array.node.size
            && let Some(size) = self.types.size(element)
        {
            self.check_order(length);
            let (unit, length) = (self.size_value(size), self.rvalue(length)?);
            let length = self.convert(&length, &unit.ty, span)?;
            return Ok(Value::new(length.term.bv_mul(unit.term), unit.ty));
        }
        self.length_effects_of_type(name)?;
        self.size_of(&ty, span)
    }

    pub(super) fn size_of(&mut self, ty: &Type, span: Span) -> Lowered<Value> {
        match self.types.size(ty) {
            Some(size) => Ok(self.size_value(size)),
            None if matches!(ty, Type::Array(_, None)) => {
                unsupported(span, "the size of an array whose length is not constant is not modelled")
            }
            None => wrong(span, format!("the size of '{}' is not known", self.types.show(ty))),
        }
    }

    /// What happens when the lengths of arrays in a declarator are computed (C11 6.7.6.2): it does although the lengths may be known here, or are not
    /// needed, as in parameters. The length of a variable by itself is computed where it is declared.
    pub(crate) fn length_effects(&mut self, declarator: &'a Node<ast::Declarator>) -> Lowered<()> {
        if let ast::DeclaratorKind::Declarator(inner) = &declarator.node.kind.node {
            self.length_effects(inner)?;
        }
        for derived in &declarator.node.derived {
            if let ast::DerivedDeclarator::Array(array) = &derived.node {
                self.length_effect(&array.node.size)?;
            }
        }
        Ok(())
    }

    /// The same for one length.
    pub(crate) fn length_effect(&mut self, size: &'a ast::ArraySize) -> Lowered<()> {
        match size {
            ast::ArraySize::VariableExpression(size) | ast::ArraySize::StaticExpression(size)
                if has_effects(size) =>
            {
                self.check_order(size);
                self.effect(size)
            }
            ast::ArraySize::VariableExpression(_)
            | ast::ArraySize::StaticExpression(_)
            | ast::ArraySize::Unknown
            | ast::ArraySize::VariableUnknown => Ok(()),
        }
    }

    /// The same for the name of a type.
    pub(super) fn length_effects_of_type(&mut self, name: &'a Node<ast::TypeName>) -> Lowered<()> {
        name.node.declarator.as_ref().map_or(Ok(()), |declarator| self.length_effects(declarator))
    }

    pub(super) fn offset_of(&mut self, offset: &'a Node<ast::OffsetOfExpression>) -> Lowered<Operand> {
        let mut ty = self.type_name(&offset.node.type_name)?;
        let designator = &offset.node.designator.node;
        let mut bits = 0;
        let mut step = |s: &mut Self, name: &Node<ast::Identifier>, ty: &mut Type| match ty.unatomic() {
            Type::Record(id) => match s.types.field(*id, &name.node.name) {
                Some((offset, field)) => {
                    bits += offset;
                    *ty = field.ty.clone();
                    Ok(())
                }
                None => wrong(name.span, format!("there is no member '{}'", name.node.name)),
            },
            _ => wrong(name.span, "only structs and unions have members"),
        };
        step(self, &designator.base, &mut ty)?;
        let mut extra = self.size_value(0);
        for member in &designator.members {
            match &member.node {
                ast::OffsetMember::Member(name) | ast::OffsetMember::IndirectMember(name) => {
                    step(self, name, &mut ty)?
                }
                ast::OffsetMember::Index(index) => {
                    let number = self.rvalue(index)?;
                    let number = self.convert(&number, &extra.ty, index.span)?;
                    let Type::Array(element, _) = ty.unatomic().clone() else {
                        return wrong(index.span, "only an array is indexed here");
                    };
                    let Some(size) = self.types.size(&element) else {
                        return wrong(index.span, "this index has no offset");
                    };
                    let offset = number.term.bv_mul(self.size_value(size).term);
                    extra.term = extra.term.bv_add(offset);
                    ty = (*element).clone();
                }
            }
        }
        extra.term = extra.term.bv_add(self.size_value(bits / 8).term);
        Ok(Operand::Scalar(extra))
    }
}
