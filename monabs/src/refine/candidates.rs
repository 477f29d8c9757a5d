//! From atoms over the threads of a path to predicates, in an order of preference: section 7 of DESIGN.
//!
//! Atoms over one thread are shared, local or single-thread predicates; atoms over two threads are inter-thread ones, in both directions;
//! atoms over more are dropped. What the program itself says ("native": its own literals and sums) comes before what
//! unrolling it makes. Then come orders instead of equations, the universal lifts of what is true of one
//! thread to all others, and relations that follow from two equations with a common side.

use super::atoms::{atoms, sub_terms};
use super::wp::local_of;
use crate::path::Path;
use crate::predicate::{Class, Predicate, PredicateId, Store};
use crate::scope::{Extent, Setting};
use frontend::program::{DataType, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Op, Sort, Term};
use std::collections::{BTreeMap, BTreeSet};

/// What a program's own tests are made of: their compound terms, and literals. What is only written, such as `t + 1` in `t = t + 1`, is the
/// beginning of `t + 2`, `t + 3`, and so on.
pub struct Native {
    terms: FxHashSet<Term>,
    literals: FxHashSet<Term>,
}

impl Native {
    /// Of a program.
    pub fn new(setting: &Setting<'_>) -> Native {
        let mut terms = FxHashSet::default();
        let mut written = FxHashSet::default();
        for edge in &setting.program.edges {
            sub_terms(edge.guard, &mut terms);
            edge.assign
                .iter()
                .chain(&edge.broadcast.assign)
                .for_each(|(_, term)| sub_terms(*term, &mut written));
        }
        let all = terms.iter().chain(&written).copied();
        let mut literals: FxHashSet<Term> = all.filter(|term| is_literal(*term)).collect();
        for variable in &setting.program.variables {
            literals.extend(variable.init.as_ref().map(Term::value));
            if let Sort::BitVec(width) = variable.data_type.sort() {
                literals.extend([Term::bv(width, 0), Term::bv(width, 1)]);
            }
        }
        Native { terms, literals }
    }

    /// Whether all literals of a predicate are the program's own.
    fn has_literals(&self, predicate: Term) -> bool {
        let mut all = FxHashSet::default();
        sub_terms(predicate, &mut all);
        all.into_iter().all(|term| !is_literal(term) || self.literals.contains(&term))
    }

    /// Whether all literals and all compound sides of a predicate are the program's own.
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
    /// Relations between variables that the program compares or copies.
    pub relations: Vec<PredicateId>,
    /// The same with locals that count as long as they have a value.
    pub wide: Vec<PredicateId>,
    /// Relations between threads: first that a local differs from those of all others, then orders between shared variables and the locals of
    /// all others (lifts), then other lifts, then what is left.
    pub inter: Vec<PredicateId>,
    /// About numbers of threads.
    pub counting: Vec<PredicateId>,
    /// Places of locals between two counters.
    pub between: Vec<PredicateId>,
    /// Other atoms over at most one thread with the program's own literals.
    pub near: Vec<PredicateId>,
    /// Everything else over at most one thread.
    pub unrolled: Vec<PredicateId>,
}

/// How many inter-thread candidates are tried at most.
const MAX_INTER: usize = 12;
/// How many others.
const MAX_OTHERS: usize = 60;

/// Larger classes of comparable variables are not related with each other.
const MAX_CLASS: usize = 6;

