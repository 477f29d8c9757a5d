//! What the translation of one file knows: names, types, objects, functions, and the function that is being translated.

mod build;
mod entities;
mod remarks;

use crate::lower::graph::{
    Address, Check, Function, FunctionId, Graph, NodeId, Object, ObjectId, Register, RegisterId,
};
use crate::lower::options::Options;
use crate::lower::statement::{Blocks, Target};
use crate::parse::Unit;
use crate::types::{Type, Types};
use lang_c::ast;
use lang_c::span::{Node, Span};
pub(crate) use remarks::{Lowered, Refusal, Remark, unsupported, wrong};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Symbol, Term};

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

/// The function that is being translated.
pub(crate) struct Builder {
    /// As the user knows it.
    pub name: Symbol,
    /// Whether the initial thread begins with it.
    pub is_first: bool,
    pub graph: Graph,
    pub at: NodeId,
    pub span: Span,
    pub result: crate::lower::graph::CallResult,
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
    pub switches: Vec<crate::lower::statement::Switch>,
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
    pub(crate) fn new(
        name: Symbol,
        span: Span,
        scan: crate::lower::function::AddressScan,
        model: bool,
    ) -> Builder {
        Builder {
            name,
            is_first: false,
            graph: Graph::new(),
            at: Graph::ENTRY,
            span,
            result: crate::lower::graph::CallResult::None,
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
    pub strings: FxHashMap<(usize, crate::lower::expression::literal::Text), ObjectId>,
    /// Declared `volatile`: others may write them if the program does not define them.
    pub volatile: FxHashSet<ObjectId>,
    /// The lengths of arrays whose length is not constant.
    pub lengths: FxHashMap<ObjectId, RegisterId>,
    /// What functions do to memory, as far as it has been asked for.
    pub summaries: FxHashMap<String, std::rc::Rc<crate::lower::expression::order::Summary>>,
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
}
