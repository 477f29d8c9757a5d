//! From the reduced system back to the user's: what a state stands for, and proofs.
//!
//! A proof of the reduced system is a set X' of reduced states. The user's proof X is followed from the
//! targets: each cover predecessor of an element, in the user's system, must be in X for one of the reasons
//! that the reductions give, and the smallest part of it that shows the reason becomes the next element.
//! So X has only what the targets need, and a reduction that went wrong shows as a predecessor without a
//! reason rather than as a wrong proof.

use super::GONE;
use super::reach::Reach;
use crate::antichain::{States, UpwardClosed};
use crate::invariant::{NetInvariant, broken_by, violates};
use crate::limits::Stop;
use crate::net::{Net, Pairs, Part};
use crate::proof::{Invariant, Proof};
use crate::system::{Local, Multiset, Problem, Shared, State};

/// How the reduced system relates to the user's.
pub(crate) struct Lift {
    pub(super) reach: Reach,
    pub(super) eliminated: Vec<bool>,
    pub(super) forced: Vec<Local>,
    pub(super) forced_steps: Vec<(Shared, Local, u32)>,
    pub(super) net_of_shared: Vec<u32>,
    pub(super) net_of_local: Vec<u32>,
    pub(super) shared_of_net: Vec<Shared>,
    pub(super) local_of_net: Vec<Local>,
    /// For each reduced shared state, whether steps lead from it to a target's.
    pub(super) reaches_target: Vec<bool>,
    /// The user's target for each reduced one; targets that cannot be reached are gone.
    pub(crate) target_of_net: Vec<usize>,
}

/// A proof about the reduced system.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReducedProof {
    pub(crate) elements: Vec<(Shared, Pairs)>,
    pub(crate) invariants: Vec<NetInvariant>,
}

/// Why there is no proof.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum Unproved {
    /// The reduction left a predecessor without a reason: a bug in this program.
    #[error("internal error: no reason why {0} is uncoverable")]
    NoReason(String),
    /// Merged local states make the proof explode: each thread of an element can be in several places.
    #[error("too many elements")]
    TooLarge,
    /// A limit was reached.
    #[error("stopped")]
    Stopped,
}

/// With merged local states, a proof may have this many elements, or this many for each reduced one.
const MERGED_ELEMENTS: usize = 20_000;
const MERGED_FACTOR: usize = 20;

impl Lift {
    /// The local state in which a thread can be taken to be, after its forced steps.
    pub(crate) fn end_of_forced(&self, l: Local) -> Local {
        self.forced[l as usize]
    }

    /// The user's transition for the forced step of a thread in `l` under `s`.
    pub(crate) fn forced_step(&self, s: Shared, l: Local) -> Option<usize> {
        let index = self.forced_steps.binary_search_by_key(&(s, l), |f| (f.0, f.1)).ok()?;
        Some(self.forced_steps[index].2 as usize)
    }

    /// The user's number of a reduced local state.
    pub(crate) fn local(&self, number: u32) -> Local {
        self.local_of_net[number as usize]
    }

    /// The reduced number of the user's local state, forced steps taken.
    pub(crate) fn net_local(&self, l: Local) -> Option<u32> {
        let number = self.net_of_local[self.forced[l as usize] as usize];
        (number != GONE).then_some(number)
    }

    /// A reduced state in the user's numbers.
    pub(crate) fn state(&self, s: Shared, threads: &[(Local, u32)]) -> State {
        let locals = threads.iter().map(|&(l, c)| (self.local_of_net[l as usize], c)).collect();
        State { shared: self.shared_of_net[s as usize], threads: Multiset::from_sorted(locals) }
    }

    /// The user's state in reduced numbers; threads that nothing mentions are left out.
    fn reduced_threads(&self, threads: &Multiset) -> Pairs {
        let mut reduced = Pairs::new();
        for &(l, c) in threads.pairs() {
            if let Some(number) = self.net_local(l) {
                crate::net::add(&mut reduced, number, c);
            }
        }
        reduced
    }

