//! The optimistic variant of target set widening (thesis, section 4.3.2), and the default.
//!
//! Before a cover predecessor p is added, a smaller state is tried in its place (*widening*): a state with at
//! most K threads below p that is not known to be coverable. If the candidate is uncoverable, so is p, and
//! its proof is smaller. If it turns out coverable, the choice is undone (*backtracking*).
//!
//! Only minimal vertices are kept. What depends on a vertex u is remembered with it:
//! - w *follows* from u if u itself is a cover predecessor of w: when u is coverable, so is w;
//! - w *relies* on u if a predecessor of w, or w itself, was set aside because u is below it: when u is
//!   coverable, w must be expanded again.
//!
//! The thesis keeps the order of processing instead and expands everything again that was discovered after
//! a pruned vertex; the lists are exact and save that work. A vertex on which no target depends any more, by
//! however many vertices in between, is dropped: what was found on behalf of a coverable candidate may be
//! coverable without end, and would keep the search from terminating.

use super::curve::Curve;
use super::facts::Facts;
use super::graph::{Edge, Graph, Vertex};
use super::worklist::{SmallestFirst, Sweep};
use super::{Backward, BackwardSearch, Counts, smallest_candidate};
use crate::antichain::{States, UpwardClosed};
use crate::invariant::Pruner;
use crate::limits::Stop;
use crate::net::{Net, Pairs, Part};
use crate::oracle::{Covered, covers};
use crate::system::{Local, Shared};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    /// In the queue.
    Waiting,
    /// All predecessors are accounted for.
    Expanded,
    /// A smaller vertex stands for it.
    SetAside,
    /// Coverable, removed.
    Pruned,
    /// Nothing depends on it any more, removed.
    Dropped,
}

impl Status {
    fn is_removed(self) -> bool {
        matches!(self, Status::Pruned | Status::Dropped)
    }
}

/// What hangs on a vertex.
#[derive(Clone, Copy)]
enum Dependent {
    /// The vertex follows by this step.
    Follows(u32, u32),
    /// The vertex must be expanded again.
    Relies(u32),
}

/// The search.
pub(crate) struct OptimisticSearch<'a> {
    net: &'a Net,
    /// The largest number of threads of a candidate; 0 is no limit.
    width: u32,
    states: States,
    status: Vec<Status>,
    /// Vertices that stand for larger ones; they may be coverable.
    is_candidate: Vec<bool>,
    /// The age of the facts when the vertex was last compared with them.
    checked: Vec<u64>,
    dependents: Vec<Vec<Dependent>>,
    targets: FxHashMap<u32, u32>,
    /// Targets and candidates by shared state.
    candidates: FxHashMap<Shared, Vec<u32>>,
    above: UpwardClosed,
    queue: SmallestFirst,
    facts: Facts,
    pruner: Pruner<'a>,
    counts: Counts,
    curve: Curve,
    sweep: Sweep,
    answer: Option<Backward>,
}

impl Dependent {
    fn vertex(self) -> u32 {
        match self {
            Dependent::Follows(w, _) | Dependent::Relies(w) => w,
        }
    }
}

