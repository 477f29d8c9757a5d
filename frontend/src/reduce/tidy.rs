//! The last pass: no gaps and no remains, in an order that depends on the program alone.
//!
//! Locations that no thread can get to and variables that occur nowhere are dropped, and the rest renumbered in the
//! order it had; edges are sorted by the location that they leave. Predicates of the user about variables that are gone
//! say nothing about the program any more, and go with them, as do those that have become true or false. Notes stay, they are for
//! the user, except those that marked steps which are gone.

use super::graph;
use super::symbols::{Reading, Symbols};
use crate::program::{NoteId, Program, PropertyKind, Target, VariableId};
use smt::Term;
use std::collections::BTreeSet;

/// Cleans up.
pub(super) fn run(program: &mut Program) {
    graph::drop_unreachable(program);
    drop_limits(program);
    program.edges.sort_by_key(|edge| edge.from);
    drop_variables(program);
}

/// The notes that mark steps.
pub(super) fn marked_notes(program: &Program) -> BTreeSet<NoteId> {
    program.edges.iter().filter_map(|edge| edge.approximate).collect()
}

/// Drops notes that marked steps before and do not any more.
pub(super) fn drop_notes(program: &mut Program, before: &BTreeSet<NoteId>) {
    let now = marked_notes(program);
    let is_kept =
        |index: usize| !before.contains(&NoteId(index as u32)) || now.contains(&NoteId(index as u32));
    let mut new = Vec::with_capacity(program.notes.len());
    let mut number = 0;
    for index in 0..program.notes.len() {
        new.push(NoteId(number));
        number += u32::from(is_kept(index));
    }
    let mut index = 0;
    program.notes.retain(|_| {
        index += 1;
        is_kept(index - 1)
    });
    program
        .edges
        .iter_mut()
        .for_each(|edge| edge.approximate = edge.approximate.map(|note| new[note.0 as usize]));
}

/// A limit of what is modelled that no step leads to is nothing that the user should read about.
fn drop_limits(program: &mut Program) {
    let mut is_entered = vec![false; program.locations.len()];
    program.edges.iter().for_each(|edge| is_entered[edge.to.index()] = true);
    is_entered[program.main.index()] = true;
    program.pool.iter().for_each(|pool| is_entered[pool.index()] = true);
    let before = program.properties.len();
    program.properties.retain(|property| match property.target {
        Target::Location(location) => property.kind != PropertyKind::Limit || is_entered[location.index()],
        Target::Race(..) => true,
    });
    if program.properties.len() < before {
        graph::drop_unreachable(program);
    }
}

fn drop_variables(program: &mut Program) {
    let symbols = Symbols::new(program);
    let is_used = used(program, &symbols);
    let is_left = |term: Term| {
        symbols.readings(term).all(|reading| {
            let (Reading::Own(id) | Reading::Passive(id)) = reading;
            is_used[id.index()]
        })
    };
    program.predicates.retain(|predicate| predicate.term.as_bool().is_none() && is_left(predicate.term));
    let mut number = 0;
    let new: Vec<VariableId> = is_used
        .iter()
        .map(|&is_used| {
            let id = VariableId(number);
            number += u32::from(is_used);
            id
        })
        .collect();
    let mut kept = is_used.iter();
    program.variables.retain(|_| kept.next().copied().unwrap_or(false));
    for edge in &mut program.edges {
        for (id, _) in edge.assign.iter_mut().chain(&mut edge.broadcast.assign) {
            *id = new[id.index()];
        }
    }
    for location in &mut program.locations {
        location.live.retain(|id| is_used[id.index()]);
        location.live.iter_mut().for_each(|id| *id = new[id.index()]);
    }
}

/// By variable: occurs in an edge or in a property.
fn used(program: &Program, symbols: &Symbols) -> Vec<bool> {
    let mut used = vec![false; program.variables.len()];
    let mut read = |term: Term| {
        for reading in symbols.readings(term) {
            let (Reading::Own(id) | Reading::Passive(id)) = reading;
            used[id.index()] = true;
        }
    };
    for edge in &program.edges {
        read(edge.guard);
        edge.assign.iter().chain(&edge.broadcast.assign).for_each(|&(_, term)| read(term));
    }
    for property in &program.properties {
        if let Target::Race(first, second) = &property.target {
            first.index.iter().chain(&second.index).for_each(|&index| read(index));
        }
    }
    for edge in &program.edges {
        edge.assign.iter().chain(&edge.broadcast.assign).for_each(|&(id, _)| used[id.index()] = true);
    }
    used
}
