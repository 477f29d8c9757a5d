//! IEEE 754 arithmetic as terms over bit-vectors: `float` and `double`, rounded to nearest, as x86-64 computes them.
//!
//! A number is its bits. Comparisons, signs and copies are a few operations; sums, products, quotients and conversions take numbers apart, compute
//! with enough bits that what is lost is known to be lost (a sticky bit), and round once ([`Format::round`]). Terms are simplified while they are
//! built, so that known operands give a known result. A result that is not a number has the bits that SSE gives it: those of the first
//! operand that is none, made quiet, or the default one.
//!
//! `long double`, other formats, other rounding modes and 32-bit code, which computes with more bits, are not here: any value is assumed there.

mod functions;

pub(crate) use functions::{Class, Rounding};
use smt::Term;

/// A binary interchange format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Format {
    /// Bits of the exponent.
    exponent: u32,
    /// Bits of the significand, with the leading one.
    precision: u32,
}

/// A number that is finite: (-1)^sign * significand * 2^exponent.
struct Parts {
    sign: Term,
    /// Of [`WIDE`] bits, signed.
    exponent: Term,
    significand: Term,
}

/// Bits to compute with exponents.
const WIDE: u32 = 16;

/// What compares two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    Less,
    LessOrEqual,
}

/// What computes with two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Add,
    Subtract,
    Multiply,
    Divide,
}

fn wide(number: i128) -> Term {
    Term::bv_signed(WIDE, number)
}

fn one_bit(truth: Term, width: u32) -> Term {
    truth.ite(Term::bv(width, 1), Term::bv(width, 0))
}

fn is_zero(bits: Term) -> Term {
    bits.equals(Term::bv(bits.width(), 0))
}

/// Shifts right; the last bit of the result is set if a bit is lost. The amount has [`WIDE`] bits and is not negative.
fn shift_right_sticky(bits: Term, amount: Term) -> Term {
    let width = bits.width();
    let most = wide(i128::from(width));
    let amount = amount.ult(most).ite(amount, most).resize_unsigned(width.max(WIDE)).resize_unsigned(width);
    let shifted = bits.bv_lshr(amount);
    let lost = shifted.bv_shl(amount).distinct(bits);
    shifted.bv_or(one_bit(lost, width))
}

/// Shifts left until the first bit is one, if any is; the exponent changes with it.
fn normalise(mut bits: Term, mut exponent: Term) -> (Term, Term) {
    let width = bits.width();
    let mut step = width.next_power_of_two() / 2;
    while step > 0 {
        if step < width {
            let room = is_zero(bits.extract(width - 1, width - step));
            bits = room.ite(bits.bv_shl(Term::bv(width, u128::from(step))), bits);
            exponent = room.ite(exponent.bv_sub(wide(i128::from(step))), exponent);
        }
        step /= 2;
    }
    (bits, exponent)
}

impl Format {
    /// The format of a type with so many bytes, if it is modelled.
    pub(crate) fn of_bytes(bytes: u32) -> Option<Format> {
        match bytes {
            4 => Some(Format { exponent: 8, precision: 24 }),
            8 => Some(Format { exponent: 11, precision: 53 }),
            _ => None,
        }
    }

    fn width(self) -> u32 {
        self.exponent + self.precision
    }

    fn bias(self) -> i128 {
        (1 << (self.exponent - 1)) - 1
    }

    fn sign_mask(self) -> Term {
        Term::bv(self.width(), 1 << (self.width() - 1))
    }

    fn infinity(self) -> Term {
        Term::bv(self.width(), ((1 << self.exponent) - 1) << (self.precision - 1))
    }

    fn quiet_bit(self) -> Term {
        Term::bv(self.width(), 1 << (self.precision - 2))
    }

    fn sign(self, bits: Term) -> Term {
        bits.extract(self.width() - 1, self.width() - 1).equals(Term::bv(1, 1))
    }

    fn magnitude(self, bits: Term) -> Term {
        bits.bv_and(self.sign_mask().bv_not())
    }

