//! The judge of proofs. It uses nothing that searches: not the tree, nor how the search describes steps, nor what it takes for independent.
//!
//! A proof is accepted if
//! - the root is where the program begins, and its label holds there;
//! - each node's label holds after its step, whenever the label of the node before held;
//! - at nodes whose label is not false, no thread is where it must not be, and no two threads race;
//! - a covered node has the locations of the covering node, implies its label, and the covering one is neither covered nor false;
//! - every step of every thread is expanded, or impossible under the label, or left out *with a reason*: the last step was made by a thread with a greater number, and under the label before it, both
//!   orders lead to the same state. At a covered node the covering one expands what is not left out;
//! - or a thread goes first *alone*: it is where no property asks, its edges access only its own locals, which no broadcast touches, one of them is always possible,
//!   and no cycle leads through such places. No proof has both reasons.
//!
//! Why this is enough: a run whose last violation is not excluded can be reordered, without a change of its last state, until no step follows one of a greater thread with
//! which it could change places; each exchange leaves fewer pairs of steps in the wrong order, so this ends. Such a run follows the tree from cover to cover: by induction it is at a node whose
//! label holds, its next step is not left out there, so it is expanded at the node, or at the one that covers it, whose label holds, too.
//!
//! A proof without a tree is judged in `modular`.
//!
//! Where a thread goes first: take a run on to a violation. If the thread makes a step in it, the first of them can be made now, since it neither sees nor changes what others do, and fewer steps remain. If it makes none, a step that is possible is added now; the rest of the run is
//! possible after it and violates the same, and there are fewer private places before the thread. Either cannot go on for ever.

mod modular;
mod symbolic;
#[cfg(test)]
mod tests;

use self::symbolic::{Model, State};
use crate::proof::{Proof, ProofNode, Taken};
use frontend::program::{EdgeId, LocationId, Program, Target, trust};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Answer, Config, Solver, SolverChoice, SolverError, Term, create};

/// Why a proof is rejected.
#[derive(Debug, thiserror::Error)]
pub enum Rejected {
    /// What is wrong, and where.
    #[error("node {0}: {1}")]
    Node(usize, String),
    /// What is wrong, and at which location.
    #[error("location {0}: {1}")]
    Place(u32, String),
    /// The program is not one that such a proof can be about.
    #[error("{0}")]
    Program(String),
    /// The solver did not say that it is right.
    #[error("the solver has no answer: {0}")]
    Solver(#[from] SolverError),
}

/// Checks a proof.
pub fn check(
    program: &Program,
    proof: &Proof,
    choice: &SolverChoice,
    config: &Config,
) -> Result<(), Rejected> {
    if let Err(note) = trust::may_be_safe(program) {
        let note = program.notes.get(note.0 as usize).map_or("", |note| note.message.as_str());
        return Err(Rejected::Program(format!("the source may do more: {note}")));
    }
    let model = if proof.modular.is_some() { Model::of_edges(program) } else { Model::new(program) };
    let model = model.map_err(Rejected::Program)?;
    let solver = create(choice, config)?;
    let mut judge = Judge {
        model,
        proof,
        solver,
        locations: Vec::new(),
        children: Vec::new(),
        commuting: FxHashMap::default(),
    };
    let has_both = proof.nodes.iter().any(|node| node.alone.is_some())
        && proof.nodes.iter().any(|node| !node.skips.is_empty());
    if let Some(modular) = &proof.modular {
        // A thread that waits is at a location like any other.
        return judge.modular(modular);
    }
    if has_both {
        return Err(Rejected::Program("two kinds of reasons do not go together".to_owned()));
    }
    judge.pool()?;
    judge.shape()?;
    for number in 0..proof.nodes.len() {
        judge.node(number)?;
    }
    Ok(())
}

struct Judge<'a> {
    model: Model<'a>,
    proof: &'a Proof,
    solver: Box<dyn Solver>,
    /// By node.
    locations: Vec<Vec<LocationId>>,
    children: Vec<FxHashSet<Taken>>,
    /// Whether two steps in a row can change places whatever the label: steps and number of threads.
    commuting: FxHashMap<(Taken, Taken, usize), bool>,
}

