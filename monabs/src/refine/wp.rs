//! Weakest preconditions along an infeasible path: the atoms that a proof of its infeasibility can be made of.
//!
//! Starting with the guards, atoms are taken backward over the steps. In them the locals of thread `i` have
//! the name `x#i`. Atoms that mention a value that a step chose are given up.

use super::atoms::atoms;
use crate::path::Path;
use crate::scope::Setting;
use frontend::program::{Edge, VariableId};
use rustc_hash::FxHashMap;
use smt::{Substitution, Symbol, Term};

/// Larger atoms are no good predicates.
const MAX_SIZE: usize = 40;
/// At most so many atoms are taken over a step.
const MAX_ATOMS: usize = 80;

/// A local of a thread in the atoms of a path.
pub fn local_of(setting: &Setting<'_>, variable: VariableId, thread: usize) -> Term {
    let declared = setting.program.variable(variable);
    Term::constant(Symbol::new(&format!("{}#{thread}", declared.name)), declared.data_type.sort())
}

/// Atoms by position: those of position `i` are about the state before step `i`.
pub fn preconditions(setting: &Setting<'_>, path: &Path) -> Vec<Vec<Term>> {
    let steps = path.steps.len();
    let mut positions = vec![Vec::new(); steps];
    let mut current: Vec<Term> = Vec::new();
    for number in (0..steps).rev() {
        let (thread, edge) = path.steps[number];
        let edge = setting.program.edge(edge);
        let mut before = Vec::new();
        let mut substitution = Substitution::new(effect(setting, path.threads, number, thread, edge));
        for atom in current {
            atoms(substitution.apply(atom), &mut before);
        }
        let mut guard = Substitution::new(reading(setting, number, thread, edge));
        atoms(guard.apply(edge.guard), &mut before);
        before.retain(|atom| atom.size() <= MAX_SIZE && !mentions_choice(*atom));
        before.sort_by(|one, two| one.size().cmp(&two.size()).then_with(|| one.cmp_structural(*two)));
        before.dedup();
        before.truncate(MAX_ATOMS);
        positions[number].clone_from(&before);
        current = before;
    }
    positions
}

fn mentions_choice(atom: Term) -> bool {
    atom.constants()
        .iter()
        .any(|constant| constant.as_constant().is_some_and(|name| name.as_str().contains("#in.")))
}

fn input(number: usize, name: Symbol, thread: usize) -> Symbol {
    Symbol::new(&format!("{name}#in.{number}.{thread}"))
}

/// How an edge's terms read the state when a thread takes it.
fn reading(setting: &Setting<'_>, number: usize, thread: usize, edge: &Edge) -> FxHashMap<Term, Term> {
    let mut map = FxHashMap::default();
    for (index, declared) in setting.program.variables.iter().enumerate() {
        let variable = VariableId(index as u32);
        if !setting.is_shared(variable) {
            map.insert(declared.term(), local_of(setting, variable, thread));
        }
    }
    for choice in &edge.inputs {
        map.insert(choice.term(), Term::constant(input(number, choice.name, thread), choice.sort));
    }
    map
}

/// What the variables after a step are before it.
fn effect(
    setting: &Setting<'_>,
    threads: usize,
    number: usize,
    thread: usize,
    edge: &Edge,
) -> FxHashMap<Term, Term> {
    let reading = reading(setting, number, thread, edge);
    let mut substitution = Substitution::new(reading.clone());
    let mut map = FxHashMap::default();
    for (variable, term) in &edge.assign {
        let value = substitution.apply(*term);
        let target = if setting.is_shared(*variable) {
            setting.program.variable(*variable).term()
        } else {
            local_of(setting, *variable, thread)
        };
        map.insert(target, value);
    }
    for other in (0..threads).filter(|&other| other != thread && !edge.broadcast.is_empty()) {
        let mut reading = reading.clone();
        for (index, declared) in setting.program.variables.iter().enumerate() {
            let variable = VariableId(index as u32);
            if !setting.is_shared(variable) {
                reading.insert(declared.passive_term(), local_of(setting, variable, other));
            }
        }
        for choice in &edge.broadcast.inputs {
            reading.insert(choice.term(), Term::constant(input(number, choice.name, other), choice.sort));
        }
        let mut substitution = Substitution::new(reading);
        for (variable, term) in &edge.broadcast.assign {
            map.insert(local_of(setting, *variable, other), substitution.apply(*term));
        }
    }
    map
}
