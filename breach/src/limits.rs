//! When to stop: time, memory, and the user's interrupt.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

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

    /// The limit that is reached, if any.
    pub(crate) fn reached(&self) -> Option<Reason> {
        if self.limits.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(Reason::Interrupted);
        }
        if self.limits.timeout.is_some_and(|limit| self.elapsed() >= limit) {
            return Some(Reason::TimeLimit);
        }
        if self.limits.memory.is_some_and(|limit| resident_memory().is_some_and(|used| used >= limit)) {
            return Some(Reason::MemoryLimit);
        }
        None
    }
}

/// The resident memory of this process in bytes, where the system tells.
pub fn resident_memory() -> Option<u64> {
    read_status("VmRSS:")
}

/// The peak resident memory of this process in bytes, where the system tells.
pub fn peak_memory() -> Option<u64> {
    read_status("VmHWM:")
}

fn read_status(key: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes * 1024)
}
