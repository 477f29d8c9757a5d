//! Values that nobody chooses unless somebody looks at them.
//!
//! If a step or the start may choose among more values than can be tried, the value first stays open: its bits are unknown ([`super::mask`]).
//! Unknown bits are moved, stored and computed with, but as soon as a guard, an index of a race or anything else that decides looks at one, it must be
//! chosen: the exploration starts again, with samples. If it ends without that, it has seen everything: each run with whatever
//! values takes the same edges as one that was seen, and the values in its states differ from those seen in unknown bits only. For the same reason
//! a run that was seen is a run with zeros for all that is open.
//!
//! A local array without an initialiser is the frequent case: its elements are stored before they are read.

use super::domain::{self, InputDomain};
use super::layout::Cell;
use super::mask;
use crate::program::{Edge, LocationId, Program, Scope, VariableId};
use rustc_hash::FxHashSet;
use smt::{Sort, Symbol, Term};

/// A variable without an initial value, and whose it is.
pub(super) type Unknown = (VariableId, Option<usize>);

/// What stays open, and which variables that concerns.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// By edge and input, the mask of an open one; empty for edges that choose all their inputs.
    inputs: Vec<Vec<Option<Cell>>>,
    /// Sorted.
    initial: Vec<Unknown>,
    /// By variable, whether it may ever have unknown bits.
    masked: Vec<bool>,
}

impl Plan {
    /// What to leave open in this program, if anything.
    pub(super) fn new(program: &Program, domain: &InputDomain, unknown: &[Unknown]) -> Option<Plan> {
        let sort_of = |id: VariableId| program.variable(id).data_type.sort();
        let sorts: Vec<Sort> = unknown.iter().map(|(id, _)| sort_of(*id)).collect();
        let open = too_many(&sorts, domain.max_initial_states);
        let initial: Vec<Unknown> =
            unknown.iter().zip(open).filter(|(_, open)| *open).map(|(unknown, _)| *unknown).collect();
        let inputs: Vec<_> =
            program.edges.iter().map(|edge| open_inputs(edge, domain.max_input_values)).collect();
        if initial.is_empty() && inputs.iter().all(Vec::is_empty) {
            return None;
        }
        let masked = masked(program, &inputs, &initial);
        Some(Plan { inputs, initial, masked })
    }

    /// The masks of an edge's inputs; empty if all of them are chosen.
    pub(super) fn inputs(&self, edge: usize) -> &[Option<Cell>] {
        &self.inputs[edge]
    }

    /// Which initial values are open.
    pub(super) fn initial(&self) -> &[Unknown] {
        &self.initial
    }

    /// Whether a variable may have unknown bits.
    pub(super) fn is_masked(&self, variable: VariableId) -> bool {
        self.masked[variable.index()]
    }
}

/// Which choices to leave open so that all combinations of the others can be tried: those with the most values.
fn too_many(sorts: &[Sort], limit: usize) -> Vec<bool> {
    let mut order: Vec<usize> = (0..sorts.len()).collect();
    let count = |index: usize| domain::cardinality(sorts[index]);
    order.sort_by_key(|&index| count(index).unwrap_or(usize::MAX));
    let mut open = vec![false; sorts.len()];
    let mut product = 1_usize;
    for index in order {
        match count(index).and_then(|count| product.checked_mul(count)).filter(|&total| total <= limit) {
            Some(total) => product = total,
            None => open[index] = true,
        }
    }
    open
}

/// The masks of the inputs that an edge leaves open. Edges with broadcasts leave none: they are rare.
fn open_inputs(edge: &Edge, limit: usize) -> Vec<Option<Cell>> {
    if !edge.broadcast.is_empty() {
        return Vec::new();
    }
    let used = domain::used_constants(edge);
    let sorts: Vec<Sort> =
        edge.inputs.iter().filter(|input| used.contains(&input.name)).map(|input| input.sort).collect();
    let mut open = too_many(&sorts, limit).into_iter();
    let is_open = |name| used.contains(&name) && open.next().unwrap_or(false);
    let open: Vec<bool> = edge.inputs.iter().map(|input| input.name).map(is_open).collect();
    if !open.contains(&true) {
        return Vec::new();
    }
    let masks = edge.inputs.iter().zip(open);
    masks.map(|(input, open)| open.then(|| Cell::new(&mask::all(input.sort)))).collect()
}

/// The variables that unknown bits may get to.
fn masked(program: &Program, inputs: &[Vec<Option<Cell>>], initial: &[Unknown]) -> Vec<bool> {
    let mut masked = vec![false; program.variables.len()];
    let mut names: FxHashSet<Symbol> = FxHashSet::default();
    for (id, _) in initial {
        masked[id.index()] = true;
        names.insert(program.variable(*id).name);
    }
    // Each assigned variable with what it is computed from, and whether an open input is among that.
    let mut flows: Vec<(VariableId, Vec<Symbol>, bool)> = Vec::new();
    for (edge, inputs) in program.edges.iter().zip(inputs) {
        let open = edge.inputs.iter().zip(inputs).filter(|(_, mask)| mask.is_some());
        let open: Vec<Symbol> = open.map(|(input, _)| input.name).collect();
        for &(id, term) in &edge.assign {
            let read: Vec<Symbol> = term.constants().into_iter().filter_map(Term::as_constant).collect();
            let is_open = read.iter().any(|name| open.contains(name));
            flows.push((id, read, is_open));
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        for (id, read, is_open) in &flows {
            if !masked[id.index()] && (*is_open || read.iter().any(|name| names.contains(name))) {
                masked[id.index()] = true;
                names.insert(program.variable(*id).name);
                changed = true;
            }
        }
    }
    masked
}

/// Variables without an initial value, sorted, locals once for each thread, which start there. Without those that are not live at the start, if dead ones are forgotten.
pub(super) fn unknown(program: &Program, starts: &[LocationId], forget_dead: bool) -> Vec<Unknown> {
    let mut unknown = Vec::new();
    for (index, variable) in program.variables.iter().enumerate() {
        let id = VariableId(index as u32);
        let is_live =
            |thread: usize| !forget_dead || program.location(starts[thread]).live.binary_search(&id).is_ok();
        match (&variable.init, variable.scope) {
            (Some(_), _) => {}
            (None, Scope::Shared) => unknown.push((id, None)),
            (None, Scope::Local) => {
                let threads = (0..starts.len()).filter(|&thread| is_live(thread));
                unknown.extend(threads.map(|thread| (id, Some(thread))));
            }
        }
    }
    unknown
}