    fn signed(self, sign: Term, magnitude: Term) -> Term {
        sign.ite(magnitude.bv_or(self.sign_mask()), magnitude)
    }

    fn is_nan(self, bits: Term) -> Term {
        self.magnitude(bits).ugt(self.infinity())
    }

    fn is_infinite(self, bits: Term) -> Term {
        self.magnitude(bits).equals(self.infinity())
    }

    /// Whether the number is other than zero; what is not a number is.
    pub(crate) fn truth(self, bits: Term) -> Term {
        is_zero(self.magnitude(bits)).not()
    }

    pub(crate) fn negate(self, bits: Term) -> Term {
        bits.bv_xor(self.sign_mask())
    }

    pub(crate) fn compare(self, comparison: Comparison, a: Term, b: Term) -> Term {
        let key = |bits: Term| self.sign(bits).ite(self.magnitude(bits).bv_neg(), self.magnitude(bits));
        let (x, y) = (key(a), key(b));
        let holds = match comparison {
            Comparison::Equal => x.equals(y),
            Comparison::Less => x.slt(y),
            Comparison::LessOrEqual => x.sle(y),
        };
        Term::and_all([self.is_nan(a).not(), self.is_nan(b).not(), holds])
    }

    /// A finite number in parts; the significand has [`Format::precision`] bits.
    fn parts(self, bits: Term) -> Parts {
        let top = self.precision - 1;
        let field = bits.extract(self.width() - 2, top);
        let is_small = is_zero(field);
        let lead = is_small.ite(Term::bv(1, 0), Term::bv(1, 1));
        let field = is_small.ite(Term::bv(self.exponent, 1), field).resize_unsigned(WIDE);
        Parts {
            sign: self.sign(bits),
            exponent: field.bv_sub(wide(self.bias() + i128::from(top))),
            significand: lead.concat(bits.extract(top - 1, 0)),
        }
    }

    /// The number next to significand * 2^exponent, the even one of two; `sign` counts for zero, too. The last bit may be a sticky one, if there are
    /// two bits more than the precision.
    fn round(self, parts: &Parts) -> Term {
        let (precision, width) = (self.precision, self.width());
        let room = (precision + 2).saturating_sub(parts.significand.width());
        let bits = parts.significand.zero_extend(room);
        let (bits, exponent) = normalise(bits, parts.exponent);
        let size = bits.width();
        let biased = exponent.bv_add(wide(i128::from(size - 1) + self.bias()));
        let is_small = biased.slt(wide(1));
        let bits = is_small.ite(shift_right_sticky(bits, wide(1).bv_sub(biased)), bits);
        let kept = bits.extract(size - 1, size - precision);
        let half = bits.extract(size - precision - 1, size - precision - 1).equals(Term::bv(1, 1));
        let rest = is_zero(bits.extract(size - precision - 2, 0)).not();
        let odd = kept.extract(0, 0).equals(Term::bv(1, 1));
        let up = half.and(rest.or(odd));
        // The leading one adds one to the exponent.
        let field = is_small.ite(wide(0), biased.bv_sub(wide(1))).resize_unsigned(width.max(WIDE));
        let shift = Term::bv(field.width(), u128::from(precision - 1));
        let magnitude = field.bv_shl(shift).resize_unsigned(width);
        let magnitude = magnitude.bv_add(kept.resize_unsigned(width)).bv_add(one_bit(up, width));
        let overflows = biased.sge(wide((1 << self.exponent) - 1));
        let magnitude = overflows.ite(self.infinity(), magnitude);
        let is_nothing = is_zero(parts.significand);
        self.signed(parts.sign, is_nothing.ite(Term::bv(width, 0), magnitude))
    }

