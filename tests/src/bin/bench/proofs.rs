//! `bench proofs`: what it costs to judge a proof. Each safe program of examples/thesis is proved into a file, which `monabs check` then reads, once with each solver; every answer must be
//! that the proof is accepted, and checking may take twice the time of proving in sum. The twins with a mistake are shown each proof of their original, and must refuse it.

use super::ProofsArgs;
use super::monabs::Verdict;
use super::process::Finished;
use super::report::Results;
use super::table::{Table, number, text};
use super::thesis::{self, Program};
use super::tool::{self, Tool};
use ::tests::repository::root;
use anyhow::Result;
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
pub(crate) fn run(monabs: &Tool, results: &Results, args: &ProofsArgs) -> Result<bool> {
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
        let outcome = measure(monabs, program, twin, &args.solvers, limit)?;
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

fn measure(
    monabs: &Tool,
    program: &Program,
    twin: Option<&Program>,
    solvers: &[String],
    limit: Duration,
) -> Result<Outcome> {
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
    if let Some(twin) = twin
        && is_accepted(&check(monabs, &proof, &twin.path, None, limit)?)
    {
        outcome.wrong.push(format!("the proof was ACCEPTED for {}, which is unsafe", twin.name));
    }
    Ok(outcome)
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
    fn the_kind_of_a_proof() {
        assert_eq!(kind("abstraction: 2 predicates\nPROOF ACCEPTED\n"), "abstraction");
    }
}