/// Classes of variables of the same sort that the program compares with each other, or copies to each other, possibly with something
/// added.
fn comparable(setting: &Setting<'_>) -> Vec<Vec<VariableId>> {
    let program = setting.program;
    let mut parent: Vec<usize> = (0..program.variables.len()).collect();
    fn root(parent: &mut [usize], mut index: usize) -> usize {
        while parent[index] != index {
            parent[index] = parent[parent[index]];
            index = parent[index];
        }
        index
    }
    let base = |term: Term| -> Option<VariableId> {
        let term = match (term.op(), term.args()) {
            (Op::BvAdd, &[one, two]) if is_literal(two) => one,
            (Op::BvAdd, &[one, two]) if is_literal(one) => two,
            _ => term,
        };
        setting.variable(term).map(|(variable, _)| variable)
    };
    let mut pairs: Vec<(VariableId, VariableId)> = Vec::new();
    for edge in &program.edges {
        let mut found = Vec::new();
        atoms(edge.guard, &mut found);
        for atom in found {
            if let (Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle, &[left, right]) =
                (atom.op(), atom.args())
            {
                pairs.extend(base(left).zip(base(right)));
            }
        }
        let values = edge.assign.iter().chain(&edge.broadcast.assign);
        pairs.extend(values.filter_map(|(variable, term)| Some((*variable, base(*term)?))));
    }
    for (one, two) in pairs {
        let wide = matches!(program.variable(one).data_type.sort(), Sort::BitVec(width) if width > 1);
        if wide && program.variable(one).data_type.sort() == program.variable(two).data_type.sort() {
            let (one, two) = (root(&mut parent, one.index()), root(&mut parent, two.index()));
            parent[one] = two;
        }
    }
    let mut classes: BTreeMap<usize, Vec<VariableId>> = BTreeMap::new();
    for index in 0..parent.len() {
        let root = root(&mut parent, index);
        classes.entry(root).or_default().push(VariableId(index as u32));
    }
    classes.into_values().collect()
}

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
    let mut collector = Collector { setting, store, native, path, owners, candidates: Candidates::default() };
    // Atoms near the contradiction first.
    for atoms in positions.iter().rev() {
        for &atom in atoms {
            collector.atom(atom);
        }
    }
    for atoms in positions.iter().rev() {
        collector.combine(atoms);
    }
    collector.relate(positions);
    collector.count(positions);
    collector.finish()
}

