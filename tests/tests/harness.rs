//! Bugs that run: `--harness` writes, gcc builds, and the script ends in the failure that the run ends in. The programs are the unsafe ones of `examples/`, but for
//! a few that take minutes; `HARNESS=all` takes these, too. It is printed which are driven and which are not, by reason.
//! Those of `tests/regress/harness` are all driven in their own source, one for each kind of failure and each function that threads meet in.
//!
//! A harness that was damaged does not claim success.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may stop at the first broken assumption, too"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use tests::binary::{self, Verdict, two_at_a_time};
use tests::repository::root;

/// Drivers whose runs are long.
const SLOW: [&str; 3] = ["11-bsd-ak2-bug.c", "12-bsd-ra2-bug.c", "13-netbsd-sp2-bug.c"];

/// In these, a step of the reduced program looks again at what it has just written, has lost the critical section around it, goes on in a loop over inputs that do not
/// matter, or speaks of elements of an array as variables.
const FOUND_AGAIN: [&str; 6] = [
    "c/accounts-bug.c",
    "c/create-join-mutex-bug.c",
    "c/latch-bug.c",
    "locks/treiber-bug.c",
    "thesis/31-mozilla-vf-bug.c",
    "thesis/37-pthread.c",
];

/// What one program came to.
struct Driven {
    name: String,
    /// Why the model was run and not the source.
    reason: Option<String>,
}

/// A folder that is removed in the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("harness-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn unsafe_programs(folder: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
    let is_unsafe = |path: &PathBuf| {
        path.extension().is_some_and(|extension| extension == "c")
            && std::fs::read_to_string(path).unwrap().starts_with("// EXPECT: unsafe")
    };
    files.retain(is_unsafe);
    files.sort();
    assert!(!files.is_empty(), "no unsafe programs in {folder}");
    files
}

/// What a program wants to be asked with: drivers have entry points instead of `main`.
fn options(program: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(program).unwrap();
    let second = text.lines().nth(1).and_then(|line| line.strip_prefix("// OPTIONS: ")).unwrap_or_default();
    second.split_whitespace().map(str::to_owned).collect()
}

/// Writes the harness of a program. The property that the run violates, and what was said.
fn write(program: &Path, folder: &Path) -> Option<(String, String)> {
    let monabs = binary::monabs().unwrap();
    let folder = folder.display().to_string();
    let own = options(program);
    let mut options: Vec<&str> = own.iter().map(String::as_str).collect();
    options.extend(["--timeout", "200", "--harness", &folder]);
    let answer = binary::ask(&monabs, program, &options).unwrap();
    if answer.verdict == Verdict::Unknown {
        return None;
    }
    assert_eq!(answer.verdict, Verdict::Unsafe, "{}: {}", program.display(), answer.messages);
    let property = answer.output.lines().find_map(|line| line.strip_prefix("run to ")).unwrap();
    Some((property.to_owned(), answer.messages))
}

/// Runs the script: its exit status, and what it prints.
fn run(folder: &Path) -> (i32, String) {
    let finished = Command::new(folder.join("run.sh")).output().unwrap();
    let text = String::from_utf8_lossy(&finished.stdout) + String::from_utf8_lossy(&finished.stderr);
    (finished.status.code().unwrap_or(-1), text.into_owned())
}

fn drive(program: &Path) -> Option<Driven> {
    let name = program.file_name().unwrap().to_string_lossy().into_owned();
    let kind = program.parent().unwrap().file_name().unwrap().to_string_lossy().into_owned();
    let folder = Scratch::new(&format!("{kind}-{name}"));
    let (property, messages) = write(program, &folder.0)?;
    let reason = messages
        .lines()
        .find_map(|line| line.split_once("not the source itself: "))
        .map(|(_, why)| why.to_owned());
    let (status, text) = run(&folder.0);
    let reached = if reason.is_some() { "reached in the model: " } else { "reached: " };
    assert!(text.contains(&format!("{reached}{property}:")), "{name}: {property}:\n{text}");
    assert_eq!((status, text.lines().last()), (0, Some("REPRODUCED")), "{name}:\n{text}");
    // Only the model says that it is one.
    assert_eq!(folder.0.join("model.c").exists(), reason.is_some());
    Some(Driven { name, reason })
}

#[test]
fn unsafe_examples_run_into_their_failure() {
    let all = std::env::var_os("HARNESS").is_some();
    let folders = ["c", "walk", "drivers", "locks", "thesis"];
    let mut programs: Vec<PathBuf> =
        folders.iter().flat_map(|folder| unsafe_programs(&format!("examples/{folder}"))).collect();
    programs.retain(|program| all || SLOW.iter().all(|slow| !program.ends_with(slow)));
    let driven = two_at_a_time(&programs, |program| drive(program));
    for (program, driven) in programs.iter().zip(&driven) {
        if driven.is_none() {
            println!("no answer in time: {}", program.display());
        }
    }
    let driven: Vec<Driven> = driven.into_iter().flatten().collect();
    let mut by_reason: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for Driven { name, reason } in &driven {
        by_reason.entry(reason.as_deref().unwrap_or("driven")).or_default().push(name);
    }
    for (reason, names) in &by_reason {
        println!("{reason}: {} ({})", names.len(), names.join(" "));
    }
    let source = by_reason.get("driven").map_or(0, Vec::len);
    assert!(
        5 * source >= 3 * programs.len(),
        "only {source} of {} programs are driven: {by_reason:?}",
        programs.len()
    );
}

