//! How formulas grow: figure 4.7 of O. Inverso's thesis anew. One program with a loop in each of its threads, unrolled 1 to 8 times, with 1 to 6 rounds: variables and clauses.

use super::plot::{Axis, Panel, Scale, Series};
use super::report::Results;
use super::table::{Table, number};
use super::tool::{self, Tool};
use anyhow::Result;
use serde_json::Value;
use std::ffi::OsString;
use std::time::Duration;

/// Threads whose loops nobody can count, with a violation that is found at once: only the size matters here.
const PROGRAM: &str = "\
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int shared;
void *worker(void *unused) {
  while (__VERIFIER_nondet_int()) {
    int value = shared;
    shared = value + 1;
  }
  return 0;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, worker, 0);
  pthread_create(&two, 0, worker, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(shared == 0);
  return 0;
}
";

const UNWIND: u32 = 8;
const ROUNDS: u32 = 6;

/// The size of one formula.
#[derive(Clone, Copy, Debug)]
struct Point {
    unwind: u32,
    rounds: u32,
    variables: f64,
    clauses: f64,
}

/// Measures all bounds, prints a table, and draws it.
pub(crate) fn run(cseq: &Tool, results: &Results) -> Result<()> {
    results.write("growth.c", PROGRAM)?;
    let file = results.path("growth.c");
    let limit = Duration::from_secs(60);
    let mut points = Vec::new();
    for unwind in 1..=UNWIND {
        for rounds in 1..=ROUNDS {
            let mut arguments: Vec<OsString> = vec!["--json".into(), "--unwind".into()];
            arguments.extend([unwind.to_string().into(), "--rounds".into(), rounds.to_string().into()]);
            arguments.extend([tool::timeout(limit), file.clone().into()]);
            let finished = cseq.call(&arguments, limit + Duration::from_secs(5))?;
            let document: Value = serde_json::from_str(&finished.stdout).unwrap_or_default();
            let level = document["bounds"].as_array().and_then(|levels| levels.last()).cloned();
            let level = level.unwrap_or_default();
            if let (Some(variables), Some(clauses)) = (level["variables"].as_f64(), level["clauses"].as_f64())
            {
                points.push(Point { unwind, rounds, variables, clauses });
            }
        }
    }
    let table =
        Table(vec![number("unwind", 6), number("rounds", 6), number("variables", 10), number("clauses", 10)]);
    let rows: Vec<Vec<String>> = points.iter().map(Point::row).collect();
    println!("\n{}", table.header());
    for row in &rows {
        println!("{}", table.row(row));
    }
    let summary = summary(&points);
    println!("\n{summary}");
    let text = format!("{}\n{summary}\n\n![](growth.svg)\n", table.markdown(&rows));
    results.write_markdown("growth.md", "Growth of formulas, figure 4.7", &text)?;
    plot(results, &points)
}

impl Point {
    fn row(&self) -> Vec<String> {
        let Point { unwind, rounds, variables, clauses } = self;
        vec![unwind.to_string(), rounds.to_string(), format!("{variables:.0}"), format!("{clauses:.0}")]
    }
}

/// What one more round of loops, or of schedules, adds, at least and at most.
fn summary(points: &[Point]) -> String {
    let clauses = |unwind: u32, rounds: u32| {
        points
            .iter()
            .find(|point| (point.unwind, point.rounds) == (unwind, rounds))
            .map(|point| point.clauses)
    };
    let range = |steps: Vec<f64>| {
        let least = steps.iter().copied().fold(f64::INFINITY, f64::min);
        let most = steps.iter().copied().fold(0.0, f64::max);
        format!("{least:.0} to {most:.0}")
    };
    // The first copy of a loop has less around it.
    let by_unwind =
        (2..UNWIND).filter_map(|unwind| Some(clauses(unwind + 1, ROUNDS)? - clauses(unwind, ROUNDS)?));
    let by_rounds =
        (2..ROUNDS).filter_map(|rounds| Some(clauses(UNWIND, rounds + 1)? - clauses(UNWIND, rounds)?));
    format!(
        "With {ROUNDS} rounds, unrolling loops once more adds {} clauses; with loops unrolled {UNWIND} times, one more round adds {}.",
        range(by_unwind.collect()),
        range(by_rounds.collect())
    )
}

fn plot(results: &Results, points: &[Point]) -> Result<()> {
    let y = Axis { label: "clauses", scale: Scale::Linear };
    let line = |name: String, own: Vec<(f64, f64)>| Series { name, points: own };
    let by_unwind = [1, 2, 4, ROUNDS].map(|rounds| {
        let own = points.iter().filter(|point| point.rounds == rounds);
        line(format!("{rounds} rounds"), own.map(|point| (f64::from(point.unwind), point.clauses)).collect())
    });
    let by_rounds = [1, 2, 4, UNWIND].map(|unwind| {
        let own = points.iter().filter(|point| point.unwind == unwind);
        line(format!("unwind {unwind}"), own.map(|point| (f64::from(point.rounds), point.clauses)).collect())
    });
    let panels = [
        Panel { x: Axis { label: "unwind", scale: Scale::Linear }, y, series: by_unwind.to_vec() },
        Panel { x: Axis { label: "rounds", scale: Scale::Linear }, y, series: by_rounds.to_vec() },
    ];
    let subtitle = "two threads with a loop each; straight lines are linear growth";
    results.write_plot("growth.svg", "Size of formulas against the bounds (figure 4.7)", subtitle, &panels)
}
