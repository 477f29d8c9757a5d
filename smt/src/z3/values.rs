//! From Z3's models to values.
//!
//! Operators are recognised by name: their numbers differ between versions of the library.

use ::z3::Model;
use ::z3::ast::{Array, Ast, BV, Dynamic};

use super::translate::{Translated, Translator};
use crate::bits::Bits;
use crate::solver::SolverError;
use crate::sort::Sort;
use crate::term::Term;
use crate::value::{ArrayValue, Value};

/// Indices of more bits have too many values to look at each.
const MAX_INDEX: u32 = 12;

impl Translator {
    /// The value of a constant.
    pub(crate) fn value(&mut self, constant: Term, model: &Model) -> Result<Value, SolverError> {
        let value = match self.term(constant)? {
            Translated::Bool(term) => {
                model.eval(&term, true).and_then(|value| value.as_bool()).map(Value::Bool)
            }
            Translated::Bits(term) => {
                model.eval(&term, true).and_then(|value| bits(&value, constant.width())).map(Value::Bits)
            }
            Translated::Array(term) => model
                .eval(&term, true)
                .and_then(|value| array(&value, constant.sort(), model))
                .map(Value::Array),
        };
        value.ok_or_else(|| SolverError::Protocol {
            solver: "z3".to_owned(),
            message: format!("the model has a value for {constant} that cannot be read"),
        })
    }
}

/// A numeral, 64 bits at a time.
fn bits(numeral: &BV, width: u32) -> Option<Bits> {
    if width <= 64 {
        return Some(Bits::new(width, u128::from(numeral.as_u64()?)));
    }
    let mut value: Option<Bits> = None;
    for low in (0..width).step_by(64) {
        let high = (low + 63).min(width - 1);
        let part = Bits::new(high - low + 1, u128::from(numeral.extract(high, low).simplify().as_u64()?));
        value = Some(match value {
            Some(value) => part.concat(&value),
            None => part,
        });
    }
    value
}

/// Any value.
fn value(term: &Dynamic, sort: Sort, model: &Model) -> Option<Value> {
    match sort {
        Sort::Bool => term.as_bool()?.as_bool().map(Value::Bool),
        Sort::BitVec(width) => bits(&term.as_bv()?, width).map(Value::Bits),
        Sort::Array(_) => array(&term.as_array()?, sort, model).map(Value::Array),
    }
}

/// Stores over a constant array, or over a function of the model.
fn array(term: &Array, sort: Sort, model: &Model) -> Option<ArrayValue> {
    let (index_sort, element_sort) = (sort.index()?, sort.element()?);
    let mut stores = Vec::new();
    let mut term = term.clone();
    let mut result = loop {
        if !term.is_app() {
            break everywhere(&term, sort, model)?;
        }
        let children = term.children();
        match (term.decl().name().as_str(), children.as_slice()) {
            ("store", [array, index, element]) => {
                stores.push((
                    bits(&index.as_bv()?, index_sort.width()?)?,
                    value(element, element_sort, model)?,
                ));
                term = array.as_array()?;
            }
            ("const", [default]) => {
                break ArrayValue::constant(index_sort, value(default, element_sort, model)?);
            }
            ("as-array", _) => break function(&term, sort, model)?,
            _ => return None,
        }
    };
    while let Some((index, element)) = stores.pop() {
        result = result.into_stored(index, element);
    }
    Some(result)
}

/// An array that the model describes by a term with a variable: its elements one by one, if they are few.
fn everywhere(term: &Array, sort: Sort, model: &Model) -> Option<ArrayValue> {
    let (index_sort, element_sort) = (sort.index()?, sort.element()?);
    let width = index_sort.width().filter(|&width| width <= MAX_INDEX)?;
    let element = |index: u64| {
        let element = model.eval(&term.select(&BV::from_u64(index, width)), true)?;
        value(&element, element_sort, model)
    };
    let mut result = ArrayValue::constant(index_sort, element(0)?);
    for index in 1..1 << width {
        result = result.into_stored(Bits::new(width, index.into()), element(index)?);
    }
    Some(result)
}

/// An array that the model describes as a function.
fn function(term: &Array, sort: Sort, model: &Model) -> Option<ArrayValue> {
    let (index_sort, element_sort) = (sort.index()?, sort.element()?);
    let function = model.get_func_interp(&term.as_array_func_decl()?)?;
    let mut result = ArrayValue::constant(index_sort, value(&function.get_else()?, element_sort, model)?);
    for entry in function.get_entries() {
        let index = bits(&entry.get_args().first()?.as_bv()?, index_sort.width()?)?;
        result = result.into_stored(index, value(&entry.get_value(), element_sort, model)?);
    }
    Some(result)
}
