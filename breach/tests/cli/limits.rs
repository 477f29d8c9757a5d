//! Limits and Ctrl-C end in UNKNOWN, with the reason in the line before.

use crate::support::{Folder, HARD, Run, hard};
use std::io::Read as _;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

#[test]
fn time() {
    let folder = Folder::with("h.emdr", hard());
    let run = folder.run(&[&HARD[..], &["--stats", "--timeout", "0.2", "h.emdr"]].concat()).unknown();
    assert_eq!(run.line_before_last(), "reason: time limit reached; --timeout sets it");
    run.says(&["iterations ", "no answer after 0."]);
}

#[test]
fn memory() {
    let folder = Folder::with("h.emdr", hard());
    let run = folder.run(&[&HARD[..], &["--memory-limit", "1", "h.emdr"]].concat()).unknown();
    assert_eq!(run.line_before_last(), "reason: memory limit reached; --memory-limit sets it");
}

#[test]
fn a_search_that_cannot_decide() {
    // A transfer that the forward search cannot accelerate across.
    let text = "#init 0/0\n#target 0|2,2\n1 3\n0 0 -> 0 1 2 ~> 0\n0 1 -> 0 2 2 ~> 1\n";
    let folder = Folder::with("b.emdr", text);
    let run = folder.run(&["--algorithm", "forward", "--timeout", "5", "b.emdr"]);
    assert!(run.code == Some(5) || run.code == Some(0), "{run:?}");
    folder.run(&["--check", "b.emdr"]).successful();
}

#[test]
fn reading_that_takes_too_long() {
    let folder = Folder::new();
    let mut child = folder
        .command(&["--format", "emdr", "--timeout", "0.1", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let stdin = child.stdin.take();
    let run = Run::of(&[], child.wait_with_output().unwrap()).unknown();
    assert_eq!(run.line_before_last(), "reason: time limit reached; --timeout sets it");
    drop(stdin);
}

fn start(folder: &Folder) -> Child {
    let mut child = folder
        .command(&[&HARD[..], &["-v", "--trace", "t", "h.emdr"]].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The first message comes when Ctrl-C is already taken care of.
    let mut first = [0];
    child.stderr.as_mut().unwrap().read_exact(&mut first).unwrap();
    child
}

fn interrupt(child: &Child) {
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

#[cfg(unix)]
#[test]
fn control_c() {
    let folder = Folder::with("h.emdr", hard());
    let child = start(&folder);
    interrupt(&child);
    let run = Run::of(&[], child.wait_with_output().unwrap()).unknown();
    assert_eq!(run.line_before_last(), "reason: interrupted");
    assert!(!folder.has("t"), "nothing half-done stays");
}

#[cfg(unix)]
#[test]
fn control_c_twice() {
    let folder = Folder::new();
    // Reading stdin does not look at the flag.
    let mut child = folder
        .command(&["--format", "emdr", "-v", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let stdin = child.stdin.take();
    std::thread::sleep(Duration::from_millis(300));
    interrupt(&child);
    std::thread::sleep(Duration::from_millis(100));
    interrupt(&child);
    let run = Run::of(&[], child.wait_with_output().unwrap());
    // On a machine under load, the first one has already ended it.
    assert!(run.code == Some(130) || run.code == Some(5), "{run:?}");
    drop(stdin);
}
