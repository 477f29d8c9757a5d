//! Names and what they stand for: scopes, and the registers and objects of the function that is being translated.

use super::{Entity, Lowerer};
use crate::lower::graph::{ObjectId, RegisterId, Storage};
use crate::types::Type;
use smt::Symbol;

impl<'a> Lowerer<'a> {
    pub(crate) fn lookup(&self, name: &str) -> Option<&Entity> {
        self.scopes.iter().rev().find_map(|scope| scope.names.get(name))
    }

    pub(crate) fn lookup_tag(&self, name: &str) -> Option<&Type> {
        self.scopes.iter().rev().find_map(|scope| scope.tags.get(name))
    }

    pub(crate) fn bind(&mut self, name: &str, entity: Entity) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.insert(name.to_owned(), entity);
        }
    }

    pub(crate) fn at_file_scope(&self) -> bool {
        self.scopes.len() == 1
    }

    /// A name that nothing else has.
    pub(crate) fn unique(&mut self, name: &str) -> Symbol {
        self.code.unique(name)
    }

    pub(crate) fn new_register(&mut self, name: Symbol, ty: &Type, offset: usize) -> RegisterId {
        let id = self.code.new_register(name, ty, offset);
        if let Some(builder) = &mut self.builder {
            builder.registers.push(id);
        }
        id
    }

    /// A register for an intermediate value.
    pub(crate) fn temporary(&mut self, ty: &Type) -> RegisterId {
        let Some(builder) = &mut self.builder else { return self.code.temporary(ty) };
        builder.temporaries += 1;
        let (name, offset) = (format!("{}::${}", builder.name, builder.temporaries), builder.span.start);
        let name = self.unique(&name);
        self.new_register(name, ty, offset)
    }

    pub(crate) fn new_object(&mut self, name: &str, ty: Type, storage: Storage, offset: usize) -> ObjectId {
        let id = self.code.new_object(name, ty, storage, offset);
        if storage == Storage::Automatic
            && let Some(builder) = &mut self.builder
        {
            builder.objects.push(id);
            builder.blocks.declare_object(id);
        }
        id
    }

    /// The name of the function being translated, for naming its locals.
    pub(crate) fn function_name(&self) -> Symbol {
        self.builder.as_ref().map_or_else(|| Symbol::new(""), |b| b.name)
    }
}
