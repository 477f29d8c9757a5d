//! Proofs in files: `monabs check` judges those of all programs, for the source that they were made from only.

use crate::support::{Ended, program, run};
use std::fs;
use std::path::Path;

const SOURCE: &str = include_str!("../../../examples/c/linked-stack.c");

/// Two threads, each once.
const ONCE: &str = "#include <assert.h>\n#include <pthread.h>\nstatic int x;\nstatic void *set(void *p) { x = 1; return 0; }\n\
int main(void) { pthread_t t; pthread_create(&t, 0, set, 0); assert(x < 2); pthread_join(t, 0); assert(x == 1); return 0; }\n";

fn call(folder: &Path, name: &str, arguments: &[&str]) -> Ended {
    run(program(name).args(arguments).current_dir(folder))
}

fn last(ended: &Ended) -> &str {
    ended.stdout.lines().last().unwrap_or_default()
}

#[test]
fn one_command_judges_all() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("stack.c"), SOURCE).unwrap();
    fs::write(folder.join("once.c"), ONCE).unwrap();
    for (name, file) in
        [("impara", "stack.c"), ("impara", "once.c"), ("cseq", "once.c"), ("monabs", "once.c")]
    {
        let proved = call(folder, name, &["--proof", "p", file]);
        assert_eq!(proved.code, Some(0), "{name} {file}: {proved:#?}");
        let judged = call(folder, "monabs", &["check", "p", file]);
        assert_eq!((last(&judged), judged.code), ("PROOF ACCEPTED", Some(0)), "{name} {file}: {judged:#?}");
    }
}

#[test]
fn a_source_that_has_changed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("once.c"), ONCE).unwrap();
    assert_eq!(call(folder, "cseq", &["--proof", "p", "once.c"]).code, Some(0));
    let proof = fs::read_to_string(folder.join("p")).unwrap();
    // The same file elsewhere is the same file.
    fs::create_dir(folder.join("else")).unwrap();
    fs::write(folder.join("else/same.c"), ONCE).unwrap();
    let hash = proof.lines().find_map(|line| line.strip_prefix("source ")).unwrap();
    let hash = hash.split(' ').next().unwrap();
    fs::write(folder.join("forged"), proof.replacen(hash, &"0".repeat(64), 1)).unwrap();
    fs::write(folder.join("later"), proof.replacen("monabs-proof 1", "monabs-proof 2", 1)).unwrap();
    let moved = call(folder, "monabs", &["check", "p", "else/same.c"]);
    assert!(!moved.stdout.contains("has changed") && !moved.stdout.contains("no file is as"), "{moved:#?}");
    for (name, file, reason) in [
        ("forged", "once.c", "once.c has changed since the proof was written"),
        ("p", "once.c", "once.c has changed since the proof was written"),
    ] {
        if name == "p" {
            fs::write(folder.join("once.c"), format!("{ONCE}/* A remark. */\n")).unwrap();
        }
        let judged = call(folder, "monabs", &["check", name, file]);
        assert!(last(&judged).starts_with(&format!("PROOF REJECTED: {reason}")), "{judged:#?}");
        assert_eq!(judged.code, Some(1));
    }
    let later = call(folder, "monabs", &["check", "later", "once.c"]);
    assert!(later.code == Some(2) && later.stderr.contains("version 2 of proofs is not known"), "{later:#?}");
}

#[test]
fn what_is_not_proved_has_no_proof() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("bad.c"), ONCE.replace("x < 2", "x < 1")).unwrap();
    for name in ["monabs", "impara", "cseq"] {
        let ended = call(folder, name, &["--proof", "p", "bad.c"]);
        assert_eq!(ended.code, Some(10), "{name}: {ended:#?}");
        assert!(
            ended.stderr.contains("no proof is written to p: the program is not safe"),
            "{name}: {ended:#?}"
        );
        assert!(!folder.join("p").exists());
    }
}
