//! The reference: values of expressions by the definitions of SMT-LIB, on lists of bits.

use std::collections::BTreeMap;

use crate::sort::Sort;
use crate::term::Op;
use crate::value::Value;

use super::Model;
use super::expression::Expression;

/// The lowest bit first.
type List = Vec<bool>;

#[derive(Clone, Debug)]
pub(super) enum Reference {
    Bool(bool),
    Bits(List),
    Array { width: usize, default: Box<Reference>, stores: BTreeMap<List, Reference> },
}

/// Arrays are equal if all elements are.
impl PartialEq for Reference {
    fn eq(&self, other: &Reference) -> bool {
        match (self, other) {
            (Reference::Bool(left), Reference::Bool(right)) => left == right,
            (Reference::Bits(left), Reference::Bits(right)) => left == right,
            (
                Reference::Array { width, default, stores },
                Reference::Array { default: other_default, stores: other_stores, .. },
            ) => {
                let mut indices: Vec<&List> = stores.keys().chain(other_stores.keys()).collect();
                indices.sort();
                indices.dedup();
                let everywhere = *width < 16 && indices.len() == 1 << width;
                (everywhere || default == other_default)
                    && indices.iter().all(|index| self.select(index) == other.select(index))
            }
            _ => false,
        }
    }
}

impl Reference {
    fn truth(&self) -> bool {
        let Reference::Bool(value) = self else { panic!("{self:?}") };
        *value
    }

    fn list(&self) -> &List {
        let Reference::Bits(list) = self else { panic!("{self:?}") };
        list
    }

    fn select(&self, index: &List) -> &Reference {
        let Reference::Array { default, stores, .. } = self else { panic!("{self:?}") };
        stores.get(index).unwrap_or(default)
    }
}

fn array(index: Sort, default: Reference) -> Reference {
    let width = index.width().unwrap() as usize;
    Reference::Array { width, default: Box::new(default), stores: BTreeMap::new() }
}

pub(super) fn from_value(value: &Value) -> Reference {
    match value {
        Value::Bool(value) => Reference::Bool(*value),
        Value::Bits(bits) => Reference::Bits((0..bits.width()).map(|number| bits.bit(number)).collect()),
        Value::Array(value) => {
            let mut result = array(value.index(), from_value(value.default()));
            let Reference::Array { stores, .. } = &mut result else { panic!("not an array") };
            for (index, element) in value.entries() {
                stores.insert(from_value(&Value::Bits(index.clone())).list().clone(), from_value(element));
            }
            result
        }
    }
}

pub(super) fn evaluate(expression: &Expression, model: &Model) -> Reference {
    let args: Vec<Reference> = expression.args.iter().map(|arg| evaluate(arg, model)).collect();
    let truth = |at: usize| args[at].truth();
    let list = |at: usize| args[at].list();
    match &expression.op {
        Op::True => Reference::Bool(true),
        Op::False => Reference::Bool(false),
        Op::Bits(bits) => from_value(&Value::Bits(bits.clone())),
        Op::Const(name) => from_value(&model[name]),
        Op::Not => Reference::Bool(!truth(0)),
        Op::And => Reference::Bool(args.iter().all(Reference::truth)),
        Op::Or => Reference::Bool(args.iter().any(Reference::truth)),
        Op::Xor => Reference::Bool(truth(0) != truth(1)),
        Op::Implies => Reference::Bool(!truth(0) || truth(1)),
        Op::Eq => Reference::Bool(args[0] == args[1]),
        Op::Ite => args[if truth(0) { 1 } else { 2 }].clone(),
        Op::Select => args[0].select(list(1)).clone(),
        Op::Store => {
            let mut result = args[0].clone();
            let Reference::Array { stores, .. } = &mut result else { panic!("not an array") };
            stores.insert(list(1).clone(), args[2].clone());
            result
        }
        Op::ConstArray(sort) => array(sort.index().unwrap(), args[0].clone()),
        Op::BvUlt => Reference::Bool(less(list(0), list(1))),
        Op::BvUle => Reference::Bool(!less(list(1), list(0))),
        Op::BvSlt => Reference::Bool(less(&flipped(list(0)), &flipped(list(1)))),
        Op::BvSle => Reference::Bool(!less(&flipped(list(1)), &flipped(list(0)))),
        Op::BvNot => Reference::Bits(not(list(0))),
        Op::BvNeg => Reference::Bits(neg(list(0))),
        Op::Extract { high, low } => Reference::Bits(list(0)[*low as usize..=*high as usize].to_vec()),
        Op::ZeroExtend(by) => Reference::Bits([list(0).clone(), vec![false; *by as usize]].concat()),
        Op::SignExtend(by) => Reference::Bits([list(0).clone(), vec![sign(list(0)); *by as usize]].concat()),
        Op::Concat => Reference::Bits([list(1).clone(), list(0).clone()].concat()),
        op => Reference::Bits(binary(op, list(0), list(1))),
    }
}

