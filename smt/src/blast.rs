//! From terms to clauses: bit-blasting.
//!
//! A term becomes a word of gates ([`graph`](self), one gate for each bit), gates become clauses. Each distinct term is
//! translated once, without recursion, and so is each distinct gate; whatever is asserted or assumed later finds them.
//! Nothing about gates depends on what is asserted, so nothing is ever taken back.
//!
//! Arrays have no gates. An element of an array is a word: stores and choices are looked through, and elements of
//! uninterpreted arrays are inputs that are equal where their indices are (`arrays.rs`); equal arrays are those that agree at all
//! indices that matter (`equalities.rs`).
//!
//! A [`Blaster`] is good for writing formulas as DIMACS files, and for measuring them. The solver that asks a SAT
//! solver is in `backend.rs`.

mod arrays;
mod backend;
mod cnf;
mod equalities;
mod graph;
mod model;
mod operators;
mod products;
#[cfg(test)]
mod tests;
mod words;

use std::io::{self, Write};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use self::arrays::Arrays;
pub(crate) use self::backend::SatBackend;
use self::cnf::Cnf;
use self::graph::{Edge, Graph};
use crate::sat::{Limit, Lit};
use crate::solver::well_sorted::WellSorted;
use crate::solver::{Size, SolverError};
use crate::sort::Sort;
use crate::term::{Op, Term};

/// The bits of a term, the lowest first.
type Word = Rc<[Edge]>;

/// More gates would not fit into any memory.
const MAX_GATES: usize = 1 << 28;
/// Products and quotients of so many bits have nearly that many.
const MAX_FACTOR: u32 = 4096;

/// Why a term was not translated.
#[derive(Debug)]
enum Stop {
    Limit,
    Unsupported(String),
}

impl From<Stop> for SolverError {
    fn from(stop: Stop) -> SolverError {
        match stop {
            // Who sets a limit deals with it.
            Stop::Limit => SolverError::Unsupported("a formula that takes too long".to_owned()),
            Stop::Unsupported(what) => SolverError::Unsupported(what),
        }
    }
}

/// Translates terms to clauses.
#[derive(Debug)]
pub struct Blaster {
    graph: Graph,
    cnf: Cnf,
    /// Of all terms so far; arrays have an empty one.
    words: FxHashMap<Term, Word>,
    arrays: Arrays,
    well_sorted: WellSorted,
}

impl Default for Blaster {
    fn default() -> Blaster {
        Blaster::new()
    }
}

impl Blaster {
    /// Without clauses.
    pub fn new() -> Blaster {
        Blaster {
            graph: Graph::new(),
            cnf: Cnf::default(),
            words: FxHashMap::default(),
            arrays: Arrays::default(),
            well_sorted: WellSorted::default(),
        }
    }

    /// A literal that has the value of a formula, in every model of the clauses.
    pub fn literal(&mut self, term: Term) -> Result<Lit, SolverError> {
        self.well_sorted.check_formula(term)?;
        let limit = Limit::default();
        let edge = self.formula(term, &limit)?;
        self.complete(&limit)?;
        Ok(self.cnf.literal(&self.graph, edge))
    }

    /// Adds clauses that say that a formula is true.
    pub fn assert(&mut self, term: Term) -> Result<(), SolverError> {
        self.well_sorted.check_formula(term)?;
        let limit = Limit::default();
        let edge = self.formula(term, &limit)?;
        self.complete(&limit)?;
        self.cnf.assert(&self.graph, edge, None);
        Ok(())
    }

    /// Variables and clauses so far.
    pub fn size(&self) -> Size {
        Size { variables: self.cnf.variables(), clauses: self.cnf.clauses() }
    }

    /// Gates and inputs so far. Not all of them need variables.
    pub fn gates(&self) -> usize {
        self.graph.len() - 1
    }

    /// The clauses as a file in the DIMACS format.
    pub fn write_dimacs(&self, output: &mut impl Write) -> io::Result<()> {
        self.cnf.write(output)
    }

    /// The gate of a formula.
    fn formula(&mut self, term: Term, limit: &Limit) -> Result<Edge, Stop> {
        let word = self.word(term, limit)?;
        word.first().copied().ok_or_else(|| unsupported(term))
    }

    fn word(&mut self, root: Term, limit: &Limit) -> Result<Word, Stop> {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.words.contains_key(&term) {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            stack.extend(term.args().iter().rev().filter(|arg| !self.words.contains_key(arg)));
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            if limit.is_reached() {
                return Err(Stop::Limit);
            }
            let word = self.translate(term, limit)?;
            self.words.insert(term, word);
        }
        self.words.get(&root).cloned().ok_or_else(|| unsupported(root))
    }

    /// The word of a term whose arguments have words.
    fn translate(&mut self, term: Term, limit: &Limit) -> Result<Word, Stop> {
        if self.graph.len() > MAX_GATES {
            return Err(Stop::Unsupported(format!("a formula with more than {MAX_GATES} gates")));
        }
        match (term.op(), term.args()) {
            _ if matches!(term.sort(), Sort::Array(_)) => {
                self.note_array(term);
                Ok(Word::default())
            }
            (Op::Select, &[array, index]) => self.select(array, index, limit),
            (Op::Eq, &[left, right]) if matches!(left.sort(), Sort::Array(_)) => {
                Ok(Word::from([self.array_equality(left, right, limit)?]))
            }
            (Op::BvMul | Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem, _)
                if term.width() > MAX_FACTOR =>
            {
                Err(Stop::Unsupported(format!("products and quotients of {} bits", term.width())))
            }
            (_, args) => {
                let args: Vec<&[Edge]> =
                    args.iter().filter_map(|arg| self.words.get(arg)).map(|word| &word[..]).collect();
                operators::apply(&mut self.graph, term, &args)
                    .map(Word::from)
                    .ok_or_else(|| unsupported(term))
            }
        }
    }

    /// The word of a term that has one.
    fn known(&self, term: Term) -> Result<Word, Stop> {
        self.words.get(&term).cloned().ok_or_else(|| unsupported(term))
    }
}

fn unsupported(term: Term) -> Stop {
    Stop::Unsupported(format!("a term of sort {} with operator {:?}", term.sort(), term.op()))
}
