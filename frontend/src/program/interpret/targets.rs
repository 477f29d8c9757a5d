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

    /// Calls `visit` with each property that the state violates, perhaps several times.
    pub(super) fn visit(
        &self,
        interpreter: &Interpreter<'_>,
        machine: &mut Machine,
        state: &State,
        visit: &mut dyn FnMut(usize),
    ) {
        for thread in 0..interpreter.threads {
            let here = &self.by_location[interpreter.location(state, thread).index()];
            for &property in &here.violated {
                visit(property);
            }
            for &race in &here.races {
                let race = &self.races[race];
                if race.happens(interpreter, machine, state, thread) {
                    visit(race.property);
                }
            }
        }
    }
}

impl Race {
    /// Whether some other thread is the second party, with this one as the first.
    fn happens(
        &self,
        interpreter: &Interpreter<'_>,
        machine: &mut Machine,
        state: &State,
        first: usize,
    ) -> bool {
        (0..interpreter.threads).any(|second| {
            second != first
                && interpreter.location(state, second) == self.second_location
                && match (&self.first, &self.second) {
                    (Some(term), Some(other)) => {
                        evaluate(interpreter, machine, term, state, first)
                            == evaluate(interpreter, machine, other, state, second)
                    }
                    _ => true,
                }
        })
    }
}

fn evaluate(
    interpreter: &Interpreter<'_>,
    machine: &mut Machine,
    term: &CompiledTerm,
    state: &State,
    thread: usize,
) -> Cell {
    let active = interpreter.layout.thread(thread);
    machine.run(
        &term.code.instructions,
        Frame { state, active, passive: active, inputs: &[], passive_inputs: &[] },
    );
    machine.cell(term.register)
}
