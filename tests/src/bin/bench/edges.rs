//! `bench edges`: what an abstraction costs against the number of edges of the program.
//!
//! The programs are a small locked section, again and again in a row, with the same two predicates, which prove it in one
//! iteration. Each copy adds another number, so that no question to the solver is asked for two copies. As every edge is
//! abstracted alone, the time for each has to stay the same.

use super::EdgesArgs;
use super::monabs::{Report, Verdict, measure};
use super::plot::{Axis, Panel, Scale, Series};
use super::report::Results;
use super::table::{Table, milliseconds, number, text};
use super::tool::Tool;
use anyhow::{Context as _, Result};
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

/// What begins the abstraction; the lock is known by itself.
const PREDICATES: &str = "value == worker::old\n";

/// A program with what came of it.
struct Outcome {
    copies: u32,
    report: Report,
}

/// Runs the command. True if all programs are proved.
pub(crate) fn run(monabs: &Tool, results: &Results, args: &EdgesArgs) -> Result<bool> {
    let limit = Duration::from_secs(args.limit.into());
    println!(
        "a locked section 1 to {} times, best of {} runs, limit {} s\n",
        args.most,
        args.runs,
        limit.as_secs()
    );
    let predicates = monabs.scratch("predicates.txt");
    write(&predicates, PREDICATES)?;
    let options: Vec<OsString> =
        vec!["--no-search".into(), "--iterations=1".into(), "--predicates".into(), predicates.into()];
    let table = layout();
    println!("{}", table.header());
    let mut outcomes = Vec::new();
    for copies in sizes(args.most) {
        let path = monabs.scratch("edges.c");
        write(&path, &program(copies))?;
        let outcome = Outcome { copies, report: best(monabs, &options, &path, args.runs, limit)? };
        println!("{}", table.row(&outcome.fields()));
        outcomes.push(outcome);
    }
    let growth = growth(&outcomes);
    println!("\n{growth}\n");
    let sound = print_faults(&outcomes) == 0;
    let rows: Vec<_> = outcomes.iter().map(Outcome::fields).collect();
    results.write_csv("edges.csv", &COLUMNS, &rows)?;
    let body = format!("{}\n{growth}\n", table.markdown(&rows));
    results.write_markdown("edges.md", "Abstraction time against the number of edges", &body)?;
    plot(results, &outcomes)?;
    Ok(sound)
}

