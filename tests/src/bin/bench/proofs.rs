//! `bench proofs`: what it costs to judge a proof. Each safe program of examples/thesis is proved into a file, which `monabs check` then reads, once with each solver; every answer must be
//! that the proof is accepted, and checking may take twice the time of proving in sum.
//!
//! The twin of a program, with a mistake, must accept no proof: it gets that of the original, with its own program in place of the original's, and then with small damages, which might by chance be
//! what a forger needs.

use super::ProofsArgs;
use super::monabs::Verdict;
use super::process::Finished;
use super::report::Results;
use super::table::{Table, number, text};
use super::thesis::{self, Program};
use super::tool::{self, Tool};
use ::tests::random::Random;
use ::tests::repository::root;
use anyhow::{Context as _, Result};
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

/// How much longer than proving all programs, checking all proofs may take.
const BAR: f64 = 2.0;

/// A program with what came of it.
struct Outcome {
    name: String,
    verdict: Verdict,
    /// Of the certificate: `abstraction`, `tree`, `bounds`, `states`.
    kind: String,
    /// Bytes.
    size: u64,
    proving: Cost,
    /// With each solver: what it cost, and why the proof was not accepted.
    checks: Vec<(Cost, Option<String>)>,
    /// Proofs of something false that were refused.
    refused: usize,
    /// What is wrong beside that.
    wrong: Vec<String>,
}

/// Seconds.
#[derive(Clone, Copy, Default)]
struct Cost {
    wall: f64,
    cpu: f64,
}

impl Cost {
    fn of(finished: &Finished) -> Cost {
        Cost { wall: finished.wall.as_secs_f64(), cpu: finished.cpu.as_secs_f64() }
    }
}

/// Runs the command. True if each proof is accepted by each solver, no twin accepts one, and the default solver takes no longer than the bar.
pub(crate) fn run((monabs, asyncc): (&Tool, &Tool), results: &Results, args: &ProofsArgs) -> Result<bool> {
    let all = thesis::programs(&root().join("examples/thesis"), &args.only)?;
    let (programs, twins): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|program| program.expected == Verdict::Safe);
    let limit = Duration::from_secs(args.limit.into());
    println!("{} safe programs of examples/thesis, limit {} s\n", programs.len(), limit.as_secs());
    let table = layout(args.solvers.len());
    println!("{}", table.header());
    println!("{}", solvers(&args.solvers));
    let mut outcomes = Vec::new();
    for program in &programs {
        let twin = twins.iter().find(|twin| twin.name == format!("{}-bug", program.name));
        let mut outcome = measure(monabs, program, &args.solvers, limit)?;
        if let Some(twin) = twin.filter(|_| outcome.verdict == Verdict::Safe) {
            forge((monabs, asyncc), &mut outcome, twin, args.damages, limit)?;
        }
        println!("{}", table.row(&outcome.fields()));
        outcomes.push(outcome);
    }
    let sums = sums(&outcomes, args.solvers.len());
    println!("{}\n", table.row(&sums));
    let mut rows: Vec<_> = outcomes.iter().map(Outcome::fields).collect();
    rows.push(sums);
    let (remarks, is_right) = remarks(&outcomes, &args.solvers);
    remarks.iter().for_each(|remark| println!("{remark}"));
    let lines: String = remarks.iter().map(|remark| format!("- {remark}\n")).collect();
    let body = format!("{}\n{}\n\n{lines}", table.markdown(&rows), solvers(&args.solvers));
    results.write_markdown("proofs.md", "Proving, and checking proofs", &body)?;
    Ok(is_right)
}

fn measure(monabs: &Tool, program: &Program, solvers: &[String], limit: Duration) -> Result<Outcome> {
    let proof = monabs.scratch("proof");
    if proof.exists() {
        std::fs::remove_file(&proof)?;
    }
    let arguments =
        [tool::timeout(limit), "--proof".into(), proof.clone().into(), program.path.clone().into()];
    let found = monabs.call(&arguments, limit)?;
    let verdict = Verdict::of_text(&found);
    let mut outcome = Outcome {
        name: program.name.clone(),
        proving: Cost::of(&found),
        kind: String::new(),
        size: 0,
        checks: Vec::new(),
        refused: 0,
        wrong: Vec::new(),
        verdict,
    };
    if outcome.verdict != Verdict::Safe {
        return Ok(outcome);
    }
    outcome.size = std::fs::metadata(&proof)?.len();
    for solver in std::iter::once(None).chain(solvers.iter().map(Some)) {
        let checked = check(monabs, &proof, &program.path, solver, limit)?;
        let accepted = is_accepted(&checked);
        outcome.checks.push((Cost::of(&checked), (!accepted).then(|| tool::explain(&checked))));
        if accepted {
            outcome.kind = kind(&checked.stdout).to_owned();
        }
    }
    Ok(outcome)
}

