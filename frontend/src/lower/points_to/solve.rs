//! The least sets that satisfy all inclusions.
//!
//! A *node* is a register, a scalar of an object, or a term. Inclusions between nodes are edges: the targets of one are targets of the other, as they are
//! or with an offset. A *dereference* makes edges while its address gets targets: from the scalars there, or to them. All accesses
//! of one width through the same term have one dereference, so there are as many edges as there are pairs of a term and a
//! scalar, and not as many as pairs of an access and a scalar.
//!
//! Nodes on a cycle of plain edges have the same set in the end; they become one node. Nodes are looked at in the order of the edges, so
//! that mostly all that flows into a node is there when it is its turn. Cycles and the order are found anew when as much
//! work was done as that takes.
//!
//! A difference of two addresses is a number. Whether a term that is subtracted is an address is asked when all else is done, because it is not
//! monotone: otherwise `end - start` would point to the object while `start` is not known yet.

use super::places::{Places, Shift};
use super::sets::{Sets, Targets, unpack};
use crate::lower::graph::ObjectId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The number of a node.
pub(super) type Node = u32;

/// An access through a pointer: all loads, or all stores, of a width through a term.
struct Dereference {
    /// What is loaded, or stored.
    value: Node,
    bit: u32,
    width: u32,
    is_load: bool,
    /// The targets of the address whose scalars have their edges.
    done: Targets,
}

/// A sum in which something is subtracted.
pub(super) struct Difference {
    pub value: Node,
    pub added: Vec<(Node, Shift)>,
    pub subtracted: Vec<Node>,
}

/// Inclusions, and the sets so far.
pub(super) struct Solver<'p, 'a> {
    places: &'p Places<'a>,
    pub(super) sets: Sets,
    nodes: Vec<Targets>,
    /// The node that a node has become part of.
    parent: Vec<Node>,
    copies: Vec<Vec<Node>>,
    shifts: Vec<Vec<(Node, u32)>>,
    dereferences: Vec<Vec<u32>>,
    accesses: Vec<Dereference>,
    differences: Vec<Difference>,
    edges: FxHashSet<(Node, Node)>,
    all_shifts: Vec<Shift>,
    shift_numbers: FxHashMap<Shift, u32>,
    shifted: FxHashMap<(u64, u32), u64>,
    /// The first scalar of each object, as a node.
    first_scalar: Vec<Node>,
    /// The scalars that an access may touch: target, bit, width.
    scalars: FxHashMap<(u64, u32, u32), std::rc::Rc<[Node]>>,
    rank: Vec<u32>,
    open: BinaryHeap<Reverse<(u32, Node)>>,
    is_open: Vec<bool>,
    /// Edges that were followed.
    work: usize,
    /// As many of them as there were when the order was found.
    work_before_order: usize,
}

impl<'p, 'a> Solver<'p, 'a> {
    /// Without inclusions: a node for each register, then one for each scalar.
    pub(super) fn new(places: &'p Places<'a>, registers: usize) -> Solver<'p, 'a> {
        let mut first_scalar = Vec::with_capacity(places.count());
        let mut next = registers;
        for object in 0..places.count() {
            first_scalar.push(next as Node);
            next += places.leaves(ObjectId(object as u32)).len();
        }
        let mut solver = Solver {
            places,
            sets: Sets::new(),
            nodes: Vec::new(),
            parent: Vec::new(),
            copies: Vec::new(),
            shifts: Vec::new(),
            dereferences: Vec::new(),
            accesses: Vec::new(),
            differences: Vec::new(),
            edges: FxHashSet::default(),
            all_shifts: Vec::new(),
            shift_numbers: FxHashMap::default(),
            shifted: FxHashMap::default(),
            first_scalar,
            scalars: FxHashMap::default(),
            rank: Vec::new(),
            open: BinaryHeap::new(),
            is_open: Vec::new(),
            work: 0,
            work_before_order: 0,
        };
        (0..next).for_each(|_| {
            solver.node();
        });
        solver
    }

