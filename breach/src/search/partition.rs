//! The partitioned graph of algorithm 3, and algorithm 2: backtracking.
//!
//! Vertices are states, edges lead from a cover predecessor to the state it came from. Each vertex belongs to
//! the partition of a *candidate*, its root zeta(v): the attempt to prove that candidate uncoverable.
//! When candidates turn out coverable, their partitions are removed, except for what other partitions have
//! come to rely on.

use crate::antichain::{States, UpwardClosed};
use crate::system::{Local, Shared, included};
use rustc_hash::FxHashMap;

/// The sets U, E and the function zeta.
#[derive(Default)]
pub(super) struct Partitions {
    pub(super) states: States,
    alive: Vec<bool>,
    root: Vec<u32>,
    /// Edges into a vertex: its cover predecessors and the steps.
    before: Vec<Vec<(u32, u32)>>,
    /// Edges out of a vertex.
    after: Vec<Vec<(u32, u32)>>,
    by_state: FxHashMap<(Shared, Vec<(Local, u32)>), u32>,
    by_shared: FxHashMap<Shared, Vec<u32>>,
    /// All vertices that are alive, for the question which are minimal.
    pub(super) above: UpwardClosed,
    /// For each root, what its partition has reached; rebuilt when zeta changes.
    reached: FxHashMap<u32, UpwardClosed>,
    /// Vertices that changed their partition. Cover predecessors of theirs may have been left out because of
    /// vertices of the old one, so they must be expanded again.
    moved: Vec<u32>,
}

impl Partitions {
    pub(super) fn is_alive(&self, v: u32) -> bool {
        self.alive[v as usize]
    }

    pub(super) fn is_root(&self, v: u32) -> bool {
        self.root[v as usize] == v
    }

    /// zeta(v).
    pub(super) fn root(&self, v: u32) -> u32 {
        self.root[v as usize]
    }

    pub(super) fn before(&self, v: u32) -> &[(u32, u32)] {
        &self.before[v as usize]
    }

    pub(super) fn after(&self, v: u32) -> &[(u32, u32)] {
        &self.after[v as usize]
    }

    pub(super) fn find(&self, s: Shared, threads: &[(Local, u32)]) -> Option<u32> {
        self.by_state.get(&(s, threads.to_vec())).copied()
    }

    /// Adds a vertex to the partition of `root`, or as a candidate of its own.
    pub(super) fn add(&mut self, s: Shared, threads: &[(Local, u32)], root: Option<u32>) -> u32 {
        let v = self.states.push(s, threads);
        self.alive.push(true);
        self.root.push(root.unwrap_or(v));
        self.before.push(Vec::new());
        self.after.push(Vec::new());
        self.by_state.insert((s, threads.to_vec()), v);
        self.by_shared.entry(s).or_default().push(v);
        self.above.insert(&self.states, v);
        v
    }

    /// Adds the edge from `before` to `after`.
    pub(super) fn connect(&mut self, before: u32, after: u32, step: u32) {
        self.before[after as usize].push((before, step));
        self.after[before as usize].push((after, step));
        if let Some(reached) = self.reached.get_mut(&self.root[after as usize]) {
            reached.insert(&self.states, before);
        }
    }

    /// Definition 30: the state covers neither the root nor any predecessor of a vertex in its partition.
    pub(super) fn is_minimal_in(&mut self, root: u32, s: Shared, threads: &[(Local, u32)]) -> bool {
        if !self.reached.contains_key(&root) {
            let reached = self.rebuild(root);
            self.reached.insert(root, reached);
        }
        // Filled just above.
        self.reached
            .get_mut(&root)
            .is_none_or(|reached| reached.find_below(&self.states, s, threads, None).is_none())
    }

    fn rebuild(&self, root: u32) -> UpwardClosed {
        let mut reached = UpwardClosed::default();
        let mut seen = rustc_hash::FxHashSet::default();
        let members = self.vertices().filter(|&v| self.root[v as usize] == root);
        let predecessors = members.flat_map(|v| self.before[v as usize].iter().map(|e| e.0));
        for v in [root].into_iter().chain(predecessors) {
            if seen.insert(v) {
                reached.insert(&self.states, v);
            }
        }
        reached
    }

