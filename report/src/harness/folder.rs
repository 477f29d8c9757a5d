//! The folder of a harness: written completely or not at all.
//!
//! The files are written into a folder beside it, which then gets its name. A folder that exists is replaced if it is empty or was written by us, which
//! a file in it says.

use console::{Failure, Result};
use std::io;
use std::path::{Path, PathBuf};

/// The file that says who wrote the folder.
const MARK: &str = ".harness";

/// A folder that can be written.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Sees to it that nothing of value is overwritten.
    pub fn open(path: &Path) -> Result<Folder> {
        match std::fs::read_dir(path) {
            Ok(mut entries) => {
                if entries.next().is_some() && !path.join(MARK).is_file() {
                    let path = path.display();
                    return Err(Failure::Usage(format!(
                        "{path} is not empty, and it is not a harness of before"
                    )));
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
                if !parent.is_none_or(Path::is_dir) {
                    return Err(Failure::cannot_write(path, &error));
                }
            }
            Err(error) => return Err(Failure::cannot_write(path, &error)),
        }
        Ok(Folder { path: path.to_owned() })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes all files; those whose names end in `.sh` can be run.
    pub fn write(&self, files: &[(String, String)]) -> Result<()> {
        let mut name = self.path.as_os_str().to_owned();
        name.push(format!(".{}", std::process::id()));
        let beside = PathBuf::from(name);
        let written = fill(&beside, files).and_then(|()| self.replace_by(&beside));
        written.map_err(|error| {
            // Half a harness is of no use to anybody.
            let _ = std::fs::remove_dir_all(&beside);
            Failure::cannot_write(&self.path, &error)
        })
    }

    fn replace_by(&self, new: &Path) -> io::Result<()> {
        if self.path.is_dir() {
            std::fs::remove_dir_all(&self.path)?;
        }
        std::fs::rename(new, &self.path)
    }
}

fn fill(folder: &Path, files: &[(String, String)]) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::create_dir(folder)?;
    std::fs::write(folder.join(MARK), "written by --harness\n")?;
    for (name, text) in files {
        let path = folder.join(name);
        std::fs::write(&path, text)?;
        if name.ends_with(".sh") {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755))?;
        }
    }
    Ok(())
}
