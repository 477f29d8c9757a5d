//! The end before there is an answer: the time limit, or whatever else the program says.
//!
//! The work itself looks at limits where it can; the rest does not look, and is ended from another thread. Exactly one thread gives
//! the answer: whoever claims it first.

use crate::failure::exit;
use crate::report::Report;
use crate::verdict::Verdict;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use terminal::memory::Allowance;
use terminal::progress::ProgressLine;

/// How long the work may take to notice the limit by itself.
pub const GRACE: Duration = Duration::from_millis(500);

/// How often memory is looked at.
const MEMORY_POLL: Duration = Duration::from_millis(10);

/// Why there is no answer.
pub const REASON: &str = "time limit reached; --timeout sets it";

/// The clock.
#[derive(Debug)]
pub struct Deadline {
    at: Option<Instant>,
    ender: Ender,
}

/// Can end the process, from any thread.
#[derive(Clone, Debug)]
pub struct Ender(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    answered: AtomicBool,
    report: Report,
    progress: ProgressLine,
}

impl Deadline {
    /// Starts the clock; if nobody claims the answer in time, the report is printed, with this as its reason.
    pub fn start(timeout: Option<Duration>, grace: Duration, report: Report) -> Self {
        let progress = ProgressLine::new(report.console.is_watched);
        let answered = AtomicBool::new(false);
        let ender = Ender(Arc::new(Shared { answered, report, progress }));
        ender.watch_memory();
        // A limit beyond the end of time is none.
        let at = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        if let Some(at) = at {
            ender.in_background(move |ender| {
                std::thread::sleep(at.saturating_duration_since(Instant::now()) + grace);
                ender.give_up(REASON);
            });
        }
        Self { at, ender }
    }

    /// The time that is left.
    pub fn left(&self) -> Option<Duration> {
        self.at.map(|at| at.saturating_duration_since(Instant::now()))
    }

    /// For other threads.
    pub fn ender(&self) -> Ender {
        self.ender.clone()
    }

    /// The line that says what is being done.
    pub fn progress(&self) -> &ProgressLine {
        &self.ender.0.progress
    }

    /// From now on nobody else answers. If somebody already does, the process is about to end.
    pub fn claim(&self) {
        if self.ender.0.answered.swap(true, Ordering::SeqCst) {
            loop {
                std::thread::park();
            }
        }
        self.progress().clear();
    }
}

impl Drop for Deadline {
    /// Whatever is said now, nothing is being done any more.
    fn drop(&mut self) {
        self.progress().clear();
    }
}

impl Ender {
    /// Ends the process without an answer, unless there is one.
    pub fn give_up(&self, reason: &str) {
        if self.0.answered.swap(true, Ordering::SeqCst) {
            return;
        }
        self.0.progress.clear();
        let report = Report { verdict: Some(Verdict::Unknown(reason.to_owned())), ..self.0.report.clone() };
        // The process ends here in any case.
        let code = report.print().unwrap_or(exit::UNKNOWN);
        frontend::preprocess::exit(code.into());
    }

    /// Gives up before the system allows no more memory.
    fn watch_memory(&self) {
        let Some(allowance) = Allowance::read() else { return };
        self.in_background(move |ender| {
            while !ender.is_answered() {
                std::thread::sleep(MEMORY_POLL);
                if let Some(reason) = allowance.exhausted() {
                    ender.give_up(&reason);
                }
            }
        });
    }

    /// Whether somebody has the answer.
    pub fn is_answered(&self) -> bool {
        self.0.answered.load(Ordering::SeqCst)
    }

    /// Runs something on a thread of its own. Without threads, only the work itself keeps limits.
    pub fn in_background(&self, task: impl FnOnce(Ender) + Send + 'static) {
        let ender = self.clone();
        let _ = std::thread::Builder::new().spawn(move || task(ender));
    }
}
