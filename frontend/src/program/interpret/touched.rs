//! What steps touch, and when they disturb each other.
//!
//! A *cell* is a shared variable, or an element of a shared array whose index is a number in the program. A step reads and writes cells; it may also *update* one: `x := x + e`, where
//! neither `e` nor anything else in the step looks at `x`. Updates of the same kind can change places: addition, conjunction, disjunction and exclusive disjunction of bit-vectors are commutative and associative.
//! Locals do not matter: nobody else touches them where there are no broadcasts.
//!
//! Two steps of different threads that do not [disturb](Touched::disturbs) each other can be done in either order with the same effect, and neither can make the other possible or impossible: what one reads (its
//! guard, its indices, the values that it assigns), the other does not change, and what both change they change by updates of one kind.

use crate::program::{Edge, Program, Scope, VariableId};
use rustc_hash::FxHashMap;
use smt::{Bits, Op, Symbol, Term};

/// Kinds of updates.
const KINDS_OF_UPDATES: usize = 4;
static KINDS: [Op; KINDS_OF_UPDATES] = [Op::BvAdd, Op::BvAnd, Op::BvOr, Op::BvXor];

/// A set of cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Cells(Vec<u64>);

impl Cells {
    fn insert(&mut self, cell: usize) {
        if self.0.len() <= cell / 64 {
            self.0.resize(cell / 64 + 1, 0);
        }
        self.0[cell / 64] |= 1 << (cell % 64);
    }

    fn meets(&self, other: &Cells) -> bool {
        self.0.iter().zip(&other.0).any(|(word, other)| word & other != 0)
    }

    /// Says whether there are new ones.
    fn extend(&mut self, other: &Cells) -> bool {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut grown = false;
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            grown |= other & !*word != 0;
            *word |= other;
        }
        grown
    }
}

/// What a step, or one of several, touches. What is written or updated in some other way than by the kind is in `written`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Touched {
    read: Cells,
    written: Cells,
    /// By kind.
    updated: [Cells; KINDS_OF_UPDATES],
}

impl Touched {
    /// Adds what others touch. Says whether there is anything new.
    pub(super) fn extend(&mut self, other: &Touched) -> bool {
        let mut grown = self.read.extend(&other.read) | self.written.extend(&other.written);
        for (cells, other) in self.updated.iter_mut().zip(&other.updated) {
            grown |= cells.extend(other);
        }
        grown
    }

    /// Whether one of these steps and one of those, of another thread, may not be exchanged.
    pub(super) fn disturbs(&self, other: &Touched) -> bool {
        self.changes_what_is_used(other) || other.changes_what_is_used(self)
    }

    fn changes_what_is_used(&self, other: &Touched) -> bool {
        let used = |cells: &Cells| other.read.meets(cells) || other.written.meets(cells);
        used(&self.written)
            || self.updated.iter().enumerate().any(|(kind, cells)| {
                let mut others = other.updated.iter().enumerate().filter(|(index, _)| *index != kind);
                used(cells) || others.any(|(_, updated)| updated.meets(cells))
            })
    }
}

/// The cells of a program.
pub(super) struct Universe {
    shared: FxHashMap<Symbol, VariableId>,
    /// By variable: the cell of its elements that have no cell of their own, or of the variable as a whole.
    rest: FxHashMap<VariableId, usize>,
    /// How many cells there are.
    count: usize,
    elements: FxHashMap<VariableId, Vec<(Bits, usize)>>,
}

