//! Random C programs compute here what they compute when they are compiled and run.
//!
//! `MONABS_C_SEMANTICS=100000` asks about that many programs instead of some thousands. A failure is shown as the smallest program with
//! the same mistake, with the seed that it comes from. Without a compiler these tests say so and pass.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "helpers of tests may stop at the first broken assumption, too"
)]

use frontend::program::PropertyKind;
use frontend::program::interpret::{ExploreOptions, explore};
use frontend::reduce;
use frontend::types::DataModel;
use std::fmt::Write;
use std::time::Duration;
use tests::random_c::Case;
use tests::repository::{files_below, root};
use tests::semantics::compiler::Compiler;
use tests::semantics::interpreter::{End, guarded, run, translate};
use tests::semantics::{Failure, Kind, examine, options, shrink};

/// As many programs go to the compiler at once.
const BATCH: u64 = 100;
/// How long the smallest program is looked for.
const PATIENCE: Duration = Duration::from_secs(120);

/// How many programs are asked about.
fn programs() -> u64 {
    let number = std::env::var("MONABS_C_SEMANTICS").ok();
    number.and_then(|n| n.parse().ok()).unwrap_or(3_000)
}

/// Asks about programs from a seed on, in a way of asking.
fn differential(
    model: DataModel,
    start: u64,
    count: u64,
    examine: impl Fn(&Case, &[u64]) -> Result<(), Failure> + Copy,
) {
    let Some(compiler) = Compiler::find(model) else {
        eprintln!("skipped: no compiler here makes {model:?} programs that run");
        return;
    };
    for first in (start..start + count).step_by(BATCH as usize) {
        let last = (first + BATCH).min(start + count);
        let cases: Vec<Case> = (first..last).map(|seed| Case::new(seed, model)).collect();
        let results = compiler.results(&cases, false).unwrap_or_else(|e| panic!("seeds from {first}: {e}"));
        for (case, expected) in cases.iter().zip(&results) {
            if let Err(failure) = examine(case, expected) {
                let (smallest, reason) = shrink(&compiler, case, &failure, PATIENCE, examine);
                let text = smallest.text("");
                panic!(
                    "{model:?}, seed {}: {failure}\nthe smallest such program:\n{text}{reason}",
                    case.seed
                );
            }
        }
    }
    println!("{model:?}: {count} programs");
}

#[test]
fn lp64_programs_compute_what_the_compiler_computes() {
    differential(DataModel::Lp64, 0, programs(), examine);
}

#[test]
fn ilp32_programs_compute_what_the_compiler_computes() {
    differential(DataModel::Ilp32, 1_000_000, programs().div_ceil(2), examine);
}

/// Reduced programs still know all results: no result differs from what it should be, and saying that one does is refuted.
#[test]
fn reductions_keep_what_is_computed() {
    differential(DataModel::Lp64, 2_000_000, programs().div_ceil(6), reduced);
}

fn reduced(case: &Case, expected: &[u64]) -> Result<(), Failure> {
    let end = verdict(case, expected, None)?;
    if let End::Violated(kind, name) = end {
        return Err(Failure::new(Kind::Violated(kind), name));
    }
    let wrong = case.seed as usize % expected.len().max(1);
    match verdict(case, expected, Some(wrong))? {
        End::Violated(PropertyKind::Assertion, _) => Ok(()),
        End::Violated(kind, name) => Err(Failure::new(Kind::Violated(kind), name)),
        End::Done => Err(Failure::new(Kind::NotViolated, format!("o{wrong} is not known any more"))),
    }
}

/// How the reduced program ends when it asserts all results; the one that is named is asserted to be another.
fn verdict(case: &Case, expected: &[u64], wrong: Option<usize>) -> Result<End, Failure> {
    let mut text = case.text("");
    let end = text.rfind("return 0;").unwrap_or(text.len());
    let mut asserts = String::new();
    for (number, value) in expected.iter().enumerate() {
        let operator = if wrong == Some(number) { "!=" } else { "==" };
        writeln!(asserts, "assert(o{number} {operator} {value}ULL);").unwrap();
    }
    text.insert_str(end, &asserts);
    let program = translate(&text, &options(case.seed, case.model))?;
    let (program, _) = guarded(|| reduce::reduce(program, &reduce::Options::default()))?;
    let exploration = guarded(|| explore(&program, 1, &ExploreOptions::default()))?;
    let exploration = exploration.map_err(|e| Failure::new(Kind::Malformed, e.to_string()))?;
    let violated = exploration.violated.into_keys().next();
    Ok(match violated {
        Some(name) => {
            let kind = program.properties.iter().find(|p| p.name == name).map(|p| p.kind);
            End::Violated(kind.unwrap_or(PropertyKind::Limit), name)
        }
        None => End::Done,
    })
}

/// Programs that were once translated wrongly. The first line says whether an assertion fails: `// EXPECT: safe` or `unsafe`, with
/// `, 32` behind it for ILP32. A program without random choices has one run, so running it tells.
#[test]
fn bugs_of_the_past() {
    let files = files_below(&root().join("tests/regress/c")).unwrap();
    assert!(!files.is_empty());
    let mut failures = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let (expected, model) = match text.lines().next() {
            Some("// EXPECT: safe") => (true, DataModel::Lp64),
            Some("// EXPECT: safe, 32") => (true, DataModel::Ilp32),
            Some("// EXPECT: unsafe") => (false, DataModel::Lp64),
            Some("// EXPECT: unsafe, 32") => (false, DataModel::Ilp32),
            other => panic!("{}: {other:?}", file.display()),
        };
        let source = text.replacen("// EXPECT", "   EXPECT", 0);
        for seed in 0..4 {
            let program = translate(&uncommented(&source), &options(seed, model));
            let end = program
                .as_ref()
                .map_err(Clone::clone)
                .and_then(|program| Ok(guarded(|| run(program, true))??.2));
            let is_right = match &end {
                Ok(End::Done) => expected,
                Ok(End::Violated(PropertyKind::Assertion, _)) => !expected,
                _ => false,
            };
            if !is_right {
                failures.push(format!("{}: {end:?}", file.display()));
                break;
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Without the comments at the start of lines: there is no preprocessor on this way.
fn uncommented(text: &str) -> String {
    text.lines()
        .map(|line| if line.trim_start().starts_with("//") { "\n".to_owned() } else { format!("{line}\n") })
        .collect()
}
