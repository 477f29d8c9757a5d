//! `bench scale`: time and memory against the size of random systems, up to the largest of the thesis.
//!
//! Four families: dense as the largest system of the thesis (35,000 thread states, 750,000 transitions) or sparse (as
//! many transitions as thread states, which leaves more uncoverable), each without transfers and with some.

use super::ScaleArgs;
use super::plot::{Axis, Panel, Scale, Series};
use super::report::Results;
use super::set::Instance;
use super::table::{Table, milliseconds, number, tenths, text};
use super::tool::{Measured, Tool, Verdict};
use anyhow::{Result, bail};
use std::path::Path;
use std::time::Duration;

/// Numbers of shared and of local states; their product is the number of thread states.
const SIZES: [(u32, u32); 6] = [(10, 10), (35, 10), (50, 20), (70, 50), (200, 50), (350, 100)];

/// Name, transitions for every 35 thread states, share of transfers.
const FAMILIES: [(&str, u32, f64); 4] = [
    ("dense", 750, 0.0),
    ("dense, 10 % transfers", 750, 0.1),
    ("sparse", 35, 0.0),
    ("sparse, 10 % transfers", 35, 0.1),
];

/// How often each system is run; the best time counts.
const RUNS: u32 = 3;

/// What to generate.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Recipe {
    family: &'static str,
    shared: u32,
    locals: u32,
    transitions: u32,
    transfers: f64,
    seed: u32,
}

impl Recipe {
    fn thread_states(&self) -> u32 {
        self.shared * self.locals
    }

    fn generate(&self, tool: &Tool, output: &Path, limit: Duration) -> Result<()> {
        let mut arguments = vec!["generate".into()];
        let options = [
            ("shared", self.shared.to_string()),
            ("locals", self.locals.to_string()),
            ("transitions", self.transitions.to_string()),
            ("transfers", self.transfers.to_string()),
            ("seed", self.seed.to_string()),
            ("output", output.to_string_lossy().into_owned()),
        ];
        arguments.extend(options.iter().map(|(name, value)| format!("--{name}={value}").into()));
        let finished = tool.call(&arguments, limit)?;
        if finished.exit_code != Some(0) {
            bail!("breach generate fails: {}", finished.stderr.trim());
        }
        Ok(())
    }
}

/// All systems of up to `most` thread states.
fn recipes(most: u32, seeds: u32) -> Vec<Recipe> {
    let mut recipes = Vec::new();
    for (family, per_35, transfers) in FAMILIES {
        for (shared, locals) in SIZES.into_iter().filter(|(shared, locals)| shared * locals <= most) {
            let transitions = shared * locals * per_35 / 35;
            recipes.extend((1..=seeds).map(|seed| Recipe {
                family,
                shared,
                locals,
                transitions,
                transfers,
                seed,
            }));
        }
    }
    recipes
}

/// One system with what came of it.
struct Outcome {
    recipe: Recipe,
    measured: Measured,
    checked: Option<Result<(), String>>,
}

/// Runs the command. True if all answers are checked.
pub(crate) fn run(tool: &Tool, results: &Results, args: &ScaleArgs) -> Result<bool> {
    let limit = Duration::from_secs(args.limit.into());
    let recipes = recipes(args.most, args.seeds);
    if recipes.is_empty() {
        bail!("the smallest systems have {} thread states", SIZES[0].0 * SIZES[0].1);
    }
    println!("{} random systems, best of {RUNS} runs, limit {} s\n", recipes.len(), limit.as_secs());
    let table = layout();
    println!("{}", table.header());
    let mut outcomes = Vec::new();
    for recipe in recipes {
        let outcome = examine(tool, recipe, limit)?;
        println!("{}", table.row(&outcome.fields()));
        outcomes.push(outcome);
    }
    println!();
    let faults = print_faults(&outcomes);
    results.write_csv("scale.csv", &COLUMNS, &outcomes.iter().map(Outcome::record).collect::<Vec<_>>())?;
    plot(results, &outcomes)?;
    Ok(faults == 0)
}

fn examine(tool: &Tool, recipe: Recipe, limit: Duration) -> Result<Outcome> {
    let path = tool.scratch("scale.emdr");
    recipe.generate(tool, &path, limit)?;
    let name = format!("{} {}", recipe.family, recipe.thread_states());
    let instance = Instance { name, path, init: None, target: None, expected: None, reference: None };
    let measured = tool.measure_best(&instance, &[], RUNS, limit)?;
    let checked = match measured.verdict {
        Verdict::Answer(answer) => Some(tool.check(&instance, answer, limit).map(|_| ())),
        _ => None,
    };
    Ok(Outcome { recipe, measured, checked })
}

fn layout() -> Table {
    Table(vec![
        text("family", 22),
        number("thread states", 13),
        number("transitions", 11),
        number("seed", 4),
        text("verdict", 11),
        text("checked", 7),
        number("wall ms", 9),
        number("cpu ms", 9),
        number("MB", 7),
    ])
}

const COLUMNS: [&str; 11] = [
    "family",
    "shared",
    "locals",
    "transitions",
    "transfers",
    "seed",
    "verdict",
    "checked",
    "wall_s",
    "cpu_s",
    "peak_mb",
];

