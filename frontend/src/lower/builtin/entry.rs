//! Arguments of entry points: `__argument(f, number, "what")` has the type of a parameter of `f`, and the value that the user asked for.
//!
//! Numbers are any. A pointer leads to an object of this call, or to one that calls share. Where the type of the object is not known, the pointer is any
//! number: more than callers would give, and marked as such.

use crate::lower::context::{Entity, Lowered, Lowerer, wrong};
use crate::lower::expression::{Operand, Place, Value};
use crate::lower::graph::{ObjectId, Op, Storage};
use crate::types::Type;
use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span};
use rustc_hash::FxHashMap;
use smt::Term;

/// The function that stands for an argument in the text around entry points.
pub(crate) const ARGUMENT: &str = "__argument";

/// Objects that calls of entry points share, by type.
#[derive(Default)]
pub(crate) struct SharedArguments(FxHashMap<Type, ObjectId>);

impl<'a> Lowerer<'a> {
    pub(super) fn entry_argument(
        &mut self,
        name: &str,
        call: &'a Node<ast::CallExpression>,
        span: Span,
    ) -> Lowered<Option<Operand>> {
        if name != ARGUMENT {
            return Ok(None);
        }
        let [function, number, what] = call.node.arguments.as_slice() else {
            return wrong(span, "an entry point needs a function, a number and a word");
        };
        let Expression::Identifier(function) = &function.node else {
            return wrong(span, "an entry point needs a function");
        };
        let about = About {
            function: self.unit.name(&function.node.name).to_owned(),
            number: self.constant(number)?,
        };
        let what = self.literal_argument(what).unwrap_or_default();
        let ty = match self.lookup(&function.node.name) {
            Some(Entity::Function(id)) => match &self.functions[id.index()].ty {
                Type::Function(ty) => {
                    usize::try_from(about.number - 1).ok().and_then(|i| ty.parameters.get(i).cloned())
                }
                _ => None,
            },
            _ => None,
        };
        let Some(ty) = ty else { return wrong(span, format!("{about} has no type")) };
        self.entry_value(&what, &ty.unatomic().clone(), &about, span).map(Some)
    }

    fn entry_value(&mut self, what: &[u8], ty: &Type, about: &About, span: Span) -> Lowered<Operand> {
        if !ty.is_pointer() && !matches!(what, b"usual" | b"any") {
            let shown = self.types.show(ty);
            return wrong(span, format!("{about} is a '{shown}', not a pointer: say 'any' or give a value"));
        }
        let is_known =
            |pointee: &&Type| !matches!(pointee, Type::Void | Type::Function(_)) && self.is_complete(pointee);
        let pointee = ty.pointee().filter(is_known).cloned();
        match (what, pointee) {
            (b"null", _) => Ok(self.pointer_value(Term::bv(self.pointer_width(), 0), ty)),
            (b"usual", Some(pointee)) => {
                let object = self.fresh_object(&pointee, false, about, span)?;
                Ok(self.pointer_value(self.object_address(object), ty))
            }
            (b"fresh" | b"zero", Some(pointee)) => {
                let object = self.fresh_object(&pointee, what == b"zero", about, span)?;
                Ok(self.pointer_value(self.object_address(object), ty))
            }
            (b"shared", Some(pointee)) => {
                let object = self.shared_object(&pointee, span);
                Ok(self.pointer_value(self.object_address(object), ty))
            }
            (b"fresh" | b"zero" | b"shared", None) => {
                let shown = self.types.show(ty);
                wrong(
                    span,
                    format!(
                        "{about} is a '{shown}': what it points to is not known; give &VARIABLE, null or any"
                    ),
                )
            }
            _ if ty.is_pointer() => {
                let reason =
                    format!("{about} is any pointer; say which with --entry '{}(&VARIABLE)'", about.function);
                let term = self.guess(ty, &reason);
                Ok(self.pointer_value(term, ty))
            }
            _ if ty.is_aggregate() => {
                let object = self.temporary_object(ty, span);
                self.emit(Op::Forget(object));
                Ok(Operand::Aggregate(Place::object(object, ty.clone())))
            }
            _ => {
                let term = self.any(ty);
                Ok(Operand::Scalar(Value::new(term, ty.clone())))
            }
        }
    }

    fn pointer_value(&self, term: Term, ty: &Type) -> Operand {
        Operand::Scalar(Value::new(term, ty.clone()))
    }

    /// An object of this call.
    fn fresh_object(&mut self, ty: &Type, is_zero: bool, about: &About, span: Span) -> Lowered<ObjectId> {
        if !is_zero && self.has_lock(ty) {
            let shown = self.types.show(ty);
            return wrong(
                span,
                format!(
                    "{about} points to a '{shown}' with a lock in it, which cannot have any content; say 'shared', 'zero' or give &VARIABLE"
                ),
            );
        }
        let name = format!("{}::argument", about.function);
        let object = self.new_object(&name, ty.clone(), Storage::Automatic, span.start);
        self.emit(if is_zero { Op::Clear(object) } else { Op::Forget(object) });
        Ok(object)
    }

    /// The object of a type that calls share.
    fn shared_object(&mut self, ty: &Type, span: Span) -> ObjectId {
        if let Some(object) = self.shared_arguments.0.get(ty) {
            return *object;
        }
        let name = format!("shared {}", self.types.show(ty));
        let object = self.new_object(&name, ty.clone(), Storage::Static, span.start);
        self.shared_arguments.0.insert(ty.clone(), object);
        object
    }

    /// Whether a type has a part that our models define.
    fn has_lock(&self, ty: &Type) -> bool {
        match ty.unatomic() {
            Type::Array(element, _) => self.has_lock(element),
            Type::Record(id) => {
                self.models.own(*id)
                    || self.types.record(*id).fields.iter().any(|field| self.has_lock(&field.ty))
            }
            _ => false,
        }
    }
}

/// A parameter of an entry point, for messages.
struct About {
    function: String,
    number: i128,
}

impl std::fmt::Display for About {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "parameter {} of '{}'", self.number, self.function)
    }
}
