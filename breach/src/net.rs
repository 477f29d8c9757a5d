//! The reduced system in the form that the searches work on.
//!
//! Shared and local states are renumbered without gaps, every step knows the user's transitions it stands
//! for, and steps are indexed by where they start and by where they end. Cover predecessors (thesis, section
//! 4.1.1) are computed here.

use crate::system::{Local, Multiset, Problem, Shared};
use smallvec::SmallVec;

/// A multiset of net-local states as a plain sorted list.
pub(crate) type Pairs = SmallVec<[(Local, u32); 4]>;

/// "Any number": the count of an unbounded local state.
pub(crate) const OMEGA: u32 = u32::MAX;

/// One step of the reduced system.
#[derive(Clone, Debug)]
pub(crate) struct NetStep {
    pub(crate) from: Shared,
    pub(crate) to: Shared,
    pub(crate) consume: Multiset,
    pub(crate) produce: Multiset,
    pub(crate) transfers: Option<Box<Transfers>>,
    /// The user's transitions, in the order in which they fire.
    pub(crate) path: SmallVec<[u32; 2]>,
}

/// The passive part of a step, forward and backward.
#[derive(Clone, Debug, Default)]
pub(crate) struct Transfers {
    /// Where threads go, ascending by where they were.
    pub(crate) rules: Vec<(Local, Vec<Local>)>,
    /// Where passive threads may have been, for each local state that a rule mentions; ascending.
    pub(crate) sources: Vec<(Local, Vec<Local>)>,
}

impl Transfers {
    pub(crate) fn new(rules: Vec<(Local, Vec<Local>)>) -> Self {
        let mut sources: Vec<(Local, Vec<Local>)> = Vec::new();
        let mentioned = rules.iter().flat_map(|(a, bs)| bs.iter().copied().chain([*a]));
        let mut mentioned: Vec<Local> = mentioned.collect();
        mentioned.sort_unstable();
        mentioned.dedup();
        for b in mentioned {
            let mut from: Vec<Local> = rules.iter().filter(|(_, to)| to.contains(&b)).map(|r| r.0).collect();
            if rules.binary_search_by_key(&b, |r| r.0).is_err() {
                from.push(b);
                from.sort_unstable();
            }
            sources.push((b, from));
        }
        Self { rules, sources }
    }

    pub(crate) fn rule(&self, a: Local) -> Option<&[Local]> {
        self.rules.binary_search_by_key(&a, |r| r.0).ok().map(|i| &self.rules[i].1[..])
    }

    /// Where a passive thread in `b` may have been; `None` if just `b`.
    pub(crate) fn sources(&self, b: Local) -> Option<&[Local]> {
        self.sources.binary_search_by_key(&b, |r| r.0).ok().map(|i| &self.sources[i].1[..])
    }
}

/// The reduced system with its question.
#[derive(Clone, Debug, Default)]
pub(crate) struct Net {
    pub(crate) shared_states: usize,
    pub(crate) local_states: usize,
    pub(crate) steps: Vec<NetStep>,
    pub(crate) init_shared: Shared,
    /// Initial counts, [`OMEGA`] for any number; ascending.
    pub(crate) init: Pairs,
    pub(crate) targets: Vec<(Shared, Pairs)>,
    /// Thread states that may be reachable, as a bit per (shared, local); empty if all may.
    pub(crate) reachable: Vec<u64>,
    words: usize,
    /// Steps by source.
    pub(crate) outgoing: Vec<Vec<u32>>,
    /// Steps by end that change the shared state or move passive threads.
    changing: Vec<Vec<u32>>,
    /// Steps by end that keep the shared state: useful only if they produce a thread of the state.
    staying: Vec<Vec<(Local, u32)>>,
}

