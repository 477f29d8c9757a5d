//! `bench coverability`: every system of a set, timed, and every answer checked.

use super::SetArgs;
use super::plot::{Axis, Panel, Scale, Series};
use super::report::Results;
use super::set::{Answer, Instance, Set};
use super::summary::{Cost, Pair, Summary, cactus, ratio, slower};
use super::table::{Table, milliseconds, number, tenths, text};
use super::tool::{Measured, Size, Tool, Verdict};
use anyhow::Result;
use std::time::Duration;

/// By how many seconds we may be slower than the reference.
const SLOWER: f64 = 0.1;

/// One system with what came of it.
struct Outcome<'a> {
    instance: &'a Instance,
    measured: Measured,
    /// The size of the evidence, or why it is none. Nothing to check without an answer.
    checked: Option<Result<Size, String>>,
}

/// Runs the command. True if no answer is wrong, and all are checked.
pub(crate) fn run(tool: &Tool, results: &Results, args: &SetArgs) -> Result<bool> {
    let set = Set::read(args.dir.as_deref(), &args.only)?;
    let limit = Duration::from_secs(args.limit.unwrap_or(60).into());
    let runs = args.runs.unwrap_or(3);
    set.problems.iter().for_each(|problem| println!("PROBLEM {problem}"));
    println!(
        "{} systems of {}, best of {runs} runs, limit {} s\n",
        set.instances.len(),
        set.name(),
        limit.as_secs()
    );
    let table = layout(&set);
    println!("{}", table.header());
    let mut outcomes = Vec::new();
    for instance in &set.instances {
        let measured = tool.measure_best(instance, &[], runs, limit)?;
        let checked = match measured.verdict {
            Verdict::Answer(answer) => Some(tool.check(instance, answer, limit)),
            _ => None,
        };
        let outcome = Outcome { instance, measured, checked };
        println!("{}", table.row(&outcome.fields()));
        outcomes.push(outcome);
    }
    println!(
        "\nms: milliseconds; MB: peak memory; evidence: proof elements/threads/invariants, or trace steps/threads"
    );
    println!("ref: processor time of the reference; ratio: that time divided by ours\n");
    print_sums(&outcomes);
    let sound = print_faults(&outcomes) & set.problems.is_empty();
    if !set.problems.is_empty() {
        println!("{} problems with the set, listed above", set.problems.len());
    }
    results.write_csv(
        "coverability.csv",
        &COLUMNS,
        &outcomes.iter().map(Outcome::record).collect::<Vec<_>>(),
    )?;
    cactus_plot(results, &outcomes, limit)?;
    Ok(sound)
}

fn layout(set: &Set) -> Table {
    let longest = set.instances.iter().map(|instance| instance.name.chars().count()).max().unwrap_or(0);
    Table(vec![
        text("file", longest),
        text("verdict", 11),
        text("grade", 7),
        number("wall ms", 8),
        number("cpu ms", 8),
        number("MB", 6),
        text("evidence", 16),
        text("checked", 7),
        number("ref ms", 8),
        number("ratio", 7),
    ])
}

const COLUMNS: [&str; 18] = [
    "file",
    "verdict",
    "expected",
    "grade",
    "wall_s",
    "cpu_s",
    "peak_mb",
    "proof_elements",
    "proof_threads",
    "proof_invariants",
    "trace_steps",
    "trace_threads",
    "checked",
    "ref_answer",
    "ref_wall_s",
    "ref_cpu_s",
    "ref_peak_mb",
    "message",
];

