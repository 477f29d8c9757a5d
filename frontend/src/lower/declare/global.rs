//! Declarations at file scope (C11 6.9): types, variables and functions, and what is known about them only at the end of the file.

use crate::lower::context::{Entity, Lowered, Lowerer, unsupported, wrong};
use crate::lower::declare::StorageClass;
use crate::lower::declare::attributes::Attributes;
use crate::lower::graph::{Function, FunctionId, InitialValue, ObjectId, Storage};
use crate::program::Assumption;
use crate::types::{CHAR, Type};
use lang_c::ast;
use lang_c::span::{Node, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Symbol, Term};

/// Functions whose name says that they run without interruption.
const ATOMIC_PREFIX: &str = "__VERIFIER_atomic_";
/// Streams of the library that nobody opens.
const STANDARD_STREAMS: [&str; 3] = ["stdin", "stdout", "stderr"];

/// What declarations say about functions and variables beside their types.
#[derive(Default)]
pub(crate) struct Marks {
    /// Functions that do not return.
    noreturn: FxHashSet<FunctionId>,
    /// Functions to run before the first one: when, and which.
    constructors: Vec<(i128, FunctionId)>,
    /// Functions to run behind the last one.
    destructors: FxHashSet<FunctionId>,
    /// What need not be defined.
    weak: Vec<ObjectId>,
    /// Functions with another name for the assembler.
    labelled: Vec<(FunctionId, String)>,
    /// Functions that are said to return more than once.
    returns_twice: Vec<ObjectId>,
    /// Variables with an initial value, and where.
    initialised: FxHashMap<ObjectId, usize>,
    /// Declared `volatile`: others may write them if the program does not define them.
    volatile: FxHashSet<ObjectId>,
    /// Names of types that have an alignment of their own, in bytes.
    type_alignments: FxHashMap<String, u64>,
}

impl Marks {
    pub(crate) fn is_noreturn(&self, id: FunctionId) -> bool {
        self.noreturn.contains(&id)
    }

    pub(crate) fn is_volatile(&self, object: ObjectId) -> bool {
        self.volatile.contains(&object)
    }

    pub(super) fn type_alignment(&self, name: &str) -> Option<u64> {
        self.type_alignments.get(name).copied()
    }

    /// Functions to run first, in their order.
    pub(crate) fn take_constructors(&mut self) -> Vec<(i128, FunctionId)> {
        let mut constructors = std::mem::take(&mut self.constructors);
        constructors.sort_by_key(|(priority, _)| *priority);
        constructors
    }

    pub(crate) fn destructors(&self) -> impl Iterator<Item = FunctionId> + '_ {
        self.destructors.iter().copied()
    }
}

impl<'a> Lowerer<'a> {
    pub(crate) fn global_declaration(&mut self, declaration: &'a Node<ast::Declaration>) -> Lowered<()> {
        let (base, class) = self.specifiers(&declaration.node.specifiers)?;
        for declared in &declaration.node.declarators {
            let (name, ty) = self.declarator(base.clone(), &declared.node.declarator)?;
            let Some(name) = name else { return wrong(declared.span, "a declaration needs a name") };
            let text = name.node.name.as_str();
            let attributes = self.declared_attributes(&declared.node.declarator, &class)?;
            if !matches!(ty, Type::Function(_)) || class.typedef {
                attributes.of_a_variable(name.span)?;
            }
            if class.typedef {
                if let (Type::Record(id), true) = (&ty, attributes.transparent) {
                    self.records.make_transparent(*id);
                }
                self.align_type(text, &ty, &base, &class, &attributes);
                self.global_typedef(text, ty, name.span);
            } else if matches!(ty, Type::Function(_)) {
                let id = self.declare_function(text, ty, name.span)?;
                self.mark_function(id, &attributes);
            } else {
                let initializer = declared.node.initializer.as_ref();
                let object = self.declare_global(text, ty, &class, initializer, name.span)?;
                if attributes.weak {
                    self.marks.weak.push(object);
                }
            }
        }
        Ok(())
    }

