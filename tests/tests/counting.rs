//! Numbers of threads, and what is said about them: random programs that count, judged by trying everything with few threads.
//!
//! Each equation that is called a fact is evaluated in all states, and so is everything else that abstractions suppose. Verdicts are checked with and without a
//! bound on the threads alive at once. Counters of two bits wrap around with few threads: what holds only for fewer threads than that
//! shows. `COUNTING=5000` looks at that many programs; `COUNTING_FROM=1000` begins with another one.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may stop at the first broken assumption, too"
)]

use frontend::program::interpret::{ExploreOptions, explore};
use frontend::program::random::Random;
use frontend::program::{Program, Target, VariableId};
use frontend::reduce::{self, reduce};
use monabs::abstraction::table::Method;
use monabs::counting::{Counting, count};
use monabs::verify::Options;
use smt::{Config, SolverChoice, Term, Value, eval};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use tests::programs::counters;
use tests::programs::family::Question;
use tests::programs::judge::{Answer, Fault, Kind, ask, options};
use tests::programs::shrink::{show, shrink};
use tests::programs::walk::{self, Next, View};

/// How long a program may take.
const PATIENCE: Duration = Duration::from_secs(1);
/// How many states are visited, at most, with each number of threads.
const STATES: usize = 20_000;
const FEW_STATES: usize = 1_000;

/// The programs that are looked at: as many as asked for, or a few.
fn seeds(few: u64) -> std::ops::Range<u64> {
    let number = |name| std::env::var(name).ok().and_then(|number| number.parse::<u64>().ok());
    let first = number("COUNTING_FROM").unwrap_or(0);
    first..first + number("COUNTING").unwrap_or(few)
}

/// Counters of two bits need more threads to wrap around than wider ones could ever have.
fn most_threads(program: &Program) -> usize {
    let is_narrow = program.variables.iter().any(|variable| variable.data_type.sort().width() == Some(2));
    if is_narrow { 6 } else { 4 }
}

/// As it is, or after all reductions.
fn prepared(seed: u64) -> (Program, Program) {
    let original = counters::program(seed);
    let options =
        if seed.is_multiple_of(2) { reduce::Options::default() } else { reduce::Options::minimal() };
    let (program, _) = reduce(original.clone(), &options);
    (original, program)
}

fn question(program: &Program) -> Question {
    let (original, program) = (program.clone(), program.clone());
    Question { original, program, predicates: Vec::new(), method: Method::Lazy, search: false }
}

/// Shows the smallest program with a fault.
fn explain(program: &Program, fails: impl Fn(&Program) -> bool) -> String {
    show(&shrink(&question(program), Duration::from_secs(60), |question| fails(&question.program)))
}

/// Whether a thread is where an error is: what holds then does not matter.
fn is_over(program: &Program, view: &View) -> bool {
    let at = |location| view.threads.iter().any(|(at, _)| *at == location);
    program.properties.iter().any(|property| match property.target {
        Target::Location(location) => at(location),
        Target::Race(..) => false,
    })
}

fn is_violated(program: &Program, view: &View) -> bool {
    let at = |location| view.threads.iter().filter(|(at, _)| *at == location).count();
    is_over(program, view)
        || program.properties.iter().any(|property| match &property.target {
            Target::Location(_) => false,
            Target::Race(one, two) if one.location == two.location => at(one.location) > 1,
            Target::Race(one, two) => at(one.location) > 0 && at(two.location) > 0,
        })
}

/// The facts about a program, with what they say for two threads by their locations.
struct Facts {
    program: Program,
    counting: Counting,
    variables: BTreeSet<VariableId>,
    evaluated: u64,
}

impl Facts {
    fn new(program: &Program, bound: usize) -> Option<Facts> {
        let (program, counting) =
            count(program, Some(bound as u128), &SolverChoice::default(), &Config::default())?;
        let variables = (0..program.variables.len() as u32).map(VariableId).collect();
        Some(Facts { program, counting, variables, evaluated: 0 })
    }

