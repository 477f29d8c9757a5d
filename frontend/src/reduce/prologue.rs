//! What the initial thread does while it is alone becomes part of the initial values.
//!
//! Most programs set up their data before they create the first thread. As long as the pool cannot do anything (the guards of all
//! its edges are false), the initial thread runs alone: if its next step is the only one that may be possible, then every run that goes on begins with it.
//! So the program that starts after it has the same runs, but for their beginnings, which violate
//! nothing: the pass stops before a location that a property is about. A race needs a second thread that has begun.
//!
//! Values that are not known are terms over what is chosen and over variables without an initial value. What is known in the end are initial values, unless a term speaks of what was there before. The rest becomes one first step
//! (*residue*): under the conditions on the way it assigns the terms. Who cannot take it could not get through the set-up.
//!
//! A value may also be any value, as that of a local that is declared without one. Values are kept per variable, and locals have the same initial values in all threads. So a local may be changed only if no thread
//! of the pool will read its initial value; otherwise its value is left to the residue. Steps that let the pool begin stay, so that threads are still seen to be created.
//!
//! Engines gain much from it: without it they must find out that no thread starts too early.

use super::coalesce::in_broadcasts;
use super::inputs::Names;
use super::liveness;
use super::symbols::Symbols;
use crate::program::{
    Broadcast, Edge, EdgeId, Input, Location, LocationId, NoteId, Origin, Program, Scope, Target, VariableId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Assignment, Sort, Substitution, Symbol, Term, Value, eval};
use std::collections::{BTreeMap, BTreeSet};

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
    let mut walk = Walk::new(program, &symbols);
    if !walk.go(program, pool) {
        return;
    }
    let fixed: FxHashSet<VariableId> =
        (0..program.variables.len() as u32).map(VariableId).filter(|&id| !may_change(program, id)).collect();
    walk.finish(program, &fixed);
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

/// The initial thread on its way through the set-up.
struct Walk<'s> {
    symbols: &'s Symbols,
    names: Names,
    /// Where it is.
    at: LocationId,
    /// The values that are known.
    known: Known,
    /// The others that are not those of the beginning: over inputs, and variables as they were at the beginning.
    open: BTreeMap<VariableId, Term>,
    condition: Vec<Term>,
    inputs: Vec<Input>,
    approximate: Option<NoteId>,
    origin: Vec<Origin>,
    steps: usize,
}

impl<'s> Walk<'s> {
    fn new(program: &Program, symbols: &'s Symbols) -> Walk<'s> {
        let known = program.variables.iter().filter_map(|v| Some((v.name, v.init.clone()?)));
        Walk {
            symbols,
            // New names are in no edge, so what was chosen before is told apart from what a step chooses.
            names: Names::of_variables(program, symbols).and_inputs(program),
            at: program.main,
            known: Known(known.collect()),
            open: BTreeMap::new(),
            condition: Vec::new(),
            inputs: Vec::new(),
            approximate: None,
            origin: Vec::new(),
            steps: 0,
        }
    }

    /// Goes as far as it can; whether that is anywhere.
    fn go(&mut self, program: &Program, pool: LocationId) -> bool {
        let edges_from = program.edges_from();
        let named: BTreeSet<LocationId> =
            program.properties.iter().flat_map(|property| places(&property.target, pool)).collect();
        let begins = &edges_from[pool.index()];
        if self.at == pool || named.contains(&self.at) || !self.is_idle(program, begins) {
            return false;
        }
        while self.steps < MOST_STEPS {
            let Some((edge, guard)) = self.only_edge(program, &edges_from[self.at.index()]) else { break };
            let harmless = edge.broadcast.assign.is_empty()
                && edge.to != pool
                && !named.contains(&edge.to)
                && !program.location(edge.to).atomic;
            if !harmless || self.lets_begin(program, edge, begins) {
                break;
            }
            self.take(program, edge, guard);
        }
        self.steps > 0
    }

    /// Whether no thread of the pool can begin. Its locals have their initial values.
    fn is_idle(&self, program: &Program, begins: &[EdgeId]) -> bool {
        let view = Pool { program, known: &self.known };
        let mut edges = begins.iter().map(|id| program.edge(*id));
        edges.all(|edge| eval(edge.guard, &view) == Ok(Value::Bool(false)))
    }

    /// Whether a thread of the pool may begin after the step.
    fn lets_begin(&self, program: &Program, edge: &Edge, begins: &[EdgeId]) -> bool {
        let mut after = Known(FxHashMap::default());
        let read = begins.iter().flat_map(|id| self.symbols.reads(program.edge(*id).guard));
        for id in read.collect::<BTreeSet<VariableId>>() {
            let name = program.variable(id).name;
            let value = match edge.assigned(id) {
                Some(term) => eval(term, &self.known).ok(),
                None => self.known.0.get(&name).cloned(),
            };
            after.0.extend(value.map(|value| (name, value)));
        }
        let view = Pool { program, known: &after };
        let closed = |id: &EdgeId| eval(program.edge(*id).guard, &view) == Ok(Value::Bool(false));
        !begins.iter().all(closed)
    }

    /// The term over inputs and what was at the beginning.
    fn value(&self, term: Term) -> Term {
        if let Ok(value) = eval(term, &self.known) {
            return Term::value(&value);
        }
        let mut map = FxHashMap::default();
        for constant in term.constants() {
            let known = constant.as_constant().and_then(|name| self.known.0.get(&name)).map(Term::value);
            let open = || self.open.get(&self.symbols.own_reading(constant)?).copied();
            map.extend(known.or_else(open).map(|value| (constant, value)));
        }
        Substitution::new(map).apply(term)
    }

    /// The only edge that may be possible, and when it is.
    fn only_edge<'p>(&self, program: &'p Program, edges: &[EdgeId]) -> Option<(&'p Edge, Term)> {
        let mut only = None;
        for edge in edges.iter().map(|id| program.edge(*id)) {
            let guard = self.value(edge.guard);
            if guard.is_false() {
                continue;
            }
            if only.is_some() {
                return None;
            }
            only = Some((edge, guard));
        }
        only
    }

