//! A second opinion on every step in debug builds: the terms themselves, evaluated by `smt::eval`; for steps with unknown bits, the same step
//! with values for them.

use super::layout::{self, Cell, State};
use super::{Interpreter, Step, mask};
use crate::program::random::Random;
use crate::program::{Edge, Input, Scope, VariableId};
use smt::{ArrayValue, Assignment, Bits, Sort, Symbol, Term, Value};
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

/// Whether the step is right whatever the unknown bits are, as far as a few values for them can tell: with each of these there is no next
/// state if there is none here, and otherwise the next state is this one but for its unknown bits.
pub(super) fn covers(
    interpreter: &Interpreter<'_>,
    step: Step<'_>,
    inputs: &[Cell],
    masks: &[Option<Cell>],
    next: Option<&State>,
) -> bool {
    let edge = interpreter.program.edge(step.edge);
    (0..4).all(|seed| {
        let mut guess =
            Guess { seed, random: Random::new(step.state.words.iter().fold(seed, |sum, word| sum ^ word)) };
        let state = guess.state(interpreter, step.state);
        let open = |index: usize| masks.get(index).is_some_and(Option::is_some);
        let inputs: Vec<Cell> = (edge.inputs.iter().zip(inputs).enumerate())
            .map(|(index, (input, cell))| match open(index) {
                true => Cell::new(&guess.value(input.sort)),
                false => cell.clone(),
            })
            .collect();
        let mut made = State::default();
        let step = Step { state: &state, ..step };
        let fired = interpreter.fire(&mut interpreter.machine.clone(), step, &inputs, &[], &mut made);
        fired == next.is_some() && next.is_none_or(|next| includes(interpreter, next, &made))
    })
}

/// Whether a state is another one but for the bits that are unknown in the latter.
fn includes(interpreter: &Interpreter<'_>, state: &State, made: &State) -> bool {
    (0..interpreter.threads).all(|thread| {
        interpreter.location(state, thread) == interpreter.location(made, thread)
            && (0..interpreter.program.variables.len()).all(|index| {
                let id = VariableId(index as u32);
                let made = interpreter.value(made, thread, id);
                filled(interpreter, state, thread, id, &made) == made
            })
    })
}

/// The value of a variable with the bits of another value where it is unknown.
fn filled(
    interpreter: &Interpreter<'_>,
    state: &State,
    thread: usize,
    variable: VariableId,
    other: &Value,
) -> Value {
    let value = interpreter.value(state, thread, variable);
    let Some(slot) = interpreter.layout.mask(variable) else { return value };
    let sort = interpreter.program.variable(variable).data_type.sort();
    mask::fill(&value, &mask::in_state(state, interpreter.base(variable, thread), slot, sort), other)
}

/// Values for unknown bits: zeros, ones, anything.
struct Guess {
    seed: u64,
    random: Random,
}

impl Guess {
    fn value(&mut self, sort: Sort) -> Value {
        match (self.seed, sort) {
            (0, _) => Value::zero(sort),
            (1, _) => mask::all(sort),
            (_, Sort::Bool) => Value::Bool(self.random.chance(1, 2)),
            (_, Sort::BitVec(width)) => {
                let bits = Bits::new(width.min(64), u128::from(self.random.next()));
                Value::Bits(bits.zero_extend(width - width.min(64)))
            }
            (_, Sort::Array(array)) => {
                let default = self.value(array.element);
                let width = array.index.width().unwrap_or(1);
                let value = (0..4).fold(ArrayValue::constant(array.index, default), |value, index| {
                    value.into_stored(Bits::new(width, index), self.value(array.element))
                });
                Value::Array(value)
            }
        }
    }

    /// The state with everything known.
    fn state(&mut self, interpreter: &Interpreter<'_>, state: &State) -> State {
        let mut known = state.clone();
        for index in 0..interpreter.program.variables.len() {
            let id = VariableId(index as u32);
            let variable = interpreter.program.variable(id);
            let Some(slot) = interpreter.layout.mask(id) else { continue };
            let owners = if variable.scope == Scope::Shared { 1 } else { interpreter.threads };
            for thread in 0..owners {
                let guess = self.value(variable.data_type.sort());
                let value = filled(interpreter, state, thread, id, &guess);
                interpreter.set_value(&mut known, thread, id, &value);
                layout::clean(&mut known, interpreter.base(id, thread), slot);
            }
        }
        known
    }
}
