//! Runs with thread numbers, and how they are shown.
//!
//! A [`Run`] has nothing but choices; the states follow from them. Showing a run therefore means replaying it: what cannot be
//! replayed is not shown. [`Trace`] is a replayed run with the values that each step changed; it is written for people
//! ([`text`]) and for programs ([`json`]).

mod access;
mod columns;
mod decisive;
pub mod json;
mod names;
mod story;
pub mod text;
mod why;

pub use access::Access;
pub use names::Names;
pub use story::Row;
pub use text::Form;

use super::interpret::{self, Interpreter, Outcome, ReplayError, State};
use super::{Edge, EdgeId, LocationId, NoteId, Program, Property, PropertyKind, Scope, Target, VariableId};
use smt::Value;
use std::collections::BTreeMap;

/// The counter of the library's models that a thread changes when it says that it waits for ever.
const STUCK: &str = "library.stuck";

/// A run of a fixed number of threads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Run {
    /// How many threads there are, the initial one, number 0, included.
    pub threads: usize,
    /// Values of variables that have no initial value in the program; zero where none is given.
    pub initial: Vec<InitialValue>,
    /// What happens.
    pub steps: Vec<Choice>,
}

/// The first value of a variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InitialValue {
    /// The variable.
    pub variable: VariableId,
    /// Whose copy; none for shared variables.
    pub thread: Option<usize>,
    /// Its value.
    pub value: Value,
}

/// One step: everything that is not determined by the state before.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Choice {
    /// The active thread.
    pub thread: usize,
    /// The edge that it takes.
    pub edge: EdgeId,
    /// Values of the edge's inputs.
    pub inputs: Vec<Value>,
    /// By thread, values of the broadcast's inputs, none for the active thread; empty if the broadcast has no inputs.
    pub passive_inputs: Vec<Vec<Value>>,
}

/// A run that was replayed.
#[derive(Clone, Debug)]
pub struct Trace<'a> {
    program: &'a Program,
    /// How many threads there are.
    pub threads: usize,
    /// First values that the program leaves open, zero included.
    pub initial: Vec<Change>,
    /// What happened.
    pub steps: Vec<TraceStep<'a>>,
    /// Violated properties by name, with the number of steps before.
    pub violated: BTreeMap<String, usize>,
    /// Steps that the real program may not be able to do.
    pub approximate: Vec<(usize, NoteId)>,
    /// By the number of steps before a violation: what its condition was decided by.
    conditions: BTreeMap<usize, Vec<Access>>,
}

/// A step of a trace.
#[derive(Clone, Debug)]
pub struct TraceStep<'a> {
    /// The active thread.
    pub thread: usize,
    /// The edge that it took.
    pub edge: &'a Edge,
    /// Its number.
    pub id: EdgeId,
    /// Inputs of the edge, in its order.
    pub inputs: Vec<Value>,
    /// Shared memory that the step reads and writes, with values: reads first.
    pub accesses: Vec<Access>,
    /// Values that are different afterwards: shared ones, those of the active thread, those of others.
    pub changes: Vec<Change>,
}

/// A new value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The variable.
    pub variable: VariableId,
    /// Whose copy; none for shared variables.
    pub thread: Option<usize>,
    /// Its value.
    pub value: Value,
}

impl<'a> Trace<'a> {
    /// Replays a run.
    pub fn new(program: &'a Program, run: &Run) -> Result<Trace<'a>, ReplayError> {
        let interpreter = Interpreter::new(program, run.threads)?;
        let outcome = interpret::replay_with(&interpreter, run)?;
        let steps = run.steps.iter().zip(outcome.states.windows(2)).map(|(choice, states)| TraceStep {
            thread: choice.thread,
            edge: program.edge(choice.edge),
            id: choice.edge,
            inputs: choice.inputs.clone(),
            accesses: access::accesses(&interpreter, choice, &states[0], &states[1]),
            changes: changes(&interpreter, choice.thread, &states[0], &states[1]),
        });
        let steps = steps.collect();
        let condition = |after: &usize| {
            let step = after.checked_sub(1)?;
            Some((*after, access::condition(&interpreter, run, &outcome.states, step)))
        };
        let conditions = outcome.violated.values().filter_map(condition).collect();
        let initial = initial(&interpreter, &outcome);
        let Outcome { violated, approximate, .. } = outcome;
        Ok(Trace {
            program,
            threads: interpreter.threads(),
            initial,
            steps,
            violated,
            approximate,
            conditions,
        })
    }
}

impl Trace<'_> {
    /// What goes wrong after so many steps; a race names its threads if no others can be meant, a deadlock all that wait, anything else
    /// the values that decided.
    pub fn describe(&self, property: &Property, after: usize) -> String {
        if property.kind == PropertyKind::Deadlock {
            return format!("{}: {}", property.description, self.waiting(after));
        }
        let threads = match &property.target {
            Target::Race(first, second) => self.racing(first.location, second.location, after),
            Target::Location(_) => None,
        };
        let described = self.program.describe(property, threads);
        match self.decisive(property, after) {
            Some(values) => format!("{described}: {values}"),
            None => described,
        }
    }

