//! Before and after each pass, exhaustive exploration finds the same violations.

use super::atomic::Bounds;
use super::constants::{self, Copies};
use super::{
    Options, atomic, cases, liveness, merge, prologue, reduce, scalars, slice, split, tidy, widths, words,
};
use super::{elements, flags, halves, samples, setups};
use crate::program::Program;
use crate::program::interpret::{ExploreOptions, Limits, explore};
use crate::program::random;
use crate::program::validate::{Rules, validate};

/// Pools of random programs.
type Family = (&'static str, fn(u64) -> Program);

const FAMILIES: [Family; 6] = [
    ("sample", samples::random),
    ("small", random::program),
    ("flags", flags::random),
    ("elements", elements::random),
    ("setups", setups::random),
    ("halves", halves::random),
];

/// A pass, and whether its result has to be strictly asynchronous.
type Pass = (&'static str, fn(&mut Program), bool);

const PASSES: [Pass; 17] = [
    ("constants", |program| constants::run(program, Copies::Keep), false),
    ("copies", |program| constants::run(program, Copies::Replace), false),
    ("liveness", liveness::run, false),
    ("slice", slice::run, false),
    ("split", split::run, false),
    ("merge", merge::run, false),
    ("prologue", prologue::run, false),
    ("cases", cases::run, false),
    (
        "scalars",
        |program| {
            cases::run(program);
            scalars::run(program);
        },
        false,
    ),
    ("widths", widths::run, false),
    ("words", words::run, false),
    ("atomic", |program| atomic::run(program, Bounds::of_paths(1024)), true),
    ("token", |program| atomic::run(program, Bounds::of_paths(0)), true),
    ("joined", |program| atomic::run(program, Bounds { paths: 1024, separate: 0 }), true),
    ("tidy", tidy::run, false),
    ("minimal", |program| *program = reduce(program.clone(), &Options::minimal()).0, true),
    ("all", |program| *program = reduce(program.clone(), &Options::default()).0, true),
];

/// The names of the violated properties; nothing if the state space is too large.
fn violated(program: &Program, threads: usize, forget_dead: bool) -> Option<Vec<String>> {
    let limits = Limits { states: 1_500, ..Limits::default() };
    let options = ExploreOptions { limits, forget_dead, ..ExploreOptions::default() };
    let exploration = explore(program, threads, &options).unwrap();
    let violated: Vec<String> = exploration.violated.into_keys().collect();
    let decided = exploration.complete || violated.len() == program.properties.len();
    decided.then_some(violated)
}

/// Compares the program with what each pass makes of it; how many comparisons there were.
fn compare(name: &str, seed: u64, program: &Program) -> usize {
    let before: Vec<_> = (1..=3).map(|threads| (threads, violated(program, threads, false))).collect();
    let mut comparisons = 0;
    for (pass, apply, is_asynchronous) in PASSES {
        let mut after = program.clone();
        apply(&mut after);
        let rules = Rules { strictly_asynchronous: is_asynchronous };
        assert_eq!(validate(&after, rules), [], "{name} {seed}, {pass}");
        if after == *program {
            continue;
        }
        // Who knows what is live may forget all else.
        let forget_dead = matches!(pass, "liveness" | "minimal" | "all");
        for (threads, before) in &before {
            let Some(before) = before else { continue };
            let Some(found) = violated(&after, *threads, forget_dead) else { continue };
            assert_eq!(*before, found, "{name} {seed}, {pass}, {threads} threads\n{program:#?}\n{after:#?}");
            comparisons += 1;
        }
    }
    comparisons
}

/// `REDUCE_DIFFERENTIAL=100000` asks for that many programs of each family.
#[test]
fn each_pass_keeps_the_violations() {
    let asked = std::env::var("REDUCE_DIFFERENTIAL").ok().and_then(|number| number.parse().ok());
    let number: u64 = asked.unwrap_or(500);
    let workers = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    for (name, family) in FAMILIES {
        let work = |worker: u64| -> usize {
            let seeds = (0..number).filter(|seed| seed % workers == worker);
            seeds.map(|seed| compare(name, seed, &family(seed))).sum()
        };
        let comparisons: usize = std::thread::scope(|scope| {
            let running: Vec<_> = (0..workers).map(|worker| scope.spawn(move || work(worker))).collect();
            running.into_iter().map(|worker| worker.join().unwrap()).sum()
        });
        assert!(comparisons as u64 > 10 * number, "{name}: only {comparisons} comparisons");
    }
}
