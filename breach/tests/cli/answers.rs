//! The answer on stdout: text, statistics, JSON, colours.

use crate::support::{Folder, HARD, MUTEX, OPEN, Run, hard};
use serde_json::{Value, json};

#[test]
fn text() {
    let folder = Folder::with("m.emdr", MUTEX);
    folder.write("o.emdr", OPEN);
    folder.run(&["--check", "m.emdr"]).successful().says(&[
        "target 1|1,1 is not coverable from 0/0\n",
        "proof: 2 minimal elements with at most 2 threads, 0 invariants (verified)\n",
    ]);
    folder
        .run(&["--target", "1|1,1", "--target", "0|1", "m.emdr"])
        .successful()
        .says(&["none of the targets 1|1,1 0|1 is coverable from 0/0\n"]);
    let run = folder.run(&["o.emdr"]).failed();
    assert_eq!(run.line_before_last(), "target 0|1,1 is coverable from 0/0: a run of 2 steps with 2 threads");
    assert_eq!(run.stderr, "");
}

#[test]
fn quiet() {
    let folder = Folder::with("m.emdr", MUTEX);
    folder.write("h.emdr", hard());
    let run = folder.run(&["-q", "--trace", "t", "m.emdr"]);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("VERIFICATION SUCCESSFUL\n", ""));
    let run = folder.run(&[&HARD[..], &["-q", "--timeout", "0.1", "h.emdr"]].concat()).unknown();
    assert_eq!(run.stdout, "reason: time limit reached; --timeout sets it\nVERIFICATION UNKNOWN\n");
}

#[test]
fn verbose() {
    let folder = Folder::with("m.emdr", MUTEX);
    let run = folder.run(&["-v", "m.emdr"]).successful();
    assert!(run.stderr.contains("2 shared states") && run.stderr.contains("searching"), "{run:?}");
    folder.run(&["-vvv", "m.emdr"]).successful();
}

#[test]
fn all_algorithms_and_switches() {
    let folder = Folder::with("m.emdr", MUTEX);
    folder.write("o.emdr", OPEN);
    for options in [
        &["--algorithm", "backward"][..],
        &["--algorithm", "widening"],
        &["--algorithm", "optimistic"],
        &["--algorithm", "forward"],
        &["--widening-width", "0"],
        &["--algorithm", "widening", "--widening-width", "2"],
        &["--no-widening"],
        &["--no-oracle"],
        &["--no-reductions"],
        &["--no-unreachable"],
        &["--no-irrelevant"],
        &["--no-merge"],
        &["--no-state-equation"],
        &["--threads", "1"],
        &["--threads", "64"],
        &["--timeout", "60", "--memory-limit", "4000"],
    ] {
        folder.run(&[options, &["--check", "m.emdr"]].concat()).successful();
        folder.run(&[options, &["--check", "o.emdr"]].concat()).failed();
    }
}

#[test]
fn statistics() {
    let folder = Folder::with("m.emdr", MUTEX);
    folder.write("o.emdr", OPEN);
    let common = [
        "shared states         2, ",
        "iterations ",
        "states ",
        "widening candidates ",
        "backtracked ",
        "forward nodes ",
        "invariants ",
        "linear programs ",
        "answered by ",
        "time parsing ",
        "time reducing ",
        "time searching ",
        "time checking ",
        "time in total ",
        "peak memory ",
    ];
    let run = folder.run(&["--stats", "--check", "m.emdr"]).successful().says(&common);
    run.says(&["proof                 2 minimal elements with at most 2 threads, 0 invariants\n"]);
    folder.run(&["--stats", "o.emdr"]).failed().says(&["trace                 2 steps, 2 threads\n"]);
}

