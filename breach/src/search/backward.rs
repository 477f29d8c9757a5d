//! Algorithm 1: the classical backward search.
//!
//! The set U of minimal states from which the target can be covered grows by cover predecessors until an
//! initial state turns up or nothing new comes. With the oracle's help any coverable state will do in place
//! of an initial one. Smaller states are expanded first. Elements that a smaller one replaced are recognised
//! when their turn comes rather than searched for when the smaller one is added.

use super::curve::Curve;
use super::facts::Facts;
use super::graph::{Edge, Graph, Vertex};
use super::worklist::SmallestFirst;
use super::{Backward, BackwardSearch, Counts};
use crate::antichain::{States, UpwardClosed};
use crate::invariant::Pruner;
use crate::limits::Stop;
use crate::net::{Net, Pairs, Part};
use crate::oracle::Covered;
use crate::system::{Local, Shared};

/// Where an element came from: it is a target, or a step leads from it to another element.
#[derive(Clone, Copy)]
enum Origin {
    Target(u32),
    Step(u32, u32),
}

/// The search.
pub(crate) struct ClassicalSearch<'a> {
    net: &'a Net,
    states: States,
    origin: Vec<Origin>,
    /// The age of the facts when the element was added.
    checked: Vec<u64>,
    above: UpwardClosed,
    queue: SmallestFirst,
    facts: Facts,
    pruner: Pruner<'a>,
    counts: Counts,
    curve: Curve,
    answer: Option<Backward>,
}

impl<'a> ClassicalSearch<'a> {
    pub(crate) fn new(net: &'a Net) -> Self {
        let mut search = Self {
            net,
            states: States::default(),
            origin: Vec::new(),
            checked: Vec::new(),
            above: UpwardClosed::default(),
            queue: SmallestFirst::default(),
            facts: Facts::default(),
            pruner: Pruner::new(net),
            counts: Counts::default(),
            curve: Curve::default(),
            answer: None,
        };
        for (index, (s, threads)) in net.targets.iter().enumerate() {
            search.consider(*s, threads, Origin::Target(index as u32));
        }
        search
    }

    /// A state from which a target can be covered.
    fn consider(&mut self, s: Shared, threads: &[(Local, u32)], origin: Origin) {
        self.counts.predecessors += 1;
        if self.net.is_unreachable(s, threads)
            || self.above.find_below(&self.states, s, threads, None).is_some()
            || self.pruner.excludes(s, threads)
        {
            return;
        }
        let id = self.states.push(s, threads);
        self.origin.push(origin);
        self.checked.push(self.facts.age());
        self.above.insert(&self.states, id);
        self.queue.push(self.states.size(id), id);
        self.counts.peak_states = self.counts.peak_states.max(self.above.len() as u64);
        if let Some(fact) = self.facts.find(self.net, s, threads) {
            self.conclude(id, fact);
        }
    }

    /// An element is coverable, hence all that follow from it up to the target.
    fn conclude(&mut self, id: u32, fact: u32) {
        let (mut at, mut fact) = (id, fact);
        loop {
            match self.origin[at as usize] {
                Origin::Target(target) => {
                    self.answer = Some(Backward::Coverable { target, fact });
                    return;
                }
                Origin::Step(step, next) => {
                    let after = (self.states.shared(next), self.states.threads(next));
                    let before = (self.states.shared(at), self.states.threads(at));
                    fact = self.facts.add_step(after, step, before, fact);
                    at = next;
                }
            }
        }
    }

    fn expand(&mut self, id: u32, stop: &Stop<'_>) {
        let net = self.net;
        let (s, threads) = (self.states.shared(id), Pairs::from_slice(self.states.threads(id)));
        self.counts.iterations += 1;
        net.steps_into(s, &threads, &mut |step| {
            let from = net.steps[step as usize].from;
            net.cover_predecessors(step, &threads, &mut |before, part| {
                if self.answer.is_some() || stop.is_requested() {
                    return true;
                }
                match part {
                    Part::Open => self.above.find_below(&self.states, from, before, None).is_some(),
                    Part::Whole => {
                        self.consider(from, before, Origin::Step(step, id));
                        false
                    }
                }
            });
        });
    }
}

impl<'a> BackwardSearch<'a> for ClassicalSearch<'a> {
    fn advance(&mut self, budget: u64, stop: &Stop<'_>) -> Option<Backward> {
        let spent = |x: &Self| x.above.work + x.facts.work + x.pruner.work + x.counts.predecessors;
        let end = spent(self) + budget;
        while self.answer.is_none() && spent(self) < end && !stop.is_requested() {
            let Some(id) = self.queue.pop() else {
                self.answer = Some(Backward::Uncoverable);
                break;
            };
            let (s, threads) = (self.states.shared(id), self.states.threads(id));
            if self.above.find_below(&self.states, s, threads, Some(id)).is_some() {
                self.above.remove(&self.states, id);
            } else if self.facts.has_grown_since(self.checked[id as usize])
                && let Some(fact) = self.facts.find(self.net, s, threads)
            {
                self.conclude(id, fact);
            } else if !self.pruner.try_to_exclude(s, threads) {
                self.expand(id, stop);
                self.curve.note(self.counts.iterations, self.above.len() as u64);
            }
        }
        self.answer.clone()
    }

    fn learn(&mut self, covered: Vec<Covered>) -> Option<Backward> {
        // Elements are compared with what was learned when their turn comes.
        for configuration in covered {
            self.facts.learn(&configuration);
        }
        None
    }

    fn elements(&self) -> Vec<(Shared, Pairs)> {
        let all = 0..self.states.len() as u32;
        all.map(|id| (self.states.shared(id), self.states.threads(id).into())).collect()
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
        for (id, origin) in self.origin.iter().enumerate() {
            let (shared, threads) = (self.states.shared(id as u32), self.states.threads(id as u32).into());
            let is_candidate = matches!(origin, Origin::Target(_));
            graph.vertices.push(Vertex { shared, threads, is_candidate, is_pruned: false });
            if let Origin::Step(step, next) = *origin {
                graph.edges.push(Edge::Step(id, next as usize, step));
            }
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
