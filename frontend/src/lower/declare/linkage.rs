//! Where declarations of different files meet: they must agree, and there is one definition.
//!
//! Inside of a file the compiler has checked that; a linker does not look at types. What contradicts is an error that names both places.

use crate::lower::context::{Lowered, Lowerer, wrong};
use crate::lower::graph::{ObjectId, Storage};
use crate::types::Type;
use lang_c::span::Span;

impl Lowerer<'_> {
    /// Whether two places are in different files of the user's.
    fn are_apart(&self, one: usize, other: usize) -> bool {
        !self.is_model(one) && !self.is_model(other) && self.unit.part(one) != self.unit.part(other)
    }

    /// A place as messages have it.
    pub(crate) fn place_text(&self, offset: usize) -> String {
        let position = self.unit.map.position(offset);
        format!("{}:{}:{}", self.unit.map.file_name(position.file), position.line, position.column)
    }

    /// Checks the type with which a function or variable is declared once more, if that is in another file.
    pub(crate) fn check_linked_type(&self, object: ObjectId, ty: &Type, span: Span) -> Lowered<()> {
        let known = &self.objects[object.index()];
        let before = match known.storage {
            Storage::Code(function) => &self.functions[function.index()].ty,
            _ => &known.ty,
        };
        if !self.are_apart(known.offset, span.start) || self.types.compatible(before, ty) {
            return Ok(());
        }
        let (name, place) = (known.name, self.place_text(known.offset));
        let (now, before) = (self.types.show(ty), self.types.show(before));
        if now == before {
            let message =
                format!("'{name}' is declared as '{now}' here and at {place}, where that is another type");
            return wrong(span, message);
        }
        wrong(span, format!("'{name}' is declared as '{now}' here and as '{before}' at {place}"))
    }

    /// Checks that a variable has one copy for each thread in all files, or in none.
    pub(crate) fn check_linked_storage(
        &self,
        object: ObjectId,
        thread_local: bool,
        span: Span,
    ) -> Lowered<()> {
        let known = &self.objects[object.index()];
        if !self.are_apart(known.offset, span.start)
            || (known.storage == Storage::ThreadLocal) == thread_local
        {
            return Ok(());
        }
        let (name, place) = (known.name, self.place_text(known.offset));
        wrong(span, format!("'{name}' is thread-local either here or at {place}, but not at both places"))
    }
}
