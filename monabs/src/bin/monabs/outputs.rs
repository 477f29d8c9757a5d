//! The files that only this program writes: opened before the work, written at the end.

use super::args::MainArgs;
use super::check;
use breach::check::write_proof;
use console::outputs::Output;
use console::{Failure, Result};
use monabs::verify::Evidence;
use monabs::{Outcome, Verdict};
use report::outputs::{why_not, write_or_note};
use report::{Answer, Job};
use std::path::{Path, PathBuf};

/// The abstraction and its proof.
#[derive(Debug)]
pub(super) struct Outputs {
    emdr: Option<Output>,
    proof: Option<Output>,
}

impl Outputs {
    /// Opens everything that is asked for, and makes the folder of `--dump`.
    pub(super) fn open(args: &MainArgs) -> Result<Outputs> {
        let open = |path: Option<&Path>| path.map(Output::open).transpose();
        if let Some(folder) = &args.evidence.dump {
            std::fs::create_dir_all(folder).map_err(|error| Failure::cannot_write(folder, &error))?;
        }
        let emdr = args.evidence.emdr(args.task.input.path()).map(|(_, path)| path);
        Ok(Outputs { emdr: open(emdr.as_deref())?, proof: open(args.evidence.proof.as_deref())? })
    }

    /// The files that did not exist before.
    pub(super) fn created(&self) -> Vec<PathBuf> {
        [&self.emdr, &self.proof].into_iter().flatten().filter_map(Output::created).collect()
    }

    /// Writes what there is.
    pub(super) fn write(self, job: &Job<'_>, outcome: &Outcome, answer: &Answer<'_>) -> Result<()> {
        if let Some(output) = self.emdr {
            let why = "the answer came before there was one; --no-search waits for it";
            write_or_note(output, check::emdr(job, outcome)?, "abstraction", why, job.console)?;
        }
        if let Some(output) = self.proof {
            let why = match outcome.verdict {
                _ if answer.is_safe().is_none() => why_not(answer),
                Verdict::Safe(Evidence::Exhausted(_)) => {
                    "the program is safe: few threads do all that more can do"
                }
                Verdict::Safe(Evidence::Bounded(_)) => "the program is safe: it has few schedules",
                Verdict::Safe(Evidence::Tree(_)) => "the program is safe: impara has a tree",
                _ => why_not(answer),
            };
            let proof = match (&outcome.verdict, &outcome.abstraction) {
                (Verdict::Safe(Evidence::Proof(proof)), Some(abstraction)) => {
                    Some(write_proof(&abstraction.problem.system, proof))
                }
                _ => None,
            };
            write_or_note(output, proof, "proof", why, job.console)?;
        }
        Ok(())
    }
}
