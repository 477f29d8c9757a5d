//! Values of bit-vectors of any width.
//!
//! Up to 128 bits a value lives in two words and nothing is allocated; wider values are vectors of words
//! (`wide.rs`), correct rather than fast. All operations are those of the SMT-LIB theory: they wrap, division by zero
//! gives all ones, the remainder by zero is the dividend. Both operands of an operation should have the same width; the
//! result has the width of the first.

mod wide;

use std::cmp::Ordering;
use std::fmt;

use wide::Words;

/// A bit-vector: a width and that many bits.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Bits(Repr);

/// Bits above the width are zero, and a width of at most 128 is `Small`: equal values have equal representations.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small { width: u32, words: [u64; 2] },
    Large { width: u32, words: Box<[u64]> },
}

/// The largest width that is stored without allocation.
const SMALL: u32 = 128;

fn mask(width: u32) -> u128 {
    if width >= SMALL { u128::MAX } else { (1 << width) - 1 }
}

impl Bits {
    /// The lowest bits of a number.
    pub fn new(width: u32, value: u128) -> Bits {
        if width > SMALL {
            return Bits::from_words(width, vec![value as u64, (value >> 64) as u64]);
        }
        let value = value & mask(width);
        Bits(Repr::Small { width, words: [value as u64, (value >> 64) as u64] })
    }

    /// The lowest bits of the two's complement of a number.
    pub fn from_i128(width: u32, value: i128) -> Bits {
        let low = Bits::new(width.min(SMALL), value as u128);
        if width > SMALL { low.sign_extend(width - SMALL) } else { low }
    }

    /// All bits zero.
    pub fn zero(width: u32) -> Bits {
        Bits::new(width, 0)
    }

    /// The number one.
    pub fn one(width: u32) -> Bits {
        Bits::new(width, 1)
    }

    /// All bits one: the greatest number without sign, and minus one with it.
    pub fn ones(width: u32) -> Bits {
        Bits::zero(width).not()
    }

    /// The least number with sign.
    pub fn signed_min(width: u32) -> Bits {
        Bits::one(width).shifted_left(width.saturating_sub(1))
    }

    /// The greatest number with sign.
    pub fn signed_max(width: u32) -> Bits {
        Bits::signed_min(width).not()
    }

    fn from_words(width: u32, mut words: Words) -> Bits {
        if width <= SMALL {
            let word = |at: usize| u128::from(words.get(at).copied().unwrap_or(0));
            return Bits::new(width, word(0) | word(1) << 64);
        }
        wide::truncate(&mut words, width);
        Bits(Repr::Large { width, words: words.into_boxed_slice() })
    }

    /// Reads digits of a base of at most 16. Nothing if there are none, if one is not a digit, or if the number is too
    /// large for the width.
    pub fn from_digits(width: u32, base: u32, digits: &str) -> Option<Bits> {
        if digits.is_empty() || !(2..=16).contains(&base) {
            return None;
        }
        let digits = digits.trim_start_matches('0');
        if digits.len() > width as usize {
            return None;
        }
        let mut words = vec![0; width.div_ceil(64) as usize];
        for digit in digits.chars() {
            if wide::multiply_add(&mut words, u64::from(base), u64::from(digit.to_digit(base)?)) != 0 {
                return None;
            }
        }
        let mut truncated = words.clone();
        wide::truncate(&mut truncated, width);
        (truncated == words).then(|| Bits::from_words(width, words))
    }

    /// The number of bits.
    pub fn width(&self) -> u32 {
        match self.0 {
            Repr::Small { width, .. } | Repr::Large { width, .. } => width,
        }
    }

    fn small(&self) -> Option<u128> {
        match &self.0 {
            Repr::Small { words, .. } => Some(u128::from(words[0]) | u128::from(words[1]) << 64),
            Repr::Large { .. } => None,
        }
    }

    /// The words, the lowest first; those above are zero.
    fn words(&self) -> &[u64] {
        match &self.0 {
            Repr::Small { words, .. } => words,
            Repr::Large { words, .. } => words,
        }
    }

    /// The number without sign, if it is small enough.
    pub fn to_u128(&self) -> Option<u128> {
        match self.words() {
            [low, high, rest @ ..] if rest.iter().all(|&word| word == 0) => {
                Some(u128::from(*low) | u128::from(*high) << 64)
            }
            _ => None,
        }
    }

