//! Atomic sections made by hand.

use super::super::samples::{Builder, two};
use super::*;
use crate::program::{Input, RaceAccess, VariableId};
use smt::{Sort, Symbol, Term, Value};

/// A program with shared variables `s` and `t`, a local `l`, and a pool.
fn start() -> (Builder, [(VariableId, Term); 3]) {
    let mut builder = Builder::new();
    let (s, t) = (builder.shared("s", Some(0)), builder.shared("t", Some(0)));
    let l = builder.local("l", Some(0));
    let pool = builder.pool();
    builder.assign(pool, pool, s.0, l.1);
    (builder, [s, t, l])
}

fn composed(mut builder: Builder) -> Program {
    run(&mut builder.program, Bounds::of_paths(1024));
    assert!(builder.program.locations.iter().all(|location| !location.atomic));
    builder.program
}

/// Edges that are not the pool's.
fn edges(program: &Program) -> Vec<&Edge> {
    program.edges.iter().filter(|edge| Some(edge.from) != program.pool).collect()
}

/// The first edge of the initial thread.
fn from_main(program: &Program) -> &Edge {
    program.edges.iter().find(|edge| edge.from == program.main).unwrap()
}

#[test]
fn a_straight_section_is_one_step() {
    let (mut builder, [s, t, l]) = start();
    let (a, b, end) = (builder.atomic(), builder.atomic(), builder.location());
    builder.assign(LocationId(0), a, l.0, s.1);
    builder.guard(a, b, l.1.ult(two(3)));
    let last = builder.edge(b, end);
    last.assign = vec![(s.0, l.1.bv_add(two(1))), (t.0, s.1)];
    builder.assign(end, end, t.0, l.1);
    let program = composed(builder);
    let edge = from_main(&program);
    assert_eq!(edge.guard, s.1.ult(two(3)));
    assert_eq!(edge.assign, [(s.0, s.1.bv_add(two(1))), (t.0, s.1), (l.0, s.1)]);
    assert_eq!(edge.origin.len(), 3);
    assert_eq!(program.locations.len(), 3);
}

#[test]
fn ways_that_end_inside_vanish() {
    let (mut builder, [s, t, _]) = start();
    let (a, b, end) = (builder.atomic(), builder.atomic(), builder.location());
    builder.assign(LocationId(0), a, s.0, two(1));
    builder.guard(a, b, s.1.equals(two(2)));
    builder.guard(b, end, Term::tru());
    let stuck = builder.atomic();
    builder.assign(a, stuck, t.0, two(1));
    assert_eq!(edges(&composed(builder)).len(), 0);
}

#[test]
fn an_error_inside_is_reached_without_effect() {
    let (mut builder, [s, t, _]) = start();
    let (a, error, end) = (builder.atomic(), builder.atomic(), builder.location());
    builder.property("error", Target::Location(error));
    builder.assign(LocationId(0), a, s.0, two(1));
    builder.guard(a, error, t.1.equals(two(1)));
    builder.assign(error, end, t.0, two(2));
    let program = composed(builder);
    let Target::Location(target) = program.properties[0].target else { panic!() };
    let all = edges(&program);
    assert_eq!(all.len(), 2);
    let halting = all.iter().find(|edge| edge.to == target).unwrap();
    assert!(halting.assign.is_empty());
    assert_eq!(halting.guard, t.1.equals(two(1)));
    let through = all.iter().find(|edge| edge.to != target).unwrap();
    assert_eq!(through.assign.len(), 2, "who passes the place does what stands there");
}

#[test]
fn broadcasts_see_what_came_before() {
    let (mut builder, [s, _, l]) = start();
    let heard = builder.local("heard", Some(0));
    let copy = |builder: &Builder, id| builder.program.variable(id).passive_term();
    let (heard_copy, l_copy) = (copy(&builder, heard.0), copy(&builder, l.0));
    let (a, end) = (builder.atomic(), builder.location());
    let first = builder.edge(LocationId(0), a);
    first.assign = vec![(s.0, two(1))];
    first.broadcast.assign = vec![(heard.0, l_copy)];
    let second = builder.edge(a, end);
    let choice = Input { name: Symbol::new("c"), sort: Sort::BitVec(2) };
    second.broadcast.assign = vec![(l.0, heard_copy.bv_add(s.1).bv_xor(choice.term()))];
    second.broadcast.inputs = vec![choice.clone()];
    builder.assign(end, end, s.0, heard.1);
    let program = composed(builder);
    let broadcast = &from_main(&program).broadcast;
    let expected = l_copy.bv_add(two(1)).bv_xor(choice.term());
    assert_eq!(broadcast.assign, [(l.0, expected), (heard.0, l_copy)]);
    assert_eq!(broadcast.inputs, [choice]);
}

#[test]
fn inputs_of_several_steps_are_different() {
    let (mut builder, [s, t, _]) = start();
    let (a, end) = (builder.atomic(), builder.location());
    for (from, to, id) in [(LocationId(0), a, s.0), (a, end, t.0)] {
        let edge = builder.edge(from, to);
        edge.inputs = vec![Input { name: Symbol::new("i"), sort: Sort::BitVec(2) }];
        edge.assign = vec![(id, edge.inputs[0].term())];
    }
    let program = composed(builder);
    let edge = from_main(&program);
    assert_eq!(edge.inputs.len(), 2);
    assert_ne!(edge.assign[0].1, edge.assign[1].1);
}

