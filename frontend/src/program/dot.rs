//! Programs as drawings in the language of Graphviz.
//!
//! Locations are boxes with their number, function and line: dashed if atomic, red if a thread there violates a property, with
//! a double frame where threads start. Edges say when they are possible and what they do, in C's notation; what
//! happens to passive threads is marked with `others:`.

use super::infix::Infix;
use super::{DataType, Edge, LocationId, Position, Program};
use smt::Sort;
use std::fmt::Write;

/// The drawing of a valid program.
pub fn to_dot(program: &Program) -> String {
    let mut text = String::from("digraph program {\n  node [shape=box, fontname=\"monospace\"];\n");
    text.push_str("  edge [fontname=\"monospace\"];\n");
    let red = program.targets();
    for (index, forbidden) in red.iter().enumerate() {
        node(&mut text, program, LocationId(index as u32), *forbidden);
    }
    let infix = Infix::new(program);
    for (index, edge) in program.edges.iter().enumerate() {
        let label = escape(&label(program, &infix, edge));
        let style = if edge.approximate.is_some() { ", style=dotted" } else { "" };
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(
            text,
            "  {} -> {} [label=\"{label}\", id=\"edge{index}\"{style}];",
            edge.from.0, edge.to.0
        );
    }
    text.push_str("}\n");
    text
}

fn node(text: &mut String, program: &Program, id: LocationId, forbidden: bool) {
    let location = program.location(id);
    let mut lines = vec![id.0.to_string()];
    let mut frames = 1;
    if id == program.main {
        lines.push("main".to_owned());
        frames = 2;
    }
    if Some(id) == program.pool {
        lines.push("pool".to_owned());
        frames = 2;
    }
    if !location.function.as_str().is_empty() {
        lines.push(location.function.to_string());
    }
    lines.extend(place(program, location.position));
    let style = if location.atomic { ", style=dashed" } else { "" };
    let color = if forbidden { ", color=red, fontcolor=red" } else { "" };
    let label = escape(&lines.join("\n"));
    let _ = writeln!(text, "  {} [label=\"{label}\", peripheries={frames}{style}{color}];", id.0);
}

fn place(program: &Program, position: Position) -> Option<String> {
    let file = program.files.get(position.file.index())?;
    position.is_some().then(|| format!("{file}:{}", position.line))
}

/// What an edge does, a line for each part.
fn label(program: &Program, infix: &Infix<'_>, edge: &Edge) -> String {
    let mut lines = Vec::new();
    for input in &edge.inputs {
        lines.push(format!("any {}: {}", input.name, sort_text(input.sort)));
    }
    if !edge.guard.is_true() {
        lines.push(format!("[{}]", infix.term(edge.guard)));
    }
    for (id, term) in &edge.assign {
        lines.push(infix.assignment(program.variable(*id), *term));
    }
    for input in &edge.broadcast.inputs {
        lines.push(format!("others: any {}: {}", input.name, sort_text(input.sort)));
    }
    for (id, term) in &edge.broadcast.assign {
        lines.push(format!("others: {}", infix.assignment(program.variable(*id), *term)));
    }
    lines.join("\n")
}

fn sort_text(sort: Sort) -> String {
    match sort.width() {
        Some(width) => DataType::Int { width, signed: false }.to_string(),
        None if sort.is_bool() => DataType::Bool.to_string(),
        None => sort.to_string(),
    }
}

/// For strings in quotes, lines set flush left.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for line in text.lines() {
        for character in line.chars() {
            match character {
                '"' | '\\' => {
                    escaped.push('\\');
                    escaped.push(character);
                }
                other if other.is_control() => escaped.push(' '),
                other => escaped.push(other),
            }
        }
        escaped.push_str("\\l");
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::random::{Shape, program_with};
    use crate::program::text::read;

    #[test]
    fn a_drawing_in_full() {
        let text = r#"program 1
            file 0 "dir\\a.c"
            note 0 over "rough"
            shared x: i32 = 0
            shared a: [u8; 4 by u8]
            local l: u8
            location 0 in f @0:3:1
            location 1 atomic
            location 2 in "say \"hi\""
            main 0 pool 0
            edge 0: 0 -> 1
              input n: u8
              guard (not (bvslt x #xfffffffe))
              assign x := (bvadd x #xffffffff)
              assign a := (store a n (bvadd l #x01))
              passive input m: bool
              passive assign l := (ite m l@P n)
            edge 1: 1 -> 2
              approximate 0
            property p assertion "" at 2"#;
        let expected = r#"digraph program {
  node [shape=box, fontname="monospace"];
  edge [fontname="monospace"];
  0 [label="0\lmain\lpool\lf\ldir\\a.c:3\l", peripheries=2];
  1 [label="1\l", peripheries=1, style=dashed];
  2 [label="2\lsay \"hi\"\l", peripheries=1, color=red, fontcolor=red];
  0 -> 1 [label="any n: u8\l[x >= -2]\lx := x - 1\la[n] := l + 1\lothers: any m: bool\lothers: l := m ? l@P : n\l", id="edge0"];
  1 -> 2 [label="", id="edge1", style=dotted];
}
"#;
        assert_eq!(to_dot(&read(text).unwrap()), expected);
    }

    #[test]
    fn every_location_and_edge_is_drawn() {
        for seed in 0..50 {
            let program = program_with(seed, Shape { arrays: true, ..Shape::default() });
            let text = to_dot(&program);
            let lines = program.locations.len() + program.edges.len() + 4;
            assert_eq!(text.lines().count(), lines, "{text}");
        }
    }
}
