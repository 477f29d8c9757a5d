//! Files that are written, and stdout that cannot be.

use crate::support::{Folder, HARD, MUTEX, OPEN, hard};
use std::process::Stdio;

#[test]
fn traces() {
    let folder = Folder::with("o.emdr", OPEN);
    folder.run(&["--trace", "t", "o.emdr"]).failed();
    let trace = folder.read("t");
    assert!(trace.starts_with("breach-trace 1\nsystem 1 2\ninit 0|0,0\ntarget 0|1,1\n"), "{trace}");
    assert!(trace.ends_with("  # now 0|1,1\nend\n"), "{trace}");
    let run = folder.run(&["--trace", "-", "o.emdr"]).failed();
    assert!(run.stdout.starts_with(&trace), "{run:#?}");
}

#[test]
fn proofs() {
    let folder = Folder::with("m.emdr", MUTEX);
    folder.run(&["--proof", "p", "m.emdr"]).successful().says(&["(verified)"]);
    let proof = folder.read("p");
    assert_eq!(
        proof,
        "breach-proof 1\nsystem 2 2\ninit 0/0\ntarget 1|1,1\nelement 0|1\nelement 1|1,1\nend\n"
    );
    let run = folder.run(&["--proof", "-", "m.emdr"]).successful();
    assert!(run.stdout.starts_with(&proof), "{run:#?}");
}

#[test]
fn an_output_replaces_the_old_content() {
    let folder = Folder::with("m.emdr", MUTEX);
    folder.write("p", "x".repeat(10_000));
    folder.run(&["--proof", "p", "m.emdr"]).successful();
    assert!(folder.read("p").ends_with("\nend\n"));
}

#[test]
fn what_does_not_exist_is_not_written() {
    let folder = Folder::with("m.emdr", MUTEX);
    folder.write("o.emdr", OPEN);
    folder.write("old", "old");
    let run = folder.run(&["--trace", "t", "m.emdr"]).successful();
    assert_eq!(run.stderr, "note: no trace is written to t: no target is coverable\n");
    let run = folder.run(&["--proof", "p", "--trace", "t", "o.emdr"]).failed();
    assert_eq!(run.stderr, "note: no proof is written to p: the target is coverable\n");
    assert!(folder.has("t") && !folder.has("p"));
    folder.run(&["--trace", "old", "m.emdr"]).successful();
    assert_eq!(folder.read("old"), "old", "what was there stays");
    folder.write("bad.emdr", "2 2\n0");
    folder.run(&["--trace", "x", "bad.emdr"]).refused(2, &[]);
    assert!(!folder.has("x"));
}

#[test]
fn graphs_and_trees() {
    let folder = Folder::with("m.emdr", MUTEX);
    folder.run(&["--write-graph", "g.dot", "--write-tree", "t.dot", "m.emdr"]).successful();
    assert!(folder.read("g.dot").starts_with("digraph backward {"), "{}", folder.read("g.dot"));
    assert!(folder.read("t.dot").starts_with("digraph forward {"), "{}", folder.read("t.dot"));
    folder
        .run(&["--algorithm", "forward", "--write-tree", "-", "m.emdr"])
        .successful()
        .says(&["digraph forward"]);
    folder.write("h.emdr", hard());
    let unknown = [&HARD[..], &["--timeout", "0.1", "--write-graph", "h.dot", "h.emdr"]].concat();
    folder.run(&unknown).unknown();
    assert!(folder.read("h.dot").ends_with("}\n"), "also without an answer");
}

#[test]
fn curves() {
    // The running example of the thesis: figure 17 has 9 states, found one after the other.
    let running = "#init 0/0\n#target 2|\n4 3\n1 2->2 0\n0 2->1 0\n3 2->0 0\n3 1->3 2\n0 0->3 1\n";
    let folder = Folder::with("r.emdr", running);
    let plain = ["--no-oracle", "--no-reductions", "--no-state-equation", "--write-curve"];
    let backward = [&["--algorithm", "backward"], &plain[..], &["b.csv", "r.emdr"]].concat();
    folder.run(&backward).successful();
    let text = folder.read("b.csv");
    let rows: Vec<_> = text.lines().collect();
    assert_eq!((rows.len(), rows[0], rows[9]), (10, "iteration,states", "9,9"), "{text}");
    let widening = [&["--algorithm", "widening"], &plain[..], &["-", "r.emdr"]].concat();
    let text = folder.run(&widening).successful().stdout;
    let sizes: Vec<u32> = text.lines().filter_map(|row| row.split_once(',')?.1.parse().ok()).collect();
    assert!(sizes.windows(2).any(|pair| pair[1] < pair[0]), "a wrong candidate is taken back: {text}");
    folder.write("h.emdr", hard());
    let unknown = [&HARD[..], &["--timeout", "0.1", "--write-curve", "h.csv", "h.emdr"]].concat();
    folder.run(&unknown).unknown();
    assert!(folder.read("h.csv").lines().count() > 2, "also without an answer");
}

#[test]
fn files_that_cannot_be_written() {
    let folder = Folder::with("m.emdr", MUTEX);
    for option in ["--trace", "--proof", "--write-graph", "--write-tree", "--write-curve"] {
        folder.run(&[option, "missing/x", "m.emdr"]).refused(1, &["cannot write missing/x: No such file"]);
        folder.run(&[option, ".", "m.emdr"]).refused(1, &["cannot write .: Is a directory"]);
    }
    folder.run(&["convert", "m.emdr", "-o", "missing/x.spec"]).refused(1, &["cannot write missing/x.spec"]);
    folder.run(&["generate", "-o", "missing/x"]).refused(1, &["cannot write missing/x"]);
}

/// Linux has a device for this.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let folder = Folder::with("m.emdr", MUTEX);
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = folder.command(&["m.emdr"]).stdout(full()).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write to stdout"));
    folder.run(&["--proof", "/dev/full", "m.emdr"]).refused(1, &["cannot write /dev/full"]);
}

#[test]
fn a_reader_who_goes_away_is_no_error() {
    let folder = Folder::new();
    let mut child = folder
        .command(&["generate", "--transitions", "100000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}
