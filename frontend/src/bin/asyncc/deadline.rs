//! The time limit. Exploration keeps it by itself; the rest does not look, and is ended from another thread.
//!
//! Exactly one thread gives the answer: whoever claims it first.

use super::failure::exit;
use super::report::Report;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long exploration may take to notice the limit by itself.
const GRACE: Duration = Duration::from_millis(500);

/// Why there is no answer.
pub(super) const REASON: &str = "time limit reached; --timeout sets it";

/// The clock.
#[derive(Debug)]
pub(super) struct Deadline {
    at: Option<Instant>,
    answered: Arc<AtomicBool>,
    created: Arc<Mutex<Option<PathBuf>>>,
}

impl Deadline {
    /// Starts the clock; if nobody claims the answer in time, the report is printed.
    pub(super) fn start(timeout: Option<Duration>, report: Report) -> Self {
        let answered = Arc::new(AtomicBool::new(false));
        let created = Arc::new(Mutex::new(None::<PathBuf>));
        // A limit beyond the end of time is none.
        let at = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        if let Some(at) = at {
            let (answered, created) = (Arc::clone(&answered), Arc::clone(&created));
            let watch = move || {
                std::thread::sleep(at.saturating_duration_since(Instant::now()) + GRACE);
                if !answered.swap(true, Ordering::SeqCst) {
                    if let Some(path) = &*created.lock().unwrap_or_else(PoisonError::into_inner) {
                        let _ = std::fs::remove_file(path);
                    }
                    // The process ends here in any case.
                    let _ = report.print();
                    std::process::exit(exit::UNKNOWN.into());
                }
            };
            // Without threads, only exploration keeps the limit.
            let _ = std::thread::Builder::new().spawn(watch);
        }
        Self { at, answered, created }
    }

    /// An output that was created and is still empty: it goes away if there is no answer.
    pub(super) fn note_created(&self, path: Option<PathBuf>) {
        *self.created.lock().unwrap_or_else(PoisonError::into_inner) = path;
    }

    /// The time that is left.
    pub(super) fn left(&self) -> Option<Duration> {
        self.at.map(|at| at.saturating_duration_since(Instant::now()))
    }

    /// From now on nobody else answers. If somebody already does, the process is about to end.
    pub(super) fn claim(&self) {
        if self.answered.swap(true, Ordering::SeqCst) {
            loop {
                std::thread::park();
            }
        }
    }
}
