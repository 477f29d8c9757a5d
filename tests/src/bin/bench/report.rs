//! The folder that results go to.

use super::csv;
use super::machine;
use super::plot::{Panel, render};
use ::tests::repository::root;
use anyhow::{Context as _, Result};
use std::path::{Path, PathBuf};

/// The folder.
#[derive(Debug)]
pub(crate) struct Results(PathBuf);

impl Results {
    /// Creates the folder if needed. The default is seen from the root of the repository.
    pub(crate) fn open(given: Option<&Path>, default: &str) -> Result<Results> {
        let folder = given.map_or_else(|| root().join(default), Path::to_owned);
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        Ok(Results(folder))
    }

    /// Writes a table; the machine, the date and the commit stand above it as comments.
    pub(crate) fn write_csv(&self, name: &str, columns: &[&str], rows: &[Vec<String>]) -> Result<()> {
        let mut text = csv_head(columns);
        text.extend(rows.iter().map(|row| csv::line(row)));
        self.write(name, &text)
    }

    /// Writes a text in Markdown below a title, and machine, date and commit.
    pub(crate) fn write_markdown(&self, name: &str, title: &str, body: &str) -> Result<()> {
        let mut text = format!("# {title}\n\n");
        for (name, value) in machine::describe() {
            text.push_str(&format!("- {name}: {value}\n"));
        }
        self.write(name, &format!("{text}\n{body}"))
    }

    /// A file in the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Draws panels into a file; the machine, the date and the commit stand below them.
    pub(crate) fn write_plot(
        &self,
        name: &str,
        title: &str,
        subtitle: &str,
        panels: &[Panel<'_>],
    ) -> Result<()> {
        let footer: Vec<_> = machine::describe().into_iter().map(|(_, value)| value).collect();
        self.write(name, &render(title, subtitle, panels, &footer.join("; ")))
    }

    /// Writes a file and says so.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<()> {
        let path = self.0.join(name);
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        println!("wrote {}", path.strip_prefix(root()).unwrap_or(&path).display());
        Ok(())
    }
}

/// Machine, date and commit as comments, and the names of the columns.
pub(crate) fn csv_head(columns: &[&str]) -> String {
    let lines = machine::describe().into_iter().map(|(name, value)| format!("# {name}: {value}\n"));
    lines.collect::<String>() + &csv::line(columns)
}
