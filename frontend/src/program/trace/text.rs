//! Traces for people.
//!
//! ```text
//! initially main::t = 0 in thread 0
//!
//! -- thread 0 (initial)
//!    1 racy.c:4 in main: t = x;
//!        reads x: 0, main::t = 0
//!
//! -- thread 1
//!    2 racy.c:9 in add: x = x + 1;
//!        writes x: 1 (was 0)
//!
//! violated after step 2: main.assertion.1 (racy.c:12): assertion `x == 2` does not hold: x is 1
//! ```
//!
//! That is all there is to show ([`Form::All`]): a step that stands for several statements has a line for each; then come the values that
//! were chosen, those that were read and written, and those that changed. The other forms show what the user wrote and leave out the
//! library's work ([`story`](super::story)): in columns, or as a list.

use super::columns;
use super::names::Names;
use super::story::{Story, lock_in_words};
use super::{Access, Change, Trace, TraceStep};
use crate::program::trust::{self, Doubt};
use crate::program::{Origin, Position, Program};
use std::fmt::{self, Write};

/// How a run is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A column for each thread; if they do not fit, a list.
    Columns {
        /// How many characters there are.
        width: usize,
        /// Columns also where they do not fit.
        always: bool,
    },
    /// One step below the other, grouped by thread.
    List,
    /// The same with all steps, also those of the library.
    All,
}

impl fmt::Display for Trace<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown(Form::All))
    }
}

impl Trace<'_> {
    /// The run for people.
    pub fn shown(&self, form: Form) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail, here and below.
        let _ = match form {
            Form::All => self.all(&mut text),
            Form::List => self.list(&mut text, &Story::new(self)),
            Form::Columns { width, always } => {
                let story = Story::new(self);
                match columns::columns(self, &story, width, always) {
                    Some(columns) => {
                        text.push_str(&self.chosen_at_first());
                        text.push_str(&columns);
                        text.push_str(&left_out(&story, self.steps.len()));
                        Ok(())
                    }
                    None => self.list(&mut text, &story),
                }
            }
        };
        let _ = self.end(&mut text);
        text
    }

    fn all(&self, f: &mut String) -> fmt::Result {
        let names = Names::new(self.program);
        f.write_str(&self.initially(&names, |_| true))?;
        let mut active = None;
        for (index, step) in self.steps.iter().enumerate() {
            head(f, &mut active, step.thread)?;
            f.write_str(&step_text(self.program, &names, index, step))?;
        }
        Ok(())
    }

    /// The first values that the program leaves open and that are wanted, as a line.
    fn initially(&self, names: &Names<'_>, is_wanted: impl Fn(&Change) -> bool) -> String {
        let wanted = self.initial.iter().filter(|change| is_wanted(change));
        let values: Vec<String> =
            wanted.map(|change| change_text(self.program, names, change, None)).collect();
        if values.is_empty() { String::new() } else { format!("initially {}\n", values.join(", ")) }
    }

    /// Those of the user's variables that are not the usual zero.
    fn chosen_at_first(&self) -> String {
        let names = Names::new(self.program);
        let is_zero = |change: &Change| {
            let sort = self.program.variable(change.variable).data_type.sort();
            change.value == smt::Value::zero(sort)
        };
        self.initially(&names, |change| !names.is_internal(change.variable) && !is_zero(change))
    }

    fn list(&self, f: &mut String, story: &Story) -> fmt::Result {
        f.write_str(&self.chosen_at_first())?;
        let mut active = None;
        let numbers = story.numbers();
        let width = numbers.iter().map(String::len).max().unwrap_or(0).max(4);
        for (row, number) in story.rows.iter().zip(&numbers) {
            head(f, &mut active, row.thread)?;
            let place = row
                .origin
                .map_or_else(String::new, |origin| format!("{}: ", where_text(self.program, &origin)));
            writeln!(f, "{number:>width$} {place}{}", row.text)?;
            if !row.facts.is_empty() {
                writeln!(f, "{:width$}     {}", "", row.facts.join(", "))?;
            }
        }
        f.write_str(&left_out(story, self.steps.len()))
    }
}

fn head(f: &mut String, active: &mut Option<usize>, thread: usize) -> fmt::Result {
    if *active == Some(thread) {
        return Ok(());
    }
    *active = Some(thread);
    writeln!(f, "\n-- thread {thread}{}", if thread == 0 { " (initial)" } else { "" })
}

fn left_out(story: &Story, steps: usize) -> String {
    match story.left_out {
        0 => String::new(),
        1 => format!(
            "\n1 of {steps} steps is left out: it does nothing to the program's variables (--trace=all shows it)\n"
        ),
        more => format!(
            "\n{more} of {steps} steps are left out: they do nothing to the program's variables (--trace=all shows them)\n"
        ),
    }
}

impl Trace<'_> {
    fn end(&self, f: &mut String) -> fmt::Result {
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

fn step_text(program: &Program, names: &Names<'_>, index: usize, step: &TraceStep<'_>) -> String {
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
    let chosen = chosen.map(|(input, value)| names.input(input, value));
    let accessed = step.accesses.iter().map(|access| access_text(program, names, access));
    let local = step.changes.iter().filter(|change| change.thread.is_some());
    let changed = local.map(|change| change_text(program, names, change, Some(step.thread)));
    let values: Vec<String> = chosen.chain(accessed).chain(changed).collect();
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
    format!("{}: {}", where_text(program, origin), origin.text)
}

fn where_text(program: &Program, origin: &Origin) -> String {
    let place = place(program, origin.position).unwrap_or_else(|| "(generated)".to_owned());
    let function = origin.function.as_str();
    if function.is_empty() { place } else { format!("{place} in {function}") }
}

/// What was read, or what was written over what.
fn access_text(program: &Program, names: &Names<'_>, access: &Access) -> String {
    if let Some(lock) = names.lock(access) {
        return lock_in_words(access, &lock);
    }
    let index = access.index.as_ref().map(|index| format!("[{}]", names.infix.chosen(index)));
    let name = names.spelled(access.variable) + &index.unwrap_or_default();
    let value = |value| names.infix.value(access.data_type(program), value);
    if access.write {
        format!("writes {name}: {} (was {})", value(&access.value), value(&access.old))
    } else {
        format!("reads {name}: {}", value(&access.value))
    }
}

/// The value; whose it is, if it is not the active thread's own.
fn change_text(program: &Program, names: &Names<'_>, change: &Change, active: Option<usize>) -> String {
    let variable = program.variable(change.variable);
    let value = names.infix.value(&variable.data_type, &change.value);
    let name = names.spelled(change.variable);
    match change.thread {
        Some(thread) if Some(thread) != active => format!("{name} = {value} in thread {thread}"),
        _ => format!("{name} = {value}"),
    }
}

/// `file:line`, if there is a place.
pub(in crate::program) fn place(program: &Program, position: Position) -> Option<String> {
    let file = program.files.get(position.file.index())?;
    position.is_some().then(|| format!("{file}:{}", position.line))
}
