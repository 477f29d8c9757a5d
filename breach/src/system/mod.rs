//! What is checked: explicit monotone dual-reference programs (thesis, sections 3.3 and 5.2) and Petri nets, as one model.
//!
//! A transition takes a multiset of threads (`consume`) out of the state, lets every remaining thread follow
//! the transfer rules, and puts a multiset of threads (`produce`) back. This covers the active thread of an
//! EMDR transition, spawns, broadcasts without an active thread, weighted Petri net arcs, and the sequences
//! of steps that reductions merge into one.

mod multiset;

pub use multiset::{Multiset, included};

use std::fmt;

/// A shared state, numbered from 0.
pub type Shared = u32;
/// A local state, numbered from 0; for Petri nets, a place.
pub type Local = u32;

/// A set of threads together with the shared state they see.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    /// The shared part.
    pub shared: Shared,
    /// The local states of the threads.
    pub threads: Multiset,
}

impl State {
    /// Builds a state from a shared state and one local state per thread.
    pub fn new(shared: Shared, threads: impl IntoIterator<Item = Local>) -> Self {
        Self { shared, threads: threads.into_iter().collect() }
    }

    /// The covering order: same shared part and multiset inclusion.
    pub fn covered_by(&self, other: &State) -> bool {
        self.shared == other.shared && self.threads.included_in(&other.threads)
    }
}

/// Prints `s|l1,l2^3`: a count above 3 is written with `^`, as the thesis writes repetitions.
impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}|{}", self.shared, Threads { threads: &self.threads, names: &[] })
    }
}

/// Formats a multiset, with names for local states where there are any.
struct Threads<'a> {
    threads: &'a Multiset,
    names: &'a [String],
}

impl fmt::Display for Threads<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for &(local, count) in self.threads.pairs() {
            let (repetitions, power) = if count > 3 { (1, Some(count)) } else { (count, None) };
            for _ in 0..repetitions {
                f.write_str(separator)?;
                match self.names.get(local as usize) {
                    Some(name) => f.write_str(name)?,
                    None => write!(f, "{local}")?,
                }
                separator = ",";
            }
            if let Some(power) = power {
                write!(f, "^{power}")?;
            }
        }
        Ok(())
    }
}

/// The initial states: exactly the threads in `bounded`, any number in each local state of `unbounded`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InitialStates {
    /// The shared part.
    pub shared: Shared,
    /// Threads that are there exactly as often as listed.
    pub bounded: Multiset,
    /// Local states with any number of threads, ascending, without repetitions.
    pub unbounded: Vec<Local>,
}

impl InitialStates {
    /// Builds initial states; `unbounded` may be in any order.
    pub fn new(shared: Shared, bounded: impl IntoIterator<Item = Local>, unbounded: Vec<Local>) -> Self {
        let mut unbounded = unbounded;
        unbounded.sort_unstable();
        unbounded.dedup();
        Self { shared, bounded: bounded.into_iter().collect(), unbounded }
    }

    /// True when the state is covered by some initial state.
    pub fn cover(&self, state: &State) -> bool {
        self.shared == state.shared
            && state
                .threads
                .pairs()
                .iter()
                .all(|&(l, c)| self.unbounded.binary_search(&l).is_ok() || c <= self.bounded.count(l))
    }
}

/// Passive threads in `from` must move to one of `to`, each choosing for itself; with an empty `to` they vanish.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Transfer {
    /// The local state that the rule applies to.
    pub from: Local,
    /// Where its threads may go, ascending, without repetitions.
    pub to: Vec<Local>,
}

/// One step of the system. Its identity is its index in [`System::transitions`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Transition {
    /// The shared state before.
    pub from: Shared,
    /// The shared state after.
    pub to: Shared,
    /// Threads that take part actively; the step needs them.
    pub consume: Multiset,
    /// What they become, including threads that appear.
    pub produce: Multiset,
    /// What the other threads do at the same time; at most one rule per local state, ascending.
    pub transfers: Vec<Transfer>,
}

impl Transition {
    /// The rule for passive threads in `local`, if there is one.
    pub fn transfer(&self, local: Local) -> Option<&Transfer> {
        self.transfers.binary_search_by_key(&local, |t| t.from).ok().map(|i| &self.transfers[i])
    }

    /// Brings a list of single `from ~> to` moves into the form of [`Transition::transfers`].
    pub fn group_transfers(moves: impl IntoIterator<Item = (Local, Local)>) -> Vec<Transfer> {
        let mut moves: Vec<_> = moves.into_iter().collect();
        moves.sort_unstable();
        moves.dedup();
        let mut transfers: Vec<Transfer> = Vec::new();
        for (from, to) in moves {
            match transfers.last_mut() {
                Some(last) if last.from == from => last.to.push(to),
                _ => transfers.push(Transfer { from, to: vec![to] }),
            }
        }
        transfers
    }
}

/// A system as the user wrote it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct System {
    /// The number of shared states.
    pub shared_states: u32,
    /// The number of local states.
    pub local_states: u32,
    /// The transitions, in the order of the input.
    pub transitions: Vec<Transition>,
    /// For each transition the line of the input where it starts (0: unknown); may be empty.
    pub lines: Vec<u32>,
    /// Names of the local states (places of a Petri net); empty when they are just numbers.
    pub local_names: Vec<String>,
}

impl System {
    /// Writes a state with the user's names for local states.
    pub fn show<'a>(&'a self, state: &'a State) -> impl fmt::Display + 'a {
        ShowState { system: self, state }
    }

    /// Writes a local state with the user's name.
    pub fn show_local(&self, local: Local) -> String {
        self.local_names.get(local as usize).cloned().unwrap_or_else(|| local.to_string())
    }

    /// Writes a transition in the notation of EMDR files, as far as it fits.
    pub fn show_transition(&self, id: usize) -> String {
        let t = &self.transitions[id];
        let side = |shared, threads: &Multiset| {
            let state = State { shared, threads: threads.clone() };
            self.show(&state).to_string()
        };
        let mut text = format!("{} -> {}", side(t.from, &t.consume), side(t.to, &t.produce));
        for rule in &t.transfers {
            let from = self.show_local(rule.from);
            if rule.to.is_empty() {
                text.push_str(&format!(" {from}~>"));
            }
            for &to in &rule.to {
                text.push_str(&format!(" {from}~>{}", self.show_local(to)));
            }
        }
        text
    }

    /// True when no transition moves passive threads: a plain Petri net with shared states.
    pub fn is_transfer_free(&self) -> bool {
        self.transitions.iter().all(|t| t.transfers.is_empty())
    }
}

struct ShowState<'a> {
    system: &'a System,
    state: &'a State,
}

impl fmt::Display for ShowState<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let threads = Threads { threads: &self.state.threads, names: &self.system.local_names };
        write!(f, "{}|{}", self.state.shared, threads)
    }
}

/// A question: is one of the targets coverable from the initial states?
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The system.
    pub system: System,
    /// Where it starts.
    pub init: InitialStates,
    /// The states in question; covering any of them makes the answer "coverable".
    pub targets: Vec<State>,
}
