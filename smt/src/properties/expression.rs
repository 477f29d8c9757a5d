//! Random expressions: plain trees, made of choices that can be shrunk.

use std::rc::Rc;

use crate::bits::Bits;
use crate::sort::Sort;
use crate::symbol::Symbol;
use crate::term::{Op, Term};
use crate::value::{ArrayValue, Value};

use super::Model;

/// A sequence of choices; all are zero when it is used up.
pub(super) struct Choices<'a> {
    data: &'a [u32],
    /// Expressions that can be used again.
    pool: Vec<Expression>,
}

impl<'a> Choices<'a> {
    pub(super) fn new(data: &'a [u32]) -> Choices<'a> {
        Choices { data, pool: Vec::new() }
    }

    fn next(&mut self) -> u32 {
        let Some((&first, rest)) = self.data.split_first() else { return 0 };
        self.data = rest;
        first
    }

    /// A number below `limit`.
    pub(super) fn below(&mut self, limit: u32) -> u32 {
        self.next() % limit
    }

    fn is_empty(&self) -> bool {
        self.data.is_empty()
    }
}

const WIDTHS: [u32; 7] = [1, 8, 32, 64, 100, 128, 200];

fn random_width(choices: &mut Choices<'_>) -> u32 {
    WIDTHS[choices.below(WIDTHS.len() as u32) as usize]
}

pub(super) fn random_sort(choices: &mut Choices<'_>) -> Sort {
    match choices.below(8) {
        0..3 => Sort::Bool,
        3..7 => Sort::BitVec(random_width(choices)),
        _ => {
            let index = Sort::BitVec([1, 2, 8, 200][choices.below(4) as usize]);
            let element = match choices.below(4) {
                0 => Sort::Bool,
                1 => Sort::array(Sort::BitVec(2), Sort::BitVec(8)),
                _ => Sort::BitVec(random_width(choices)),
            };
            Sort::array(index, element)
        }
    }
}

fn random_bits(choices: &mut Choices<'_>, width: u32) -> Bits {
    match choices.below(8) {
        0 => Bits::zero(width),
        1 => Bits::one(width),
        2 => Bits::ones(width),
        3 => Bits::signed_min(width),
        4 => Bits::signed_max(width),
        5 => Bits::from_i128(width, i128::from(choices.below(8)) - 4),
        _ => {
            let high =
                Bits::new(width, u128::from(choices.next())).shl(&Bits::new(width, u128::from(width / 2)));
            high.xor(&Bits::new(width, u128::from(choices.next())))
        }
    }
}

pub(super) fn random_value(choices: &mut Choices<'_>, sort: Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(choices.below(2) == 1),
        Sort::BitVec(width) => Value::Bits(random_bits(choices, width)),
        Sort::Array(array) => {
            let mut value = ArrayValue::constant(array.index, random_value(choices, array.element));
            for _ in 0..choices.below(4) {
                let index = random_bits(choices, array.index.width().unwrap());
                value = value.store(index, random_value(choices, array.element));
            }
            Value::Array(value)
        }
    }
}

/// A tree of operators. Nothing is simplified.
#[derive(Clone, Debug)]
pub(super) struct Expression {
    pub(super) op: Op,
    pub(super) args: Rc<[Expression]>,
    pub(super) sort: Sort,
}

fn constant_name(sort: Sort, number: u32) -> Symbol {
    Symbol::new(&format!("c{number} {sort}"))
}

fn node(op: Op, args: impl Into<Rc<[Expression]>>, sort: Sort) -> Expression {
    Expression { op, args: args.into(), sort }
}

pub(super) fn random_expression(choices: &mut Choices<'_>, sort: Sort) -> Expression {
    nested_expression(choices, sort, 0)
}

fn nested_expression(choices: &mut Choices<'_>, sort: Sort, depth: u32) -> Expression {
    let known = choices.pool.iter().filter(|known| known.sort == sort).count() as u32;
    if known > 0 && choices.below(4) == 1 {
        let number = choices.below(known) as usize;
        return choices.pool.iter().filter(|known| known.sort == sort).nth(number).unwrap().clone();
    }
    let leaf = choices.is_empty() || depth > 7 || choices.below(5) == 0;
    let expression =
        if leaf { leaf_expression(choices, sort) } else { inner_expression(choices, sort, depth + 1) };
    choices.pool.push(expression.clone());
    expression
}

