//! One variable for a local that is declared once: copies of a function for several kinds of threads have the same locals.
//!
//! The translation expands calls, and a function that several threads call gets locals of its own in each place, `f::x`, `f::x@thread1`. A
//! thread is in one of the places at a time. Two locals of the same declaration become one if they never have values that matter
//! at once: nowhere are both live, and no step assigns one while the other is live afterwards. Then the one variable has at each
//! place the value of the one that is live there, step by step. At the start they must agree, or not matter. Locals that
//! broadcasts read or write are left alone, because these act on threads wherever they are.
//!
//! It makes no program smaller in steps, but engines find one relation between `f::x` of two threads instead of four between
//! its copies.

use super::liveness::{Liveness, analyse};
use super::symbols::{Reading, Symbols};
use crate::program::{DataType, EdgeId, LocationId, Position, Program, Scope, Target, VariableId};
use rustc_hash::FxHashMap;
use smt::{Substitution, Term};
use std::collections::{BTreeMap, BTreeSet};

/// Joins locals of the same declaration.
pub(super) fn run(program: &mut Program) {
    let symbols = Symbols::new(program);
    let liveness = analyse(program, &symbols);
    let excluded = in_broadcasts(program, &symbols);
    let mut declared: BTreeMap<(String, Position), Vec<VariableId>> = BTreeMap::new();
    for (index, variable) in program.variables.iter().enumerate() {
        let id = VariableId(index as u32);
        let name = variable.name.as_str();
        if variable.scope == Scope::Local && !excluded.contains(&id) {
            let base = name.split_once('@').map_or(name, |(base, _)| base).to_owned();
            declared.entry((base, variable.position)).or_default().push(id);
        }
    }
    declared.retain(|_, copies| copies.len() > 1);
    let uses = Uses::new(program, &liveness, declared.values().flatten().copied());
    let mut joined: BTreeMap<VariableId, VariableId> = BTreeMap::new();
    for copies in declared.into_values() {
        let mut classes: Vec<Vec<VariableId>> = Vec::new();
        for copy in copies {
            let fits = |class: &&mut Vec<VariableId>| {
                class.iter().all(|&other| !uses.interfere(program, &liveness, copy, other))
            };
            match classes.iter_mut().find(fits) {
                Some(class) => class.push(copy),
                None => classes.push(vec![copy]),
            }
        }
        for class in classes {
            joined.extend(class[1..].iter().map(|&copy| (copy, class[0])));
        }
    }
    if !joined.is_empty() {
        replace(program, &joined);
    }
}

/// Locals that broadcasts read or write.
pub(super) fn in_broadcasts(program: &Program, symbols: &Symbols) -> BTreeSet<VariableId> {
    let mut found = BTreeSet::new();
    for (variable, term) in program.edges.iter().flat_map(|edge| &edge.broadcast.assign) {
        found.insert(*variable);
        found.extend(symbols.readings(*term).map(Reading::variable));
    }
    found
}

/// Where the locals that may be joined matter.
struct Uses {
    /// The locations where they are live.
    live: FxHashMap<VariableId, Vec<LocationId>>,
    /// The edges that assign them.
    assigned: FxHashMap<VariableId, Vec<EdgeId>>,
}

impl Uses {
    fn new(program: &Program, liveness: &Liveness, locals: impl Iterator<Item = VariableId>) -> Uses {
        let mut live: FxHashMap<VariableId, Vec<LocationId>> = locals.map(|id| (id, Vec::new())).collect();
        let mut assigned: FxHashMap<VariableId, Vec<EdgeId>> = FxHashMap::default();
        for location in (0..program.locations.len() as u32).map(LocationId) {
            for id in liveness.at(location) {
                live.entry(id).and_modify(|places| places.push(location));
            }
        }
        for (index, edge) in program.edges.iter().enumerate() {
            for (id, _) in edge.assign.iter().filter(|(id, _)| live.contains_key(id)) {
                assigned.entry(*id).or_default().push(EdgeId(index as u32));
            }
        }
        Uses { live, assigned }
    }

