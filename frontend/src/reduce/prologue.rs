//! What the initial thread does while it is alone becomes part of the initial values.
//!
//! Most programs set up their data before they create the first thread. As long as the pool cannot do anything (the guards of all
//! its edges are false), the initial thread runs alone: if its next step is the only one that is possible, and its result is known,
//! then every run begins with it. So the program that starts after it has the same runs, but for their beginnings, which violate
//! nothing: the pass stops before a location that a property is about. A race needs a second thread that has begun.
//!
//! A value may also be any value, as that of a local that is declared without one. Values are kept per variable, and locals have the same initial values in all threads. So a local may be changed only if no thread
//! of the pool will read its initial value. Steps that let the pool begin stay, so that threads are still seen to be created.
//!
//! Engines gain much from it: without it they must find out that no thread starts too early.

use super::coalesce::in_broadcasts;
use super::liveness;
use super::symbols::Symbols;
use crate::program::{Edge, EdgeId, LocationId, Program, Scope, Target, VariableId};
use rustc_hash::FxHashMap;
use smt::{Assignment, Sort, Symbol, Term, Value, eval};
use std::collections::BTreeSet;

/// A set-up with more steps is not run to its end.
const MOST_STEPS: usize = 10_000;

/// Moves the start of the program behind its set-up.
pub(super) fn run(program: &mut Program) {
    let Some(pool) = program.pool else { return };
    let symbols = Symbols::new(program);
    let liveness = liveness::analyse(program, &symbols);
    let in_broadcasts = in_broadcasts(program, &symbols);
    let may_change = |program: &Program, id: VariableId| {
        program.variable(id).scope == Scope::Shared
            || (!liveness.is_live(id, pool) && !in_broadcasts.contains(&id))
    };
    let named: BTreeSet<LocationId> =
        program.properties.iter().flat_map(|property| places(&property.target, pool)).collect();
    let mut state = State::new(program);
    let mut main = program.main;
    let edges_from = program.edges_from();
    let begins = &edges_from[pool.index()];
    // All of this is looked at again before a step is taken.
    if main == pool || named.contains(&main) || !state.is_idle(program, begins) {
        return;
    }
    for _ in 0..MOST_STEPS {
        let Some(edge) = state.only_edge(program, &edges_from[main.index()]) else { break };
        let harmless = edge.broadcast.assign.is_empty()
            && edge.approximate.is_none()
            && edge.to != pool
            && !named.contains(&edge.to)
            && !program.location(edge.to).atomic;
        let Some(changes) = state.changes(program, edge).filter(|_| harmless) else { break };
        if !changes.iter().all(|(id, _)| may_change(program, *id)) {
            break;
        }
        let before = state.replace(program, changes);
        if !state.is_idle(program, begins) {
            state.replace(program, before);
            break;
        }
        main = edge.to;
    }
    if main != program.main {
        program.main = main;
        for variable in &mut program.variables {
            variable.init = state.0.remove(&variable.name);
        }
    }
}

/// Where the initial thread may violate a property while all others are in the pool.
fn places(target: &Target, pool: LocationId) -> Vec<LocationId> {
    match target {
        Target::Location(location) => vec![*location],
        Target::Race(first, second) => {
            let places = vec![first.location, second.location];
            if places.contains(&pool) { places } else { Vec::new() }
        }
    }
}

/// The values that are known of the initial thread's variables, by name.
struct State(FxHashMap<Symbol, Value>);

impl State {
    fn new(program: &Program) -> State {
        let known = program.variables.iter().filter_map(|v| Some((v.name, v.init.clone()?)));
        State(known.collect())
    }

    /// Whether no thread of the pool can begin. Its locals have their initial values, which are those that are known: others are not live.
    fn is_idle(&self, program: &Program, begins: &[EdgeId]) -> bool {
        let mut edges = begins.iter().map(|id| program.edge(*id));
        edges.all(|edge| eval(edge.guard, self) == Ok(Value::Bool(false)))
    }

    /// The only edge that is possible.
    fn only_edge<'p>(&self, program: &'p Program, edges: &[EdgeId]) -> Option<&'p Edge> {
        let mut only = None;
        for edge in edges.iter().map(|id| program.edge(*id)) {
            match eval(edge.guard, self) {
                Ok(Value::Bool(false)) => {}
                Ok(Value::Bool(true)) if only.is_none() => only = Some(edge),
                _ => return None,
            }
        }
        only
    }

    /// What becomes different by an edge; none if that is not known.
    fn changes(&self, program: &Program, edge: &Edge) -> Option<Vec<Change>> {
        let mut changes = Vec::new();
        for &(id, term) in &edge.assign {
            let after = match eval(term, self) {
                Ok(value) => Some(value),
                Err(_) if is_free(edge, id, term) => None,
                Err(_) => return None,
            };
            if self.0.get(&program.variable(id).name) != after.as_ref() {
                changes.push((id, after));
            }
        }
        Some(changes)
    }

    /// Makes the changes; the result undoes them.
    fn replace(&mut self, program: &Program, changes: Vec<Change>) -> Vec<Change> {
        let one = |(id, value): Change| {
            let name = program.variable(id).name;
            let before = match value {
                Some(value) => self.0.insert(name, value),
                None => self.0.remove(&name),
            };
            (id, before)
        };
        changes.into_iter().map(one).collect()
    }
}

