//! Replacement of sub-terms.
//!
//! A substitution replaces all its keys at once: what it puts in is not looked at again, and a key inside a key is not
//! replaced. Terms around replaced parts are built anew, from the leaves up, by the smart constructors. Results are
//! remembered by sub-term, so shared parts are done once, in one term and across all terms that are given to the same
//! [`Substitution`]. A sub-term that has no constant in common with any key is not looked into.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::symbol::Symbol;
use crate::term::Term;

/// A simultaneous replacement of terms, with a memory of what it has done.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    map: FxHashMap<Term, Term>,
    /// Of all keys.
    mask: u64,
    memo: FxHashMap<Term, Term>,
}

impl Substitution {
    /// Replaces every key by its value. A value should have the sort of its key.
    pub fn new(map: FxHashMap<Term, Term>) -> Substitution {
        let mask = mask(map.keys());
        Substitution { map, mask, memo: FxHashMap::default() }
    }

    /// Replaces one more key from now on.
    pub fn insert(&mut self, key: Term, value: Term) {
        if self.map.insert(key, value) != Some(value) {
            self.mask |= mask([&key]);
            self.memo.clear();
        }
    }

    /// Whether it replaces nothing.
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// The term with all occurrences replaced.
    pub fn apply(&mut self, term: Term) -> Term {
        replace(term, (&self.map, self.mask), &mut self.memo)
    }
}

/// The bits of constants in keys. A key without constants may be anywhere.
fn mask<'k>(keys: impl IntoIterator<Item = &'k Term>) -> u64 {
    keys.into_iter().fold(0, |mask, key| if key.mask() == 0 { u64::MAX } else { mask | key.mask() })
}

/// Keys with their replacements, and the bits of their constants.
type Replacements<'m> = (&'m FxHashMap<Term, Term>, u64);

fn replace(root: Term, map: Replacements<'_>, memo: &mut FxHashMap<Term, Term>) -> Term {
    let mut stack = vec![root];
    while let Some(&term) = stack.last() {
        if known(term, map, memo).is_some() {
            stack.pop();
            continue;
        }
        let args: SmallVec<[Term; 4]> = term.args().iter().map_while(|arg| known(*arg, map, memo)).collect();
        if args.len() == term.args().len() {
            let result = if args.as_slice() == term.args() { term } else { term.rebuild(&args) };
            memo.insert(term, result);
            stack.pop();
        } else {
            stack.extend(term.args()[args.len()..].iter().filter(|arg| known(**arg, map, memo).is_none()));
        }
    }
    known(root, map, memo).unwrap_or(root)
}

/// The result for a term that has a replacement, is a leaf without one, or has been done before.
fn known(term: Term, (map, mask): Replacements<'_>, memo: &FxHashMap<Term, Term>) -> Option<Term> {
    // Without constants it can only be replaced by a key without any.
    if term.mask() & mask == 0 && mask != u64::MAX {
        return Some(term);
    }
    match map.get(&term) {
        Some(&replacement) => {
            debug_assert_eq!(term.sort(), replacement.sort(), "sort of a replacement");
            Some(replacement)
        }
        None if term.args().is_empty() => Some(term),
        None => memo.get(&term).copied(),
    }
}

impl Term {
    /// The term with all occurrences of the keys replaced, simultaneously. A value should have the sort of its key.
    pub fn substitute(self, map: &FxHashMap<Term, Term>) -> Term {
        replace(self, (map, mask(map.keys())), &mut FxHashMap::default())
    }

    /// The term with other names for constants; sorts stay. Every distinct constant is asked about once, in the order of
    /// first occurrence; nothing means that it keeps its name.
    pub fn rename(self, name: &mut dyn FnMut(Symbol) -> Option<Symbol>) -> Term {
        let renamed = self.constants().into_iter().filter_map(|constant| {
            let other = name(constant.as_constant()?)?;
            Some((constant, Term::constant(other, constant.sort())))
        });
        Substitution::new(renamed.collect()).apply(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sort::Sort;

    fn byte(name: &str) -> Term {
        Term::constant(Symbol::new(name), Sort::BitVec(8))
    }

    #[test]
    fn replacements_are_simultaneous() {
        let (x, y) = (byte("x"), byte("y"));
        let map = FxHashMap::from_iter([(x, y), (y, x)]);
        assert_eq!(x.bv_udiv(y).substitute(&map), y.bv_udiv(x));
        assert_eq!(x.substitute(&map), y);
    }

    #[test]
    fn larger_keys_win() {
        let (x, y, z) = (byte("x"), byte("y"), byte("z"));
        let map = FxHashMap::from_iter([(x.bv_udiv(y), z), (x, y)]);
        assert_eq!(x.bv_udiv(y).bv_urem(x).substitute(&map), z.bv_urem(y));
    }

    #[test]
    fn results_are_simplified() {
        let (x, y) = (byte("x"), byte("y"));
        let map = FxHashMap::from_iter([(x, Term::bv(8, 3)), (y, Term::bv(8, 4))]);
        assert_eq!(x.bv_mul(y).ult(Term::bv(8, 13)).substitute(&map), Term::tru());
    }

    #[test]
    fn many_terms_share_one_memory() {
        let (x, y, z) = (byte("x"), byte("y"), byte("z"));
        let mut substitution = Substitution::new(FxHashMap::from_iter([(x, z)]));
        assert_eq!(substitution.apply(x.bv_udiv(y)), z.bv_udiv(y));
        assert_eq!(substitution.apply(x.bv_udiv(y).bv_lshr(x)), z.bv_udiv(y).bv_lshr(z));
        assert_eq!(substitution.apply(y), y);
    }

    #[test]
    fn later_keys_count_from_then_on() {
        let (x, y, z) = (byte("x"), byte("y"), byte("z"));
        let mut substitution = Substitution::default();
        assert!(substitution.is_empty());
        assert_eq!(substitution.apply(x.bv_udiv(y)), x.bv_udiv(y));
        substitution.insert(x, z);
        assert_eq!(substitution.apply(x.bv_udiv(y)), z.bv_udiv(y));
    }

    #[test]
    fn renaming_keeps_sorts_and_asks_once() {
        let (x, y) = (byte("x"), Term::constant(Symbol::new("y"), Sort::Bool));
        let mut asked = Vec::new();
        let renamed = y.ite(x, x.bv_udiv(Term::bv(8, 3))).rename(&mut |name| {
            asked.push(name.as_str());
            (name.as_str() == "x").then(|| Symbol::new("x@1"))
        });
        let other = byte("x@1");
        assert_eq!(renamed, y.ite(other, other.bv_udiv(Term::bv(8, 3))));
        assert_eq!(asked, ["y", "x"]);
    }
}
