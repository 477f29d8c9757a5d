//! `--coverage`: the functions of the program, and what of each is exact, over-approximated, a limit, or matters to no property.
//!
//! Lines of the source are counted that became steps. A line that the slice left out matters to no property that is asked for, so it
//! counts as that whatever else is said about it; a line with a limit is one, and a line with a marked step is over-approximated.

use console::input::Loaded;
use console::obstacles;
use console::plural;
use frontend::program::{Program, PropertyKind, Target};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// A line of a function: the function's name, the number of the file, the line.
type Line = (String, u32, u32);

/// What is said about a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Exact,
    Over,
    Limit,
}

/// What the program had before it was sliced.
#[derive(Debug, Default)]
pub(super) struct Coverage {
    lines: BTreeMap<Line, Kind>,
    limits: Vec<(String, usize)>,
}

/// Lines of a function by what is said about them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    exact: usize,
    over: usize,
    limit: usize,
    sliced: usize,
}

impl Counts {
    fn lines(self) -> usize {
        self.exact + self.over + self.limit + self.sliced
    }

    fn add(&mut self, other: Counts) {
        self.exact += other.exact;
        self.over += other.over;
        self.limit += other.limit;
        self.sliced += other.sliced;
    }
}

/// The lines of all steps, and whether a step is marked.
fn lines(program: &Program) -> impl Iterator<Item = (Line, bool)> {
    program.edges.iter().flat_map(|edge| {
        let is_marked = edge.approximate.is_some();
        let origins = edge.origin.iter().filter(|origin| origin.position.is_some());
        origins.map(move |origin| {
            let position = origin.position;
            ((origin.function.as_str().to_owned(), position.file.0, position.line), is_marked)
        })
    })
}

impl Coverage {
    /// Of a program that was just translated.
    pub(super) fn of(program: &Program) -> Coverage {
        let mut coverage = Coverage { limits: obstacles::limits(program), ..Coverage::default() };
        for (line, is_marked) in lines(program) {
            coverage.mark(line, if is_marked { Kind::Over } else { Kind::Exact });
        }
        for property in program.properties.iter().filter(|property| property.kind == PropertyKind::Limit) {
            if let Target::Location(location) = &property.target
                && property.position.is_some()
            {
                let function = program.location(*location).function.as_str().to_owned();
                coverage.mark((function, property.position.file.0, property.position.line), Kind::Limit);
            }
        }
        coverage
    }

    fn mark(&mut self, line: Line, kind: Kind) {
        let known = self.lines.entry(line).or_insert(kind);
        *known = kind.max(*known);
    }

    /// By function, in the order of the source, given what was left of the program.
    fn functions(&self, left: &Program) -> Vec<(&str, Counts)> {
        let left: BTreeSet<Line> = lines(left).map(|(line, _)| line).chain(limit_lines(left)).collect();
        let mut first: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
        let mut counts: BTreeMap<&str, Counts> = BTreeMap::new();
        for (line, kind) in &self.lines {
            let (function, file, number) = line;
            first.entry(function).or_insert((*file, *number));
            let counts = counts.entry(function).or_default();
            match kind {
                _ if !left.contains(line) => counts.sliced += 1,
                Kind::Exact => counts.exact += 1,
                Kind::Over => counts.over += 1,
                Kind::Limit => counts.limit += 1,
            }
        }
        let mut functions: Vec<(&str, Counts)> = counts.into_iter().collect();
        functions.sort_by_key(|(function, _)| first[function]);
        functions
    }

