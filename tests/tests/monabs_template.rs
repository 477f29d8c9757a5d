//! The abstraction is the one of the thesis: compared with trying all values, on the thesis' examples and on random programs.
//!
//! `MONABS_DIFFERENTIAL=5000` compares that many random programs.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may stop at the first broken assumption, too"
)]

use frontend::program::random::Random;
use frontend::program::text::read;
use frontend::program::validate::{Rules, validate};
use frontend::program::{EdgeId, LocationId, Program, Scope, Variable};
use monabs::abstraction::table::Method;
use smt::Term;
use std::time::Duration;
use tests::programs::brute::{Bits, Brute};
use tests::programs::family::{Family, Question, predicate};
use tests::programs::shrink::{show, shrink};
use tests::programs::template::{Mismatch, compare, template};

/// Combinations of values that are tried for each pair of threads.
const LIMIT: usize = 100_000;
/// The same for random programs.
const SMALL: usize = 600;

fn program(text: &str) -> (Program, Vec<Term>) {
    let program = read(text).unwrap();
    assert_eq!(validate(&program, Rules { strictly_asynchronous: true }), []);
    let predicates = program.predicates.iter().map(|predicate| predicate.term).collect();
    (program, predicates)
}

/// The steps along the first edge with so many threads: bits before and after, of the active and of the passive thread.
fn steps(program: &Program, predicates: &[Term], threads: usize) -> Vec<[Bits; 4]> {
    let (_, shared, thread) = template(program, predicates, Method::Precise).unwrap();
    let brute = Brute::new(program, shared, thread, LIMIT).unwrap();
    let steps = brute.passive(EdgeId(0), program.main, Some(threads));
    steps.iter().map(|step| [step.before[1], step.before[2], step.after[1], step.after[2]]).collect()
}

