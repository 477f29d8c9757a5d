//! Real documents of `--json` are as `docs/json-schema` says.

use crate::support::{program, repository, run};
use serde_json::Value;
use std::process::Stdio;
use tests::schema::Schemas;

/// The document that a command prints.
fn document(name: &str, arguments: &[&str]) -> Value {
    let mut command = program(name);
    command.args(arguments).current_dir(tests::repository::root());
    let ended = run(&mut command);
    serde_json::from_str(&ended.stdout).unwrap_or_else(|error| panic!("{command:?}: {error}: {ended:#?}"))
}

/// Validates the document of each command; returns them.
fn valid(name: &str, commands: &[&[&str]]) -> Vec<Value> {
    let schemas = Schemas::read(&repository("docs/json-schema")).unwrap();
    let check = |arguments: &&[&str]| {
        let document = document(name, &[&["--json"], *arguments].concat());
        let valid = schemas.validate(&format!("{name}.json"), &document);
        assert_eq!(valid, Ok(()), "{name} {arguments:?}: {document:#}");
        document
    };
    commands.iter().map(check).collect()
}

#[test]
fn breach() {
    let [mutex, bug] = ["examples/emdr/readers-writer.emdr", "examples/emdr/readers-writer-bug.emdr"];
    let all = valid("breach", &[&["--check", mutex], &[mutex], &[bug]]);
    assert!(all[0]["proof"].is_object() && all[2]["trace"]["steps"].is_array(), "{all:#?}");
}

/// Input that never ends, so that the limit does.
#[test]
fn breach_without_an_answer() {
    let mut command = program("breach");
    command.args(["--json", "--format", "emdr", "--timeout", "0.1", "-"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let stdin = child.stdin.take();
    let document = serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap();
    drop(stdin);
    let schemas = Schemas::read(&repository("docs/json-schema")).unwrap();
    assert_eq!(schemas.validate("breach.json", &document), Ok(()), "{document:#}");
    assert_eq!(document["answer"], "unknown");
}

#[test]
fn asyncc() {
    let racy = "examples/c/racy-counter.c";
    let all = valid(
        "asyncc",
        &[
            &["--stats", racy],
            &["--show-properties", racy],
            &["--show-loops", "examples/tsl.c"],
            &["--explore", "3", racy],
            &["--random", "1", racy],
        ],
    );
    assert!(all[0]["program"].is_object() && all[0]["statistics"].is_object(), "{:#}", all[0]);
    assert!(all[2]["loops"][0]["name"].is_string(), "{:#}", all[2]);
    assert_eq!(all[3]["exploration"]["mode"], "all");
}

#[test]
fn engines() {
    let racy = "examples/c/racy-counter.c";
    let all = valid(
        "monabs",
        &[&["--stats", "--check", racy], &["--max-threads", "2", "examples/tsl.c"], &["--show-loops", racy]],
    );
    assert_eq!(all[0]["answer"], "unsafe");
    assert_eq!(valid("cseq", &[&["--stats", racy]])[0]["answer"], "unsafe");
    assert_eq!(valid("impara", &[&["--stats", "--check", racy]])[0]["answer"], "unsafe");
}

#[test]
fn proofs_of_monabs() {
    let all = valid(
        "monabs",
        &[
            &["--stats", "examples/c/mutex-counter.c"],
            &["--no-search", "--iterations", "1", "examples/tsl.c"],
        ],
    );
    assert_eq!(all[0]["answer"], "safe");
    assert_eq!(all[1]["verdict"], "VERIFICATION UNKNOWN");
}

#[test]
fn runs_in_files() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.json");
    let racy = repository("examples/c/racy-counter.c");
    let written = run(program("cseq").arg("--write-run").arg(&file).arg(&racy));
    assert_eq!(written.code, Some(10), "{written:#?}");
    let text = std::fs::read_to_string(&file).unwrap();
    let schemas = Schemas::read(&repository("docs/json-schema")).unwrap();
    assert_eq!(schemas.validate("run.json", &serde_json::from_str(&text).unwrap()), Ok(()));
    let replay = ["--replay", file.to_str().unwrap(), racy.to_str().unwrap()];
    assert!(valid("asyncc", &[&replay])[0]["exploration"]["mode"] == "replay");
    // A run of another program is no run of this one.
    let other = repository("examples/c/mutex-counter.c");
    let rejected = valid("monabs", &[&["--replay", file.to_str().unwrap(), other.to_str().unwrap()]]);
    assert_eq!(rejected[0]["verdict"], "TRACE REJECTED");
}
