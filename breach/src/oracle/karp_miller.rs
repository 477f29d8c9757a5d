//! The forward search: Karp and Miller's tree with acceleration, never across a transfer (thesis, 4.3.1).
//!
//! Every node is a configuration that is coverable in all its instances. A node whose shared state was seen
//! before on its branch with fewer threads, and without a transfer in between, gets omega wherever it has
//! more: the steps in between can be repeated.
//!
//! A transfer in which every thread that is there *can stay where it is* does not count as one here. Let each
//! step between the ancestor a and the node n be of that kind for all local states that occur in n and in
//! the configuration before the step, and let the counted threads have stayed. After n is reached, the steps
//! can be fired again with all passive threads staying: that takes nothing away from n and adds the gain of n
//! over a once more. This is what abstractions are full of, where most passive updates are optional or concern
//! threads that are not there.
//!
//! Two deviations from the textbook make it fast:
//! - *Saturation.* A step that keeps the shared state and takes its threads only from omegas can be
//!   repeated at once, so what it produces is omega, without a node for it. What a set of omegas saturates
//!   to under a shared state is computed once.
//! - *Pruning.* A node below another one is dropped (at once, or when its turn comes). Nodes are never
//!   removed after they were expanded, so every coverable state stays below some node and the search
//!   remains complete where there are no transfers.
//!
//! With transfers the tree may be infinite; the search is then an oracle that says "coverable" but never
//! "uncoverable".

use super::config::{Bits, OmegaId, OmegaSets, contains, covers};
use super::dominance::Dominance;
use crate::limits::Stop;
use crate::net::{Net, NetStep, OMEGA, Pairs, Transfers, add, subtract};
use crate::system::{Local, Shared};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// At most this many ways to distribute the threads of a transfer are followed; then the search is incomplete.
const MAX_DISTRIBUTIONS: usize = 256;

/// Why a node has omegas that the step into it did not give.
#[derive(Clone, Debug)]
pub(super) enum Boost {
    /// A step that was repeated in place, and the local states that became omega with their counts before.
    Saturate(u32, SmallVec<[(Local, u32); 2]>),
    /// The branch since `ancestor` was repeated: local state, count before, increase.
    Cycle { ancestor: u32, gains: SmallVec<[(Local, u32, u32); 2]> },
}

pub(super) struct Node {
    pub(super) shared: Shared,
    pub(super) omega: OmegaId,
    pub(super) finite: Pairs,
    pub(super) parent: u32,
    /// The step into the node.
    pub(super) step: u32,
    pub(super) boosts: Vec<Boost>,
    /// No counted passive thread moved in the step into the node.
    has_stayed: bool,
    /// A larger node makes it superfluous.
    is_forgotten: bool,
}

/// No parent.
pub(super) const ROOT: u32 = u32::MAX;

/// What a forward search ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Forward {
    /// The node covers the target.
    Covered { node: u32, target: u32 },
    /// Every coverable state is below some node, and no node covers a target.
    Exhausted,
    /// Nothing left to do, but not everything was followed.
    GaveUp,
}

/// A node for the backward search: coverable in all its instances.
#[derive(Clone, Debug)]
pub(crate) struct Covered {
    pub(crate) shared: Shared,
    pub(crate) omega: Bits,
    pub(crate) finite: Pairs,
    pub(crate) node: u32,
}

/// The steps that saturate an omega set under a shared state, and the resulting set.
struct Saturation {
    result: OmegaId,
    steps: Vec<(u32, SmallVec<[Local; 2]>)>,
}

