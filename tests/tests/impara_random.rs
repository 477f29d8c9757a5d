//! Lazy abstraction against brute force: random programs with few threads, all configurations.
//!
//! What is called safe must have no violation, and the proof, written and read again, is accepted. Bugs were replayed. Where brute force has seen everything,
//! the answer must be there, but for limits and doubtful steps. `ENGINES_DIFFERENTIAL=5000` looks at that many programs; `ENGINES_FROM=1000` begins with another one.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may stop at the first broken assumption, too"
)]

use frontend::lower;
use frontend::program::Program;
use frontend::program::interpret::{Exploration, ExploreOptions, explore};
use frontend::program::text::print as show;
use frontend::reduce::{self, reduce};
use frontend::translate::translate_text;
use impara::check::check;
use impara::explain::Interpolants;
use impara::proof::Proof;
use impara::{Options, Order, Reduction, Unknown, Verdict, verify};
use smt::{Config, SolverChoice};
use tests::programs::creators;

fn seeds(few: u64) -> std::ops::Range<u64> {
    let number = |name| std::env::var(name).ok().and_then(|number| number.parse::<u64>().ok());
    let first = number("ENGINES_FROM").unwrap_or(0);
    first..first + number("ENGINES_DIFFERENTIAL").unwrap_or(few)
}

/// Each part switched off, one after the other, and some together.
fn configurations() -> Vec<(&'static str, Options)> {
    let base = Options { max_threads: 4, max_nodes: 400, ..Options::default() };
    vec![
        ("default", base.clone()),
        ("no force", Options { force_limit: 0, ..base.clone() }),
        ("no reduction", Options { reduction: Reduction::None, ..base.clone() }),
        ("static", Options { reduction: Reduction::Static, force_limit: 1, ..base.clone() }),
        ("bfs", Options { order: Order::BreadthFirst, ..base.clone() }),
        ("spacer", Options { interpolants: Interpolants::Spacer, max_nodes: 60, ..base.clone() }),
        ("contexts", Options { context_bound: Some(2), ..base.clone() }),
        ("bfs, no force", Options { order: Order::BreadthFirst, force_limit: 0, ..base }),
    ]
}

#[derive(Default, Debug)]
struct Count {
    safe: usize,
    bugs: usize,
    open: usize,
    covers: usize,
    by_alias: usize,
    /// Why there is no answer.
    reasons: std::collections::BTreeMap<String, usize>,
}

/// Everything that few threads can do, if it could be tried.
fn brute(program: &Program) -> Option<Exploration> {
    let mut options = ExploreOptions::default();
    options.limits.states = 30_000;
    explore(program, 4, &options).ok()
}

fn examine(
    program: &Program,
    (name, options): &(&str, Options),
    seed: u64,
    expected: Option<&Exploration>,
    count: &mut Count,
) {
    let about = || format!("seed {seed}, {name}\n{}", show(program));
    let outcome = verify(program, options, false).unwrap_or_else(|error| panic!("{error} for {}", about()));
    count.covers += outcome.statistics.by_cover;
    count.by_alias += outcome.statistics.skipped_by_alias;
    match outcome.verdict {
        // It was replayed.
        Verdict::Bug(_) => count.bugs += 1,
        Verdict::Safe(proof) => {
            count.safe += 1;
            let violated: Vec<&String> = expected.iter().flat_map(|found| found.violated.keys()).collect();
            assert!(violated.is_empty(), "safe, but {violated:?} for {}", about());
            let read = Proof::read(&proof.write(), program)
                .unwrap_or_else(|error| panic!("{error} for {}", about()));
            assert_eq!(read, proof, "{}", about());
            check(program, &read, &SolverChoice::default(), &Config::default())
                .unwrap_or_else(|error| panic!("{error} for {}\n{}", about(), proof.write()));
        }
        Verdict::Unknown(reason) => {
            count.open += 1;
            *count.reasons.entry(format!("{reason:?}")).or_default() += 1;
            let excused = matches!(
                reason,
                Unknown::Limit(_)
                    | Unknown::Doubtful(_)
                    | Unknown::Threads(_)
                    | Unknown::Nodes(_)
                    | Unknown::Obstacle(_)
                    | Unknown::Contexts(_)
                    | Unknown::Under(_)
            );
            assert!(excused, "{reason:?} for {}", about());
        }
    }
}

#[test]
fn programs_that_create_threads() {
    let mut count = Count::default();
    for seed in seeds(30) {
        let program = creators::program(seed, !seed.is_multiple_of(3));
        let expected = brute(&program);
        let all = configurations();
        examine(&program, &all[0], seed, expected.as_ref(), &mut count);
        examine(&program, &all[1 + seed as usize % (all.len() - 1)], seed, expected.as_ref(), &mut count);
    }
    assert!(count.safe > 10 && count.bugs > 10 && count.covers > 0, "{count:?}");
    assert!(count.open < count.safe + count.bugs, "{count:?}");
}

#[test]
fn random_c() {
    let mut count = Count::default();
    for seed in seeds(4) {
        let text = tests::random_threads::program(seed);
        let program = translate_text("random.c", &text, &lower::Options::default(), &[]).unwrap().program;
        let (program, _) = reduce(program, &reduce::Options::default());
        let expected = brute(&program);
        let all = configurations();
        examine(&program, &all[0], seed, expected.as_ref(), &mut count);
        examine(&program, &all[1 + seed as usize % (all.len() - 1)], seed, expected.as_ref(), &mut count);
    }
    assert!(count.safe + count.bugs > 0, "{count:?}");
}
