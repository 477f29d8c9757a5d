//! Literals: integers with the type that C11 6.4.4.1 gives them, characters and strings with their escapes.

use super::context::{Lowered, unsupported, wrong};
use super::expression::Value;
use crate::types::{DataModel, IntKind, Type, Types};
use lang_c::ast::{self, FloatFormat, IntegerBase, IntegerSize};
use lang_c::span::Span;
use smt::Term;

/// An integer literal.
pub(crate) fn integer(types: &Types, integer: &ast::Integer, span: Span) -> Lowered<Value> {
    if integer.suffix.imaginary {
        return unsupported(span, "complex numbers are not modelled");
    }
    let radix = match integer.base {
        IntegerBase::Decimal => 10,
        IntegerBase::Octal => 8,
        IntegerBase::Hexadecimal => 16,
        IntegerBase::Binary => 2,
    };
    let digits = if integer.number.is_empty() { "0" } else { &*integer.number };
    let Ok(number) = u128::from_str_radix(digits, radix) else {
        return wrong(span, "this number is too large");
    };
    let signed = [IntKind::Int, IntKind::Long, IntKind::LongLong];
    let first = match integer.suffix.size {
        IntegerSize::Int => 0,
        IntegerSize::Long => 1,
        IntegerSize::LongLong => 2,
    };
    for kind in &signed[first..] {
        let width = kind.width(types.model);
        if !integer.suffix.unsigned && number >> (width - 1) == 0 {
            return Ok(Value::new(Term::bv(width, number), Type::Int(*kind)));
        }
        if (integer.suffix.unsigned || radix != 10) && number >> width == 0 {
            return Ok(Value::new(Term::bv(width, number), Type::Int(kind.to_unsigned())));
        }
    }
    if number >> 64 != 0 {
        return wrong(span, "this number is too large for an integer type");
    }
    // No type of C's fits. GNU C has a wider one, or takes the bits.
    let kind = match types.model {
        DataModel::Lp64 => IntKind::Int128,
        DataModel::Ilp32 => IntKind::LongLong,
    };
    Ok(Value::new(Term::bv(kind.width(types.model), number), Type::Int(kind)))
}

/// Bytes of a floating-point literal.
pub(crate) fn float_size(float: &ast::Float) -> u32 {
    match float.suffix.format {
        FloatFormat::Float => 4,
        FloatFormat::Double => 8,
        FloatFormat::LongDouble | FloatFormat::TS18661Format(_) => 16,
    }
}

/// A character constant with its quotes and prefix, as an `int`.
pub(crate) fn character(text: &str) -> Term {
    let wide = !text.starts_with('\'');
    let inner = text.trim_start_matches(|c| c != '\'').trim_matches('\'');
    let inner = if inner.is_empty() && text.contains("'\\''") { "\\'" } else { inner };
    let inner = if inner == "\\" { "\\'" } else { inner };
    let mut value = 0i128;
    if wide {
        let code = unescape(inner).first().copied().unwrap_or(0);
        return Term::bv(32, u128::from(code));
    }
    let bytes = to_bytes(&unescape(inner));
    for (index, byte) in bytes.iter().enumerate() {
        // A single character has the value of a `char`; several are put together, as gcc does.
        let part = if bytes.len() == 1 { i128::from(*byte as i8) } else { i128::from(*byte) };
        value = if index == 0 { part } else { (value << 8) | part };
    }
    Term::bv_signed(32, value)
}

/// The bytes of adjacent string literals, without the closing zero.
pub(crate) fn string_bytes(parts: &[String]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in parts {
        let start = part.find('"').map_or(0, |i| i + 1);
        let end = part.rfind('"').unwrap_or(part.len()).max(start);
        bytes.extend(to_bytes(&unescape(&part[start..end])));
    }
    bytes
}

/// Characters of the source, or numbers given by escapes (marked by the high bit so that they stay single bytes).
const NUMERIC: u32 = 1 << 31;

fn to_bytes(codes: &[u32]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for &code in codes {
        if code & NUMERIC != 0 {
            bytes.push(code as u8);
        } else if let Some(character) = char::from_u32(code) {
            let mut buffer = [0; 4];
            bytes.extend_from_slice(character.encode_utf8(&mut buffer).as_bytes());
        }
    }
    bytes
}

fn unescape(text: &str) -> Vec<u32> {
    let mut codes = Vec::new();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if character != '\\' {
            codes.push(u32::from(character));
            continue;
        }
        let Some(escape) = characters.next() else { break };
        let mut digits = |radix: u32, most: usize, first: u32| {
            let mut value = first;
            let mut count = 0;
            while count < most
                && let Some(digit) = characters.peek().and_then(|c| c.to_digit(radix))
            {
                value = value.wrapping_mul(radix).wrapping_add(digit);
                characters.next();
                count += 1;
            }
            value
        };
        codes.push(match escape {
            'n' => 10,
            't' => 9,
            'r' => 13,
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            'e' | 'E' => 27,
            'x' => digits(16, usize::MAX, 0) & 0xff | NUMERIC,
            'u' => digits(16, 4, 0),
            'U' => digits(16, 8, 0),
            '0'..='7' => digits(8, 2, escape.to_digit(8).unwrap_or(0)) & 0xff | NUMERIC,
            other => u32::from(other),
        });
    }
    codes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters() {
        for (text, value) in [
            ("'a'", 97),
            ("'\\n'", 10),
            ("'\\0'", 0),
            ("'\\377'", -1),
            ("'\\''", 39),
            ("'\\\\'", 92),
            ("'\\x41'", 65),
        ] {
            assert_eq!(character(text), Term::bv_signed(32, value), "{text}");
        }
    }

    #[test]
    fn strings() {
        let parts = ["\"a\\n\"".to_owned(), "\"\\101b\"".to_owned()];
        assert_eq!(string_bytes(&parts), b"a\nAb");
    }
}
