//! Locals that choose an element of a small array: a location for each of their values.
//!
//! `mine = which; readers[mine]++; ...; readers[mine]--` counts in one of two counters, and which one is said by a local. With a location for each value of `mine` it is
//! said by where the thread is, `readers` is two variables ([`super::scalars`]), and everything that is known about counters applies to each.
//!
//! Only arrays of a few elements are looked at whose every index is made of such locals: those with few values ([`super::domains`]) that no broadcast writes. A location becomes one
//! for each combination of their values that threads can bring there, as far as they are live; `main`, `pool` and what properties ask about stay what they are, without
//! any knowledge. An edge to a location with knowledge has a copy for each value that it may bring, under the condition that it does. The copies' conditions exclude each other, and leave no case
//! out that any state has. So each run has exactly one twin. Where that makes too many edges, nothing is done.
//!
//! It is only done where threads are created again and again. Where they are few, those who run the program look at values themselves, and those who look for formulas find
//! better ones about the index than about each of its values.

use super::domains::{Domains, Known, MOST};
use super::formula::tighten;
use super::liveness::{self, Liveness};
use super::symbols::Symbols;
use super::{coalesce, graph};
use crate::program::{DataType, Edge, LocationId, Program, Scope, Target, VariableId};
use rustc_hash::FxHashMap;
use smt::{Op, Term};
use std::collections::{BTreeMap, BTreeSet};

/// How many times as many edges there may be, and how many more in any case.
const GROWTH: usize = 4;
const FEW: usize = 64;
/// Copies of one edge.
const COPIES: usize = 64;

/// Drops what no value allows, and splits locations by the locals that choose elements.
pub(super) fn run(program: &mut Program) {
    let symbols = Symbols::new(program);
    let domains = Domains::new(program, &symbols);
    for edge in &mut program.edges {
        edge.guard = domains.decided(edge.guard);
    }
    program.edges.retain(|edge| !edge.guard.is_false());
    if !creates_again(program, &symbols) {
        return;
    }
    let chosen = choosing(program, &symbols, &domains);
    if chosen.is_empty() {
        return;
    }
    let liveness = liveness::analyse(program, &symbols);
    let fixed = graph::fixed(program);
    let mut splitter = Splitter {
        program,
        domains: &domains,
        liveness: &liveness,
        chosen: &chosen,
        fixed: &fixed,
        places: BTreeMap::new(),
        open: Vec::new(),
        edges: Vec::new(),
    };
    if let Some((places, edges)) = splitter.split() {
        replace(program, places, edges);
        graph::drop_unreachable(program);
    }
}

/// Whether a step that lets a thread leave the pool can be made again.
fn creates_again(program: &Program, symbols: &Symbols) -> bool {
    let waits = |edge: &&Edge| Some(edge.from) == program.pool;
    let awaited: BTreeSet<VariableId> =
        program.edges.iter().filter(waits).flat_map(|edge| symbols.reads(edge.guard)).collect();
    let creates = |edge: &&Edge| {
        Some(edge.from) != program.pool && edge.assign.iter().any(|(id, _)| awaited.contains(id))
    };
    program.edges.iter().filter(creates).any(|edge| program.reachable([edge.to])[edge.from.index()])
}

/// All terms of an edge.
pub(super) fn terms(edge: &Edge) -> impl Iterator<Item = Term> + '_ {
    let assigned = edge.assign.iter().chain(&edge.broadcast.assign).map(|(_, term)| *term);
    assigned.chain([edge.guard])
}

/// By variable, the edges that mention it.
pub(super) fn mentioned(
    program: &Program,
    symbols: &Symbols,
    variables: &BTreeSet<VariableId>,
) -> FxHashMap<VariableId, Vec<usize>> {
    let mut mentioned: FxHashMap<VariableId, Vec<usize>> = FxHashMap::default();
    if variables.is_empty() {
        return mentioned;
    }
    for (number, edge) in program.edges.iter().enumerate() {
        let read = terms(edge).flat_map(|term| symbols.reads(term));
        let all: BTreeSet<VariableId> = read.chain(edge.assign.iter().map(|(id, _)| *id)).collect();
        for id in all.intersection(variables) {
            mentioned.entry(*id).or_default().push(number);
        }
    }
    mentioned
}

