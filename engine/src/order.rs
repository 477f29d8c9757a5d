//! A weak topological order of a control-flow graph: F. Bourdoncle, "Efficient chaotic iteration strategies with widenings", 1993.
//!
//! The graph is a sequence of locations and components, where a component is a head followed by such a sequence. Every edge
//! leads forward in the sequence, or back to the head of a component that it starts in; so every cycle passes the head of the
//! innermost component around it. Counting how often heads are passed makes an acyclic graph of any graph, irreducible ones included.
//!
//! Computed by strongly connected components: without the edges into its head, a component falls apart into smaller ones.

use frontend::program::{LocationId, Program};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxHashMap, FxHashSet};

/// Where a location is in the order.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Place {
    /// The heads of the components around it, the outermost first; a head is in its own component.
    pub heads: Vec<LocationId>,
    /// Its position in the sequence on each level; one more than there are heads.
    positions: Vec<u32>,
}

/// The order of what is reachable from one location.
#[derive(Clone, Debug)]
pub struct Order {
    places: FxHashMap<LocationId, Place>,
    /// The heads of components from which an edge leads to a location outside that is no end.
    left: FxHashSet<LocationId>,
}

/// How often the heads around a location were passed, the outermost first.
pub type Counts = Vec<u32>;

/// Sorts copies of locations in a topological order.
pub type Key = Vec<u32>;

impl Order {
    /// The order of what is reachable from `start`.
    pub fn new(program: &Program, edges_from: &[Vec<frontend::program::EdgeId>], start: LocationId) -> Order {
        let mut numbers: FxHashMap<LocationId, usize> = FxHashMap::default();
        let mut reached: Vec<LocationId> = Vec::new();
        let mut open = vec![start];
        while let Some(location) = open.pop() {
            if numbers.contains_key(&location) {
                continue;
            }
            numbers.insert(location, reached.len());
            reached.push(location);
            // The first edge is followed first.
            open.extend(edges_from[location.index()].iter().rev().map(|&edge| program.edge(edge).to));
        }
        let successors: Vec<Vec<usize>> = reached
            .iter()
            .map(|location| {
                let edges = edges_from[location.index()].iter();
                edges.map(|&edge| numbers[&program.edge(edge).to]).collect()
            })
            .collect();
        let mut places = vec![Place::default(); reached.len()];
        let all: Vec<usize> = (0..reached.len()).collect();
        arrange(&successors, &reached, &all, None, &Place::default(), &mut places);
        let places: FxHashMap<LocationId, Place> = reached.into_iter().zip(places).collect();
        let mut left = FxHashSet::default();
        for (from, place) in &places {
            for to in edges_from[from.index()].iter().map(|&edge| program.edge(edge).to) {
                if !edges_from[to.index()].is_empty() {
                    let there = &places[&to].heads;
                    left.extend(place.heads.iter().filter(|head| !there.contains(head)));
                }
            }
        }
        Order { places, left }
    }

    /// Whether a component is left for more than an end: such as an error, behind which nothing happens.
    pub fn is_left(&self, head: LocationId) -> bool {
        self.left.contains(&head)
    }

    /// Where a location is; nothing if it was not reachable.
    pub fn place(&self, location: LocationId) -> Option<&Place> {
        self.places.get(&location)
    }

    /// The counts after an edge, and the level whose head was passed again, if one was.
    pub fn follow(&self, from: LocationId, counts: &Counts, to: LocationId) -> (Counts, Option<usize>) {
        let (Some(here), Some(there)) = (self.place(from), self.place(to)) else { return Default::default() };
        let common = here.heads.iter().zip(&there.heads).take_while(|(one, other)| one == other).count();
        let mut next: Counts = counts[..common].to_vec();
        if there.heads.last() == Some(&to) && there.heads.len() <= common {
            next.truncate(there.heads.len());
            let level = there.heads.len() - 1;
            next[level] += 1;
            return (next, Some(level));
        }
        next.resize(there.heads.len(), 0);
        (next, None)
    }

    /// Copies of locations with smaller keys come first: no edge leads from a larger one to a smaller one.
    pub fn key(&self, location: LocationId, counts: &Counts) -> Key {
        let Some(place) = self.place(location) else { return Key::new() };
        let mut key = Key::with_capacity(place.positions.len() + counts.len());
        for (level, position) in place.positions.iter().enumerate() {
            key.push(*position);
            key.extend(counts.get(level));
        }
        key
    }
}

