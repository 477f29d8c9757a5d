//! From gates to clauses.
//!
//! Tseitin's transformation (On the Complexity of Derivation in Propositional Calculus, 1968): a gate that is needed gets a
//! variable, and clauses say in both directions what its value is. So clauses about gates hold whatever is asserted, and
//! stay when assertions go.
//!
//! A tree of conjunctions is one gate with many inputs here, unless its inner gates are used elsewhere: an equality of two
//! words takes one variable, not one for each bit.

use std::io::{self, Write};

use rustc_hash::FxHashSet;

use super::graph::{Edge, Gate, Graph};
use crate::sat::Lit;

/// Clauses, and the variables of gates.
#[derive(Debug, Default)]
pub(super) struct Cnf {
    /// By node; zero for none.
    variables: Vec<u32>,
    count: u32,
    clauses: usize,
    /// All clauses that are still here, one after the other.
    literals: Vec<Lit>,
    /// Where each of them ends.
    ends: Vec<usize>,
}

impl Cnf {
    pub(super) fn variables(&self) -> usize {
        self.count as usize
    }

    /// All clauses, also those that have been taken away.
    pub(super) fn clauses(&self) -> usize {
        self.clauses
    }

    /// A variable that belongs to no gate.
    pub(super) fn fresh(&mut self) -> Lit {
        self.count += 1;
        Lit::positive(self.count)
    }

    pub(super) fn add(&mut self, clause: impl IntoIterator<Item = Lit>) {
        self.literals.extend(clause);
        self.ends.push(self.literals.len());
        self.clauses += 1;
    }

    /// The clauses that are still here.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[Lit]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.literals[start..end])
    }

    /// Forgets the clauses that are still here: somebody else has them now.
    pub(super) fn clear(&mut self) {
        self.literals.clear();
        self.ends.clear();
    }

    /// As a file in the DIMACS format.
    pub(super) fn write(&self, output: &mut impl Write) -> io::Result<()> {
        writeln!(output, "p cnf {} {}", self.count, self.ends.len())?;
        for clause in self.iter() {
            clause.iter().try_for_each(|literal| write!(output, "{literal} "))?;
            writeln!(output, "0")?;
        }
        Ok(())
    }

    /// The literal of a gate that has one.
    pub(super) fn known(&self, edge: Edge) -> Option<Lit> {
        let variable = self.variables.get(edge.node()).copied().filter(|&variable| variable != 0)?;
        let literal = Lit::positive(variable);
        Some(if edge.is_negated() { !literal } else { literal })
    }

    /// The literal of a gate; clauses for it and for all that it depends on are added.
    pub(super) fn literal(&mut self, graph: &Graph, edge: Edge) -> Lit {
        let mut open = vec![edge];
        while let Some(&gate) = open.last() {
            if self.known(gate).is_some() {
                open.pop();
                continue;
            }
            let inputs = self.inputs(graph, gate);
            let waiting = open.len();
            open.extend(inputs.iter().filter(|&&input| self.known(input).is_none()));
            if open.len() == waiting {
                open.pop();
                self.define(graph, gate, &inputs);
            }
        }
        let literal = Lit::positive(self.variables[edge.node()]);
        if edge.is_negated() { !literal } else { literal }
    }

    /// What a gate is defined by: its inputs, those of a whole tree if it is a conjunction.
    fn inputs(&self, graph: &Graph, edge: Edge) -> Vec<Edge> {
        match graph.gate(edge) {
            Gate::False | Gate::Input => Vec::new(),
            Gate::Xor(a, b) => vec![a, b],
            Gate::Ite(a, b, c) | Gate::Majority(a, b, c) => vec![a, b, c],
            Gate::And(a, b) => {
                let mut leaves = Vec::new();
                let mut open = vec![b, a];
                while let Some(input) = open.pop() {
                    match graph.gate(input) {
                        Gate::And(a, b) if self.is_inner(graph, input) => open.extend([b, a]),
                        _ => leaves.push(input),
                    }
                }
                leaves
            }
        }
    }

    fn is_inner(&self, graph: &Graph, input: Edge) -> bool {
        !input.is_negated() && graph.is_private(input) && self.known(input).is_none()
    }

    fn define(&mut self, graph: &Graph, edge: Edge, inputs: &[Edge]) {
        let output = self.fresh();
        let node = edge.node();
        if self.variables.len() <= node {
            self.variables.resize(graph.len(), 0);
        }
        self.variables[node] = output.variable();
        let literals: Vec<Lit> = inputs.iter().filter_map(|&input| self.known(input)).collect();
        match (graph.gate(edge), literals.as_slice()) {
            (Gate::False, _) => self.add([!output]),
            (Gate::Xor(..), &[a, b]) => {
                for (a, b) in [(a, b), (!a, !b)] {
                    self.add([!output, a, b]);
                    self.add([output, !a, b]);
                }
            }
            (Gate::Ite(..), &[condition, then, els]) => {
                for (output, then, els) in [(output, then, els), (!output, !then, !els)] {
                    self.add([!condition, !then, output]);
                    self.add([condition, !els, output]);
                    // Follows from the others, but not by propagation.
                    self.add([!then, !els, output]);
                }
            }
            (Gate::Majority(..), &[a, b, c]) => {
                for (output, a, b, c) in [(output, a, b, c), (!output, !a, !b, !c)] {
                    self.add([!a, !b, output]);
                    self.add([!a, !c, output]);
                    self.add([!b, !c, output]);
                }
            }
            (Gate::And(..), literals) => {
                literals.iter().for_each(|&literal| self.add([!output, literal]));
                self.add(literals.iter().map(|&literal| !literal).chain([output]));
            }
            _ => {}
        }
    }

    /// Asserts that one of these edges is true. Constants leave no trace.
    pub(super) fn require(&mut self, graph: &Graph, clause: &[Edge]) {
        if clause.contains(&Edge::TRUE) {
            return;
        }
        let needed = clause.iter().copied().filter(|&edge| edge != Edge::FALSE);
        let literals: Vec<Lit> = needed.map(|edge| self.literal(graph, edge)).collect();
        self.add(literals);
    }

    /// Asserts an edge, as long as the guard is true if there is one. Conjunctions are taken apart, disjunctions become
    /// clauses.
    pub(super) fn assert(&mut self, graph: &Graph, edge: Edge, guard: Option<Lit>) {
        let mut open = vec![edge];
        let mut seen = FxHashSet::default();
        while let Some(edge) = open.pop() {
            if !seen.insert(edge) {
                continue;
            }
            let is_new = self.known(edge).is_none();
            let alternatives = match graph.gate(edge) {
                Gate::And(a, b) if is_new && !edge.is_negated() => {
                    open.extend([b, a]);
                    continue;
                }
                Gate::And(..) if is_new => {
                    self.inputs(graph, edge).into_iter().map(|input| self.literal(graph, !input)).collect()
                }
                Gate::False if edge.is_negated() => continue,
                Gate::False => Vec::new(),
                _ => vec![self.literal(graph, edge)],
            };
            self.add(guard.map(|guard| !guard).into_iter().chain(alternatives));
        }
    }
}