    /// The number with sign, if it is small enough.
    pub fn to_i128(&self) -> Option<i128> {
        let magnitude = if self.is_negative() { self.neg() } else { self.clone() }.to_u128()?;
        match (self.is_negative(), magnitude.cmp(&(1 << 127))) {
            (true, Ordering::Less | Ordering::Equal) => Some((magnitude as i128).wrapping_neg()),
            (false, Ordering::Less) => Some(magnitude as i128),
            _ => None,
        }
    }

    /// Whether all bits are zero.
    pub fn is_zero(&self) -> bool {
        self.words().iter().all(|&word| word == 0)
    }

    /// Whether all bits are one.
    pub fn is_ones(&self) -> bool {
        match self.small() {
            Some(value) => value == mask(self.width()),
            None => self.not().is_zero(),
        }
    }

    /// Whether the number is one.
    pub fn is_one(&self) -> bool {
        self.to_u128() == Some(1)
    }

    /// Whether the highest bit is one.
    pub fn is_negative(&self) -> bool {
        self.width().checked_sub(1).is_some_and(|highest| self.bit(highest))
    }

    /// The bit with this number; bit zero is the lowest.
    pub fn bit(&self, number: u32) -> bool {
        self.words().get((number / 64) as usize).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    fn map(&self, small: impl Fn(u128) -> u128, large: impl Fn(&[u64]) -> Words) -> Bits {
        match self.small() {
            Some(value) => Bits::new(self.width(), small(value)),
            None => Bits::from_words(self.width(), large(self.words())),
        }
    }

    fn zip(
        &self,
        other: &Bits,
        small: impl Fn(u128, u128) -> u128,
        large: impl Fn(&[u64], &[u64]) -> Words,
    ) -> Bits {
        match (self.small(), other.small()) {
            (Some(left), Some(right)) => Bits::new(self.width(), small(left, right)),
            _ => Bits::from_words(self.width(), large(self.words(), other.words())),
        }
    }

    /// Sum.
    pub fn add(&self, other: &Bits) -> Bits {
        self.zip(other, u128::wrapping_add, wide::add)
    }

    /// Difference.
    pub fn sub(&self, other: &Bits) -> Bits {
        self.add(&other.neg())
    }

    /// Product.
    pub fn mul(&self, other: &Bits) -> Bits {
        self.zip(other, u128::wrapping_mul, wide::mul)
    }

    /// Two's complement.
    pub fn neg(&self) -> Bits {
        self.map(u128::wrapping_neg, |words| wide::add(&wide::not(words), &[1]))
    }

    /// Every bit negated.
    pub fn not(&self) -> Bits {
        self.map(|value| !value, wide::not)
    }

    /// Bitwise conjunction.
    pub fn and(&self, other: &Bits) -> Bits {
        self.zip(other, |left, right| left & right, |left, right| wide::zip(left, right, |a, b| a & b))
    }

    /// Bitwise disjunction.
    pub fn or(&self, other: &Bits) -> Bits {
        self.zip(other, |left, right| left | right, |left, right| wide::zip(left, right, |a, b| a | b))
    }

    /// Bitwise exclusive disjunction.
    pub fn xor(&self, other: &Bits) -> Bits {
        self.zip(other, |left, right| left ^ right, |left, right| wide::zip(left, right, |a, b| a ^ b))
    }

    /// Quotient without sign; all ones if the divisor is zero.
    pub fn udiv(&self, other: &Bits) -> Bits {
        if other.is_zero() {
            return Bits::ones(self.width());
        }
        self.zip(other, |left, right| left / right, |left, right| wide::div_rem(left, right).0)
    }

    /// Remainder without sign; the dividend if the divisor is zero.
    pub fn urem(&self, other: &Bits) -> Bits {
        if other.is_zero() {
            return self.clone();
        }
        self.zip(other, |left, right| left % right, |left, right| wide::div_rem(left, right).1)
    }

    fn magnitude(&self) -> Bits {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    /// Quotient with sign, rounded to zero; one or minus one if the divisor is zero.
    pub fn sdiv(&self, other: &Bits) -> Bits {
        let quotient = self.magnitude().udiv(&other.magnitude());
        if self.is_negative() == other.is_negative() { quotient } else { quotient.neg() }
    }

    /// Remainder with the sign of the dividend; the dividend if the divisor is zero.
    pub fn srem(&self, other: &Bits) -> Bits {
        let remainder = self.magnitude().urem(&other.magnitude());
        if self.is_negative() { remainder.neg() } else { remainder }
    }

    /// A shift distance; nothing if it is at least the width.
    fn distance(&self, width: u32) -> Option<u32> {
        self.to_u128().and_then(|value| u32::try_from(value).ok()).filter(|&distance| distance < width)
    }

    fn shifted_left(&self, distance: u32) -> Bits {
        self.map(
            |value| value.checked_shl(distance).unwrap_or(0),
            |words| wide::shift_left(words, distance, words.len()),
        )
    }

    fn shifted_right(&self, distance: u32) -> Bits {
        self.map(|value| value.checked_shr(distance).unwrap_or(0), |words| wide::shift_right(words, distance))
    }

    /// Shift to the left; zero if the distance is at least the width.
    pub fn shl(&self, other: &Bits) -> Bits {
        match other.distance(self.width()) {
            Some(distance) => self.shifted_left(distance),
            None => Bits::zero(self.width()),
        }
    }

    /// Shift to the right that fills with zeros.
    pub fn lshr(&self, other: &Bits) -> Bits {
        match other.distance(self.width()) {
            Some(distance) => self.shifted_right(distance),
            None => Bits::zero(self.width()),
        }
    }

    /// Shift to the right that fills with the highest bit.
    pub fn ashr(&self, other: &Bits) -> Bits {
        if self.is_negative() { self.not().lshr(other).not() } else { self.lshr(other) }
    }

    /// These bits above the other ones.
    pub fn concat(&self, low: &Bits) -> Bits {
        let width = self.width().saturating_add(low.width());
        if let (Some(left), Some(right), true) = (self.small(), low.small(), width <= SMALL) {
            return Bits::new(width, left.checked_shl(low.width()).unwrap_or(0) | right);
        }
        let high = wide::shift_left(self.words(), low.width(), width.div_ceil(64) as usize);
        Bits::from_words(width, wide::zip(&high, low.words(), |a, b| a | b))
    }

    /// The bits from `low` to `high`, both included.
    pub fn extract(&self, high: u32, low: u32) -> Bits {
        let width = high.saturating_sub(low).saturating_add(1);
        match self.small() {
            Some(value) => Bits::new(width, value.checked_shr(low).unwrap_or(0)),
            None => Bits::from_words(width, wide::shift_right(self.words(), low)),
        }
    }

    /// So many zeros above the bits.
    pub fn zero_extend(&self, by: u32) -> Bits {
        let width = self.width().saturating_add(by);
        match self.small() {
            Some(value) => Bits::new(width, value),
            None => Bits::from_words(width, self.words().to_vec()),
        }
    }

    /// So many copies of the highest bit above the bits.
    pub fn sign_extend(&self, by: u32) -> Bits {
        if self.is_negative() { self.not().zero_extend(by).not() } else { self.zero_extend(by) }
    }

    /// Less without sign.
    pub fn ult(&self, other: &Bits) -> bool {
        wide::compare(self.words(), other.words()) == Ordering::Less
    }

    /// Less or equal without sign.
    pub fn ule(&self, other: &Bits) -> bool {
        !other.ult(self)
    }

    /// Less with sign.
    pub fn slt(&self, other: &Bits) -> bool {
        if self.is_negative() == other.is_negative() { self.ult(other) } else { self.is_negative() }
    }

    /// Less or equal with sign.
    pub fn sle(&self, other: &Bits) -> bool {
        !other.slt(self)
    }
}

/// By width, then without sign.
impl Ord for Bits {
    fn cmp(&self, other: &Bits) -> Ordering {
        self.width().cmp(&other.width()).then_with(|| wide::compare(self.words(), other.words()))
    }
}

impl PartialOrd for Bits {
    fn partial_cmp(&self, other: &Bits) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// In the notation of SMT-LIB: hexadecimal if the width is a multiple of four, else binary.
impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.width();
        let mut text = String::with_capacity(width as usize + 2);
        if width.is_multiple_of(4) && width > 0 {
            text.push_str("#x");
            for digit in (0..width / 4).rev() {
                let word = self.words()[(digit / 16) as usize];
                text.extend(char::from_digit((word >> (digit % 16 * 4) & 15) as u32, 16));
            }
        } else {
            text.push_str("#b");
            text.extend((0..width).rev().map(|number| if self.bit(number) { '1' } else { '0' }));
        }
        f.write_str(&text)
    }
}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests;
