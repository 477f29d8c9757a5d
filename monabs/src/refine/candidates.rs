//! From atoms over the threads of a path to predicates, in an order of preference: section 7 of DESIGN.
//!
//! Atoms over one thread are shared, local or single-thread predicates; atoms over two threads are inter-thread ones, in both directions;
//! atoms over more are dropped. What the program itself says ("native": its own literals and sums) comes before what
//! unrolling it makes. Then come orders instead of equations, the universal lifts of what is true of one
//! thread to all others, and relations that follow from two equations with a common side.

use super::atoms::{atoms, sub_terms};
use super::wp::local_of;
use crate::path::Path;
use crate::predicate::{Class, PredicateId, Store};
use crate::scope::{Extent, Setting};
use frontend::program::{DataType, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Op, Sort, Term};
use std::collections::{BTreeMap, BTreeSet};

/// What a program's own terms are made of.
pub struct Native {
    terms: FxHashSet<Term>,
    literals: FxHashSet<Term>,
}

impl Native {
    /// Of a program.
    pub fn new(setting: &Setting<'_>) -> Native {
        let mut terms = FxHashSet::default();
        for edge in &setting.program.edges {
            sub_terms(edge.guard, &mut terms);
            edge.assign.iter().chain(&edge.broadcast.assign).for_each(|(_, term)| sub_terms(*term, &mut terms));
        }
        let mut literals: FxHashSet<Term> = terms.iter().copied().filter(|term| is_literal(*term)).collect();
        for variable in &setting.program.variables {
            literals.extend(variable.init.as_ref().map(Term::value));
            if let Sort::BitVec(width) = variable.data_type.sort() {
                literals.extend([Term::bv(width, 0), Term::bv(width, 1)]);
            }
        }
        Native { terms, literals }
    }

    /// Whether all literals and all compound sides of a predicate occur in the program.
    fn contains(&self, predicate: Term) -> bool {
        let mut all = FxHashSet::default();
        sub_terms(predicate, &mut all);
        all.into_iter().all(|term| match term.op() {
            Op::Const(_) => true,
            _ if is_literal(term) => self.literals.contains(&term),
            _ => term.sort() == Sort::Bool || self.terms.contains(&term),
        })
    }
}

fn is_literal(term: Term) -> bool {
    term.as_bits().is_some() || term.as_bool().is_some()
}

/// Candidates in groups; later groups are a last resort.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    /// Native atoms over at most one thread.
    pub native: Vec<PredicateId>,
    /// Orders that replace equations between native terms.
    pub orders: Vec<PredicateId>,
    /// Native relations between two threads, and lifts.
    pub inter: Vec<PredicateId>,
    /// Orders between two threads, and lifts of orders.
    pub inter_orders: Vec<PredicateId>,
    /// Everything else over at most one thread.
    pub unrolled: Vec<PredicateId>,
}

/// How many inter-thread candidates are tried at a time.
const MAX_INTER: usize = 14;
/// How many others.
const MAX_OTHERS: usize = 60;

struct Collector<'c, 'a> {
    setting: &'c Setting<'a>,
    store: &'c mut Store,
    native: &'c Native,
    path: &'c Path,
    /// Locals of threads in atoms.
    owners: FxHashMap<Term, (VariableId, usize)>,
    candidates: Candidates,
}

/// The candidates from atoms by position.
pub fn candidates(
    setting: &Setting<'_>,
    store: &mut Store,
    native: &Native,
    path: &Path,
    positions: &[Vec<Term>],
) -> Candidates {
    let mut owners = FxHashMap::default();
    for (index, _) in setting.program.variables.iter().enumerate() {
        let variable = VariableId(index as u32);
        if !setting.is_shared(variable) {
            for thread in 0..path.threads {
                owners.insert(local_of(setting, variable, thread), (variable, thread));
            }
        }
    }
    let mut collector =
        Collector { setting, store, native, path, owners, candidates: Candidates::default() };
    // Atoms near the contradiction first.
    for atoms in positions.iter().rev() {
        for &atom in atoms {
            collector.atom(atom);
        }
    }
    for atoms in positions.iter().rev() {
        collector.combine(atoms);
    }
    collector.finish()
}

impl Collector<'_, '_> {
    /// The threads whose locals an atom mentions.
    fn threads(&self, atom: Term) -> BTreeSet<usize> {
        atom.constants().iter().filter_map(|constant| self.owners.get(constant)).map(|(_, thread)| *thread).collect()
    }

    /// The atom with the first thread's locals as own ones and the second's as passive copies.
    fn rename(&self, atom: Term, own: Option<usize>) -> Term {
        let program = self.setting.program;
        let map = atom.constants().into_iter().filter_map(|constant| {
            let (variable, thread) = *self.owners.get(&constant)?;
            let declared = program.variable(variable);
            let term = if Some(thread) == own { declared.term() } else { declared.passive_term() };
            Some((constant, term))
        });
        atom.substitute(&map.collect())
    }

