//! Random small thread programs in C: the same assertions fail before and after merging, slicing and large blocks.
//!
//! Each program is explored exhaustively with up to three threads: as lowered, one edge for each memory access, and after each set of
//! reductions. With `--atomic-statements` nothing fails that does not fail without. `FRONTEND_DIFFERENTIAL=5000` tries that many programs.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may stop at the first broken assumption, too"
)]

use frontend::lower::Options;
use frontend::program::interpret::{ExploreOptions, explore};
use frontend::program::validate::{Rules, validate};
use frontend::program::{Program, PropertyKind};
use frontend::reduce::{self, reduce};
use frontend::translate::translate_text;
use std::collections::BTreeSet;
use tests::random_threads::program;

fn programs() -> u64 {
    let number = std::env::var("FRONTEND_DIFFERENTIAL").ok();
    number.and_then(|n| n.parse().ok()).unwrap_or(60)
}

fn lowered(text: &str, options: &Options) -> Program {
    match translate_text("random.c", text, options, &[]) {
        Ok(translation) => translation.program,
        Err(errors) => {
            let all: Vec<String> = errors.iter().map(ToString::to_string).collect();
            panic!("{}\n{text}", all.join("\n"))
        }
    }
}

/// The assertions that fail with so many threads; none if there are too many states.
fn failing(program: &Program, threads: usize) -> Option<BTreeSet<String>> {
    let mut options = ExploreOptions::default();
    options.limits.states = 20_000;
    let found = explore(program, threads, &options).unwrap();
    let all = program.properties.iter().filter(|p| p.kind != PropertyKind::Limit).count();
    let violated: BTreeSet<String> = found.violated.into_keys().collect();
    (found.complete || violated.len() == all).then_some(violated)
}

#[test]
fn reductions_keep_what_fails() {
    let variants = [
        ("all", reduce::Options::default()),
        ("none", reduce::Options::minimal()),
        ("no merging", reduce::Options { merge: false, ..reduce::Options::default() }),
        ("no slicing", reduce::Options { slice: false, ..reduce::Options::default() }),
    ];
    let (mut compared, mut failures) = (0, 0);
    for seed in 0..programs() {
        let text = program(seed);
        let before = lowered(&text, &Options::default());
        for threads in 1..=3 {
            let Some(expected) = failing(&before, threads) else { continue };
            compared += 1;
            failures += usize::from(!expected.is_empty());
            for (name, options) in &variants {
                let (after, _) = reduce(before.clone(), options);
                let rules = Rules { strictly_asynchronous: true };
                assert_eq!(validate(&after, rules), [], "{name}, seed {seed}\n{text}");
                if let Some(found) = failing(&after, threads) {
                    assert_eq!(found, expected, "{name}, seed {seed}, {threads} threads\n{text}");
                }
            }
        }
    }
    println!("{compared} explorations compared, {failures} with failures");
    assert!(compared as u64 >= programs() && failures > 0, "{compared} compared, {failures} with failures");
}

#[test]
fn larger_steps_fail_less() {
    for seed in 0..programs() / 2 {
        let text = program(seed);
        let small = |options: &Options| reduce(lowered(&text, options), &reduce::Options::default()).0;
        let fine = small(&Options::default());
        let coarse = small(&Options { atomic_statements: true, ..Options::default() });
        for threads in 1..=2 {
            let (Some(fine), Some(coarse)) = (failing(&fine, threads), failing(&coarse, threads)) else {
                continue;
            };
            assert!(coarse.is_subset(&fine), "seed {seed}, {threads} threads: {coarse:?}, {fine:?}\n{text}");
        }
    }
}
