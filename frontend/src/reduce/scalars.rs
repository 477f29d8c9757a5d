//! Small arrays whose indices are all known become a variable for each element.
//!
//! What a step assigns to the array as a whole, it assigns to each element: the value that the new array has there. That is the same
//! program with other names. It is only done where no part of a term needs the array as a whole any more.

use super::cases::{mentioned, small_arrays, terms};
use super::symbols::Symbols;
use crate::program::{DataType, Edge, Program, Scope, Variable, VariableId};
use rustc_hash::FxHashMap;
use smt::{Op, Symbol, Term, Value};
use std::collections::BTreeSet;

/// Arrays with more elements stay: each element costs as much as a variable of its own.
const ELEMENTS: usize = 32;

/// Replaces what can be replaced.
pub(super) fn run(program: &mut Program) {
    let symbols = Symbols::new(program);
    let candidates = known_indices(program, &symbols);
    // To take one array apart does not change which edges mention others.
    let mentioned = mentioned(program, &symbols, &candidates);
    for id in candidates {
        if let Some(elements) = elements(program, id) {
            take_apart(program, id, elements, mentioned.get(&id).map_or(&[], Vec::as_slice));
        }
    }
}

/// Small arrays whose every index is a literal.
fn known_indices(program: &Program, symbols: &Symbols) -> BTreeSet<VariableId> {
    let mut arrays = small_arrays(program, symbols, ELEMENTS);
    let mut seen = rustc_hash::FxHashSet::default();
    let mut stack: Vec<Term> = program.edges.iter().flat_map(terms).collect();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        stack.extend(term.args());
        if let (Op::Select | Op::Store, &[array, index, ..]) = (term.op(), term.args())
            && index.as_bits().is_none()
        {
            symbols.reads(array).for_each(|id| {
                arrays.remove(&id);
            });
        }
    }
    arrays
}

/// A variable for each element, not yet in the program.
fn elements(program: &Program, id: VariableId) -> Option<Vec<Variable>> {
    let array = program.variable(id);
    let DataType::Array { index_width, length: Some(length), element } = &array.data_type else {
        return None;
    };
    let names: BTreeSet<&str> = program.variables.iter().map(|variable| variable.name.as_str()).collect();
    let each = (0..*length).map(|place| {
        let name = format!("{}[{place}]", array.name);
        let init = match &array.init {
            None => None,
            Some(value) => {
                Some(value.as_array()?.select(&smt::Bits::new(*index_width, u128::from(place))).clone())
            }
        };
        let is_new = !names.contains(name.as_str());
        is_new.then(|| Variable {
            name: Symbol::new(&name),
            scope: Scope::Shared,
            data_type: (**element).clone(),
            init: init.map(|value: Value| value),
            identity: false,
            position: array.position,
        })
    });
    each.collect()
}

/// Puts the elements in the place of the array, in the edges that mention it, if nothing needs it as a whole.
fn take_apart(program: &mut Program, id: VariableId, elements: Vec<Variable>, edges: &[usize]) {
    let array = program.variable(id).term();
    let DataType::Array { index_width, .. } = program.variable(id).data_type else { return };
    let first = program.variables.len() as u32;
    let at = |place: usize| Term::bv(index_width, place as u128);
    let map: FxHashMap<Term, Term> = elements
        .iter()
        .enumerate()
        .map(|(place, element)| (array.select(at(place)), element.term()))
        .collect();
    let without = |term: Term| {
        let new = term.substitute(&map);
        (!new.constants().contains(&array)).then_some(new)
    };
    let rewritten = |edge: &Edge| -> Option<Edge> {
        let mut new = edge.clone();
        new.guard = without(edge.guard)?;
        new.assign.clear();
        for &(assigned, term) in &edge.assign {
            if assigned != id {
                new.assign.push((assigned, without(term)?));
                continue;
            }
            for (place, element) in elements.iter().enumerate() {
                let value = without(term.select(at(place)))?;
                if value != element.term() {
                    new.assign.push((VariableId(first + place as u32), value));
                }
            }
        }
        for (_, term) in &mut new.broadcast.assign {
            *term = without(*term)?;
        }
        Some(new)
    };
    let new: Option<Vec<Edge>> = edges.iter().map(|edge| rewritten(&program.edges[*edge])).collect();
    if let Some(new) = new {
        for (place, edge) in edges.iter().zip(new) {
            program.edges[*place] = edge;
        }
        program.variables.extend(elements);
    }
}
