//! `bench impara`: tables I and II of "Verifying Multi-threaded Software with Impact" (FMCAD 2013) anew, on a local copy of SV-COMP's folders `pthread` and
//! `pthread-atomic`: four configurations, each with seconds, nodes and implications, ours before theirs (on their machine).

use super::CseqArgs;
use super::cseq::input;
use super::report::Results;
use super::table::{Table, number, text};
use super::tool::{self, Tool};
use ::tests::repository::files_below;
use anyhow::{Result, bail};
use serde_json::Value;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What a configuration did in the paper: seconds and nodes; nothing if it did not end in 900 s.
type Cell = Option<(f64, u32)>;

/// A row: the name in the paper, the file, whether it is safe, and the four configurations.
struct Row(&'static str, &'static str, bool, [Cell; 4]);

/// The names of the configurations, and how to ask for them.
const CONFIGURATIONS: [(&str, &[&str]); 4] = [
    ("sPOR", &["--por", "static", "--no-force"]),
    ("sPOR+FC", &["--por", "static"]),
    ("dPOR", &["--no-force"]),
    ("dPOR+FC", &[]),
];

const ROWS: [Row; 9] = [
    Row("dekker", "dekker", true, [Some((1.3, 7407)), Some((0.2, 504)), Some((0.1, 433)), Some((0.1, 331))]),
    Row(
        "lamport",
        "lamport",
        true,
        [Some((9.6, 36624)), Some((1.0, 4740)), Some((1.0, 7418)), Some((0.3, 1700))],
    ),
    Row(
        "peterson",
        "peterson",
        true,
        [Some((0.7, 3155)), Some((0.1, 419)), Some((0.3, 1081)), Some((0.1, 199))],
    ),
    Row(
        "szymanski",
        "szymanski",
        true,
        [Some((2.3, 13332)), Some((0.3, 1059)), Some((0.2, 1264)), Some((0.2, 673))],
    ),
    Row(
        "read_write_u",
        "read_write_lock-2",
        false,
        [Some((5.4, 31786)), Some((1.0, 7628)), Some((1.6, 18261)), Some((0.6, 4899))],
    ),
    Row(
        "read_write_s",
        "read_write_lock-1",
        true,
        [Some((75.2, 109_096)), Some((7.0, 12932)), Some((5.0, 36777)), Some((0.9, 7065))],
    ),
    Row(
        "time_var_mutex",
        "time_var_mutex",
        true,
        [Some((0.2, 867)), Some((0.2, 867)), Some((0.2, 435)), Some((0.1, 252))],
    ),
    Row("stack_u", "stack-2", false, [None, None, Some((3.1, 2589)), Some((0.5, 424))]),
    Row("stack_s", "stack-1", true, [None, None, None, Some((38.8, 2037))]),
];

/// What one run did.
struct Measured {
    answer: String,
    seconds: f64,
    nodes: u64,
    implications: u64,
}

/// Runs the command. True if no answer is wrong.
pub(crate) fn run(impara: &Tool, results: &Results, args: &CseqArgs) -> Result<bool> {
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in &args.dirs {
        files.extend(files_below(folder)?);
    }
    let table = Table(vec![
        text("task", 16),
        text("configuration", 13),
        text("answer", 8),
        number("seconds", 8),
        number("paper", 8),
        number("nodes", 8),
        number("paper", 8),
        number("implications", 12),
    ]);
    println!("{}", table.header());
    let (mut rows, mut right, mut is_right, mut fewer) = (Vec::new(), 0, true, 0);
    for Row(name, file, is_safe, cells) in &ROWS {
        let Some(file) = input(&files, file) else {
            println!("PROBLEM {name}: there is no such file in these folders");
            continue;
        };
        for ((configuration, options), cell) in CONFIGURATIONS.iter().zip(cells) {
            let measured = measure(impara, file, options, args)?;
            let expected = if *is_safe { "safe" } else { "unsafe" };
            is_right &= measured.answer == expected || measured.answer == "unknown";
            if *configuration == "dPOR+FC" {
                right += usize::from(measured.answer == expected);
                fewer += usize::from(cell.is_some_and(|(_, nodes)| measured.nodes <= u64::from(nodes)));
            }
            let row = vec![
                (*name).to_owned(),
                (*configuration).to_owned(),
                measured.answer,
                format!("{:.2}", measured.seconds),
                cell.map_or_else(|| "-".to_owned(), |(seconds, _)| format!("{seconds:.1}")),
                measured.nodes.to_string(),
                cell.map_or_else(|| "-".to_owned(), |(_, nodes)| nodes.to_string()),
                measured.implications.to_string(),
            ];
            println!("{}", table.row(&row));
            rows.push(row);
        }
    }
    if rows.is_empty() {
        bail!("none of the tasks is in these folders");
    }
    let summary = format!("{right} of 9 verdicts with dPOR+FC; no more nodes than the paper on {fewer} of 9");
    println!("\n{summary}");
    let document = format!("{}\n{summary}\n", table.markdown(&rows));
    results.write_markdown("impara.md", "Lazy abstraction with interpolants, tables I and II", &document)?;
    Ok(is_right)
}

fn measure(impara: &Tool, file: &Path, options: &[&str], args: &CseqArgs) -> Result<Measured> {
    let limit = Duration::from_secs(args.limit.into());
    let mut arguments: Vec<OsString> =
        ["--json", "--stats", "--32", "--no-modular"].into_iter().map(OsString::from).collect();
    arguments.extend(options.iter().map(OsString::from));
    arguments.extend([tool::timeout(limit), file.into()]);
    let finished = impara.call(&arguments, limit + Duration::from_secs(5))?;
    let document: Value = serde_json::from_str(&finished.stdout).unwrap_or_default();
    let number = |name: &str| document["statistics"][name].as_u64().unwrap_or(0);
    Ok(Measured {
        answer: document["answer"].as_str().unwrap_or("error").to_owned(),
        seconds: finished.wall.as_secs_f64(),
        nodes: number("nodes"),
        implications: number("implications"),
    })
}