impl Outcome {
    fn verdict(&self) -> String {
        match &self.measured.verdict {
            Verdict::Answer(answer) => answer.to_string(),
            Verdict::Unknown(_) => "UNKNOWN".to_owned(),
            Verdict::Failed(_) => "ERROR".to_owned(),
        }
    }

    fn checked(&self) -> &'static str {
        match self.checked {
            None => "-",
            Some(Ok(())) => "yes",
            Some(Err(_)) => "NO",
        }
    }

    fn fields(&self) -> Vec<String> {
        vec![
            self.recipe.family.to_owned(),
            self.recipe.thread_states().to_string(),
            self.recipe.transitions.to_string(),
            self.recipe.seed.to_string(),
            self.verdict(),
            self.checked().to_owned(),
            milliseconds(self.measured.wall),
            milliseconds(self.measured.cpu),
            tenths(self.measured.memory),
        ]
    }

    fn record(&self) -> Vec<String> {
        let Recipe { family, shared, locals, transitions, transfers, seed } = self.recipe;
        let numbers = [shared, locals, transitions].map(|n| n.to_string());
        let mut record = vec![family.to_owned()];
        record.extend(numbers);
        record.extend([transfers.to_string(), seed.to_string(), self.verdict(), self.checked().to_owned()]);
        record.extend([self.measured.wall, self.measured.cpu].map(|seconds| format!("{seconds:.4}")));
        record.push(self.measured.memory.map(|mb| format!("{mb:.1}")).unwrap_or_default());
        record
    }
}

/// Lists failures and answers that are not confirmed; returns how many there are.
fn print_faults(outcomes: &[Outcome]) -> usize {
    let mut faults = 0;
    for Outcome { recipe, measured, checked } in outcomes {
        let (what, is_fault) = match (&measured.verdict, checked) {
            (Verdict::Failed(message), _) => (format!("ERROR {message}"), true),
            (_, Some(Err(message))) => (format!("not confirmed: {message}"), true),
            (Verdict::Unknown(reason), _) => (format!("UNKNOWN {reason}"), false),
            _ => continue,
        };
        println!("{}, {} thread states, seed {}: {what}", recipe.family, recipe.thread_states(), recipe.seed);
        faults += usize::from(is_fault);
    }
    faults
}

/// Time and memory against size; of the seeds, the worst counts.
fn plot(results: &Results, outcomes: &[Outcome]) -> Result<()> {
    let x = Axis { label: "thread states", scale: Scale::Log };
    let panel = |label, value: fn(&Measured) -> f64| Panel {
        x,
        y: Axis { label, scale: Scale::Log },
        series: FAMILIES.iter().map(|(family, ..)| worst(outcomes, family, value)).collect(),
    };
    let panels = [
        panel("wall time, seconds", |measured| measured.wall),
        panel("peak memory, MB", |measured| measured.memory.unwrap_or(0.0)),
    ];
    let subtitle =
        "random systems, the worst of each size; dense: 750 transitions for 35 thread states, sparse: 35";
    results.write_plot("scale.svg", "Time and memory against size", subtitle, &panels)
}

fn worst(outcomes: &[Outcome], family: &str, value: fn(&Measured) -> f64) -> Series {
    let mut points: Vec<(f64, f64)> = Vec::new();
    for outcome in outcomes.iter().filter(|outcome| outcome.recipe.family == family) {
        let (size, value) = (f64::from(outcome.recipe.thread_states()), value(&outcome.measured));
        match points.last_mut() {
            Some(last) if last.0 == size => last.1 = last.1.max(value),
            _ => points.push((size, value)),
        }
    }
    Series { name: family.to_owned(), points }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::Answer;

    #[test]
    fn the_largest_is_that_of_the_thesis() {
        let recipes = recipes(35_000, 2);
        assert_eq!(recipes.len(), FAMILIES.len() * SIZES.len() * 2);
        let largest = recipes.iter().map(|r| (r.thread_states(), r.transitions)).max();
        assert_eq!(largest, Some((35_000, 750_000)));
    }

    #[test]
    fn small_limits_leave_small_systems() {
        assert_eq!(recipes(400, 1).len(), FAMILIES.len() * 2);
        assert_eq!(recipes(99, 1), []);
    }

    #[test]
    fn the_worst_seed_is_drawn() {
        let outcome = |recipe, wall| Outcome {
            recipe,
            measured: Measured { verdict: Verdict::Answer(Answer::Coverable), wall, cpu: 1.0, memory: None },
            checked: Some(Ok(())),
        };
        let outcomes: Vec<_> =
            recipes(400, 2).into_iter().zip([2.0, 1.0, 3.0, 4.0]).map(|(r, w)| outcome(r, w)).collect();
        assert_eq!(worst(&outcomes, "dense", |m| m.wall).points, [(100.0, 2.0), (350.0, 4.0)]);
        assert_eq!(outcomes[0].record().len(), COLUMNS.len());
        assert_eq!(outcomes[0].fields().len(), layout().0.len());
        assert_eq!(print_faults(&outcomes), 0);
    }
}