    /// A sum, difference, product or quotient.
    pub(crate) fn operate(self, operation: Operation, a: Term, b: Term) -> Term {
        let (invalid, special, special_value, regular) = match operation {
            Operation::Add => self.sum(a, b),
            Operation::Subtract => self.sum(a, self.negate(b)),
            Operation::Multiply => self.product(a, b),
            Operation::Divide => self.quotient(a, b),
        };
        let nan = self.sign_mask().bv_or(self.infinity()).bv_or(self.quiet_bit());
        let quiet = |bits: Term| bits.bv_or(self.quiet_bit());
        let finite = special.ite(special_value, regular);
        let known = invalid.ite(nan, finite);
        self.is_nan(a).ite(quiet(a), self.is_nan(b).ite(quiet(b), known))
    }

    /// Whether there is no sum, whether it is infinite, which infinity, and what it is else.
    fn sum(self, a: Term, b: Term) -> (Term, Term, Term, Term) {
        let (inf_a, inf_b) = (self.is_infinite(a), self.is_infinite(b));
        let invalid = inf_a.and(inf_b).and(self.sign(a).xor(self.sign(b)));
        let swap = self.magnitude(a).ult(self.magnitude(b));
        let (large, small) = (self.parts(swap.ite(b, a)), self.parts(swap.ite(a, b)));
        let size = self.precision + 4;
        let extended = |bits: Term| bits.resize_unsigned(size).bv_shl(Term::bv(size, 3));
        let distance = large.exponent.bv_sub(small.exponent);
        let (x, y) = (extended(large.significand), shift_right_sticky(extended(small.significand), distance));
        let significand = large.sign.xor(small.sign).ite(x.bv_sub(y), x.bv_add(y));
        // What cancels is a positive zero.
        let sign = is_zero(significand).ite(large.sign.and(small.sign), large.sign);
        let exponent = large.exponent.bv_sub(wide(3));
        (invalid, inf_a.or(inf_b), inf_a.ite(a, b), self.round(&Parts { sign, exponent, significand }))
    }

    fn product(self, a: Term, b: Term) -> (Term, Term, Term, Term) {
        let (inf_a, inf_b) = (self.is_infinite(a), self.is_infinite(b));
        let (zero_a, zero_b) = (self.truth(a).not(), self.truth(b).not());
        let invalid = inf_a.and(zero_b).or(zero_a.and(inf_b));
        let (x, y) = (self.parts(a), self.parts(b));
        let sign = x.sign.xor(y.sign);
        let size = 2 * self.precision;
        let significand = x.significand.resize_unsigned(size).bv_mul(y.significand.resize_unsigned(size));
        let exponent = x.exponent.bv_add(y.exponent);
        let infinite = self.signed(sign, self.infinity());
        (invalid, inf_a.or(inf_b), infinite, self.round(&Parts { sign, exponent, significand }))
    }

    fn quotient(self, a: Term, b: Term) -> (Term, Term, Term, Term) {
        let (inf_a, inf_b) = (self.is_infinite(a), self.is_infinite(b));
        let (zero_a, zero_b) = (self.truth(a).not(), self.truth(b).not());
        let invalid = inf_a.and(inf_b).or(zero_a.and(zero_b));
        let (x, y) = (self.parts(a), self.parts(b));
        let sign = x.sign.xor(y.sign);
        let (above, up) = normalise(x.significand, x.exponent);
        let (below, down) = normalise(y.significand, y.exponent);
        let extra = self.precision + 2;
        let size = 2 * self.precision + 4;
        let above = above.resize_unsigned(size).bv_shl(Term::bv(size, u128::from(extra)));
        let below = below.resize_unsigned(size);
        let (whole, rest) = (above.bv_udiv(below), above.bv_urem(below));
        let significand = whole.bv_shl(Term::bv(size, 1)).bv_or(one_bit(is_zero(rest).not(), size));
        let exponent = up.bv_sub(down).bv_sub(wide(i128::from(extra) + 1));
        let regular = self.round(&Parts { sign, exponent, significand });
        let regular = inf_b.ite(self.signed(sign, Term::bv(self.width(), 0)), regular);
        (invalid, inf_a.or(zero_b), self.signed(sign, self.infinity()), regular)
    }

