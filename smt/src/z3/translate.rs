//! From terms to Z3's terms. Every distinct sub-term is translated once, without recursion.

use ::z3::Sort as Z3Sort;
use ::z3::Symbol as Z3Symbol;
use ::z3::ast::{Array, BV, Bool, Dynamic};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::bits::Bits;
use crate::solver::SolverError;
use crate::sort::Sort;
use crate::term::{Op, Term};

/// A term of Z3, by sort.
#[derive(Clone, Debug)]
pub(super) enum Translated {
    Bool(Bool),
    Bits(BV),
    Array(Array),
}

/// Translates well-sorted terms, and remembers the results.
#[derive(Debug, Default)]
pub(crate) struct Translator {
    memo: FxHashMap<Term, Translated>,
    arrays: bool,
    /// For names that Z3 cannot have.
    unnameable: u32,
}

type Pair<'a> = (&'a Translated, &'a Translated);

impl Translator {
    /// Whether an array has been translated.
    pub(crate) fn has_arrays(&self) -> bool {
        self.arrays
    }

    /// A formula.
    pub(crate) fn formula(&mut self, term: Term) -> Result<Bool, SolverError> {
        match self.term(term)? {
            Translated::Bool(formula) => Ok(formula),
            _ => Err(SolverError::NotBoolean(term.sort())),
        }
    }

    /// Any term, without its sort.
    pub(crate) fn dynamic(&mut self, term: Term) -> Result<Dynamic, SolverError> {
        Ok(match self.term(term)? {
            Translated::Bool(term) => Dynamic::from(term),
            Translated::Bits(term) => Dynamic::from(term),
            Translated::Array(term) => Dynamic::from(term),
        })
    }

    pub(super) fn term(&mut self, root: Term) -> Result<Translated, SolverError> {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.memo.contains_key(&term) {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            stack.extend(term.args().iter().rev().filter(|arg| !self.memo.contains_key(arg)));
            if stack.len() == waiting {
                stack.pop();
                let result = self.translate(term)?;
                self.arrays |= matches!(result, Translated::Array(_));
                self.memo.insert(term, result);
            }
        }
        self.memo.get(&root).cloned().ok_or_else(|| ill_sorted(root))
    }

    /// A term whose arguments have been translated.
    fn translate(&mut self, term: Term) -> Result<Translated, SolverError> {
        if let Op::Const(name) = term.op() {
            return Ok(self.constant(name.as_str(), term.sort()));
        }
        let args: SmallVec<[&Translated; 4]> =
            term.args().iter().filter_map(|arg| self.memo.get(arg)).collect();
        let result = match (term.op(), args.as_slice()) {
            (Op::And | Op::Or, _) => connective(term.op(), &args),
            (op, []) => leaf(op),
            (op, [a]) => unary(op, a),
            (op, [a, b]) => binary(op, (a, b)),
            (op, [a, b, c]) => ternary(op, a, b, c),
            _ => None,
        };
        result.ok_or_else(|| ill_sorted(term))
    }

    fn constant(&mut self, name: &str, sort: Sort) -> Translated {
        // Names end with the first zero byte, and none is empty.
        let name = if name.is_empty() || name.contains('\0') {
            self.unnameable += 1;
            Z3Symbol::Int(self.unnameable)
        } else {
            Z3Symbol::String(name.to_owned())
        };
        match sort {
            Sort::Bool => Translated::Bool(Bool::new_const(name)),
            Sort::BitVec(width) => Translated::Bits(BV::new_const(name, width)),
            Sort::Array(array) => {
                Translated::Array(Array::new_const(name, &z3_sort(array.index), &z3_sort(array.element)))
            }
        }
    }
}

/// The sort in Z3.
pub(crate) fn z3_sort(sort: Sort) -> Z3Sort {
    match sort {
        Sort::Bool => Z3Sort::bool(),
        Sort::BitVec(width) => Z3Sort::bitvector(width),
        Sort::Array(array) => Z3Sort::array(&z3_sort(array.index), &z3_sort(array.element)),
    }
}

fn ill_sorted(term: Term) -> SolverError {
    SolverError::IllSorted(term.to_string())
}

fn leaf(op: &Op) -> Option<Translated> {
    match op {
        Op::True => Some(Translated::Bool(Bool::from_bool(true))),
        Op::False => Some(Translated::Bool(Bool::from_bool(false))),
        Op::Bits(bits) => literal(bits).map(Translated::Bits),
        _ => None,
    }
}

pub(super) fn literal(bits: &Bits) -> Option<BV> {
    match bits.to_u128().and_then(|value| u64::try_from(value).ok()) {
        Some(value) => Some(BV::from_u64(value, bits.width())),
        None => BV::from_bits(&(0..bits.width()).map(|number| bits.bit(number)).collect::<Vec<bool>>()),
    }
}

