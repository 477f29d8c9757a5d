//! The code of a file: its functions as graphs, with everything that they mention. The first pass makes it, the others read it and add to it.

use super::context::Remark;
use super::graph::{
    Check, CheckId, Function, FunctionId, Object, ObjectId, Register, RegisterId, Storage, address_name,
};
use super::options::Options;
use crate::parse::Unit;
use crate::types::{Type, Types};
use lang_c::ast;
use lang_c::span::{Node, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Sort, Symbol, Term};

/// Functions, and what they mention.
pub(crate) struct Code<'a> {
    pub unit: &'a Unit,
    pub options: &'a Options,
    pub types: Types,
    pub objects: Vec<Object>,
    pub registers: Vec<Register>,
    pub functions: Vec<Function>,
    /// The text of functions that have a body.
    pub definitions: FxHashMap<Symbol, &'a Node<ast::FunctionDefinition>>,
    /// Functions that may be called through pointers.
    pub address_taken: FxHashSet<FunctionId>,
    /// What a thread does when its function has returned.
    pub finish: Option<FunctionId>,
    pub checks: Vec<Check>,
    pub remarks: Vec<Remark>,
    /// Predicates of the user, and where they stand.
    pub predicates: Vec<(Term, usize)>,
    /// Conversions of `void *` to another pointer type.
    pub hints: Vec<(Term, Type)>,
    /// How often each name has been asked for.
    names: FxHashMap<String, u32>,
}

/// How much there was at some time.
pub(crate) struct Mark {
    objects: usize,
    registers: usize,
    checks: usize,
    names: FxHashMap<String, u32>,
}

impl<'a> Code<'a> {
    pub(crate) fn new(unit: &'a Unit, options: &'a Options) -> Code<'a> {
        Code {
            unit,
            options,
            types: Types::new(options.data_model),
            objects: Vec::new(),
            registers: Vec::new(),
            functions: Vec::new(),
            definitions: FxHashMap::default(),
            address_taken: FxHashSet::default(),
            finish: None,
            checks: Vec::new(),
            remarks: Vec::new(),
            predicates: Vec::new(),
            hints: Vec::new(),
            names: FxHashMap::default(),
        }
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark {
            objects: self.objects.len(),
            registers: self.registers.len(),
            checks: self.checks.len(),
            names: self.names.clone(),
        }
    }

    /// Forgets what has been made since.
    pub(crate) fn take_back(&mut self, mark: &Mark) {
        self.objects.truncate(mark.objects);
        self.registers.truncate(mark.registers);
        self.checks.truncate(mark.checks);
        self.names.clone_from(&mark.names);
    }

    /// How many different names there are.
    pub(crate) fn count_names(&self) -> usize {
        self.names.len()
    }

    /// Whether the place is in one of our models.
    pub(crate) fn is_model(&self, offset: usize) -> bool {
        self.unit.map.is_prelude(offset)
    }

    /// Whether the place is in a model whose accesses to memory are the user's.
    pub(crate) fn is_library(&self, offset: usize) -> bool {
        let position = self.unit.map.position(offset);
        self.unit.map.file_name(position.file).starts_with(crate::models::LIBRARY_FOLDER)
    }

    /// The source text of a span.
    pub(crate) fn text(&self, span: Span) -> &'a str {
        self.unit.text.get(span.start..span.end).unwrap_or("")
    }

    /// The source as written, in one line.
    pub(crate) fn source_text(&self, span: Span) -> String {
        super::shown::text(self.unit.written(span))
    }

    /// A name that nothing else has.
    pub(crate) fn unique(&mut self, name: &str) -> Symbol {
        let name = &*super::shown::name(self.unit.name(name));
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

    pub(crate) fn is_complete(&self, ty: &Type) -> bool {
        self.types.size(ty).is_some()
    }

    pub(crate) fn new_register(&mut self, name: Symbol, ty: &Type, offset: usize) -> RegisterId {
        let (sort, signed) = (self.sort(ty), self.types.signed(ty));
        self.add_register(Register { name, sort, signed, offset, guess: None, result_of: None })
    }

    pub(crate) fn add_register(&mut self, register: Register) -> RegisterId {
        self.registers.push(register);
        RegisterId((self.registers.len() - 1) as u32)
    }

    /// A register for the address of an object.
    pub(crate) fn address_register(&mut self, name: Symbol, offset: usize) -> RegisterId {
        let sort = Sort::BitVec(self.pointer_width());
        self.add_register(Register { name, sort, signed: false, offset, guess: None, result_of: None })
    }

    /// A register for an intermediate value of no function.
    pub(crate) fn temporary(&mut self, ty: &Type) -> RegisterId {
        let name = self.unique("$");
        self.new_register(name, ty, 0)
    }

    pub(crate) fn register_term(&self, id: RegisterId) -> Term {
        self.registers[id.index()].term()
    }

    pub(crate) fn new_object(&mut self, name: &str, ty: Type, storage: Storage, offset: usize) -> ObjectId {
        let name = self.unique(name);
        let init = match storage {
            Storage::Static | Storage::ThreadLocal | Storage::Code(_) => Some(Vec::new()),
            Storage::Automatic | Storage::Heap(_) => None,
        };
        let (writes, model) = (Default::default(), self.is_model(offset));
        let (everywhere, freeable) = (None, true);
        self.objects.push(Object { name, ty, storage, init, everywhere, writes, model, freeable, offset });
        ObjectId((self.objects.len() - 1) as u32)
    }

    /// The address of an object as a term.
    pub(crate) fn object_address(&self, id: ObjectId) -> Term {
        Term::constant(address_name(self.objects[id.index()].name), Sort::BitVec(self.pointer_width()))
    }

    /// Something to check, which control must get to by `Op::Fail`.
    pub(crate) fn add_check(&mut self, check: Check) -> CheckId {
        self.checks.push(check);
        CheckId((self.checks.len() - 1) as u32)
    }
}
