//! Checks a proof of uncoverability (thesis, definition 24).
//!
//! A proof stands for a set X of states: those above one of its elements and those that violate one of its
//! invariants. Both kinds are closed upward, so X is. The proof is right if
//!
//! - (a) every target is in X,
//! - (b) and (c) X contains with every state all its predecessors,
//! - (d) no initial state is in X.
//!
//! Then no run from an initial state ends in X: its last state would be in X, so the one before, and so on.
//! A state that covers a target is in X because X is closed upward. So no target is coverable.
//!
//! (b) handles the predecessors of states above an element, see the module `predecessors`. (c) handles those
//! of states that violate an invariant. Let t lead from p to q, and let q violate the invariant, which therefore
//! speaks of the shared state `t.to`. There are three cases in which p is in X:
//!
//! - `t.from` with `t.consume` is in X. Then p is, because it is above that state.
//! - p has a passive thread in a local state a such that `t.from` with `t.consume` and one thread in a is in
//!   X. Then p is, for the same reason.
//! - Otherwise p has passive threads only in local states without this property. Let the invariant speak of
//!   `t.from`, let none of their rules raise a thread's weight (to vanish never does, because weights are not
//!   negative), and let `t.to` and `t.produce` together not weigh more than `t.from` and `t.consume`. Then p weighs
//!   at least as much as q, so p violates the invariant as q does.
//!
//! The deviation from the thesis is the invariants: its proofs have elements only.

use super::members::Members;
use super::name_transition;
use super::predecessors::Predecessors;
use crate::proof::{Invariant, Proof};
use crate::system::{InitialStates, Multiset, Problem, Shared, State, System, Transition};
use rustc_hash::FxHashSet;

/// What was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The number of elements.
    pub elements: usize,
    /// The number of invariants.
    pub invariants: usize,
    /// How many states were looked up in the proof's set in order to see that it contains all predecessors.
    pub examined: u64,
    /// The largest number of threads in an element.
    pub max_threads: u64,
}

/// Why a proof is not one. Elements, invariants, targets and transitions are counted from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// The proof is about other initial states than the question.
    #[error("the proof is about the initial states {proof}, the question about {question}")]
    OtherInit {
        /// The initial states of the proof.
        proof: String,
        /// The initial states of the question.
        question: String,
    },
    /// The proof does not speak of a target of the question.
    #[error("the question has the target {target}, which is not among the targets of the proof")]
    OtherTarget {
        /// The target that misses.
        target: String,
    },
    /// A state that the system does not have.
    #[error("{place} has the {kind} state {state}, but the system has only {states} of them")]
    OutOfRange {
        /// The part of the proof.
        place: String,
        /// `shared` or `local`.
        kind: &'static str,
        /// The state.
        state: u32,
        /// How many there are.
        states: u32,
    },
    /// A list that is not in ascending order, or has a repetition or a zero count.
    #[error("{place} does not list its {kind} states in ascending order, each once")]
    Disorder {
        /// The part of the proof.
        place: String,
        /// `shared` or `local`.
        kind: &'static str,
    },
    /// (a): a target is not in X.
    #[error(
        "target {shown} is not in the proof's set: no element lies below it, and it violates no invariant"
    )]
    TargetMissing {
        /// The number of the target.
        target: usize,
        /// The target.
        shown: String,
    },
    /// (b): a predecessor of an element is not in X.
    #[error(
        "element {element} ({shown}) has the predecessor {shown_predecessor} by {shown_transition}, which is not in the proof's set"
    )]
    PredecessorMissing {
        /// The number of the element.
        element: usize,
        /// The element.
        shown: String,
        /// The number of the transition.
        transition: usize,
        /// The transition.
        shown_transition: String,
        /// The predecessor: a step by the transition leads from it to a state above the element.
        predecessor: Box<State>,
        /// The predecessor, with the user's names.
        shown_predecessor: String,
    },
    /// (c): a transition enters the shared states that the invariant speaks of.
    #[error(
        "invariant {invariant} can break: {shown_transition} leads to shared state {to}, of which the invariant speaks, from {from}, of which it does not"
    )]
    InvariantEntered {
        /// The number of the invariant.
        invariant: usize,
        /// The number of the transition.
        transition: usize,
        /// The transition.
        shown_transition: String,
        /// The shared state before.
        from: Shared,
        /// The shared state after.
        to: Shared,
    },
    /// (c): the active part of a transition raises the weight.
    #[error(
        "invariant {invariant} can break: {shown_transition} raises the weight of shared state and active threads from {before} to {after}"
    )]
    WeightRaised {
        /// The number of the invariant.
        invariant: usize,
        /// The number of the transition.
        transition: usize,
        /// The transition.
        shown_transition: String,
        /// The weight that the transition takes away.
        before: i128,
        /// The weight that it puts back.
        after: i128,
    },
    /// (c): a transfer rule raises the weight.
    #[error(
        "invariant {invariant} can break: in {shown_transition}, passive threads from {from} of weight {before} can move to {to} of weight {after}"
    )]
    PassiveWeightRaised {
        /// The number of the invariant.
        invariant: usize,
        /// The number of the transition.
        transition: usize,
        /// The transition.
        shown_transition: String,
        /// The local state that the rule is for.
        from: String,
        /// Its weight.
        before: u32,
        /// A heavier local state that the rule allows.
        to: String,
        /// Its weight.
        after: u32,
    },
    /// (d): an initial state is above an element.
    #[error("element {element} ({shown}) is covered by an initial state ({init})")]
    InitialElement {
        /// The number of the element.
        element: usize,
        /// The element.
        shown: String,
        /// The initial states.
        init: String,
    },
    /// (d): initial states can be as heavy as they like.
    #[error(
        "invariant {invariant} does not hold initially: any number of threads can start in {local}, which has weight {weight}"
    )]
    InitialUnbounded {
        /// The number of the invariant.
        invariant: usize,
        /// A local state with any number of initial threads.
        local: String,
        /// Its weight.
        weight: u32,
    },
    /// (d): the initial states are too heavy.
    #[error(
        "invariant {invariant} does not hold initially: the initial states ({init}) have weight {weight}, which is above the bound {bound}"
    )]
    InitialWeight {
        /// The number of the invariant.
        invariant: usize,
        /// The initial states.
        init: String,
        /// Their weight.
        weight: i128,
        /// The bound.
        bound: i128,
    },
}

