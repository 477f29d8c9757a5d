//! The processor computes the same.

use super::*;

/// Interesting numbers, and others that look random.
fn samples(count: usize, exponent: u32, precision: u32) -> Vec<u64> {
    let width = exponent + precision;
    let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
    let inf = ((1u64 << exponent) - 1) << (precision - 1);
    let one = ((1u64 << (exponent - 1)) - 1) << (precision - 1);
    let mut all = vec![
        0,
        1,
        2,
        3,
        inf - 1,
        inf,
        inf | 1 << (precision - 2),
        one,
        one + 1,
        one - 1,
        1 << (precision - 1),
    ];
    all.push((1 << (precision - 1)) - 1);
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    for index in 0..count {
        state = state.wrapping_mul(0xd120_0000_0000_01bd | 1).wrapping_add(index as u64 * 2 + 1);
        state ^= state >> 29;
        // Half of them with exponents that are near each other.
        let near = one.wrapping_add(((state >> 40) % 64) << (precision - 1)) & mask;
        all.push(if index % 2 == 0 { state & mask } else { near ^ (state & ((1 << (precision - 1)) - 1)) });
    }
    let negative: Vec<u64> = all.iter().map(|n| n ^ (1 << (width - 1))).collect();
    all.extend(negative);
    all
}

fn value(term: Term) -> u128 {
    term.as_bits().and_then(|bits| bits.to_u128()).unwrap()
}

macro_rules! against_the_processor {
    ($name:ident, $float:ty, $bits:ty, $exponent:literal, $precision:literal) => {
        #[test]
        fn $name() {
            let format = Format { exponent: $exponent, precision: $precision };
            let width = $exponent + $precision;
            let samples = samples(60, $exponent, $precision);
            for (index, &x) in samples.iter().enumerate() {
                for &y in samples.iter().skip(index % 3).step_by(3) {
                    let (p, q) = (<$float>::from_bits(x as $bits), <$float>::from_bits(y as $bits));
                    let (a, b) = (Term::bv(width, x.into()), Term::bv(width, y.into()));
                    let computed = [
                        (Operation::Add, p + q),
                        (Operation::Subtract, p - q),
                        (Operation::Multiply, p * q),
                        (Operation::Divide, p / q),
                    ];
                    for (operation, expected) in computed {
                        let found = <$float>::from_bits(value(format.operate(operation, a, b)) as $bits);
                        let same =
                            found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
                        assert!(same, "{operation:?} of {p:e} and {q:e}: {found:e}, not {expected:e}");
                    }
                    assert_eq!(format.compare(Comparison::Equal, a, b).as_bool(), Some(p == q));
                    assert_eq!(format.compare(Comparison::Less, a, b).as_bool(), Some(p < q));
                    assert_eq!(format.compare(Comparison::LessOrEqual, a, b).as_bool(), Some(p <= q));
                }
            }
        }
    };
}

against_the_processor!(floats_compute_as_the_processor_does, f32, u32, 8, 24);
against_the_processor!(doubles_compute_as_the_processor_does, f64, u64, 11, 53);

#[test]
fn conversions_are_those_of_the_processor() {
    let (single, double) = (Format::of_bytes(4).unwrap(), Format::of_bytes(8).unwrap());
    for x in samples(300, 11, 53) {
        let (number, term) = (f64::from_bits(x), Term::bv(64, x.into()));
        let narrow = f32::from_bits(value(double.convert(term, single)) as u32);
        assert!(
            narrow.to_bits() == (number as f32).to_bits() || number.is_nan() && narrow.is_nan(),
            "{number:e}"
        );
        let from_signed = f64::from_bits(value(double.of_integer(term, true)) as u64);
        assert_eq!(from_signed, x as i64 as f64, "{x}");
        assert_eq!(f32::from_bits(value(single.of_integer(term, false)) as u32), x as f32, "{x}");
        for (width, least, most) in [(32, -2147483649.0, 2147483648.0), (8, -129.0, 128.0)] {
            let (integer, fits) = double.to_integer(term, width, true);
            assert_eq!(fits.as_bool(), Some(number > least && number < most), "{number:e}");
            if number > least && number < most {
                let expected = (number.trunc() as i64 as u64) & ((1 << width) - 1);
                assert_eq!(value(integer) as u64, expected, "{number:e}");
            }
        }
        let (_, fits) = double.to_integer(term, 64, false);
        assert_eq!(fits.as_bool(), Some(number > -1.0 && number < 18446744073709551616.0), "{number:e}");
    }
    for x in samples(300, 8, 24) {
        let number = f32::from_bits(x as u32);
        let found = f64::from_bits(value(single.convert(Term::bv(32, x.into()), double)) as u64);
        assert!(found == f64::from(number) || found.is_nan() && number.is_nan(), "{number:e}");
    }
}

