//! Why the work ends early: limits, solvers that give up, bugs that were noticed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stop {
    /// The time is over.
    #[error("time limit reached; --timeout sets it")]
    Time,
    /// Too much memory is used.
    #[error("memory limit reached; --memory-limit sets it")]
    Memory,
    /// The user asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// A question was too hard.
    #[error("{0}")]
    Solver(smt::Reason),
    /// More predicates than a state has room for.
    #[error("more than {0} predicates are needed at once")]
    TooManyPredicates(usize),
    /// The abstraction got too large.
    #[error("the abstraction has more than {0} transitions; --max-transitions sets the limit")]
    TooLarge(usize),
    /// Coverability is decided, but there is no evidence for it: the time was over, or it is too long.
    #[error("{0}")]
    NoEvidence(breach::limits::Reason),
    /// A bug in this program.
    #[error("{0}")]
    Bug(String),
}

impl From<smt::SolverError> for Stop {
    fn from(error: smt::SolverError) -> Stop {
        match error {
            // What a solver says that we cannot read is no answer, and no mistake of ours.
            smt::SolverError::Protocol { .. } => Stop::Solver(smt::Reason::Incomplete(error.to_string())),
            other => Stop::Bug(other.to_string()),
        }
    }
}

impl From<breach::limits::Reason> for Stop {
    fn from(reason: breach::limits::Reason) -> Stop {
        match reason {
            breach::limits::Reason::TimeLimit => Stop::Time,
            breach::limits::Reason::MemoryLimit => Stop::Memory,
            breach::limits::Reason::Interrupted => Stop::Interrupted,
            breach::limits::Reason::ProofUnfinished | breach::limits::Reason::RunTooLong => {
                Stop::NoEvidence(reason)
            }
            breach::limits::Reason::Incomplete => Stop::Bug(reason.to_string()),
        }
    }
}

/// When to give up; the clock runs from the start.
#[derive(Clone, Debug)]
pub struct Limits {
    start: Instant,
    /// How long everything may take.
    pub time: Option<Duration>,
    /// Resident memory in bytes.
    pub memory: Option<u64>,
    /// Set from outside to stop.
    pub interrupt: Arc<AtomicBool>,
    /// Memory may be free again when somebody asks why the work has ended.
    memory_reached: Arc<AtomicBool>,
}

impl Limits {
    /// No limits; the clock starts.
    pub fn none() -> Limits {
        Limits {
            start: Instant::now(),
            time: None,
            memory: None,
            interrupt: Arc::new(AtomicBool::new(false)),
            memory_reached: Arc::new(AtomicBool::new(false)),
        }
    }

    /// How long it has been.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// How much time is left, if it is limited.
    pub fn left(&self) -> Option<Duration> {
        Some(self.time?.saturating_sub(self.elapsed()))
    }

    /// Whether to go on.
    pub fn check(&self) -> Result<(), Stop> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(Stop::Interrupted);
        }
        if self.time.is_some_and(|time| self.elapsed() >= time) {
            return Err(Stop::Time);
        }
        let memory =
            self.memory.filter(|&limit| breach::limits::resident_memory().is_some_and(|used| used >= limit));
        if memory.is_some() {
            self.memory_reached.store(true, Ordering::Relaxed);
        }
        if self.memory_reached.load(Ordering::Relaxed) { Err(Stop::Memory) } else { Ok(()) }
    }
}

/// Sets a flag when it goes, also in a panic: whoever waits for the flag must not wait forever.
pub(crate) struct Raise<'a>(pub(crate) &'a AtomicBool);

impl Drop for Raise<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use breach::limits::Reason;

    #[test]
    fn a_memory_limit_that_was_reached_stays_reached() {
        let mut limits = Limits::none();
        limits.memory = Some(1);
        if breach::limits::resident_memory().is_some() {
            assert_eq!(limits.check(), Err(Stop::Memory));
            limits.memory = Some(u64::MAX);
            assert_eq!(limits.clone().check(), Err(Stop::Memory));
        }
    }

    #[test]
    fn no_evidence_is_no_bug() {
        for reason in [Reason::ProofUnfinished, Reason::RunTooLong] {
            assert_eq!(Stop::from(reason), Stop::NoEvidence(reason));
        }
    }
}
