//! The table of `--stats`.

use super::report::{Answer, Report};
use breach::coverability::{Statistics, Winner};
use breach::limits::peak_memory;
use std::fmt::Write as _;
use std::time::Duration;
use terminal::words::plural;

/// Appends the table.
pub(super) fn write(text: &mut String, report: &Report) {
    let mut table = Table(text);
    sizes(&mut table, &report.statistics);
    searches(&mut table, &report.statistics);
    answer(&mut table, &report.answer);
    times(&mut table, report);
    if let Some(bytes) = peak_memory() {
        table.row("peak memory", format!("{:.1} MB", bytes as f64 / f64::from(1 << 20)));
    }
}

/// Rows of a name and a value.
struct Table<'a>(&'a mut String);

impl Table<'_> {
    fn row(&mut self, name: &str, value: impl std::fmt::Display) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "{name:<22}{value}");
    }

    fn time(&mut self, name: &str, time: Duration) {
        self.row(name, format!("{:.3} s", time.as_secs_f64()));
    }
}

fn sizes(table: &mut Table<'_>, statistics: &Statistics) {
    let Statistics { size, reduced_size, .. } = statistics;
    for (name, before, after) in [
        ("shared states", size.0, reduced_size.0),
        ("local states", size.1, reduced_size.1),
        ("transitions", size.2, reduced_size.2),
    ] {
        table.row(name, format!("{before}, {after} after reduction"));
    }
}

fn searches(table: &mut Table<'_>, statistics: &Statistics) {
    table.row("iterations", statistics.iterations);
    table.row("predecessors", statistics.predecessors);
    table.row("states", format!("{}, at most {}", statistics.final_states, statistics.peak_states));
    table.row("widening candidates", statistics.candidates);
    table.row("backtracked", statistics.backtracked);
    table.row("forward nodes", statistics.forward_nodes);
    table.row("invariants", statistics.invariants);
    table.row("linear programs", statistics.linear_programs);
    table.row("answered by", winner(statistics));
}

/// Which search had the answer.
pub(super) fn winner(statistics: &Statistics) -> &'static str {
    match statistics.winner {
        Some(Winner::Forward) => "forward search",
        Some(Winner::Backward) => "backward search",
        None => "none",
    }
}

fn answer(table: &mut Table<'_>, answer: &Answer) {
    match answer {
        Answer::Coverable(run) => {
            let (steps, threads) = (plural(run.steps, "step"), plural(run.threads, "thread"));
            table.row("trace", format!("{steps}, {threads}"));
        }
        Answer::Uncoverable(Some(proof)) => table.row("proof", proof),
        Answer::Uncoverable(None) => table.row("proof", "not asked for"),
        Answer::Unknown(_) => {}
    }
}

fn times(table: &mut Table<'_>, report: &Report) {
    table.time("time reading", report.read_time);
    table.time("time parsing", report.parse_time);
    table.time("time reducing", report.statistics.reduce_time);
    table.time("time searching", report.statistics.search_time);
    table.time("time finishing", report.statistics.finish_time);
    table.time("time checking", report.check_time);
    table.time("time in total", report.total_time);
}
