//! Bounds, reasons and statistics, for people and for `--json`.

use console::input::Loaded;
use console::listing::place_json;
use console::notes::{note_text, place};
use console::plural;
use console::statistics::Table;
use cseq::{Answered, Explored, Level, Options, Outcome, Unknown, Verdict};
use engine::limits::Limit;
use engine::unwind::loops::{Loop, loops};
use frontend::program::Program;
use frontend::reduce::Size;
use report::answer::Found;
use report::html::{Curve, Details, Invariants};
use serde_json::{Value, json};
use std::time::Duration;

/// The line of progress.
pub(super) fn progress(nodes: usize, explored: Explored) -> String {
    format!("looking for a bug with {} ({nodes} nodes)", bounds(explored))
}

/// Bounds in words.
fn bounds(Explored { unwind, rounds, threads }: Explored) -> String {
    let (rounds, threads) = (plural(rounds, "round"), plural(threads, "thread"));
    format!("{threads}, {rounds}, loops unrolled {} beyond constants", plural(unwind, "time"))
}

/// Why the program is safe.
pub(super) fn proof(explored: Explored) -> String {
    let Explored { rounds, threads, .. } = explored;
    let (turns, threads) = (plural(rounds, "turn"), plural(threads, "thread"));
    format!(
        "the program has {threads}; no schedule of {turns} each violates a property, and there are no others\n"
    )
}

/// `--explain`: what the bounds had, in sentences.
pub(super) fn why(outcome: &Outcome) -> String {
    let questions = plural(outcome.levels.len(), "formula");
    let last = outcome.levels.last().map(|level| bounds(level.explored));
    let last =
        last.map_or_else(String::new, |bounds| format!("; the last one had all schedules of {bounds}"));
    match &outcome.verdict {
        Verdict::Bug(_) => String::new(),
        Verdict::Safe(_) => format!(
            "{questions} were solved{last}. It has no solution that violates a property, and the program has no run beyond these bounds."
        ),
        Verdict::Unknown(_) => format!("{questions} were tried{last}."),
    }
}

/// What `--unwinding-assume` assumes.
pub(super) fn assumption(options: &Options, explored: Explored) -> String {
    let (times, threads) = (plural(explored.unwind, "time"), plural(options.threads, "thread"));
    format!(
        "no loop runs more than {times} beyond what is decided by constants, and no more than {threads} start (--unwinding-assume)"
    )
}

/// Why there is no answer.
pub(super) fn unknown(
    program: &Program,
    why: &Unknown,
    outcome: &Outcome,
    doing: Option<Explored>,
    limit: Option<Limit>,
) -> Found {
    let finished = outcome.levels.iter().rev().find(|level| matches!(level.answered, Answered::Nothing));
    let known = finished
        .map_or_else(String::new, |level| format!("no violation within {}\n", bounds(level.explored)));
    let mut advice = Vec::new();
    let reason = match (why, limit) {
        (_, Some(limit)) => {
            let doing =
                doing.map_or_else(String::new, |doing| format!("; it was asking about {}", bounds(doing)));
            if limit != Limit::Interrupted {
                advice.push("smaller bounds with --unwind and --rounds, or a larger limit".to_owned());
            }
            format!("{limit}{doing}")
        }
        (Unknown::Bounded, None) => {
            advice.push("larger bounds with --unwind, --rounds, --threads and --max-nodes".to_owned());
            advice.push("monabs, which proves programs with any number of threads".to_owned());
            "no violation was found within the bounds, and there are runs beyond them".to_owned()
        }
        (Unknown::Doubtful, None) => {
            "only runs were found that reality may not have: they take steps that are over-approximated"
                .to_owned()
        }
        (Unknown::Under(note), None) => {
            format!("no violation, but the source may do more: {}", note_text(program, *note))
        }
        (Unknown::Solver(reason), None) => {
            advice.push("another --solver, or smaller bounds".to_owned());
            reason.to_string()
        }
    };
    Found::Unknown { reason, advice, known }
}