impl Outcome<'_> {
    fn answer(&self) -> Option<Answer> {
        match self.measured.verdict {
            Verdict::Answer(answer) => Some(answer),
            _ => None,
        }
    }

    fn verdict(&self) -> String {
        self.answer().map_or_else(|| "-".to_owned(), |answer| answer.to_string())
    }

    /// `new` is an answer to a question whose answer nobody knew.
    fn grade(&self) -> &'static str {
        match &self.measured.verdict {
            Verdict::Answer(answer) if self.instance.expected == Some(*answer) => "ok",
            Verdict::Answer(_) if self.instance.expected.is_none() => "new",
            Verdict::Answer(_) => "WRONG",
            Verdict::Unknown(_) => "UNKNOWN",
            Verdict::Failed(_) => "ERROR",
        }
    }

    fn checked(&self) -> &'static str {
        match self.checked {
            None => "-",
            Some(Ok(_)) => "yes",
            Some(Err(_)) => "NO",
        }
    }

    /// What is wrong, if anything is.
    fn message(&self) -> Option<&str> {
        match (&self.measured.verdict, &self.checked) {
            (Verdict::Unknown(reason) | Verdict::Failed(reason), _) | (_, Some(Err(reason))) => Some(reason),
            _ => None,
        }
    }

    /// A wrong answer, an unchecked one, or a failure; to have no answer in time is no fault.
    fn is_fault(&self) -> bool {
        matches!(self.grade(), "WRONG" | "ERROR") || matches!(self.checked, Some(Err(_)))
    }

    fn evidence(&self) -> String {
        match &self.checked {
            Some(Ok(size)) => size.to_string(),
            _ => "-".to_owned(),
        }
    }

    /// Elements, most threads and invariants of a proof; steps and threads of a trace.
    fn sizes(&self) -> [String; 5] {
        let numbers = match &self.checked {
            Some(Ok(Size::Proof { elements, threads, invariants })) => {
                [Some(*elements), Some(*threads), Some(*invariants), None, None]
            }
            Some(Ok(Size::Trace { steps, threads })) => [None, None, None, Some(*steps), Some(*threads)],
            _ => [None; 5],
        };
        numbers.map(|number| number.map(|n| n.to_string()).unwrap_or_default())
    }

    fn fields(&self) -> Vec<String> {
        let Measured { wall, cpu, memory, .. } = self.measured;
        let solved = self.instance.reference.filter(|r| r.answer.is_some());
        let ratio = solved.filter(|_| self.answer().is_some()).and_then(|r| ratio(r.cpu, cpu));
        vec![
            self.instance.name.clone(),
            self.verdict(),
            self.grade().to_owned(),
            milliseconds(wall),
            milliseconds(cpu),
            tenths(memory),
            self.evidence(),
            self.checked().to_owned(),
            solved.map_or_else(|| "-".to_owned(), |r| milliseconds(r.cpu)),
            tenths(ratio),
        ]
    }

    fn record(&self) -> Vec<String> {
        let Measured { wall, cpu, memory, .. } = self.measured;
        let reference = self.instance.reference;
        let of_reference = |f: fn(super::set::Reference) -> String| reference.map(f).unwrap_or_default();
        let [elements, most, invariants, steps, threads] = self.sizes();
        vec![
            self.instance.name.clone(),
            self.verdict(),
            self.instance.expected.map(|answer| answer.to_string()).unwrap_or_default(),
            self.grade().to_owned(),
            format!("{wall:.4}"),
            format!("{cpu:.4}"),
            memory.map(|mb| format!("{mb:.1}")).unwrap_or_default(),
            elements,
            most,
            invariants,
            steps,
            threads,
            self.checked().to_owned(),
            of_reference(|r| r.answer.map_or_else(|| "none".to_owned(), |answer| answer.to_string())),
            of_reference(|r| r.wall.to_string()),
            of_reference(|r| r.cpu.to_string()),
            of_reference(|r| r.memory.to_string()),
            self.message().unwrap_or_default().to_owned(),
        ]
    }

    /// Costs of both tools where they have the right answer.
    fn pair(&self) -> Pair<'_> {
        let Measured { wall, cpu, memory, .. } = self.measured;
        let solved = matches!(self.grade(), "ok" | "new");
        let reference = self.instance.reference.filter(|r| {
            r.answer.is_some() && self.instance.expected.is_none_or(|expected| r.answer == Some(expected))
        });
        Pair {
            name: &self.instance.name,
            ours: solved.then_some(Cost { wall, cpu, memory: memory.unwrap_or(0.0) }),
            reference: reference.map(|r| Cost { wall: r.wall, cpu: r.cpu, memory: r.memory }),
        }
    }
}