/// A variable and what it becomes; none: anything.
type Change = (VariableId, Option<Value>);

/// Whether the variable becomes anything, whatever the others become: an input that nothing else depends on.
fn is_free(edge: &Edge, id: VariableId, term: Term) -> bool {
    edge.inputs.iter().any(|input| input.term() == term)
        && edge.assign.iter().all(|&(other, value)| other == id || !value.constants().contains(&term))
}

impl Assignment for State {
    fn value(&self, name: Symbol, _: Sort) -> Option<Value> {
        self.0.get(&name).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{Builder, two};
    use super::*;
    use crate::program::Input;

    /// Main sets `s` and its own `l`, then lets the pool begin.
    fn program() -> (Builder, VariableId, VariableId) {
        let mut builder = Builder::new();
        let [s, begin] = ["s", "begin"].map(|name| builder.shared(name, Some(0)));
        let l = builder.local("l", None);
        let pool = builder.pool();
        let [a, b, c] = builder.locations();
        let error = builder.error("error");
        builder.assign(LocationId(0), a, l.0, two(2));
        builder.assign(a, b, s.0, l.1.bv_add(two(1)));
        builder.assign(b, c, begin.0, two(1));
        builder.guard(c, error, s.1.equals(l.1));
        builder.guard(pool, error, begin.1.equals(two(1)));
        (builder, s.0, l.0)
    }

    fn value(program: &Program, id: VariableId) -> Option<Term> {
        program.variable(id).init.as_ref().map(Term::value)
    }

    #[test]
    fn the_set_up_becomes_initial_values() {
        let (mut builder, s, l) = program();
        run(&mut builder.program);
        let program = builder.program;
        let last = program.edges.iter().find(|edge| edge.from == program.main).unwrap();
        assert_eq!(last.assign.len(), 1, "the step that lets the pool begin stays");
        assert_eq!((value(&program, s), value(&program, l)), (Some(two(3)), Some(two(2))));
    }

    #[test]
    fn not_if_the_pool_needs_no_permission() {
        let (mut builder, s, _) = program();
        let pool = builder.program.pool.unwrap();
        builder.guard(pool, pool, Term::tru());
        run(&mut builder.program);
        assert_eq!((builder.program.main, value(&builder.program, s)), (LocationId(0), Some(two(0))));
    }

    #[test]
    fn not_if_the_pool_reads_the_local() {
        let (mut builder, s, l) = program();
        let pool = builder.program.pool.unwrap();
        let read = builder.program.variable(l).term();
        builder.assign(pool, pool, s, read);
        builder.program.edges.last_mut().unwrap().guard = Term::fls();
        run(&mut builder.program);
        assert_eq!(builder.program.main, LocationId(0));
    }

    #[test]
    fn not_over_properties_choices_and_what_is_unknown() {
        let (builder, s, _) = program();
        let mut asserted = builder.program.clone();
        asserted.properties[0].target = Target::Location(LocationId(2));
        run(&mut asserted);
        assert_eq!(asserted.main, LocationId(0), "location 2 is the next one that main enters");
        let mut chosen = builder.program.clone();
        let other = Edge { to: LocationId(0), ..chosen.edges[0].clone() };
        chosen.edges.push(other);
        run(&mut chosen);
        assert_eq!(chosen.main, LocationId(0));
        let mut unknown = builder.program;
        unknown.variables[s.index()].init = None;
        unknown.edges[0].assign[0].1 = unknown.variables[s.index()].term();
        run(&mut unknown);
        assert_eq!(unknown.main, LocationId(0));
    }

    #[test]
    fn any_value_is_a_value() {
        let (mut builder, s, l) = program();
        builder.program.variables[l.index()].init = Some(Value::bits(2, 1));
        let input = Input { name: Symbol::new("?"), sort: Sort::BitVec(2) };
        let edge = &mut builder.program.edges[0];
        edge.assign[0].1 = input.term();
        edge.inputs = vec![input.clone()];
        let mut twice = builder.program.clone();
        run(&mut builder.program);
        assert_ne!(builder.program.main, LocationId(0));
        assert_eq!(value(&builder.program, l), None);
        twice.edges[0].assign.push((s, input.term()));
        run(&mut twice);
        assert_eq!(twice.main, LocationId(0), "both become the same");
    }
}
