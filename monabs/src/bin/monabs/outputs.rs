//! The files that are asked for: opened before the work, written at the end.
//!
//! Something that does not exist, such as a proof of a program that fails, is no error, but it is said.

use super::answer::Answer;
use super::args::MainArgs;
use super::command::Job;
use super::{check, sarif, witness};
use breach::check::write_proof;
use console::outputs::Output;
use console::{Console, Failure, Result, runs};
use monabs::verify::Evidence;
use monabs::{Outcome, Verdict};
use std::path::{Path, PathBuf};

/// All outputs besides stdout.
#[derive(Debug)]
pub(super) struct Outputs {
    emdr: Option<Output>,
    proof: Option<Output>,
    run: Option<Output>,
    witness: Option<Output>,
    sarif: Option<Output>,
}

impl Outputs {
    /// Opens everything that is asked for, and makes the folder of `--dump`.
    pub(super) fn open(args: &MainArgs) -> Result<Outputs> {
        let open = |path: Option<&Path>| path.map(Output::open).transpose();
        if let Some(folder) = &args.evidence.dump {
            std::fs::create_dir_all(folder).map_err(|error| Failure::cannot_write(folder, &error))?;
        }
        let emdr = args.evidence.emdr(args.input.path()).map(|(_, path)| path);
        Ok(Outputs {
            emdr: open(emdr.as_deref())?,
            proof: open(args.evidence.proof.as_deref())?,
            run: open(args.evidence.write_run.as_deref())?,
            witness: open(args.evidence.witness.as_deref())?,
            sarif: open(args.output.sarif.as_deref())?,
        })
    }

    /// The files that did not exist before.
    pub(super) fn created(&self) -> Vec<PathBuf> {
        let all = [&self.emdr, &self.proof, &self.run, &self.witness, &self.sarif];
        all.into_iter().flatten().filter_map(Output::created).collect()
    }

    /// Writes what there is.
    pub(super) fn write(self, job: &Job<'_>, outcome: &Outcome, answer: &Answer<'_>) -> Result<()> {
        let why = match outcome.verdict {
            _ if answer.is_safe().is_none() => "there is no answer",
            Verdict::Safe(Evidence::Proof(_)) => "the program is safe",
            Verdict::Safe(Evidence::Exhausted(_)) => {
                "the program is safe: few threads do all that more can do"
            }
            Verdict::Safe(Evidence::Bounded(_)) => "the program is safe: it has few schedules",
            Verdict::Unsafe(_) => "the program is not safe",
            Verdict::Unknown(_) => "there is no answer",
        };
        if let Some(output) = self.emdr {
            let why = "the answer came before there was one; --no-search waits for it";
            write_or_note(output, check::emdr(job, outcome)?, "abstraction", why, job.console)?;
        }
        if let Some(output) = self.proof {
            let proof = match (&outcome.verdict, &outcome.abstraction) {
                (Verdict::Safe(Evidence::Proof(proof)), Some(abstraction)) => {
                    Some(write_proof(&abstraction.problem.system, proof))
                }
                _ => None,
            };
            write_or_note(output, proof, "proof", why, job.console)?;
        }
        if let Some(output) = self.run {
            let is_there = !answer.recorded.is_empty();
            let document = is_there.then(|| runs::document(&job.loaded.name, &answer.recorded));
            write_or_note(output, document, "run", why, job.console)?;
        }
        if let Some(output) = self.witness {
            write_or_note(output, witness::witness(job, answer)?, "witness", why, job.console)?;
        }
        if let Some(output) = self.sarif {
            output.write(&sarif::document(job, answer))?;
        }
        Ok(())
    }
}

fn write_or_note(
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
