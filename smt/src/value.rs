//! Values: what terms evaluate to.
//!
//! An array is a default and the finitely many indices where it differs. Equality of values is equality of what they
//! denote, so arrays have a normal form: no exception equals the default, and the default is the most frequent
//! element. Only an array with few possible indices can have as many exceptions as defaults; there the least of the
//! most frequent elements is the default.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::bits::Bits;
use crate::sort::Sort;

/// A value of some sort.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A bit-vector.
    Bits(Bits),
    /// An array.
    Array(ArrayValue),
}

/// A total function from bit-vectors to values. Copies share their contents.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ArrayValue {
    index: Sort,
    default: Arc<Value>,
    exceptions: Arc<BTreeMap<Bits, Value>>,
}

impl Value {
    /// False, zero, or the array that is zero everywhere.
    pub fn zero(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::BitVec(width) => Value::Bits(Bits::zero(width)),
            Sort::Array(array) => Value::Array(ArrayValue::constant(array.index, Value::zero(array.element))),
        }
    }

    /// The lowest bits of a number.
    pub fn bits(width: u32, value: u128) -> Value {
        Value::Bits(Bits::new(width, value))
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            Value::Bits(_) | Value::Array(_) => None,
        }
    }

    /// The bit-vector, if it is one.
    pub fn as_bits(&self) -> Option<&Bits> {
        match self {
            Value::Bits(bits) => Some(bits),
            Value::Bool(_) | Value::Array(_) => None,
        }
    }

    /// The array, if it is one.
    pub fn as_array(&self) -> Option<&ArrayValue> {
        match self {
            Value::Array(array) => Some(array),
            Value::Bool(_) | Value::Bits(_) => None,
        }
    }

    /// Its sort.
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Bits(bits) => Sort::BitVec(bits.width()),
            Value::Array(array) => Sort::array(array.index, array.default.sort()),
        }
    }

    /// Whether the value is of this sort.
    pub fn has_sort(&self, sort: Sort) -> bool {
        match (self, sort) {
            (Value::Bool(_), Sort::Bool) => true,
            (Value::Bits(bits), Sort::BitVec(width)) => bits.width() == width,
            (Value::Array(array), Sort::Array(sort)) => {
                array.index == sort.index && array.default.has_sort(sort.element)
            }
            _ => false,
        }
    }
}

impl ArrayValue {
    /// The array with the same element everywhere.
    pub fn constant(index: Sort, default: Value) -> ArrayValue {
        ArrayValue { index, default: Arc::new(default), exceptions: Arc::default() }
    }

    /// The sort of the indices.
    pub fn index(&self) -> Sort {
        self.index
    }

    /// The element at all indices that are not among the entries.
    pub fn default(&self) -> &Value {
        &self.default
    }

    /// The element at an index.
    pub fn select(&self, index: &Bits) -> &Value {
        self.exceptions.get(index).unwrap_or(&self.default)
    }

    /// The indices whose elements differ from the default, in ascending order.
    pub fn entries(&self) -> impl Iterator<Item = (&Bits, &Value)> {
        self.exceptions.iter()
    }

    /// The array with one element replaced.
    pub fn store(&self, index: Bits, value: Value) -> ArrayValue {
        self.clone().into_stored(index, value)
    }

    /// The array with one element replaced; in place if nobody shares it.
    pub fn into_stored(mut self, index: Bits, value: Value) -> ArrayValue {
        let exceptions = Arc::make_mut(&mut self.exceptions);
        if value == *self.default {
            exceptions.remove(&index);
        } else {
            exceptions.insert(index, value);
        }
        self.normalize()
    }

    /// The number of indices, if it is small enough that the exceptions may be the majority.
    fn few_indices(&self) -> Option<usize> {
        let indices = 1_usize.checked_shl(self.index.width()?)?;
        (self.exceptions.len() >= indices / 2).then_some(indices)
    }

