//! Small programs by hand, with exact expectations; random ones in [`property`].

mod open;
mod property;
mod schedulers;

use super::*;
use crate::program::text::read;
use smt::Bits;

/// Every thread reads `x` and writes back one more. Thread 0 starts where all others do.
const RACY: &str = r#"program 1
shared x: u2 = 0
local t: u2 = 0
location 0 live t
location 1 live t
location 2
main 0
pool 0
edge 0: 0 -> 1
  assign t := x
edge 1: 1 -> 2
  assign x := (bvadd t #b01)
"#;

/// As before, but the threads count, and the last one looks.
const LOST_UPDATE: &str = r#"program 1
file 0 "racy.c"
shared x: u2 = 0
shared done: u2 = 0
local t: u2
location 0 in add @0:4:0
location 1 in add @0:5:0 live t
location 2 in add @0:6:0
location 3 in add @0:7:0
main 0
pool 0
edge 0: 0 -> 1
  assign t := x
  origin @0:4:3 in add "t = x;"
edge 1: 1 -> 2
  assign x := (bvadd t #b01)
  assign done := (bvadd done #b01)
  origin @0:5:3 in add "x = t + 1;"
edge 2: 2 -> 3
  guard (and (= done #b10) (not (= x #b10)))
  origin @0:6:3 in add "assert(x == 2);"
property add.assertion.1 assertion @0:6:3 "x == 2" at 3
"#;

fn program(text: &str) -> Program {
    read(text).unwrap_or_else(|error| panic!("{error}"))
}

fn all(program: &Program, threads: usize, symmetry: bool) -> Exploration {
    explore(program, threads, &ExploreOptions { symmetry, ..ExploreOptions::default() }).unwrap()
}

fn choice(thread: usize, edge: u32) -> Choice {
    Choice { thread, edge: EdgeId(edge), inputs: Vec::new(), passive_inputs: Vec::new() }
}

fn zero(interpreter: &Interpreter<'_>) -> State {
    let variables = &interpreter.program().variables;
    interpreter.initial_state(|variable, _| Value::zero(variables[variable.index()].data_type.sort()))
}

fn bits(width: u32, value: u128) -> Value {
    Value::Bits(Bits::new(width, value))
}

#[test]
fn the_racy_counter_has_exactly_these_states() {
    let program = program(RACY);
    // By progress: 1 + 2 with one step, 1 + 2 with two, 2 * 2 with three, 3 with four.
    let exploration = all(&program, 2, false);
    assert_eq!((exploration.states, exploration.complete), (13, true));
    // The same up to exchange of the threads.
    assert_eq!(all(&program, 2, true).states, 8);
    assert_eq!(all(&program, 1, true).states, 3);
}

#[test]
fn a_step_reads_the_state_before_it() {
    let text = r#"program 1
        shared a: u8 = 1 shared b: u8 = 2 local c: u8 = 3
        location 0 main 0
        edge 0: 0 -> 0 assign a := b assign b := c assign c := a"#;
    let program = program(text);
    let interpreter = Interpreter::new(&program, 1).unwrap();
    let next = interpreter.step(&zero(&interpreter), &choice(0, 0)).unwrap();
    let values: Vec<Value> = (0..3).map(|id| interpreter.value(&next, 0, VariableId(id))).collect();
    assert_eq!(values, [bits(8, 2), bits(8, 3), bits(8, 1)]);
}

#[test]
fn a_broadcast_changes_all_others_each_from_its_own_values() {
    let text = r#"program 1
        shared s: u8 = 10 local l: u8 local m: u8
        location 0 main 0 pool 0
        edge 0: 0 -> 0
          assign s := l assign l := #xff
          passive input n: u8
          passive assign l := (bvadd (bvadd l@P l) (bvadd s n))
          passive assign m := l@P"#;
    let program = program(text);
    let interpreter = Interpreter::new(&program, 3).unwrap();
    let (l, m) = (VariableId(1), VariableId(2));
    let mut state = zero(&interpreter);
    for thread in 0..3 {
        interpreter.set_value(&mut state, thread, l, &bits(8, thread as u128 + 1));
    }
    let mut step = choice(1, 0);
    step.passive_inputs = vec![vec![bits(8, 100)], vec![], vec![bits(8, 200)]];
    let next = interpreter.step(&state, &step).unwrap();
    assert_eq!(interpreter.value(&next, 1, VariableId(0)), bits(8, 2));
    let seen = |thread| (interpreter.value(&next, thread, l), interpreter.value(&next, thread, m));
    assert_eq!(seen(0), (bits(8, 1 + 2 + 10 + 100), bits(8, 1)));
    assert_eq!(seen(1), (bits(8, 255), bits(8, 0)));
    assert_eq!(seen(2), (bits(8, 3 + 2 + 10 + 200), bits(8, 3)));
}

#[test]
fn passive_threads_choose_for_themselves() {
    let text = r#"program 1
        local l: u1 = 0
        location 0 location 1 main 0 pool 1
        edge 0: 0 -> 1 passive input n: u1 passive assign l := n"#;
    let program = program(text);
    // The initial state, then two passive threads with two values each.
    assert_eq!(all(&program, 3, false).states, 1 + 4);
    assert_eq!(all(&program, 3, true).states, 1 + 3);
}

#[test]
fn only_the_thread_in_an_atomic_location_moves() {
    let text = r#"program 1
        shared x: u1 = 0
        location 0 location 1 atomic location 2 location 3 main 0 pool 0
        edge 0: 0 -> 1 guard (= x #b0) assign x := #b1
        edge 1: 1 -> 2 assign x := #b0
        edge 2: 0 -> 3 guard (= x #b1)
        property seen assertion "x is 1 outside" at 3"#;
    let mut program = program(text);
    let exploration = all(&program, 2, false);
    assert_eq!((exploration.violated.len(), exploration.complete), (0, true));
    // Both outside, one inside, one through, the other inside, both through.
    assert_eq!(exploration.states, 1 + 2 + 2 + 2 + 1);
    let interpreter = Interpreter::new(&program, 2).unwrap();
    let inside = interpreter.step(&zero(&interpreter), &choice(1, 0)).unwrap();
    assert_eq!(interpreter.step(&inside, &choice(0, 2)), Err(StepError::Blocked { thread: 0, holder: 1 }));
    assert_eq!(interpreter.enabled(&inside, &InputDomain::default()).choices, [choice(1, 1)]);
    program.locations[1].atomic = false;
    assert_eq!(all(&program, 2, false).violated["seen"].steps, [choice(0, 0), choice(1, 2)]);
}

#[test]
fn a_race_needs_two_threads_and_the_same_element() {
    let text = r#"program 1
        local i: u2 = 0
        location 0 location 1 main 0 pool 0
        edge 0: 0 -> 1 input n: u2 guard (bvult n #b10) assign i := n
        property same data-race "a[i], a[i]" race 1 [i] with 1 [i]
        property none data-race "a[i], a[2]" race 1 [i] with 1 [#b10]
        property any data-race "a[i], a" race 1 [i] with 1"#;
    let program = program(text);
    assert_eq!(all(&program, 1, false).violated.len(), 0);
    let exploration = all(&program, 2, false);
    assert_eq!(exploration.violated.keys().collect::<Vec<_>>(), ["any", "same"]);
    let same = &exploration.violated["same"];
    assert_eq!(same.steps[0].inputs, same.steps[1].inputs);
    assert!(exploration.complete);
}

#[test]
fn threads_are_created_by_a_handshake() {
    let text = r#"program 1
        shared mailbox: u2 = 0 shared created: u3 = 0
        location 0 location 1 location 2 main 0 pool 1
        edge 0: 0 -> 0 guard (= mailbox #b00) assign mailbox := #b01
        edge 1: 1 -> 2 guard (= mailbox #b01) assign mailbox := #b00 assign created := (bvadd created #b001)
        property three assertion "" race 2 with 2"#;
    let program = program(text);
    for threads in 1..=4_usize {
        let exploration = all(&program, threads, true);
        assert_eq!(exploration.violated.contains_key("three"), threads > 2);
        if threads < 3 {
            // The mailbox empty or full, for each number of threads created.
            assert_eq!((exploration.states, exploration.complete), (2 * threads, true));
        }
    }
    let run = all(&program, 3, true).violated.remove("three").unwrap();
    assert_eq!(run.steps.iter().map(|step| step.edge.0).collect::<Vec<_>>(), [0, 1, 0, 1]);
    assert_eq!(run.steps[0].thread, 0);
}

#[test]
fn wide_numbers_and_arrays_are_exact() {
    let text = r#"program 1
        shared w: u200 = 1
        shared a: [u200 by u8] = {3: 5, else 7}
        shared b: [bool; 4 by u2]
        shared d: i128 = -1
        local i: u8 = 0
        location 0 live i
        location 1
        main 0
        edge 0: 0 -> 0
          guard (and (bvult w (bvadd (select a i) w)) (not (= a (store a i w))))
          assign w := (bvmul (bvadd w (select a i)) ((_ zero_extend 192) (bvadd i #x02)))
          assign a := (ite (bvslt d #x00000000000000000000000000000005) (store a i w) a)
          assign b := (store b ((_ extract 1 0) i) (bvult #x05 ((_ extract 7 0) w)))
          assign d := (bvsdiv (bvadd d d) #xfffffffffffffffffffffffffffffff7)
          assign i := (bvadd i (ite (select b #b01) #x01 #x03))
        edge 1: 0 -> 1 guard (= i #x20)
        property end assertion "" at 1"#;
    let program = program(text);
    // In debug builds each step is checked against the evaluator of terms.
    let exploration = all(&program, 1, true);
    assert!(!exploration.sampled && exploration.states > 20, "{exploration:?}");
}

#[test]
fn programs_with_flaws_and_no_threads_are_refused() {
    let mut program = program(RACY);
    assert_eq!(Interpreter::new(&program, 0).unwrap_err(), InterpreterError::NoThread);
    program.edges[0].to = LocationId(7);
    assert!(matches!(Interpreter::new(&program, 1), Err(InterpreterError::Invalid(_))));
}

#[test]
fn without_a_pool_there_is_one_thread() {
    let mut program = program(RACY);
    program.pool = None;
    assert_eq!(Interpreter::new(&program, 5).unwrap().threads(), 1);
    assert_eq!(all(&program, 5, true).states, 3);
}
