//! The search: expand, refine, close, force cover. Algorithms 1 and 2 of the paper.
//!
//! What differs from the paper, and why:
//! - A covering node expands all that the covered node *would* expand, not only what it has expanded.
//! - Labels of other nodes are not looked at for covers after a refinement.
//! - Nodes labelled false are not expanded.
//! - Back edges need no special treatment: all monotonic paths are finite, and every one of them is in the tree. Let a path be monotonic, and let the path
//!   without its last step lead to a node, from cover to cover. The last step is not left out there, because the step before it is the one
//!   that leads to the node. If the node is covered, the covering node has the step.

mod reduction;

use crate::explain::{Explained, Interpolants, Path, explain};
use crate::facts::Facts;
use crate::independence::Relation;
use crate::options::{Options, Order, Statistics, Unknown};
use crate::run;
use crate::system::{Step, System, Transition};
use crate::tree::{Life, NodeId, Tree};
use engine::bug::Bug;
use frontend::program::PropertyKind;
use rustc_hash::FxHashMap;
use smt::{SolverError, Term};
use std::collections::VecDeque;
use std::rc::Rc;

/// How a search ends before the tree is complete.
pub(crate) enum End {
    /// With a bug.
    Bug(Bug),
    /// With nothing.
    Unknown(Unknown),
    /// With an error of a solver.
    Error(SolverError),
}

impl From<SolverError> for End {
    fn from(error: SolverError) -> End {
        End::Error(error)
    }
}

/// A step that is impossible on sight is refuted at once if it was made at most so often before. In later rounds of a loop, its counter would get into all labels: such a step waits until
/// nothing else is left, since by then the round before it may be covered.
const ROUNDS: usize = 8;

type Result<T> = std::result::Result<T, End>;

/// A search.
pub(crate) struct Search<'s, 'a> {
    pub(crate) system: &'s System<'a>,
    pub(crate) options: &'s Options,
    pub(crate) tree: Tree,
    facts: Facts,
    queue: VecDeque<NodeId>,
    /// What is looked at when nothing else is left: no state gets there on this path, and the labels do not say why.
    later: VecDeque<NodeId>,
    is_queued: Vec<bool>,
    /// Steps in a row: first transition, second transition.
    relations: FxHashMap<(*const Transition, *const Transition), Rc<Relation>>,
    /// Why nothing can be proved any more.
    pub(crate) obstacle: Option<Unknown>,
    pub(crate) statistics: Statistics,
}

impl<'s, 'a> Search<'s, 'a> {
    pub(crate) fn new(
        system: &'s System<'a>,
        options: &'s Options,
    ) -> std::result::Result<Self, SolverError> {
        let facts = Facts::new(&options.solver, &options.config)?;
        let mut search = Search {
            system,
            options,
            tree: Tree::new(system),
            facts,
            queue: VecDeque::new(),
            later: VecDeque::new(),
            is_queued: Vec::new(),
            relations: FxHashMap::default(),
            obstacle: None,
            statistics: Statistics::default(),
        };
        search.enqueue(0);
        Ok(search)
    }

    /// Completes the tree.
    pub(crate) fn run(&mut self) -> Result<()> {
        loop {
            let next = match self.options.order {
                Order::DepthFirst => self.queue.pop_back(),
                Order::BreadthFirst => self.queue.pop_front(),
            };
            let is_late = next.is_none();
            let Some(node) = next.or_else(|| self.later.pop_front()) else { return Ok(()) };
            self.is_queued[node] = false;
            if self.tree.nodes.len() > self.options.max_nodes {
                return Err(End::Unknown(Unknown::Nodes(self.options.max_nodes)));
            }
            if self.options.config.interrupt.is_stopped() {
                return Err(End::Unknown(Unknown::Stopped));
            }
            self.look_at(node, is_late)?;
        }
    }

    /// What was done so far.
    pub(crate) fn statistics(&self) -> Statistics {
        let nodes = &self.tree.nodes;
        Statistics {
            nodes: nodes.len(),
            by_cover: nodes.iter().filter(|node| node.by_cover).count(),
            implications: self.facts.counts,
            threads: nodes.iter().map(|node| node.locations.len()).max().unwrap_or(0),
            depth: nodes.iter().map(|node| node.depth).max().unwrap_or(0),
            ..self.statistics
        }
    }

    /// Formulas of labels on the longest path, each once, the last ones.
    pub(crate) fn longest(&self) -> Vec<Term> {
        /// More say no more.
        const SHOWN: usize = 12;
        let nodes = &self.tree.nodes;
        let Some(last) = (0..nodes.len()).max_by_key(|&id| nodes[id].depth) else { return Vec::new() };
        let mut found: Vec<Term> = Vec::new();
        for id in self.tree.path(0, last).into_iter().rev() {
            for part in nodes[id].label.iter().rev().filter(|part| !part.is_false()) {
                if found.len() < SHOWN && !found.contains(part) {
                    found.push(*part);
                }
            }
        }
        found
    }

