//! Operations.

use super::access::{Access, Address};
use super::{CheckId, FunctionId, ObjectId, RegisterId};
use crate::types::Type;
use smt::Term;

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

/// How a thread stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// It ends: all blocks that it is in are left.
    Ends,
    /// It does nothing more, because it waits for ever or the process ends, and has what it has.
    Stays,
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
    /// The object, an array whose length is not constant, has so many bytes from here on.
    Measure(ObjectId, Term),
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
    /// An object that is written and one that is read at the same time must not overlap: its address and its size, each.
    Apart([Term; 4]),
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
    Stop(Stop),
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
            Op::Skip
            | Op::Assume(_)
            | Op::Havoc(_)
            | Op::Store(..)
            | Op::Broadcast(..)
            | Op::Clear(_)
            | Op::Forget(_)
            | Op::Measure(..)
            | Op::Dead(_)
            | Op::Call(_, _, CallResult::None | CallResult::Aggregate(_))
            | Op::Spawn(..)
            | Op::Free(_)
            | Op::Valid(_)
            | Op::Apart(_)
            | Op::ForgetPointed(_)
            | Op::AtomicBegin
            | Op::AtomicEnd
            | Op::Approximate(_)
            | Op::Fail(_)
            | Op::Limit(_)
            | Op::Outside(_)
            | Op::Stop(_)
            | Op::Exit => None,
        }
    }

    /// Whether control never goes on behind it.
    pub(crate) fn is_end(&self) -> bool {
        matches!(self, Op::Fail(_) | Op::Limit(_) | Op::Stop(_) | Op::Exit)
    }

    /// All terms that it reads.
    pub(crate) fn for_each_term(&self, visit: &mut dyn FnMut(Term)) {
        match self {
            Op::Assume(term)
            | Op::Let(_, term)
            | Op::Free(term)
            | Op::Valid(term)
            | Op::ForgetPointed(term)
            | Op::Measure(_, term)
            | Op::ObjectSize(_, term) => visit(*term),
            Op::Apart(terms) => terms.iter().for_each(|term| visit(*term)),
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
            | Op::Stop(_)
            | Op::Exit => {}
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
