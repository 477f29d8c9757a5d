//! Every command in the documents runs and prints what they say; options that they name exist.
//!
//! `UPDATE_DOCS=1 cargo test -p tests --test outside documents` writes outputs anew that are shown as a whole. `DOCUMENTS=all` runs slow commands, too,
//! and those whose output is a matter of luck.

use crate::support::{names, program, programs, repository, run};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tests::repository::{files_below, root};
use tests::transcript::{commands, compare, quoted, replaced};

/// Documents for users and developers, relative to the root.
fn documents() -> Vec<PathBuf> {
    let mut found = vec![
        PathBuf::from("README.md"),
        PathBuf::from("CONTRIBUTING.md"),
        PathBuf::from("scripts/README.md"),
    ];
    for folder in ["docs", "examples"] {
        let files = files_below(&root().join(folder)).unwrap().into_iter();
        found.extend(
            files
                .filter(|file| file.extension().is_some_and(|suffix| suffix == "md"))
                .map(|file| file.strip_prefix(root()).unwrap().to_owned()),
        );
    }
    found
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for name in names(from) {
        let (from, to) = (from.join(&name), to.join(&name));
        if from.is_dir() { copy(&from, &to) } else { fs::copy(from, to).map(|_| ()).unwrap() }
    }
}

/// Where commands of a document run: beside it if it is an example's, in the root if not.
fn place(scratch: &Path, document: &Path) -> PathBuf {
    let folder = document.parent().filter(|folder| folder.starts_with("examples"));
    scratch.join(folder.unwrap_or(Path::new("")))
}

/// Runs the commands of a document; returns those that are not as it says.
fn check(document: &Path) -> Vec<String> {
    let text = fs::read_to_string(repository(&document.to_string_lossy())).unwrap();
    let all = commands(&text);
    if all.is_empty() {
        return Vec::new();
    }
    let scratch = tempfile::tempdir().unwrap();
    copy(&repository("examples"), &scratch.path().join("examples"));
    let path = format!("{}:{}", programs().display(), std::env::var("PATH").unwrap_or_default());
    let are_all = std::env::var_os("DOCUMENTS").is_some_and(|which| which == "all");
    let (mut wrong, mut outputs) = (Vec::new(), Vec::new());
    for command in &all {
        if command.is_slow && !are_all {
            outputs.push(None);
            continue;
        }
        let mut shell = Command::new("bash");
        shell.args(["-c", &command.text]).current_dir(place(scratch.path(), document)).env("PATH", &path);
        shell.env_remove("COLUMNS");
        let ended = run(shell.stdin(std::process::Stdio::null()));
        let is_answer = matches!(ended.code, Some(0 | 10)) || !command.output.is_empty();
        let compared =
            if is_answer { compare(&command.output, &ended.stdout) } else { Err("an answer".to_owned()) };
        if let Err(missing) = compared {
            let at = format!("{}:{}: $ {}", document.display(), command.line, command.text);
            wrong.push(format!(
                "{at}\nexpected: {missing}\nbut it printed:\n{}{}",
                ended.stdout, ended.stderr
            ));
        }
        let is_whole = !command.output.iter().any(|line| line.trim() == "...");
        outputs.push(Some(ended.stdout).filter(|_| is_whole));
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(repository(&document.to_string_lossy()), replaced(&text, &outputs)).unwrap();
    }
    wrong
}

#[test]
fn commands_do_what_documents_say() {
    let documents = documents();
    let wrong = tests::binary::two_at_a_time(&documents, |document| check(document)).concat();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let number: usize = documents
        .iter()
        .map(|document| commands(&fs::read_to_string(root().join(document)).unwrap()).len())
        .sum();
    assert!(number > 30, "only {number} commands were found");
}

/// The picture in the README is what `--svg` writes.
#[test]
fn the_picture_is_ours() {
    let picture = run(program("monabs").args(["-q", "--svg", "-", PICTURED]).current_dir(root())).stdout;
    let picture = picture.strip_suffix("VERIFICATION FAILED\n").unwrap_or_else(|| panic!("{picture}"));
    let path = root().join("docs/run.svg");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, picture).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap_or_default(), picture, "UPDATE_DOCS=1 writes it anew");
    assert!(fs::read_to_string(root().join("README.md")).unwrap().contains("](docs/run.svg)"));
}

