//! What the translation of one file knows: names, types, objects, functions, and the function that is being translated.

mod build;
mod entities;
mod remarks;

use crate::lower::builtin::SharedArguments;
use crate::lower::builtin::variable::VariableTypes;
use crate::lower::code::Code;
use crate::lower::declare::{Marks, Models, Records};
use crate::lower::expression::{Lengths, Strings, Summaries, Value};
use crate::lower::function::{Needed, Repeated};
use crate::lower::graph::{Address, FunctionId, Graph, NodeId, ObjectId, RegisterId};
use crate::lower::options::Options;
use crate::lower::statement::{Blocks, Target};
use crate::parse::Unit;
use crate::types::Type;
use lang_c::span::Span;
pub(crate) use remarks::{Lowered, Refusal, Remark, unsupported, wrong};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Symbol, Term};
use std::ops::{Deref, DerefMut};

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
    /// The object for its variable arguments, if it looks at them.
    pub variable: Option<ObjectId>,
    /// Names of locals whose address is taken somewhere in the function.
    pub address_taken: FxHashSet<String>,
    /// Labels whose address is taken: where a computed `goto` may lead.
    pub computed: Vec<String>,
    pub labels: FxHashMap<String, NodeId>,
    /// Where labels stand: the offsets of their statements.
    pub label_places: FxHashMap<String, usize>,
    /// What runs more than once in a call.
    pub repeated: Repeated,
    /// Labels that are jumped to.
    pub gotos: Vec<(String, Span)>,
    pub blocks: Blocks,
    pub breaks: Vec<Target>,
    pub continues: Vec<Target>,
    pub switches: Vec<crate::lower::statement::Switch>,
    /// Values of `x` in `x ?: y`.
    pub elvis: Vec<Value>,
    pub temporaries: u32,
    /// Constants that passive threads choose, inside of a broadcast.
    pub passive: Option<Vec<Term>>,
    /// What a broadcast assigns.
    pub broadcast: Option<Address>,
    /// Memory is read as symbols rather than by loads: for predicates.
    pub symbolic: bool,
    pub model: bool,
    /// Objects that live until the end of the full expression.
    pub passing: Vec<ObjectId>,
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
            variable: None,
            address_taken: scan.taken,
            computed: scan.labels,
            labels: FxHashMap::default(),
            label_places: FxHashMap::default(),
            repeated: scan.repeated,
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
            passing: Vec::new(),
        }
    }
}

/// Everything about the file that is being translated: the code so far, and what is needed to go on. Parts belong to the modules that
/// keep them; others ask.
pub(crate) struct Lowerer<'a> {
    pub(super) code: Code<'a>,
    /// What is not C as we know it.
    pub(super) errors: Vec<Refusal>,
    /// From the file to the innermost block.
    pub(super) scopes: Vec<Scope>,
    /// The function that is being translated.
    pub(super) builder: Option<Builder>,
    /// What the addresses of its labels are addresses of; initial values of static variables mention them, too, and these are no part of its code.
    pub(super) label_objects: FxHashMap<String, ObjectId>,
    /// What is declared but cannot be used, and why.
    pub(super) unmodelled: FxHashMap<ObjectId, String>,
    pub(super) models: Models,
    pub(super) records: Records,
    pub(super) marks: Marks,
    pub(super) needed: Needed,
    pub(super) summaries: Summaries,
    pub(super) strings: Strings,
    pub(super) lengths: Lengths,
    pub(super) shared_arguments: SharedArguments,
    pub(super) variable_types: VariableTypes,
    /// What a thread remembers about its last load-exclusive: the address, and the value.
    pub(super) monitor: Option<[ObjectId; 2]>,
    /// Labels of the program that must not be reached.
    pub(super) error_labels: FxHashSet<String>,
    /// The call whose result nobody looks at.
    pub(super) unused_result: Option<Span>,
}

impl<'a> Lowerer<'a> {
    pub(crate) fn new(unit: &'a Unit, options: &'a Options) -> Lowerer<'a> {
        Lowerer {
            code: Code::new(unit, options),
            errors: Vec::new(),
            scopes: vec![Scope::default()],
            builder: None,
            label_objects: FxHashMap::default(),
            unmodelled: FxHashMap::default(),
            models: Models::default(),
            records: Records::default(),
            marks: Marks::default(),
            needed: Needed::default(),
            summaries: Summaries::default(),
            strings: Strings::default(),
            lengths: Lengths::default(),
            shared_arguments: SharedArguments::default(),
            variable_types: VariableTypes::default(),
            monitor: None,
            error_labels: FxHashSet::default(),
            unused_result: None,
        }
    }
}

/// What is said about the code so far is said by the code.
impl<'a> Deref for Lowerer<'a> {
    type Target = Code<'a>;

    fn deref(&self) -> &Code<'a> {
        &self.code
    }
}

impl DerefMut for Lowerer<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.code
    }
}
