//! What the translation of one file knows: names, types, objects, functions, and the function that is being translated.

use super::blocks::{Blocks, Target};
use super::graph::{
    Access, Address, Check, CheckId, Function, FunctionId, Graph, GraphEdge, NodeId, Object, ObjectId, Op,
    Register, RegisterId, Storage, address_name,
};
use super::options::Options;
use crate::parse::Unit;
use crate::program::{Assumption, Effect, PropertyKind};
use crate::types::{Type, Types};
use lang_c::ast;
use lang_c::span::{Node, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Sort, Symbol, Term};

/// Why something is not translated.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    /// Byte offset in the preprocessed text.
    pub offset: usize,
    /// What, and what to do about it.
    pub message: String,
    /// Not C as we know it (an error), or C that is not modelled (unknown, if control gets there).
    pub error: bool,
}

/// The result of translating a piece of C.
pub(crate) type Lowered<T> = Result<T, Box<Refusal>>;

/// The text is wrong.
pub(crate) fn wrong<T>(span: Span, message: impl Into<String>) -> Lowered<T> {
    Err(Box::new(Refusal { offset: span.start, message: message.into(), error: true }))
}

/// The text is fine but not modelled.
pub(crate) fn unsupported<T>(span: Span, message: impl Into<String>) -> Lowered<T> {
    Err(Box::new(Refusal { offset: span.start, message: message.into(), error: false }))
}

/// What a name means.
#[derive(Clone, Debug)]
pub(crate) enum Entity {
    Typedef(Type),
    Object(ObjectId),
    Register(RegisterId, Type),
    Function(FunctionId),
    Enumerator(Term, Type),
    /// A variable of a block whose type is asked for, while nothing is evaluated.
    Unevaluated(Type),
}

/// Names and tags of a block.
#[derive(Default)]
pub(crate) struct Scope {
    pub names: FxHashMap<String, Entity>,
    pub tags: FxHashMap<String, Type>,
}

/// A remark about something that is not exact, before positions are resolved.
#[derive(Clone, Debug)]
pub(crate) struct Remark {
    pub effect: Effect,
    /// What is assumed, if that is the effect.
    pub kind: Option<Assumption>,
    pub offset: usize,
    pub message: String,
    /// The source of an operation that was made for it, if one was: the remark matters only if control can get there.
    pub placed: Option<(u32, u32)>,
}

/// The function that is being translated.
pub(crate) struct Builder {
    /// As the user knows it.
    pub name: Symbol,
    /// Whether the initial thread begins with it.
    pub is_first: bool,
    pub graph: Graph,
    pub at: NodeId,
    pub span: Span,
    pub result: super::graph::CallResult,
    pub registers: Vec<RegisterId>,
    pub objects: Vec<ObjectId>,
    /// Names of locals whose address is taken somewhere in the function.
    pub address_taken: FxHashSet<String>,
    /// Labels whose address is taken: where a computed `goto` may lead.
    pub computed: Vec<String>,
    pub labels: FxHashMap<String, NodeId>,
    /// Where labels stand: the offsets of their statements.
    pub label_places: FxHashMap<String, usize>,
    /// Labels that are jumped to.
    pub gotos: Vec<(String, Span)>,
    pub blocks: Blocks,
    pub breaks: Vec<Target>,
    pub continues: Vec<Target>,
    pub switches: Vec<super::statement::Switch>,
    /// Values of `x` in `x ?: y`.
    pub elvis: Vec<(Term, Type)>,
    pub temporaries: u32,
    /// Constants that passive threads choose, inside of a broadcast.
    pub passive: Option<Vec<Term>>,
    /// What a broadcast assigns.
    pub broadcast: Option<Address>,
    /// Memory is read as symbols rather than by loads: for predicates.
    pub symbolic: bool,
    pub model: bool,
}

impl Builder {
    /// Nothing is there yet but the entry. `scan` has the names whose address is taken.
    pub(crate) fn new(name: Symbol, span: Span, scan: super::function::AddressScan, model: bool) -> Builder {
        Builder {
            name,
            is_first: false,
            graph: Graph::new(),
            at: Graph::ENTRY,
            span,
            result: super::graph::CallResult::None,
            registers: Vec::new(),
            objects: Vec::new(),
            address_taken: scan.taken,
            computed: scan.labels,
            labels: FxHashMap::default(),
            label_places: FxHashMap::default(),
            gotos: Vec::new(),
            blocks: Blocks::default(),
            breaks: Vec::new(),
            continues: Vec::new(),
            switches: Vec::new(),
            elvis: Vec::new(),
            temporaries: 0,
            passive: None,
            broadcast: None,
            symbolic: false,
            model,
        }
    }
}

