//! Killed, out of disk or memory, with a solver or compiler that dies or hangs, with files that may not be read or written: a clear message, the
//! right exit status, no half-written file, no process and no temporary folder that stays.

use crate::support::{Ended, ended, names, program, programs, repository, run};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Waits for something that happens soon; a busy machine has a minute for it.
#[track_caller]
fn wait_for(what: &str, happened: impl Fn() -> bool) {
    let start = Instant::now();
    while !happened() {
        assert!(start.elapsed() < Duration::from_secs(60), "this does not happen: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn send(child: &Child, signal: Signal) {
    kill(Pid::from_raw(child.id().try_into().unwrap()), signal).unwrap();
}

/// A folder with a place for temporary files, and a program that says who it is and then hangs.
struct Scratch(tempfile::TempDir);

impl Scratch {
    fn new() -> Scratch {
        let scratch = Scratch(tempfile::tempdir().unwrap());
        fs::create_dir(scratch.temporary()).unwrap();
        let hangs = "#!/bin/sh\n[ \"$1\" = --version ] && exit 0\necho $$ > \"$0.new\"; mv \"$0.new\" \"$0.pid\"; exec sleep 600\n";
        fs::write(scratch.path("hangs"), hangs).unwrap();
        fs::set_permissions(scratch.path("hangs"), fs::Permissions::from_mode(0o755)).unwrap();
        scratch
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn temporary(&self) -> PathBuf {
        self.path("tmp")
    }

    fn program(&self, name: &str) -> Command {
        let mut command = program(name);
        command.env("TMPDIR", self.temporary()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// The program that hangs: waits until it runs.
    fn hanging(&self) -> Pid {
        wait_for("the other program runs", || self.path("hangs.pid").exists());
        let pid = fs::read_to_string(self.path("hangs.pid")).unwrap();
        fs::remove_file(self.path("hangs.pid")).unwrap();
        Pid::from_raw(pid.trim().parse().unwrap())
    }

    /// Starts a program whose preprocessor hangs.
    fn preprocessing(&self, name: &str) -> (Child, Pid) {
        let mut command = self.program(name);
        command.arg(repository("examples/tsl.c")).env("CC", self.path("hangs"));
        let child = command.spawn().unwrap();
        (child, self.hanging())
    }
}

/// Whether children are killed with their parent on this machine.
fn has_guardian() -> bool {
    let probe = Command::new("setpriv").args(["--pdeathsig", "KILL", "--", "true"]).status();
    let found = probe.is_ok_and(|status| status.success());
    if !found {
        eprintln!("skipped in part: there is no setpriv here");
    }
    found
}

fn ends(process: Pid) {
    if has_guardian() {
        // An orphan that nobody has waited for yet is dead, too.
        let state = || fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        wait_for("the other program ends", || state().is_empty() || state().contains(") Z "));
    }
}

fn nothing() -> Vec<String> {
    Vec::new()
}

#[test]
fn control_c_twice_leaves_nothing() {
    for name in ["monabs", "cseq", "impara"] {
        let scratch = Scratch::new();
        let (child, compiler) = scratch.preprocessing(name);
        assert_eq!(names(&scratch.temporary()).len(), 1);
        send(&child, Signal::SIGINT);
        std::thread::sleep(Duration::from_millis(50));
        send(&child, Signal::SIGINT);
        let ended = ended(child.wait_with_output().unwrap());
        // On a machine under load, the first one has already ended it.
        assert!(ended.code == Some(130) || ended.code == Some(5), "{ended:#?}");
        assert_eq!(names(&scratch.temporary()), nothing());
        ends(compiler);
    }
}

#[test]
fn termination_leaves_nothing() {
    for (name, code) in [("monabs", 5), ("asyncc", 130)] {
        let scratch = Scratch::new();
        let (child, compiler) = scratch.preprocessing(name);
        send(&child, Signal::SIGTERM);
        let ended = ended(child.wait_with_output().unwrap());
        assert_eq!(ended.code, Some(code), "{ended:#?}");
        assert!(
            code != 5 || ended.stdout.ends_with("reason: interrupted\nVERIFICATION UNKNOWN\n"),
            "{ended:#?}"
        );
        assert_eq!(names(&scratch.temporary()), nothing());
        ends(compiler);
    }
}

#[test]
fn a_time_limit_leaves_nothing() {
    let scratch = Scratch::new();
    let mut command = scratch.program("asyncc");
    command.args(["--timeout", "0.1"]).arg(repository("examples/tsl.c")).env("CC", scratch.path("hangs"));
    let ended = run(&mut command);
    assert_eq!(ended.code, Some(5), "{ended:#?}");
    assert_eq!(names(&scratch.temporary()), nothing());
    ends(scratch.hanging());
}

/// Nothing can be done by who is killed; the next one tidies up.
#[test]
fn what_a_killed_process_leaves_is_removed_later() {
    let scratch = Scratch::new();
    let (mut child, compiler) = scratch.preprocessing("asyncc");
    send(&child, Signal::SIGKILL);
    child.wait().unwrap();
    ends(compiler);
    let left = names(&scratch.temporary());
    assert_eq!(left.len(), 1);
    let next = || run(scratch.program("asyncc").arg("-q").arg(repository("examples/tsl.c"))).code;
    // It is too young: somebody may be about to use it.
    assert_eq!(next(), Some(0));
    assert_eq!(names(&scratch.temporary()), left);
    let lock = fs::File::options().write(true).open(scratch.temporary().join(&left[0]).join("lock")).unwrap();
    lock.set_modified(std::time::SystemTime::now() - Duration::from_secs(3600)).unwrap();
    // Somebody has it.
    lock.lock().unwrap();
    assert_eq!(next(), Some(0));
    assert_eq!(names(&scratch.temporary()), left);
    drop(lock);
    assert_eq!(next(), Some(0));
    assert_eq!(names(&scratch.temporary()), nothing());
}

#[test]
fn a_killed_process_leaves_files_as_they_were() {
    let scratch = Scratch::new();
    fs::create_dir(scratch.path("out")).unwrap();
    let file = scratch.path("out/run.json");
    fs::write(&file, "before").unwrap();
    let mut command = scratch.program("cseq");
    command.arg("--solver").arg(format!("pipe:{}", scratch.path("hangs").display()));
    command.arg("--write-run").arg(&file).arg("--sarif").arg(scratch.path("out/new.sarif"));
    let mut child = command.arg(repository("examples/c/racy-counter.c")).spawn().unwrap();
    let solver = scratch.hanging();
    send(&child, Signal::SIGKILL);
    child.wait().unwrap();
    ends(solver);
    assert_eq!(names(&scratch.path("out")), ["run.json"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), "before");
}

/// Each file is there as a whole or not at all.
#[test]
fn killed_at_any_moment() {
    let ends = [("page", "</html>\n"), ("sarif", "}\n"), ("proof", "end\n"), ("witness", "\n")];
    for millis in [20, 100, 200, 300, 450, 600, 900, 1400] {
        let scratch = Scratch::new();
        fs::create_dir(scratch.path("out")).unwrap();
        let file = |name: &str| scratch.path(&format!("out/{name}"));
        let mut command = scratch.program("monabs");
        for (option, (name, _)) in ["--html", "--sarif", "--proof", "--witness"].iter().zip(ends) {
            command.arg(option).arg(file(name));
        }
        command
            .arg(repository("examples/walk/2-mutex-counter.c"))
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        std::thread::sleep(Duration::from_millis(millis));
        // It may be over.
        let _ = child.kill();
        child.wait().unwrap();
        for (name, end) in ends {
            let text = fs::read_to_string(file(name)).unwrap_or_else(|_| end.to_owned());
            assert!(text.ends_with(end), "{name} after {millis} ms: {text}");
        }
        if let Ok(text) = fs::read_to_string(file("sarif")) {
            serde_json::from_str::<serde_json::Value>(&text).unwrap();
        }
    }
}

#[test]
fn a_solver_that_dies_is_named() {
    for (name, file) in [("monabs", "examples/c/mutex-counter.c"), ("cseq", "examples/c/racy-counter.c")] {
        let arguments: &[&str] = if name == "monabs" { &["--no-search"] } else { &[] };
        let ended = run(program(name).args(arguments).args(["--solver", "pipe:false"]).arg(repository(file)));
        assert_eq!(ended.code, Some(5), "{ended:#?}");
        assert!(ended.stdout.contains("reason: the solver died: exit status: 1"), "{ended:#?}");
        let ended = run(program(name).args(["--solver", "pipe:no-such-solver"]).arg(repository(file)));
        assert_eq!(ended.code, Some(1), "{ended:#?}");
        assert!(ended.stderr.contains("cannot run 'no-such-solver'"), "{ended:#?}");
    }
}

#[test]
fn a_full_disk_behind_stdout() {
    let questions = [
        ("monabs", "examples/c/racy-counter.c"),
        ("cseq", "examples/c/racy-counter.c"),
        ("asyncc", "examples/c/racy-counter.c"),
        ("breach", "examples/ticket.emdr"),
    ];
    let files = questions.map(|(name, file)| (name, repository(file).into_os_string()));
    let help = questions.map(|(name, _)| (name, "-h".into()));
    for (name, argument) in files.into_iter().chain(help) {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let ended = ended(
            program(name)
                .arg(argument)
                .stdout(full)
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
                .wait_with_output()
                .unwrap(),
        );
        assert_eq!(ended.code, Some(1), "{name}: {ended:#?}");
        assert!(ended.stderr.contains("error: cannot write to stdout: No space left"), "{name}: {ended:#?}");
    }
}

/// A compiler that somebody names is not replaced by another in silence.
#[test]
fn a_compiler_that_is_not_there() {
    let mut command = program("monabs");
    let ended = run(command.arg(repository("examples/tsl.c")).env("CC", "/nonexist"));
    assert_eq!(ended.code, Some(2), "{ended:#?}");
    assert!(ended.stderr.contains("`/nonexist`, which CC names, cannot be run"), "{ended:#?}");
}

#[test]
fn a_folder_on_a_full_disk() {
    let folder = tempfile::tempdir().unwrap();
    let script = "head -c 8192 /dev/zero > rest 2>/dev/null; \"$1/monabs\" --no-search --dump dir \"$2/examples/tsl.c\" > /dev/null; \
        echo code $?; ls -A dir";
    let Some(ended) = with_tiny_disk(folder.path(), script) else { return };
    assert_eq!(ended.stdout, "code 1\n", "{ended:#?}");
    assert!(ended.stderr.contains("cannot write dir/README: No space left on device"), "{ended:#?}");
}

/// Runs a script with our programs in a mount namespace with a disk of two pages at `disk`; None where that is not allowed.
fn with_tiny_disk(disk: &Path, script: &str) -> Option<Ended> {
    let mount = "mount -t tmpfs -o size=8k none \"$0\"";
    let ways: [&[&str]; 2] = [&["--mount"], &["--user", "--map-root-user", "--mount"]];
    let works = |way: &&&[&str]| {
        let mut tried = Command::new("unshare");
        tried.args(**way).args(["sh", "-c", mount]).arg(disk);
        tried.output().is_ok_and(|output| output.status.success())
    };
    let way = ways.iter().find(works);
    if way.is_none() {
        eprintln!("skipped: this user may not mount a file system");
    }
    let script = format!("{mount} && cd \"$0\" && {script}");
    let mut command = Command::new("unshare");
    command.args(*way?).args(["sh", "-c", &script]).arg(disk).arg(programs()).arg(tests::repository::root());
    Some(run(&mut command))
}

#[test]
fn a_full_disk_keeps_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let script = "echo before > run.json; \"$1/cseq\" --write-run run.json \"$2/examples/c/racy-counter.c\" > /dev/null; \
        echo code $?; cat run.json; \"$1/breach\" --proof p \"$2/examples/ticket.emdr\" > /dev/null; echo code $?; \
        \"$1/asyncc\" -q --emit program -o big.prog \"$2/examples/c/racy-counter.c\" 2>&1; echo code $?; ls -A";
    let Some(ended) = with_tiny_disk(folder.path(), script) else { return };
    // A small proof fits, the others do not.
    let lines: Vec<&str> = ended.stdout.lines().filter(|line| !line.starts_with("error: ")).collect();
    assert_eq!(lines, ["code 1", "before", "code 0", "code 1", "p", "run.json"], "{ended:#?}");
    assert!(ended.stderr.contains("error: cannot write run.json: No space left on device"), "{ended:#?}");
    assert!(ended.stdout.contains("error: cannot write big.prog: No space left on device"), "{ended:#?}");
}

/// One of our programs that needs no other files, run by somebody without special rights, whoever runs the tests.
fn by_nobody(folder: &Path, name: &str) -> Command {
    let copy = folder.join(name);
    if !copy.exists() {
        fs::copy(programs().join(name), &copy).unwrap();
    }
    if !nix::unistd::geteuid().is_root() {
        return Command::new(copy);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(copy);
    command
}

#[test]
fn files_that_may_not_be_read_or_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let allow =
        |name: &str, mode: u32| fs::set_permissions(path(name), fs::Permissions::from_mode(mode)).unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    fs::copy(repository("examples/emdr/mutex.emdr"), path("a.emdr")).unwrap();
    allow("a.emdr", 0o644);
    fs::write(path("secret.c"), "int main(void) { return 0; }\n").unwrap();
    fs::copy(path("secret.c"), path("open.c")).unwrap();
    fs::copy(path("a.emdr"), path("secret.emdr")).unwrap();
    fs::write(path("kept"), "before").unwrap();
    fs::create_dir(path("read-only")).unwrap();
    allow("secret.c", 0o000);
    allow("secret.emdr", 0o000);
    allow("open.c", 0o644);
    allow("kept", 0o444);
    allow("read-only", 0o555);
    let ask = |name: &str, arguments: &[&str]| {
        run(by_nobody(folder.path(), name).args(arguments).current_dir(folder.path()))
    };

    for (name, file) in [("asyncc", "secret.c"), ("breach", "secret.emdr")] {
        let ended = ask(name, &[file]);
        assert_eq!(ended.code, Some(2), "{ended:#?}");
        assert!(ended.stderr.contains("error: ") && ended.stderr.contains(file), "{ended:#?}");
        assert!(ended.stderr.contains("Permission denied"), "{ended:#?}");
    }
    for output in ["read-only/p", "kept"] {
        let ended = ask("breach", &["--proof", output, "a.emdr"]);
        assert_eq!(ended.code, Some(1), "{ended:#?}");
        assert!(ended.stderr.contains(&format!("cannot write {output}: Permission denied")), "{ended:#?}");
        assert!(ended.stdout.is_empty(), "it is said before the work: {ended:#?}");
        let ended = ask("asyncc", &["--emit", "program", "-o", output, "open.c"]);
        assert_eq!(ended.code, Some(1), "{ended:#?}");
    }
    assert_eq!(fs::read_to_string(path("kept")).unwrap(), "before");
    let mut command = by_nobody(folder.path(), "asyncc");
    let ended = run(command.arg("open.c").current_dir(folder.path()).env("TMPDIR", path("read-only")));
    assert_eq!(ended.code, Some(2), "{ended:#?}");
    assert!(
        ended.stderr.contains("cannot write temporary headers for the preprocessor: Permission denied"),
        "{ended:#?}"
    );
    assert_eq!(names(&path("read-only")), nothing());
    // Of whoever may clean up.
    allow("read-only", 0o755);
}

#[test]
fn little_memory() {
    let limited = |kilobytes: u32, name: &str, file: &str| {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("ulimit -v {kilobytes} && exec \"$0\" \"$1\"")]);
        run(command.arg(programs().join(name)).arg(repository(file)))
    };
    // What needs less than a gigabyte is answered within one.
    let ended = limited(1_000_000, "monabs", "examples/c/racy-counter.c");
    assert_eq!(ended.code, Some(10), "{ended:#?}");
    let ended = limited(250_000, "monabs", "examples/tsl.c");
    assert_eq!(ended.code, Some(5), "{ended:#?}");
    assert!(ended.stdout.contains("reason: memory is used up: `ulimit -v` allows 244 MB"), "{ended:#?}");
    let ended = limited(100_000, "breach", "examples/ticket.emdr");
    assert_eq!(ended.code, Some(0), "{ended:#?}");
}
