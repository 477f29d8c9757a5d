//! Stopping a solver from outside.
//!
//! An [`Interrupt`] is a switch that any number of solvers can share. It stays on: all questions end without answer
//! until it is switched off again. Whoever waits for a solver waits here, for the switch, for the clock and for the
//! solver at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Instant;

/// A switch that stops solvers. Copies are the same switch.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    stopped: AtomicBool,
    gate: Mutex<()>,
    changed: Condvar,
}

/// Why waiting ended.
#[cfg(feature = "z3")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Alarm {
    Finished,
    Stopped,
    Deadline,
}

/// What limits one question.
#[derive(Clone, Debug, Default)]
pub(crate) struct Limits {
    pub(crate) deadline: Option<Instant>,
    pub(crate) interrupt: Interrupt,
}

impl Interrupt {
    /// A switch that is off.
    pub fn new() -> Interrupt {
        Interrupt::default()
    }

    /// Stops the questions that are being asked, and all later ones.
    pub fn stop(&self) {
        self.shared.stopped.store(true, Ordering::SeqCst);
        self.wake();
    }

    /// Lets solvers answer again.
    pub fn rearm(&self) {
        self.shared.stopped.store(false, Ordering::SeqCst);
    }

    /// Whether the switch is on.
    pub fn is_stopped(&self) -> bool {
        self.shared.stopped.load(Ordering::SeqCst)
    }

    /// Makes everybody who waits look again.
    pub(crate) fn wake(&self) {
        let _gate = self.shared.gate.lock().unwrap_or_else(PoisonError::into_inner);
        self.shared.changed.notify_all();
    }

    /// Waits until one of the three happens. Whoever sets `finished` must call [`wake`](Interrupt::wake) afterwards.
    #[cfg(feature = "z3")]
    pub(crate) fn wait(&self, finished: &AtomicBool, deadline: Option<Instant>) -> Alarm {
        let mut gate = self.shared.gate.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if finished.load(Ordering::SeqCst) {
                return Alarm::Finished;
            }
            if self.is_stopped() {
                return Alarm::Stopped;
            }
            gate = match deadline.map(|deadline| deadline.saturating_duration_since(Instant::now())) {
                None => self.shared.changed.wait(gate).unwrap_or_else(PoisonError::into_inner),
                Some(left) if left.is_zero() => return Alarm::Deadline,
                Some(left) => {
                    self.shared.changed.wait_timeout(gate, left).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }
}

#[cfg(all(test, feature = "z3"))]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_switch_wakes_those_who_wait() {
        let interrupt = Interrupt::new();
        let never = AtomicBool::new(false);
        let alarm = std::thread::scope(|scope| {
            let waiting = scope.spawn(|| interrupt.wait(&never, None));
            interrupt.clone().stop();
            waiting.join().unwrap()
        });
        assert_eq!(alarm, Alarm::Stopped);
        assert!(interrupt.is_stopped());
        interrupt.rearm();
        assert!(!interrupt.is_stopped());
    }

    #[test]
    fn the_clock_and_the_end_of_work_end_waiting() {
        let interrupt = Interrupt::new();
        let finished = AtomicBool::new(false);
        let soon = Instant::now() + Duration::from_millis(5);
        assert_eq!(interrupt.wait(&finished, Some(soon)), Alarm::Deadline);
        assert!(Instant::now() >= soon);
        finished.store(true, Ordering::SeqCst);
        assert_eq!(interrupt.wait(&finished, None), Alarm::Finished);
    }
}
