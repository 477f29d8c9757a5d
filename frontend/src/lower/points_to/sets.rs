//! Sets of targets, each stored once.
//!
//! In large programs thousands of pointers have the same targets. So a set has a number, which is compared and copied instead, and the
//! union of two sets is computed once.

use super::Target;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A sorted set of targets, cheap to copy.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Targets(Rc<[Target]>);

impl Targets {
    pub(crate) fn none() -> Targets {
        Targets(Rc::from([]))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn contains(&self, target: &Target) -> bool {
        self.0.binary_search(target).is_ok()
    }

    /// In order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Target> + '_ {
        self.0.iter().copied()
    }

    /// What is in one of them.
    pub(super) fn union(&self, other: &Targets) -> Targets {
        let (mut one, mut two) = (self.0.iter().peekable(), other.0.iter().peekable());
        let mut all = Vec::with_capacity(self.0.len().max(other.0.len()));
        loop {
            let next = match (one.peek(), two.peek()) {
                (Some(left), Some(right)) if left == right => {
                    two.next();
                    one.next()
                }
                (Some(left), Some(right)) if left > right => two.next(),
                (Some(_), _) => one.next(),
                (None, _) => two.next(),
            };
            match next {
                Some(target) => all.push(*target),
                None => return Targets(all.into()),
            }
        }
    }
}

impl FromIterator<Target> for Targets {
    fn from_iter<I: IntoIterator<Item = Target>>(targets: I) -> Targets {
        let mut all: Vec<Target> = targets.into_iter().collect();
        all.sort_unstable();
        all.dedup();
        Targets(all.into())
    }
}

/// The number of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct SetId(u32);

impl SetId {
    /// Of the empty set.
    pub(super) const NONE: SetId = SetId(0);
}

/// All sets so far.
#[derive(Debug)]
pub(super) struct Sets {
    list: Vec<Targets>,
    numbers: FxHashMap<Targets, SetId>,
    unions: FxHashMap<(SetId, SetId), SetId>,
}

impl Sets {
    pub(super) fn new() -> Sets {
        let none = Targets::none();
        let numbers = FxHashMap::from_iter([(none.clone(), SetId::NONE)]);
        Sets { list: vec![none], numbers, unions: FxHashMap::default() }
    }

    pub(super) fn get(&self, id: SetId) -> &Targets {
        &self.list[id.0 as usize]
    }

    /// The number of a set.
    pub(super) fn id(&mut self, targets: Targets) -> SetId {
        let next = SetId(self.list.len() as u32);
        let list = &mut self.list;
        *self.numbers.entry(targets).or_insert_with_key(|targets| {
            list.push(targets.clone());
            next
        })
    }

    pub(super) fn union(&mut self, one: SetId, two: SetId) -> SetId {
        if one == two || two == SetId::NONE {
            return one;
        }
        if one == SetId::NONE {
            return two;
        }
        let key = (one.min(two), one.max(two));
        if let Some(known) = self.unions.get(&key) {
            return *known;
        }
        let all = self.get(one).union(self.get(two));
        let id = self.id(all);
        self.unions.insert(key, id);
        // So that adding the same again costs nothing.
        self.unions.insert((one.min(id), one.max(id)), id);
        self.unions.insert((two.min(id), two.max(id)), id);
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::graph::ObjectId;

    fn set(objects: &[u32]) -> Targets {
        objects.iter().map(|object| (ObjectId(*object), Some(0))).collect()
    }

    #[test]
    fn unions_are_sorted_and_have_one_number() {
        let mut sets = Sets::new();
        let (one, two) = (sets.id(set(&[3, 1])), sets.id(set(&[2, 3, 9])));
        let both = sets.union(one, two);
        assert_eq!(*sets.get(both), set(&[1, 2, 3, 9]));
        assert_eq!(sets.union(two, one), both);
        assert_eq!(sets.union(both, one), both);
        assert_eq!(sets.id(set(&[9, 3, 2, 1])), both);
        assert_eq!(sets.union(SetId::NONE, one), one);
        assert!(sets.get(both).contains(&(ObjectId(9), Some(0))) && !sets.get(one).is_empty());
    }
}
