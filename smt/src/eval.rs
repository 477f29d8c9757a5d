//! Evaluation under an assignment.
//!
//! The judge of every model: it follows the definitions of SMT-LIB and shares no rule with the simplifier. It visits every
//! distinct sub-term once, without recursion. The value of an array is forgotten after its last use, so a long chain of
//! stores changes one array in place.

use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasher;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use thiserror::Error;

use crate::bits::Bits;
use crate::sort::Sort;
use crate::symbol::Symbol;
use crate::term::{Op, Term};
use crate::value::{ArrayValue, Value};

/// Values for uninterpreted constants.
pub trait Assignment {
    /// The value of a constant, if there is one.
    fn value(&self, name: Symbol, sort: Sort) -> Option<Value>;
}

impl<S: BuildHasher> Assignment for HashMap<Symbol, Value, S> {
    fn value(&self, name: Symbol, _sort: Sort) -> Option<Value> {
        self.get(&name).cloned()
    }
}

impl Assignment for BTreeMap<Symbol, Value> {
    fn value(&self, name: Symbol, _sort: Sort) -> Option<Value> {
        self.get(&name).cloned()
    }
}

impl<F: Fn(Symbol, Sort) -> Option<Value>> Assignment for F {
    fn value(&self, name: Symbol, sort: Sort) -> Option<Value> {
        self(name, sort)
    }
}

/// Why a term has no value.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum EvalError {
    /// The assignment has no value for a constant.
    #[error("no value for '{0}'")]
    Undefined(Symbol),
    /// An operator got values of the wrong sort.
    #[error("ill-sorted term or value")]
    IllSorted,
}

/// The value of a term. All constants in it need values, also those that do not matter.
pub fn eval(term: Term, assignment: &dyn Assignment) -> Result<Value, EvalError> {
    let steps = Steps::new(term);
    let mut values: Vec<Value> = Vec::with_capacity(steps.terms.len());
    let mut start = 0;
    for (step, &term) in steps.terms.iter().enumerate() {
        let operands = &steps.operands[start..start + term.args().len()];
        start += operands.len();
        let value = match (term.op(), operands) {
            (Op::Const(name), _) => constant(*name, term.sort(), assignment)?,
            (Op::Store, &[array, index, value]) => {
                let array = if steps.last_use[array] == step {
                    std::mem::replace(&mut values[array], Value::Bool(false))
                } else {
                    values[array].clone()
                };
                store(array, &values[index], &values[value])?
            }
            (op, _) => {
                let args: SmallVec<[&Value; 4]> = operands.iter().map(|&operand| &values[operand]).collect();
                apply(op, &args).ok_or(EvalError::IllSorted)?
            }
        };
        values.push(value);
    }
    values.pop().ok_or(EvalError::IllSorted)
}

/// The sub-terms of a term, arguments first, with the positions of their arguments.
#[derive(Default)]
struct Steps {
    terms: Vec<Term>,
    /// Of all terms, one after the other.
    operands: Vec<usize>,
    /// The last term that needs the value, by position.
    last_use: Vec<usize>,
}

impl Steps {
    fn new(root: Term) -> Steps {
        let mut steps = Steps::default();
        let mut positions: FxHashMap<Term, usize> = FxHashMap::default();
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if positions.contains_key(&term) {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            stack.extend(term.args().iter().rev().filter(|arg| !positions.contains_key(arg)));
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            let position = steps.terms.len();
            for operand in term.args().iter().filter_map(|arg| positions.get(arg).copied()) {
                steps.operands.push(operand);
                steps.last_use[operand] = position;
            }
            steps.terms.push(term);
            steps.last_use.push(position);
            positions.insert(term, position);
        }
        steps
    }
}

fn constant(name: Symbol, sort: Sort, assignment: &dyn Assignment) -> Result<Value, EvalError> {
    let value = assignment.value(name, sort).ok_or(EvalError::Undefined(name))?;
    if value.has_sort(sort) { Ok(value) } else { Err(EvalError::IllSorted) }
}

fn store(array: Value, index: &Value, value: &Value) -> Result<Value, EvalError> {
    match (array, index) {
        (Value::Array(array), Value::Bits(index))
            if array.index().width() == Some(index.width()) && same_sort(array.default(), value) =>
        {
            Ok(Value::Array(array.into_stored(index.clone(), value.clone())))
        }
        _ => Err(EvalError::IllSorted),
    }
}

fn same_sort(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Bool(_), Value::Bool(_)) => true,
        (Value::Bits(left), Value::Bits(right)) => left.width() == right.width(),
        (Value::Array(left), Value::Array(right)) => {
            left.index() == right.index() && same_sort(left.default(), right.default())
        }
        _ => false,
    }
}