/// Everything about the file that is being translated.
pub(crate) struct Lowerer<'a> {
    pub unit: &'a Unit,
    pub options: &'a Options,
    pub types: Types,
    pub scopes: Vec<Scope>,
    pub objects: Vec<Object>,
    pub registers: Vec<Register>,
    pub functions: Vec<Function>,
    pub definitions: FxHashMap<Symbol, &'a Node<ast::FunctionDefinition>>,
    pub checks: Vec<Check>,
    pub remarks: Vec<Remark>,
    pub errors: Vec<Refusal>,
    pub predicates: Vec<(Term, usize)>,
    /// Conversions of `void *` to another pointer type.
    pub hints: Vec<(Term, Type)>,
    pub names: FxHashMap<String, u32>,
    /// By place and text.
    pub strings: FxHashMap<(usize, super::literal::Text), ObjectId>,
    /// Declared `volatile`: others may write them if the program does not define them.
    pub volatile: FxHashSet<ObjectId>,
    /// The lengths of arrays whose length is not constant.
    pub lengths: FxHashMap<ObjectId, RegisterId>,
    /// What functions do to memory, as far as it has been asked for.
    pub summaries: FxHashMap<String, std::rc::Rc<super::order::Summary>>,
    pub queue: Vec<FunctionId>,
    pub queued: FxHashSet<FunctionId>,
    pub address_taken: FxHashSet<FunctionId>,
    /// Types that the models define; the same names in the user's text are ignored.
    pub model_types: FxHashMap<String, Type>,
    /// Where the models define them.
    pub model_type_places: FxHashMap<String, usize>,
    /// Model files of which the program defines a function itself.
    pub replaced_models: FxHashSet<crate::program::position::FileId>,
    /// Structs that the models define.
    pub model_records: FxHashSet<crate::types::RecordId>,
    /// What is declared but cannot be used, and why.
    pub unmodelled: FxHashMap<ObjectId, String>,
    /// Likewise for structs and unions.
    pub unmodelled_records: FxHashMap<crate::types::RecordId, String>,
    /// Where the bodies of structs and unions begin.
    pub record_places: FxHashMap<crate::types::RecordId, usize>,
    /// Names of types at file scope that have an alignment of their own, in bytes.
    pub type_alignments: FxHashMap<String, u64>,
    /// Functions that do not return.
    pub noreturn: FxHashSet<FunctionId>,
    /// Functions to run before the first one: when, and which.
    pub constructors: Vec<(i128, FunctionId)>,
    /// Functions to run behind the last one.
    pub destructors: FxHashSet<FunctionId>,
    /// What need not be defined.
    pub weak: Vec<ObjectId>,
    /// Functions with another name for the assembler.
    pub labelled: Vec<(FunctionId, String)>,
    /// Variables with an initial value, and where.
    pub initialised: FxHashMap<ObjectId, usize>,
    /// Objects that calls of entry points share, by type.
    pub shared_arguments: FxHashMap<Type, ObjectId>,
    /// What the addresses of labels of the current function are addresses of.
    pub label_objects: FxHashMap<String, ObjectId>,
    /// Unions that take an argument of the type of any of their members.
    pub transparent: FxHashSet<crate::types::RecordId>,
    pub builder: Option<Builder>,
    /// What a thread remembers about its last load-exclusive: the address, and the value.
    pub monitor: Option<[ObjectId; 2]>,
    /// Labels of the program that must not be reached.
    pub error_labels: FxHashSet<String>,
    pub anonymous: u32,
}

