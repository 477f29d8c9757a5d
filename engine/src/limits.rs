//! When to give up: time, memory, and the user's interrupt. To be out of them is a result, not an error.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A limit that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Limit {
    /// The time is over.
    #[error("time limit reached; --timeout sets it")]
    Time,
    /// Too much memory is used.
    #[error("memory limit reached; --memory-limit sets it")]
    Memory,
    /// The user asked to stop.
    #[error("interrupted")]
    Interrupted,
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
    pub fn check(&self) -> Result<(), Limit> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(Limit::Interrupted);
        }
        if self.time.is_some_and(|time| self.elapsed() >= time) {
            return Err(Limit::Time);
        }
        let memory =
            self.memory.filter(|&limit| terminal::memory::resident().is_some_and(|used| used >= limit));
        if memory.is_some() {
            self.memory_reached.store(true, Ordering::Relaxed);
        }
        if self.memory_reached.load(Ordering::Relaxed) { Err(Limit::Memory) } else { Ok(()) }
    }

    /// Does some work with an interrupt for solvers that fires when a limit is reached, or when somebody raises `over`.
    pub fn watched<T>(&self, over: &AtomicBool, work: impl FnOnce(&smt::Interrupt) -> T) -> T {
        let (interrupt, done) = (smt::Interrupt::new(), AtomicBool::new(false));
        std::thread::scope(|scope| {
            let _ended = Raise(&done);
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    if self.check().is_err() {
                        over.store(true, Ordering::Relaxed);
                    }
                    if over.load(Ordering::Relaxed) {
                        interrupt.stop();
                    }
                    std::thread::park_timeout(Duration::from_millis(10));
                }
            });
            work(&interrupt)
        })
    }
}

/// Sets a flag when it goes, also in a panic: whoever waits for the flag must not wait forever.
pub struct Raise<'a>(pub &'a AtomicBool);

impl Drop for Raise<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_memory_limit_that_was_reached_stays_reached() {
        let mut limits = Limits::none();
        limits.memory = Some(1);
        if terminal::memory::resident().is_some() {
            assert_eq!(limits.check(), Err(Limit::Memory));
            limits.memory = Some(u64::MAX);
            assert_eq!(limits.clone().check(), Err(Limit::Memory));
        }
    }

    #[test]
    fn a_limit_stops_solvers() {
        let mut limits = Limits::none();
        limits.time = Some(Duration::ZERO);
        let over = AtomicBool::new(false);
        limits.watched(&over, |interrupt| {
            while !interrupt.is_stopped() {
                std::thread::yield_now();
            }
        });
        assert!(over.load(Ordering::Relaxed));
    }
}