    /// Makes the most frequent element the default, the least one if there are several.
    fn normalize(self) -> ArrayValue {
        let (Some(indices), Some(width)) = (self.few_indices(), self.index.width()) else { return self };
        let mut counts: BTreeMap<&Value, usize> = BTreeMap::new();
        self.exceptions.values().for_each(|value| *counts.entry(value).or_default() += 1);
        *counts.entry(&self.default).or_default() += indices.saturating_sub(self.exceptions.len());
        let Some((&default, _)) = counts.iter().rev().max_by_key(|&(_, count)| count) else { return self };
        if *default == *self.default {
            return self;
        }
        let everywhere = (0..indices).map(|index| Bits::new(width, index as u128));
        let exceptions = everywhere.filter_map(|index| {
            let value = self.select(&index).clone();
            (value != *default).then_some((index, value))
        });
        let exceptions = Arc::new(exceptions.collect());
        ArrayValue { index: self.index, default: Arc::new(default.clone()), exceptions }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}

impl From<Bits> for Value {
    fn from(bits: Bits) -> Value {
        Value::Bits(bits)
    }
}

/// In the notation of SMT-LIB.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(f, "{value}"),
            Value::Bits(bits) => write!(f, "{bits}"),
            Value::Array(array) => write!(f, "{array}"),
        }
    }
}

/// Stores over a constant array, in the notation of SMT-LIB.
impl fmt::Display for ArrayValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.entries().try_for_each(|_| f.write_str("(store "))?;
        write!(f, "((as const (Array {} {})) {})", self.index, self.default.sort(), self.default)?;
        self.entries().try_for_each(|(index, value)| write!(f, " {index} {value})"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn byte(value: u128) -> Value {
        Value::bits(8, value)
    }

    #[test]
    fn sorts() {
        let sort = Sort::array(Sort::BitVec(4), Sort::array(Sort::BitVec(8), Sort::Bool));
        assert_eq!(Value::zero(sort).sort(), sort);
        assert!(Value::zero(sort).has_sort(sort));
        assert!(!Value::zero(sort).has_sort(Sort::array(Sort::BitVec(5), Sort::Bool)));
        assert!(!byte(0).has_sort(Sort::BitVec(7)));
        assert_eq!(byte(300), byte(44));
    }

    #[test]
    fn stores_of_the_default_leave_no_trace() {
        let zero = ArrayValue::constant(Sort::BitVec(32), byte(0));
        let index = Bits::new(32, 7);
        let one = zero.store(index.clone(), byte(1));
        assert_eq!(*one.select(&index), byte(1));
        assert_eq!(*one.select(&Bits::new(32, 8)), byte(0));
        assert_eq!(one.entries().count(), 1);
        assert_eq!(one.store(index, byte(0)), zero);
    }

    #[test]
    fn notation() {
        let array = ArrayValue::constant(Sort::BitVec(8), byte(0)).store(Bits::new(8, 2), byte(3));
        let array = array.store(Bits::new(8, 1), byte(4));
        let text = "(store (store ((as const (Array (_ BitVec 8) (_ BitVec 8))) #x00) #x01 #x04) #x02 #x03)";
        assert_eq!(Value::Array(array).to_string(), text);
    }

    proptest! {
        #[test]
        fn equal_functions_are_equal_values(
            width in 1..3u32,
            default in 0..3u128,
            stores in proptest::collection::vec((0..4u128, 0..3u128), 0..12),
            other_default in 0..3u128,
        ) {
            let built = |default| {
                let array = ArrayValue::constant(Sort::BitVec(width), byte(default));
                stores.iter().fold(array, |array, &(index, value)| array.store(Bits::new(width, index), byte(value)))
            };
            let (left, right) = (built(default), built(other_default));
            let indices = || (0..1 << width).map(|index| Bits::new(width, index));
            let same = indices().all(|index| left.select(&index) == right.select(&index));
            prop_assert_eq!(left == right, same);
            for index in indices() {
                let last = stores.iter().rev().find(|store| Bits::new(width, store.0) == index);
                prop_assert_eq!(left.select(&index), &byte(last.map_or(default, |store| store.1)));
            }
        }
    }
}
