//! Exploration within limits, replay and random schedules.

use super::*;
use crate::program::{InitialValue, Run};
use std::time::Duration;

#[test]
fn the_lost_update_is_found_with_two_threads_by_a_shortest_run() {
    let program = program(LOST_UPDATE);
    assert!(all(&program, 1, true).violated.is_empty());
    for symmetry in [false, true] {
        let exploration = all(&program, 2, symmetry);
        assert_eq!(exploration.stop, Some(Stop::AllViolated));
        let run = &exploration.violated["add.assertion.1"];
        assert_eq!(run.steps.len(), 5);
        let outcome = replay(&program, run).unwrap();
        assert_eq!(outcome.violated["add.assertion.1"], 5);
        assert_eq!(outcome.states.len(), 6);
    }
}

#[test]
fn limits_end_the_exploration_and_say_so() {
    let program = program(RACY);
    let with = |limits: Limits| {
        let exploration = explore(&program, 3, &ExploreOptions { limits, ..Default::default() }).unwrap();
        assert!(!exploration.complete);
        (exploration.stop.unwrap(), exploration.states)
    };
    assert_eq!(with(Limits { states: 4, ..Default::default() }), (Stop::States, 4));
    assert_eq!(with(Limits { depth: Some(1), ..Default::default() }), (Stop::Depth, 2));
    assert_eq!(with(Limits { time: Some(Duration::ZERO), ..Default::default() }).0, Stop::Time);
    let deep = Limits { depth: Some(7), ..Default::default() };
    let exploration = explore(&program, 3, &ExploreOptions { limits: deep, ..Default::default() }).unwrap();
    assert!(exploration.complete, "six steps are possible");
}

#[test]
fn large_inputs_are_sampled_with_the_literals_of_the_program() {
    let text = r#"program 1
        shared x: i32 = 0
        location 0 location 1 location 2 main 0
        edge 0: 0 -> 1 input n: u32 assign x := n
        edge 1: 1 -> 2 guard (= x #x00003039)
        property found assertion "" at 2"#;
    let program = program(text);
    let exploration = all(&program, 1, true);
    assert_eq!(exploration.violated["found"].steps[0].inputs, [bits(32, 12345)]);
    assert!(exploration.sampled && !exploration.complete);
}

#[test]
fn unknown_initial_values_are_tried_for_each_thread() {
    let text = r#"program 1
        shared s: u1 local l: u2
        location 0 live l location 1 main 0 pool 0
        property meet data-race "" race 0 [l] with 0 [#b11]
        edge 0: 0 -> 1 guard (= l #b10)"#;
    let mut program = program(text);
    let exploration = all(&program, 2, false);
    let initial = &exploration.violated["meet"].initial;
    assert_eq!(initial.len(), 3);
    assert_eq!(initial[2], InitialValue { variable: VariableId(1), thread: Some(1), value: bits(2, 3) });
    program.properties.clear();
    // 2 * 4 * 4 at the start; a thread with 2 moves: 2 * 4 twice and 2 once.
    assert_eq!(all(&program, 2, false).states, 32 + 8 + 8 + 2);
    let options = ExploreOptions { forget_dead: true, symmetry: false, ..Default::default() };
    assert_eq!(explore(&program, 2, &options).unwrap().states, 32 + 8 + 8 + 2);
    program.edges[0].guard = smt::Term::tru();
    program.locations[0].live.clear();
    // Nothing is live: the shared bit and who has moved.
    assert_eq!(explore(&program, 2, &options).unwrap().states, 2 * 4);
}

#[test]
fn replay_says_which_step_is_impossible_and_why() {
    let program = program(LOST_UPDATE);
    let fails = |steps: Vec<Choice>| match replay(&program, &Run { threads: 2, initial: vec![], steps }) {
        Err(ReplayError::Step { step, error }) => (step, error),
        other => panic!("{other:?}"),
    };
    assert_eq!(fails(vec![choice(2, 0)]), (0, StepError::NoSuchThread(2)));
    assert_eq!(fails(vec![choice(0, 9)]), (0, StepError::NoSuchEdge(EdgeId(9))));
    let (thread, edge, at, from) = (0, EdgeId(0), LocationId(1), LocationId(0));
    assert_eq!(fails(vec![choice(0, 0), choice(0, 0)]), (1, StepError::NotThere { thread, edge, at, from }));
    assert_eq!(fails(vec![choice(0, 0), choice(0, 1), choice(0, 2)]), (2, StepError::Guard(EdgeId(2))));
    let mut wrong = choice(0, 0);
    wrong.inputs.push(bits(2, 0));
    let whose = Whose::Active;
    assert_eq!(fails(vec![wrong]), (0, StepError::InputCount { edge, whose, needed: 0, given: 1 }));
    let error = ReplayError::Step { step: 2, error: StepError::Guard(EdgeId(2)) };
    assert_eq!(error.to_string(), "step 3: the guard of edge 2 does not hold");
}

#[test]
fn replay_checks_inputs_and_initial_values() {
    let text = r#"program 1
        shared x: u8 = 3 local l: u8
        location 0 main 0 pool 0
        edge 0: 0 -> 0 input n: u8 assign x := n"#;
    let program = program(text);
    let run = |variable, thread, value| {
        let initial = vec![InitialValue { variable: VariableId(variable), thread, value }];
        replay(&program, &Run { threads: 2, initial, steps: vec![] })
    };
    assert!(run(1, Some(1), bits(8, 200)).is_ok());
    assert!(run(0, None, bits(8, 3)).is_ok());
    for (variable, thread) in [(0, None), (1, None), (1, Some(2)), (9, None)] {
        let result = run(variable, thread, bits(8, 4));
        let variable = VariableId(variable);
        assert_eq!(result, Err(ReplayError::InitialValue { variable, thread }));
    }
    assert!(matches!(run(1, Some(0), bits(9, 4)), Err(ReplayError::InitialSort { .. })));
    let mut step = choice(0, 0);
    step.inputs.push(bits(7, 1));
    let result = replay(&program, &Run { threads: 1, initial: vec![], steps: vec![step] });
    assert!(
        matches!(result, Err(ReplayError::Step { error: StepError::InputSort { .. }, .. })),
        "{result:?}"
    );
}

#[test]
fn random_schedules_find_the_lost_update_and_replay() {
    let program = program(LOST_UPDATE);
    let mut ends = [0; 2];
    for seed in 0..50 {
        let found = random(&program, 2, seed, 100).unwrap();
        assert_eq!(found, random(&program, 2, seed, 100).unwrap());
        let outcome = replay(&program, &found.run).unwrap();
        match found.end {
            End::Violated(names) => {
                assert_eq!(names, ["add.assertion.1"]);
                assert_eq!(outcome.violated["add.assertion.1"], found.run.steps.len());
                ends[0] += 1;
            }
            End::Stuck => ends[1] += 1,
            End::StepLimit => panic!("at most five steps are possible"),
        }
    }
    assert!(ends.iter().all(|&count| count > 5), "{ends:?}");
    assert_eq!(random(&program, 2, 0, 1).unwrap().end, End::StepLimit);
}
