//! Does a program compute here what it computes when it is compiled and run?
//!
//! - [`compiler`]: compiles and runs.   [`interpreter`]: translates and interprets.
//! - [`examine`] compares; [`shrink`] finds the smallest program for which the comparison fails in the same way.

pub mod compiler;
pub mod interpreter;

use crate::random_c::Case;
use compiler::Compiler;
use frontend::lower::Options;
use frontend::program::PropertyKind;
use frontend::types::DataModel;
use std::fmt;
use std::time::{Duration, Instant};

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Not translated.
    Refused,
    /// Translated with a remark that it is not exact.
    Inexact,
    /// Something panicked.
    Panic,
    /// The translation is not a valid program.
    Malformed,
    /// A property is violated that holds.
    Violated(PropertyKind),
    /// A property is not violated that does not hold.
    NotViolated,
    /// The run has no way on in its middle.
    Blocked,
    /// The run has several ways on.
    Ambiguous,
    /// The run does not end.
    Endless,
    /// A result is another one.
    Value,
}

/// How a comparison failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What is wrong.
    pub kind: Kind,
    /// In words.
    pub message: String,
}

impl Failure {
    /// A failure.
    pub fn new(kind: Kind, message: impl Into<String>) -> Failure {
        Failure { kind, message: message.into() }
    }

    /// Whether it is the same mistake, as far as one can tell.
    fn is_like(&self, other: &Failure) -> bool {
        // Messages of the translation name the reason; others name places and values, which change.
        let says_why = matches!(self.kind, Kind::Refused | Kind::Inexact | Kind::Panic);
        self.kind == other.kind && (!says_why || reason(&self.message) == reason(&other.message))
    }
}

/// A message without places and numbers.
fn reason(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default();
    line.chars().filter(|c| !c.is_ascii_digit()).collect()
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.kind, self.message)
    }
}

/// Choices that differ from case to case but not in what a program means.
pub fn options(seed: u64, model: DataModel) -> Options {
    let mut options = Options { data_model: model, ..Options::default() };
    if seed % 2 == 1 {
        options.overflow_check = true;
        options.shift_check = true;
        options.pointer_check = true;
    }
    options.atomic_statements = seed % 5 == 0;
    options
}

/// Compares our results with the compiler's.
pub fn examine(case: &Case, expected: &[u64]) -> Result<(), Failure> {
    let program = interpreter::translate(&case.text(""), &options(case.seed, case.model))?;
    let found = interpreter::results(&program, expected.len())?;
    compare(case, expected, &found)
}

fn compare(case: &Case, expected: &[u64], found: &[u64]) -> Result<(), Failure> {
    let mut message = String::new();
    for (number, (expected, found)) in expected.iter().zip(found).enumerate() {
        if expected != found {
            let name = case.results[number].replace('@', "");
            message.push_str(&format!("o{number} ({name}) is {found:#x}, compiled {expected:#x}\n"));
        }
    }
    if message.is_empty() { Ok(()) } else { Err(Failure::new(Kind::Value, message)) }
}

/// Shrinks a program as long as the same mistake is made, for at most as long as `patience`; returns the smallest one with its failure.
/// Programs that do something undefined on the way are passed over.
pub fn shrink(
    compiler: &Compiler,
    case: &Case,
    failure: &Failure,
    patience: Duration,
    examine: impl Fn(&Case, &[u64]) -> Result<(), Failure>,
) -> (Case, Failure) {
    let start = Instant::now();
    let (mut smallest, mut reason) = (case.clone(), failure.clone());
    'smaller: loop {
        for tree in smallest.tree.simpler() {
            if start.elapsed() > patience {
                break 'smaller;
            }
            let candidate = Case { tree, ..smallest.clone() };
            // What our side says first: it is the faster one where it does not depend on the values.
            let dummy = vec![0; candidate.results.len()];
            let likely = match examine(&candidate, &dummy) {
                Err(found) => found.kind == Kind::Value || found.is_like(&reason),
                Ok(()) => reason.kind == Kind::Value || reason.kind == Kind::NotViolated,
            };
            if !likely {
                continue;
            }
            let Ok(mut expected) = compiler.results(std::slice::from_ref(&candidate), true) else { continue };
            if let Some(Err(found)) = expected.pop().map(|expected| examine(&candidate, &expected))
                && found.is_like(&reason)
            {
                (smallest, reason) = (candidate, found);
                continue 'smaller;
            }
        }
        break;
    }
    (smallest, reason)
}
