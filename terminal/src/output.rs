//! The result on stdout.

use std::io::{self, Write as _};

/// Writes the result. A reader who has gone away does not change it; any other error is reported.
pub fn print(text: &str) -> Result<(), String> {
    match write(text) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("cannot write to stdout: {error}"))
        }
        _ => Ok(()),
    }
}

/// Writes to stdout.
pub(crate) fn write(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush())
}
