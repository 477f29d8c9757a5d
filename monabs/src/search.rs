//! Bugs that few threads show soon: bounded search beside the proof.
//!
//! The interpreter explores the program with two, three and more threads, first a few thousand states, then more and more;
//! in between it follows random schedules, which go deeper. A first, small round comes before the proof search and
//! finds most shallow bugs at once; the other rounds run beside it until one of the two has an answer.

use frontend::program::interpret::{ExploreOptions, Limits, explore_while, random, replay};
use frontend::program::{Program, PropertyKind, Run};
use std::sync::atomic::{AtomicBool, Ordering};

/// A real run that violates a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bug {
    /// The run.
    pub run: Run,
    /// The property, by number.
    pub property: usize,
}

/// One round of the search.
#[derive(Clone, Copy, Debug)]
struct Round {
    states: usize,
    random_runs: u64,
    random_steps: usize,
}

/// The round before everything else.
const FIRST: Round = Round { states: 3_000, random_runs: 20, random_steps: 200 };
/// Those beside the proof.
const ROUNDS: [Round; 5] = [
    Round { states: 30_000, random_runs: 300, random_steps: 400 },
    Round { states: 150_000, random_runs: 1_000, random_steps: 1_000 },
    Round { states: 500_000, random_runs: 3_000, random_steps: 2_000 },
    Round { states: 1_000_000, random_runs: 10_000, random_steps: 4_000 },
    Round { states: 2_000_000, random_runs: 100_000, random_steps: 4_000 },
];

/// The quick round.
pub fn first(program: &Program, threads: usize, interrupt: &AtomicBool) -> Option<Bug> {
    round(program, FIRST, threads.min(3), 1, interrupt)
}

/// All other rounds, until something is found or somebody asks to stop.
pub fn all(program: &Program, threads: usize, interrupt: &AtomicBool) -> Option<Bug> {
    ROUNDS
        .iter()
        .enumerate()
        .find_map(|(number, settings)| round(program, *settings, threads, number as u64 + 2, interrupt))
}

fn round(program: &Program, settings: Round, threads: usize, seed: u64, interrupt: &AtomicBool) -> Option<Bug> {
    let counts = if program.pool.is_some() { 2..=threads.max(2) } else { 1..=1 };
    for count in counts {
        let limits = Limits { states: settings.states, ..Limits::default() };
        let options = ExploreOptions { limits, until_error: true, forget_dead: true, ..ExploreOptions::default() };
        let explored = explore_while(program, count, &options, interrupt).ok()?;
        for (name, run) in explored.violated {
            if let Some(bug) = believe(program, &name, run) {
                return Some(bug);
            }
        }
        for number in 0..settings.random_runs {
            if interrupt.load(Ordering::Relaxed) {
                return None;
            }
            let seed = seed.wrapping_mul(1_000_003).wrapping_add(number);
            let found = random(program, count, seed, settings.random_steps).ok()?;
            if let frontend::program::interpret::End::Violated(names) = found.end {
                for name in names {
                    if let Some(bug) = believe(program, &name, found.run.clone()) {
                        return Some(bug);
                    }
                }
            }
        }
    }
    None
}

/// A run is believed if it replays, violates the property, and takes no step that reality may not have.
pub fn believe(program: &Program, name: &str, run: Run) -> Option<Bug> {
    let property = program.properties.iter().position(|property| property.name == name)?;
    if program.properties[property].kind == PropertyKind::Limit {
        return None;
    }
    let outcome = replay(program, &run).ok()?;
    let real = outcome.violated.contains_key(name) && outcome.approximate.is_empty();
    real.then_some(Bug { run, property })
}