#[test]
fn runs_are_found_again_before_reductions() {
    let programs = FOUND_AGAIN.map(|name| root().join("examples").join(name));
    for driven in two_at_a_time(&programs, |program| drive(program)).into_iter().flatten() {
        assert_eq!(driven.reason, None, "{}", driven.name);
    }
}

#[test]
fn all_kinds_of_failures_are_driven_in_the_source() {
    let programs = unsafe_programs("tests/regress/harness");
    let driven = two_at_a_time(&programs, |program| drive(program));
    for (program, driven) in programs.iter().zip(driven) {
        let driven = driven.unwrap_or_else(|| panic!("no answer: {}", program.display()));
        assert_eq!(driven.reason, None, "{}", driven.name);
    }
}

/// Each file is compiled by itself, and a static variable is that of its file.
#[test]
fn several_files() {
    let folder = root().join("tests/regress/harness/files");
    let files = ["main.c", "worker.c"].map(|name| folder.join(name).display().to_string());
    let harness = Scratch::new("files");
    let monabs = binary::monabs().unwrap();
    let path = harness.0.display().to_string();
    let options = [files[1].as_str(), "--harness", &path];
    let answer = binary::ask(&monabs, Path::new(&files[0]), &options).unwrap();
    assert_eq!(answer.verdict, Verdict::Unsafe, "{}", answer.messages);
    assert!(!answer.messages.contains("not the source itself"), "{}", answer.messages);
    let (status, text) = run(&harness.0);
    assert_eq!((status, text.lines().last()), (0, Some("REPRODUCED")), "{text}");
    assert!(text.contains("worker.c"), "{text}");
}

/// Each file of a project has macros of its own.
#[test]
fn a_project() {
    let folder = Scratch::new("project-source");
    std::fs::create_dir(&folder.0).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.0.join(name), text).unwrap();
    let source =
        |name: &str| std::fs::read_to_string(root().join("tests/regress/harness/files").join(name)).unwrap();
    write("main.c", &source("main.c"));
    write("shared.h", &source("shared.h"));
    write("worker.c", &source("worker.c").replace("hits++", "STEP"));
    let command = |file: &str, macros: &str| {
        format!("{{\"directory\": \".\", \"file\": \"{file}\", \"command\": \"cc {macros} -c {file}\"}}")
    };
    let commands = [command("main.c", ""), command("worker.c", "-DSTEP=hits=hits+1")];
    write("compile_commands.json", &format!("[{}]", commands.join(", ")));
    let harness = Scratch::new("project");
    let (project, path) = (folder.0.join("compile_commands.json"), harness.0.display().to_string());
    let monabs = binary::monabs().unwrap();
    let answer = binary::ask(&monabs, &project, &["--harness", &path, "--project"]).unwrap();
    assert_eq!(answer.verdict, Verdict::Unsafe, "{}", answer.messages);
    assert!(!answer.messages.contains("not the source itself"), "{}", answer.messages);
    let (status, text) = run(&harness.0);
    assert_eq!((status, text.lines().last()), (0, Some("REPRODUCED")), "{text}");
}

/// A deadlock is one only if nobody can go on: the harness looks for itself.
#[test]
fn a_deadlock_that_is_none_is_not_claimed() {
    let folder = Scratch::new("no-deadlock");
    write(&root().join("tests/regress/harness/deadlock-order.c"), &folder.0).unwrap();
    assert_eq!(run(&folder.0).0, 0);
    let path = folder.0.join("schedule.c");
    let text = std::fs::read_to_string(&path).unwrap();
    // The thread that holds the second mutex does not even start to wait.
    let stuck = "{2, HARNESS_STUCK, \"pthread_mutex_lock\"";
    let lines: Vec<&str> = text.lines().filter(|line| !line.contains(stuck)).collect();
    assert_eq!(lines.len() + 1, text.lines().count(), "{text}");
    let count = |text: &str| {
        text.split("harness_item_count = ").nth(1).unwrap().split(',').next().unwrap().to_owned()
    };
    let items: u32 = count(&text).parse().unwrap();
    let other = lines
        .join("\n")
        .replace(&format!("harness_item_count = {items}"), &format!("harness_item_count = {}", items - 1));
    std::fs::write(&path, other).unwrap();
    let (status, text) = run(&folder.0);
    assert_eq!((status, text.lines().last()), (3, Some("NOT REPRODUCED")), "{text}");
}

