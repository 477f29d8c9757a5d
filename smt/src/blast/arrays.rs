//! Elements of arrays.
//!
//! To read an element means to follow the index down: a store either has it or is looked through, a choice of arrays
//! becomes a choice of elements, a constant array has one element. At the end there are uninterpreted arrays. One with
//! few possible indices is a list of words. Any other one has a word for each index that somebody asks for, and for
//! each two of them clauses that say that they are equal if their indices are: Ackermann's reduction of functions.
//!
//! An array of arrays is a function of several indices. So what is followed is a [`Path`]: the indices down to something
//! that is no array.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::equalities::Equalities;
use super::graph::Edge;
use super::{Blaster, Stop, Word, unsupported, words};
use crate::sat::Limit;
use crate::sort::Sort;
use crate::term::{Op, Term};

/// An uninterpreted array with so many bits of index, or fewer, is a list of words.
const LISTED: usize = 5;

/// Indices down to an element, interned.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Path {
    Known(u32),
    /// An index that differs from all that anybody has named.
    Other,
}

/// A position from which an index is followed.
type Goal = (Term, Path);

/// What an uninterpreted array is made of.
#[derive(Debug, Default)]
pub(super) struct Base {
    pub(super) reads: Vec<(Path, Word)>,
    known: FxHashMap<Path, Word>,
    /// The element at all indices that nobody has named.
    pub(super) other: Option<Word>,
    /// All elements, if they are few.
    pub(super) elements: Option<Vec<Word>>,
}

#[derive(Debug, Default)]
pub(super) struct Arrays {
    paths: Vec<Rc<[Word]>>,
    numbers: FxHashMap<Rc<[Word]>, u32>,
    /// Elements below choices.
    reads: FxHashMap<Goal, Word>,
    pub(super) bases: FxHashMap<Term, Base>,
    pub(super) equalities: Equalities,
}

/// Where following an index comes to a halt.
enum Place {
    Element(Word),
    Choice(Edge, Goal, Goal),
    Base,
}

impl Arrays {
    pub(super) fn path(&mut self, indices: &[Word]) -> Path {
        if let Some(&number) = self.numbers.get(indices) {
            return Path::Known(number);
        }
        let number = self.paths.len() as u32;
        let indices: Rc<[Word]> = Rc::from(indices);
        self.paths.push(Rc::clone(&indices));
        self.numbers.insert(indices, number);
        Path::Known(number)
    }

    /// The indices of a path; none for the index that nobody has named.
    pub(super) fn indices(&self, path: Path) -> Rc<[Word]> {
        match path {
            Path::Known(number) => Rc::clone(&self.paths[number as usize]),
            Path::Other => Rc::default(),
        }
    }
}

/// The widths of the indices of an array down to something that is no array, and the sort of that.
pub(super) fn shape(sort: Sort) -> Result<(Vec<u32>, Sort), Stop> {
    let mut widths = Vec::new();
    let mut element = sort;
    while let Sort::Array(array) = element {
        let width = array.index.width();
        widths.push(width.ok_or_else(|| Stop::Unsupported(format!("arrays of sort {sort}")))?);
        element = array.element;
    }
    Ok((widths, element))
}

impl Blaster {
    /// The word of an element. If it is an array itself, it has none.
    pub(super) fn select(&mut self, array: Term, index: Term, limit: &Limit) -> Result<Word, Stop> {
        let index = self.known(index)?;
        let path = self.arrays.path(&[index]);
        self.read((array, path), limit)
    }

    /// The word at the end of a path.
    pub(super) fn read(&mut self, goal: Goal, limit: &Limit) -> Result<Word, Stop> {
        let mut open = vec![goal];
        while let Some(&goal) = open.last() {
            let (at, place) = self.place(goal)?;
            let (condition, then, els) = match place {
                Place::Choice(condition, then, els) if !self.arrays.reads.contains_key(&at) => {
                    (condition, then, els)
                }
                Place::Base => {
                    self.read_base(at)?;
                    open.pop();
                    continue;
                }
                Place::Element(_) | Place::Choice(..) => {
                    open.pop();
                    continue;
                }
            };
            if limit.is_reached() {
                return Err(Stop::Limit);
            }
            match (self.element(then)?, self.element(els)?) {
                (Some(then), Some(els)) => {
                    let word = words::ite(&mut self.graph, condition, &then, &els);
                    self.arrays.reads.insert(at, Word::from(word));
                    open.pop();
                }
                (one, other) => {
                    open.extend(other.is_none().then_some(els));
                    open.extend(one.is_none().then_some(then));
                }
            }
        }
        self.element(goal)?.ok_or_else(|| unsupported(goal.0))
    }

    /// The element at a position, if it is known.
    fn element(&mut self, goal: Goal) -> Result<Option<Word>, Stop> {
        let ((term, path), place) = self.place(goal)?;
        Ok(match (place, path) {
            (Place::Element(word), _) => Some(word),
            (Place::Choice(..), _) => self.arrays.reads.get(&(term, path)).cloned(),
            (Place::Base, Path::Other) => self.arrays.bases.get(&term).and_then(|base| base.other.clone()),
            (Place::Base, _) => self.arrays.bases.get(&term).and_then(|base| base.known.get(&path)).cloned(),
        })
    }

