//! Random C that csmith does not write, judged by gcc and its sanitizers: byte copies, casts between pointers, unions read differently, memory and
//! string functions; lifetimes of objects; races.
//!
//! A right result must not be refuted and a wrong one not be proved; "unknown" is allowed, but not often. `RANDOM_C=2000` tries that many programs of each kind,
//! `RANDOM_C_SEED=77` begins elsewhere, `RANDOM_C_BATCH=1` puts each function into a file of its own. Without gcc the tests say so and pass.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may stop at the first broken assumption, too"
)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use tests::binary::{Verdict, ask, monabs, two_at_a_time};
use tests::random_c::compiler::{End, RACES, SANITIZERS, run};
use tests::random_c::{bytes, lifetimes, races};

/// How many functions share a file, to save processes.
const BATCH: u64 = 3;
/// Of hundred questions about files with right or wrong results, so many must be answered.
const BYTES_ANSWERED: usize = 5;
/// The same for lifetimes.
const LIFETIMES_ANSWERED: usize = 40;
/// The same for races.
const RACES_ANSWERED: usize = 5;

/// A number from the environment.
fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// The seeds to try, in steps.
fn seeds(default: u64, step: u64) -> Vec<u64> {
    let first = number("RANDOM_C_SEED", 0);
    (first..first + number("RANDOM_C", default)).step_by(step as usize).collect()
}

/// A folder that goes away with the value, unless a test fails.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }
}

/// What came of one question.
enum Outcome {
    /// Not asked: the judge does not decide.
    Open,
    /// A verdict that may be given.
    Fine(Verdict),
    /// A verdict that is wrong.
    Wrong(String),
}

/// Asks about a text that is safe or not.
fn question(program: &Path, folder: &Path, name: &str, text: &str, safe: bool, options: &[&str]) -> Outcome {
    let source = folder.join(format!("{name}.c"));
    std::fs::write(&source, text).unwrap();
    let mut all = vec!["--timeout", "10", "--check"];
    all.extend(options);
    let answer = ask(program, &source, &all).unwrap();
    let wrong = if safe { Verdict::Unsafe } else { Verdict::Safe };
    if answer.verdict == wrong || matches!(answer.verdict, Verdict::Fault(_) | Verdict::Refused) {
        return Outcome::Wrong(format!("{name}: {:?} is wrong {}", answer.verdict, answer.reason()));
    }
    if answer.verdict == Verdict::Unknown {
        println!("{name}: {}", answer.reason());
    }
    Outcome::Fine(answer.verdict)
}

/// Prints the counts and complains about what is wrong or missing.
fn judge(what: &str, outcomes: Vec<Outcome>, folder: &Folder, least: usize) {
    let (mut asked, mut answered, mut wrong) = (0, 0, Vec::new());
    for outcome in outcomes {
        match outcome {
            Outcome::Open => {}
            Outcome::Fine(verdict) => {
                asked += 1;
                answered += usize::from(verdict != Verdict::Unknown);
            }
            Outcome::Wrong(message) => {
                asked += 1;
                wrong.push(message);
            }
        }
    }
    println!("{what}: {asked} questions, {answered} answered, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{}\n(programs are in {})", wrong.join("\n"), folder.0.display());
    assert!(answered * 100 >= asked * least, "{what}: only {answered} of {asked} are answered");
}

/// A file that calls functions and asserts their results.
fn asserted(seeds: &[u64], values: &[u64]) -> String {
    let mut text = format!("extern void reach_error(void);\n{}", bytes::PRELUDE);
    seeds.iter().for_each(|seed| text.push_str(&bytes::function(*seed)));
    text.push_str("int main(void) {\n");
    for (seed, value) in seeds.iter().zip(values) {
        let _ = writeln!(text, "  if (f{seed}() != {value}ul) reach_error();");
    }
    text.push_str("  return 0;\n}\n");
    text
}