/// Shows proofs to a program that has none.
fn forge(
    (monabs, asyncc): (&Tool, &Tool),
    outcome: &mut Outcome,
    twin: &Program,
    damages: u32,
    limit: Duration,
) -> Result<()> {
    let text = std::fs::read_to_string(monabs.scratch("proof"))?;
    let program = asyncc.call(&["--emit".into(), "program".into(), twin.path.clone().into()], limit)?.stdout;
    let forged = with_program(&text, &program).context("a proof has no program in it")?;
    let mut random = Random::new(u64::try_from(text.len())?);
    let path = monabs.scratch("forged");
    let damaged = (0..damages).map(|_| damaged(&forged, &mut random)).collect::<Vec<_>>();
    for (number, text) in [text, forged].into_iter().chain(damaged).enumerate() {
        std::fs::write(&path, text)?;
        let checked = check(monabs, &path, &twin.path, None, limit)?;
        match checked.exit_code {
            _ if is_accepted(&checked) => {
                let kept = std::env::temp_dir().join(format!("{}-{number}.proof", twin.name));
                std::fs::copy(&path, &kept)?;
                outcome.wrong.push(format!("{}, which is unsafe, ACCEPTED {}", twin.name, kept.display()));
            }
            // Not a proof, or not one of this; or a solver had no answer.
            Some(1 | 2 | 5) => outcome.refused += 1,
            _ => outcome.wrong.push(format!("{}: {}", twin.name, tool::explain(&checked))),
        }
    }
    Ok(())
}

/// A proof with another program in it.
fn with_program(proof: &str, program: &str) -> Option<String> {
    let (before, rest) = proof.split_once("begin program\n")?;
    let (_, after) = rest.split_once("end program\n")?;
    // Without the hash of its source, which alone would be reason enough to refuse it.
    let before: String =
        before.lines().filter(|l| !l.starts_with("source ")).map(|l| format!("{l}\n")).collect();
    Some(format!("{before}begin program\n{program}end program\n{after}"))
}

/// The same with something gone, moved, or another number in it, behind the program.
fn damaged(proof: &str, random: &mut Random) -> String {
    let mut lines: Vec<String> = proof.lines().map(str::to_owned).collect();
    let first = lines.iter().position(|line| line == "end program").map_or(0, |line| line + 1);
    let mut below = |bound: usize| random.below(bound as u32) as usize;
    let behind = lines.len().saturating_sub(first);
    if behind == 0 {
        return proof.to_owned();
    }
    let (one, two) = (first + below(behind), first + below(behind));
    match below(4) {
        0 => {
            lines.remove(one);
        }
        1 => lines.swap(one, two),
        _ => {
            let line = &mut lines[one];
            let digits: Vec<usize> =
                line.match_indices(|c: char| c.is_ascii_digit()).map(|(at, _)| at).collect();
            if let Some(&at) = digits.get(below(digits.len())) {
                line.replace_range(at..=at, &below(10).to_string());
            }
        }
    }
    lines.join("\n") + "\n"
}

/// Checking has as many times the limit of proving as it may take in sum.
fn check(
    monabs: &Tool,
    proof: &Path,
    program: &Path,
    solver: Option<&String>,
    limit: Duration,
) -> Result<Finished> {
    let mut arguments: Vec<OsString> = vec!["check".into()];
    arguments.extend(solver.map(|solver| format!("--solver={solver}").into()));
    arguments.extend([proof.into(), program.into()]);
    monabs.call(&arguments, limit.mul_f64(BAR))
}

fn is_accepted(finished: &Finished) -> bool {
    finished.exit_code == Some(0) && finished.stdout.lines().last() == Some("PROOF ACCEPTED")
}

/// The word before the colon of the line that says what was checked.
fn kind(stdout: &str) -> &str {
    let line = stdout.lines().find(|line| !line.starts_with("note:")).unwrap_or_default();
    line.split_once(':').map_or("", |(kind, _)| kind)
}

fn layout(solvers: usize) -> Table {
    let mut columns = vec![
        text("program", 19),
        text("verdict", 7),
        text("proof", 11),
        number("kB", 7),
        number("prove s", 8),
        number("cpu", 7),
        number("check s", 8),
        number("cpu", 7),
    ];
    for _ in 0..solvers {
        columns.extend([number("other s", 8), number("cpu", 7)]);
    }
    columns.push(text("result", 8));
    Table(columns)
}

fn solvers(others: &[String]) -> String {
    let others = if others.is_empty() { "none".to_owned() } else { others.join(", ") };
    format!("(other: checked again by {others}; times: wall and processor)")
}

impl Outcome {
    fn is_accepted(&self) -> bool {
        !self.checks.is_empty() && self.checks.iter().all(|(_, why)| why.is_none()) && self.wrong.is_empty()
    }

    fn fields(&self) -> Vec<String> {
        let mut fields = vec![self.name.clone(), self.verdict.to_string(), self.kind.clone()];
        fields.push(format!("{:.1}", self.size as f64 / 1024.0));
        let costs = std::iter::once(&self.proving).chain(self.checks.iter().map(|(cost, _)| cost));
        fields.extend(costs.flat_map(|cost| [format!("{:.2}", cost.wall), format!("{:.2}", cost.cpu)]));
        let result = match &self.verdict {
            Verdict::Safe if self.is_accepted() => "accepted",
            Verdict::Safe => "REFUSED",
            _ => return fields,
        };
        fields.push(result.to_owned());
        fields
    }
}

