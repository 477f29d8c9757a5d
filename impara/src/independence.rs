//! Which steps can change places. Sections IV-A and IV-D of the paper.
//!
//! Two steps of different threads are independent if neither writes what the other reads or writes; guards are read. Then they have the same effect in either order, and neither makes the other
//! possible or impossible. Locks, joins and everything else that blocks are guards over variables, broadcasts write locals of
//! others, so nothing else has to be said about them.
//!
//! Of arrays that are accessed by elements only, the elements count: two steps are independent in all states where no index of one is an index of the other. Indices are terms over the
//! state before the first step. Where they differ, what the first step writes does not meet what the second one reads, so its indices, read
//! in turn, are the same after the first step (innermost ones first).

use crate::explain::chosen;
use crate::system::Transition;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Op, Sort, Term};

/// Whether two steps can change places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Relation {
    /// In all states.
    Independent,
    /// Nobody knows.
    Dependent,
    /// In states where this is false, before the first step.
    Unless(Conflict),
}

/// When two steps access the same element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// Some index of one is an index of the other.
    pub same: Term,
    /// What holds if both steps are possible one after the other, and does not depend on elements.
    pub context: Term,
}

/// What a transition accesses.
#[derive(Clone, Debug, Default)]
struct Footprint {
    reads: FxHashSet<Term>,
    writes: FxHashSet<Term>,
    cells: FxHashMap<Term, Cells>,
}

/// Elements of an array.
#[derive(Clone, Debug, Default)]
struct Cells {
    reads: Vec<Term>,
    writes: Vec<Term>,
    is_whole: bool,
}

fn is_array(term: Term) -> bool {
    matches!(term.sort(), Sort::Array(_))
}

impl Footprint {
    fn of(transition: &Transition) -> Footprint {
        let mut footprint = Footprint::default();
        let mut open = vec![transition.guard];
        for (slot, value) in &transition.assign {
            footprint.writes.insert(*slot);
            if is_array(*slot) {
                footprint.stored(*slot, *value, &mut open);
            } else {
                open.push(*value);
            }
        }
        footprint.scan(open, &transition.inputs);
        footprint
    }

    /// The new value of an array: stores to itself, or anything.
    fn stored(&mut self, array: Term, value: Term, open: &mut Vec<Term>) {
        let mut values = vec![value];
        while let Some(value) = values.pop() {
            match (value.op(), value.args()) {
                _ if value == array => {}
                (Op::Store, &[base, index, element]) => {
                    self.cells.entry(array).or_default().writes.push(index);
                    open.extend([index, element]);
                    values.push(base);
                }
                (Op::Ite, &[condition, one, other]) => {
                    open.push(condition);
                    values.extend([one, other]);
                }
                _ => {
                    self.cells.entry(array).or_default().is_whole = true;
                    open.push(value);
                }
            }
        }
    }

    fn scan(&mut self, mut open: Vec<Term>, inputs: &[Term]) {
        let mut seen = FxHashSet::default();
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            match (term.op(), term.args()) {
                (Op::Const(_), _) if inputs.contains(&term) => {}
                (Op::Const(_), _) => {
                    self.reads.insert(term);
                    if is_array(term) {
                        self.cells.entry(term).or_default().is_whole = true;
                    }
                }
                (Op::Select, &[array, index]) => {
                    open.push(index);
                    let mut base = array;
                    while let (Op::Store, &[below, place, element]) = (base.op(), base.args()) {
                        open.extend([place, element]);
                        base = below;
                    }
                    if base.as_constant().is_some() && !inputs.contains(&base) {
                        self.reads.insert(base);
                        self.cells.entry(base).or_default().reads.push(index);
                    } else {
                        open.push(base);
                    }
                }
                (_, args) => open.extend(args),
            }
        }
    }

    /// All indices, of reads and writes.
    fn touched(&self, array: Term) -> impl Iterator<Item = Term> {
        let cells = self.cells.get(&array);
        cells.into_iter().flat_map(|cells| cells.reads.iter().chain(&cells.writes)).copied()
    }

    fn written(&self, array: Term) -> impl Iterator<Item = Term> {
        self.cells.get(&array).into_iter().flat_map(|cells| &cells.writes).copied()
    }

    fn is_whole(&self, array: Term) -> bool {
        self.cells.get(&array).is_some_and(|cells| cells.is_whole)
    }
}