    fn add(&mut self, term: Term) -> Option<PredicateId> {
        self.store.add(self.setting, term, Extent::Live)
    }

    fn atom(&mut self, atom: Term) {
        let threads: Vec<usize> = self.threads(atom).into_iter().collect();
        match threads.as_slice() {
            [] => self.single(atom),
            [own] => {
                let term = self.rename(atom, Some(*own));
                self.single(term);
                if self.path.threads > 1 && self.native.contains(term) {
                    let lifted = self.rename(atom, None);
                    self.lift(lifted);
                }
            }
            [first, second] => {
                for own in [*first, *second] {
                    let term = self.rename(atom, Some(own));
                    self.inter(term);
                }
            }
            _ => {}
        }
    }

    fn single(&mut self, term: Term) {
        let native = self.native.contains(term);
        let Some(id) = self.add(term) else { return };
        let list =
            if native { &mut self.candidates.native } else { &mut self.candidates.unrolled };
        push(list, id);
        if native {
            for order in self.orders(term) {
                if let Some(id) = self.add(order) {
                    push(&mut self.candidates.orders, id);
                }
            }
        }
    }

    /// What is true of one thread, for all others; and what is false of one, for all others.
    fn lift(&mut self, term: Term) {
        for lifted in [term.not(), term] {
            if let Some(id) = self.add(lifted) {
                push(&mut self.candidates.inter, id);
            }
        }
        for order in self.orders(term) {
            if let Some(id) = self.add(order) {
                push(&mut self.candidates.inter_orders, id);
            }
        }
    }

    fn inter(&mut self, term: Term) {
        for relation in [term.not(), term] {
            if let Some(id) = self.add(relation) {
                push(&mut self.candidates.inter, id);
            }
        }
        for order in self.orders(term) {
            if let Some(id) = self.add(order) {
                push(&mut self.candidates.inter_orders, id);
            }
        }
    }

    /// Orders instead of an equation between two terms that are not literals.
    fn orders(&self, term: Term) -> Vec<Term> {
        let equation = match (term.op(), term.args()) {
            (Op::Not, &[positive]) => positive,
            _ => term,
        };
        let (Op::Eq, &[left, right]) = (equation.op(), equation.args()) else { return Vec::new() };
        if is_literal(left) || is_literal(right) || !matches!(left.sort(), Sort::BitVec(width) if width > 1) {
            return Vec::new();
        }
        if self.is_signed(left) || self.is_signed(right) {
            vec![left.slt(right), right.slt(left)]
        } else {
            vec![left.ult(right), right.ult(left)]
        }
    }

    fn is_signed(&self, term: Term) -> bool {
        term.constants().iter().any(|&constant| {
            self.setting.variable(constant).is_some_and(|(variable, _)| {
                matches!(self.setting.program.variable(variable).data_type, DataType::Int { signed: true, .. })
            })
        })
    }

    /// Two equations with a common side.
    fn combine(&mut self, position: &[Term]) {
        let mut sides: BTreeMap<String, (Term, Vec<Term>)> = BTreeMap::new();
        for atom in position {
            if let (Op::Eq, &[left, right]) = (atom.op(), atom.args()) {
                for (common, other) in [(left, right), (right, left)] {
                    if !is_literal(common) && matches!(common.sort(), Sort::BitVec(_)) {
                        sides.entry(common.to_string()).or_insert_with(|| (common, Vec::new())).1.push(other);
                    }
                }
            }
        }
        for (_, others) in sides.into_values() {
            for (number, &first) in others.iter().enumerate() {
                for &second in &others[number + 1..] {
                    if !(is_literal(first) || is_literal(second)) {
                        let mut found = Vec::new();
                        atoms(first.equals(second), &mut found);
                        found.into_iter().for_each(|atom| self.atom(atom));
                    }
                }
            }
        }
    }

    fn finish(self) -> Candidates {
        let Collector { store, mut candidates, .. } = self;
        let size = |id: &PredicateId| store.get(*id).term.size();
        for (list, most) in [
            (&mut candidates.native, MAX_OTHERS),
            (&mut candidates.orders, MAX_OTHERS),
            (&mut candidates.inter, MAX_INTER),
            (&mut candidates.inter_orders, MAX_INTER),
            (&mut candidates.unrolled, MAX_OTHERS),
        ] {
            list.sort_by_key(|id| size(id));
            list.truncate(most);
        }
        debug_assert!(candidates.native.iter().all(|&id| store.get(id).class != Class::InterThread));
        candidates
    }
}

fn push(list: &mut Vec<PredicateId>, id: PredicateId) {
    if !list.contains(&id) {
        list.push(id);
    }
}
