//! The program in a few lines.

use console::input::Loaded;
use console::listing::place_json;
use console::notes::place;
use console::statistics::Table;
use frontend::program::{Program, Scope};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// More functions than this are not listed.
const LISTED: usize = 5;

/// How large the program is, as a table.
pub(super) fn text(loaded: &Loaded) -> String {
    let (program, before) = (&loaded.program, loaded.before);
    let size = |now: usize, before: usize| {
        if loaded.passes.is_empty() { now.to_string() } else { format!("{now}, {before} before reductions") }
    };
    let (shared, local) = variables(program);
    let mut text = String::new();
    let mut table = Table(&mut text);
    table.row("threads", threads(loaded));
    table.row("shared variables", shared);
    table.row("local variables", local);
    table.row("locations", size(program.locations.len(), before.locations));
    table.row("edges", size(program.edges.len(), before.edges));
    table.row("properties", counted(program.properties.iter().map(|property| property.kind.word())));
    table.row("notes", counted(loaded.notes().map(|note| note.effect.in_words())));
    text
}

fn threads(loaded: &Loaded) -> String {
    let Some(functions) = &loaded.thread_functions else { return "one".to_owned() };
    let mut text = "any number".to_owned();
    if !functions.is_empty() {
        text.push_str(&format!(", running {}", functions[..functions.len().min(LISTED)].join(", ")));
    }
    if functions.len() > LISTED {
        text.push_str(&format!(" and {} more", functions.len() - LISTED));
    }
    if loaded.program.pool.is_none() {
        text.push_str("; no property depends on them");
    }
    text
}

fn variables(program: &Program) -> (usize, usize) {
    let shared = program.variables.iter().filter(|variable| variable.scope == Scope::Shared).count();
    (shared, program.variables.len() - shared)
}

/// `3: 1 assertion, 2 mutex`.
fn counted(kinds: impl Iterator<Item = &'static str>) -> String {
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    kinds.for_each(|kind| *numbers.entry(kind).or_default() += 1);
    let total: usize = numbers.values().sum();
    let parts: Vec<_> = numbers.iter().map(|(kind, number)| format!("{number} {kind}")).collect();
    if parts.is_empty() { "none".to_owned() } else { format!("{total}: {}", parts.join(", ")) }
}

/// The same for `--json`.
pub(super) fn json(loaded: &Loaded) -> Value {
    let program = &loaded.program;
    let (shared, local) = variables(program);
    let notes = loaded.notes().map(|note| {
        let position = place(program, note.position).map(|place| place_json(&place));
        json!({ "effect": note.effect.word(), "position": position, "message": note.message })
    });
    json!({
        "creates_threads": program.pool.is_some(),
        "thread_functions": loaded.thread_functions,
        "shared_variables": shared,
        "local_variables": local,
        "locations": program.locations.len(),
        "edges": program.edges.len(),
        "notes": notes.collect::<Vec<_>>(),
    })
}
