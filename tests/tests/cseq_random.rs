//! Lazy sequentialization against brute force: random programs that create threads, and all schedules of some rounds.
//!
//! Without loops, what is found in K rounds must be exactly what trying everything finds in K rounds, property by property. With loops, what is called
//! safe must have no violation with few threads, whatever the schedule. `CSEQ=5000` looks at that many programs; `CSEQ_FROM=1000` begins with another one.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may stop at the first broken assumption, too"
)]

use cseq::{Options, Unknown, Verdict};
use engine::unwind::{Bounds, unwind};
use frontend::program::Program;
use frontend::program::interpret::{ExploreOptions, explore};
use frontend::program::text::print as show;
use smt::{Config, SolverChoice};
use std::collections::BTreeSet;
use tests::programs::creators::{self, SITES};
use tests::programs::turns;

fn seeds(few: u64) -> std::ops::Range<u64> {
    let number = |name| std::env::var(name).ok().and_then(|number| number.parse::<u64>().ok());
    let first = number("CSEQ_FROM").unwrap_or(0);
    first..first + number("CSEQ").unwrap_or(few)
}

fn solvers(seed: u64) -> SolverChoice {
    let all = ["sat:cadical", "sat:batsat", "z3"];
    all[seed as usize % all.len()].parse().unwrap()
}

/// What is found, one property after the other.
fn found(program: &Program, rounds: usize, solver: &SolverChoice) -> BTreeSet<String> {
    // A site has two threads if there are two first steps, and twice as many if that is true of its creator.
    let bounds = Bounds { rounds: 0, of_loops: Vec::new(), threads: 4 * SITES + 1, nodes: 1000 };
    let (threads, nodes) = (bounds.threads, bounds.nodes);
    let solver = solver.clone();
    let options =
        Options { solver, unwind: Some(0), rounds: Some(rounds), threads, nodes, ..Options::default() };
    let mut found = BTreeSet::new();
    for property in &program.properties {
        let single = Program { properties: vec![property.clone()], ..program.clone() };
        assert!(unwind(&single, &bounds).is_complete(), "{}", show(program));
        let outcome = cseq::verify(&single, &options, &Config::default(), &mut |_, _| true).unwrap();
        match outcome.verdict {
            Verdict::Bug(_) => {
                found.insert(property.name.clone());
            }
            Verdict::Safe(_) | Verdict::Unknown(Unknown::Bounded) => {}
            other => panic!("{other:?} for {} in\n{}", property.name, show(program)),
        }
    }
    found
}

#[test]
fn rounds_have_exactly_what_brute_force_finds_in_them() {
    let (mut compared, mut different) = (0, 0);
    for seed in seeds(150) {
        let program = creators::program(seed, false);
        let mut last = None;
        // Without rounds, the initial thread has its last turn.
        for rounds in 0..=2 {
            let Some(expected) = turns::violated(&program, rounds, 100_000) else { continue };
            let actual = found(&program, rounds, &solvers(seed));
            assert_eq!(actual, expected, "seed {seed}, {rounds} rounds\n{}", show(&program));
            different += usize::from(last.as_ref().is_some_and(|last| *last != expected));
            last = Some(expected);
            compared += 1;
        }
    }
    // The bound must matter, or the comparison says little.
    assert!(compared > 100 && different * 50 > compared, "{compared} compared, {different} different");
}

#[test]
fn verdicts_hold_for_all_schedules() {
    let (mut safe, mut bugs) = (0, 0);
    for seed in seeds(150) {
        let program = creators::program(seed, !seed.is_multiple_of(3));
        let options = Options { solver: solvers(seed), ..Options::default() };
        let outcome =
            cseq::verify(&program, &options, &Config::default(), &mut |_, explored| explored.rounds <= 5);
        match outcome.unwrap().verdict {
            // It was replayed.
            Verdict::Bug(_) => bugs += 1,
            Verdict::Safe(_) => {
                let explored = explore(&program, SITES + 2, &ExploreOptions::default()).unwrap();
                assert!(explored.violated.is_empty(), "seed {seed}\n{}", show(&program));
                safe += usize::from(explored.complete);
            }
            Verdict::Unknown(_) => {}
        }
    }
    assert!(safe > 3 && bugs > 30, "{safe} safe, {bugs} with bugs");
}