fn write(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// 1, 2, 4 and so on, and the largest one.
fn sizes(most: u32) -> Vec<u32> {
    let powers = std::iter::successors(Some(1_u32), |size| size.checked_mul(2));
    powers.take_while(|size| *size < most).chain([most]).collect()
}

/// A program whose threads pass so many locked sections.
fn program(copies: u32) -> String {
    let mut text = String::from(
        "#include <assert.h>\n#include <pthread.h>\n\nextern _Bool __VERIFIER_nondet_bool(void);\n\n\
         static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;\nstatic unsigned value;\n\n\
         static void *worker(void *unused) {\n  unsigned old;\n",
    );
    for copy in 1..=copies {
        text.push_str(&format!(
            "  pthread_mutex_lock(&mutex);\n  old = value;\n  value = old + {copy};\n  assert(value != old);\n  \
             pthread_mutex_unlock(&mutex);\n"
        ));
    }
    text + "  return unused;\n}\n\nint main(void) {\n  pthread_t thread;\n  while (__VERIFIER_nondet_bool())\n    \
            pthread_create(&thread, 0, worker, 0);\n  return 0;\n}\n"
}

/// The run with the fastest abstraction.
fn best(monabs: &Tool, options: &[OsString], path: &Path, runs: u32, limit: Duration) -> Result<Report> {
    let mut best = measure(monabs, options, path, limit)?;
    for _ in 1..runs {
        if best.verdict != Verdict::Safe {
            break;
        }
        let next = measure(monabs, options, path, limit)?;
        if next.verdict != Verdict::Safe || next.times.abstracting < best.times.abstracting {
            best = next;
        }
    }
    Ok(best)
}

fn layout() -> Table {
    Table(vec![
        number("copies", 6),
        number("edges", 6),
        number("transitions", 11),
        number("queries", 8),
        number("remembered", 10),
        number("abstract ms", 11),
        number("ms per edge", 11),
        number("total ms", 9),
        text("verdict", 7),
    ])
}

const COLUMNS: [&str; 9] = [
    "copies",
    "edges",
    "transitions",
    "solver_queries",
    "remembered_queries",
    "abstract_ms",
    "abstract_ms_per_edge",
    "total_ms",
    "verdict",
];

impl Outcome {
    /// Seconds of abstraction for each edge.
    fn per_edge(&self) -> f64 {
        self.report.times.abstracting / self.report.edges.max(1) as f64
    }

    fn fields(&self) -> Vec<String> {
        let report = &self.report;
        let mut fields = vec![self.copies.to_string()];
        let numbers = [report.edges, report.transitions, report.queries, report.remembered];
        fields.extend(numbers.map(|number| number.to_string()));
        fields.push(milliseconds(report.times.abstracting));
        fields.push(format!("{:.3}", self.per_edge() * 1000.0));
        fields.push(milliseconds(report.times.total));
        fields.push(report.verdict.to_string());
        fields
    }
}

/// The exponent of the growth between the smallest and the largest program of at least 20 edges: 1 is linear.
fn exponent(outcomes: &[Outcome]) -> Option<f64> {
    let is_measured =
        |outcome: &&Outcome| outcome.report.edges >= 20 && outcome.report.verdict == Verdict::Safe;
    let mut measured = outcomes.iter().filter(is_measured).map(|outcome| &outcome.report);
    let (first, last) = (measured.next()?, measured.next_back()?);
    let edges = last.edges as f64 / first.edges as f64;
    let time = last.times.abstracting / first.times.abstracting;
    (edges > 1.0 && time > 0.0 && time.is_finite()).then(|| time.ln() / edges.ln())
}

fn growth(outcomes: &[Outcome]) -> String {
    match exponent(outcomes) {
        Some(exponent) => {
            format!("time grows with the number of edges to the power of {exponent:.2}; 1 is linear")
        }
        None => "too few programs to say how time grows".to_owned(),
    }
}

/// Lists programs that are not proved; returns how many there are.
fn print_faults(outcomes: &[Outcome]) -> usize {
    let faults: Vec<_> = outcomes.iter().filter(|outcome| outcome.report.verdict != Verdict::Safe).collect();
    for Outcome { copies, report } in &faults {
        println!("{copies} copies: {}: {}", report.verdict, report.verdict.reason().unwrap_or("WRONG"));
    }
    faults.len()
}

fn plot(results: &Results, outcomes: &[Outcome]) -> Result<()> {
    let x = Axis { label: "edges", scale: Scale::Log };
    let panel = |label, value: fn(&Outcome) -> f64| {
        let points = outcomes.iter().map(|outcome| (outcome.report.edges as f64, value(outcome)));
        let series = vec![Series { name: "locked sections in a row".to_owned(), points: points.collect() }];
        Panel { x, y: Axis { label, scale: Scale::Log }, series }
    };
    let panels = [
        panel("abstraction time, seconds", |outcome| outcome.report.times.abstracting),
        panel("abstraction time for each edge, seconds", Outcome::per_edge),
    ];
    let subtitle = "the same predicates, more and more edges; a flat line at the right is linear growth";
    results.write_plot("edges.svg", "Abstraction time against the number of edges", subtitle, &panels)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::monabs::{Predicates, Times};

    fn outcome(copies: u32, edges: u64, abstracting: f64) -> Outcome {
        let report = Report {
            verdict: Verdict::Safe,
            checked: true,
            predicates: Predicates::default(),
            iterations: 1,
            transitions: 2,
            passive: 0,
            closed: 0,
            variables: [0, 0],
            edges,
            queries: 3,
            remembered: 4,
            times: Times { abstracting, ..Times::default() },
            memory: 5.0,
        };
        Outcome { copies, report }
    }

    #[test]
    fn sizes_double() {
        assert_eq!(sizes(1), [1]);
        assert_eq!(sizes(8), [1, 2, 4, 8]);
        assert_eq!(sizes(10), [1, 2, 4, 8, 10]);
    }

    #[test]
    fn every_copy_is_different() {
        let text = program(3);
        assert_eq!(text.matches("pthread_mutex_lock").count(), 3);
        for copy in 1..=3 {
            assert_eq!(text.matches(&format!("value = old + {copy};")).count(), 1);
        }
        assert_eq!(program(64).len() - program(63).len(), program(33).len() - program(32).len());
    }

    #[test]
    fn the_exponent_of_growth() {
        let linear = [outcome(1, 10, 9.0), outcome(2, 20, 1.0), outcome(4, 40, 2.0), outcome(8, 80, 4.0)];
        assert!(exponent(&linear).is_some_and(|exponent| (exponent - 1.0).abs() < 1e-9));
        let square = [outcome(2, 20, 1.0), outcome(4, 40, 4.0)];
        assert!(exponent(&square).is_some_and(|exponent| (exponent - 2.0).abs() < 1e-9));
        assert_eq!((exponent(&linear[..2]), exponent(&[])), (None, None));
    }

    #[test]
    fn rows_have_all_columns() {
        let mut outcome = outcome(1, 10, 0.5);
        assert_eq!(outcome.fields(), ["1", "10", "2", "3", "4", "500.0", "50.000", "0.0", "safe"]);
        assert_eq!((layout().0.len(), COLUMNS.len()), (9, 9));
        assert_eq!(print_faults(std::slice::from_ref(&outcome)), 0);
        outcome.report.verdict = Verdict::Unsafe;
        assert_eq!(print_faults(&[outcome]), 1);
    }
}
