//! Random C by csmith, which nobody here wrote: the compiler's checksum is the assertion.
//!
//! A generated program ends with a checksum of all its global variables. Compiled without and with optimisation, it prints that number; asserted,
//! the program is safe; with another number in its place it is unsafe. "Unknown" is allowed, but not often. The header that the programs include is replaced by one
//! of our own, so that no text of csmith's but its arithmetic (`safe_math.h`) is verified; bit-fields, unions, packed structures and volatile objects are on.
//!
//! `CSMITH=1000` tries that many seeds, `CSMITH_SEED=77` begins elsewhere, `CSMITH_TIMEOUT=30` gives each question so many seconds, `CSMITH_OPTIONS="--max-funcs 5"` are
//! further options of csmith. Without csmith or gcc the test says so and passes; `scripts/setup` installs them.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may stop at the first broken assumption, too"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tests::binary::{Verdict, ask, monabs, two_at_a_time};

/// How many seeds `scripts/test` tries.
const SEEDS: u64 = 40;
/// Of hundred programs, so many must be answered with the right checksum, and so many with the wrong one.
const ANSWERED: [usize; 2] = [70, 90];
/// Where Debian has csmith's headers.
const HEADERS: &str = "/usr/include/csmith";
/// Programs small enough to be run by the search in a moment.
const OPTIONS: &[&str] = &[
    "--no-argc",
    "--concise",
    "--max-funcs",
    "3",
    "--max-block-depth",
    "2",
    "--max-block-size",
    "3",
    "--max-array-dim",
    "2",
    "--max-array-len-per-dim",
    "4",
    "--max-expr-complexity",
    "4",
    "--bitfields",
    "--unions",
    "--packed-struct",
    "--volatiles",
];
/// How long a compiled program may run; those that run longer may not end at all.
const RUN: Duration = Duration::from_secs(2);

/// Stands for csmith's own header: the checksum is simple, and printed or asserted.
const HEADER: &str = "#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#define STATIC static
#define UNDEFINED(value) (value)
#define LOG_INDEX
#define LOG_EXEC
#define FUNC_NAME(name) safe_##name
#include \"safe_math.h\"
#define INT_BIT (sizeof(int) * CHAR_BIT)
#define _CSMITH_BITFIELD(x) (((x) > INT_BIT) ? ((x) % INT_BIT) : (x))
static uint64_t crc32_context;
#define platform_main_begin()
#define crc32_gentab()
#define transparent_crc(value, name, flag) (crc32_context = crc32_context * 31 + (uint64_t)(value))
#ifdef CHECKSUM
extern void reach_error(void);
#define printf(...) 0
#define platform_main_end(crc, flag) if (crc32_context != CHECKSUM) reach_error()
#else
#include <stdio.h>
#define platform_main_end(crc, flag) printf(\"%llu\\n\", (unsigned long long)crc32_context)
#endif
";

