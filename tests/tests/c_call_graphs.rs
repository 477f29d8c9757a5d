//! Deep and wide call graphs: programs stay small, and mean what they meant with a copy for each call.

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
use tests::call_graphs::{deep, recursive, threaded, wide};
use tests::random_threads;

fn lowered(text: &str, options: &Options) -> Program {
    match translate_text("calls.c", text, options, &[]) {
        Ok(translation) => translation.program,
        Err(errors) => {
            let all: Vec<String> = errors.iter().map(ToString::to_string).collect();
            panic!("{}\n{text}", all.join("\n"))
        }
    }
}

/// All functions that may be shared are.
fn sharing() -> Options {
    Options { copied_operations: 0, ..Options::default() }
}

/// What fails, and whether the search was complete: it may end where it has found something, or with too many states.
fn search(program: &Program, threads: usize) -> (BTreeSet<PropertyKind>, bool) {
    let mut options = ExploreOptions::default();
    options.limits.states = 200_000;
    let found = explore(program, threads, &options).unwrap();
    let kind = |name: &String| program.properties.iter().find(|p| p.name == *name).unwrap().kind;
    (found.violated.keys().map(kind).collect(), found.complete)
}

/// What fails; none if that is not known.
fn failing(program: &Program, threads: usize) -> Option<BTreeSet<PropertyKind>> {
    let (violated, complete) = search(program, threads);
    (complete || !violated.is_empty()).then_some(violated)
}

/// A verdict, with copies or without, reduced or not, is the expected one.
fn check(text: &str, is_right: bool, threads: usize, variants: &[Options]) {
    let expected: BTreeSet<PropertyKind> =
        if is_right { BTreeSet::new() } else { BTreeSet::from([PropertyKind::ErrorFunction]) };
    for options in variants {
        let before = lowered(text, options);
        assert_eq!(failing(&before, threads), Some(expected.clone()), "{text}");
        let (after, _) = reduce(before, &reduce::Options::default());
        assert_eq!(validate(&after, Rules { strictly_asynchronous: true }), [], "{text}");
        assert_eq!(failing(&after, threads), Some(expected.clone()), "reduced\n{text}");
    }
}

#[test]
fn verdicts_are_those_of_copies() {
    let both = [Options::default(), sharing()];
    for is_right in [true, false] {
        check(&deep(4, is_right), is_right, 1, &both);
        check(&wide(5, is_right), is_right, 1, &both);
        check(&recursive(4, is_right), is_right, 1, &both);
        check(&threaded(2, is_right), is_right, 3, &both);
    }
}

/// Locks, atomic sections and functions that are called from several places.
#[test]
fn random_programs_fail_alike() {
    let mut compared = 0;
    for seed in 0..40 {
        let text = random_threads::program(seed);
        let [copied, shared] = [Options::default(), sharing()].map(|options| lowered(&text, &options));
        for threads in 1..=2 {
            if let ((copied, true), (shared, true)) = (search(&copied, threads), search(&shared, threads)) {
                assert_eq!(copied, shared, "seed {seed}, {threads} threads\n{text}");
                compared += 1;
            }
        }
    }
    assert!(compared >= 40, "{compared}");
}

#[test]
fn more_ways_than_can_be_copied() {
    for is_right in [true, false] {
        check(&deep(24, is_right), is_right, 1, &[Options::default()]);
    }
}

#[test]
fn recursion_deeper_than_asked_for_is_a_limit() {
    let program = lowered(&recursive(30, true), &sharing());
    assert_eq!(failing(&program, 1), Some(BTreeSet::from([PropertyKind::Limit])));
}

/// Twice the source is about twice the program.
#[test]
fn growth_is_linear() {
    let size = |text: String, options: &Options| lowered(&text, options).edges.len();
    let [few, many] = [16, 32].map(|depth| size(deep(depth, true), &Options::default()));
    assert!(many < 20_000 && few * 3 > many, "{few}, {many}");
    let [few, many] = [100, 200].map(|width| size(wide(width, true), &sharing()));
    assert!(few * 5 > many * 2, "{few}, {many}");
}
