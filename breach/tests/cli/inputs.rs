//! What is read: formats, questions, and bad input with its place (exit 2).

use crate::support::{Folder, MUTEX, NO_QUESTION, OPEN};

#[test]
fn the_format_comes_from_the_suffix_or_the_option() {
    let folder = Folder::new();
    for name in ["a.emdr", "a.tts", "a.TTS", "a.txt", "a"] {
        folder.write(name, MUTEX);
    }
    for name in ["a.emdr", "a.tts", "a.TTS"] {
        folder.run(&[name]).successful();
    }
    for name in ["a.txt", "a"] {
        folder.run(&[name]).refused(1, &["does not tell its format", "--format emdr"]);
        folder.run(&["--format", "emdr", name]).successful();
    }
    folder.run(&["--format", "spec", "a.emdr"]).refused(2, &["a.emdr:", "error:"]);
}

#[test]
fn stdin_needs_a_format() {
    let folder = Folder::new();
    folder.pipe(&["-"], MUTEX).refused(1, &["stdin", "--format emdr"]);
    folder.pipe(&["--format", "emdr", "-"], MUTEX).successful();
    folder.pipe(&["--format", "emdr", "-"], "1 x\n").refused(2, &["<stdin>:1:3: error:"]);
}

#[test]
fn a_file_named_like_a_command() {
    let folder = Folder::with("check", MUTEX);
    folder.run(&["--format", "emdr", "./check"]).successful();
    folder.run(&["--format", "emdr", "check"]).successful();
    folder.run(&["check"]).refused(1, &["<PROOF>", "<SYSTEM>"]);
}

#[test]
fn the_command_line_wins_over_the_file() {
    let folder = Folder::with("m.emdr", MUTEX);
    folder.run(&["m.emdr"]).successful().says(&["target 1|1,1 is not coverable from 0/0"]);
    folder.run(&["--target", "1|1", "m.emdr"]).failed().says(&["target 1|1 is coverable from 0/0"]);
    folder.run(&["--init", "1|/1", "m.emdr"]).failed();
    folder.run(&["--init", "0|0", "--target", "1|1", "--target", "1|0", "m.emdr"]).failed();
}

#[test]
fn targets_from_a_file() {
    let folder = Folder::with("m.emdr", NO_QUESTION);
    folder.write("targets", "# never two\n1|1,1\n\n0|1\n");
    folder.run(&["--init", "0/0", "--target", "targets", "m.emdr"]).successful().says(&["1|1,1 0|1"]);
    folder.run(&["--init", "0/0", "--target", "targets", "--target", "1|1", "m.emdr"]).failed();
    folder.write("0|1", "1|1\n");
    folder.run(&["--init", "0/0", "--target", "0|1", "m.emdr"]).successful();
    folder.write("none", "# nothing\n");
    folder.run(&["--init", "0/0", "--target", "none", "m.emdr"]).refused(2, &["none:1:1: error: no target"]);
    folder.write("bad", "1|1\n1|x\n");
    folder
        .run(&["--init", "0/0", "--target", "bad", "m.emdr"])
        .refused(2, &["bad:2:3: error:", "1|x\n      ^"]);
    folder.run(&["--init", "0/0", "--target", ".", "m.emdr"]).refused(2, &["cannot read ."]);
}

#[test]
fn a_question_that_is_incomplete() {
    let folder = Folder::with("m.emdr", NO_QUESTION);
    folder
        .run(&["m.emdr"])
        .refused(2, &["m.emdr:1:1: error: there is no initial state", "--init 0/0", "#init 0/0"]);
    folder
        .run(&["--init", "0/0", "m.emdr"])
        .refused(2, &["m.emdr:1:1: error: there is no target", "--target"]);
    folder.write("n.spec", "vars x\nrules\nx >= 1 -> x' = x - 1;\ninit\ntarget\n");
    folder
        .run(&["--target", "0|x", "n.spec"])
        .refused(2, &["n.spec:1:1: error: there is no initial", "after 'init'"]);
    folder.run(&["--init", "0/x", "n.spec"]).refused(2, &["n.spec:1:1: error: there is no target"]);
    folder.run(&["--init", "0/x", "--target", "0|x,x", "n.spec"]).failed();
}

#[test]
fn bad_states_on_the_command_line() {
    let folder = Folder::with("m.emdr", MUTEX);
    for (args, parts) in [
        (["--init", "0/9"], ["--init:1:3: error: local state 9 is out of range", "    0/9\n      ^"]),
        (["--init", "7/0"], ["--init:1:1: error: shared state 7 is out of range", "^"]),
        (["--init", ""], ["--init:1:1: error: expected a shared state", "^"]),
        (["--target", "1|9"], ["--target:1:3: error: local state 9 is out of range", "^"]),
        (["--target", "0/0"], ["--target:1:2: error:", "initial states only"]),
        (["--target", "missing"], ["--target:1:1: error:", "no file of this name"]),
        (["--target", ""], ["--target:1:1: error: expected a shared state", "^"]),
    ] {
        folder.run(&[&args[..], &["m.emdr"]].concat()).refused(2, &parts);
    }
}

#[test]
fn bad_files() {
    for (content, parts) in [
        (&b""[..], &["a.emdr:1:1: error: the file has no content"][..]),
        (b"# only this\n\n", &["a.emdr:3:1: error: the file has no content"]),
        (b"2\n", &["a.emdr:2:1: error:", "number of local states"]),
        (
            b"2 2\n0 5 -> 1 1\n",
            &["a.emdr:2:3: error: local state 5 is out of range", "    0 5 -> 1 1\n      ^"],
        ),
        (b"2 2\n0 0 => 1 1\n", &["a.emdr:2:5: error:"]),
        (b"2 2\n0 \xff -> 1 1\n", &["a.emdr:2:3: error: byte 0xff is not UTF-8"]),
        (b"\xfe\xff\0 2", &["a.emdr:1:1: error: byte 0xfe is not UTF-8"]),
        (b"2 2\n\0\0\0", &["a.emdr:2:1: error:"]),
    ] {
        Folder::with("a.emdr", content).run(&["a.emdr"]).refused(2, parts);
    }
    Folder::with("a.spec", "vars x\nrules\nx > 1 -> ;").run(&["a.spec"]).refused(2, &["a.spec:3:"]);
}

#[test]
fn files_that_cannot_be_read() {
    let folder = Folder::with("m.emdr", MUTEX);
    folder.run(&["none.emdr"]).refused(2, &["cannot read none.emdr: No such file"]);
    folder.run(&["none"]).refused(2, &["cannot read none: No such file"]);
    folder.run(&["."]).refused(2, &["cannot read .: Is a directory"]);
    folder.run(&["check", "none", "m.emdr"]).refused(2, &["cannot read none"]);
    folder.run(&["convert", "none.emdr", "--to", "spec"]).refused(2, &["cannot read none.emdr"]);
}

#[test]
fn byte_order_marks_and_line_ends_do_not_matter() {
    let text = format!("\u{feff}{}", OPEN.replace('\n', "\r\n"));
    Folder::with("a.emdr", text).run(&["a.emdr"]).failed();
}
