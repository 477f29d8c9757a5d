//! The abstractions that `monabs` makes of a program until it has an answer.

use crate::monabs::Verdict;
use crate::set::{Answer, Instance};
use crate::tool::{Tool, timeout};
use anyhow::{Context as _, Result};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A program with its abstractions, in the order of the iterations.
#[derive(Clone, Debug)]
pub(crate) struct Abstractions {
    pub(crate) program: String,
    pub(crate) systems: Vec<Instance>,
}

impl Abstractions {
    /// Runs `monabs` without its search for bugs, and keeps each abstraction in a folder.
    pub(crate) fn make(
        monabs: &Tool,
        program: &str,
        path: &Path,
        folder: &Path,
        limit: Duration,
    ) -> Result<Abstractions> {
        if folder.exists() {
            std::fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
        }
        let mut arguments: Vec<OsString> = vec!["--no-search".into(), "--no-trace".into(), timeout(limit)];
        arguments.extend(["--dump".into(), folder.into(), path.into()]);
        let verdict = Verdict::of_text(&monabs.call(&arguments, limit)?);
        let mut files = Vec::new();
        for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
            let path = entry?.path();
            if path.extension().is_some_and(|suffix| suffix == "emdr") {
                files.push(path);
            }
        }
        files.sort();
        let answers = expected(&verdict, files.len());
        let system = |(path, expected): (PathBuf, Option<Answer>)| Instance {
            name: format!("{program}/{}", path.file_stem().unwrap_or_default().to_string_lossy()),
            path,
            init: None,
            target: None,
            expected,
            reference: None,
        };
        let systems = files.into_iter().zip(answers).map(system).collect();
        Ok(Abstractions { program: program.to_owned(), systems })
    }
}

/// What is coverable in the abstractions of a program with this verdict: the targets of all, but for a proof in the last.
fn expected(verdict: &Verdict, number: usize) -> Vec<Option<Answer>> {
    let mut answers = vec![Some(Answer::Coverable); number];
    if let Some(last) = answers.last_mut() {
        *last = match verdict {
            Verdict::Safe => Some(Answer::Uncoverable),
            Verdict::Unsafe => Some(Answer::Coverable),
            Verdict::Unknown(_) | Verdict::Failed(_) => None,
        };
    }
    answers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_proof_has_nothing_coverable() {
        let (yes, no) = (Some(Answer::Coverable), Some(Answer::Uncoverable));
        assert_eq!(expected(&Verdict::Safe, 3), [yes, yes, no]);
        assert_eq!(expected(&Verdict::Unsafe, 2), [yes, yes]);
        assert_eq!(expected(&Verdict::Unknown("time".to_owned()), 2), [yes, None]);
        assert_eq!(expected(&Verdict::Safe, 0), []);
    }
}