impl<'a> Lowerer<'a> {
    pub(crate) fn new(unit: &'a Unit, options: &'a Options) -> Lowerer<'a> {
        Lowerer {
            unit,
            options,
            types: Types::new(options.data_model),
            scopes: vec![Scope::default()],
            objects: Vec::new(),
            registers: Vec::new(),
            functions: Vec::new(),
            definitions: FxHashMap::default(),
            checks: Vec::new(),
            remarks: Vec::new(),
            errors: Vec::new(),
            predicates: Vec::new(),
            hints: Vec::new(),
            names: FxHashMap::default(),
            strings: FxHashMap::default(),
            volatile: FxHashSet::default(),
            lengths: FxHashMap::default(),
            summaries: FxHashMap::default(),
            queue: Vec::new(),
            queued: FxHashSet::default(),
            address_taken: FxHashSet::default(),
            model_types: FxHashMap::default(),
            model_type_places: FxHashMap::default(),
            replaced_models: FxHashSet::default(),
            model_records: FxHashSet::default(),
            unmodelled: FxHashMap::default(),
            unmodelled_records: FxHashMap::default(),
            record_places: FxHashMap::default(),
            type_alignments: FxHashMap::default(),
            noreturn: FxHashSet::default(),
            constructors: Vec::new(),
            destructors: FxHashSet::default(),
            weak: Vec::new(),
            labelled: Vec::new(),
            initialised: FxHashMap::default(),
            shared_arguments: FxHashMap::default(),
            label_objects: FxHashMap::default(),
            transparent: FxHashSet::default(),
            builder: None,
            monitor: None,
            error_labels: FxHashSet::default(),
            anonymous: 0,
        }
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

    /// The source text of a span, in one line and not too long.
    pub(crate) fn text(&self, span: Span) -> &str {
        self.unit.text.get(span.start..span.end).unwrap_or("")
    }

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

    // Building the graph. Outside of a function (initialisers of globals) operations go nowhere.

    pub(crate) fn emit(&mut self, op: Op) {
        if let Some(builder) = &mut self.builder {
            let to = builder.graph.node();
            push(builder, op, to);
            builder.at = to;
        }
    }

    /// An edge from here to a given node; control continues at a place that nothing leads to yet.
    pub(crate) fn emit_jump(&mut self, op: Op, to: NodeId) {
        if let Some(builder) = &mut self.builder {
            push(builder, op, to);
            builder.at = builder.graph.node();
        }
    }

    /// An edge from here to a given node; control stays here.
    pub(crate) fn emit_branch(&mut self, op: Op, to: NodeId) {
        if matches!(op, Op::Assume(guard) if guard.is_false()) {
            return;
        }
        if let Some(builder) = &mut self.builder {
            push(builder, op, to);
        }
    }

    pub(crate) fn node(&mut self) -> NodeId {
        self.builder.as_mut().map_or(Graph::ENTRY, |b| b.graph.node())
    }

    /// Control goes on at the node, whatever was before.
    pub(crate) fn continue_at(&mut self, node: NodeId) {
        if let Some(builder) = &mut self.builder {
            builder.at = node;
        }
    }

    /// Control that is here goes to the node, and on from there.
    pub(crate) fn join(&mut self, node: NodeId) {
        self.emit_branch(Op::Skip, node);
        self.continue_at(node);
    }

    pub(crate) fn set_span(&mut self, span: Span) -> Span {
        self.builder.as_mut().map_or(span, |b| std::mem::replace(&mut b.span, span))
    }

    pub(crate) fn span(&self) -> Span {
        self.builder.as_ref().map_or(Span { start: 0, end: 0 }, |b| b.span)
    }

    /// The register gets the value.
    pub(crate) fn set(&mut self, register: RegisterId, value: Term) {
        self.emit(Op::Let(register, value));
    }

    /// Any value of the type, as a term over a fresh register.
    pub(crate) fn any(&mut self, ty: &Type) -> Term {
        let sort = self.sort(ty);
        let count = self.names.len();
        if let Some(passive) = self.builder.as_mut().and_then(|b| b.passive.as_mut()) {
            let name = Symbol::new(&format!("choice${count}${}", passive.len()));
            let choice = Term::constant(name, sort);
            passive.push(choice);
            return choice;
        }
        let register = self.temporary(ty);
        self.emit(Op::Havoc(register));
        self.register_term(register)
    }

    /// Like `any`, where reality may not have each of the values: a run that depends on it is not shown as real.
    pub(crate) fn guess(&mut self, ty: &Type, reason: &str) -> Term {
        let next = RegisterId(self.registers.len() as u32);
        let term = self.any(ty);
        if let Some(register) = self.registers.get_mut(next.index()) {
            register.guess = Some(Symbol::new(reason));
        }
        term
    }

