//! Thread states that no run can reach, found by a forward over-approximation.
//!
//! A thread state (s, l) is taken to be reachable if l is initial under the initial s, or if some transition
//! whose consumed threads are all reachable under its source either produces l under s or carries a passive
//! thread there. How many threads there are is ignored, so the result contains every thread state of every
//! run. The complement is closed under predecessors: if (s', l') is not in it, each way into it needs a
//! thread state that is not in it either. That is what makes "(s' | l') cannot be covered" a proof.

use crate::system::{InitialStates, Local, Shared, System, Transition};

/// Above this many (shared, local) pairs the table is not built.
const MAX_PAIRS: u64 = 1 << 30;

/// A bit for each thread state.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    words: usize,
    rows: Vec<u64>,
    shared: Vec<bool>,
}

impl Reach {
    /// Everything is reachable: what holds when the analysis is switched off.
    pub(crate) fn everything() -> Self {
        Self { words: 0, rows: Vec::new(), shared: Vec::new() }
    }

    /// True if nothing is known to be unreachable.
    pub(crate) fn is_everything(&self) -> bool {
        self.rows.is_empty()
    }

    /// Computes the over-approximation; `None` if the table would not fit.
    pub(crate) fn compute(system: &System, init: &InitialStates) -> Option<Self> {
        if u64::from(system.shared_states) * u64::from(system.local_states) > MAX_PAIRS {
            return None;
        }
        let words = (system.local_states as usize).div_ceil(64);
        let shared_states = system.shared_states as usize;
        let mut reach =
            Reach { words, rows: vec![0; words * shared_states], shared: vec![false; shared_states] };
        reach.shared[init.shared as usize] = true;
        for local in init.bounded.pairs().iter().map(|p| p.0).chain(init.unbounded.iter().copied()) {
            reach.insert(init.shared, local);
        }
        let outgoing = Outgoing::new(system);
        let mut progress = Progress {
            passed_on: vec![0; reach.rows.len()],
            fired: vec![false; system.transitions.len()],
            dirty: vec![false; shared_states],
            queue: std::collections::VecDeque::new(),
            new: Vec::new(),
            all: Vec::new(),
        };
        progress.touch(init.shared);
        while let Some(s) = progress.queue.pop_front() {
            progress.dirty[s as usize] = false;
            let steps = outgoing.of(s);
            reach.close_under_own_steps(system, steps, s);
            reach.pass_on(system, steps, s, &mut progress);
        }
        Some(reach)
    }

    /// True if some run may have the shared state `s`.
    pub(crate) fn shared(&self, s: Shared) -> bool {
        self.rows.is_empty() || self.shared[s as usize]
    }

    /// True if some run may have a thread in `l` under `s`.
    pub(crate) fn pair(&self, s: Shared, l: Local) -> bool {
        self.rows.is_empty() || self.row(s)[l as usize / 64] >> (l % 64) & 1 == 1
    }

    /// True if the transition may fire in some run.
    pub(crate) fn may_fire(&self, t: &Transition) -> bool {
        self.shared(t.from) && t.consume.pairs().iter().all(|&(l, _)| self.pair(t.from, l))
    }

    fn row(&self, s: Shared) -> &[u64] {
        &self.rows[s as usize * self.words..][..self.words]
    }

