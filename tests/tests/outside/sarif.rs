//! `--sarif` by the rules of SARIF 2.1.0 that viewers and services rest on: what has to be there, references that lead somewhere, files relative to the working
//! folder, an order over all threads, and names that stay the same when the source changes around them.

use crate::support::{program, run};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const RACY: &str = include_str!("../../../examples/c/racy-counter.c");

/// The document about a file of a folder.
fn document(folder: &Path, file: &str, options: &[&str]) -> Value {
    let mut command = program("monabs");
    command.args(["-q", "--sarif", "-"]).args(options).arg(file).current_dir(folder);
    let ended = run(&mut command);
    // The verdict is on stdout, too, as the last line.
    let end = ended.stdout.rfind("\n}").unwrap_or_else(|| panic!("{ended:#?}")) + 2;
    serde_json::from_str(&ended.stdout[..end]).unwrap_or_else(|error| panic!("{error}: {ended:#?}"))
}

fn text<'v>(value: &'v Value, path: &str) -> &'v str {
    let found = value.pointer(path).and_then(Value::as_str);
    found.filter(|text| !text.is_empty()).unwrap_or_else(|| panic!("no text at {path}: {value:#}"))
}

fn list<'v>(value: &'v Value, path: &str) -> &'v [Value] {
    value.pointer(path).and_then(Value::as_array).unwrap_or_else(|| panic!("no list at {path}: {value:#}"))
}

/// A file below the working folder, and a place in it.
fn check_location(run: &Value, location: &Value) {
    let uri = text(location, "/physicalLocation/artifactLocation/uri");
    assert!(!uri.starts_with(['/', '.']) && !uri.contains([' ', '\\', ':']), "{uri}");
    let base = text(location, "/physicalLocation/artifactLocation/uriBaseId");
    let folder = text(&run["originalUriBaseIds"][base], "/uri");
    assert!(folder.starts_with("file:///") && folder.ends_with('/'), "{folder}");
    let region = &location["physicalLocation"]["region"];
    assert!(region["startLine"].as_u64().is_some_and(|line| line > 0), "{location:#}");
    assert!(region.get("startColumn").is_none_or(|column| column.as_u64() > Some(0)), "{location:#}");
}

fn check_result(run: &Value, result: &Value) {
    let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
    assert_eq!(rule["id"], result["ruleId"]);
    assert!(["error", "warning", "note", "none"].contains(&text(result, "/level")));
    text(result, "/message/text");
    list(result, "/locations").iter().for_each(|location| check_location(run, location));
    assert_eq!(list(result, "/locations").len(), 1);
    // Many viewers show the first thread flow of the first code flow and nothing else: it has the whole run.
    let whole = list(result, "/codeFlows/0/threadFlows");
    assert_eq!(whole.len(), 1);
    let numbers = |flow: &Value| -> Vec<u64> {
        list(flow, "/locations").iter().map(|step| step["executionOrder"].as_u64().unwrap()).collect()
    };
    let flows = list(result, "/codeFlows/1/threadFlows");
    let (mut ids, mut order) = (BTreeSet::new(), Vec::new());
    for flow in flows {
        assert!(ids.insert(text(flow, "/id")), "{flow:#}");
        text(flow, "/message/text");
        let own = numbers(flow);
        assert!(!own.is_empty() && own.is_sorted(), "{own:?}");
        order.extend(own);
        for step in list(flow, "/locations") {
            check_location(run, &step["location"]);
            text(step, "/location/message/text");
            assert!(["important", "essential", "unimportant"].contains(&text(step, "/importance")));
        }
    }
    // One order over all threads, without gaps.
    order.sort_unstable();
    assert_eq!(order, (1..=order.len() as u64).collect::<Vec<_>>());
    assert_eq!(numbers(&whole[0]), order);
    for step in list(&whole[0], "/locations") {
        // The thread is told by its name, and by how far the step is indented.
        let thread = step["nestingLevel"].as_u64().unwrap() - 1;
        assert!(text(step, "/location/message/text").starts_with(&format!("thread {thread}, ")), "{step:#}");
    }
}

