//! The tree as a drawing in the language of Graphviz: locations and labels, covers dashed, steps that covers made bold.
//!
//! It is made to be read: what is below a covered or a false node is history and not drawn, false nodes are points, of long labels only the beginning is shown, and a chain of steps of one thread
//! whose nodes say the same and cover nothing is one edge.

use crate::system::System;
use crate::tree::{NodeId, Tree};
use frontend::program::infix::Infix;
use std::fmt::Write as _;

/// Longer texts are cut.
const LONG: usize = 36;

/// More formulas of a label are counted only.
const PARTS: usize = 3;

/// Draws a tree.
pub(crate) fn draw(system: &System<'_>, tree: &Tree) -> String {
    let mut text = "digraph tree {\n  node [shape=box, fontname=monospace];\n".to_owned();
    let infix = Infix::new(system.program);
    let mut open = vec![0];
    // Writing to memory cannot fail.
    while let Some(id) = open.pop() {
        let node = &tree.nodes[id];
        if node.is_false() {
            let _ = writeln!(text, "  n{id} [shape=point, color=grey];");
            continue;
        }
        let places: Vec<String> = node.locations.iter().map(|location| location.0.to_string()).collect();
        let label = if node.parent.is_none() { String::new() } else { label(&infix, tree, id) };
        let _ = writeln!(text, "  n{id} [label=\"{id}: {}{label}\"];", places.join(" "));
        if let Some(by) = node.cover {
            let _ = writeln!(text, "  n{id} -> n{by} [style=dashed, constraint=false];");
            continue;
        }
        for &(_, child) in &node.children {
            let (end, words) = chain(system, tree, child);
            let style = if tree.nodes[child].by_cover { ", style=bold" } else { "" };
            let _ = writeln!(text, "  n{id} -> n{end} [label=\"{words}\"{style}];");
            open.push(end);
        }
    }
    text.push_str("}\n");
    text
}

/// The first formulas of a label.
fn label(infix: &Infix<'_>, tree: &Tree, id: NodeId) -> String {
    let label = &tree.nodes[id].label;
    let mut text: String =
        label.iter().take(PARTS).map(|part| format!("\\n{}", shortened(&infix.term(*part)))).collect();
    if label.len() > PARTS {
        let _ = write!(text, "\\n... {} more", label.len() - PARTS);
    }
    text
}

/// The last node of a chain that begins with a node, and what is done on the way to it, its first step included.
fn chain(system: &System<'_>, tree: &Tree, first: NodeId) -> (NodeId, String) {
    let thread = |id: NodeId| tree.nodes[id].step.as_ref().map(|step| step.thread);
    let what = |id: NodeId| {
        let step = tree.nodes[id].step.as_ref()?;
        let origin = system.program.edge(step.what.edge).origin.last()?;
        Some(shortened(origin.text.as_str()))
    };
    let mut words: Vec<String> = what(first).into_iter().collect();
    let mut end = first;
    loop {
        let node = &tree.nodes[end];
        let [(_, child)] = node.children.as_slice() else { break };
        let next = &tree.nodes[*child];
        let is_plain = node.cover.is_none() && node.covers.is_empty() && !node.is_false() && !next.is_false();
        if !is_plain || next.label != node.label || thread(*child) != thread(first) || next.by_cover {
            break;
        }
        end = *child;
        words.extend(what(end));
    }
    words.dedup();
    if words.len() > PARTS {
        let left = words.len() - 2;
        words = vec![words[0].clone(), format!("... {left} more"), words[words.len() - 1].clone()];
    }
    (end, format!("{}: {}", thread(first).unwrap_or(0), words.join("\\n")))
}

fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(LONG).collect();
    if short.len() < text.len() {
        short.push_str("...");
    }
    short.replace('\\', "\\\\").replace('"', "\\\"")
}
