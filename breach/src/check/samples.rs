//! Systems for tests: known ones and random ones.

use crate::diagnostics::Source;
use crate::emdr;
use crate::proof::Proof;
use crate::system::{InitialStates, Multiset, Problem, State, System, Transfer, Transition};
use proptest::prelude::*;

/// The running example of the thesis (figure 16); from `0/0`, the target `2|` is uncoverable.
pub(crate) const RUNNING: &str = "4 3\n1 2 -> 2 0\n0 2 -> 1 0\n3 2 -> 0 0\n3 1 -> 3 2\n0 0 -> 3 1\n";

/// Local states that are only targets of transfers; from `0|0,1`, `2|3` is coverable and `1|1` is not.
pub(crate) const TRANSFERS: &str = "3 6\n0 0 -> 1 0 1 ~> 2\n1 0 -> 2 0 2 ~> 3 4 ~> 5\n";

pub(crate) fn system(text: &str) -> System {
    emdr::parse(Source { name: "system", text }).unwrap().system
}

pub(crate) fn init(system: &System, text: &str) -> InitialStates {
    emdr::parse_init(Source { name: "init", text }, system).unwrap()
}

/// States separated by blanks.
pub(crate) fn states(system: &System, text: &str) -> Vec<State> {
    let one = |text| emdr::parse_target(Source { name: "state", text }, system).unwrap();
    text.split_whitespace().map(one).collect()
}

/// A proof without invariants.
pub(crate) fn proof(system: &System, start: &str, targets: &str, elements: &str) -> Proof {
    Proof {
        init: init(system, start),
        targets: states(system, targets),
        elements: states(system, elements),
        invariants: vec![],
    }
}

/// Three shared and four local states, so that brute force is quick.
pub(crate) const SHARED: u32 = 3;
pub(crate) const LOCAL: u32 = 4;

fn multiset(size: std::ops::Range<usize>) -> impl Strategy<Value = Multiset> {
    prop::collection::vec(0..LOCAL, size).prop_map(|threads| threads.into_iter().collect())
}

pub(crate) fn random_state() -> impl Strategy<Value = State> {
    (0..SHARED, multiset(0..4)).prop_map(|(shared, threads)| State { shared, threads })
}

pub(crate) fn random_init() -> impl Strategy<Value = InitialStates> {
    let unbounded = prop::collection::vec(0..LOCAL, 0..3);
    (0..SHARED, prop::collection::vec(0..LOCAL, 0..3), unbounded)
        .prop_map(|(shared, bounded, unbounded)| InitialStates::new(shared, bounded, unbounded))
}

fn random_transition() -> impl Strategy<Value = Transition> {
    let rule = (0..LOCAL, prop::collection::btree_set(0..LOCAL, 0..3));
    let rules = prop_oneof![
        Just(vec![]),
        prop::collection::vec(rule, 0..3).prop_map(|mut rules| {
            rules.sort();
            rules.dedup_by_key(|rule| rule.0);
            rules.into_iter().map(|(from, to)| Transfer { from, to: to.into_iter().collect() }).collect()
        })
    ];
    let ends = (0..SHARED, 0..SHARED);
    let active = prop_oneof![
        4 => (multiset(1..2), multiset(1..2)),
        1 => (multiset(0..3), multiset(0..3)),
    ];
    (ends, active, rules).prop_map(|((from, to), (consume, produce), transfers)| Transition {
        from,
        to,
        consume,
        produce,
        transfers,
    })
}

pub(crate) fn random_system() -> impl Strategy<Value = System> {
    prop::collection::vec(random_transition(), 0..7).prop_map(|transitions| System {
        shared_states: SHARED,
        local_states: LOCAL,
        transitions,
        ..System::default()
    })
}

pub(crate) fn random_problem() -> impl Strategy<Value = Problem> {
    (random_system(), random_init(), prop::collection::vec(random_state(), 1..3))
        .prop_map(|(system, init, targets)| Problem { system, init, targets })
}
