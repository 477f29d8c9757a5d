//! One line on a terminal that says how far the search has come.

use breach::coverability::Progress;
use std::io::{self, Write as _};
use std::sync::{Mutex, PoisonError};

/// The line; `None` inside once it must not be shown any more, otherwise its current length.
#[derive(Debug)]
pub(super) struct ProgressLine {
    shown: Mutex<Option<usize>>,
}

impl ProgressLine {
    /// A line that is shown, or one that is not.
    pub(super) fn new(visible: bool) -> Self {
        Self { shown: Mutex::new(visible.then_some(0)) }
    }

    /// Rewrites the line.
    pub(super) fn show(&self, progress: &Progress) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(length) = &mut *shown {
            let text = line(progress);
            // Blanks instead of control sequences: this works on every terminal.
            let _ = write!(io::stderr(), "\r{text:<width$}", width = *length);
            *length = text.len();
        }
    }

    /// Clears the line for good.
    pub(super) fn clear(&self) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(length) = shown.take()
            && length > 0
        {
            let _ = write!(io::stderr(), "\r{:length$}\r", "");
        }
    }
}

/// At most 79 characters for all numbers that occur.
fn line(progress: &Progress) -> String {
    let Progress { elapsed, iterations, states, forward_nodes, .. } = progress;
    let seconds = elapsed.as_secs_f64();
    format!("{seconds:.1} s: {iterations} iterations, {states} states, {forward_nodes} forward nodes")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_line_fits_a_terminal() {
        let progress = Progress {
            elapsed: Duration::from_secs(86_400),
            iterations: 1_000_000_000,
            states: 100_000_000,
            ..Progress::default()
        };
        let text = line(&progress);
        assert_eq!(text, "86400.0 s: 1000000000 iterations, 100000000 states, 0 forward nodes");
        assert!(text.len() < 70);
    }
}