fn sign(list: &List) -> bool {
    list[list.len() - 1]
}

fn not(list: &List) -> List {
    list.iter().map(|bit| !bit).collect()
}

fn one(width: usize) -> List {
    (0..width).map(|number| number == 0).collect()
}

fn neg(list: &List) -> List {
    add(&not(list), &one(list.len()))
}

/// With the sign flipped, numbers with sign are ordered like those without.
fn flipped(list: &List) -> List {
    let mut flipped = list.clone();
    let highest = list.len() - 1;
    flipped[highest] = !flipped[highest];
    flipped
}

fn less(left: &List, right: &List) -> bool {
    left.iter().rev().lt(right.iter().rev())
}

fn add(left: &List, right: &List) -> List {
    let mut carry = false;
    left.iter()
        .zip(right)
        .map(|(&a, &b)| {
            let sum = a ^ b ^ carry;
            carry = (a & b) | (carry & (a | b));
            sum
        })
        .collect()
}

fn double(list: &List, lowest: bool) -> List {
    let mut doubled = vec![lowest];
    doubled.extend(&list[..list.len() - 1]);
    doubled
}

fn divide(left: &List, right: &List) -> (List, List) {
    // One bit more, for the doubled remainder.
    let wide = [right.clone(), vec![false]].concat();
    let mut remainder = vec![false; wide.len()];
    let mut quotient = Vec::new();
    for &bit in left.iter().rev() {
        remainder = double(&remainder, bit);
        let fits = !less(&remainder, &wide);
        if fits {
            remainder = add(&remainder, &neg(&wide));
        }
        quotient.insert(0, fits);
    }
    remainder.pop();
    (quotient, remainder)
}

/// The bits at a distance, or the filler outside; a distance that does not fit is beyond all bits.
fn shifted(list: &List, distance: &List, filler: bool, from: impl Fn(usize, usize) -> Option<usize>) -> List {
    let places = distance.iter().enumerate().filter(|(_, bit)| **bit);
    let distance =
        places.fold(0_usize, |sum, (place, _)| if place > 20 { 1 << 21 } else { sum.max(sum | 1 << place) });
    (0..list.len())
        .map(|place| from(place, distance).and_then(|place| list.get(place).copied()).unwrap_or(filler))
        .collect()
}

fn binary(op: &Op, left: &List, right: &List) -> List {
    let zip =
        |combine: fn(bool, bool) -> bool| left.iter().zip(right).map(|(&a, &b)| combine(a, b)).collect();
    let magnitude = |list: &List| if sign(list) { neg(list) } else { list.clone() };
    match op {
        Op::BvAnd => zip(|a, b| a && b),
        Op::BvOr => zip(|a, b| a || b),
        Op::BvXor => zip(|a, b| a != b),
        Op::BvAdd => add(left, right),
        Op::BvSub => add(left, &neg(right)),
        Op::BvMul => right.iter().rev().fold(vec![false; left.len()], |sum, &bit| {
            let doubled = double(&sum, false);
            if bit { add(&doubled, left) } else { doubled }
        }),
        Op::BvUdiv => divide(left, right).0,
        Op::BvUrem => divide(left, right).1,
        Op::BvSdiv => {
            let quotient = divide(&magnitude(left), &magnitude(right)).0;
            if sign(left) == sign(right) { quotient } else { neg(&quotient) }
        }
        Op::BvSrem => {
            let remainder = divide(&magnitude(left), &magnitude(right)).1;
            if sign(left) { neg(&remainder) } else { remainder }
        }
        Op::BvShl => shifted(left, right, false, |place, distance| place.checked_sub(distance)),
        Op::BvLshr => shifted(left, right, false, |place, distance| Some(place + distance)),
        Op::BvAshr => shifted(left, right, sign(left), |place, distance| Some(place + distance)),
        op => panic!("{op:?}"),
    }
}
