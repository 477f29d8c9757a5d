//! Values that are known before the program runs.
//!
//! - A shared variable with a known initial value to which no edge assigns anything else has that value in every state: it is
//!   replaced by it everywhere. Several variables may depend on each other in that; the largest set of variables that all
//!   stay as they are is found by assuming it of all, and taking out those that change under this assumption.
//! - A local that no broadcast assigns is changed by its own thread only. So what it holds whenever a thread is at a
//!   location depends only on the ways to that location: a forward data-flow analysis finds, for each location and each
//!   such local that is live there, a value that it has whichever way the thread came. Values are literals or, if asked
//!   for, other such locals that hold the same: copies of each other, or of the same term, such as a shared variable that was
//!   read once for several of them. A guard `x = literal` tells as much as an assignment.
//!
//! An edge whose guard becomes false under what is known at its start cannot be taken; the analysis does not follow it
//! (Wegman and Zadeck's conditional constant propagation), and it is dropped, with all locations that threads then
//! cannot get to.
//!
//! A fact at a location only ever becomes unknown, by meeting ways that disagree; when nothing changes any more, each
//! edge takes the facts at its start to the facts at its end. By induction over the steps of a run, they hold in every
//! state. Initially they do: they start with the initial values.

use super::inputs::eliminate;
use super::liveness::{self, Liveness};
use super::symbols::Symbols;
use super::{compose, graph};
use crate::program::{Edge, EdgeId, LocationId, Program, Scope, Target, VariableId};
use rustc_hash::FxHashMap;
use smt::{Op, Substitution, Term};
use std::collections::BTreeSet;
use std::hash::Hash;

/// Whether a local that holds the same as another is replaced by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Copies {
    /// No: it may be the user's variable that holds the same as a temporary one, and large blocks remove those anyway.
    Keep,
    /// Yes.
    Replace,
}

/// What is known at a location: locals and what they equal, sorted by local.
type Facts = Vec<(VariableId, Term)>;

/// Replaces what is known and drops what is impossible.
pub(super) fn run(program: &mut Program, copies: Copies) {
    replace_shared(program);
    let symbols = Symbols::new(program);
    let liveness = liveness::analyse(program, &symbols);
    let mut analysis = Analysis::new(program, &symbols, &liveness, copies);
    analysis.solve();
    let facts = analysis.facts;
    program.edges.retain_mut(|edge| match &facts[edge.from.index()] {
        Some(facts) => rewrite(&symbols, facts, edge),
        None => false,
    });
    for property in &mut program.properties {
        let Target::Race(first, second) = &mut property.target else { continue };
        for access in [first, second] {
            if let (Some(index), Some(facts)) = (&mut access.index, &facts[access.location.index()]) {
                *index = known(&symbols, facts, symbols.reads(*index)).apply(*index);
            }
        }
    }
    graph::drop_unreachable(program);
}

/// The shared variables that never change, with their values.
fn unchanging(program: &Program) -> FxHashMap<Term, Term> {
    let mut value: Vec<Option<(Term, Term)>> = program
        .variables
        .iter()
        .map(|v| Some((v.term(), Term::value(v.init.as_ref().filter(|_| v.scope == Scope::Shared)?))))
        .collect();
    loop {
        let map: FxHashMap<Term, Term> = value.iter().flatten().copied().collect();
        if map.is_empty() {
            return map;
        }
        let mut substitution = Substitution::new(map.clone());
        let mut is_stable = true;
        for &(id, term) in program.edges.iter().flat_map(|edge| &edge.assign) {
            if let Some((_, initial)) = value[id.index()]
                && substitution.apply(term) != initial
            {
                value[id.index()] = None;
                is_stable = false;
            }
        }
        if is_stable {
            return map;
        }
    }
}

/// Replaces shared variables that never change.
fn replace_shared(program: &mut Program) {
    let map = unchanging(program);
    if map.is_empty() {
        return;
    }
    let unchanging: Vec<bool> = program.variables.iter().map(|v| map.contains_key(&v.term())).collect();
    let mut substitution = Substitution::new(map);
    let mut replace = |term: &mut Term| *term = substitution.apply(*term);
    for edge in &mut program.edges {
        replace(&mut edge.guard);
        edge.assign.retain(|(id, _)| !unchanging[id.index()]);
        edge.assign.iter_mut().for_each(|(_, term)| replace(term));
        edge.broadcast.assign.iter_mut().for_each(|(_, term)| replace(term));
    }
    for property in &mut program.properties {
        if let Target::Race(first, second) = &mut property.target {
            first.index.iter_mut().for_each(&mut replace);
            second.index.iter_mut().for_each(&mut replace);
        }
    }
    program.predicates.iter_mut().for_each(|predicate| replace(&mut predicate.term));
}

