//! Options of this program that contradict each other, beyond what the table of options can say.

use super::args::MainArgs;
use console::Result;
use report::usage::{check_lists, check_paths};
use std::path::{Path, PathBuf};

/// Checks all options that only this program has.
pub(super) fn check(args: &MainArgs) -> Result<()> {
    let (evidence, question) = (&args.evidence, &args.question);
    let asked = [
        (question.max_threads.is_some(), "--max-threads"),
        (evidence.emdr(Path::new("-")).is_some(), "--build-tts"),
        (evidence.proof.is_some(), "--proof"),
        (evidence.emdr_proof.is_some(), "--emdr-proof"),
        (evidence.dump.is_some(), "--dump"),
    ];
    check_lists(&args.task, &asked)?;
    let emdr = evidence.emdr(args.task.input.path());
    let outputs = [
        (emdr.as_ref().map_or("", |emdr| emdr.0), emdr.as_ref().map(|emdr| emdr.1.as_path())),
        ("--proof", evidence.proof.as_deref()),
        ("--emdr-proof", evidence.emdr_proof.as_deref()),
    ];
    let inputs: Vec<&PathBuf> = args.search.predicates.iter().collect();
    check_paths(&args.task, &inputs, &outputs)
}
