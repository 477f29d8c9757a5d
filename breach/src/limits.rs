//! When to stop: time, memory, and the user's interrupt.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};
pub use terminal::memory::{peak as peak_memory, resident as resident_memory};

/// Why a search stopped without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// The time limit.
    #[error("time limit reached; --timeout sets it")]
    TimeLimit,
    /// The memory limit.
    #[error("memory limit reached; --memory-limit sets it")]
    MemoryLimit,
    /// The user asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// The forward search alone cannot decide systems with transfers.
    #[error("the forward search alone does not decide this system; use another --algorithm")]
    Incomplete,
    /// A limit was reached after the search, while the proof was being written.
    #[error("no target is coverable, but a limit was reached before the proof was complete")]
    ProofUnfinished,
    /// A run exists, but it is too long to be written down.
    #[error(
        "the target is coverable, but the run found is too long to be replayed; try --algorithm backward"
    )]
    RunTooLong,
}

/// Limits of a search.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// How long it may take, from the start of the call.
    pub timeout: Option<Duration>,
    /// Peak resident memory of the process, in bytes.
    pub memory: Option<u64>,
    /// Set from outside to stop the search.
    pub interrupt: Option<Arc<AtomicBool>>,
}

/// Limits in force, with the clock running.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    limits: Limits,
    start: Instant,
}

impl Watch {
    pub(crate) fn start(limits: &Limits) -> Self {
        Self { limits: limits.clone(), start: Instant::now() }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// The limit that is reached, if any, except for memory, which takes longer to find out.
    fn reached_quickly(&self) -> Option<Reason> {
        if self.limits.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(Reason::Interrupted);
        }
        let late = self.limits.timeout.is_some_and(|limit| self.elapsed() >= limit);
        late.then_some(Reason::TimeLimit)
    }

    /// The limit that is reached, if any.
    pub(crate) fn reached(&self) -> Option<Reason> {
        if let Some(reason) = self.reached_quickly() {
            return Some(reason);
        }
        if self.limits.memory.is_some_and(|limit| resident_memory().is_some_and(|used| used >= limit)) {
            return Some(Reason::MemoryLimit);
        }
        None
    }
}

/// Tells a search in the middle of its work that it is over: a limit is reached or another search has won.
/// A search that was stopped must not be resumed.
#[derive(Debug)]
pub(crate) struct Stop<'w> {
    watch: &'w Watch,
    requested: AtomicBool,
    ticks: AtomicU32,
}

/// The clock is looked at once in so many calls.
const TICKS: u32 = 1024;

impl<'w> Stop<'w> {
    pub(crate) fn new(watch: &'w Watch) -> Self {
        Self { watch, requested: AtomicBool::new(false), ticks: AtomicU32::new(0) }
    }

    /// Stops whoever asks from now on.
    pub(crate) fn request(&self) {
        self.requested.store(true, Ordering::Relaxed);
    }

    /// True if the work should end.
    pub(crate) fn is_requested(&self) -> bool {
        if self.ticks.fetch_add(1, Ordering::Relaxed) % TICKS == TICKS - 1
            && self.watch.reached_quickly().is_some()
        {
            self.request();
        }
        self.requested.load(Ordering::Relaxed)
    }
}
