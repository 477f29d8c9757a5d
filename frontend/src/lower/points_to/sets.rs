//! Sets of targets, each stored once.
//!
//! In large programs thousands of pointers have the same targets. So equal sets are one set in memory, which is compared by where it lies,
//! and the union of two sets is computed once.
//!
//! A set that has any offset of an object has no other offset of it, and one with many offsets of an object has any: a pointer
//! that walks through a struct byte by byte would otherwise have a target for each byte. Both say no less than before.

use super::Target;
use crate::lower::graph::ObjectId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// More offsets of one object than these are any offset.
const MOST_OFFSETS: usize = 32;

/// A target as a number: the object, then 0 for any offset and one more than the offset otherwise.
pub(super) fn pack((object, offset): Target) -> u64 {
    let offset = offset.and_then(|offset| u32::try_from(offset).ok()?.checked_add(1)).unwrap_or(0);
    u64::from(object.0) << 32 | u64::from(offset)
}

/// The target that a number stands for.
pub(super) fn unpack(packed: u64) -> Target {
    (ObjectId((packed >> 32) as u32), u64::from(packed as u32).checked_sub(1))
}

/// A sorted set of targets, cheap to copy.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Targets(Rc<[u64]>);

impl Targets {
    pub(crate) fn none() -> Targets {
        Targets(Rc::from([]))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn contains(&self, target: &Target) -> bool {
        self.0.binary_search(&pack(*target)).is_ok()
    }

    /// In order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Target> + '_ {
        self.0.iter().copied().map(unpack)
    }

    /// What is in one of them.
    pub(super) fn union(&self, other: &Targets) -> Targets {
        if self.is_empty() {
            return other.clone();
        }
        let mut all = Vec::with_capacity(self.0.len() + other.0.len());
        all.extend_from_slice(&self.0);
        all.extend_from_slice(&other.0);
        // Two sorted runs: this is a merge.
        all.sort();
        Targets::of_sorted(all)
    }

    /// What is in this one and not in the other.
    pub(super) fn without(&self, other: &Targets) -> Vec<u64> {
        let mut rest = other.0.iter().peekable();
        let mut is_new = |target: &u64| {
            while rest.next_if(|known| *known < target).is_some() {}
            rest.peek() != Some(&target)
        };
        self.0.iter().copied().filter(|target| is_new(target)).collect()
    }

    /// All with the numbers.
    pub(super) fn packed(&self) -> &[u64] {
        &self.0
    }

    fn of_sorted(mut all: Vec<u64>) -> Targets {
        all.dedup();
        let mut kept = 0;
        let mut at = 0;
        while at < all.len() {
            let object = all[at] >> 32;
            let end = at + all[at..].iter().take_while(|target| **target >> 32 == object).count();
            if all[at] as u32 == 0 || end - at > MOST_OFFSETS {
                all[kept] = object << 32;
                kept += 1;
            } else {
                all.copy_within(at..end, kept);
                kept += end - at;
            }
            at = end;
        }
        all.truncate(kept);
        Targets(all.into())
    }

    fn address(&self) -> usize {
        self.0.as_ptr() as usize
    }
}

impl FromIterator<u64> for Targets {
    fn from_iter<I: IntoIterator<Item = u64>>(targets: I) -> Targets {
        let mut all: Vec<u64> = targets.into_iter().collect();
        all.sort_unstable();
        Targets::of_sorted(all)
    }
}

impl FromIterator<Target> for Targets {
    fn from_iter<I: IntoIterator<Item = Target>>(targets: I) -> Targets {
        targets.into_iter().map(pack).collect()
    }
}

/// All sets that are in use, and some that were. Sets that come from here are equal if they are the same.
#[derive(Debug)]
pub(super) struct Sets {
    known: FxHashSet<Targets>,
    /// By where the two lie; the sets are kept alive by the result, which may be one of them, and by the first two members.
    unions: FxHashMap<(usize, usize), [Targets; 3]>,
    none: Targets,
    /// Numbers in all known sets.
    weight: usize,
    /// When to look for sets that nobody uses.
    limit: usize,
}

