//! Figures 22 and 25: how the backward search grows and shrinks, with and without widening and oracle.

use super::abstractions::Abstractions;
use super::{BACKWARD, Method, WIDENING, WITH_ORACLE};
use crate::plot::{Axis, Panel, Scale, Series};
use crate::report::Results;
use crate::set::Instance;
use crate::tool::{Tool, Verdict, explain, timeout, verdict};
use anyhow::{Result, bail};
use std::ffi::OsString;
use std::time::Duration;

/// The program of both figures in the thesis, the Apple bus driver.
const EXAMPLE: &str = "11-bsd-ak2";

/// The search of one method.
#[derive(Debug)]
struct Curve {
    method: Method,
    /// Iterations, and states after each.
    points: Vec<(u64, u64)>,
    end: Verdict,
}

/// Draws the figures. Returns what belongs into the report, and whether no answer is wrong.
pub(super) fn draw(
    breach: &Tool,
    results: &Results,
    programs: &[Abstractions],
    limit: Duration,
) -> Result<(String, bool)> {
    let example = programs.iter().find(|program| program.program == EXAMPLE);
    let Some(system) = example.and_then(|program| program.systems.last()) else {
        println!("figures 22 and 25 are not drawn: they are about {EXAMPLE}, which is not there");
        return Ok((String::new(), true));
    };
    let curves: Vec<Curve> = [BACKWARD, WIDENING, WITH_ORACLE]
        .into_iter()
        .map(|method| Curve::measure(breach, method, system, limit))
        .collect::<Result<_>>()?;
    let mut body = String::from("## One program (figures 22 and 25)\n\n");
    body.push_str(&format!("The last abstraction of {EXAMPLE}.\n\n"));
    for curve in &curves {
        let line = curve.describe();
        println!("{line}");
        body.push_str(&format!("- {line}\n"));
    }
    body.push_str("\n![](figure-22.svg)\n\n![](figure-25.svg)\n\n");
    let rows: Vec<_> = curves.iter().flat_map(Curve::records).collect();
    results.write_csv("figure-22-25.csv", &["method", "iteration", "states"], &rows)?;
    let [backward, widening, with_oracle] = &curves[..] else {
        bail!("there are three methods");
    };
    for (name, title, curves) in [
        ("figure-22.svg", "Impact of widening (figure 22 of the thesis)", [backward, widening]),
        ("figure-25.svg", "Impact of the oracle (figure 25 of the thesis)", [widening, with_oracle]),
    ] {
        let subtitle = format!("the backward search in the last abstraction of {EXAMPLE}");
        results.write_plot(name, title, &subtitle, &[panel(&curves)])?;
    }
    let wrong = curves.iter().filter(|curve| !curve.is_right(system)).count();
    Ok((body, wrong == 0))
}

fn panel(curves: &[&Curve]) -> Panel<'static> {
    let series = |curve: &&Curve| Series {
        name: format!("{}, {} iterations", curve.method.name, curve.iterations()),
        points: curve.points.iter().map(|&(x, y)| (x as f64, y as f64)).collect(),
    };
    Panel {
        x: Axis { label: "iterations", scale: Scale::Log },
        y: Axis { label: "states", scale: Scale::Log },
        series: curves.iter().map(series).collect(),
    }
}

impl Curve {
    fn measure(breach: &Tool, method: Method, system: &Instance, limit: Duration) -> Result<Curve> {
        let file = breach.scratch("curve.csv");
        let mut arguments: Vec<OsString> = vec![timeout(limit), "--write-curve".into(), file.clone().into()];
        arguments.extend(method.options.iter().map(OsString::from));
        arguments.push(system.path.clone().into());
        let finished = breach.call(&arguments, limit)?;
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let Some(points) = read(&text) else {
            bail!("{}, {}: no curve: {}", system.name, method.name, explain(&finished));
        };
        Ok(Curve { method, points, end: verdict(&finished) })
    }

    fn iterations(&self) -> u64 {
        self.points.last().map_or(0, |point| point.0)
    }

    /// No answer is not wrong.
    fn is_right(&self, system: &Instance) -> bool {
        match &self.end {
            Verdict::Answer(answer) => system.expected.is_none_or(|expected| expected == *answer),
            Verdict::Unknown(_) => true,
            Verdict::Failed(_) => false,
        }
    }

    fn describe(&self) -> String {
        let most = self.points.iter().map(|point| point.1).max().unwrap_or(0);
        let end = match &self.end {
            Verdict::Answer(answer) => answer.to_string(),
            Verdict::Unknown(reason) => format!("no answer, {reason}"),
            Verdict::Failed(message) => message.clone(),
        };
        format!("{}: {} iterations, at most {most} states: {end}", self.method.name, self.iterations())
    }

    fn records(&self) -> impl Iterator<Item = Vec<String>> + '_ {
        let row =
            |point: &(u64, u64)| vec![self.method.name.to_owned(), point.0.to_string(), point.1.to_string()];
        self.points.iter().map(row)
    }
}

/// The points in the output of `breach --write-curve`.
fn read(text: &str) -> Option<Vec<(u64, u64)>> {
    let mut lines = text.lines();
    if lines.next() != Some("iteration,states") {
        return None;
    }
    let point = |line: &str| {
        let (iteration, states) = line.split_once(',')?;
        Some((iteration.parse().ok()?, states.parse().ok()?))
    };
    lines.map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::Answer;

    #[test]
    fn curves_are_read() {
        assert_eq!(read("iteration,states\n1,2\n4,3\n"), Some(vec![(1, 2), (4, 3)]));
        assert_eq!(read("iteration,states\n"), Some(vec![]));
        for text in ["", "1,2\n", "iteration,states\n1\n", "iteration,states\n1,x\n"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn curves_are_described_and_drawn() {
        let points = vec![(1, 2), (40, 9), (50, 3)];
        let curve = Curve { method: BACKWARD, points, end: Verdict::Answer(Answer::Uncoverable) };
        assert_eq!(curve.describe(), "backward: 50 iterations, at most 9 states: uncoverable");
        assert_eq!(curve.records().nth(1).unwrap(), ["backward", "40", "9"]);
        assert_eq!(panel(&[&curve]).series[0].points, [(1.0, 2.0), (40.0, 9.0), (50.0, 3.0)]);
        let (name, path) = ("a".to_owned(), "a".into());
        let expected = Some(Answer::Coverable);
        let system = Instance { name, path, init: None, target: None, expected, reference: None };
        assert!(!curve.is_right(&system));
        assert!(Curve { end: Verdict::Unknown("time".to_owned()), ..curve }.is_right(&system));
    }
}
