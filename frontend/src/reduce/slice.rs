//! Cone of influence: what no property depends on is removed.
//!
//! Four sets grow together to a least fixed point.
//!
//! - A location *matters* if a property asks about it, or an edge that matters starts there.
//! - An edge matters if it ends in a location that matters, or assigns a shared variable or broadcasts to a local that
//!   matters.
//! - A variable matters if it occurs in the guard of an edge that matters, in the index of a race, or in what an edge
//!   that matters assigns or broadcasts to a variable that matters.
//! - Exception: edges between the same two locations of which one is always possible are a *choice*. Their guards
//!   matter only if a variable matters that they do not all assign alike: otherwise it makes no difference which of
//!   them is taken.
//!
//! Then edges that do not matter go, and assignments to variables that do not matter; locations that do not matter
//! become one dead end. Why the same properties can be violated:
//!
//! - *Variables.* No guard that is left, no race index and no value of a variable that matters depends on one that does
//!   not.
//! - *Edges.* Take a run of the program to a violation and leave out all steps that do not matter. The thread that
//!   would have made such a step stays where it was. The step had no effect on shared variables that matter or on other
//!   threads, and from its end no step that matters starts: so the thread makes no further step that matters, and all
//!   that other threads do remains possible. The violation is there, since the thread was at no location that a
//!   property asks about. Conversely, what is left is a part of the program.
//! - *Guards* stay on every edge that matters: whether a thread can get past a place is part of what the program does.
//!   Only the progress of threads that can do nothing of interest any more is given up.
//! - *Dead end.* An edge that matters may end where nothing matters; which of these places it is does not matter
//!   either.
//! - *The pool.* If threads in it can do nothing that matters, they might as well not be there: there is no pool then.
//! - *Atomic locations* stop all other threads, so edges that touch them always matter.
//!
//! Besides, steps from a location to itself without effect go (the state is the same), and edges that do the same
//! between the same locations become one whose guard is the disjunction. With complementary guards that is true, and
//! what the guards read may not matter any more: so all is repeated until nothing changes. Branches with equal effect
//! that are more than one step long need [`super::merge`] in between.

use super::formula::either;
use super::symbols::{Reading, Symbols};
use super::{compose, graph, inputs};
use crate::program::{
    Edge, EdgeId, Input, LocationId, Position, Program, PropertyKind, Scope, Target, VariableId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Symbol, Term};
use std::collections::hash_map::Entry;

/// Removes all properties but those with the given names, and those that mark the end of what is modelled: without them
/// "safe" would be said too often. The locations stay, as places like any other.
pub(super) fn select(program: &mut Program, names: &[String]) {
    program.properties.retain(|p| p.kind == PropertyKind::Limit || names.contains(&p.name));
}

/// Removes what no property depends on.
pub(super) fn run(program: &mut Program) {
    loop {
        let symbols = Symbols::new(program);
        let matters = Cone::new(program, &symbols).close();
        let edges = matters.edges.iter().filter(|&&matters| matters).count();
        let is_weaker = remove(program, &symbols, matters);
        program.edges.retain(|edge| edge.from != edge.to || !compose::has_no_effect(edge));
        join_parallel(program);
        if !is_weaker && program.edges.len() == edges {
            return;
        }
    }
}

/// What matters, by number.
struct Matters {
    locations: Vec<bool>,
    edges: Vec<bool>,
    variables: Vec<bool>,
}

/// What is known to matter.
struct Cone<'a> {
    program: &'a Program,
    symbols: &'a Symbols,
    edges_to: Vec<Vec<EdgeId>>,
    /// By variable: the edges that assign or broadcast it.
    assigned: Vec<Vec<EdgeId>>,
    choices: Choices,
    matters: Matters,
    open: Vec<Item>,
}

enum Item {
    Location(LocationId),
    Edge(EdgeId),
    Variable(VariableId),
}