/// The last row: sums over programs that were proved.
fn sums(outcomes: &[Outcome], solvers: usize) -> Vec<String> {
    let proved: Vec<_> = outcomes.iter().filter(|outcome| !outcome.checks.is_empty()).collect();
    let mut fields = vec!["sum".to_owned(), format!("{}/{}", proved.len(), outcomes.len()), String::new()];
    fields.push(format!("{:.1}", proved.iter().map(|outcome| outcome.size as f64 / 1024.0).sum::<f64>()));
    let mut add = |of: &dyn Fn(&Outcome) -> Cost| {
        let costs: Vec<_> = proved.iter().map(|outcome| of(outcome)).collect();
        fields.push(format!("{:.2}", costs.iter().map(|cost| cost.wall).sum::<f64>()));
        fields.push(format!("{:.2}", costs.iter().map(|cost| cost.cpu).sum::<f64>()));
    };
    add(&|outcome| outcome.proving);
    for index in 0..=solvers {
        add(&|outcome| outcome.checks.get(index).map(|(cost, _)| *cost).unwrap_or_default());
    }
    let accepted = proved.iter().filter(|outcome| outcome.is_accepted()).count();
    fields.push(format!("{accepted}/{}", proved.len()));
    fields
}

/// What is to be said, and whether all is as it should be.
fn remarks(outcomes: &[Outcome], solvers: &[String]) -> (Vec<String>, bool) {
    let mut remarks = Vec::new();
    let mut is_right = true;
    for outcome in outcomes {
        if let Some(reason) = outcome.verdict.reason() {
            remarks.push(format!("{}: {}: {reason}", outcome.name, outcome.verdict));
        }
        is_right &=
            !matches!(outcome.verdict, Verdict::Unsafe | Verdict::Failed(_)) && outcome.wrong.is_empty();
        remarks.extend(outcome.wrong.iter().map(|wrong| format!("{}: {wrong}", outcome.name)));
        let names = std::iter::once("the default solver").chain(solvers.iter().map(String::as_str));
        for (name, (_, why)) in names.zip(&outcome.checks) {
            if let Some(why) = why {
                is_right = false;
                remarks.push(format!("{}: not accepted by {name}: {why}", outcome.name));
            }
        }
    }
    let refused: usize = outcomes.iter().map(|outcome| outcome.refused).sum();
    remarks.push(format!("{refused} proofs of something false were refused"));
    let sum = |of: &dyn Fn(&Outcome) -> f64| outcomes.iter().map(of).sum::<f64>();
    let proving = sum(&|outcome| if outcome.checks.is_empty() { 0.0 } else { outcome.proving.wall });
    let checking = sum(&|outcome| outcome.checks.first().map_or(0.0, |(cost, _)| cost.wall));
    if proving > 0.0 {
        let ratio = checking / proving;
        remarks.push(format!("checking takes {ratio:.2} times as long as proving (at most {BAR})"));
        is_right &= ratio <= BAR;
    }
    (remarks, is_right)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(checks: &[f64], why: Option<&str>) -> Outcome {
        let cost = |wall| Cost { wall, cpu: 1.0 };
        Outcome {
            name: "19-ticket".to_owned(),
            verdict: Verdict::Safe,
            kind: "abstraction".to_owned(),
            size: 2048,
            proving: cost(2.0),
            checks: checks.iter().map(|wall| (cost(*wall), why.map(str::to_owned))).collect(),
            refused: 0,
            wrong: Vec::new(),
        }
    }

    #[test]
    fn sums_and_the_bar() {
        let solvers = ["sat".to_owned()];
        let good = [outcome(&[1.0, 9.0], None), outcome(&[3.0, 9.0], None)];
        assert_eq!(good[0].fields().len(), layout(1).0.len());
        assert_eq!(sums(&good, 1).len(), layout(1).0.len());
        assert_eq!(sums(&good, 1)[4..], ["4.00", "2.00", "4.00", "2.00", "18.00", "2.00", "2/2"]);
        assert!(remarks(&good, &solvers).1);
        assert!(!remarks(&[outcome(&[4.1, 1.0], None)], &solvers).1);
        assert!(!remarks(&[outcome(&[1.0, 1.0], Some("exit 1"))], &solvers).1);
    }

    #[test]
    fn forgeries_differ_behind_the_program_only() {
        let proof = "monabs-proof 1\nbegin program\nold 1\nend program\nkind states 2 3\nend\n";
        let forged = with_program(proof, "new 1\n").unwrap();
        assert_eq!(forged, proof.replace("old", "new"));
        let mut random = Random::new(7);
        let all: Vec<String> = (0..50).map(|_| damaged(&forged, &mut random)).collect();
        assert!(all.iter().all(|text| text.contains("begin program\nnew 1\nend program\n")));
        assert!(all.iter().filter(|text| **text != forged).count() > 25);
    }

    #[test]
    fn the_kind_of_a_proof() {
        assert_eq!(kind("abstraction: 2 predicates\nPROOF ACCEPTED\n"), "abstraction");
    }
}
