//! The program to measure, where it is and how it is run; and what the output of `breach` says.

use super::process::{self, Finished};
use super::set::{Answer, Instance};
use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// How much longer than its own limit a process may take before it is killed.
const GRACE: Duration = Duration::from_secs(5);
/// Checking a proof has this many times the limit of finding it.
const CHECK_FACTOR: u32 = 5;

/// The program to measure, and a folder for what it writes.
#[derive(Debug)]
pub(crate) struct Tool {
    program: PathBuf,
    scratch: PathBuf,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Answer(Answer),
    /// With the reason.
    Unknown(String),
    /// No verdict at all: a crash, a refused input. With the first message.
    Failed(String),
}

/// One run without proof and trace.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Measured {
    pub(crate) verdict: Verdict,
    /// Seconds.
    pub(crate) wall: f64,
    /// Seconds.
    pub(crate) cpu: f64,
    /// Megabytes of 2^20 bytes, if the program got to say it.
    pub(crate) memory: Option<f64>,
}

/// How large the evidence for an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    Proof { elements: u64, threads: u64, invariants: u64 },
    Trace { steps: u64, threads: u64 },
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Size::Proof { elements, threads, invariants } => {
                f.pad(&format!("proof {elements}/{threads}/{invariants}"))
            }
            Size::Trace { steps, threads } => f.pad(&format!("trace {steps}/{threads}")),
        }
    }
}

impl Tool {
    /// The program that is given, or the one of that name beside this program.
    pub(crate) fn find(name: &str, given: Option<&Path>) -> Result<Tool> {
        let program = match given {
            Some(path) => path.to_owned(),
            None => {
                std::env::current_exe()?.with_file_name(format!("{name}{}", std::env::consts::EXE_SUFFIX))
            }
        };
        if !program.is_file() {
            bail!("{}: there is no such program; scripts/bench builds it", program.display());
        }
        let scratch = std::env::temp_dir().join(format!("{name}-bench-{}", std::process::id()));
        std::fs::create_dir_all(&scratch).with_context(|| format!("cannot create {}", scratch.display()))?;
        Ok(Tool { program: program.canonicalize()?, scratch })
    }

    /// A file that is removed at the end.
    pub(crate) fn scratch(&self, name: &str) -> PathBuf {
        self.scratch.join(name)
    }

    /// Runs the program with some arguments. It is killed some time after `limit`.
    pub(crate) fn call(&self, arguments: &[OsString], limit: Duration) -> Result<Finished> {
        self.call_beside(arguments, limit, 0)
    }

    /// The same while others run at the same time, each with another number. Then processor time means nothing.
    pub(crate) fn call_beside(
        &self,
        arguments: &[OsString],
        limit: Duration,
        number: usize,
    ) -> Result<Finished> {
        let stderr = self.scratch(&format!("stderr-{number}"));
        process::run(Command::new(&self.program).args(arguments), limit + GRACE, &stderr)
    }

    /// Answers a question as fast as it can: no proof, no trace.
    pub(crate) fn measure(&self, instance: &Instance, options: &[&str], limit: Duration) -> Result<Measured> {
        let mut arguments = vec!["--stats".into(), timeout(limit)];
        arguments.extend(options.iter().map(OsString::from));
        arguments.extend(question(instance));
        let finished = self.call(&arguments, limit)?;
        Ok(Measured {
            verdict: verdict(&finished),
            wall: finished.wall.as_secs_f64(),
            cpu: finished.cpu.as_secs_f64(),
            memory: peak_memory(&finished.stdout),
        })
    }

    /// The best of several runs; they have to agree.
    pub(crate) fn measure_best(
        &self,
        instance: &Instance,
        options: &[&str],
        runs: u32,
        limit: Duration,
    ) -> Result<Measured> {
        let mut best = self.measure(instance, options, limit)?;
        for _ in 1..runs {
            if !matches!(best.verdict, Verdict::Answer(_)) {
                break;
            }
            let next = self.measure(instance, options, limit)?;
            best = better(best, next);
        }
        Ok(best)
    }

    /// Asks again for evidence, and has it checked by `breach check`. Returns its size.
    pub(crate) fn check(&self, instance: &Instance, answer: Answer, limit: Duration) -> Result<Size, String> {
        let name = match answer {
            Answer::Coverable => "--trace",
            Answer::Uncoverable => "--proof",
        };
        let evidence = self.scratch("evidence");
        let mut arguments = vec!["--json".into(), timeout(limit), name.into(), evidence.clone().into()];
        arguments.extend(question(instance));
        let found = self.call(&arguments, limit).map_err(|e| format!("{e:#}"))?;
        let size = json_size(&found.stdout).ok_or_else(|| format!("no evidence: {}", explain(&found)))?;
        let mut arguments = vec!["check".into(), evidence.into()];
        arguments.extend(question(instance));
        let checked = self.call(&arguments, limit * CHECK_FACTOR).map_err(|e| format!("{e:#}"))?;
        if verdict(&checked) == Verdict::Answer(answer) { Ok(size) } else { Err(explain(&checked)) }
    }
}

impl Drop for Tool {
    fn drop(&mut self) {
        // Nobody is hurt by a folder that stays in the temporary one.
        let _ = std::fs::remove_dir_all(&self.scratch);
    }
}

/// The option of all programs.
pub(crate) fn timeout(limit: Duration) -> OsString {
    format!("--timeout={}", limit.as_secs_f64()).into()
}

fn question(instance: &Instance) -> Vec<OsString> {
    let option = |name: &str, value: &Option<String>| value.as_ref().map(|v| format!("--{name}={v}").into());
    let options = [option("init", &instance.init), option("target", &instance.target)];
    options.into_iter().flatten().chain([instance.path.clone().into()]).collect()
}

