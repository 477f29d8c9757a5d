//! C's integer types and the numbers that expressions can be: intervals, so that generated programs never do what C leaves
//! undefined.
//!
//! This is written from the standard (C11 6.2.5, 6.3.1) and shares nothing with the translation that it is to test. Numbers are
//! kept as `i128`; an `unsigned __int128` whose upper bound is the largest `i128` may be anything above it, too.

use frontend::types::DataModel;

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the names of C")]
pub enum Int {
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
}

/// The numbers from `low` to `high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The least.
    pub low: i128,
    /// The greatest.
    pub high: i128,
}

/// The operators whose result has the common type of both operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
}

impl Operator {
    /// All of them.
    pub const ALL: [Operator; 10] = [
        Operator::Add,
        Operator::Subtract,
        Operator::Multiply,
        Operator::Divide,
        Operator::Remainder,
        Operator::And,
        Operator::Or,
        Operator::Xor,
        Operator::ShiftLeft,
        Operator::ShiftRight,
    ];

    /// As C writes it.
    pub fn text(self) -> &'static str {
        match self {
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Divide => "/",
            Operator::Remainder => "%",
            Operator::And => "&",
            Operator::Or => "|",
            Operator::Xor => "^",
            Operator::ShiftLeft => "<<",
            Operator::ShiftRight => ">>",
        }
    }

    /// Whether the operands are promoted each for itself.
    pub fn is_shift(self) -> bool {
        matches!(self, Operator::ShiftLeft | Operator::ShiftRight)
    }

    /// Whether a divisor of zero is a danger.
    pub fn is_division(self) -> bool {
        matches!(self, Operator::Divide | Operator::Remainder)
    }
}

impl Int {
    /// All but the types of 128 bits, which a 32-bit compiler does not have.
    pub const USUAL: [Int; 12] = [
        Int::Bool,
        Int::Char,
        Int::SChar,
        Int::UChar,
        Int::Short,
        Int::UShort,
        Int::Int,
        Int::UInt,
        Int::Long,
        Int::ULong,
        Int::LongLong,
        Int::ULongLong,
    ];

    /// As C writes it.
    pub fn name(self) -> &'static str {
        match self {
            Int::Bool => "_Bool",
            Int::Char => "char",
            Int::SChar => "signed char",
            Int::UChar => "unsigned char",
            Int::Short => "short",
            Int::UShort => "unsigned short",
            Int::Int => "int",
            Int::UInt => "unsigned int",
            Int::Long => "long",
            Int::ULong => "unsigned long",
            Int::LongLong => "long long",
            Int::ULongLong => "unsigned long long",
            Int::Int128 => "__int128",
            Int::UInt128 => "unsigned __int128",
        }
    }

    /// Number of bits of a value.
    pub fn width(self, model: DataModel) -> u32 {
        match self {
            Int::Bool => 1,
            Int::Char | Int::SChar | Int::UChar => 8,
            Int::Short | Int::UShort => 16,
            Int::Int | Int::UInt => 32,
            Int::Long | Int::ULong => model.pointer_width(),
            Int::LongLong | Int::ULongLong => 64,
            Int::Int128 | Int::UInt128 => 128,
        }
    }

    /// Number of bytes.
    pub fn size(self, model: DataModel) -> u64 {
        u64::from(self.width(model).div_ceil(8))
    }

    /// Whether there are negative numbers.
    pub fn signed(self) -> bool {
        self == Int::Char || (self != self.to_unsigned())
    }

    /// Whether it has 128 bits.
    pub fn is_wide(self) -> bool {
        matches!(self, Int::Int128 | Int::UInt128)
    }

    fn rank(self) -> u32 {
        match self {
            Int::Bool => 0,
            Int::Char | Int::SChar | Int::UChar => 1,
            Int::Short | Int::UShort => 2,
            Int::Int | Int::UInt => 3,
            Int::Long | Int::ULong => 4,
            Int::LongLong | Int::ULongLong => 5,
            Int::Int128 | Int::UInt128 => 6,
        }
    }

    /// The unsigned type of the same rank.
    pub fn to_unsigned(self) -> Int {
        match self {
            Int::Char | Int::SChar => Int::UChar,
            Int::Short => Int::UShort,
            Int::Int => Int::UInt,
            Int::Long => Int::ULong,
            Int::LongLong => Int::ULongLong,
            Int::Int128 => Int::UInt128,
            unsigned => unsigned,
        }
    }

    /// All its numbers.
    pub fn range(self, model: DataModel) -> Range {
        bits_range(self.width(model), self.signed())
    }

    /// The type after integer promotion; `bits` is the width of a bit-field, which must not be wider than `int`.
    pub fn promoted(self, bits: Option<u32>) -> Int {
        let narrow = bits.is_some_and(|bits| bits < 32);
        if self.rank() < Int::Int.rank() || narrow { Int::Int } else { self }
    }

    /// The common type of two promoted types.
    pub fn common(self, other: Int, model: DataModel) -> Int {
        let (high, low) = if self.rank() >= other.rank() { (self, other) } else { (other, self) };
        if high.signed() == low.signed() || !high.signed() {
            high
        } else if low.rank() == high.rank() {
            low
        } else if high.width(model) > low.width(model) {
            high
        } else {
            high.to_unsigned()
        }
    }
}