    /// Remembers the alignment that the name of a type has.
    fn align_type(
        &mut self,
        name: &str,
        ty: &Type,
        base: &Type,
        class: &StorageClass,
        attributes: &Attributes,
    ) {
        let inherited = class.type_align.filter(|_| ty == base || matches!(ty, Type::Array(..)));
        let own = (attributes.align > 0).then_some(attributes.align);
        match own.or(inherited) {
            Some(bytes) => self.marks.type_alignments.insert(name.to_owned(), bytes),
            None => self.marks.type_alignments.remove(name),
        };
    }

    /// What attributes say about a function.
    pub(crate) fn mark_function(&mut self, id: FunctionId, attributes: &Attributes) {
        if attributes.noreturn {
            self.marks.noreturn.insert(id);
        }
        if let Some(priority) = attributes.constructor
            && self.marks.constructors.iter().all(|(_, known)| *known != id)
        {
            self.marks.constructors.push((priority, id));
        }
        if attributes.destructor {
            self.marks.destructors.insert(id);
        }
        if attributes.weak {
            self.marks.weak.push(self.functions[id.index()].object);
        }
        if attributes.returns_twice {
            self.marks.returns_twice.push(self.functions[id.index()].object);
        }
        if let Some(label) = &attributes.label {
            self.marks.labelled.push((id, label.clone()));
        }
    }

    fn has_definition(&self, object: ObjectId) -> bool {
        match self.objects[object.index()].storage {
            Storage::Code(id) => self.is_defined(id),
            _ => self.objects[object.index()].init.is_some(),
        }
    }

    /// What is only known at the end of the file: which declarations have no definition.
    pub(crate) fn finish_globals(&mut self) {
        for object in std::mem::take(&mut self.marks.returns_twice) {
            if !self.has_definition(object) {
                let name = self.objects[object.index()].name;
                let message =
                    format!("'{name}' may return twice and is not defined here, which is not modelled");
                self.unmodelled.insert(object, message);
            }
        }
        for object in std::mem::take(&mut self.marks.weak) {
            if !self.has_definition(object) {
                let name = self.objects[object.index()].name;
                let message = format!("'{name}' is weak and not defined here, which is not modelled");
                self.unmodelled.insert(object, message);
            }
        }
        self.standard_streams();
        // Another name for what nobody defines changes nothing.
        for (id, label) in std::mem::take(&mut self.marks.labelled) {
            let function = &self.functions[id.index()];
            let (name, object) = (function.name, function.object);
            // What a model defines is meant by it under any name.
            if self.is_defined(id) && self.is_model(self.objects[object.index()].offset) {
                continue;
            }
            let is_other = match self.scopes[0].names.get(&label) {
                Some(Entity::Function(other)) => *other != id && self.is_defined(*other),
                Some(Entity::Object(_)) => true,
                Some(
                    Entity::Typedef(_)
                    | Entity::Register(..)
                    | Entity::Enumerator(..)
                    | Entity::Unevaluated(_),
                )
                | None => false,
            };
            if is_other || (self.is_defined(id) && label != name.as_str()) {
                self.unmodelled.insert(object, "a name for the assembler is not modelled".to_owned());
            }
        }
        for index in 0..self.objects.len() {
            let object = &self.objects[index];
            if object.storage != Storage::Static || object.init.is_none() || self.is_complete(&object.ty) {
                continue;
            }
            // C11 6.9.2: one element.
            if let Type::Array(element, None) = &object.ty
                && self.is_complete(element)
            {
                self.objects[index].ty = Type::Array(element.clone(), Some(1));
                continue;
            }
            let message =
                format!("'{}' has the incomplete type '{}'", object.name, self.types.show(&object.ty));
            self.errors.push(crate::lower::context::Refusal { offset: object.offset, message, error: true });
        }
    }

