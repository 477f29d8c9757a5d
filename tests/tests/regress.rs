//! Inputs that some tool got wrong: the smallest ones, each with its expected answer, asked in all ways.
//!
//! A file in `tests/regress` starts with `# EXPECT: coverable` or `# EXPECT: uncoverable`. If its second line is
//! `# ONLY: oracle`, it is asked only in the ways in which the forward search runs: without it, it would take for ever.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may stop at the first broken assumption, too"
)]

use breach::coverability::Algorithm;
use tests::combination::Combination;
use tests::judge::examine;
use tests::repository::Example;

#[test]
fn every_input_is_answered_right_in_every_way() {
    let all = Combination::all();
    let examples = Example::read_all("tests/regress").unwrap();
    assert!(examples.len() >= 10, "{} files", examples.len());
    let mut failures = Vec::new();
    for example in examples {
        let name = example.path.display();
        let combinations: Vec<_> = all.iter().copied().filter(|c| is_meant(&example.text, c)).collect();
        assert!(!combinations.is_empty());
        match examine(&example.problem, &combinations) {
            Ok(answer) if answer == Some(example.is_coverable) => {}
            Ok(answer) => failures.push(format!("{name}: coverable is {answer:?}")),
            Err(fault) => failures.push(format!("{name}: {fault}")),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn is_meant(text: &str, combination: &Combination) -> bool {
    match text.lines().nth(1).and_then(|line| line.strip_prefix("# ONLY: ")) {
        Some("oracle") => combination.oracle || combination.algorithm == Algorithm::Forward,
        Some(other) => panic!("what is '# ONLY: {other}'?"),
        None => true,
    }
}
