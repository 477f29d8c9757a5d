//! One line on a terminal that says how far the work has come.

use std::io::{self, Write as _};
use std::sync::{Mutex, PoisonError};

/// The line; `None` inside once it must not be shown any more, otherwise its current length.
#[derive(Debug)]
pub struct ProgressLine {
    shown: Mutex<Option<usize>>,
}

impl ProgressLine {
    /// A line that is shown, or one that is not.
    pub fn new(visible: bool) -> Self {
        Self { shown: Mutex::new(visible.then_some(0)) }
    }

    /// Rewrites the line.
    pub fn show(&self, text: impl FnOnce() -> String) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(length) = &mut *shown {
            let text = text();
            // Blanks instead of control sequences: this works on every terminal.
            let _ = write!(io::stderr(), "\r{text:<width$}", width = *length);
            *length = text.chars().count();
        }
    }

    /// Clears the line for good.
    pub fn clear(&self) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(length) = shown.take()
            && length > 0
        {
            let _ = write!(io::stderr(), "\r{:length$}\r", "");
        }
    }
}