const PICTURED: &str = "examples/walk/1-racy-counter.c";

/// The options of a program and of its commands, from its help.
fn options(name: &str, subcommands: &[&str]) -> BTreeSet<String> {
    let mut options = BTreeSet::new();
    for subcommand in std::iter::once(&[][..]).chain(subcommands.iter().map(std::slice::from_ref)) {
        let help = run(program(name).args(subcommand).arg("--help"));
        assert_eq!(help.code, Some(0), "{name} {subcommand:?}: {help:#?}");
        let words = help.stdout.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
        options.extend(words.filter(|word| word.starts_with("--")).map(str::to_owned));
    }
    options
}

/// The options in a command, without values; what comes after a pipe or `&&` is another command.
fn named(command: &str) -> Vec<&str> {
    let own = command.split(['|', '&', ';', '<', '#']).next().unwrap_or_default();
    let words = own.split_whitespace().filter(|word| word.starts_with("--") && word.len() > 2);
    words.map(|word| word.split(['=', ',', '\\', '[', ')', ':']).next().unwrap_or(word)).collect()
}

#[test]
fn options_in_documents_exist() {
    let tables = [
        ("monabs", options("monabs", &["check"])),
        ("breach", options("breach", &["check", "convert", "generate"])),
        ("asyncc", options("asyncc", &[])),
        ("cseq", options("cseq", &[])),
        ("impara", options("impara", &["check"])),
    ];
    let mut wrong = Vec::new();
    for document in documents() {
        let text = fs::read_to_string(root().join(&document)).unwrap();
        for (line, piece) in quoted(&text) {
            let first = piece.split_whitespace().next().unwrap_or_default();
            let known = tables.iter().find(|(name, _)| *name == first);
            let missing =
                named(piece).into_iter().find(|option| known.is_some_and(|(_, all)| !all.contains(*option)));
            if let Some(option) = missing {
                wrong.push(format!("{}:{line}: `{piece}`: there is no {option}", document.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The script of the example of a workflow, on a program that is safe, one that is not, and one that is no C.
#[test]
fn the_workflow_fails_on_bugs() {
    let workflow = fs::read_to_string(repository("examples/ci/monabs.yml")).unwrap();
    let script =
        workflow.split_once("# [verify]\n").and_then(|(_, rest)| rest.split_once("# [end]")).unwrap().0;
    let scratch = tempfile::tempdir().unwrap();
    fs::write(scratch.path().join("good.c"), "int main(void) { return 0; }\n").unwrap();
    fs::write(scratch.path().join("broken.c"), "int main(void) {\n").unwrap();
    fs::copy(repository("examples/c/racy-counter.c"), scratch.path().join("racy.c")).unwrap();
    let path = format!("{}:{}", programs().display(), std::env::var("PATH").unwrap_or_default());
    let verify = |files: &str| {
        let mut shell = Command::new("bash");
        shell
            .args(["-e", "-c", script])
            .env("PATH", &path)
            .env("FILES", files)
            .env("OPTIONS", "--timeout 60");
        run(shell.current_dir(scratch.path()))
    };
    let good = verify("good.c");
    assert!(good.code == Some(0) && good.stdout.ends_with("good.c: proved\n"), "{good:#?}");
    let bad = verify("racy.c good.c");
    assert!(bad.code == Some(1) && bad.stdout.contains("::error file=racy.c::a run violates"), "{bad:#?}");
    assert!(bad.stdout.ends_with("good.c: proved\n"), "the others are checked, too: {bad:#?}");
    let findings = fs::read_to_string(scratch.path().join("sarif/racy.sarif")).unwrap();
    let findings: serde_json::Value = serde_json::from_str(&findings).unwrap();
    let location = &findings["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"]["uri"], "racy.c", "{findings:#}");
    let broken = verify("broken.c");
    assert!(broken.code == Some(1) && broken.stdout.contains("ended with status 2"), "{broken:#?}");
}
