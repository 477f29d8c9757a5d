//! All reachable states, breadth first, so that runs to violations are as short as possible.
//!
//! Threads are interchangeable, since no term can tell them apart: with `symmetry`, states that differ in the order of the
//! threads only are one. With `forget_dead`, locals that are not live in their thread's location count as zero.
//! With `lazy`, values that nobody looks at are not chosen ([`super::lazy`]).
//! With threads that are told apart, somebody may say which of them it is enough to move ([`Select`]).
//! A run is found again from the numbers of its states' parents, with the threads as they really are.

use super::apart::{MOST_THREADS, Select, Selection, Waiting};
use super::domain::{self, InputDomain, Values};
use super::expand::{Combination, Expander};
use super::layout::{Cell, State};
use super::lazy::{self, Plan};
use super::reduce::Reducer;
use super::store::{MAX_STATES, Store};
use super::{Interpreter, InterpreterError, Machine, starts};
use crate::program::{Choice, InitialValue, LocationId, Program, PropertyKind, Run, VariableId};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// When to give up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Number of states.
    pub states: usize,
    /// Length of runs.
    pub depth: Option<usize>,
    /// Time.
    pub time: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { states: 1_000_000, depth: None, time: None }
    }
}

/// How to explore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExploreOptions {
    /// When to give up.
    pub limits: Limits,
    /// Which inputs are tried.
    pub domain: InputDomain,
    /// The order of threads does not matter. On by default.
    pub symmetry: bool,
    /// Locals that are not live count as zero. Off by default: it trusts the sets of live variables.
    pub forget_dead: bool,
    /// End with the first violation that is an error of the program, and not a limit of what is modelled. Off by default.
    pub until_error: bool,
    /// Where there are more values than can be tried, choose none before somebody looks at it. On by default: if nobody ever does, all is
    /// explored. If somebody does, the exploration starts again with samples, and says so.
    pub lazy: bool,
}

impl Default for ExploreOptions {
    fn default() -> ExploreOptions {
        let (limits, domain) = (Limits::default(), InputDomain::default());
        ExploreOptions { limits, domain, symmetry: true, forget_dead: false, until_error: false, lazy: true }
    }
}

/// Why not everything was explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// There is a run for each property.
    AllViolated,
    /// There is a run for an error, and one was enough.
    Error,
    /// Somebody asked to stop.
    Interrupted,
    /// Too many states.
    States,
    /// Runs got too long.
    Depth,
    /// It took too long.
    Time,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exploration {
    /// Violated properties by name, each with a shortest run among those with the inputs that were tried.
    pub violated: BTreeMap<String, Run>,
    /// Whether all reachable states with all inputs were seen.
    pub complete: bool,
    /// Number of states.
    pub states: usize,
    /// Number of steps between them.
    pub steps: usize,
    /// Whether some inputs or initial values were sampled only.
    pub sampled: bool,
    /// Whether in some state no thread was left in the pool: then more threads may do more.
    pub pool_emptied: bool,
    /// Why it ended early, if so.
    pub stop: Option<Stop>,
}

/// Explores all states that so many threads can reach.
pub fn explore(
    program: &Program,
    threads: usize,
    options: &ExploreOptions,
) -> Result<Exploration, InterpreterError> {
    explore_while(program, threads, options, &AtomicBool::new(false))
}

/// The same, until another thread sets the flag.
pub fn explore_while(
    program: &Program,
    threads: usize,
    options: &ExploreOptions,
    interrupt: &AtomicBool,
) -> Result<Exploration, InterpreterError> {
    explore_from(program, starts(program, threads), None, options, interrupt)
}

/// Explores what threads can reach that are told apart: the first starts as usual, each other one waits for its flag. If somebody selects, not all states are seen; who selects knows what follows from that.
pub fn explore_apart(
    program: &Program,
    waiting: &[Waiting],
    select: Option<&mut dyn Select>,
    options: &ExploreOptions,
    interrupt: &AtomicBool,
) -> Result<Exploration, InterpreterError> {
    let starts = [program.main].into_iter().chain(waiting.iter().map(|waiting| waiting.location)).collect();
    let options = ExploreOptions { symmetry: false, ..*options };
    let select = select.filter(|_| waiting.len() < MOST_THREADS);
    explore_from(program, starts, select.map(|select| (waiting, select)), &options, interrupt)
}

fn explore_from(
    program: &Program,
    starts: Vec<LocationId>,
    mut select: Option<(&[Waiting], &mut dyn Select)>,
    options: &ExploreOptions,
    interrupt: &AtomicBool,
) -> Result<Exploration, InterpreterError> {
    let started = Instant::now();
    let mut explore = |interpreter: &Interpreter<'_>| {
        let selection =
            select.as_mut().map(|(waiting, select)| Selection::new(interpreter, waiting, &mut **select));
        Explorer::new(interpreter, options, interrupt, started, selection).run()
    };
    if options.lazy {
        let plan = |starts: &[LocationId]| {
            Plan::new(program, &options.domain, &lazy::unknown(program, starts, options.forget_dead))
        };
        let interpreter = Interpreter::with_plan(program, starts.clone(), plan)?;
        if interpreter.plan.is_some()
            && let found = explore(&interpreter)
            && !found.sampled
        {
            return Ok(found);
        }
    }
    let interpreter = Interpreter::with_plan(program, starts, |_| None)?;
    Ok(explore(&interpreter))
}

