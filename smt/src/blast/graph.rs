//! Circuits: gates, each there once, and simplified while they are built.
//!
//! An and-inverter graph, as Biere and others use it between formulas and clauses: an [`Edge`] is a gate, negated or not, so a
//! negation costs nothing. Beside conjunctions there are exclusive disjunctions, choices and majorities, because each of
//! them takes fewer variables and clauses than the conjunctions that it is made of: the sum and the carry of an adder are
//! such gates.
//!
//! A new gate is looked up first (structural hashing). Constants, equal and opposite inputs fold it; so do, for
//! conjunctions, the inputs of its inputs, by the rules of Brummayer and Biere (Local Two-Level And-Inverter Graph
//! Minimization without Blowup, 2006) that make the circuit smaller whatever else is in it.
//!
//! Inputs of gates are older than the gates: the order of creation is a topological one.

use std::ops::{BitXor, Not};

use rustc_hash::FxHashMap;

/// A gate, negated or not.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Edge(u32);

impl Edge {
    pub(super) const FALSE: Edge = Edge(0);
    pub(super) const TRUE: Edge = Edge(1);

    pub(super) fn constant(value: bool) -> Edge {
        Edge(u32::from(value))
    }

    /// The number of the gate.
    pub(super) fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(super) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The gate without negation.
    pub(super) fn positive(self) -> Edge {
        Edge(self.0 & !1)
    }

    pub(super) fn as_constant(self) -> Option<bool> {
        (self.0 <= 1).then_some(self.0 == 1)
    }
}

impl Not for Edge {
    type Output = Edge;

    fn not(self) -> Edge {
        Edge(self.0 ^ 1)
    }
}

/// Negated if the other is true.
impl BitXor<bool> for Edge {
    type Output = Edge;

    fn bitxor(self, negate: bool) -> Edge {
        Edge(self.0 ^ u32::from(negate))
    }
}

/// What a node is. Inputs of conjunctions, exclusive disjunctions and majorities are sorted.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Gate {
    False,
    Input,
    And(Edge, Edge),
    /// Of gates without negation.
    Xor(Edge, Edge),
    /// If, then, else; the first two are not negated.
    Ite(Edge, Edge, Edge),
    /// At least two of three; at most one of them is negated.
    Majority(Edge, Edge, Edge),
}

#[derive(Debug)]
pub(super) struct Graph {
    gates: Vec<Gate>,
    known: FxHashMap<Gate, Edge>,
    /// How many gates use a gate; stays at its greatest value.
    uses: Vec<u8>,
}

impl Graph {
    pub(super) fn new() -> Graph {
        Graph { gates: vec![Gate::False], known: FxHashMap::default(), uses: vec![u8::MAX] }
    }

    /// How many gates and inputs there are, with the constant.
    pub(super) fn len(&self) -> usize {
        self.gates.len()
    }

    pub(super) fn gate(&self, edge: Edge) -> Gate {
        self.gates[edge.node()]
    }

    /// Whether at most one gate uses this one.
    pub(super) fn is_private(&self, edge: Edge) -> bool {
        self.uses[edge.node()] <= 1
    }

    pub(super) fn input(&mut self) -> Edge {
        self.push(Gate::Input)
    }

    fn push(&mut self, gate: Gate) -> Edge {
        // The blaster refuses terms long before numbers get scarce.
        let edge = Edge((self.gates.len() as u32) << 1);
        self.gates.push(gate);
        self.uses.push(0);
        edge
    }

    fn make(&mut self, gate: Gate) -> Edge {
        if let Some(&edge) = self.known.get(&gate) {
            return edge;
        }
        let edge = self.push(gate);
        self.known.insert(gate, edge);
        let mut used = |input: Edge| self.uses[input.node()] = self.uses[input.node()].saturating_add(1);
        match gate {
            Gate::False | Gate::Input => {}
            Gate::And(a, b) | Gate::Xor(a, b) => [a, b].into_iter().for_each(used),
            Gate::Ite(a, b, c) | Gate::Majority(a, b, c) => [a, b, c].into_iter().for_each(&mut used),
        }
        edge
    }

