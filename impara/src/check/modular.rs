//! The judge of proofs without a tree: what holds at each location, and where two threads can be at once.
//!
//! The conditions are those of [`crate::modular`], asked one by one about two threads: number 0 makes a step, number 1 looks on. Threads beyond these two are where they were, and each
//! of them is in the place of number 1 once.

use super::Judge;
use super::symbolic::State;
use super::{Rejected, wrong_place as wrong};
use crate::modular::{Modular, pair};
use frontend::program::{EdgeId, LocationId, Target};
use smt::Term;

impl Judge<'_> {
    /// Whether what is said about places is right, and nothing is violated anywhere.
    pub(super) fn modular(&mut self, modular: &Modular) -> Result<(), Rejected> {
        let program = self.model.program;
        if modular.holds.len() != program.locations.len() {
            return Err(Rejected::Program("the proof has other locations than the program".to_owned()));
        }
        self.first(modular)?;
        for index in 0..program.edges.len() as u32 {
            self.step_alone(modular, EdgeId(index))?;
            for other in (0..program.locations.len() as u32).map(LocationId) {
                self.step_seen(modular, EdgeId(index), other)?;
            }
        }
        self.targets(modular)
    }

    /// What holds for a thread at a location, in the names of that thread.
    fn holds(&self, modular: &Modular, location: LocationId, thread: usize) -> Vec<Term> {
        modular.holds[location.index()].iter().map(|part| self.model.of_thread(thread, *part)).collect()
    }

    /// Whether premises imply all of these formulas in a state.
    fn follow(
        &mut self,
        premises: &[Term],
        state: &State,
        formulas: &[Term],
        (location, what): (LocationId, &str),
    ) -> Result<(), Rejected> {
        let mut premises = premises.to_vec();
        for part in formulas {
            premises.push(state.read(*part).not());
            if !self.contradict(&premises)? {
                return wrong(location, format!("{what}: {part}"));
            }
            premises.pop();
        }
        Ok(())
    }

    /// The initial thread is at its first location, all others wait.
    fn first(&mut self, modular: &Modular) -> Result<(), Rejected> {
        let program = self.model.program;
        let first = self.model.initial();
        let here = self.holds(modular, program.main, 0);
        self.follow(&first, &State::default(), &here, (program.main, "it does not hold at first"))?;
        if let Some(pool) = program.pool {
            let here = self.holds(modular, pool, 0);
            self.follow(&first, &State::default(), &here, (pool, "it does not hold at first"))?;
            for other in [program.main, pool] {
                if !modular.together.contains(&pair(pool, other)) {
                    return wrong(pool, "threads wait there from the beginning");
                }
            }
        }
        Ok(())
    }

    /// A step leads to what is said about the thread that makes it.
    fn step_alone(&mut self, modular: &Modular, edge: EdgeId) -> Result<(), Rejected> {
        let (from, to) = (self.model.program.edge(edge).from, self.model.program.edge(edge).to);
        let mut state = State::default();
        let mut premises = self.holds(modular, from, 0);
        premises.push(self.model.edge(&mut state, edge, 0, 1, ""));
        let there = self.holds(modular, to, 0);
        self.follow(&premises, &state, &there, (to, "a step does not lead to it"))
    }

    /// A step keeps what is said about another thread, and the two may be where they are then.
    fn step_seen(&mut self, modular: &Modular, edge: EdgeId, other: LocationId) -> Result<(), Rejected> {
        let (from, to) = (self.model.program.edge(edge).from, self.model.program.edge(edge).to);
        if !modular.together.contains(&pair(from, other)) {
            return Ok(());
        }
        let mut state = State::default();
        let mut premises = self.holds(modular, from, 0);
        let its = self.holds(modular, other, 1);
        premises.extend(&its);
        premises.push(self.model.edge(&mut state, edge, 0, 2, ""));
        if !modular.together.contains(&pair(to, other)) {
            if self.contradict(&premises)? {
                return Ok(());
            }
            return wrong(to, format!("two threads can be there and at location {}", other.0));
        }
        let changed: Vec<Term> = its.into_iter().filter(|part| state.read(*part) != *part).collect();
        self.follow(&premises, &state, &changed, (other, "a step of another thread does not keep it"))
    }

    /// No thread is where it must not be, and no two race.
    fn targets(&mut self, modular: &Modular) -> Result<(), Rejected> {
        let program = self.model.program;
        for property in &program.properties {
            match &property.target {
                Target::Location(location) => {
                    let here = self.holds(modular, *location, 0);
                    if !self.contradict(&here)? {
                        return wrong(*location, format!("{} may be violated", property.name));
                    }
                }
                Target::Race(first, second) => {
                    if !modular.together.contains(&pair(first.location, second.location)) {
                        continue;
                    }
                    for same in self.model.races(&[first.location, second.location], first, second) {
                        let mut formulas = self.holds(modular, first.location, 0);
                        formulas.extend(self.holds(modular, second.location, 1));
                        formulas.push(same);
                        if !self.contradict(&formulas)? {
                            return wrong(first.location, format!("{} may be violated", property.name));
                        }
                    }
                }
            }
        }
        Ok(())
    }
}