impl<'a> Cone<'a> {
    fn new(program: &'a Program, symbols: &'a Symbols) -> Cone<'a> {
        let mut assigned = vec![Vec::new(); program.variables.len()];
        for (index, edge) in program.edges.iter().enumerate() {
            for &(id, _) in edge.assign.iter().chain(&edge.broadcast.assign) {
                assigned[id.index()].push(EdgeId(index as u32));
            }
        }
        let matters = Matters {
            locations: vec![false; program.locations.len()],
            edges: vec![false; program.edges.len()],
            variables: vec![false; program.variables.len()],
        };
        let choices = Choices::new(program);
        let edges_to = graph::edges_to(program);
        Cone { program, symbols, edges_to, assigned, choices, matters, open: Vec::new() }
    }

    /// The least fixed point.
    fn close(mut self) -> Matters {
        self.start();
        while let Some(item) = self.open.pop() {
            match item {
                Item::Location(location) => self.location_matters(location),
                Item::Edge(edge) => self.edge_matters(edge),
                Item::Variable(variable) => self.variable_matters(variable),
            }
        }
        self.matters
    }

    fn start(&mut self) {
        for (index, is_target) in self.program.targets().into_iter().enumerate() {
            if is_target || self.program.locations[index].atomic {
                self.add_location(LocationId(index as u32));
            }
        }
        for (index, edge) in self.program.edges.iter().enumerate() {
            if self.program.location(edge.from).atomic {
                self.add_edge(EdgeId(index as u32));
            }
        }
        for property in &self.program.properties {
            if let Target::Race(first, second) = &property.target {
                first.index.iter().chain(&second.index).for_each(|&index| self.read(index));
            }
        }
    }

    fn add_location(&mut self, location: LocationId) {
        if !std::mem::replace(&mut self.matters.locations[location.index()], true) {
            self.open.push(Item::Location(location));
        }
    }

    fn add_edge(&mut self, edge: EdgeId) {
        if !std::mem::replace(&mut self.matters.edges[edge.index()], true) {
            self.open.push(Item::Edge(edge));
        }
    }

    fn read(&mut self, term: Term) {
        for reading in self.symbols.readings(term) {
            let (Reading::Own(id) | Reading::Passive(id)) = reading;
            if !std::mem::replace(&mut self.matters.variables[id.index()], true) {
                self.open.push(Item::Variable(id));
            }
        }
    }

    fn location_matters(&mut self, location: LocationId) {
        for index in 0..self.edges_to[location.index()].len() {
            self.add_edge(self.edges_to[location.index()][index]);
        }
    }

    fn edge_matters(&mut self, id: EdgeId) {
        let edge = self.program.edge(id);
        self.add_location(edge.from);
        let differ = |choice: &Choice| choice.variables.iter().any(|v| self.matters.variables[v.index()]);
        if self.choices.of_edge[id.index()].is_none_or(|choice| differ(&self.choices.all[choice])) {
            self.read(edge.guard);
        }
        for &(variable, term) in edge.assign.iter().chain(&edge.broadcast.assign) {
            if self.matters.variables[variable.index()] {
                self.read(term);
            }
        }
    }

    fn variable_matters(&mut self, variable: VariableId) {
        for index in 0..self.choices.of_variable[variable.index()].len() {
            let choice = self.choices.of_variable[variable.index()][index];
            for edge in self.choices.all[choice].edges.clone() {
                if self.matters.edges[edge.index()] {
                    self.read(self.program.edge(edge).guard);
                }
            }
        }
        let is_shared = self.program.variable(variable).scope == Scope::Shared;
        for index in 0..self.assigned[variable.index()].len() {
            let id = self.assigned[variable.index()][index];
            let edge = self.program.edge(id);
            let has = |assign: &[(VariableId, Term)]| assign.iter().any(|&(v, _)| v == variable);
            if is_shared || has(&edge.broadcast.assign) {
                self.add_edge(id);
            }
            if self.matters.edges[id.index()] {
                let values = edge.assign.iter().chain(&edge.broadcast.assign);
                values.filter(|&&(v, _)| v == variable).for_each(|&(_, term)| self.read(term));
            }
        }
    }
}

