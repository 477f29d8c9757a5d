//! The folder that results go to.

use super::csv;
use super::machine;
use ::tests::repository::root;
use anyhow::{Context as _, Result};
use std::path::{Path, PathBuf};

/// The folder.
#[derive(Debug)]
pub(crate) struct Results(PathBuf);

impl Results {
    /// Creates the folder if needed.
    pub(crate) fn open(given: Option<&Path>) -> Result<Results> {
        let folder = given.map_or_else(|| root().join("bench-results"), Path::to_owned);
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        Ok(Results(folder))
    }

    /// Writes a table; the machine, the date and the commit stand above it as comments.
    pub(crate) fn write_csv(&self, name: &str, columns: &[&str], rows: &[Vec<String>]) -> Result<()> {
        let mut text = String::new();
        for (name, value) in machine::describe() {
            text.push_str(&format!("# {name}: {value}\n"));
        }
        text.push_str(&csv::line(columns));
        text.extend(rows.iter().map(|row| csv::line(row)));
        self.write(name, &text)
    }

    /// Writes a file and says so.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<()> {
        let path = self.0.join(name);
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        println!("wrote {}", path.strip_prefix(root()).unwrap_or(&path).display());
        Ok(())
    }
}