/// The variables that a predicate of the user or a property mentions.
pub(super) fn asked_about(program: &Program, symbols: &Symbols) -> BTreeSet<VariableId> {
    let indices = program.properties.iter().flat_map(|property| match &property.target {
        Target::Location(_) => [None, None],
        Target::Race(first, second) => [first.index, second.index],
    });
    let asked = indices.flatten().chain(program.predicates.iter().map(|predicate| predicate.term));
    asked.flat_map(|term| symbols.readings(term).map(|reading| reading.variable())).collect()
}

/// Shared arrays with at most so many elements, which no predicate of the user and no property mentions.
pub(super) fn small_arrays(program: &Program, symbols: &Symbols, most: usize) -> BTreeSet<VariableId> {
    let asked = asked_about(program, symbols);
    let variables = program.variables.iter().enumerate();
    let small = variables.filter(|(_, variable)| {
        let few = matches!(variable.data_type, DataType::Array { length: Some(length), .. } if length <= most as u64);
        few && variable.scope == Scope::Shared
    });
    small.map(|(index, _)| VariableId(index as u32)).filter(|id| !asked.contains(id)).collect()
}

/// The locals in indices of small arrays, if all indices of the array are made of such.
fn choosing(program: &Program, symbols: &Symbols, domains: &Domains<'_>) -> BTreeSet<VariableId> {
    let arrays = small_arrays(program, symbols, MOST);
    let shaken = coalesce::in_broadcasts(program, symbols);
    let is_eligible = |id: VariableId| {
        let is_local = program.variable(id).scope == Scope::Local && !program.variable(id).identity;
        is_local && !shaken.contains(&id) && domains.variable(id).is_some()
    };
    let mut found: BTreeMap<VariableId, Option<BTreeSet<VariableId>>> = BTreeMap::new();
    let mut seen = rustc_hash::FxHashSet::default();
    let mut stack: Vec<Term> = program.edges.iter().flat_map(terms).collect();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        stack.extend(term.args());
        let (Op::Select | Op::Store, &[array, index, ..]) = (term.op(), term.args()) else { continue };
        for id in symbols.reads(array).filter(|id| arrays.contains(id)) {
            let entry = found.entry(id).or_insert_with(|| Some(BTreeSet::new()));
            let constants = index.constants();
            let locals: Option<Vec<VariableId>> = constants
                .into_iter()
                .map(|constant| symbols.own_reading(constant).filter(|id| is_eligible(*id)))
                .collect();
            match (entry.as_mut(), locals) {
                (Some(set), Some(locals)) => set.extend(locals),
                _ => *entry = None,
            }
        }
    }
    let mut chosen: BTreeSet<VariableId> = found.into_values().flatten().flatten().collect();
    // What they are computed from says the same earlier, also by way of shared variables with few values.
    let says = |id: VariableId| match program.variable(id).scope {
        Scope::Local => is_eligible(id),
        Scope::Shared => !arrays.contains(&id) && domains.variable(id).is_some(),
    };
    loop {
        let computed =
            program.edges.iter().flat_map(|edge| &edge.assign).filter(|(id, _)| chosen.contains(id));
        let sources = computed.flat_map(|(_, term)| symbols.reads(*term)).filter(|id| says(*id));
        let more: Vec<VariableId> = sources.filter(|id| !chosen.contains(id)).collect();
        if more.is_empty() {
            break;
        }
        chosen.extend(more);
    }
    chosen.retain(|id| program.variable(*id).scope == Scope::Local);
    chosen
}

/// What is known at a copy of a location, sorted by variable.
type Knowledge = Vec<(VariableId, Term)>;

/// A location with what is known there.
type Place = (LocationId, Knowledge);

struct Splitter<'p> {
    program: &'p Program,
    domains: &'p Domains<'p>,
    liveness: &'p Liveness,
    chosen: &'p BTreeSet<VariableId>,
    fixed: &'p [bool],
    /// Their new numbers.
    places: BTreeMap<(LocationId, Vec<(VariableId, String)>), LocationId>,
    open: Vec<(Place, LocationId)>,
    edges: Vec<Edge>,
}

