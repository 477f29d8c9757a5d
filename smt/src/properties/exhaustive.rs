//! All small terms: every operator on every pair of simple arguments, under every assignment.
//!
//! Random terms seldom meet a rule that needs a particular literal below a particular operator. So here all terms of two
//! levels over a few constants of two bits are built, and a sample of those of three and four levels. A term is judged by its table,
//! its values under all assignments; tables are remembered by term, so each distinct term is computed once.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::sort::Sort;
use crate::symbol::Symbol;
use crate::term::{Op, Term};

use super::expression::construct;

/// The constants `x` and `y` have two bits each, `p` is a truth value.
const ASSIGNMENTS: usize = 32;

/// The value under each assignment; a truth value is zero or one.
type Table = [u16; ASSIGNMENTS];

/// The widest vectors that operators are applied to.
const WIDEST: u32 = 4;

fn mask(width: u32) -> u16 {
    (1 << width) - 1
}

fn signed(value: u16, width: u32) -> i32 {
    let value = i32::from(value);
    if value >> (width - 1) == 1 { value - (1 << width) } else { value }
}

/// An operator on values, by the definitions of SMT-LIB.
fn apply(op: &Op, sort: Sort, args: &[(u16, Sort)]) -> u16 {
    let width = args.first().and_then(|arg| arg.1.width()).unwrap_or(1);
    let (a, b) = (args[0].0, args.get(1).map_or(0, |arg| arg.0));
    let (s, t) = (signed(a, width), signed(b, width));
    let result = match op {
        Op::Not => 1 - a,
        Op::And => args.iter().fold(1, |all, arg| all & arg.0),
        Op::Or => args.iter().fold(0, |any, arg| any | arg.0),
        Op::Xor | Op::BvXor => a ^ b,
        Op::Implies => u16::from(a <= b),
        Op::Eq => u16::from(a == b),
        Op::Ite => args[if a == 1 { 1 } else { 2 }].0,
        Op::BvNot => !a,
        Op::BvNeg => a.wrapping_neg(),
        Op::BvAnd => a & b,
        Op::BvOr => a | b,
        Op::BvAdd => a.wrapping_add(b),
        Op::BvSub => a.wrapping_sub(b),
        Op::BvMul => a.wrapping_mul(b),
        Op::BvUdiv => a.checked_div(b).unwrap_or(u16::MAX),
        Op::BvUrem => a.checked_rem(b).unwrap_or(a),
        Op::BvSdiv => s.checked_div(t).unwrap_or(if s < 0 { 1 } else { -1 }) as u16,
        Op::BvSrem => s.checked_rem(t).unwrap_or(s) as u16,
        Op::BvShl => a.checked_shl(u32::from(b)).unwrap_or(0),
        Op::BvLshr => a.checked_shr(u32::from(b)).unwrap_or(0),
        Op::BvAshr => (s >> b.min(15)) as u16,
        Op::BvUlt => u16::from(a < b),
        Op::BvUle => u16::from(a <= b),
        Op::BvSlt => u16::from(s < t),
        Op::BvSle => u16::from(s <= t),
        Op::Concat => a << args[1].1.width().unwrap() | b,
        Op::Extract { low, .. } => a >> low,
        Op::ZeroExtend(_) => a,
        Op::SignExtend(_) => s as u16,
        op => panic!("{op:?}"),
    };
    result & mask(sort.width().unwrap_or(1))
}

#[derive(Default)]
struct Tables(FxHashMap<Term, Table>);

impl Tables {
    /// Applies an operator to tables.
    fn combine(&mut self, op: &Op, sort: Sort, args: &[Term]) -> Table {
        let tables: SmallVec<[Table; 3]> = args.iter().map(|arg| self.of(*arg)).collect();
        let mut values: SmallVec<[(u16, Sort); 3]> = args.iter().map(|arg| (0, arg.sort())).collect();
        std::array::from_fn(|assignment| {
            values.iter_mut().zip(&tables).for_each(|(value, table)| value.0 = table[assignment]);
            apply(op, sort, &values)
        })
    }

    fn of(&mut self, term: Term) -> Table {
        if let Some(table) = self.0.get(&term) {
            return *table;
        }
        let table = match term.op() {
            Op::True => [1; ASSIGNMENTS],
            Op::False => [0; ASSIGNMENTS],
            Op::Bits(bits) => [bits.to_u128().unwrap() as u16; ASSIGNMENTS],
            Op::Const(name) => std::array::from_fn(|assignment| match name.as_str() {
                "x" => assignment as u16 & 3,
                "y" => assignment as u16 >> 2 & 3,
                _ => assignment as u16 >> 4,
            }),
            op => self.combine(op, term.sort(), term.args()),
        };
        self.0.insert(term, table);
        table
    }