    /// Follows an index to the next choice, to an uninterpreted array, or to the end.
    fn place(&mut self, goal: Goal) -> Result<(Goal, Place), Stop> {
        let (mut term, mut path) = goal;
        loop {
            let indices = self.arrays.indices(path);
            if indices.is_empty() && path != Path::Other {
                return Ok(((term, path), Place::Element(self.known(term)?)));
            }
            match (term.op(), term.args()) {
                (Op::Const(_), _) => return Ok(((term, path), Place::Base)),
                (Op::ConstArray(_), &[default]) => {
                    term = default;
                    path = self.arrays.path(indices.get(1..).unwrap_or_default());
                }
                (Op::Store, &[below, ..]) if path == Path::Other => term = below,
                (Op::Store, &[below, index, value]) => {
                    let index = self.known(index)?;
                    let here = words::equal(&mut self.graph, &index, &indices[0]);
                    let found = (value, self.arrays.path(&indices[1..]));
                    match here.as_constant() {
                        Some(true) => (term, path) = found,
                        Some(false) => term = below,
                        None => return Ok(((term, path), Place::Choice(here, found, (below, path)))),
                    }
                }
                (Op::Ite, &[condition, then, els]) => {
                    let condition = self.known(condition)?.first().copied().unwrap_or(Edge::FALSE);
                    match condition.as_constant() {
                        Some(value) => term = if value { then } else { els },
                        None => {
                            return Ok(((term, path), Place::Choice(condition, (then, path), (els, path))));
                        }
                    }
                }
                (Op::Select, &[array, index]) if path != Path::Other => {
                    let index = [self.known(index)?];
                    path = self.arrays.path(&[&index[..], &indices].concat());
                    term = array;
                }
                _ => return Err(Stop::Unsupported("equality of large arrays inside of arrays".to_owned())),
            }
        }
    }

    /// Makes an element of an uninterpreted array.
    fn read_base(&mut self, (array, path): Goal) -> Result<(), Stop> {
        let (widths, element) = shape(array.sort())?;
        let width = element.width().unwrap_or(1);
        if path == Path::Other {
            let base = self.arrays.bases.entry(array).or_default();
            if base.other.is_none() {
                base.other = Some(Word::from(words::inputs(&mut self.graph, width)));
            }
            return Ok(());
        }
        if self.arrays.bases.get(&array).is_some_and(|base| base.known.contains_key(&path)) {
            return Ok(());
        }
        let indices = self.arrays.indices(path);
        let index: Vec<Edge> = indices.iter().flat_map(|index| index.iter().copied()).collect();
        let word = if index.len() <= LISTED {
            self.listed(array, width, &index)
        } else {
            self.unlisted(array, width, &index)
        };
        let base = self.arrays.bases.entry(array).or_default();
        base.known.insert(path, Word::clone(&word));
        base.reads.push((path, word));
        if widths.len() == 1 {
            self.arrays.equalities.note_access(array, path);
        }
        Ok(())
    }

    /// An element from a list.
    fn listed(&mut self, array: Term, width: u32, index: &[Edge]) -> Word {
        let base = self.arrays.bases.entry(array).or_default();
        let graph = &mut self.graph;
        let elements = base.elements.get_or_insert_with(|| {
            (0..1 << index.len()).map(|_| Word::from(words::inputs(graph, width))).collect()
        });
        let mut level = elements.clone();
        for &bit in index {
            level = level
                .chunks(2)
                .map(|pair| match pair {
                    [low, high] => Word::from(words::ite(graph, bit, high, low)),
                    _ => Word::clone(&pair[0]),
                })
                .collect();
        }
        level.swap_remove(0)
    }

    /// A new element, equal to each other one whose index is equal.
    fn unlisted(&mut self, array: Term, width: u32, index: &[Edge]) -> Word {
        let word = Word::from(words::inputs(&mut self.graph, width));
        let others = self.arrays.bases.get(&array).map(|base| base.reads.clone()).unwrap_or_default();
        for (path, other) in others {
            let place: Vec<Edge> =
                self.arrays.indices(path).iter().flat_map(|index| index.iter().copied()).collect();
            let same = words::equal(&mut self.graph, index, &place);
            self.require_equal(same, &word, &other);
        }
        word
    }

    /// Clauses: if a condition is true, two words are equal.
    pub(super) fn require_equal(&mut self, condition: Edge, left: &[Edge], right: &[Edge]) {
        if condition == Edge::FALSE {
            return;
        }
        for (&a, &b) in left.iter().zip(right) {
            if a != b {
                self.cnf.require(&self.graph, &[!condition, !a, b]);
                self.cnf.require(&self.graph, &[!condition, a, !b]);
            }
        }
    }
}