    /// An invariant in the user's numbers. Shared states that were merged get the largest weight that the
    /// steps out of them demand; shared states that cannot matter are left out.
    fn invariant(&self, problem: &Problem, reduced: &NetInvariant) -> Invariant {
        let local_weight = |l: Local| self.net_local(l).map_or(0, |number| reduced.locals[number as usize]);
        let all = 0..problem.system.local_states;
        let locals = all.map(|l| (l, local_weight(l))).filter(|w| w.1 > 0).collect();
        // Of shared states from which no target can be reached the invariant does not speak: steps into them
        // are not in the reduced system.
        let speaks_of = |n: u32| n != GONE && self.reaches_target[n as usize];
        let weight = |&n: &u32| speaks_of(n).then(|| reduced.shared[n as usize]);
        let mut weights: Vec<Option<i64>> = self.net_of_shared.iter().map(weight).collect();
        let mut outgoing: Vec<Vec<usize>> = vec![Vec::new(); weights.len()];
        for (id, t) in problem.system.transitions.iter().enumerate() {
            // A step that keeps a merged state was dropped before as useless: it gains nothing.
            if t.from != t.to && self.eliminated[t.from as usize] && self.reach.may_fire(t) {
                outgoing[t.from as usize].push(id);
            }
        }
        // Sums that do not fit saturate; the proof is then refused.
        let weight = |threads: &Multiset| {
            let one = |&(l, c): &(Local, u32)| i64::from(local_weight(l)).saturating_mul(c.into());
            threads.pairs().iter().map(one).fold(0, i64::saturating_add)
        };
        // Merged states form no cycle (the last one of a cycle would keep itself and is not merged): a state
        // is done when all states behind it are. Should that ever be wrong, the proof is refused, not wrong.
        let mut visited = vec![false; weights.len()];
        let mut stack: Vec<Shared> =
            (0..weights.len() as Shared).filter(|&s| self.eliminated[s as usize]).collect();
        while let Some(&s) = stack.last() {
            if weights[s as usize].is_some() {
                stack.pop();
                continue;
            }
            visited[s as usize] = true;
            let behind = |&&id: &&usize| {
                let to = problem.system.transitions[id].to as usize;
                self.eliminated[to] && weights[to].is_none() && !visited[to]
            };
            if let Some(&id) = outgoing[s as usize].iter().find(behind) {
                stack.push(problem.system.transitions[id].to);
                continue;
            }
            let demands = outgoing[s as usize].iter().filter_map(|&id| {
                let t = &problem.system.transitions[id];
                let after = weights[t.to as usize]?.saturating_add(weight(&t.produce));
                Some(after.saturating_sub(weight(&t.consume)))
            });
            weights[s as usize] = Some(demands.max().unwrap_or(i64::MIN / 2));
        }
        let shared = weights.iter().enumerate().filter_map(|(s, w)| Some((s as Shared, (*w)?)));
        let shared = shared.filter(|w| w.1 > i64::MIN / 4).collect();
        Invariant { shared, locals, bound: reduced.bound }
    }

    /// A proof about the user's system.
    pub(crate) fn proof(
        &self,
        problem: &Problem,
        reduced: &ReducedProof,
        stop: &Stop<'_>,
    ) -> Result<Proof, Unproved> {
        let mut lifting = Lifting::new(self, problem, reduced);
        for target in &problem.targets {
            lifting.justify(target)?;
        }
        loop {
            lifting.close(stop)?;
            if !lifting.justify_invariants()? {
                return Ok(lifting.finish());
            }
        }
    }
}

struct Lifting<'a> {
    lift: &'a Lift,
    problem: &'a Problem,
    net: Net,
    reduced: States,
    reduced_set: UpwardClosed,
    invariants: Vec<Invariant>,
    /// Invariants that justify something, and those whose own steps are justified.
    used: Vec<bool>,
    checked: Vec<bool>,
    elements: States,
    element_set: UpwardClosed,
    next: u32,
}

impl<'a> Lifting<'a> {
    fn new(lift: &'a Lift, problem: &'a Problem, proof: &ReducedProof) -> Self {
        let (mut reduced, mut reduced_set) = (States::default(), UpwardClosed::default());
        for (s, threads) in &proof.elements {
            let id = reduced.push(*s, threads);
            reduced_set.insert(&reduced, id);
        }
        let net = Net::of_user(problem);
        let invariants: Vec<_> = proof.invariants.iter().map(|i| lift.invariant(problem, i)).collect();
        Self {
            lift,
            problem,
            net,
            reduced,
            reduced_set,
            used: vec![false; invariants.len()],
            checked: vec![false; invariants.len()],
            invariants,
            elements: States::default(),
            element_set: UpwardClosed::default(),
            next: 0,
        }
    }