/// Edges between the same locations, one of which is always possible.
struct Choice {
    edges: Vec<EdgeId>,
    /// Variables that they do not all assign alike.
    variables: Vec<VariableId>,
}

/// All choices, and where edges and variables take part in them.
struct Choices {
    all: Vec<Choice>,
    of_edge: Vec<Option<usize>>,
    of_variable: Vec<Vec<usize>>,
}

impl Choices {
    fn new(program: &Program) -> Choices {
        let mut groups: FxHashMap<_, Vec<EdgeId>> = FxHashMap::default();
        let mut order = Vec::new();
        for (index, edge) in program.edges.iter().enumerate() {
            let group = groups.entry((edge.from, edge.to, edge.approximate)).or_default();
            if group.is_empty() {
                order.push((edge.from, edge.to, edge.approximate));
            }
            group.push(EdgeId(index as u32));
        }
        let (edges, variables) = (program.edges.len(), program.variables.len());
        let mut choices =
            Choices { all: Vec::new(), of_edge: vec![None; edges], of_variable: vec![Vec::new(); variables] };
        for edges in order.into_iter().filter_map(|key| groups.remove(&key)).filter(|edges| edges.len() > 1) {
            let any = edges.iter().fold(Term::fls(), |any, &id| either(any, program.edge(id).guard));
            if any.is_true() {
                choices.add(program, edges);
            }
        }
        choices
    }

    fn add(&mut self, program: &Program, edges: Vec<EdgeId>) {
        let number = self.all.len();
        let assigned = |id: EdgeId| {
            let edge = program.edge(id);
            let own = edge.assign.iter().map(|&(variable, term)| (variable, false, term));
            let passive = edge.broadcast.assign.iter().map(|&(variable, term)| (variable, true, term));
            own.chain(passive).collect::<FxHashSet<_>>()
        };
        let mut counts: FxHashMap<(VariableId, bool, Term), usize> = FxHashMap::default();
        for &id in &edges {
            self.of_edge[id.index()] = Some(number);
            assigned(id).into_iter().for_each(|assignment| *counts.entry(assignment).or_insert(0) += 1);
        }
        let differ = counts.into_iter().filter(|&(_, count)| count < edges.len());
        let mut variables: Vec<VariableId> = differ.map(|((variable, ..), _)| variable).collect();
        variables.sort_unstable();
        variables.dedup();
        variables.iter().for_each(|v| self.of_variable[v.index()].push(number));
        self.all.push(Choice { edges, variables });
    }
}

/// Removes what does not matter; true if some guard became weaker by it.
fn remove(program: &mut Program, symbols: &Symbols, mut matters: Matters) -> bool {
    if program.pool.is_some_and(|pool| !matters.locations[pool.index()]) {
        program.pool = None;
    }
    let has_others = program.pool.is_some();
    mark_ends(program, symbols, &matters);
    let mut is_relevant = matters.edges.iter();
    program.edges.retain(|_| is_relevant.next().copied().unwrap_or(false));
    let mut is_weaker = false;
    for edge in &mut program.edges {
        edge.assign.retain(|&(id, _)| matters.variables[id.index()]);
        edge.broadcast.assign.retain(|&(id, _)| has_others && matters.variables[id.index()]);
        let guard = edge.guard;
        inputs::eliminate(edge);
        is_weaker |= edge.guard != guard;
    }
    for location in &mut program.locations {
        location.live.retain(|&id| matters.variables[id.index()]);
    }
    redirect(program, &mut matters.locations);
    let (main, pool) = (program.main, program.pool);
    let is_start = |location| location == main || Some(location) == pool;
    graph::keep_locations(program, |location| matters.locations[location.index()] || is_start(location));
    is_weaker
}

