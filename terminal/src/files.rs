//! Output files: looked at before the work, so that none is lost to a typing error, and written at the end, as a whole or not at all.
//!
//! A file gets its content under another name in the same folder and then its own, so that a full disk or a process that is killed leaves
//! no half of it, and what was there before stays. Where that cannot be done, the file itself is written: devices, pipes,
//! files of another user or with several names, files in folders that cannot be written.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// A file to be written at the end, or stdout.
#[derive(Debug)]
pub struct Output {
    path: PathBuf,
    way: Way,
}

#[derive(Debug)]
enum Way {
    Stdout,
    /// Replaces this file; what it was before is kept until then.
    Replace(PathBuf),
    InPlace(File),
}

impl Output {
    /// Makes sure that a file can be written; `-` is stdout. A file that does not exist is not created yet.
    pub fn open(path: &Path) -> io::Result<Output> {
        let way = if path.as_os_str() == "-" {
            Way::Stdout
        } else {
            match fs::metadata(path) {
                Ok(known) if known.is_file() => existing(path, &known)?,
                Ok(_) => Way::InPlace(OpenOptions::new().write(true).open(path)?),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    probe(path)?;
                    Way::Replace(path.to_owned())
                }
                Err(error) => return Err(error),
            }
        };
        Ok(Output { path: path.to_owned(), way })
    }

    /// Whether this is stdout.
    pub fn is_stdout(&self) -> bool {
        matches!(self.way, Way::Stdout)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The name for messages.
    pub fn name(&self) -> String {
        if self.is_stdout() { "stdout".to_owned() } else { self.path.display().to_string() }
    }

    /// Writes the content. A reader who has gone away is no error.
    pub fn write(self, text: &str) -> io::Result<()> {
        let written = match self.way {
            Way::Stdout => crate::output::write(text),
            Way::Replace(path) => replace(&path, text),
            Way::InPlace(file) => write_in_place(file, text),
        };
        written.or_else(|error| if error.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(error) })
    }
}

/// Writes a file as a whole or not at all.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    let beside = beside(path)?;
    let mut file = OpenOptions::new().write(true).create_new(true).open(&beside)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| {
        if let Ok(before) = fs::metadata(path) {
            file.set_permissions(before.permissions())?;
        }
        // Some file systems say only here that there is no room.
        file.sync_data()?;
        fs::rename(&beside, path)
    });
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Another name in the same folder, which no other process chooses.
fn beside(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".{}.tmp", std::process::id()));
    Ok(path.with_file_name(hidden))
}

/// Whether a file can be created in the folder of this one; what such a file is.
fn probe(path: &Path) -> io::Result<fs::Metadata> {
    let beside = beside(path)?;
    let file = OpenOptions::new().write(true).create_new(true).open(&beside)?;
    let created = file.metadata();
    fs::remove_file(&beside)?;
    created
}

fn existing(path: &Path, known: &fs::Metadata) -> io::Result<Way> {
    let file = OpenOptions::new().write(true).open(path)?;
    let path = fs::canonicalize(path)?;
    let is_replaceable = probe(&path).is_ok_and(|created| is_same_owner(known, &created));
    Ok(if is_replaceable { Way::Replace(path) } else { Way::InPlace(file) })
}

#[cfg(unix)]
fn is_same_owner(known: &fs::Metadata, created: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    known.nlink() == 1 && known.uid() == created.uid() && known.gid() == created.gid()
}

#[cfg(not(unix))]
fn is_same_owner(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    true
}

fn write_in_place(mut file: File, text: &str) -> io::Result<()> {
    // A device cannot be cut, and needs not.
    if file.metadata()?.is_file() {
        file.set_len(0)?;
    }
    file.write_all(text.as_bytes())?;
    file.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_appear_when_they_are_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        drop(Output::open(&path).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        Output::open(&path).unwrap().write("one").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
        // What is there stays until there is something better.
        drop(Output::open(&path).unwrap());
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
        Output::open(&path).unwrap().write("two").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(Output::open(&folder.path().join("none/out")).is_err());
        assert!(Output::open(folder.path()).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (file, link, twin) = (folder.path().join("f"), folder.path().join("l"), folder.path().join("t"));
        fs::write(&file, "one").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        symlink(&file, &link).unwrap();
        Output::open(&link).unwrap().write("two").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "two");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        fs::hard_link(&file, &twin).unwrap();
        Output::open(&file).unwrap().write("three").unwrap();
        assert_eq!(fs::read_to_string(&twin).unwrap(), "three");
    }
}
