//! Headers that take precedence over the system's.
//!
//! `assert.h` turns assertions into calls that are easy to recognise, and `stdatomic.h` uses built-in functions where compilers' own
//! headers use statement expressions with deduced types. `goblint.h` is for programs that are written for Goblint, which comes with such a file.

use std::io;
use std::path::{Path, PathBuf};
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

/// The headers as files in a directory that goes away with this value.
pub(super) struct Headers {
    directory: TempDir,
}

impl Headers {
    pub(super) fn write() -> io::Result<Headers> {
        let directory = tempfile::Builder::new().prefix("monabs-").tempdir()?;
        let headers = Headers { directory };
        std::fs::create_dir(headers.before())?;
        for (name, text) in BEFORE {
            std::fs::write(headers.before().join(name), text)?;
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
        let headers = Headers::write().unwrap();
        let (before, path) = (headers.before(), headers.directory.path().to_owned());
        assert!(before.join("assert.h").is_file() && headers.after().join("gnu/stubs-32.h").is_file());
        let text = format!("# 1 \"{}\"", before.join("assert.h").display());
        assert_eq!(headers.rename(&text), "# 1 \"<headers>/assert.h\"");
        drop(headers);
        assert!(!path.exists());
    }
}