impl<'a> OptimisticSearch<'a> {
    pub(crate) fn new(net: &'a Net, width: u32) -> Self {
        let mut search = Self {
            net,
            width,
            states: States::default(),
            status: Vec::new(),
            is_candidate: Vec::new(),
            checked: Vec::new(),
            dependents: Vec::new(),
            targets: FxHashMap::default(),
            candidates: FxHashMap::default(),
            above: UpwardClosed::default(),
            queue: SmallestFirst::default(),
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
        if self.net.is_unreachable(s, threads) || self.answer.is_some() {
            return;
        }
        if let Some(fact) = self.facts.find(self.net, s, threads) {
            self.answer = Some(Backward::Coverable { target: index, fact });
            return;
        }
        // The same target twice is one: two vertices with one state would each be set aside for the other.
        let below = self.above.find_below(&self.states, s, threads, None);
        if below.is_some_and(|id| self.states.threads(id) == threads) {
            return;
        }
        let id = self.add_candidate(s, threads);
        self.is_candidate[id as usize] = false;
        self.targets.insert(id, index);
    }

    fn add(&mut self, s: Shared, threads: &[(Local, u32)]) -> u32 {
        let id = self.states.push(s, threads);
        self.status.push(Status::Waiting);
        self.is_candidate.push(false);
        self.checked.push(self.facts.age());
        self.dependents.push(Vec::new());
        self.above.insert(&self.states, id);
        self.enqueue(id);
        self.counts.peak_states = self.counts.peak_states.max(self.above.len() as u64);
        id
    }

    fn enqueue(&mut self, id: u32) {
        self.status[id as usize] = Status::Waiting;
        self.queue.push(self.states.size(id), id);
    }

    /// Takes the next vertex in turn and accounts for its predecessors.
    fn process(&mut self, id: u32, stop: &Stop<'_>) {
        if self.status[id as usize] != Status::Waiting {
            return;
        }
        if !self.is_used(id) {
            self.drop_vertex(id);
            return;
        }
        let (s, threads) = (self.states.shared(id), Pairs::from_slice(self.states.threads(id)));
        if let Some(smaller) = self.above.find_below(&self.states, s, &threads, Some(id)) {
            self.status[id as usize] = Status::SetAside;
            self.dependents[smaller as usize].push(Dependent::Relies(id));
            return;
        }
        if self.facts.has_grown_since(self.checked[id as usize]) {
            self.checked[id as usize] = self.facts.age();
            if let Some(fact) = self.facts.find(self.net, s, &threads) {
                self.backtrack(id, fact);
                return;
            }
        }
        if !self.is_candidate[id as usize] && self.pruner.try_to_exclude(s, &threads) {
            self.status[id as usize] = Status::Expanded;
            return;
        }
        // Before a target is expanded, something smaller is tried for it, too.
        if self.targets.contains_key(&id)
            && let Some(candidate) = self.candidate(s, &threads)
        {
            let candidate = self.add_candidate(s, &candidate);
            self.status[id as usize] = Status::SetAside;
            self.dependents[candidate as usize].push(Dependent::Relies(id));
            return;
        }
        self.status[id as usize] = Status::Expanded;
        self.expand(id, s, &threads, stop);
        self.curve.note(self.counts.iterations, self.above.len() as u64);
    }

    fn expand(&mut self, id: u32, s: Shared, threads: &[(Local, u32)], stop: &Stop<'_>) {
        let net = self.net;
        self.counts.iterations += 1;
        self.sweep.note_expansion();
        net.steps_into(s, threads, &mut |step| {
            let from = net.steps[step as usize].from;
            net.cover_predecessors(step, threads, &mut |before, part| {
                let over = self.answer.is_some() || self.status[id as usize] != Status::Expanded;
                if over || stop.is_requested() {
                    return true;
                }
                match part {
                    Part::Open => self.is_accounted_for(id, from, before),
                    Part::Whole => {
                        self.predecessor(id, step, from, before);
                        false
                    }
                }
            });
        });
    }

    /// True if a vertex stands for everything above a part of a cover predecessor of vertex `w`.
    fn is_accounted_for(&mut self, w: u32, s: Shared, threads: &[(Local, u32)]) -> bool {
        let below = self.above.find_below(&self.states, s, threads, None);
        if let Some(below) = below.filter(|&below| below != w) {
            self.dependents[below as usize].push(Dependent::Relies(w));
        }
        below.is_some()
    }

    /// Accounts for one cover predecessor of vertex `w`.
    fn predecessor(&mut self, w: u32, step: u32, s: Shared, threads: &[(Local, u32)]) {
        self.counts.predecessors += 1;
        if self.net.is_unreachable(s, threads) {
            return;
        }
        if let Some(below) = self.above.find_below(&self.states, s, threads, None) {
            if below != w {
                let exact = self.states.threads(below) == threads;
                let dependent = if exact { Dependent::Follows(w, step) } else { Dependent::Relies(w) };
                self.dependents[below as usize].push(dependent);
            }
            return;
        }
        if self.pruner.excludes(s, threads) {
            return;
        }
        if let Some(fact) = self.facts.find(self.net, s, threads) {
            let after = (self.states.shared(w), self.states.threads(w));
            let fact = self.facts.add_step(after, step, (s, threads), fact);
            self.backtrack(w, fact);
            return;
        }
        let candidate = self.candidate(s, threads);
        // What an invariant excludes needs no candidate, which might be coverable.
        if candidate.is_some() && self.pruner.try_to_exclude(s, threads) {
            return;
        }
        let (id, dependent) = match candidate {
            Some(candidate) => (self.add_candidate(s, &candidate), Dependent::Relies(w)),
            None => (self.add(s, threads), Dependent::Follows(w, step)),
        };
        self.dependents[id as usize].push(dependent);
    }

    fn candidate(&mut self, s: Shared, threads: &[(Local, u32)]) -> Option<Pairs> {
        smallest_candidate(&mut self.facts, self.net, self.width, s, threads)
    }

    fn add_candidate(&mut self, s: Shared, threads: &[(Local, u32)]) -> u32 {
        self.counts.candidates += 1;
        let id = self.add(s, threads);
        self.is_candidate[id as usize] = true;
        self.candidates.entry(s).or_default().push(id);
        id
    }

    /// Starts again from the targets, with the facts and the invariants known so far.
    fn restart(&mut self) {
        self.states = States::default();
        self.above = UpwardClosed::with_work(self.above.work);
        self.status.clear();
        self.dependents.clear();
        self.is_candidate.clear();
        self.checked.clear();
        self.targets.clear();
        self.candidates.clear();
        self.queue.clear();
        for (index, (s, threads)) in self.net.targets.iter().enumerate() {
            self.add_target(index as u32, *s, threads);
        }
    }

    /// Vertex `id` is coverable: removes it and all that follows from it, and revives what relied on it.
    fn backtrack(&mut self, id: u32, fact: u32) {
        let mut work = Vec::new();
        self.prune(id, fact, &mut work);
        while let Some((id, fact)) = work.pop() {
            if let Some(&target) = self.targets.get(&id) {
                self.answer = Some(Backward::Coverable { target, fact });
                return;
            }
            let (s, threads) = (self.states.shared(id), Pairs::from_slice(self.states.threads(id)));
            for dependent in std::mem::take(&mut self.dependents[id as usize]) {
                match dependent {
                    Dependent::Follows(w, _) if self.status[w as usize].is_removed() => {}
                    Dependent::Follows(w, step) => {
                        let after = (self.states.shared(w), self.states.threads(w));
                        let fact = self.facts.add_step(after, step, (s, &threads), fact);
                        self.prune(w, fact, &mut work);
                    }
                    Dependent::Relies(w) => {
                        if matches!(self.status[w as usize], Status::Expanded | Status::SetAside) {
                            self.enqueue(w);
                        }
                    }
                }
            }
            // What is below a coverable state is coverable for the same reason.
            while let Some(below) = self.above.find_below(&self.states, s, &threads, None) {
                self.prune(below, fact, &mut work);
            }
        }
    }

    fn prune(&mut self, id: u32, fact: u32, work: &mut Vec<(u32, u32)>) {
        if !self.status[id as usize].is_removed() {
            self.sweep.note_pruning();
            self.status[id as usize] = Status::Pruned;
            self.above.remove(&self.states, id);
            self.counts.backtracked += 1;
            work.push((id, fact));
        }
    }

    /// True if the vertex is a target or some vertex depends on it directly.
    fn is_used(&self, id: u32) -> bool {
        self.targets.contains_key(&id)
            || self.dependents[id as usize].iter().any(|d| !self.status[d.vertex() as usize].is_removed())
    }

    fn drop_vertex(&mut self, id: u32) {
        self.status[id as usize] = Status::Dropped;
        self.dependents[id as usize] = Vec::new();
        self.above.remove(&self.states, id);
    }

    /// Drops the vertices on which no target depends.
    fn drop_unused(&mut self) {
        let alive = |id: u32| !self.status[id as usize].is_removed();
        let mut needs: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for id in (0..self.states.len() as u32).filter(|&id| alive(id)) {
            for dependent in self.dependents[id as usize].iter().filter(|d| alive(d.vertex())) {
                needs.entry(dependent.vertex()).or_default().push(id);
            }
        }
        let mut used: Vec<bool> = vec![false; self.states.len()];
        let mut work: Vec<u32> = self.targets.keys().copied().filter(|&id| alive(id)).collect();
        while let Some(id) = work.pop() {
            if !std::mem::replace(&mut used[id as usize], true) {
                work.extend(needs.get(&id).into_iter().flatten());
            }
        }
        for id in 0..self.states.len() as u32 {
            if !used[id as usize] && !self.status[id as usize].is_removed() {
                self.drop_vertex(id);
            }
        }
    }

    fn work(&self) -> u64 {
        self.above.work + self.facts.work + self.pruner.work + self.counts.predecessors
    }
}

impl<'a> BackwardSearch<'a> for OptimisticSearch<'a> {
    fn advance(&mut self, budget: u64, stop: &Stop<'_>) -> Option<Backward> {
        let end = self.work() + budget;
        while self.answer.is_none() && self.work() < end && !stop.is_requested() {
            if self.sweep.is_due(self.above.len()) {
                self.drop_unused();
            }
            match self.queue.pop() {
                Some(id) => self.process(id, stop),
                None => self.answer = Some(Backward::Uncoverable),
            }
        }
        self.answer.clone()
    }

