//! To EMDR: one thread per step (thesis, section 5.2, figure 30).
//!
//! A transition that does not fit becomes a chain of steps through fresh shared states. A fresh local state, the
//! *pool*, holds any number of unused threads: a thread that disappears goes there, one that appears comes from
//! there. The steps of a chain are, in this order:
//!
//! 1. for each consumed thread a step that takes it to the pool, or directly to a produced local state,
//! 2. the last of them (if nothing is consumed, a step of a pool thread) carries the transfer rules,
//! 3. for each thread that is still to be produced a step that takes it from the pool.
//!
//! Why the answer stays the same. A fresh shared state has exactly one step in and one out and occurs in no target,
//! so nothing else happens during a chain, and a chain that gets stuck for lack of threads covers nothing.
//! A completed chain has the effect of the transition, apart from the pool, because
//!
//! - a thread that step 1 produces early is not consumed by a later step: it goes directly to `p` only if no
//!   later step consumes from `p` (otherwise `{a, b} -> {b, c}` could run with a single thread in `a`), and
//! - the transfer rules see exactly the passive threads: all consumed threads are gone by then, and a thread goes
//!   early to `p` only if there is no rule for `p`; the active thread of the step is not subject to the rules.
//!
//! Conversely, enough pool threads at the start make every chain possible. Threads that vanish by a transfer rule
//! go to the pool, where more threads make no difference.
//!
//! Broadcasts without an active thread are written as lines that the reader joins when they have the same ends, so
//! only the first broadcast between two shared states stays; the others become a step of a pool thread.

use super::{ConvertError, Counter, LIMIT};
use crate::input::Input;
use crate::system::{Local, Multiset, Shared, State, System, Transfer, Transition};
use rustc_hash::FxHashSet;

/// An input that [`crate::emdr::print`] can write. Transitions that already fit stay as they are.
pub fn to_emdr(input: &Input) -> Result<Input, ConvertError> {
    let system = &input.system;
    let mut broadcasts = FxHashSet::default();
    let fit: Vec<bool> = system
        .transitions
        .iter()
        .map(|t| fits(t) && (!t.consume.is_empty() || broadcasts.insert((t.from, t.to))))
        .collect();
    let mut result = Input {
        system: System {
            shared_states: system.shared_states.max(1),
            local_states: system.local_states.max(1),
            transitions: Vec::new(),
            lines: Vec::new(),
            local_names: system.local_names.clone(),
        },
        init: input.init.clone(),
        targets: input.targets.clone(),
    };
    let pool = match fit.iter().position(|fits| !fits) {
        Some(first) => add_pool(&mut result, first)?,
        None => 0, // no chain will ask for it
    };
    let mut chains = Chains { pool, shared: Counter(result.system.shared_states), steps: Vec::new() };
    for (id, (transition, fits)) in system.transitions.iter().zip(fit).enumerate() {
        if fits {
            chains.steps.push(transition.clone());
        } else {
            chains.split(id, transition)?;
        }
        if let Some(&line) = system.lines.get(id) {
            result.system.lines.resize(chains.steps.len(), line);
        }
    }
    result.system.shared_states = chains.shared.0;
    result.system.transitions = chains.steps;
    Ok(result)
}

/// True when one line of EMDR (several for a broadcast) says the same.
fn fits(t: &Transition) -> bool {
    if t.transfers.iter().any(|rule| rule.to.is_empty()) {
        return false;
    }
    match (t.consume.pairs(), t.produce.pairs()) {
        ([(_, 1)], [(_, 1)]) => true,
        ([(l, 1)], _) => t.transfers.is_empty() && t.produce.size() == 2 && t.produce.count(*l) > 0,
        ([], []) => !t.transfers.is_empty(),
        _ => false,
    }
}

