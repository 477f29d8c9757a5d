//! The sections of a program: which atomic locations belong together, in which order, and which cannot be composed.

use super::Context;
use crate::program::{Edge, LocationId, Program, Scope, Target};
use crate::reduce::symbols::Symbols;
use rustc_hash::FxHashMap;

/// A connected set of atomic locations.
pub(super) struct Section {
    /// If there is no loop, each before those that come after it.
    pub(super) locations: Vec<LocationId>,
    /// Whether there is no loop.
    pub(super) is_acyclic: bool,
}

/// All sections, by their first location.
pub(super) fn find(context: &Context<'_>) -> Vec<Section> {
    let mut is_found = vec![false; context.program.locations.len()];
    let mut sections = Vec::new();
    for index in 0..context.program.locations.len() {
        let start = LocationId(index as u32);
        if context.is_atomic(start) && !is_found[index] {
            let locations = connected(context, start, &mut is_found);
            sections.push(sort(context, locations));
        }
    }
    sections
}

fn connected(context: &Context<'_>, start: LocationId, is_found: &mut [bool]) -> Vec<LocationId> {
    let mut locations = vec![start];
    is_found[start.index()] = true;
    let mut next = 0;
    while let Some(&location) = locations.get(next) {
        next += 1;
        let after = context.edges_from[location.index()].iter().map(|&id| context.program.edge(id).to);
        let before = context.edges_to[location.index()].iter().map(|&id| context.program.edge(id).from);
        for neighbour in after.chain(before) {
            if context.is_atomic(neighbour) && !std::mem::replace(&mut is_found[neighbour.index()], true) {
                locations.push(neighbour);
            }
        }
    }
    locations.sort_unstable();
    locations
}

/// Sorts the locations along the edges between them, if there is no loop.
fn sort(context: &Context<'_>, locations: Vec<LocationId>) -> Section {
    let program = context.program;
    let inside = |&location: &LocationId| {
        let edges = context.edges_to[location.index()].iter();
        edges.filter(|&&id| context.is_atomic(program.edge(id).from)).count()
    };
    let mut before: FxHashMap<LocationId, usize> = locations.iter().map(|l| (*l, inside(l))).collect();
    let mut sorted: Vec<LocationId> = locations.iter().copied().filter(|l| before[l] == 0).collect();
    let mut next = 0;
    while let Some(&location) = sorted.get(next) {
        next += 1;
        for &id in &context.edges_from[location.index()] {
            let to = program.edge(id).to;
            if let Some(count) = before.get_mut(&to) {
                *count -= 1;
                if *count == 0 {
                    sorted.push(to);
                }
            }
        }
    }
    let is_acyclic = sorted.len() == locations.len();
    Section { locations: if is_acyclic { sorted } else { locations }, is_acyclic }
}

/// Where states inside of sections matter: what races are about.
pub(super) struct Races {
    /// By location: an access that may race.
    locations: Vec<bool>,
    /// By variable: an index reads it.
    variables: Vec<bool>,
}

impl Races {
    /// Those of the program's properties.
    pub(super) fn new(program: &Program, symbols: &Symbols) -> Races {
        let mut races = Races {
            locations: vec![false; program.locations.len()],
            variables: vec![false; program.variables.len()],
        };
        for property in &program.properties {
            let Target::Race(first, second) = &property.target else { continue };
            for access in [first, second] {
                races.locations[access.location.index()] = true;
                let read = access.index.iter().flat_map(|&index| symbols.reads(index));
                read.for_each(|id| races.variables[id.index()] = true);
            }
        }
        races
    }

    /// Whether the step changes what indices of other threads read.
    fn sees(&self, program: &Program, edge: &Edge) -> bool {
        let shared = edge.assign.iter().filter(|(id, _)| program.variable(*id).scope == Scope::Shared);
        shared.chain(&edge.broadcast.assign).any(|(id, _)| self.variables[id.index()])
    }
}

/// Whether the states inside the section matter, or it cannot be composed at all.
pub(super) fn must_hold(context: &Context<'_>, races: &Races, section: &Section) -> bool {
    let program = context.program;
    if !section.is_acyclic || section.locations.contains(&program.main) {
        return true;
    }
    section.locations.iter().any(|location| {
        let index = location.index();
        let mut edges = context.edges_from[index].iter().chain(&context.edges_to[index]);
        races.locations[index] || edges.any(|&id| races.sees(program, program.edge(id)))
    })
}
