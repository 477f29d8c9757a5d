//! What functions of `math.h` are on the bits of numbers: classes, signs, rounding to integers, square roots (C11 7.12, IEEE 754).

use super::{Comparison, Format, Parts, is_zero, normalise, one_bit, wide};
use smt::Term;

/// How a number becomes an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rounding {
    Down,
    Up,
    TowardsZero,
    /// To the nearest, away from zero where two are.
    HalfAway,
    /// To the nearest, the even one where two are.
    HalfEven,
}

/// Classes of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Nan,
    Infinite,
    Normal,
    Subnormal,
    Zero,
}

impl Format {
    pub(crate) fn is(self, class: Class, bits: Term) -> Term {
        let smallest = Term::bv(self.width(), 1 << (self.precision - 1));
        let magnitude = self.magnitude(bits);
        match class {
            Class::Nan => self.is_nan(bits),
            Class::Infinite => self.is_infinite(bits),
            Class::Normal => magnitude.uge(smallest).and(magnitude.ult(self.infinity())),
            Class::Subnormal => magnitude.ult(smallest).and(is_zero(magnitude).not()),
            Class::Zero => is_zero(magnitude),
        }
    }

    pub(crate) fn is_finite(self, bits: Term) -> Term {
        self.magnitude(bits).ult(self.infinity())
    }

    pub(crate) fn is_negative(self, bits: Term) -> Term {
        self.sign(bits)
    }

    pub(crate) fn absolute(self, bits: Term) -> Term {
        self.magnitude(bits)
    }

    pub(crate) fn with_sign_of(self, magnitude: Term, sign: Term) -> Term {
        self.signed(self.sign(sign), self.magnitude(magnitude))
    }

    pub(crate) fn positive_infinity(self) -> Term {
        self.infinity()
    }

    pub(crate) fn not_a_number(self) -> Term {
        self.infinity().bv_or(self.quiet_bit())
    }

    fn is_signaling(self, bits: Term) -> Term {
        self.is_nan(bits).and(is_zero(bits.bv_and(self.quiet_bit())))
    }

    /// The larger (or smaller) of two numbers; the one that is a number, if only one is. Where C leaves it open, `choice` decides: between zeros
    /// of different signs, and about signaling operands.
    pub(crate) fn extreme(self, largest: bool, a: Term, b: Term, choice: Term) -> Term {
        let (x, y) = if largest { (b, a) } else { (a, b) };
        let both_zero = self.is(Class::Zero, a).and(self.is(Class::Zero, b)).and(choice);
        let takes_first = self.compare(Comparison::Less, x, y).or(both_zero);
        let takes_first = takes_first.or(a.equals(b));
        let quiet = |bits: Term| bits.bv_or(self.quiet_bit());
        let (nan_a, nan_b) = (self.is_nan(a), self.is_nan(b));
        let stays = |bits: Term| self.is_signaling(bits).and(choice);
        let with_nan = nan_a.and(nan_b.or(stays(a))).ite(quiet(a), nan_a.ite(b, stays(b).ite(quiet(b), a)));
        nan_a.or(nan_b).ite(with_nan, takes_first.ite(a, b))
    }