    fn enqueue(&mut self, node: NodeId) {
        if self.is_queued.len() <= node {
            self.is_queued.resize(node + 1, false);
        }
        if !std::mem::replace(&mut self.is_queued[node], true) {
            self.queue.push_back(node);
        }
    }

    fn look_at(&mut self, node: NodeId, is_late: bool) -> Result<()> {
        if self.tree.nodes[node].cover.is_some() {
            return Ok(());
        }
        match self.tree.life(node) {
            Life::Live => {}
            Life::Dead => return Ok(()),
            Life::Covered(above) => {
                self.tree.nodes[above].parked.push(node);
                return Ok(());
            }
        }
        if self.options.prune && self.is_blocked_on_sight(node) {
            if !is_late && self.rounds(node) > ROUNDS {
                self.is_queued[node] = true;
                self.later.push_back(node);
                return Ok(());
            }
            if (is_late && self.close(node)?) || self.block(node)? {
                return Ok(());
            }
        }
        if self.violations(node)? || self.close(node)? || self.force(node)? {
            return Ok(());
        }
        let plan = self.plan(node)?;
        self.expand(node, &plan, false);
        Ok(())
    }

    /// Whether the step to a node is impossible on sight.
    fn is_blocked_on_sight(&self, node: NodeId) -> bool {
        self.tree.nodes[node].guard.iter().any(|(_, part)| part.is_false())
    }

    /// How often the step to a node was made on its path.
    fn rounds(&self, node: NodeId) -> usize {
        let step = &self.tree.nodes[node].step;
        self.tree.path(0, node).iter().filter(|&&id| self.tree.nodes[id].step == *step).count()
    }