    /// The streams that are there when the program starts are objects of the library, which cannot be closed like the program's own: their first byte is 1.
    fn standard_streams(&mut self) {
        for name in STANDARD_STREAMS {
            let Some(Entity::Object(object)) = self.scopes[0].names.get(name).cloned() else { continue };
            let known = &self.objects[object.index()];
            if known.init.is_some() || known.storage != Storage::Static || !known.ty.is_pointer() {
                continue;
            }
            let stream = self.new_object(&format!("{name}.stream"), CHAR, Storage::Static, known.offset);
            self.objects[stream.index()].init = Some(vec![InitialValue { offset: 0, value: Term::bv(8, 1) }]);
            let value = self.object_address(stream);
            self.objects[object.index()].init = Some(vec![InitialValue { offset: 0, value }]);
        }
    }

    /// Whether a name may be used: a limit if what it stands for is not modelled; a remark if nobody defines it.
    pub(crate) fn used(&mut self, object: ObjectId, span: Span) -> Lowered<()> {
        if let Some(message) = self.unmodelled.get(&object) {
            return unsupported(span, message.clone());
        }
        let known = &self.objects[object.index()];
        let is_undefined = known.storage == Storage::Static
            && known.init.is_none()
            && known.everywhere.is_none()
            && !STANDARD_STREAMS.contains(&known.name.as_str());
        if is_undefined && !self.is_model(span.start) && !self.is_model(known.offset) {
            let message = format!("'{}' is declared but not defined: it may have any value", known.name);
            self.assuming(Assumption::ExternVariable, span.start, message);
        }
        Ok(())
    }

    /// A typedef; those of the models stay as they are.
    fn global_typedef(&mut self, name: &str, ty: Type, span: Span) {
        if self.is_model(span.start) {
            self.models.define(name, &ty, span.start);
        } else if let Some(place) = self.models.place_of(name) {
            if !self.steps_back(place, span.start) {
                return;
            }
            self.models.forget(name);
        }
        self.bind(name, Entity::Typedef(ty));
    }

    /// A function's name; the first declaration makes it, later ones complete its type.
    pub(crate) fn declare_function(&mut self, name: &str, ty: Type, span: Span) -> Lowered<FunctionId> {
        if let Some(Entity::Object(object)) = self.scopes[0].names.get(name)
            && !self.is_model(self.objects[object.index()].offset)
        {
            return match self.unmodelled.get(object) {
                Some(message) => unsupported(span, message.clone()),
                None => wrong(span, format!("'{name}' is declared as a variable and as a function")),
            };
        }
        if let Some(Entity::Function(id)) = self.scopes[0].names.get(name).cloned() {
            self.check_linked_type(self.functions[id.index()].object, &ty, span)?;
            let known = &self.functions[id.index()].ty;
            let knows_parameters = matches!(known, Type::Function(f) if !f.parameters.is_empty());
            if !knows_parameters && !self.is_defined(id) {
                self.functions[id.index()].ty = ty;
            }
            return Ok(id);
        }
        let id = FunctionId(self.functions.len() as u32);
        let symbol = Symbol::new(name);
        let object = self.new_object(name, ty.clone(), Storage::Code(id), span.start);
        let atomic =
            name.starts_with(ATOMIC_PREFIX) && !matches!(&name[ATOMIC_PREFIX.len()..], "begin" | "end");
        self.functions.push(Function {
            name: symbol,
            ty,
            model: false,
            library: false,
            atomic,
            body: None,
            object,
        });
        self.scopes[0].names.insert(name.to_owned(), Entity::Function(id));
        Ok(id)
    }