/// Puts what is known into the edge; false if it can never be taken.
fn rewrite(symbols: &Symbols, facts: &Facts, edge: &mut Edge) -> bool {
    let mut known = known(symbols, facts, reads(symbols, edge));
    edge.guard = known.apply(edge.guard);
    for (_, term) in edge.assign.iter_mut().chain(&mut edge.broadcast.assign) {
        *term = known.apply(*term);
    }
    compose::drop_identities(symbols, edge);
    eliminate(edge);
    !edge.guard.is_false()
}

/// The active thread's variables that the edge reads; some more than once.
fn reads(symbols: &Symbols, edge: &Edge) -> impl Iterator<Item = VariableId> {
    let values = edge.assign.iter().chain(&edge.broadcast.assign).map(|&(_, term)| term);
    std::iter::once(edge.guard).chain(values).flat_map(|term| symbols.reads(term))
}

/// The part of the facts that is about these variables, as a replacement.
fn known(symbols: &Symbols, facts: &Facts, reads: impl Iterator<Item = VariableId>) -> Substitution {
    let known = reads.filter_map(|id| {
        let at = facts.binary_search_by_key(&id, |&(fact, _)| fact).ok()?;
        Some((symbols.own(id), facts[at].1))
    });
    Substitution::new(known.collect())
}

struct Analysis<'a> {
    program: &'a Program,
    symbols: &'a Symbols,
    liveness: &'a Liveness,
    copies: Copies,
    /// By variable: a local of one number or truth value that no broadcast assigns.
    is_tracked: Vec<bool>,
    /// By edge: what it reads of the active thread.
    reads: Vec<Vec<VariableId>>,
    /// By location; nothing where no thread has been seen yet.
    facts: Vec<Option<Facts>>,
}

