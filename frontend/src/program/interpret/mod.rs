//! The reference semantics: an explicit interpreter for a fixed number of threads. Sections 2 and 3.4 of the thesis.
//!
//! A state has the values of the shared variables and, for each thread, its location and the values of its locals. At
//! the start thread 0 is in `main`, all others are in `pool`. A step is a [`Choice`]: which thread takes which edge, with which
//! inputs. The guard holds, then everything is assigned from the state before: shared variables, locals of the active thread,
//! and by broadcasts the locals of all others, each for itself. While a thread is in an atomic location only it moves.
//!
//! Schedulers: [`replay`] is given the choices, [`random`] makes them up, [`explore`] tries all of them.
//! Terms are compiled once; in debug builds every step is checked against `smt::eval`.

mod apart;
mod compile;
mod crosscheck;
mod domain;
mod error;
mod expand;
mod explore;
mod general;
mod layout;
mod lazy;
mod machine;
mod mask;
mod masked;
mod persistent;
mod reduce;
mod replay;
mod schedule;
mod store;
mod targets;
mod touched;

use crate::program::validate::{self, Rules};
use crate::program::{Choice, Edge, EdgeId, Input, LocationId, Program, Scope, VariableId, passive};
pub use apart::{Select, Waiting};
use compile::{CompiledBroadcast, CompiledEdge, Compiler, Write};
pub use domain::InputDomain;
pub use error::{InterpreterError, StepError, Whose};
pub use expand::Enabled;
pub use explore::{Exploration, ExploreOptions, Limits, Stop, explore, explore_apart, explore_while};
pub use layout::State;
use layout::{Base, Cell, Layout, SHARED, Slot};
use lazy::Plan;
use machine::{Frame, Machine, Owner};
pub use persistent::Persistent;
pub(crate) use replay::replay_with;
pub use replay::{Outcome, ReplayError, replay};
use rustc_hash::FxHashMap;
pub use schedule::{End, RandomRun, random};
use smt::{Symbol, Value};
use std::sync::Arc;
use targets::Targets;

/// A program with a fixed number of threads, ready to run.
#[derive(Clone, Debug)]
pub struct Interpreter<'a> {
    program: &'a Program,
    threads: usize,
    /// By thread, where it is at the start.
    starts: Vec<LocationId>,
    /// What stays open until somebody looks at it, if anything.
    plan: Option<Plan>,
    layout: Layout,
    edges: Vec<CompiledEdge>,
    edges_from: Vec<Vec<EdgeId>>,
    targets: Targets,
    /// With enough registers for all code.
    machine: Machine,
    /// Variables by name, and whether it is the name of a passive copy.
    names: FxHashMap<Symbol, (VariableId, bool)>,
}

impl<'a> Interpreter<'a> {
    /// Prepares a program for this many threads, the initial one included. A program without a pool has no other thread,
    /// whatever the number.
    pub fn new(program: &'a Program, threads: usize) -> Result<Interpreter<'a>, InterpreterError> {
        Interpreter::with_plan(program, starts(program, threads), |_| None)
    }

    /// With threads that start at these locations, and values that stay open, if the function says so.
    fn with_plan(
        program: &'a Program,
        starts: Vec<LocationId>,
        plan: impl FnOnce(&[LocationId]) -> Option<Plan>,
    ) -> Result<Interpreter<'a>, InterpreterError> {
        validate::check(program, Rules::default())?;
        if starts.is_empty() {
            return Err(InterpreterError::NoThread);
        }
        let threads = starts.len();
        let plan = plan(&starts);
        let layout = Layout::new(program, threads, |id| plan.as_ref().is_some_and(|plan| plan.is_masked(id)));
        let compiler = Compiler::new(program, &layout);
        let edges: Vec<_> = program.edges.iter().map(|edge| compiler.edge(edge)).collect();
        let targets = Targets::new(program, &compiler);
        let machine = machine_for(&edges, &targets);
        let edges_from = program.edges_from();
        let names = names(program);
        Ok(Interpreter { program, threads, starts, plan, edges, edges_from, targets, layout, machine, names })
    }

    /// The variable that a constant of the program is called after, and whether it is a passive thread's copy.
    pub(in crate::program) fn named(&self, name: Symbol) -> Option<(VariableId, bool)> {
        self.names.get(&name).copied()
    }

    /// The program.
    pub fn program(&self) -> &'a Program {
        self.program
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Where a thread is.
    pub fn location(&self, state: &State, thread: usize) -> LocationId {
        self.layout.location(state, thread)
    }

