//! The files that all programs write: opened before the work, written at the end.
//!
//! Something that does not exist, such as a run of a program that is safe, is no error, but it is said.

use crate::answer::Answer;
use crate::args::TaskArgs;
use crate::html::{self, Details};
use crate::task::Job;
use crate::witness::{self, Claim};
use crate::{harness, sarif};
use console::outputs::Output;
use console::{Console, Result, runs};
use std::path::Path;

/// All outputs besides stdout.
#[derive(Debug)]
pub struct Outputs {
    run: Option<Output>,
    witness: Option<Output>,
    sarif: Option<Output>,
    html: Option<Output>,
    svg: Option<Output>,
    harness: Option<harness::Folder>,
}

impl Outputs {
    /// Opens everything that is asked for.
    pub fn open(args: &TaskArgs) -> Result<Outputs> {
        let open = |path: Option<&Path>| path.map(Output::open).transpose();
        Ok(Outputs {
            run: open(args.evidence.write_run.as_deref())?,
            witness: open(args.evidence.witness.as_deref())?,
            sarif: open(args.output.sarif.as_deref())?,
            html: open(args.output.html.as_deref())?,
            svg: open(args.output.svg.as_deref())?,
            harness: args.evidence.harness.as_deref().map(harness::Folder::open).transpose()?,
        })
    }

    /// Writes what there is; `details` are asked for only if the page is, `claims` if the witness of a safe program is.
    pub fn write(
        self,
        job: &Job<'_>,
        answer: &Answer<'_>,
        details: impl FnOnce() -> Details,
        claims: impl FnOnce(&Job<'_>) -> Result<Vec<Claim>>,
    ) -> Result<()> {
        let why = why_not(answer);
        if let Some(output) = self.run {
            let is_there = !answer.recorded.is_empty();
            let document = is_there.then(|| runs::document(&job.loaded.name, &answer.recorded));
            write_or_note(output, document, "run", why, job.console)?;
        }
        if let Some(output) = self.witness {
            write_or_note(output, witness::witness(job, answer, claims)?, "witness", why, job.console)?;
        }
        if let Some(output) = self.sarif {
            output.write(&sarif::document(job, answer))?;
        }
        if let Some(output) = self.html {
            output.write(&html::page(job, answer, &details()))?;
        }
        if let Some(output) = self.svg {
            write_or_note(output, html::picture(job, answer), "picture", why, job.console)?;
        }
        if let Some(folder) = self.harness {
            harness::write(&folder, job, answer, why)?;
        }
        Ok(())
    }
}

/// Why something that was asked for does not exist.
pub fn why_not(answer: &Answer<'_>) -> &'static str {
    match answer.is_safe() {
        None => "there is no answer",
        Some(true) => "the program is safe",
        Some(false) => "the program is not safe",
    }
}

/// Writes a file, or says why there is nothing to write.
pub fn write_or_note(
    output: Output,
    text: Option<String>,
    what: &str,
    why: &str,
    console: Console,
) -> Result<()> {
    match text {
        Some(text) => output.write(&text),
        None => {
            console.note(&format!("note: no {what} is written to {}: {why}", output.name()));
            Ok(())
        }
    }
}
