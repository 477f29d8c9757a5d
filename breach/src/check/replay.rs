//! Replays a run: knows the forward semantics of one step with thread identities, and nothing else.
//!
//! A step by transition t is possible when the shared state is `t.from`. The active threads are exactly those
//! in `t.consume`; they become exactly `t.produce`, some vanishing or appearing if the numbers differ. Every
//! other thread whose local state has a rule must move to one of the rule's local states, or vanish if the rule
//! has none. All others stay.

use super::name_transition;
use crate::system::{InitialStates, Local, Multiset, Shared, State, System, Transition};
use crate::trace::{Move, Role, Step, Trace};
use rustc_hash::FxHashMap;
use terminal::words::plural;

/// Why a trace is not a run that covers a target.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The run does not start in an initial state.
    #[error("the run does not start in an initial state ({init}): {reason}")]
    NotInitial {
        /// The initial states.
        init: String,
        /// What is wrong with the start.
        reason: String,
    },
    /// A step uses a transition that the system does not have.
    #[error(
        "step {step}: there is no transition {transition}, the system has {transitions} (counted from 0)"
    )]
    NoTransition {
        /// The step, from 1.
        step: usize,
        /// The number in the trace.
        transition: usize,
        /// How many there are.
        transitions: usize,
    },
    /// A step is not possible.
    #[error("step {step}, {shown_transition}: {reason}")]
    Step {
        /// The step, from 1.
        step: usize,
        /// The transition.
        shown_transition: String,
        /// What is wrong with the step.
        reason: String,
    },
    /// The last state does not cover the target.
    #[error("the run ends in shared state {shared} with {found}, which does not cover the target {target}")]
    NotCovered {
        /// The target.
        target: String,
        /// The shared state at the end.
        shared: Shared,
        /// What the run has of the target's threads.
        found: String,
    },
    /// The run is about another target.
    #[error("the run covers {target}, which is not among the targets")]
    NotATarget {
        /// The target of the trace.
        target: String,
    },
}

/// Checks that `trace` is a run of `system` from one of the initial states `init` to a state that covers
/// `trace.target`, and that this is one of `targets`.
pub fn replay(
    system: &System,
    init: &InitialStates,
    targets: &[State],
    trace: &Trace,
) -> Result<(), ReplayError> {
    check_start(system, init, trace)?;
    let mut run = Run::new(system, trace);
    for (number, step) in trace.steps.iter().enumerate() {
        let Some(t) = system.transitions.get(step.transition) else {
            return Err(ReplayError::NoTransition {
                step: number + 1,
                transition: step.transition,
                transitions: system.transitions.len(),
            });
        };
        run.step(number, step, t).map_err(|reason| ReplayError::Step {
            step: number + 1,
            shown_transition: name_transition(system, step.transition),
            reason,
        })?;
    }
    run.check_covers(&trace.target)?;
    if !targets.contains(&trace.target) {
        return Err(ReplayError::NotATarget { target: system.show(&trace.target).to_string() });
    }
    Ok(())
}

fn check_start(system: &System, init: &InitialStates, trace: &Trace) -> Result<(), ReplayError> {
    let fail = |reason| {
        let init = crate::emdr::show_init(init, |local| system.show_local(local));
        Err(ReplayError::NotInitial { init, reason })
    };
    if trace.shared != init.shared {
        return fail(format!("it starts in shared state {}", trace.shared));
    }
    let threads: Multiset = trace.threads.iter().copied().collect();
    let mut locals: Vec<Local> = threads.pairs().iter().chain(init.bounded.pairs()).map(|p| p.0).collect();
    locals.sort_unstable();
    locals.dedup();
    for local in locals {
        let (found, bounded) = (threads.count(local), init.bounded.count(local));
        let unbounded = init.unbounded.contains(&local);
        if found < bounded || (found > bounded && !unbounded) {
            let least = if unbounded { "at least " } else { "" };
            let (found, local) = (plural(found as usize, "thread"), system.show_local(local));
            return fail(format!("it starts with {found} in {local}, but {least}{bounded} must be there"));
        }
    }
    Ok(())
}

/// The state of a run. The work for a step depends on its moves and rules, not on the number of threads.
struct Run<'a> {
    system: &'a System,
    shared: Shared,
    threads: Vec<Thread>,
    /// How many living threads each local state has.
    counts: FxHashMap<Local, u64>,
}

struct Thread {
    /// Where it is; `None` after it has vanished.
    at: Option<Local>,
    /// The number of the last step in which it moved.
    moved: Option<usize>,
}

impl<'a> Run<'a> {
    fn new(system: &'a System, trace: &Trace) -> Self {
        let mut counts = FxHashMap::default();
        for &local in &trace.threads {
            *counts.entry(local).or_default() += 1;
        }
        let threads = trace.threads.iter().map(|&local| Thread { at: Some(local), moved: None }).collect();
        Self { system, shared: trace.shared, threads, counts }
    }