    /// The value of a variable as a thread sees it.
    pub fn value(&self, state: &State, thread: usize, variable: VariableId) -> Value {
        let sort = self.program.variable(variable).data_type.sort();
        layout::read(state, self.base(variable, thread), self.layout.slot(variable)).value(sort)
    }

    /// Changes a variable as a thread sees it. Values of another sort are ignored.
    pub fn set_value(&self, state: &mut State, thread: usize, variable: VariableId, value: &Value) {
        if value.sort() == self.program.variable(variable).data_type.sort() {
            let base = self.base(variable, thread);
            layout::write(state, base, self.layout.slot(variable), Cell::new(value));
        }
    }

    /// The initial state in which each variable without an initial value has the value that `choose` gives it: for shared ones
    /// it is called once without a thread, for locals once for each thread. Values of another sort count as zero.
    pub fn initial_state(&self, mut choose: impl FnMut(VariableId, Option<usize>) -> Value) -> State {
        let mut state = self.layout.blank();
        for (thread, start) in self.starts.iter().enumerate() {
            self.layout.set_location(&mut state, thread, *start);
        }
        for (index, variable) in self.program.variables.iter().enumerate() {
            let id = VariableId(index as u32);
            let owners = if variable.scope == Scope::Shared { 1 } else { self.threads };
            let sort = variable.data_type.sort();
            for thread in 0..owners {
                let owner = (variable.scope == Scope::Local).then_some(thread);
                let value = variable.init.clone().unwrap_or_else(|| choose(id, owner));
                let value = if value.sort() == sort { value } else { Value::zero(sort) };
                let base = self.base(id, thread);
                layout::write(&mut state, base, self.layout.slot(id), Cell::new(&value));
            }
        }
        state
    }

    /// The thread that is in an atomic section, if any.
    pub fn atomic_thread(&self, state: &State) -> Option<usize> {
        (0..self.threads).find(|&thread| self.program.location(self.location(state, thread)).atomic)
    }

    /// The state after a step.
    pub fn step(&self, state: &State, choice: &Choice) -> Result<State, StepError> {
        let (inputs, passive) = self.check_choice(state, choice)?;
        let mut machine = self.machine.clone();
        let mut next = State::default();
        let step = Step { state, thread: choice.thread, edge: choice.edge };
        if self.fire(&mut machine, step, &inputs, &passive, &mut next) {
            Ok(next)
        } else {
            Err(StepError::Guard(choice.edge))
        }
    }

    /// The names of the properties that a state violates, in the program's order.
    pub fn violated(&self, state: &State) -> Vec<&'a str> {
        let mut violated = vec![false; self.program.properties.len()];
        let _looked = self
            .targets
            .visit(self, &mut self.machine.clone(), state, &mut |property| violated[property] = true);
        let all = self.program.properties.iter().zip(violated);
        all.filter(|(_, violated)| *violated).map(|(property, _)| property.name.as_str()).collect()
    }

    fn base(&self, variable: VariableId, thread: usize) -> Base {
        match self.program.variable(variable).scope {
            Scope::Shared => SHARED,
            Scope::Local => self.layout.thread(thread),
        }
    }

    /// The inputs of a choice, those of all passive threads in one list, if the step is possible but for its guard.
    fn check_choice(&self, state: &State, choice: &Choice) -> Result<(Vec<Cell>, Vec<Cell>), StepError> {
        let &Choice { thread, edge: id, .. } = choice;
        if thread >= self.threads {
            return Err(StepError::NoSuchThread(thread));
        }
        let edge = self.program.edges.get(id.index()).ok_or(StepError::NoSuchEdge(id))?;
        let at = self.location(state, thread);
        if at != edge.from {
            return Err(StepError::NotThere { thread, edge: id, at, from: edge.from });
        }
        if let Some(holder) = self.atomic_thread(state)
            && holder != thread
        {
            return Err(StepError::Blocked { thread, holder });
        }
        let inputs = cells(id, Whose::Active, &edge.inputs, &choice.inputs)?;
        Ok((inputs, self.passive_cells(choice, edge)?))
    }

    fn passive_cells(&self, choice: &Choice, edge: &Edge) -> Result<Vec<Cell>, StepError> {
        let mut all = Vec::new();
        for thread in (0..self.threads).filter(|&thread| thread != choice.thread) {
            let given = choice.passive_inputs.get(thread).map_or(&[][..], Vec::as_slice);
            all.extend(cells(choice.edge, Whose::Passive(thread), &edge.broadcast.inputs, given)?);
        }
        Ok(all)
    }

    /// Makes the step if its guard holds; says whether it does. The passive threads' inputs follow each other in the
    /// order of the threads.
    fn fire(
        &self,
        machine: &mut Machine,
        step: Step<'_>,
        inputs: &[Cell],
        passive: &[Cell],
        next: &mut State,
    ) -> bool {
        let edge = &self.edges[step.edge.index()];
        let active = self.layout.thread(step.thread);
        let frame = Frame { state: step.state, active, passive: active, inputs, passive_inputs: &[] };
        machine.run(&edge.code.instructions[..edge.guard_end], frame);
        let holds = machine.number(edge.guard) != 0;
        if holds {
            machine.run(&edge.code.instructions[edge.guard_end..], frame);
            next.copy_from(step.state);
            write_all(machine, &edge.writes, frame, next);
            self.layout.set_location(next, step.thread, edge.to);
            if let Some(broadcast) = &edge.broadcast {
                self.broadcast(machine, broadcast, step, frame, passive, next);
            }
        }
        debug_assert!(
            crosscheck::agrees(self, step, inputs, passive, holds.then_some(&*next)),
            "the machine and the evaluator disagree about edge {}",
            step.edge.0
        );
        holds
    }

    fn broadcast(
        &self,
        machine: &mut Machine,
        broadcast: &CompiledBroadcast,
        step: Step<'_>,
        frame: Frame<'_>,
        inputs: &[Cell],
        next: &mut State,
    ) {
        let others = (0..self.threads).filter(|&thread| thread != step.thread);
        for (position, thread) in others.enumerate() {
            let own = self.passive_part(step.edge, inputs, position);
            let frame = Frame { passive: self.layout.thread(thread), passive_inputs: own, ..frame };
            machine.run(&broadcast.code.instructions, frame);
            write_all(machine, &broadcast.writes, frame, next);
        }
    }

    /// The inputs of one passive thread.
    fn passive_part<'b>(&self, edge: EdgeId, inputs: &'b [Cell], position: usize) -> &'b [Cell] {
        let count = self.program.edge(edge).broadcast.inputs.len();
        inputs.get(position * count..(position + 1) * count).unwrap_or(&[])
    }
}

