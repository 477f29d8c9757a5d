//! The graph that a backward search builds, for drawing (thesis, figures 17 and 20).

use crate::net::{Net, Pairs};
use crate::reduce::Lift;
use crate::system::{Shared, System};
use std::fmt::Write as _;

/// A state of the graph.
#[derive(Clone, Debug)]
pub(crate) struct Vertex {
    pub(crate) shared: Shared,
    pub(crate) threads: Pairs,
    /// In the widened target set: a target or a widening candidate.
    pub(crate) is_candidate: bool,
    /// Found coverable.
    pub(crate) is_pruned: bool,
}

/// Why two states are connected.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Edge {
    /// The first is a cover predecessor of the second by this step.
    Step(usize, usize, u32),
    /// The first stands for a larger cover predecessor of the second, or for the second itself.
    Below(usize, usize),
}

/// What a search has built.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    pub(crate) vertices: Vec<Vertex>,
    pub(crate) edges: Vec<Edge>,
}

impl Graph {
    /// The graph in the language of graphviz, with the user's states and transitions.
    pub(crate) fn to_dot(&self, system: &System, net: &Net, lift: &Lift) -> String {
        let mut dot =
            String::from("digraph backward {\n  rankdir=RL;\n  node [shape=box, fontname=\"monospace\"];\n");
        for (index, vertex) in self.vertices.iter().enumerate() {
            let state = lift.state(vertex.shared, &vertex.threads);
            let mut style = Vec::new();
            if vertex.is_candidate {
                style.push("bold");
            }
            if vertex.is_pruned {
                style.push("dashed");
            }
            let style =
                if style.is_empty() { String::new() } else { format!(", style=\"{}\"", style.join(",")) };
            let color = if vertex.is_pruned { ", color=gray, fontcolor=gray" } else { "" };
            let label = escape(&system.show(&state).to_string());
            let _ = writeln!(dot, "  v{index} [label=\"{label}\"{style}{color}];");
        }
        for edge in &self.edges {
            let _ = match *edge {
                Edge::Step(from, to, step) => {
                    let path = &net.steps[step as usize].path;
                    let names: Vec<_> = path.iter().map(|&id| format!("t{}", id + 1)).collect();
                    writeln!(dot, "  v{from} -> v{to} [label=\"{}\"];", names.join(" "))
                }
                Edge::Below(from, to) => writeln!(dot, "  v{from} -> v{to} [style=dotted, arrowhead=none];"),
            };
        }
        dot.push_str("}\n");
        dot
    }
}

/// A text inside a quoted label.
pub(crate) fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
