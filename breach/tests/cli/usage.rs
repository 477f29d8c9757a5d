//! Wrong usage: exit 1, a message on stderr, nothing on stdout.

use crate::support::{Folder, MUTEX};

#[track_caller]
fn refuses(args: &[&str], parts: &[&str]) {
    let folder = Folder::with("m.emdr", MUTEX);
    folder.run(args).refused(1, parts);
    assert_eq!(folder.read("m.emdr"), MUTEX, "the input is as before");
}

#[test]
fn unknown_and_incomplete_options() {
    refuses(&[], &["<FILE>", "Usage: breach"]);
    refuses(&["--nonsense", "m.emdr"], &["--nonsense"]);
    refuses(&["m.emdr", "m.emdr"], &["unexpected argument"]);
    refuses(&["m.emdr", "--init"], &["--init <STATES>", "value"]);
    refuses(
        &["--algorithm", "sideways", "m.emdr"],
        &["possible values: backward, widening, optimistic, forward"],
    );
    refuses(&["--format", "pnml", "m.emdr"], &["possible values: emdr, spec"]);
    refuses(&["--color", "blue", "m.emdr"], &["possible values: auto, always, never"]);
    refuses(&["--widening-width=-1", "m.emdr"], &["--widening-width"]);
    refuses(&["--widening-width", "-1", "m.emdr"], &["unexpected argument '-1'"]);
    refuses(&["--threads", "0", "m.emdr"], &["0 is not in 1.."]);
    refuses(&["--memory-limit", "0", "m.emdr"], &["0 is not in 1.."]);
}

#[test]
fn time_limits_are_positive() {
    for text in ["0", "-1", "nan"] {
        refuses(&[&format!("--timeout={text}"), "m.emdr"], &["must be more than 0"]);
    }
    refuses(&["--timeout", "soon", "m.emdr"], &["expected a number of seconds"]);
    refuses(&["--timeout", "inf", "m.emdr"], &["too large"]);
}

#[test]
fn repeated_options() {
    for option in
        ["--init=0/0", "--algorithm=forward", "--trace=x", "--json", "--timeout=5", "-q", "--color=auto"]
    {
        refuses(&[option, option, "m.emdr"], &["cannot be used multiple times"]);
    }
}

#[test]
fn contradictory_options() {
    for (args, parts) in [
        (&["--no-widening", "--widening-width", "2"][..], &["--no-widening", "--widening-width"][..]),
        (&["--quiet", "--verbose"], &["--quiet", "--verbose"]),
        (&["--algorithm", "forward", "--no-oracle"], &["--algorithm forward", "--no-oracle"]),
        (&["--algorithm", "forward", "--write-graph", "g.dot"], &["--algorithm forward", "--write-graph"]),
        (&["--algorithm", "forward", "--write-curve", "c"], &["--algorithm forward", "--write-curve"]),
        (&["--algorithm", "forward", "--widening-width", "2"], &["does not widen"]),
        (&["--algorithm", "backward", "--widening-width", "2"], &["does not widen"]),
        (&["--algorithm", "widening", "--no-widening"], &["--algorithm backward"]),
        (&["--no-oracle", "--write-tree", "t.dot"], &["--no-oracle", "--write-tree"]),
        (&["--json", "--proof", "-"], &["--json", "--proof -"]),
        (&["--write-graph", "-", "--write-tree", "-"], &["--write-graph -", "--write-tree -"]),
        (&["--write-graph", "-", "--trace", "-"], &["--write-graph -", "--trace -"]),
        (&["--trace", "out", "--proof", "out"], &["both write"]),
        (&["--trace", "out", "--write-tree", "./out"], &["both write"]),
        (&["--proof", "m.emdr"], &["overwrite the input"]),
        (&["--trace", "./m.emdr"], &["overwrite the input"]),
    ] {
        refuses(&[args, &["m.emdr"]].concat(), parts);
    }
}

#[test]
fn outputs_do_not_overwrite_the_targets_or_links_to_the_input() {
    let folder = Folder::with("m.emdr", MUTEX);
    folder.write("targets", "1|1,1\n");
    folder.run(&["--target", "targets", "--proof", "targets", "m.emdr"]).refused(1, &["overwrite the input"]);
    std::fs::hard_link(folder.path().join("m.emdr"), folder.path().join("link")).unwrap();
    folder.run(&["--proof", "link", "m.emdr"]).refused(1, &["overwrite the input"]);
}

#[test]
fn options_that_are_redundant_but_consistent() {
    let folder = Folder::with("m.emdr", MUTEX);
    folder.run(&["--algorithm", "backward", "--no-widening", "m.emdr"]).successful();
    folder.run(&["--no-reductions", "--no-merge", "m.emdr"]).successful();
    folder.run(&["--json", "--stats", "m.emdr"]);
    folder.run(&["--trace", "/dev/null", "--proof", "/dev/null", "m.emdr"]).successful();
    folder.run(&["--trace", "-", "--proof", "-", "m.emdr"]).successful().says(&["breach-proof 1\n"]);
}

#[test]
fn help_and_version() {
    let folder = Folder::new();
    let version = folder.run(&["--version"]);
    assert_eq!((version.code, version.stdout.as_str()), (Some(0), "breach 0.1.0\n"));
    let short = folder.run(&["-h"]).says(&["Examples:", "--target", "breach man", "breach completions"]);
    assert_eq!((short.code, short.stderr.as_str()), (Some(0), ""));
    assert!(short.stdout.lines().count() <= 45 && !short.stdout.contains("--widening-width"), "{short:#?}");
    let help = folder.run(&["--help"]).says(&["Examples:", "--widening-width", "(default: 1)"]);
    assert_eq!((help.code, help.stderr.as_str()), (Some(0), ""));
    let help = help.says(&["[default: optimistic]", "Exit status:", "VERIFICATION UNKNOWN"]);
    assert!(!help.stdout.contains("completions"), "internal commands are hidden");
    folder.run(&["check", "--help"]).says(&["PROOF REJECTED"]);
}

#[test]
fn every_option_says_its_default() {
    let folder = Folder::new();
    for command in [&["--help"][..], &["check", "--help"], &["convert", "--help"], &["generate", "--help"]] {
        let help = folder.run(command).stdout;
        let options = help.split("\n\n").filter(|block| block.trim_start().starts_with('-'));
        for block in options.filter(|block| !block.contains("Print help") && !block.contains("Print version"))
        {
            // A list of possible values separates an option from its default.
            assert!(
                block.contains("default:")
                    || block.contains("Possible values")
                    || block.contains("Use colours"),
                "{command:?}: {block}"
            );
        }
    }
}