/// Where so many threads are at the start. A program without a pool has one.
fn starts(program: &Program, threads: usize) -> Vec<LocationId> {
    let others = program.pool.map_or(0, |_| threads.saturating_sub(1));
    let main = (threads > 0).then_some(program.main);
    main.into_iter().chain(program.pool.into_iter().cycle().take(others)).collect()
}

fn names(program: &Program) -> FxHashMap<Symbol, (VariableId, bool)> {
    let mut names = FxHashMap::default();
    for (index, variable) in program.variables.iter().enumerate() {
        let id = VariableId(index as u32);
        names.insert(variable.name, (id, false));
        if variable.scope == Scope::Local {
            names.insert(passive(variable.name), (id, true));
        }
    }
    names
}

/// A machine with enough registers for all code.
fn machine_for(edges: &[CompiledEdge], targets: &Targets) -> Machine {
    let mut machine = Machine::default();
    for edge in edges {
        machine.reserve(&edge.code);
        if let Some(broadcast) = &edge.broadcast {
            machine.reserve(&broadcast.code);
        }
    }
    targets.reserve(&mut machine);
    machine
}

/// Which thread takes which edge from which state.
#[derive(Clone, Copy)]
struct Step<'b> {
    state: &'b State,
    thread: usize,
    edge: EdgeId,
}

fn write_all(machine: &Machine, writes: &[Write], frame: Frame<'_>, next: &mut State) {
    for write in writes {
        let base = frame.base(write.owner);
        if let Some(mask) = write.mask {
            layout::clean(next, base, mask);
        }
        match (write.slot, machine.cell(write.register)) {
            (Slot::Large { index }, Cell::Large(value)) => {
                // The same array again keeps its memory: states share what they can.
                let old = &mut next.large[base.large + index as usize];
                if !Arc::ptr_eq(old, &value) {
                    *old = value;
                }
            }
            (slot, cell) => layout::write(next, base, slot, cell),
        }
    }
}

/// The inputs' values, if they are as many and of the sorts that they should be.
fn cells(edge: EdgeId, whose: Whose, inputs: &[Input], given: &[Value]) -> Result<Vec<Cell>, StepError> {
    if inputs.len() != given.len() {
        return Err(StepError::InputCount { edge, whose, needed: inputs.len(), given: given.len() });
    }
    for (input, value) in inputs.iter().zip(given) {
        if input.sort != value.sort() {
            let (expected, found) = (input.sort, value.sort());
            return Err(StepError::InputSort { edge, name: input.name, expected, found });
        }
    }
    Ok(given.iter().map(Cell::new).collect())
}

#[cfg(test)]
mod tests;
