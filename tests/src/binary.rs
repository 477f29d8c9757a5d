//! The program `monabs` as its users run it: a process with options, a verdict as its exit status.
//!
//! The tests that compare verdicts with other judges use this and not the library, because refusals, notes and limits are part of the answer.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

/// What a run of `monabs` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// `VERIFICATION SUCCESSFUL`
    Safe,
    /// `VERIFICATION FAILED`
    Unsafe,
    /// `VERIFICATION UNKNOWN`
    Unknown,
    /// The input was refused.
    Refused,
    /// Any other exit status, or a signal: a fault of the program or of its command line.
    Fault(Option<i32>),
}

/// A verdict with what was printed.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict,
    /// Standard output.
    pub output: String,
    /// Standard error.
    pub messages: String,
}

impl Answer {
    /// The line in front of an unknown verdict, or the first message.
    pub fn reason(&self) -> &str {
        let line = match self.verdict {
            Verdict::Unknown => self.output.lines().find(|line| line.starts_with("reason: ")),
            _ => self.messages.lines().find(|line| line.contains("error")),
        };
        line.unwrap_or_default()
    }
}

/// The file of the program `monabs`: `$MONABS`, or what was built together with the tests.
pub fn monabs() -> Result<PathBuf, String> {
    std::env::var_os("MONABS").map_or_else(|| program("monabs"), |path| Ok(PathBuf::from(path)))
}

/// The file of one of our programs, as it was built together with the tests. Builds it if it is not there.
pub fn program(name: &str) -> Result<PathBuf, String> {
    let test = std::env::current_exe().map_err(|e| format!("cannot find the test itself: {e}"))?;
    let profile = test.parent().and_then(Path::parent).ok_or("the test is not in a folder of a build")?;
    let program = profile.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    if !program.exists() {
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--locked", "--package", name, "--bin", name]);
        if profile.ends_with("release") {
            build.arg("--release");
        }
        let built = build.current_dir(crate::repository::root()).status();
        if !built.is_ok_and(|status| status.success()) || !program.exists() {
            return Err(format!("{} is missing; run: cargo build --package {name}", program.display()));
        }
    }
    Ok(program)
}

/// Asks about a file.
pub fn ask(program: &Path, file: &Path, options: &[&str]) -> Result<Answer, String> {
    let mut command = Command::new(program);
    let finished = command.args(options).arg(file).stdin(Stdio::null()).output();
    let finished = finished.map_err(|e| format!("{}: {e}", program.display()))?;
    let verdict = match finished.status.code() {
        Some(0) => Verdict::Safe,
        Some(10) => Verdict::Unsafe,
        Some(5) => Verdict::Unknown,
        Some(2) => Verdict::Refused,
        other => Verdict::Fault(other),
    };
    Ok(Answer {
        verdict,
        output: String::from_utf8_lossy(&finished.stdout).into_owned(),
        messages: String::from_utf8_lossy(&finished.stderr).into_owned(),
    })
}

/// Does the work for all items, two at a time, and returns the results in the order of the items.
pub fn two_at_a_time<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = Mutex::new(items.iter().enumerate());
    let results = Mutex::new(Vec::new());
    let worker = || {
        loop {
            let item = next.lock().ok().and_then(|mut items| items.next());
            let Some((index, item)) = item else { return };
            let result = work(item);
            if let Ok(mut results) = results.lock() {
                results.push((index, result));
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(worker);
        scope.spawn(worker);
    });
    let mut results = results.into_inner().unwrap_or_default();
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}
