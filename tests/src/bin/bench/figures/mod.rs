//! The figures of the thesis about coverability, drawn from what our own abstractions of its programs take.
//!
//! - [`methods`]: figure 33, the methods on all programs.
//! - [`curves`]: figures 22 and 25, one program with and without widening, with and without the forward search as oracle.
//! - [`abstractions`]: what they are measured on.
//!
//! The plain methods work without our reductions and invariants, so that they are those of the thesis.

mod abstractions;
mod curves;
mod methods;

use crate::report::Results;
use crate::tool::Tool;
use abstractions::Abstractions;
use anyhow::Result;
use std::path::Path;
use std::time::Duration;

/// A way to decide coverability, with its name in the thesis where it has one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Method {
    pub(crate) name: &'static str,
    pub(crate) options: &'static [&'static str],
}

const fn method(name: &'static str, options: &'static [&'static str]) -> Method {
    Method { name, options }
}

const BACKWARD: Method =
    method("backward", &["--algorithm=backward", "--no-oracle", "--no-reductions", "--no-state-equation"]);
const WIDENING: Method = method(
    "widening (Cat)",
    &["--algorithm=widening", "--no-oracle", "--no-reductions", "--no-state-equation"],
);
const WITH_ORACLE: Method =
    method("widening, oracle (Cat+Or)", &["--algorithm=widening", "--no-reductions", "--no-state-equation"]);

/// Those of figure 33 that are ours.
const METHODS: [Method; 6] = [
    WIDENING,
    WITH_ORACLE,
    method(
        "optimistic, oracle (CatOpt+Or)",
        &["--algorithm=optimistic", "--no-reductions", "--no-state-equation"],
    ),
    BACKWARD,
    method("forward (Karp-Miller)", &["--algorithm=forward", "--no-reductions", "--no-state-equation"]),
    method("breach as it is", &[]),
];

/// How long programs and methods may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// `monabs` for a program, and `breach` for a curve.
    pub(crate) program: Duration,
    /// A method for all abstractions of a program.
    pub(crate) method: Duration,
}

/// Measures and draws. Returns what belongs into the report, and whether no answer is wrong.
pub(crate) fn draw(
    (monabs, breach): (&Tool, &Tool),
    results: &Results,
    programs: &[(&str, &Path)],
    limits: Limits,
) -> Result<(String, bool)> {
    println!("\nabstractions of {} programs", programs.len());
    let make = |&(name, path): &(&str, &Path)| {
        Abstractions::make(monabs, name, path, &results.path("abstractions").join(name), limits.program)
    };
    let programs: Vec<_> = programs.iter().map(make).collect::<Result<_>>()?;
    let (mut body, methods_right) = methods::draw(breach, results, &programs, limits.method)?;
    let (text, curves_right) = curves::draw(breach, results, &programs, limits.program)?;
    body.push_str(&text);
    Ok((body, methods_right && curves_right))
}
