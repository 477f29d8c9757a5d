//! Threads that are told apart, and a choice of those that move.

use super::Interpreter;
use super::layout::{SHARED, Slot, State, read_small};
use crate::program::{LocationId, VariableId};

/// Where a thread waits until it is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Nobody else gets there, nor the thread a second time.
    pub location: LocationId,
    /// Shared, false at first: the guard of every edge from there implies it.
    pub flag: VariableId,
}

/// Says which threads it is enough to move.
pub trait Select {
    /// Adds sets of threads, the best first: steps of the first one in which a step is possible are followed, those of all threads if there is none. A thread is a bit. For each thread that can do
    /// something, its location; nothing for those that have ended, and for those that wait and whose flag is not set.
    fn sets(&mut self, places: &[Option<LocationId>], sets: &mut Vec<u64>);
}

/// As many threads as sets have bits.
pub(super) const MOST_THREADS: usize = 64;

/// A choice with what it needs from one state to the next.
pub(super) struct Selection<'s> {
    select: &'s mut dyn Select,
    /// By thread: where it waits, and the flag.
    waiting: Vec<Option<(LocationId, Slot)>>,
    places: Vec<Option<LocationId>>,
    pub(super) sets: Vec<u64>,
}

impl<'s> Selection<'s> {
    pub(super) fn new(
        interpreter: &Interpreter<'_>,
        waiting: &[Waiting],
        select: &'s mut dyn Select,
    ) -> Selection<'s> {
        let slot = |waiting: &Waiting| Some((waiting.location, interpreter.layout.slot(waiting.flag)));
        let waiting = [None].into_iter().chain(waiting.iter().map(slot)).collect();
        Selection { select, waiting, places: Vec::new(), sets: Vec::new() }
    }

    /// Puts the sets for a state into `sets`, that of all threads last.
    pub(super) fn choose(&mut self, interpreter: &Interpreter<'_>, state: &State) {
        self.places.clear();
        let mut all = 0;
        for (thread, waiting) in self.waiting.iter().enumerate() {
            let location = interpreter.location(state, thread);
            let waits = waiting.is_some_and(|(place, flag)| {
                place == location && read_small(&state.words, SHARED, flag) == 0
            });
            let is_done = waits || interpreter.edges_from[location.index()].is_empty();
            self.places.push((!is_done).then_some(location));
            all |= u64::from(!is_done) << thread;
        }
        self.sets.clear();
        self.select.sets(&self.places, &mut self.sets);
        self.sets.push(all);
    }
}