fn connective(op: &Op, args: &[&Translated]) -> Option<Translated> {
    let args: Vec<&Bool> = args.iter().map(|arg| formula(arg)).collect::<Option<_>>()?;
    Some(Translated::Bool(if *op == Op::And { Bool::and(&args) } else { Bool::or(&args) }))
}

fn formula(term: &Translated) -> Option<&Bool> {
    match term {
        Translated::Bool(term) => Some(term),
        _ => None,
    }
}

fn unary(op: &Op, arg: &Translated) -> Option<Translated> {
    Some(match (op, arg) {
        (Op::Not, Translated::Bool(a)) => Translated::Bool(a.not()),
        (Op::BvNot, Translated::Bits(a)) => Translated::Bits(a.bvnot()),
        (Op::BvNeg, Translated::Bits(a)) => Translated::Bits(a.bvneg()),
        (Op::Extract { high, low }, Translated::Bits(a)) => Translated::Bits(a.extract(*high, *low)),
        (Op::ZeroExtend(by), Translated::Bits(a)) => Translated::Bits(a.zero_ext(*by)),
        (Op::SignExtend(by), Translated::Bits(a)) => Translated::Bits(a.sign_ext(*by)),
        (Op::ConstArray(sort), default) => {
            let index = z3_sort(sort.index()?);
            Translated::Array(match default {
                Translated::Bool(default) => Array::const_array(&index, default),
                Translated::Bits(default) => Array::const_array(&index, default),
                Translated::Array(default) => Array::const_array(&index, default),
            })
        }
        _ => return None,
    })
}

fn binary(op: &Op, pair: Pair) -> Option<Translated> {
    match pair {
        (Translated::Bool(a), Translated::Bool(b)) => Some(Translated::Bool(match op {
            Op::Xor => a.xor(b),
            Op::Implies => a.implies(b),
            Op::Eq => a.iff(b),
            _ => return None,
        })),
        (Translated::Bits(a), Translated::Bits(b)) => {
            comparison(op, a, b).map(Translated::Bool).or_else(|| arithmetic(op, a, b).map(Translated::Bits))
        }
        (Translated::Array(a), Translated::Array(b)) if *op == Op::Eq => {
            a.safe_eq(b).ok().map(Translated::Bool)
        }
        (Translated::Array(array), Translated::Bits(index)) if *op == Op::Select => {
            let element = array.select(index);
            (element.as_bool().map(Translated::Bool))
                .or_else(|| element.as_bv().map(Translated::Bits))
                .or_else(|| element.as_array().map(Translated::Array))
        }
        _ => None,
    }
}

fn comparison(op: &Op, a: &BV, b: &BV) -> Option<Bool> {
    Some(match op {
        Op::Eq => return a.safe_eq(b).ok(),
        Op::BvUlt => a.bvult(b),
        Op::BvUle => a.bvule(b),
        Op::BvSlt => a.bvslt(b),
        Op::BvSle => a.bvsle(b),
        _ => return None,
    })
}

fn arithmetic(op: &Op, a: &BV, b: &BV) -> Option<BV> {
    Some(match op {
        Op::BvAnd => a.bvand(b),
        Op::BvOr => a.bvor(b),
        Op::BvXor => a.bvxor(b),
        Op::BvAdd => a.bvadd(b),
        Op::BvSub => a.bvsub(b),
        Op::BvMul => a.bvmul(b),
        Op::BvUdiv => a.bvudiv(b),
        Op::BvUrem => a.bvurem(b),
        Op::BvSdiv => a.bvsdiv(b),
        Op::BvSrem => a.bvsrem(b),
        Op::BvShl => a.bvshl(b),
        Op::BvLshr => a.bvlshr(b),
        Op::BvAshr => a.bvashr(b),
        Op::Concat => a.concat(b),
        _ => return None,
    })
}

fn ternary(op: &Op, a: &Translated, b: &Translated, c: &Translated) -> Option<Translated> {
    match (op, a, b, c) {
        (Op::Ite, Translated::Bool(a), Translated::Bool(b), Translated::Bool(c)) => {
            Some(Translated::Bool(a.ite(b, c)))
        }
        (Op::Ite, Translated::Bool(a), Translated::Bits(b), Translated::Bits(c)) => {
            Some(Translated::Bits(a.ite(b, c)))
        }
        (Op::Ite, Translated::Bool(a), Translated::Array(b), Translated::Array(c)) => {
            Some(Translated::Array(a.ite(b, c)))
        }
        (Op::Store, Translated::Array(array), Translated::Bits(index), value) => {
            Some(Translated::Array(match value {
                Translated::Bool(value) => array.store(index, value),
                Translated::Bits(value) => array.store(index, value),
                Translated::Array(value) => array.store(index, value),
            }))
        }
        _ => None,
    }
}
