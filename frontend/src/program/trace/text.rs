//! Traces for people.
//!
//! ```text
//! initially main::t = 0 in thread 0
//!
//! -- thread 0 (initial)
//!    1 racy.c:4 in main: t = x;
//!        main::t = 0
//!
//! -- thread 1
//!    2 racy.c:9 in add: x = x + 1;
//!        x = 1
//!
//! violated after step 2: main.assertion.1 (racy.c:12): assertion `x == 2` does not hold
//! ```
//!
//! A step that stands for several statements has a line for each; then come the values that were chosen and those that
//! changed. Values of other threads' locals, which a broadcast changed, say whose they are.

use super::{Change, Trace, TraceStep};
use crate::program::infix::Infix;
use crate::program::trust::{self, Doubt};
use crate::program::{Origin, Position, Program};
use std::fmt::{self, Write};

impl fmt::Display for Trace<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let infix = Infix::new(self.program);
        if !self.initial.is_empty() {
            let values = self.initial.iter().map(|change| change_text(self.program, &infix, change, None));
            writeln!(f, "initially {}", values.collect::<Vec<_>>().join(", "))?;
        }
        let mut active = None;
        for (index, step) in self.steps.iter().enumerate() {
            if active != Some(step.thread) {
                let first = if step.thread == 0 { " (initial)" } else { "" };
                writeln!(f, "\n-- thread {}{first}", step.thread)?;
                active = Some(step.thread);
            }
            f.write_str(&step_text(self.program, &infix, index, step))?;
        }
        self.end(f)
    }
}

impl Trace<'_> {
    fn end(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.violated.is_empty() || !self.approximate.is_empty() {
            writeln!(f)?;
        }
        for property in &self.program.properties {
            if let Some(steps) = self.violated.get(&property.name) {
                let place = place(self.program, property.position);
                let place = place.map_or_else(String::new, |place| format!(" ({place})"));
                let what = match trust::doubt(property, *steps, &self.approximate) {
                    None => "violated",
                    Some(Doubt::Step(_)) => "perhaps violated",
                    Some(Doubt::Limit) => "reached",
                };
                writeln!(
                    f,
                    "{what} after step {steps}: {}{place}: {}",
                    property.name,
                    self.describe(property, *steps)
                )?;
            }
        }
        for (step, note) in &self.approximate {
            if let Some(note) = self.program.notes.get(note.0 as usize) {
                writeln!(f, "step {} may not exist: {}", step + 1, note.message)?;
            }
        }
        Ok(())
    }
}

fn step_text(program: &Program, infix: &Infix<'_>, index: usize, step: &TraceStep<'_>) -> String {
    let mut text = String::new();
    let mut number = format!("{:>4}", index + 1);
    for (position, origin) in step.edge.origin.iter().enumerate() {
        // A statement, then its expression: nothing new.
        if position > 0 && repeats(&step.edge.origin[position - 1], origin) {
            continue;
        }
        text.push_str(&format!("{number} {}\n", origin_text(program, origin)));
        number = " ".repeat(4);
    }
    if step.edge.origin.is_empty() {
        text.push_str(&format!("{number} (location {} to {})\n", step.edge.from.0, step.edge.to.0));
    }
    let chosen = step.edge.inputs.iter().zip(&step.inputs);
    let chosen = chosen.map(|(input, value)| format!("{} is {}", input.name, infix.chosen(value)));
    let changed = step.changes.iter().map(|change| change_text(program, infix, change, Some(step.thread)));
    let values: Vec<String> = chosen.chain(changed).collect();
    if !values.is_empty() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "         {}", values.join(", "));
    }
    text
}

/// Whether the second piece of source is the same as the first, or the first without its semicolon.
fn repeats(first: &Origin, second: &Origin) -> bool {
    let place = |origin: &Origin| (origin.position.file, origin.position.line, origin.function);
    let text = |origin: &Origin| origin.text.as_str().trim_end_matches(';');
    place(first) == place(second) && text(first) == text(second)
}

fn origin_text(program: &Program, origin: &Origin) -> String {
    let place = place(program, origin.position).unwrap_or_else(|| "(generated)".to_owned());
    let function = origin.function.as_str();
    let function = if function.is_empty() { String::new() } else { format!(" in {function}") };
    format!("{place}{function}: {}", origin.text)
}

/// The value; whose it is, if it is not the active thread's own.
fn change_text(program: &Program, infix: &Infix<'_>, change: &Change, active: Option<usize>) -> String {
    let variable = program.variable(change.variable);
    let value = infix.value(&variable.data_type, &change.value);
    match change.thread {
        Some(thread) if Some(thread) != active => format!("{} = {value} in thread {thread}", variable.name),
        _ => format!("{} = {value}", variable.name),
    }
}

/// `file:line`, if there is a place.
pub(in crate::program) fn place(program: &Program, position: Position) -> Option<String> {
    let file = program.files.get(position.file.index())?;
    position.is_some().then(|| format!("{file}:{}", position.line))
}
