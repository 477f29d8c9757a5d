//! Values at the start.

use super::Memory;
use super::cases::insert;
use crate::lower::graph::{ObjectId, Storage};
use crate::program::DataType;
use crate::types::Leaf;
use smt::{ArrayValue, Bits, Term, Value};

impl Memory<'_> {
    /// The value at the start; zero unless given, any where nothing is known.
    pub(super) fn initial(&mut self, object: ObjectId, cell: &Leaf, data_type: &DataType) -> Option<Value> {
        let about = &self.objects[object.index()];
        let given = match (&about.init, about.storage) {
            // What each thread has of its own starts with zero.
            (Some(_), _) if cell.thread_local => Vec::new(),
            (Some(values), _) => values.clone(),
            // Locals and heap objects get their values when they come to life.
            (None, Storage::Automatic | Storage::Heap(_)) => Vec::new(),
            (None, _) => return None,
        };
        let bytes = self.layout(object).bytes;
        let everywhere = about.everywhere.filter(|_| !cell.thread_local);
        if bytes && everywhere.is_some() {
            return None;
        }
        let sort = data_type.sort();
        let everywhere = everywhere.and_then(|term| self.values.apply(term).as_value());
        let mut value = match (everywhere, sort.index()) {
            (Some(value), Some(index)) => Value::Array(ArrayValue::constant(index, value)),
            (Some(value), None) => value,
            (None, _) => Value::zero(sort),
        };
        for item in given {
            let new = self.values.apply(item.value).as_value()?;
            if bytes {
                value = store_bytes(value, cell, item.offset, new)?;
            } else if let Some((index, low)) = element_of(cell, item.offset) {
                value = store(value, index, low, cell.width, new)?;
            }
        }
        Some(value)
    }
}

/// The element of a cell that an absolute offset in bits falls into, and the bit of it.
fn element_of(cell: &Leaf, offset: u64) -> Option<(Option<u64>, u32)> {
    let mut rest = offset.checked_sub(cell.offset)?;
    let mut index = 0u64;
    for (count, stride) in &cell.dimensions {
        let position = rest / (stride * 8).max(1);
        if count.is_some_and(|c| position >= c) {
            return None;
        }
        rest %= (stride * 8).max(1);
        index = index * count.unwrap_or(1) + position;
    }
    (rest < u64::from(cell.width)).then(|| ((!cell.dimensions.is_empty()).then_some(index), rest as u32))
}

/// A value put into an object of bytes, at an offset in bits.
fn store_bytes(whole: Value, cell: &Leaf, offset: u64, new: Value) -> Option<Value> {
    let bits = match new {
        // One bit is enough: the others of its byte are zero, or those of its neighbours.
        Value::Bool(truth) => Bits::new(1, u128::from(truth)),
        Value::Bits(bits) => bits,
        Value::Array(_) => return None,
    };
    if cell.dimensions.is_empty() {
        return store(whole, None, offset as u32, cell.width, Value::Bits(bits));
    }
    let (mut whole, mut at, mut done) = (whole, offset, 0u32);
    while done < bits.width() {
        let low = (at % 8) as u32;
        let count = (8 - low).min(bits.width() - done);
        let part = Term::bits(bits.clone()).extract(done + count - 1, done).as_value()?;
        whole = store(whole, Some(at / 8), low, 8, part)?;
        at += u64::from(count);
        done += count;
    }
    Some(whole)
}

/// A literal value put into another.
fn store(whole: Value, index: Option<u64>, low: u32, width: u32, new: Value) -> Option<Value> {
    match (whole, index) {
        (Value::Array(array), Some(index)) => {
            let at = Bits::new(super::INDEX_WIDTH, u128::from(index));
            let old = array.select(&at).clone();
            Some(Value::Array(array.store(at, store(old, None, low, width, new)?)))
        }
        (Value::Array(_), None) => None,
        (Value::Bool(_), _) => match new {
            Value::Bool(_) => Some(new),
            Value::Bits(bits) => Some(Value::Bool(!bits.is_zero())),
            Value::Array(_) => None,
        },
        (Value::Bits(old), _) => {
            let new = match new {
                Value::Bool(truth) => Bits::new(8.min(width), u128::from(truth)),
                Value::Bits(bits) => bits,
                Value::Array(_) => return None,
            };
            insert(Term::bits(old), Term::bits(new), low).as_value()
        }
    }
}
