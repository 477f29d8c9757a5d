//! `breach check`: good, tampered and foreign proofs and traces.

use crate::support::{Folder, MUTEX, NO_QUESTION, OPEN};

fn proof() -> Folder {
    let folder = Folder::with("m.emdr", MUTEX);
    folder.run(&["--proof", "p", "m.emdr"]).successful();
    folder
}

fn trace() -> Folder {
    let folder = Folder::with("o.emdr", OPEN);
    folder.run(&["--trace", "t", "o.emdr"]).failed();
    folder
}

/// Replaces a part of a file.
fn tamper(folder: &Folder, name: &str, old: &str, new: &str) {
    let text = folder.read(name);
    assert!(text.contains(old), "{old:?} is not in {text}");
    folder.write("tampered", text.replacen(old, new, 1));
}

#[test]
fn a_good_proof() {
    let folder = proof();
    folder.run(&["check", "p", "m.emdr"]).successful().says(&[
        "proof of 2 minimal elements with at most 2 threads, 0 invariants: holds",
        "proved: from 0/0, none of 1|1,1 is coverable\n",
    ]);
    let run = folder.run(&["check", "-q", "p", "m.emdr"]);
    assert_eq!(run.stdout, "VERIFICATION SUCCESSFUL\n");
    folder.pipe(&["check", "-", "m.emdr"], &folder.read("p")).successful();
    folder.pipe(&["check", "--format", "emdr", "p", "-"], MUTEX).successful();
    folder.run(&["check", "-", "-"]).refused(1, &["only one of PROOF and SYSTEM"]);
}

#[test]
fn proofs_that_do_not_hold() {
    let folder = proof();
    for (old, new, reason) in [
        ("element 1|1,1\n", "", "target 1|1,1 is not in the proof's set"),
        ("element 0|1\n", "", "PROOF REJECTED: element 0 (1|1,1) has the predecessor 0|0,1"),
        ("element 0|1\n", "element 0|0\n", "is covered by an initial state"),
        ("element 0|1\n", "invariant 0 : 0:0 | 0:1\n", "does not hold initially"),
        ("target 1|1,1\n", "", "no target"),
    ] {
        tamper(&folder, "p", old, new);
        let run = folder.run(&["check", "tampered", "m.emdr"]).says(&["PROOF REJECTED: ", reason]);
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(!run.stdout.contains("VERIFICATION"), "{run:?}");
    }
}

#[test]
fn a_proof_of_something_else() {
    let folder = proof();
    for (args, reason) in [
        (["--init", "0|0"], "the proof is about the initial states 0/0, the question about 0|0"),
        (["--target", "1|1"], "the question has the target 1|1, which is not among"),
    ] {
        let run = folder.run(&[&["check", "p", "m.emdr"][..], &args].concat());
        let run = run.says(&["PROOF REJECTED: ", reason]);
        assert_eq!(run.code, Some(1), "{run:?}");
    }
    folder.run(&["check", "--init", "0/0", "--target", "1|1,1", "p", "m.emdr"]).successful();

    folder.write("other.emdr", MUTEX.replace("#init 0/0", "#init 0|/0,1").replace("1|1,1", "0|1"));
    let run = folder.run(&["check", "-q", "p", "other.emdr"]).successful();
    assert!(
        run.stderr.contains("warning: this is about the start in 0/0; the system file says 0/0,1"),
        "{run:?}"
    );
    assert!(run.stderr.contains("warning: the proof is not about these targets of the system file: 0|1"));

    folder.write("none.emdr", NO_QUESTION);
    assert_eq!(folder.run(&["check", "p", "none.emdr"]).successful().stderr, "");
}

#[test]
fn files_that_are_no_proofs() {
    let folder = proof();
    for (old, new, place) in [
        ("end\n", "", "tampered:7:1: error: the file is cut off"),
        ("breach-proof 1", "breach-proof 2", "tampered:1:14: error: this is version 2"),
        ("breach-proof 1", "breach-poem 1", "tampered:1:1: error: a proof starts with 'breach-proof 1'"),
        ("system 2 2", "system 2 3", "tampered:2:8: error:"),
        ("1|1,1", "1|1,7", "tampered:4:12: error: local state 7 is out of range"),
        ("element", "elephant", "tampered:5:1: error:"),
    ] {
        tamper(&folder, "p", old, new);
        folder.run(&["check", "tampered", "m.emdr"]).refused(2, &[place]);
    }
    folder.write("empty", "");
    folder.run(&["check", "empty", "m.emdr"]).refused(2, &["empty:1:1: error:", "the file is empty"]);
    folder.write("binary", b"breach-proof \xff");
    folder.run(&["check", "binary", "m.emdr"]).refused(2, &["binary:1:14: error: byte 0xff"]);
}

#[test]
fn a_good_trace() {
    let folder = trace();
    folder
        .run(&["check", "t", "o.emdr"])
        .failed()
        .says(&["run of 2 steps with 2 threads from 0|0,0: covers 0|1,1\n"]);
    folder.run(&["check", "--init", "0/0", "--target", "0|1,1", "t", "o.emdr"]).failed();
}

#[test]
fn traces_that_are_no_runs() {
    let folder = trace();
    for (old, new, reason) in [
        ("target 0|1,1", "target 0|1,1,1", "does not cover the target 0|1,1,1"),
        ("thread 1 active 0 -> 1", "thread 0 active 0 -> 1", "TRACE REJECTED: step 2"),
    ] {
        tamper(&folder, "t", old, new);
        let run = folder.run(&["check", "tampered", "o.emdr"]).says(&["TRACE REJECTED: ", reason]);
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(!run.stdout.contains("VERIFICATION"), "{run:?}");
    }
    tamper(&folder, "t", "end\n", "");
    folder.run(&["check", "tampered", "o.emdr"]).refused(2, &["cut off"]);
}

#[test]
fn a_trace_of_something_else() {
    let folder = trace();
    let run = folder.run(&["check", "--init", "0|0", "t", "o.emdr"]);
    assert_eq!(run.says(&["TRACE REJECTED: the run does not start in an initial state"]).code, Some(1));
    let run = folder.run(&["check", "--target", "0|1", "t", "o.emdr"]);
    assert_eq!(
        run.says(&["TRACE REJECTED: the run covers 0|1,1, which is not among the targets"]).code,
        Some(1)
    );
    folder.write("other.emdr", OPEN.replace("0/0", "0|0").replace("0|1,1", "0|0"));
    let run = folder.run(&["check", "t", "other.emdr"]).failed();
    assert!(
        run.stderr.contains("warning: this is about the start in 0|0,0; the system file says 0|0"),
        "{run:?}"
    );
    assert!(run.stderr.contains("warning: the trace covers 0|1,1, which is no target"), "{run:?}");
}
