//! Equality of arrays.
//!
//! Arrays with few possible indices are equal if all elements are. For others an equality is an input `e`, with clauses that
//! say what it means:
//!
//! - If `e` is false, the arrays differ at an index of which nothing else is known.
//! - If `e` is true, they agree at each index that somebody has named: where a store is, or where an uninterpreted array
//!   is read, among all arrays that stores, choices and equalities connect with these. And they agree at an index
//!   that differs from all of those, where stores are looked through.
//!
//! That suffices. Give an uninterpreted array its elements where it is read, and its element at the other index
//! everywhere else. At an index that has not been named no store changes anything, so all arrays of the group have
//! there what they have at the other index. Conversely, an index with another value than all that have been named exists as long as there
//! are more values than names; a group with too many names is refused.
//!
//! Clauses for pairs of equalities and indices are made before a question, when all of them are known.

use rustc_hash::{FxHashMap, FxHashSet};

use super::arrays::{Path, shape};
use super::graph::Edge;
use super::{Blaster, Stop, Word, words};
use crate::bits::Bits;
use crate::sat::Limit;
use crate::term::{Op, Term};

/// Arrays with so many bits of index, or fewer, are compared element by element.
const FEW_INDICES: u32 = 10;

/// An equality of two arrays.
#[derive(Copy, Clone, Debug)]
struct Equality {
    left: Term,
    right: Term,
    holds: Edge,
}

/// Equalities, named indices, and which arrays are connected.
#[derive(Debug, Default)]
pub(super) struct Equalities {
    numbers: FxHashMap<Term, usize>,
    /// A forest: the group of an array is its root.
    parents: Vec<usize>,
    accesses: Vec<(usize, Path)>,
    equalities: Vec<Equality>,
    /// Pairs of equalities and indices that have clauses.
    done: FxHashSet<(usize, Path)>,
    is_complete: bool,
}

impl Equalities {
    fn number(&mut self, array: Term) -> usize {
        let next = self.parents.len();
        let number = *self.numbers.entry(array).or_insert(next);
        if number == next {
            self.parents.push(next);
        }
        number
    }

    fn root(&mut self, number: usize) -> usize {
        let mut at = number;
        while self.parents[at] != at {
            self.parents[at] = self.parents[self.parents[at]];
            at = self.parents[at];
        }
        at
    }

    fn connect(&mut self, left: Term, right: Term) {
        let (left, right) = (self.number(left), self.number(right));
        let (left, right) = (self.root(left), self.root(right));
        self.parents[left] = right;
        self.is_complete = false;
    }

    pub(super) fn note_access(&mut self, array: Term, path: Path) {
        let number = self.number(array);
        self.accesses.push((number, path));
        self.is_complete = false;
    }

    /// The distinct named indices of each group that has equalities.
    fn named(&mut self) -> FxHashMap<usize, Vec<Path>> {
        let mut named: FxHashMap<usize, Vec<Path>> = FxHashMap::default();
        for at in 0..self.equalities.len() {
            let number = self.number(self.equalities[at].left);
            named.entry(self.root(number)).or_default();
        }
        let mut seen = FxHashSet::default();
        for at in 0..self.accesses.len() {
            let (number, path) = self.accesses[at];
            let root = self.root(number);
            if let Some(paths) = named.get_mut(&root)
                && seen.insert((root, path))
            {
                paths.push(path);
            }
        }
        named
    }
}

impl Blaster {
    /// Notes how an array is connected with others, and which indices it names.
    pub(super) fn note_array(&mut self, array: Term) {
        let equalities = &mut self.arrays.equalities;
        match (array.op(), array.args()) {
            (Op::Ite, &[_, then, els]) => {
                equalities.connect(array, then);
                equalities.connect(array, els);
            }
            (Op::Store, &[below, index, _]) => {
                equalities.connect(array, below);
                if let Some(index) = self.words.get(&index) {
                    let path = self.arrays.path(std::slice::from_ref(index));
                    self.arrays.equalities.note_access(array, path);
                }
            }
            _ => {}
        }
    }

    pub(super) fn array_equality(&mut self, left: Term, right: Term, limit: &Limit) -> Result<Edge, Stop> {
        let (widths, _) = shape(left.sort())?;
        let bits = widths.iter().fold(0_u32, |sum, &width| sum.saturating_add(width));
        if bits <= FEW_INDICES {
            return self.equal_everywhere(left, right, &widths, limit);
        }
        let &[width] = widths.as_slice() else {
            return Err(Stop::Unsupported("equality of large arrays of arrays".to_owned()));
        };
        let witness = Word::from(words::inputs(&mut self.graph, width));
        let path = self.arrays.path(&[witness]);
        let (one, other) = (self.read((left, path), limit)?, self.read((right, path), limit)?);
        let same = words::equal(&mut self.graph, &one, &other);
        let holds = self.graph.input();
        self.cnf.require(&self.graph, &[holds, !same]);
        let equalities = &mut self.arrays.equalities;
        equalities.connect(left, right);
        equalities.equalities.push(Equality { left, right, holds });
        Ok(holds)
    }

    /// Whether two arrays agree at all indices, one by one.
    fn equal_everywhere(
        &mut self,
        left: Term,
        right: Term,
        widths: &[u32],
        limit: &Limit,
    ) -> Result<Edge, Stop> {
        let bits: u32 = widths.iter().sum();
        let mut all = Vec::new();
        for number in 0..1_u128 << bits {
            let mut rest = number;
            let mut index = |&width: &u32| {
                let word = words::literal(&Bits::new(width, rest));
                rest >>= width;
                Word::from(word)
            };
            let indices: Vec<Word> = widths.iter().map(&mut index).collect();
            let path = self.arrays.path(&indices);
            let (one, other) = (self.read((left, path), limit)?, self.read((right, path), limit)?);
            all.push(words::equal(&mut self.graph, &one, &other));
        }
        Ok(self.graph.and_all(all))
    }

    /// Makes the clauses that equalities still lack.
    pub(super) fn complete(&mut self, limit: &Limit) -> Result<(), Stop> {
        // Clauses need elements, and elements may name an index in another array of the group.
        while !self.arrays.equalities.is_complete && !self.arrays.equalities.equalities.is_empty() {
            self.arrays.equalities.is_complete = true;
            let result = self.complete_once(limit);
            self.arrays.equalities.is_complete &= result.is_ok();
            result?;
        }
        Ok(())
    }

    fn complete_once(&mut self, limit: &Limit) -> Result<(), Stop> {
        let named = self.arrays.equalities.named();
        for at in 0..self.arrays.equalities.equalities.len() {
            let Equality { left, right, holds } = self.arrays.equalities.equalities[at];
            let number = self.arrays.equalities.number(left);
            let root = self.arrays.equalities.root(number);
            let paths = named.get(&root).map(Vec::as_slice).unwrap_or_default();
            let width = left.sort().index().and_then(|index| index.width()).unwrap_or(0);
            let values = 1_usize.checked_shl(width).unwrap_or(usize::MAX);
            if paths.len() >= values {
                return Err(Stop::Unsupported(format!("equality of arrays with {} indices", paths.len())));
            }
            for &path in paths.iter().chain(&[Path::Other]) {
                if self.arrays.equalities.done.contains(&(at, path)) {
                    continue;
                }
                let (one, other) = (self.read((left, path), limit)?, self.read((right, path), limit)?);
                self.require_equal(holds, &one, &other);
                self.arrays.equalities.done.insert((at, path));
            }
        }
        Ok(())
    }
}
