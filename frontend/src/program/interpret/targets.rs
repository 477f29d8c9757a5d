//! Which properties a state violates.

use super::Interpreter;
use super::compile::{CompiledTerm, Compiler};
use super::layout::{Cell, State};
use super::machine::{Frame, Machine};
use crate::program::{LocationId, Program, RaceAccess, Target};

/// The targets of all properties by location, so that most states are dismissed at a glance.
#[derive(Clone, Debug)]
pub(super) struct Targets {
    by_location: Vec<Here>,
    races: Vec<Race>,
}

/// What a thread in a location means.
#[derive(Clone, Debug, Default)]
struct Here {
    /// Properties that are violated.
    violated: Vec<usize>,
    /// Races that it is the first party of.
    races: Vec<usize>,
}

#[derive(Clone, Debug)]
struct Race {
    property: usize,
    first: Option<CompiledTerm>,
    second_location: LocationId,
    second: Option<CompiledTerm>,
}

impl Targets {
    pub(super) fn new(program: &Program, compiler: &Compiler<'_>) -> Targets {
        let mut targets =
            Targets { by_location: vec![Here::default(); program.locations.len()], races: Vec::new() };
        for (property, named) in program.properties.iter().enumerate() {
            match &named.target {
                Target::Location(location) => targets.by_location[location.index()].violated.push(property),
                Target::Race(first, second) => targets.race(compiler, property, first, second),
            }
        }
        targets
    }

    fn race(&mut self, compiler: &Compiler<'_>, property: usize, first: &RaceAccess, second: &RaceAccess) {
        self.by_location[first.location.index()].races.push(self.races.len());
        let compile = |access: &RaceAccess| access.index.map(|index| compiler.term(index));
        let second_location = second.location;
        self.races.push(Race { property, first: compile(first), second_location, second: compile(second) });
    }

    pub(super) fn reserve(&self, machine: &mut Machine) {
        for race in &self.races {
            for term in race.first.iter().chain(&race.second) {
                machine.reserve(&term.code);
            }
        }
    }

    /// Calls `visit` with each property that the state violates, perhaps several times. Says whether it met unknown bits that decide.
    pub(super) fn visit(
        &self,
        interpreter: &Interpreter<'_>,
        machine: &mut Machine,
        state: &State,
        visit: &mut dyn FnMut(usize),
    ) -> bool {
        let mut looked = false;
        for thread in 0..interpreter.threads {
            let here = &self.by_location[interpreter.location(state, thread).index()];
            for &property in &here.violated {
                visit(property);
            }
            for &race in &here.races {
                let race = &self.races[race];
                match race.happens(interpreter, machine, state, thread) {
                    Some(true) => visit(race.property),
                    Some(false) => {}
                    None => looked = true,
                }
            }
        }
        looked
    }
}

impl Race {
    /// Whether some other thread is the second party, with this one as the first, if that is known.
    fn happens(
        &self,
        interpreter: &Interpreter<'_>,
        machine: &mut Machine,
        state: &State,
        first: usize,
    ) -> Option<bool> {
        let mut known = true;
        for second in (0..interpreter.threads).filter(|&second| second != first) {
            if interpreter.location(state, second) != self.second_location {
                continue;
            }
            let (Some(term), Some(other)) = (&self.first, &self.second) else { return Some(true) };
            let here = evaluate(interpreter, machine, term, state, first);
            let there = evaluate(interpreter, machine, other, state, second);
            match (here, there) {
                (Some(here), Some(there)) if here == there => return Some(true),
                (Some(_), Some(_)) => {}
                _ => known = false,
            }
        }
        known.then_some(false)
    }
}

/// The value of a term, if it is known.
fn evaluate(
    interpreter: &Interpreter<'_>,
    machine: &mut Machine,
    term: &CompiledTerm,
    state: &State,
    thread: usize,
) -> Option<Cell> {
    let active = interpreter.layout.thread(thread);
    let frame = Frame { state, active, passive: active, inputs: &[], passive_inputs: &[] };
    if interpreter.plan.is_none() {
        machine.run(&term.code.instructions, frame);
        return Some(machine.cell(term.register));
    }
    machine.run_masked(&term.code.instructions, frame, &[]);
    machine.masks.is_clean(term.register).then(|| machine.cell(term.register))
}