    /// A new node.
    pub(super) fn node(&mut self) -> Node {
        let number = self.nodes.len() as Node;
        self.nodes.push(self.sets.none());
        self.parent.push(number);
        self.copies.push(Vec::new());
        self.shifts.push(Vec::new());
        self.dereferences.push(Vec::new());
        self.rank.push(number);
        self.is_open.push(false);
        number
    }

    /// The node of an object's scalar.
    pub(super) fn scalar(&self, object: ObjectId, leaf: usize) -> Node {
        self.first_scalar[object.index()] + leaf as Node
    }

    /// The scalars that so many bits at an offset touch.
    pub(super) fn scalars_at(&mut self, packed: u64, bit: u32, width: u32) -> std::rc::Rc<[Node]> {
        let (object, offset) = unpack(packed);
        let (places, first) = (self.places, self.first_scalar[object.index()]);
        let found = self.scalars.entry((packed, bit, width)).or_insert_with(|| {
            places.leaves_at(object, offset, bit, width).map(|leaf| first + leaf as Node).collect()
        });
        found.clone()
    }

    /// The node has these targets, and maybe more.
    pub(super) fn add(&mut self, node: Node, targets: Targets) {
        let targets = self.sets.shared(targets);
        self.grow(node, &targets);
    }

    /// What is in one node is in the other.
    pub(super) fn copy(&mut self, from: Node, to: Node) {
        let (from, to) = (self.find(from), self.find(to));
        if from != to && self.edges.insert((from, to)) {
            self.copies[from as usize].push(to);
            let set = self.nodes[from as usize].clone();
            self.grow(to, &set);
        }
    }

    /// What is in one node is, moved, in the other.
    pub(super) fn shift(&mut self, from: Node, to: Node, shift: Shift) {
        let next = self.all_shifts.len() as u32;
        let all = &mut self.all_shifts;
        let number = *self.shift_numbers.entry(shift).or_insert_with_key(|shift| {
            all.push(shift.clone());
            next
        });
        let from = self.find(from);
        self.shifts[from as usize].push((to, number));
        self.reopen(from);
    }

    /// Values are loaded from where an address points to, or stored there.
    pub(super) fn dereference(
        &mut self,
        address: Node,
        value: Node,
        (bit, width): (u32, u32),
        is_load: bool,
    ) {
        let done = self.sets.none();
        self.accesses.push(Dereference { value, bit, width, is_load, done });
        let address = self.find(address);
        self.dereferences[address as usize].push(self.accesses.len() as u32 - 1);
        self.reopen(address);
    }

    pub(super) fn difference(&mut self, difference: Difference) {
        self.differences.push(difference);
    }

    /// The node that stands for a node.
    fn find(&mut self, node: Node) -> Node {
        let mut at = node;
        while self.parent[at as usize] != at {
            let above = self.parent[self.parent[at as usize] as usize];
            self.parent[at as usize] = above;
            at = above;
        }
        at
    }

    /// The targets of a node.
    pub(super) fn targets(&mut self, node: Node) -> Targets {
        let node = self.find(node);
        self.nodes[node as usize].clone()
    }

    fn grow(&mut self, node: Node, more: &Targets) {
        let node = self.find(node);
        let known = &self.nodes[node as usize];
        let all = self.sets.union(known, more);
        if !Sets::same(&all, known) && all != *known {
            self.nodes[node as usize] = all;
            self.reopen(node);
        }
    }

    fn reopen(&mut self, node: Node) {
        if !std::mem::replace(&mut self.is_open[node as usize], true) {
            self.open.push(Reverse((self.rank[node as usize], node)));
        }
    }

    /// To the fixed point.
    pub(super) fn solve(&mut self) {
        self.collapse();
        loop {
            while let Some(Reverse((_, node))) = self.open.pop() {
                if std::mem::replace(&mut self.is_open[node as usize], false)
                    && self.parent[node as usize] == node
                {
                    self.follow(node);
                    if self.work - self.work_before_order > self.nodes.len() + self.edges.len() {
                        self.collapse();
                    }
                }
            }
            self.subtract();
            if self.open.is_empty() {
                return;
            }
        }
    }