    /// What is wrong in a state.
    fn wrong(&mut self, view: &View) -> Option<String> {
        let values = view.assignment(&self.program);
        for count in &self.counting.counts {
            let there = view.threads.iter().filter(|(at, _)| count.locations.contains(at)).count();
            let variable = self.program.variable(count.variable);
            if values[&variable.name] != Value::bits(variable.data_type.sort().width()?, there as u128) {
                return Some(format!("{} is not {there}", variable.name));
            }
        }
        let mut terms: BTreeMap<String, Term> = BTreeMap::new();
        for equation in self.counting.equations.iter().filter(|equation| equation.fact) {
            let term = equation.left.equals(equation.right);
            terms.insert(term.to_string(), term);
        }
        let locations: Vec<_> = view.threads.iter().map(|(at, _)| *at).collect();
        for (active, from) in locations.iter().enumerate() {
            for (passive, other) in locations.iter().enumerate() {
                let threads = if active == passive { vec![*from] } else { vec![*from, *other] };
                for term in self.counting.constraints(&self.program, &self.variables, &threads) {
                    terms.insert(term.to_string(), term);
                }
            }
        }
        self.evaluated += terms.len() as u64;
        let is_wrong = |term: &Term| eval(*term, &values).unwrap() != Value::Bool(true);
        let wrong = terms.into_values().find(is_wrong)?;
        Some(format!("{wrong} is not true with {values:?}, threads in {locations:?}"))
    }
}

/// Looks at all states of few threads and at some runs of more; what is wrong, or how many terms were true.
fn facts_hold(program: &Program, seed: u64) -> Result<u64, String> {
    let mut random = Random::new(seed);
    let bound = 1 + random.below(5);
    let Some(mut facts) = Facts::new(program, bound) else { return Ok(0) };
    if facts.counting.equations.iter().all(|equation| !equation.fact) {
        return Ok(0);
    }
    let counted = facts.program.clone();
    let mut wrong = None;
    let mut visit = |view: &View| {
        if view.alive(&counted) > bound || is_over(&counted, view) {
            return Next::Back;
        }
        wrong = facts.wrong(view);
        if wrong.is_some() { Next::Stop } else { Next::On }
    };
    for threads in 1..=3 {
        walk::all(&counted, threads, FEW_STATES, &mut visit);
    }
    for threads in 4..=7 {
        walk::one(&counted, threads, 80, &mut random, &mut visit);
    }
    match wrong {
        Some(wrong) => Err(wrong),
        None => Ok(facts.evaluated),
    }
}

#[test]
fn facts_hold_in_all_states() {
    let (mut with_facts, mut evaluated) = (0, 0);
    let seeds = seeds(120);
    for seed in seeds.clone() {
        let (_, program) = prepared(seed);
        match facts_hold(&program, seed) {
            Ok(0) => {}
            Ok(number) => {
                with_facts += 1;
                evaluated += number;
            }
            Err(wrong) => {
                let smallest = explain(&program, |program| facts_hold(program, seed).is_err());
                panic!("seed {seed}: {wrong}\nthe smallest such program:\n{smallest}");
            }
        }
    }
    println!("{with_facts} programs with facts of {seeds:?}; {evaluated} evaluated");
    assert!(with_facts * 2 > seeds.end - seeds.start, "only {with_facts} programs of {seeds:?} have facts");
}

/// The least number of threads that violates something, if trying everything with few threads finds one. With a bound, no more threads
/// are alive at once.
fn violation(program: &Program, bound: Option<u128>) -> Option<usize> {
    let most = most_threads(program);
    (1..=most).find(|&threads| match bound.filter(|&bound| bound < most as u128) {
        None => {
            let mut options = ExploreOptions { until_error: true, ..ExploreOptions::default() };
            options.limits.states = STATES;
            explore(program, threads, &options).is_ok_and(|found| !found.violated.is_empty())
        }
        Some(bound) => {
            let mut found = false;
            walk::all(program, threads, FEW_STATES, |view| {
                if view.alive(program) as u128 > bound {
                    return Next::Back;
                }
                found |= is_violated(program, view);
                if found { Next::Stop } else { Next::On }
            });
            found
        }
    })
}

/// Bounds to ask with: none, one that no exploration reaches, small ones.
const BOUNDS: [Option<u128>; 5] = [None, Some(1 << 31), Some(2), Some(3), Some(4)];