    fn insert(&mut self, s: Shared, l: Local) -> bool {
        let word = &mut self.rows[s as usize * self.words + l as usize / 64];
        let bit = 1 << (l % 64);
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// Adds words to the row of `to`; true if that row grew.
    fn merge(&mut self, words: &[(usize, u64)], to: Shared) -> bool {
        let row = &mut self.rows[to as usize * self.words..][..self.words];
        let mut grew = false;
        for &(index, word) in words {
            grew |= word & !row[index] != 0;
            row[index] |= word;
        }
        grew
    }

    /// Closes the row of `s` under the steps that keep it.
    fn close_under_own_steps(&mut self, system: &System, steps: &[u32], s: Shared) {
        loop {
            let mut grew = false;
            for &id in steps {
                let t = &system.transitions[id as usize];
                if t.to == s && self.may_fire(t) {
                    for &(l, _) in t.produce.pairs() {
                        grew |= self.insert(s, l);
                    }
                    for rule in &t.transfers {
                        if self.pair(s, rule.from) {
                            for &to in &rule.to {
                                grew |= self.insert(s, to);
                            }
                        }
                    }
                }
            }
            if !grew {
                return;
            }
        }
    }

    /// Passes the row of `s` on to other shared states: all of it by steps that become possible, and what is
    /// new by the others.
    fn pass_on(&mut self, system: &System, steps: &[u32], s: Shared, progress: &mut Progress) {
        let start = s as usize * self.words;
        let (mut new, mut all) = (std::mem::take(&mut progress.new), std::mem::take(&mut progress.all));
        new.clear();
        all.clear();
        let passed_on = &mut progress.passed_on[start..start + self.words];
        for (index, (now, before)) in self.rows[start..start + self.words].iter().zip(passed_on).enumerate() {
            if *now != *before {
                new.push((index, now & !*before));
                *before = *now;
            }
        }
        for &id in steps {
            let t = &system.transitions[id as usize];
            if t.to == s || !self.may_fire(t) {
                continue;
            }
            let first = !std::mem::replace(&mut progress.fired[id as usize], true);
            let mut grew = !std::mem::replace(&mut self.shared[t.to as usize], true);
            if !t.transfers.is_empty() {
                let after = after_transfers(self.row(s), t);
                grew |= self.merge(&nonzero(&after), t.to);
            } else if first {
                if all.is_empty() {
                    all = nonzero(self.row(s));
                }
                grew |= self.merge(&all, t.to);
            } else {
                grew |= self.merge(&new, t.to);
            }
            for &(l, _) in t.produce.pairs() {
                grew |= self.insert(t.to, l);
            }
            if grew {
                progress.touch(t.to);
            }
        }
        (progress.new, progress.all) = (new, all);
    }
}

/// The words of a row that are not zero, with their places.
fn nonzero(row: &[u64]) -> Vec<(usize, u64)> {
    row.iter().copied().enumerate().filter(|w| w.1 != 0).collect()
}

/// How far the propagation has come.
struct Progress {
    /// The part of each row that its steps have passed on.
    passed_on: Vec<u64>,
    /// Steps that have passed on what was there.
    fired: Vec<bool>,
    dirty: Vec<bool>,
    queue: std::collections::VecDeque<Shared>,
    /// Buffers.
    new: Vec<(usize, u64)>,
    all: Vec<(usize, u64)>,
}

impl Progress {
    fn touch(&mut self, s: Shared) {
        if !std::mem::replace(&mut self.dirty[s as usize], true) {
            self.queue.push_back(s);
        }
    }
}

/// Where the passive threads of a row may be after the transfers of `t`.
fn after_transfers(row: &[u64], t: &Transition) -> Vec<u64> {
    let mut after = row.to_vec();
    for rule in &t.transfers {
        after[rule.from as usize / 64] &= !(1 << (rule.from % 64));
    }
    for rule in &t.transfers {
        if row[rule.from as usize / 64] >> (rule.from % 64) & 1 == 1 {
            for &to in &rule.to {
                after[to as usize / 64] |= 1 << (to % 64);
            }
        }
    }
    after
}

/// The transitions of each shared state.
struct Outgoing {
    start: Vec<u32>,
    ids: Vec<u32>,
}

impl Outgoing {
    fn new(system: &System) -> Self {
        let mut start = vec![0u32; system.shared_states as usize + 1];
        for t in &system.transitions {
            start[t.from as usize + 1] += 1;
        }
        for s in 0..system.shared_states as usize {
            start[s + 1] += start[s];
        }
        let mut next = start.clone();
        let mut ids = vec![0; system.transitions.len()];
        for (id, t) in system.transitions.iter().enumerate() {
            ids[next[t.from as usize] as usize] = id as u32;
            next[t.from as usize] += 1;
        }
        Self { start, ids }
    }

    fn of(&self, s: Shared) -> &[u32] {
        &self.ids[self.start[s as usize] as usize..self.start[s as usize + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::Source;

    fn reach(text: &str) -> Reach {
        let input = crate::emdr::parse(Source { name: "t", text }).unwrap();
        Reach::compute(&input.system, &input.init.unwrap()).unwrap()
    }

    #[test]
    fn follows_active_and_passive_threads() {
        let r = reach("#init 0/0\n3 4\n0 0 -> 1 1\n1 1 -> 1 2\n2 0 -> 0 3\n");
        assert!(r.pair(1, 0) && r.pair(1, 1) && r.pair(1, 2));
        assert!(!r.pair(0, 1) && !r.pair(1, 3) && !r.shared(2));
    }

    #[test]
    fn forced_transfers_empty_a_local_state() {
        let r = reach("#init 0|0/1\n2 3\n0 0 -> 1 0 1 ~> 2\n");
        assert!(r.pair(1, 2) && !r.pair(1, 1));
    }
}
