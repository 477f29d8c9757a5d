//! States known to be coverable, with reasons: the set D of algorithm 3.
//!
//! A fact is a state together with why it is coverable: an initial state covers it, the forward search found
//! a configuration above it, or one step leads into it from a state that another fact covers. Following the
//! reasons gives a run.

use crate::antichain::States;
use crate::net::{Net, Pairs};
use crate::oracle::{Bits, Covered, KarpMiller, UnwindError, covers};
use crate::run::Run;
use crate::system::{Local, Shared, included};
use rustc_hash::FxHashMap;

/// Why a state is coverable.
#[derive(Clone, Copy, Debug)]
enum Why {
    Initial,
    /// A node of the forward search covers it.
    Forward(u32),
    /// `step` leads into it from `before` (an id of the states), which `fact` covers.
    Step {
        step: u32,
        before: u32,
        fact: u32,
    },
}

/// A configuration of the forward search.
struct Configuration {
    omega: Bits,
    finite: Pairs,
    node: u32,
}

/// The set D.
#[derive(Default)]
pub(crate) struct Facts {
    states: States,
    facts: Vec<(u32, Why)>,
    /// Facts with at least two threads, by shared state.
    large: FxHashMap<Shared, Vec<u32>>,
    /// A fact for each coverable (shared, local) pair, and for each coverable shared state.
    pairs: FxHashMap<(Shared, Local), u32>,
    empty: FxHashMap<Shared, u32>,
    configurations: FxHashMap<Shared, Vec<Configuration>>,
    /// How many configurations were learned.
    age: u64,
    /// Comparisons made.
    pub(crate) work: u64,
}

impl Facts {
    /// The reason why a state is coverable, if it is known to be.
    pub(crate) fn find(&mut self, net: &Net, s: Shared, threads: &[(Local, u32)]) -> Option<u32> {
        if net.is_initial(s, threads) {
            return Some(self.add(s, threads, Why::Initial));
        }
        match threads {
            [] => {
                if let Some(&fact) = self.empty.get(&s) {
                    return Some(fact);
                }
            }
            [(l, 1)] => {
                if let Some(&fact) = self.pairs.get(&(s, *l)) {
                    return Some(fact);
                }
            }
            _ => {
                // Every thread must be coverable alone: a quick no.
                let known = |p: &(Local, u32)| self.pairs.contains_key(&(s, p.0));
                if !threads.iter().all(known) && !self.configurations.contains_key(&s) {
                    return None;
                }
                if let Some(list) = self.large.get(&s) {
                    self.work += 1 + list.len() as u64 / 8;
                    let states = &self.states;
                    let above = |&&f: &&u32| included(threads, states.threads(self.facts[f as usize].0));
                    if let Some(&fact) = list.iter().find(above) {
                        return Some(fact);
                    }
                }
            }
        }
        let list = self.configurations.get(&s)?;
        self.work += 1 + list.len() as u64 / 8;
        let node = list.iter().find(|c| covers(&c.omega, &c.finite, threads))?.node;
        Some(self.add(s, threads, Why::Forward(node)))
    }

    /// Grows with every configuration learned.
    pub(crate) fn age(&self) -> u64 {
        self.age
    }

    /// True if configurations were learned since then.
    pub(crate) fn has_grown_since(&self, age: u64) -> bool {
        self.age > age
    }

    /// Takes in a configuration of the forward search.
    pub(crate) fn learn(&mut self, covered: &Covered) {
        self.age += 1;
        let list = self.configurations.entry(covered.shared).or_default();
        list.push(Configuration {
            omega: covered.omega.clone(),
            finite: covered.finite.clone(),
            node: covered.node,
        });
        // Larger configurations replace smaller ones; looking for them each time would cost more than it saves.
        if list.len().is_power_of_two() && list.len() >= 64 {
            keep_maximal(list);
        }
    }

    /// Records that `step` leads from `before`, which `fact` covers, to the state.
    pub(crate) fn add_step(
        &mut self,
        (s, threads): (Shared, &[(Local, u32)]),
        step: u32,
        (before_shared, before): (Shared, &[(Local, u32)]),
        fact: u32,
    ) -> u32 {
        let before = self.states.push(before_shared, before);
        self.add(s, threads, Why::Step { step, before, fact })
    }

    /// Records that a node of the forward search covers the state.
    pub(crate) fn add_forward(&mut self, s: Shared, threads: &[(Local, u32)], node: u32) -> u32 {
        self.add(s, threads, Why::Forward(node))
    }

    fn add(&mut self, s: Shared, threads: &[(Local, u32)], why: Why) -> u32 {
        let state = self.states.push(s, threads);
        let fact = self.facts.len() as u32;
        self.facts.push((state, why));
        self.empty.entry(s).or_insert(fact);
        for &(l, _) in threads {
            self.pairs.entry((s, l)).or_insert(fact);
        }
        if crate::antichain::size(threads) >= 2 && !matches!(why, Why::Initial | Why::Forward(_)) {
            self.large.entry(s).or_default().push(fact);
        }
        fact
    }

    /// The run that shows a fact.
    pub(crate) fn run(&self, fact: u32, forward: Option<&KarpMiller<'_>>) -> Result<Run, UnwindError> {
        let mut later = Vec::new();
        let mut at = fact;
        let mut required: Pairs = self.states.threads(self.facts[at as usize].0).into();
        loop {
            match self.facts[at as usize].1 {
                Why::Step { step, before, fact } => {
                    later.push((step, required));
                    required = self.states.threads(before).into();
                    at = fact;
                }
                Why::Initial => {
                    later.reverse();
                    return Ok(Run { initial: required, steps: later });
                }
                Why::Forward(node) => {
                    let mut run = forward.ok_or(UnwindError::Unjustified)?.unwind(node, &required)?;
                    later.reverse();
                    run.steps.extend(later);
                    return Ok(run);
                }
            }
        }
    }
}

/// Drops configurations that are below a later one.
fn keep_maximal(list: &mut Vec<Configuration>) {
    let mut kept: Vec<Configuration> = Vec::new();
    for configuration in list.drain(..).rev() {
        let is_below = |c: &Configuration| {
            configuration.omega.iter().zip(&c.omega[..]).all(|(a, b)| a & !b == 0)
                && covers(&c.omega, &c.finite, &configuration.finite)
        };
        if !kept.iter().any(is_below) {
            kept.push(configuration);
        }
    }
    kept.reverse();
    *list = kept;
}