/// Sums for each folder and in total.
fn print_sums(outcomes: &[Outcome<'_>]) {
    let mut folders: Vec<_> = outcomes.iter().map(|o| o.instance.folder()).collect();
    folders.sort_unstable();
    folders.dedup();
    let longest = folders.iter().map(|folder| folder.chars().count()).max().unwrap_or(0);
    let table = Table(vec![
        text("folder", longest.max(5)),
        number("systems", 7),
        number("solved", 6),
        number("wall s", 8),
        number("cpu s", 8),
        number("MB", 8),
        number("ref solved", 10),
        number("both", 5),
        number("cpu s", 8),
        number("ref s", 8),
        number("ratio", 6),
        number("MB", 8),
        number("ref MB", 8),
    ]);
    println!("{}", table.header());
    for folder in &folders {
        let pairs = outcomes.iter().filter(|o| o.instance.folder() == *folder).map(Outcome::pair);
        println!("{}", table.row(&sum_fields(folder, &Summary::of(&pairs.collect::<Vec<_>>()))));
    }
    let pairs: Vec<_> = outcomes.iter().map(Outcome::pair).collect();
    let total = Summary::of(&pairs);
    println!("{}", table.row(&sum_fields("total", &total)));
    println!("the columns after 'both' are sums over the systems that both solve\n");
    if total.both > 0 {
        print_slower("processor time", slower(&pairs, SLOWER, |cost| cost.cpu));
        print_slower("wall time", slower(&pairs, SLOWER, |cost| cost.wall));
    }
}

fn sum_fields(name: &str, summary: &Summary) -> Vec<String> {
    let seconds = |time: f64| format!("{time:.3}");
    let Summary { ours, ours_on_both, reference_on_both, .. } = summary;
    vec![
        name.to_owned(),
        summary.systems.to_string(),
        summary.solved.to_string(),
        seconds(ours.wall),
        seconds(ours.cpu),
        tenths(Some(ours.memory)),
        summary.reference_solved.to_string(),
        summary.both.to_string(),
        seconds(ours_on_both.cpu),
        seconds(reference_on_both.cpu),
        tenths(summary.speedup()),
        tenths(Some(ours_on_both.memory)),
        tenths(Some(reference_on_both.memory)),
    ]
}

fn print_slower(what: &str, list: Vec<(&str, f64)>) {
    println!("more than {SLOWER} s slower than the reference in {what}: {}", list.len());
    for (name, by) in list {
        println!("  {name}: by {by:.3} s");
    }
}

/// Lists what went wrong; true if nothing did.
fn print_faults(outcomes: &[Outcome<'_>]) -> bool {
    for outcome in outcomes {
        if let Some(message) = outcome.message() {
            println!("{} {}: {message}", outcome.grade(), outcome.instance.name);
        }
    }
    let count = |grade| outcomes.iter().filter(|o| o.grade() == grade).count();
    let unchecked = outcomes.iter().filter(|o| matches!(o.checked, Some(Err(_)))).count();
    println!(
        "{} right, {} wrong, {} unknown, {} errors, {} without known answer; {unchecked} answers unchecked",
        count("ok"),
        count("WRONG"),
        count("UNKNOWN"),
        count("ERROR"),
        count("new")
    );
    !outcomes.iter().any(Outcome::is_fault)
}

fn cactus_plot(results: &Results, outcomes: &[Outcome<'_>], limit: Duration) -> Result<()> {
    let pairs: Vec<_> = outcomes.iter().map(Outcome::pair).collect();
    let series = |name: &str, points: Vec<(f64, f64)>| {
        let name = format!("{name} ({} of {})", points.len(), outcomes.len());
        Series { name, points }
    };
    let mut all = vec![series("breach", cactus(pairs.iter().filter_map(|p| Some(p.ours?.cpu))))];
    let reference = cactus(pairs.iter().filter_map(|p| Some(p.reference?.cpu)));
    if !reference.is_empty() {
        all.push(series("reference", reference));
    }
    let panel = Panel {
        x: Axis { label: "systems answered", scale: Scale::Linear },
        y: Axis { label: "processor time of each, seconds", scale: Scale::Log },
        series: all,
    };
    let subtitle = format!(
        "systems in the order of their times, limit {} s; lower and longer is better",
        limit.as_secs()
    );
    results.write_plot("coverability.svg", "Coverability", &subtitle, &[panel])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::Reference;

    fn instance(expected: Option<Answer>) -> Instance {
        Instance {
            name: "a/b.tts".to_owned(),
            path: "b.tts".into(),
            init: None,
            target: None,
            expected,
            reference: Some(Reference { answer: expected, wall: 2.0, cpu: 1.0, memory: 10.0 }),
        }
    }

    fn outcome(instance: &Instance, verdict: Verdict, checked: Option<Result<Size, String>>) -> Outcome<'_> {
        Outcome { instance, measured: Measured { verdict, wall: 0.5, cpu: 0.25, memory: Some(4.0) }, checked }
    }

    #[test]
    fn grades_and_faults() {
        let (known, open) = (instance(Some(Answer::Coverable)), instance(None));
        let size = Size::Trace { steps: 3, threads: 1 };
        let yes = Verdict::Answer(Answer::Coverable);
        let no = Verdict::Answer(Answer::Uncoverable);
        let unknown = Verdict::Unknown("time".to_owned());
        for (instance, verdict, checked, grade, fault) in [
            (&known, yes.clone(), Some(Ok(size)), "ok", false),
            (&known, yes.clone(), Some(Err("x".to_owned())), "ok", true),
            (&known, no.clone(), Some(Ok(size)), "WRONG", true),
            (&open, no, Some(Ok(size)), "new", false),
            (&known, unknown, None, "UNKNOWN", false),
            (&known, Verdict::Failed("x".to_owned()), None, "ERROR", true),
        ] {
            let outcome = outcome(instance, verdict, checked);
            assert_eq!((outcome.grade(), outcome.is_fault()), (grade, fault));
            assert_eq!(outcome.record().len(), COLUMNS.len());
        }
        let shown = outcome(&known, yes, Some(Ok(size)));
        let fields = shown.fields();
        let expected =
            ["a/b.tts", "coverable", "ok", "500.0", "250.0", "4.0", "trace 3/1", "yes", "1000.0", "4.0"];
        assert_eq!(fields, expected);
    }

    #[test]
    fn wrong_answers_count_for_nobody() {
        let mut known = instance(Some(Answer::Coverable));
        known.reference =
            Some(Reference { answer: Some(Answer::Uncoverable), wall: 1.0, cpu: 1.0, memory: 1.0 });
        let wrong = outcome(&known, Verdict::Answer(Answer::Uncoverable), None);
        assert_eq!((wrong.pair().ours, wrong.pair().reference), (None, None));
    }
}