/// Gives places to some locations of one level; edges into `head` do not count.
fn arrange(
    successors: &[Vec<usize>],
    names: &[LocationId],
    members: &[usize],
    head: Option<usize>,
    outer: &Place,
    places: &mut [Place],
) {
    let mut graph: DiGraph<usize, ()> = DiGraph::with_capacity(members.len(), members.len());
    let mut index: FxHashMap<usize, NodeIndex> = FxHashMap::default();
    for &member in members {
        index.insert(member, graph.add_node(member));
    }
    for &member in members {
        for to in successors[member].iter().filter(|to| Some(**to) != head) {
            if let Some(&to) = index.get(to) {
                graph.add_edge(index[&member], to, ());
            }
        }
    }
    // Kosaraju's algorithm has them in reverse topological order.
    let mut components = kosaraju_scc(&graph);
    components.reverse();
    // The head itself comes first: nothing here leads to it.
    components.sort_by_key(|component| !component.iter().any(|node| Some(graph[*node]) == head));
    for (position, component) in components.into_iter().enumerate() {
        let mut place = outer.clone();
        place.positions.push(position as u32);
        let inner: Vec<usize> = component.iter().map(|node| graph[*node]).collect();
        let is_loop = inner.len() > 1 || (successors[inner[0]].contains(&inner[0]) && Some(inner[0]) != head);
        if !is_loop {
            places[inner[0]] = place;
            continue;
        }
        // Numbers are given in the order of a search: the smallest is where the component is entered, if there is one place.
        let first = inner.iter().copied().min().unwrap_or(inner[0]);
        place.heads.push(names[first]);
        arrange(successors, names, &inner, Some(first), &place, places);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frontend::program::text::read;

    fn program(edges: &[(u32, u32)]) -> Program {
        let last = edges.iter().flat_map(|(from, to)| [*from, *to]).max().unwrap_or(0);
        let mut text = String::from("program 1\n");
        for location in 0..=last {
            text.push_str(&format!("location {location}\n"));
        }
        text.push_str("main 0\n");
        for (number, (from, to)) in edges.iter().enumerate() {
            text.push_str(&format!("edge {number}: {from} -> {to}\n"));
        }
        read(&text).unwrap()
    }

    fn heads(order: &Order, location: u32) -> Vec<u32> {
        order.place(LocationId(location)).unwrap().heads.iter().map(|head| head.0).collect()
    }

    #[test]
    fn nested_loops_have_nested_heads() {
        let program = program(&[(0, 1), (1, 2), (2, 2), (2, 1), (1, 3)]);
        let order = Order::new(&program, &program.edges_from(), program.main);
        assert_eq!(heads(&order, 0), [0u32; 0]);
        assert_eq!(heads(&order, 1), [1]);
        assert_eq!(heads(&order, 2), [1, 2]);
        assert_eq!(heads(&order, 3), [0u32; 0]);
        let at = |location, counts: &[u32]| order.key(LocationId(location), &counts.to_vec());
        assert!(at(0, &[]) < at(1, &[0]) && at(1, &[0]) < at(2, &[0, 0]) && at(2, &[0, 0]) < at(2, &[0, 1]));
        assert!(at(2, &[0, 7]) < at(1, &[1]) && at(1, &[1]) < at(3, &[]));
    }

    #[test]
    fn every_edge_leads_to_a_larger_key() {
        // Irreducible: the cycle 1, 2 is entered at both; and a loop around everything.
        let program = program(&[(0, 1), (0, 2), (1, 2), (2, 1), (2, 3), (3, 0), (3, 3), (3, 4)]);
        let order = Order::new(&program, &program.edges_from(), program.main);
        let mut open = vec![(program.main, vec![0; order.place(program.main).unwrap().heads.len()])];
        let mut seen = std::collections::BTreeSet::new();
        while let Some((location, counts)) = open.pop() {
            if counts.iter().any(|count| *count > 3) || !seen.insert((location, counts.clone())) {
                continue;
            }
            for edge in program.edges.iter().filter(|edge| edge.from == location) {
                let (next, _) = order.follow(location, &counts, edge.to);
                assert!(order.key(location, &counts) < order.key(edge.to, &next), "{location:?} {counts:?}");
                open.push((edge.to, next));
            }
        }
        assert!(seen.len() > 50, "{}", seen.len());
    }
}
