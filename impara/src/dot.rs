//! The tree as a drawing in the language of Graphviz: locations and labels, covers dashed, false nodes grey.

use crate::system::System;
use crate::tree::Tree;
use std::fmt::Write as _;

/// Longer labels are cut.
const LONG: usize = 80;

/// Draws a tree.
pub(crate) fn draw(system: &System<'_>, tree: &Tree) -> String {
    let mut text = "digraph tree {\n  node [shape=box, fontname=monospace];\n".to_owned();
    for (id, node) in tree.nodes.iter().enumerate() {
        let places: Vec<String> = node.locations.iter().map(|location| location.0.to_string()).collect();
        let mut label: Vec<String> = node.label.iter().map(ToString::to_string).collect();
        if node.parent.is_none() {
            label.clear();
        }
        let label: Vec<String> = label.into_iter().map(|part| shortened(&part)).collect();
        let grey = if node.is_false() { ", color=grey, fontcolor=grey" } else { "" };
        // Writing to memory cannot fail.
        let _ =
            writeln!(text, "  n{id} [label=\"{id}: {}\\n{}\"{grey}];", places.join(" "), label.join("\\n"));
        if let (Some(parent), Some(step)) = (node.parent, &node.step) {
            let what = &system.program.edge(step.what.edge).origin;
            let what = what.last().map_or_else(String::new, |origin| shortened(origin.text.as_str()));
            let style = if node.by_cover { ", style=bold" } else { "" };
            let _ = writeln!(text, "  n{parent} -> n{id} [label=\"{}: {what}\"{style}];", step.thread);
        }
        if let Some(by) = node.cover {
            let _ = writeln!(text, "  n{id} -> n{by} [style=dashed, constraint=false];");
        }
    }
    text.push_str("}\n");
    text
}

fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(LONG).collect();
    if short.len() < text.len() {
        short.push_str("...");
    }
    short.replace('\\', "\\\\").replace('"', "\\\"")
}