#[test]
fn literals_are_rounded_once() {
    let double = Format::of_bytes(8).unwrap();
    assert_eq!(double.literal("0.1").map(value), Some(0.1f64.to_bits().into()));
    assert_eq!(double.hexadecimal("1.8p1").map(value), Some(3f64.to_bits().into()));
    assert_eq!(double.hexadecimal("1p-1074").map(value), Some(1));
    assert_eq!(double.hexadecimal("1.fffffffffffff8p1023").map(value), Some(f64::INFINITY.to_bits().into()));
    let single = Format::of_bytes(4).unwrap();
    assert_eq!(single.literal("0.1").map(value), Some(0.1f32.to_bits().into()));
}

macro_rules! functions_against_the_processor {
    ($name:ident, $float:ty, $bits:ty, $exponent:literal, $precision:literal) => {
        #[test]
        fn $name() {
            let format = Format { exponent: $exponent, precision: $precision };
            let width = $exponent + $precision;
            let mut samples = samples(80, $exponent, $precision);
            samples.extend(
                [0.5, 1.5, 2.5, -0.5, -2.5, 0.49999997, 8388609.0, 4503599627370497.5, 2.0, 9.0]
                    .map(|x: f64| u64::from((x as $float).to_bits())),
            );
            for &x in &samples {
                let (number, a) = (<$float>::from_bits(x as $bits), Term::bv(width, x.into()));
                let computed = [
                    (format.to_whole(Rounding::Down, a), number.floor()),
                    (format.to_whole(Rounding::Up, a), number.ceil()),
                    (format.to_whole(Rounding::TowardsZero, a), number.trunc()),
                    (format.to_whole(Rounding::HalfAway, a), number.round()),
                    (format.to_whole(Rounding::HalfEven, a), number.round_ties_even()),
                    (format.square_root(a), number.sqrt()),
                    (format.absolute(a), number.abs()),
                ];
                for (index, (found, expected)) in computed.into_iter().enumerate() {
                    let found = <$float>::from_bits(value(found) as $bits);
                    let same = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
                    assert!(same, "{index} of {number:e}: {found:e}, not {expected:e}");
                }
                for (class, expected) in [
                    (Class::Nan, number.is_nan()),
                    (Class::Infinite, number.is_infinite()),
                    (Class::Normal, number.is_normal()),
                    (Class::Subnormal, number.is_subnormal()),
                    (Class::Zero, number == 0.0),
                ] {
                    assert_eq!(format.is(class, a).as_bool(), Some(expected), "{class:?} of {number:e}");
                }
                for &y in samples.iter().step_by(7) {
                    let (other, b) = (<$float>::from_bits(y as $bits), Term::bv(width, y.into()));
                    for (largest, expected) in [(true, number.max(other)), (false, number.min(other))] {
                        let found = value(format.extreme(largest, a, b, Term::fls()));
                        let found = <$float>::from_bits(found as $bits);
                        assert!(found == expected || found.is_nan() && expected.is_nan());
                    }
                    let found = value(format.with_sign_of(a, b)) as $bits;
                    assert_eq!(found, number.copysign(other).to_bits());
                }
            }
        }
    };
}

functions_against_the_processor!(functions_of_floats_are_those_of_the_processor, f32, u32, 8, 24);
functions_against_the_processor!(functions_of_doubles_are_those_of_the_processor, f64, u64, 11, 53);
