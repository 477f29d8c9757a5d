//! A given schedule: every step is checked, and an error says which one is impossible and why.

use super::layout::State;
use super::{Interpreter, InterpreterError, StepError};
use crate::program::{InitialValue, NoteId, Program, Run, VariableId};
use smt::{Sort, Value};
use std::collections::BTreeMap;

/// Why a run is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// There is nothing to run it on.
    #[error(transparent)]
    Interpreter(#[from] InterpreterError),
    /// An initial value for something that has no free one: an unknown variable, a variable with another initial value, a thread for a
    /// shared variable or none for a local one.
    #[error("the initial value of variable {} (thread {thread:?}) cannot be chosen", .variable.0)]
    InitialValue {
        /// The variable.
        variable: VariableId,
        /// The thread.
        thread: Option<usize>,
    },
    /// An initial value of the wrong sort.
    #[error("the initial value of variable {} has the sort {expected}, not {found}", .variable.0)]
    InitialSort {
        /// The variable.
        variable: VariableId,
        /// What it should be.
        expected: Sort,
        /// What it is.
        found: Sort,
    },
    /// A step that is not possible.
    #[error("step {}: {error}", .step + 1)]
    Step {
        /// Its index in the run.
        step: usize,
        /// Why.
        error: StepError,
    },
}

/// What happened in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Violated properties by name, with the number of steps before the first state that violates them.
    pub violated: BTreeMap<String, usize>,
    /// Steps that the real program may not be able to do, with the notes that say why.
    pub approximate: Vec<(usize, NoteId)>,
    /// All states, the initial one first.
    pub states: Vec<State>,
}

/// Replays a run with as many threads as it has.
pub fn replay(program: &Program, run: &Run) -> Result<Outcome, ReplayError> {
    replay_with(&Interpreter::new(program, run.threads)?, run)
}

/// Replays a run on an interpreter for as many threads.
pub(crate) fn replay_with(interpreter: &Interpreter<'_>, run: &Run) -> Result<Outcome, ReplayError> {
    let state = initial_state(interpreter, &run.initial)?;
    let mut outcome = Outcome { violated: BTreeMap::new(), approximate: Vec::new(), states: Vec::new() };
    outcome.visit(interpreter, state);
    for (index, choice) in run.steps.iter().enumerate() {
        let state = outcome
            .states
            .last()
            .map_or(Err(StepError::NoSuchThread(choice.thread)), |state| interpreter.step(state, choice));
        let state = state.map_err(|error| ReplayError::Step { step: index, error })?;
        let note = interpreter.program.edge(choice.edge).approximate;
        outcome.approximate.extend(note.map(|note| (index, note)));
        outcome.visit(interpreter, state);
    }
    Ok(outcome)
}

impl Outcome {
    fn visit(&mut self, interpreter: &Interpreter<'_>, state: State) {
        for name in interpreter.violated(&state) {
            self.violated.entry(name.to_owned()).or_insert(self.states.len());
        }
        self.states.push(state);
    }
}

/// The initial state with the given values; those that are not given are zero.
fn initial_state(interpreter: &Interpreter<'_>, given: &[InitialValue]) -> Result<State, ReplayError> {
    let mut values: BTreeMap<(VariableId, Option<usize>), Value> = BTreeMap::new();
    for InitialValue { variable, thread, value } in given {
        let (variable, thread) = (*variable, *thread);
        let impossible = ReplayError::InitialValue { variable, thread };
        let Some(declared) = interpreter.program.variables.get(variable.index()) else {
            return Err(impossible);
        };
        let expected = declared.data_type.sort();
        if value.sort() != expected {
            return Err(ReplayError::InitialSort { variable, expected, found: value.sort() });
        }
        let fits = match thread {
            None => declared.scope == crate::program::Scope::Shared,
            Some(thread) => declared.scope == crate::program::Scope::Local && thread < interpreter.threads,
        };
        if !fits || declared.init.as_ref().is_some_and(|init| init != value) {
            return Err(impossible);
        }
        values.insert((variable, thread), value.clone());
    }
    let program = interpreter.program;
    Ok(interpreter.initial_state(|variable, thread| {
        let given = values.get(&(variable, thread)).cloned();
        given.unwrap_or_else(|| Value::zero(program.variable(variable).data_type.sort()))
    }))
}