/// The value of an operator, other than constants and stores; nothing if the sorts are wrong.
fn apply(op: &Op, args: &[&Value]) -> Option<Value> {
    match (op, args) {
        (Op::True, []) => Some(Value::Bool(true)),
        (Op::False, []) => Some(Value::Bool(false)),
        (Op::Bits(bits), []) => Some(Value::Bits(bits.clone())),
        (Op::And | Op::Or, _) => junction(*op == Op::And, args),
        (Op::Ite, [condition, then, els]) if same_sort(then, els) => {
            Some(Value::clone(if condition.as_bool()? { then } else { els }))
        }
        (Op::Eq, [left, right]) if same_sort(left, right) => Some(Value::Bool(left == right)),
        (Op::Select, [Value::Array(array), Value::Bits(index)])
            if array.index().width() == Some(index.width()) =>
        {
            Some(array.select(index).clone())
        }
        (Op::ConstArray(Sort::Array(sort)), [default]) if default.has_sort(sort.element) => {
            Some(Value::Array(ArrayValue::constant(sort.index, Value::clone(default))))
        }
        (_, [Value::Bits(bits)]) => unary(op, bits).map(Value::Bits),
        (Op::Concat, [Value::Bits(high), Value::Bits(low)]) => Some(Value::Bits(high.concat(low))),
        (_, [Value::Bits(left), Value::Bits(right)]) if left.width() == right.width() => {
            binary(op, left, right)
        }
        (Op::Not, [Value::Bool(value)]) => Some(Value::Bool(!value)),
        (Op::Xor, [Value::Bool(left), Value::Bool(right)]) => Some(Value::Bool(left != right)),
        (Op::Implies, [Value::Bool(left), Value::Bool(right)]) => Some(Value::Bool(!left || *right)),
        _ => None,
    }
}

fn junction(conjunction: bool, args: &[&Value]) -> Option<Value> {
    let mut result = conjunction;
    for arg in args {
        let member = arg.as_bool()?;
        result = if conjunction { result && member } else { result || member };
    }
    Some(Value::Bool(result))
}

fn unary(op: &Op, bits: &Bits) -> Option<Bits> {
    match *op {
        Op::BvNot => Some(bits.not()),
        Op::BvNeg => Some(bits.neg()),
        Op::Extract { high, low } if low <= high && high < bits.width() => Some(bits.extract(high, low)),
        Op::ZeroExtend(by) => Some(bits.zero_extend(by)),
        Op::SignExtend(by) => Some(bits.sign_extend(by)),
        _ => None,
    }
}

fn binary(op: &Op, left: &Bits, right: &Bits) -> Option<Value> {
    let bits = match op {
        Op::BvUlt => return Some(Value::Bool(left.ult(right))),
        Op::BvUle => return Some(Value::Bool(left.ule(right))),
        Op::BvSlt => return Some(Value::Bool(left.slt(right))),
        Op::BvSle => return Some(Value::Bool(left.sle(right))),
        Op::BvAnd => left.and(right),
        Op::BvOr => left.or(right),
        Op::BvXor => left.xor(right),
        Op::BvAdd => left.add(right),
        Op::BvSub => left.sub(right),
        Op::BvMul => left.mul(right),
        Op::BvUdiv => left.udiv(right),
        Op::BvUrem => left.urem(right),
        Op::BvSdiv => left.sdiv(right),
        Op::BvSrem => left.srem(right),
        Op::BvShl => left.shl(right),
        Op::BvLshr => left.lshr(right),
        Op::BvAshr => left.ashr(right),
        _ => return None,
    };
    Some(Value::Bits(bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn byte(name: &str) -> Term {
        Term::constant(Symbol::new(name), Sort::BitVec(8))
    }

    #[test]
    fn errors_name_the_cause() {
        let quotient = byte("x").bv_udiv(byte("y"));
        let half = BTreeMap::from([(Symbol::new("x"), Value::bits(8, 1))]);
        assert_eq!(eval(quotient, &half), Err(EvalError::Undefined(Symbol::new("y"))));
        let wrong = |_: Symbol, _: Sort| Some(Value::bits(7, 1));
        assert_eq!(eval(quotient, &wrong), Err(EvalError::IllSorted));
        let zero = |_: Symbol, sort: Sort| Some(Value::zero(sort));
        assert_eq!(eval(quotient, &zero), Ok(Value::bits(8, 255)));
    }

    #[test]
    fn an_array_that_is_used_again_is_not_changed_in_place() {
        let sort = Sort::array(Sort::BitVec(8), Sort::BitVec(8));
        let array = Term::constant(Symbol::new("array"), sort);
        let (x, y) = (byte("x"), byte("y"));
        let changed = array.store(x, y);
        let term = changed.select(y).bv_sub(array.select(x));
        let assignment = |name: Symbol, sort: Sort| match name.as_str() {
            "array" => Some(Value::zero(sort)),
            "x" => Some(Value::bits(8, 3)),
            _ => Some(Value::bits(8, 3)),
        };
        assert_eq!(eval(term, &assignment), Ok(Value::bits(8, 3)));
    }

    #[test]
    fn maps_are_assignments() {
        let entries = [(Symbol::new("x"), Value::bits(8, 7)), (Symbol::new("y"), Value::bits(8, 2))];
        let hashed: HashMap<Symbol, Value> = entries.clone().into_iter().collect();
        let sorted: BTreeMap<Symbol, Value> = entries.into_iter().collect();
        let term = byte("x").bv_urem(byte("y"));
        assert_eq!(eval(term, &hashed), Ok(Value::bits(8, 1)));
        assert_eq!(eval(term, &sorted), Ok(Value::bits(8, 1)));
    }
}