    /// The number next to an integer.
    pub(crate) fn of_integer(self, integer: Term, is_signed: bool) -> Term {
        let width = integer.width();
        let sign = if is_signed { integer.slt(Term::bv(width, 0)) } else { Term::fls() };
        let significand = sign.ite(integer.bv_neg(), integer);
        self.round(&Parts { sign, exponent: wide(0), significand })
    }

    /// The integer of so many bits that a number becomes without its fraction, and whether there is one.
    pub(crate) fn to_integer(self, bits: Term, width: u32, is_signed: bool) -> (Term, Term) {
        let parts = self.parts(bits);
        let size = width.max(self.precision) + 2;
        let amount = |term: Term| {
            let most = wide(i128::from(size));
            term.ult(most).ite(term, most).resize_unsigned(size.max(WIDE)).resize_unsigned(size)
        };
        let bits_of_value = parts.significand.resize_unsigned(size);
        let is_fraction = parts.exponent.slt(wide(0));
        let down = bits_of_value.bv_lshr(amount(parts.exponent.bv_neg()));
        let whole = is_fraction.ite(down, bits_of_value.bv_shl(amount(parts.exponent)));
        // Larger numbers do not fit, whatever their sign; smaller ones lose no bit to the left.
        let is_small =
            parts.exponent.bv_add(wide(i128::from(self.precision))).sle(wide(i128::from(width) + 1));
        let limit = |power: u32| Term::bv(size, 1).bv_shl(Term::bv(size, u128::from(power)));
        let fits = if is_signed {
            parts.sign.ite(whole.ule(limit(width - 1)), whole.ult(limit(width - 1)))
        } else {
            parts.sign.ite(is_zero(whole), whole.ult(limit(width)))
        };
        let magnitude = whole.resize_unsigned(width);
        (parts.sign.ite(magnitude.bv_neg(), magnitude), is_small.and(fits))
    }

    /// The same number in another format, or the one next to it.
    pub(crate) fn convert(self, bits: Term, to: Format) -> Term {
        let parts = self.parts(bits);
        let sign = parts.sign;
        let payload = bits.extract(self.precision - 2, 0);
        let (from, into) = (self.precision - 1, to.precision - 1);
        let payload = if into >= from {
            payload.resize_unsigned(into).bv_shl(Term::bv(into, u128::from(into - from)))
        } else {
            payload.extract(from - 1, from - into)
        };
        let nan = to.infinity().bv_or(to.quiet_bit()).bv_or(payload.resize_unsigned(to.width()));
        let finite = self.is_infinite(bits).ite(to.signed(sign, to.infinity()), to.round(&parts));
        self.is_nan(bits).ite(to.signed(sign, nan), finite)
    }

    /// The number that a literal without suffix denotes, in C's spelling; none if its value would need more care than a library gives.
    pub(crate) fn literal(self, digits: &str) -> Option<Term> {
        let bits = match self.precision {
            24 => u128::from(digits.parse::<f32>().ok()?.to_bits()),
            _ => u128::from(digits.parse::<f64>().ok()?.to_bits()),
        };
        Some(Term::bv(self.width(), bits))
    }

    /// `0x1.8p1`: the digits, and the exponent behind them.
    pub(crate) fn hexadecimal(self, digits: &str) -> Option<Term> {
        let lower = digits.to_ascii_lowercase();
        let (number, power) = lower.split_once('p').unwrap_or((&lower, "0"));
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let all: String = whole.chars().chain(fraction.chars()).collect();
        let significand = u128::from_str_radix(&all, 16).ok().filter(|n| *n < 1 << 120)?;
        let power: i128 = power.parse().ok()?;
        let exponent = power - 4 * i128::try_from(fraction.len()).ok()?;
        let is_near = (-8000..8000).contains(&exponent);
        let parts =
            Parts { sign: Term::fls(), exponent: wide(exponent), significand: Term::bv(128, significand) };
        is_near.then(|| self.round(&parts))
    }
}

#[cfg(test)]
mod tests;
