//! Operators of SMT-LIB applied to terms, with all checks that the smart constructors leave to their callers.

use std::rc::Rc;

use crate::sort::Sort;
use crate::subst::Substitution;
use crate::symbol::Symbol;
use crate::term::Term;

use super::parse::{MAXIMAL_WIDTH, Problem};

/// The most arguments of `distinct`: it becomes a conjunction over all pairs.
const MAXIMAL_DISTINCT: usize = 1000;

/// What is applied.
pub(super) enum Head {
    Named(Symbol),
    Extract {
        high: u32,
        low: u32,
    },
    /// `(_ name number)`.
    Indexed(Symbol, u32),
    ConstArray(Sort),
    Function(Rc<Function>),
}

/// A function defined in the text: it stands for its body.
pub(super) struct Function {
    pub(super) name: Symbol,
    pub(super) parameters: Vec<Term>,
    pub(super) body: Term,
}

/// The names of operators with any number of arguments.
const VARIADIC: [&str; 6] = ["and", "or", "xor", "=>", "=", "distinct"];

/// The names of the other operators that take truth values or arrays.
const OTHER: [&str; 5] = ["not", "ite", "select", "store", "const"];

/// Operators on two or more bit-vectors of the same width, from left to right.
const ASSOCIATIVE: [(&str, Binary); 5] = [
    ("bvand", Term::bv_and),
    ("bvor", Term::bv_or),
    ("bvxor", Term::bv_xor),
    ("bvadd", Term::bv_add),
    ("bvmul", Term::bv_mul),
];

/// Operators on two bit-vectors of the same width.
const BINARY: [(&str, Binary); 20] = [
    ("bvsub", Term::bv_sub),
    ("bvudiv", Term::bv_udiv),
    ("bvurem", Term::bv_urem),
    ("bvsdiv", Term::bv_sdiv),
    ("bvsrem", Term::bv_srem),
    ("bvshl", Term::bv_shl),
    ("bvlshr", Term::bv_lshr),
    ("bvashr", Term::bv_ashr),
    ("bvult", Term::ult),
    ("bvule", Term::ule),
    ("bvugt", Term::ugt),
    ("bvuge", Term::uge),
    ("bvslt", Term::slt),
    ("bvsle", Term::sle),
    ("bvsgt", Term::sgt),
    ("bvsge", Term::sge),
    ("bvnand", |left, right| left.bv_and(right).bv_not()),
    ("bvnor", |left, right| left.bv_or(right).bv_not()),
    ("bvxnor", |left, right| left.bv_xor(right).bv_not()),
    ("bvcomp", |left, right| left.equals(right).ite(Term::bv(1, 1), Term::bv(1, 0))),
];

/// Operators on a bit-vector.
const UNARY: [(&str, Unary); 2] = [("bvnot", Term::bv_not), ("bvneg", Term::bv_neg)];

type Unary = fn(Term) -> Term;
type Binary = fn(Term, Term) -> Term;

/// Whether SMT-LIB has an operator of this name that terms use.
pub(super) fn is_operator(name: &str) -> bool {
    let mut names = VARIADIC.iter().chain(&OTHER);
    names.any(|known| *known == name)
        || name == "concat"
        || ASSOCIATIVE.iter().chain(&BINARY).any(|known| known.0 == name)
        || UNARY.iter().any(|known| known.0 == name)
}

fn lookup<T: Copy>(table: &[(&str, T)], name: &str) -> Option<T> {
    table.iter().find(|entry| entry.0 == name).map(|entry| entry.1)
}

impl Head {
    /// The term, if number and sorts of the arguments are right.
    pub(super) fn apply(&self, args: &[Term]) -> Result<Term, Problem> {
        let wrong = |name: &str| Problem::Arguments(name.to_owned());
        match self {
            Head::Named(name) => apply_named(name.as_str(), args),
            Head::Indexed(name, number) => apply_indexed(name.as_str(), *number, args),
            Head::Extract { high, low } => match *args {
                [term] if low <= high && *high < term.width() => Ok(term.extract(*high, *low)),
                _ => Err(wrong("extract")),
            },
            Head::ConstArray(sort) => match *args {
                [default] if sort.element() == Some(default.sort()) => Ok(Term::const_array(*sort, default)),
                _ => Err(wrong("const")),
            },
            Head::Function(function) => function.apply(args),
        }
    }
}

impl Function {
    fn apply(&self, args: &[Term]) -> Result<Term, Problem> {
        let sorts = self.parameters.iter().map(|parameter| parameter.sort());
        if !sorts.eq(args.iter().map(|arg| arg.sort())) {
            return Err(Problem::Arguments(self.name.to_string()));
        }
        let map = self.parameters.iter().copied().zip(args.iter().copied());
        Ok(Substitution::new(map.collect()).apply(self.body))
    }
}