    /// All vertices.
    pub(super) fn vertices(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.alive.len() as u32).filter(|&v| self.alive[v as usize])
    }

    /// True if no vertex is strictly below.
    pub(super) fn is_minimal(&mut self, v: u32) -> bool {
        let (s, threads) = (self.states.shared(v), self.states.threads(v));
        self.above.find_below(&self.states, s, threads, Some(v)).is_none()
    }

    /// The vertices below a state.
    pub(super) fn below(&self, s: Shared, is_below: impl Fn(&[(Local, u32)]) -> bool) -> Vec<u32> {
        let list = self.by_shared.get(&s).map_or(&[][..], |list| list);
        list.iter().copied().filter(|&v| self.is_alive(v) && is_below(self.states.threads(v))).collect()
    }

    /// The vertices below a vertex, itself included.
    pub(super) fn below_vertex(&self, v: u32) -> Vec<u32> {
        self.below(self.states.shared(v), |threads| included(threads, self.states.threads(v)))
    }

    /// Lambda(u): the vertices of u's partition from which edges lead to u.
    fn subtree(&self, u: u32) -> Vec<u32> {
        let mut found = vec![u];
        let mut seen = rustc_hash::FxHashSet::from_iter([u]);
        let mut next = 0;
        while next < found.len() {
            for &(r, _) in &self.before[found[next] as usize] {
                if self.root[r as usize] == self.root[u as usize] && seen.insert(r) {
                    found.push(r);
                }
            }
            next += 1;
        }
        found
    }

    /// Makes a vertex the root of a partition with everything that leads to it.
    pub(super) fn make_root(&mut self, u: u32) {
        if !self.is_root(u) {
            self.move_subtree(u, u);
        }
    }

    fn move_subtree(&mut self, u: u32, root: u32) {
        self.reached.remove(&self.root[u as usize]);
        self.reached.remove(&root);
        for v in self.subtree(u) {
            self.root[v as usize] = root;
            self.moved.push(v);
        }
    }

    /// The vertices that changed their partition since the last call.
    pub(super) fn take_moved(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.moved)
    }

    /// Algorithm 2: removes the partitions of `roots`, which are coverable.
    pub(super) fn backtrack(&mut self, roots: &[u32]) {
        let pruned = |root: u32| roots.contains(&root);
        // A vertex that another partition relies on moves there, with all that leads to it.
        let all: Vec<u32> = self.vertices().collect();
        for &r in &all {
            let kept = self.after[r as usize].iter().map(|e| self.root[e.0 as usize]).find(|&z| !pruned(z));
            if let Some(root) = kept.filter(|_| pruned(self.root[r as usize])) {
                self.move_subtree(r, root);
            }
        }
        for v in all {
            if pruned(self.root[v as usize]) {
                self.remove(v);
            }
        }
        for root in roots {
            self.reached.remove(root);
        }
    }

    /// Removes the partitions on which none of `targets` depends. A partition depends on another one if one of
    /// its vertices has a cover predecessor there, or is set aside because of a smaller vertex there.
    pub(super) fn drop_unused(&mut self, targets: &[u32]) {
        let all: Vec<u32> = self.vertices().collect();
        let mut members: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for &v in &all {
            members.entry(self.root[v as usize]).or_default().push(v);
        }
        let mut used = rustc_hash::FxHashSet::default();
        let mut work: Vec<u32> = targets.iter().map(|&v| self.root[v as usize]).collect();
        while let Some(root) = work.pop() {
            if !used.insert(root) {
                continue;
            }
            for &v in members.get(&root).into_iter().flatten() {
                let (s, threads) = (self.states.shared(v), self.states.threads(v));
                let smaller = self.above.find_below(&self.states, s, threads, Some(v));
                let needed = self.before[v as usize].iter().map(|edge| edge.0).chain(smaller);
                work.extend(needed.map(|u| self.root[u as usize]));
            }
        }
        for v in all {
            if !used.contains(&self.root[v as usize]) {
                self.reached.remove(&self.root[v as usize]);
                self.remove(v);
            }
        }
    }

    fn remove(&mut self, v: u32) {
        self.alive[v as usize] = false;
        self.above.remove(&self.states, v);
        let (s, threads) = (self.states.shared(v), self.states.threads(v).to_vec());
        self.by_state.remove(&(s, threads));
        if let Some(list) = self.by_shared.get_mut(&s) {
            list.retain(|&other| other != v);
        }
        for (p, _) in std::mem::take(&mut self.before[v as usize]) {
            self.after[p as usize].retain(|edge| edge.0 != v);
        }
        for (w, _) in std::mem::take(&mut self.after[v as usize]) {
            self.before[w as usize].retain(|edge| edge.0 != v);
        }
    }
}