/// What the exit code and the last line say. They have to agree.
pub(crate) fn verdict(finished: &Finished) -> Verdict {
    let mut lines = finished.stdout.lines().rev();
    match (finished.exit_code, lines.next().unwrap_or_default()) {
        (Some(0), "VERIFICATION SUCCESSFUL") => Verdict::Answer(Answer::Uncoverable),
        (Some(10), "VERIFICATION FAILED") => Verdict::Answer(Answer::Coverable),
        (Some(5), "VERIFICATION UNKNOWN") => {
            let reason = lines.next().unwrap_or_default();
            Verdict::Unknown(reason.trim_start_matches("reason: ").to_owned())
        }
        _ => Verdict::Failed(explain(finished)),
    }
}

/// One line about a run that did not end as it should.
pub(crate) fn explain(finished: &Finished) -> String {
    let message = finished.stderr.lines().find(|line| !line.starts_with("note:"));
    let message = message.or(finished.stdout.lines().last()).unwrap_or("no output");
    match finished.exit_code {
        _ if finished.killed => "killed: it did not stop at its limit".to_owned(),
        Some(code) => format!("exit {code}: {message}"),
        None => format!("ended by a signal: {message}"),
    }
}

/// The row of the table of `--stats`.
fn peak_memory(stdout: &str) -> Option<f64> {
    let row = stdout.lines().find_map(|line| line.strip_prefix("peak memory"))?;
    row.trim().strip_suffix(" MB")?.parse().ok()
}

fn json_size(stdout: &str) -> Option<Size> {
    let document: Value = serde_json::from_str(stdout).ok()?;
    let statistics = document.get("statistics")?;
    let number = |size: &str, name: &str| statistics.get(size)?.get(name)?.as_u64();
    let proof = || {
        let [elements, threads] = ["elements", "max_threads"].map(|name| number("proof_size", name));
        let invariants = number("proof_size", "invariants")?;
        Some(Size::Proof { elements: elements?, threads: threads?, invariants })
    };
    let trace = || {
        Some(Size::Trace { steps: number("trace_size", "steps")?, threads: number("trace_size", "threads")? })
    };
    proof().or_else(trace)
}

/// The better times and memory of two runs; different verdicts are a fault.
fn better(a: Measured, b: Measured) -> Measured {
    let verdict = if a.verdict == b.verdict {
        a.verdict
    } else {
        Verdict::Failed(format!("different answers: {:?} and {:?}", a.verdict, b.verdict))
    };
    let memory = match (a.memory, b.memory) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
    Measured { verdict, wall: a.wall.min(b.wall), cpu: a.cpu.min(b.cpu), memory }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finished(exit_code: i32, stdout: &str, stderr: &str) -> Finished {
        Finished {
            exit_code: Some(exit_code),
            killed: false,
            stdout: stdout.to_owned(),
            stderr: stderr.to_owned(),
            wall: Duration::ZERO,
            cpu: Duration::ZERO,
        }
    }

    #[test]
    fn exit_code_and_last_line_have_to_agree() {
        let of = |code, stdout| verdict(&finished(code, stdout, "a.tts:1:1: error: bad\n"));
        assert_eq!(of(0, "x\nVERIFICATION SUCCESSFUL\n"), Verdict::Answer(Answer::Uncoverable));
        assert_eq!(of(10, "VERIFICATION FAILED\n"), Verdict::Answer(Answer::Coverable));
        assert_eq!(of(5, "reason: time\nVERIFICATION UNKNOWN\n"), Verdict::Unknown("time".to_owned()));
        for (code, stdout) in [(10, "VERIFICATION SUCCESSFUL\n"), (0, "PROOF REJECTED\n"), (0, "")] {
            let message = format!("exit {code}: a.tts:1:1: error: bad");
            assert_eq!(of(code, stdout), Verdict::Failed(message));
        }
    }

    #[test]
    fn notes_are_no_explanation() {
        assert_eq!(explain(&finished(6, "", "note: n\ninternal error\n")), "exit 6: internal error");
        assert_eq!(explain(&finished(1, "a\nPROOF REJECTED: x\n", "")), "exit 1: PROOF REJECTED: x");
    }

    #[test]
    fn memory_and_sizes() {
        assert_eq!(peak_memory("iterations            7\npeak memory           3.8 MB\n"), Some(3.8));
        assert_eq!(peak_memory("iterations            7\n"), None);
        let proof = r#"{"statistics":{"proof_size":{"elements":16,"max_threads":2,"invariants":0},"trace_size":null}}"#;
        assert_eq!(json_size(proof), Some(Size::Proof { elements: 16, threads: 2, invariants: 0 }));
        let trace = r#"{"statistics":{"proof_size":null,"trace_size":{"steps":3,"threads":1}}}"#;
        assert_eq!(json_size(trace), Some(Size::Trace { steps: 3, threads: 1 }));
        assert_eq!(json_size("{}"), None);
    }

    #[test]
    fn the_best_of_each_counts() {
        let run =
            |wall, cpu, memory| Measured { verdict: Verdict::Answer(Answer::Coverable), wall, cpu, memory };
        assert_eq!(better(run(1.0, 3.0, None), run(2.0, 2.0, Some(4.0))), run(1.0, 2.0, Some(4.0)));
        let other = Measured { verdict: Verdict::Answer(Answer::Uncoverable), ..run(1.0, 1.0, None) };
        assert!(matches!(better(run(1.0, 1.0, None), other).verdict, Verdict::Failed(_)));
    }
}
