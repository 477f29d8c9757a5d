//! All states that few threads can reach, one by one: what is claimed about states is held against each of them.
//!
//! No formula decides anything here: steps are made by the interpreter. Threads leave the pool in the order of their numbers, which is no loss, since they are alike there.

use frontend::program::interpret::{InputDomain, Interpreter, State};
use frontend::program::{LocationId, Program, Scope, VariableId};
use smt::{Model, Symbol, Term, Value};
use std::collections::HashSet;

/// A state with the way to look at it.
pub struct Seen<'s> {
    program: &'s Program,
    interpreter: &'s Interpreter<'s>,
    state: &'s State,
}

impl Seen<'_> {
    /// Where each thread is, those in the pool included.
    pub fn locations(&self) -> Vec<LocationId> {
        (0..self.interpreter.threads()).map(|thread| self.interpreter.location(self.state, thread)).collect()
    }

    fn values<'v>(&'v self, thread: usize, scope: Scope) -> impl Iterator<Item = (Symbol, Value)> + 'v {
        let ids = (0..self.program.variables.len() as u32).map(VariableId);
        ids.filter(move |id| self.program.variable(*id).scope == scope)
            .map(move |id| (self.program.variable(id).name, self.interpreter.value(self.state, thread, id)))
    }

    /// Values as a thread sees them.
    pub fn of_thread(&self, thread: usize) -> Model {
        self.values(thread, Scope::Shared).chain(self.values(thread, Scope::Local)).collect()
    }

    /// Values of all threads: the local `x` of thread 2 is called `x#2`.
    pub fn of_all(&self) -> Model {
        let locals = (0..self.interpreter.threads()).flat_map(|thread| {
            let own = self.values(thread, Scope::Local);
            own.map(move |(name, value)| (Symbol::new(&format!("{name}#{thread}")), value))
        });
        self.values(0, Scope::Shared).chain(locals).collect()
    }

    /// Whether a thread that was created has not started: the guard of an edge out of the pool holds.
    pub fn waits(&self) -> bool {
        let model = self.of_thread(0);
        let starts = self.program.edges.iter().filter(|edge| Some(edge.from) == self.program.pool);
        let flags =
            starts.flat_map(|edge| edge.guard.conjuncts()).filter(|part| part.as_constant().is_some());
        flags.into_iter().any(|flag: Term| model.satisfies(flag).unwrap_or(false))
    }
}

/// Looks at all states of so many threads, or at so many of them. With `at_once`, a thread that is created starts before anybody else moves.
pub fn each(program: &Program, threads: usize, at_once: bool, most: usize, mut look: impl FnMut(&Seen<'_>)) {
    let Ok(interpreter) = Interpreter::new(program, threads) else { return };
    let first = interpreter.initial_state(|id, _| Value::zero(program.variable(id).data_type.sort()));
    let mut known: HashSet<State> = HashSet::from([first.clone()]);
    let mut open = vec![first];
    while let Some(state) = open.pop() {
        let seen = Seen { program, interpreter: &interpreter, state: &state };
        look(&seen);
        if known.len() > most {
            return;
        }
        let locations = seen.locations();
        let next = locations.iter().position(|location| Some(*location) == program.pool);
        let only_starts = at_once && seen.waits() && next.is_some();
        for choice in interpreter.enabled(&state, &InputDomain::default()).choices {
            let is_start = Some(locations[choice.thread]) == program.pool;
            if (is_start && Some(choice.thread) != next) || (only_starts && !is_start) {
                continue;
            }
            if let Ok(after) = interpreter.step(&state, &choice)
                && known.insert(after.clone())
            {
                open.push(after);
            }
        }
    }
}