/// The harness of a racy counter, with a change in one of its files.
fn damaged(name: &str, file: &str, damage: impl Fn(&str) -> String) -> (i32, String) {
    let folder = Scratch::new(name);
    write(&root().join("examples/c/racy-counter.c"), &folder.0).unwrap();
    let path = folder.0.join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let other = damage(&text);
    assert_ne!(text, other, "{name} changes nothing");
    std::fs::write(&path, other).unwrap();
    run(&folder.0)
}

/// The lines of the text with two of the schedule's in each other's place.
fn swapped(text: &str, first: &str, second: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let at = |pattern: &str| lines.iter().position(|line| line.contains(pattern)).unwrap();
    let (first, second) = (at(first), at(second));
    lines.swap(first, second);
    lines.join("\n")
}

#[test]
fn a_damaged_harness_does_not_claim_success() {
    let write = "{1, HARNESS_WRITE, \"counter\"";
    let read = "{2, HARNESS_READ, \"counter\"";
    type Damage = Box<dyn Fn(&str) -> String>;
    let cases: [(&str, i32, Damage); 5] = [
        // Without the lost update the assertion holds.
        ("order", 3, Box::new(|text| swapped(text, write, read))),
        // The threads do this in another order.
        ("impossible", 3, Box::new(|text| swapped(text, "{1, HARNESS_READ", write))),
        ("line", 4, Box::new(|text| text.replace("\"assertion\", 0, 19,", "\"assertion\", 0, 18,"))),
        ("thread", 3, Box::new(|text| text.replace("\"assertion\", 0, 19,", "\"assertion\", 1, 19,"))),
        (
            "variable",
            3,
            Box::new(|text| text.replacen("HARNESS_READ, \"counter\"", "HARNESS_WRITE, \"counter\"", 1)),
        ),
    ];
    for (name, status, damage) in cases {
        let (found, text) = damaged(name, "schedule.c", damage);
        assert_eq!(found, status, "{name}: {text}");
        assert_eq!(text.lines().last(), Some("NOT REPRODUCED"), "{name}: {text}");
    }
}

#[test]
fn a_damaged_model_does_not_claim_success() {
    let folder = Scratch::new("model");
    let (_, messages) = write(&root().join("examples/c/test-then-set.c"), &folder.0).unwrap();
    assert!(messages.contains("runs the model of"), "{messages}");
    assert_eq!(run(&folder.0).0, 0);
    let path = folder.0.join("model.c");
    let text = std::fs::read_to_string(&path).unwrap();
    let other = text.replacen("\n    taken = 1;", "\n    taken = 0;", 1);
    assert_ne!(text, other);
    std::fs::write(&path, other).unwrap();
    let (status, text) = run(&folder.0);
    assert_eq!((status, text.lines().last()), (3, Some("NOT REPRODUCED")), "{text}");
}

#[test]
fn folders_of_others_stay_as_they_are() {
    let monabs = binary::monabs().unwrap();
    let folder = Scratch::new("folder");
    let path = folder.0.display().to_string();
    let ask = |program: &str| binary::ask(&monabs, &root().join(program), &["--harness", &path]).unwrap();
    // A program without a bug has no harness.
    let answer = ask("examples/c/mutex-counter.c");
    assert_eq!(answer.verdict, Verdict::Safe);
    assert!(answer.messages.contains("no harness is written"), "{}", answer.messages);
    assert!(!folder.0.exists());
    // What is not ours is not replaced; what is ours is.
    std::fs::create_dir(&folder.0).unwrap();
    std::fs::write(folder.0.join("notes"), "mine").unwrap();
    let answer = ask("examples/c/racy-counter.c");
    assert_eq!(answer.verdict, Verdict::Fault(Some(1)));
    assert!(answer.messages.contains("is not empty"), "{}", answer.messages);
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 1);
    std::fs::remove_file(folder.0.join("notes")).unwrap();
    for _ in 0..2 {
        assert_eq!(ask("examples/c/racy-counter.c").verdict, Verdict::Unsafe);
        assert!(folder.0.join("run.sh").exists());
    }
}

/// Both threads stand at their accesses, and the same schedule is run each time.
#[test]
fn a_race_is_shown_by_two_threads_at_once() {
    let folder = Scratch::new("race");
    let monabs = binary::monabs().unwrap();
    let path = folder.0.display().to_string();
    let program = root().join("examples/c/racy-counter.c");
    let answer = binary::ask(&monabs, &program, &["--data-race-check", "--harness", &path]).unwrap();
    assert_eq!(answer.verdict, Verdict::Unsafe, "{}", answer.messages);
    let (status, first) = run(&folder.0);
    assert_eq!(status, 0, "{first}");
    assert!(first.contains("are about to access the same memory"), "{first}");
    assert_eq!(run(&folder.0), (0, first));
}
