//! Thousands of random questions, each asked in several ways: all answers are checked and agree.
//!
//! `BREACH_DIFFERENTIAL=100000` asks about that many systems instead of some thousands. A failure is shown after
//! shrinking, with the family and the seed that it comes from.

use std::time::Duration;
use tests::combination::Combination;
use tests::judge::{Fault, examine};
use tests::random::Family;
use tests::shrink::{show, shrink};

/// How many systems are asked about.
fn systems() -> u64 {
    let number = std::env::var("BREACH_DIFFERENTIAL").ok();
    number.and_then(|n| n.parse().ok()).unwrap_or(8_000)
}

/// The share of one family.
fn differential(family: Family) {
    let number = systems().div_ceil(Family::ALL.len() as u64);
    let [mut coverable, mut uncoverable] = [0, 0];
    for seed in 0..number {
        for (index, problem) in family.problems(seed).iter().enumerate() {
            if std::env::var("BREACH_LOG").is_ok() {
                eprintln!("{family:?} {seed} {index}");
            }
            let combinations = Combination::sample(seed.wrapping_mul(1_000) + index as u64);
            match examine(problem, &combinations) {
                Ok(Some(true)) => coverable += 1,
                Ok(Some(false)) => uncoverable += 1,
                Ok(None) => panic!("no answer to {family:?} {seed}"),
                Err(fault) => {
                    panic!(
                        "{family:?}, seed {seed}, question {index}\n{}",
                        explain(problem, &combinations, &fault)
                    )
                }
            }
        }
    }
    println!("{family:?}: {coverable} coverable, {uncoverable} uncoverable");
}

/// The smallest question with the same fault.
fn explain(problem: &breach::system::Problem, combinations: &[Combination], fault: &Fault) -> String {
    let find = |p: &breach::system::Problem| {
        let only = fault.combination.filter(|_| fault.kind != tests::judge::Kind::Disagreement);
        let found = match only {
            Some(combination) => examine(p, &[combination]),
            None => examine(p, combinations),
        };
        found.err().filter(|f| f.kind == fault.kind)
    };
    let smallest = shrink(problem, Duration::from_secs(60), |p| find(p).is_some());
    let smallest_fault = find(&smallest).unwrap_or_else(|| fault.clone());
    format!("{fault}\nthe smallest such question:\n{}{smallest_fault}", show(&smallest))
}

#[test]
fn small_systems() {
    differential(Family::Small);
}

#[test]
fn dense_transfers() {
    differential(Family::Dense);
}

#[test]
fn chains_of_shared_states() {
    differential(Family::Chains);
}

#[test]
fn forced_local_steps() {
    differential(Family::Forced);
}

#[test]
fn petri_nets() {
    differential(Family::Petri);
}

#[test]
fn larger_weights() {
    differential(Family::Weights);
}

#[test]
fn programs_with_locks() {
    differential(Family::Locks);
}

#[test]
fn converted_systems() {
    differential(Family::Converted);
}

/// The full product, for fewer systems.
#[test]
fn all_combinations() {
    let all = Combination::all();
    for seed in 0..systems().div_ceil(250) {
        for family in Family::ALL {
            let problems = family.problems(1_000_000 + seed);
            let index = seed as usize % problems.len();
            if let Err(fault) = examine(&problems[index], &all) {
                panic!("{family:?}, {}", explain(&problems[index], &all, &fault));
            }
        }
    }
}
