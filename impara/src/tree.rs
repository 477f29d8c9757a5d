//! The abstract reachability tree: nodes with locations and labels, and which nodes cover which. Definition 3.1 of the paper.
//!
//! A node is *live* if neither it nor a node above it is covered or labelled false. Only live nodes cover others. When a node is covered or gets the label false, nodes
//! below it cover nothing any more, and whatever they covered has to be looked at again.

use crate::explain::{Guard, Values};
use crate::system::{Step, System, Transition};
use frontend::program::LocationId;
use rustc_hash::FxHashMap;
use smt::Term;
use std::rc::Rc;

/// The number of a node.
pub(crate) type NodeId = usize;

/// A node.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// Where it comes from.
    pub(crate) parent: Option<NodeId>,
    /// By which step.
    pub(crate) step: Option<Step>,
    /// What that step does.
    pub(crate) transition: Option<Rc<Transition>>,
    /// Where each thread is.
    pub(crate) locations: Rc<[LocationId]>,
    /// What holds here, all of it.
    pub(crate) label: Vec<Term>,
    /// The number of steps from the root.
    pub(crate) depth: usize,
    /// How often the thread changed on the way.
    pub(crate) switches: usize,
    /// What was expanded.
    pub(crate) children: Vec<(Step, NodeId)>,
    /// Who covers it.
    pub(crate) cover: Option<NodeId>,
    /// Whom it covers.
    pub(crate) covers: Vec<NodeId>,
    /// Nodes below that wait for it to be uncovered.
    pub(crate) parked: Vec<NodeId>,
    /// Steps that have to be expanded here, once known.
    pub(crate) plan: Option<Rc<Vec<Step>>>,
    /// The thread that goes first here while all others wait.
    pub(crate) alone: Option<usize>,
    /// The guard of the step in the values of the root.
    pub(crate) guard: Rc<Guard>,
    /// Values here in those of the root.
    pub(crate) values: Rc<Values>,
    /// Some guard on the way is false on sight.
    pub(crate) is_infeasible: bool,
    /// Whether a cover made it.
    pub(crate) by_cover: bool,
    /// A run gets here and violates something, but it is not known to be real.
    pub(crate) is_doubtful: bool,
}

impl Node {
    /// Whether no state gets here.
    pub(crate) fn is_false(&self) -> bool {
        // Nothing stands beside it (`Search::strengthen`).
        self.label.first().is_some_and(|part| part.is_false())
    }
}

/// Why a node is not live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Life {
    /// It is.
    Live,
    /// This node, itself or above it, is covered.
    Covered(NodeId),
    /// No state gets here.
    Dead,
}

/// The tree.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    /// All nodes; a number is an index, parents before children.
    pub(crate) nodes: Vec<Node>,
    at: FxHashMap<Rc<[LocationId]>, Vec<NodeId>>,
    transitions: FxHashMap<(Step, usize), Rc<Transition>>,
}

impl Tree {
    /// The tree of a root.
    pub(crate) fn new(system: &System<'_>) -> Tree {
        let mut tree = Tree::default();
        let label = system.initial();
        let values = Rc::new(Values::known(&label));
        let locations: Rc<[LocationId]> = Rc::from([system.program.main]);
        tree.add(Node {
            parent: None,
            step: None,
            transition: None,
            locations,
            label,
            depth: 0,
            switches: 0,
            children: Vec::new(),
            cover: None,
            covers: Vec::new(),
            parked: Vec::new(),
            plan: None,
            alone: None,
            guard: Rc::default(),
            values,
            is_infeasible: false,
            by_cover: false,
            is_doubtful: false,
        });
        tree
    }

    fn add(&mut self, node: Node) -> NodeId {
        let id = self.nodes.len();
        self.at.entry(Rc::clone(&node.locations)).or_default().push(id);
        self.nodes.push(node);
        id
    }

    /// What a step does among so many threads.
    pub(crate) fn transition(&mut self, system: &System<'_>, step: &Step, threads: usize) -> Rc<Transition> {
        let known = self.transitions.entry((step.clone(), threads));
        Rc::clone(known.or_insert_with(|| Rc::new(system.transition(step, threads))))
    }

