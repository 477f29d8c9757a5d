//! The files that only this program writes: opened before the work, written at the end.

use super::args::MainArgs;
use super::{check, proof};
use breach::check::write_proof;
use console::outputs::Output;
use console::{Failure, Result};
use monabs::verify::Evidence;
use monabs::{Outcome, Verdict};
use report::outputs::{why_not, write_or_note};
use report::{Answer, Job};
use std::path::Path;

/// The abstraction and its proof.
#[derive(Debug)]
pub(super) struct Outputs {
    emdr: Option<Output>,
    proof: Option<Output>,
    emdr_proof: Option<Output>,
}

impl Outputs {
    /// Opens everything that is asked for, and makes the folder of `--dump`.
    pub(super) fn open(args: &MainArgs) -> Result<Outputs> {
        let open = |path: Option<&Path>| path.map(Output::open).transpose();
        if let Some(folder) = &args.evidence.dump {
            std::fs::create_dir_all(folder).map_err(|error| Failure::cannot_write(folder, &error))?;
        }
        let emdr = args.evidence.emdr(args.task.input.path()).map(|(_, path)| path);
        let (proof, emdr_proof) = (&args.evidence.proof, &args.evidence.emdr_proof);
        Ok(Outputs {
            emdr: open(emdr.as_deref())?,
            proof: open(proof.as_deref())?,
            emdr_proof: open(emdr_proof.as_deref())?,
        })
    }

    /// Writes what there is.
    pub(super) fn write(self, job: &Job<'_>, outcome: &Outcome, answer: &Answer<'_>) -> Result<()> {
        if let Some(output) = self.emdr {
            let why = "the answer came before there was one; --no-search waits for it";
            write_or_note(output, check::emdr(job, outcome)?, "abstraction", why, job.console)?;
        }
        if let Some(output) = self.emdr_proof {
            let proof = match (&outcome.verdict, &outcome.abstraction) {
                (Verdict::Safe(Evidence::Proof(proof)), Some(abstraction)) => {
                    Some(write_proof(&abstraction.problem.system, proof))
                }
                _ => None,
            };
            let why =
                if answer.is_safe() == Some(true) { "another engine has shown it" } else { why_not(answer) };
            write_or_note(output, proof, "proof", why, job.console)?;
        }
        if let Some(output) = self.proof {
            let proof = match answer.is_safe() {
                Some(true) => proof::document(job, outcome, answer)?,
                _ => None,
            };
            write_or_note(output, proof, "proof", why_not(answer), job.console)?;
        }
        Ok(())
    }
}