    /// As a table, with the limits by kind below it.
    pub(super) fn text(&self, loaded: &Loaded) -> String {
        let functions = self.functions(&loaded.program);
        let name =
            |function: &str| if function.is_empty() { "(outside)".to_owned() } else { function.to_owned() };
        let width = functions.iter().map(|(function, _)| name(function).chars().count()).max().unwrap_or(0);
        let width = width.max("function".len());
        let mut text = format!(
            "{:width$} {:>7} {:>7} {:>18} {:>7} {:>12}\n",
            "function", "lines", "exact", "over-approximated", "limit", "sliced away"
        );
        let mut row = |name: &str, counts: Counts| {
            let (lines, Counts { exact, over, limit, sliced }) = (counts.lines(), counts);
            // Writing to a string cannot fail, here and below.
            let _ = writeln!(text, "{name:width$} {lines:>7} {exact:>7} {over:>18} {limit:>7} {sliced:>12}");
        };
        let mut all = Counts::default();
        for (function, counts) in &functions {
            row(&name(function), *counts);
            all.add(*counts);
        }
        row("all", all);
        let never = never_called(loaded, &functions);
        if !never.is_empty() {
            let _ =
                writeln!(text, "\n{} never called: {}", plural(never.len(), "function"), never.join(", "));
        }
        if !self.limits.is_empty() {
            let count: usize = self.limits.iter().map(|(_, number)| number).sum();
            let _ = writeln!(text, "\nthe model ends in {}:", plural(count, "place"));
        }
        for (kind, number) in &self.limits {
            let _ = writeln!(text, "{number:>7}  {kind}");
        }
        text
    }

    /// The same for `--json`.
    pub(super) fn json(&self, loaded: &Loaded) -> Value {
        let functions = self.functions(&loaded.program);
        let rows = functions.iter().map(|(function, counts)| {
            json!({
                "function": function,
                "lines": counts.lines(),
                "exact": counts.exact,
                "over_approximated": counts.over,
                "limit": counts.limit,
                "sliced_away": counts.sliced,
            })
        });
        let limits = self.limits.iter().map(|(kind, number)| json!({ "kind": kind, "places": number }));
        json!({
            "functions": rows.collect::<Vec<_>>(),
            "never_called": never_called(loaded, &functions),
            "limits": limits.collect::<Vec<_>>(),
        })
    }
}

/// Functions of the source that no thread runs.
fn never_called(loaded: &Loaded, functions: &[(&str, Counts)]) -> Vec<String> {
    let Some(unit) = &loaded.unit else { return Vec::new() };
    let called: BTreeSet<&str> = functions.iter().map(|(function, _)| *function).collect();
    let defined = frontend::entry::functions(unit);
    defined.into_iter().filter(|function| !called.contains(function.as_str())).collect()
}

fn limit_lines(program: &Program) -> impl Iterator<Item = Line> {
    let limits = program.properties.iter().filter(|property| property.kind == PropertyKind::Limit);
    limits.filter_map(|property| match &property.target {
        Target::Location(location) => {
            let function = program.location(*location).function.as_str().to_owned();
            Some((function, property.position.file.0, property.position.line))
        }
        Target::Race(..) => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"program 1
        file 0 "a.c"
        note 0 over "more"
        location 0 in main @0:1:1
        location 1 in main @0:2:1
        location 2 in f @0:9:1
        main 0
        edge 0: 0 -> 1
          origin @0:1:1 in main "a"
        edge 1: 1 -> 1
          approximate 0
          origin @0:2:1 in main "b"
        edge 2: 1 -> 2
          origin @0:2:7 in main "c"
        edge 3: 2 -> 2
          origin @0:9:1 in f "d"
        property l limit @0:9:1 "'f' 3" at 2
        "#;

    fn counts(exact: usize, over: usize, limit: usize, sliced: usize) -> Counts {
        Counts { exact, over, limit, sliced }
    }

    #[test]
    fn a_line_counts_once_and_the_worst_counts() {
        let program = frontend::program::text::read(TEXT).unwrap();
        let coverage = Coverage::of(&program);
        let expected = [("main", counts(1, 1, 0, 0)), ("f", counts(0, 0, 1, 0))];
        assert_eq!(coverage.functions(&program), expected);
        let mut sliced = program.clone();
        sliced.edges.truncate(1);
        sliced.properties.clear();
        assert_eq!(coverage.functions(&sliced), [("main", counts(1, 0, 0, 1)), ("f", counts(0, 0, 0, 1))]);
        assert_eq!(coverage.limits, [("'..' N".to_owned(), 1)]);
    }
}
