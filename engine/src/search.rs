//! Bugs that few threads show soon: the program is run, beside the proof.
//!
//! If the program starts only so many threads and has only so many states, the search sees them all: then it is a proof, for every number of
//! threads (see [`Exhausted`]).
//!
//! The interpreter explores the program with two, three and more threads, first a few thousand states, then more and more;
//! Where the program tells its threads apart, they are unrolled, and only such orders of their steps are tried that can make a difference ([`Orders`]);
//! in between it follows random schedules, which go deeper. A first, small round comes before the proof search and
//! finds most shallow bugs at once; the other rounds run beside it until one of the two has an answer.

use crate::apart::Apart;
use crate::bug::{Bug, believe};
use crate::unwind::{Bounds, Unwinding, unwind};
use frontend::program::interpret::{
    End, ExploreOptions, Limits, Persistent, explore_apart, explore_while, random,
};
use frontend::program::{Program, PropertyKind, Run, Scope, Target};
use smt::Sort;
use std::sync::atomic::{AtomicBool, Ordering};

/// One round of the search.
#[derive(Clone, Copy, Debug)]
struct Round {
    /// Undecided rounds of loops, where threads are unrolled.
    unwind: u32,
    states: usize,
    random_runs: u64,
    random_steps: usize,
}

/// The round before everything else.
const FIRST: Round = Round { unwind: 2, states: 3_000, random_runs: 20, random_steps: 200 };
/// Those beside the proof. Random schedules take less time than states, but for the last ones, when all states that there is room for were seen.
const ROUNDS: [Round; 5] = [
    Round { unwind: 4, states: 30_000, random_runs: 300, random_steps: 400 },
    Round { unwind: 8, states: 150_000, random_runs: 300, random_steps: 1_000 },
    Round { unwind: 16, states: 1_000_000, random_runs: 300, random_steps: 2_000 },
    Round { unwind: 64, states: 20_000_000, random_runs: 1_000, random_steps: 4_000 },
    Round { unwind: 64, states: 0, random_runs: 100_000, random_steps: 4_000 },
];

/// So many threads are tried as long as all states of fewer are known.
const MOST_THREADS: usize = 20;
/// With more threads than these, orders are tried before states.
const FEW_THREADS: usize = 3;
/// Copies of locations at most, where threads are unrolled.
const NODES: usize = 4_000;

/// What a search found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A bug.
    Bug(Bug),
    /// That there is none, for any number of threads.
    Exhausted(Exhausted),
    /// The same.
    Orders(Orders),
}

/// All orders of the steps of all threads that the program starts were looked at, but for those that differ from others in exchanges of steps that do not disturb each other, and nothing was violated. The program starts no other
/// threads, and its loops end: nobody gets to the end of what is unrolled ([`Apart`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Orders {
    /// How many undecided rounds of loops were unrolled.
    pub unwind: u32,
    /// How many threads there are.
    pub threads: usize,
    /// How many states were seen.
    pub states: usize,
}

/// Bits of a value; arrays are kept as what differs from their beginning, and share what they have in common.
fn width(sort: Sort) -> usize {
    match sort {
        Sort::Bool => 1,
        Sort::BitVec(width) => width as usize,
        Sort::Array(_) => 4096,
    }
}

/// So many states of so many threads fit a gigabyte.
fn room(program: &Program, threads: usize) -> usize {
    let bits = |scope: Scope| {
        let variables = program.variables.iter().filter(move |variable| variable.scope == scope);
        variables.map(|variable| width(variable.data_type.sort())).sum::<usize>()
    };
    let state = bits(Scope::Shared) + threads * (bits(Scope::Local) + 32);
    (1 << 33) / (state + 256)
}

/// How far threads are unrolled.
fn bounds(rounds: u32, threads: usize) -> Bounds {
    Bounds { rounds, of_loops: Vec::new(), threads, nodes: NODES }
}