    /// Finds out why a state is in the proof and adds what shows it.
    fn justify(&mut self, state: &State) -> Result<(), Unproved> {
        let (s, threads) = (state.shared, &state.threads);
        if self.element_set.find_below(&self.elements, s, threads.pairs(), None).is_some() {
            return Ok(());
        }
        if !self.lift.reach.shared(s) {
            self.add(s, &[]);
            return Ok(());
        }
        if let Some(&(l, _)) = threads.pairs().iter().find(|p| !self.lift.reach.pair(s, p.0)) {
            self.add(s, &[(l, 1)]);
            return Ok(());
        }
        let number = self.lift.net_of_shared[s as usize];
        if number != GONE {
            let reduced = self.lift.reduced_threads(threads);
            if let Some(below) = self.reduced_set.find_below(&self.reduced, number, &reduced, None) {
                let part = self.part_of(threads, below);
                self.add(s, part.pairs());
                return Ok(());
            }
        }
        if let Some(index) = self.invariants.iter().position(|i| violates(i, state)) {
            self.used[index] = true;
            return Ok(());
        }
        if self.lift.eliminated[s as usize] {
            self.add(s, threads.pairs());
            return Ok(());
        }
        Err(Unproved::NoReason(self.problem.system.show(state).to_string()))
    }

    /// The threads that stand for a reduced element.
    fn part_of(&self, threads: &Multiset, element: u32) -> Multiset {
        let mut part = Multiset::new();
        for &(number, mut count) in self.reduced.threads(element) {
            for &(l, c) in threads.pairs() {
                if self.lift.net_local(l) == Some(number) {
                    let taken = c.min(count);
                    part.add(l, taken);
                    count -= taken;
                }
            }
        }
        part
    }

    fn add(&mut self, s: Shared, threads: &[(Local, u32)]) {
        let id = self.elements.push(s, threads);
        self.element_set.insert(&self.elements, id);
    }

    /// Where a step could break an invariant in use, the step itself must be shown impossible. False if no
    /// invariant came into use since the last time.
    fn justify_invariants(&mut self) -> Result<bool, Unproved> {
        let new: Vec<usize> =
            (0..self.invariants.len()).filter(|&i| self.used[i] && !self.checked[i]).collect();
        if new.is_empty() {
            return Ok(false);
        }
        let problem = self.problem;
        for &i in &new {
            self.checked[i] = true;
        }
        for t in &problem.system.transitions {
            let broken: Vec<_> = new.iter().flat_map(|&i| broken_by(&self.invariants[i], t)).collect();
            for threads in broken {
                self.justify(&State { shared: t.from, threads })?;
            }
        }
        Ok(true)
    }

    /// Justifies the cover predecessors of all elements.
    fn close(&mut self, stop: &Stop<'_>) -> Result<(), Unproved> {
        while (self.next as usize) < self.elements.len() {
            if stop.is_requested() {
                return Err(Unproved::Stopped);
            }
            let most = MERGED_ELEMENTS.max(MERGED_FACTOR * self.reduced.len());
            if self.elements.len() > most && !self.lift.forced_steps.is_empty() {
                return Err(Unproved::TooLarge);
            }
            let id = self.next;
            self.next += 1;
            let (s, threads) = (self.elements.shared(id), self.elements.threads(id).to_vec());
            let mut steps = Vec::new();
            self.net.steps_into(s, &threads, &mut |step| steps.push(step));
            for step in steps {
                self.justify_predecessors(step, &threads)?;
            }
        }
        Ok(())
    }

    fn justify_predecessors(&mut self, step: u32, threads: &[(Local, u32)]) -> Result<(), Unproved> {
        let net = std::mem::take(&mut self.net);
        let from = net.steps[step as usize].from;
        let mut result = Ok(());
        net.cover_predecessors(step, threads, &mut |before, part| match part {
            Part::Open => self.element_set.find_below(&self.elements, from, before, None).is_some(),
            Part::Whole => {
                if result.is_ok() {
                    result = self.justify(&State { shared: from, threads: Multiset::from_slice(before) });
                }
                false
            }
        });
        self.net = net;
        result
    }

    /// The minimal elements in ascending order.
    fn finish(mut self) -> Proof {
        let mut elements = Vec::new();
        for id in 0..self.elements.len() as u32 {
            let (s, threads) = (self.elements.shared(id), self.elements.threads(id));
            if self.element_set.find_below(&self.elements, s, threads, Some(id)).is_none() {
                elements.push(State { shared: s, threads: Multiset::from_slice(threads) });
            }
        }
        elements.sort();
        Proof {
            init: self.problem.init.clone(),
            targets: self.problem.targets.clone(),
            elements,
            invariants: self.invariants.into_iter().zip(self.used).filter(|i| i.1).map(|i| i.0).collect(),
        }
    }
}
