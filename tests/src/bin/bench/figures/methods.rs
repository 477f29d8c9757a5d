//! Figure 33: which method answers how many programs in which time.
//!
//! A program counts with all its abstractions, as in the thesis.

use super::abstractions::Abstractions;
use super::{METHODS, Method};
use crate::plot::{Axis, Panel, Scale, Series};
use crate::report::Results;
use crate::set::Instance;
use crate::summary::cactus;
use crate::table::{Table, number, text};
use crate::tool::{Measured, Tool, Verdict};
use anyhow::Result;
use std::time::Duration;

/// What a method did on all abstractions of a program.
#[derive(Clone, Debug, PartialEq)]
struct Run {
    /// Seconds of processor time, in total.
    cpu: f64,
    wall: f64,
    end: End,
}

#[derive(Clone, Debug, PartialEq)]
enum End {
    Answered,
    /// Not all of them in time; the first that was not.
    Late(String),
    /// With what is wrong.
    Wrong(String),
}

impl Run {
    /// The limit is for all abstractions together.
    fn measure(breach: &Tool, method: Method, program: &Abstractions, limit: Duration) -> Result<Run> {
        let mut run = Run { cpu: 0.0, wall: 0.0, end: End::Answered };
        for system in &program.systems {
            let left = limit.as_secs_f64() - run.wall;
            if left <= 0.0 {
                run.end = End::Late(system.name.clone());
                break;
            }
            let measured = breach.measure(system, method.options, Duration::from_secs_f64(left))?;
            run.add(system, &measured);
            if run.end != End::Answered {
                break;
            }
        }
        Ok(run)
    }

    fn add(&mut self, system: &Instance, measured: &Measured) {
        self.cpu += measured.cpu;
        self.wall += measured.wall;
        self.end = match &measured.verdict {
            Verdict::Answer(answer) if system.expected.is_none_or(|expected| expected == *answer) => {
                End::Answered
            }
            Verdict::Answer(answer) => End::Wrong(format!("{}: WRONG {answer}", system.name)),
            Verdict::Unknown(_) => End::Late(system.name.clone()),
            Verdict::Failed(message) => End::Wrong(format!("{}: ERROR {message}", system.name)),
        };
    }
}

/// Draws the figure. Returns what belongs into the report, and whether no answer is wrong.
pub(super) fn draw(
    breach: &Tool,
    results: &Results,
    programs: &[Abstractions],
    limit: Duration,
) -> Result<(String, bool)> {
    let systems: usize = programs.iter().map(|program| program.systems.len()).sum();
    println!(
        "\n{systems} abstractions of {} programs by each method, {} s for each program\n",
        programs.len(),
        limit.as_secs()
    );
    let table =
        Table(vec![text("method", 30), number("answered", 8), number("cpu s", 8), number("wall s", 8)]);
    println!("{}", table.header());
    let (mut rows, mut fields, mut series, mut wrong) = (vec![], vec![], vec![], vec![]);
    for method in METHODS {
        let runs: Vec<Run> = programs
            .iter()
            .map(|program| Run::measure(breach, method, program, limit))
            .collect::<Result<_>>()?;
        let answered: Vec<&Run> = runs.iter().filter(|run| run.end == End::Answered).collect();
        let total = |time: &dyn Fn(&Run) -> f64| answered.iter().fold(0.0, |sum, run| sum + time(run));
        let row = vec![
            method.name.to_owned(),
            format!("{}/{}", answered.len(), programs.len()),
            format!("{:.3}", total(&|run| run.cpu)),
            format!("{:.3}", total(&|run| run.wall)),
        ];
        println!("{}", table.row(&row));
        fields.push(row);
        let points = cactus(answered.iter().map(|run| run.cpu));
        series.push(Series { name: format!("{} ({})", method.name, answered.len()), points });
        for (program, run) in programs.iter().zip(&runs) {
            rows.push(record(method, program, run));
            if let End::Wrong(message) = &run.end {
                wrong.push(format!("{}: {message}", method.name));
            }
        }
    }
    println!("\ncpu s, wall s: of all abstractions of the programs that were answered\n");
    wrong.iter().for_each(|message| println!("{message}"));
    let columns = ["method", "program", "abstractions", "end", "cpu_s", "wall_s", "message"];
    results.write_csv("figure-33.csv", &columns, &rows)?;
    let panel = Panel {
        x: Axis { label: "programs answered", scale: Scale::Linear },
        y: Axis { label: "processor time for all abstractions of each, seconds", scale: Scale::Log },
        series,
    };
    let subtitle = format!(
        "our abstractions of {} programs, in the order of their times, limit {} s",
        programs.len(),
        limit.as_secs()
    );
    results.write_plot(
        "figure-33.svg",
        "Coverability methods (figure 33 of the thesis)",
        &subtitle,
        &[panel],
    )?;
    let mut body = format!(
        "## Methods (figure 33)\n\n{systems} abstractions of {} programs, {} s for those of one program. Seconds are of the \
         programs that were answered.\n\n{}\n![](figure-33.svg)\n\n",
        programs.len(),
        limit.as_secs(),
        table.markdown(&fields)
    );
    body.extend(wrong.iter().map(|message| format!("- {message}\n")));
    Ok((body, wrong.is_empty()))
}

fn record(method: Method, program: &Abstractions, run: &Run) -> Vec<String> {
    let (end, message) = match &run.end {
        End::Answered => ("answered", ""),
        End::Late(system) => ("late", system.as_str()),
        End::Wrong(message) => ("wrong", message.as_str()),
    };
    vec![
        method.name.to_owned(),
        program.program.clone(),
        program.systems.len().to_string(),
        end.to_owned(),
        format!("{:.4}", run.cpu),
        format!("{:.4}", run.wall),
        message.to_owned(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::Answer;

    fn system(expected: Option<Answer>) -> Instance {
        let (name, path) = ("a/0001".to_owned(), "a/0001.emdr".into());
        Instance { name, path, init: None, target: None, expected, reference: None }
    }

    #[test]
    fn times_add_up_and_wrong_answers_are_noticed() {
        let measured = |verdict| Measured { verdict, wall: 2.0, cpu: 1.5, memory: None };
        let mut run = Run { cpu: 0.0, wall: 0.0, end: End::Answered };
        run.add(&system(Some(Answer::Coverable)), &measured(Verdict::Answer(Answer::Coverable)));
        run.add(&system(None), &measured(Verdict::Answer(Answer::Uncoverable)));
        assert_eq!(run, Run { cpu: 3.0, wall: 4.0, end: End::Answered });
        run.add(&system(Some(Answer::Coverable)), &measured(Verdict::Answer(Answer::Uncoverable)));
        assert_eq!(run.end, End::Wrong("a/0001: WRONG uncoverable".to_owned()));
        run.add(&system(None), &measured(Verdict::Unknown("time".to_owned())));
        assert_eq!(run.end, End::Late("a/0001".to_owned()));
        run.add(&system(None), &measured(Verdict::Failed("exit 6".to_owned())));
        assert_eq!(run.end, End::Wrong("a/0001: ERROR exit 6".to_owned()));
    }
}
