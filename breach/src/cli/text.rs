//! Reads files: text with a name, or a message that says why not.

use super::failure::{Failure, Result};
use breach::diagnostics::Source;
use std::io::{self, Read as _};
use std::path::Path;

/// A text that has been read, with the name for messages.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) name: String,
    pub(super) text: String,
}

impl Text {
    /// Reads a file; `-` is stdin.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let bytes = if is_stdin(path) { read_stdin() } else { std::fs::read(path) };
        let bytes = bytes.map_err(|error| Failure::cannot_read(path, &error))?;
        Self::decode(name(path), bytes)
    }

    fn decode(name: String, bytes: Vec<u8>) -> Result<Self> {
        match String::from_utf8(bytes) {
            Ok(mut text) => {
                if text.starts_with(BYTE_ORDER_MARK) {
                    text.drain(..BYTE_ORDER_MARK.len_utf8());
                }
                Ok(Self { name, text })
            }
            Err(error) => {
                let offset = error.utf8_error().valid_up_to();
                let byte = error.as_bytes()[offset];
                // Up to the bad byte, the replacement text has the same offsets.
                let text = String::from_utf8_lossy(error.as_bytes());
                let message = format!("byte 0x{byte:02x} is not UTF-8; is this a text file?");
                Err(Source { name: &name, text: &text }.error(offset, message).into())
            }
        }
    }

    pub(super) fn source(&self) -> Source<'_> {
        Source { name: &self.name, text: &self.text }
    }
}

/// Some editors put it in front of a text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Whether a path means stdin (or stdout).
pub(super) fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// A path as it is named in messages.
pub(super) fn name(path: &Path) -> String {
    if is_stdin(path) { "<stdin>".to_owned() } else { path.display().to_string() }
}

fn read_stdin() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}