    /// What is new at a node is passed on.
    fn follow(&mut self, node: Node) {
        let set = self.nodes[node as usize].clone();
        if set.is_empty() {
            return;
        }
        self.work += 1 + self.copies[node as usize].len() + self.shifts[node as usize].len();
        for index in 0..self.copies[node as usize].len() {
            self.grow(self.copies[node as usize][index], &set);
        }
        for index in 0..self.shifts[node as usize].len() {
            let (to, shift) = self.shifts[node as usize][index];
            let moved = self.moved(&set, shift);
            self.add(to, moved);
        }
        for index in 0..self.dereferences[node as usize].len() {
            self.access(self.dereferences[node as usize][index], &set);
        }
    }

    fn moved(&mut self, set: &Targets, shift: u32) -> Targets {
        let (places, shifts, known) = (self.places, &self.all_shifts, &mut self.shifted);
        let moved = |packed: &u64| {
            *known.entry((*packed, shift)).or_insert_with(|| places.shifted(*packed, &shifts[shift as usize]))
        };
        set.packed().iter().map(moved).collect()
    }

    /// Edges for the new targets of an address.
    fn access(&mut self, number: u32, set: &Targets) {
        let Dereference { value, bit, width, is_load, .. } = self.accesses[number as usize];
        let done = std::mem::replace(&mut self.accesses[number as usize].done, set.clone());
        for packed in set.without(&done) {
            let scalars = self.scalars_at(packed, bit, width);
            self.work += scalars.len();
            for scalar in scalars.iter() {
                if is_load { self.copy(*scalar, value) } else { self.copy(value, *scalar) }
            }
        }
    }

    /// The value of a sum is an address if more addresses are added than subtracted. All sums see the same sets.
    fn subtract(&mut self) {
        let differences = std::mem::take(&mut self.differences);
        let mut found = Vec::new();
        for difference in &differences {
            let is_address = |node: &&Node| !self.targets(**node).is_empty();
            let count = difference.subtracted.iter().filter(is_address).count();
            let mut addresses = Vec::new();
            for (node, shift) in &difference.added {
                let set = self.targets(*node);
                if !set.is_empty() {
                    addresses.push((set, if count == 0 { shift.clone() } else { Shift::Any }));
                }
            }
            if addresses.len() > count {
                found.extend(addresses.into_iter().map(|address| (difference.value, address)));
            }
        }
        self.differences = differences;
        for (value, (set, shift)) in found {
            let places = self.places;
            let moved: Targets = set.packed().iter().map(|packed| places.shifted(*packed, &shift)).collect();
            self.add(value, moved);
        }
    }

    /// How many edges were followed.
    #[cfg(test)]
    pub(super) fn steps(&self) -> usize {
        self.work
    }
}

/// Cycles and the order.
impl Solver<'_, '_> {
    fn collapse(&mut self) {
        self.work_before_order = self.work;
        for node in 0..self.nodes.len() {
            self.tidy(node as Node);
        }
        for cycle in cycles(&self.copies) {
            self.merge(&cycle);
        }
        let order = postorder(&self.copies, &self.shifts);
        for (number, node) in order.iter().rev().enumerate() {
            self.rank[*node as usize] = number as u32;
        }
        let open: Vec<Node> = self.open.drain().map(|Reverse((_, node))| node).collect();
        for node in open {
            let node = self.find(node);
            self.is_open[node as usize] = true;
            self.open.push(Reverse((self.rank[node as usize], node)));
        }
    }

    /// Edges go to nodes that stand for others, each once.
    fn tidy(&mut self, node: Node) {
        let mut copies = std::mem::take(&mut self.copies[node as usize]);
        copies.iter_mut().for_each(|to| *to = self.find(*to));
        copies.sort_unstable();
        copies.dedup();
        copies.retain(|to| *to != node);
        self.copies[node as usize] = copies;
        let mut shifts = std::mem::take(&mut self.shifts[node as usize]);
        shifts.iter_mut().for_each(|(to, _)| *to = self.find(*to));
        shifts.sort_unstable();
        shifts.dedup();
        self.shifts[node as usize] = shifts;
    }