const DECREMENT: &str = "program 1
local m: u3
location 0 live m
main 0
pool 0
edge 0: 0 -> 0
  guard (not (= m #b000))
  assign m := (bvsub m #b001)
predicate (bvult m m@P)
";

/// Tables 2 and 3 and equation (37): four steps with two threads, one more with three, and no more after that.
#[test]
fn decrement() {
    let (program, predicates) = program(DECREMENT);
    // b, b_P, b', b_P'
    let two = [[0, 0, 1, 0], [0, 1, 0, 0], [0, 1, 0, 1], [1, 0, 1, 0]];
    assert_eq!(steps(&program, &predicates, 2), two);
    let mut three = two.to_vec();
    three.insert(0, [0, 0, 0, 0]);
    assert_eq!(steps(&program, &predicates, 3), three);
    for threads in 4..=6 {
        assert_eq!(steps(&program, &predicates, threads), three);
    }
    let compared = compare(&program, &predicates, Method::Precise, LIMIT).unwrap();
    assert!(compared.changes > 0 && compared.blocked > 0, "{compared:?}");
}

const TIGHT: &str = "program 1
shared s: bool
local m: u3
location 0 live m
main 0
pool 0
edge 0: 0 -> 0
  guard (and (not s) (= m #b001))
  assign s := true
  assign m := #b111
predicate (and
  (or (not s) (not (= m #b111)) (not (= m@P #b101))) (or (not s) (not (= m #b010)) (not (= m@P #b110)))
  (or s (not (= m #b001)) (not (= m@P #b011))) (or s (not (= m #b010)) (not (= m@P #b100))))
";

/// Table 4 and equation (40): the bound of theorem 13 is tight. The step in which all bits are false needs six threads.
///
/// The thesis says that there are two steps; there are more, in which bits are true, but none of them needs more than four threads.
#[test]
fn the_bound_is_tight() {
    let (program, predicates) = program(TIGHT);
    let with = |threads| steps(&program, &predicates, threads);
    assert!(!with(5).contains(&[0, 0, 0, 0]));
    assert!(with(6).contains(&[0, 0, 0, 0]));
    assert!(!with(3).contains(&[0, 0, 0, 1]));
    assert!(with(4).contains(&[0, 0, 0, 1]));
    assert_eq!(with(6), with(7));
    assert_eq!(with(6), with(12));
    compare(&program, &predicates, Method::Precise, LIMIT).unwrap();
}

/// The ticket lock of figure 5 with predicates (27) to (29). Counters do not overflow.
const TICKET: &str = "program 1
shared s: u3
shared t: u3
local m: u3
location 0 live m
location 1 live m
location 2 live m
main 0
pool 0
edge 0: 0 -> 1
  guard (not (= t #b111))
  assign m := t
  assign t := (bvadd t #b001)
edge 1: 1 -> 2
  guard (= s m)
edge 2: 2 -> 0
  guard (not (= s #b111))
  assign s := (bvadd s #b001)
predicate (not (= m m@P))
predicate (and (bvult m t) (bvult m@P t))
predicate (= s m)
";

/// Section 3.2.2: 147, 429 and 552 steps with two, three and four threads, and no more after that.
///
/// What is counted: valuations of all bits of an active and a passive thread before and after a step, with the locations of both. The active
/// thread takes a ticket, enters, or leaves; waiting is no step. The passive one can be in each of the three locations.
#[test]
fn ticket_lock() {
    let (program, predicates) = program(TICKET);
    let (_, shared, thread) = template(&program, &predicates, Method::Precise).unwrap();
    let brute = Brute::new(&program, shared, thread, LIMIT).unwrap();
    let count = |threads| {
        let of = |edge: usize| {
            let places = (0..3).map(LocationId);
            places.map(|place| brute.passive(EdgeId(edge as u32), place, threads).len()).sum::<usize>()
        };
        (0..program.edges.len()).map(of).sum::<usize>()
    };
    assert_eq!([2, 3, 4].map(|threads| count(Some(threads))), [147, 429, 552]);
    assert_eq!([count(Some(5)), count(Some(10)), count(None)], [552; 3]);
    let compared = compare(&program, &predicates, Method::Precise, LIMIT).unwrap();
    assert!(compared.changes > 0 && compared.blocked > 0, "{compared:?}");
}

fn programs() -> u64 {
    let number = std::env::var("MONABS_DIFFERENTIAL").ok();
    number.and_then(|n| n.parse().ok()).unwrap_or(60)
}

/// A small program with one to four predicates; `relate` says that those over other threads' locals are over own ones, too.
fn question(seed: u64, relate: bool) -> Question {
    let family = [Family::Plain, Family::Free, Family::Live, Family::Tickets][seed as usize % 4];
    let mut question = family.question(seed);
    let mut random = Random::new(seed ^ 0xab5);
    let number = 1 + random.below(4);
    question.predicates = (0..number).map(|_| predicate(&mut random, &question.program)).collect();
    if relate {
        let of = |term: &Term, name: fn(&Variable) -> Term| {
            let mut locals = question.program.variables.iter().filter(|v| v.scope == Scope::Local);
            locals.any(|variable| term.constants().contains(&name(variable)))
        };
        question.predicates.retain(|term| of(term, Variable::term) || !of(term, Variable::passive_term));
    }
    question
}

/// Compares random programs. What `is_fault` says is shown with the smallest program; other mismatches are counted.
fn random_programs(relate: bool, method: Method, is_fault: fn(&Mismatch) -> bool) {
    let (mut same, mut coarser, mut too_large) = (0, 0, 0);
    let (mut changes, mut blocked) = (0, 0);
    let judge = |question: &Question| compare(&question.program, &question.predicates, method, SMALL);
    for seed in 0..programs() {
        let question = question(seed, relate);
        match judge(&question) {
            Ok(found) => {
                same += 1;
                changes += found.changes;
                blocked += found.blocked;
            }
            Err(Mismatch::TooLarge) => too_large += 1,
            Err(mismatch) if !is_fault(&mismatch) => coarser += 1,
            Err(mismatch) => {
                let kind = std::mem::discriminant::<Mismatch>;
                let differs =
                    |question: &Question| judge(question).is_err_and(|found| kind(&found) == kind(&mismatch));
                let smallest = shrink(&question, Duration::from_secs(60), differs);
                let found = judge(&smallest);
                panic!("seed {seed}: {mismatch:?}\nthe smallest such program:\n{}{found:?}", show(&smallest));
            }
        }
    }
    println!(
        "{method:?}: {same} the same, {coarser} coarser, {too_large} too large; {changes} changes, {blocked} blocked"
    );
    assert!((same + coarser) * 3 > programs(), "{too_large} of {} are too large", programs());
    assert!(changes > 0 && (blocked > 0 || method != Method::Precise));
}

fn is_no_extra(mismatch: &Mismatch) -> bool {
    !matches!(mismatch, Mismatch::Extra(_))
}

/// With predicates as in definition 9 the precise abstraction is exact.
#[test]
fn random_programs_with_predicates_of_the_thesis() {
    random_programs(true, Method::Precise, |_| true);
}

/// Predicates over locals of other threads only are no inter-thread predicates in the thesis. Here they may be; two threads that contradict
/// each other by what they say about a third one are not always noticed. No step is missing.
#[test]
fn random_programs_with_any_predicates() {
    random_programs(false, Method::Precise, is_no_extra);
}

/// Coarser abstractions have all steps of the exact one.
#[test]
fn coarser_abstractions() {
    random_programs(false, Method::Lazy, is_no_extra);
    random_programs(false, Method::Cartesian(2), is_no_extra);
}
