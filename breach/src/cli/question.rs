//! What is asked: the system, its initial states and the targets, from the file and the command line.

use super::args::{FormatArg, QuestionArgs};
use super::failure::{Failure, Result};
use super::text::{Text, is_stdin};
use super::usage::conflict;
use breach::diagnostics::Source;
use breach::emdr::{parse_init, parse_target, parse_targets};
use breach::input::{Format, Input};
use breach::system::{InitialStates, Problem, State, System};
use std::path::Path;
use std::time::{Duration, Instant};

/// A system file that has been read, with what it took.
#[derive(Debug)]
pub(super) struct SystemFile {
    pub(super) file: Text,
    pub(super) format: Format,
    pub(super) input: Input,
    pub(super) read_time: Duration,
    pub(super) parse_time: Duration,
}

impl SystemFile {
    /// Reads a system.
    pub(super) fn read(path: &Path, format: Option<FormatArg>) -> Result<Self> {
        let format = choose_format(path, format)?;
        let start = Instant::now();
        let file = Text::read(path)?;
        let read_time = start.elapsed();
        let input = format.parse(file.source())?;
        let parse_time = start.elapsed() - read_time;
        Ok(Self { file, format, input, read_time, parse_time })
    }

    /// The initial states and targets: the command line wins over the file.
    pub(super) fn ask(&mut self, args: &QuestionArgs) -> Result<()> {
        if let Some(init) = asked_init(args, &self.input.system)? {
            self.input.init = Some(init);
        }
        let targets = asked_targets(args, &self.input.system)?;
        if !targets.is_empty() {
            self.input.targets = targets;
        }
        remove_repetitions(&mut self.input.targets);
        Ok(())
    }

    /// The whole question; it is an error if a part of it misses.
    pub(super) fn into_problem(self) -> Result<Problem> {
        let init = self.input.init.clone().ok_or_else(|| self.missing("initial state", "--init 0/0"))?;
        if self.input.targets.is_empty() {
            return Err(self.missing("target", "--target '0|1,1'"));
        }
        Ok(Problem { system: self.input.system, init, targets: self.input.targets })
    }

    fn missing(&self, what: &str, option: &str) -> Failure {
        let line = match (self.format, what) {
            (Format::Emdr, "target") => "a line '#target 0|1,1'",
            (Format::Emdr, _) => "a line '#init 0/0'",
            (Format::Spec, "target") => "conditions such as 'x >= 1' after 'target'",
            (Format::Spec, _) => "conditions such as 'x >= 1' after 'init'",
        };
        let message = format!("there is no {what}; give {option}, or write {line} into the file");
        self.file.source().error(0, message).into()
    }
}

/// The initial states on the command line.
pub(super) fn asked_init(args: &QuestionArgs, system: &System) -> Result<Option<InitialStates>> {
    match &args.init {
        Some(text) => Ok(Some(parse_init(Source { name: "--init", text }, system)?)),
        None => Ok(None),
    }
}

/// The targets on the command line.
pub(super) fn asked_targets(args: &QuestionArgs, system: &System) -> Result<Vec<State>> {
    let mut targets = Vec::new();
    for text in &args.target {
        match parse_target(Source { name: "--target", text }, system) {
            Ok(target) => targets.push(target),
            Err(_) if Path::new(text).exists() => {
                let file = Text::read(Path::new(text))?;
                targets.extend(parse_targets(file.source(), system)?);
            }
            Err(mut diagnostic) => {
                if !text.contains('|') {
                    diagnostic.message.push_str("; there is no file of this name either");
                }
                return Err(diagnostic.into());
            }
        }
    }
    Ok(targets)
}

/// The first of equal targets stays.
fn remove_repetitions(targets: &mut Vec<State>) {
    let mut seen = std::collections::BTreeSet::new();
    targets.retain(|target| seen.insert(target.clone()));
}

fn choose_format(path: &Path, format: Option<FormatArg>) -> Result<Format> {
    match format {
        Some(FormatArg::Emdr) => Ok(Format::Emdr),
        Some(FormatArg::Spec) => Ok(Format::Spec),
        None => match Format::of_path(path) {
            Some(format) => Ok(format),
            None if is_stdin(path) => {
                conflict("stdin has no suffix that tells its format: add '--format emdr' or '--format spec'")
            }
            // A folder or a missing file has a worse problem than its suffix.
            None if !path.exists() || path.is_dir() => Ok(Format::Emdr),
            None => conflict(format!(
                "the suffix of '{}' does not tell its format: add '--format emdr' or '--format spec'",
                path.display()
            )),
        },
    }
}
