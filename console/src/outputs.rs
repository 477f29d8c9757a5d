//! Output files: opened before the work, so that none is lost to a typing error.
//!
//! A file that exists keeps its content until there is something to write. A file that was created and then not needed
//! is removed again.

use crate::console::print;
use crate::failure::{Failure, Result};
use crate::input::is_stdin;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// A file to be written at the end, or stdout.
#[derive(Debug)]
pub struct Output {
    path: PathBuf,
    /// `None` for stdout.
    file: Option<File>,
    /// Whether to remove the file if nothing is written.
    remove: bool,
}

impl Output {
    /// Opens a file, creating it if needed; `-` is stdout.
    pub fn open(path: &Path) -> Result<Self> {
        if is_stdin(path) {
            return Ok(Self { path: path.to_owned(), file: None, remove: false });
        }
        let (file, remove) = match OpenOptions::new().write(true).create_new(true).open(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                (OpenOptions::new().write(true).open(path), false)
            }
            created => (created, true),
        };
        let file = file.map_err(|error| Failure::cannot_write(path, &error))?;
        Ok(Self { path: path.to_owned(), file: Some(file), remove })
    }

    /// Whether this is stdout.
    pub fn is_stdout(&self) -> bool {
        self.file.is_none()
    }

    /// The name for messages.
    pub fn name(&self) -> String {
        if self.file.is_some() { self.path.display().to_string() } else { "stdout".to_owned() }
    }

    /// The file, if it did not exist before.
    pub fn created(&self) -> Option<PathBuf> {
        self.remove.then(|| self.path.clone())
    }

    /// Writes the content and closes the file.
    pub fn write(mut self, text: &str) -> Result<()> {
        let Some(file) = &mut self.file else { return print(text) };
        // A device cannot be cut, and needs not.
        let written = file.metadata().and_then(|metadata| {
            if metadata.is_file() {
                file.set_len(0)?;
            }
            file.write_all(text.as_bytes())?;
            file.flush()
        });
        match written {
            Ok(()) => self.remove = false,
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            Err(error) => return Err(Failure::cannot_write(&self.path, &error)),
        }
        Ok(())
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if self.remove {
            // It is empty, or half-written by a disk that is full: nobody misses it.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}