    /// The number without its fraction, by one of the ways to do that.
    pub(crate) fn to_whole(self, rounding: Rounding, bits: Term) -> Term {
        let width = self.width();
        let (top, number) = (self.precision - 1, |n: u128| Term::bv(width, n));
        let sign = self.sign(bits);
        let magnitude = self.magnitude(bits);
        let exponent = magnitude.bv_lshr(number(u128::from(top)));
        let bias = self.bias() as u128;
        let one = number(bias << top);
        let is_whole = exponent.uge(number(bias + u128::from(top)));
        let is_small = exponent.ult(number(bias));
        // How many bits of the significand are fraction; the first bit in front of them may be one of the exponent, which is odd there, as the
        // leading one is.
        let count = number(bias + u128::from(top)).bv_sub(exponent);
        let unit = number(1).bv_shl(count);
        let mask = unit.bv_sub(number(1));
        let (below, fraction) = (magnitude.bv_and(mask.bv_not()), magnitude.bv_and(mask));
        let half = unit.bv_lshr(number(1));
        let half_of_one = number((bias - 1) << top);
        let is_odd = is_zero(magnitude.bv_and(unit)).not();
        let (up, up_from_zero) = match rounding {
            Rounding::TowardsZero => (Term::fls(), Term::fls()),
            Rounding::Down => (sign.and(is_zero(fraction).not()), sign.and(is_zero(magnitude).not())),
            Rounding::Up => {
                (sign.not().and(is_zero(fraction).not()), sign.not().and(is_zero(magnitude).not()))
            }
            Rounding::HalfAway => (fraction.uge(half), magnitude.uge(half_of_one)),
            Rounding::HalfEven => {
                (fraction.ugt(half).or(fraction.equals(half).and(is_odd)), magnitude.ugt(half_of_one))
            }
        };
        let large = up.ite(below.bv_add(unit), below);
        let small = up_from_zero.ite(one, number(0));
        let rounded = self.signed(sign, is_small.ite(small, large));
        let whole = is_whole.ite(bits, rounded);
        self.is_nan(bits).ite(bits.bv_or(self.quiet_bit()), whole)
    }

    /// The square root, rounded once; that of a negative number is none.
    pub(crate) fn square_root(self, bits: Term) -> Term {
        let parts = self.parts(bits);
        let (significand, exponent) = normalise(parts.significand, parts.exponent);
        let is_odd = exponent.extract(0, 0).equals(Term::bv(1, 1));
        // An even number of bits more, so that the root has two more than are kept.
        let extra = (self.precision + 4).next_multiple_of(2);
        let size = (self.precision + 1 + extra).next_multiple_of(2);
        let radicand = significand.resize_unsigned(size).bv_shl(Term::bv(size, u128::from(extra)));
        let radicand = is_odd.ite(radicand.bv_shl(Term::bv(size, 1)), radicand);
        let even = exponent.bv_sub(one_bit(is_odd, exponent.width()));
        let (root, is_exact) = integer_root(radicand);
        let sticky = one_bit(is_exact.not(), root.width() + 1);
        let significand = root.concat(Term::bv(1, 0)).bv_or(sticky);
        let exponent = even.bv_sub(wide(i128::from(extra))).bv_ashr(wide(1)).bv_sub(wide(1));
        let regular = self.round(&Parts { sign: Term::fls(), exponent, significand });
        let none = self.sign_mask().bv_or(self.not_a_number());
        let is_zero_or_infinite = self.is(Class::Zero, bits).or(bits.equals(self.infinity()));
        let known = is_zero_or_infinite.ite(bits, self.sign(bits).ite(none, regular));
        self.is_nan(bits).ite(bits.bv_or(self.quiet_bit()), known)
    }
}

/// The whole part of the square root of an integer with an even number of bits, digit by digit, and whether that is all.
fn integer_root(radicand: Term) -> (Term, Term) {
    let size = radicand.width();
    let width = size / 2 + 2;
    let (one, two) = (Term::bv(width, 1), Term::bv(width, 2));
    let (mut root, mut rest) = (Term::bv(width, 0), Term::bv(width, 0));
    for digit in (0..size / 2).rev() {
        let next = radicand.extract(2 * digit + 1, 2 * digit).resize_unsigned(width);
        rest = rest.bv_shl(two).bv_or(next);
        let trial = root.bv_shl(two).bv_or(one);
        let fits = trial.ule(rest);
        rest = fits.ite(rest.bv_sub(trial), rest);
        root = root.bv_shl(one).bv_or(one_bit(fits, width));
    }
    (root.extract(size / 2 - 1, 0), is_zero(rest))
}
