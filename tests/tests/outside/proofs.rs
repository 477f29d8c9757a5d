//! Proofs in files: `monabs check` judges those of all programs, for the source that they were made from only.

use crate::support::{Ended, program, run};
use std::fs;
use std::path::Path;

/// What every program proves at once: it is about files, not about proving.
const SOURCE: &str = "extern void __VERIFIER_assert(int);\nextern int __VERIFIER_nondet_int(void);\n\
int main(void) { int y = __VERIFIER_nondet_int() & 3; __VERIFIER_assert(y < 4); return 0; }\n";

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
    fs::write(folder.join("once.c"), SOURCE).unwrap();
    for (name, file) in [("impara", "once.c"), ("cseq", "once.c"), ("monabs", "once.c")] {
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
    fs::write(folder.join("once.c"), SOURCE).unwrap();
    assert_eq!(call(folder, "cseq", &["--proof", "p", "once.c"]).code, Some(0));
    let proof = fs::read_to_string(folder.join("p")).unwrap();
    let hash = proof.lines().find_map(|line| line.strip_prefix("source ")).unwrap();
    let hash = hash.split(' ').next().unwrap();
    fs::write(folder.join("forged"), proof.replacen(hash, &"0".repeat(64), 1)).unwrap();
    fs::write(folder.join("later"), proof.replacen("monabs-proof 1", "monabs-proof 2", 1)).unwrap();
    for (name, file, reason) in [
        ("forged", "once.c", "once.c has changed since the proof was written"),
        ("p", "once.c", "once.c has changed since the proof was written"),
    ] {
        if name == "p" {
            fs::write(folder.join("once.c"), format!("{SOURCE}/* A remark. */\n")).unwrap();
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
    fs::write(folder.join("bad.c"), SOURCE.replace("y < 4", "y < 3")).unwrap();
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
