//! `sizeof` and `offsetof`.

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

    pub(super) fn size_of(&mut self, ty: &Type, span: Span) -> Lowered<Value> {
        match self.types.size(ty) {
            Some(size) => Ok(self.size_value(size)),
            None if matches!(ty, Type::Array(_, None)) => {
                unsupported(span, "the size of an array whose length is not constant is not modelled")
            }
            None => wrong(span, format!("the size of '{}' is not known", self.types.show(ty))),
        }
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
        let mut extra = 0;
        for member in &designator.members {
            match &member.node {
                ast::OffsetMember::Member(name) | ast::OffsetMember::IndirectMember(name) => {
                    step(self, name, &mut ty)?
                }
                ast::OffsetMember::Index(index) => {
                    let number = self.constant(index)?;
                    let Type::Array(element, _) = ty.unatomic().clone() else {
                        return wrong(index.span, "only an array is indexed here");
                    };
                    let (Some(size), Ok(number)) = (self.types.size(&element), u64::try_from(number)) else {
                        return wrong(index.span, "this index has no offset");
                    };
                    extra += number.saturating_mul(size);
                    ty = (*element).clone();
                }
            }
        }
        Ok(Operand::Scalar(self.size_value(bits / 8 + extra)))
    }
}