    /// Does one step, or says why it is not possible.
    fn step(&mut self, number: usize, step: &Step, t: &Transition) -> Result<(), String> {
        if self.shared != t.from {
            return Err(format!("it needs shared state {}, but the shared state is {}", t.from, self.shared));
        }
        self.check_active(&step.moves, t)?;
        for m in step.moves.iter().filter(|m| m.role == Role::Passive) {
            self.check_passive(m, t)?;
        }
        // Each move is checked against the thread's place before the step: no thread moves twice.
        for m in &step.moves {
            self.do_move(number, m)?;
        }
        self.check_all_moved(number, t)?;
        for m in &step.moves {
            if let Some(to) = m.to {
                *self.counts.entry(to).or_default() += 1;
            }
        }
        self.shared = t.to;
        Ok(())
    }

    /// The active threads are those that the transition takes, and become what it makes of them.
    fn check_active(&self, moves: &[Move], t: &Transition) -> Result<(), String> {
        let active = || moves.iter().filter(|m| m.role == Role::Active);
        let from: Multiset = active().filter_map(|m| m.from).collect();
        let to: Multiset = active().filter_map(|m| m.to).collect();
        for (found, needed, what) in [(from, &t.consume, "come from"), (to, &t.produce, "go to")] {
            if found != *needed {
                let (needed, found) = (self.list(needed), self.list(&found));
                return Err(format!("its active threads must {what} {needed}, but they {what} {found}"));
            }
        }
        Ok(())
    }

    /// A passive thread follows a rule; without a rule it may at most be mentioned as staying.
    fn check_passive(&self, m: &Move, t: &Transition) -> Result<(), String> {
        let thread = m.thread;
        let Some(from) = m.from else { return Err(format!("thread {thread} appears as a passive thread")) };
        let allowed = match (t.transfer(from), m.to) {
            (None, to) => to == Some(from),
            (Some(rule), None) => rule.to.is_empty(),
            (Some(rule), Some(to)) => rule.to.contains(&to),
        };
        if allowed {
            return Ok(());
        }
        let what = match m.to {
            Some(to) => {
                format!("move from {} to {}", self.system.show_local(from), self.system.show_local(to))
            }
            None => format!("vanish from {}", self.system.show_local(from)),
        };
        Err(format!("no rule lets the passive thread {thread} {what}"))
    }

    /// Moves one thread. `counts` loses it here; the place where it arrives is counted after the step.
    fn do_move(&mut self, number: usize, m: &Move) -> Result<(), String> {
        let Move { thread, from, to, role: _ } = *m;
        let Some(from) = from else {
            if thread as usize != self.threads.len() {
                let next = self.threads.len();
                return Err(format!("a thread appears as number {thread}, but the next number is {next}"));
            }
            if to.is_none() {
                return Err(format!("thread {thread} appears nowhere"));
            }
            self.threads.push(Thread { at: to, moved: Some(number) });
            return Ok(());
        };
        let Some(known) = self.threads.get_mut(thread as usize) else {
            return Err(format!("there is no thread {thread} yet"));
        };
        if known.moved == Some(number) {
            return Err(format!("thread {thread} moves twice"));
        }
        if known.at != Some(from) {
            let from = self.system.show_local(from);
            return Err(match known.at {
                Some(at) => {
                    format!("thread {thread} moves from {from}, but it is in {}", self.system.show_local(at))
                }
                None => format!("thread {thread} moves from {from}, but it has vanished"),
            });
        }
        *known = Thread { at: to, moved: Some(number) };
        *self.counts.entry(from).or_default() -= 1;
        Ok(())
    }

    /// Nobody stayed who had to move: `counts` has those who stayed.
    fn check_all_moved(&self, number: usize, t: &Transition) -> Result<(), String> {
        for rule in t.transfers.iter().filter(|rule| !rule.to.contains(&rule.from)) {
            if self.counts.get(&rule.from).copied().unwrap_or(0) == 0 {
                continue;
            }
            let stayed = |thread: &Thread| thread.at == Some(rule.from) && thread.moved != Some(number);
            let thread = self.threads.iter().position(stayed).unwrap_or_default();
            let from = self.system.show_local(rule.from);
            return Err(format!("the passive thread {thread} stays in {from}, but the rule makes it move"));
        }
        Ok(())
    }

    fn check_covers(&self, target: &State) -> Result<(), ReplayError> {
        let count = |local: Local| self.counts.get(&local).copied().unwrap_or(0);
        let enough = |&(local, needed): &(Local, u32)| count(local) >= u64::from(needed);
        if self.shared == target.shared && target.threads.pairs().iter().all(enough) {
            return Ok(());
        }
        let one = |&(local, _): &(Local, u32)| {
            format!("{} in {}", plural(count(local) as usize, "thread"), self.system.show_local(local))
        };
        let found: Vec<_> = target.threads.pairs().iter().map(one).collect();
        Err(ReplayError::NotCovered {
            target: self.system.show(target).to_string(),
            shared: self.shared,
            found: if found.is_empty() { "any threads".to_owned() } else { found.join(", ") },
        })
    }

    fn list(&self, threads: &Multiset) -> String {
        if threads.is_empty() {
            return "nowhere".to_owned();
        }
        let one = |&(local, count): &(Local, u32)| match count {
            1 => self.system.show_local(local),
            _ => format!("{}^{count}", self.system.show_local(local)),
        };
        threads.pairs().iter().map(one).collect::<Vec<_>>().join(",")
    }
}

#[cfg(test)]
mod tests;