    /// Builds a term and compares it with what the operator says about its arguments.
    fn check(&mut self, op: &Op, sort: Sort, args: &[Term]) -> Term {
        let term = construct(op, sort, args);
        let expected = self.combine(op, sort, args);
        assert_eq!(self.of(term), expected, "{op:?} {args:?} is not {term}");
        assert_eq!(term.rebuild(term.args()), term, "{op:?} {args:?} is not stable");
        if sort.is_bool() {
            assert_eq!(term.not().not(), term, "{op:?} {args:?} has another negation");
        }
        term
    }
}

/// Terms by sort, without duplicates, in order of creation.
#[derive(Default)]
struct Pool {
    terms: FxHashMap<Sort, Vec<Term>>,
    known: FxHashSet<Term>,
}

impl Pool {
    fn add(&mut self, term: Term) {
        if self.known.insert(term) {
            self.terms.entry(term.sort()).or_default().push(term);
        }
    }

    fn of(&self, sort: Sort) -> &[Term] {
        self.terms.get(&sort).map_or(&[], Vec::as_slice)
    }
}

fn leaves() -> Pool {
    let mut pool = Pool::default();
    for name in ["x", "y"] {
        pool.add(Term::constant(Symbol::new(name), Sort::BitVec(2)));
    }
    let p = Term::constant(Symbol::new("p"), Sort::Bool);
    [p, Term::tru(), Term::fls()].into_iter().for_each(|term| pool.add(term));
    for width in 1..=WIDEST {
        [0, 1, 2, -1].into_iter().for_each(|value| pool.add(Term::bv_signed(width, value)));
    }
    pool
}

const TRUTH: [Op; 5] = [Op::And, Op::Or, Op::Xor, Op::Implies, Op::Eq];
const ORDER: [Op; 5] = [Op::Eq, Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle];
const BITS: [Op; 13] = [
    Op::BvAnd,
    Op::BvOr,
    Op::BvXor,
    Op::BvAdd,
    Op::BvSub,
    Op::BvMul,
    Op::BvUdiv,
    Op::BvUrem,
    Op::BvSdiv,
    Op::BvSrem,
    Op::BvShl,
    Op::BvLshr,
    Op::BvAshr,
];

/// All operators with one argument, and their sorts.
fn unary(argument: Sort) -> Vec<(Op, Sort)> {
    let Some(width) = argument.width() else { return vec![(Op::Not, Sort::Bool)] };
    let mut all = vec![(Op::BvNot, argument), (Op::BvNeg, argument)];
    for by in 0..=WIDEST - width {
        all.push((Op::ZeroExtend(by), Sort::BitVec(width + by)));
        all.push((Op::SignExtend(by), Sort::BitVec(width + by)));
    }
    for low in 0..width {
        all.extend((low..width).map(|high| (Op::Extract { high, low }, Sort::BitVec(high - low + 1))));
    }
    all
}

/// All operators with two arguments, and their sorts.
fn binary(left: Sort, right: Sort) -> Vec<(Op, Sort)> {
    let mut all = Vec::new();
    if let (Some(high), Some(low)) = (left.width(), right.width())
        && high + low <= WIDEST
    {
        all.push((Op::Concat, Sort::BitVec(high + low)));
    }
    if left != right {
        return all;
    }
    if left.is_bool() {
        all.extend(TRUTH.map(|op| (op, Sort::Bool)));
    } else {
        all.extend(ORDER.map(|op| (op, Sort::Bool)));
        all.extend(BITS.map(|op| (op, left)));
    }
    all
}

fn sorts() -> Vec<Sort> {
    std::iter::once(Sort::Bool).chain((1..=WIDEST).map(Sort::BitVec)).collect()
}

/// All terms with one more operator.
fn grown(tables: &mut Tables, pool: &Pool) -> Pool {
    let mut next = leaves();
    for sort in sorts() {
        for (op, result) in unary(sort) {
            pool.of(sort).iter().for_each(|&arg| next.add(tables.check(&op, result, &[arg])));
        }
        for other in sorts() {
            for (op, result) in binary(sort, other) {
                for &left in pool.of(sort) {
                    pool.of(other)
                        .iter()
                        .for_each(|&right| next.add(tables.check(&op, result, &[left, right])));
                }
            }
        }
        let condition = pool.of(Sort::Bool)[0];
        for &then in pool.of(sort) {
            pool.of(sort)
                .iter()
                .for_each(|&els| next.add(tables.check(&Op::Ite, sort, &[condition, then, els])));
        }
    }
    next
}

/// A generator of numbers, written out so that they are the same everywhere.
struct Random(u64);

impl Random {
    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        &from[((self.0 >> 33) % from.len() as u64) as usize]
    }
}