    fn interfere(&self, program: &Program, liveness: &Liveness, one: VariableId, two: VariableId) -> bool {
        let (first, second) = (program.variable(one), program.variable(two));
        let matters =
            |location: LocationId| liveness.is_live(one, location) || liveness.is_live(two, location);
        let at_start = program.pool.into_iter().chain([program.main]).any(matters);
        let assigned = |id: VariableId| self.assigned.get(&id).into_iter().flatten().copied();
        // A step that assigns one must not assign the other, nor lead to where that one matters.
        let overwrites = |id: VariableId, other: VariableId| {
            assigned(id).map(|edge| program.edge(edge)).any(|edge| {
                liveness.is_live(other, edge.to) || edge.assign.iter().any(|(assigned, _)| *assigned == other)
            })
        };
        first.data_type != second.data_type
            || is_array(&first.data_type)
            || (at_start && first.init != second.init)
            || self.live[&one].iter().any(|&location| liveness.is_live(two, location))
            || overwrites(one, two)
            || overwrites(two, one)
    }
}

fn is_array(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Array { .. })
}

fn replace(program: &mut Program, joined: &BTreeMap<VariableId, VariableId>) {
    let mut map: FxHashMap<Term, Term> = FxHashMap::default();
    for (&copy, &first) in joined {
        map.insert(program.variable(copy).term(), program.variable(first).term());
        map.insert(program.variable(copy).passive_term(), program.variable(first).passive_term());
    }
    let mut substitution = Substitution::new(map);
    for edge in &mut program.edges {
        edge.guard = substitution.apply(edge.guard);
        for (variable, term) in &mut edge.assign {
            *variable = joined.get(variable).copied().unwrap_or(*variable);
            *term = substitution.apply(*term);
        }
        edge.broadcast.assign.iter_mut().for_each(|(_, term)| *term = substitution.apply(*term));
    }
    for property in &mut program.properties {
        if let Target::Race(first, second) = &mut property.target {
            for access in [first, second] {
                access.index = access.index.map(|index| substitution.apply(index));
            }
        }
    }
    for predicate in &mut program.predicates {
        predicate.term = substitution.apply(predicate.term);
    }
    for location in &mut program.locations {
        location.live.iter_mut().for_each(|id| *id = joined.get(id).copied().unwrap_or(*id));
        location.live.sort_unstable();
        location.live.dedup();
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{Builder, two};
    use super::*;
    use smt::Symbol;

    /// Main and the pool each have a local of one declaration, assigned and tested; `mixed` lets main read both.
    fn program(mixed: bool) -> Program {
        let mut builder = Builder::new();
        let (s, l, m) =
            (builder.shared("s", Some(0)), builder.local("f::l", Some(0)), builder.local("m", Some(0)));
        builder.program.variables[m.0.index()].name = Symbol::new("f::l@thread1");
        let m = (m.0, builder.program.variables[m.0.index()].term());
        let pool = builder.pool();
        let [a, b] = builder.locations();
        let error = builder.error("error");
        builder.assign(LocationId(0), a, l.0, s.1);
        builder.assign(pool, b, m.0, s.1);
        builder.guard(a, error, if mixed { l.1.equals(m.1) } else { l.1.equals(two(3)) });
        builder.guard(b, error, m.1.equals(two(2)));
        builder.program
    }

    fn locals(mut program: Program) -> BTreeSet<VariableId> {
        run(&mut program);
        let symbols = Symbols::new(&program);
        let read = program.edges.iter().flat_map(|edge| symbols.readings(edge.guard).collect::<Vec<_>>());
        read.map(Reading::variable).collect()
    }

    #[test]
    fn copies_of_a_local_become_one() {
        assert_eq!(locals(program(false)).len(), 1);
    }

    #[test]
    fn copies_that_are_live_at_once_stay() {
        assert_eq!(locals(program(true)).len(), 2);
    }
}
