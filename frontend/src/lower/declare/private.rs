//! Types that our models define: whose definition counts, and their private parts.
//!
//! A model's type stands for that of the system's headers, whose members are nobody's business. Where a program brings its own functions for a type,
//! that is, where it defines a function of the same model file, its own types count, too, if they are not from a header of the
//! system. Otherwise the model's type counts, because the model's functions work on it, and a use of a member that the model does not have is a limit
//! at its place: the model would not keep the member up to date.

use crate::lower::context::{Lowered, Lowerer, unsupported, wrong};
use crate::parse::declared_names;
use crate::program::position::FileId;
use crate::types::{RecordId, Type};
use lang_c::ast::ExternalDeclaration;
use lang_c::span::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// What the models define.
#[derive(Default)]
pub(crate) struct Models {
    /// Types by name; the same names in the user's text are ignored.
    types: FxHashMap<String, Type>,
    /// Where they are defined.
    places: FxHashMap<String, usize>,
    /// Structs.
    records: FxHashSet<RecordId>,
    /// Files of which the program defines a function itself.
    replaced: FxHashSet<FileId>,
}

impl Models {
    /// Whether a struct is one of the models'.
    pub(crate) fn own(&self, id: RecordId) -> bool {
        self.records.contains(&id)
    }

    /// The name that a type has in the models; the first of the alphabet, if there are several.
    pub(crate) fn name_of(&self, ty: &Type) -> Option<&str> {
        let names = self.types.iter().filter(|(_, known)| *known == ty);
        names.map(|(name, _)| name.as_str()).min()
    }

    pub(super) fn define_record(&mut self, id: RecordId) {
        self.records.insert(id);
    }

    pub(super) fn define(&mut self, name: &str, ty: &Type, place: usize) {
        self.types.insert(name.to_owned(), ty.clone());
        self.places.insert(name.to_owned(), place);
    }

    /// Where the models define the name.
    pub(super) fn place_of(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    /// The program's own definition counts.
    pub(super) fn forget(&mut self, name: &str) {
        self.types.remove(name);
        self.places.remove(name);
    }
}

impl Lowerer<'_> {
    /// Finds the model files of which the user defines a function himself.
    pub(crate) fn find_replaced_models(&mut self) {
        let mut of_models: FxHashMap<&str, FileId> = FxHashMap::default();
        let mut replaced = FxHashSet::default();
        for external in &self.unit.ast.0 {
            let ExternalDeclaration::FunctionDefinition(definition) = &external.node else { continue };
            for name in declared_names(std::iter::once(&definition.node.declarator)) {
                if self.is_model(external.span.start) {
                    of_models.insert(&name.node.name, self.unit.map.position(external.span.start).file);
                } else if let Some(file) = of_models.get(name.node.name.as_str()) {
                    replaced.insert(*file);
                }
            }
        }
        self.models.replaced = replaced;
    }

    /// Whether a definition of the user's at `now` counts, and not that of the model at `before`.
    pub(crate) fn steps_back(&self, before: usize, now: usize) -> bool {
        !self.is_model(now)
            && !self.unit.map.is_system(now)
            && self.models.replaced.contains(&self.unit.map.position(before).file)
    }

    /// What is wrong with a member that a struct does not have.
    pub(crate) fn no_member<T>(&self, ty: &Type, name: &str, span: Span) -> Lowered<T> {
        let is_private = matches!(ty.unatomic(), Type::Record(id) if self.models.own(*id));
        let shown = self.shown_type(ty);
        if is_private && !self.is_model(span.start) {
            let advice = "define its functions in the program, or with --model";
            return unsupported(span, format!("the member '{name}' of '{shown}' is not modelled; {advice}"));
        }
        wrong(span, format!("'{shown}' has no member '{name}'"))
    }

    /// A type as the user knows it.
    pub(crate) fn shown_type(&self, ty: &Type) -> String {
        let is_ours = matches!(ty.unatomic(), Type::Record(id) if self.models.own(*id));
        match self.models.name_of(ty).filter(|_| is_ours) {
            Some(name) => name.to_owned(),
            None => self.types.show(ty),
        }
    }
}