    /// A new node for a step.
    pub(crate) fn child(
        &mut self,
        system: &System<'_>,
        parent: NodeId,
        step: &Step,
        by_cover: bool,
    ) -> NodeId {
        let threads = self.nodes[parent].locations.len();
        let transition = self.transition(system, step, threads);
        let above = &self.nodes[parent];
        let locations: Rc<[LocationId]> = system.after(&above.locations, step).into();
        let locations = self.at.get_key_value(&locations).map_or(locations, |(known, _)| Rc::clone(known));
        let mut values = (*above.values).clone();
        let guard = values.step(&transition, above.depth);
        let is_switch = above.step.as_ref().is_some_and(|last| last.thread != step.thread);
        let node = Node {
            parent: Some(parent),
            step: Some(step.clone()),
            transition: Some(transition),
            locations,
            label: Vec::new(),
            depth: above.depth + 1,
            switches: above.switches + usize::from(is_switch),
            children: Vec::new(),
            cover: None,
            covers: Vec::new(),
            parked: Vec::new(),
            plan: None,
            alone: None,
            is_infeasible: above.is_infeasible || guard.iter().any(|(_, part)| part.is_false()),
            guard: Rc::new(guard),
            values: Rc::new(values),
            by_cover,
            is_doubtful: false,
        };
        let id = self.add(node);
        self.nodes[parent].children.push((step.clone(), id));
        id
    }

    /// Whether a node is live, and otherwise why not; what is nearest to the root counts.
    pub(crate) fn life(&self, node: NodeId) -> Life {
        let mut life = Life::Live;
        let mut here = Some(node);
        while let Some(id) = here {
            let node = &self.nodes[id];
            if node.is_false() {
                return Life::Dead;
            }
            if node.cover.is_some() {
                life = Life::Covered(id);
            }
            here = node.parent;
        }
        life
    }

    /// Older nodes with the same locations, the latest first. Whether they are live is for the caller to ask, who has cheaper questions.
    pub(crate) fn older(&self, node: NodeId) -> Vec<NodeId> {
        let same = self.at.get(&self.nodes[node].locations).into_iter().flatten().copied();
        let is_candidate = |other: &NodeId| {
            let older = &self.nodes[*other];
            *other < node && !older.is_doubtful && older.cover.is_none() && !older.is_false()
        };
        same.filter(is_candidate).rev().collect()
    }

    /// The nodes from below one node to another.
    pub(crate) fn path(&self, from: NodeId, to: NodeId) -> Vec<NodeId> {
        let mut path = Vec::new();
        let mut here = to;
        while here != from {
            path.push(here);
            let Some(parent) = self.nodes[here].parent else { break };
            here = parent;
        }
        path.reverse();
        path
    }

    /// The nearest node above both.
    pub(crate) fn common(&self, one: NodeId, other: NodeId) -> NodeId {
        let (mut one, mut other) = (one, other);
        while one != other {
            // Parents have smaller numbers.
            let higher = if one > other { &mut one } else { &mut other };
            *higher = self.nodes[*higher].parent.unwrap_or(0);
        }
        one
    }

    /// A node is covered by another. Returns nodes that are not covered any more.
    pub(crate) fn cover(&mut self, node: NodeId, by: NodeId) -> Vec<NodeId> {
        self.nodes[node].cover = Some(by);
        self.nodes[by].covers.push(node);
        self.forget_below(node)
    }

    /// Nothing at or below a node covers anything any more. Returns what was covered.
    pub(crate) fn forget_below(&mut self, node: NodeId) -> Vec<NodeId> {
        let mut freed = Vec::new();
        let mut open = vec![node];
        while let Some(id) = open.pop() {
            for covered in std::mem::take(&mut self.nodes[id].covers) {
                freed.extend(self.free(covered));
            }
            open.extend(self.nodes[id].children.iter().map(|(_, child)| *child));
        }
        freed
    }

    /// A node is not covered any more. Returns what is to be looked at again: the node and those below that waited for it.
    pub(crate) fn free(&mut self, node: NodeId) -> Vec<NodeId> {
        self.nodes[node].cover = None;
        let mut again = std::mem::take(&mut self.nodes[node].parked);
        again.push(node);
        again
    }
}
