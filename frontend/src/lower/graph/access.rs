//! Addresses and accesses of memory.

use super::ObjectId;
use crate::types::Type;
use smt::{Sort, Term};

/// Index into an array: which element, how far apart elements are in bytes, how many there are at most; none if the index was not compared with the end.
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
    /// A member of which each thread has its own copy: the models' locks have such members.
    pub own: bool,
}

impl Access {
    /// An access with or without an order.
    pub(crate) fn of(width: u32, ty: Type, order: Option<MemoryOrder>) -> Access {
        Access { width, ty, order, bit_field: false, padding: false, own: false }
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

    /// The same access to a member of which each thread has its own copy, or not.
    pub(crate) fn of_own(self, own: bool) -> Access {
        Access { own, ..self }
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

impl Address {
    /// The start of an object.
    pub(crate) fn object(object: ObjectId) -> Address {
        Address::Object { object, offset: 0, indices: Vec::new() }
    }

    /// What a pointer points to.
    pub(crate) fn pointer(address: Term) -> Address {
        Address::Pointer { address, bit: 0 }
    }

    pub(super) fn for_each_term(&self, visit: &mut dyn FnMut(Term)) {
        match self {
            Address::Object { indices, .. } => indices.iter().for_each(|index| visit(index.term)),
            Address::Pointer { address, .. } => visit(*address),
        }
    }
}
