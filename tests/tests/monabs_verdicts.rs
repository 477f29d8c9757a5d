//! Random programs for any number of threads: every verdict is checked.
//!
//! A proof is read back from its text and verified; few threads that try everything must not contradict it. A run is replayed.
//! `MONABS_DIFFERENTIAL=1000` asks about that many programs of each family. A wrong verdict is shown with the smallest program that has one.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may stop at the first broken assumption, too"
)]

use monabs::verify::Options;
use std::collections::BTreeMap;
use std::time::Duration;
use tests::programs::family::{Family, Question};
use tests::programs::judge::{Answer, FEW, Fault, engines, examine, options, violation};
use tests::programs::shrink::{show, shrink};

/// How many states are visited, at most, with each number of threads.
const STATES: usize = 20_000;
/// How long a program may take.
const PATIENCE: Duration = Duration::from_secs(1);

/// How many programs of each family are asked about.
fn programs() -> u64 {
    let number = std::env::var("MONABS_DIFFERENTIAL").ok();
    number.and_then(|n| n.parse().ok()).unwrap_or(40)
}

/// Counts of verdicts.
#[derive(Debug, Default)]
struct Tally {
    safe: u64,
    unsafe_few: u64,
    unsafe_many: u64,
    unknown: u64,
    /// Unknown, and not for want of time.
    given_up: u64,
    /// Unknown although few threads violate something.
    missed: u64,
    reasons: BTreeMap<String, u64>,
}

fn judge(question: &Question) -> Result<Answer, Fault> {
    let mut options = options(PATIENCE);
    options.predicates.clone_from(&question.predicates);
    options.abstractor = question.method;
    options.engines = engines(question.search);
    examine(&question.program, Some(&question.original), &options, STATES)
}

fn explain(question: &Question, fault: &Fault) -> String {
    let same = |question: &Question| judge(question).err().is_some_and(|found| found.kind == fault.kind);
    let smallest = shrink(question, Duration::from_secs(60), same);
    let found = judge(&smallest).err().map_or_else(String::new, |fault| fault.to_string());
    format!("{fault}\nthe smallest such program:\n{}{found}", show(&smallest))
}

fn differential(family: Family) {
    let mut tally = Tally::default();
    let mut faults: Vec<(u64, Question, Fault)> = Vec::new();
    for seed in 0..programs() {
        let question = family.question(seed);
        match judge(&question) {
            Ok(Answer::Safe) => tally.safe += 1,
            Ok(Answer::Unsafe(threads)) if threads <= FEW => tally.unsafe_few += 1,
            Ok(Answer::Unsafe(_)) => tally.unsafe_many += 1,
            Ok(Answer::Unknown(reason)) => {
                tally.unknown += 1;
                tally.missed += u64::from(violation(&question.program, STATES).is_some());
                // The end of what is modelled, and steps that may not be real, are good reasons; a slow machine is none of ours.
                let is_good = reason.starts_with("Limit") || reason.starts_with("Approximate");
                let is_late = reason.contains("Time") || reason.contains("Interrupted");
                tally.given_up += u64::from(!is_good && !is_late);
                *tally.reasons.entry(reason).or_default() += 1;
            }
            Err(fault) => {
                println!("{family:?}, seed {seed}: {fault}");
                faults.push((seed, question, fault));
            }
        }
    }
    println!("{family:?}: {tally:?}, {} faults", faults.len());
    assert!(
        tally.given_up * 2 < programs(),
        "{family:?}: {} of {} without verdict",
        tally.given_up,
        programs()
    );
    // The worst ones first.
    faults.sort_by_key(|(seed, _, fault)| (fault.kind, *seed));
    if let Some((seed, question, fault)) = faults.first() {
        panic!("{family:?}, seed {seed}, and {} others: {}", faults.len() - 1, explain(question, fault));
    }
}

#[test]
fn plain_programs() {
    differential(Family::Plain);
}

#[test]
fn reduced_programs() {
    differential(Family::Reduced);
}

#[test]
fn threads_that_start_on_their_own() {
    differential(Family::Free);
}

#[test]
fn arrays() {
    differential(Family::Arrays);
}

#[test]
fn locals_that_count_everywhere() {
    differential(Family::Live);
}

#[test]
fn several_properties_and_approximate_steps() {
    differential(Family::Notes);
}

#[test]
fn pieces_of_locks() {
    differential(Family::Tickets);
}

/// Programs at the edge of what there is, and whether they are safe.
const CORNERS: [(&str, bool, &str); 7] = [
    ("an error where the initial thread starts", false, "location 0 main 0 property p assertion \"\" at 0"),
    ("an error in the pool", false, "location 0 location 1 main 0 pool 1 property p assertion \"\" at 1"),
    ("no thread in the pool", true, "location 0 location 1 main 0 property p assertion \"\" at 1"),
    (
        "two threads in the pool",
        false,
        "location 0 location 1 main 0 pool 1 property p data-race \"\" race 1 with 1",
    ),
    (
        "one thread in the pool, one on its way",
        false,
        "location 0 location 1 location 2 main 0 pool 1 edge 0: 1 -> 2 property p data-race \"\" race 1 with 2",
    ),
    (
        "one thread leaves the pool, two others stay",
        false,
        "shared s: bool = false location 0 location 1 location 2 main 0 pool 1 \
         edge 0: 1 -> 2 guard (not s) assign s := true property p data-race \"\" race 1 with 1",
    ),
    (
        "one thread leaves the pool, no other follows",
        true,
        "shared s: bool = false location 0 location 1 location 2 main 0 pool 1 \
         edge 0: 1 -> 2 guard (not s) assign s := true property p data-race \"\" race 2 with 2",
    ),
];

#[test]
fn corners() {
    let mut faults = Vec::new();
    for (name, is_safe, text) in CORNERS {
        let program = frontend::program::text::read(&format!("program 1 {text}")).unwrap();
        for search in [false, true] {
            let options = Options { engines: engines(search), ..options(PATIENCE) };
            match examine(&program, None, &options, STATES) {
                Ok(Answer::Safe) if is_safe => {}
                Ok(Answer::Unsafe(_)) if !is_safe => {}
                other => faults.push(format!("{name}, search {search}: {other:?}")),
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