/// Says where threads may stand that have ended: where an edge goes that does not matter, as far as their locals allow it. In the middle of an atomic
/// section nobody stands.
fn mark_ends(program: &mut Program, symbols: &Symbols, matters: &Matters) {
    let shaken = super::coalesce::in_broadcasts(program, symbols);
    let is_own = |id: VariableId| {
        let is_local = program.variable(id).scope == Scope::Local;
        matters.variables[id.index()] && is_local && !shaken.contains(&id)
    };
    let condition = |edge: &Edge| {
        let is_known = edge.inputs.is_empty() && symbols.reads(edge.guard).all(is_own);
        if is_known { edge.guard } else { Term::tru() }
    };
    let dropped = program.edges.iter().zip(&matters.edges).filter(|(_, matters)| !**matters);
    let mut open: Vec<(LocationId, Term)> = dropped.map(|(edge, _)| (edge.from, condition(edge))).collect();
    let edges_to = graph::edges_to(program);
    while let Some((location, when)) = open.pop() {
        let before = program.locations[location.index()].may_end;
        let after = before.or(when);
        if after == before {
            continue;
        }
        program.locations[location.index()].may_end = after;
        if program.locations[location.index()].atomic {
            let earlier = edges_to[location.index()].iter().map(|&edge| program.edge(edge).from);
            open.extend(earlier.map(|location| (location, Term::tru())));
        }
    }
}

/// Leads all edges to places where nothing matters to one of these places, which then stays.
fn redirect(program: &mut Program, matters: &mut [bool]) {
    let ends = program.edges.iter().map(|edge| edge.to).filter(|to| !matters[to.index()]);
    let Some(dead_end) = ends.min() else { return };
    let mut is_one = true;
    for edge in program.edges.iter_mut().filter(|edge| !matters[edge.to.index()]) {
        is_one &= edge.to == dead_end;
        edge.to = dead_end;
    }
    let location = &mut program.locations[dead_end.index()];
    location.live.clear();
    if !is_one && dead_end != program.main {
        (location.function, location.position) = (Symbol::new(""), Position::NONE);
    }
    matters[dead_end.index()] = true;
}

/// Edges with the same ends and the same effect become one.
fn join_parallel(program: &mut Program) {
    let mut kept: Vec<Edge> = Vec::with_capacity(program.edges.len());
    let mut places: FxHashMap<_, usize> = FxHashMap::default();
    for mut edge in program.edges.drain(..) {
        edge.assign.sort_unstable_by_key(|&(id, _)| id);
        edge.broadcast.assign.sort_unstable_by_key(|&(id, _)| id);
        let effect = (edge.assign.clone(), edge.broadcast.assign.clone());
        match places.entry((edge.from, edge.to, effect, edge.approximate)) {
            Entry::Vacant(place) => {
                place.insert(kept.len());
                kept.push(edge);
            }
            Entry::Occupied(place) => {
                let first = &mut kept[*place.get()];
                if !join(first, &edge) {
                    kept.push(edge);
                }
            }
        }
    }
    program.edges = kept;
}

/// Lets the first edge do what the second, with the same effect, does; false if inputs of the same name differ in sort.
/// Otherwise inputs of the same name may become one: only one of the two edges is taken in a step.
fn join(first: &mut Edge, second: &Edge) -> bool {
    let extend = |inputs: &mut Vec<Input>, more: &[Input]| {
        more.iter().for_each(|input| {
            if !inputs.contains(input) {
                inputs.push(input.clone());
            }
        });
    };
    let (mut own, mut passive) = (first.inputs.clone(), first.broadcast.inputs.clone());
    extend(&mut own, &second.inputs);
    extend(&mut passive, &second.broadcast.inputs);
    let mut names: Vec<Symbol> = own.iter().chain(&passive).map(|input| input.name).collect();
    names.sort_unstable();
    if names.windows(2).any(|pair| pair[0] == pair[1]) {
        return false;
    }
    (first.inputs, first.broadcast.inputs) = (own, passive);
    first.guard = either(first.guard, second.guard);
    first.origin = compose::common_origin(&first.origin, &second.origin);
    true
}

#[cfg(test)]
mod tests;