    /// Nodes on a cycle become its first one.
    fn merge(&mut self, cycle: &[Node]) {
        let Some((&first, rest)) = cycle.split_first() else { return };
        for &node in rest {
            self.parent[node as usize] = first;
            let copies = std::mem::take(&mut self.copies[node as usize]);
            self.copies[first as usize].extend(copies);
            let shifts = std::mem::take(&mut self.shifts[node as usize]);
            self.shifts[first as usize].extend(shifts);
            let dereferences = std::mem::take(&mut self.dereferences[node as usize]);
            self.dereferences[first as usize].extend(dereferences);
            let set = std::mem::replace(&mut self.nodes[node as usize], Targets::none());
            self.grow(first, &set);
        }
        self.tidy(first);
        self.reopen(first);
    }
}

/// The strongly connected components with several nodes, by Tarjan's algorithm without recursion.
fn cycles(edges: &[Vec<Node>]) -> Vec<Vec<Node>> {
    const NEW: u32 = u32::MAX;
    let mut index = vec![NEW; edges.len()];
    let mut low = vec![0u32; edges.len()];
    let mut is_on_path = vec![false; edges.len()];
    let (mut path, mut calls, mut found) = (Vec::new(), Vec::new(), Vec::new());
    let mut next = 0;
    for start in 0..edges.len() as Node {
        if index[start as usize] != NEW || edges[start as usize].is_empty() {
            continue;
        }
        calls.push((start, 0));
        while let Some((node, edge)) = calls.pop() {
            let at = node as usize;
            if edge == 0 {
                (index[at], low[at]) = (next, next);
                next += 1;
                path.push(node);
                is_on_path[at] = true;
            } else {
                let child = edges[at][edge - 1] as usize;
                if is_on_path[child] {
                    low[at] = low[at].min(low[child]);
                }
            }
            if let Some(&to) = edges[at].get(edge) {
                calls.push((node, edge + 1));
                if index[to as usize] == NEW {
                    calls.push((to, 0));
                }
                continue;
            }
            if low[at] == index[at] {
                let first = path.iter().rposition(|on_path| *on_path == node).unwrap_or(0);
                let component = path.split_off(first);
                component.iter().for_each(|member| is_on_path[*member as usize] = false);
                if component.len() > 1 {
                    found.push(component);
                }
            }
        }
    }
    found
}

/// Nodes behind their successors, as far as edges are no cycle.
fn postorder(copies: &[Vec<Node>], shifts: &[Vec<(Node, u32)>]) -> Vec<Node> {
    let mut order = Vec::with_capacity(copies.len());
    let mut seen = vec![false; copies.len()];
    let mut calls: Vec<(Node, usize)> = Vec::new();
    for start in 0..copies.len() as Node {
        if std::mem::replace(&mut seen[start as usize], true) {
            continue;
        }
        calls.push((start, 0));
        while let Some((node, edge)) = calls.pop() {
            let (plain, moved) = (&copies[node as usize], &shifts[node as usize]);
            let to = plain.get(edge).copied().or_else(|| Some(moved.get(edge - plain.len())?.0));
            let Some(to) = to else {
                order.push(node);
                continue;
            };
            calls.push((node, edge + 1));
            if !std::mem::replace(&mut seen[to as usize], true) {
                calls.push((to, 0));
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_and_order() {
        let edges = vec![vec![1], vec![2, 4], vec![1, 3], vec![], vec![5], vec![6], vec![4], vec![0]];
        let mut found = cycles(&edges);
        found.iter_mut().for_each(|cycle| cycle.sort_unstable());
        assert_eq!(found, [vec![4, 5, 6], vec![1, 2]]);
        let order = postorder(&[vec![1], vec![], vec![0]], &[vec![], vec![(2, 0)], vec![]]);
        assert_eq!(order.len(), 3);
        assert_eq!(postorder(&[vec![], vec![0], vec![1]], &[vec![], vec![], vec![]]), [0, 1, 2]);
    }
}