    pub(crate) fn load(&mut self, address: Address, access: Access) -> Term {
        let ty = access.ty.clone();
        let register = self.temporary(&ty);
        // Bit-fields are narrower than their type; a union is read as one wide number.
        self.registers[register.index()].sort = access.sort();
        self.emit(Op::Load(register, address, access));
        let term = self.register_term(register);
        let full = self.types.width(&ty);
        match ty.unatomic() {
            Type::Record(_) | Type::Bool => term,
            _ if self.types.signed(&ty) => term.resize_signed(full),
            _ => term.resize_unsigned(full),
        }
    }

    /// The condition must hold here; otherwise the property is violated.
    pub(crate) fn check(&mut self, kind: PropertyKind, condition: Term, description: impl Into<String>) {
        if condition.is_true() || !self.options.checks(kind) {
            return;
        }
        let span = self.span();
        let check = Check {
            kind,
            description: description.into(),
            function: self.function_name(),
            offset: span.start,
            model: self.is_model(span.start),
        };
        let id = CheckId(self.checks.len() as u32);
        self.checks.push(check);
        let bad = self.node();
        self.emit_branch(Op::Assume(condition.not()), bad);
        let good = self.node();
        self.emit_branch(Op::Assume(condition), good);
        self.continue_at(bad);
        self.emit(Op::Fail(id));
        self.continue_at(good);
    }

    /// Control must not get here, because what follows is not modelled.
    pub(crate) fn limit(&mut self, offset: usize, message: &str) {
        let outer = self.set_span(Span { start: offset, end: offset });
        self.emit(Op::Limit(message.to_owned()));
        self.set_span(outer);
        let next = self.node();
        self.continue_at(next);
    }

    pub(crate) fn remark(&mut self, effect: Effect, offset: usize, message: impl Into<String>) {
        let kind = (effect == Effect::Assumption).then_some(Assumption::Other);
        self.note(Remark { effect, kind, offset, message: message.into(), placed: None });
    }

    /// Something is assumed here; said with the verdict if control can get here.
    pub(crate) fn assuming(&mut self, kind: Assumption, offset: usize, message: impl Into<String>) {
        let Span { start, end } = self.span();
        let here = Span { start: start.min(offset), end: end.max(offset + 1) };
        let outer = self.set_span(here);
        self.emit(Op::Skip);
        self.set_span(outer);
        let placed = self.builder.as_ref().map(|_| (here.start as u32, here.end as u32));
        let (kind, message) = (Some(kind), message.into());
        self.note(Remark { effect: Effect::Assumption, kind, offset, message, placed });
    }

    fn note(&mut self, remark: Remark) {
        if !self.remarks.iter().any(|r| r.offset == remark.offset && r.message == remark.message) {
            self.remarks.push(remark);
        }
    }

    /// Translates a piece; what is not modelled becomes a limit, and control goes on behind it.
    pub(crate) fn guarded(&mut self, piece: impl FnOnce(&mut Self) -> Lowered<()>) -> Lowered<()> {
        match piece(self) {
            Err(refusal) if !refusal.error && self.builder.is_some() => {
                self.limit(refusal.offset, &refusal.message);
                Ok(())
            }
            other => other,
        }
    }

    /// Translates a piece without keeping the operations: for `sizeof`, `typeof` and constant expressions.
    pub(crate) fn dry<T>(&mut self, piece: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        let (checks, remarks) = (self.checks.len(), self.remarks.len());
        let saved = self.builder.as_ref().map(|b| {
            let graph = (b.graph.nodes, b.graph.edges.len());
            (graph, b.at, b.temporaries, b.labels.clone(), b.blocks.mark())
        });
        let result = piece(self);
        if let (Some(builder), Some(((nodes, edges), at, temporaries, labels, blocks))) =
            (&mut self.builder, saved)
        {
            builder.graph.nodes = nodes;
            builder.graph.edges.truncate(edges);
            builder.at = at;
            builder.temporaries = temporaries;
            builder.labels = labels;
            builder.blocks.take_back(blocks);
        }
        self.checks.truncate(checks);
        self.remarks.truncate(remarks);
        result
    }
}

fn push(builder: &mut Builder, op: Op, to: NodeId) {
    let span = (builder.span.start as u32, builder.span.end as u32);
    builder.graph.edges.push(GraphEdge { from: builder.at, to, op, span });
}