    /// The threads that have said that they wait, and where.
    fn waiting(&self, after: usize) -> String {
        let says = |step: &TraceStep<'_>| {
            step.changes.iter().any(|change| self.program.variable(change.variable).name.as_str() == STUCK)
        };
        let of_thread = |thread: usize| {
            let mut own =
                self.steps[..after].iter().enumerate().rev().filter(|(_, step)| step.thread == thread);
            let (number, last) = own.next()?;
            // The last one to say so is the violation.
            (number + 1 == after || says(last)).then_some(())?;
            let origin = last.edge.origin.last()?;
            let place = text::place(self.program, origin.position);
            let place = place.map_or_else(String::new, |place| format!(" at {place}"));
            Some(format!("thread {thread} waits in {}{place}", origin.text.as_str().trim_end_matches(';')))
        };
        (0..self.threads).filter_map(of_thread).collect::<Vec<_>>().join(", ")
    }

    /// The threads at two places after so many steps, if there is only one choice.
    fn racing(&self, first: LocationId, second: LocationId, after: usize) -> Option<(usize, usize)> {
        let at = |thread: usize| {
            let moved = self.steps[..after].iter().rev().find(|step| step.thread == thread);
            let start = if thread == 0 { Some(self.program.main) } else { self.program.pool };
            moved.map(|step| step.edge.to).or(start)
        };
        let threads = |place| (0..self.threads).filter(move |&thread| at(thread) == Some(place));
        let mut pairs = threads(first).flat_map(|one| threads(second).map(move |other| (one, other)));
        let is_new = |(one, other): &(usize, usize)| one != other && (first != second || one < other);
        let pair = pairs.find(is_new)?;
        pairs.find(is_new).is_none().then_some(pair)
    }
}

/// The first values of variables that the program does not initialise.
fn initial(interpreter: &Interpreter<'_>, outcome: &Outcome) -> Vec<Change> {
    let program = interpreter.program();
    let Some(state) = outcome.states.first() else { return Vec::new() };
    let mut values = Vec::new();
    for (index, variable) in program.variables.iter().enumerate() {
        let id = VariableId(index as u32);
        if variable.init.is_none() {
            let copies = if variable.scope == Scope::Shared { 1 } else { interpreter.threads() };
            values.extend((0..copies).map(|thread| Change {
                variable: id,
                thread: (variable.scope == Scope::Local).then_some(thread),
                value: interpreter.value(state, thread, id),
            }));
        }
    }
    values
}

fn changes(interpreter: &Interpreter<'_>, active: usize, before: &State, after: &State) -> Vec<Change> {
    let others = (0..interpreter.threads()).filter(|&thread| thread != active);
    let mut changes = Vec::new();
    for (order, thread) in std::iter::once(active).chain(others).enumerate() {
        for (index, variable) in interpreter.program().variables.iter().enumerate() {
            let id = VariableId(index as u32);
            let shared = variable.scope == Scope::Shared;
            let value = interpreter.value(after, thread, id);
            if (!shared || order == 0) && value != interpreter.value(before, thread, id) {
                changes.push(Change { variable: id, thread: (!shared).then_some(thread), value });
            }
        }
    }
    // Shared values first: they are what other threads see.
    changes.sort_by_key(|change| change.thread.is_some());
    changes
}

#[cfg(test)]
mod tests;
