//! The set X that a proof stands for, and the question whether a state is in it.
//!
//! X holds everything above one of the elements and everything that violates one of the invariants. Both
//! parts are closed upward: the first by definition, the second because weights of threads are not negative.

use crate::proof::{Invariant, Proof};
use crate::system::{Local, Shared, State};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

/// X, ready to be asked.
pub(super) struct Members {
    elements: Elements,
    pub(super) invariants: Vec<Weights>,
}

impl Members {
    pub(super) fn new(proof: &Proof) -> Self {
        Self {
            elements: Elements::new(&proof.elements),
            invariants: proof.invariants.iter().map(Weights::new).collect(),
        }
    }

    /// True when the state is in X. `threads` are (local state, count) pairs, ascending.
    pub(super) fn contain(&self, shared: Shared, threads: &[(Local, u32)]) -> bool {
        self.elements.below(shared, threads)
            || self.invariants.iter().any(|weights| weights.violated_by(shared, threads))
    }
}

/// The elements as one tree per shared state. A path from the root spells the (local state, count) pairs of
/// an element in ascending order; a node stands for the multiset spelled so far.
struct Elements {
    roots: FxHashMap<Shared, usize>,
    nodes: Vec<Node>,
}

#[derive(Default)]
struct Node {
    is_element: bool,
    /// Local state, count and the node they lead to, ascending.
    children: Vec<(Local, u32, usize)>,
}

impl Elements {
    fn new(elements: &[State]) -> Self {
        let mut sorted: Vec<&State> = elements.iter().collect();
        sorted.sort_unstable();
        let mut tree = Self { roots: FxHashMap::default(), nodes: Vec::new() };
        for element in sorted {
            tree.insert(element);
        }
        tree
    }

    /// Adds an element that is not smaller than those before it, so that new children always come last.
    fn insert(&mut self, element: &State) {
        let fresh = self.nodes.len();
        let mut node = *self.roots.entry(element.shared).or_insert(fresh);
        if node == fresh {
            self.nodes.push(Node::default());
        }
        for &(local, count) in element.threads.pairs() {
            node = match self.nodes[node].children.last() {
                Some(&(l, c, child)) if (l, c) == (local, count) => child,
                _ => {
                    let child = self.nodes.len();
                    self.nodes.push(Node::default());
                    self.nodes[node].children.push((local, count, child));
                    child
                }
            };
        }
        self.nodes[node].is_element = true;
    }

    /// True when some element lies below the state: visits exactly the nodes whose multiset does.
    fn below(&self, shared: Shared, threads: &[(Local, u32)]) -> bool {
        let Some(&root) = self.roots.get(&shared) else { return false };
        let mut open: SmallVec<[_; 8]> = smallvec![(root, threads)];
        while let Some((node, rest)) = open.pop() {
            let node = &self.nodes[node];
            if node.is_element {
                return true;
            }
            let mut children = &node.children[..];
            for (at, &(local, count)) in rest.iter().enumerate() {
                children = &children[children.partition_point(|child| child.0 < local)..];
                if children.is_empty() {
                    break;
                }
                let fitting = children.iter().take_while(|child| child.0 == local && child.1 <= count);
                open.extend(fitting.map(|child| (child.2, &rest[at + 1..])));
            }
        }
        false
    }
}

/// An invariant with fast access to the weights. Sums are exact: 2^32 local states with counts and weights
/// below 2^32 stay below 2^96.
pub(super) struct Weights {
    shared: FxHashMap<Shared, i64>,
    locals: FxHashMap<Local, u32>,
    pub(super) bound: i128,
}

impl Weights {
    fn new(invariant: &Invariant) -> Self {
        Self {
            shared: invariant.shared.iter().copied().collect(),
            locals: invariant.locals.iter().copied().collect(),
            bound: invariant.bound.into(),
        }
    }

    /// The weight of one thread in `local`.
    pub(super) fn of_local(&self, local: Local) -> u32 {
        self.locals.get(&local).copied().unwrap_or(0)
    }

    /// The weight of a state; `None` if the invariant does not speak of its shared part.
    pub(super) fn of(&self, shared: Shared, threads: &[(Local, u32)]) -> Option<i128> {
        let shared = i128::from(*self.shared.get(&shared)?);
        let one = |&(local, count): &(Local, u32)| i128::from(count) * i128::from(self.of_local(local));
        Some(shared + threads.iter().map(one).sum::<i128>())
    }

    fn violated_by(&self, shared: Shared, threads: &[(Local, u32)]) -> bool {
        self.of(shared, threads).is_some_and(|weight| weight > self.bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::InitialStates;
    use proptest::prelude::*;

    fn states(number: std::ops::Range<usize>) -> impl Strategy<Value = Vec<State>> {
        let state = (0..2u32, prop::collection::vec(0..4u32, 0..6)).prop_map(|(s, l)| State::new(s, l));
        prop::collection::vec(state, number)
    }

    proptest! {
        #[test]
        fn the_tree_agrees_with_the_covering_order(elements in states(0..8), asked in states(1..8)) {
            let init = InitialStates::new(0, [], vec![]);
            let proof = Proof { init, targets: vec![], elements: elements.clone(), invariants: vec![] };
            let members = Members::new(&proof);
            for state in asked {
                let expected = elements.iter().any(|e| e.covered_by(&state));
                prop_assert_eq!(members.contain(state.shared, state.threads.pairs()), expected, "{}", state);
            }
        }
    }

    #[test]
    fn weights_do_not_overflow() {
        let max = Invariant { shared: vec![(0, i64::MAX)], locals: vec![(0, u32::MAX)], bound: i64::MAX };
        let weights = Weights::new(&max);
        assert!(!weights.violated_by(0, &[]));
        assert!(weights.violated_by(0, &[(0, u32::MAX)]));
        assert!(!weights.violated_by(0, &[(1, u32::MAX)]), "local states that are not listed weigh nothing");
        assert!(!weights.violated_by(1, &[(0, u32::MAX)]), "shared states that are not listed are free");
    }
}
