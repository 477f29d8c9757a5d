//! Threads that are told apart, and orders of steps that are left out: random programs that create threads.
//!
//! What all orders of all threads violate, the unrolled program violates, too, and so does the part of it that persistent sets leave. `ORDERS=5000` looks at that many programs; `ORDERS_FROM=1000` begins with another one.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may stop at the first broken assumption, too"
)]

use certify::{Certificate, Document};
use engine::apart::Apart;
use engine::bug::believe;
use engine::search::Orders;
use engine::unwind::{Bounds, unwind};
use frontend::program::interpret::{Exploration, ExploreOptions, Persistent, Select, explore, explore_apart};
use frontend::program::random::Random;
use frontend::program::text::{print as show, read};
use frontend::program::{LocationId, Program, Property, PropertyKind, RaceAccess, Scope, Target};
use smt::{Config, SolverChoice};
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use tests::programs::creators::{self, SITES};

fn seeds(few: u64) -> std::ops::Range<u64> {
    let number = |name| std::env::var(name).ok().and_then(|number| number.parse::<u64>().ok());
    let first = number("ORDERS_FROM").unwrap_or(0);
    first..first + number("ORDERS").unwrap_or(few)
}

/// A program of the family without broadcasts, in which some assignments are updates, with some races.
fn program(seed: u64) -> Program {
    let mut program = creators::program(seed, false);
    let mut random = Random::new(seed ^ 0x0bd3);
    for edge in &mut program.edges {
        edge.broadcast = frontend::program::Broadcast::default();
        for (variable, term) in &mut edge.assign {
            let declared = &program.variables[variable.index()];
            if declared.scope != Scope::Shared || term.width() != 2 || !random.chance(1, 2) {
                continue;
            }
            let (old, new) = (declared.term(), *term);
            *term = match random.below(5) {
                0 => old.bv_add(new),
                1 => old.bv_sub(smt::Term::bv(2, 1)),
                2 => old.bv_or(new),
                3 => new.equals(old).ite(old.bv_and(new), old),
                _ => old.bv_xor(smt::Term::bv(2, 1 + random.below(3) as u128)),
            };
        }
    }
    for number in 0..2 {
        let mut access = |write| {
            let places = program.locations.len();
            let place = (0..).map(|_| LocationId(random.below(places) as u32));
            let location = place.into_iter().find(|place| Some(*place) != program.pool);
            let variable = &program.variables[[0, 3][random.below(2)]];
            let index = random.chance(1, 2).then(|| variable.term());
            RaceAccess { location: location.unwrap(), index, write }
        };
        let (first, second) = (access(true), access(false));
        let both = first.index.is_some() && second.index.is_some();
        let [first, second] =
            [first, second].map(|access| RaceAccess { index: access.index.filter(|_| both), ..access });
        program.properties.push(Property {
            name: format!("r{number}"),
            kind: PropertyKind::DataRace,
            description: "r".to_owned(),
            position: program.locations[0].position,
            target: Target::Race(first, second),
        });
    }
    // Through the text, so that what fails can be looked at.
    read(&show(&program)).unwrap()
}

/// The properties of the program that an exploration of its unrolled form violates; each run is one of the program.
fn violated(
    program: &Program,
    apart: &Apart,
    select: Option<&mut dyn Select>,
) -> (BTreeSet<String>, Exploration) {
    let options = ExploreOptions { forget_dead: true, ..ExploreOptions::default() };
    let never = AtomicBool::new(false);
    let found = explore_apart(&apart.program, &apart.waiting, select, &options, &never).unwrap();
    let mut names = BTreeSet::new();
    for (name, run) in &found.violated {
        let property =
            apart.property(name).unwrap_or_else(|| panic!("{name} is beyond in\n{}", show(program)));
        let name = &program.properties[property].name;
        assert!(believe(program, name, apart.run(run)).is_some(), "{name}: no run of\n{}", show(program));
        names.insert(name.clone());
    }
    (names, found)
}

#[test]
fn what_is_left_out_makes_no_difference() {
    let (mut all, mut some, mut errors, mut safe) = (0, 0, 0, 0);
    let bounds = Bounds { rounds: 0, of_loops: Vec::new(), threads: 4 * SITES + 1, nodes: 1000 };
    for seed in seeds(300) {
        let program = program(seed);
        let expected = explore(&program, SITES + 2, &ExploreOptions::default()).unwrap();
        let finished = expected.complete || expected.violated.len() == program.properties.len();
        assert!(finished && !expected.sampled, "{}", show(&program));
        let expected: BTreeSet<String> = expected.violated.into_keys().collect();
        let apart = Apart::of(&program, &unwind(&program, &bounds)).unwrap();
        let (names, full) = violated(&program, &apart, None);
        assert_eq!(names, expected, "told apart, seed {seed}\n{}", show(&program));
        let mut persistent = Persistent::new(&apart.program, &apart.waiting).unwrap();
        let (names, reduced) = violated(&program, &apart, Some(&mut persistent));
        assert_eq!(names, expected, "reduced, seed {seed}\n{}", show(&program));
        (all, some, errors) = (all + full.states, some + reduced.states, errors + expected.len());
        if expected.is_empty() {
            safe += 1;
            judge(&program);
        }
    }
    println!("{all} states, {some} of them enough, {errors} violations, {safe} safe programs");
    assert!(some * 4 < all * 3 && errors > 50 && safe > 5, "{all} {some} {errors} {safe}");
}

/// Who has shown that nothing is violated convinces the judge.
fn judge(program: &Program) {
    let never = AtomicBool::new(false);
    let bounds = Bounds { rounds: 0, of_loops: Vec::new(), threads: 4 * SITES + 1, nodes: 1000 };
    let unwinding = unwind(program, &bounds);
    let found = Orders::look(program, &unwinding, (0, usize::MAX), &never, &mut |_, _| ());
    let Some(Orders { unwind, threads, states }) = found else { panic!("no answer for\n{}", show(program)) };
    let document =
        Document::new(program, Vec::new(), Vec::new(), Certificate::Orders { unwind, threads, states });
    let text = certify::text::write(&document, program).unwrap();
    let read = certify::text::read(&text, program).unwrap();
    let judged = certify::check::check(&read, program, Some(&SolverChoice::default()), &Config::default());
    assert!(judged.is_ok(), "{judged:?} in\n{}", show(program));
}

/// A proof about one program is none about another that fails.
#[test]
fn the_judge_refuses_what_fails() {
    let mut refused = 0;
    for seed in seeds(60) {
        let program = program(seed);
        let expected = explore(&program, SITES + 2, &ExploreOptions::default()).unwrap();
        if expected.violated.is_empty() {
            continue;
        }
        let certificate = Certificate::Orders { unwind: 0, threads: 4 * SITES + 1, states: 1_000_000 };
        let document = Document::new(&program, Vec::new(), Vec::new(), certificate);
        let judged =
            certify::check::check(&document, &program, Some(&SolverChoice::default()), &Config::default());
        assert!(judged.is_err(), "seed {seed}\n{}", show(&program));
        refused += 1;
    }
    assert!(refused > 10, "{refused}");
}