fn wrong<T>(node: usize, message: impl Into<String>) -> Result<T, Rejected> {
    Err(Rejected::Node(node, message.into()))
}

fn wrong_place<T>(location: LocationId, message: impl Into<String>) -> Result<T, Rejected> {
    Err(Rejected::Place(location.0, message.into()))
}

impl Judge<'_> {
    /// Whether formulas contradict each other.
    fn contradict(&mut self, formulas: &[Term]) -> Result<bool, Rejected> {
        if formulas.iter().any(|formula| formula.is_false()) {
            return Ok(true);
        }
        match self.solver.check_assuming(formulas)? {
            Answer::Unsat => Ok(true),
            Answer::Sat => Ok(false),
            Answer::Unknown(reason) => {
                let solver = self.solver.name().to_owned();
                Err(Rejected::Solver(SolverError::Protocol { solver, message: reason.to_string() }))
            }
        }
    }

    /// Threads that wait keep their first values.
    fn pool(&mut self) -> Result<(), Rejected> {
        for changed in self.model.pool_changes() {
            if !self.contradict(&changed)? {
                return Err(Rejected::Program(
                    "a broadcast changes threads that have not started".to_owned(),
                ));
            }
        }
        Ok(())
    }

    /// Locations of nodes, and what was expanded where.
    fn shape(&mut self) -> Result<(), Rejected> {
        let program = self.model.program;
        for (number, node) in self.proof.nodes.iter().enumerate() {
            self.children.push(FxHashSet::default());
            let Some((parent, step)) = &node.from else {
                if number != 0 {
                    return wrong(number, "it comes from nowhere");
                }
                self.locations.push(vec![program.main]);
                continue;
            };
            if *parent >= number {
                return wrong(number, "it comes before the node that it comes from");
            }
            let mut locations = self.locations[*parent].clone();
            let is_here = locations.get(step.thread) == Some(&program.edge(step.edges[0]).from);
            let from_pool = |edge: &EdgeId| Some(program.edge(*edge).from) == program.pool;
            if !is_here || from_pool(&step.edges[0]) || !step.edges[1..].iter().all(from_pool) {
                return wrong(number, "its step cannot be made");
            }
            locations[step.thread] = program.edge(step.edges[0]).to;
            locations.extend(step.edges[1..].iter().map(|edge| program.edge(*edge).to));
            self.locations.push(locations);
            self.children[*parent].insert(step.clone());
        }
        if self.proof.nodes.is_empty() {
            return Err(Rejected::Program("the proof has no nodes".to_owned()));
        }
        Ok(())
    }

    fn node(&mut self, number: usize) -> Result<(), Rejected> {
        let proof = self.proof;
        let node = &proof.nodes[number];
        self.label(number, node)?;
        let is_false = node.label.iter().any(|part| part.is_false());
        if is_false {
            return Ok(());
        }
        self.errors(number, node)?;
        match node.cover {
            None => self.complete(number, number),
            Some(by) => {
                self.covered(number, by)?;
                self.complete(number, by)
            }
        }
    }

    /// The label holds whenever the label before held and the step was made.
    fn label(&mut self, number: usize, node: &ProofNode) -> Result<(), Rejected> {
        let (mut premises, state) = match &node.from {
            None => (self.model.initial(), State::default()),
            Some((parent, step)) => {
                let threads = self.locations[*parent].len();
                let mut state = State::default();
                let mut premises = self.model.take(&mut state, step, threads, "");
                premises.extend(&self.proof.nodes[*parent].label);
                (premises, state)
            }
        };
        for part in &node.label {
            premises.push(state.read(*part).not());
            if !self.contradict(&premises)? {
                return wrong(number, format!("the label does not follow: {part}"));
            }
            premises.pop();
        }
        Ok(())
    }

    /// Nothing is violated here.
    fn errors(&mut self, number: usize, node: &ProofNode) -> Result<(), Rejected> {
        let locations = self.locations[number].clone();
        for property in &self.model.program.properties {
            match &property.target {
                Target::Location(location) if locations.contains(location) => {
                    if !self.contradict(&node.label)? {
                        return wrong(number, format!("{} may be violated", property.name));
                    }
                }
                Target::Location(_) => {}
                Target::Race(first, second) => {
                    for same in self.model.races(&locations, first, second) {
                        let mut formulas = node.label.clone();
                        formulas.push(same);
                        if !self.contradict(&formulas)? {
                            return wrong(number, format!("{} may be violated", property.name));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// The covering node has more states, at the same locations, and is itself expanded.
    fn covered(&mut self, number: usize, by: usize) -> Result<(), Rejected> {
        let Some(other) = self.proof.nodes.get(by) else { return wrong(number, "covered by no node") };
        if other.cover.is_some() || other.label.iter().any(|part| part.is_false()) {
            return wrong(number, format!("covered by node {by}, which is not expanded"));
        }
        if self.locations[by] != self.locations[number] {
            return wrong(number, format!("covered by node {by} with other locations"));
        }
        let mut premises = self.proof.nodes[number].label.clone();
        for part in &other.label {
            premises.push(part.not());
            if !self.contradict(&premises)? {
                return wrong(number, format!("covered by node {by}, whose label does not follow: {part}"));
            }
            premises.pop();
        }
        Ok(())
    }

    /// Every step is left out with a reason, or expanded at a node, or impossible.
    fn complete(&mut self, number: usize, at: usize) -> Result<(), Rejected> {
        let node = &self.proof.nodes[number];
        let locations = self.locations[number].clone();
        if let Some(thread) = node.alone {
            let demand = locations.get(thread).and_then(|location| self.model.alone(*location));
            let Some(stuck) = demand else { return wrong(number, "a thread goes first without reason") };
            if !self.contradict(&stuck)? {
                return wrong(number, "a thread goes first that may have nothing to do");
            }
        }
        for step in self.model.steps(&locations) {
            if self.children[at].contains(&step) || node.alone.is_some_and(|thread| thread != step.thread) {
                continue;
            }
            if node.skips.contains(&step) {
                if !self.may_wait(number, &step)? {
                    return wrong(number, format!("{} is left out without reason", shown(&step)));
                }
                continue;
            }
            let mut formulas = self.model.take(&mut State::default(), &step, locations.len(), "");
            formulas.extend(&node.label);
            if !self.contradict(&formulas)? {
                return wrong(number, format!("{} is not expanded", shown(&step)));
            }
        }
        Ok(())
    }

    /// Whether a step could have been made before the one that led to a node, and by a smaller thread.
    fn may_wait(&mut self, number: usize, step: &Taken) -> Result<bool, Rejected> {
        let Some((parent, last)) = &self.proof.nodes[number].from else { return Ok(false) };
        let both_create = last.edges.len() > 1 && step.edges.len() > 1;
        if step.thread >= last.thread || both_create {
            return Ok(false);
        }
        let threads = self.locations[*parent].len();
        let key = (last.clone(), step.clone(), threads);
        if let Some(true) = self.commuting.get(&key) {
            return Ok(true);
        }
        let different = self.model.different(last, step, threads);
        if !self.commuting.contains_key(&key) {
            let always = self.contradict(&different)?;
            self.commuting.insert(key, always);
            if always {
                return Ok(true);
            }
        }
        let mut formulas = different;
        formulas.extend(&self.proof.nodes[*parent].label);
        self.contradict(&formulas)
    }
}

fn shown(step: &Taken) -> String {
    format!("step {} of thread {}", step.edges[0].0, step.thread)
}