/// The search.
pub(crate) struct KarpMiller<'a> {
    net: &'a Net,
    pub(super) nodes: Vec<Node>,
    pub(super) omegas: OmegaSets,
    dominance: Dominance,
    /// Nodes by shared state, without those that a larger node makes superfluous.
    by_shared: Vec<Vec<u32>>,
    queue: BinaryHeap<(Reverse<u64>, Reverse<u32>)>,
    saturations: Vec<Saturation>,
    saturation_of: FxHashMap<(Shared, OmegaId), u32>,
    /// Steps that keep the shared state and let all passive threads stay, by shared state.
    staying: Vec<Vec<u32>>,
    /// For each step, the local states whose passive threads must move.
    must_leave: Vec<Vec<Local>>,
    has_transfers: bool,
    complete: bool,
    answer: Option<Forward>,
    work: u64,
    exported: usize,
}

impl<'a> KarpMiller<'a> {
    pub(crate) fn new(net: &'a Net) -> Self {
        let mut staying = vec![Vec::new(); net.shared_states];
        let must_leave: Vec<Vec<Local>> = net.steps.iter().map(must_leave).collect();
        for (id, step) in net.steps.iter().enumerate() {
            if step.from == step.to && must_leave[id].is_empty() {
                staying[step.from as usize].push(id as u32);
            }
        }
        let mut search = Self {
            net,
            nodes: Vec::new(),
            omegas: OmegaSets::new(),
            dominance: Dominance::new(net.shared_states, net.local_states),
            by_shared: vec![Vec::new(); net.shared_states],
            queue: BinaryHeap::new(),
            saturations: Vec::new(),
            saturation_of: FxHashMap::default(),
            staying,
            must_leave,
            has_transfers: net.steps.iter().any(|s| s.transfers.is_some()),
            complete: true,
            answer: None,
            work: 0,
            exported: 0,
        };
        search.start();
        search
    }

    fn start(&mut self) {
        let mut bits = vec![0u64; self.net.local_states.div_ceil(64)];
        let mut finite = Pairs::new();
        for &(l, c) in &self.net.init {
            if c == OMEGA {
                bits[l as usize / 64] |= 1 << (l % 64);
            } else {
                finite.push((l, c));
            }
        }
        let omega = self.omegas.intern(bits);
        self.create((ROOT, 0, true), self.net.init_shared, omega, finite);
    }

    /// Works until the answer is found, about `budget` units of work are done, or it is stopped for good.
    pub(crate) fn advance(&mut self, budget: u64, stop: &Stop<'_>) -> Option<Forward> {
        let end = self.spent() + budget;
        while self.answer.is_none() && self.spent() < end && !stop.is_requested() {
            let Some((_, Reverse(node))) = self.queue.pop() else {
                self.answer = Some(if self.complete { Forward::Exhausted } else { Forward::GaveUp });
                break;
            };
            self.work += 1;
            if self.is_dominated(node) {
                self.forget(node);
            } else {
                self.expand(node);
            }
        }
        self.answer
    }

