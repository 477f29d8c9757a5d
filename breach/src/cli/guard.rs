//! Sees to it that a run ends when it should: time limit, memory limit, Ctrl-C.
//!
//! The searches look at the limits themselves and stop with what they know. This module is for the rest, which does
//! not look: reading, reducing, turning answers into proofs and checking these. A limit that has been reached
//! for some time without an answer ends the process from another thread, with an UNKNOWN like any other.
//!
//! Exactly one thread gives the answer: whoever [claims](Guard::claim) it first.

use super::console::Console;
use super::failure::exit;
use super::options::LimitArgs;
use super::progress;
use super::report::{Answer, Report, Style};
use breach::coverability::Progress;
use breach::limits::{Limits, Reason, resident_memory};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use terminal::memory::Allowance;
use terminal::progress::ProgressLine;

/// How long the search may take to notice a limit by itself.
const GRACE: Duration = Duration::from_millis(500);
/// How often the memory is looked at.
const MEMORY_POLL: Duration = Duration::from_millis(20);

/// What the process knows when it has to end early.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// The answer so far: the question and, after the search, its statistics.
    pub(super) report: Report,
}

#[derive(Debug)]
struct Shared {
    start: Instant,
    style: Style,
    answered: AtomicBool,
    interrupt: Arc<AtomicBool>,
    line: ProgressLine,
    known: Mutex<Known>,
}

/// The main thread's handle. When it goes, in whatever way, the other threads may not answer any more.
#[derive(Debug)]
pub(super) struct Guard {
    shared: Arc<Shared>,
    deadline: Option<Instant>,
    memory: Option<u64>,
    claimed: Cell<bool>,
}

impl Guard {
    /// Starts the clock and takes over Ctrl-C.
    pub(super) fn start(limits: &LimitArgs, console: Console, style: Style) -> Self {
        let start = Instant::now();
        let shared = Arc::new(Shared {
            start,
            style,
            answered: AtomicBool::new(false),
            interrupt: Arc::new(AtomicBool::new(false)),
            line: ProgressLine::new(console.progress),
            known: Mutex::default(),
        });
        // A limit beyond the end of time is none.
        let deadline = limits.timeout.and_then(|timeout| start.checked_add(timeout));
        let memory = limits.memory_limit.map(|megabytes| megabytes << 20);
        let guard = Self { shared, deadline, memory, claimed: Cell::new(false) };
        guard.handle_interrupts();
        guard.watch_time();
        guard.watch_memory();
        guard.watch_allowance();
        guard
    }

    /// The limits for the search: what is left of the time.
    pub(super) fn limits(&self) -> Limits {
        Limits {
            timeout: self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now())),
            memory: self.memory,
            interrupt: Some(Arc::clone(&self.shared.interrupt)),
        }
    }

    /// Receives the progress of the search.
    pub(super) fn on_progress(&self) -> breach::coverability::OnProgress {
        let shared = Arc::clone(&self.shared);
        Arc::new(move |progress: &Progress| {
            shared.line.show(|| progress::line(progress));
            shared.known().report.note_progress(progress);
        })
    }

    /// Changes what is known.
    pub(super) fn know(&self, change: impl FnOnce(&mut Known)) {
        change(&mut self.shared.known());
    }

    /// The time since the start.
    pub(super) fn elapsed(&self) -> Duration {
        self.shared.start.elapsed()
    }

    /// From now on nobody else answers. If somebody already does, the process is about to end.
    pub(super) fn claim(&self) {
        if self.claimed.replace(true) {
            return;
        }
        if self.shared.answered.swap(true, Ordering::SeqCst) {
            loop {
                std::thread::park();
            }
        }
        self.shared.line.clear();
    }

    fn handle_interrupts(&self) {
        let shared = Arc::clone(&self.shared);
        let handler = move || {
            if shared.interrupt.swap(true, Ordering::SeqCst) {
                shared.line.clear();
                std::process::exit(exit::KILLED.into());
            }
            let shared = Arc::clone(&shared);
            in_background(move || {
                std::thread::sleep(GRACE);
                shared.give_up(&Reason::Interrupted.to_string());
            });
        };
        if let Err(error) = ctrlc::set_handler(handler) {
            log::warn!("Ctrl-C will end the process without an answer: {error}");
        }
    }

    fn watch_time(&self) {
        if let Some(deadline) = self.deadline {
            let shared = Arc::clone(&self.shared);
            in_background(move || {
                std::thread::sleep(deadline.saturating_duration_since(Instant::now()) + GRACE);
                shared.give_up(&Reason::TimeLimit.to_string());
            });
        }
    }

    /// Gives up before the system allows no more memory.
    fn watch_allowance(&self) {
        let Some(allowance) = Allowance::read() else { return };
        let shared = Arc::clone(&self.shared);
        in_background(move || {
            loop {
                std::thread::sleep(MEMORY_POLL);
                if let Some(reason) = allowance.exhausted() {
                    shared.give_up(&reason);
                    return;
                }
            }
        });
    }

    fn watch_memory(&self) {
        if let Some(limit) = self.memory {
            let shared = Arc::clone(&self.shared);
            in_background(move || {
                let mut over_since = None;
                loop {
                    std::thread::sleep(MEMORY_POLL);
                    if resident_memory().is_none_or(|used| used < limit) {
                        over_since = None;
                    } else if over_since.get_or_insert_with(Instant::now).elapsed() >= GRACE {
                        shared.give_up(&Reason::MemoryLimit.to_string());
                        return;
                    }
                }
            });
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.claim();
    }
}

impl Shared {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the process without an answer, unless there is one.
    fn give_up(&self, reason: &str) {
        if self.answered.swap(true, Ordering::SeqCst) {
            return;
        }
        self.line.clear();
        let mut known = std::mem::take(&mut *self.known());
        known.report.answer = Answer::Unknown(reason.to_owned());
        known.report.total_time = self.start.elapsed();
        // The process ends here in any case.
        let _ = known.report.print(&self.style);
        std::process::exit(exit::UNKNOWN.into());
    }
}

/// Runs something on a thread of its own. Without threads, limits are kept by the search only.
fn in_background(task: impl FnOnce() + Send + 'static) {
    if let Err(error) = std::thread::Builder::new().spawn(task) {
        log::warn!("limits are not kept outside the search: {error}");
    }
}
