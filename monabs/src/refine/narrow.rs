//! The same formula over a few bits: a guess at whether it has a model, soon.
//!
//! Relations between counters take a solver long over 32 bits, and hardly any time over six. So the question which predicates exclude a path is
//! asked for narrow variables first. The answer is only a guess, and nothing depends on it but which predicates
//! are tried: literals near zero stay what they are, the smallest and largest numbers stay the smallest and largest ones, all other
//! literals become different numbers in between, in their order.

use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Op, Sort, Symbol, Term};
use std::collections::BTreeSet;

/// Numbers with more bits become this short, or longer if there are many literals.
const WIDTH: u32 = 6;
/// Literals up to this distance from zero stay.
const NEAR: i128 = 8;

/// So many bits more have numbers of threads: they are larger than what a program's numbers can tell apart.
const MORE: u32 = 3;

/// Whether a number of so many bits is a number of threads: no type of C has this width.
fn is_count(width: u32) -> bool {
    width == crate::counting::WIDTH
}

/// A translation of formulas to narrow ones.
pub struct Narrow {
    width: u32,
    literals: FxHashMap<Term, Term>,
    memo: FxHashMap<Term, Term>,
}

impl Narrow {
    /// For these formulas; nothing if they have operations that depend on the width, or nothing is wide.
    pub fn new(formulas: &[Term]) -> Option<Narrow> {
        let mut all = FxHashSet::default();
        formulas.iter().for_each(|&formula| super::atoms::sub_terms(formula, &mut all));
        let mut far: BTreeSet<u128> = BTreeSet::new();
        let mut wide = false;
        for term in &all {
            wide |= matches!(term.sort(), Sort::BitVec(width) if width > WIDTH);
            match term.op() {
                Op::Concat => return None,
                Op::Extract { low, .. } if *low > 0 => return None,
                Op::Bits(bits)
                    if bits.width() > WIDTH && !is_count(bits.width()) && place(term).is_none() =>
                {
                    far.insert(bits.to_u128()?);
                }
                _ => {}
            }
        }
        if !wide {
            return None;
        }
        let room = (far.len() + 2 * NEAR as usize + 4).next_power_of_two().trailing_zeros() + 1;
        let width = room.max(WIDTH);
        if width > 12 {
            return None;
        }
        let codes: FxHashMap<u128, i128> =
            far.into_iter().enumerate().map(|(number, value)| (value, NEAR + 1 + number as i128)).collect();
        let literals = all.iter().filter_map(|&term| {
            let bits = term.as_bits().filter(|bits| bits.width() > width)?;
            if is_count(bits.width()) && !matches!(place(&term), Some(Place::Near(_))) {
                let place = if bits.to_u128()? >> 40 == 0 { width - 1 } else { width + 1 };
                return Some((term, Term::bv(width + MORE, 1 << place)));
            }
            let code = match place(&term) {
                Some(Place::Near(value)) => value,
                Some(Place::Smallest) => -(1 << (width - 1)),
                Some(Place::Largest) => (1 << (width - 1)) - 1,
                None => codes[&bits.to_u128()?],
            };
            let short = if is_count(bits.width()) { width + MORE } else { width };
            Some((term, Term::bv_signed(short, code)))
        });
        let literals = literals.collect();
        Some(Narrow { width, literals, memo: FxHashMap::default() })
    }

    fn short(&self, width: u32) -> u32 {
        let wanted = if is_count(width) { self.width + MORE } else { self.width };
        width.min(wanted)
    }

    fn sort(&self, sort: Sort) -> Sort {
        match sort {
            Sort::BitVec(width) => Sort::BitVec(self.short(width)),
            Sort::Bool => Sort::Bool,
            Sort::Array(array) => Sort::array(self.sort(array.index), self.sort(array.element)),
        }
    }

    /// The narrow formula.
    pub fn apply(&mut self, root: Term) -> Term {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.memo.contains_key(&term) {
                stack.pop();
                continue;
            }
            let missing = term.args().iter().copied().filter(|arg| !self.memo.contains_key(arg));
            let before = stack.len();
            stack.extend(missing);
            if stack.len() == before {
                let args: Vec<Term> = term.args().iter().map(|arg| self.memo[arg]).collect();
                let result = self.rebuild(term, &args);
                self.memo.insert(term, result);
                stack.pop();
            }
        }
        self.memo[&root]
    }

    fn rebuild(&self, term: Term, args: &[Term]) -> Term {
        let wanted = match term.sort() {
            Sort::BitVec(width) => self.short(width),
            _ => 0,
        };
        match (term.op(), args) {
            (Op::Const(name), []) => {
                let sort = self.sort(term.sort());
                if sort == term.sort() {
                    term
                } else {
                    Term::constant(Symbol::new(&format!("{name}~")), sort)
                }
            }
            (Op::Bits(_), []) => match self.literals.get(&term) {
                Some(&literal) => literal,
                None => term,
            },
            (Op::Extract { .. } | Op::ZeroExtend(_), &[arg]) => arg.resize_unsigned(wanted),
            (Op::SignExtend(_), &[arg]) => arg.resize_signed(wanted),
            (Op::ConstArray(_), &[arg]) => Term::const_array(self.sort(term.sort()), arg),
            _ => term.rebuild(args),
        }
    }
}

enum Place {
    Near(i128),
    Smallest,
    Largest,
}

/// Literals that keep their place.
fn place(term: &Term) -> Option<Place> {
    let bits = term.as_bits()?;
    let value = bits.to_i128()?;
    let half = 1i128.checked_shl(bits.width() - 1)?;
    if value.abs() <= NEAR {
        Some(Place::Near(value))
    } else if value == -half {
        Some(Place::Smallest)
    } else if value == half - 1 {
        Some(Place::Largest)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(name: &str) -> Term {
        Term::constant(Symbol::new(name), Sort::BitVec(32))
    }

    #[test]
    fn formulas_keep_their_shape() {
        let (x, y) = (word("x"), word("y"));
        let far = Term::bv(32, 1_000_000);
        let formula =
            x.ult(y.bv_add(Term::bv(32, 1))).and(x.equals(far)).and(y.distinct(Term::bv(32, 2_000_000)));
        let mut narrow = Narrow::new(&[formula]).expect("it can be narrowed");
        let result = narrow.apply(formula);
        let mut terms = FxHashSet::default();
        super::super::atoms::sub_terms(result, &mut terms);
        assert!(
            terms.iter().all(|term| !matches!(term.sort(), Sort::BitVec(width) if width > 6)),
            "{result}"
        );
        assert_eq!(result.constants().len(), 2);
    }

    #[test]
    fn the_far_ends_stay() {
        let x = word("x");
        let formula = x.equals(Term::bv(32, u128::from(u32::MAX))).or(x.equals(Term::bv(32, 0x7fff_ffff)));
        let mut narrow = Narrow::new(&[formula]).expect("it can be narrowed");
        let y = Term::constant(Symbol::new("x~"), Sort::BitVec(6));
        assert_eq!(narrow.apply(formula), y.equals(Term::bv(6, 63)).or(y.equals(Term::bv(6, 31))));
    }

    #[test]
    fn parts_of_numbers_cannot_be_narrowed() {
        let x = word("x");
        assert!(Narrow::new(&[x.extract(15, 8).equals(Term::bv(8, 3))]).is_none());
        assert!(Narrow::new(&[Term::constant(Symbol::new("b"), Sort::Bool)]).is_none(), "nothing is wide");
    }
}
