//! A sequence of steps with thread numbers, and the formula that says whether it can really be run.
//!
//! The threads' variables after each step are terms over the values at the start and the values that steps choose, so
//! that the formula is a conjunction of guards. A model of it is a run, which the interpreter replays before anyone believes it.

use crate::limits::Stop;
use crate::scope::Setting;
use frontend::program::interpret::replay;
use frontend::program::{Choice, EdgeId, InitialValue, Input, LocationId, Run, Target, VariableId};
use rustc_hash::FxHashMap;
use smt::{Answer, Config, Model, Reason, SolverChoice, Substitution, Symbol, Term, create};
use std::time::Duration;

/// Who takes which edge, in order. Thread 0 is the initial one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Path {
    /// How many threads there are.
    pub threads: usize,
    /// The steps.
    pub steps: Vec<(usize, EdgeId)>,
    /// The threads of a race at the end, and the property.
    pub race: Option<(usize, usize, usize)>,
}

impl Path {
    /// Where each thread is after so many steps.
    pub fn locations(&self, setting: &Setting<'_>, steps: usize) -> Vec<LocationId> {
        let program = setting.program;
        let pool = program.pool.unwrap_or(program.main);
        let mut locations = vec![pool; self.threads];
        locations[0] = program.main;
        for &(thread, edge) in &self.steps[..steps] {
            locations[thread] = program.edge(edge).to;
        }
        locations
    }
}

/// The state of some threads, as terms.
#[derive(Clone, Debug)]
pub struct Symbolic {
    shared: FxHashMap<VariableId, Term>,
    locals: Vec<FxHashMap<VariableId, Term>>,
}

/// The name of a variable's value at the start.
fn start_name(setting: &Setting<'_>, variable: VariableId, thread: Option<usize>) -> Term {
    let declared = setting.program.variable(variable);
    let name = match thread {
        None => format!("{}@start", declared.name),
        Some(thread) => format!("{}@start.{thread}", declared.name),
    };
    Term::constant(Symbol::new(&name), declared.data_type.sort())
}

/// The name of a value that a step chooses.
fn input_name(step: usize, input: &Input, thread: Option<usize>) -> Term {
    let name = match thread {
        None => format!("{}@step.{step}", input.name),
        Some(thread) => format!("{}@step.{step}.{thread}", input.name),
    };
    Term::constant(Symbol::new(&name), input.sort)
}

impl Symbolic {
    /// The state at the start.
    pub fn start(setting: &Setting<'_>, threads: usize) -> Symbolic {
        let mut state =
            Symbolic { shared: FxHashMap::default(), locals: vec![FxHashMap::default(); threads] };
        for (index, declared) in setting.program.variables.iter().enumerate() {
            let variable = VariableId(index as u32);
            let value = declared.init.as_ref().map(Term::value);
            if setting.is_shared(variable) {
                state.shared.insert(variable, value.unwrap_or_else(|| start_name(setting, variable, None)));
            } else {
                for (thread, locals) in state.locals.iter_mut().enumerate() {
                    let value = value.unwrap_or_else(|| start_name(setting, variable, Some(thread)));
                    locals.insert(variable, value);
                }
            }
        }
        state
    }

    /// What the variables of a term stand for.
    pub fn map(&self, setting: &Setting<'_>, thread: usize, passive: Option<usize>) -> FxHashMap<Term, Term> {
        let program = setting.program;
        let mut map = FxHashMap::default();
        let own = self.shared.iter().chain(&self.locals[thread]);
        map.extend(own.map(|(&variable, &value)| (program.variable(variable).term(), value)));
        if let Some(passive) = passive {
            let other = self.locals[passive].iter();
            map.extend(other.map(|(&variable, &value)| (program.variable(variable).passive_term(), value)));
        }
        map
    }

    /// Makes a step; returns its guard.
    pub fn step(&mut self, setting: &Setting<'_>, number: usize, thread: usize, edge: EdgeId) -> Term {
        let edge = setting.program.edge(edge);
        let inputs = edge.inputs.iter().map(|input| (input.term(), input_name(number, input, None)));
        let mut map = self.map(setting, thread, None);
        map.extend(inputs.clone());
        let mut substitution = Substitution::new(map);
        let guard = substitution.apply(edge.guard);
        let new: Vec<(VariableId, Term)> =
            edge.assign.iter().map(|(variable, term)| (*variable, substitution.apply(*term))).collect();
        let mut passive: Vec<(usize, VariableId, Term)> = Vec::new();
        if !edge.broadcast.is_empty() {
            for other in (0..self.locals.len()).filter(|&other| other != thread) {
                let mut map = self.map(setting, thread, Some(other));
                map.extend(inputs.clone());
                let own = edge.broadcast.inputs.iter();
                map.extend(own.map(|input| (input.term(), input_name(number, input, Some(other)))));
                let mut substitution = Substitution::new(map);
                let values = edge.broadcast.assign.iter();
                passive.extend(values.map(|(variable, term)| (other, *variable, substitution.apply(*term))));
            }
        }
        for (variable, value) in new {
            if setting.is_shared(variable) {
                self.shared.insert(variable, value);
            } else {
                self.locals[thread].insert(variable, value);
            }
        }
        for (other, variable, value) in passive {
            self.locals[other].insert(variable, value);
        }
        guard
    }
}