/// Whether two steps of different threads can change places, the first of which was just made.
pub fn relation(first: &Transition, second: &Transition) -> Relation {
    let (one, other) = (Footprint::of(first), Footprint::of(second));
    let meets = |slot: &&Term| other.reads.contains(*slot) || other.writes.contains(*slot);
    let mut common: Vec<Term> = one.writes.iter().filter(meets).copied().collect();
    common.extend(other.writes.iter().filter(|slot| one.reads.contains(*slot)));
    if common.is_empty() {
        return Relation::Independent;
    }
    let mut same = Vec::new();
    let rename = |term: Term, transition: &Transition, number: usize| {
        let choices = transition.inputs.iter().map(|&input| (input, chosen(input, number)));
        term.substitute(&choices.collect())
    };
    for slot in common {
        if !is_array(slot) || one.is_whole(slot) || other.is_whole(slot) {
            return Relation::Dependent;
        }
        let mut meet = |i: Term, j: Term| same.push(rename(i, first, 0).equals(rename(j, second, 1)));
        for i in one.written(slot) {
            other.touched(slot).for_each(|j| meet(i, j));
        }
        for i in one.touched(slot) {
            other.written(slot).for_each(|j| meet(i, j));
        }
    }
    let same = Term::or_all(same);
    if same.is_true() {
        return Relation::Dependent;
    }
    let undisturbed = |part: &Term| !part.constants().iter().any(|constant| one.writes.contains(constant));
    let second_guard = second.guard.conjuncts().into_iter().filter(undisturbed);
    let context = second_guard.map(|part| rename(part, second, 1)).chain([rename(first.guard, first, 0)]);
    Relation::Unless(Conflict { same, context: Term::and_all(context) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::Symbol;

    fn byte(name: &str) -> Term {
        Term::constant(Symbol::new(name), Sort::BitVec(8))
    }

    fn array(name: &str) -> Term {
        Term::constant(Symbol::new(name), Sort::array(Sort::BitVec(8), Sort::BitVec(8)))
    }

    fn step(guard: Term, assign: &[(Term, Term)]) -> Transition {
        Transition { guard, assign: assign.to_vec(), inputs: Vec::new() }
    }

    #[test]
    fn reads_and_writes() {
        let (x, y, one) = (byte("x"), byte("y"), Term::bv(8, 1));
        let writes_x = step(Term::tru(), &[(x, one)]);
        let reads_x = step(x.equals(one), &[(y, one)]);
        let writes_y = step(Term::tru(), &[(y, one)]);
        assert_eq!(relation(&writes_x, &reads_x), Relation::Dependent);
        assert_eq!(relation(&reads_x, &writes_x), Relation::Dependent);
        assert_eq!(relation(&writes_x, &writes_x), Relation::Dependent);
        assert_eq!(relation(&writes_x, &writes_y), Relation::Independent);
        let also_reads_x = step(x.equals(one), &[]);
        assert_eq!(relation(&reads_x, &also_reads_x), Relation::Independent);
    }

    #[test]
    fn elements_of_arrays() {
        let (a, i, j, one) = (array("a"), byte("i"), byte("j"), Term::bv(8, 1));
        let first = step(Term::tru(), &[(a, a.store(i, one))]);
        let second = step(a.select(j).equals(one), &[]);
        let Relation::Unless(conflict) = relation(&first, &second) else { panic!() };
        assert_eq!(conflict.same, i.equals(j));
        // The guard depends on the element that the first step may write: it is no context.
        assert!(conflict.context.is_true());
        let index_changes = step(Term::tru(), &[(a, a.store(i, one)), (j, one)]);
        assert_eq!(relation(&index_changes, &second), Relation::Dependent);
        let copies = step(Term::tru(), &[(a, array("b"))]);
        assert_eq!(relation(&copies, &second), Relation::Dependent);
        let same_cell = step(Term::tru(), &[(a, a.store(j, one))]);
        assert_eq!(relation(&same_cell, &second), Relation::Dependent);
    }
}