    pub(super) fn net(&self) -> &'a Net {
        self.net
    }

    /// The number of nodes so far.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Nodes that were found since the last call.
    pub(crate) fn export(&mut self) -> Vec<Covered> {
        let new = self.nodes[self.exported..].iter().enumerate().filter(|(_, node)| !node.is_forgotten);
        let covered = new.map(|(i, node)| Covered {
            shared: node.shared,
            omega: self.omegas.bits(node.omega).clone(),
            finite: node.finite.clone(),
            node: (self.exported + i) as u32,
        });
        let covered = covered.collect();
        self.exported = self.nodes.len();
        covered
    }

    /// A node above the state, if there is one.
    pub(crate) fn find_cover(&self, s: Shared, threads: &[(Local, u32)]) -> Option<u32> {
        let above = |&&id: &&u32| {
            let node = &self.nodes[id as usize];
            covers(self.omegas.bits(node.omega), &node.finite, threads)
        };
        self.by_shared[s as usize].iter().find(above).copied()
    }

    /// True if a node above this one makes it superfluous.
    fn is_dominated(&mut self, id: u32) -> bool {
        let node = &self.nodes[id as usize];
        self.dominance.is_below(&mut self.omegas, node.shared, node.omega, &node.finite, Some(id))
    }

    fn forget(&mut self, id: u32) {
        let node = &mut self.nodes[id as usize];
        node.is_forgotten = true;
        self.by_shared[node.shared as usize].retain(|&other| other != id);
    }

    fn spent(&self) -> u64 {
        self.work + self.dominance.work
    }

    fn expand(&mut self, id: u32) {
        let net = self.net;
        let node = &self.nodes[id as usize];
        let (shared, omega, finite) = (node.shared, node.omega, node.finite.clone());
        let bits = self.omegas.bits(omega).clone();
        self.work += net.outgoing[shared as usize].len() as u64 / 4;
        for &step_id in &net.outgoing[shared as usize] {
            let step = &net.steps[step_id as usize];
            if !is_enabled(step, &bits, &finite) {
                continue;
            }
            let in_omega = |&(l, _): &(Local, u32)| contains(&bits, l);
            match &step.transfers {
                None if step.from == step.to && step.produce.pairs().iter().all(in_omega) => {}
                None => {
                    let mut after = subtract(&finite, step.consume.pairs());
                    for &(l, c) in step.produce.pairs() {
                        if !contains(&bits, l) {
                            add(&mut after, l, c);
                        }
                    }
                    self.create((id, step_id, true), step.to, omega, after);
                }
                Some(transfers) => {
                    let rest = subtract(&finite, step.consume.pairs());
                    let omega = self.transferred(&bits, transfers);
                    for mut after in self.distributions(&rest, transfers) {
                        let has_stayed = after == rest;
                        for &(l, c) in step.produce.pairs() {
                            add(&mut after, l, c);
                        }
                        let bits = self.omegas.bits(omega);
                        after.retain(|p| !contains(bits, p.0));
                        self.create((id, step_id, has_stayed), step.to, omega, after);
                    }
                }
            }
            if self.answer.is_some() {
                return;
            }
        }
    }

    /// Where the omegas are after a transfer: any number of threads can go to each allowed place.
    fn transferred(&mut self, bits: &[u64], transfers: &Transfers) -> OmegaId {
        let mut after = bits.to_vec();
        for (a, _) in &transfers.rules {
            after[*a as usize / 64] &= !(1 << (a % 64));
        }
        for (a, places) in &transfers.rules {
            if contains(bits, *a) {
                for &b in places {
                    after[b as usize / 64] |= 1 << (b % 64);
                }
            }
        }
        self.omegas.intern(after)
    }

    /// All places where the counted threads can be after a transfer, up to a limit.
    fn distributions(&mut self, finite: &[(Local, u32)], transfers: &Transfers) -> Vec<Pairs> {
        let mut results = vec![Pairs::new()];
        for &(l, c) in finite {
            let places = match transfers.rule(l) {
                None => &[l][..],
                Some(places) => places,
            };
            if places.is_empty() {
                continue;
            }
            let mut next = Vec::new();
            for so_far in &results {
                crate::net::distribute(c, places, so_far.clone(), &mut |after| {
                    if next.len() < MAX_DISTRIBUTIONS {
                        next.push(after);
                    } else {
                        self.complete = false;
                    }
                });
            }
            results = next;
            self.work += results.len() as u64;
        }
        results
    }

    /// Adds a node unless it is below another one. `origin` is the parent, the step, and whether the counted
    /// passive threads stayed.
    fn create(&mut self, origin: (u32, u32, bool), shared: Shared, omega: OmegaId, finite: Pairs) {
        self.work += 1;
        if self.dominance.is_below(&mut self.omegas, shared, omega, &finite, None) {
            return;
        }
        let (parent, step, has_stayed) = origin;
        let boosts = Vec::new();
        let mut node = Node { shared, omega, finite, parent, step, boosts, has_stayed, is_forgotten: false };
        loop {
            self.saturate(&mut node);
            if !self.accelerate(&mut node) {
                break;
            }
        }
        let id = self.nodes.len() as u32;
        let bits = self.omegas.bits(node.omega);
        for (index, (target, threads)) in self.net.targets.iter().enumerate() {
            if *target == shared && covers(bits, &node.finite, threads) {
                self.answer = Some(Forward::Covered { node: id, target: index as u32 });
            }
        }
        self.dominance.insert(shared, node.omega, &node.finite, id);
        self.by_shared[shared as usize].push(id);
        let rank = self.rank(&node);
        self.nodes.push(node);
        self.queue.push((Reverse(rank), Reverse(id)));
    }

    /// Small ranks are expanded first. Without transfers: many omegas, then few counted threads, because what
    /// has omegas covers the rest. With transfers counted threads multiply in all directions: few of them.
    fn rank(&self, node: &Node) -> u64 {
        let threads: u64 = node.finite.iter().map(|p| u64::from(p.1)).sum();
        if self.has_transfers {
            return threads;
        }
        let omegas = u64::from(self.omegas.size(node.omega));
        ((self.net.local_states as u64 - omegas) << 20) + threads.min((1 << 20) - 1)
    }

    /// Repeats steps in place.
    fn saturate(&mut self, node: &mut Node) {
        let index = self.saturation(node.shared, node.omega);
        let saturation = &self.saturations[index as usize];
        if saturation.result == node.omega {
            return;
        }
        for (step, gained) in &saturation.steps {
            let before = gained.iter().map(|&l| (l, crate::net::count(&node.finite, l))).collect();
            node.boosts.push(Boost::Saturate(*step, before));
        }
        node.omega = saturation.result;
        let bits = self.omegas.bits(node.omega);
        node.finite.retain(|p| !contains(bits, p.0));
    }

    fn saturation(&mut self, s: Shared, omega: OmegaId) -> u32 {
        if let Some(&index) = self.saturation_of.get(&(s, omega)) {
            return index;
        }
        let mut bits = self.omegas.bits(omega).to_vec();
        let mut steps = Vec::new();
        let mut pending = self.staying[s as usize].clone();
        loop {
            let before = steps.len();
            pending.retain(|&id| {
                let step = &self.net.steps[id as usize];
                self.work += 1;
                if !step.consume.pairs().iter().all(|p| contains(&bits, p.0)) {
                    return true;
                }
                let gained: SmallVec<[Local; 2]> =
                    step.produce.pairs().iter().map(|p| p.0).filter(|&l| !contains(&bits, l)).collect();
                for &l in &gained {
                    bits[l as usize / 64] |= 1 << (l % 64);
                }
                if !gained.is_empty() {
                    steps.push((id, gained));
                }
                false
            });
            if steps.len() == before {
                break;
            }
        }
        let result = self.omegas.intern(bits);
        let index = self.saturations.len() as u32;
        self.saturations.push(Saturation { result, steps });
        self.saturation_of.insert((s, omega), index);
        index
    }

    /// True if the step would force some thread of the node to move, were it passive.
    fn must_move(&self, step: u32, node: &Node) -> bool {
        let bits = self.omegas.bits(node.omega);
        self.must_leave[step as usize].iter().any(|&l| contains(bits, l) || crate::net::has(&node.finite, l))
    }

    /// Repeats the branch since the nearest smaller node with the same shared state; true if that helped.
    fn accelerate(&mut self, node: &mut Node) -> bool {
        let (mut at, mut step, mut has_stayed) = (node.parent, node.step, node.has_stayed);
        while at != ROOT {
            if !has_stayed || self.must_move(step, node) || self.must_move(step, &self.nodes[at as usize]) {
                return false;
            }
            self.work += 1;
            let ancestor = &self.nodes[at as usize];
            if ancestor.shared == node.shared && self.omegas.is_subset(ancestor.omega, node.omega) {
                let bits = self.omegas.bits(node.omega);
                if covers(bits, &node.finite, &ancestor.finite) {
                    let gain = |&(l, c): &(Local, u32)| {
                        let before = crate::net::count(&ancestor.finite, l);
                        (c > before).then(|| (l, c, c - before))
                    };
                    let gains: SmallVec<[_; 2]> = node.finite.iter().filter_map(gain).collect();
                    if !gains.is_empty() {
                        let mut bits = bits.to_vec();
                        for &(l, _, _) in &gains {
                            bits[l as usize / 64] |= 1 << (l % 64);
                        }
                        node.finite.retain(|p| gains.iter().all(|g| g.0 != p.0));
                        node.omega = self.omegas.intern(bits);
                        node.boosts.push(Boost::Cycle { ancestor: at, gains });
                        return true;
                    }
                }
            }
            (at, step, has_stayed) = (ancestor.parent, ancestor.step, ancestor.has_stayed);
        }
        false
    }
}