    /// Takes a step.
    fn take(&mut self, program: &Program, edge: &Edge, guard: Term) {
        let fresh = |input: &Input| Input { name: self.names.fresh(input.name), sort: input.sort };
        let inputs: Vec<Input> = edge.inputs.iter().map(fresh).collect();
        let renamed = edge.inputs.iter().zip(&inputs).map(|(old, new)| (old.term(), new.term()));
        let mut rename = Substitution::new(renamed.collect());
        let values: Vec<(VariableId, Term)> =
            edge.assign.iter().map(|&(id, term)| (id, rename.apply(self.value(term)))).collect();
        for (id, term) in values {
            let name = program.variable(id).name;
            match term.as_value() {
                Some(value) => {
                    self.open.remove(&id);
                    self.known.0.insert(name, value);
                }
                None => {
                    self.known.0.remove(&name);
                    self.open.insert(id, term);
                }
            }
        }
        self.condition.push(rename.apply(guard));
        self.inputs.extend(inputs);
        self.approximate = self.approximate.or(edge.approximate);
        self.origin.extend(&edge.origin);
        self.at = edge.to;
        self.steps += 1;
    }

    /// Makes the program begin here. Variables that are fixed keep their initial values.
    fn finish(mut self, program: &mut Program, fixed: &FxHashSet<VariableId>) {
        let condition = Term::and_all(self.condition.iter().copied());
        self.forget_free(program, condition, fixed);
        let terms = || self.open.values().copied().chain([condition]);
        let read: FxHashSet<VariableId> = terms().flat_map(|term| self.symbols.reads(term)).collect();
        let mut assign: Vec<(VariableId, Term)> = Vec::new();
        let mut initial = Vec::new();
        for (index, variable) in program.variables.iter().enumerate() {
            let id = VariableId(index as u32);
            match (self.open.get(&id), self.known.0.get(&variable.name)) {
                (Some(term), _) => assign.push((id, *term)),
                (None, value) if value == variable.init.as_ref() => {}
                (None, Some(value)) if fixed.contains(&id) || read.contains(&id) => {
                    assign.push((id, Term::value(value)));
                }
                (None, value) => initial.push((id, value.cloned())),
            }
        }
        assign.retain(|&(id, term)| term != self.symbols.own(id));
        let has_residue = !assign.is_empty() || !condition.is_true() || self.approximate.is_some();
        if has_residue && self.steps == 1 && initial.is_empty() {
            return;
        }
        for (id, value) in initial {
            program.variables[id.index()].init = value;
        }
        if has_residue {
            self.begin(program, condition, assign);
        } else {
            program.main = self.at;
        }
    }