/// The numbers of an integer or bit-field of this many bits.
pub fn bits_range(bits: u32, signed: bool) -> Range {
    match (bits, signed) {
        (128, true) => Range { low: i128::MIN, high: i128::MAX },
        (128, false) => Range { low: 0, high: i128::MAX },
        (_, true) => Range { low: -(1 << (bits - 1)), high: (1 << (bits - 1)) - 1 },
        (_, false) => Range { low: 0, high: (1 << bits) - 1 },
    }
}

impl Range {
    /// One number.
    pub fn point(number: i128) -> Range {
        Range { low: number, high: number }
    }

    /// Its only number.
    pub fn as_point(self) -> Option<i128> {
        (self.low == self.high).then_some(self.low)
    }

    /// Whether all numbers of the other are in it.
    pub fn contains(self, other: Range) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// Whether the number is in it.
    pub fn has(self, number: i128) -> bool {
        self.low <= number && number <= self.high
    }

    /// The numbers of both, and those between.
    pub fn union(self, other: Range) -> Range {
        Range { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// What the numbers become when they are converted between types.
    pub fn converted(self, from: Int, to: Int, model: DataModel) -> Range {
        if to == Int::Bool {
            return match (self.as_point(), self.has(0)) {
                (Some(0), _) => Range::point(0),
                (_, false) => Range::point(1),
                _ => Range { low: 0, high: 1 },
            };
        }
        self.cut(from, to.width(model), to.signed())
    }

    /// What the numbers become in so many bits.
    pub fn cut(self, from: Int, bits: u32, signed: bool) -> Range {
        let full = bits_range(bits, signed);
        if from == Int::UInt128 && self.high == i128::MAX {
            return full;
        }
        if full.contains(self) {
            return self;
        }
        match self.as_point() {
            Some(number) if bits < 128 => Range::point(wrapped(number as u128, bits, signed)),
            _ => full,
        }
    }
}

/// The low bits of a number, with or without a sign.
fn wrapped(number: u128, bits: u32, signed: bool) -> i128 {
    let unused = 128 - bits;
    if signed { ((number << unused) as i128) >> unused } else { (number << unused >> unused) as i128 }
}

/// The results of an operator on operands of a common type (for shifts: the left operand's type); none if something may be undefined.
pub fn results(operator: Operator, ty: Int, left: Range, right: Range, model: DataModel) -> Option<Range> {
    let full = ty.range(model);
    let width = ty.width(model);
    if operator.is_shift() && !(0 <= right.low && right.high < i128::from(width)) {
        return None;
    }
    if operator.is_division() && right.has(0) {
        return None;
    }
    let unknown = |range: Range| ty == Int::UInt128 && range.high == i128::MAX;
    if unknown(left) || (unknown(right) && !operator.is_shift()) {
        return Some(full);
    }
    match exact(operator, left, right) {
        Some(range) if full.contains(range) => Some(range),
        _ if ty.signed() => None,
        _ => match (left.as_point(), right.as_point()) {
            (Some(a), Some(b)) if width < 128 => Some(Range::point(wrapping(operator, a, b, width))),
            _ => Some(full),
        },
    }
}

/// An unsigned result that does not fit, made to fit.
fn wrapping(operator: Operator, a: i128, b: i128, width: u32) -> i128 {
    let (a, b) = (a as u128, b as u128);
    let number = match operator {
        Operator::Add => a.wrapping_add(b),
        Operator::Subtract => a.wrapping_sub(b),
        Operator::Multiply => a.wrapping_mul(b),
        _ => a << b,
    };
    wrapped(number, width, false)
}

/// The results without any limit of the type; none if they do not fit 128 bits.
fn exact(operator: Operator, a: Range, b: Range) -> Option<Range> {
    let corners = |apply: fn(i128, i128) -> Option<i128>| {
        let all =
            [apply(a.low, b.low)?, apply(a.low, b.high)?, apply(a.high, b.low)?, apply(a.high, b.high)?];
        let (low, high) = all.iter().fold((all[0], all[0]), |(low, high), &n| (low.min(n), high.max(n)));
        Some(Range { low, high })
    };
    match operator {
        Operator::Add => corners(i128::checked_add),
        Operator::Subtract => corners(i128::checked_sub),
        Operator::Multiply => corners(i128::checked_mul),
        Operator::Divide if b.low > 0 => corners(i128::checked_div),
        Operator::Divide => {
            // Minus one takes the least number out of its type.
            let largest = a.low.checked_neg()?.max(a.high);
            Some(Range { low: largest.checked_neg()?, high: largest })
        }
        Operator::Remainder => {
            if b.has(-1) {
                // As in C11 6.5.5: the remainder is undefined where the quotient is.
                exact(Operator::Divide, a, b)?;
            }
            if let (Some(a), Some(b)) = (a.as_point(), b.as_point()) {
                return a.checked_rem(b).map(Range::point);
            }
            let largest = b.low.checked_neg()?.max(b.high).checked_sub(1)?;
            let low = if a.low < 0 { a.low.max(-largest) } else { 0 };
            let high = if a.high > 0 { a.high.min(largest) } else { 0 };
            Some(Range { low, high })
        }
        Operator::ShiftLeft if a.low >= 0 => corners(|a, b| {
            let shifted = a.checked_shl(u32::try_from(b).ok()?)?;
            (shifted >> b == a && shifted >= 0).then_some(shifted)
        }),
        Operator::ShiftLeft => None,
        Operator::ShiftRight => corners(|a, b| Some(a >> u32::try_from(b).ok()?)),
        Operator::And | Operator::Or | Operator::Xor => Some(bitwise(operator, a, b)),
    }
}

fn bitwise(operator: Operator, a: Range, b: Range) -> Range {
    if let (Some(a), Some(b)) = (a.as_point(), b.as_point()) {
        return Range::point(match operator {
            Operator::And => a & b,
            Operator::Or => a | b,
            _ => a ^ b,
        });
    }
    if operator == Operator::And {
        match (a.low >= 0, b.low >= 0) {
            (true, true) => return Range { low: 0, high: a.high.min(b.high) },
            (true, false) => return Range { low: 0, high: a.high },
            (false, true) => return Range { low: 0, high: b.high },
            (false, false) => {}
        }
    }
    // As many bits as both need.
    let bits = |n: i128| 128 - (if n < 0 { !n } else { n }).leading_zeros();
    let most = bits(a.low).max(bits(a.high)).max(bits(b.low)).max(bits(b.high));
    let high = if most >= 127 { i128::MAX } else { (1 << most) - 1 };
    let low = if a.low < 0 || b.low < 0 { !high } else { 0 };
    Range { low, high }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use DataModel::{Ilp32, Lp64};

    #[test]
    fn common_types() {
        assert_eq!(Int::Long.common(Int::UInt, Lp64), Int::Long);
        assert_eq!(Int::Long.common(Int::UInt, Ilp32), Int::ULong);
        assert_eq!(Int::Int.common(Int::UInt, Lp64), Int::UInt);
        assert_eq!(Int::ULong.common(Int::LongLong, Lp64), Int::ULongLong);
        assert_eq!(Int::ULong.common(Int::LongLong, Ilp32), Int::LongLong);
        assert_eq!(Int::UShort.promoted(None), Int::Int);
        assert_eq!(Int::UInt.promoted(Some(31)), Int::Int);
        assert_eq!(Int::UInt.promoted(Some(32)), Int::UInt);
    }

    #[test]
    fn what_may_be_undefined_has_no_result() {
        let int = Int::Int.range(Lp64);
        let one = Range::point(1);
        for operator in [Operator::Add, Operator::Subtract, Operator::Multiply] {
            assert_eq!(results(operator, Int::Int, int, int, Lp64), None);
            assert_eq!(results(operator, Int::UInt, one, Int::UInt.range(Lp64), Lp64).unwrap().low, 0);
        }
        assert_eq!(results(Operator::Divide, Int::Int, one, Range { low: -1, high: 1 }, Lp64), None);
        assert_eq!(results(Operator::Divide, Int::Int, int, Range { low: -2, high: -1 }, Lp64), None);
        assert_eq!(results(Operator::Remainder, Int::Int, int, Range { low: -1, high: -1 }, Lp64), None);
        assert_eq!(results(Operator::ShiftLeft, Int::Int, one, Range::point(31), Lp64), None);
        assert_eq!(
            results(Operator::ShiftLeft, Int::Int, one, Range::point(30), Lp64),
            Some(Range::point(1 << 30))
        );
        assert_eq!(results(Operator::ShiftRight, Int::Int, int, Range::point(32), Lp64), None);
    }

    /// All numbers of small intervals, computed one by one.
    #[test]
    fn results_are_in_their_range() {
        let mut random = Random::new(5);
        for _ in 0..20_000 {
            let mut any = || {
                let a = i128::from(random.between(0, 60)) - 30;
                Range { low: a, high: a + i128::from(random.below(6)) }
            };
            let (a, b) = (any(), any());
            let operator = *random.pick(&Operator::ALL);
            let Some(range) = results(operator, Int::Int, a, b, Lp64) else { continue };
            for x in a.low..=a.high {
                for y in b.low..=b.high {
                    let result = match operator {
                        Operator::Add => x + y,
                        Operator::Subtract => x - y,
                        Operator::Multiply => x * y,
                        Operator::Divide => x / y,
                        Operator::Remainder => x % y,
                        Operator::And => x & y,
                        Operator::Or => x | y,
                        Operator::Xor => x ^ y,
                        Operator::ShiftLeft => x << y,
                        Operator::ShiftRight => x >> y,
                    };
                    assert!(range.has(result), "{x} {} {y} = {result}, not in {range:?}", operator.text());
                }
            }
        }
    }

    #[test]
    fn conversions_wrap_around() {
        let of = |number, from: Int, to: Int| Range::point(number).converted(from, to, Lp64).as_point();
        assert_eq!(of(300, Int::Int, Int::UChar), Some(44));
        assert_eq!(of(200, Int::Int, Int::SChar), Some(-56));
        assert_eq!(of(-1, Int::Int, Int::UInt), Some(u32::MAX.into()));
        assert_eq!(of(256, Int::Int, Int::Bool), Some(1));
        let all = Int::Int.range(Lp64);
        assert_eq!(all.converted(Int::Int, Int::Short, Lp64), Int::Short.range(Lp64));
        assert_eq!(all.converted(Int::Int, Int::UInt128, Lp64), Int::UInt128.range(Lp64));
    }
}
