//! Multisets of local states: how many threads are where.
//!
//! Kept as a list of (local state, count) pairs, sorted by local state and without zero counts, so that two
//! equal multisets are equal lists. Most states of interest have at most four threads (thesis, section 4.2),
//! and Petri nets with weights have few places with large counts: both are short lists, and lists of up to
//! two pairs live without an allocation.

use super::Local;
use smallvec::SmallVec;

/// A finite multiset of local states.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Multiset(SmallVec<[(Local, u32); 2]>);

impl Multiset {
    /// The empty multiset.
    pub fn new() -> Self {
        Self::default()
    }

    /// Wraps a list that is already sorted, without repetitions and without zero counts.
    pub fn from_sorted(pairs: Vec<(Local, u32)>) -> Self {
        debug_assert!(pairs.windows(2).all(|w| w[0].0 < w[1].0) && pairs.iter().all(|p| p.1 > 0));
        Self(SmallVec::from_vec(pairs))
    }

    /// Copies a slice that is already sorted, without repetitions and without zero counts.
    pub fn from_slice(pairs: &[(Local, u32)]) -> Self {
        debug_assert!(pairs.windows(2).all(|w| w[0].0 < w[1].0) && pairs.iter().all(|p| p.1 > 0));
        Self(SmallVec::from_slice(pairs))
    }

    /// The (local state, count) pairs in ascending order of the local state.
    pub fn pairs(&self) -> &[(Local, u32)] {
        &self.0
    }

    /// How many threads are in `local`.
    pub fn count(&self, local: Local) -> u32 {
        self.0.binary_search_by_key(&local, |p| p.0).map_or(0, |i| self.0[i].1)
    }

    /// The number of threads.
    pub fn size(&self) -> u64 {
        self.0.iter().map(|p| u64::from(p.1)).sum()
    }

    /// True for the empty multiset.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds `count` threads in `local`; counts saturate.
    pub fn add(&mut self, local: Local, count: u32) {
        if count == 0 {
            return;
        }
        match self.0.binary_search_by_key(&local, |p| p.0) {
            Ok(i) => self.0[i].1 = self.0[i].1.saturating_add(count),
            Err(i) => self.0.insert(i, (local, count)),
        }
    }

    /// Removes up to `count` threads from `local` and returns how many were removed.
    pub fn remove(&mut self, local: Local, count: u32) -> u32 {
        let Ok(i) = self.0.binary_search_by_key(&local, |p| p.0) else { return 0 };
        let removed = count.min(self.0[i].1);
        self.0[i].1 -= removed;
        if self.0[i].1 == 0 {
            self.0.remove(i);
        }
        removed
    }

    /// Multiset inclusion, the order on states with the same shared part.
    pub fn included_in(&self, other: &Multiset) -> bool {
        included(&self.0, &other.0)
    }

    /// One entry per thread, in ascending order.
    pub fn threads(&self) -> impl Iterator<Item = Local> + '_ {
        self.0.iter().flat_map(|&(l, c)| std::iter::repeat_n(l, c as usize))
    }
}

impl FromIterator<Local> for Multiset {
    fn from_iter<I: IntoIterator<Item = Local>>(threads: I) -> Self {
        let mut all: Vec<Local> = threads.into_iter().collect();
        all.sort_unstable();
        let mut pairs: SmallVec<[(Local, u32); 2]> = SmallVec::new();
        for local in all {
            match pairs.last_mut() {
                Some(last) if last.0 == local => last.1 = last.1.saturating_add(1),
                _ => pairs.push((local, 1)),
            }
        }
        Self(pairs)
    }
}

/// Inclusion of sorted pair lists.
pub fn included(small: &[(Local, u32)], large: &[(Local, u32)]) -> bool {
    if small.len() > large.len() {
        return false;
    }
    let mut rest = large;
    for &(local, count) in small {
        let Some(at) = rest.iter().position(|p| p.0 >= local) else { return false };
        if rest[at].0 != local || rest[at].1 < count {
            return false;
        }
        rest = &rest[at + 1..];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(threads: &[Local]) -> Multiset {
        threads.iter().copied().collect()
    }

    #[test]
    fn inclusion_counts() {
        assert!(set(&[]).included_in(&set(&[])));
        assert!(set(&[1, 2]).included_in(&set(&[0, 1, 2, 2])));
        assert!(!set(&[1, 1]).included_in(&set(&[1, 2])));
        assert!(!set(&[3]).included_in(&set(&[1, 2])));
    }

    #[test]
    fn add_and_remove_are_inverse() {
        let mut m = set(&[1, 2, 2]);
        m.add(0, 3);
        assert_eq!(m.remove(0, 5), 3);
        assert_eq!(m.remove(7, 1), 0);
        assert_eq!(m, set(&[2, 1, 2]));
        assert_eq!(m.size(), 3);
    }
}
