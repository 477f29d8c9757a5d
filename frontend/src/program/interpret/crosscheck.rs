//! A second opinion on every step in debug builds: the terms themselves, evaluated by `smt::eval`.

use super::layout::{Cell, State};
use super::{Interpreter, Step};
use crate::program::{Edge, Input, Scope, VariableId};
use smt::{Assignment, Sort, Symbol, Term, Value};
use std::collections::BTreeMap;

/// Whether the evaluator comes to the same result: no next state if the guard is false, otherwise this one.
pub(super) fn agrees(
    interpreter: &Interpreter<'_>,
    step: Step<'_>,
    inputs: &[Cell],
    passive_inputs: &[Cell],
    next: Option<&State>,
) -> bool {
    let edge = interpreter.program.edge(step.edge);
    let mut values = View { interpreter, step, passive: step.thread, inputs: BTreeMap::new() };
    values.bind(&edge.inputs, inputs);
    let guard = smt::eval(edge.guard, &values).ok();
    let Some(next) = next else { return guard == Some(Value::Bool(false)) };
    if guard != Some(Value::Bool(true)) {
        return false;
    }
    if interpreter.location(next, step.thread) != edge.to {
        return false;
    }
    let changed = unchanged_or(&values, edge, &edge.assign, next, step.thread);
    let others = (0..interpreter.threads).filter(|&thread| thread != step.thread);
    changed
        && others.enumerate().all(|(position, thread)| {
            values.passive = thread;
            values
                .bind(&edge.broadcast.inputs, interpreter.passive_part(step.edge, passive_inputs, position));
            interpreter.location(next, thread) == interpreter.location(step.state, thread)
                && unchanged_or(&values, edge, &edge.broadcast.assign, next, thread)
        })
}

/// Whether the thread sees the assigned values, and the old ones of all other variables.
fn unchanged_or(
    view: &View<'_>,
    edge: &Edge,
    assign: &[(VariableId, Term)],
    next: &State,
    thread: usize,
) -> bool {
    let interpreter = view.interpreter;
    (0..interpreter.program.variables.len()).all(|index| {
        let id = VariableId(index as u32);
        let shared = interpreter.program.variable(id).scope == Scope::Shared;
        let assign = if shared { &edge.assign } else { assign };
        let found = interpreter.value(next, thread, id);
        match assign.iter().find(|(variable, _)| *variable == id) {
            Some(_) if shared && thread != view.step.thread => true,
            Some((_, term)) => smt::eval(*term, view) == Ok(found),
            None => found == interpreter.value(view.step.state, thread, id),
        }
    })
}

/// What terms see in a step.
struct View<'a> {
    interpreter: &'a Interpreter<'a>,
    step: Step<'a>,
    passive: usize,
    inputs: BTreeMap<Symbol, Value>,
}

impl View<'_> {
    fn bind(&mut self, inputs: &[Input], cells: &[Cell]) {
        for (input, cell) in inputs.iter().zip(cells) {
            self.inputs.insert(input.name, cell.value(input.sort));
        }
    }
}

impl Assignment for View<'_> {
    fn value(&self, name: Symbol, _sort: Sort) -> Option<Value> {
        if let Some(value) = self.inputs.get(&name) {
            return Some(value.clone());
        }
        let &(variable, passive) = self.interpreter.names.get(&name)?;
        let thread = if passive { self.passive } else { self.step.thread };
        Some(self.interpreter.value(self.step.state, thread, variable))
    }
}
