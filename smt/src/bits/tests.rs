//! Bits against numbers: narrow widths exhaustively, wide ones by the laws that define the operations.

use super::*;
use proptest::prelude::*;

const WIDTHS: [u32; 8] = [1, 7, 8, 64, 65, 128, 129, 200];

/// Random bits of one of the widths.
fn pair() -> impl Strategy<Value = (Bits, Bits)> {
    let words = || proptest::collection::vec(prop_oneof![Just(0), Just(u64::MAX), any::<u64>(), 0..4u64], 4);
    (proptest::sample::select(&WIDTHS[..]), words(), words())
        .prop_map(|(width, left, right)| (Bits::from_words(width, left), Bits::from_words(width, right)))
}

#[test]
fn width_four_is_exhaustively_right() {
    for (left, right) in (0..16i128).flat_map(|left| (0..16i128).map(move |right| (left, right))) {
        let bits = |value| Bits::from_i128(4, value);
        let (a, b) = (bits(left), bits(right));
        let signed = |value: i128| if value >= 8 { value - 16 } else { value };
        assert_eq!(a.add(&b), bits(left + right));
        assert_eq!(a.sub(&b), bits(left - right));
        assert_eq!(a.mul(&b), bits(left * right));
        assert_eq!(a.udiv(&b), if right == 0 { bits(15) } else { bits(left / right) });
        assert_eq!(a.urem(&b), if right == 0 { a.clone() } else { bits(left % right) });
        let quotient = if right == 0 { if left < 8 { -1 } else { 1 } } else { signed(left) / signed(right) };
        assert_eq!(a.sdiv(&b), bits(quotient));
        let remainder = if right == 0 { left } else { signed(left) % signed(right) };
        assert_eq!(a.srem(&b), bits(remainder));
        assert_eq!(a.shl(&b), if right >= 4 { bits(0) } else { bits(left << right) });
        assert_eq!(a.lshr(&b), if right >= 4 { bits(0) } else { bits(left >> right) });
        assert_eq!(a.ashr(&b), bits(signed(left) >> right.min(3)));
        assert_eq!((a.ult(&b), a.ule(&b)), (left < right, left <= right));
        assert_eq!((a.slt(&b), a.sle(&b)), (signed(left) < signed(right), signed(left) <= signed(right)));
        assert_eq!(a.concat(&b), Bits::from_i128(8, left * 16 + right));
        assert_eq!(a.to_i128(), Some(signed(left)));
        assert_eq!(a.to_u128(), Some(left as u128));
    }
}

#[test]
fn extremes() {
    for width in WIDTHS {
        let (min, max) = (Bits::signed_min(width), Bits::signed_max(width));
        assert!(min.is_negative() && !max.is_negative() && min.sle(&max));
        assert!(Bits::ones(width).is_ones() && Bits::from_i128(width, -1).is_ones());
        assert!(Bits::zero(width).is_zero() && Bits::one(width).is_one());
        assert_eq!(min.sdiv(&Bits::ones(width)), min);
        assert_eq!(min.to_i128().is_some(), width <= 128);
        assert_eq!(Bits::ones(width).to_i128(), Some(-1));
        assert_eq!(Bits::ones(width).to_u128().is_some(), width <= 128);
    }
    assert_eq!(Bits::signed_min(128).to_i128(), Some(i128::MIN));
    assert_eq!(Bits::from_i128(200, i128::MIN).to_i128(), Some(i128::MIN));
    assert_eq!(Bits::new(200, 1 << 127).to_i128(), None);
}

#[test]
fn notation() {
    assert_eq!(Bits::new(8, 0xab).to_string(), "#xab");
    assert_eq!(Bits::new(3, 5).to_string(), "#b101");
    assert_eq!(Bits::from_i128(132, -1).to_string(), format!("#x{}", "f".repeat(33)));
    assert_eq!(Bits::one(129).to_string(), format!("#b{}1", "0".repeat(128)));
}

