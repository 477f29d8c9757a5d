//! Tests of how runs are shown.

use super::*;
use crate::program::interpret::{ExploreOptions, explore};
use crate::program::random::{Shape, program_with};
use crate::program::text::read;
use serde_json::json;

const LOST_UPDATE: &str = r#"program 1
file 0 "racy.c"
note 0 over "joins are ignored"
shared x: i8 = 0
shared done: u2 = 0
shared p: u32 = 0
address &x = 4096 size 1
local add::t: i8
local flag: bool = false
location 0 in add @0:4:0
location 1 in add @0:5:0 live add::t
location 2 in add @0:6:0
location 3 in add @0:7:0
main 0
pool 0
edge 0: 0 -> 1
  assign add::t := x
  assign p := #x00001000
  origin @0:4:3 in add "t = x;"
  origin @0:4:9 in add "p = &x;"
edge 1: 1 -> 2
  input n: u8
  guard (= n #xff)
  assign x := (bvadd |add::t| n)
  assign done := (bvadd done #b01)
  passive assign flag := true
  origin @0:5:3 in add "x = t - 1;"
edge 2: 2 -> 3
  guard (and (= done #b10) (not (= x #xfe)))
  approximate 0
property add.assertion.1 assertion @0:6:3 "x == -2" at 3
"#;

fn lost_update(program: &Program) -> Run {
    let options = ExploreOptions { forget_dead: true, ..ExploreOptions::default() };
    explore(program, 2, &options).unwrap().violated["add.assertion.1"].clone()
}

#[test]
fn a_trace_reads_like_the_source() {
    let program = read(LOST_UPDATE).unwrap();
    let run = lost_update(&program);
    let trace = Trace::new(&program, &run).unwrap();
    let all = "\
initially add::t = 0 in thread 0, add::t = 0 in thread 1

-- thread 0 (initial)
   1 racy.c:4 in add: t = x;
     racy.c:4 in add: p = &x;
         reads x: 0, writes p: &x (was 0)

-- thread 1
   2 racy.c:4 in add: t = x;
     racy.c:4 in add: p = &x;
         reads x: 0, writes p: &x (was &x)
   3 racy.c:5 in add: x = t - 1;
         n is 255, reads done: 0, writes x: -1 (was 0), writes done: 1 (was 0), flag = true in thread 0

-- thread 0 (initial)
   4 racy.c:5 in add: x = t - 1;
         n is 255, reads done: 1, writes x: -1 (was -1), writes done: 2 (was 1), flag = true in thread 1
   5 (location 2 to 3)
         reads done: 2, reads x: -1
";
    let end = "
perhaps violated after step 5: add.assertion.1 (racy.c:6): x == -2: done is 2, x is -1
step 5 may not exist: joins are ignored
";
    assert_eq!(trace.shown(Form::All), format!("{all}{end}"));
    let list = "
-- thread 0 (initial)
   1 racy.c:4 in add: t = x;
         reads x: 0
     racy.c:4 in add: p = &x;
         writes p: &x (was 0)

-- thread 1
   2 racy.c:4 in add: t = x;
         reads x: 0
     racy.c:4 in add: p = &x;
         writes p: &x (was &x)
   3 racy.c:5 in add: x = t - 1;
         n is 255, writes x: -1 (was 0), changes done: 0 to 1, flag = true in thread 0

-- thread 0 (initial)
   4 racy.c:5 in add: x = t - 1;
         n is 255, writes x: -1 (was -1), changes done: 1 to 2, flag = true in thread 1
   5 (location 2 to 3)
         reads done: 2, reads x: -1
";
    assert_eq!(trace.shown(Form::List), format!("{list}{end}"));
    let columns = "\
racy.c
     | thread 0: add             | thread 1: add
     | ------------------------- | -------------------------
   1 | 4 t = x;                  |
     |   reads x: 0              |
     | 4 p = &x;                 |
     |   writes p: &x (was 0)    |
   2 |                           | 4 t = x;
     |                           |   reads x: 0
     |                           | 4 p = &x;
     |                           |   writes p: &x (was &x)
   3 |                           | 5 x = t - 1;
     |                           |   n is 255
     |                           |   writes x: -1 (was 0)
     |                           |   changes done: 0 to 1
     |                           |   flag = true in thread 0
   4 | 5 x = t - 1;              |
     |   n is 255                |
     |   writes x: -1 (was -1)   |
     |   changes done: 1 to 2    |
     |   flag = true in thread 1 |
   5 | (location 2 to 3)         |
     |  reads done: 2            |
     |  reads x: -1              |
";
    let form = |width, always| trace.shown(Form::Columns { width, always });
    assert_eq!(form(80, false), format!("{columns}{end}"));
    assert_eq!(form(40, false), trace.shown(Form::List), "too narrow");
    assert!(form(40, true).contains("| thread 1: add\n"));
}

#[test]
fn the_work_of_the_library_is_left_out() {
    let text = r#"program 1
file 0 "x.c"
file 1 "<models/threads.c>"
shared spawn.f: bool = false @0:1:0
shared thread:7.finished: bool = false @0:7:0
shared library.count: u8 = 0 @1:1:0
shared a: [i8; 4 by u32] = {else 5} @0:2:0
local f::i: u32 = 3 @0:3:0
local f::$1: u32 = 0 @0:3:0
location 0 in main @0:7:0
location 1 in main @0:7:0
location 2 in main @0:8:0
location 3 @0:1:0
location 4 in f @0:3:0
location 5 in f @0:4:0
location 6 in f @0:5:0
main 0
pool 3
edge 0: 0 -> 1
  assign library.count := (bvadd library.count #x01)
  assign "thread:7.finished" := false
  origin @0:7:0 in main "create(f);"
edge 1: 1 -> 2
  assign spawn.f := true
  origin @0:7:0 in main "create(f);"
edge 2: 3 -> 4
  guard spawn.f
  assign spawn.f := false
  origin @0:1:0 in f "thread starts"
edge 3: 4 -> 5
  assign f::$1 := (bvadd |f::i| #x00000001)
  origin @0:3:0 in f "if (i + 1 < 4) a[i + 1] = a[0];"
  origin @0:3:0 in f "i + 1"
edge 4: 5 -> 6
  guard (not (bvult |f::$1| #x00000004))
  origin @0:3:0 in f "i + 1"
property f.bounds.1 bounds @0:3:0 "index i + 1 is outside of a[4]" at 6
"#;
    let program = read(&text.replace("shared thread:7.finished", "shared \"thread:7.finished\"")).unwrap();
    let step =
        |thread, edge| Choice { thread, edge: EdgeId(edge), inputs: Vec::new(), passive_inputs: Vec::new() };
    let steps = vec![step(0, 0), step(0, 1), step(1, 2), step(1, 3), step(1, 4)];
    let trace = Trace::new(&program, &Run { threads: 2, initial: Vec::new(), steps }).unwrap();
    let expected = "
-- thread 0 (initial)
 1-2 x.c:7 in main: create(f);
         creates thread 1

-- thread 1
   3 x.c:1 in f: thread starts
 4-5 x.c:3 in f: i + 1

violated after step 5: f.bounds.1 (x.c:3): index i + 1 is outside of a[4]: i is 3
";
    assert_eq!(trace.shown(Form::List), expected);
}

#[test]
fn a_trace_as_json_has_the_same() {
    let program = read(LOST_UPDATE).unwrap();
    let json = Trace::new(&program, &lost_update(&program)).unwrap().to_json();
    assert_eq!(json["threads"], 2);
    assert_eq!(json["steps"].as_array().unwrap().len(), 5);
    let expected = json!({
        "thread": 1, "edge": 1, "from": 1, "to": 2,
        "origin": [{ "file": "racy.c", "line": 5, "column": 3, "function": "add", "text": "x = t - 1;" }],
        "inputs": [{ "name": "n", "value": "255" }],
        "accesses": [
            { "variable": "done", "index": null, "write": false, "value": "0", "old": "0" },
            { "variable": "x", "index": null, "write": true, "value": "-1", "old": "0" },
            { "variable": "done", "index": null, "write": true, "value": "1", "old": "0" },
        ],
        "changes": [
            { "variable": "x", "thread": null, "value": "-1", "smtlib": "#xff" },
            { "variable": "done", "thread": null, "value": "1", "smtlib": "#b01" },
            { "variable": "flag", "thread": 0, "value": "true", "smtlib": "true" },
        ],
    });
    assert_eq!(json["steps"][2], expected);
    assert_eq!(json["violated"], json!([{ "property": "add.assertion.1", "after_steps": 5 }]));
    assert_eq!(json["approximate"], json!([{ "step": 4, "note": 0, "message": "joins are ignored" }]));
}

#[test]
fn what_does_not_replay_is_not_shown() {
    let program = read(LOST_UPDATE).unwrap();
    let mut run = lost_update(&program);
    run.steps.remove(0);
    assert!(Trace::new(&program, &run).is_err());
}

#[test]
fn random_runs_can_be_shown() {
    for seed in 0..40 {
        let program = program_with(seed, Shape { arrays: true, ..Shape::default() });
        let run = interpret::random(&program, 3, seed, 20).unwrap().run;
        let trace = Trace::new(&program, &run).unwrap();
        assert_eq!(trace.steps.len(), run.steps.len());
        assert!(trace.to_string().matches("random.c:").count() >= run.steps.len());
        assert_eq!(trace.to_json()["steps"].as_array().unwrap().len(), run.steps.len());
    }
}

/// What a step reads and writes: an equal value is an access, a branch that is not taken is none, an element is one of its own.
#[test]
fn accesses_of_steps() {
    let text = r#"program 1
shared x: i8 = 5
shared y: i8 = 6
shared b: bool = true
shared a: [i8; 4 by u2] = {else 7}
local i: u2 = 2
location 0
location 1
location 2
main 0
edge 0: 0 -> 1
  guard (or b (= y #x00))
  assign x := (ite b x y)
edge 1: 1 -> 2
  assign a := (store (store a i #x08) #b01 (select a #b11))
"#;
    let program = read(text).unwrap();
    let step =
        |edge| Choice { thread: 0, edge: EdgeId(edge), inputs: Vec::new(), passive_inputs: Vec::new() };
    let run = Run { threads: 1, initial: Vec::new(), steps: vec![step(0), step(1)] };
    let trace = Trace::new(&program, &run).unwrap();
    let shown = |step: usize| -> Vec<String> {
        let text = |access: &Access| {
            let name = program.variable(access.variable).name.as_str();
            let index = access.index.as_ref().map_or_else(String::new, |index| format!("[{index}]"));
            format!("{} {name}{index} {}", if access.write { "write" } else { "read" }, access.value)
        };
        trace.steps[step].accesses.iter().map(text).collect()
    };
    assert_eq!(shown(0), ["read b true", "read x #x05", "write x #x05"]);
    assert_eq!(shown(1), ["read a[#b11] #x07", "write a[#b10] #x08", "write a[#b01] #x07"]);
}

#[test]
fn why_a_run_goes_wrong() {
    let program = read(LOST_UPDATE).unwrap();
    let trace = Trace::new(&program, &lost_update(&program)).unwrap();
    let why = trace.why(&program.properties[0]);
    let lost = "Thread 0 reads x as 0 (line 4, step 1). Then thread 1 writes -1 to it (line 5, step 3). Thread 0 does not look again and \
        writes -1 (line 5, step 4): the write of thread 1 is lost.";
    assert!(why.starts_with("The run has 2 threads and 2 switches from one to another."), "{why}");
    assert!(why.contains(lost), "{why}");
    assert!(why.contains("the value of x was last written by thread 0 (line 5, step 4)."), "{why}");
}

/// A value that is checked and then used, with a change in between; nothing is written over.
#[test]
fn why_a_check_was_in_vain() {
    let text = r#"program 1
shared n: u8 = 1
location 0
location 1
location 2
location 3
main 0
pool 3
edge 0: 0 -> 1
  guard (= n #x01)
edge 1: 1 -> 2
  guard (not (= n #x01))
edge 2: 3 -> 3
  assign n := #x02
property p assertion "n == 1" at 2
"#;
    let program = read(text).unwrap();
    let step =
        |thread, edge| Choice { thread, edge: EdgeId(edge), inputs: Vec::new(), passive_inputs: Vec::new() };
    let run = Run { threads: 2, initial: Vec::new(), steps: vec![step(0, 0), step(1, 2), step(0, 1)] };
    let why = Trace::new(&program, &run).unwrap().why(&program.properties[0]);
    let changed =
        "Thread 0 reads n as 1 (step 1) and as 2 (step 3): in between, thread 1 writes it (step 2).";
    assert!(why.contains(changed) && why.ends_with("n == 1: n is 2."), "{why}");
}
