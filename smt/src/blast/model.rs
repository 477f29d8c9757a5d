//! From values of gates to values of constants.

use super::arrays::{Base, shape};
use super::graph::{Edge, Valuation};
use super::{Blaster, Stop};
use crate::bits::Bits;
use crate::sat::Lit;
use crate::sort::Sort;
use crate::term::Term;
use crate::value::{ArrayValue, Value};

impl Blaster {
    /// The values of all gates, if literals have these values.
    pub(super) fn valuation(&self, value: impl Fn(Lit) -> bool) -> Valuation {
        // An input without literal does not matter.
        self.graph.evaluate(|input| self.cnf.known(input).is_some_and(&value))
    }

    /// The value of a constant.
    pub(super) fn value(&self, constant: Term, values: &Valuation) -> Result<Value, Stop> {
        if let Sort::Array(_) = constant.sort() {
            let base = self.arrays.bases.get(&constant);
            return base
                .map_or(Ok(Value::zero(constant.sort())), |base| self.array(constant.sort(), base, values));
        }
        let word = self.words.get(&constant);
        Ok(word.map_or(Value::zero(constant.sort()), |word| scalar(constant.sort(), word, values)))
    }

    fn array(&self, sort: Sort, base: &Base, values: &Valuation) -> Result<Value, Stop> {
        let (widths, element) = shape(sort)?;
        let default = base.other.as_ref().map(|word| scalar(element, word, values));
        let mut result = match (default, sort.index()) {
            // Only arrays whose elements are no arrays are read there.
            (Some(default), Some(index)) => Value::Array(ArrayValue::constant(index, default)),
            _ => Value::zero(sort),
        };
        for (path, word) in &base.reads {
            let indices = self.arrays.indices(*path);
            let indices: Vec<Bits> = indices.iter().map(|index| bits(index, values)).collect();
            result = stored(result, &indices, scalar(element, word, values));
        }
        for (number, word) in base.elements.iter().flatten().enumerate() {
            let mut rest = number as u128;
            let mut index = |&width: &u32| {
                let index = Bits::new(width, rest);
                rest >>= width;
                index
            };
            let indices: Vec<Bits> = widths.iter().map(&mut index).collect();
            result = stored(result, &indices, scalar(element, word, values));
        }
        Ok(result)
    }
}

/// An array of arrays with one element replaced.
fn stored(array: Value, indices: &[Bits], element: Value) -> Value {
    match (array, indices) {
        (Value::Array(array), [index, rest @ ..]) => {
            let inner = stored(array.select(index).clone(), rest, element);
            Value::Array(array.into_stored(index.clone(), inner))
        }
        _ => element,
    }
}

fn scalar(sort: Sort, word: &[Edge], values: &Valuation) -> Value {
    match sort {
        Sort::Bool => Value::Bool(word.first().is_some_and(|&bit| values.of(bit))),
        _ => Value::Bits(bits(word, values)),
    }
}

fn bits(word: &[Edge], values: &Valuation) -> Bits {
    let part = |bits: &[Edge]| {
        let number = bits.iter().rev().fold(0, |number, &bit| number << 1 | u128::from(values.of(bit)));
        Bits::new(bits.len() as u32, number)
    };
    let mut parts = word.chunks(128).map(part);
    let lowest = parts.next().unwrap_or_else(|| Bits::zero(0));
    parts.fold(lowest, |low, high| high.concat(&low))
}