impl Orders {
    /// Looks at them, with loops unrolled so far, and at so many states at most; `seen` is told of each property of the program that is violated, with a run. Nothing if that is not all, or if something is violated, be it a limit.
    pub fn look(
        program: &Program,
        unwinding: &Unwinding,
        (rounds, states): (u32, usize),
        interrupt: &AtomicBool,
        seen: &mut dyn FnMut(usize, Run),
    ) -> Option<Orders> {
        let apart = Apart::of(program, unwinding)?;
        let mut enough = Persistent::new(&apart.program, &apart.waiting)?;
        let limits =
            Limits { states: states.min(room(&apart.program, apart.waiting.len() + 1)), ..Limits::default() };
        let options =
            ExploreOptions { limits, until_error: true, forget_dead: true, ..ExploreOptions::default() };
        let explored =
            explore_apart(&apart.program, &apart.waiting, Some(&mut enough), &options, interrupt).ok()?;
        for (name, run) in &explored.violated {
            if let Some(property) = apart.property(name) {
                seen(property, apart.run(run));
            }
        }
        let (threads, states) = (apart.waiting.len() + 1, explored.states);
        (explored.complete && explored.violated.is_empty()).then_some(Orders {
            unwind: rounds,
            threads,
            states,
        })
    }
}

/// All states of so many threads were seen, none violates a property, and in all of them a thread was left in the pool, where no property
/// asks about it. Then more threads can do no more: take the first step in which more threads leave the pool than ever in this exploration; before it, only so many threads
/// have moved, and the same steps are possible with these alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhausted {
    /// How many threads were explored.
    pub threads: usize,
    /// How many states they have.
    pub states: usize,
}

/// A search in rounds.
pub struct Search<'a> {
    program: &'a Program,
    threads: usize,
    /// With how many at most where all states of fewer are known.
    most: usize,
    /// Numbers of threads whose states are all known to be safe.
    finished: usize,
    /// Whether nobody is known to look at values that can stay open: otherwise an exploration without them is in vain.
    lazy: bool,
}

impl<'a> Search<'a> {
    /// With at most so many threads.
    pub fn new(program: &'a Program, threads: usize) -> Search<'a> {
        Search { program, threads, most: threads.max(MOST_THREADS), finished: 0, lazy: true }
    }

    /// Never with more threads, even if all states of so many are known.
    pub fn strictly(self) -> Search<'a> {
        Search { most: self.threads, ..self }
    }

    /// The quick round.
    pub fn first(&mut self, interrupt: &AtomicBool) -> Option<Found> {
        self.round(FIRST, 1, interrupt)
    }

    /// All other rounds, until something is found or somebody asks to stop.
    pub fn others(&mut self, interrupt: &AtomicBool) -> Option<Found> {
        let rounds = ROUNDS.iter().enumerate();
        rounds.into_iter().find_map(|(number, round)| self.round(*round, number as u64 + 2, interrupt))
    }

    /// Explores up to so many states with each number of threads: an answer that does not depend on the time.
    pub fn within(&mut self, states: usize, interrupt: &AtomicBool) -> Option<Found> {
        self.round(Round { unwind: 2, states, random_runs: 0, random_steps: 0 }, 0, interrupt)
    }

    fn round(&mut self, settings: Round, seed: u64, interrupt: &AtomicBool) -> Option<Found> {
        let unwinding = unwind(self.program, &bounds(settings.unwind, self.most));
        // All states of many threads are too many, but their orders may be few.
        let many = unwinding.fused && unwinding.threads.len() > FEW_THREADS;
        // These states are cheap: threads have their own code, and few steps are possible in each.
        let far = (settings.unwind, 4 * settings.states);
        let apart = |search: &Search<'a>| search.apart(&unwinding, far, interrupt);
        let found = many.then(|| apart(self)).flatten();
        let found = found.or_else(|| self.together(settings, seed, interrupt));
        found.or_else(|| (!many).then(|| apart(self)).flatten())
    }