fn leaf_expression(choices: &mut Choices<'_>, sort: Sort) -> Expression {
    if choices.below(3) != 0 {
        return node(Op::Const(constant_name(sort, choices.below(2))), [], sort);
    }
    match sort {
        Sort::Bool => node(if choices.below(2) == 0 { Op::True } else { Op::False }, [], sort),
        Sort::BitVec(width) => node(Op::Bits(random_bits(choices, width)), [], sort),
        Sort::Array(array) => node(Op::ConstArray(sort), [leaf_expression(choices, array.element)], sort),
    }
}

fn inner_expression(choices: &mut Choices<'_>, sort: Sort, depth: u32) -> Expression {
    let choice = choices.below(8);
    let mut part = |sort: Sort| nested_expression(choices, sort, depth);
    if choice == 0 {
        return node(Op::Ite, [part(Sort::Bool), part(sort), part(sort)], sort);
    }
    if choice == 1 {
        let index = Sort::BitVec([1, 8][(depth % 2) as usize]);
        return node(Op::Select, [part(Sort::array(index, sort)), part(index)], sort);
    }
    match sort {
        Sort::Bool => truth_expression(choices, depth),
        Sort::BitVec(width) => bits_expression(choices, width, depth),
        Sort::Array(array) => node(Op::Store, [part(sort), part(array.index), part(array.element)], sort),
    }
}

fn truth_expression(choices: &mut Choices<'_>, depth: u32) -> Expression {
    let op = choices.below(14);
    let compared = match op {
        4 => random_sort(choices),
        5.. => Sort::BitVec(random_width(choices)),
        _ => Sort::Bool,
    };
    let count = choices.below(4);
    let mut part = |sort: Sort| nested_expression(choices, sort, depth);
    let op = match op {
        0 => return node(Op::Not, [part(Sort::Bool)], Sort::Bool),
        1 | 2 => {
            let args: Vec<Expression> = (0..2 + count).map(|_| part(Sort::Bool)).collect();
            return node(if op == 1 { Op::And } else { Op::Or }, args, Sort::Bool);
        }
        3 => [Op::Xor, Op::Implies][(count % 2) as usize].clone(),
        4..9 => Op::Eq,
        _ => [Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle][count as usize].clone(),
    };
    node(op, [part(compared), part(compared)], Sort::Bool)
}

fn bits_expression(choices: &mut Choices<'_>, width: u32, depth: u32) -> Expression {
    use Op::{
        BvAdd, BvAnd, BvAshr, BvLshr, BvMul, BvOr, BvSdiv, BvShl, BvSrem, BvSub, BvUdiv, BvUrem, BvXor,
    };
    let binary = [
        BvAnd, BvOr, BvXor, BvAdd, BvAdd, BvAdd, BvSub, BvSub, BvMul, BvUdiv, BvUrem, BvSdiv, BvSrem, BvShl,
        BvLshr, BvAshr,
    ];
    let sort = Sort::BitVec(width);
    let kind = choices.below(12);
    let number = choices.below(40);
    let mut part = |width: u32| nested_expression(choices, Sort::BitVec(width), depth);
    match kind {
        0 => node(Op::BvNot, [part(width)], sort),
        1 => node(Op::BvNeg, [part(width)], sort),
        2 if width > 1 => {
            let cut =
                if width > 8 && number.is_multiple_of(2) { width - 8 } else { 1 + number % (width - 1) };
            node(Op::Concat, [part(width - cut), part(cut)], sort)
        }
        3 => {
            let low = [0, 1, 8, number][(number % 4) as usize];
            let wide = (width + low).max([1, 8, 32, 64][(number / 10) as usize]);
            node(Op::Extract { high: low + width - 1, low }, [part(wide)], sort)
        }
        4 | 5 if width > 1 => {
            let inner = if width > 8 && !number.is_multiple_of(3) {
                [8, width - 1][(number % 2) as usize]
            } else {
                1
            };
            let by = width - inner;
            let op = if kind == 4 { Op::ZeroExtend(by) } else { Op::SignExtend(by) };
            node(op, [part(inner)], sort)
        }
        _ => node(binary[number as usize % binary.len()].clone(), [part(width), part(width)], sort),
    }
}

