//! `bench programs`: whole programs, each in one file: are they translated, how fast, what is not modelled, and what is found about races?
//!
//! `asyncc` translates each program with `--data-race-check`; then `monabs` is asked about races, if the program was translated. A
//! refusal is an answer and counts against the translation; a crash, or an internal error, makes the run fail. What is not modelled is counted by
//! its message, with names and numbers left out.

use super::ProgramsArgs;
use super::monabs::Verdict;
use super::process::Finished;
use super::report::Results;
use super::table::{Table, number, text};
use super::tool::{self, Tool};
use ::tests::repository::files_below;
use anyhow::{Result, bail};
use console::obstacles;
use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The exit code of an input that cannot be translated.
const REFUSED: i32 = 2;
/// How many kinds of limits are listed.
const LISTED: usize = 20;

/// What came of a program.
#[derive(Debug)]
struct Outcome {
    name: String,
    lines: usize,
    translation: Translation,
    seconds: f64,
    /// Megabytes of 2^20 bytes.
    memory: f64,
    edges: u64,
    races: u64,
    /// How often, by the message without names.
    limits: BTreeMap<String, u64>,
    verdict: Option<Verdict>,
}

#[derive(Debug, PartialEq)]
enum Translation {
    Done,
    /// With the first message.
    Refused(String),
    TooSlow,
    Crashed(String),
}

impl Translation {
    fn of(finished: &Finished) -> Translation {
        match finished.exit_code {
            Some(0) => Translation::Done,
            Some(REFUSED) => {
                let message = finished.stderr.lines().find_map(|line| line.split_once("error: "));
                Translation::Refused(message.map_or_else(String::new, |(_, message)| message.to_owned()))
            }
            _ if finished.killed => Translation::TooSlow,
            _ => Translation::Crashed(tool::explain(finished)),
        }
    }

    fn word(&self) -> &'static str {
        match self {
            Translation::Done => "yes",
            Translation::Refused(_) => "refused",
            Translation::TooSlow => "too slow",
            Translation::Crashed(_) => "CRASHED",
        }
    }
}

/// Runs the command. True if nothing crashed.
pub(crate) fn run((asyncc, monabs): (&Tool, &Tool), results: &Results, args: &ProgramsArgs) -> Result<bool> {
    let is_chosen = |file: &PathBuf| {
        let name = file.to_string_lossy();
        file.extension().is_some_and(|suffix| suffix == "c" || suffix == "i") && name.contains(&args.only)
    };
    let mut files: Vec<PathBuf> = files_below(&args.dir)?.into_iter().filter(is_chosen).collect();
    files.sort();
    if files.is_empty() {
        bail!("there is no program (*.c, *.i) in {}", args.dir.display());
    }
    println!("{} programs, {} s to translate, {} s for races\n", files.len(), args.limit, args.race_limit);
    let table = layout();
    println!("{}", table.header());
    let mut outcomes = Vec::new();
    for file in &files {
        let outcome = measure((asyncc, monabs), file, args)?;
        println!("{}", table.row(&outcome.fields()));
        outcomes.push(outcome);
    }
    let summary = summary(&outcomes);
    println!("\n{summary}");
    let rows: Vec<_> = outcomes.iter().map(Outcome::fields).collect();
    results.write_csv("programs.csv", &COLUMNS, &rows)?;
    let body = format!("{}\n{summary}", table.markdown(&rows));
    results.write_markdown("programs.md", "Whole programs", &body)?;
    Ok(!outcomes.iter().any(Outcome::has_crashed))
}

fn measure((asyncc, monabs): (&Tool, &Tool), file: &Path, args: &ProgramsArgs) -> Result<Outcome> {
    let options: Vec<OsString> =
        ["--json", "--stats", "--quiet", "--data-race-check"].map(OsString::from).to_vec();
    let with_file = |options: Vec<OsString>| options.into_iter().chain([file.into()]).collect::<Vec<_>>();
    let limit = Duration::from_secs(args.limit.into());
    let finished = asyncc.call(&with_file(options), limit)?;
    let mut outcome = Outcome::of(file, &finished);
    if outcome.translation == Translation::Done && args.race_limit > 0 {
        let limit = Duration::from_secs(args.race_limit.into());
        let options = vec!["--quiet".into(), "--data-race-check".into(), tool::timeout(limit)];
        outcome.verdict = Some(Verdict::of_text(&monabs.call(&with_file(options), limit)?));
    }
    Ok(outcome)
}

impl Outcome {
    fn of(file: &Path, finished: &Finished) -> Outcome {
        let document: Value = serde_json::from_str(&finished.stdout).unwrap_or_default();
        let properties = document["properties"].as_array().map_or(&[][..], Vec::as_slice);
        let mut limits: BTreeMap<String, u64> = BTreeMap::new();
        for property in properties.iter().filter(|property| property["kind"] == "limit") {
            let message = property["description"].as_str().unwrap_or_default();
            *limits.entry(obstacles::kind(message)).or_insert(0) += 1;
        }
        let races = properties.iter().filter(|property| property["kind"] == "data-race").count();
        Outcome {
            name: name(file),
            lines: std::fs::read(file).map_or(0, |text| text.iter().filter(|byte| **byte == b'\n').count()),
            translation: Translation::of(finished),
            seconds: finished.wall.as_secs_f64(),
            memory: document["statistics"]["peak_memory"].as_u64().unwrap_or(0) as f64 / f64::from(1 << 20),
            edges: document["program"]["edges"].as_u64().unwrap_or(0),
            races: races as u64,
            limits,
            verdict: None,
        }
    }

    fn has_crashed(&self) -> bool {
        matches!(self.translation, Translation::Crashed(_))
            || matches!(self.verdict, Some(Verdict::Failed(_)))
    }

