//! The table of `--stats`.

use crate::input::Loaded;
use frontend::reduce::Size;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use std::time::Duration;
use terminal::memory::peak as peak_memory;

/// Rows of a name and a value.
pub struct Table<'a>(pub &'a mut String);

impl Table<'_> {
    /// Appends a row.
    pub fn row(&mut self, name: &str, value: impl std::fmt::Display) {
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(self.0, "{name:<22}{value}");
    }

    /// Appends a row with a time.
    pub fn time(&mut self, name: &str, time: Duration) {
        self.row(&format!("time {name}"), format!("{:.3} s", time.as_secs_f64()));
    }
}

/// The sizes pass by pass, then times and memory.
pub fn text(loaded: &Loaded, total: Duration) -> String {
    let mut text = String::new();
    if !loaded.passes.is_empty() {
        let _ = writeln!(
            text,
            "{:<22}{:>10}{:>10}{:>10}{:>10}",
            "pass", "locations", "edges", "variables", "time"
        );
        let mut row = |name: &str, size: Size, time: String| {
            let Size { locations, edges, variables } = size;
            let _ = writeln!(text, "{name:<22}{locations:>10}{edges:>10}{variables:>10}{time:>10}");
        };
        row("none", loaded.before, String::new());
        for pass in &loaded.passes {
            row(pass.name, pass.after, format!("{:.3} s", pass.time.as_secs_f64()));
        }
    }
    let mut table = Table(&mut text);
    for (name, time) in &loaded.times {
        table.time(name, *time);
    }
    table.time("in total", total);
    if let Some(bytes) = peak_memory() {
        table.row("peak memory", format!("{:.1} MB", bytes as f64 / f64::from(1 << 20)));
    }
    text
}

/// The same for `--json`: times in seconds, memory in bytes.
pub fn json(loaded: &Loaded, total: Duration) -> Value {
    let size =
        |size: Size| json!({ "locations": size.locations, "edges": size.edges, "variables": size.variables });
    let passes = loaded
        .passes
        .iter()
        .map(|pass| json!({ "name": pass.name, "after": size(pass.after), "time": pass.time.as_secs_f64() }));
    let times = loaded.times.iter().map(|(name, time)| ((*name).to_owned(), json!(time.as_secs_f64())));
    let mut times: Map<_, _> = times.collect();
    times.insert("total".to_owned(), json!(total.as_secs_f64()));
    json!({
        "before_reductions": size(loaded.before),
        "passes": passes.collect::<Vec<_>>(),
        "times": times,
        "peak_memory": peak_memory(),
    })
}
