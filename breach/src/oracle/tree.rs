//! The forward tree, for drawing (thesis, figure 24).

use super::karp_miller::{Boost, KarpMiller, ROOT};
use crate::reduce::Lift;
use crate::search::graph::escape;
use crate::system::System;
use std::fmt::Write as _;

impl KarpMiller<'_> {
    /// The tree in the language of graphviz; omegas are written `l^w`.
    pub(crate) fn to_dot(&self, system: &System, lift: &Lift) -> String {
        let mut dot = String::from("digraph forward {\n  node [shape=box, fontname=\"monospace\"];\n");
        for (index, node) in self.nodes.iter().enumerate() {
            let empty = lift.state(node.shared, &[]);
            let omegas = (0..self.net().local_states as u32)
                .filter(|&l| super::contains(self.omegas.bits(node.omega), l))
                .map(|l| format!("{}^w", system.show_local(lift.local(l))));
            let counted = node.finite.iter().map(|&(l, c)| {
                let name = system.show_local(lift.local(l));
                if c == 1 { name } else { format!("{name}^{c}") }
            });
            let threads: Vec<_> = counted.chain(omegas).collect();
            let label = escape(&format!("{}|{}", empty.shared, threads.join(",")));
            let _ = writeln!(dot, "  n{index} [label=\"{label}\"];");
            if node.parent != ROOT {
                let path = &self.net().steps[node.step as usize].path;
                let names: Vec<_> = path.iter().map(|&id| format!("t{}", id + 1)).collect();
                let _ = writeln!(dot, "  n{} -> n{index} [label=\"{}\"];", node.parent, names.join(" "));
            }
            for boost in &node.boosts {
                if let Boost::Cycle { ancestor, .. } = boost {
                    let _ = writeln!(dot, "  n{index} -> n{ancestor} [style=dotted, label=\"repeat\"];");
                }
            }
        }
        dot.push_str("}\n");
        dot
    }
}