/// Checks that `proof` shows its targets uncoverable from its initial states. Whether these are the targets
/// and initial states that one wants to know about is for the caller to see, or for [`verify_problem`].
pub fn verify(system: &System, proof: &Proof) -> Result<Summary, Flaw> {
    check_form(system, proof)?;
    let judge = Judge { system, proof, members: Members::new(proof) };
    judge.targets()?;
    judge.initial_states()?;
    judge.invariants()?;
    let examined = judge.predecessors()?;
    Ok(Summary {
        elements: proof.elements.len(),
        invariants: proof.invariants.len(),
        examined,
        max_threads: proof.max_threads(),
    })
}

/// Checks that `proof` answers the question: it is right, and it is about these initial states and targets.
pub fn verify_problem(problem: &Problem, proof: &Proof) -> Result<Summary, Flaw> {
    let system = &problem.system;
    if proof.init != problem.init {
        let (proof, question) = (show_init(system, &proof.init), show_init(system, &problem.init));
        return Err(Flaw::OtherInit { proof, question });
    }
    let proved: FxHashSet<&State> = proof.targets.iter().collect();
    if let Some(target) = problem.targets.iter().find(|target| !proved.contains(target)) {
        return Err(Flaw::OtherTarget { target: system.show(target).to_string() });
    }
    verify(system, proof)
}

struct Judge<'a> {
    system: &'a System,
    proof: &'a Proof,
    members: Members,
}