/// What became of a path.
pub enum Feasibility {
    /// A run, replayed.
    Real(Run),
    /// The first so many steps cannot be run, one less can, as far as is known; with the race, all steps can be run but the race is
    /// none.
    Infeasible(usize),
    /// It takes too long to find out.
    Open(Reason),
}

/// Whether a path can be run.
pub fn simulate(
    setting: &Setting<'_>,
    path: &Path,
    solver: &SolverChoice,
    config: &Config,
) -> Result<Feasibility, Stop> {
    let mut solver = create(solver, config)?;
    solver.set_time_limit(Some(config.time_limit.map_or(PATIENCE, |limit| limit.min(PATIENCE))));
    let mut state = Symbolic::start(setting, path.threads);
    let mut guards = Vec::new();
    for (number, &(thread, edge)) in path.steps.iter().enumerate() {
        guards.push(state.step(setting, number, thread, edge));
    }
    if let Some((first, second, property)) = path.race {
        guards.push(race_condition(setting, &state, first, second, property));
    }
    // Guards that hold whatever was chosen cost nothing.
    for (number, &guard) in guards.iter().enumerate() {
        if guard.is_true() {
            continue;
        }
        solver.assert(guard)?;
        match solver.check()? {
            Answer::Sat => {}
            Answer::Unsat => return Ok(Feasibility::Infeasible(number + 1)),
            Answer::Unknown(Reason::TimeLimit | Reason::Incomplete(_)) if number + 1 < guards.len() => {
                // The steps may be hard, but a later one may contradict something simple.
                solver.set_time_limit(Some(LITTLE_PATIENCE));
            }
            Answer::Unknown(reason) => return open(reason),
        }
    }
    match solver.check()? {
        Answer::Sat => {}
        Answer::Unsat => return Ok(Feasibility::Infeasible(guards.len())),
        Answer::Unknown(reason) => return open(reason),
    }
    let model = solver.model()?;
    let run = run(setting, path, &model)?;
    replay(setting.program, &run)
        .map_err(|error| Stop::Bug(format!("a run of the path formula cannot be replayed: {error}")))?;
    Ok(Feasibility::Real(run))
}

/// A question that took too long says nothing about the path; anything else that keeps the solver from answering ends everything.
fn open(reason: Reason) -> Result<Feasibility, Stop> {
    match reason {
        Reason::TimeLimit | Reason::Incomplete(_) => Ok(Feasibility::Open(reason)),
        Reason::Interrupted | Reason::SolverDied(_) => Err(Stop::Solver(reason)),
    }
}

/// Longer is no question thought about; less after one that took too long.
const PATIENCE: Duration = Duration::from_secs(10);
const LITTLE_PATIENCE: Duration = Duration::from_secs(1);

/// The two accesses are to the same element.
fn race_condition(
    setting: &Setting<'_>,
    state: &Symbolic,
    first: usize,
    second: usize,
    property: usize,
) -> Term {
    match &setting.program.properties[property].target {
        Target::Race(one, two) => match (one.index, two.index) {
            (Some(i), Some(j)) => {
                let i = i.substitute(&state.map(setting, first, None));
                let j = j.substitute(&state.map(setting, second, None));
                i.equals(j)
            }
            _ => Term::tru(),
        },
        Target::Location(_) => Term::tru(),
    }
}

fn run(setting: &Setting<'_>, path: &Path, model: &Model) -> Result<Run, Stop> {
    let value = |term: Term| model.eval(term).map_err(|error| Stop::Bug(error.to_string()));
    let mut initial = Vec::new();
    for (index, declared) in setting.program.variables.iter().enumerate() {
        if declared.init.is_some() {
            continue;
        }
        let variable = VariableId(index as u32);
        let copies: Vec<Option<usize>> =
            if setting.is_shared(variable) { vec![None] } else { (0..path.threads).map(Some).collect() };
        for thread in copies {
            let value = value(start_name(setting, variable, thread))?;
            initial.push(InitialValue { variable, thread, value });
        }
    }
    let mut steps = Vec::new();
    for (number, &(thread, edge)) in path.steps.iter().enumerate() {
        let details = setting.program.edge(edge);
        let inputs = details
            .inputs
            .iter()
            .map(|input| value(input_name(number, input, None)))
            .collect::<Result<_, _>>()?;
        let mut passive_inputs = Vec::new();
        if !details.broadcast.inputs.is_empty() {
            for other in 0..path.threads {
                let own = details.broadcast.inputs.iter().filter(|_| other != thread);
                let own = own.map(|input| value(input_name(number, input, Some(other))));
                passive_inputs.push(own.collect::<Result<_, _>>()?);
            }
        }
        steps.push(Choice { thread, edge, inputs, passive_inputs });
    }
    Ok(Run { threads: path.threads, initial, steps })
}