/// So many numbers are no reason to look for unused sets.
const FEW: usize = 1 << 22;
/// More results are not remembered.
const MOST_UNIONS: usize = 1 << 20;

impl Sets {
    pub(super) fn new() -> Sets {
        let none = Targets::none();
        let known = FxHashSet::from_iter([none.clone()]);
        Sets { known, unions: FxHashMap::default(), none, weight: 0, limit: FEW }
    }

    pub(super) fn none(&self) -> Targets {
        self.none.clone()
    }

    /// The same set, as it is known.
    pub(super) fn shared(&mut self, targets: Targets) -> Targets {
        if let Some(known) = self.known.get(&targets) {
            return known.clone();
        }
        self.weight += targets.0.len();
        if self.weight > self.limit {
            self.sweep();
        }
        self.known.insert(targets.clone());
        targets
    }

    /// Forgets sets that nobody uses.
    fn sweep(&mut self) {
        self.unions.clear();
        self.known.retain(|set| Rc::strong_count(&set.0) > 1);
        self.weight = self.known.iter().map(|set| set.0.len()).sum();
        self.limit = FEW.max(2 * self.weight);
    }

    /// Whether two known sets are equal.
    pub(super) fn same(one: &Targets, two: &Targets) -> bool {
        Rc::ptr_eq(&one.0, &two.0)
    }

    /// The union of two known sets.
    pub(super) fn union(&mut self, one: &Targets, two: &Targets) -> Targets {
        if Sets::same(one, two) || two.is_empty() {
            return one.clone();
        }
        if one.is_empty() {
            return two.clone();
        }
        let key = (one.address().min(two.address()), one.address().max(two.address()));
        if let Some([.., known]) = self.unions.get(&key) {
            return known.clone();
        }
        let all = self.shared(one.union(two));
        if self.unions.len() >= MOST_UNIONS {
            self.unions.clear();
        }
        self.unions.insert(key, [one.clone(), two.clone(), all.clone()]);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(objects: &[u32]) -> Targets {
        objects.iter().map(|object| (ObjectId(*object), Some(0))).collect()
    }

    #[test]
    fn unions_are_sorted_and_stored_once() {
        let mut sets = Sets::new();
        let (one, two) = (sets.shared(set(&[3, 1])), sets.shared(set(&[2, 3, 9])));
        let both = sets.union(&one, &two);
        assert_eq!(both, set(&[1, 2, 3, 9]));
        assert!(Sets::same(&sets.union(&two, &one), &both));
        assert!(Sets::same(&sets.union(&both, &one), &both));
        assert!(Sets::same(&sets.shared(set(&[9, 3, 2, 1])), &both));
        assert!(Sets::same(&sets.union(&Targets::none(), &one), &one));
        assert!(both.contains(&(ObjectId(9), Some(0))) && !one.is_empty());
        assert_eq!(both.without(&one), set(&[2, 9]).packed());
    }

    #[test]
    fn any_offset_stands_for_all_and_for_many() {
        let object = ObjectId(7);
        let some: Targets = [(object, Some(4)), (object, None), (ObjectId(8), Some(1))].into_iter().collect();
        assert_eq!(some.iter().collect::<Vec<_>>(), [(object, None), (ObjectId(8), Some(1))]);
        let of =
            |range: std::ops::Range<u64>| range.map(|offset| (object, Some(offset))).collect::<Targets>();
        assert_eq!(of(0..32).iter().count(), 32);
        assert_eq!(of(0..33).iter().collect::<Vec<_>>(), [(object, None)]);
        assert_eq!(of(0..20).union(&of(20..40)), of(0..33));
        assert_eq!(unpack(pack((object, Some(u64::MAX)))), (object, None));
    }

    #[test]
    fn what_nobody_uses_is_forgotten() {
        let mut sets = Sets::new();
        let kept = sets.shared(set(&[1]));
        sets.shared(set(&[2]));
        sets.sweep();
        assert_eq!(sets.known.len(), 2, "the empty one, and the one in use");
        assert!(Sets::same(&sets.shared(set(&[1])), &kept));
    }
}