    /// Makes the labels say why the step to a node is impossible. Whether that worked.
    fn block(&mut self, node: NodeId) -> Result<bool> {
        match self.explain(0, node, Term::fls(), Interpolants::OnlyPreconditions)? {
            Explained::Holds(labels) => {
                self.statistics.refinements += 1;
                self.strengthen(0, node, &labels)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Makes the label exclude what must not be. Whether the node is done.
    fn violations(&mut self, node: NodeId) -> Result<bool> {
        let locations = Rc::clone(&self.tree.nodes[node].locations);
        for &location in locations.iter() {
            if let Some(property) = self.system.errors(location).into_iter().next() {
                self.exclude(node, property, Term::fls())?;
                return Ok(true);
            }
        }
        for (property, same) in self.system.races(&locations) {
            if !self.exclude(node, property, same.not())? {
                return Ok(true);
            }
            if self.tree.nodes[node].is_false() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Makes a claim part of a label, or ends with a bug. Whether the claim holds.
    fn exclude(&mut self, node: NodeId, property: usize, claim: Term) -> Result<bool> {
        if self.facts.implies(&self.tree.nodes[node].label, claim)? {
            return Ok(true);
        }
        match self.explain(0, node, claim, self.options.interpolants)? {
            Explained::Holds(labels) => {
                self.statistics.refinements += 1;
                self.strengthen(0, node, &labels)?;
                Ok(true)
            }
            Explained::Unknown => Err(End::Unknown(Unknown::Path)),
            Explained::Fails(model) => {
                let run = run::of_model(self.system, &self.tree, node, &model);
                let name = &self.system.program.properties[property].name;
                match engine::bug::believe(self.system.program, name, run.clone()) {
                    Some(bug) => Err(End::Bug(bug)),
                    None => {
                        run::must_replay(self.system.program, name, &run).map_err(End::Error)?;
                        let is_limit = self.system.program.properties[property].kind == PropertyKind::Limit;
                        let reason =
                            if is_limit { Unknown::Limit(property) } else { Unknown::Doubtful(property) };
                        self.obstacle.get_or_insert(reason);
                        self.tree.nodes[node].is_doubtful = true;
                        Ok(false)
                    }
                }
            }
        }
    }

    /// Why a claim holds at a node, if a node above is as its label says.
    fn explain(
        &mut self,
        from: NodeId,
        node: NodeId,
        claim: Term,
        method: Interpolants,
    ) -> Result<Explained> {
        let nodes = self.tree.path(from, node);
        let transitions: Vec<Rc<Transition>> =
            nodes.iter().filter_map(|&id| self.tree.nodes[id].transition.clone()).collect();
        let label = &self.tree.nodes[from].label;
        let path = if from == 0 {
            let guards = nodes.iter().map(|&id| Rc::clone(&self.tree.nodes[id].guard)).collect();
            let values = Rc::clone(&self.tree.nodes[node].values);
            let along = nodes.iter().map(|&id| Rc::clone(&self.tree.nodes[id].values)).collect();
            Path { label, transitions: &transitions, guards, values, along }
        } else {
            Path::new(label, &transitions)
        };
        let options = self.options;
        Ok(explain(&mut self.facts, &path, claim, method, (&options.solver, &options.config))?)
    }

    /// Adds formulas to the labels on a path, and uncovers what is not covered any more.
    fn strengthen(&mut self, from: NodeId, node: NodeId, labels: &[Term]) -> Result<()> {
        let nodes = self.tree.path(from, node);
        for (&id, label) in nodes.iter().zip(labels) {
            for part in label.conjuncts() {
                let known = &self.tree.nodes[id].label;
                if part.is_true() || known.contains(&part) {
                    continue;
                }
                if part.is_false() {
                    self.tree.nodes[id].label = vec![part];
                    let freed = self.tree.forget_below(id);
                    freed.into_iter().for_each(|freed| self.enqueue(freed));
                    return Ok(());
                }
                self.tree.nodes[id].label.push(part);
                let covered = std::mem::take(&mut self.tree.nodes[id].covers);
                for below in covered {
                    if self.facts.implies(&self.tree.nodes[below].label, part)? {
                        self.tree.nodes[id].covers.push(below);
                    } else {
                        let freed = self.tree.free(below);
                        freed.into_iter().for_each(|freed| self.enqueue(freed));
                    }
                }
            }
        }
        Ok(())
    }

    /// Covers a node by an older one whose label its own implies. Whether that worked.
    fn close(&mut self, node: NodeId) -> Result<bool> {
        for by in self.tree.older(node) {
            if !self.may_cover(node, by) || !self.is_implied(node, by)? {
                continue;
            }
            if self.tree.life(by) == Life::Live {
                self.cover(node, by)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the label of a node implies that of another.
    fn is_implied(&mut self, node: NodeId, by: NodeId) -> Result<bool> {
        for &part in &self.tree.nodes[by].label {
            if !self.facts.implies(&self.tree.nodes[node].label, part)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// With bounded changes of threads, a node that has used fewer covers one that has used more.
    fn may_cover(&self, node: NodeId, by: NodeId) -> bool {
        if self.options.context_bound.is_none() {
            return true;
        }
        let (node, by) = (&self.tree.nodes[node], &self.tree.nodes[by]);
        let thread = |step: &Option<Step>| step.as_ref().map(|step| step.thread);
        by.switches < node.switches
            || (by.switches == node.switches && thread(&by.step) == thread(&node.step))
    }

    fn cover(&mut self, node: NodeId, by: NodeId) -> Result<()> {
        self.statistics.covers += 1;
        let plan = self.plan(node)?;
        // Finding the plan may have changed labels, and with them what was true.
        if !self.is_implied(node, by)? || self.tree.life(by) != Life::Live {
            self.enqueue(node);
            return Ok(());
        }
        let freed = self.tree.cover(node, by);
        freed.into_iter().for_each(|freed| self.enqueue(freed));
        self.expand(by, &plan, true);
        Ok(())
    }

    /// Makes the label of a node imply that of an older one, if the path from the nearest node above both allows it.
    fn force(&mut self, node: NodeId) -> Result<bool> {
        // Covers are worth an attempt, but no effort.
        let method = match self.options.interpolants {
            Interpolants::Spacer => Interpolants::Spacer,
            _ => Interpolants::OnlyPreconditions,
        };
        let mut left = self.options.force_limit;
        for by in self.tree.older(node) {
            if left == 0 {
                break;
            }
            if !self.may_cover(node, by) || self.tree.life(by) != Life::Live {
                continue;
            }
            left -= 1;
            self.statistics.forced.1 += 1;
            let here = &self.tree.nodes[node];
            let is_refuted = |part: &Term| here.values.apply(*part).is_false();
            if !here.is_infeasible && self.tree.nodes[by].label.iter().any(is_refuted) {
                continue;
            }
            let claim = Term::and_all(self.tree.nodes[by].label.iter().copied());
            let above = self.tree.common(node, by);
            let Explained::Holds(labels) = self.explain(above, node, claim, method)? else { continue };
            self.strengthen(above, node, &labels)?;
            if self.tree.life(by) == Life::Live && self.close(node)? {
                self.statistics.forced.0 += 1;
                return Ok(true);
            }
            if self.tree.nodes[node].is_false() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