impl Net {
    /// Builds the indexes.
    pub(crate) fn new(
        shared_states: usize,
        local_states: usize,
        steps: Vec<NetStep>,
        init: (Shared, Pairs),
        targets: Vec<(Shared, Pairs)>,
    ) -> Self {
        let mut net = Net {
            shared_states,
            local_states,
            steps,
            init_shared: init.0,
            init: init.1,
            targets,
            words: local_states.div_ceil(64),
            outgoing: vec![Vec::new(); shared_states],
            changing: vec![Vec::new(); shared_states],
            staying: vec![Vec::new(); shared_states],
            ..Net::default()
        };
        for (id, step) in net.steps.iter().enumerate() {
            let id = id as u32;
            net.outgoing[step.from as usize].push(id);
            if step.from != step.to || step.transfers.is_some() {
                net.changing[step.to as usize].push(id);
            } else {
                // Threads that the step merely needs do not make it useful.
                let gains = |&&(l, c): &&(Local, u32)| c > step.consume.count(l);
                net.staying[step.to as usize]
                    .extend(step.produce.pairs().iter().filter(gains).map(|p| (p.0, id)));
            }
        }
        for staying in &mut net.staying {
            staying.sort_unstable();
        }
        net
    }

    /// The user's own system, in his numbers.
    pub(crate) fn of_user(problem: &Problem) -> Self {
        let steps = problem.system.transitions.iter().enumerate().map(|(id, t)| {
            let rules = t.transfers.iter().map(|r| (r.from, r.to.clone())).collect();
            NetStep {
                from: t.from,
                to: t.to,
                consume: t.consume.clone(),
                produce: t.produce.clone(),
                transfers: (!t.transfers.is_empty()).then(|| Box::new(Transfers::new(rules))),
                path: SmallVec::from_slice(&[id as u32]),
            }
        });
        let mut init: Pairs = problem.init.bounded.pairs().into();
        for &l in &problem.init.unbounded {
            add(&mut init, l, OMEGA);
        }
        let targets = problem.targets.iter().map(|t| (t.shared, t.threads.pairs().into())).collect();
        let (shared, locals) = (problem.system.shared_states as usize, problem.system.local_states as usize);
        Net::new(shared, locals, steps.collect(), (problem.init.shared, init), targets)
    }

    /// Marks a thread state as possibly reachable; all others then count as unreachable.
    pub(crate) fn mark_reachable(&mut self, s: Shared, l: Local) {
        if self.reachable.is_empty() {
            self.reachable = vec![0; self.words * self.shared_states];
        }
        self.reachable[s as usize * self.words + l as usize / 64] |= 1 << (l % 64);
    }

    /// True if some thread of the state is in a thread state that no run reaches.
    pub(crate) fn is_unreachable(&self, s: Shared, threads: &[(Local, u32)]) -> bool {
        !self.reachable.is_empty()
            && threads
                .iter()
                .any(|&(l, _)| self.reachable[s as usize * self.words + l as usize / 64] >> (l % 64) & 1 == 0)
    }

    /// True if an initial state covers this one.
    pub(crate) fn is_initial(&self, s: Shared, threads: &[(Local, u32)]) -> bool {
        s == self.init_shared && crate::system::included(threads, &self.init)
    }

    /// Calls `visit` for every step that can lead into `s` with a useful cover predecessor.
    pub(crate) fn steps_into(&self, s: Shared, threads: &[(Local, u32)], visit: &mut dyn FnMut(u32)) {
        for &id in &self.changing[s as usize] {
            visit(id);
        }
        let staying = &self.staying[s as usize];
        for &(l, _) in threads {
            let start = staying.partition_point(|p| p.0 < l);
            for &(_, id) in staying[start..].iter().take_while(|p| p.0 == l) {
                // A step that produces two threads of the state is listed twice: visit it for the first.
                let first = self.steps[id as usize]
                    .produce
                    .pairs()
                    .iter()
                    .find(|&&(m, c)| c > self.steps[id as usize].consume.count(m) && has(threads, m))
                    .map(|p| p.0);
                if first == Some(l) {
                    visit(id);
                }
            }
        }
    }