impl Splitter<'_> {
    /// The new locations in order, and the edges between them; nothing if they are too many.
    fn split(&mut self) -> Option<(Vec<Place>, Vec<Edge>)> {
        let limit = self.program.edges.len() * GROWTH + FEW;
        let edges_from = self.program.edges_from();
        let mut all = Vec::new();
        for index in (0..self.fixed.len()).filter(|&index| self.fixed[index]) {
            self.number((LocationId(index as u32), Vec::new()));
        }
        let mut next = 0;
        while next < self.open.len() {
            let ((location, known), number) = self.open[next].clone();
            next += 1;
            all.push((location, known.clone()));
            for &edge in &edges_from[location.index()] {
                self.copies(self.program.edge(edge), number, &known)?;
                if self.edges.len() > limit {
                    return None;
                }
            }
        }
        Some((all, std::mem::take(&mut self.edges)))
    }

    fn number(&mut self, place: Place) -> LocationId {
        let key = (place.0, place.1.iter().map(|(id, value)| (*id, value.to_string())).collect());
        let number = LocationId(self.open.len() as u32);
        if let Some(&known) = self.places.get(&key) {
            return known;
        }
        self.places.insert(key, number);
        self.open.push((place, number));
        number
    }

    /// Adds the copies of an edge out of a place; nothing if they are too many.
    fn copies(&mut self, edge: &Edge, from: LocationId, known: &Knowledge) -> Option<()> {
        let map: Known =
            known.iter().map(|(id, value)| (self.program.variable(*id).term(), *value)).collect();
        let mut base = edge.clone();
        base.from = from;
        base.guard = tighten(edge.guard.substitute(&map));
        for (_, term) in base.assign.iter_mut().chain(&mut base.broadcast.assign) {
            *term = term.substitute(&map);
        }
        if base.guard.is_false() {
            return Some(());
        }
        let mut copies: Vec<(Edge, Knowledge)> = vec![(base, Vec::new())];
        for &id in self.chosen.iter().filter(|_| !self.fixed[edge.to.index()]) {
            if !self.liveness.is_live(id, edge.to) {
                continue;
            }
            let mut more = Vec::new();
            for (copy, knowledge) in copies {
                self.cases(copy, knowledge, id, known, &mut more)?;
            }
            if more.len() > COPIES {
                return None;
            }
            copies = more;
        }
        for (mut copy, knowledge) in copies {
            copy.to = self.number((edge.to, knowledge));
            self.edges.push(copy);
        }
        Some(())
    }

    /// An edge for each value that a local may have behind it.
    fn cases(
        &self,
        edge: Edge,
        knowledge: Knowledge,
        id: VariableId,
        before: &Knowledge,
        found: &mut Vec<(Edge, Knowledge)>,
    ) -> Option<()> {
        let assigned = edge.assigned(id);
        let value = assigned.unwrap_or_else(|| {
            let known = before.iter().find(|(known, _)| *known == id).map(|(_, value)| *value);
            known.unwrap_or_else(|| self.program.variable(id).term())
        });
        let values = self.domains.of(value).or_else(|| self.domains.variable(id).cloned())?;
        for literal in values.iter() {
            let mut copy = edge.clone();
            copy.guard = tighten(copy.guard.and(value.equals(literal)));
            if copy.guard.is_false() {
                continue;
            }
            copy.assign
                .iter_mut()
                .filter(|(assigned, _)| *assigned == id)
                .for_each(|(_, term)| *term = literal);
            let mut knowledge = knowledge.clone();
            knowledge.push((id, literal));
            found.push((copy, knowledge));
        }
        Some(())
    }
}

/// The program with other locations and edges.
fn replace(program: &mut Program, places: Vec<Place>, edges: Vec<Edge>) {
    let mut new: FxHashMap<LocationId, LocationId> = FxHashMap::default();
    let mut locations = Vec::with_capacity(places.len());
    for (number, (old, known)) in places.into_iter().enumerate() {
        let mut location = program.location(old).clone();
        let map: Known = known.iter().map(|(id, value)| (program.variable(*id).term(), *value)).collect();
        location.may_end = location.may_end.substitute(&map);
        if known.is_empty() {
            new.insert(old, LocationId(number as u32));
        }
        locations.push(location);
    }
    program.locations = locations;
    program.edges = edges;
    let renumber = |location: &mut LocationId| {
        if let Some(number) = new.get(location) {
            *location = *number;
        }
    };
    renumber(&mut program.main);
    program.pool.iter_mut().for_each(renumber);
    for property in &mut program.properties {
        match &mut property.target {
            Target::Location(location) => renumber(location),
            Target::Race(first, second) => {
                renumber(&mut first.location);
                renumber(&mut second.location);
            }
        }
    }
}
