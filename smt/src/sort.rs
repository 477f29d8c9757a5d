//! Sorts: truth values, bit-vectors, arrays.
//!
//! An array sort is stored once, so that a sort is as small as a number and can be copied. Indices of arrays are
//! bit-vectors in everything that this crate evaluates; elements may be of any sort, arrays included.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashSet;

/// What a term denotes.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    /// A truth value.
    Bool,
    /// A bit-vector of a width of at least one.
    BitVec(u32),
    /// A total function from indices to elements.
    Array(&'static ArraySort),
}

/// The two sorts of an array sort.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ArraySort {
    /// Of the indices.
    pub index: Sort,
    /// Of the elements.
    pub element: Sort,
}

static ARRAYS: Mutex<FxHashSet<&'static ArraySort>> =
    Mutex::new(FxHashSet::with_hasher(rustc_hash::FxBuildHasher));

impl Sort {
    /// The sort of arrays from indices to elements.
    pub fn array(index: Sort, element: Sort) -> Sort {
        let sort = ArraySort { index, element };
        let mut arrays = ARRAYS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = arrays.get(&sort) {
            return Sort::Array(known);
        }
        let sort: &'static ArraySort = Box::leak(Box::new(sort));
        arrays.insert(sort);
        Sort::Array(sort)
    }

    /// The width of a bit-vector.
    pub fn width(self) -> Option<u32> {
        match self {
            Sort::BitVec(width) => Some(width),
            Sort::Bool | Sort::Array(_) => None,
        }
    }

    /// Whether this is the sort of truth values.
    pub fn is_bool(self) -> bool {
        self == Sort::Bool
    }

    /// The sort of the indices of an array.
    pub fn index(self) -> Option<Sort> {
        match self {
            Sort::Array(array) => Some(array.index),
            Sort::Bool | Sort::BitVec(_) => None,
        }
    }

    /// The sort of the elements of an array.
    pub fn element(self) -> Option<Sort> {
        match self {
            Sort::Array(array) => Some(array.element),
            Sort::Bool | Sort::BitVec(_) => None,
        }
    }
}

/// In the notation of SMT-LIB.
impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("Bool"),
            Sort::BitVec(width) => write!(f, "(_ BitVec {width})"),
            Sort::Array(array) => write!(f, "(Array {} {})", array.index, array.element),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn array_sorts_are_stored_once() {
        let row = Sort::array(Sort::BitVec(8), Sort::BitVec(32));
        let matrix = Sort::array(Sort::BitVec(8), row);
        assert_eq!(matrix, Sort::array(Sort::BitVec(8), Sort::array(Sort::BitVec(8), Sort::BitVec(32))));
        assert_ne!(matrix, row);
        let (Sort::Array(first), Sort::Array(second)) = (row, Sort::array(Sort::BitVec(8), Sort::BitVec(32)))
        else {
            panic!("not arrays");
        };
        assert!(std::ptr::eq(first, second));
    }

    #[test]
    fn parts_and_notation() {
        let sort = Sort::array(Sort::BitVec(8), Sort::Bool);
        assert_eq!(sort.index(), Some(Sort::BitVec(8)));
        assert_eq!(sort.element(), Some(Sort::Bool));
        assert_eq!(sort.width(), None);
        assert_eq!(Sort::BitVec(7).width(), Some(7));
        assert!(Sort::Bool.is_bool() && !sort.is_bool());
        assert_eq!(sort.to_string(), "(Array (_ BitVec 8) Bool)");
    }
}