/// Adds the pool for the first transition that needs it.
fn add_pool(result: &mut Input, first: usize) -> Result<Local, ConvertError> {
    let init = result.init.as_mut().ok_or(ConvertError::NoInitialStates(first))?;
    let mut locals = Counter(result.system.local_states);
    let pool = locals.fresh(first)?;
    result.system.local_states = locals.0;
    // The largest local state so far: the list stays in order.
    init.unbounded.push(pool);
    if !result.system.local_names.is_empty() {
        let mut name = "pool".to_owned();
        while result.system.local_names.contains(&name) {
            name.push('_');
        }
        result.system.local_names.resize(pool as usize, String::new());
        result.system.local_names.push(name);
    }
    Ok(pool)
}

/// The steps made so far, and what is needed to make more.
struct Chains {
    pool: Local,
    shared: Counter,
    steps: Vec<Transition>,
}

impl Chains {
    /// Appends the chain for one transition.
    fn split(&mut self, id: usize, t: &Transition) -> Result<(), ConvertError> {
        // Each step brings at most one thread out and one in: do not start what cannot be finished.
        let least = t.consume.size().max(t.produce.size());
        if least > LIMIT.saturating_sub(self.steps.len()) as u64 {
            return Err(ConvertError::TooLarge(id));
        }
        let mut chain =
            Chain { id, at: State { shared: t.from, threads: t.consume.clone() }, todo: t.produce.clone() };
        let steps = chain.at.threads.size().max(1);
        for number in 1..=steps {
            let from = chain.take().unwrap_or(self.pool);
            let is_last_consumption = number == steps;
            let may_appear = |p| is_last_consumption || t.transfer(p).is_none();
            let to = chain.put(from, may_appear).unwrap_or(self.pool);
            let rules = if is_last_consumption { self.transfers(t) } else { Vec::new() };
            self.step(&mut chain, t.to, (from, to), rules)?;
        }
        while let Some(to) = chain.put(self.pool, |_| true) {
            self.step(&mut chain, t.to, (self.pool, to), Vec::new())?;
        }
        Ok(())
    }

    /// The rules of a transition; what would vanish goes to the pool.
    fn transfers(&self, t: &Transition) -> Vec<Transfer> {
        let rule = |rule: &Transfer| match rule.to.is_empty() {
            true => Transfer { from: rule.from, to: vec![self.pool] },
            false => rule.clone(),
        };
        t.transfers.iter().map(rule).collect()
    }

    /// Appends one step of a chain that ends in the shared state `end`.
    fn step(
        &mut self,
        chain: &mut Chain,
        end: Shared,
        (from, to): (Local, Local),
        transfers: Vec<Transfer>,
    ) -> Result<(), ConvertError> {
        if self.steps.len() >= LIMIT {
            return Err(ConvertError::TooLarge(chain.id));
        }
        let is_last = chain.at.threads.is_empty() && chain.todo.is_empty();
        let next = if is_last { end } else { self.shared.fresh(chain.id)? };
        self.steps.push(Transition {
            from: chain.at.shared,
            to: next,
            consume: Multiset::from_iter([from]),
            produce: Multiset::from_iter([to]),
            transfers,
        });
        chain.at.shared = next;
        Ok(())
    }
}

/// How far the chain for one transition has come.
struct Chain {
    id: usize,
    /// The shared state, and what is still to be consumed.
    at: State,
    /// What is still to be produced.
    todo: Multiset,
}

impl Chain {
    /// Takes the next thread to consume.
    fn take(&mut self) -> Option<Local> {
        let local = self.at.threads.pairs().first()?.0;
        self.at.threads.remove(local, 1);
        Some(local)
    }

    /// Takes a thread to produce that no later step consumes and that may appear now; `preferred` if possible.
    fn put(&mut self, preferred: Local, may_appear: impl Fn(Local) -> bool) -> Option<Local> {
        let at = &self.at.threads;
        let allowed = |p: Local| at.count(p) == 0 && may_appear(p);
        let preferred = Some(preferred).filter(|&p| self.todo.count(p) > 0 && allowed(p));
        let first = || self.todo.pairs().iter().map(|pair| pair.0).find(|&p| allowed(p));
        let local = preferred.or_else(first)?;
        self.todo.remove(local, 1);
        Some(local)
    }
}