    /// The minimal predecessors of everything above `(step.to | threads)` by one step.
    ///
    /// As many threads of the state as possible are taken to be produced by the step: any predecessor that
    /// leaves a producible thread to the passive ones has one thread more than the same without it. Every
    /// thread that is left comes from some passive source, each independently; all combinations have the
    /// same size, so none covers another unless they are equal.
    ///
    /// There can be very many combinations. While choices are open, `visit` is shown the part that is decided
    /// (`Part::Open`), which every completion covers; if it returns true, the completions are skipped.
    pub(crate) fn cover_predecessors(
        &self,
        step: u32,
        threads: &[(Local, u32)],
        visit: &mut dyn FnMut(&Pairs, Part) -> bool,
    ) {
        let step = &self.steps[step as usize];
        let rest = subtract(threads, step.produce.pairs());
        let Some(transfers) = &step.transfers else {
            visit(&sum(&rest, step.consume.pairs()), Part::Whole);
            return;
        };
        let mut decided: Pairs = step.consume.pairs().into();
        let mut open: SmallVec<[(u32, &[Local]); 4]> = SmallVec::new();
        for &(b, count) in &rest {
            match transfers.sources(b) {
                None => add(&mut decided, b, count),
                Some([]) => return,
                Some([a]) => add(&mut decided, *a, count),
                Some(sources) => open.push((count, sources)),
            }
        }
        passive_sources(&open, decided, visit);
    }

    /// Forgets passive sources that no run reaches.
    pub(crate) fn drop_unreachable_sources(&mut self) {
        if self.reachable.is_empty() {
            return;
        }
        let mut steps = std::mem::take(&mut self.steps);
        for step in &mut steps {
            for (_, sources) in step.transfers.iter_mut().flat_map(|t| &mut t.sources) {
                sources.retain(|&a| !self.is_unreachable(step.from, &[(a, 1)]));
            }
        }
        self.steps = steps;
    }
}

/// Whether a predecessor is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// A cover predecessor.
    Whole,
    /// What is decided of it so far.
    Open,
}

/// Distributes threads over their sources in all ways and adds them to what is decided.
fn passive_sources(open: &[(u32, &[Local])], decided: Pairs, visit: &mut dyn FnMut(&Pairs, Part) -> bool) {
    let Some((&(count, sources), rest)) = open.split_first() else {
        visit(&decided, Part::Whole);
        return;
    };
    if !visit(&decided, Part::Open) {
        place(count, sources, rest, decided, visit);
    }
}

/// Places `count` threads on the sources, then goes on with the rest.
fn place(
    count: u32,
    sources: &[Local],
    rest: &[(u32, &[Local])],
    decided: Pairs,
    visit: &mut dyn FnMut(&Pairs, Part) -> bool,
) {
    let Some((&first, others)) = sources.split_first() else { return };
    for here in (0..=count).rev() {
        if here < count && others.is_empty() {
            return;
        }
        let mut next = decided.clone();
        add(&mut next, first, here);
        if here == count {
            passive_sources(rest, next, visit);
        } else if here == 0 || !visit(&next, Part::Open) {
            place(count - here, others, rest, next, visit);
        }
    }
}

/// All ways to place `count` threads on `places`, added to `so_far`.
pub(crate) fn distribute(count: u32, places: &[Local], so_far: Pairs, visit: &mut dyn FnMut(Pairs)) {
    match places {
        [] => {}
        [last] => {
            let mut next = so_far;
            add(&mut next, *last, count);
            visit(next);
        }
        [first, others @ ..] => {
            for here in 0..=count {
                let mut next = so_far.clone();
                add(&mut next, *first, here);
                if here == count {
                    visit(next);
                } else {
                    distribute(count - here, others, next, visit);
                }
            }
        }
    }
}

