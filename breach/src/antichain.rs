//! Upward-closed sets, kept by (roughly minimal) elements.
//!
//! The time of a backward search goes into one question: is this state above some element? An element below
//! it has each of its local states among the state's, so every element is filed under just one of them, the
//! one with the shortest list at the time of insertion, and a query looks only at the lists of the state's
//! own local states. A 64-bit signature of the local states and the number of threads rule out most of what
//! is left before the exact comparison. Ids are given by the caller and refer to his [`States`].

use crate::system::{Local, Shared, included};
use rustc_hash::FxHashMap;

/// A growing table of states; an id is an index.
#[derive(Default)]
pub(crate) struct States {
    entries: Vec<(Shared, u32, u32)>,
    pairs: Vec<(Local, u32)>,
}

impl States {
    pub(crate) fn push(&mut self, s: Shared, threads: &[(Local, u32)]) -> u32 {
        let start = self.pairs.len() as u32;
        self.pairs.extend_from_slice(threads);
        self.entries.push((s, start, threads.len() as u32));
        self.entries.len() as u32 - 1
    }

    pub(crate) fn shared(&self, id: u32) -> Shared {
        self.entries[id as usize].0
    }

    pub(crate) fn threads(&self, id: u32) -> &[(Local, u32)] {
        let (_, start, len) = self.entries[id as usize];
        &self.pairs[start as usize..(start + len) as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The number of threads of a state.
    pub(crate) fn size(&self, id: u32) -> u64 {
        size(self.threads(id))
    }
}

/// The number of threads in a list.
pub(crate) fn size(threads: &[(Local, u32)]) -> u64 {
    threads.iter().map(|p| u64::from(p.1)).sum()
}

/// One bit per local state, folded.
pub(crate) fn signature(threads: &[(Local, u32)]) -> u64 {
    threads.iter().fold(0, |bits, p| bits | 1 << (p.0.wrapping_mul(0x9E37_79B1) >> 26))
}

#[derive(Clone, Copy)]
struct Filed {
    signature: u64,
    id: u32,
    /// Number of threads, saturating.
    size: u32,
}

/// The set above its elements.
#[derive(Default)]
pub(crate) struct UpwardClosed {
    lists: FxHashMap<(Shared, Local), Vec<Filed>>,
    /// Elements without threads.
    empty: FxHashMap<Shared, u32>,
    /// Where an element is filed, for removal.
    key: FxHashMap<u32, Local>,
    /// Comparisons made, as a measure of work.
    pub(crate) work: u64,
    len: usize,
}

impl UpwardClosed {
    /// An empty set that goes on counting work.
    pub(crate) fn with_work(work: u64) -> Self {
        Self { work, ..Self::default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Adds an element.
    pub(crate) fn insert(&mut self, states: &States, id: u32) {
        let (s, threads) = (states.shared(id), states.threads(id));
        self.len += 1;
        let length = |l: Local| self.lists.get(&(s, l)).map_or(0, Vec::len);
        let Some(&(key, _)) = threads.iter().min_by_key(|p| length(p.0)) else {
            self.empty.insert(s, id);
            return;
        };
        let size = u32::try_from(size(threads)).unwrap_or(u32::MAX);
        self.lists.entry((s, key)).or_default().push(Filed { signature: signature(threads), id, size });
        self.key.insert(id, key);
    }

    /// Removes an element.
    pub(crate) fn remove(&mut self, states: &States, id: u32) {
        let s = states.shared(id);
        self.len -= 1;
        match self.key.remove(&id) {
            None => {
                self.empty.remove(&s);
            }
            Some(key) => {
                if let Some(list) = self.lists.get_mut(&(s, key)) {
                    list.retain(|filed| filed.id != id);
                }
            }
        }
    }

    /// An element below the state, other than `except`.
    pub(crate) fn find_below(
        &mut self,
        states: &States,
        s: Shared,
        threads: &[(Local, u32)],
        except: Option<u32>,
    ) -> Option<u32> {
        self.work += 1;
        if let Some(&id) = self.empty.get(&s)
            && Some(id) != except
        {
            return Some(id);
        }
        let bits = !signature(threads);
        let most = u32::try_from(size(threads)).unwrap_or(u32::MAX);
        for &(l, _) in threads {
            let Some(list) = self.lists.get(&(s, l)) else { continue };
            self.work += 1 + list.len() as u64 / 8;
            for filed in list {
                if filed.signature & bits == 0
                    && filed.size <= most
                    && Some(filed.id) != except
                    && included(states.threads(filed.id), threads)
                {
                    return Some(filed.id);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn threads() -> impl Strategy<Value = Vec<(Local, u32)>> {
        proptest::collection::btree_map(0u32..6, 1u32..4, 0..4).prop_map(|m| m.into_iter().collect())
    }

    proptest! {
        #[test]
        fn agrees_with_a_scan(elements in proptest::collection::vec((0u32..2, threads()), 0..30),
                              queries in proptest::collection::vec((0u32..2, threads()), 1..30),
                              removed in proptest::collection::vec(any::<bool>(), 30)) {
            let (mut states, mut set) = (States::default(), UpwardClosed::default());
            let mut kept = Vec::new();
            for (s, t) in &elements {
                if kept.iter().any(|&id| states.shared(id) == *s && states.threads(id) == &t[..]) { continue }
                let id = states.push(*s, t);
                set.insert(&states, id);
                kept.push(id);
            }
            for (i, gone) in removed.iter().enumerate().take(kept.len()) {
                if *gone { set.remove(&states, kept[i]); }
            }
            let kept: Vec<u32> = kept.iter().enumerate().filter(|(i, _)| !removed[*i]).map(|p| *p.1).collect();
            prop_assert_eq!(set.len(), kept.len());
            for (s, t) in &queries {
                let expected = kept.iter().any(|&id| states.shared(id) == *s && included(states.threads(id), t));
                let found = set.find_below(&states, *s, t, None);
                prop_assert_eq!(found.is_some(), expected);
                if let Some(id) = found {
                    prop_assert!(states.shared(id) == *s && included(states.threads(id), t));
                }
            }
        }
    }
}