fn apply_named(name: &str, args: &[Term]) -> Result<Term, Problem> {
    let wrong = || Problem::Arguments(name.to_owned());
    if VARIADIC.contains(&name) {
        return apply_variadic(name, args).unwrap_or_else(|| Err(wrong()));
    }
    if let Some(operator) = lookup(&ASSOCIATIVE, name) {
        let fits = args.len() >= 2 && all_of_sort(args, args[0].sort()) && args[0].width() > 0;
        return fits.then(|| args.iter().copied().reduce(operator)).flatten().ok_or_else(wrong);
    }
    match *args {
        [term] if name == "not" && term.sort().is_bool() => Ok(term.not()),
        [term] if term.width() > 0 => match lookup(&UNARY, name) {
            Some(operator) => Ok(operator(term)),
            None => Err(unknown(name)),
        },
        [_, ..] if name == "concat" => concatenation(args),
        [left, right]
            if left.width() > 0 && left.sort() == right.sort() && lookup(&BINARY, name).is_some() =>
        {
            lookup(&BINARY, name).map(|operator| operator(left, right)).ok_or_else(wrong)
        }
        [array, index] if name == "select" && array.sort().index() == Some(index.sort()) => {
            Ok(array.select(index))
        }
        [condition, then, els]
            if name == "ite" && condition.sort().is_bool() && then.sort() == els.sort() =>
        {
            Ok(condition.ite(then, els))
        }
        [array, index, value]
            if name == "store"
                && array.sort().index() == Some(index.sort())
                && array.sort().element() == Some(value.sort()) =>
        {
            Ok(array.store(index, value))
        }
        _ => Err(unknown(name)),
    }
}

/// There is no such operator, or it does not take these arguments.
fn unknown(name: &str) -> Problem {
    if is_operator(name) {
        Problem::Arguments(name.to_owned())
    } else {
        Problem::UnknownOperator(name.to_owned())
    }
}

fn all_of_sort(args: &[Term], sort: Sort) -> bool {
    args.iter().all(|arg| arg.sort() == sort)
}

/// Nothing if number or sorts are wrong.
fn apply_variadic(name: &str, args: &[Term]) -> Option<Result<Term, Problem>> {
    let first = *args.first()?;
    if !all_of_sort(args, first.sort()) {
        return None;
    }
    let truth = first.sort().is_bool();
    let terms = args.iter().copied();
    let neighbours = || args.windows(2).map(|pair| pair[0].equals(pair[1]));
    Some(Ok(match name {
        "and" if truth => Term::and_all(terms),
        "or" if truth => Term::or_all(terms),
        "xor" if truth && args.len() >= 2 => terms.reduce(Term::xor)?,
        "=>" if truth && args.len() >= 2 => {
            terms.rev().reduce(|conclusion, premise| premise.implies(conclusion))?
        }
        "=" if args.len() >= 2 => Term::and_all(neighbours()),
        "distinct" if args.len() > MAXIMAL_DISTINCT => {
            return Some(Err(Problem::Limit("too many distinct terms")));
        }
        "distinct" if args.len() >= 2 => {
            let pairs = args
                .iter()
                .enumerate()
                .flat_map(|(at, left)| args[at + 1..].iter().map(|right| (*left, *right)));
            Term::and_all(pairs.map(|(left, right)| left.distinct(right)))
        }
        _ => return None,
    }))
}

fn within_limit(width: u64) -> Result<(), Problem> {
    if width > u64::from(MAXIMAL_WIDTH) {
        Err(Problem::Limit("a bit-vector with too many bits"))
    } else {
        Ok(())
    }
}

fn concatenation(args: &[Term]) -> Result<Term, Problem> {
    let wrong = || Problem::Arguments("concat".to_owned());
    if args.len() < 2 || args.iter().any(|arg| arg.width() == 0) {
        return Err(wrong());
    }
    within_limit(args.iter().map(|arg| u64::from(arg.width())).sum())?;
    args.iter().copied().reduce(Term::concat).ok_or_else(wrong)
}

fn apply_indexed(name: &str, number: u32, args: &[Term]) -> Result<Term, Problem> {
    let wrong = || Problem::Arguments(name.to_owned());
    let &[term] = args else { return Err(wrong()) };
    let width = term.width();
    if width == 0 {
        return Err(wrong());
    }
    match name {
        "zero_extend" | "sign_extend" => {
            within_limit(u64::from(width) + u64::from(number))?;
            Ok(if name == "zero_extend" { term.zero_extend(number) } else { term.sign_extend(number) })
        }
        "repeat" if number > 0 => {
            within_limit(u64::from(width) * u64::from(number))?;
            (0..number).map(|_| term).reduce(Term::concat).ok_or_else(wrong)
        }
        "rotate_left" | "rotate_right" => {
            let left = if name == "rotate_left" { number % width } else { (width - number % width) % width };
            Ok(match left {
                0 => term,
                left => term.extract(width - 1 - left, 0).concat(term.extract(width - 1, width - left)),
            })
        }
        "repeat" => Err(wrong()),
        _ => Err(Problem::UnknownOperator(name.to_owned())),
    }
}
