//! To `.spec`: shared states as places, choices of passive threads one by one.
//!
//! The shared state s becomes a place with one token exactly while the system is in s; every rule takes the token
//! from one of these places and puts it into another. A system with one shared state does without.
//!
//! A rule of a net can move all tokens of a place to *one* other place, all such moves of a rule at once. Where
//! passive threads in `a` have a choice, the transition becomes several rules:
//!
//! 1. The first does everything else, but brings all tokens of `a` to an auxiliary place of `a`, and the control
//!    token to a place of this transition.
//! 2. While the control token is there, rules of their own take single tokens from the auxiliary place of `a` to
//!    any of the places that the transition allows for `a`. All other rules need the control token elsewhere.
//! 3. The last rule brings the control token to the shared state after the step and empties the auxiliary places.
//!
//! Since the moved tokens come from auxiliary places only, nothing moves twice: the transfers act at once, not in
//! a chain. Tokens that are still in an auxiliary place at the end get lost. This is harmless for coverability: the
//! state that is reached is smaller than one that the transition reaches, and because the system is monotone, it
//! covers nothing that the larger one does not. The state in which no token got lost is reached as well. Because
//! the auxiliary places are empty between transitions, all transitions can share the one of `a`.

use super::{ConvertError, Counter, LIMIT};
use crate::input::Input;
use crate::spec::variable_names;
use crate::system::{InitialStates, Local, Multiset, Shared, State, System, Transfer, Transition};
use rustc_hash::{FxHashMap, FxHashSet};

/// An input that [`crate::spec::print`] can write. Local states keep their numbers, and their names if these are
/// usable for variables.
pub fn to_spec(input: &Input) -> Result<Input, ConvertError> {
    let system = &input.system;
    let has_control = system.shared_states > 1 || system.transitions.iter().any(has_choice);
    let mut net = Net::new(system, has_control)?;
    for (id, transition) in system.transitions.iter().enumerate() {
        net.add(id, transition)?;
        if let Some(&line) = system.lines.get(id) {
            net.lines.resize(net.rules.len(), line);
        }
    }
    let init = input.init.as_ref().map(|init| InitialStates {
        shared: 0,
        bounded: net.with_control(&init.bounded, init.shared),
        unbounded: init.unbounded.clone(),
    });
    let target = |state: &State| State { shared: 0, threads: net.with_control(&state.threads, state.shared) };
    let targets = input.targets.iter().map(target).collect();
    let system = System {
        shared_states: 1,
        local_states: net.places.0,
        transitions: net.rules,
        lines: net.lines,
        local_names: net.names.list,
    };
    Ok(Input { system, init, targets })
}

/// True when a passive thread can choose where to go.
fn has_choice(t: &Transition) -> bool {
    t.transfers.iter().any(|rule| rule.to.len() > 1)
}

/// The net made so far.
struct Net {
    places: Counter,
    names: Names,
    /// The place of shared state 0, if there is control; those of the others follow.
    first_control: Option<Local>,
    /// The auxiliary places by local state.
    auxiliary: FxHashMap<Local, Local>,
    rules: Vec<Transition>,
    lines: Vec<u32>,
}

impl Net {
    fn new(system: &System, has_control: bool) -> Result<Self, ConvertError> {
        let names = Names::new(variable_names(system));
        let mut net = Net {
            places: Counter(system.local_states),
            names,
            first_control: has_control.then_some(system.local_states),
            auxiliary: FxHashMap::default(),
            rules: Vec::new(),
            lines: Vec::new(),
        };
        // Also a net without rules needs a variable.
        let controls = if has_control { system.shared_states } else { u32::from(system.local_states == 0) };
        for shared in 0..controls {
            net.place(0, format!("s{shared}"))?;
        }
        Ok(net)
    }

    /// A new place; `id` is the transition that needs it.
    fn place(&mut self, id: usize, name: String) -> Result<Local, ConvertError> {
        let place = self.places.fresh(id)?;
        self.names.add(name);
        Ok(place)
    }

    fn control(&self, shared: Shared) -> Option<Local> {
        self.first_control.map(|first| first + shared)
    }

    /// Threads together with the token of a shared state.
    fn with_control(&self, threads: &Multiset, shared: Shared) -> Multiset {
        with(threads, self.control(shared))
    }

    /// Adds the rules for one transition.
    fn add(&mut self, id: usize, t: &Transition) -> Result<(), ConvertError> {
        let before = self.control(t.from);
        let after = self.control(t.to);
        if !has_choice(t) {
            return self.rule(id, with(&t.consume, before), with(&t.produce, after), t.transfers.clone());
        }
        let choosing = self.place(id, format!("t{id}"))?;
        let (mut first, mut last) = (Vec::new(), Vec::new());
        for rule in &t.transfers {
            if rule.to.len() < 2 {
                first.push(rule.clone());
                continue;
            }
            let auxiliary = self.auxiliary(id, rule.from)?;
            first.push(Transfer { from: rule.from, to: vec![auxiliary] });
            last.push(Transfer { from: auxiliary, to: Vec::new() });
        }
        last.sort_unstable_by_key(|rule| rule.from);
        let choosing_token = Multiset::from_iter([choosing]);
        self.rule(id, with(&t.consume, before), with(&t.produce, Some(choosing)), first)?;
        for rule in t.transfers.iter().filter(|rule| rule.to.len() > 1) {
            let auxiliary = self.auxiliary(id, rule.from)?;
            for &to in &rule.to {
                let consume = with(&choosing_token, Some(auxiliary));
                self.rule(id, consume, with(&choosing_token, Some(to)), Vec::new())?;
            }
        }
        self.rule(id, choosing_token, with(&Multiset::new(), after), last)
    }

    fn auxiliary(&mut self, id: usize, local: Local) -> Result<Local, ConvertError> {
        if let Some(&place) = self.auxiliary.get(&local) {
            return Ok(place);
        }
        let place = self.place(id, format!("a{local}"))?;
        self.auxiliary.insert(local, place);
        Ok(place)
    }

    fn rule(
        &mut self,
        id: usize,
        consume: Multiset,
        produce: Multiset,
        transfers: Vec<Transfer>,
    ) -> Result<(), ConvertError> {
        if self.rules.len() >= LIMIT {
            return Err(ConvertError::TooLarge(id));
        }
        self.rules.push(Transition { from: 0, to: 0, consume, produce, transfers });
        Ok(())
    }
}

/// A multiset with one more thread.
fn with(threads: &Multiset, more: Option<Local>) -> Multiset {
    let mut threads = threads.clone();
    if let Some(local) = more {
        threads.add(local, 1);
    }
    threads
}

/// The names of the places, all different.
struct Names {
    list: Vec<String>,
    used: FxHashSet<String>,
}

impl Names {
    fn new(list: Vec<String>) -> Self {
        Self { used: list.iter().cloned().collect(), list }
    }

    fn add(&mut self, mut name: String) {
        while !self.used.insert(name.clone()) {
            name.push('_');
        }
        self.list.push(name);
    }
}
