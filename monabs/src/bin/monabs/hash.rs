//! What witnesses need to say which file they are about and when they were made: SHA-256 (FIPS 180-4), and the time in UTC.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The hash of some bytes, in hexadecimal.
pub(super) fn sha256(bytes: &[u8]) -> String {
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend((bytes.len() as u64).wrapping_mul(8).to_be_bytes());
    let (mut state, constants) = (initial(), constants());
    for block in padded.chunks_exact(64) {
        compress(&mut state, &constants, block);
    }
    state.iter().map(|word| format!("{word:08x}")).collect()
}

fn compress(state: &mut [u32; 8], constants: &[u32; 64], block: &[u8]) {
    let mut words = [0u32; 64];
    for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
        *word = bytes.iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
    }
    for index in 16..64 {
        let (a, b) = (words[index - 15], words[index - 2]);
        let first = a.rotate_right(7) ^ a.rotate_right(18) ^ (a >> 3);
        let second = b.rotate_right(17) ^ b.rotate_right(19) ^ (b >> 10);
        words[index] =
            words[index - 16].wrapping_add(first).wrapping_add(words[index - 7]).wrapping_add(second);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (constant, word) in constants.iter().zip(words) {
        let sum = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = (e & f) ^ (!e & g);
        let first = h.wrapping_add(sum).wrapping_add(choice).wrapping_add(*constant).wrapping_add(word);
        let sum = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let majority = (a & b) ^ (a & c) ^ (b & c);
        let second = sum.wrapping_add(majority);
        (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(first), c, b, a, first.wrapping_add(second));
    }
    for (word, new) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.wrapping_add(new);
    }
}

/// The first 32 bits of the fractional parts of the square roots of the first eight primes.
fn initial() -> [u32; 8] {
    let mut primes = primes();
    std::array::from_fn(|_| primes.next().map_or(0, |prime| root_fraction(prime, 2)))
}

/// Likewise of the cube roots of the first 64 primes.
fn constants() -> [u32; 64] {
    let mut primes = primes();
    std::array::from_fn(|_| primes.next().map_or(0, |prime| root_fraction(prime, 3)))
}

fn primes() -> impl Iterator<Item = u128> {
    (2u128..).filter(|n| (2..*n).take_while(|d| d * d <= *n).all(|d| n % d != 0))
}

/// The fractional part of a root, times 2^32, rounded down: bit by bit, so that it is exact.
fn root_fraction(number: u128, degree: u32) -> u32 {
    let scaled = number << (32 * degree);
    let mut root: u128 = 0;
    for bit in (0..40).rev() {
        let candidate = root | 1 << bit;
        if candidate.checked_pow(degree).is_some_and(|power| power <= scaled) {
            root = candidate;
        }
    }
    root as u32
}

/// The present in the form `2026-01-31T23:59:59Z`; `SOURCE_DATE_EPOCH` stands for it in builds that are to be the same each time.
pub(super) fn now() -> String {
    let given = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    let present = || SystemTime::now().duration_since(UNIX_EPOCH).as_ref().map_or(0, Duration::as_secs);
    date(given.unwrap_or_else(present))
}

/// Seconds since 1970 as a date: years counted from March have their leap day at the end.
fn date(seconds: u64) -> String {
    // The year 9999 is far enough.
    let seconds = seconds.min(253_402_300_799);
    let (days, rest) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_standard() {
        assert_eq!(sha256(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        let two_blocks = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        assert_eq!(sha256(two_blocks), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    }

    #[test]
    fn dates() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_735_689_599, "2024-12-31T23:59:59Z"),
            (u64::MAX, "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(date(seconds), text);
        }
    }
}
