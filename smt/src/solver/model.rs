//! Models: values for uninterpreted constants.

use std::collections::BTreeMap;
use std::fmt;

use crate::eval::{Assignment, EvalError, eval};
use crate::sort::Sort;
use crate::symbol::Symbol;
use crate::term::Term;
use crate::value::Value;

/// Values for constants. Printed in the order of names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Model {
    values: BTreeMap<(Symbol, Sort), Value>,
}

impl Model {
    /// The value of a term; constants without value count as zero.
    pub fn eval(&self, term: Term) -> Result<Value, EvalError> {
        let complete =
            |name: Symbol, sort: Sort| Some(self.value(name, sort).unwrap_or_else(|| Value::zero(sort)));
        eval(term, &complete)
    }

    /// Whether a formula is true; constants without value count as zero.
    pub fn satisfies(&self, formula: Term) -> Result<bool, EvalError> {
        self.eval(formula)?.as_bool().ok_or(EvalError::IllSorted)
    }

    /// All constants with their values, by name.
    pub fn iter(&self) -> impl Iterator<Item = (Symbol, Sort, &Value)> {
        self.values.iter().map(|((name, sort), value)| (*name, *sort, value))
    }

    /// The number of constants.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether no constant has a value.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

impl FromIterator<(Symbol, Value)> for Model {
    fn from_iter<I: IntoIterator<Item = (Symbol, Value)>>(values: I) -> Model {
        let values = values.into_iter().map(|(name, value)| ((name, value.sort()), value));
        Model { values: values.collect() }
    }
}

impl Assignment for Model {
    fn value(&self, name: Symbol, sort: Sort) -> Option<Value> {
        self.values.get(&(name, sort)).cloned()
    }
}

/// One constant per line.
impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, _, value) in self.iter() {
            writeln!(f, "{name} = {value}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_name_can_have_values_of_several_sorts() {
        let name = Symbol::new("x");
        let model: Model = [(name, Value::Bool(true)), (name, Value::bits(8, 7))].into_iter().collect();
        assert_eq!(model.len(), 2);
        assert_eq!(model.value(name, Sort::Bool), Some(Value::Bool(true)));
        assert_eq!(model.value(name, Sort::BitVec(8)), Some(Value::bits(8, 7)));
        assert_eq!(model.value(name, Sort::BitVec(9)), None);
        assert_eq!(model.to_string(), "x = true\nx = #x07\n");
    }

    #[test]
    fn missing_constants_are_zero() {
        let x = Term::constant(Symbol::new("x"), Sort::BitVec(8));
        let y = Term::constant(Symbol::new("y"), Sort::BitVec(8));
        let model: Model = [(Symbol::new("x"), Value::bits(8, 7))].into_iter().collect();
        assert_eq!(model.eval(x.bv_add(y)), Ok(Value::bits(8, 7)));
        assert_eq!(model.satisfies(x.equals(y)), Ok(false));
        assert_eq!(model.satisfies(x), Err(EvalError::IllSorted));
    }
}