impl<'a> Analysis<'a> {
    fn new(
        program: &'a Program,
        symbols: &'a Symbols,
        liveness: &'a Liveness,
        copies: Copies,
    ) -> Analysis<'a> {
        let is_scalar = |v: &crate::program::Variable| v.data_type.sort().index().is_none();
        let mut is_tracked: Vec<bool> =
            program.variables.iter().map(|v| v.scope == Scope::Local && is_scalar(v)).collect();
        for &(id, _) in program.edges.iter().flat_map(|edge| &edge.broadcast.assign) {
            is_tracked[id.index()] = false;
        }
        let reads = program.edges.iter().map(|edge| {
            let mut reads: Vec<_> = reads(symbols, edge).filter(|id| is_tracked[id.index()]).collect();
            reads.sort_unstable();
            reads.dedup();
            reads
        });
        Analysis {
            reads: reads.collect(),
            program,
            symbols,
            liveness,
            copies,
            is_tracked,
            facts: vec![None; program.locations.len()],
        }
    }

    fn solve(&mut self) {
        let program = self.program;
        for start in program.pool.into_iter().chain([program.main]) {
            self.facts[start.index()] = Some(self.initial(start));
        }
        graph::until_stable(program, |edge| {
            self.after(edge).is_some_and(|after| self.meet(program.edge(edge).to, after))
        });
    }

    /// The initial values of what is live at a start.
    fn initial(&self, start: LocationId) -> Facts {
        self.tracked_live(start)
            .filter_map(|id| Some((id, Term::value(self.program.variable(id).init.as_ref()?))))
            .collect()
    }

    /// What is known after the edge, of what is live then; nothing if it cannot be taken.
    fn after(&self, id: EdgeId) -> Option<Facts> {
        let edge = self.program.edge(id);
        let before = self.facts[edge.from.index()].as_ref()?;
        let mut known = known(self.symbols, before, self.reads[id.index()].iter().copied());
        let guard = known.apply(edge.guard);
        if guard.is_false() {
            return None;
        }
        let told: FxHashMap<VariableId, Term> = self.told(guard).into_iter().collect();
        let assigned: FxHashMap<VariableId, Term> = edge
            .assign
            .iter()
            .map(|&(id, term)| (id, known.apply(term)))
            .filter(|&(id, term)| self.is_tracked[id.index()] && term != self.symbols.own(id))
            .collect();
        // The values of locals afterwards in terms of those before; what the guard tells goes before what was known.
        let value = |id: VariableId| {
            let value = assigned.get(&id).copied().unwrap_or_else(|| equal(self.symbols, before, id));
            self.symbols.own_reading(value).and_then(|source| told.get(&source)).copied().unwrap_or(value)
        };
        if self.copies == Copies::Keep {
            return Some(self.literals(before, &assigned, &told, edge.to));
        }
        // Any other local holds what nobody else is known to hold.
        let changed =
            before.iter().map(|fact| fact.0).chain(assigned.keys().copied()).chain(told.keys().copied());
        let is_wanted = |id: &VariableId| self.is_tracked[id.index()] && self.liveness.is_live(*id, edge.to);
        let mut locals: BTreeSet<VariableId> = changed.filter(is_wanted).collect();
        if self.copies == Copies::Replace {
            let sources: Vec<_> =
                locals.iter().filter_map(|&id| self.symbols.own_reading(value(id))).collect();
            locals.extend(sources.into_iter().filter(|id| self.is_tracked[id.index()]));
        }
        let values = locals.into_iter().map(|id| (id, value(id)));
        Some(self.classes(values.collect(), edge.to, &|id| assigned.contains_key(&id)))
    }

    /// The literals that are known after an edge: those of the guard and what is assigned first, then those from before. In programs of
    /// which nothing is left out yet there are many.
    fn literals(
        &self,
        before: &Facts,
        assigned: &FxHashMap<VariableId, Term>,
        told: &FxHashMap<VariableId, Term>,
        to: LocationId,
    ) -> Facts {
        let is_kept = |id: VariableId| self.is_tracked[id.index()] && self.liveness.is_live(id, to);
        let untouched = |fact: &&(VariableId, Term)| {
            is_kept(fact.0) && !assigned.contains_key(&fact.0) && !told.contains_key(&fact.0)
        };
        let mut facts: Facts = before.iter().filter(untouched).copied().collect();
        // What is assigned may be what the guard has told about.
        let value =
            |term: Term| self.symbols.own_reading(term).and_then(|id| told.get(&id)).copied().unwrap_or(term);
        let new = assigned.iter().map(|(&id, &term)| (id, value(term)));
        let new = new
            .chain(told.iter().filter(|(id, _)| !assigned.contains_key(id)).map(|(&id, &term)| (id, term)));
        let known = facts.len();
        facts.extend(new.filter(|&(id, term)| is_kept(id) && Key::literal(term).is_some()));
        if facts.len() > known {
            facts.sort_unstable_by_key(|fact| fact.0);
        }
        facts
    }

    /// From locals with the same keys to facts about those that are live: keys are literals, or the same for equal locals only.
    fn classes<K: Key>(
        &self,
        keys: Vec<(VariableId, K)>,
        location: LocationId,
        is_new: &dyn Fn(VariableId) -> bool,
    ) -> Facts {
        // Rather what says which thread this is, because no other thread has the same; then the user's variable than one that the translation made up, the source than its copy, and one that is needed anyway.
        let rank = |id: VariableId| {
            let variable = self.program.variable(id);
            let is_made_up = variable.name.as_str().contains('$') || !variable.position.is_some();
            (!variable.identity, is_made_up, is_new(id), !self.liveness.is_live(id, location), id)
        };
        let mut first: FxHashMap<K, VariableId> = FxHashMap::default();
        if self.copies == Copies::Replace {
            for &(id, key) in &keys {
                let best = first.entry(key).or_insert(id);
                *best = if rank(id) < rank(*best) { id } else { *best };
            }
        }
        let fact = |(id, key): (VariableId, K)| match key.literal() {
            Some(literal) => Some((id, literal)),
            None => first.get(&key).filter(|&&first| first != id).map(|&first| (id, self.symbols.own(first))),
        };
        keys.into_iter().filter_map(fact).filter(|fact| self.liveness.is_live(fact.0, location)).collect()
    }

    fn tracked_live(&self, location: LocationId) -> impl Iterator<Item = VariableId> {
        self.liveness.at(location).filter(|id| self.is_tracked[id.index()])
    }

    /// Keeps what both know at a location; true if that changed something.
    fn meet(&mut self, location: LocationId, other: Facts) -> bool {
        let Some(facts) = &self.facts[location.index()] else {
            self.facts[location.index()] = Some(other);
            return true;
        };
        if *facts == other {
            return false;
        }
        if self.copies == Copies::Keep {
            // Only literals, so what is equal in both is all there is.
            let is_known = |fact: &&(VariableId, Term)| {
                other.binary_search_by_key(&fact.0, |fact| fact.0).is_ok_and(|at| other[at].1 == fact.1)
            };
            let both: Facts = facts.iter().filter(is_known).copied().collect();
            let changed = both.len() < facts.len();
            self.facts[location.index()] = Some(both);
            return changed;
        }
        let mut locals: BTreeSet<VariableId> = facts.iter().chain(&other).map(|fact| fact.0).collect();
        locals.extend(facts.iter().chain(&other).filter_map(|fact| self.symbols.own_reading(fact.1)));
        let keys = locals.into_iter().map(|id| {
            let [one, two] = [facts, &other].map(|facts| equal(self.symbols, facts, id));
            (id, (one, two))
        });
        let both = self.classes(keys.collect(), location, &|_| false);
        let changed = *facts != both;
        self.facts[location.index()] = Some(both);
        changed
    }

    /// What a guard that holds says about single locals.
    fn told(&self, guard: Term) -> Facts {
        let fact = |conjunct: Term| match (conjunct.op(), conjunct.args()) {
            (Op::Const(_), _) => Some((conjunct, Term::tru())),
            (Op::Not, &[inner]) => Some((inner, Term::fls())),
            (Op::Eq, &[left, right]) if right.as_bits().is_some() => Some((left, right)),
            (Op::Eq, &[left, right]) if left.as_bits().is_some() => Some((right, left)),
            _ => None,
        };
        let facts = guard.conjuncts().into_iter().filter_map(fact);
        let locals = facts.filter(|(term, _)| term.as_constant().is_some());
        locals.filter_map(|(term, value)| Some((self.symbols.reads(term).next()?, value))).collect()
    }
}

