//! Arithmetic on vectors of words, the lowest word first.
//!
//! Operands may have different lengths; missing words are zero. Results have the length of the first operand unless
//! stated otherwise: the caller's width decides what is kept.

use std::cmp::Ordering;

pub(super) type Words = Vec<u64>;

/// Makes the vector as long as a width needs and clears the bits above it.
pub(super) fn truncate(words: &mut Words, width: u32) {
    words.resize(width.div_ceil(64) as usize, 0);
    if let (Some(last), rest @ 1..) = (words.last_mut(), width % 64) {
        *last &= (1 << rest) - 1;
    }
}

fn at(words: &[u64], index: usize) -> u64 {
    words.get(index).copied().unwrap_or(0)
}

pub(super) fn zip(left: &[u64], right: &[u64], combine: impl Fn(u64, u64) -> u64) -> Words {
    left.iter().enumerate().map(|(index, &word)| combine(word, at(right, index))).collect()
}

pub(super) fn not(words: &[u64]) -> Words {
    words.iter().map(|word| !word).collect()
}

pub(super) fn add(left: &[u64], right: &[u64]) -> Words {
    let mut carry = false;
    let sum = |(index, &word): (usize, &u64)| {
        let (partial, first) = word.overflowing_add(at(right, index));
        let (sum, second) = partial.overflowing_add(u64::from(carry));
        carry = first || second;
        sum
    };
    left.iter().enumerate().map(sum).collect()
}

/// `words = words * factor + summand`; what does not fit.
pub(super) fn multiply_add(words: &mut [u64], factor: u64, summand: u64) -> u64 {
    words.iter_mut().fold(summand, |carry, word| {
        let product = u128::from(*word) * u128::from(factor) + u128::from(carry);
        *word = product as u64;
        (product >> 64) as u64
    })
}

pub(super) fn mul(left: &[u64], right: &[u64]) -> Words {
    let mut result = vec![0; left.len()];
    for (start, &factor) in left.iter().enumerate() {
        let mut carry = 0;
        for (offset, word) in result[start..].iter_mut().enumerate() {
            let product = u128::from(factor) * u128::from(at(right, offset)) + u128::from(*word) + carry;
            *word = product as u64;
            carry = product >> 64;
        }
    }
    result
}

/// Quotient and remainder by a divisor that is not zero, bit by bit.
pub(super) fn div_rem(left: &[u64], right: &[u64]) -> (Words, Words) {
    let mut quotient = vec![0; left.len()];
    // One word more than the operands: the remainder is doubled before it is compared.
    let mut remainder = vec![0; left.len().max(right.len()) + 1];
    for number in (0..left.len() * 64).rev() {
        let (word, bit) = (number / 64, number % 64);
        multiply_add(&mut remainder, 2, left[word] >> bit & 1);
        if compare(&remainder, right) != Ordering::Less {
            subtract(&mut remainder, right);
            quotient[word] |= 1 << bit;
        }
    }
    (quotient, remainder)
}

fn subtract(left: &mut [u64], right: &[u64]) {
    let mut borrow = false;
    for (index, word) in left.iter_mut().enumerate() {
        let (partial, first) = word.overflowing_sub(at(right, index));
        let (difference, second) = partial.overflowing_sub(u64::from(borrow));
        *word = difference;
        borrow = first || second;
    }
}

/// Shifted to the left, `length` words of it.
pub(super) fn shift_left(words: &[u64], distance: u32, length: usize) -> Words {
    let (skip, bits) = ((distance / 64) as usize, distance % 64);
    let word = |index: usize| {
        let Some(from) = index.checked_sub(skip) else { return 0 };
        let below = if from == 0 || bits == 0 { 0 } else { at(words, from - 1) >> (64 - bits) };
        at(words, from) << bits | below
    };
    (0..length).map(word).collect()
}

pub(super) fn shift_right(words: &[u64], distance: u32) -> Words {
    let (skip, bits) = ((distance / 64) as usize, distance % 64);
    let word = |index: usize| {
        let above = if bits == 0 { 0 } else { at(words, index + skip + 1) << (64 - bits) };
        at(words, index + skip) >> bits | above
    };
    (0..words.len()).map(word).collect()
}

pub(super) fn compare(left: &[u64], right: &[u64]) -> Ordering {
    let length = left.len().max(right.len());
    (0..length)
        .rev()
        .map(|index| at(left, index).cmp(&at(right, index)))
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}
