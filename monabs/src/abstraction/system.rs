//! The monotone closure (definition 20 of the thesis) of an explicit template, as a coverability problem.
//!
//! A passive thread that stands in the way of a step goes to a sink, from which nothing leads anywhere. A step into an error
//! location leads to a shared state of its own, because nothing matters after it: then one thread in that
//! location is the target. If there are several initial states, a first step chooses one.

use super::explore::{Template, Transition};
use crate::scope::Setting;
use breach::system::{InitialStates, Problem, State, System, Transfer};
use frontend::program::{EdgeId, LocationId, RaceAccess, Target};

/// A problem for `breach`, with what its transitions are.
pub struct Abstraction {
    /// The problem.
    pub problem: Problem,
    /// For each transition the edge; none for the choice of an initial state.
    pub edges: Vec<Option<EdgeId>>,
    /// The local state of the initial thread at the very start.
    pub main: u32,
    /// The shared state after an error.
    pub error: u32,
    /// The sink.
    pub sink: u32,
    /// A shared state that nothing leads to: the target where no other is left, so that the file and its proof say what is asked.
    pub never: Option<u32>,
    /// Names of shared and local states beyond those of the template.
    pub template: Template,
}

/// The closure, with those properties as targets that `wanted` says.
pub fn close(setting: &Setting<'_>, template: Template, wanted: &[bool]) -> Abstraction {
    let program = setting.program;
    let (shared, locals) = (template.shared.len() as u32, template.locals.len() as u32);
    let (error, start) = (shared, shared + 1);
    let (sink, main_start, pool_start) = (locals, locals + 1, locals + 2);
    let mut system = System { shared_states: shared + 2, local_states: locals + 3, ..System::default() };
    let mut edges = Vec::new();
    for Transition { edge, from, to, passive } in &template.transitions {
        let failed = setting.is_error(template.locals[to.1 as usize].location);
        let transfers = passive.iter().map(|(thread, after)| Transfer {
            from: *thread,
            to: if after.is_empty() {
                vec![sink]
            } else {
                let mut after = after.clone();
                after.sort_unstable();
                after
            },
        });
        system.transitions.push(breach::system::Transition {
            from: from.0,
            to: if failed { error } else { to.0 },
            consume: [from.1].into_iter().collect(),
            produce: [to.1].into_iter().collect(),
            transfers: transfers.collect(),
        });
        edges.push(Some(*edge));
    }
    let single = match template.beginnings.as_slice() {
        [beginning] => Some(beginning.clone()),
        _ => None,
    };
    let (init, main) = match single {
        Some(beginning) => {
            (InitialStates::new(beginning.shared, [beginning.main], beginning.pool), beginning.main)
        }
        None => {
            for beginning in &template.beginnings {
                let mut pool = beginning.pool.clone();
                pool.sort_unstable();
                let transfers = if program.pool.is_some() {
                    vec![Transfer { from: pool_start, to: if pool.is_empty() { vec![sink] } else { pool } }]
                } else {
                    Vec::new()
                };
                system.transitions.push(breach::system::Transition {
                    from: start,
                    to: beginning.shared,
                    consume: [main_start].into_iter().collect(),
                    produce: [beginning.main].into_iter().collect(),
                    transfers,
                });
                edges.push(None);
            }
            let pool = program.pool.map(|_| pool_start).into_iter().collect();
            (InitialStates::new(start, [main_start], pool), main_start)
        }
    };
    let mut targets = Vec::new();
    for (property, _) in program.properties.iter().zip(wanted).filter(|(_, wanted)| **wanted) {
        match &property.target {
            Target::Location(location) => {
                let at = |local: &u32| template.locals[*local as usize].location == *location;
                targets.extend((0..locals).filter(at).map(|local| State::new(error, [local])));
                // Also an error at the very beginning counts.
                for beginning in &template.beginnings {
                    let threads = beginning.pool.iter().chain([&beginning.main]);
                    targets.extend(
                        threads
                            .filter(|&local| at(local))
                            .map(|&local| State::new(beginning.shared, [local])),
                    );
                }
            }
            Target::Race(first, second) => targets.extend(race(&template, first, second)),
        }
    }
    targets.sort();
    targets.dedup();
    let never = targets.is_empty().then_some(system.shared_states);
    if let Some(never) = never {
        system.shared_states += 1;
        targets.push(State::new(never, []));
    }
    let problem = Problem { system, init, targets };
    Abstraction { problem, edges, main, error, sink, never, template }
}

/// The occurring pairs in order.
fn sorted(template: &Template) -> impl Iterator<Item = (u32, u32)> {
    let mut pairs: Vec<(u32, u32)> = template.occurring.iter().copied().collect();
    pairs.sort_unstable();
    pairs.into_iter()
}

/// All pairs of threads at the two accesses.
fn race(template: &Template, first: &RaceAccess, second: &RaceAccess) -> Vec<State> {
    let at = |local: u32, location: LocationId| template.locals[local as usize].location == location;
    let pairs: Vec<(u32, u32)> = sorted(template).collect();
    let mut states = Vec::new();
    for &(shared, one) in pairs.iter().filter(|(_, local)| at(*local, first.location)) {
        for &(_, two) in pairs.iter().filter(|(s, local)| *s == shared && at(*local, second.location)) {
            states.push(State::new(shared, [one, two]));
        }
    }
    states
}
