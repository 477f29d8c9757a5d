//! Algorithm 3: target set widening with partitions and backtracking (thesis, section 4.1.3).
//!
//! Whenever a state is reached backward, a smaller one that is not known to be coverable becomes a target of
//! its own, a *candidate*. Only minimal states are expanded, so that the smallest attempt decides; larger
//! states stay in the graph in case the smaller ones turn out coverable and are removed again. The variant
//! in [`super::optimistic`] keeps less and is faster; this one is the algorithm as published, with one
//! addition: a vertex that moves to another partition is expanded again. The published algorithm leaves out
//! predecessors that are not minimal in the partition of the time; when that partition is removed and the
//! vertex survives in another one, nothing would account for them. And candidates that no target depends on
//! any more are dropped: with candidates of any size, there would be no end to them.

use super::curve::Curve;
use super::facts::Facts;
use super::graph::{Edge, Graph, Vertex};
use super::partition::Partitions;
use super::worklist::{SmallestFirst, Sweep};
use super::{Backward, BackwardSearch, Counts, smallest_candidate};
use crate::invariant::Pruner;
use crate::limits::Stop;
use crate::net::{Net, Pairs, Part};
use crate::oracle::{Covered, covers};
use crate::system::{Local, Shared};
use rustc_hash::{FxHashMap, FxHashSet};

/// The search.
pub(crate) struct WideningSearch<'a> {
    net: &'a Net,
    /// The largest number of threads of a candidate; 0 is no limit.
    width: u32,
    partitions: Partitions,
    /// The set W: vertices to expand, smallest first, and those that are not minimal for now.
    queue: SmallestFirst,
    parked: Vec<u32>,
    targets: FxHashMap<u32, u32>,
    facts: Facts,
    pruner: Pruner<'a>,
    counts: Counts,
    curve: Curve,
    sweep: Sweep,
    answer: Option<Backward>,
}

impl<'a> WideningSearch<'a> {
    pub(crate) fn new(net: &'a Net, width: u32) -> Self {
        let mut search = Self {
            net,
            width,
            partitions: Partitions::default(),
            queue: SmallestFirst::default(),
            parked: Vec::new(),
            targets: FxHashMap::default(),
            facts: Facts::default(),
            pruner: Pruner::new(net),
            counts: Counts::default(),
            curve: Curve::default(),
            sweep: Sweep::default(),
            answer: None,
        };
        for (index, (s, threads)) in net.targets.iter().enumerate() {
            search.add_target(index as u32, *s, threads);
        }
        search
    }

    fn add_target(&mut self, index: u32, s: Shared, threads: &[(Local, u32)]) {
        if self.answer.is_some() || self.net.is_unreachable(s, threads) {
            return;
        }
        if let Some(fact) = self.facts.find(self.net, s, threads) {
            self.answer = Some(Backward::Coverable { target: index, fact });
            return;
        }
        let vertex = match self.partitions.find(s, threads) {
            Some(vertex) => {
                self.partitions.make_root(vertex);
                self.enqueue_moved();
                vertex
            }
            None => self.add(s, threads, None),
        };
        self.targets.entry(vertex).or_insert(index);
        self.widen(vertex);
    }

    fn add(&mut self, s: Shared, threads: &[(Local, u32)], root: Option<u32>) -> u32 {
        let vertex = self.partitions.add(s, threads, root);
        self.queue.push(self.partitions.states.size(vertex), vertex);
        self.counts.peak_states = self.counts.peak_states.max(self.partitions.above.len() as u64);
        vertex
    }

    fn enqueue_moved(&mut self) {
        for vertex in self.partitions.take_moved() {
            self.queue.push(self.partitions.states.size(vertex), vertex);
        }
    }

    /// Adds a smaller target, if there is one that is not known to be coverable.
    fn widen(&mut self, vertex: u32) {
        let s = self.partitions.states.shared(vertex);
        let threads = Pairs::from_slice(self.partitions.states.threads(vertex));
        let Some(candidate) = smallest_candidate(&mut self.facts, self.net, self.width, s, &threads) else {
            return;
        };
        match self.partitions.find(s, &candidate) {
            Some(existing) => {
                self.partitions.make_root(existing);
                self.enqueue_moved();
            }
            None => {
                self.counts.candidates += 1;
                self.add(s, &candidate, None);
            }
        }
    }

    /// Lines 5 to 20 for one minimal vertex.
    fn expand(&mut self, w: u32, stop: &Stop<'_>) {
        let net = self.net;
        self.counts.iterations += 1;
        self.sweep.note_expansion();
        let s = self.partitions.states.shared(w);
        let threads = Pairs::from_slice(self.partitions.states.threads(w));
        // A candidate may be coverable, so a linear program for it is likely to fail.
        let is_candidate = self.partitions.is_root(w) && !self.targets.contains_key(&w);
        if !is_candidate && self.pruner.try_to_exclude(s, &threads) {
            return;
        }
        net.steps_into(s, &threads, &mut |step| {
            let from = net.steps[step as usize].from;
            net.cover_predecessors(step, &threads, &mut |before, part| {
                if self.answer.is_some() || !self.partitions.is_alive(w) || stop.is_requested() {
                    return true;
                }
                match part {
                    Part::Open => !self.partitions.is_minimal_in(self.partitions.root(w), from, before),
                    Part::Whole => {
                        self.predecessor(w, step, from, before);
                        false
                    }
                }
            });
        });
    }

