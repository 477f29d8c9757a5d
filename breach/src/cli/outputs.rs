//! Output files: opened before the search, so that hours of work are not lost to a typing error.
//!
//! A file that exists keeps its content until there is something to write. A file that was created and then not needed
//! is removed again.

use super::console::print;
use super::failure::{Failure, Result};
use super::options::OutputArgs;
use super::text::is_stdin;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The outputs of one run.
#[derive(Debug, Default)]
pub(super) struct Outputs {
    pub(super) trace: Option<Output>,
    pub(super) proof: Option<Output>,
    pub(super) graph: Option<Output>,
    pub(super) tree: Option<Output>,
    pub(super) curve: Option<Output>,
}

impl Outputs {
    /// Opens everything that is asked for.
    pub(super) fn open(args: &OutputArgs) -> Result<Self> {
        let open = |path: &Option<PathBuf>| path.as_deref().map(Output::open).transpose();
        Ok(Self {
            trace: open(&args.trace)?,
            proof: open(&args.proof)?,
            graph: open(&args.write_graph)?,
            tree: open(&args.write_tree)?,
            curve: open(&args.write_curve)?,
        })
    }

    /// The files that did not exist before.
    pub(super) fn created(&self) -> Vec<PathBuf> {
        let all = [&self.trace, &self.proof, &self.graph, &self.tree, &self.curve];
        all.into_iter().flatten().filter(|o| o.remove).map(|o| o.path.clone()).collect()
    }
}

/// A file to be written at the end, or stdout.
#[derive(Debug)]
pub(super) struct Output {
    path: PathBuf,
    /// `None` for stdout.
    file: Option<File>,
    /// Whether to remove the file if nothing is written.
    remove: bool,
}

impl Output {
    /// Opens a file, creating it if needed; `-` is stdout.
    pub(super) fn open(path: &Path) -> Result<Self> {
        if is_stdin(path) {
            return Ok(Self { path: path.to_owned(), file: None, remove: false });
        }
        let created = OpenOptions::new().write(true).create_new(true).open(path);
        let (file, remove) = match created {
            Ok(file) => (Ok(file), true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                (OpenOptions::new().write(true).open(path), false)
            }
            Err(error) => (Err(error), false),
        };
        let file = file.map_err(|error| Failure::cannot_write(path, &error))?;
        Ok(Self { path: path.to_owned(), file: Some(file), remove })
    }

    /// Writes the content and closes the file.
    pub(super) fn write(mut self, text: &str) -> Result<()> {
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

    /// The name for messages.
    pub(super) fn name(&self) -> String {
        if self.file.is_some() { self.path.display().to_string() } else { "stdout".to_owned() }
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