/// Asks with a bound; the verdict must not contradict what few threads do.
fn judge(program: &Program, bound: Option<u128>, violation: Option<usize>) -> Result<Answer, Fault> {
    let options = Options { max_live_threads: bound, threads: 1, ..options(PATIENCE) };
    let answer = ask(program, &options)?;
    // To be safe with fewer threads than a large number is as wrong.
    let is_safe = match &answer {
        Answer::Safe => true,
        Answer::Unknown(reason) => reason.starts_with("LiveThreads"),
        Answer::Unsafe(_) => false,
    };
    match violation {
        Some(threads) if is_safe => Err(Fault {
            kind: Kind::Violated,
            text: format!("{answer:?}, but {threads} threads violate something"),
        }),
        _ => Ok(answer),
    }
}

#[test]
fn verdicts() {
    let mut tally: BTreeMap<(bool, &str), u64> = BTreeMap::new();
    let seeds = seeds(16);
    let mut faults = Vec::new();
    for seed in seeds.clone() {
        let (_, program) = prepared(seed);
        let bound = BOUNDS[(seed / 2) as usize % BOUNDS.len()];
        let violation = violation(&program, bound);
        match judge(&program, bound, violation) {
            Ok(answer) => {
                let word = match &answer {
                    Answer::Safe => "safe",
                    Answer::Unsafe(_) => "unsafe",
                    Answer::Unknown(reason) if reason.starts_with("LiveThreads") => "safe with a bound",
                    Answer::Unknown(_) => "unknown",
                };
                *tally.entry((violation.is_some(), word)).or_default() += 1;
            }
            Err(fault) => {
                println!("seed {seed}, bound {bound:?}: {fault}");
                faults.push((seed, bound, program, fault));
            }
        }
    }
    println!("(violated by few threads, verdict): {tally:?}, {} faults", faults.len());
    faults.sort_by_key(|(seed, _, _, fault)| (fault.kind, *seed));
    if let Some((seed, bound, program, fault)) = faults.first() {
        let same = |program: &Program| {
            let violation = self::violation(program, *bound);
            judge(program, *bound, violation).is_err_and(|found| found.kind == fault.kind)
        };
        let smallest = explain(program, same);
        panic!("seed {seed}, bound {bound:?}: {fault}\nthe smallest such program:\n{smallest}");
    }
}

/// The violated properties with so many threads; nothing if there are too many states.
fn violated(program: &Program, threads: usize) -> Option<Vec<String>> {
    let mut options = ExploreOptions::default();
    options.limits.states = 3_000;
    let found = explore(program, threads, &options).unwrap();
    let violated: Vec<String> = found.violated.into_keys().collect();
    (found.complete || violated.len() == program.properties.len()).then_some(violated)
}

/// Flags that remember a test are what locations are split by.
#[test]
fn reductions_keep_the_violations() {
    let mut compared = 0;
    for seed in seeds(100) {
        let original = counters::program(seed);
        let (reduced, _) = reduce(original.clone(), &reduce::Options::default());
        for threads in 1..=3 {
            let (Some(before), Some(after)) = (violated(&original, threads), violated(&reduced, threads))
            else {
                continue;
            };
            assert_eq!(before, after, "seed {seed}, {threads} threads\n{}", show(&question(&original)));
            compared += 1;
        }
    }
    println!("{compared} comparisons");
}

/// The initial thread is counted while it is in location 1. That it is elsewhere, in location 2, says that nobody is there; a created thread
/// in location 5, with the same predicates, says nothing of the kind.
const ELSEWHERE: &str = "program 1
shared c: u2 = 0
shared s: u2 = 0
local l: u2 = 1
location 0 live l
location 1 live l
location 2 live l
location 3 live l
location 4 live l
location 5 live l
location 6
location 7
location 8
main 0
pool 3
edge 0: 0 -> 1 assign c := (bvadd c #b01)
edge 1: 1 -> 2 assign c := (bvsub c #b01)
edge 2: 2 -> 7 guard (= s l)
edge 3: 3 -> 4
edge 4: 4 -> 5 guard (= s #b00)
edge 5: 4 -> 6 guard (not (= c #b00)) assign s := #b01
edge 6: 5 -> 8 guard (= s l)
property p assertion \"\" at 8
";

#[test]
fn who_is_elsewhere_is_the_initial_thread() {
    let program = frontend::program::text::read(ELSEWHERE).unwrap();
    let violation = violation(&program, None);
    assert_eq!(violation, Some(3));
    let answer = judge(&program, None, violation).unwrap();
    assert_eq!(answer, Answer::Unsafe(3));
}