    fn fields(&self) -> Vec<String> {
        let verdict = match &self.verdict {
            Some(Verdict::Safe) => "no race".to_owned(),
            Some(Verdict::Unsafe) => "race".to_owned(),
            Some(other) => other.to_string(),
            None => String::new(),
        };
        let reason = match (&self.translation, &self.verdict) {
            (Translation::Refused(message) | Translation::Crashed(message), _) => message.clone(),
            (_, Some(verdict)) => verdict.reason().unwrap_or_default().to_owned(),
            _ => String::new(),
        };
        vec![
            self.name.clone(),
            self.lines.to_string(),
            self.translation.word().to_owned(),
            format!("{:.2}", self.seconds),
            format!("{:.0}", self.memory),
            self.edges.to_string(),
            self.races.to_string(),
            self.limits.values().sum::<u64>().to_string(),
            verdict,
            reason,
        ]
    }
}

/// The name of the file, or of its folder if all files have the same name.
fn name(file: &Path) -> String {
    let last = |path: Option<&Path>| {
        path.and_then(Path::file_name).map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    };
    match last(Some(file)) {
        name if name == "main.c" => format!("{}/{name}", last(file.parent())),
        name => name,
    }
}

fn layout() -> Table {
    Table(vec![
        text("program", 28),
        number("lines", 6),
        text("translated", 10),
        number("s", 7),
        number("MB", 6),
        number("edges", 7),
        number("races", 6),
        number("limits", 6),
        text("verdict", 8),
        text("reason", 10),
    ])
}

const COLUMNS: [&str; 10] = [
    "program",
    "lines",
    "translated",
    "translate_s",
    "peak_mb",
    "edges",
    "race_pairs",
    "limits",
    "verdict",
    "reason",
];

/// How many of each, and what is not modelled, the most frequent first.
fn summary(outcomes: &[Outcome]) -> String {
    let count = |is: &dyn Fn(&Outcome) -> bool| outcomes.iter().filter(|outcome| is(outcome)).count();
    let mut text = format!(
        "{} of {} translated, {} within 10 s; {} refused, {} too slow, {} crashed\n",
        count(&|outcome| outcome.translation == Translation::Done),
        outcomes.len(),
        count(&|outcome| outcome.translation == Translation::Done && outcome.seconds <= 10.0),
        count(&|outcome| matches!(outcome.translation, Translation::Refused(_))),
        count(&|outcome| outcome.translation == Translation::TooSlow),
        count(&Outcome::has_crashed),
    );
    text.push_str(&format!(
        "races: {} programs have one, {} have none, {} unknown\n",
        count(&|outcome| outcome.verdict == Some(Verdict::Unsafe)),
        count(&|outcome| outcome.verdict == Some(Verdict::Safe)),
        count(&|outcome| matches!(outcome.verdict, Some(Verdict::Unknown(_)))),
    ));
    let mut kinds: BTreeMap<&str, (u64, usize)> = BTreeMap::new();
    for (kind, number) in outcomes.iter().flat_map(|outcome| &outcome.limits) {
        let entry = kinds.entry(kind).or_default();
        *entry = (entry.0 + number, entry.1 + 1);
    }
    let mut kinds: Vec<_> = kinds.into_iter().collect();
    kinds.sort_by_key(|(kind, (number, _))| (std::cmp::Reverse(*number), *kind));
    text.push_str("\nwhat is not modelled: places, programs, message\n\n");
    for (kind, (number, programs)) in kinds.into_iter().take(LISTED) {
        text.push_str(&format!("- {number} in {programs}: {kind}\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finished(exit_code: Option<i32>, killed: bool, stdout: &str, stderr: &str) -> Finished {
        let (stdout, stderr) = (stdout.to_owned(), stderr.to_owned());
        Finished { exit_code, killed, stdout, stderr, wall: Duration::from_secs(2), cpu: Duration::ZERO }
    }

    #[test]
    fn what_came_of_it() {
        let document = r#"{"program":{"edges":7},"properties":[{"kind":"limit","description":"'f' 1"},
            {"kind":"limit","description":"'g' 22"},{"kind":"data-race","description":"x"}],"statistics":{"peak_memory":2097152}}"#;
        let mut done = Outcome::of(Path::new("a/main.c"), &finished(Some(0), false, document, ""));
        assert_eq!((done.edges, done.races, done.memory), (7, 1, 2.0));
        assert_eq!(done.limits, BTreeMap::from([("'..' N".to_owned(), 2)]));
        done.verdict = Some(Verdict::Unsafe);
        let fields = done.fields();
        assert_eq!((fields.len(), layout().0.len()), (COLUMNS.len(), COLUMNS.len()));
        assert_eq!(fields[..3], ["a/main.c", "0", "yes"]);
        assert_eq!(fields[8], "race");
        let refused = finished(Some(2), false, "", "a.c:1:2: error: no 'main'\n");
        let refused = Outcome::of(Path::new("b.c"), &refused);
        assert_eq!(refused.translation, Translation::Refused("no 'main'".to_owned()));
        let slow = Outcome::of(Path::new("c.c"), &finished(None, true, "", ""));
        let crashed = Outcome::of(Path::new("d.c"), &finished(None, false, "", "x"));
        assert!(crashed.has_crashed() && !slow.has_crashed() && !refused.has_crashed());
        let summary = summary(&[done, refused, slow, crashed]);
        assert!(
            summary.starts_with("1 of 4 translated, 1 within 10 s; 1 refused, 1 too slow, 1 crashed\n"),
            "{summary}"
        );
        assert!(summary.contains("races: 1 programs have one, 0 have none, 0 unknown\n"), "{summary}");
        assert!(summary.contains("- 2 in 1: '..' N\n"), "{summary}");
    }
}
