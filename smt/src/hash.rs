//! Hashes that are the same in every run.
//!
//! Terms are put into normal forms by comparing hashes, so the hash of a term must depend on its structure only:
//! not on addresses, not on random seeds, not on the order of creation. The function is a chain of folded
//! multiplications: the two halves of a 128-bit product are combined, so that every bit of the input reaches every bit
//! of the result.

use std::hash::Hasher;

const SEED: u64 = 0x9e37_79b9_7f4a_7c15;
const MULTIPLIER: u64 = 0xd6e8_feb8_6659_fd93;

/// Hashes a sequence of words; equal sequences have equal hashes in every run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StructuralHasher(u64);

impl Default for StructuralHasher {
    fn default() -> StructuralHasher {
        StructuralHasher(SEED)
    }
}

fn fold(left: u64, right: u64) -> u64 {
    let product = u128::from(left) * u128::from(right);
    (product as u64) ^ ((product >> 64) as u64)
}

impl Hasher for StructuralHasher {
    fn finish(&self) -> u64 {
        fold(self.0 ^ SEED, MULTIPLIER)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
        self.write_u64(bytes.len() as u64);
    }

    fn write_u8(&mut self, word: u8) {
        self.write_u64(u64::from(word));
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = fold(self.0 ^ word, MULTIPLIER).wrapping_add(SEED);
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    fn write_isize(&mut self, word: isize) {
        self.write_u64(word as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(words: &[u64]) -> u64 {
        let mut hasher = StructuralHasher::default();
        words.iter().for_each(|&word| hasher.write_u64(word));
        hasher.finish()
    }

    #[test]
    fn order_and_length_matter() {
        assert_ne!(hash(&[1, 2]), hash(&[2, 1]));
        assert_ne!(hash(&[0]), hash(&[0, 0]));
    }

    #[test]
    fn small_numbers_spread_over_all_bits() {
        let mut hashes: Vec<u64> = (0..10_000).map(|word| hash(&[word])).collect();
        for bit in 0..64 {
            let ones = hashes.iter().filter(|&hash| hash >> bit & 1 == 1).count();
            assert!((4_500..5_500).contains(&ones), "bit {bit}: {ones}");
        }
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), 10_000);
    }
}
