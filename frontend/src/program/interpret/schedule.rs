//! A random schedule, a function of the seed.
//!
//! Each step takes one of the threads and edges that can move, with random inputs; where a guard restricts the inputs, a
//! few guesses are made, from small numbers and the literals of the program as well as from all numbers.

use super::domain::{self, Literals};
use super::layout::{Cell, State};
use super::{Interpreter, InterpreterError, Machine, Step};
use crate::program::random::Random;
use crate::program::{Choice, EdgeId, InitialValue, Input, Program, Run};
use smt::{ArrayValue, Bits, Sort, Value};

/// How a random run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The last state violates these properties.
    Violated(Vec<String>),
    /// No step was found that is possible.
    Stuck,
    /// As many steps as allowed.
    StepLimit,
}

/// A random run and its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomRun {
    /// The run, for replaying.
    pub run: Run,
    /// Why it ended.
    pub end: End,
}

/// How often inputs are guessed for one edge.
const GUESSES: usize = 32;

/// Runs so many threads until a property is violated, nothing can move, or there were `max_steps` steps.
pub fn random(
    program: &Program,
    threads: usize,
    seed: u64,
    max_steps: usize,
) -> Result<RandomRun, InterpreterError> {
    let interpreter = Interpreter::new(program, threads)?;
    Ok(Scheduler::new(&interpreter, seed).run(max_steps))
}

struct Scheduler<'i, 'a> {
    interpreter: &'i Interpreter<'a>,
    random: Random,
    literals: Literals,
    machine: Machine,
}

impl<'i, 'a> Scheduler<'i, 'a> {
    fn new(interpreter: &'i Interpreter<'a>, seed: u64) -> Scheduler<'i, 'a> {
        let literals = domain::literals(interpreter.program);
        Scheduler { interpreter, random: Random::new(seed), literals, machine: interpreter.machine.clone() }
    }

    fn run(mut self, max_steps: usize) -> RandomRun {
        let mut initial = Vec::new();
        let program = self.interpreter.program;
        let mut state = self.interpreter.initial_state(|variable, thread| {
            let value = self.value_of(program.variable(variable).data_type.sort());
            initial.push(InitialValue { variable, thread, value: value.clone() });
            value
        });
        let mut steps = Vec::new();
        let end = loop {
            let violated = self.interpreter.violated(&state);
            if !violated.is_empty() {
                break End::Violated(violated.into_iter().map(str::to_owned).collect());
            }
            if steps.len() >= max_steps {
                break End::StepLimit;
            }
            let Some((choice, next)) = self.step(&state) else { break End::Stuck };
            steps.push(choice);
            state = next;
        };
        RandomRun { run: Run { threads: self.interpreter.threads, initial, steps }, end }
    }

    /// A random step, if one is found.
    fn step(&mut self, state: &State) -> Option<(Choice, State)> {
        let interpreter = self.interpreter;
        let holder = interpreter.atomic_thread(state);
        let mut candidates: Vec<(usize, EdgeId)> = Vec::new();
        for thread in (0..interpreter.threads).filter(|&thread| holder.is_none_or(|holder| holder == thread))
        {
            let edges = &interpreter.edges_from[interpreter.location(state, thread).index()];
            candidates.extend(edges.iter().map(|&edge| (thread, edge)));
        }
        while !candidates.is_empty() {
            let (thread, edge) = candidates.swap_remove(self.random.below(candidates.len()));
            let step = self.attempt(Step { state, thread, edge });
            if step.is_some() {
                return step;
            }
        }
        None
    }

    /// The step of one thread with one edge, if inputs are found that the guard accepts.
    fn attempt(&mut self, step: Step<'_>) -> Option<(Choice, State)> {
        let edge = self.interpreter.program.edge(step.edge);
        let guesses = if edge.inputs.is_empty() { 1 } else { GUESSES };
        for _ in 0..guesses {
            let inputs = self.values(&edge.inputs);
            let mut passive_inputs = Vec::new();
            if !edge.broadcast.inputs.is_empty() {
                for thread in 0..self.interpreter.threads {
                    let own = if thread == step.thread { &[][..] } else { &edge.broadcast.inputs };
                    passive_inputs.push(self.values(own));
                }
            }
            let cells: Vec<Cell> = inputs.iter().map(Cell::new).collect();
            let passive: Vec<Cell> = passive_inputs.iter().flatten().map(Cell::new).collect();
            let mut next = State::default();
            if self.interpreter.fire(&mut self.machine, step, &cells, &passive, &mut next) {
                let (thread, edge) = (step.thread, step.edge);
                return Some((Choice { thread, edge, inputs, passive_inputs }, next));
            }
        }
        None
    }

    fn values(&mut self, inputs: &[Input]) -> Vec<Value> {
        inputs.iter().map(|input| self.value_of(input.sort)).collect()
    }

    fn value_of(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.random.chance(1, 2)),
            Sort::BitVec(width) => Value::Bits(self.bits(width)),
            Sort::Array(array) => {
                let mut value = ArrayValue::constant(array.index, self.value_of(array.element));
                for _ in 0..self.random.below(4) {
                    let index = self.bits(array.index.width().unwrap_or(1));
                    value = value.store(index, self.value_of(array.element));
                }
                Value::Array(value)
            }
        }
    }

    fn bits(&mut self, width: u32) -> Bits {
        match self.random.below(3) {
            0 => Bits::from_i128(width, self.random.below(6) as i128 - 2),
            1 => {
                let known = self.literals.get(&width);
                let number = self.random.below(known.map_or(1, |known| known.len().max(1)));
                known.and_then(|known| known.iter().nth(number)).cloned().unwrap_or_else(|| Bits::zero(width))
            }
            _ => {
                let mut bits = Bits::new(width.min(64), u128::from(self.random.next()));
                while bits.width() < width {
                    let more = (width - bits.width()).min(64);
                    bits = bits.concat(&Bits::new(more, u128::from(self.random.next())));
                }
                bits
            }
        }
    }
}
