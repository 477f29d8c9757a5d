//! All passes together.

use super::samples::{Builder, two};
use super::*;
use crate::program::{LocationId, UserPredicate, VariableId};
use smt::Term;

/// Threads that count under a lock; `lock` says whether they take it. The counter is read and written in two steps.
fn counting(lock: bool) -> Program {
    let mut builder = Builder::new();
    let (mutex, count) = (builder.shared("mutex", Some(0)), builder.shared("count", Some(0)));
    let unused = builder.shared("unused", Some(0));
    let (temporary, log) = (builder.local("temporary", Some(0)), builder.local("log", Some(0)));
    let end = builder.location();
    builder.edge(LocationId(0), end);
    let pool = builder.pool();
    let [try_lock, locked, read, added, written, logged, unlocked] = builder.locations();
    let error = builder.error("lost");
    builder.edge(pool, try_lock);
    let acquire = builder.atomic();
    builder.edge(try_lock, acquire);
    let taken = builder.edge(acquire, locked);
    taken.guard = if lock { mutex.1.equals(two(0)) } else { Term::tru() };
    taken.assign = vec![(mutex.0, two(1))];
    builder.assign(locked, read, temporary.0, count.1);
    builder.assign(read, added, temporary.0, temporary.1.bv_add(two(1)));
    builder.assign(added, written, count.0, temporary.1);
    builder.assign(written, logged, log.0, temporary.1);
    builder.guard(logged, error, count.1.distinct(temporary.1));
    let release = builder.edge(logged, unlocked);
    release.guard = count.1.equals(temporary.1);
    release.assign = vec![(mutex.0, two(0)), (unused.0, log.1)];
    builder.edge(unlocked, try_lock);
    builder.program
}

#[test]
fn a_lock_and_a_counter_become_what_matters() {
    let (program, statistics) = reduce(counting(true), &Options::default());
    assert_eq!(statistics.before, Size { locations: 12, edges: 11, variables: 5 });
    assert_eq!(statistics.after(), Size::of(&program));
    let names: Vec<_> = program.variables.iter().map(|variable| variable.name.as_str()).collect();
    assert_eq!(names, ["mutex", "count", "temporary"]);
    // Take the lock, read and write in one step, and compare with two outcomes; all else is part of these.
    assert_eq!(program.edges.len(), 4, "{:#?}", program.edges);
    assert!(validate(&program, Rules { strictly_asynchronous: true }).is_empty());
    assert!(statistics.passes.iter().any(|pass| pass.name == "merge"));
}

#[test]
fn passes_can_be_switched_off() {
    let (program, statistics) = reduce(counting(false), &Options::minimal());
    let names: Vec<_> = statistics.passes.iter().map(|pass| pass.name).collect();
    assert_eq!(names, ["liveness", "atomic", "liveness", "tidy"]);
    assert_eq!(program.edges.len(), 10, "only the atomic section is gone");
}

#[test]
fn properties_are_selected_by_name() {
    let options = Options { properties: Some(vec!["other".to_owned()]), ..Options::default() };
    let (program, _) = reduce(counting(true), &options);
    assert_eq!((program.properties.len(), program.edges.len()), (0, 0), "nothing is left to find");
}

#[test]
fn the_result_stays_as_it_is() {
    let (once, _) = reduce(counting(true), &Options::default());
    let (twice, _) = reduce(once.clone(), &Options::default());
    assert_eq!(once, twice);
}

#[test]
fn predicates_go_with_their_variables() {
    let mut program = counting(true);
    for id in [1, 2] {
        let term = program.variable(VariableId(id)).term().equals(two(0));
        program.predicates.push(UserPredicate { term, position: Default::default() });
    }
    let (program, _) = reduce(program, &Options::default());
    assert_eq!(program.predicates.len(), 1, "that about `unused` is gone");
}

#[test]
fn tidying_renumbers() {
    let mut builder = Builder::new();
    let (unused, l) = (builder.local("unused", None), builder.local("l", None));
    let s = builder.shared("s", Some(0));
    let [a, unreachable, b] = builder.locations();
    builder.assign(a, b, s.0, l.1);
    builder.assign(unreachable, b, s.0, unused.1);
    builder.edge(LocationId(0), a);
    builder.program.locations[a.index()].live = vec![unused.0, l.0];
    tidy::run(&mut builder.program);
    let program = builder.program;
    assert_eq!(Size::of(&program), Size { locations: 3, edges: 2, variables: 2 });
    assert_eq!(program.edges[0].from, LocationId(0));
    assert_eq!(program.edges[1].assign, [(VariableId(1), l.1)]);
    assert_eq!(program.locations[1].live, [VariableId(0)]);
    assert!(validate(&program, Rules::default()).is_empty());
}

/// A chain of blocks of 50 steps, each with three locals of its own: mostly computations, with branches, accesses, and
/// an atomic section now and then.
fn chain(length: usize) -> Program {
    let mut builder = Builder::new();
    let (s, t) = (builder.shared("s", Some(0)), builder.shared("t", Some(0)));
    let locals: Vec<_> = (0..3_000).map(|number| builder.local(&format!("l{number}"), None)).collect();
    let pool = builder.pool();
    let error = builder.error("error");
    let mut at = pool;
    while builder.program.edges.len() < length {
        let number = builder.program.edges.len();
        let block = &locals[number / 50 % 1_000 * 3..];
        let (x, y) = (block[number % 3], block[number % 2]);
        let next = if number % 100 < 3 { builder.atomic() } else { builder.location() };
        match number % 50 {
            0..3 => builder.assign(at, next, x.0, s.1.bv_add(two(number as u128 % 3))),
            3 => builder.assign(at, next, s.0, y.1),
            10 | 20 => {
                builder.guard(at, next, x.1.ult(y.1));
                builder.guard(at, next, x.1.ult(y.1).not());
            }
            30 => {
                builder.guard(at, error, t.1.equals(y.1));
                builder.assign(at, next, t.0, x.1);
            }
            _ => builder.assign(at, next, x.0, x.1.bv_add(y.1).bv_mul(two(number as u128 % 4))),
        }
        at = next;
    }
    builder.program
}

/// Prints how long each pass takes; `REDUCE_CHAIN=100000` for the figures that count.
#[test]
fn time_grows_little_more_than_linearly() {
    let asked = std::env::var("REDUCE_CHAIN").ok().and_then(|number| number.parse().ok());
    let length: usize = asked.unwrap_or(10_000);
    let (program, statistics) = reduce(chain(length), &Options::default());
    println!("{:>10} {}", "", statistics.before);
    for pass in &statistics.passes {
        println!("{:>10} {} in {:?}", pass.name, pass.after, pass.time);
    }
    assert!(program.edges.len() < length / 3, "{}", statistics.after());
}
