//! Functions as graphs of small operations, before calls are expanded and memory becomes variables.
//!
//! Values live in *registers*: scalar locals whose address nobody takes, and temporaries. Everything else is an *object* in
//! memory, which is touched by `Load` and `Store` only, one scalar at a time; so each access to memory that other threads
//! may see is an operation of its own. Terms are over registers and the addresses of objects (`&x`).
//! A non-recursive function has one frame per thread at a time, so its registers need no copy for each call.

mod access;
mod op;

use crate::program::PropertyKind;
use crate::types::Type;
pub(crate) use access::{Access, Address, Index, MemoryOrder};
pub(crate) use op::{Argument, CallResult, Callee, Op, Origin, Stop};
use smt::{Sort, Symbol, Term};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(crate) struct $name(pub(crate) u32);

        impl $name {
            /// As an index.
            pub(crate) fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id! {
    /// A register.
    RegisterId
}

id! {
    /// An object in memory.
    ObjectId
}

id! {
    /// A function of the source.
    FunctionId
}

id! {
    /// A place between operations.
    NodeId
}

id! {
    /// Something to check, which becomes a property.
    CheckId
}

/// A scalar that no pointer points to.
#[derive(Clone, Debug)]
pub(crate) struct Register {
    pub name: Symbol,
    pub sort: Sort,
    pub signed: bool,
    /// Byte offset of the declaration in the preprocessed text.
    pub offset: usize,
    /// Why reality may not have each of the values that `Havoc` gives it.
    pub guess: Option<Symbol>,
    /// The function of the user's whose result `Havoc` gives it.
    pub result_of: Option<Symbol>,
}

impl Register {
    pub(crate) fn term(&self) -> Term {
        Term::constant(self.name, self.sort)
    }
}

/// How long an object lives, and who has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Storage {
    /// Globals, static locals, string literals.
    Static,
    /// One for each thread.
    ThreadLocal,
    /// A local of a function whose address is taken, or an aggregate.
    Automatic,
    /// Made by an allocation; the number of objects that are modelled.
    Heap(u64),
    /// The address of a function.
    Code(FunctionId),
}

/// A value that an object's scalar has at the start.
#[derive(Clone, Debug)]
pub(crate) struct InitialValue {
    /// Offset in bits, array indices included.
    pub offset: u64,
    /// Closed: literals and addresses only.
    pub value: Term,
}

/// What happens when an object is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum Writes {
    #[default]
    Allowed,
    /// C forbids it.
    Violation,
    /// C allows it, but this is not modelled.
    Limit,
}

/// A piece of memory.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub name: Symbol,
    pub ty: Type,
    pub storage: Storage,
    /// Values other than zero at the start; none at all: indeterminate.
    pub init: Option<Vec<InitialValue>>,
    /// The value of every scalar at the start, if it is not zero: closed.
    pub everywhere: Option<Term>,
    pub writes: Writes,
    /// Made by one of our models for itself, or on the stack: nobody has to free it.
    pub model: bool,
    /// Whether it may be freed.
    pub freeable: bool,
    pub offset: usize,
}

/// In a broadcast: what the passive thread's own scalar was before.
pub(crate) const OWN: &str = "%own@P";

/// The name of an object's address in terms.
pub(crate) fn address_name(object: Symbol) -> Symbol {
    Symbol::new(&format!("&{object}"))
}

/// An operation between two nodes.
#[derive(Clone, Debug)]
pub(crate) struct GraphEdge {
    pub from: NodeId,
    pub to: NodeId,
    pub op: Op,
    /// Byte offsets of the source in the preprocessed text.
    pub span: (u32, u32),
}

/// The code of a function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    pub nodes: u32,
    pub edges: Vec<GraphEdge>,
}

impl Graph {
    pub(crate) const ENTRY: NodeId = NodeId(0);
    pub(crate) const EXIT: NodeId = NodeId(1);

    pub(crate) fn new() -> Graph {
        Graph { nodes: 2, edges: Vec::new() }
    }

    pub(crate) fn node(&mut self) -> NodeId {
        self.nodes += 1;
        NodeId(self.nodes - 1)
    }

    /// Puts a step before the exit, on all ways to it.
    pub(crate) fn before_exit(&mut self, op: Op) {
        let last = self.node();
        for edge in self.edges.iter_mut().filter(|edge| edge.to == Graph::EXIT) {
            edge.to = last;
        }
        let span = self.edges.iter().rev().find(|edge| edge.to == last).map_or((0, 0), |edge| edge.span);
        self.edges.push(GraphEdge { from: last, to: Graph::EXIT, op, span });
    }

    pub(crate) fn edges_from(&self) -> Vec<Vec<u32>> {
        let mut from = vec![Vec::new(); self.nodes as usize];
        for (index, edge) in self.edges.iter().enumerate() {
            from[edge.from.index()].push(index as u32);
        }
        from
    }

    /// Places that control reaches, with the text that leads there, where nothing says how it goes on. There should be none: what is not translated ends in a limit.
    pub(crate) fn open_ends(&self) -> Vec<(NodeId, (u32, u32))> {
        let from = self.edges_from();
        let mut seen = vec![false; self.nodes as usize];
        let mut open = Vec::new();
        let mut work = vec![(Graph::ENTRY, (0, 0))];
        while let Some((node, span)) = work.pop() {
            if std::mem::replace(&mut seen[node.index()], true) || node == Graph::EXIT {
                continue;
            }
            let leaving = &from[node.index()];
            if leaving.is_empty() {
                open.push((node, span));
            }
            let edges = leaving.iter().map(|index| &self.edges[*index as usize]);
            let goes_on = |op: &Op| !op.is_end() && !matches!(op, Op::Assume(guard) if guard.is_false());
            work.extend(edges.filter(|edge| goes_on(&edge.op)).map(|edge| (edge.to, edge.span)));
        }
        open
    }
}

/// How a parameter is received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parameter {
    Register(RegisterId),
    Object(ObjectId),
}

/// A function that has been translated.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub graph: Graph,
    pub parameters: Vec<(Parameter, Type)>,
    /// Where the result is when control is at the exit.
    pub result: CallResult,
    pub registers: Vec<RegisterId>,
    pub objects: Vec<ObjectId>,
    /// Where its variable arguments are, if it looks at them: slots that calls fill.
    pub variable: Option<ObjectId>,
}

/// A function that the source declares.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub name: Symbol,
    pub ty: Type,
    /// Whether its text is one of ours: positions in it are replaced by those of the call.
    pub model: bool,
    /// One of ours that works on the user's memory: data races see its accesses, at the call.
    pub library: bool,
    /// Runs without interruption.
    pub atomic: bool,
    pub body: Option<Body>,
    pub object: ObjectId,
}

/// Something to check: becomes a property.
#[derive(Clone, Debug)]
pub(crate) struct Check {
    pub kind: PropertyKind,
    pub description: String,
    pub function: Symbol,
    pub offset: usize,
    /// Reported where the model function is called rather than here.
    pub model: bool,
}