/// Where a state was reached from: the parent's number, or none for initial states, and which of its successors it is.
#[derive(Clone, Copy)]
struct Link {
    parent: Option<u32>,
    ordinal: u32,
}

struct Explorer<'i, 'a, 's> {
    interpreter: &'i Interpreter<'a>,
    options: &'i ExploreOptions,
    interrupt: &'i AtomicBool,
    started: Instant,
    unknown: Vec<(VariableId, Option<usize>)>,
    unknown_values: Values,
    store: Store,
    links: Vec<Link>,
    /// For each property, the state that violates it.
    found: Vec<Option<usize>>,
    reducer: Reducer<'i, 'a>,
    selection: Option<Selection<'s>>,
    machine: Machine,
    steps: usize,
    sampled: bool,
    pool_emptied: bool,
}

impl<'i, 'a, 's> Explorer<'i, 'a, 's> {
    fn new(
        interpreter: &'i Interpreter<'a>,
        options: &'i ExploreOptions,
        interrupt: &'i AtomicBool,
        started: Instant,
        selection: Option<Selection<'s>>,
    ) -> Explorer<'i, 'a, 's> {
        let program = interpreter.program;
        let reducer = Reducer::new(interpreter, options.symmetry, options.forget_dead);
        let mut unknown = lazy::unknown(program, &interpreter.starts, options.forget_dead);
        unknown.retain(|unknown| !interpreter.open_at_start().contains(unknown));
        let sorts: Vec<_> = unknown.iter().map(|(id, _)| program.variable(*id).data_type.sort()).collect();
        let literals = domain::literals(program);
        Explorer {
            interpreter,
            options,
            interrupt,
            started,
            unknown,
            unknown_values: domain::values(&sorts, options.domain.max_initial_states, &literals),
            store: Store::new(interpreter.layout.size()),
            links: Vec::new(),
            found: vec![None; program.properties.len()],
            reducer,
            selection,
            machine: interpreter.machine.clone(),
            steps: 0,
            sampled: false,
            pool_emptied: false,
        }
    }

    /// What there is. If something is open, and `sampled` is set afterwards, then it must be chosen, and nothing else of the result counts.
    fn run(mut self) -> Exploration {
        self.sampled = !self.unknown_values.complete;
        let mut expander = Expander::new(self.interpreter, &self.options.domain);
        let stop = self.start().or_else(|| self.search(&mut expander));
        let properties = &self.interpreter.program.properties;
        let mut violated = BTreeMap::new();
        if self.must_choose() {
            self.found.clear();
        }
        for (index, state) in self.found.clone().into_iter().enumerate() {
            if let Some(state) = state {
                violated.insert(properties[index].name.clone(), self.run_to(state, &mut expander));
            }
        }
        Exploration {
            violated,
            complete: stop.is_none() && !self.sampled,
            states: self.store.len(),
            steps: self.steps,
            sampled: self.sampled,
            pool_emptied: self.pool_emptied,
            stop,
        }
    }

    /// Whether somebody looked at what is open, or at a sample.
    fn must_choose(&self) -> bool {
        self.sampled && self.interpreter.plan.is_some()
    }

    /// Inserts all initial states.
    fn start(&mut self) -> Option<Stop> {
        let lists = std::mem::take(&mut self.unknown_values.lists);
        let mut combination = Combination::new(&lists, 1);
        let mut stop = None;
        for ordinal in 0.. {
            let mut state = self.initial(&combination.cells);
            stop = self.insert(&mut state, Link { parent: None, ordinal });
            if stop.is_some() || !combination.advance() {
                break;
            }
        }
        self.unknown_values.lists = lists;
        stop
    }

    fn initial(&self, cells: &[Cell]) -> State {
        let program = self.interpreter.program;
        let mut state = self.interpreter.initial_state(|variable, thread| {
            let sort = program.variable(variable).data_type.sort();
            match self.unknown.binary_search(&(variable, thread)) {
                Ok(index) => cells[index].value(sort),
                Err(_) => smt::Value::zero(sort),
            }
        });
        for &(variable, thread) in self.interpreter.open_at_start() {
            self.interpreter.open(&mut state, variable, thread.unwrap_or(0));
        }
        state
    }

    fn search(&mut self, expander: &mut Expander<'i, 'a>) -> Option<Stop> {
        let mut state = State::default();
        let (mut depth, mut level_end) = (0, self.store.len());
        let mut number = 0;
        while number < self.store.len() {
            if number == level_end {
                depth += 1;
                level_end = self.store.len();
            }
            if self.options.limits.depth.is_some_and(|limit| depth >= limit) {
                return Some(Stop::Depth);
            }
            if number.is_multiple_of(256)
                && self.options.limits.time.is_some_and(|limit| self.started.elapsed() >= limit)
            {
                return Some(Stop::Time);
            }
            if self.interrupt.load(Ordering::Relaxed) {
                return Some(Stop::Interrupted);
            }
            self.store.get(number, &mut state);
            let (mut ordinal, mut stop) = (0, None);
            let mut selection = self.selection.take();
            let complete = expander.expand(&state, selection.as_mut(), &mut |_, next| {
                stop = self.insert(next, Link { parent: Some(number as u32), ordinal });
                ordinal += 1;
                if stop.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            self.selection = selection;
            self.steps += ordinal as usize;
            self.sampled |= !complete;
            if self.must_choose() {
                return Some(Stop::Interrupted);
            }
            if stop.is_some() {
                return stop;
            }
            number += 1;
        }
        None
    }

    /// Takes note of a state, if it is new.
    fn insert(&mut self, state: &mut State, link: Link) -> Option<Stop> {
        self.reducer.reduce(state);
        if !self.store.insert(state) {
            return None;
        }
        self.links.push(link);
        if let Some(pool) = self.interpreter.program.pool {
            let waits = |thread| self.interpreter.location(state, thread) == pool;
            self.pool_emptied |= !(0..self.interpreter.threads).any(waits);
        }
        let number = self.store.len() - 1;
        let (mut news, mut error) = (false, false);
        let found = &mut self.found;
        let properties = &self.interpreter.program.properties;
        let targets = &self.interpreter.targets;
        self.sampled |= targets.visit(self.interpreter, &mut self.machine, state, &mut |property| {
            news |= found[property].is_none();
            error |= properties[property].kind != PropertyKind::Limit;
            found[property].get_or_insert(number);
        });
        if self.must_choose() {
            return Some(Stop::Interrupted);
        }
        if news && self.found.iter().all(Option::is_some) {
            return Some(Stop::AllViolated);
        }
        if error && self.options.until_error {
            return Some(Stop::Error);
        }
        (self.store.len() >= self.options.limits.states.min(MAX_STATES)).then_some(Stop::States)
    }

    /// The run that led to a state, with the threads as they really are.
    fn run_to(&mut self, number: usize, expander: &mut Expander<'i, 'a>) -> Run {
        let mut path = vec![number];
        while let Some(Link { parent: Some(parent), .. }) = path.last().map(|&number| self.links[number]) {
            path.push(parent as usize);
        }
        path.reverse();
        let (initial, mut threads) = self.initial_values(self.links[path[0]].ordinal);
        let mut steps = Vec::with_capacity(path.len() - 1);
        let mut state = State::default();
        for pair in path.windows(2) {
            self.store.get(pair[0], &mut state);
            let ordinal = self.links[pair[1]].ordinal;
            let (choice, order) = self.choice(&state, ordinal, expander);
            steps.extend(choice.map(|choice| renumber(choice, &threads)));
            threads = order.iter().map(|&old| threads[old]).collect();
        }
        Run { threads: self.interpreter.threads, initial, steps }
    }

    /// The values of an initial state, and which thread is where in its reduced form.
    fn initial_values(&mut self, ordinal: u32) -> (Vec<InitialValue>, Vec<usize>) {
        let mut combination = Combination::new(&self.unknown_values.lists, 1);
        for _ in 0..ordinal {
            combination.advance();
        }
        let cells = combination.cells;
        let mut state = self.initial(&cells);
        self.reducer.reduce(&mut state);
        let initial = self.unknown.iter().zip(&cells).map(|(&(variable, thread), cell)| {
            let sort = self.interpreter.program.variable(variable).data_type.sort();
            InitialValue { variable, thread, value: cell.value(sort) }
        });
        (initial.collect(), self.reducer.order().to_vec())
    }

    /// The step to a successor, and which thread is where in its reduced form.
    fn choice(
        &mut self,
        state: &State,
        ordinal: u32,
        expander: &mut Expander<'i, 'a>,
    ) -> (Option<Choice>, Vec<usize>) {
        let mut left = ordinal;
        let mut choice = None;
        let mut selection = self.selection.take();
        expander.expand(state, selection.as_mut(), &mut |step, next| {
            if left > 0 {
                left -= 1;
                return ControlFlow::Continue(());
            }
            choice = Some(step.choice(self.interpreter));
            self.reducer.reduce(next);
            ControlFlow::Break(())
        });
        self.selection = selection;
        (choice, self.reducer.order().to_vec())
    }
}

/// A choice of a reduced state for the real threads.
fn renumber(mut choice: Choice, threads: &[usize]) -> Choice {
    choice.thread = threads[choice.thread];
    if !choice.passive_inputs.is_empty() {
        let mut inputs = vec![Vec::new(); threads.len()];
        for (old, own) in choice.passive_inputs.into_iter().enumerate() {
            inputs[threads[old]] = own;
        }
        choice.passive_inputs = inputs;
    }
    choice
}
