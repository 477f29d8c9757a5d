//! `bench algorithms`: a set of systems by each algorithm and with parts switched off.
//!
//! What a part is worth shows in what is lost without it.

use super::SetArgs;
use super::plot::{Axis, Panel, Scale, Series};
use super::report::Results;
use super::set::{Answer, Instance, Set};
use super::summary::cactus;
use super::table::{Table, number, tenths, text};
use super::tool::{Measured, Tool, Verdict};
use anyhow::Result;
use std::time::Duration;

/// Names and options. The first one is the default.
const VARIANTS: [(&str, &[&str]); 8] = [
    ("optimistic", &["--algorithm=optimistic"]),
    ("widening", &["--algorithm=widening"]),
    ("backward", &["--algorithm=backward"]),
    ("forward", &["--algorithm=forward"]),
    ("no oracle", &["--no-oracle"]),
    ("no widening", &["--no-widening"]),
    ("no reductions", &["--no-reductions"]),
    ("no state equation", &["--no-state-equation"]),
];

/// What one variant did on all systems, in order.
struct Column<'a> {
    name: &'static str,
    runs: Vec<(&'a Instance, Measured)>,
}

/// Runs the command. True if no answer is wrong.
pub(crate) fn run(tool: &Tool, results: &Results, args: &SetArgs) -> Result<bool> {
    let set = Set::read(args.dir.as_deref(), &args.only)?;
    let limit = Duration::from_secs(args.limit.unwrap_or(10).into());
    set.problems.iter().for_each(|problem| println!("PROBLEM {problem}"));
    println!("{} systems of {}, limit {} s\n", set.instances.len(), set.name(), limit.as_secs());
    let mut columns = Vec::new();
    for (name, options) in VARIANTS {
        eprintln!("{name}: {}", options.join(" "));
        columns.push(measure(tool, &set, name, options, args.runs.unwrap_or(1), limit)?);
    }
    print_table(&columns, limit.as_secs_f64());
    let faults = print_faults(&columns);
    let rows: Vec<_> = columns.iter().flat_map(records).collect();
    results.write_csv(
        "algorithms.csv",
        &["variant", "file", "verdict", "wall_s", "cpu_s", "peak_mb"],
        &rows,
    )?;
    plot(results, &columns, &set, limit)?;
    Ok(faults == 0 && set.problems.is_empty())
}

fn measure<'a>(
    tool: &Tool,
    set: &'a Set,
    name: &'static str,
    options: &[&str],
    runs: u32,
    limit: Duration,
) -> Result<Column<'a>> {
    let one = |instance: &'a Instance| Ok((instance, tool.measure_best(instance, options, runs, limit)?));
    Ok(Column { name, runs: set.instances.iter().map(one).collect::<Result<_>>()? })
}

impl Column<'_> {
    /// The runs with the right answer.
    fn solved(&self) -> impl Iterator<Item = (Answer, &Measured)> {
        self.runs.iter().filter_map(|(instance, measured)| {
            let answer = right_answer(instance, measured)?;
            Some((answer, measured))
        })
    }
}

fn right_answer(instance: &Instance, measured: &Measured) -> Option<Answer> {
    match measured.verdict {
        Verdict::Answer(answer) if instance.expected.is_none_or(|expected| expected == answer) => {
            Some(answer)
        }
        _ => None,
    }
}

/// For each system, whether all variants solve it.
fn solved_by_all(columns: &[Column<'_>]) -> Vec<bool> {
    let systems = columns.first().map_or(0, |column| column.runs.len());
    let solved = |column: &Column<'_>, system: usize| {
        let (instance, measured) = &column.runs[system];
        right_answer(instance, measured).is_some()
    };
    (0..systems).map(|system| columns.iter().all(|column| solved(column, system))).collect()
}

