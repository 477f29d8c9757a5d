//! `convert`, `generate`, `completions`, `man`.

use crate::support::{Folder, MUTEX, NO_QUESTION, OPEN};

#[test]
fn convert_there_and_back_keeps_the_answer() {
    let folder = Folder::with("m.emdr", MUTEX);
    folder.write("o.emdr", OPEN);
    for (name, code) in [("m.emdr", 0), ("o.emdr", 10)] {
        let spec = folder.run(&["convert", name, "--to", "spec"]);
        assert_eq!((spec.code, spec.stderr.as_str()), (Some(0), ""));
        assert_eq!(folder.pipe(&["--check", "--format", "spec", "-"], &spec.stdout).code, Some(code));
        let emdr = folder.pipe(&["convert", "-", "--format", "spec", "--to", "emdr"], &spec.stdout);
        assert_eq!(folder.pipe(&["--check", "--format", "emdr", "-"], &emdr.stdout).code, Some(code));
        let again = folder.run(&["convert", name, "--to", "emdr"]);
        let twice = folder.pipe(&["convert", "-", "--format", "emdr", "--to", "emdr"], &again.stdout);
        assert_eq!(again.stdout, twice.stdout, "what fits stays as it is");
    }
}

#[test]
fn convert_writes_files_and_takes_the_format_from_their_suffix() {
    let folder = Folder::with("m.emdr", NO_QUESTION);
    folder.run(&["convert", "m.emdr"]).refused(1, &["--to emdr", "Usage: breach convert"]);
    folder.run(&["convert", "m.emdr", "-o", "m.emdr"]).refused(1, &["overwrite the input"]);
    let question = ["--init", "0/0", "--target", "1|1,1"];
    let run = folder.run(&[&["convert", "m.emdr", "-o", "m.spec"][..], &question].concat());
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""));
    folder.run(&["m.spec"]).successful();
    folder.write("bad.emdr", "1");
    folder.run(&["convert", "bad.emdr", "--to", "spec"]).refused(2, &["bad.emdr:1:2: error:"]);
}

#[test]
fn convert_needs_initial_states_to_split_rules() {
    let folder =
        Folder::with("n.spec", "vars x y\nrules\nx >= 2 -> x' = x - 2, y' = y + 1;\ninit\ntarget\ny >= 1\n");
    folder.run(&["convert", "n.spec", "--to", "emdr"]).refused(2, &["n.spec: error:", "no initial states"]);
    let run = folder.run(&["convert", "n.spec", "--to", "emdr", "--init", "0|x,x"]);
    folder.pipe(&["--check", "--format", "emdr", "-"], &run.stdout).failed();
}

#[test]
fn generate_is_a_function_of_its_options() {
    let folder = Folder::new();
    let options = ["generate", "--shared", "3", "--locals", "8", "--transitions", "30", "--transfers", "0.2"];
    let more = ["--spawns", "0.1", "--broadcasts", "0.1", "--rules", "3", "--seed"];
    let make = |seed: &str| folder.run(&[&options[..], &more, &[seed]].concat());
    let first = make("7");
    assert_eq!((first.code, first.stderr.as_str()), (Some(0), ""));
    assert_eq!(first.stdout, make("7").stdout);
    assert_ne!(first.stdout, make("8").stdout);
    let run = folder.pipe(&["--check", "--timeout", "60", "--format", "emdr", "-"], &first.stdout);
    assert!(matches!(run.code, Some(0 | 5 | 10)), "{run:?}");
    folder.run(&[&options[..], &more, &["7", "-o", "g.emdr"]].concat());
    assert_eq!(folder.read("g.emdr"), first.stdout);
}

#[test]
fn generate_refuses_what_it_cannot_make() {
    let folder = Folder::new();
    folder.run(&["generate", "--transfers", "1.5"]).refused(1, &["from 0 to 1"]);
    folder.run(&["generate", "--spawns", "nan"]).refused(1, &["from 0 to 1"]);
    folder
        .run(&["generate", "--spawns", "0.6", "--broadcasts", "0.6"])
        .refused(1, &["must not exceed 1 together"]);
    folder.run(&["generate", "--locals", "0"]).refused(1, &["0 is not in 1.."]);
    folder.run(&["generate", "--seed", "1", "--seed", "2"]).refused(1, &["multiple times"]);
}

#[test]
fn completions_and_manual_pages() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish"] {
        folder.run(&["completions", shell]).says(&["widening-width"]);
    }
    folder.run(&["completions", "tcsh"]).refused(1, &["possible values"]);
    folder.run(&["man"]).says(&[".TH breach 1", "widening\\-width", "Exit status:"]);
    folder.run(&["man", "generate"]).says(&[".TH breach-generate 1", "\\-\\-seed"]);
    folder.run(&["man", "nothing"]).refused(1, &["no command 'nothing'"]);
}
