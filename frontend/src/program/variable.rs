//! Variables: shared between all threads, or local with one copy in each thread. Section 2 of the thesis: S and L.

use super::position::Position;
use smt::{Sort, Symbol, Term, Value};
use std::fmt;

/// The number of a variable in its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId(pub u32);

impl VariableId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Who has the variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scope {
    /// One copy that all threads see.
    Shared,
    /// One copy for each thread. Other threads can change it by a broadcast only.
    Local,
}

/// The type of a variable, as far as machine arithmetic is concerned.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DataType {
    /// A truth value.
    Bool,
    /// A machine integer, or a pointer (unsigned).
    Int {
        /// Number of bits.
        width: u32,
        /// Whether the most significant bit is a sign; for printing values, operations say it themselves.
        signed: bool,
    },
    /// Elements 0 to `length - 1`; others do not exist, and no valid program touches them.
    Array {
        /// Number of bits of the index.
        index_width: u32,
        /// Number of elements, where it is fixed.
        length: Option<u64>,
        /// The type of each element; not an array.
        element: Box<DataType>,
    },
}

impl DataType {
    /// The sort of terms of this type.
    pub fn sort(&self) -> Sort {
        match self {
            DataType::Bool => Sort::Bool,
            DataType::Int { width, .. } => Sort::BitVec(*width),
            DataType::Array { index_width, element, .. } => {
                Sort::array(Sort::BitVec(*index_width), element.sort())
            }
        }
    }
}

impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DataType::Bool => write!(f, "bool"),
            DataType::Int { width, signed } => write!(f, "{}{width}", if *signed { 'i' } else { 'u' }),
            DataType::Array { index_width, length: Some(length), element } => {
                write!(f, "[{element}; {length} by u{index_width}]")
            }
            DataType::Array { index_width, length: None, element } => {
                write!(f, "[{element} by u{index_width}]")
            }
        }
    }
}

/// A shared or local variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Unique in the program; as the user knows it, qualified by the function for locals (`main::i`).
    pub name: Symbol,
    /// Shared or local.
    pub scope: Scope,
    /// Its type.
    pub data_type: DataType,
    /// The value at the start (for locals: of every thread); any value if there is none.
    pub init: Option<Value>,
    /// A local that says which thread this is. Only edges out of the pool assign it, and no two threads outside of the pool that got a
    /// value, or are the initial one, have the same. The most significant bit of the value is set.
    pub identity: bool,
    /// Where it is declared.
    pub position: Position,
}

impl Variable {
    /// The variable as a term: its value before a step, in the thread that makes the step if it is local.
    pub fn term(&self) -> Term {
        Term::constant(self.name, self.data_type.sort())
    }

    /// The value that a passive thread's copy has before a step, for broadcasts.
    pub fn passive_term(&self) -> Term {
        Term::constant(passive(self.name), self.data_type.sort())
    }
}

/// The name of a passive thread's copy of a local variable: `x` becomes `x@P`.
pub fn passive(name: Symbol) -> Symbol {
    Symbol::new(&format!("{name}@P"))
}