    /// The inputs of a conjunction, whether or not it is negated here.
    fn conjunction(&self, edge: Edge) -> Option<[Edge; 2]> {
        match self.gate(edge) {
            Gate::And(a, b) => Some([a, b]),
            _ => None,
        }
    }

    pub(super) fn and(&mut self, left: Edge, right: Edge) -> Edge {
        let (mut a, mut b) = (left, right);
        loop {
            if a > b {
                std::mem::swap(&mut a, &mut b);
            }
            if a == b || a == Edge::TRUE {
                return b;
            }
            if a == !b || a == Edge::FALSE {
                return Edge::FALSE;
            }
            match self.looked_into(a, b) {
                Some(Rule::Is(edge)) => return edge,
                Some(Rule::And(c, d)) => (a, b) = (c, d),
                None => return self.make(Gate::And(a, b)),
            }
        }
    }

    /// What the inputs of the inputs say about a conjunction.
    fn looked_into(&self, a: Edge, b: Edge) -> Option<Rule> {
        let (inside_a, inside_b) = (self.conjunction(a), self.conjunction(b));
        if let Some(inside) = inside_b
            && let Some(rule) = one_inside(a, b, inside)
        {
            return Some(rule);
        }
        if let Some(inside) = inside_a
            && let Some(rule) = one_inside(b, a, inside)
        {
            return Some(rule);
        }
        both_inside((a, inside_a?), (b, inside_b?))
    }

    pub(super) fn or(&mut self, left: Edge, right: Edge) -> Edge {
        !self.and(!left, !right)
    }

    pub(super) fn xor(&mut self, left: Edge, right: Edge) -> Edge {
        let negate = left.is_negated() != right.is_negated();
        let (mut a, mut b) = (left.positive(), right.positive());
        if a > b {
            std::mem::swap(&mut a, &mut b);
        }
        if a == b {
            return Edge::constant(negate);
        }
        if a == Edge::FALSE {
            return b ^ negate;
        }
        for (one, other) in [(a, b), (b, a)] {
            match self.gate(other) {
                Gate::Xor(c, d) if c == one => return d ^ negate,
                Gate::Xor(c, d) if d == one => return c ^ negate,
                _ => {}
            }
        }
        self.make(Gate::Xor(a, b)) ^ negate
    }

    pub(super) fn equal(&mut self, left: Edge, right: Edge) -> Edge {
        !self.xor(left, right)
    }

    pub(super) fn ite(&mut self, condition: Edge, then: Edge, els: Edge) -> Edge {
        let (c, mut t, mut e) =
            if condition.is_negated() { (!condition, els, then) } else { (condition, then, els) };
        // Below a choice, the same choice has been made.
        while let Gate::Ite(same, inner, _) = self.gate(t)
            && same == c
        {
            t = inner ^ t.is_negated();
        }
        while let Gate::Ite(same, _, inner) = self.gate(e)
            && same == c
        {
            e = inner ^ e.is_negated();
        }
        if t == e || c == Edge::FALSE {
            return e;
        }
        if t == !e {
            return self.xor(c, e);
        }
        if t == Edge::TRUE || t == c {
            return self.or(c, e);
        }
        if t == Edge::FALSE || t == !c {
            return self.and(!c, e);
        }
        if e == Edge::TRUE || e == !c {
            return self.or(!c, t);
        }
        if e == Edge::FALSE || e == c {
            return self.and(c, t);
        }
        let negate = t.is_negated();
        self.make(Gate::Ite(c, t ^ negate, e ^ negate)) ^ negate
    }

    pub(super) fn majority(&mut self, one: Edge, two: Edge, three: Edge) -> Edge {
        let mut inputs = [one, two, three];
        inputs.sort_unstable();
        let [a, b, c] = inputs;
        match a.as_constant() {
            Some(true) => return self.or(b, c),
            Some(false) => return self.and(b, c),
            None => {}
        }
        // Sorted: a gate and its negation are neighbours.
        if a == b || b == !c {
            return a;
        }
        if b == c || a == !b {
            return c;
        }
        let negate = inputs.iter().filter(|input| input.is_negated()).count() >= 2;
        // Negating all three keeps their order: no two belong to the same gate.
        self.make(Gate::Majority(a ^ negate, b ^ negate, c ^ negate)) ^ negate
    }