/// What the compiled functions return; none without a compiler.
fn compiled(folder: &Path, seeds: &[u64]) -> Option<Vec<u64>> {
    let mut text = format!("{}int printf(const char *, ...);\n", bytes::PRELUDE);
    seeds.iter().for_each(|seed| text.push_str(&bytes::function(*seed)));
    text.push_str("int main(void) {\n");
    seeds.iter().for_each(|seed| writeln!(text, "  printf(\"%lu\\n\", f{seed}());").unwrap());
    text.push_str("  return 0;\n}\n");
    match run(folder, &format!("bytes-{}", seeds[0]), &text, SANITIZERS, 1)? {
        End::Well(output) => Some(output.lines().map(|line| line.parse().unwrap()).collect()),
        End::Fault(message) => panic!("undefined behaviour, seeds from {}: {message}", seeds[0]),
    }
}

#[test]
fn bytes_are_those_of_the_compiler() {
    let (program, folder) = (monabs().unwrap(), Folder::new("c-bytes"));
    let size = number("RANDOM_C_BATCH", BATCH);
    let outcomes = two_at_a_time(&seeds(40, size), |first| {
        let batch: Vec<u64> = (*first..first + size).collect();
        let Some(right) = compiled(&folder.0, &batch) else { return vec![Outcome::Open] };
        let mut wrong = right.clone();
        wrong[(first / size % size) as usize] ^= 1 << (first % 64);
        let ask = |name: &str, seeds: &[u64], values: &[u64], safe| {
            question(&program, &folder.0, name, &asserted(seeds, values), safe, &[])
        };
        let refuted = ask(&format!("bytes-{first}-wrong"), &batch, &wrong, false);
        match ask(&format!("bytes-{first}"), &batch, &right, true) {
            // Which of them?
            Outcome::Wrong(_) => batch
                .iter()
                .zip(&right)
                .map(|(seed, value)| ask(&format!("bytes-{seed}-alone"), &[*seed], &[*value], true))
                .collect(),
            outcome => vec![outcome, refuted],
        }
    });
    judge("bytes", outcomes.into_iter().flatten().collect(), &folder, BYTES_ANSWERED);
}

#[test]
fn lifetimes_are_those_of_the_sanitizer() {
    let (program, folder) = (monabs().unwrap(), Folder::new("c-lifetimes"));
    let outcomes = two_at_a_time(&seeds(40, 1), |seed| {
        let (text, name) = (lifetimes::program(*seed), format!("lifetime-{seed}"));
        let end = run(&folder.0, &name, &text, SANITIZERS, 1);
        let safe = match (end, lifetimes::has_fault(*seed)) {
            (Some(End::Well(_)), false) => true,
            (Some(End::Fault(_)), true) => false,
            (Some(End::Fault(message)), false) => panic!("{name} has a fault: {message}"),
            _ => return Outcome::Open,
        };
        question(&program, &folder.0, &name, &text, safe, &["--memory-safety-check"])
    });
    judge("lifetimes", outcomes, &folder, LIFETIMES_ANSWERED);
}

#[test]
fn races_are_those_of_the_sanitizer() {
    let (program, folder) = (monabs().unwrap(), Folder::new("c-races"));
    let outcomes = two_at_a_time(&seeds(30, 1), |seed| {
        let (text, name) = (races::program(*seed), format!("race-{seed}"));
        let runs = if races::has_fault(*seed) { 5 } else { 1 };
        let end = run(&folder.0, &name, &text, RACES, runs);
        let safe = match (end, races::has_fault(*seed)) {
            (Some(End::Well(_)), false) => true,
            (Some(End::Fault(_)), true) => false,
            (Some(End::Fault(message)), false) => panic!("{name} has a race: {message}"),
            _ => return Outcome::Open,
        };
        question(&program, &folder.0, &name, &text, safe, &["--data-race-check"])
    });
    judge("races", outcomes, &folder, RACES_ANSWERED);
}