/// Some terms with one more operator.
fn sampled(tables: &mut Tables, random: &mut Random, pool: &Pool, count: usize) -> Pool {
    let mut next = leaves();
    let sorts = sorts();
    for _ in 0..count {
        let sort = *random.pick(&sorts);
        let left = *random.pick(pool.of(sort));
        let (op, result) = random.pick(&unary(sort)).clone();
        next.add(tables.check(&op, result, &[left]));
        let other =
            if sort == Sort::Bool { sort } else { *random.pick(&[sort, sort, sort, Sort::BitVec(1)]) };
        let right = *random.pick(pool.of(other));
        if let operators @ [_, ..] = &binary(sort, other)[..] {
            let (op, result) = random.pick(operators).clone();
            next.add(tables.check(&op, result, &[left, right]));
        }
        let (condition, els) = (*random.pick(pool.of(Sort::Bool)), *random.pick(pool.of(sort)));
        next.add(tables.check(&Op::Ite, sort, &[condition, left, els]));
        if sort.is_bool() {
            next.add(tables.check(random.pick(&[Op::And, Op::Or]), sort, &[left, right, els]));
        }
    }
    next
}

#[test]
fn small_terms_mean_what_they_should() {
    let mut tables = Tables::default();
    let one = grown(&mut tables, &leaves());
    let two = grown(&mut tables, &one);
    let mut random = Random(7);
    let three = sampled(&mut tables, &mut random, &two, 30_000);
    sampled(&mut tables, &mut random, &three, 30_000);
    assert!(tables.0.len() > 100_000, "{}", tables.0.len());
    #[cfg(any(feature = "cadical", feature = "batsat"))]
    check_circuits(&tables);
}

/// The circuits of all terms, under every assignment.
#[cfg(any(feature = "cadical", feature = "batsat"))]
fn check_circuits(tables: &Tables) {
    let terms: Vec<Term> = tables.0.keys().copied().collect();
    for terms in terms.chunks(2_000) {
        let assignments = (0..ASSIGNMENTS).map(|assignment| {
            move |name: Symbol| match name.as_str() {
                "x" => assignment as u128 & 3,
                "y" => assignment as u128 >> 2 & 3,
                _ => assignment as u128 >> 4,
            }
        });
        let values = crate::blast::Blaster::new().simulate(terms, assignments);
        for (at, term) in terms.iter().enumerate() {
            let table: Table = std::array::from_fn(|assignment| values[assignment][at] as u16);
            assert_eq!(table, tables.0[term], "{term}");
        }
    }
}

/// What all connectives make of truth values from two lists.
fn connected(tables: &mut Tables, left: &[Term], right: &[Term]) -> Pool {
    let mut next = Pool::default();
    for &first in left {
        next.add(first);
        next.add(tables.check(&Op::Not, Sort::Bool, &[first]));
        for &second in right {
            for op in &TRUTH {
                next.add(tables.check(op, Sort::Bool, &[first, second]));
                next.add(tables.check(op, Sort::Bool, &[second, first]));
            }
        }
    }
    next
}

#[test]
fn small_formulas_mean_what_they_should() {
    let mut tables = Tables::default();
    let (x, y) = (leaves().of(Sort::BitVec(2))[0], leaves().of(Sort::BitVec(2))[1]);
    let atoms = [leaves().of(Sort::Bool)[0], x.ult(y), x.equals(y)];
    let one = connected(&mut tables, &atoms, &atoms);
    let two = connected(&mut tables, one.of(Sort::Bool), one.of(Sort::Bool));
    connected(&mut tables, two.of(Sort::Bool), one.of(Sort::Bool));
    // Choices between literals, and choices between those and others.
    let arms: Vec<Term> = (0..4).map(|value| Term::bv(2, value)).chain([x]).collect();
    let mut choices = Pool::default();
    for (&condition, &then) in
        one.of(Sort::Bool).iter().flat_map(|it| arms.iter().map(move |then| (it, then)))
    {
        arms.iter().for_each(|&els| choices.add(tables.check(&Op::Ite, x.sort(), &[condition, then, els])));
    }
    let mut random = Random(11);
    for _ in 0..50_000 {
        let choices = choices.of(x.sort());
        let (left, right) = (*random.pick(choices), *random.pick(choices));
        let (op, sort) = random.pick(&binary(x.sort(), x.sort())).clone();
        tables.check(&op, sort, &[left, right]);
        let chain =
            tables.check(&Op::Ite, x.sort(), &[*random.pick(one.of(Sort::Bool)), left, *random.pick(&arms)]);
        tables.check(random.pick(&ORDER), Sort::Bool, &[chain, *random.pick(&arms)]);
    }
}
