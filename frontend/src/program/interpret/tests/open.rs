//! Values that nobody looks at are not chosen, and exploration without them agrees with all of them.

use super::*;
use crate::program::random::{Shape, program_with};
use crate::program::{DataType, Input, Property};
use std::collections::BTreeSet;

/// A declaration in a loop that may or may not fill its array, then something with `a`, `x` and `w`.
fn declared(end: &str) -> Program {
    program(&format!(
        r#"program 1
        shared g: u8 = 0 shared b: [u8 by u32] = {{else 0}}
        local a: [u8 by u32] = {{else 0}} local x: u32 = 0 local y: u32 = 0 local w: u200 = 0 local i: u2 = 0
        location 0 location 1 location 2 location 3 main 0 pool 3
        edge 0: 0 -> 1 input n: [u8 by u32] input m: u32 input v: u200 assign a := n assign x := m assign w := v
        edge 1: 1 -> 2 assign a := (store (store a #x00000001 #x07) #x00000000 #x05)
          assign i := (bvadd i #b01) assign b := (store a #x00000001 #x07) assign y := (bvadd x #x00000003)
        edge 2: 2 -> 0 guard (= i #b01) assign g := (select b #x00000001)
        {end}
        property reached assertion "" at 3"#
    ))
}

fn outcome(end: &str) -> (bool, bool, usize) {
    let program = declared(end);
    // Nobody else starts in the place of the property.
    let program = Program { pool: None, ..program };
    let exploration = all(&program, 1, true);
    for (name, run) in &exploration.violated {
        assert!(replay(&program, run).unwrap().violated.contains_key(name));
    }
    (exploration.complete, exploration.sampled, exploration.violated.len())
}

#[test]
fn what_is_stored_before_it_is_read_needs_no_choice() {
    let safe = (true, false, 0);
    assert_eq!(outcome("edge 3: 2 -> 3 guard (and (= g #x07) (= (select a #x00000000) #x06))"), safe);
    // The same with parts of what is open: the rest does not matter.
    let masked = "edge 3: 2 -> 3 guard (bvult #x000000f0 (bvand (bvor x #x000000f0) #x000000f0))";
    assert_eq!(outcome(masked), safe);
    assert_eq!(outcome("edge 3: 2 -> 3 guard (= ((_ extract 0 0) (bvshl y #x00000001)) #b1)"), safe);
}

#[test]
fn what_is_looked_at_is_sampled() {
    let sampled = |end| assert_eq!(outcome(end), (false, true, 1), "{end}");
    sampled("edge 3: 2 -> 3 guard (= (select b #x00000002) #x01)");
    sampled("edge 3: 2 -> 3 guard (= x #x00000001)");
    sampled("edge 3: 2 -> 3 guard (= y #x00000003)");
    sampled("edge 3: 2 -> 3 guard (not (= a b)) edge 4: 2 -> 2 assign b := a assign a := (store a x #x08)");
    sampled("edge 3: 2 -> 3 guard (bvult w #x00000000000000000000000000000000000000000000000001)");
    sampled("edge 3: 2 -> 3 guard (= (select (store b x #x01) #x00000000) #x01)");
    sampled("edge 3: 2 -> 3 guard (= (select (ite (= x #x00000001) a b) #x00000002) #x01)");
}

#[test]
fn a_run_past_open_values_replays() {
    assert_eq!(outcome("edge 3: 2 -> 3 guard (= g #x07)"), (false, false, 1));
}

#[test]
fn races_look_at_their_index() {
    let text = r#"program 1
        local i: u32 local j: u32
        location 0 live i location 1 live i main 0 pool 0
        edge 0: 0 -> 1 assign j := i
        property same data-race "" race 1 [i] with 1 [i]
        property other data-race "" race 1 [#x00000001] with 1 [#x00000002]"#;
    let program = program(text);
    let one = all(&program, 1, true);
    assert_eq!((one.complete, one.states), (true, 2));
    let two = all(&program, 2, true);
    assert!(two.sampled && two.violated.contains_key("same") && !two.violated.contains_key("other"));
}

#[test]
fn broadcasts_do_not_guess() {
    let text = |term: &str| {
        format!(
            r#"program 1
        shared s: u32 = 0 local l: u32
        location 0 live l location 1 live l main 0 pool 0
        edge 0: 0 -> 1 passive assign l := {term}"#
        )
    };
    let constant = all(&program(&text("#x00000001")), 2, false);
    assert_eq!((constant.complete, constant.states), (true, 1 + 2 + 1));
    assert!(all(&program(&text("(bvadd l@P s)")), 2, false).sampled);
    assert!(all(&program(&text("(bvadd l s)")), 2, false).sampled);
}

/// The program with an array that may be set to anything, and without an initial value.
fn with_open_arrays(seed: u64) -> Program {
    let mut program = program_with(seed, Shape { arrays: true, ..Shape::default() });
    let array = program.variables.len() - 1;
    program.variables[array].init = None;
    let sort = program.variables[array].data_type.sort();
    let id = VariableId(array as u32);
    for (index, edge) in program.edges.iter_mut().enumerate() {
        if (seed as usize + index).is_multiple_of(3)
            && edge.assign.iter().all(|(assigned, _)| *assigned != id)
        {
            let input = Input { name: Symbol::new("array"), sort };
            edge.assign.push((id, input.term()));
            edge.inputs.push(input);
        }
    }
    program
}

/// Exploration in which nearly everything is open against one that tries all values.
#[test]
fn open_values_agree_with_all_values() {
    let (mut complete, mut violated, mut open) = (0, 0, 0);
    for seed in 0..1500 {
        let mut program = with_open_arrays(seed);
        let threads = 1 + seed as usize % 2;
        if seed % 5 == 0 {
            // With a property that nothing violates, the search does not end early.
            let DataType::Array { .. } = program.variables[5].data_type else { panic!("an array") };
            let last = program.locations.last().cloned().unwrap();
            program.locations.push(last);
            let target = crate::program::Target::Location(LocationId(program.locations.len() as u32 - 1));
            let never = Property { name: "never".to_owned(), target, ..program.properties[0].clone() };
            program.properties.push(never);
        }
        let limits = Limits { states: 3_000, ..Limits::default() };
        let options = ExploreOptions { limits, forget_dead: seed % 3 == 0, ..ExploreOptions::default() };
        let closed = explore(&program, threads, &ExploreOptions { lazy: false, ..options }).unwrap();
        if closed.stop == Some(Stop::States) || closed.sampled {
            continue;
        }
        let domain =
            InputDomain { max_input_values: seed as usize % 3, max_initial_states: seed as usize % 4 };
        let found = explore(&program, threads, &ExploreOptions { domain, ..options }).unwrap();
        if found.sampled {
            continue;
        }
        open += 1;
        let names = |exploration: &Exploration| exploration.violated.keys().cloned().collect::<BTreeSet<_>>();
        if found.complete {
            complete += 1;
            assert!(closed.complete, "seed {seed}");
        }
        assert_eq!(names(&found), names(&closed), "seed {seed}");
        for (name, run) in &found.violated {
            violated += 1;
            assert_eq!(run.steps.len(), closed.violated[name].steps.len(), "seed {seed}");
            let replayed = replay(&program, run).unwrap();
            assert_eq!(replayed.violated.get(name), Some(&run.steps.len()), "seed {seed}");
        }
    }
    assert!(open > 60 && complete > 60 && violated > 5, "{open} {complete} {violated}");
}
