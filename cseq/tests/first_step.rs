//! A thread may have several first steps: whichever it takes, bounded search looks at it.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first broken assumption")]

use cseq::{Options, Verdict, verify};
use frontend::program::text::read;
use smt::Config;

/// A thread is created and sets `x` or `y`; the property is that it does not set this one.
fn verdict(set: &str) -> Verdict {
    let text = format!(
        "program 1
        shared full: bool = false
        shared x: bool = false
        shared y: bool = false
        location 0
        location 1
        location 2
        location 3
        location 4
        location 5
        location 6
        main 0
        pool 2
        edge 0: 0 -> 1
          guard (not full)
          assign full := true
        edge 1: 2 -> 3
          guard full
          assign full := false
        edge 2: 2 -> 4
          guard full
          assign full := false
        edge 3: 3 -> 5
          assign x := true
        edge 4: 4 -> 5
          assign y := true
        edge 5: 1 -> 6
          guard {set}
        property p assertion \"p\" at 6
        "
    );
    let program = read(&text).unwrap();
    verify(&program, &Options::default(), &Config::default(), &mut |_, _| true).unwrap().verdict
}

#[test]
fn every_first_step_is_looked_at() {
    assert!(matches!(verdict("x"), Verdict::Bug(_)));
    assert!(matches!(verdict("y"), Verdict::Bug(_)));
}

#[test]
fn only_one_of_them_is_taken() {
    assert!(matches!(verdict("(and x y)"), Verdict::Safe(_)));
}