impl Collector<'_, '_> {
    /// The threads whose locals an atom mentions.
    fn threads(&self, atom: Term) -> BTreeSet<usize> {
        atom.constants()
            .iter()
            .filter_map(|constant| self.owners.get(constant))
            .map(|(_, thread)| *thread)
            .collect()
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
        let list = match native {
            true => &mut self.candidates.native,
            false if self.native.has_literals(term) => &mut self.candidates.near,
            false => &mut self.candidates.unrolled,
        };
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
            self.add_inter(lifted);
        }
    }

    fn inter(&mut self, term: Term) {
        for relation in [term.not(), term].into_iter().chain(self.orders(term)) {
            self.add_inter(relation);
        }
    }

    fn add_inter(&mut self, term: Term) {
        let id = self.add_wide(term);
        self.candidates.inter.extend(id);
    }

    /// A predicate whose locals count as long as they have a value, if that is longer than they are live.
    fn add_wide(&mut self, term: Term) -> Option<PredicateId> {
        let live = self.store.add(self.setting, term, Extent::Live)?;
        let wide = self.store.add(self.setting, term, Extent::Assigned)?;
        let same = |location| {
            let (live, wide) = (self.store.get(live), self.store.get(wide));
            live.in_scope(location) == wide.in_scope(location)
                && live.concerns(location) == wide.concerns(location)
        };
        let differs =
            self.setting.locations().any(|location| self.setting.is_reachable(location) && !same(location));
        Some(if differs { wide } else { live })
    }

    /// Orders instead of an equation.
    fn orders(&self, term: Term) -> Vec<Term> {
        let equation = match (term.op(), term.args()) {
            (Op::Not, &[positive]) => positive,
            _ => term,
        };
        let (Op::Eq, &[left, right]) = (equation.op(), equation.args()) else { return Vec::new() };
        if !matches!(left.sort(), Sort::BitVec(width) if width > 1) {
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
                matches!(
                    self.setting.program.variable(variable).data_type,
                    DataType::Int { signed: true, .. }
                )
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

    /// The variables in atoms.
    fn occurring(&self, positions: &[Vec<Term>]) -> BTreeSet<VariableId> {
        let mut occurring: BTreeSet<VariableId> = BTreeSet::new();
        for constant in smt::traverse::constants(positions.iter().flatten().copied()) {
            let variable = self.setting.variable(constant).map(|(variable, _)| variable);
            occurring.extend(variable.or_else(|| self.owners.get(&constant).map(|(variable, _)| *variable)));
        }
        occurring
    }

    /// What numbers of threads have to do with the variables in atoms.
    fn count(&mut self, positions: &[Vec<Term>]) {
        let setting = self.setting;
        let occurring = self.occurring(positions);
        for term in setting.counting.candidates(setting.program, &occurring) {
            let id = self.add(term);
            self.candidates.counting.extend(id);
        }
        for (term, equation) in setting.counting.between(setting.program) {
            let id = self.store.add(setting, term, Extent::Counted(equation));
            self.candidates.between.extend(id);
        }
    }

    /// Relations between any two variables that are comparable and occur in atoms.
    fn relate(&mut self, positions: &[Vec<Term>]) {
        let program = self.setting.program;
        let occurring = self.occurring(positions);
        for class in comparable(self.setting) {
            let class: Vec<VariableId> =
                class.into_iter().filter(|variable| occurring.contains(variable)).collect();
            if class.len() > MAX_CLASS {
                continue;
            }
            for (number, &first) in class.iter().enumerate() {
                let one = program.variable(first);
                for &second in &class[number + 1..] {
                    let two = program.variable(second);
                    let equation = one.term().equals(two.term());
                    for relation in self.orders(equation).into_iter().chain([equation]) {
                        let id = self.add(relation);
                        self.candidates.relations.extend(id);
                        if self.path.threads > 1 {
                            let id = self.add_wide(relation);
                            self.candidates.wide.extend(id);
                        }
                    }
                    if self.path.threads > 1 {
                        self.relate_threads(first, second);
                        self.relate_threads(second, first);
                    }
                }
                if self.path.threads > 1 && !self.setting.is_shared(first) {
                    self.relate_threads(first, first);
                }
            }
        }
    }

    /// Relations between a variable of a thread, or a shared one, and a local of all others.
    fn relate_threads(&mut self, own: VariableId, other: VariableId) {
        if self.setting.is_shared(other) {
            return;
        }
        let program = self.setting.program;
        let equation = program.variable(own).term().equals(program.variable(other).passive_term());
        for relation in self.orders(equation).into_iter().chain([equation.not()]) {
            self.add_inter(relation);
        }
    }

    fn finish(self) -> Candidates {
        let Collector { store, mut candidates, .. } = self;
        let size = |id: &PredicateId| store.get(*id).term.size();
        for (list, most) in [
            (&mut candidates.native, MAX_OTHERS),
            (&mut candidates.orders, MAX_OTHERS),
            (&mut candidates.relations, MAX_OTHERS),
            (&mut candidates.wide, MAX_OTHERS),
            (&mut candidates.near, MAX_OTHERS),
            (&mut candidates.unrolled, MAX_OTHERS),
        ] {
            let mut seen = FxHashSet::default();
            list.retain(|id| seen.insert(*id));
            list.sort_by_key(|id| size(id));
            list.truncate(most);
        }
        let mut seen = FxHashSet::default();
        candidates.inter.retain(|id| seen.insert(*id));
        candidates.inter.sort_by_key(|id| (rank(store.get(*id)), size(id)));
        candidates.inter.truncate(MAX_INTER);
        debug_assert!(candidates.native.iter().all(|&id| store.get(id).class != Class::InterThread));
        candidates
    }
}

/// How early an inter-thread predicate is tried.
fn rank(predicate: &Predicate) -> usize {
    let differs = matches!(predicate.term.op(), Op::Not) && predicate.own == predicate.other;
    let order = matches!(predicate.term.op(), Op::BvUlt | Op::BvSlt | Op::BvUle | Op::BvSle);
    let (lift, relation) = (predicate.own.is_empty(), predicate.variables.len() > 1);
    match () {
        () if differs && predicate.shared.is_empty() => 0,
        () if lift && relation && order => 1,
        () if lift && (matches!(predicate.term.op(), Op::Not) || !relation) => 2,
        () => 3,
    }
}

fn push(list: &mut Vec<PredicateId>, id: PredicateId) {
    if !list.contains(&id) {
        list.push(id);
    }
}
