//! All steps from a state, in a fixed order: by thread, by edge, by inputs.

use super::apart::Selection;
use super::domain::{self, EdgeDomain, InputDomain};
use super::layout::{Cell, State};
use super::machine::Machine;
use super::masked::Fired;
use super::{Interpreter, Step};
use crate::program::{Choice, EdgeId, Input};
use smt::Value;
use std::ops::ControlFlow;

/// The possible steps from a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enabled {
    /// In a fixed order.
    pub choices: Vec<Choice>,
    /// Whether all inputs were tried.
    pub complete: bool,
}

impl Interpreter<'_> {
    /// All steps that are possible with inputs from the domain.
    pub fn enabled(&self, state: &State, domain: &InputDomain) -> Enabled {
        let mut expander = Expander::new(self, domain);
        let mut choices = Vec::new();
        let complete = expander.expand(state, None, &mut |step, _| {
            choices.push(step.choice(self));
            ControlFlow::Continue(())
        });
        Enabled { choices, complete }
    }
}

/// A step that was made.
#[derive(Clone, Copy)]
pub(super) struct Move<'b> {
    pub(super) thread: usize,
    pub(super) edge: EdgeId,
    pub(super) inputs: &'b [Cell],
    pub(super) passive: &'b [Cell],
}

impl Move<'_> {
    pub(super) fn choice(&self, interpreter: &Interpreter<'_>) -> Choice {
        let edge = interpreter.program.edge(self.edge);
        let mut passive_inputs = Vec::new();
        if !edge.broadcast.inputs.is_empty() {
            let mut parts = self.passive.chunks(edge.broadcast.inputs.len());
            for thread in 0..interpreter.threads {
                let own = if thread == self.thread { None } else { parts.next() };
                passive_inputs.push(values(&edge.broadcast.inputs, own.unwrap_or(&[])));
            }
        }
        let inputs = values(&edge.inputs, self.inputs);
        Choice { thread: self.thread, edge: self.edge, inputs, passive_inputs }
    }
}

fn values(inputs: &[Input], cells: &[Cell]) -> Vec<Value> {
    inputs.iter().zip(cells).map(|(input, cell)| cell.value(input.sort)).collect()
}

/// Makes steps; keeps what it needs from one state to the next.
pub(super) struct Expander<'i, 'a> {
    interpreter: &'i Interpreter<'a>,
    domains: Vec<EdgeDomain>,
    machine: Machine,
    next: State,
    /// Whether some step met unknown bits that decide.
    looked: bool,
}

/// Called with each step and the state after it, which it may change.
pub(super) trait Visit: FnMut(Move<'_>, &mut State) -> ControlFlow<()> {}
impl<F: FnMut(Move<'_>, &mut State) -> ControlFlow<()>> Visit for F {}

impl<'i, 'a> Expander<'i, 'a> {
    pub(super) fn new(interpreter: &'i Interpreter<'a>, domain: &InputDomain) -> Expander<'i, 'a> {
        Expander {
            interpreter,
            domains: domain::of_edges(
                interpreter.program,
                domain,
                interpreter.threads - 1,
                interpreter.plan.as_ref(),
            ),
            machine: interpreter.machine.clone(),
            next: State::default(),
            looked: false,
        }
    }

    /// Visits all steps from the state until told to stop; with a selection, the steps of one of its sets. Says whether all inputs were tried; if something is open, also whether nobody looked
    /// at it.
    pub(super) fn expand(
        &mut self,
        state: &State,
        selection: Option<&mut Selection<'_>>,
        visit: &mut impl Visit,
    ) -> bool {
        let holder = self.interpreter.atomic_thread(state);
        let Some(selection) = selection else {
            return self.threads(state, &|thread| holder.is_none_or(|holder| holder == thread), visit);
        };
        selection.choose(self.interpreter, state);
        let mut complete = true;
        for &set in &selection.sets {
            let mut is_empty = true;
            complete &= self.threads(
                state,
                &|thread| set & 1 << thread != 0,
                &mut |step: Move<'_>, next: &mut State| {
                    is_empty = false;
                    visit(step, next)
                },
            );
            if !is_empty || self.looked {
                break;
            }
        }
        complete
    }

    /// Visits all steps of some threads.
    fn threads(&mut self, state: &State, moves: &dyn Fn(usize) -> bool, visit: &mut impl Visit) -> bool {
        let interpreter = self.interpreter;
        let mut complete = true;
        for thread in (0..interpreter.threads).filter(|thread| moves(*thread)) {
            let location = interpreter.location(state, thread);
            for &edge in &interpreter.edges_from[location.index()] {
                complete &= self.domains[edge.index()].complete;
                let flow = self.edge(Step { state, thread, edge }, visit);
                if flow.is_break() {
                    return complete && !self.looked;
                }
            }
        }
        complete
    }

    /// Visits the steps of one thread with one edge.
    fn edge(&mut self, step: Step<'_>, visit: &mut impl Visit) -> ControlFlow<()> {
        let domain = &self.domains[step.edge.index()];
        let passive_threads = if domain.passive.is_empty() { 0 } else { self.interpreter.threads - 1 };
        let mut inputs = Combination::new(&domain.inputs, 1);
        loop {
            let mut passive = Combination::new(&domain.passive, passive_threads);
            loop {
                let (own, others) = (&inputs.cells, &passive.cells);
                match self.interpreter.attempt(&mut self.machine, step, own, others, &mut self.next) {
                    // The guard does not look at what passive threads choose.
                    Fired::No => break,
                    Fired::Yes => {}
                    Fired::Looked => {
                        self.looked = true;
                        return ControlFlow::Break(());
                    }
                }
                let made = Move { thread: step.thread, edge: step.edge, inputs: own, passive: others };
                visit(made, &mut self.next)?;
                if !passive.advance() {
                    break;
                }
            }
            if !inputs.advance() {
                return ControlFlow::Continue(());
            }
        }
    }
}

/// Counts through all combinations of values, the last choice fastest.
pub(super) struct Combination<'b> {
    lists: &'b [Vec<Cell>],
    digits: Vec<usize>,
    pub(super) cells: Vec<Cell>,
}

impl<'b> Combination<'b> {
    /// The first combination of values for the lists, repeated. No list is empty.
    pub(super) fn new(lists: &'b [Vec<Cell>], repeat: usize) -> Combination<'b> {
        let count = lists.len() * repeat;
        let cells = (0..count).filter_map(|index| lists[index % lists.len()].first().cloned()).collect();
        Combination { lists, digits: vec![0; count], cells }
    }

    /// The next combination, if there is one.
    pub(super) fn advance(&mut self) -> bool {
        for index in (0..self.digits.len()).rev() {
            let list = &self.lists[index % self.lists.len()];
            self.digits[index] = (self.digits[index] + 1) % list.len();
            self.cells[index] = list[self.digits[index]].clone();
            if self.digits[index] != 0 {
                return true;
            }
        }
        false
    }
}