/// What a local is known to equal: a literal, another local, or only itself.
fn equal(symbols: &Symbols, facts: &Facts, id: VariableId) -> Term {
    let at = facts.binary_search_by_key(&id, |&(fact, _)| fact);
    at.map_or_else(|_| symbols.own(id), |at| facts[at].1)
}

/// What locals are compared by.
trait Key: Copy + Eq + Hash {
    /// The value, if it is known.
    fn literal(self) -> Option<Term>;
}

impl Key for Term {
    fn literal(self) -> Option<Term> {
        Some(self).filter(|term| term.as_constant().is_none() && term.args().is_empty())
    }
}

/// Two ways to a location have to agree.
impl Key for (Term, Term) {
    fn literal(self) -> Option<Term> {
        self.0.literal().filter(|_| self.0 == self.1)
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{Builder, two};
    use super::*;

    #[test]
    fn shared_variables_that_never_change_are_values() {
        let mut builder = Builder::new();
        let (fixed, changed) = (builder.shared("fixed", Some(2)), builder.shared("changed", Some(0)));
        let (never, error) = (builder.location(), builder.error("error"));
        builder.guard(LocationId(0), never, fixed.1.equals(two(1)));
        builder.guard(never, error, Term::tru());
        builder.assign(LocationId(0), LocationId(0), changed.0, changed.1.bv_add(fixed.1));
        run(&mut builder.program, Copies::Keep);
        let program = builder.program;
        assert_eq!(program.edges.len(), 1);
        assert_eq!(program.edges[0].assign, [(changed.0, changed.1.bv_add(two(2)))]);
        assert_eq!(program.locations.len(), 2, "the target stays, although nobody gets there");
        assert_eq!(program.properties[0].target, Target::Location(LocationId(1)));
    }

    /// Two ways to a test of `l`, with these values, and whether the test could go wrong afterwards.
    fn two_ways(first: u128, second: u128) -> bool {
        let mut builder = Builder::new();
        let (l, unknown) = (builder.local("l", Some(0)), builder.shared("unknown", None));
        let [a, b, c] = builder.locations();
        let error = builder.error("error");
        builder.guard(LocationId(0), a, unknown.1.equals(two(0)));
        builder.guard(LocationId(0), b, unknown.1.distinct(two(0)));
        builder.assign(a, c, l.0, two(first));
        builder.assign(b, c, l.0, two(second));
        builder.guard(c, error, l.1.distinct(two(first)));
        run(&mut builder.program, Copies::Keep);
        builder.program.edges.iter().any(|edge| edge.to == LocationId(4))
    }

    #[test]
    fn ways_that_meet_have_to_agree() {
        assert!(!two_ways(1, 1));
        assert!(two_ways(1, 2));
    }

    #[test]
    fn impossible_ways_do_not_count() {
        let mut builder = Builder::new();
        let l = builder.local("l", Some(0));
        let error = builder.error("error");
        let other = builder.location();
        builder.guard(LocationId(0), error, l.1.equals(two(1)));
        builder.assign(LocationId(0), other, l.0, two(0));
        builder.assign(error, LocationId(0), l.0, two(1));
        builder.guard(other, LocationId(0), Term::tru());
        run(&mut builder.program, Copies::Keep);
        assert_eq!(builder.program.edges.len(), 2, "l is 1 only behind the test for 1");
    }

    #[test]
    fn guards_tell_values() {
        let mut builder = Builder::new();
        let (l, s) = (builder.local("l", None), builder.shared("s", Some(0)));
        let [a, b] = builder.locations();
        builder.guard(LocationId(0), a, l.1.equals(two(3)));
        builder.assign(a, b, s.0, l.1);
        run(&mut builder.program, Copies::Keep);
        assert_eq!(builder.program.edges[1].assign, [(s.0, two(3))]);
    }

    #[test]
    fn what_broadcasts_assign_is_not_known() {
        let mut builder = Builder::new();
        let (l, s) = (builder.local("l", Some(0)), builder.shared("s", Some(0)));
        let (a, pool) = (builder.location(), builder.pool());
        builder.assign(LocationId(0), a, s.0, l.1);
        let mut before = builder.program.clone();
        run(&mut before, Copies::Keep);
        assert_eq!(before.edges[0].assign, [(s.0, two(0))]);
        builder.edge(pool, pool).broadcast.assign = vec![(l.0, two(1))];
        run(&mut builder.program, Copies::Keep);
        assert_eq!(builder.program.edges[0].assign, [(s.0, l.1)]);
    }

    #[test]
    fn copies_are_replaced_until_one_of_the_two_changes() {
        let mut builder = Builder::new();
        let (x, y, s) = (builder.local("x", None), builder.local("y", Some(0)), builder.shared("s", Some(0)));
        let [a, b, c, d] = builder.locations();
        builder.assign(LocationId(0), a, y.0, x.1);
        builder.assign(a, b, s.0, y.1);
        builder.assign(b, c, x.0, two(1));
        builder.assign(c, d, s.0, y.1.bv_add(x.1));
        let mut kept = builder.program.clone();
        run(&mut kept, Copies::Keep);
        assert_eq!(kept.edges[1].assign, [(s.0, y.1)]);
        run(&mut builder.program, Copies::Replace);
        assert_eq!(builder.program.edges[1].assign, [(s.0, x.1)]);
        assert_eq!(builder.program.edges[3].assign, [(s.0, y.1.bv_add(two(1)))]);
    }

    #[test]
    fn locals_that_read_the_same_are_one() {
        // One way reads a shared variable for both, another copies a third local to both.
        let mut builder = Builder::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| builder.local(name, None));
        let s = builder.shared("s", Some(0));
        let [a, b] = builder.locations();
        builder.assign(LocationId(0), a, x.0, s.1);
        builder.edge(LocationId(0), a).assign = vec![(x.0, z.1), (y.0, z.1)];
        builder.program.edges[0].assign.push((y.0, s.1));
        builder.assign(a, b, s.0, x.1.bv_add(y.1));
        builder.assign(b, LocationId(0), s.0, z.1.bv_add(x.1));
        let mut other = builder.program.clone();
        run(&mut builder.program, Copies::Replace);
        assert_eq!(builder.program.edges[2].assign, [(s.0, x.1.bv_add(x.1))]);
        assert_eq!(builder.program.edges[3].assign, [(s.0, z.1.bv_add(x.1))], "z may be something else");
        other.edges[1].assign[1].1 = s.1;
        run(&mut other, Copies::Replace);
        assert_eq!(other.edges[2].assign, [(s.0, x.1.bv_add(y.1))], "the other way does not agree");
    }
}
