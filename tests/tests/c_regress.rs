//! The programs under `tests/regress/c/`: verdicts that once were wrong or might become so, each with a twin that differs by little.
//!
//! The first line of a file says what is right:
//!
//! `// expect: safe|unsafe|refused|unknown[, must] [options: ...] [judge: ...]`
//!
//! Without `must` the verdict is this one, or the tool says that it does not know, or refuses the input. With `must` it is exactly this one: the
//! program is simple, so no answer is a loss. `unknown` is for what C leaves open: neither "safe" nor "unsafe" may be claimed.
//!
//! The judge says how the expectation itself can be checked: `sanitizers` (the default: compiled with the sanitizers for addresses and undefined
//! behaviour, an unsafe program fails and a safe one does not), `tsan` (the sanitizer for races), `gcc` (compiled and run without), `env` (run with several
//! environments), `syntax` (the compiler refuses it), `none` (by the standard only: schedules, inputs, what other files do).
//! `REGRESS_JUDGE=1` asks the judges.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may stop at the first broken assumption, too"
)]

use std::path::{Path, PathBuf};
use std::process::Command;
use tests::binary::{Verdict, ask, monabs, two_at_a_time};
use tests::repository::{files_below, root};

/// A program with what its first line says.
struct Case {
    path: PathBuf,
    name: String,
    text: String,
    expected: Verdict,
    must: bool,
    options: Vec<String>,
    judge: String,
}