fn print_table(columns: &[Column<'_>], limit: f64) {
    let table = Table(vec![
        text("variant", 18),
        number("solved", 6),
        number("coverable", 9),
        number("uncoverable", 11),
        number("cpu s", 9),
        number("wall s", 9),
        number("MB", 9),
        number("cpu s, common", 13),
    ]);
    let common = solved_by_all(columns);
    println!("{}", table.header());
    for column in columns {
        println!("{}", table.row(&fields(column, &common, limit)));
    }
    println!("\ncpu s: of the solved systems; wall s: of all systems, {limit} s for each unsolved one");
    println!("MB: peak memory of the solved systems, summed up");
    println!("common: the {} systems that all variants solve\n", common.iter().filter(|c| **c).count());
}

fn fields(column: &Column<'_>, common: &[bool], limit: f64) -> Vec<String> {
    let solved: Vec<_> = column.solved().collect();
    let count = |answer| solved.iter().filter(|s| s.0 == answer).count().to_string();
    let sum = |cost: fn(&Measured) -> f64| solved.iter().map(|s| cost(s.1)).sum::<f64>();
    let unsolved = (column.runs.len() - solved.len()) as f64;
    let runs = column.runs.iter().zip(common);
    let on_common: f64 = runs.filter(|(_, common)| **common).map(|((_, measured), _)| measured.cpu).sum();
    vec![
        column.name.to_owned(),
        solved.len().to_string(),
        count(Answer::Coverable),
        count(Answer::Uncoverable),
        format!("{:.3}", sum(|m| m.cpu)),
        format!("{:.3}", sum(|m| m.wall) + limit * unsolved),
        tenths(Some(sum(|m| m.memory.unwrap_or(0.0)))),
        format!("{on_common:.3}"),
    ]
}

/// Lists wrong answers and failures, and returns how many there are.
fn print_faults(columns: &[Column<'_>]) -> usize {
    let mut faults = 0;
    for column in columns {
        for (instance, measured) in &column.runs {
            let fault = match &measured.verdict {
                Verdict::Failed(message) => format!("ERROR {message}"),
                Verdict::Answer(answer) if right_answer(instance, measured).is_none() => {
                    format!("WRONG {answer}")
                }
                _ => continue,
            };
            faults += 1;
            println!("{}, {}: {fault}", column.name, instance.name);
        }
    }
    faults
}

fn records<'a>(column: &'a Column<'_>) -> impl Iterator<Item = Vec<String>> + 'a {
    column.runs.iter().map(|(instance, measured)| {
        let verdict = match &measured.verdict {
            Verdict::Answer(answer) => answer.to_string(),
            Verdict::Unknown(_) => "unknown".to_owned(),
            Verdict::Failed(message) => message.clone(),
        };
        vec![
            column.name.to_owned(),
            instance.name.clone(),
            verdict,
            format!("{:.4}", measured.wall),
            format!("{:.4}", measured.cpu),
            measured.memory.map(|mb| format!("{mb:.1}")).unwrap_or_default(),
        ]
    })
}

fn plot(results: &Results, columns: &[Column<'_>], set: &Set, limit: Duration) -> Result<()> {
    let series = |column: &Column<'_>| {
        let points = cactus(column.solved().map(|s| s.1.cpu));
        Series { name: format!("{} ({} of {})", column.name, points.len(), set.instances.len()), points }
    };
    let panel = Panel {
        x: Axis { label: "systems answered", scale: Scale::Linear },
        y: Axis { label: "processor time of each, seconds", scale: Scale::Log },
        series: columns.iter().map(series).collect(),
    };
    let subtitle = format!(
        "systems in the order of their times, limit {} s; lower and longer is better",
        limit.as_secs()
    );
    results.write_plot(
        "algorithms.svg",
        "Algorithms, and breach without some of its parts",
        &subtitle,
        &[panel],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instance() -> Instance {
        Instance {
            name: "a.tts".to_owned(),
            path: "a.tts".into(),
            init: None,
            target: None,
            expected: Some(Answer::Coverable),
            reference: None,
        }
    }

    fn run(verdict: Verdict) -> Measured {
        Measured { verdict, wall: 2.0, cpu: 3.0, memory: Some(4.0) }
    }

    #[test]
    fn unsolved_systems_cost_the_limit() {
        let instance = instance();
        let right = run(Verdict::Answer(Answer::Coverable));
        let late = run(Verdict::Unknown("time".to_owned()));
        let first = Column { name: "first", runs: vec![(&instance, right.clone()), (&instance, late)] };
        let second = Column { name: "second", runs: vec![(&instance, right.clone()), (&instance, right)] };
        let columns = [first, second];
        let common = solved_by_all(&columns);
        assert_eq!(common, [true, false]);
        assert_eq!(
            fields(&columns[0], &common, 10.0),
            ["first", "1", "1", "0", "3.000", "12.000", "4.0", "3.000"]
        );
        assert_eq!(
            fields(&columns[1], &common, 10.0),
            ["second", "2", "2", "0", "6.000", "4.000", "8.0", "3.000"]
        );
        assert_eq!(print_faults(&columns), 0);
    }

    #[test]
    fn wrong_answers_are_faults() {
        let instance = instance();
        let runs = vec![
            (&instance, run(Verdict::Answer(Answer::Uncoverable))),
            (&instance, run(Verdict::Failed("exit 6".to_owned()))),
        ];
        let column = Column { name: "first", runs };
        assert_eq!((column.solved().count(), print_faults(&[column])), (0, 2));
    }
}
