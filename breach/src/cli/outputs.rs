//! Output files: looked at before the search, written at the end, as [`terminal::files`] does it.

use super::failure::{Failure, Result};
use super::options::OutputArgs;
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
}

/// A file to be written at the end, or stdout.
#[derive(Debug)]
pub(super) struct Output(terminal::files::Output);

impl Output {
    /// Makes sure that a file can be written; `-` is stdout.
    pub(super) fn open(path: &Path) -> Result<Self> {
        terminal::files::Output::open(path).map(Output).map_err(|error| Failure::cannot_write(path, &error))
    }

    /// Writes the content and closes the file.
    pub(super) fn write(self, text: &str) -> Result<()> {
        let name = self.name();
        self.0.write(text).map_err(|error| Failure::cannot_write(Path::new(&name), &error))
    }

    /// The name for messages.
    pub(super) fn name(&self) -> String {
        self.0.name()
    }
}
