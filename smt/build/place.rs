//! A copy of libz3 that outlives the source folder.
//!
//! `cargo install` copies programs and nothing else, and a build script is not told whether it runs for that command. So every release
//! build puts the library where `cargo install` puts programs by default, into cargo's own folder, once for each version. Programs look
//! beside themselves first, `$ORIGIN/../lib/monabs/z3-VERSION`, and then in that place, because `--root` may have put them elsewhere.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The folder of the library below the one of `bin`.
pub(crate) fn below_prefix(version: &str) -> PathBuf {
    Path::new("lib/monabs").join(format!("z3-{version}"))
}

/// Copies the library that programs name, unless the same is there. The file appears as a whole or not at all.
pub(crate) fn place(library: &Path, folder: &Path) -> io::Result<()> {
    let name = library.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let (content, to) = (fs::read(library)?, folder.join(name));
    if fs::read(&to).is_ok_and(|there| there == content) {
        return Ok(());
    }
    fs::create_dir_all(folder)?;
    let unfinished = folder.join(format!("{}.{}", name.display(), std::process::id()));
    let placed = fs::write(&unfinished, content).and_then(|()| fs::rename(&unfinished, &to));
    if placed.is_err() {
        // What is half-written is of no use to anybody.
        let _ = fs::remove_file(&unfinished);
    }
    placed
}
