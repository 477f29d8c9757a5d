//! Drives the built program from outside: what users type, and what they get.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests stop at the first broken assumption"
)]

use breach::check::{parse_proof, verify_problem};
use breach::diagnostics::Source;
use breach::system::Problem;
use breach::{Verdict, check_coverability};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// One increment can get lost.
const RACY: &str = r#"#include <assert.h>
#include <pthread.h>

static int counter;

static void *increment(void *unused) {
  counter++;
  return 0;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, increment, 0);
  increment(0);
  pthread_join(other, 0);
  assert(counter == 2);
  return 0;
}
"#;

/// A lock that any number of threads use.
const LOCKED: &str = r#"extern void __VERIFIER_assert(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);

_Bool held;
int inside;

static void *work(void *unused) {
  __VERIFIER_atomic_begin();
  _Bool before = held;
  held = 1;
  __VERIFIER_atomic_end();
  if (!before) {
    inside = 1;
    __VERIFIER_assert(inside == 1);
    inside = 0;
    held = 0;
  }
  return 0;
}

int main(void) {
  pthread_t thread;
  while (1)
    pthread_create(&thread, 0, work, 0);
}
"#;

/// A program in the printed form that nothing decides soon: a run has to split a product of two primes of about 60 bits.
const ENDLESS: &str = r#"program 1
shared x: u64
shared y: u64
location 0
location 1
main 0
pool 0
edge 0: 0 -> 1
  guard (bvult #x0000000000000001 x)
  guard (bvult x y)
  guard (= (bvmul ((_ zero_extend 64) x) ((_ zero_extend 64) y)) #x0235a98b114014cb537ff5ac01db0c71)
property p assertion "never" at 1
"#;

/// A counter that grows in steps of two is never 1001.
const EVEN: &str = r#"program 1
shared x: u32 = 0
location 0
location 1
main 0
pool 0
edge 0: 0 -> 0
  assign x := (bvadd x #x00000002)
edge 1: 0 -> 1
  guard (= x #x000003e9)
property p assertion "never" at 1
"#;

/// A temporary folder that goes away with the test.
struct Folder(PathBuf);

impl Folder {
    fn with(name: &str, content: &str) -> Folder {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("monabs-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        let folder = Folder(path);
        folder.write(name, content);
        folder
    }

    fn write(&self, name: &str, content: &str) {
        std::fs::write(self.0.join(name), content).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }

    fn has(&self, name: &str) -> bool {
        self.0.join(name).exists()
    }

    /// The program, to be started in this folder.
    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_monabs"));
        command.current_dir(&self.0).args(args).env_remove("NO_COLOR").env_remove("RUST_BACKTRACE");
        command
    }

    fn run(&self, args: &[&str]) -> Run {
        Run::of(self.command(args).stdin(Stdio::null()).output().unwrap())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What a run of the program has left.
#[derive(Debug)]
struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Run {
    fn of(output: Output) -> Run {
        Run {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    #[track_caller]
    fn ends_with(self, code: i32, last_line: &str) -> Run {
        assert_eq!((self.code, self.stdout.lines().last()), (Some(code), Some(last_line)), "{self:#?}");
        self
    }

    #[track_caller]
    fn ends_safe(self) -> Run {
        self.ends_with(0, "VERIFICATION SUCCESSFUL")
    }

    #[track_caller]
    fn ends_unsafe(self) -> Run {
        self.ends_with(10, "VERIFICATION FAILED")
    }

    /// Without an answer; the line before the verdict gives the reason.
    #[track_caller]
    fn ends_unknown(self, reason: &str) -> Run {
        let run = self.ends_with(5, "VERIFICATION UNKNOWN");
        let line = run.stdout.lines().rev().nth(1).unwrap_or_default();
        assert!(line.starts_with("reason: ") && line.contains(reason), "{run:#?}");
        run
    }

    /// Checks that there is no result, but an exit code and a message that has all these parts.
    #[track_caller]
    fn refused(self, code: i32, parts: &[&str]) -> Run {
        assert_eq!((self.code, self.stdout.as_str()), (Some(code), ""), "{self:#?}");
        for part in parts {
            assert!(self.stderr.contains(part), "{part:?} is missing: {self:#?}");
        }
        self
    }

    #[track_caller]
    fn says(self, parts: &[&str]) -> Run {
        for part in parts {
            assert!(self.stdout.contains(part), "{part:?} is missing: {self:#?}");
        }
        self
    }

    #[track_caller]
    fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }
}

#[test]
fn help_and_version() {
    let folder = Folder::with("racy.c", RACY);
    assert_eq!(folder.run(&["--version"]).stdout, format!("monabs {}\n", env!("CARGO_PKG_VERSION")));
    let short = folder.run(&["-h"]).says(&["Examples:", "monabs man", "monabs completions", "--explain"]);
    assert!(short.stdout.lines().count() <= 40, "one screen: {short:#?}");
    assert!(!short.stdout.contains("--max-live-threads"), "{short:#?}");
    let help = folder.run(&["--help"]).says(&["Examples:", "Exit status:", "--build-tts[=<FILE>]"]);
    assert_eq!(help.code, Some(0));
    assert!(!help.stdout.contains("completions"), "internal commands are hidden");
    let options = help.stdout.split("\n\n").filter(|block| block.trim_start().starts_with('-'));
    for block in options.filter(|block| !block.contains("Print help") && !block.contains("Print version")) {
        assert!(block.contains("default") || block.contains("Use colours"), "{block}");
    }
    folder.run(&["man"]).says(&[".TH monabs 1", "\\-\\-max\\-threads", "VERIFICATION FAILED"]);
    folder.run(&["man", "check"]).says(&[".TH monabs-check 1", "\\-\\-solver"]);
    folder.run(&["man", "nonsense"]).refused(1, &["there is no command 'nonsense'"]);
    let check = folder.run(&["check", "-h"]).says(&["<PROOF>", "--solver", "--timeout"]);
    assert!(check.stdout.lines().count() <= 25, "one screen: {check:#?}");
    for shell in ["bash", "fish", "zsh"] {
        folder.run(&["completions", shell]).says(&["monabs", "show-properties", "write-run"]);
    }
}

#[test]
fn wrong_usage() {
    let folder = Folder::with("racy.c", RACY);
    folder.write("p.prog", ENDLESS);
    folder.write("end.prp", "CHECK( init(main()), LTL(F end) )\n");
    folder.write(
        "two.prp",
        "CHECK( init(main()), LTL(G ! overflow) )\nCHECK( init(main()), LTL(G ! data-race) )\n",
    );
    for (args, parts) in [
        (&[][..], &["<FILE>", "Usage: monabs"][..]),
        (&["racy.c", "racy.c"], &["'racy.c' is given twice"]),
        (&["--nonsense", "racy.c"], &["--nonsense"]),
        (&["--timeout", "0", "racy.c"], &["must be more than 0"]),
        (&["--memory-limit", "0", "racy.c"], &["0 is not in 1..="]),
        (&["--threads", "0", "racy.c"], &["0 is not in 1..="]),
        (&["--max-threads", "0", "racy.c"], &["0 is not in 1..="]),
        (&["--solver", "abacus", "racy.c"], &["abacus"]),
        (&["--solver", "pipe:no-such-solver", "racy.c"], &["no-such-solver"]),
        (&["--max-threads", "2", "--emdr-proof", "p", "racy.c"], &["--max-threads", "--emdr-proof"]),
        (&["--build-tts", "--emit-emdr", "x", "racy.c"], &["--build-tts", "--emit-emdr"]),
        (&["--no-search", "--max-threads", "2", "racy.c"], &["--no-search"]),
        (&["--show-properties", "--show-loops", "racy.c"], &["--show-loops"]),
        (&["--show-loops", "--witness", "w", "racy.c"], &["'--show-loops' cannot be used with '--witness'"]),
        (&["--json", "--proof", "-", "racy.c"], &["'--json' cannot be used with '--proof -'"]),
        (&["--proof", "x", "--sarif", "x", "racy.c"], &["would both write to x"]),
        (&["--html", "x", "--sarif", "x", "racy.c"], &["would both write to x"]),
        (
            &["--html", "x", "--show-properties", "racy.c"],
            &["'--show-properties' cannot be used with '--html'"],
        ),
        (&["--emit-emdr", "racy.c", "racy.c"], &["would overwrite the input"]),
        (&["--build-tts=none/x.emdr", "racy.c"], &["cannot write none/x.emdr"]),
        (&["--dump", "racy.c/steps", "racy.c"], &["cannot write racy.c/steps"]),
        (&["--witness", "w", "p.prog"], &["'--witness' is for files of C"]),
        (&["--data-race-check", "p.prog"], &["'--data-race-check' is for C"]),
        (&["--spec", "end.prp", "racy.c"], &["end.prp: this property is not known"]),
        (&["--spec", "two.prp", "racy.c"], &["two.prp: expected one property, found 2"]),
        (&["--property", "none", "racy.c"], &["there is no property 'none'"]),
    ] {
        folder.run(args).refused(1, parts);
    }
    assert_eq!(folder.read("racy.c"), RACY, "the input is as before");
    assert!(!folder.has("x"), "nothing is left");
}

#[test]
fn input_that_cannot_be_read() {
    let folder = Folder::with("bad.c", "int main(void) {\n  return y;\n}\n");
    folder.run(&["none.c"]).refused(2, &["none.c: error: cannot be read: No such file or directory\n"]);
    folder.write("empty.c", "");
    folder.run(&["empty.c"]).refused(2, &["no function 'main'", "no function is defined there at all"]);
    folder.write("binary.c", "int x;\0");
    folder.run(&["binary.c"]).refused(2, &["binary.c: error: this is not C but a binary file"]);
    folder.run(&["bad.c"]).refused(2, &["bad.c:2:10: error: ", "\n      return y;\n             ^\n"]);
    folder.run(&["--spec", "none.prp", "bad.c"]).refused(2, &["none.prp: error: cannot be read"]);
    folder.write("good.c", LOCKED);
    folder.run(&["--error-label", "nosuch", "good.c"]).refused(2, &["there is no label 'nosuch'"]);
    folder.write("bad.prog", "program 1\nmain 0\nnonsense\n");
    folder.run(&["--proof", "p", "bad.prog"]).refused(2, &["bad.prog:3:1: error: expected a declaration"]);
    assert!(!folder.has("p"), "an output that was not written goes away");
}

#[test]
fn a_program_that_fails() {
    let folder = Folder::with("racy.c", RACY);
    let args =
        ["--check", "--write-run", "run.json", "--witness", "w.graphml", "--sarif", "r.sarif", "racy.c"];
    let failed = folder.run(&args).ends_unsafe();
    failed.says(&[
        "run to main.assertion.1\n",
        "thread 0: main ",
        "| 7 counter++;",
        "writes counter: 1 (was 1)",
        "main.assertion.1 (racy.c:16): assertion `counter == 2` does not hold: counter is 1\n",
        "checked again: a run of ",
    ]);
    let witness = folder.read("w.graphml");
    for part in [
        "<data key=\"witness-type\">violation_witness</data>",
        "<data key=\"createThread\">1</data>",
        "<data key=\"threadId\">1</data>",
        "<data key=\"startline\">7</data>",
        "<data key=\"violation\">true</data>",
        "<data key=\"enterFunction\">increment</data>",
    ] {
        assert!(witness.contains(part), "{part}: {witness}");
    }
    assert_eq!(witness.matches("<edge ").count(), witness.matches("</edge>").count());
    assert_eq!(witness.matches("<edge ").count() + 1, witness.matches("<node ").count());
    let sarif: serde_json::Value = serde_json::from_str(&folder.read("r.sarif")).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!((&result["ruleId"], &result["level"]), (&"assertion".into(), &"error".into()));
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 16);
    let file = &result["locations"][0]["physicalLocation"]["artifactLocation"];
    assert_eq!((&file["uri"], &file["uriBaseId"]), (&"racy.c".into(), &"%SRCROOT%".into()));
    let flows = result["codeFlows"][1]["threadFlows"].as_array().unwrap();
    assert_eq!(flows[1]["message"]["text"], "thread 1 runs increment");
    let last = flows[0]["locations"].as_array().unwrap().last().unwrap();
    assert_eq!(
        last["location"]["message"]["text"],
        "thread 0, main: assert(counter == 2); (reads counter: 1)"
    );
    let rule = &sarif["runs"][0]["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
    assert_eq!((&rule["id"], &rule["name"]), (&"assertion".into(), &"AssertionViolated".into()));
    assert!(rule["help"]["text"].as_str().is_some_and(|text| !text.is_empty()));
    folder.run(&["--replay", "run.json", "racy.c"]).ends_unsafe().says(&["1 run replayed\n", "counter++;"]);
    let mut run: serde_json::Value = serde_json::from_str(&folder.read("run.json")).unwrap();
    run["runs"][0]["steps"].as_array_mut().unwrap().remove(0);
    folder.write("run.json", &run.to_string());
    let rejected = folder.run(&["--replay", "run.json", "racy.c"]);
    assert_eq!(rejected.code, Some(1), "{rejected:#?}");
    assert!(rejected.stdout.starts_with("TRACE REJECTED: run 1: "), "{rejected:#?}");
}

/// What a macro becomes is nothing that its user wrote.
#[test]
fn macros_are_shown_as_they_are_called() {
    let checked = "#define CHECK(condition, why) do { if (!(condition)) fail(why); } while (0)\nvoid fail(const char *why) { assert(0); }\n";
    let source = RACY.replace("static int", &format!("{checked}#define ADD(x) x = x + 1\nstatic int"));
    let source = source
        .replace("counter++", "ADD(counter)")
        .replace("assert(counter == 2)", "CHECK(counter == 2,\n  \"lost\")");
    let folder = Folder::with("racy.c", &source);
    let failed = folder.run(&["--trace=list", "--svg", "run.svg", "racy.c"]).ends_unsafe();
    failed.says(&["in increment: ADD(counter);\n", "in main: CHECK(counter == 2, \"lost\")"]);
    let picture = folder.read("run.svg");
    assert!(picture.starts_with("<svg xmlns=") && picture.ends_with("</svg>\n"), "{picture}");
    for part in
        ["thread 1: increment", "ADD(counter)", "reads counter: 0", "writes counter: 1", "class=\"arrow"]
    {
        assert!(picture.contains(part), "{part}: {picture}");
    }
}

/// What the translation and the models have named is called by what it is in the source.
#[test]
fn names_are_those_of_the_source() {
    let example = |name: &str| std::fs::read_to_string(format!("../examples/{name}")).unwrap();
    let folder = Folder::with("counter.c", &example("walk/2-mutex-counter.c").replace("../thesis/", ""));
    folder.write("verifier.h", &example("thesis/verifier.h"));
    let proof = folder.run(&["--no-search", "counter.c"]);
    let proof = proof.says(&[
        "counter@16 == count::seen + 1",
        "where counter@16 is the value of counter that line 16 works with",
    ]);
    assert!(!proof.stdout.contains('$'), "{proof:#?}");

    let folder = Folder::with("accounts.c", &example("c/accounts-bug.c"));
    folder.write("verifier.h", &example("c/verifier.h"));
    let bug = folder.run(&["--trace=list", "--explain", "accounts.c"]).ends_unsafe();
    let bug = bug.says(&["takes locks[0]", "gives locks[0] back", "balance[1] is 100\n"]);
    assert!(!bug.stdout.contains(".locked"), "{bug:#?}");
}

#[test]
fn as_much_as_is_asked_for() {
    let folder = Folder::with("racy.c", RACY);
    let quiet = folder.run(&["-q", "racy.c"]);
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), ("VERIFICATION FAILED\n", ""));
    let short = folder.run(&["--no-trace", "racy.c"]).ends_unsafe();
    assert!(!short.stdout.contains("counter++;") && short.stdout.contains("main.assertion.1"), "{short:#?}");
    let list = folder.run(&["--trace=list", "racy.c"]).ends_unsafe();
    list.says(&["-- thread 1\n", "racy.c:7 in increment: counter++;\n", "creates thread 1\n"]);
    let all = folder.run(&["--trace=all", "racy.c"]).ends_unsafe();
    all.says(&["-- thread 1\n", "writes created(increment): true (was false)"]);
    let explained = folder.run(&["--explain", "--no-trace", "racy.c"]).ends_unsafe();
    let text = explained.stdout.replace('\n', " ");
    assert!(text.contains("reads counter as 0 (line 7, ") && text.contains(" is lost. "), "{text}");
    for (fail_on, code) in [("unsafe", 10), ("unknown", 0), ("unsafe,unknown", 10), ("never", 0)] {
        let found = folder.run(&["-q", "--fail-on", fail_on, "racy.c"]);
        assert_eq!((found.code, found.stdout.as_str()), (Some(code), "VERIFICATION FAILED\n"), "{fail_on}");
    }
    let colored = folder.run(&["--color", "always", "-q", "racy.c"]);
    assert_eq!(colored.stdout, "\u{1b}[1;31mVERIFICATION FAILED\u{1b}[0m\n");
    let json = folder.run(&["--json", "--stats", "racy.c"]);
    assert_eq!(json.code, Some(10));
    let json = json.json();
    assert_eq!((&json["verdict"], &json["exit_code"]), (&"VERIFICATION FAILED".into(), &10.into()));
    assert_eq!((&json["answer"], &json["property"]), (&"unsafe".into(), &"main.assertion.1".into()));
    assert_eq!(json["tool"]["name"], "monabs");
    assert!(json["runs"][0]["steps"].as_array().unwrap().len() > 3);
    assert!(json["statistics"]["times"]["in total"].as_f64().unwrap() > 0.0);
    folder.run(&["--show-properties", "racy.c"]).says(&["main.assertion.1  assertion  racy.c:16:3"]);
    folder.run(&["--show-loops", "racy.c"]).says(&["0 loops\n"]);
}

#[test]
fn a_program_that_is_safe() {
    let folder = Folder::with("locked.c", LOCKED);
    let args = [
        "--check",
        "--stats",
        "--emdr-proof",
        "p",
        "--proof",
        "whole",
        "--build-tts",
        "--concurrency",
        "--witness",
        "w.yml",
        "--dump",
        "steps",
        "--write-run",
        "run.json",
        "locked.c",
    ];
    let safe = folder.run(&args).ends_safe().says(&[
        "predicate",
        "proof: ",
        "safe for every number of threads, after ",
        "checked again: 4 predicates, ",
        "iterations ",
        "time abstracting ",
        "solver queries ",
        "peak memory ",
    ]);
    assert!(safe.stderr.contains("no run is written to run.json: the program is safe"), "{safe:#?}");
    assert!(!folder.has("run.json"));
    let emdr = folder.read("locked.emdr");
    for part in ["#init ", "#target ", "# shared 0: ", "# local 0: ", ", work, locked.c:", "counts no more"] {
        assert!(emdr.contains(part), "{part}: {emdr}");
    }
    let input = breach::emdr::parse(Source { name: "locked.emdr", text: &emdr }).unwrap();
    let problem = Problem { system: input.system, init: input.init.unwrap(), targets: input.targets };
    assert!(!problem.targets.is_empty());
    let alone = check_coverability(&problem, &breach::Options::default()).unwrap();
    assert!(matches!(alone.verdict, Verdict::Uncoverable(_)), "breach says the same");
    let proof = folder.read("p");
    let proof = parse_proof(Source { name: "p", text: &proof }, &problem.system).unwrap();
    verify_problem(&problem, &proof).unwrap();
    folder.run(&["check", "whole", "locked.c"]).says(&["abstraction: 4 predicates", "PROOF ACCEPTED\n"]);
    folder
        .run(&["check", "--solver", "sat", "whole", "locked.c"])
        .says(&["questions to sat", "PROOF ACCEPTED\n"]);
    // A solver that fails says nothing about the proof.
    let open = folder.run(&["check", "--solver", "pipe:false", "whole", "locked.c"]);
    assert_eq!(open.code, Some(5), "{open:#?}");
    open.says(&["reason: the solver has no answer: ", "VERIFICATION UNKNOWN\n"]);
    folder.write("locked.c", &LOCKED.replace("inside = 1", "inside = 2"));
    let other = folder.run(&["check", "whole", "locked.c"]);
    assert_eq!(other.code, Some(1));
    other.says(&["note: locked.c has changed", "PROOF REJECTED: the proof is about another program"]);
    folder.write("locked.c", LOCKED);
    folder.run(&["check", "p", "locked.c"]).refused(2, &["p: error", "this is no proof that monabs wrote"]);
    let witness = folder.read("w.yml");
    for part in [
        "entry_type: \"invariant_set\"",
        "format_version: \"2.0\"",
        "value: \"inside >= 0 && inside <= 1\"",
        "\"locked.c\": \"",
    ] {
        assert!(witness.contains(part), "{part}: {witness}");
    }
    for name in ["steps/0001.predicates", "steps/0001.emdr", "steps/0001.path"] {
        assert!(folder.has(name), "{name}");
    }
    let steps = std::fs::read_dir(folder.0.join("steps")).unwrap();
    let is_new = |name: &std::path::Path| name.extension().is_some_and(|suffix| suffix == "new");
    assert!(steps.into_iter().any(|entry| is_new(&entry.unwrap().path())), "predicates were found");
    assert!(folder.read("steps/0001.path").contains("cannot be run"));
    let json = folder.run(&["--json", "--no-search", "locked.c"]).json();
    assert_eq!((&json["answer"], &json["exit_code"]), (&"safe".into(), &0.into()));
    assert!(json["proof"]["elements"].as_u64().unwrap() + json["proof"]["invariants"].as_u64().unwrap() > 0);
    assert!(!json["predicates"].as_array().unwrap().is_empty());
}

/// The abstraction of a program that fails has a run to a target.
#[test]
fn an_abstraction_that_fails() {
    let folder = Folder::with("racy.c", RACY);
    folder.run(&["--no-search", "--emit-emdr", "x.emdr", "--no-trace", "racy.c"]).ends_unsafe();
    let emdr = folder.read("x.emdr");
    let input = breach::emdr::parse(Source { name: "x.emdr", text: &emdr }).unwrap();
    let problem = Problem { system: input.system, init: input.init.unwrap(), targets: input.targets };
    let alone = check_coverability(&problem, &breach::Options::default()).unwrap();
    assert!(matches!(alone.verdict, Verdict::Coverable(_)), "breach says the same");
    let fast = folder.run(&["--build-tts", "--proof", "p", "--search-threads", "3", "racy.c"]).ends_unsafe();
    for part in
        ["no abstraction is written to racy.emdr: ", "no proof is written to p: the program is not safe"]
    {
        assert!(fast.stderr.contains(part), "{fast:#?}");
    }
    assert!(!folder.has("racy.emdr") && !folder.has("p"));
}

#[test]
fn predicates_from_a_file() {
    let folder = Folder::with("locked.c", LOCKED);
    folder.write("good", "# what is needed\nheld // the lock\n\ninside == 1\nwork::before\n");
    let given =
        folder.run(&["--predicates", "good", "--no-search", "--dump", "steps", "locked.c"]).ends_safe();
    given.says(&["shared        held\n"]);
    assert!(folder.read("steps/0001.predicates").contains("held"));
    assert!(folder.read("steps/README").contains("N.run"));
    folder.run(&["--no-search", "--dump", "found", "locked.c"]).ends_safe();
    let run = folder.read("found/0001.run");
    assert!(
        run.contains("at first\n       shared: ") && run.contains("a thread has reached an error"),
        "{run}"
    );
    folder.write("bad", "held\ninside == outside\n(inside\n");
    let refused = folder.run(&["--predicates", "bad", "locked.c"]);
    refused.refused(
        2,
        &[
            "bad:2:11: error: there is no variable 'outside'\n    inside == outside\n              ^\n",
            "bad:3:8: error: expected ')'",
        ],
    );
    folder.run(&["--predicates", "none", "locked.c"]).refused(2, &["none: error: cannot be read"]);
}

#[test]
fn bounded() {
    let folder = Folder::with("racy.c", RACY);
    folder.run(&["--max-threads", "2", "racy.c"]).ends_unsafe();
    folder.write("locked.c", LOCKED);
    let nothing = folder.run(&["--max-threads", "3", "locked.c"]);
    nothing
        .ends_unknown("no violation was found with up to 3 threads; this is no proof")
        .says(&["try: leave out --max-threads"]);
}

/// Each engine can be asked alone; the answer says who has it.
#[test]
fn engines_by_name() {
    let folder = Folder::with("racy.c", RACY);
    folder.write("safe.c", &RACY.replace("counter == 2", "counter <= 2"));
    for engine in ["abstraction", "search", "cseq", "impara"] {
        let found = folder.run(&["--json", "--engine", engine, "racy.c"]).json();
        assert_eq!((&found["answer"], &found["engine"]), (&"unsafe".into(), &engine.into()));
        let proved = folder.run(&["--check", "--json", "--engine", engine, "safe.c"]).json();
        assert_eq!((&proved["answer"], &proved["engine"]), (&"safe".into(), &engine.into()), "{proved}");
        assert!(proved["checked_again"].is_string());
    }
    let several = folder.run(&["--json", "--engine", "cseq,impara", "racy.c"]).json();
    assert!(["cseq", "impara"].contains(&several["engine"].as_str().unwrap()));
    let tree = folder.run(&["--engine", "impara", "--check", "safe.c"]).ends_safe();
    tree.says(&[
        "impara: a complete tree of",
        "which is all that the program creates",
        "checked again: a tree of",
    ]);
    folder
        .run(&["--engine", "guess", "racy.c"])
        .refused(1, &["there is no such engine; there are: abstraction"]);
}

/// A program whose threads can all be tried.
#[test]
fn all_states() {
    let once = "#include <pthread.h>\n#include <assert.h>\nint x;\nvoid *f(void *p) { x = x + 1; return 0; }\nint main(void) {\n  \
                pthread_t t;\n  pthread_create(&t, 0, f, 0);\n  assert(x < 2);\n}\n";
    let folder = Folder::with("once.c", once);
    let seen = folder.run(&["--check", "--max-threads", "4", "once.c"]).ends_safe();
    seen.says(&["more threads add nothing\n", "checked again: all "]);
    let json = folder.run(&["--json", "--max-threads", "4", "once.c"]).json();
    assert!(json["proof"]["explored_states"].as_u64().unwrap() > 1);
    let proved = folder.run(&["--proof", "p", "--emit-emdr", "e", "once.c"]).ends_safe();
    assert!(proved.stdout.contains("proof: ") && folder.has("p") && folder.has("e"), "{proved:#?}");
}

#[test]
fn properties_of_the_competition() {
    let unlock = "extern void reach_error(void);\nint x;\nint main(void) {\n  x = 2147483647;\n  x = x + 1;\n  int a[2];\n  \
                  a[x & 3] = 1;\n  if (x == 5) reach_error();\n}\n";
    let folder = Folder::with("x.c", unlock);
    let spec = |formula: &str| format!("CHECK( init(main()), LTL(G ! {formula}) )\n");
    folder.write("reach.prp", &spec("call(reach_error())"));
    folder.write("overflow.prp", &spec("overflow"));
    folder.write("race.prp", &spec("data-race"));
    folder.run(&["--spec", "reach.prp", "x.c"]).ends_safe().says(&["\ntrue\nVERIFICATION"]);
    folder
        .run(&["--spec", "overflow.prp", "x.c"])
        .ends_unsafe()
        .says(&["\nfalse(no-overflow)\nVERIFICATION"]);
    folder.run(&["-q", "--spec", "race.prp", "x.c"]).ends_safe().says(&["true\nVERIFICATION"]);
    let json = folder.run(&["--spec", "overflow.prp", "--json", "x.c"]).json();
    assert_eq!(json["specification"]["answer"], "false(no-overflow)");
    folder.write("racy.c", &RACY.replace("assert(counter == 2);", ""));
    folder
        .run(&["--spec", "race.prp", "racy.c"])
        .ends_unsafe()
        .says(&["\nfalse(no-data-race)\nVERIFICATION"]);
    folder.write("p.prog", ENDLESS);
    folder.run(&["--spec", "race.prp", "p.prog"]).refused(1, &["'--spec' is for C"]);
}

/// Who writes a bit-field writes its neighbours, too: a lock for each does not protect them.
#[test]
fn bit_fields_with_a_lock_each() {
    let text = "#include <assert.h>\n#include <pthread.h>\npthread_mutex_t m, n;\nstruct { unsigned a : 4; SEPARATE unsigned b : 4; } \
                s;\nvoid *f(void *p) {\n  pthread_mutex_lock(&m);\n  s.a = 3;\n  assert(s.a == 3);\n  pthread_mutex_unlock(&m);\n  \
                return 0;\n}\nvoid *g(void *p) {\n  pthread_mutex_lock(&n);\n  s.b = 5;\n  pthread_mutex_unlock(&n);\n  return \
                0;\n}\nint main(void) {\n  pthread_t t, u;\n  pthread_create(&t, 0, f, 0);\n  pthread_create(&u, 0, g, 0);\n}\n";
    let folder = Folder::with("one.c", &text.replace("SEPARATE", ""));
    folder.write("two.c", &text.replace("SEPARATE", "unsigned : 0;"));
    folder.run(&["--check", "one.c"]).ends_unsafe();
    folder.run(&["--check", "--data-race-check", "one.c"]).ends_unsafe().says(&["race"]);
    folder.run(&["--check", "two.c"]).ends_safe();
    folder.run(&["--check", "--data-race-check", "two.c"]).ends_safe();
}

/// A local without a value has any value, also if there is only one assignment to it.
#[test]
fn locals_without_a_value() {
    let switch = "#include <assert.h>\nint __VERIFIER_nondet_int(void);\nint main(void) {\n  int status;\n  switch \
                  (__VERIFIER_nondet_int()) {\n  case 1:\n    status = 0;\n    break;\n  case 2:\n    MORE\n    break;\n  default:\n    return \
                  0;\n  }\n  assert(status == 0);\n}\n";
    let folder = Folder::with("unset.c", &switch.replace("MORE", ""));
    folder.run(&["--check", "unset.c"]).ends_unsafe();
    folder.write("set.c", &switch.replace("MORE", "return 1;"));
    folder.run(&["--check", "set.c"]).ends_safe();
}

#[test]
fn limits_end_in_unknown() {
    let folder = Folder::with("p.prog", ENDLESS);
    folder.run(&["--timeout", "0.3", "p.prog"]).ends_unknown("time limit reached; --timeout sets it");
    folder.run(&["--timeout", "0.0001", "p.prog"]).ends_unknown("time limit reached");
    let json = folder.run(&["--json", "--timeout", "0.0001", "p.prog"]).json();
    assert_eq!((&json["verdict"], &json["exit_code"]), (&"VERIFICATION UNKNOWN".into(), &5.into()));
    folder
        .run(&["--memory-limit", "1", "p.prog"])
        .ends_unknown("memory limit reached; --memory-limit sets it");
    folder
        .run(&["--iterations", "0", "--no-search", "p.prog"])
        .ends_unknown("--iterations sets the limit")
        .says(&["try: --predicates FILE"]);
    folder.write("even.prog", EVEN);
    folder
        .run(&["--max-transitions", "0", "--no-search", "even.prog"])
        .ends_unknown("--max-transitions sets the limit");
    folder
        .run(&["--threads", "1", "--iterations", "0", "--no-search", "p.prog"])
        .ends_unknown("0 iterations");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_in_unknown() {
    let folder = Folder::with("p.prog", ENDLESS);
    let mut command = folder.command(&["--sarif", "s", "p.prog"]);
    let child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    // Outputs are opened when Ctrl-C is already taken care of; soon after that there are questions under way.
    for _ in 0..2_000 {
        if folder.has("s") {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(400));
    let id = nix::unistd::Pid::from_raw(i32::try_from(child.id()).unwrap());
    nix::sys::signal::kill(id, nix::sys::signal::Signal::SIGINT).unwrap();
    Run::of(child.wait_with_output().unwrap()).ends_unknown("interrupted");
}