    /// A variable that is an input which nothing else depends on has any value: that needs no step.
    fn forget_free(&mut self, program: &Program, condition: Term, fixed: &FxHashSet<VariableId>) {
        let mut uses: FxHashMap<Term, usize> = FxHashMap::default();
        for term in self.open.values().copied().chain([condition]) {
            term.constants().into_iter().for_each(|constant| *uses.entry(constant).or_default() += 1);
        }
        let inputs: FxHashSet<Term> = self.inputs.iter().map(Input::term).collect();
        let symbols = self.symbols;
        self.open.retain(|&id, term| {
            let is_free = inputs.contains(term) && uses[term] == 1;
            !is_free || fixed.contains(&id) || uses.contains_key(&symbols.own(id))
        });
        debug_assert!(self.open.keys().all(|id| !self.known.0.contains_key(&program.variable(*id).name)));
    }

    /// Adds the residue as the first step.
    fn begin(self, program: &mut Program, guard: Term, assign: Vec<(VariableId, Term)>) {
        let from = LocationId(program.locations.len() as u32);
        let first = program.location(program.main);
        let (function, position) = (first.function, first.position);
        program.locations.push(Location {
            function,
            position,
            live: Vec::new(),
            atomic: false,
            may_end: Term::fls(),
        });
        let mut origin = self.origin;
        origin.dedup();
        let (to, approximate, broadcast) = (self.at, self.approximate, Broadcast::default());
        let mut edge = Edge { from, to, guard, assign, inputs: self.inputs, broadcast, approximate, origin };
        super::inputs::eliminate(&mut edge);
        program.edges.push(edge);
        program.main = from;
    }
}

/// The values that are known of variables, by name.
struct Known(FxHashMap<Symbol, Value>);

impl Assignment for Known {
    fn value(&self, name: Symbol, _: Sort) -> Option<Value> {
        self.0.get(&name).cloned()
    }
}

/// What a thread of the pool sees.
struct Pool<'a> {
    program: &'a Program,
    known: &'a Known,
}

impl Assignment for Pool<'_> {
    fn value(&self, name: Symbol, sort: Sort) -> Option<Value> {
        let local = self.program.variables.iter().find(|v| v.scope == Scope::Local && v.name == name);
        match local {
            Some(variable) => variable.init.clone(),
            None => self.known.value(name, sort),
        }
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

    /// The first step after the pass, as what it assigns.
    fn residue(program: &Program) -> &[(VariableId, Term)] {
        &program.edges.iter().find(|edge| edge.from == program.main).unwrap().assign
    }

    #[test]
    fn what_the_pool_reads_is_left_to_the_first_step() {
        let (mut builder, s, l) = program();
        let pool = builder.program.pool.unwrap();
        let read = builder.program.variable(l).term();
        builder.assign(pool, pool, s, read);
        builder.program.edges.last_mut().unwrap().guard = Term::fls();
        run(&mut builder.program);
        assert_eq!((value(&builder.program, s), value(&builder.program, l)), (Some(two(3)), None));
        assert_eq!(residue(&builder.program), [(l, two(2))]);
    }

    #[test]
    fn not_over_properties_and_choices() {
        let (builder, ..) = program();
        let mut asserted = builder.program.clone();
        asserted.properties[0].target = Target::Location(LocationId(2));
        run(&mut asserted);
        assert_eq!(asserted.main, LocationId(0), "location 2 is the next one that main enters");
        let mut chosen = builder.program;
        let other = Edge { to: LocationId(0), ..chosen.edges[0].clone() };
        chosen.edges.push(other);
        run(&mut chosen);
        assert_eq!(chosen.main, LocationId(0));
    }

    #[test]
    fn what_was_there_before_is_read_by_the_first_step() {
        let (mut builder, s, l) = program();
        builder.program.variables[s.index()].init = None;
        let before = builder.program.variable(s).term();
        builder.program.edges[0].assign[0].1 = before;
        run(&mut builder.program);
        assert_eq!(residue(&builder.program), [(s, before.bv_add(two(1))), (l, before)]);
    }

    #[test]
    fn any_value_is_a_value() {
        let (mut builder, s, l) = program();
        builder.program.variables[l.index()].init = Some(Value::bits(2, 1));
        let input = Input { name: Symbol::new("?"), sort: Sort::BitVec(2) };
        let edge = &mut builder.program.edges[0];
        edge.assign[0].1 = input.term();
        edge.inputs = vec![input];
        let mut twice = builder.program.clone();
        builder.program.edges[1].assign[0].1 = two(3);
        run(&mut builder.program);
        assert_eq!((value(&builder.program, s), value(&builder.program, l)), (Some(two(3)), None));
        assert_eq!(residue(&builder.program).len(), 1, "the step that lets the pool begin");
        run(&mut twice);
        let terms: Vec<Term> = residue(&twice).iter().map(|(_, term)| *term).collect();
        assert!(terms == [terms[1].bv_add(two(1)), terms[1]], "both come from the same choice: {terms:?}");
    }
}
