//! Lists of what a program has: `--show-properties`, `--show-loops`.

use crate::notes::place;
use crate::plural;
use frontend::diagnostics::Place;
use frontend::program::{Location, LocationId, Program, Property, PropertyKind, Target};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A place for `--json`.
pub fn place_json(place: &Place) -> Value {
    json!({ "file": place.file, "line": place.line, "column": place.column })
}

/// `--show-properties`: a line for each, in columns.
pub fn properties_text(program: &Program) -> String {
    let row = |property: &Property| {
        let place = place(program, property.position).map(|place| place.to_string()).unwrap_or_default();
        [property.name.clone(), property.kind.word().to_owned(), place]
    };
    let rows: Vec<_> = program.properties.iter().map(row).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (name_width, kind_width, place_width) = (width(0), width(1), width(2));
    let mut text = String::new();
    for ([name, kind, place], property) in rows.iter().zip(&program.properties) {
        let description = program.describe(property, None);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name:name_width$}  {kind:kind_width$}  {place:place_width$}  {description}");
    }
    let _ = writeln!(text, "{}", properties_in_words(program.properties.len()));
    text
}

/// `1 property`, `2 properties`.
pub fn properties_in_words(number: usize) -> String {
    if number == 1 { "1 property".to_owned() } else { format!("{number} properties") }
}

/// How many properties there are that are no limits of what is modelled, and how many of them hold because no step leads to their violation.
pub fn counted(program: &Program) -> (usize, usize) {
    let edges = program.edges_from();
    let mut reached = vec![false; program.locations.len()];
    let mut open: Vec<LocationId> = [Some(program.main), program.pool].into_iter().flatten().collect();
    while let Some(location) = open.pop() {
        if !std::mem::replace(&mut reached[location.index()], true) {
            open.extend(edges[location.index()].iter().map(|edge| program.edge(*edge).to));
        }
    }
    let is_trivial = |property: &&Property| match &property.target {
        Target::Location(location) => !reached[location.index()],
        Target::Race(first, second) => !reached[first.location.index()] || !reached[second.location.index()],
    };
    let all = program.properties.iter().filter(|property| property.kind != PropertyKind::Limit);
    (all.clone().count(), all.filter(is_trivial).count())
}

/// The properties for `--json`.
pub fn properties_json(program: &Program) -> Value {
    let one = |property: &Property| {
        json!({
            "name": property.name,
            "kind": property.kind.word(),
            "description": program.describe(property, None),
            "position": place(program, property.position).map(|place| place_json(&place)),
        })
    };
    program.properties.iter().map(one).collect()
}

/// A loop: where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// `main.loop.1`: the function, and a number in it by the order of places.
    pub name: String,
    /// The location that all its rounds pass.
    pub head: LocationId,
}

/// All loops, by function and place: one for each location to which control comes back.
pub fn loops(program: &Program) -> Vec<Loop> {
    let mut heads = heads(program);
    let key = |head: &LocationId| {
        let Location { function, position, .. } = program.location(*head);
        (function.as_str(), *position, *head)
    };
    heads.sort_by_key(key);
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    let named = heads.into_iter().map(|head| {
        let function = program.location(head).function.as_str();
        let number = numbers.entry(function).or_default();
        *number += 1;
        Loop { name: format!("{function}.loop.{number}"), head }
    });
    named.collect()
}

/// The targets of edges that lead back, in a walk that goes deep first.
fn heads(program: &Program) -> Vec<LocationId> {
    #[derive(Clone, Copy, PartialEq)]
    enum Visit {
        New,
        Open,
        Done,
    }
    let edges = program.edges_from();
    let mut visits = vec![Visit::New; program.locations.len()];
    let mut heads = Vec::new();
    for root in [Some(program.main), program.pool].into_iter().flatten() {
        if visits[root.index()] != Visit::New {
            continue;
        }
        visits[root.index()] = Visit::Open;
        // Where the walk is, and how many edges of each place it has taken.
        let mut walk = vec![(root, 0)];
        while let Some((location, taken)) = walk.last_mut() {
            let Some(&edge) = edges[location.index()].get(*taken) else {
                visits[location.index()] = Visit::Done;
                walk.pop();
                continue;
            };
            *taken += 1;
            let next = program.edge(edge).to;
            match visits[next.index()] {
                Visit::New => {
                    visits[next.index()] = Visit::Open;
                    walk.push((next, 0));
                }
                Visit::Open => heads.push(next),
                Visit::Done => {}
            }
        }
    }
    heads.sort_unstable();
    heads.dedup();
    heads
}

/// `--show-loops`: a line for each.
pub fn loops_text(program: &Program) -> String {
    let all = loops(program);
    let width = all.iter().map(|found| found.name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for found in &all {
        let position = program.location(found.head).position;
        let place = place(program, position).map(|place| place.to_string()).unwrap_or_default();
        let _ = writeln!(text, "{:width$}  {place}", found.name);
    }
    let _ = writeln!(text, "{}", plural(all.len(), "loop"));
    text
}

/// The loops for `--json`.
pub fn loops_json(program: &Program) -> Value {
    let one = |found: &Loop| {
        let position = program.location(found.head).position;
        json!({ "name": found.name, "position": place(program, position).map(|place| place_json(&place)) })
    };
    loops(program).iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_are_where_control_comes_back() {
        let program = "program 1\nfile 0 \"x.c\"\nlocation 0 in main @0:1:0\nlocation 1 in main @0:3:5\n\
            location 2 in main @0:2:3\nlocation 3 in main @0:4:0\nmain 0\nedge 0: 0 -> 1\nedge 1: 1 -> 2\n\
            edge 2: 2 -> 1\nedge 3: 2 -> 2\nedge 4: 1 -> 3\nedge 5: 0 -> 3\n";
        let program = frontend::program::text::read(program).unwrap();
        assert_eq!(loops_text(&program), "main.loop.1  x.c:2:3\nmain.loop.2  x.c:3:5\n2 loops\n");
        assert_eq!(loops_json(&program)[1]["name"], "main.loop.2");
    }
}
