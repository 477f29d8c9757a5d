//! Functions as graphs of small operations, before calls are expanded and memory becomes variables.
//!
//! Values live in *registers*: scalar locals whose address nobody takes, and temporaries. Everything else is an *object* in
//! memory, which is touched by `Load` and `Store` only, one scalar at a time; so each access to memory that other threads
//! may see is an operation of its own. Terms are over registers and the addresses of objects (`&x`).
//! A non-recursive function has one frame per thread at a time, so its registers need no copy for each call.

use crate::program::PropertyKind;
use crate::types::Type;
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

/// Index into an array: which element, how far apart elements are in bytes, how many there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Index {
    pub term: Term,
    pub stride: u64,
    pub count: Option<u64>,
}

/// Where an access goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Address {
    /// A known object: a constant offset in bits, and indices of the arrays around, outermost first.
    Object { object: ObjectId, offset: u64, indices: Vec<Index> },
    /// Whatever the pointer points to: its value, and an offset in bits inside of that byte (bit-fields).
    Pointer { address: Term, bit: u32 },
}

/// What an atomic operation promises about the order of memory accesses (C11 7.17.3), as the source says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum MemoryOrder {
    Relaxed,
    Consume,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

impl MemoryOrder {
    /// The order that a constant of the program stands for (`memory_order_relaxed`, `__ATOMIC_RELAXED`); the strongest one if it stands for none.
    pub(crate) fn of_constant(number: i128) -> MemoryOrder {
        match number {
            0 => MemoryOrder::Relaxed,
            1 => MemoryOrder::Consume,
            2 => MemoryOrder::Acquire,
            3 => MemoryOrder::Release,
            4 => MemoryOrder::AcqRel,
            _ => MemoryOrder::SeqCst,
        }
    }
}

/// How much is accessed, and as what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Access {
    pub width: u32,
    pub ty: Type,
    /// The order of an atomic operation; none for a plain access.
    pub order: Option<MemoryOrder>,
    /// Whether it touches only some bits of a byte.
    pub bit_field: bool,
    /// A byte between the scalars of its type, which exists only where the object is bytes.
    pub padding: bool,
}

impl Access {
    /// An access with or without an order.
    pub(crate) fn of(width: u32, ty: Type, order: Option<MemoryOrder>) -> Access {
        Access { width, ty, order, bit_field: false, padding: false }
    }

    /// An access that is not atomic.
    pub(crate) fn plain(width: u32, ty: Type) -> Access {
        Access::of(width, ty, None)
    }

    /// The same access to a bit-field, or not.
    pub(crate) fn of_bit_field(self, bit_field: bool) -> Access {
        Access { bit_field, ..self }
    }

    /// The same access, to padding.
    pub(crate) fn of_padding(self) -> Access {
        Access { padding: true, ..self }
    }

    /// How many bits of memory it touches: a truth value that is no bit-field has a byte.
    pub(crate) fn stored_bits(&self) -> u32 {
        if self.sort() == Sort::Bool && !self.bit_field { 8 } else { self.width }
    }

    /// Part of an atomic operation, so never in a data race with another one.
    pub(crate) fn atomic(&self) -> bool {
        self.order.is_some()
    }

    /// The sort of the value: truth values are Boolean.
    pub(crate) fn sort(&self) -> Sort {
        if self.width == 1 && *self.ty.unatomic() == Type::Bool {
            Sort::Bool
        } else {
            Sort::BitVec(self.width)
        }
    }
}

/// What a call calls.
#[derive(Clone, Debug)]
pub(crate) enum Callee {
    Direct(FunctionId),
    /// A function's address and the type it is called with.
    Indirect(Term, Type),
}

/// What a call passes.
#[derive(Clone, Debug)]
pub(crate) enum Argument {
    Scalar(Term, Type),
    Aggregate(Address, Type),
}

/// Where a call's result goes.
#[derive(Clone, Debug)]
pub(crate) enum CallResult {
    None,
    Scalar(RegisterId, Type),
    Aggregate(ObjectId),
}

/// Where an allocation takes its memory from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Heap,
    /// The stack: it must not be freed, and goes away by itself.
    Stack,
    /// Records of threads: null if there is none left.
    Record,
}