#[track_caller]
fn document(run: &Run, code: i32) -> Value {
    assert_eq!((run.code, run.stderr.as_str()), (Some(code), ""), "{run:#?}");
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn json_of_a_proof() {
    let folder = Folder::with("m.emdr", MUTEX);
    let document = document(&folder.run(&["--json", "--check", "m.emdr"]), 0);
    assert_eq!(document["tool"], json!({ "name": "breach", "version": "0.1.0" }));
    assert_eq!(document["answer"], "uncoverable");
    assert_eq!(document["verdict"], "VERIFICATION SUCCESSFUL");
    assert_eq!(document["exit_code"], 0);
    assert_eq!(document["reason"], Value::Null);
    assert_eq!(document["trace"], Value::Null);
    let input = json!({ "file": "m.emdr", "format": "emdr", "init": "0/0", "targets": ["1|1,1"] });
    assert_eq!(document["input"], input);
    assert_eq!(document["proof"]["targets"], json!(["1|1,1"]));
    assert_eq!(document["proof"]["elements"], json!(["0|1", "1|1,1"]));
    assert_eq!(
        document["statistics"]["size"],
        json!({ "shared_states": 2, "local_states": 2, "transitions": 2 })
    );
    assert_eq!(document["statistics"]["proof_size"]["elements"], 2);
    assert!(document["statistics"]["seconds"]["total"].as_f64().unwrap() > 0.0);
}

#[test]
fn json_of_a_trace() {
    let folder = Folder::with("o.emdr", OPEN);
    let document = document(&folder.run(&["--json", "o.emdr"]), 10);
    assert_eq!((&document["answer"], &document["proof"]), (&json!("coverable"), &Value::Null));
    let trace = &document["trace"];
    assert_eq!((&trace["target"], &trace["threads"]), (&json!("0|1,1"), &json!(["0", "0"])));
    assert_eq!(trace["steps"].as_array().unwrap().len(), 2);
    let step = &trace["steps"][0];
    assert_eq!((&step["transition"], &step["line"], &step["shared"]), (&json!(0), &json!(4), &json!(0)));
    assert_eq!(step["moves"][0]["role"], "active");
    assert_eq!((&step["moves"][0]["from"], &step["moves"][0]["to"]), (&json!("0"), &json!("1")));
    assert_eq!(document["statistics"]["trace_size"], json!({ "steps": 2, "threads": 2 }));
}

#[test]
fn json_of_no_answer() {
    let folder = Folder::with("h.emdr", hard());
    let document = document(&folder.run(&[&HARD[..], &["--json", "--timeout", "0.1", "h.emdr"]].concat()), 5);
    assert_eq!(
        (&document["answer"], &document["verdict"]),
        (&json!("unknown"), &json!("VERIFICATION UNKNOWN"))
    );
    assert_eq!(document["reason"], "time limit reached; --timeout sets it");
    assert!(document["statistics"]["iterations"].as_u64().unwrap() > 0);
}

#[test]
fn colours_only_where_wanted() {
    let folder = Folder::with("m.emdr", MUTEX);
    let red = "\x1b[1;31merror:\x1b[0m";
    assert!(!folder.run(&["m.emdr"]).stdout.contains('\x1b'), "no terminal, no colours");
    let colored = folder.run(&["--color", "always", "m.emdr"]);
    assert!(colored.stdout.ends_with("\x1b[1;32mVERIFICATION SUCCESSFUL\x1b[0m\n"), "{colored:?}");
    assert!(folder.run(&["--color", "always", "none.emdr"]).stderr.contains(red));
    assert!(!folder.run(&["--color", "never", "none.emdr"]).stderr.contains('\x1b'));
    let output = folder.command(&["--color", "always", "m.emdr"]).env("NO_COLOR", "1").output().unwrap();
    assert!(output.stdout.contains(&b'\x1b'), "the option is stronger than the variable");
    let output = folder.command(&["m.emdr"]).env("NO_COLOR", "1").output().unwrap();
    assert!(!output.stdout.contains(&b'\x1b'));
}

#[test]
fn the_same_bytes_in_every_run() {
    let folder = Folder::with("m.emdr", MUTEX);
    let all = ["--proof", "-", "m.emdr"];
    let first = folder.run(&all).stdout;
    for threads in ["1", "2", "2"] {
        assert_eq!(folder.run(&[&["--threads", threads][..], &all].concat()).stdout, first);
    }
}
