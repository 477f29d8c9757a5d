//! All states of few threads, one after the other, for whoever wants to look at each of them.
//!
//! Slower than the explorer of the front end, and simpler: states are what the interpreter says about them, and threads are interchangeable.

use frontend::program::interpret::{InputDomain, Interpreter, State};
use frontend::program::random::Random;
use frontend::program::{LocationId, Program, Scope, VariableId};
use smt::{Symbol, Value};
use std::collections::{BTreeMap, HashSet};

/// A state that can be looked at.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct View {
    /// The shared variables.
    pub shared: Vec<Value>,
    /// Location and locals of each thread, in some order.
    pub threads: Vec<(LocationId, Vec<Value>)>,
}

impl View {
    fn new(interpreter: &Interpreter<'_>, state: &State) -> View {
        let program = interpreter.program();
        let of = |scope| {
            let all = (0..program.variables.len() as u32).map(VariableId);
            all.filter(move |&id| program.variable(id).scope == scope)
        };
        let shared = of(Scope::Shared).map(|id| interpreter.value(state, 0, id)).collect();
        let mut threads: Vec<(LocationId, Vec<Value>)> = (0..interpreter.threads())
            .map(|thread| {
                let locals = of(Scope::Local).map(|id| interpreter.value(state, thread, id));
                (interpreter.location(state, thread), locals.collect())
            })
            .collect();
        threads.sort_by_cached_key(|(location, values)| (*location, format!("{values:?}")));
        View { shared, threads }
    }

    /// The shared variables by name.
    pub fn assignment(&self, program: &Program) -> BTreeMap<Symbol, Value> {
        let names = program.variables.iter().filter(|variable| variable.scope == Scope::Shared);
        names.map(|variable| variable.name).zip(self.shared.iter().cloned()).collect()
    }

    /// How many threads have started and not ended.
    pub fn alive(&self, program: &Program) -> usize {
        let goes_on = |at: LocationId| program.edges.iter().any(|edge| edge.from == at);
        self.threads.iter().filter(|(at, _)| Some(*at) != program.pool && goes_on(*at)).count()
    }
}

/// What to do with a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Go on from there.
    On,
    /// Do not.
    Back,
    /// This was enough.
    Stop,
}

fn start(interpreter: &Interpreter<'_>) -> State {
    interpreter.initial_state(|id, _| Value::zero(interpreter.program().variable(id).data_type.sort()))
}

/// Visits the states of so many threads, breadth first, no more than `states`; whether that were all.
pub fn all(program: &Program, threads: usize, states: usize, mut visit: impl FnMut(&View) -> Next) -> bool {
    let Ok(interpreter) = Interpreter::new(program, threads) else { return false };
    let domain = InputDomain::default();
    let first = start(&interpreter);
    let mut seen = HashSet::from([View::new(&interpreter, &first)]);
    let mut open = std::collections::VecDeque::new();
    match visit(&View::new(&interpreter, &first)) {
        Next::On => open.push_back(first),
        Next::Back => {}
        Next::Stop => return false,
    }
    while let Some(state) = open.pop_front() {
        for choice in interpreter.enabled(&state, &domain).choices {
            let Ok(next) = interpreter.step(&state, &choice) else { continue };
            let view = View::new(&interpreter, &next);
            if seen.contains(&view) {
                continue;
            }
            match visit(&view) {
                Next::On => open.push_back(next),
                Next::Back => {}
                Next::Stop => return false,
            }
            seen.insert(view);
            if seen.len() >= states {
                return false;
            }
        }
    }
    true
}

/// Visits the states along a random run of so many steps.
pub fn one(
    program: &Program,
    threads: usize,
    steps: usize,
    random: &mut Random,
    mut visit: impl FnMut(&View) -> Next,
) {
    let Ok(interpreter) = Interpreter::new(program, threads) else { return };
    let domain = InputDomain::default();
    let mut state = start(&interpreter);
    for _ in 0..steps {
        let mut choices = interpreter.enabled(&state, &domain).choices;
        // Steps that may not be visited are no choices.
        loop {
            if choices.is_empty() {
                return;
            }
            let choice = choices.swap_remove(random.below(choices.len()));
            let Ok(next) = interpreter.step(&state, &choice) else { continue };
            match visit(&View::new(&interpreter, &next)) {
                Next::On => state = next,
                Next::Back => continue,
                Next::Stop => return,
            }
            break;
        }
    }
}
