//! States with "any number of threads" in some local states, and the table of those sets.
//!
//! A configuration is a shared state, a set of local states with any number of threads (omega), and exact
//! counts elsewhere. Few different omega sets occur in a search, so they are kept once each and known by
//! number; what depends only on a set is computed once.

use crate::system::Local;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The number of an omega set.
pub(crate) type OmegaId = u32;

/// A set of local states as bits.
pub(crate) type Bits = Arc<[u64]>;

/// True if `l` is in the set.
pub(crate) fn contains(bits: &[u64], l: Local) -> bool {
    bits[l as usize / 64] >> (l % 64) & 1 == 1
}

/// Sets of at most so many words are compared rather than looked up.
const SHORT: usize = 8;

/// All omega sets so far.
pub(crate) struct OmegaSets {
    sets: Vec<Bits>,
    sizes: Vec<u32>,
    ids: FxHashMap<Bits, OmegaId>,
    subset: FxHashMap<(OmegaId, OmegaId), bool>,
}

impl OmegaSets {
    pub(crate) fn new() -> Self {
        Self { sets: Vec::new(), sizes: Vec::new(), ids: FxHashMap::default(), subset: FxHashMap::default() }
    }

    /// The number of a set, new or not.
    pub(crate) fn intern(&mut self, bits: Vec<u64>) -> OmegaId {
        if let Some(&id) = self.ids.get(&bits[..]) {
            return id;
        }
        let id = self.sets.len() as OmegaId;
        let bits: Bits = bits.into();
        self.sizes.push(bits.iter().map(|w| w.count_ones()).sum());
        self.sets.push(bits.clone());
        self.ids.insert(bits, id);
        id
    }

    pub(crate) fn bits(&self, id: OmegaId) -> &Bits {
        &self.sets[id as usize]
    }

    /// How many local states are in the set.
    pub(crate) fn size(&self, id: OmegaId) -> u32 {
        self.sizes[id as usize]
    }

    /// Inclusion; remembered where comparing takes longer than looking up.
    pub(crate) fn is_subset(&mut self, small: OmegaId, large: OmegaId) -> bool {
        if small == large {
            return true;
        }
        if self.sizes[small as usize] >= self.sizes[large as usize] {
            return false;
        }
        let sets = &self.sets;
        if sets[small as usize].len() <= SHORT {
            return sets[small as usize].iter().zip(&sets[large as usize][..]).all(|(a, b)| a & !b == 0);
        }
        *self.subset.entry((small, large)).or_insert_with(|| {
            sets[small as usize].iter().zip(&sets[large as usize][..]).all(|(a, b)| a & !b == 0)
        })
    }
}

/// True if the threads fit under the configuration with these omegas and exact counts.
pub(crate) fn covers(omega: &[u64], finite: &[(Local, u32)], threads: &[(Local, u32)]) -> bool {
    let mut rest = finite;
    for &(l, c) in threads {
        if contains(omega, l) {
            continue;
        }
        let Some(at) = rest.iter().position(|p| p.0 >= l) else { return false };
        if rest[at].0 != l || rest[at].1 < c {
            return false;
        }
        rest = &rest[at + 1..];
    }
    true
}
