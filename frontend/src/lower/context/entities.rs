//! Names and what they stand for: scopes, registers, objects.

use super::{Entity, Lowerer};
use crate::lower::graph::{FunctionId, Object, ObjectId, Register, RegisterId, Storage, address_name};
use crate::types::Type;
use smt::{Sort, Symbol, Term};

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
        let name = &*crate::lower::shown::name(self.unit.name(name));
        let count = self.names.entry(name.to_owned()).or_insert(0);
        *count += 1;
        if *count == 1 {
            return Symbol::new(name);
        }
        let numbered = format!("{name}#{count}");
        self.unique(&numbered)
    }

    /// The name of a function as the user knows it.
    pub(crate) fn shown_name(&self, function: FunctionId) -> Symbol {
        Symbol::new(self.unit.name(self.functions[function.index()].name.as_str()))
    }

    /// The width of pointers.
    pub(crate) fn pointer_width(&self) -> u32 {
        self.types.model.pointer_width()
    }

    /// The sort of values of a scalar type.
    pub(crate) fn sort(&self, ty: &Type) -> Sort {
        match ty.unatomic() {
            Type::Bool => Sort::Bool,
            other => Sort::BitVec(self.types.width(other)),
        }
    }

    pub(crate) fn new_register(&mut self, name: Symbol, ty: &Type, offset: usize) -> RegisterId {
        let id = RegisterId(self.registers.len() as u32);
        let (sort, signed) = (self.sort(ty), self.types.signed(ty));
        self.registers.push(Register { name, sort, signed, offset, guess: None });
        if let Some(builder) = &mut self.builder {
            builder.registers.push(id);
        }
        id
    }

    /// A register for the address of an object.
    pub(crate) fn address_register(&mut self, name: Symbol, offset: usize) -> RegisterId {
        let sort = smt::Sort::BitVec(self.pointer_width());
        self.registers.push(Register { name, sort, signed: false, offset, guess: None });
        RegisterId(self.registers.len() as u32 - 1)
    }

    /// A register for an intermediate value.
    pub(crate) fn temporary(&mut self, ty: &Type) -> RegisterId {
        let (name, offset) = match &mut self.builder {
            Some(builder) => {
                builder.temporaries += 1;
                (format!("{}::${}", builder.name, builder.temporaries), builder.span.start)
            }
            None => ("$".to_owned(), 0),
        };
        let name = self.unique(&name);
        self.new_register(name, ty, offset)
    }

    pub(crate) fn register_term(&self, id: RegisterId) -> Term {
        self.registers[id.index()].term()
    }

    pub(crate) fn new_object(&mut self, name: &str, ty: Type, storage: Storage, offset: usize) -> ObjectId {
        let name = self.unique(name);
        let id = ObjectId(self.objects.len() as u32);
        let init = match storage {
            Storage::Static | Storage::ThreadLocal | Storage::Code(_) => Some(Vec::new()),
            Storage::Automatic | Storage::Heap(_) => None,
        };
        let (writes, model) = (Default::default(), self.is_model(offset));
        self.objects.push(Object {
            name,
            ty,
            storage,
            init,
            everywhere: None,
            writes,
            model,
            freeable: true,
            offset,
        });
        if storage == Storage::Automatic
            && let Some(builder) = &mut self.builder
        {
            builder.objects.push(id);
            builder.blocks.declare_object(id);
        }
        id
    }

    /// The address of an object as a term.
    pub(crate) fn object_address(&self, id: ObjectId) -> Term {
        Term::constant(address_name(self.objects[id.index()].name), Sort::BitVec(self.pointer_width()))
    }

    /// The name of the function being translated, for naming its locals.
    pub(crate) fn function_name(&self) -> Symbol {
        self.builder.as_ref().map_or_else(|| Symbol::new(""), |b| b.name)
    }
}