/// True if some thread is in `l`.
pub(crate) fn has(threads: &[(Local, u32)], l: Local) -> bool {
    threads.binary_search_by_key(&l, |p| p.0).is_ok()
}

/// The number of threads in `l`.
pub(crate) fn count(threads: &[(Local, u32)], l: Local) -> u32 {
    threads.binary_search_by_key(&l, |p| p.0).map_or(0, |i| threads[i].1)
}

/// Adds threads to a sorted list; [`OMEGA`] absorbs.
pub(crate) fn add(threads: &mut Pairs, l: Local, c: u32) {
    if c == 0 {
        return;
    }
    match threads.binary_search_by_key(&l, |p| p.0) {
        Ok(i) => threads[i].1 = threads[i].1.saturating_add(c),
        Err(i) => threads.insert(i, (l, c)),
    }
}

/// `a - b`, never below zero; [`OMEGA`] stays.
pub(crate) fn subtract(a: &[(Local, u32)], b: &[(Local, u32)]) -> Pairs {
    let mut rest = b;
    let mut result = Pairs::new();
    for &(l, c) in a {
        while rest.first().is_some_and(|p| p.0 < l) {
            rest = &rest[1..];
        }
        let minus = rest.first().filter(|p| p.0 == l).map_or(0, |p| p.1);
        let left = if c == OMEGA { OMEGA } else { c.saturating_sub(minus) };
        if left > 0 {
            result.push((l, left));
        }
    }
    result
}

/// `a + b`; [`OMEGA`] absorbs.
pub(crate) fn sum(a: &[(Local, u32)], b: &[(Local, u32)]) -> Pairs {
    let mut result = Pairs::with_capacity(a.len() + b.len());
    let (mut a, mut b) = (a, b);
    loop {
        match (a.split_first(), b.split_first()) {
            (Some((&x, rest_a)), Some((&y, rest_b))) => {
                if x.0 < y.0 {
                    result.push(x);
                    a = rest_a;
                } else if x.0 > y.0 {
                    result.push(y);
                    b = rest_b;
                } else {
                    result.push((x.0, x.1.saturating_add(y.1)));
                    (a, b) = (rest_a, rest_b);
                }
            }
            (Some(_), None) => {
                result.extend_from_slice(a);
                return result;
            }
            (None, _) => {
                result.extend_from_slice(b);
                return result;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transfers_know_their_sources() {
        // 1 ~> 2, 2 ~> 3, 4 ~> 4, 4 ~> 5: threads in 2 come from 1, in 3 from 2 or 3, in 1 from nowhere.
        let t = Transfers::new(vec![(1, vec![2]), (2, vec![3]), (4, vec![4, 5])]);
        assert_eq!(t.sources(1), Some(&[][..]));
        assert_eq!(t.sources(2), Some(&[1][..]));
        assert_eq!(t.sources(3), Some(&[2, 3][..]));
        assert_eq!(t.sources(4), Some(&[4][..]));
        assert_eq!(t.sources(5), Some(&[4, 5][..]));
        assert_eq!(t.sources(6), None);
    }

    #[test]
    fn threads_choose_sources_independently() {
        let step = NetStep {
            from: 0,
            to: 1,
            consume: [7].into_iter().collect(),
            produce: [3].into_iter().collect(),
            transfers: Some(Box::new(Transfers::new(vec![(1, vec![3]), (2, vec![3]), (3, vec![4])]))),
            path: SmallVec::new(),
        };
        let net = Net::new(2, 8, vec![step], (0, Pairs::new()), vec![]);
        let mut found = Vec::new();
        net.cover_predecessors(0, &[(3, 3)], &mut |p, part| {
            if part == Part::Whole {
                found.push(p.to_vec());
            }
            false
        });
        found.sort();
        assert_eq!(found, [vec![(1, 1), (2, 1), (7, 1)], vec![(1, 2), (7, 1)], vec![(2, 2), (7, 1)]]);
    }
}