    fn learn(&mut self, covered: Vec<Covered>) -> Option<Backward> {
        for configuration in covered {
            self.facts.learn(&configuration);
            // Candidates are worth a look at once; other vertices get theirs when their turn comes.
            let mut candidates = self.candidates.remove(&configuration.shared).unwrap_or_default();
            candidates.retain(|&id| {
                let threads = self.states.threads(id);
                if self.answer.is_some() || self.status[id as usize].is_removed() {
                    return false;
                }
                if covers(&configuration.omega, &configuration.finite, threads) {
                    let fact = self.facts.add_forward(configuration.shared, threads, configuration.node);
                    self.backtrack(id, fact);
                }
                !self.status[id as usize].is_removed()
            });
            if self.answer.is_some() {
                break;
            }
            self.candidates.insert(configuration.shared, candidates);
        }
        self.answer.clone()
    }

    fn elements(&self) -> Vec<(Shared, Pairs)> {
        let kept = (0..self.states.len() as u32).filter(|&id| self.status[id as usize] == Status::Expanded);
        kept.map(|id| (self.states.shared(id), self.states.threads(id).into())).collect()
    }

    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn counts(&self) -> Counts {
        Counts { states: self.above.len() as u64, ..self.pruner.count(self.counts) }
    }

    fn curve(&self) -> &Curve {
        &self.curve
    }

    fn graph(&self) -> Graph {
        let mut graph = Graph::default();
        for id in 0..self.states.len() {
            let (shared, threads) = (self.states.shared(id as u32), self.states.threads(id as u32).into());
            graph.vertices.push(Vertex {
                shared,
                threads,
                is_candidate: self.is_candidate[id] || self.targets.contains_key(&(id as u32)),
                is_pruned: self.status[id].is_removed(),
            });
            for dependent in &self.dependents[id] {
                graph.edges.push(match *dependent {
                    Dependent::Follows(w, step) => Edge::Step(id, w as usize, step),
                    Dependent::Relies(w) => Edge::Below(id, w as usize),
                });
            }
        }
        graph
    }

    fn use_invariants(&mut self, work: u64) {
        if self.pruner.pay(work) {
            self.restart();
        }
    }

    fn pruner(&mut self) -> &mut Pruner<'a> {
        &mut self.pruner
    }
}
