//! Drives the built program from outside: what users type, and what they get.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests stop at the first broken assumption"
)]

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

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

/// One thread and nothing to be afraid of.
const SAFE: &str = r#"extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void) {
  int x = __VERIFIER_nondet_int() & 1;
  __VERIFIER_assert(x < 2);
  return 0;
}
"#;

/// The shortest way to the error may not exist; there is a longer one.
const DOUBTFUL: &str = r#"program 1
note 0 over "guessed"
location 0
location 1
location 2
main 0
edge 0: 0 -> 1
  approximate 0
edge 1: 0 -> 2
edge 2: 2 -> 1
property p assertion "never" at 1
"#;

/// A run needs an initial value, an input, and an input of a passive thread.
const CHOICES: &str = r#"program 1
shared a: [u8; 4 by u2]
local l: u8 = 0
location 0
location 1
location 2
location 3
main 0
pool 2
edge 0: 0 -> 1
  input n: u8
  guard (and (= n #x05) (= (select a #b01) #x07))
  passive input m: bool
  passive assign l := (ite m #x01 l@P)
edge 1: 2 -> 3
  guard (= l #x01)
property p assertion "never" at 3
"#;

/// A temporary folder that goes away with the test.
struct Folder(PathBuf);

impl Folder {
    fn with(name: &str, content: &str) -> Folder {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("asyncc-{}-{number}", std::process::id()));
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
        let mut command = Command::new(env!("CARGO_BIN_EXE_asyncc"));
        command.current_dir(&self.0).args(args).env_remove("NO_COLOR").env_remove("RUST_BACKTRACE");
        command
    }

    fn run(&self, args: &[&str]) -> Run {
        Run::of(self.command(args).stdin(Stdio::null()).output().unwrap())
    }

    fn pipe(&self, args: &[&str], input: &str) -> Run {
        let mut command = self.command(args);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // A program that refuses its options does not read.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        Run::of(child.wait_with_output().unwrap())
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

    /// Checks that it went well; stdout.
    #[track_caller]
    fn result(self) -> String {
        assert_eq!(self.code, Some(0), "{self:#?}");
        self.stdout
    }

    #[track_caller]
    fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }
}

#[test]
fn help_and_version() {
    let folder = Folder::with("safe.c", SAFE);
    assert_eq!(folder.run(&["--version"]).result(), format!("asyncc {}\n", env!("CARGO_PKG_VERSION")));
    let short = folder.run(&["-h"]).says(&["Examples:", "--emit <FORM>", "asyncc man"]).result();
    assert!(short.lines().count() <= 40, "one screen: {short}");
    let help = folder.run(&["--help"]).says(&["Exit status:", "VERIFICATION UNKNOWN"]).result();
    assert!(!help.contains("completions"), "internal commands are hidden");
    let options = help.split("\n\n").filter(|block| block.trim_start().starts_with('-'));
    for block in options.filter(|block| !block.contains("Print help") && !block.contains("Print version")) {
        assert!(block.contains("default") || block.contains("Use colours"), "{block}");
    }
}

#[test]
fn manual_and_completions() {
    let folder = Folder::with("safe.c", SAFE);
    folder.run(&["man"]).says(&[".TH asyncc 1", "\\-\\-data\\-race\\-check", "VERIFICATION FAILED"]).result();
    for shell in ["bash", "fish", "zsh"] {
        folder.run(&["completions", shell]).says(&["asyncc", "show-properties"]).result();
    }
    folder.run(&["completions", "abacus"]).refused(1, &["possible values"]);
}

#[test]
fn wrong_usage() {
    let folder = Folder::with("safe.c", SAFE);
    folder.write("d.prog", DOUBTFUL);
    for (args, parts) in [
        (&[][..], &["<FILE>", "Usage: asyncc"][..]),
        (&["safe.c", "safe.c"], &["'safe.c' is given twice"]),
        (&["--nonsense", "safe.c"], &["--nonsense"]),
        (&["--emit", "prose", "safe.c"], &["possible values: program, dot, c, json"]),
        (&["--stage", "early", "safe.c"], &["possible values: lowered, atomic, reduced"]),
        (&["--explore", "0", "safe.c"], &["0 is not in 1..="]),
        (&["--timeout", "0", "safe.c"], &["must be more than 0"]),
        (&["--32", "--64", "safe.c"], &["--32", "--64"]),
        (&["-q", "-v", "safe.c"], &["--quiet", "--verbose"]),
        (&["--steps", "5", "safe.c"], &["--random"]),
        (&["--trace", "x", "safe.c"], &["--explore"]),
        (&["--emit", "c", "--explore", "2", "safe.c"], &["--emit", "--explore"]),
        (&["--emit", "c", "--json", "safe.c"], &["--json"]),
        (&["--json", "--explore", "2", "--trace", "-", "safe.c"], &["--trace -"]),
        (&["-o", "safe.txt", "safe.c"], &["add '--emit program'"]),
        (&["-o", "safe.c", "safe.c"], &["would overwrite the input"]),
        (&["--explore", "1", "--trace", "./safe.c", "safe.c"], &["would overwrite the input"]),
        (&["-o", "none/safe.prog", "safe.c"], &["cannot write none/safe.prog"]),
        (&["--property", "none", "safe.c"], &["there is no property 'none'", "--show-properties"]),
        (&["-DX", "d.prog"], &["'-D and -U' is for C"]),
        (&["--mutex-check", "--from-program", "safe.c"], &["--mutex-check"]),
    ] {
        folder.run(args).refused(1, parts);
    }
    assert_eq!(folder.read("safe.c"), SAFE, "the input is as before");
    folder.run(&["--no-bounds-check", "--no-slice", "d.prog"]).result();
}

#[test]
fn a_summary() {
    let folder = Folder::with("racy.c", RACY);
    let run = folder.run(&["racy.c"]).says(&[
        "any number, running increment\n",
        "assertion",
        " before reductions\n",
    ]);
    assert_eq!(run.code, Some(0), "{run:#?}");
    let json = folder.run(&["--json", "racy.c"]).json();
    assert_eq!(json["tool"]["name"], "asyncc");
    assert_eq!(json["program"]["creates_threads"], true);
    assert_eq!(json["program"]["thread_functions"], serde_json::json!(["increment"]));
    assert!(json["properties"].as_array().unwrap().iter().any(|p| p["name"] == "main.assertion.1"));
    assert!(json.get("statistics").is_none() && json.get("verdict").is_none());
    let safe = Folder::with("safe.c", SAFE);
    safe.run(&["safe.c"]).says(&["threads               one\n"]).result();
}

#[test]
fn every_form_of_the_program() {
    let folder = Folder::with("racy.c", RACY);
    for (form, name, start) in [
        ("program", "racy.prog", "program 1\n"),
        ("dot", "racy.dot", "digraph program {\n"),
        ("c", "racy-again.c", "#pragma"),
        ("json", "racy.json", "{\n"),
    ] {
        let printed = folder.run(&["--emit", form, "racy.c"]).result();
        assert!(printed.starts_with(start) && printed.ends_with('\n'), "{form}: {printed}");
        assert_eq!(folder.run(&["-o", name, "racy.c"]).result(), "", "{form}");
        assert_eq!(folder.read(name), printed, "{form}");
        assert_eq!(folder.run(&["--emit", form, "racy.c"]).result(), printed, "{form}: not the same again");
    }
    let json: serde_json::Value = serde_json::from_str(&folder.read("racy.json")).unwrap();
    assert_eq!(json["format"], "program");
}

#[test]
fn a_printed_program_reads_back() {
    let folder = Folder::with("racy.c", RACY);
    for stage in ["lowered", "atomic", "reduced"] {
        let printed = folder.run(&["--stage", stage, "--emit", "program", "racy.c"]).result();
        folder.write("racy.prog", &printed);
        assert_eq!(folder.run(&["--emit", "program", "racy.prog"]).result(), printed, "{stage}");
        let piped = folder.pipe(&["--from-program", "--emit", "program", "-"], &printed);
        assert_eq!(piped.result(), printed, "{stage}");
        assert_eq!(printed.contains(" atomic"), stage == "lowered", "{stage}: atomic locations");
    }
    let lowered = folder.run(&["--stage", "lowered", "--emit", "program", "racy.c"]).result();
    folder.write("lowered.prog", &lowered);
    let reduced = folder.run(&["--stage", "reduced", "--emit", "dot", "lowered.prog"]).result();
    assert_eq!(reduced, folder.run(&["--emit", "dot", "racy.c"]).result());
    assert_ne!(reduced, folder.run(&["--no-reductions", "--emit", "dot", "racy.c"]).result());
}

#[test]
fn damaged_programs() {
    let folder = Folder::with("d.prog", "program 1\nmain 0\nnonsense\n");
    let message = "d.prog:3:1: error: expected a declaration, found `nonsense`\n    nonsense\n    ^\n";
    folder.run(&["d.prog"]).refused(2, &[message]);
    folder.write("d.prog", "program 1\nlocation 0\nmain 7\npool 8\n");
    folder.run(&["d.prog"]).refused(2, &["d.prog: error: ", "no location 7", "no location 8"]);
    folder.run(&["none.prog"]).refused(2, &["none.prog: error: cannot be read"]);
}

#[test]
fn errors_have_a_place_and_a_caret() {
    for (content, parts) in [
        (
            "int main(void) {\n  int x = 1\n  return x;\n}\n",
            ["x.c:2:12: error: ", "\n      int x = 1\n               ^\n"],
        ),
        ("int main(void) {\n  return y;\n}\n", ["x.c:2:10: error: ", "\n      return y;\n             ^\n"]),
        (
            "struct s { int a; } v;\nint main(void) {\n  return v + 1;\n}\n",
            ["x.c:3:", "\n      return v + 1;\n"],
        ),
    ] {
        Folder::with("x.c", content).run(&["x.c"]).refused(2, &parts).refused(2, &["^"]);
    }
    let several = "int f(void) { return a; }\nint main(void) { return f() + b; }\n";
    Folder::with("x.c", several).run(&["x.c"]).refused(2, &["x.c:1:22: error: ", "x.c:2:31: error: "]);
}

#[test]
fn files_that_cannot_be_read() {
    let folder = Folder::with("safe.c", SAFE);
    folder.run(&["none.c"]).refused(2, &["none.c: error: cannot be read"]);
    folder.run(&["."]).refused(2, &["error: cannot be read"]);
    folder.run(&["--model", "none.c", "safe.c"]).refused(2, &["none.c: error: cannot be read"]);
    folder.run(&["--function", "start", "safe.c"]).refused(2, &["'start'", "--function"]);
    folder.write("missing.c", "#include \"none.h\"\n");
    folder.run(&["missing.c"]).refused(2, &["missing.c:1:", "none.h"]);
}

#[test]
fn without_a_preprocessor() {
    let folder = Folder::with("safe.c", SAFE);
    let mut command = folder.command(&["safe.c"]);
    let output = command.env("PATH", "").env_remove("CC").stdin(Stdio::null()).output().unwrap();
    Run::of(output).refused(2, &["safe.c: error: no C preprocessor was found", "hint: install"]);
    folder.write("safe.i", SAFE);
    let mut command = folder.command(&["safe.i"]);
    Run::of(command.env("PATH", "").env_remove("CC").output().unwrap()).result();
}

#[test]
fn the_preprocessor_is_told() {
    let folder = Folder::with("x.c", "#include <value.h>\nint main(void) { return VALUE + A; }\n");
    std::fs::create_dir(folder.0.join("headers")).unwrap();
    folder.write("headers/value.h", "#define VALUE 1\n");
    folder.write("first.h", "#define A 2\n");
    folder.run(&["-Iheaders", "-DA=1", "x.c"]).result();
    folder.run(&["-I", "headers", "--include", "first.h", "x.c"]).result();
    folder.run(&["-Iheaders", "-UA", "-DA=1", "x.c"]).result();
    folder.run(&["-Iheaders", "-DA=1", "-UA", "x.c"]).refused(2, &["x.c:2:33: error: ", "'A'"]);
}

#[test]
fn properties() {
    let folder = Folder::with("racy.c", RACY);
    let list = folder.run(&["--show-properties", "racy.c"]).result();
    let line = list.lines().find(|line| line.starts_with("main.assertion.1 ")).unwrap();
    let words: Vec<&str> = line.split_whitespace().take(3).collect();
    assert_eq!(words, ["main.assertion.1", "assertion", "racy.c:16:3"]);
    let races =
        folder.run(&["--show-properties", "--data-race-check", "racy.c"]).says(&["data-race"]).result();
    assert!(races.lines().count() > list.lines().count());
    let json = folder.run(&["--show-properties", "--json", "racy.c"]).json();
    let found = json["properties"].as_array().unwrap().iter().find(|p| p["kind"] == "assertion").unwrap();
    assert_eq!(found["position"], serde_json::json!({ "file": "racy.c", "line": 16, "column": 3 }));
    let args = ["--property", "main.assertion.1", "--data-race-check", "--show-properties", "racy.c"];
    let one = folder.run(&args).result();
    assert!(!one.contains("data-race") && one.contains("main.assertion.1"), "{one}");
}

#[test]
fn exploring_finds_the_lost_increment() {
    let folder = Folder::with("racy.c", RACY);
    let found =
        folder.run(&["--explore", "2", "--trace", "-", "racy.c"]).ends_with(10, "VERIFICATION FAILED");
    found.says(&[
        "run to main.assertion.1\n",
        "thread 1: increment",
        "| 7 counter++;",
        "writes counter: 1 (was 1)",
        "2 threads: ",
    ]);
    folder.run(&["-q", "--explore", "1", "racy.c"]).ends_with(5, "VERIFICATION UNKNOWN");
    let quiet = folder.run(&["-q", "--explore", "2", "racy.c"]);
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), ("VERIFICATION FAILED\n", ""));
    let same = |args: &[&str]| assert_eq!(folder.run(args).stdout, folder.run(args).stdout, "{args:?}");
    same(&["--explore", "2", "--trace", "-", "racy.c"]);
    same(&["--explore", "2", "--json", "racy.c"]);
    same(&["--random", "3", "--trace", "-", "racy.c"]);
}

#[test]
fn one_thread_can_be_safe() {
    let folder = Folder::with("safe.c", SAFE);
    folder.run(&["--explore", "2", "--stage", "lowered", "safe.c"]).ends_with(5, "VERIFICATION UNKNOWN");
    let line = "reason: no violation with 1 thread";
    let sampled = folder
        .run(&["--explore", "2", "--stage", "lowered", "safe.c"])
        .says(&[line, "only some of the values"]);
    assert_eq!(sampled.stdout.lines().rev().nth(1).unwrap().find("reason: "), Some(0));
    let safe = "program 1\nlocation 0\nlocation 1\nmain 0\nedge 0: 0 -> 0\nproperty p assertion \"x\" at 1\n";
    folder.write("safe.prog", safe);
    folder
        .run(&["--explore", "2", "safe.prog"])
        .ends_with(0, "VERIFICATION SUCCESSFUL")
        .says(&["1 thread: all 1 state,"]);
    folder.write("pool.prog", &format!("{safe}pool 0\n"));
    let unknown = folder.run(&["--explore", "2", "pool.prog"]).ends_with(5, "VERIFICATION UNKNOWN");
    unknown.says(&["2 threads: all 1 state,", "no violation with 2 threads", "nothing about more threads"]);
    folder.write("under.prog", &format!("{safe}note 0 under \"less\"\n"));
    let unknown = folder.run(&["--explore", "2", "under.prog"]).ends_with(5, "VERIFICATION UNKNOWN");
    unknown.says(&["reason: no violation, but the source may do more: less\n"]);
    folder.write("limit.prog", &safe.replace("0 -> 0", "0 -> 1").replace("assertion", "limit"));
    let unknown = folder.run(&["--explore", "2", "limit.prog"]).ends_with(5, "VERIFICATION UNKNOWN");
    unknown
        .says(&["reached after 1 step: p: x\n", "reason: the end of what is modelled is reachable: p: x\n"]);
}

#[test]
fn only_real_runs_count() {
    let folder = Folder::with("d.prog", DOUBTFUL);
    let found = folder.run(&["--explore", "1", "d.prog"]).ends_with(10, "VERIFICATION FAILED");
    found.says(&["violated after 2 steps: p: never\n"]);
    folder.write("d.prog", &DOUBTFUL.replace("edge 2: 2 -> 1", "edge 2: 2 -> 0"));
    let found = folder.run(&["--explore", "1", "d.prog"]).ends_with(5, "VERIFICATION UNKNOWN");
    let found = found.says(&[
        "perhaps violated after 1 step: p: never\n",
        "reason: the run to p may not exist: guessed\n",
    ]);
    assert!(found.stderr.contains("d.prog: warning: guessed [over-approximated]"), "{found:#?}");
}

#[test]
fn runs_can_be_replayed() {
    let folder = Folder::with("c.prog", CHOICES);
    let args = ["--explore", "3", "--trace", "run.json", "c.prog"];
    folder
        .run(&args)
        .ends_with(10, "VERIFICATION FAILED")
        .says(&["violated after 2 steps: p: never: l is 1\n"]);
    let replayed =
        folder.run(&["--replay", "run.json", "--trace", "-", "c.prog"]).ends_with(10, "VERIFICATION FAILED");
    replayed.says(&["run to p\n", "n is 5", "1 run replayed\n", "violated after step 2: p: never: l is 1\n"]);
    let run = folder.read("run.json");
    assert!(run.contains("\"#x05\""), "{run}");
    folder.write("run.json", &run.replace("\"#x05\"", "\"#x06\""));
    let rejected = folder.run(&["--replay", "run.json", "c.prog"]);
    assert_eq!(rejected.code, Some(1));
    rejected.says(&["TRACE REJECTED: run 1: step 1: the guard of edge 0 does not hold; "]);
    for (from, to, message) in [
        ("\"#x05\"", "\"#x0\"", "needs|has the sort"),
        ("\"#x05\"", "\"nonsense\"", "nonsense"),
        ("\"threads\": 3", "\"threads\": 3000000000", "threads: 3000000000"),
        ("\"a\"", "\"b\"", "no variable 'b'"),
        ("asyncc-trace", "other-trace", "no trace"),
        ("{", "[", "run.json:"),
    ] {
        assert!(run.contains(from), "{from}");
        folder.write("run.json", &run.replacen(from, to, 1));
        let refused = folder.run(&["--replay", "run.json", "c.prog"]);
        let said = refused.stdout.clone() + &refused.stderr;
        assert!(
            matches!(refused.code, Some(1 | 2)) && message.split('|').any(|part| said.contains(part)),
            "{refused:#?}"
        );
    }
}

#[test]
fn replaying_what_the_source_does() {
    let folder = Folder::with("racy.c", RACY);
    folder
        .run(&["-q", "--explore", "2", "--trace", "run.json", "racy.c"])
        .ends_with(10, "VERIFICATION FAILED");
    folder.run(&["-q", "--replay", "run.json", "racy.c"]).ends_with(10, "VERIFICATION FAILED");
    let document = folder.run(&["--replay", "run.json", "--json", "racy.c"]).json();
    assert_eq!((&document["verdict"], &document["exit_code"]), (&"VERIFICATION FAILED".into(), &10.into()));
    assert_eq!(document["runs"][0]["property"], "main.assertion.1");
    folder.run(&["-q", "--random", "1", "--steps", "2", "--trace", "short.json", "racy.c"]);
    folder.run(&["-q", "--replay", "short.json", "racy.c"]).ends_with(5, "VERIFICATION UNKNOWN");
}

#[test]
fn limits() {
    let folder = Folder::with("racy.c", RACY);
    let few =
        folder.run(&["--explore", "2", "--max-states", "2", "racy.c"]).ends_with(5, "VERIFICATION UNKNOWN");
    few.says(&["reason: no violation with 2 threads in 2 states; --max-states allows more\n"]);
    let args = ["--explore", "2", "--timeout", "0.0001", "--trace", "run.json", "racy.c"];
    let late = folder.run(&args).ends_with(5, "VERIFICATION UNKNOWN");
    late.says(&["reason: time limit reached; --timeout sets it\n"]);
    assert!(folder.has("racy.c"));
}

#[test]
fn statistics_and_colours() {
    let folder = Folder::with("racy.c", RACY);
    folder
        .run(&["--stats", "racy.c"])
        .says(&["merge ", "time translating ", "time reducing ", "time in total "])
        .result();
    let emitted = folder.run(&["--stats", "--emit", "program", "racy.c"]);
    assert!(
        emitted.stdout.starts_with("program 1\n") && emitted.stderr.contains("time printing "),
        "{emitted:#?}"
    );
    let json = folder.run(&["--stats", "--json", "racy.c"]).json();
    assert!(json["statistics"]["passes"].as_array().unwrap().len() > 3);
    let colored = folder.run(&["--color", "always", "-q", "--explore", "2", "racy.c"]);
    assert_eq!(colored.stdout, "\u{1b}[1;31mVERIFICATION FAILED\u{1b}[0m\n");
    folder.write("bad.c", "int main(void) { return y; }\n");
    folder.run(&["--color", "always", "bad.c"]).refused(2, &["bad.c:1:25: \u{1b}[1;31merror:\u{1b}[0m "]);
}