/// The local states whose passive threads cannot stay.
fn must_leave(step: &NetStep) -> Vec<Local> {
    let rules = step.transfers.iter().flat_map(|t| &t.rules);
    rules.filter(|(a, places)| !places.contains(a)).map(|rule| rule.0).collect()
}

/// True if the step can fire.
fn is_enabled(step: &NetStep, omega: &[u64], finite: &[(Local, u32)]) -> bool {
    step.consume.pairs().iter().all(|&(l, c)| contains(omega, l) || crate::net::count(finite, l) >= c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::Source;
    use crate::limits::{Limits, Watch};
    use crate::system::Problem;

    fn net(text: &str) -> Net {
        let input = crate::emdr::parse(Source { name: "t", text }).unwrap();
        Net::of_user(&Problem { system: input.system, init: input.init.unwrap(), targets: input.targets })
    }

    fn explore(net: &Net, budget: u64) -> (KarpMiller<'_>, Option<Forward>) {
        let watch = Watch::start(&Limits::default());
        let mut search = KarpMiller::new(net);
        let answer = search.advance(budget, &Stop::new(&watch));
        (search, answer)
    }

    #[test]
    fn steps_from_omegas_are_saturated_without_nodes() {
        let net = net("#init 0/0\n#target 1|0\n2 4\n0 0->0 1\n0 1->0 2\n0 2->0 3\n");
        let (search, answer) = explore(&net, 1_000);
        assert_eq!(answer, Some(Forward::Exhausted));
        assert_eq!(search.len(), 1);
        assert!(search.find_cover(0, &[(0, 9), (1, 9), (2, 9), (3, 9)]).is_some());
        assert!(search.find_cover(1, &[]).is_none());
    }

    #[test]
    fn never_accelerates_across_a_transfer() {
        // Thesis, figure 24: whoever enters 2 sends the others back to 1.
        let net = net("#init 0/0\n#target 0|2,2\n1 3\n0 0->0 1\n0 1->0 0\n0 1->0 2 2~>1\n");
        let (search, answer) = explore(&net, 100_000);
        assert!(!matches!(answer, Some(Forward::Covered { .. })));
        assert!(search.find_cover(0, &[(2, 1)]).is_some());
        assert!(search.find_cover(0, &[(2, 2)]).is_none());
    }

    #[test]
    fn accelerates_a_branch_through_several_shared_states() {
        // Each round through the lock leaves a thread in 2; the run repeats it often enough.
        let net = net("#init 0/0\n#target 0|2^5\n2 3\n0 0->1 1\n1 1->0 2\n");
        let (search, answer) = explore(&net, 10_000);
        let Some(Forward::Covered { node, target: 0 }) = answer else { panic!("{answer:?}") };
        let run = search.unwind(node, &net.targets[0].1).unwrap();
        assert_eq!(run.steps.len(), 10);
        assert_eq!(run.initial.as_slice(), [(0, 5)]);
    }

    #[test]
    fn an_omega_that_a_transfer_empties_keeps_the_active_thread() {
        // The active thread moves to where the passive ones just left: it must not get lost.
        let net = net("#init 0/0,1\n#target 1|1\n2 3\n0 0->1 1 1~>2\n");
        let (_, answer) = explore(&net, 10_000);
        assert!(matches!(answer, Some(Forward::Covered { .. })));
    }
}
