//! Locations that threads enter with different known values of a local become one location for each value.
//!
//! `if (trylock()) { ... unlock(); }` sets a local to 1 or 0 and tests it a step later. In between, whether the thread holds the lock is said by the
//! local and not by the location. With a location for each value the test has one way only, the local is not needed any more, and what a
//! thread has done so far is known from where it is.
//!
//! A copy of a location has copies of all edges out of it, so each run has a twin through the copies, and the other way round. An edge out of a copy whose guard
//! contradicts the known value can never be taken, and is left out: nobody changes the local of a thread that stands there, unless by a
//! broadcast, and locals that broadcasts write are not looked at. Locations that properties ask about, `main` and `pool`
//! stay what they are.

use super::formula::tighten;
use super::graph;
use crate::program::{Edge, EdgeId, LocationId, Program, Scope, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Op, Sort, Term};
use std::collections::BTreeMap;

/// How many edges may be added, in parts of those that are there, and how many in any case.
const GROWTH: usize = 4;
const FEW: usize = 16;

/// Splits what can be split.
pub(super) fn run(program: &mut Program) {
    program.edges.iter_mut().for_each(decide);
    let fixed = graph::fixed(program);
    let limit = program.edges.len() + program.edges.len() / GROWTH + FEW;
    let broadcast =
        program.edges.iter().flat_map(|edge| edge.broadcast.assign.iter().map(|(id, _)| *id)).collect();
    let locals = program.variables.iter().enumerate().filter(|(_, variable)| variable.scope == Scope::Local);
    let locals = locals.map(|(index, variable)| (variable.term(), VariableId(index as u32))).collect();
    let out_of = program.edges_from();
    let into = graph::edges_to(program);
    let mut splitter = Splitter { program, broadcast, locals, out_of, into };
    // What is made here is not split again: the next round sees to that.
    for (index, fixed) in fixed.iter().enumerate() {
        let is_atomic = splitter.program.locations[index].atomic;
        if !fixed && !is_atomic && splitter.program.edges.len() < limit {
            splitter.split(LocationId(index as u32));
        }
    }
    graph::drop_unreachable(program);
}

struct Splitter<'p> {
    program: &'p mut Program,
    /// Locals that other threads may change.
    broadcast: FxHashSet<VariableId>,
    locals: FxHashMap<Term, VariableId>,
    /// Edges by location; those that were made here lead out of locations that are not looked at.
    out_of: Vec<Vec<EdgeId>>,
    into: Vec<Vec<EdgeId>>,
}

/// A value of a local, and the edges that bring it.
type Group = ((Term, Term), Vec<EdgeId>);

impl Splitter<'_> {
    /// The values of locals that are known behind an edge.
    fn known(&self, edge: EdgeId) -> FxHashMap<VariableId, Term> {
        let edge = self.program.edge(edge);
        let mut found = FxHashMap::default();
        for part in edge.guard.conjuncts() {
            let fact = match (part.op(), part.args()) {
                (Op::Const(_), []) => Some((part, Term::tru())),
                (Op::Not, &[negated]) => Some((negated, Term::fls())),
                (Op::Eq, &[left, right]) if right.as_value().is_some() => Some((left, right)),
                (Op::Eq, &[left, right]) if left.as_value().is_some() => Some((right, left)),
                _ => None,
            };
            let local = fact.and_then(|(term, value)| Some((*self.locals.get(&term)?, value)));
            found.extend(local);
        }
        for (id, term) in &edge.assign {
            match term.as_value() {
                Some(_) if !matches!(term.sort(), Sort::Array(_)) => found.insert(*id, *term),
                _ => found.remove(id),
            };
        }
        let is_own =
            |id: VariableId| self.program.variable(id).scope == Scope::Local && !self.broadcast.contains(&id);
        found.retain(|id, _| is_own(*id));
        found
    }

    /// Makes a copy of the location for each value of a local, if that makes a test unnecessary.
    fn split(&mut self, location: LocationId) {
        let out_of = self.out_of[location.index()].clone();
        if self.into[location.index()].len() < 2 || out_of.len() < 2 {
            return;
        }
        let groups = self.best(location);
        let mut copies = Vec::new();
        for (value, edges) in groups {
            let copy = LocationId(self.program.locations.len() as u32);
            let mut twin = self.program.location(location).clone();
            twin.may_end = twin.may_end.substitute(&FxHashMap::from_iter([value]));
            self.program.locations.push(twin);
            for edge in edges {
                self.program.edges[edge.index()].to = copy;
            }
            copies.push((copy, value));
        }
        for (copy, value) in copies {
            let map = FxHashMap::from_iter([value]);
            for &edge in &out_of {
                let mut twin = self.program.edge(edge).clone();
                twin.from = copy;
                twin.guard = tighten(twin.guard.substitute(&map));
                if twin.guard.is_false() {
                    continue;
                }
                let id = EdgeId(self.program.edges.len() as u32);
                if let Some(into) = self.into.get_mut(twin.to.index()) {
                    into.push(id);
                }
                self.program.edges.push(twin);
            }
        }
    }

    /// The values of the local that decide most tests, if there is one.
    fn best(&self, location: LocationId) -> Vec<Group> {
        let into = &self.into[location.index()];
        let mut candidates: BTreeMap<VariableId, BTreeMap<String, (Term, Vec<EdgeId>)>> = BTreeMap::new();
        for &edge in into {
            for (id, value) in self.known(edge) {
                let group = candidates.entry(id).or_default().entry(value.to_string());
                group.or_insert_with(|| (value, Vec::new())).1.push(edge);
            }
        }
        let mut best: (usize, Vec<Group>) = (0, Vec::new());
        for (id, groups) in candidates {
            // One value on all ways is a constant, which others see to.
            if groups.len() == 1 && groups.values().all(|(_, edges)| edges.len() == into.len()) {
                continue;
            }
            let term = self.program.variable(id).term();
            let groups = groups.into_values().map(|(value, edges)| ((term, value), edges));
            // A value has to make a way impossible: otherwise its copy is one for nothing. Others stay where they are, and may be known there once these are gone.
            let decided = groups.map(|group| (self.decided(location, term, group.0.1), group));
            let decided: Vec<(usize, Group)> = decided.filter(|(count, _)| *count > 0).collect();
            let sum = decided.iter().map(|(count, _)| count).sum();
            if sum > best.0 {
                best = (sum, decided.into_iter().map(|(_, group)| group).collect());
            }
        }
        best.1
    }

    /// How many ways out of a location are impossible with a value.
    fn decided(&self, location: LocationId, term: Term, value: Term) -> usize {
        let map = FxHashMap::from_iter([(term, value)]);
        let guards = self.out_of[location.index()].iter().map(|&edge| self.program.edge(edge).guard);
        guards.filter(|guard| tighten(guard.substitute(&map)).is_false()).count()
    }
}

