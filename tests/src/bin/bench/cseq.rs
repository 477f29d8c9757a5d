//! `bench cseq`: table 4.1 of O. Inverso's thesis anew, on a local copy of SV-COMP's folder `pthread`, `pthread-atomic` and `pthread-ext`: each violation with
//! the table's bounds, with the times of the table's best sequentialized back end (CBMC 4.7, on its machine) beside ours, and the sizes of our formulas. Then how formulas grow ([`growth`](super::growth)).

use super::CseqArgs;
use super::report::Results;
use super::table::{Table, number, text};
use super::tool::{self, Tool};
use ::tests::repository::files_below;
use anyhow::{Result, bail};
use serde_json::Value;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A row of the table: the name of the task, rounds of loops, rounds of schedules, seconds.
struct Row(&'static str, u32, u32, f64);

/// All but `bigshot_s`, which is expected to be safe by now.
const ROWS: [Row; 19] = [
    Row("27_Boop_simple_vf", 2, 2, 0.3),
    Row("28_buggy_simple_loop1_vf", 2, 1, 0.2),
    Row("32_pthread5_vs", 2, 2, 0.3),
    Row("40_barrier_vf", 4, 1, 0.2),
    Row("bigshot_p", 1, 2, 0.3),
    Row("fib_bench-2", 5, 5, 1.0),
    Row("fib_bench_longer-2", 6, 6, 1.5),
    Row("fib_bench_longest-2", 11, 11, 214.0),
    Row("lazy01", 1, 1, 0.2),
    Row("qrcu-2", 1, 2, 0.8),
    Row("queue", 2, 2, 8.8),
    Row("read_write_lock-2", 1, 2, 0.3),
    Row("reorder_2", 2, 1, 0.6),
    Row("reorder_5", 4, 1, 0.9),
    Row("sigma", 16, 1, 7.8),
    Row("singleton", 1, 3, 0.5),
    Row("stack-2", 2, 1, 0.3),
    Row("stateful01-1", 1, 1, 0.2),
    Row("twostage_3", 2, 1, 0.8),
];

/// Runs the command. True if no answer is wrong.
pub(crate) fn run(cseq: &Tool, results: &Results, args: &CseqArgs) -> Result<bool> {
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in &args.dirs {
        files.extend(files_below(folder)?);
    }
    let limit = Duration::from_secs(args.limit.into());
    let table = Table(vec![
        text("task", 26),
        number("unwind", 6),
        number("rounds", 6),
        text("answer", 10),
        number("seconds", 8),
        number("table 4.1", 9),
        number("variables", 10),
        number("clauses", 10),
    ]);
    println!("{}", table.header());
    let (mut rows, mut found, mut is_right) = (Vec::new(), 0, true);
    for Row(name, unwind, rounds, seconds) in &ROWS {
        let Some(file) = input(&files, name) else {
            println!("PROBLEM {name}: there is no such file in these folders");
            continue;
        };
        let mut arguments: Vec<OsString> =
            ["--json", "--32", "--unwind"].into_iter().map(OsString::from).collect();
        arguments.extend([unwind.to_string().into(), "--rounds".into(), rounds.to_string().into()]);
        arguments.extend([tool::timeout(limit), file.into()]);
        let finished = cseq.call(&arguments, limit + Duration::from_secs(5))?;
        let document: Value = serde_json::from_str(&finished.stdout).unwrap_or_default();
        let answer = document["answer"].as_str().unwrap_or("error").to_owned();
        found += usize::from(answer == "unsafe");
        is_right &= answer != "safe" && answer != "error";
        let level =
            document["bounds"].as_array().and_then(|levels| levels.last()).cloned().unwrap_or_default();
        let row = vec![
            (*name).to_owned(),
            unwind.to_string(),
            rounds.to_string(),
            answer,
            format!("{:.2}", finished.wall.as_secs_f64()),
            format!("{seconds:.1}"),
            level["variables"].to_string(),
            level["clauses"].to_string(),
        ];
        println!("{}", table.row(&row));
        rows.push(row);
    }
    if rows.is_empty() {
        bail!("none of the tasks is in these folders");
    }
    let summary = format!("{found} of {} violations found", rows.len());
    println!("\n{summary}");
    results.write_markdown(
        "cseq.md",
        "Lazy sequentialization, table 4.1",
        &format!("{}\n{summary}\n", table.markdown(&rows)),
    )?;
    super::growth::run(cseq, results)?;
    Ok(is_right)
}

/// The preprocessed file of a task, or its source.
pub(crate) fn input<'a>(files: &'a [PathBuf], name: &str) -> Option<&'a Path> {
    let named = |suffix: &str| {
        let wanted = format!("{name}.{suffix}");
        files.iter().find(|file| file.file_name().is_some_and(|file| *file == *wanted)).map(PathBuf::as_path)
    };
    named("i").or_else(|| named("c"))
}