/// Checks a document; returns its run.
fn check(document: &Value) -> &Value {
    assert_eq!(text(document, "/version"), "2.1.0");
    assert!(text(document, "/$schema").ends_with("sarif-2.1.0.json"));
    assert_eq!(list(document, "/runs").len(), 1);
    let run = &document["runs"][0];
    let mut ids = BTreeSet::new();
    for rule in list(run, "/tool/driver/rules") {
        let id = text(rule, "/id");
        assert!(ids.insert(id) && id.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{id}");
        assert!(text(rule, "/name").chars().all(|c| c.is_ascii_alphanumeric()));
        for part in ["shortDescription", "fullDescription", "help"] {
            assert!(text(rule, &format!("/{part}/text")).ends_with('.'), "{rule:#}");
        }
        text(rule, "/help/markdown");
        assert_eq!(text(rule, "/defaultConfiguration/level"), "error");
    }
    assert!(text(run, "/automationDetails/id").ends_with('/'));
    let invocation = &run["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], true);
    for notification in list(invocation, "/toolExecutionNotifications") {
        text(notification, "/message/text");
    }
    list(run, "/results").iter().for_each(|result| check_result(run, result));
    run
}

#[test]
fn documents_are_as_viewers_want_them() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("my files")).unwrap();
    fs::write(folder.path().join("my files/racy.c"), RACY).unwrap();
    fs::write(folder.path().join("good.c"), "#include <assert.h>\nint main(void) { assert(1); return 0; }\n")
        .unwrap();
    let bug = document(folder.path(), "my files/racy.c", &[]);
    let run = check(&bug);
    assert_eq!(list(run, "/results").len(), 1);
    assert_eq!(
        text(run, "/results/0/locations/0/physicalLocation/artifactLocation/uri"),
        "my%20files/racy.c"
    );
    assert!(list(run, "/results/0/codeFlows/1/threadFlows").len() == 3, "{run:#}");
    let races = document(folder.path(), "my files/racy.c", &["--data-race-check"]);
    assert_eq!(text(check(&races), "/results/0/ruleId"), "data-race");

    let good = document(folder.path(), "good.c", &[]);
    assert!(list(check(&good), "/results").is_empty());
    // A service takes documents about several files together only if they are told apart.
    assert_ne!(run["automationDetails"]["id"], good["runs"][0]["automationDetails"]["id"]);

    let deep = "#include <assert.h>\nint f(int n) { return n ? 1 + f(n - 1) : 0; }\nint main(void) { assert(f(9) == 9); return 0; }\n";
    fs::write(folder.path().join("deep.c"), deep).unwrap();
    let stopped = document(folder.path(), "deep.c", &[]);
    let run = check(&stopped);
    assert!(list(run, "/results").is_empty());
    assert_eq!(text(run, "/invocations/0/toolExecutionNotifications/0/level"), "warning");
}

/// What is around entry points is in no file; all files are listed.
#[test]
fn entry_points_of_several_files() {
    let folder = tempfile::tempdir().unwrap();
    let one = "#include <assert.h>\nextern int count;\nvoid enter(void) { count++; assert(count < 3); }\n";
    fs::write(folder.path().join("one.c"), one).unwrap();
    fs::write(folder.path().join("two.c"), "int count;\n").unwrap();
    let found = document(folder.path(), "one.c", &["--entry", "enter", "two.c"]);
    let run = check(&found);
    assert_eq!(list(run, "/results").len(), 1);
    let files = list(run, "/artifacts").iter().map(|file| text(file, "/location/uri"));
    assert_eq!(files.collect::<BTreeSet<_>>(), BTreeSet::from(["one.c", "two.c"]));
    assert!(!found.to_string().contains("%3C"), "{found:#}");
}

/// Lines and other properties that come and go do not make another finding of it.
#[test]
fn a_finding_stays_the_same() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.c"), RACY).unwrap();
    let changed =
        RACY.replace("  assert(counter == 2);", "  assert(counter >= 0);\n\n  assert(counter == 2);");
    assert_ne!(changed, RACY);
    fs::write(folder.path().join("b.c"), format!("// A comment.\n{changed}")).unwrap();
    let [a, b] =
        ["a.c", "b.c"].map(|file| document(folder.path(), file, &[])["runs"][0]["results"][0].clone());
    let line = "/locations/0/physicalLocation/region/startLine";
    assert_ne!(a.pointer(line), b.pointer(line));
    assert_ne!(a["message"], b["message"], "the property has another number");
    assert_eq!(a["partialFingerprints"], b["partialFingerprints"]);
}