/// A number from the environment.
fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// Runs a program, unless it takes too long.
fn run_for(program: &Path, limit: Duration) -> Option<Output> {
    let mut child = Command::new(program).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if started.elapsed() > limit {
            child.kill().unwrap();
            child.wait().unwrap();
            return None;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    Some(child.wait_with_output().unwrap())
}

/// The checksum of a generated program, if it ends, and does not depend on the optimisation.
fn checksum(source: &Path) -> Option<u64> {
    let values = ["-O0", "-O2"].map(|level| {
        let binary = source.with_extension("bin");
        let mut build = Command::new("gcc");
        let built = build.args(["-w", level, "-I", HEADERS, "-o"]).arg(&binary).arg(source).output().unwrap();
        assert!(built.status.success(), "{}: {}", source.display(), String::from_utf8_lossy(&built.stderr));
        let output = run_for(&binary, RUN);
        std::fs::remove_file(&binary).unwrap();
        let output = output.filter(|output| output.status.success())?;
        String::from_utf8_lossy(&output.stdout).trim().parse::<u64>().ok()
    });
    values[0].filter(|_| values[0] == values[1])
}

/// What a program came to.
enum Outcome {
    /// It does not end, or the compiler's levels of optimisation disagree.
    Unusable,
    /// Verdicts for the right and the wrong checksum.
    Asked([Verdict; 2]),
}

struct Oracle {
    folder: PathBuf,
    program: PathBuf,
    timeout: String,
}

impl Oracle {
    fn outcome(&self, seed: u64) -> Outcome {
        let source = self.folder.join(format!("{seed}.c"));
        let more = std::env::var("CSMITH_OPTIONS").unwrap_or_default();
        let mut csmith = Command::new("csmith");
        csmith
            .current_dir(&self.folder)
            .args(OPTIONS)
            .args(more.split_whitespace())
            .arg("--seed")
            .arg(seed.to_string());
        let generated = csmith.arg("--output").arg(&source).output().unwrap();
        assert!(generated.status.success(), "csmith fails for seed {seed}");
        let Some(right) = checksum(&source) else { return Outcome::Unusable };
        Outcome::Asked([right, right ^ 1].map(|value| {
            let define = format!("CHECKSUM={value}ull");
            let options = ["--timeout", &self.timeout, "--check", "-I", HEADERS, "-D", &define];
            let answer = ask(&self.program, &source, &options).unwrap();
            if !matches!(answer.verdict, Verdict::Safe | Verdict::Unsafe) {
                println!("seed {seed}, checksum {value}: {:?} {}", answer.verdict, answer.reason());
            }
            answer.verdict
        }))
    }
}

/// What is wrong with the verdicts about a program.
fn fault(seed: u64, verdicts: [Verdict; 2]) -> Option<String> {
    let fault = match verdicts {
        [Verdict::Unsafe, _] => "the right checksum is refuted",
        [_, Verdict::Safe] => "a wrong checksum is proved",
        [Verdict::Fault(_), _] | [_, Verdict::Fault(_)] => "monabs fails",
        [Verdict::Refused, _] | [_, Verdict::Refused] => "the program is refused",
        _ => return None,
    };
    Some(format!("seed {seed}: {fault}"))
}

#[test]
fn csmith_and_the_compiler_agree_with_us() {
    if Command::new("csmith").arg("--version").output().is_err()
        || Command::new("gcc").arg("--version").output().is_err()
    {
        println!("skipped: there is no csmith, or no gcc");
        return;
    }
    let folder = std::env::temp_dir().join(format!("csmith-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("csmith.h"), HEADER).unwrap();
    // It notes the sizes of types in a file of the current folder, once.
    Command::new("csmith").args(["--seed", "0"]).current_dir(&folder).output().unwrap();
    let timeout = std::env::var("CSMITH_TIMEOUT").unwrap_or_else(|_| "5".to_owned());
    let oracle = Oracle { folder: folder.clone(), program: monabs().unwrap(), timeout };
    let first = number("CSMITH_SEED", 1);
    let seeds: Vec<u64> = (first..first + number("CSMITH", SEEDS)).collect();
    let outcomes = two_at_a_time(&seeds, |seed| oracle.outcome(*seed));
    let mut answered = [0, 0];
    let mut usable = 0;
    let mut faults = Vec::new();
    for (seed, outcome) in seeds.iter().zip(outcomes) {
        let Outcome::Asked(verdicts) = outcome else { continue };
        usable += 1;
        for (count, verdict) in answered.iter_mut().zip(verdicts) {
            *count += usize::from(matches!(verdict, Verdict::Safe | Verdict::Unsafe));
        }
        faults.extend(fault(*seed, verdicts));
    }
    println!(
        "csmith: {usable} of {} programs usable; answered: {} right checksums, {} wrong ones; {} faults",
        seeds.len(),
        answered[0],
        answered[1],
        faults.len()
    );
    assert!(faults.is_empty(), "{} (programs are in {})", faults.join("\n"), folder.display());
    assert!(usable * 10 >= seeds.len() * 8, "only {usable} programs can be used");
    for (answered, least) in answered.into_iter().zip(ANSWERED) {
        assert!(answered * 100 >= usable * least, "only {answered} of {usable} are answered");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
