//! What can be violated in some rounds of turns, by trying everything: the oracle for lazy sequentialization.
//!
//! In each round every thread has one turn, in the order of creation. A thread that is created starts with its creator's step.

use frontend::program::interpret::{InputDomain, Interpreter, State};
use frontend::program::{EdgeId, Program};
use smt::Value;
use std::collections::{BTreeSet, HashSet};

/// The violated properties of a program of [`creators`](super::creators) without loops, and whether there was room for everything.
pub fn violated(program: &Program, rounds: usize, states: usize) -> Option<BTreeSet<String>> {
    let starts: Vec<EdgeId> = (0..program.edges.len() as u32)
        .map(EdgeId)
        .filter(|edge| Some(program.edge(*edge).from) == program.pool)
        .collect();
    // Thread n is the one that starts with the n-th of these, whose number nobody but this oracle cares about.
    let interpreter = Interpreter::new(program, starts.len() + 1).ok()?;
    let domain = InputDomain::default();
    let first = interpreter.initial_state(|id, _| Value::zero(program.variable(id).data_type.sort()));
    let mut found = BTreeSet::new();
    let mut seen: HashSet<(State, usize)> = HashSet::new();
    let threads = starts.len() + 1;
    let mut open = vec![(first, 0)];
    while let Some((state, turn)) = open.pop() {
        if turn >= rounds * threads || !seen.insert((state.clone(), turn)) {
            continue;
        }
        if seen.len() > states {
            return None;
        }
        found.extend(interpreter.violated(&state).into_iter().map(str::to_owned));
        for choice in interpreter.enabled(&state, &domain).choices {
            let is_start = starts.contains(&choice.edge);
            if choice.thread != turn % threads || is_start {
                continue;
            }
            let next = interpreter.step(&state, &choice).ok()?;
            open.extend(started(&interpreter, next, &starts)?.into_iter().map(|next| (next, turn)));
        }
        open.push((state, turn + 1));
    }
    Some(found)
}

/// The states after a mailbox that is full was emptied by a thread that may start with it.
fn started(interpreter: &Interpreter<'_>, state: State, starts: &[EdgeId]) -> Option<Vec<State>> {
    let choices = interpreter.enabled(&state, &InputDomain::default()).choices;
    let may_start = |edge: EdgeId, thread: usize| {
        starts.iter().position(|start| *start == edge).is_some_and(|number| thread == number + 1)
    };
    let starts = choices.iter().filter(|choice| may_start(choice.edge, choice.thread));
    let next: Option<Vec<State>> = starts.map(|choice| interpreter.step(&state, choice).ok()).collect();
    next.map(|next| if next.is_empty() { vec![state] } else { next })
}
