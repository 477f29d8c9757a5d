//! What can be wrong with a program, and where.

use crate::program::{DataType, EdgeId, LocationId, NoteId, VariableId};
use smt::{Sort, Symbol};
use std::fmt;

/// Where a flaw is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// `main` and `pool`.
    Start,
    /// A variable.
    Variable(VariableId),
    /// A location.
    Location(LocationId),
    /// An edge.
    Edge(EdgeId),
    /// A property, by its index.
    Property(usize),
    /// A note.
    Note(NoteId),
    /// An address, by its index.
    Address(usize),
    /// A predicate, by its index.
    Predicate(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Start => write!(f, "start"),
            Place::Variable(id) => write!(f, "variable {}", id.0),
            Place::Location(id) => write!(f, "location {}", id.0),
            Place::Edge(id) => write!(f, "edge {}", id.0),
            Place::Property(index) => write!(f, "property {index}"),
            Place::Note(id) => write!(f, "note {}", id.0),
            Place::Address(index) => write!(f, "address {index}"),
            Place::Predicate(index) => write!(f, "predicate {index}"),
        }
    }
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// An index without a file.
    #[error("there is no file {0}")]
    NoSuchFile(u32),
    /// An index without a variable.
    #[error("there is no variable {}", .0.0)]
    NoSuchVariable(VariableId),
    /// An index without a location.
    #[error("there is no location {}", .0.0)]
    NoSuchLocation(LocationId),
    /// An index without a note.
    #[error("there is no note {}", .0.0)]
    NoSuchNote(NoteId),
    /// A name that something else has already.
    #[error("the name `{0}` is taken")]
    NameTaken(String),
    /// No name.
    #[error("variables and inputs need names")]
    EmptyName,
    /// A type without values, or an array of arrays.
    #[error("`{0}` is no type of a variable")]
    BadType(DataType),
    /// An input that is neither Boolean, an integer nor a one-dimensional array of these.
    #[error("an input cannot have the sort {0}")]
    BadInputSort(Sort),
    /// An array with more elements than its index can name.
    #[error("an index of {index_width} bits cannot reach {length} elements")]
    ArrayTooLong {
        /// Bits of the index.
        index_width: u32,
        /// Elements.
        length: u64,
    },
    /// A value or term of the wrong sort.
    #[error("{what} has the sort {found}, not {expected}")]
    WrongSort {
        /// What it is for.
        what: &'static str,
        /// What it should be.
        expected: Sort,
        /// What it is.
        found: Sort,
    },
    /// A race index that is no bit-vector.
    #[error("an index has the sort {0}, not that of a bit-vector")]
    BadIndex(Sort),
    /// A variable assigned twice in one step.
    #[error("`{0}` is assigned twice")]
    AssignedTwice(Symbol),
    /// A shared variable where only locals make sense.
    #[error("`{0}` is not local")]
    NotLocal(Symbol),
    /// Live variables out of order, or twice.
    #[error("the live variables are not sorted")]
    LiveNotSorted,
    /// A constant that a term must not mention here.
    #[error("{what} mentions `{name}` of sort {sort}, which is nothing it can see")]
    Unseen {
        /// Which term.
        what: &'static str,
        /// The constant.
        name: Symbol,
        /// Its sort.
        sort: Sort,
    },
    /// Several threads would be in an atomic section at the start.
    #[error("the pool is an atomic location")]
    AtomicPool,
    /// An atomic location in a program that should be strictly asynchronous.
    #[error("the location is atomic, so the program is not strictly asynchronous")]
    Atomic,
    /// Addresses out of order.
    #[error("the addresses are not sorted")]
    AddressesNotSorted,
}

/// A flaw and its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {flaw}")]
pub struct Invalid {
    /// Where.
    pub place: Place,
    /// What.
    pub flaw: Flaw,
}

/// All flaws of a program, for callers that want one error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct InvalidProgram(pub Vec<Invalid>);
