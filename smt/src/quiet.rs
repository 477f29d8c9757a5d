//! Standard error while Z3 works: closed to it.
//!
//! Some parts of Z3 write to standard error whatever its verbosity is, among them Spacer where an assertion of its own does not hold. The answer is judged anyway,
//! and users cannot do anything with such lines. While questions run, standard error leads nowhere. Who has something to say meanwhile keeps a
//! copy of it from before (`terminal::messages`).

use std::fs::{File, OpenOptions};
use std::io::stderr;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many questions run now, and where standard error leads otherwise.
static NOW: Mutex<Quiet> = Mutex::new(Quiet { questions: 0, usual: None });

struct Quiet {
    questions: usize,
    usual: Option<OwnedFd>,
}

/// Runs a question of Z3's.
pub(crate) fn quietly<R>(question: impl FnOnce() -> R) -> R {
    begin();
    let _end = End;
    question()
}

struct End;

impl Drop for End {
    fn drop(&mut self) {
        let mut now = lock();
        now.questions -= 1;
        if now.questions == 0
            && let Some(usual) = now.usual.take()
        {
            // There is nobody to tell.
            let _ = nix::unistd::dup2_stderr(usual);
        }
    }
}

/// Without a copy, because standard error is closed or there are too many files, everything stays as it is.
fn begin() {
    let mut now = lock();
    now.questions += 1;
    if now.questions > 1 {
        return;
    }
    let Ok(usual) = stderr().as_fd().try_clone_to_owned() else { return };
    let nowhere: std::io::Result<File> = OpenOptions::new().write(true).open("/dev/null");
    if nowhere.is_ok_and(|nowhere| nix::unistd::dup2_stderr(nowhere).is_ok()) {
        now.usual = Some(usual);
    }
}

fn lock() -> MutexGuard<'static, Quiet> {
    NOW.lock().unwrap_or_else(PoisonError::into_inner)
}