    pub(crate) fn declare_global(
        &mut self,
        name: &str,
        ty: Type,
        class: &StorageClass,
        initializer: Option<&'a Node<ast::Initializer>>,
        span: Span,
    ) -> Lowered<ObjectId> {
        let known = self.known_global(name, span)?;
        if let Some(message) = known.and_then(|object| self.unmodelled.get(&object)) {
            return unsupported(span, message.clone());
        }
        if ty == Type::Void && !class.external {
            return wrong(span, format!("'{name}' has the incomplete type 'void'"));
        }
        let ty = self.completed(ty, initializer)?;
        let object = match known {
            Some(object) => {
                self.check_linked_storage(object, class.thread_local, span)?;
                self.redeclare(object, ty, span)?;
                if !class.external {
                    self.objects[object.index()].init.get_or_insert_with(Vec::new);
                }
                object
            }
            None => {
                let storage = if class.thread_local { Storage::ThreadLocal } else { Storage::Static };
                let object = self.new_object(name, ty, storage, span.start);
                if class.external && initializer.is_none() {
                    self.objects[object.index()].init = None;
                }
                self.scopes[0].names.insert(name.to_owned(), Entity::Object(object));
                object
            }
        };
        if !self.at_file_scope() {
            self.bind(name, Entity::Object(object));
        }
        // A qualifier in front of a pointer is about what it points to.
        if !self.objects[object.index()].ty.is_pointer() {
            if class.volatile {
                self.marks.volatile.insert(object);
            }
            if class.constant {
                self.objects[object.index()].writes = crate::lower::graph::Writes::Violation;
            }
        }
        if let Some(initializer) = initializer {
            if let Some(first) = self.marks.initialised.insert(object, span.start) {
                let (name, first) = (self.unit.name(name), self.place_text(first));
                return wrong(span, format!("'{name}' has two initial values; the first is at {first}"));
            }
            self.static_initializer(object, initializer)?;
        }
        Ok(object)
    }

    /// The variable that has the name already.
    fn known_global(&self, name: &str, span: Span) -> Lowered<Option<ObjectId>> {
        match self.scopes[0].names.get(name) {
            Some(Entity::Object(object)) => Ok(Some(*object)),
            // A name of ours is the user's, too.
            Some(Entity::Function(id)) => {
                let declared = self.objects[self.functions[id.index()].object.index()].offset;
                if !self.is_model(declared) {
                    return wrong(span, format!("'{name}' is declared as a function and as a variable"));
                }
                Ok(None)
            }
            Some(
                Entity::Typedef(_) | Entity::Register(..) | Entity::Enumerator(..) | Entity::Unevaluated(_),
            )
            | None => Ok(None),
        }
    }

    /// A variable is declared once more: with the same type, or with one that completes it.
    fn redeclare(&mut self, object: ObjectId, ty: Type, span: Span) -> Lowered<()> {
        let known = &self.objects[object.index()];
        let is_ours = self.is_model(known.offset);
        self.check_linked_type(object, &ty, span)?;
        if !self.is_complete(&ty) {
            return Ok(());
        }
        let is_same_file = self.unit.part(known.offset) == self.unit.part(span.start);
        if is_same_file && self.is_complete(&known.ty) && !compatible(&known.ty, &ty) && !is_ours {
            let (before, now) = (self.types.show(&known.ty), self.types.show(&ty));
            return wrong(
                span,
                format!("'{}' is declared as '{now}' here and as '{before}' before", known.name),
            );
        }
        self.objects[object.index()].ty = ty;
        Ok(())
    }
}

/// Whether two declarations of a variable may have these types. Parameters of functions are not compared.
pub(super) fn compatible(one: &Type, other: &Type) -> bool {
    match (one, other) {
        (Type::Pointer(one), Type::Pointer(other)) | (Type::Atomic(one), Type::Atomic(other)) => {
            compatible(one, other)
        }
        (Type::Array(one, a), Type::Array(other, b)) => {
            compatible(one, other) && (a == b || a.is_none() || b.is_none())
        }
        (Type::Function(one), Type::Function(other)) => compatible(&one.result, &other.result),
        (one, other) => one == other,
    }
}
