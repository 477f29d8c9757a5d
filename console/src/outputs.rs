//! Output files, as [`terminal::files`] has them, with messages.

use crate::failure::{Failure, Result};
use std::path::Path;

/// A file to be written at the end, or stdout.
#[derive(Debug)]
pub struct Output(terminal::files::Output);

impl Output {
    /// Makes sure that a file can be written; `-` is stdout.
    pub fn open(path: &Path) -> Result<Self> {
        terminal::files::Output::open(path).map(Output).map_err(|error| Failure::cannot_write(path, &error))
    }

    /// Whether this is stdout.
    pub fn is_stdout(&self) -> bool {
        self.0.is_stdout()
    }

    /// The name for messages.
    pub fn name(&self) -> String {
        self.0.name()
    }

    /// Writes the content and closes the file.
    pub fn write(self, text: &str) -> Result<()> {
        let name = self.name();
        self.0.write(text).map_err(|error| Failure::cannot_write(Path::new(&name), &error))
    }
}
