//! Slicing of programs made by hand.

use super::super::samples::{Builder, two};
use super::*;
use crate::program::RaceAccess;

fn sliced(mut builder: Builder) -> Program {
    run(&mut builder.program);
    builder.program
}

#[test]
fn what_no_guard_depends_on_is_not_assigned() {
    let mut builder = Builder::new();
    let (s, t) = (builder.shared("s", Some(0)), builder.shared("t", Some(0)));
    let (l, m) = (builder.local("l", Some(0)), builder.local("m", Some(0)));
    let (a, error) = (builder.location(), builder.error("error"));
    let step = builder.edge(LocationId(0), a);
    step.assign = vec![(s.0, l.1), (t.0, m.1), (m.0, s.1)];
    builder.guard(a, error, s.1.equals(two(1)));
    let program = sliced(builder);
    assert_eq!(program.edges[0].assign, [(s.0, l.1)]);
}

#[test]
fn a_guard_in_front_of_something_that_matters_stays() {
    let mut builder = Builder::new();
    let (s, l) = (builder.shared("s", Some(0)), builder.local("l", Some(0)));
    let (a, error) = (builder.location(), builder.error("error"));
    builder.guard(LocationId(0), a, l.1.equals(two(1)));
    builder.guard(a, error, s.1.equals(two(0)));
    let program = sliced(builder);
    assert_eq!(program.edges[0].guard, l.1.equals(two(1)));
}

#[test]
fn threads_that_do_nothing_that_matters_stop() {
    let mut builder = Builder::new();
    let (s, t) = (builder.shared("s", Some(0)), builder.shared("t", Some(0)));
    let [a, b, c] = builder.locations();
    let error = builder.error("error");
    builder.guard(LocationId(0), error, s.1.equals(two(1)));
    builder.assign(LocationId(0), a, s.0, two(1));
    builder.assign(LocationId(0), b, s.0, two(2));
    builder.guard(a, b, t.1.equals(two(1)));
    builder.guard(b, c, s.1.equals(two(1)));
    builder.assign(c, a, t.0, two(1));
    let program = sliced(builder);
    assert_eq!(program.edges.len(), 3);
    assert_eq!(program.locations.len(), 3, "main, the error and one dead end for all others");
    assert_eq!(program.edges[1].to, program.edges[2].to);
    assert!(!program.edges.iter().any(|edge| edge.assign.iter().any(|&(id, _)| id == t.0)));
}

#[test]
fn a_pool_without_influence_is_no_pool() {
    let mut builder = Builder::new();
    let (s, t) = (builder.shared("s", Some(0)), builder.shared("t", Some(0)));
    let (pool, error) = (builder.pool(), builder.error("error"));
    builder.guard(LocationId(0), error, s.1.equals(two(1)));
    builder.assign(pool, pool, t.0, two(1));
    assert_eq!(sliced(builder).pool, None);
}

#[test]
fn branches_with_the_same_effect_become_one() {
    let mut builder = Builder::new();
    let (s, l) = (builder.shared("s", Some(0)), builder.local("l", None));
    let (a, error) = (builder.location(), builder.error("error"));
    let condition = l.1.ult(two(2));
    builder.guard(LocationId(0), a, condition);
    builder.guard(LocationId(0), a, condition.not());
    builder.guard(a, error, s.1.equals(two(0)));
    builder.assign(a, LocationId(0), l.0, two(1));
    let program = sliced(builder);
    assert_eq!(program.edges.len(), 3);
    assert!(program.edges[0].guard.is_true());
    assert!(program.edges.iter().all(|edge| edge.assign.is_empty()), "l does not matter any more");
}

#[test]
fn a_choice_that_only_feeds_itself_does_not_matter() {
    let toggle = |second: u128| {
        let mut builder = Builder::new();
        let (s, l) = (builder.shared("s", Some(0)), builder.local("l", Some(0)));
        let (a, error) = (builder.location(), builder.error("error"));
        for (case, next) in [(0, 1), (second, 0)] {
            let edge = builder.edge(LocationId(0), a);
            edge.guard =
                if case == 0 { l.1.equals(two(0)) } else { l.1.distinct(two(0)).and(l.1.ule(two(case))) };
            edge.assign = vec![(l.0, two(next))];
        }
        builder.assign(a, LocationId(0), s.0, s.1.bv_add(two(1)));
        builder.guard(a, error, s.1.equals(two(3)));
        let program = sliced(builder);
        (program.edges.len(), program.edges.iter().any(|edge| edge.assign.iter().any(|&(id, _)| id == l.0)))
    };
    assert_eq!(toggle(3), (3, false), "one of the two is always possible");
    assert_eq!(toggle(2), (4, true), "where l is 3 there is no way on");
}

#[test]
fn steps_that_do_nothing_go() {
    let mut builder = Builder::new();
    let (s, t) = (builder.shared("s", Some(0)), builder.shared("t", Some(0)));
    let error = builder.error("error");
    builder.guard(LocationId(0), error, s.1.equals(two(0)));
    builder.assign(LocationId(0), LocationId(0), t.0, two(1));
    builder.guard(LocationId(0), LocationId(0), s.1.equals(two(2)));
    assert_eq!(sliced(builder).edges.len(), 1);
}

#[test]
fn exact_and_approximate_steps_are_kept_apart() {
    let mut builder = Builder::new();
    let l = builder.local("l", None);
    let error = builder.error("error");
    builder.guard(LocationId(0), error, l.1.equals(two(0)));
    builder.edge(LocationId(0), error).approximate = Some(crate::program::NoteId(0));
    assert_eq!(sliced(builder).edges.len(), 2);
}

#[test]
fn an_index_matters() {
    let mut builder = Builder::new();
    let l = builder.local("l", Some(0));
    let pool = builder.pool();
    builder.assign(pool, pool, l.0, l.1.bv_add(two(1)));
    let access = RaceAccess { location: pool, index: Some(l.1), write: true };
    builder.property("race", Target::Race(access.clone(), access));
    assert_eq!(sliced(builder).edges.len(), 1);
}

#[test]
fn properties_that_nobody_asks_about_are_places_like_any_other() {
    let mut builder = Builder::new();
    let s = builder.shared("s", Some(0));
    let (first, second) = (builder.error("first"), builder.error("second"));
    let limit = builder.error("limit");
    builder.program.properties[2].kind = PropertyKind::Limit;
    builder.guard(LocationId(0), first, s.1.equals(two(0)));
    builder.guard(LocationId(0), second, s.1.equals(two(1)));
    builder.guard(LocationId(0), limit, s.1.equals(two(2)));
    select(&mut builder.program, &["second".to_owned()]);
    let program = sliced(builder);
    let names: Vec<_> = program.properties.iter().map(|property| property.name.as_str()).collect();
    assert_eq!(names, ["second", "limit"], "a limit of what is modelled is not a matter of choice");
    assert_eq!(program.edges.len(), 2);
}

#[test]
fn what_was_not_executed_in_both_cases_is_not_claimed() {
    let mut builder = Builder::new();
    let l = builder.local("l", None);
    let error = builder.error("error");
    builder.guard(LocationId(0), error, l.1.equals(two(0)));
    builder.guard(LocationId(0), error, l.1.equals(two(1)));
    let common = builder.program.edges[0].origin[0];
    let other = crate::program::Origin { text: Symbol::new("other"), ..common };
    builder.program.edges[0].origin = vec![common, other];
    let program = sliced(builder);
    assert_eq!(program.edges.len(), 1);
    assert_eq!(program.edges[0].origin, [common]);
}
