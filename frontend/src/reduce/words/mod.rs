//! Words with parts become a variable for each part: the two halves of a ticket lock in one word, the flag in the top bit of a counter.
//!
//! Programs put two counters into one word to change both at once. Shifts and masks say where the parts meet ([`demand`]). If all that the program does with the word can be said of
//! the parts one by one ([`slices`]), they become variables: an assignment to the word is an assignment to each of them in the same step, and a state of the one program is a state of the other.
//! So the same violations are reached, in the same steps. Engines gain: what holds of a part is a relation between variables, and parts can be counters.
//!
//! Words that are copied to each other or compared are taken apart together, or not at all: where a term still needs two parts side by side (a carry from one into the next), nothing is
//! gained. Words that properties, predicates of the user or broadcasts mention stay as they are.

mod demand;
mod slices;

use super::cases::{asked_about, mentioned};
use super::coalesce::in_broadcasts;
use super::symbols::Symbols;
use crate::program::{DataType, Edge, Program, Variable, VariableId};
use rustc_hash::FxHashMap;
use slices::{Slicer, Word};
use smt::{Symbol, Term, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Words with more places where parts meet stay: each part costs as much as a variable of its own.
const MOST_CUTS: usize = 3;

/// Takes apart what can be taken apart.
pub(super) fn run(program: &mut Program) {
    let symbols = Symbols::new(program);
    let candidates = candidates(program, &symbols);
    let Some(cuts) = demand::cuts(program, &symbols, &candidates) else { return };
    let groups = groups(program, &symbols, &candidates, &cuts);
    // To take one group apart does not change which edges mention others.
    let words = groups.iter().flat_map(|(group, _)| group).copied().collect();
    let mentioned = mentioned(program, &symbols, &words);
    for (group, cuts) in groups {
        let edges: BTreeSet<usize> =
            group.iter().filter_map(|id| mentioned.get(id)).flatten().copied().collect();
        // One place may do where all of them together do not.
        let alone = cuts.iter().map(|&cut| BTreeSet::from([cut]));
        let all = (1..=MOST_CUTS).contains(&cuts.len()).then(|| cuts.clone());
        for cuts in all.into_iter().chain(alone) {
            if take_apart(program, &symbols, &group, &cuts, &edges) {
                break;
            }
        }
    }
}

/// Numbers that nothing but the steps of threads mentions.
fn candidates(program: &Program, symbols: &Symbols) -> BTreeSet<VariableId> {
    let ends = program.locations.iter().flat_map(|location| symbols.readings(location.may_end));
    let mut kept = asked_about(program, symbols);
    kept.extend(ends.map(|reading| reading.variable()).chain(in_broadcasts(program, symbols)));
    let is_number = |variable: &Variable| {
        !variable.identity && matches!(variable.data_type, DataType::Int { width: 2..=128, .. })
    };
    let numbers = program.variables.iter().enumerate().filter(|(_, variable)| is_number(variable));
    numbers.map(|(index, _)| VariableId(index as u32)).filter(|id| !kept.contains(id)).collect()
}

/// Variables that are copied to each other or compared, with the places where parts of any of them meet.
fn groups(
    program: &Program,
    symbols: &Symbols,
    candidates: &BTreeSet<VariableId>,
    cuts: &BTreeMap<VariableId, BTreeSet<u32>>,
) -> Vec<(BTreeSet<VariableId>, BTreeSet<u32>)> {
    let mut groups: Vec<BTreeSet<VariableId>> = candidates.iter().map(|&id| BTreeSet::from([id])).collect();
    let mut group_of: FxHashMap<VariableId, usize> = candidates.iter().copied().zip(0..).collect();
    let mut stays = vec![false; groups.len()];
    for (one, other) in demand::neighbours(program, symbols) {
        let (one, other) = match (group_of.get(&one), group_of.get(&other)) {
            (Some(&one), Some(&other)) => (one, other),
            (Some(&group), None) | (None, Some(&group)) => {
                stays[group] = true;
                continue;
            }
            (None, None) => continue,
        };
        if one != other {
            stays[one] |= stays[other];
            let moved = std::mem::take(&mut groups[other]);
            moved.iter().for_each(|id| {
                group_of.insert(*id, one);
            });
            groups[one].extend(moved);
        }
    }
    let cuts_of = |group: &BTreeSet<VariableId>| -> BTreeSet<u32> {
        group.iter().filter_map(|id| cuts.get(id)).flatten().copied().collect()
    };
    let free = groups.into_iter().zip(stays).filter(|(_, stays)| !stays);
    let with_cuts = free.map(|(group, _)| {
        let cuts = cuts_of(&group);
        (group, cuts)
    });
    with_cuts.filter(|(_, cuts)| !cuts.is_empty()).collect()
}

/// The parts of a word as variables, from the last bits up; nothing if their names are taken.
fn parts(program: &Program, id: VariableId, cuts: &BTreeSet<u32>) -> Option<Vec<Variable>> {
    let word = program.variable(id);
    let width = word.term().width();
    let inside = cuts.iter().copied().filter(|&cut| cut < width);
    let bounds: Vec<u32> = std::iter::once(0).chain(inside).chain([width]).collect();
    let pairs = bounds.windows(2).map(|pair| (pair[0], pair[1]));
    let parts = pairs.map(|(low, end)| {
        let name = match (low, end == width) {
            (0, _) => format!("{} % {}", word.name, power(end)?),
            (_, true) => format!("{} / {}", word.name, power(low)?),
            _ => format!("{} / {} % {}", word.name, power(low)?, power(end.saturating_sub(low))?),
        };
        let init = match &word.init {
            None => None,
            Some(value) => {
                let part = Term::value(value).extract(end.saturating_sub(1), low);
                Some(Value::Bits(part.as_bits()?.clone()))
            }
        };
        let data_type = DataType::Int { width: end.saturating_sub(low), signed: false };
        let name = Symbol::new(&name);
        let is_new = program.variables.iter().all(|variable| variable.name != name);
        is_new.then(|| Variable { name, data_type, init, ..word.clone() })
    });
    parts.collect()
}

fn power(exponent: u32) -> Option<u128> {
    1u128.checked_shl(exponent)
}

/// Puts the parts in the place of the words of a group, in the edges that mention one, if nothing needs one as a whole. Whether that was so.
fn take_apart(
    program: &mut Program,
    symbols: &Symbols,
    group: &BTreeSet<VariableId>,
    cuts: &BTreeSet<u32>,
    edges: &BTreeSet<usize>,
) -> bool {
    let mut added: Vec<Variable> = Vec::new();
    let mut words: FxHashMap<Term, Word> = FxHashMap::default();
    // By variable of the group: the numbers of its parts.
    let mut places: FxHashMap<VariableId, Vec<VariableId>> = FxHashMap::default();
    for &id in group {
        let Some(parts) = parts(program, id, cuts) else { return false };
        let numbers = (program.variables.len() + added.len()) as u32..;
        places.insert(id, numbers.zip(&parts).map(|(number, _)| VariableId(number)).collect());
        words.insert(symbols.own(id), Word::new(parts.iter().map(Variable::term).collect()));
        added.extend(parts);
    }
    let mut slicer = Slicer::new(words);
    let rewrite = |edge: &Edge| -> Option<Edge> {
        let mut new = edge.clone();
        new.guard = slicer.whole(edge.guard)?;
        new.assign.clear();
        for &(id, term) in &edge.assign {
            let Some(parts) = places.get(&id) else {
                new.assign.push((id, slicer.whole(term)?));
                continue;
            };
            for (part, (high, low)) in parts.iter().zip(slicer.bounds(symbols.own(id))) {
                new.assign.push((*part, slicer.part(term, high, low)?));
            }
        }
        new.assign.sort_by_key(|&(id, _)| id);
        Some(new)
    };
    let new: Option<Vec<Edge>> = edges.iter().map(|&index| &program.edges[index]).map(rewrite).collect();
    let Some(new) = new else { return false };
    program.variables.extend(added);
    for (&index, mut edge) in edges.iter().zip(new) {
        edge.assign.retain(|(id, term)| *term != program.variable(*id).term());
        program.edges[index] = edge;
    }
    true
}

#[cfg(test)]
mod tests;
