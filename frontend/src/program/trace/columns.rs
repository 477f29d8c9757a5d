//! A run with a column for each thread, from top to bottom as time goes by.
//!
//! ```text
//!      | thread 0: main            | thread 1: add
//!    1 | 12 pthread_create(...)    |
//!      |    creates thread 1       |
//!    2 |                           | 4 thread starts
//! ```

use super::story::{Row, STARTS, Story};
use super::{Trace, names};
use crate::program::Program;
use std::collections::BTreeSet;
use std::path::Path;

/// Narrower columns are not read with pleasure.
const LEAST: usize = 24;
/// The least room for the numbers of steps.
const NUMBER: usize = 4;
/// What is between two columns.
const BETWEEN: &str = " | ";

/// The rows in columns, if they fit into so many characters or must be in columns.
pub(super) fn columns(trace: &Trace<'_>, story: &Story, width: usize, always: bool) -> Option<String> {
    let threads: BTreeSet<usize> = story.rows.iter().map(|row| row.thread).collect();
    let threads: Vec<usize> = threads.into_iter().collect();
    let numbers = story.numbers();
    let number_width = numbers.iter().map(String::len).max().unwrap_or(0).max(NUMBER);
    let room = width.saturating_sub(number_width).checked_div(threads.len())?.saturating_sub(BETWEEN.len());
    if room < LEAST && !always {
        return None;
    }
    let room = room.max(LEAST);
    let places = Places::new(trace.program, story);
    let heads: Vec<String> = threads.iter().map(|thread| head(story, *thread)).collect();
    let mut cells: Vec<(String, usize, Vec<String>)> = Vec::new();
    for (row, number) in story.rows.iter().zip(numbers) {
        let column = threads.iter().position(|thread| *thread == row.thread).unwrap_or(0);
        cells.push((number, column, cell(&places, row, &heads[column], room)));
    }
    // Columns are as wide as what is in them.
    let widths: Vec<usize> = (0..threads.len())
        .map(|column| {
            let own = cells.iter().filter(|cell| cell.1 == column).flat_map(|cell| &cell.2);
            own.chain([&heads[column]]).map(|line| line.chars().count()).max().unwrap_or(0).min(room)
        })
        .collect();
    let blank = " ".repeat(number_width);
    let mut text = places.file.as_ref().map_or_else(String::new, |file| format!("{file}\n"));
    text.push_str(&line(&blank, &widths, |column| heads[column].chars().take(room).collect()));
    let rule: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
    text.push_str(&line(&blank, &widths, |column| rule[column].clone()));
    for (number, column, lines) in &mut cells {
        for content in lines {
            let shown = |at: usize| if at == *column { content.clone() } else { String::new() };
            text.push_str(&line(&format!("{number:>number_width$}"), &widths, shown));
            number.clear();
        }
    }
    Some(text)
}

fn line(number: &str, widths: &[usize], cell: impl Fn(usize) -> String) -> String {
    let mut text = number.to_owned();
    for (column, width) in widths.iter().enumerate() {
        text.push_str(BETWEEN);
        text.push_str(&format!("{:width$}", cell(column)));
    }
    format!("{}\n", text.trim_end())
}

/// `thread 1: add`, with the function that it runs.
fn head(story: &Story, thread: usize) -> String {
    let mut rows = story.rows.iter().filter(|row| row.thread == thread);
    let function = rows.find_map(|row| row.origin.map(|origin| origin.function));
    let function = function.map(|name| name.as_str()).filter(|name| !name.is_empty());
    function.map_or_else(|| format!("thread {thread}"), |name| format!("thread {thread}: {name}"))
}

/// How places are shown: by line alone if all are in one file.
pub(super) struct Places<'a> {
    program: &'a Program,
    pub(super) file: Option<String>,
}

impl<'a> Places<'a> {
    pub(super) fn new(program: &'a Program, story: &Story) -> Places<'a> {
        let positions = story.rows.iter().filter_map(|row| row.origin).map(|origin| origin.position);
        let files: BTreeSet<usize> =
            positions.filter(|place| place.is_some()).map(|place| place.file.index()).collect();
        let only = files.first().filter(|_| files.len() == 1).and_then(|file| program.files.get(*file));
        Places { program, file: only.cloned() }
    }

    /// The place of a row; empty if there is none.
    pub(super) fn of(&self, row: &Row) -> String {
        let Some(position) = row.origin.map(|origin| origin.position).filter(|place| place.is_some()) else {
            return String::new();
        };
        let file = self.program.files.get(position.file.index()).filter(|_| self.file.is_none());
        match file {
            Some(file) if names::is_users(self.program, position) => {
                let name =
                    Path::new(file).file_name().map_or(file.as_str().into(), |name| name.to_string_lossy());
                format!("{name}:{}", position.line)
            }
            Some(file) => format!("{file}:{}", position.line),
            None => position.line.to_string(),
        }
    }
}

/// What is in a cell: the source, then what it did, indented.
fn cell(places: &Places<'_>, row: &Row, head: &str, room: usize) -> Vec<String> {
    let function = row.origin.map(|origin| origin.function.as_str()).unwrap_or_default();
    let is_known = function.is_empty() || row.text == STARTS || head.ends_with(&format!(": {function}"));
    let function = if is_known { String::new() } else { format!("{function}: ") };
    let place = places.of(row);
    let first = if place.is_empty() { row.text.clone() } else { format!("{place} {function}{}", row.text) };
    let mut lines = wrap(&first, room, place.len().min(3) + 1);
    let indent = " ".repeat(place.len().min(3) + 1);
    for fact in &row.facts {
        lines.extend(wrap(&format!("{indent}{fact}"), room, indent.len() + 2));
    }
    lines
}

/// Breaks a line at blanks, commas and parentheses where that is possible; what follows is indented.
fn wrap(text: &str, room: usize, indent: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest: Vec<char> = text.chars().collect();
    while rest.len() > room {
        let is_far = |at: &usize| *at > room / 2;
        let blank = rest[..=room].iter().rposition(|c| *c == ' ').filter(is_far);
        let after = || rest[..room].iter().rposition(|c| matches!(c, ',' | '(')).map(|at| at + 1);
        let cut = blank.or_else(|| after().filter(is_far)).unwrap_or(room);
        lines.push(rest[..cut].iter().collect::<String>().trim_end().to_owned());
        let after: String = rest[cut..].iter().collect();
        rest = format!("{:indent$}{}", "", after.trim_start()).chars().collect();
    }
    lines.push(rest.into_iter().collect());
    lines
}

#[cfg(test)]
mod tests {
    use super::wrap;

    #[test]
    fn long_lines_are_broken_at_blanks() {
        assert_eq!(wrap("short", 10, 2), ["short"]);
        assert_eq!(wrap("some longer words", 12, 2), ["some longer", "  words"]);
        assert_eq!(wrap("abcdefghijklmn", 8, 2), ["abcdefgh", "  ijklmn"]);
        assert_eq!(wrap("function(argument)", 12, 2), ["function(", "  argument)"]);
    }
}