/// What an edge's guard says about truth values that it assigns: they become known.
fn decide(edge: &mut Edge) {
    let known: FxHashSet<Term> = edge.guard.conjuncts().into_iter().chain([edge.guard]).collect();
    for (_, term) in &mut edge.assign {
        if term.sort() == Sort::Bool && term.as_bool().is_none() {
            let parts = term.conjuncts();
            if parts.iter().all(|part| known.contains(part)) {
                *term = Term::tru();
            } else if known.contains(&term.not()) || parts.iter().any(|part| known.contains(&part.not())) {
                *term = Term::fls();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::Builder;
    use super::*;

    /// Two ways set a local and meet; then it is tested.
    #[test]
    fn each_value_has_a_location() {
        let mut builder = Builder::new();
        let (s, l) = (builder.shared("s", Some(0)), builder.local("l", Some(0)));
        let [meet, yes, no] = builder.locations();
        let value = |value: u128| Term::bv(l.1.width(), value);
        let main = builder.program.main;
        for number in [0, 1] {
            let mut edge = super::super::samples::edge(main, meet);
            edge.guard = s.1.equals(Term::bv(s.1.width(), number));
            edge.assign.push((l.0, value(number)));
            builder.program.edges.push(edge);
        }
        builder.guard(meet, yes, l.1.equals(value(1)));
        builder.guard(meet, no, l.1.distinct(value(1)));
        run(&mut builder.program);
        assert_eq!(builder.program.edges.len(), 4, "one way in and one way out of either");
        assert_eq!(builder.program.locations.len(), 5);
        assert!(builder.program.edges.iter().skip(2).all(|edge| edge.guard.is_true()));
    }

    /// A value that another thread may overwrite decides nothing.
    #[test]
    fn broadcasts_keep_locations_together() {
        let mut builder = Builder::new();
        let (s, l) = (builder.shared("s", Some(0)), builder.local("l", Some(0)));
        let [meet, yes, no] = builder.locations();
        let main = builder.program.main;
        for number in [0, 1] {
            let mut edge = super::super::samples::edge(main, meet);
            edge.guard = s.1.equals(Term::bv(s.1.width(), number));
            edge.assign.push((l.0, Term::bv(l.1.width(), number)));
            builder.program.edges.push(edge);
        }
        builder.guard(meet, yes, l.1.equals(Term::bv(l.1.width(), 1)));
        let mut edge = super::super::samples::edge(meet, no);
        edge.guard = l.1.distinct(Term::bv(l.1.width(), 1));
        edge.broadcast.assign.push((l.0, Term::bv(l.1.width(), 1)));
        builder.program.edges.push(edge);
        let before = builder.program.edges.len();
        run(&mut builder.program);
        assert_eq!(builder.program.edges.len(), before);
    }
}