impl Case {
    fn read(path: &Path) -> Case {
        let text = std::fs::read_to_string(path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let first = text.lines().next().unwrap_or_default();
        let head = first.strip_prefix("// expect: ").unwrap_or_else(|| panic!("{name}: no expectation"));
        let field = |key: &str| {
            let (_, rest) = head.split_once(&format!("[{key}: "))?;
            rest.split_once(']').map(|(value, _)| value.to_owned())
        };
        let verdict = head.split(" [").next().unwrap_or_default();
        let (word, must) = match verdict.split_once(", must") {
            Some((word, "")) => (word, true),
            _ => (verdict, false),
        };
        let expected = match word {
            "safe" => Verdict::Safe,
            "unsafe" => Verdict::Unsafe,
            "refused" => Verdict::Refused,
            "unknown" => Verdict::Unknown,
            other => panic!("{name}: '{other}' is no verdict"),
        };
        let options = field("options").unwrap_or_default().split_whitespace().map(str::to_owned).collect();
        let judge = field("judge").unwrap_or_else(|| "sanitizers".to_owned());
        Case { path: path.to_path_buf(), name, text, expected, must, options, judge }
    }

    fn all() -> Vec<Case> {
        let files = files_below(&root().join("tests/regress/c")).unwrap();
        let cases: Vec<Case> = files.iter().map(|path| Case::read(path)).collect();
        assert!(cases.len() > 700, "only {} programs", cases.len());
        cases
    }

    fn accepts(&self, verdict: Verdict) -> bool {
        let exactly = self.must || self.expected == Verdict::Refused;
        verdict == self.expected || !exactly && matches!(verdict, Verdict::Unknown | Verdict::Refused)
    }
}

#[test]
fn programs_have_their_verdicts() {
    let program = monabs().unwrap();
    let faults = two_at_a_time(&Case::all(), |case| {
        let mut options = vec!["--timeout", "10", "--check"];
        options.extend(case.options.iter().map(String::as_str));
        let answer = ask(&program, &case.path, &options).unwrap();
        let must = if case.must { ", must" } else { "" };
        // A machine that is slow says nothing about the programs.
        let is_late = answer.verdict == Verdict::Unknown && answer.reason().contains("time limit");
        (!case.accepts(answer.verdict) && !is_late).then(|| {
            format!(
                "{}: expected {:?}{must}, got {:?} {}",
                case.name,
                case.expected,
                answer.verdict,
                answer.reason()
            )
        })
    });
    let faults: Vec<String> = faults.into_iter().flatten().collect();
    assert!(faults.is_empty(), "{} programs:\n{}", faults.len(), faults.join("\n"));
}

/// Inputs for programs that ask for them: the seed, in base 20, chooses one after the other.
const RUNTIME: &str = "#include <stdlib.h>
static unsigned seed, begun;
static const long values[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, -1, -2, 9, 2000000, 2000005, 2100000, 3999999, 10, 12, 11, 100};
static long next(void) {
  if (!begun++)
    seed = atoi(getenv(\"SEED\"));
  long value = values[seed % 20];
  seed /= 20;
  return value;
}
int __VERIFIER_nondet_int(void) { return next(); }
unsigned __VERIFIER_nondet_uint(void) { return next(); }
";

/// The flags of a judge for the compiler.
fn flags(case: &Case) -> Vec<&'static str> {
    let checks_overflow = case.options.iter().any(|option| option == "--signed-overflow-check");
    let mut flags = match case.judge.as_str() {
        "gcc" => vec![],
        "tsan" => vec!["-fsanitize=thread"],
        _ => vec!["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-sanitize=alignment"],
    };
    if !checks_overflow && flags.len() > 1 {
        flags.push("-fno-sanitize=signed-integer-overflow");
    }
    flags
}

/// The environments in which the compiled program is run.
fn environments(case: &Case) -> Vec<(&'static str, String)> {
    let asked = case.text.matches("__VERIFIER_nondet_int()").count()
        + case.text.matches("__VERIFIER_nondet_uint()").count();
    let seeds = match asked {
        0 => 1,
        1 => 20,
        _ => 400,
    };
    match case.judge.as_str() {
        "env" => ["", "0", "1", "111"].map(|value| ("L", value.to_owned())).to_vec(),
        "tsan" => vec![("SEED", "0".to_owned()); 6],
        _ => (0..seeds).map(|seed| ("SEED", seed.to_string())).collect(),
    }
}

/// True if the program fails in one of its runs.
fn fails(case: &Case, folder: &Path) -> bool {
    let binary = folder.join(&case.name).with_extension("bin");
    let mut build = Command::new("gcc");
    build.args(["-std=gnu11", "-w", "-g", "-fno-strict-aliasing", "-pthread"]).args(flags(case));
    let built = build.arg("-o").arg(&binary).arg(&case.path).arg(folder.join("runtime.c")).output().unwrap();
    assert!(built.status.success(), "{}: {}", case.name, String::from_utf8_lossy(&built.stderr));
    let leaks = u32::from(case.options.iter().any(|option| option == "--memory-safety-check"));
    let sanitizer = format!(
        "detect_leaks={leaks}:detect_stack_use_after_return=1:allocator_may_return_null=1:strict_string_checks=1"
    );
    let fails = environments(case).into_iter().any(|(name, value)| {
        let mut run = Command::new(&binary);
        run.env("SEED", "0")
            .env("ASAN_OPTIONS", &sanitizer)
            .env("TSAN_OPTIONS", "exitcode=66")
            .env(name, value);
        let run = run.output().unwrap();
        let text = String::from_utf8_lossy(&run.stderr).into_owned();
        let complains = ["Assertion", "ERROR", "runtime error", "WARNING: ThreadSanitizer"];
        run.status.code().is_none() || complains.iter().any(|word| text.contains(word))
    });
    std::fs::remove_file(&binary).unwrap();
    fails
}

/// What the judge of a case has against its expectation.
fn objection(case: &Case, folder: &Path) -> Option<String> {
    if case.judge == "none" || case.options.iter().any(|option| option == "--32") {
        return None;
    }
    let mut syntax = Command::new("gcc");
    let syntax = syntax.args(["-std=gnu11", "-fsyntax-only", "-w"]).arg(&case.path).output().unwrap();
    let fault = match (case.expected, syntax.status.success()) {
        (Verdict::Refused, true) => Some("is accepted by the compiler"),
        (Verdict::Refused, false) => None,
        (_, false) => Some("is refused by the compiler"),
        (Verdict::Safe, true) => fails(case, folder).then_some("is safe, and fails"),
        (Verdict::Unsafe, true) => (!fails(case, folder)).then_some("is unsafe, and does not fail"),
        _ => None,
    };
    fault.map(|fault| format!("{} {fault} ({})", case.name, case.judge))
}

#[test]
fn expectations_are_those_of_the_compiler() {
    if std::env::var_os("REGRESS_JUDGE").is_none() {
        println!("skipped: REGRESS_JUDGE is not set");
        return;
    }
    let folder = std::env::temp_dir().join(format!("c-regress-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("runtime.c"), RUNTIME).unwrap();
    let faults = two_at_a_time(&Case::all(), |case| objection(case, &folder));
    std::fs::remove_dir_all(&folder).unwrap();
    let faults: Vec<String> = faults.into_iter().flatten().collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