/// One question for `--json`.
pub(super) fn level_json(level: &Level) -> Value {
    let Explored { unwind, rounds, threads } = level.explored;
    json!({
        "unwind": unwind,
        "rounds": rounds,
        "threads": threads,
        "nodes": level.nodes,
        "steps": level.steps,
        "formulas": level.constraints,
        "variables": level.size.map(|size| size.variables),
        "clauses": level.size.map(|size| size.clauses),
        "seconds": level.time.as_secs_f64(),
        "answer": answer(&level.answered),
    })
}

fn answer(answered: &Answered) -> &'static str {
    match answered {
        Answered::Bug(_) => "violation",
        Answered::Safe => "safe",
        Answered::Nothing => "nothing",
        Answered::Doubtful => "doubtful",
        Answered::Open(_) => "open",
    }
}

/// `--stats`: a row for each question, then times and memory.
pub(super) fn statistics(loaded: &Loaded, outcome: &Outcome, total: Duration) -> String {
    let mut text = format!(
        "{:>6}{:>7}{:>8}{:>9}{:>9}{:>10}{:>11}{:>11}{:>10}  answer\n",
        "unwind", "rounds", "threads", "nodes", "steps", "formulas", "variables", "clauses", "time"
    );
    for level in &outcome.levels {
        let Explored { unwind, rounds, threads } = level.explored;
        let number =
            |number: Option<usize>| number.map_or_else(|| "-".to_owned(), |number| number.to_string());
        text.push_str(&format!(
            "{unwind:>6}{rounds:>7}{threads:>8}{:>9}{:>9}{:>10}{:>11}{:>11}{:>8.3} s  {}\n",
            level.nodes,
            level.steps,
            level.constraints,
            number(level.size.map(|size| size.variables)),
            number(level.size.map(|size| size.clauses)),
            level.time.as_secs_f64(),
            answer(&level.answered)
        ));
    }
    let (before, after) = (loaded.before, Size::of(&loaded.program));
    let mut table = Table(&mut text);
    table.row("locations", format!("{}, {} before reductions", after.locations, before.locations));
    loaded.times.iter().for_each(|(name, time)| table.time(name, *time));
    table.time("in total", total);
    if let Some(bytes) = terminal::memory::peak() {
        table.row("peak memory", format!("{:.1} MB", bytes as f64 / f64::from(1 << 20)));
    }
    text
}

/// What the page of `--html` shows beside the answer.
pub(super) fn details(loaded: &Loaded, outcome: &Outcome, total: Duration) -> Details {
    let curve = |title: &str, unit, value: &dyn Fn(&Level) -> f64| Curve {
        title: title.to_owned(),
        over: "question".to_owned(),
        points: outcome.levels.iter().map(value).collect(),
        unit,
    };
    let mut times: Vec<(String, Duration)> =
        loaded.times.iter().map(|(name, time)| ((*name).to_owned(), *time)).collect();
    times.push(("asking".to_owned(), outcome.levels.iter().map(|level| level.time).sum()));
    times.push(("in total".to_owned(), total));
    let curves = vec![
        curve("Steps of the unrolled program", "", &|level| level.steps as f64),
        curve("Rounds of the schedule", "", &|level| level.explored.rounds as f64),
        curve("Seconds", " s", &|level| level.time.as_secs_f64()),
    ];
    let reason = "one formula about all schedules has no solution, and none about single places was needed";
    Details {
        curves: if outcome.levels.is_empty() { Vec::new() } else { curves },
        times,
        invariants: Invariants::Unknown(reason.to_owned()),
        ..Details::default()
    }
}

/// `--show-loops`: a line for each.
pub(super) fn loops_text(program: &Program) -> String {
    let all = loops(program);
    let width = all.iter().map(|found| found.name.chars().count()).max().unwrap_or(0);
    let line = |found: &Loop| {
        let at = place(program, program.location(found.head).position);
        format!("{:width$}  {}\n", found.name, at.map(|place| place.to_string()).unwrap_or_default())
    };
    let lines: String = all.iter().map(line).collect();
    format!("{lines}{}\n", plural(all.len(), "loop"))
}

/// The loops for `--json`.
pub(super) fn loops_json(program: &Program) -> Value {
    let one = |found: &Loop| {
        let at = place(program, program.location(found.head).position);
        json!({ "name": found.name, "position": at.map(|place| place_json(&place)) })
    };
    loops(program).iter().map(one).collect()
}
