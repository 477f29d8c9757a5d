//! Headers that take precedence over the system's.
//!
//! `assert.h` turns assertions into calls that are easy to recognise, and `stdatomic.h` uses built-in functions where compilers' own
//! headers use statement expressions with deduced types. `goblint.h` is for programs that are written for Goblint, which comes with such a file.
//!
//! With an [`Environment`] there are the headers of a kernel, too.

use super::environment::Environment;
use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// Found before the system's headers.
const BEFORE: [(&str, &str); 3] = [
    ("assert.h", include_str!("../headers/assert.h")),
    ("stdatomic.h", include_str!("../headers/stdatomic.h")),
    ("goblint.h", include_str!("../headers/goblint.h")),
];

/// Found if the system has none: the GNU C library's list of functions that do nothing, which is empty on Linux.
const AFTER: [&str; 2] = ["gnu/stubs-32.h", "gnu/stubs-x32.h"];

/// How our directory is called in messages and line markers.
const NAME: &str = "<headers>";

/// How the names of our directories begin.
const PREFIX: &str = "monabs-";
/// A file in each of them that its process keeps locked.
const LOCK: &str = "lock";
/// A directory that is younger may belong to a process that has not locked it yet.
const YOUNG: Duration = Duration::from_secs(60);

/// The directories of this process, for [`exit`]. Whoever creates one holds the lock until it is on the list.
static LIVING: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn living() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    LIVING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the process at once, from any thread, and leaves no directory of headers behind.
pub fn exit(code: i32) -> ! {
    // Nobody can create another one until the end.
    let living = living();
    for directory in &*living {
        let _ = std::fs::remove_dir_all(directory);
    }
    std::process::exit(code)
}

/// Removes what processes left that were killed. The system unlocks their files, whatever happened to them.
fn remove_abandoned(folder: &Path) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let ours = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX));
    for directory in ours.map(|entry| entry.path()).filter(|path| is_abandoned(path).unwrap_or(false)) {
        // It may belong to another user.
        let _ = std::fs::remove_dir_all(directory);
    }
}

fn is_abandoned(directory: &Path) -> io::Result<bool> {
    let lock = directory.join(LOCK);
    let age = SystemTime::now().duration_since(std::fs::symlink_metadata(&lock)?.modified()?);
    Ok(age.is_ok_and(|age| age > YOUNG) && File::open(lock)?.try_lock().is_ok())
}

/// The headers as files in a directory that goes away with this value.
pub(super) struct Headers {
    directory: TempDir,
    /// Locked as long as it is open.
    _lock: File,
}

impl Drop for Headers {
    fn drop(&mut self) {
        let mut living = living();
        let _ = std::fs::remove_dir_all(self.directory.path());
        living.remove(self.directory.path());
    }
}

impl Headers {
    pub(super) fn write(environment: Option<Environment>) -> io::Result<Headers> {
        let folder = std::env::temp_dir();
        remove_abandoned(&folder);
        let mut living = living();
        let directory = tempfile::Builder::new().prefix(PREFIX).tempdir_in(&folder)?;
        living.insert(directory.path().to_owned());
        drop(living);
        let lock = File::create(directory.path().join(LOCK))?;
        lock.lock()?;
        let headers = Headers { directory, _lock: lock };
        std::fs::create_dir(headers.before())?;
        for (name, text) in BEFORE {
            std::fs::write(headers.before().join(name), text)?;
        }
        for (name, text) in environment.map(Environment::files).unwrap_or_default() {
            let path = headers.before().join(name);
            std::fs::create_dir_all(path.parent().unwrap_or(&path))?;
            std::fs::write(path, text)?;
        }
        std::fs::create_dir_all(headers.after().join("gnu"))?;
        for name in AFTER {
            std::fs::write(headers.after().join(name), "")?;
        }
        Ok(headers)
    }

    /// The directory to search before the system's.
    pub(super) fn before(&self) -> PathBuf {
        self.directory.path().join("include")
    }

    /// The directory to search after the system's.
    pub(super) fn after(&self) -> PathBuf {
        self.directory.path().join("fallback")
    }

    /// A text in which our directory has a name that is the same in every run.
    pub(super) fn rename(&self, text: &str) -> String {
        let plain = |directory: &Path| directory.to_string_lossy().into_owned();
        text.replace(&plain(&self.before()), NAME).replace(&plain(&self.after()), NAME)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_stays_behind() {
        let headers = Headers::write(None).unwrap();
        let (before, path) = (headers.before(), headers.directory.path().to_owned());
        assert!(before.join("assert.h").is_file() && headers.after().join("gnu/stubs-32.h").is_file());
        let text = format!("# 1 \"{}\"", before.join("assert.h").display());
        assert_eq!(headers.rename(&text), "# 1 \"<headers>/assert.h\"");
        drop(headers);
        assert!(!path.exists());
    }

    #[test]
    fn environments_have_their_headers() {
        for (environment, name) in [
            (Environment::Freebsd, "sys/mutex.h"),
            (Environment::Netbsd, "sys/callout.h"),
            (Environment::Openbsd, "sys/timeout.h"),
            (Environment::Linux, "linux/list.h"),
            (Environment::Illumos, "sys/ksynch.h"),
        ] {
            let headers = Headers::write(Some(environment)).unwrap();
            assert!(
                headers.before().join(name).is_file() && headers.before().join("monabs/common.h").is_file()
            );
        }
    }
}