impl Universe {
    pub(super) fn new(program: &Program) -> Universe {
        let mut universe = Universe {
            shared: FxHashMap::default(),
            rest: FxHashMap::default(),
            count: 0,
            elements: FxHashMap::default(),
        };
        for (index, variable) in program.variables.iter().enumerate() {
            if variable.scope == Scope::Shared {
                let id = VariableId(index as u32);
                universe.shared.insert(variable.name, id);
                universe.rest.insert(id, universe.rest.len());
            }
        }
        universe.count = universe.rest.len();
        let terms = program
            .edges
            .iter()
            .flat_map(|edge| edge.assign.iter().map(|(_, term)| *term).chain([edge.guard]));
        let mut seen = rustc_hash::FxHashSet::default();
        let mut open: Vec<Term> = terms.collect();
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            if let (Op::Select | Op::Store, &[array, index, ..]) = (term.op(), term.args())
                && let (Some(variable), Some(bits)) = (universe.base(array), index.as_bits())
            {
                let elements = universe.elements.entry(variable).or_default();
                if elements.iter().all(|(known, _)| known != bits) {
                    elements.push((bits.clone(), universe.count));
                    universe.count += 1;
                }
            }
            open.extend(term.args());
        }
        universe
    }

    /// A new cell, and what those touch who have to do with it: they disturb each other.
    pub(super) fn meeting(&mut self) -> Touched {
        let mut touched = Touched::default();
        touched.written.insert(self.count);
        self.count += 1;
        touched
    }

    /// What looking at a term touches.
    pub(super) fn look(&self, term: Term) -> Touched {
        let mut touched = Touched::default();
        self.read(term, &mut touched.read);
        touched
    }

    /// The variable that a term is.
    fn variable(&self, term: Term) -> Option<VariableId> {
        self.shared.get(&term.as_constant()?).copied()
    }

    /// The array variable that a chain of stores begins with.
    fn base(&self, mut term: Term) -> Option<VariableId> {
        while let (Op::Store, &[array, ..]) = (term.op(), term.args()) {
            term = array;
        }
        self.variable(term)
    }

    fn element(&self, variable: VariableId, index: Term) -> Option<usize> {
        let bits = index.as_bits()?;
        let elements = self.elements.get(&variable)?;
        elements.iter().find(|(known, _)| known == bits).map(|(_, cell)| *cell)
    }

    /// All cells of a variable.
    fn whole(&self, variable: VariableId, cells: &mut Cells) {
        cells.insert(self.rest[&variable]);
        for (_, cell) in self.elements.get(&variable).into_iter().flatten() {
            cells.insert(*cell);
        }
    }

    /// What an edge touches.
    pub(super) fn edge(&self, edge: &Edge) -> Touched {
        let mut touched = Touched::default();
        self.read(edge.guard, &mut touched.read);
        let mut updates: Vec<(VariableId, usize)> = Vec::new();
        for &(variable, term) in &edge.assign {
            if !self.rest.contains_key(&variable) {
                self.read(term, &mut touched.read);
            } else if let Some(kind) =
                (0..KINDS.len()).find(|kind| self.is_update(term, variable, &KINDS[*kind]))
            {
                updates.push((variable, kind));
                self.read_apart_from(term, Some(variable), &mut touched.read);
            } else if !self.stores(term, variable, &mut touched) {
                self.whole(variable, &mut touched.written);
                self.read(term, &mut touched.read);
            }
        }
        for (variable, kind) in updates {
            let mut cells = Cells::default();
            self.whole(variable, &mut cells);
            // Who looks at it besides, writes it.
            let target =
                if touched.read.meets(&cells) { &mut touched.written } else { &mut touched.updated[kind] };
            target.extend(&cells);
        }
        touched
    }

    /// Whether the term is the variable, changed by operations of one kind with values that do not depend on it.
    fn is_update(&self, term: Term, variable: VariableId, kind: &Op) -> bool {
        let mentions =
            |term: Term| term.constants().into_iter().any(|one| self.variable(one) == Some(variable));
        if self.variable(term) == Some(variable) {
            return true;
        }
        match (term.op(), term.args()) {
            (Op::Ite, &[condition, one, other]) => {
                !mentions(condition)
                    && self.is_update(one, variable, kind)
                    && self.is_update(other, variable, kind)
            }
            (Op::BvSub, &[first, second]) if *kind == Op::BvAdd => {
                !mentions(second) && self.is_update(first, variable, kind)
            }
            (op, args) if op == kind => {
                let (with, without): (Vec<Term>, Vec<Term>) =
                    args.iter().copied().partition(|argument| mentions(*argument));
                !without.is_empty() && with.len() == 1 && self.is_update(with[0], variable, kind)
            }
            _ => false,
        }
    }

    /// If the term is the array variable with some of its elements replaced, takes note of these.
    fn stores(&self, term: Term, variable: VariableId, touched: &mut Touched) -> bool {
        let mut open = vec![term];
        let mut parts = Vec::new();
        while let Some(term) = open.pop() {
            match (term.op(), term.args()) {
                _ if self.variable(term) == Some(variable) => {}
                (Op::Store, &[array, index, value]) => {
                    parts.push((Some(index), value));
                    open.push(array);
                }
                (Op::Ite, &[condition, one, other]) => {
                    parts.push((None, condition));
                    open.extend([one, other]);
                }
                _ => return false,
            }
        }
        for (index, value) in parts {
            self.read(value, &mut touched.read);
            let Some(index) = index else { continue };
            self.read(index, &mut touched.read);
            match self.element(variable, index) {
                Some(cell) => touched.written.insert(cell),
                None => self.whole(variable, &mut touched.written),
            }
        }
        true
    }

    /// The cells that a term reads.
    fn read(&self, term: Term, cells: &mut Cells) {
        self.read_apart_from(term, None, cells);
    }

    fn read_apart_from(&self, term: Term, except: Option<VariableId>, cells: &mut Cells) {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut open = vec![term];
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            if let Some(variable) = self.variable(term) {
                if Some(variable) != except {
                    self.whole(variable, cells);
                }
            } else if let (Op::Select, &[array, index]) = (term.op(), term.args())
                && let Some(cell) = self.variable(array).and_then(|array| self.element(array, index))
            {
                cells.insert(cell);
            } else {
                open.extend(term.args());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::text::read;

    /// Whether each pair of these edges disturbs each other.
    fn disturb(edges: &[&str]) -> Vec<(usize, usize)> {
        let mut text = String::from(
            "program 1\nshared x: u8 = 0\nshared y: u8 = 0\nshared z: [u8; 4 by u8] = {else 0}\nlocal a: u8 = 0\nlocation 0 live a\nmain 0\n",
        );
        for (number, edge) in edges.iter().enumerate() {
            text.push_str(&format!("edge {number}: 0 -> 0\n  {edge}\n"));
        }
        let program = read(&text).unwrap();
        let universe = Universe::new(&program);
        let touched: Vec<Touched> = program.edges.iter().map(|edge| universe.edge(edge)).collect();
        let pairs = (0..edges.len()).flat_map(|one| (one..edges.len()).map(move |other| (one, other)));
        pairs.filter(|(one, other)| touched[*one].disturbs(&touched[*other])).collect()
    }

    #[test]
    fn updates_of_one_kind_can_change_places() {
        let (add, more, sub) = (
            "assign x := (bvadd x a)",
            "assign x := (bvadd (bvadd y #x01) x)",
            "guard (= a #x00) assign x := (ite (= y a) (bvsub x y) x)",
        );
        assert_eq!(disturb(&[add, more, sub]), []);
        // Another kind, a look at the value, a value that does not depend on the old one.
        for other in ["assign x := (bvor x a)", "assign a := x", "guard (= x a)", "assign x := a"] {
            assert!(disturb(&[add, other]).contains(&(0, 1)), "{other}");
        }
        // What looks at the old value besides is no update, nor is what depends on it twice.
        for other in ["assign x := (bvadd x #x01) assign a := x", "assign x := (bvadd x x)"] {
            assert!(disturb(&[add, other]).contains(&(0, 1)), "{other}");
        }
        // What is added may be written by another.
        assert!(disturb(&[more, "assign y := a"]).contains(&(0, 1)));
    }

    #[test]
    fn elements_with_known_indices_are_cells() {
        let (one, two) = ("assign z := (store z #x01 a)", "assign z := (store z #x02 (select z #x03))");
        assert_eq!(disturb(&[one, two]), [(0, 0), (1, 1)]);
        assert!(disturb(&[two, "assign z := (store z #x03 a)"]).contains(&(0, 1)));
        for whole in ["assign z := (store z a #x00)", "assign a := (select z a)"] {
            assert!(disturb(&[one, whole]).contains(&(0, 1)), "{whole}");
        }
        assert_eq!(disturb(&["guard (= (select z #x02) a)", one]), [(1, 1)]);
    }

    #[test]
    fn locals_are_nobody_elses() {
        assert_eq!(disturb(&["assign a := (bvadd a #x01)", "guard (= a #x01)", "guard (= x y)"]), []);
    }
}
