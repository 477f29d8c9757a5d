//! Reading a system in any supported format.

use crate::diagnostics::{Diagnostic, Source};
use crate::system::{InitialStates, State, System};
use std::path::Path;

/// What a file says: a system and, where the file has them, initial states and targets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The system.
    pub system: System,
    /// The initial states, if the file names them.
    pub init: Option<InitialStates>,
    /// The targets in the file, possibly none.
    pub targets: Vec<State>,
}

/// The input formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// EMDR programs and their public dialect (`.emdr`, `.tts`).
    Emdr,
    /// Petri nets of the mist tool (`.spec`).
    Spec,
}

impl Format {
    /// The format that a file's suffix stands for; `None` if the suffix is unknown.
    pub fn of_path(path: &Path) -> Option<Format> {
        let suffix = path.extension()?.to_str()?.to_ascii_lowercase();
        match suffix.as_str() {
            "emdr" | "tts" => Some(Format::Emdr),
            "spec" => Some(Format::Spec),
            _ => None,
        }
    }

    /// Reads a text of this format.
    pub fn parse(self, source: Source<'_>) -> Result<Input, Diagnostic> {
        match self {
            Format::Emdr => crate::emdr::parse(source),
            Format::Spec => crate::spec::parse(source),
        }
    }
}
