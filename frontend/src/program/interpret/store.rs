//! The set of states seen so far: all words in one vector, found through a table of numbers.

use super::layout::State;
use rustc_hash::FxHasher;
use smt::Value;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// No state.
const NONE: u32 = u32::MAX;

/// As many states as there can be numbers for.
pub(super) const MAX_STATES: usize = NONE as usize;

/// States by number, in the order of their insertion.
pub(super) struct Store {
    words_per_state: usize,
    large_per_state: usize,
    words: Vec<u64>,
    large: Vec<Arc<Value>>,
    /// Open addressing with linear probing; a power of two, at least a third empty.
    table: Vec<u32>,
    length: usize,
}

impl Store {
    pub(super) fn new((words_per_state, large_per_state): (usize, usize)) -> Store {
        let table = vec![NONE; 1 << 10];
        Store { words_per_state, large_per_state, words: Vec::new(), large: Vec::new(), table, length: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.length
    }

    /// Puts the state with this number into `state`.
    pub(super) fn get(&self, number: usize, state: &mut State) {
        let (words, large) = self.slices(number);
        state.words.clear();
        state.words.extend_from_slice(words);
        state.large.clear();
        state.large.extend_from_slice(large);
    }

    fn slices(&self, number: usize) -> (&[u64], &[Arc<Value>]) {
        let (words, large) = (number * self.words_per_state, number * self.large_per_state);
        (&self.words[words..words + self.words_per_state], &self.large[large..large + self.large_per_state])
    }

    /// Whether the state is new; then it gets the next number.
    pub(super) fn insert(&mut self, state: &State) -> bool {
        let mask = self.table.len() - 1;
        let mut at = hash(&state.words, &state.large) & mask;
        while self.table[at] != NONE {
            let (words, large) = self.slices(self.table[at] as usize);
            if words == state.words && large == state.large {
                return false;
            }
            at = (at + 1) & mask;
        }
        self.table[at] = self.length as u32;
        self.words.extend_from_slice(&state.words);
        self.large.extend_from_slice(&state.large);
        self.length += 1;
        if self.length * 3 > self.table.len() * 2 {
            self.grow();
        }
        true
    }

    fn grow(&mut self) {
        let size = self.table.len() * 2;
        self.table.clear();
        self.table.resize(size, NONE);
        for number in 0..self.length {
            let (words, large) = self.slices(number);
            let mut at = hash(words, large) & (size - 1);
            while self.table[at] != NONE {
                at = (at + 1) & (size - 1);
            }
            self.table[at] = number as u32;
        }
    }
}

fn hash(words: &[u64], large: &[Arc<Value>]) -> usize {
    let mut hasher = FxHasher::default();
    for &word in words {
        hasher.write_u64(word);
    }
    for value in large {
        value.hash(&mut hasher);
    }
    let hash = hasher.finish();
    // Fx leaves the low bits weak in short inputs: fold the high ones in.
    (hash ^ hash >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_found_again_after_growth() {
        let mut store = Store::new((2, 1));
        let state = |number: u64| State {
            words: vec![number / 100, number % 100],
            large: vec![Arc::new(Value::Bool(number.is_multiple_of(3)))],
        };
        for number in 0..5_000 {
            assert!(store.insert(&state(number)));
        }
        let mut found = State::default();
        for number in 0..5_000 {
            assert!(!store.insert(&state(number)));
            store.get(number as usize, &mut found);
            assert_eq!(found, state(number));
        }
        assert_eq!(store.len(), 5_000);
        assert!(store.insert(&State { words: vec![0, 0], large: vec![Arc::new(Value::Bool(false))] }));
    }
}
