//! Which steps are expanded at a node, and which are left out.

use super::{Result, Search};
use crate::explain::{Explained, Interpolants, chosen};
use crate::independence::{Relation, relation};
use crate::options::{Reduction, Unknown};
use crate::system::Step;
use crate::tree::NodeId;
use smt::Term;
use std::rc::Rc;

impl Search<'_, '_> {
    /// The steps that have to be expanded at a node.
    pub(super) fn plan(&mut self, node: NodeId) -> Result<Rc<Vec<Step>>> {
        if let Some(plan) = &self.tree.nodes[node].plan {
            return Ok(Rc::clone(plan));
        }
        let mut steps = self.system.steps(&self.tree.nodes[node].locations);
        if let Some(alone) = self.alone(node)? {
            self.statistics.skipped += steps.iter().filter(|step| step.thread != alone).count();
            steps.retain(|step| step.thread == alone);
            self.tree.nodes[node].alone = Some(alone);
        }
        let mut plan = Vec::new();
        for step in steps {
            if self.is_skipped(node, &step)? {
                self.statistics.skipped += 1;
            } else {
                plan.push(step);
            }
        }
        let plan = Rc::new(plan);
        self.tree.nodes[node].plan = Some(Rc::clone(&plan));
        Ok(plan)
    }

    /// The thread that goes first while all others wait, if there is one.
    fn alone(&mut self, node: NodeId) -> Result<Option<usize>> {
        if self.options.reduction != Reduction::Static || self.options.context_bound.is_some() {
            return Ok(None);
        }
        let Some((thread, some)) = self.system.alone(&self.tree.nodes[node].locations) else {
            return Ok(None);
        };
        Ok(self.facts.implies(&[], some)?.then_some(thread))
    }

    /// Whether a step can be left out: it could have been made before the last one, by a thread with a smaller number.
    fn is_skipped(&mut self, node: NodeId, step: &Step) -> Result<bool> {
        let is_reduced =
            self.options.reduction == Reduction::Monotonic && self.options.context_bound.is_none();
        let (Some(parent), Some(last)) = (self.tree.nodes[node].parent, self.tree.nodes[node].step.clone())
        else {
            return Ok(false);
        };
        let both_create = !last.what.starts.is_empty() && !step.what.starts.is_empty();
        if !is_reduced || step.thread >= last.thread || both_create {
            return Ok(false);
        }
        let threads = self.tree.nodes[parent].locations.len();
        let first = self.tree.transition(self.system, &last, threads);
        let second = self.tree.transition(self.system, step, self.tree.nodes[node].locations.len());
        let key = (Rc::as_ptr(&first), Rc::as_ptr(&second));
        let known = self.relations.entry(key).or_insert_with(|| Rc::new(relation(&first, &second)));
        let conflict = match &**known {
            Relation::Independent => return Ok(true),
            Relation::Dependent => return Ok(false),
            Relation::Unless(conflict) => conflict.clone(),
        };
        let claim = conflict.context.implies(conflict.same.not());
        let mut is_apart = self.facts.implies(&self.tree.nodes[parent].label, claim)?;
        let inputs = first
            .inputs
            .iter()
            .zip(std::iter::repeat(0))
            .chain(second.inputs.iter().zip(std::iter::repeat(1)));
        let inputs: Vec<Term> = inputs.map(|(&input, number)| chosen(input, number)).collect();
        let chooses = conflict.same.constants().iter().any(|constant| inputs.contains(constant));
        if !is_apart && !chooses && !self.tree.nodes[parent].values.apply(conflict.same).is_true() {
            let differs = conflict.same.not();
            if let Explained::Holds(labels) =
                self.explain(0, parent, differs, Interpolants::OnlyPreconditions)?
            {
                self.strengthen(0, parent, &labels)?;
                is_apart = true;
            }
        }
        self.statistics.skipped_by_alias += usize::from(is_apart);
        Ok(is_apart)
    }

    /// Makes children for steps that have none.
    pub(super) fn expand(&mut self, node: NodeId, plan: &[Step], by_cover: bool) {
        let mut new = Vec::new();
        for step in plan {
            if self.tree.nodes[node].children.iter().any(|(known, _)| known == step) {
                continue;
            }
            let threads = self.tree.nodes[node].locations.len() + step.what.starts.len();
            if threads > self.options.max_threads {
                self.obstacle.get_or_insert(Unknown::Threads(self.options.max_threads));
                continue;
            }
            let is_switch =
                self.tree.nodes[node].step.as_ref().is_some_and(|last| last.thread != step.thread);
            let switches = self.tree.nodes[node].switches + usize::from(is_switch);
            if let Some(bound) = self.options.context_bound.filter(|bound| switches > *bound) {
                self.obstacle.get_or_insert(Unknown::Contexts(bound));
                continue;
            }
            new.push(self.tree.child(self.system, node, step, by_cover));
        }
        // The last one is looked at first: errors, then threads with small numbers.
        new.sort_by_key(|&child| {
            let node = &self.tree.nodes[child];
            let is_error = node.locations.iter().any(|&location| !self.system.errors(location).is_empty());
            let thread = node.step.as_ref().map_or(0, |step| step.thread);
            (is_error, std::cmp::Reverse((thread, child)))
        });
        new.into_iter().for_each(|child| self.enqueue(child));
    }
}