    fn predecessor(&mut self, w: u32, step: u32, s: Shared, threads: &[(Local, u32)]) {
        self.counts.predecessors += 1;
        let root = self.partitions.root(w);
        if self.net.is_unreachable(s, threads)
            || !self.partitions.is_minimal_in(root, s, threads)
            || self.pruner.excludes(s, threads)
        {
            return;
        }
        if let Some(fact) = self.facts.find(self.net, s, threads) {
            let after = (self.partitions.states.shared(w), self.partitions.states.threads(w));
            let fact = self.facts.add_step(after, step, (s, threads), fact);
            self.found_coverable(vec![(w, fact)]);
            return;
        }
        match self.partitions.find(s, threads) {
            Some(existing) => self.partitions.connect(existing, w, step),
            None => {
                let vertex = self.add(s, threads, Some(root));
                self.partitions.connect(vertex, w, step);
                self.widen(vertex);
            }
        }
    }

    /// Lines 7 to 15: closes the coverable vertices downward and along the edges, and removes their partitions.
    fn found_coverable(&mut self, start: Vec<(u32, u32)>) {
        let mut seen: FxHashSet<u32> = start.iter().map(|p| p.0).collect();
        let mut work = start;
        let mut next = 0;
        while next < work.len() {
            let (v, fact) = work[next];
            next += 1;
            if let Some(&target) = self.targets.get(&v) {
                self.answer = Some(Backward::Coverable { target, fact });
                return;
            }
            for below in self.partitions.below_vertex(v) {
                if seen.insert(below) {
                    work.push((below, fact));
                }
            }
            for &(after, step) in self.partitions.after(v) {
                if seen.insert(after) {
                    let states = &self.partitions.states;
                    let (to, from) = (
                        (states.shared(after), states.threads(after)),
                        (states.shared(v), states.threads(v)),
                    );
                    work.push((after, self.facts.add_step(to, step, from, fact)));
                }
            }
        }
        self.counts.backtracked += work.len() as u64;
        let mut roots: Vec<u32> = work.iter().map(|p| self.partitions.root(p.0)).collect();
        roots.sort_unstable();
        roots.dedup();
        self.partitions.backtrack(&roots);
        self.sweep.note_pruning();
        self.enqueue_moved();
        let vertices: Vec<u32> = self.partitions.vertices().collect();
        for vertex in vertices {
            if self.partitions.is_minimal(vertex) {
                self.widen(vertex);
            }
        }
        for vertex in std::mem::take(&mut self.parked) {
            self.queue.push(self.partitions.states.size(vertex), vertex);
        }
    }

    fn work(&self) -> u64 {
        self.partitions.above.work + self.facts.work + self.pruner.work + self.counts.predecessors
    }
}

impl<'a> BackwardSearch<'a> for WideningSearch<'a> {
    fn advance(&mut self, budget: u64, stop: &Stop<'_>) -> Option<Backward> {
        let end = self.work() + budget;
        while self.answer.is_none() && self.work() < end && !stop.is_requested() {
            if self.sweep.is_due(self.partitions.above.len()) {
                let mut targets: Vec<u32> = self.targets.keys().copied().collect();
                targets.sort_unstable();
                self.partitions.drop_unused(&targets);
            }
            let Some(w) = self.queue.pop() else {
                self.answer = Some(Backward::Uncoverable);
                break;
            };
            if !self.partitions.is_alive(w) {
                continue;
            }
            if self.partitions.is_minimal(w) {
                self.expand(w, stop);
                self.curve.note(self.counts.iterations, self.partitions.above.len() as u64);
            } else {
                self.parked.push(w);
            }
        }
        self.answer.clone()
    }

    fn learn(&mut self, covered: Vec<Covered>) -> Option<Backward> {
        for configuration in covered {
            if self.answer.is_some() {
                break;
            }
            self.facts.learn(&configuration);
            let below = self
                .partitions
                .below(configuration.shared, |t| covers(&configuration.omega, &configuration.finite, t));
            let mut start = Vec::new();
            for v in below {
                let threads = self.partitions.states.threads(v);
                start.push((v, self.facts.add_forward(configuration.shared, threads, configuration.node)));
            }
            if !start.is_empty() {
                self.found_coverable(start);
            }
        }
        self.answer.clone()
    }

    fn elements(&self) -> Vec<(Shared, Pairs)> {
        let states = &self.partitions.states;
        self.partitions.vertices().map(|v| (states.shared(v), states.threads(v).into())).collect()
    }

    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn counts(&self) -> Counts {
        Counts { states: self.partitions.above.len() as u64, ..self.pruner.count(self.counts) }
    }

    fn curve(&self) -> &Curve {
        &self.curve
    }

    fn graph(&self) -> Graph {
        let mut graph = Graph::default();
        let numbers: FxHashMap<u32, usize> =
            self.partitions.vertices().enumerate().map(|(number, v)| (v, number)).collect();
        for v in self.partitions.vertices() {
            let states = &self.partitions.states;
            graph.vertices.push(Vertex {
                shared: states.shared(v),
                threads: states.threads(v).into(),
                is_candidate: self.partitions.is_root(v),
                is_pruned: false,
            });
            let edges = self.partitions.before(v).iter();
            graph.edges.extend(edges.map(|&(p, step)| Edge::Step(numbers[&p], numbers[&v], step)));
        }
        graph
    }

    fn use_invariants(&mut self, work: u64) {
        self.pruner.pay(work);
    }

    fn pruner(&mut self) -> &mut Pruner<'a> {
        &mut self.pruner
    }
}