    /// A conjunction of many, as a balanced tree.
    pub(super) fn and_all(&mut self, edges: impl IntoIterator<Item = Edge>) -> Edge {
        let mut level: Vec<Edge> = edges.into_iter().collect();
        while level.len() > 1 {
            level = level
                .chunks(2)
                .map(|pair| match *pair {
                    [a, b] => self.and(a, b),
                    _ => pair[0],
                })
                .collect();
        }
        level.first().copied().unwrap_or(Edge::TRUE)
    }

    pub(super) fn or_all(&mut self, edges: impl IntoIterator<Item = Edge>) -> Edge {
        !self.and_all(edges.into_iter().map(|edge| !edge))
    }

    /// The values of all gates, in their order, from values of the inputs.
    pub(super) fn evaluate(&self, input: impl Fn(Edge) -> bool) -> Valuation {
        let mut values = Valuation(Vec::with_capacity(self.gates.len()));
        for (node, gate) in self.gates.iter().enumerate() {
            let at = |edge: Edge| values.of(edge);
            let value = match *gate {
                Gate::False => false,
                Gate::Input => input(Edge((node as u32) << 1)),
                Gate::And(a, b) => at(a) && at(b),
                Gate::Xor(a, b) => at(a) != at(b),
                Gate::Ite(c, t, e) => at(if at(c) { t } else { e }),
                Gate::Majority(a, b, c) => {
                    if at(a) == at(b) {
                        at(a)
                    } else {
                        at(c)
                    }
                }
            };
            values.0.push(value);
        }
        values
    }
}

/// The values of all gates.
#[derive(Debug)]
pub(super) struct Valuation(Vec<bool>);

impl Valuation {
    pub(super) fn of(&self, edge: Edge) -> bool {
        self.0[edge.node()] != edge.is_negated()
    }
}

/// What a conjunction can be replaced by.
enum Rule {
    Is(Edge),
    And(Edge, Edge),
}

/// `a` and `b`, where `b` is a conjunction of `c` and `d`, or the negation of one.
fn one_inside(a: Edge, b: Edge, [c, d]: [Edge; 2]) -> Option<Rule> {
    if !b.is_negated() {
        if a == c || a == d {
            return Some(Rule::Is(b));
        }
        return (a == !c || a == !d).then_some(Rule::Is(Edge::FALSE));
    }
    if a == !c || a == !d {
        return Some(Rule::Is(a));
    }
    if a == c {
        return Some(Rule::And(a, !d));
    }
    (a == d).then_some(Rule::And(a, !c))
}

/// `a` and `b`, both conjunctions or negations of some.
fn both_inside((a, ins_a): (Edge, [Edge; 2]), (b, ins_b): (Edge, [Edge; 2])) -> Option<Rule> {
    let opposite = ins_a.iter().any(|&one| ins_b.contains(&!one));
    match (a.is_negated(), b.is_negated()) {
        (false, false) => opposite.then_some(Rule::Is(Edge::FALSE)),
        (false, true) if opposite => Some(Rule::Is(a)),
        (true, false) if opposite => Some(Rule::Is(b)),
        (false, true) => without_shared(ins_a, ins_b).map(|rest| Rule::And(a, !rest)),
        (true, false) => without_shared(ins_b, ins_a).map(|rest| Rule::And(b, !rest)),
        // Neither x and y nor x and not y: not x.
        (true, true) => {
            let [c, d] = ins_a;
            match ins_b {
                [e, f] if (c == e && d == !f) || (c == f && d == !e) => Some(Rule::Is(!c)),
                [e, f] if (d == e && c == !f) || (d == f && c == !e) => Some(Rule::Is(!d)),
                _ => None,
            }
        }
    }
}

/// The other input of a conjunction whose one input is known to be true.
fn without_shared(known: [Edge; 2], [c, d]: [Edge; 2]) -> Option<Edge> {
    if known.contains(&c) { Some(d) } else { known.contains(&d).then_some(c) }
}

#[cfg(test)]
#[path = "graph_tests.rs"]
mod tests;
