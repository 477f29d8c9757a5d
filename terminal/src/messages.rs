//! Where messages go: standard error as it was when the program began.
//!
//! While Z3 works, standard error leads nowhere, since Z3 writes to it for reasons of its own. Messages of other threads go out all the same.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::sync::OnceLock;

static COPY: OnceLock<Option<File>> = OnceLock::new();

/// Keeps standard error as it is now. The first call counts; without one it is the first message.
pub fn keep() {
    copy();
}

fn copy() -> Option<&'static File> {
    COPY.get_or_init(|| io::stderr().as_fd().try_clone_to_owned().ok().map(File::from)).as_ref()
}

/// For messages.
pub fn stderr() -> impl Write {
    Messages
}

struct Messages;

impl Write for Messages {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match copy() {
            Some(mut copy) => copy.write(bytes),
            None => io::stderr().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
