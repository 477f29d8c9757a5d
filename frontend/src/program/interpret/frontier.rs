//! Which state is looked at next.
//!
//! Breadth first, runs are as short as possible. But most errors need few *switches*: places where a thread that could go on has to wait for others; and many steps. M. Musuvathi and S. Qadeer's
//! iterative context bounding (PLDI 2007) looks at all runs with none of them first, then with one, and so on: with `c` of them, the number of runs is a polynomial in the number of steps, and only its degree depends on `c`.
//!
//! A state counts with the run on which it was seen first. Another one that ends there with as many switches, but with another thread that could go on, may save one later; so the order is
//! not exact. Nothing depends on it but when a state is seen.

use std::collections::VecDeque;

/// In which order states are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SearchOrder {
    /// Few steps first.
    #[default]
    Steps,
    /// Few switches first.
    Switches,
}

/// No thread: whoever moves next, it is no switch.
const NOBODY: u8 = u8::MAX;

/// A state that was reached by a step: which thread it was that moved, before the step and, unless it is new and may wait for nothing, after it.
pub(super) struct Reached {
    pub(super) state: u32,
    pub(super) moved: usize,
    pub(super) last: Option<usize>,
}

/// States that nobody has looked at.
pub(super) struct Frontier {
    order: SearchOrder,
    /// By number of steps or switches.
    open: VecDeque<VecDeque<u32>>,
    /// The number of the first of them.
    depth: usize,
    /// By state, for switches: who moved last.
    last: Vec<u8>,
}

impl Frontier {
    pub(super) fn new(order: SearchOrder) -> Frontier {
        Frontier { order, open: VecDeque::new(), depth: 0, last: Vec::new() }
    }

    /// How many steps or switches lead to the state that is next.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    /// Notes an initial state.
    pub(super) fn start(&mut self, state: u32) {
        self.push(state, 0, None);
    }

    /// The next state.
    pub(super) fn next(&mut self) -> Option<u32> {
        loop {
            if let Some(state) = self.open.front_mut()?.pop_front() {
                return Some(state);
            }
            self.open.pop_front();
            self.depth += 1;
        }
    }

    /// Notes what was reached from a state in all its steps; `goes_on` says which threads could move.
    pub(super) fn extend(&mut self, from: u32, reached: &[Reached], goes_on: impl Fn(usize) -> bool) {
        let before = self.last.get(from as usize).copied().filter(|&last| last != NOBODY);
        let before = before.map(usize::from).filter(|&last| goes_on(last));
        for Reached { state, moved, last } in reached {
            let cost = match self.order {
                SearchOrder::Steps => 1,
                SearchOrder::Switches => usize::from(before.is_some_and(|before| before != *moved)),
            };
            self.push(*state, cost, *last);
        }
    }

    /// Notes a state that costs so much more than the one that was looked at last.
    fn push(&mut self, state: u32, cost: usize, last: Option<usize>) {
        while self.open.len() <= cost {
            self.open.push_back(VecDeque::new());
        }
        self.open[cost].push_back(state);
        if self.order == SearchOrder::Switches {
            let last = last.and_then(|last| u8::try_from(last).ok()).unwrap_or(NOBODY);
            self.last.resize(self.last.len().max(state as usize + 1), NOBODY);
            self.last[state as usize] = last;
        }
    }
}
