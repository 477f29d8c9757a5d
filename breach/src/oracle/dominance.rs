//! Which configurations are below another one?
//!
//! The forward search asks this for every successor, and most of them are. Under a shared state the
//! configurations with the same omegas form a group; a configuration can only be below one of a group whose
//! omegas include its own, and then only its counted threads outside these omegas matter. Most have at most
//! four. A multiset of up to four threads fits into one number, so each group has a table of all such
//! multisets below its members, and the question is a look-up. Larger ones are compared one by one, after
//! a comparison of signatures.

use super::config::{OmegaId, OmegaSets, contains};
use crate::antichain::{signature, size};
use crate::net::Pairs;
use crate::system::{Local, Shared, included};
use rustc_hash::FxHashMap;

/// Members with more small parts than this are not entered into the table.
const MAX_PARTS: u64 = 400;
/// Threads that fit into a key.
const KEY_THREADS: u64 = 4;

/// Configurations under one shared state with the same omegas.
struct Group {
    omega: OmegaId,
    /// Multisets of at most four threads, and how many members are above each.
    parts: FxHashMap<u64, u32>,
    /// Members with more than four threads.
    large: Vec<Member>,
    /// Members that are not in the table.
    unlisted: Vec<Member>,
}

struct Member {
    signature: u64,
    id: u32,
    finite: Pairs,
}

/// All configurations of a search.
pub(super) struct Dominance {
    groups: Vec<Vec<Group>>,
    /// Whether local states fit into a quarter of a key.
    has_keys: bool,
    /// Comparisons made.
    pub(super) work: u64,
}

impl Dominance {
    pub(super) fn new(shared_states: usize, local_states: usize) -> Self {
        let has_keys = local_states < usize::from(u16::MAX);
        Self { groups: (0..shared_states).map(|_| Vec::new()).collect(), has_keys, work: 0 }
    }

    /// True if another configuration is above this one. `own` is its number if it was inserted itself.
    pub(super) fn is_below(
        &mut self,
        omegas: &mut OmegaSets,
        s: Shared,
        omega: OmegaId,
        finite: &[(Local, u32)],
        own: Option<u32>,
    ) -> bool {
        self.work += 1 + self.groups[s as usize].len() as u64 / 8;
        for group in &self.groups[s as usize] {
            if !omegas.is_subset(omega, group.omega) {
                continue;
            }
            let bits = omegas.bits(group.omega);
            let rest: Pairs = finite.iter().copied().filter(|p| !contains(bits, p.0)).collect();
            let own = own.filter(|_| group.omega == omega);
            self.work += 1;
            if group.is_above(&rest, own, self.has_keys, &mut self.work) {
                return true;
            }
        }
        false
    }

    /// Enters a configuration that is not below another one.
    pub(super) fn insert(&mut self, s: Shared, omega: OmegaId, finite: &[(Local, u32)], id: u32) {
        let groups = &mut self.groups[s as usize];
        let index = groups.iter().position(|g| g.omega == omega).unwrap_or_else(|| {
            groups.push(Group {
                omega,
                parts: FxHashMap::default(),
                large: Vec::new(),
                unlisted: Vec::new(),
            });
            groups.len() - 1
        });
        let group = &mut groups[index];
        let member = || Member { signature: signature(finite), id, finite: Pairs::from_slice(finite) };
        if !self.has_keys || number_of_parts(finite) > MAX_PARTS {
            group.unlisted.push(member());
            return;
        }
        if size(finite) > KEY_THREADS {
            group.large.push(member());
        }
        parts(finite, 0, KEY_THREADS, &mut |key| *group.parts.entry(key).or_insert(0) += 1);
    }
}

impl Group {
    fn is_above(&self, rest: &[(Local, u32)], own: Option<u32>, has_keys: bool, work: &mut u64) -> bool {
        let bits = signature(rest);
        let above = |member: &Member| {
            bits & !member.signature == 0 && Some(member.id) != own && included(rest, &member.finite)
        };
        *work += self.unlisted.len() as u64 / 8;
        if has_keys && size(rest) <= KEY_THREADS {
            let mut key = 0;
            for &(l, c) in rest {
                for _ in 0..c {
                    key = extend(key, l);
                }
            }
            // A configuration of the group is itself one of those above.
            let is_listed = |own: u32| self.unlisted.iter().all(|m| m.id != own);
            let itself = u32::from(own.is_some_and(is_listed));
            return self.parts.get(&key).is_some_and(|&n| n > itself) || self.unlisted.iter().any(above);
        }
        *work += self.large.len() as u64 / 8;
        self.large.iter().chain(&self.unlisted).any(above)
    }
}

/// The key of a multiset with one more thread, in ascending order.
fn extend(key: u64, l: Local) -> u64 {
    key << 16 | u64::from(l + 1)
}

/// Calls `visit` with the key of every multiset of at most `most` threads below `threads`.
fn parts(threads: &[(Local, u32)], key: u64, most: u64, visit: &mut dyn FnMut(u64)) {
    let Some((&(l, count), rest)) = threads.split_first() else { return visit(key) };
    let mut key = key;
    for here in 0..=u64::from(count).min(most) {
        parts(rest, key, most - here, visit);
        key = extend(key, l);
    }
}

/// An upper bound for the number of those multisets: those of any size.
fn number_of_parts(threads: &[(Local, u32)]) -> u64 {
    threads.iter().fold(1u64, |n, p| n.saturating_mul(u64::from(p.1.min(4)) + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::covers;
    use proptest::prelude::*;

    fn configuration() -> impl Strategy<Value = (u64, Pairs)> {
        let finite = proptest::collection::btree_map(0u32..6, 1u32..8, 0..5);
        (0u64..8, finite).prop_map(|(omega, finite)| {
            (omega, finite.into_iter().filter(|p| omega >> p.0 & 1 == 0).collect())
        })
    }

    proptest! {
        #[test]
        fn agrees_with_comparing_all(list in proptest::collection::vec(configuration(), 1..40),
                                     has_keys in any::<bool>()) {
            let mut omegas = OmegaSets::new();
            let mut dominance = Dominance::new(1, 6);
            dominance.has_keys = has_keys;
            let mut inserted: Vec<(u64, Pairs)> = Vec::new();
            for (omega, finite) in list {
                let above = |m: &(u64, Pairs)| omega & !m.0 == 0 && covers(&[m.0], &m.1, &finite);
                let id = omegas.intern(vec![omega]);
                let expected = inserted.iter().any(above);
                prop_assert_eq!(dominance.is_below(&mut omegas, 0, id, &finite, None), expected);
                if expected { continue }
                dominance.insert(0, id, &finite, inserted.len() as u32);
                inserted.push((omega, finite));
                for (number, (omega, finite)) in inserted.iter().enumerate() {
                    let above = |(other, m): (usize, &(u64, Pairs))| {
                        other != number && omega & !m.0 == 0 && covers(&[m.0], &m.1, finite)
                    };
                    let expected = inserted.iter().enumerate().any(above);
                    let id = omegas.intern(vec![*omega]);
                    let own = Some(number as u32);
                    prop_assert_eq!(dominance.is_below(&mut omegas, 0, id, finite, own), expected);
                }
            }
        }
    }
}