/// One operation.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    Skip,
    Assume(Term),
    Let(RegisterId, Term),
    /// Any value.
    Havoc(RegisterId),
    Load(RegisterId, Address, Access),
    Store(Address, Access, Term),
    /// All scalars of the object become zero.
    Clear(ObjectId),
    /// All scalars of the object become indeterminate: its lifetime begins.
    Forget(ObjectId),
    /// The lifetime of the object ends: control leaves the block that declares it.
    Dead(ObjectId),
    Call(Callee, Vec<Argument>, CallResult),
    /// A new thread runs the function; the last term is its record, or zero.
    Spawn(Callee, Vec<Argument>, Term),
    AtomicBegin,
    AtomicEnd,
    /// A new object for the register to point to; `size` in bytes; zeroed or indeterminate; records are null, others a limit if there is none left.
    Allocate {
        register: RegisterId,
        ty: Option<Type>,
        size: Term,
        zeroed: bool,
        origin: Origin,
    },
    Free(Term),
    /// The pointer does not point to memory that was freed; otherwise nothing is known from here on.
    Valid(Term),
    /// The whole object that the pointer points to gets any value.
    ForgetPointed(Term),
    /// The number of bytes of the object whose first byte the pointer points to; a limit if that is not known.
    ObjectSize(RegisterId, Term),
    /// The scalar of every other thread becomes the value; constants listed are chosen by each for itself.
    Broadcast(Address, Access, Term, Vec<Term>),
    /// The following does more than reality.
    Approximate(String),
    /// A violation.
    Fail(CheckId),
    /// What follows is not modelled.
    Limit(String),
    /// What follows is not modelled inside of two atomic sections, one in the other.
    Outside(String),
    /// The thread does nothing more.
    Stop,
    /// The process ends in good order.
    Exit,
}

impl Op {
    /// The register that it gives a value.
    pub(crate) fn assigned(&self) -> Option<RegisterId> {
        match self {
            Op::Let(register, _)
            | Op::Load(register, ..)
            | Op::ObjectSize(register, _)
            | Op::Call(_, _, CallResult::Scalar(register, _))
            | Op::Allocate { register, .. } => Some(*register),
            _ => None,
        }
    }

    /// All terms that it reads.
    pub(crate) fn for_each_term(&self, visit: &mut dyn FnMut(Term)) {
        match self {
            Op::Assume(term)
            | Op::Let(_, term)
            | Op::Free(term)
            | Op::Valid(term)
            | Op::ForgetPointed(term)
            | Op::ObjectSize(_, term) => visit(*term),
            Op::Load(_, address, _) => address.for_each_term(visit),
            Op::Store(address, _, term) | Op::Broadcast(address, _, term, _) => {
                address.for_each_term(visit);
                visit(*term);
            }
            Op::Call(callee, arguments, _) => callee.for_each_term(arguments, visit),
            Op::Spawn(callee, arguments, record) => {
                callee.for_each_term(arguments, visit);
                visit(*record);
            }
            Op::Allocate { size, .. } => visit(*size),
            Op::Skip
            | Op::Havoc(_)
            | Op::Clear(_)
            | Op::Forget(_)
            | Op::Dead(_)
            | Op::AtomicBegin
            | Op::AtomicEnd
            | Op::Approximate(_)
            | Op::Fail(_)
            | Op::Limit(_)
            | Op::Outside(_)
            | Op::Stop
            | Op::Exit => {}
        }
    }
}

impl Address {
    /// The start of an object.
    pub(crate) fn object(object: ObjectId) -> Address {
        Address::Object { object, offset: 0, indices: Vec::new() }
    }

    /// What a pointer points to.
    pub(crate) fn pointer(address: Term) -> Address {
        Address::Pointer { address, bit: 0 }
    }

    fn for_each_term(&self, visit: &mut dyn FnMut(Term)) {
        match self {
            Address::Object { indices, .. } => indices.iter().for_each(|index| visit(index.term)),
            Address::Pointer { address, .. } => visit(*address),
        }
    }
}

impl Callee {
    /// With what is passed.
    fn for_each_term(&self, arguments: &[Argument], visit: &mut dyn FnMut(Term)) {
        if let Callee::Indirect(term, _) = self {
            visit(*term);
        }
        for argument in arguments {
            match argument {
                Argument::Scalar(term, _) => visit(*term),
                Argument::Aggregate(address, _) => address.for_each_term(visit),
            }
        }
    }
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

    pub(crate) fn edges_from(&self) -> Vec<Vec<u32>> {
        let mut from = vec![Vec::new(); self.nodes as usize];
        for (index, edge) in self.edges.iter().enumerate() {
            from[edge.from.index()].push(index as u32);
        }
        from
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