impl Expression {
    /// The term, by the smart constructors.
    pub(super) fn build(&self) -> Term {
        let args: Vec<Term> = self.args.iter().map(Expression::build).collect();
        construct(&self.op, self.sort, &args)
    }

    /// In SMT-LIB, as it is.
    pub(super) fn text(&self) -> String {
        let op = match &self.op {
            Op::Const(name) => format!("|{name}|"),
            Op::Bits(bits) => bits.to_string(),
            Op::Extract { high, low } => format!("(_ extract {high} {low})"),
            Op::ZeroExtend(by) => format!("(_ zero_extend {by})"),
            Op::SignExtend(by) => format!("(_ sign_extend {by})"),
            Op::ConstArray(sort) => format!("(as const {sort})"),
            Op::Implies => "=>".to_owned(),
            Op::Eq => "=".to_owned(),
            op => format!("{op:?}").to_lowercase(),
        };
        let args: String = self.args.iter().map(|arg| format!(" {}", arg.text())).collect();
        if args.is_empty() { op } else { format!("({op}{args})") }
    }

    fn visit(&self, action: &mut dyn FnMut(&Expression)) {
        action(self);
        self.args.iter().for_each(|arg| arg.visit(action));
    }

    /// All constants, with repetitions.
    pub(super) fn constants(&self) -> Vec<Term> {
        let mut constants = Vec::new();
        self.visit(&mut |part| {
            if let Op::Const(name) = part.op {
                constants.push(Term::constant(name, part.sort));
            }
        });
        constants
    }

    /// Random values for all constants.
    pub(super) fn model(&self, choices: &mut Choices<'_>) -> Model {
        let mut model = Model::new();
        for constant in self.constants() {
            let name = constant.as_constant().unwrap();
            model.entry(name).or_insert_with(|| random_value(choices, constant.sort()));
        }
        model
    }
}

/// An operator on terms, by the smart constructors.
pub(super) fn construct(op: &Op, sort: Sort, args: &[Term]) -> Term {
    match (op, args) {
        (Op::True, _) => Term::tru(),
        (Op::False, _) => Term::fls(),
        (Op::Bits(bits), _) => Term::bits(bits.clone()),
        (Op::Const(name), _) => Term::constant(*name, sort),
        (Op::And, args) => args.iter().copied().reduce(Term::and).unwrap(),
        (Op::Or, args) => Term::or_all(args.iter().copied()),
        (Op::Extract { high, low }, [a]) => a.extract(*high, *low),
        (Op::ZeroExtend(_), [a]) => a.resize_unsigned(sort.width().unwrap()),
        (Op::SignExtend(_), [a]) => a.resize_signed(sort.width().unwrap()),
        (Op::ConstArray(sort), [a]) => Term::const_array(*sort, *a),
        (Op::Not, [a]) => a.not(),
        (Op::BvNot, [a]) => a.bv_not(),
        (Op::BvNeg, [a]) => a.bv_neg(),
        (Op::Ite, [a, b, c]) => a.ite(*b, *c),
        (Op::Store, [a, b, c]) => a.store(*b, *c),
        (op, [a, b]) => construct_binary(op, *a, *b),
        _ => panic!("{op:?}"),
    }
}

fn construct_binary(op: &Op, a: Term, b: Term) -> Term {
    match op {
        Op::Xor => a.xor(b),
        Op::Implies => a.implies(b),
        Op::Eq => a.equals(b),
        Op::BvAnd => a.bv_and(b),
        Op::BvOr => a.bv_or(b),
        Op::BvXor => a.bv_xor(b),
        Op::BvAdd => a.bv_add(b),
        Op::BvSub => a.bv_sub(b),
        Op::BvMul => a.bv_mul(b),
        Op::BvUdiv => a.bv_udiv(b),
        Op::BvUrem => a.bv_urem(b),
        Op::BvSdiv => a.bv_sdiv(b),
        Op::BvSrem => a.bv_srem(b),
        Op::BvShl => a.bv_shl(b),
        Op::BvLshr => a.bv_lshr(b),
        Op::BvAshr => a.bv_ashr(b),
        Op::BvUlt => b.ugt(a),
        Op::BvUle => b.uge(a),
        Op::BvSlt => b.sgt(a),
        Op::BvSle => b.sge(a),
        Op::Concat => a.concat(b),
        Op::Select => a.select(b),
        op => panic!("{op:?}"),
    }
}
