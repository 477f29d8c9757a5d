//! The table of `--stats`: the input, the loop, the abstraction, times and memory.

use console::input::Loaded;
use console::statistics::Table;
use frontend::program::Scope;
use frontend::reduce::Size;
use monabs::verify::Statistics;
use serde_json::{Map, Value, json};
use std::time::Duration;
use terminal::memory::peak as peak_memory;

/// Times by phase, in the order of the work.
pub(super) fn times(
    loaded: &Loaded,
    statistics: &Statistics,
    check: Option<Duration>,
    total: Duration,
) -> Vec<(&'static str, Duration)> {
    let mut times: Vec<(&str, Duration)> = loaded.times.clone();
    times.extend([
        ("finding errors", statistics.search_time),
        ("abstracting", statistics.abstract_time),
        ("coverability", statistics.check_time),
        ("simulating", statistics.simulate_time),
        ("refining", statistics.refine_time),
    ]);
    times.extend(check.map(|time| ("checking again", time)));
    times.push(("in total", total));
    times
}

/// As a table.
pub(super) fn text(
    loaded: &Loaded,
    statistics: &Statistics,
    check: Option<Duration>,
    total: Duration,
) -> String {
    let (before, after) = (loaded.before, Size::of(&loaded.program));
    let mut text = String::new();
    let mut table = Table(&mut text);
    for (name, after, before) in [
        ("locations", after.locations, before.locations),
        ("edges", after.edges, before.edges),
        ("variables", after.variables, before.variables),
    ] {
        table.row(name, format!("{after}, {before} before reductions"));
    }
    table.row("iterations", statistics.iterations);
    table.row("refinements", statistics.refinements);
    table.row("shared states", statistics.shared_states);
    table.row("local states", statistics.local_states);
    let (passive, closed) = (statistics.passive_transitions, statistics.closed_transitions);
    let passive = format!("{passive} change passive threads, {closed} need the closure");
    table.row("transitions", format!("{}; {passive}", statistics.transitions));
    table.row("proof elements", statistics.proof_size);
    let questions = statistics.questions;
    table.row(
        "solver queries",
        format!("{}, {} remembered, {} left open", questions.solver, questions.remembered, questions.open),
    );
    for (name, time) in times(loaded, statistics, check, total) {
        table.time(name, time);
    }
    if let Some(bytes) = peak_memory() {
        table.row("peak memory", format!("{:.1} MB", bytes as f64 / f64::from(1 << 20)));
    }
    text
}

/// For `--json`: times in seconds, memory in bytes.
pub(super) fn json(
    loaded: &Loaded,
    statistics: &Statistics,
    check: Option<Duration>,
    total: Duration,
) -> Value {
    let variables = &loaded.program.variables;
    let locals = variables.iter().filter(|variable| variable.scope == Scope::Local).count();
    let size =
        |size: Size| json!({ "locations": size.locations, "edges": size.edges, "variables": size.variables });
    let times: Map<String, Value> = times(loaded, statistics, check, total)
        .into_iter()
        .map(|(name, time)| (name.to_owned(), json!(time.as_secs_f64())))
        .collect();
    json!({
        "before_reductions": size(loaded.before),
        "after_reductions": size(Size::of(&loaded.program)),
        "local_variables": locals,
        "shared_variables": variables.len() - locals,
        "iterations": statistics.iterations,
        "refinements": statistics.refinements,
        "shared_states": statistics.shared_states,
        "local_states": statistics.local_states,
        "transitions": statistics.transitions,
        "passive_transitions": statistics.passive_transitions,
        "closed_transitions": statistics.closed_transitions,
        "proof_size": statistics.proof_size,
        "proof_threads": statistics.proof_threads,
        "solver_queries": statistics.questions.solver,
        "remembered_queries": statistics.questions.remembered,
        "open_queries": statistics.questions.open,
        "times": times,
        "peak_memory": peak_memory(),
    })
}