/// `count` branches in a row, whose sides add 1 or 2 to `s`.
fn branches(count: usize, exclusive: bool) -> Builder {
    let (mut builder, [s, _, l]) = start();
    let mut at = LocationId(0);
    for number in 0..count {
        let meet = if number + 1 < count { builder.atomic() } else { builder.location() };
        let (left, right) = (builder.atomic(), builder.atomic());
        let fork = builder.atomic();
        builder.guard(at, fork, Term::tru());
        let condition = builder.shared(&format!("c{number}"), None).1.equals(two(1));
        builder.guard(fork, left, condition);
        builder.guard(fork, right, if exclusive { condition.not() } else { l.1.equals(two(1)) });
        builder.assign(left, meet, s.0, s.1.bv_add(two(1)));
        builder.assign(right, meet, s.0, s.1.bv_add(two(2)));
        at = meet;
    }
    builder
}

#[test]
fn few_ways_stay_apart_and_many_are_joined() {
    assert_eq!(edges(&composed(branches(2, true))).len(), 4);
    let program = composed(branches(10, true));
    assert_eq!(edges(&program).len(), 2, "the last branch ends outside");
    assert!(edges(&program).iter().all(|edge| edge.inputs.is_empty()));
    let program = composed(branches(10, false));
    assert_eq!(edges(&program).len(), 2);
    assert!(
        edges(&program).iter().all(|edge| edge.inputs.len() == 9),
        "each choice is free where both are possible"
    );
    assert_eq!(program.variables.len(), 13, "no token");
}

#[test]
fn a_loop_holds_a_token() {
    let (mut builder, [s, _, l]) = start();
    let (a, end) = (builder.atomic(), builder.location());
    builder.edge(LocationId(0), a);
    builder.assign(a, a, l.0, l.1.bv_add(two(1)));
    builder.assign(a, end, s.0, l.1);
    builder.assign(end, LocationId(0), l.0, two(0));
    let program = composed(builder);
    let token = &program.variables[3];
    assert_eq!((token.name.as_str(), token.init.clone()), ("atomic.token", Some(Value::Bool(false))));
    let id = VariableId(3);
    let free = token.term().not();
    let [pool, enter, inside, leave, outside] = &program.edges[..] else { panic!("{:?}", program.edges) };
    assert_eq!((pool.guard, pool.assign.len()), (free, 1), "it writes s");
    assert_eq!((enter.guard, &enter.assign[..]), (free, &[(id, Term::tru())][..]));
    assert_eq!((inside.guard, inside.assign.len()), (Term::tru(), 1));
    assert_eq!(leave.guard, Term::tru());
    assert!(leave.assign.contains(&(id, Term::fls())));
    assert_eq!((outside.guard, outside.assign.len()), (Term::tru(), 1), "nobody notices this one");
}

#[test]
fn too_many_ways_hold_a_token() {
    let (mut builder, [s, ..]) = start();
    let (a, end) = (builder.atomic(), builder.location());
    builder.edge(LocationId(0), a);
    (0..3).for_each(|number| builder.guard(a, end, s.1.equals(two(number))));
    let mut other = builder.program.clone();
    run(&mut other, Bounds { paths: 2, separate: 2 });
    assert_eq!(other.variables.len(), 4);
    run(&mut builder.program, Bounds { paths: 3, separate: 3 });
    assert_eq!(builder.program.variables.len(), 3);
}

#[test]
fn a_start_inside_holds_the_token_from_the_start() {
    let (mut builder, [s, ..]) = start();
    builder.program.locations[0].atomic = true;
    let end = builder.location();
    builder.assign(LocationId(0), end, s.0, two(1));
    let program = composed(builder);
    assert_eq!(program.variables[3].init, Some(Value::Bool(true)));
    assert_eq!(program.edges[0].guard, program.variables[3].term().not());
}

#[test]
fn races_inside_hold_a_token() {
    let race = |inside: bool, index: bool| {
        let (mut builder, [s, ..]) = start();
        let (a, end) = (builder.atomic(), builder.location());
        builder.assign(LocationId(0), a, s.0, two(1));
        builder.assign(a, end, s.0, two(2));
        let location = if inside { a } else { LocationId(0) };
        let access = RaceAccess { location, index: index.then_some(s.1), write: true };
        builder.property("race", Target::Race(access.clone(), access));
        composed(builder).variables.len()
    };
    assert_eq!(race(true, false), 4);
    assert_eq!(race(false, true), 4, "between the steps the index has another value");
    assert_eq!(race(false, false), 3);
}

#[test]
fn one_thread_needs_no_token() {
    let (mut builder, [s, _, l]) = start();
    builder.program.pool = None;
    let (a, end) = (builder.atomic(), builder.location());
    builder.edge(LocationId(0), a);
    builder.assign(a, a, l.0, l.1.bv_add(two(1)));
    builder.assign(a, end, s.0, l.1);
    let program = composed(builder);
    assert_eq!((program.variables.len(), program.edges.len()), (3, 3));
}