impl Judge<'_> {
    /// (a)
    fn targets(&self) -> Result<(), Flaw> {
        let in_x = |target: &State| self.members.contain(target.shared, target.threads.pairs());
        match self.proof.targets.iter().position(|target| !in_x(target)) {
            None => Ok(()),
            Some(target) => {
                Err(Flaw::TargetMissing { target, shown: self.show(&self.proof.targets[target]) })
            }
        }
    }

    /// (b)
    fn predecessors(&self) -> Result<u64, Flaw> {
        let mut predecessors = Predecessors::new(self.system, &self.members);
        for (number, element) in self.proof.elements.iter().enumerate() {
            if let Some((transition, predecessor)) = predecessors.missing(&self.members, element) {
                return Err(Flaw::PredecessorMissing {
                    element: number,
                    shown: self.show(element),
                    transition,
                    shown_transition: name_transition(self.system, transition),
                    shown_predecessor: self.show(&predecessor),
                    predecessor: Box::new(predecessor),
                });
            }
        }
        Ok(predecessors.examined)
    }

    /// (c)
    fn invariants(&self) -> Result<(), Flaw> {
        for invariant in 0..self.proof.invariants.len() {
            for (id, t) in self.system.transitions.iter().enumerate() {
                self.invariant_is_kept(invariant, id, t)?;
            }
        }
        Ok(())
    }

    fn invariant_is_kept(&self, invariant: usize, id: usize, t: &Transition) -> Result<(), Flaw> {
        let weights = &self.members.invariants[invariant];
        let Some(after) = weights.of(t.to, t.produce.pairs()) else { return Ok(()) };
        let before = weights.of(t.from, t.consume.pairs());
        if before.is_none_or(|before| before < after) {
            if self.members.contain(t.from, t.consume.pairs()) {
                return Ok(());
            }
            let (transition, shown_transition) = (id, name_transition(self.system, id));
            return Err(match before {
                Some(before) => Flaw::WeightRaised { invariant, transition, shown_transition, before, after },
                None => {
                    let (from, to) = (t.from, t.to);
                    Flaw::InvariantEntered { invariant, transition, shown_transition, from, to }
                }
            });
        }
        for rule in &t.transfers {
            let before = weights.of_local(rule.from);
            let Some(&to) = rule.to.iter().find(|&&to| weights.of_local(to) > before) else { continue };
            let mut needed = t.consume.clone();
            needed.add(rule.from, 1);
            if !self.members.contain(t.from, needed.pairs()) {
                return Err(Flaw::PassiveWeightRaised {
                    invariant,
                    transition: id,
                    shown_transition: name_transition(self.system, id),
                    from: self.system.show_local(rule.from),
                    before,
                    to: self.system.show_local(to),
                    after: weights.of_local(to),
                });
            }
        }
        Ok(())
    }

    /// (d)
    fn initial_states(&self) -> Result<(), Flaw> {
        let init = &self.proof.init;
        let unbounded: FxHashSet<_> = init.unbounded.iter().copied().collect();
        for (number, element) in self.proof.elements.iter().enumerate() {
            let enough = |&(l, c): &(u32, u32)| unbounded.contains(&l) || c <= init.bounded.count(l);
            if element.shared == init.shared && element.threads.pairs().iter().all(enough) {
                let (shown, init) = (self.show(element), show_init(self.system, init));
                return Err(Flaw::InitialElement { element: number, shown, init });
            }
        }
        for (invariant, weights) in self.members.invariants.iter().enumerate() {
            let Some(weight) = weights.of(init.shared, init.bounded.pairs()) else { continue };
            if let Some(&local) = init.unbounded.iter().find(|&&local| weights.of_local(local) > 0) {
                let (weight, local) = (weights.of_local(local), self.system.show_local(local));
                return Err(Flaw::InitialUnbounded { invariant, local, weight });
            }
            if weight > weights.bound {
                let (init, bound) = (show_init(self.system, init), weights.bound);
                return Err(Flaw::InitialWeight { invariant, init, weight, bound });
            }
        }
        Ok(())
    }

    fn show(&self, state: &State) -> String {
        self.system.show(state).to_string()
    }
}

fn show_init(system: &System, init: &InitialStates) -> String {
    crate::emdr::show_init(init, |local| system.show_local(local))
}

/// All states exist, and all lists are ascending: the rest of the check relies on it.
fn check_form(system: &System, proof: &Proof) -> Result<(), Flaw> {
    let init = || "the initial state".to_owned();
    check_state(system, init, proof.init.shared, &proof.init.bounded)?;
    check_list(init, "local", system.local_states, &proof.init.unbounded)?;
    for (number, target) in proof.targets.iter().enumerate() {
        check_state(system, || format!("target {number}"), target.shared, &target.threads)?;
    }
    for (number, element) in proof.elements.iter().enumerate() {
        check_state(system, || format!("element {number}"), element.shared, &element.threads)?;
    }
    for (number, Invariant { shared, locals, bound: _ }) in proof.invariants.iter().enumerate() {
        let place = || format!("invariant {number}");
        check_list(place, "shared", system.shared_states, shared.iter().map(|pair| &pair.0))?;
        check_list(place, "local", system.local_states, locals.iter().map(|pair| &pair.0))?;
    }
    Ok(())
}

fn check_state(
    system: &System,
    place: impl Fn() -> String,
    shared: u32,
    threads: &Multiset,
) -> Result<(), Flaw> {
    check_list(&place, "shared", system.shared_states, &[shared])?;
    check_list(&place, "local", system.local_states, threads.pairs().iter().map(|pair| &pair.0))?;
    if threads.pairs().iter().any(|pair| pair.1 == 0) {
        return Err(Flaw::Disorder { place: place(), kind: "local" });
    }
    Ok(())
}

fn check_list<'a>(
    place: impl Fn() -> String,
    kind: &'static str,
    states: u32,
    list: impl IntoIterator<Item = &'a u32>,
) -> Result<(), Flaw> {
    let mut previous = None;
    for &state in list {
        if state >= states {
            return Err(Flaw::OutOfRange { place: place(), kind, state, states });
        }
        if previous.is_some_and(|previous| previous >= state) {
            return Err(Flaw::Disorder { place: place(), kind });
        }
        previous = Some(state);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