#[test]
fn digits() {
    assert_eq!(Bits::from_digits(8, 10, "255"), Some(Bits::ones(8)));
    assert_eq!(Bits::from_digits(8, 10, "0000256"), None);
    assert_eq!(Bits::from_digits(8, 10, ""), None);
    assert_eq!(Bits::from_digits(8, 2, "102"), None);
    assert_eq!(Bits::from_digits(8, 10, "000"), Some(Bits::zero(8)));
    assert_eq!(Bits::from_digits(1, 10, "2"), None);
    let large = "340282366920938463463374607431768211456";
    assert_eq!(Bits::from_digits(129, 10, large), Some(Bits::one(129).shl(&Bits::new(129, 128))));
    assert_eq!(Bits::from_digits(128, 10, large), None);
}

proptest! {
    #[test]
    fn order_of_signed_numbers_is_that_of_shifted_ones((a, b) in pair()) {
        let shift = Bits::signed_min(a.width());
        prop_assert_eq!(a.slt(&b), a.xor(&shift).ult(&b.xor(&shift)));
        prop_assert_eq!(a.sle(&b), a == b || a.slt(&b));
        prop_assert_eq!(a.ule(&b), a == b || a.ult(&b));
    }

    #[test]
    fn division_is_the_inverse_of_multiplication((a, b) in pair()) {
        let (quotient, remainder) = (a.udiv(&b), a.urem(&b));
        prop_assert_eq!(quotient.mul(&b).add(&remainder), a.clone());
        prop_assert!(b.is_zero() || remainder.ult(&b));
        prop_assert!(b.is_zero() || quotient.ule(&a));
        prop_assert_eq!(a.sdiv(&b).mul(&b).add(&a.srem(&b)), a);
    }

    #[test]
    fn ring((a, b) in pair()) {
        prop_assert_eq!(a.add(&b), b.add(&a));
        prop_assert_eq!(a.mul(&b), b.mul(&a));
        prop_assert_eq!(a.sub(&b).add(&b), a.clone());
        prop_assert_eq!(a.mul(&b.add(&Bits::one(b.width()))), a.mul(&b).add(&a));
        prop_assert_eq!(a.neg(), a.not().add(&Bits::one(a.width())));
        prop_assert_eq!(a.xor(&b), a.or(&b).and(&a.and(&b).not()));
    }

    #[test]
    fn shifts_are_products(width in proptest::sample::select(&WIDTHS[..]), (a, _) in pair(), distance in 0..210u32) {
        let a = a.zero_extend(width).extract(width - 1, 0);
        let by = Bits::new(width, u128::from(distance));
        prop_assume!(by.to_u128() == Some(u128::from(distance)));
        let mut doubled = a.clone();
        (0..distance).for_each(|_| doubled = doubled.add(&doubled));
        prop_assert_eq!(a.shl(&by), doubled);
        for number in 0..width {
            prop_assert_eq!(a.lshr(&by).bit(number), a.bit(number + distance));
            prop_assert_eq!(a.ashr(&by).bit(number), a.bit((number + distance).min(width - 1)));
        }
    }

    #[test]
    fn slices((a, b) in pair(), cut in 0..200u32) {
        let width = a.width();
        let both = a.concat(&b);
        prop_assert_eq!(both.extract(2 * width - 1, width), a.clone());
        prop_assert_eq!(both.extract(width - 1, 0), b);
        let cut = cut % width;
        let low = a.extract(cut, 0);
        let joined = if cut + 1 == width { low } else { a.extract(width - 1, cut + 1).concat(&low) };
        prop_assert_eq!(joined, a.clone());
        prop_assert_eq!(a.zero_extend(70), Bits::zero(70).concat(&a));
        let signs = if a.is_negative() { Bits::ones(70) } else { Bits::zero(70) };
        prop_assert_eq!(a.sign_extend(70), signs.concat(&a));
    }

    #[test]
    fn texts_are_read_back((a, _) in pair()) {
        let text = a.to_string();
        let (base, digits) = text.strip_prefix("#x").map(|rest| (16, rest)).unwrap_or((2, &text[2..]));
        prop_assert_eq!(Bits::from_digits(a.width(), base, digits), Some(a));
    }
}
