//! Thousands of random questions, each asked in several ways: all answers are checked and agree.
//!
//! `BREACH_DIFFERENTIAL=100000` asks about that many systems instead of some thousands. A failure is shown after
//! shrinking, with the family and the seed that it comes from.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may stop at the first broken assumption, too"
)]

use breach::convert::{to_emdr, to_spec};
use breach::diagnostics::Source;
use breach::input::{Format, Input};
use breach::system::Problem;
use std::time::Duration;
use tests::combination::Combination;
use tests::judge::{Fault, Kind, ask_with, examine};
use tests::random::Family;
use tests::shrink::{show, shrink};

/// How many systems are asked about.
fn systems() -> u64 {
    let number = std::env::var("BREACH_DIFFERENTIAL").ok();
    number.and_then(|n| n.parse().ok()).unwrap_or(24_000)
}

/// The share of one family.
fn differential(family: Family) {
    let number = systems().div_ceil(Family::ALL.len() as u64);
    let [mut coverable, mut uncoverable] = [0, 0];
    for seed in 0..number {
        for (index, problem) in family.problems(seed).iter().enumerate() {
            let combinations = Combination::sample(seed.wrapping_mul(1_000) + index as u64);
            match examine(problem, &combinations) {
                Ok(Some(true)) => coverable += 1,
                Ok(Some(false)) => uncoverable += 1,
                Ok(None) => panic!("no answer to {family:?}, seed {seed}, question {index}"),
                Err(fault) => {
                    let text = explain(problem, &combinations, &fault);
                    panic!("{family:?}, seed {seed}, question {index}\n{text}");
                }
            }
        }
    }
    println!("{family:?}: {coverable} coverable, {uncoverable} uncoverable");
}

/// The smallest question with the same fault.
fn explain(problem: &Problem, combinations: &[Combination], fault: &Fault) -> String {
    // A disagreement takes two.
    let only = fault.combination.filter(|_| fault.kind != Kind::Disagreement);
    let combinations = only.map_or(combinations.to_vec(), |combination| vec![combination]);
    let find = |p: &Problem| examine(p, &combinations).err().filter(|f| f.kind == fault.kind);
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
    for seed in 0..systems().div_ceil(300) {
        for family in Family::ALL {
            let problems = family.problems(1_000_000 + seed);
            let problem = &problems[seed as usize % problems.len()];
            if let Err(fault) = examine(problem, &all) {
                panic!("{family:?}, seed {}\n{}", 1_000_000 + seed, explain(problem, &all, &fault));
            }
        }
    }
}

/// Converted to the other formats, written and read again, a question has the same answer.
#[test]
fn conversions_keep_the_answer() {
    let ask = |problem: &Problem| {
        let answer = ask_with(problem, &Combination::default_options());
        answer.unwrap_or_else(|fault| panic!("{fault}\n{}", show(problem))).is_coverable()
    };
    for seed in 0..systems().div_ceil(24) {
        for family in Family::ALL {
            let problem = family.problems(2_000_000 + seed).swap_remove(0);
            let answer = ask(&problem);
            for format in [Format::Emdr, Format::Spec] {
                let converted = through(&problem, format);
                assert_eq!(
                    ask(&converted),
                    answer,
                    "{family:?}, seed {seed}, {format:?}\n{}",
                    show(&problem)
                );
            }
        }
    }
}

/// The question after a conversion and a trip through a file.
fn through(problem: &Problem, format: Format) -> Problem {
    let input = Input {
        system: problem.system.clone(),
        init: Some(problem.init.clone()),
        targets: problem.targets.clone(),
    };
    let text = match format {
        Format::Emdr => breach::emdr::print(&to_emdr(&input).unwrap()).unwrap(),
        Format::Spec => breach::spec::print(&to_spec(&input).unwrap()).unwrap(),
    };
    let Input { system, init, targets } = format.parse(Source { name: "converted", text: &text }).unwrap();
    Problem { system, init: init.unwrap(), targets }
}