    /// All states of so many threads, more and more, and random schedules.
    fn together(&mut self, settings: Round, seed: u64, interrupt: &AtomicBool) -> Option<Found> {
        let counts = if self.program.pool.is_some() { 2..=self.most.max(2) } else { 1..=1 };
        for count in counts {
            // More threads are worth a try where all states of fewer were seen: then the program starts only so many.
            if count > self.threads.max(2) && self.finished + 1 < count {
                break;
            }
            if count > self.finished {
                let found = self.explore(settings, count, interrupt);
                if found.is_some() {
                    return found;
                }
            }
            if count <= self.finished {
                continue;
            }
            for number in 0..settings.random_runs {
                if interrupt.load(Ordering::Relaxed) {
                    return None;
                }
                let seed = seed.wrapping_mul(1_000_003).wrapping_add(number);
                let found = random(self.program, count, seed, settings.random_steps).ok()?;
                if let End::Violated(names) = found.end {
                    let bug = names.iter().find_map(|name| believe(self.program, name, found.run.clone()));
                    if let Some(bug) = bug {
                        return Some(Found::Bug(bug));
                    }
                }
            }
        }
        None
    }

    /// Threads told apart, in all orders that can make a difference.
    fn apart(&self, unwinding: &Unwinding, far: (u32, usize), interrupt: &AtomicBool) -> Option<Found> {
        let mut bug = None;
        let all = Orders::look(self.program, unwinding, far, interrupt, &mut |property, run| {
            let property = &self.program.properties[property];
            if bug.is_none() && property.kind != PropertyKind::Limit {
                bug = believe(self.program, &property.name, run);
            }
        });
        bug.map(Found::Bug).or(all.map(Found::Orders))
    }

    /// Whether threads that only wait can violate a property.
    fn pool_matters(&self) -> bool {
        let waits = |location| Some(location) == self.program.pool;
        self.program.properties.iter().any(|property| match &property.target {
            Target::Location(location) => waits(*location),
            Target::Race(first, second) => waits(first.location) || waits(second.location),
        })
    }

    fn explore(&mut self, settings: Round, threads: usize, interrupt: &AtomicBool) -> Option<Found> {
        let states = settings.states.min(room(self.program, threads));
        let limits = Limits { states, ..Limits::default() };
        let (until_error, forget_dead, lazy) = (true, true, self.lazy);
        let options = ExploreOptions { limits, until_error, forget_dead, lazy, ..ExploreOptions::default() };
        let explored = explore_while(self.program, threads, &options, interrupt).ok()?;
        self.lazy &= !explored.sampled;
        let safe = explored.complete && explored.violated.is_empty();
        for (name, run) in explored.violated {
            if let Some(bug) = believe(self.program, &name, run) {
                return Some(Found::Bug(bug));
            }
        }
        if safe && !explored.pool_emptied && !self.pool_matters() {
            return Some(Found::Exhausted(Exhausted { threads, states: explored.states }));
        }
        if safe {
            self.finished = threads;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frontend::program::text::read;

    /// Five threads are started, each of which counts once.
    const FIVE: &str = "program 1
        shared full: bool = false
        shared n: u8 = 0
        local i: u8 = 0
        location 0 live i
        location 1
        location 2
        location 3
        location 4
        main 0
        pool 1
        edge 0: 0 -> 0
          guard (and (not full) (bvult i #x05))
          assign full := true
          assign i := (bvadd i #x01)
        edge 1: 1 -> 2
          guard full
          assign full := false
        edge 2: 2 -> 3
          assign n := (bvadd n #x01)
        edge 3: 0 -> 4
          guard (bvult #x05 n)
        property p assertion \"p\" at 4
        ";

    /// More threads than were asked for are tried, as long as all states of fewer are known.
    #[test]
    fn as_many_threads_as_are_started() {
        let (program, never) = (read(FIVE).unwrap(), AtomicBool::new(false));
        let found = Search::new(&program, 3).first(&never);
        assert!(matches!(found, Some(Found::Exhausted(Exhausted { threads: 7, .. }))), "{found:?}");
        assert_eq!(Search::new(&program, 3).strictly().first(&never), None);
        let failing = read(&FIVE.replace("bvult #x05 n", "= #x05 n")).unwrap();
        assert!(matches!(Search::new(&failing, 3).first(&never), Some(Found::Bug(_))));
    }
}
