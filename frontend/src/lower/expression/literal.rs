//! Literals: integers with the type that C11 6.4.4.1 gives them, characters and strings with their prefixes and escapes.

use crate::lower::context::{Lowered, unsupported, wrong};
use crate::lower::expression::Value;
use crate::types::{CHAR, DataModel, INT, IntKind, Type, Types, UNSIGNED};
use lang_c::ast::{self, FloatFormat, IntegerBase, IntegerSize};
use lang_c::span::{Node, Span};
use smt::Term;
use std::rc::Rc;

/// The type of a number or character.
pub(crate) fn constant_type(types: &Types, constant: &Node<ast::Constant>) -> Lowered<Type> {
    Ok(match &constant.node {
        ast::Constant::Integer(number) => integer(types, number, constant.span)?.ty,
        ast::Constant::Character(text) => character(types.model, text, constant.span)?.ty,
        ast::Constant::Float(float) => Type::Float(float_size(float)),
    })
}

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
    let number = match u128::from_str_radix(digits, radix) {
        Ok(number) if number >> 64 == 0 => number,
        _ => return wrong(span, "this number is too large for any type"),
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

/// The bits of a floating-point literal.
pub(crate) fn float(format: crate::lower::expression::float::Format, float: &ast::Float) -> Option<Term> {
    match float.base {
        ast::FloatBase::Decimal => format.literal(&float.number),
        ast::FloatBase::Hexadecimal => {
            format.hexadecimal(float.number.trim_start_matches("0x").trim_start_matches("0X"))
        }
    }
}

/// What the prefix of a string or character says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Encoding {
    /// None: bytes, UTF-8 as the compiler has it.
    Plain,
    /// `u8`.
    Utf8,
    /// `L`.
    Wide,
    /// `u`.
    Utf16,
    /// `U`.
    Utf32,
}

impl Encoding {
    fn of(prefix: &str) -> Option<Encoding> {
        Some(match prefix {
            "" => Encoding::Plain,
            "u8" => Encoding::Utf8,
            "L" => Encoding::Wide,
            "u" => Encoding::Utf16,
            "U" => Encoding::Utf32,
            _ => return None,
        })
    }

    /// The type of an element.
    pub(crate) fn element(self, model: DataModel) -> Type {
        match (self, model) {
            (Encoding::Plain | Encoding::Utf8, _) => CHAR,
            (Encoding::Wide, DataModel::Ilp32) => Type::Int(IntKind::Long),
            (Encoding::Wide, DataModel::Lp64) => INT,
            (Encoding::Utf16, _) => Type::Int(IntKind::UShort),
            (Encoding::Utf32, _) => UNSIGNED,
        }
    }

    fn width(self) -> u32 {
        match self {
            Encoding::Plain | Encoding::Utf8 => 8,
            Encoding::Utf16 => 16,
            Encoding::Wide | Encoding::Utf32 => 32,
        }
    }

    /// The elements of a text.
    fn units(self, codes: &[Code]) -> Vec<u32> {
        let mut units = Vec::new();
        let mask = u32::MAX >> (32 - self.width());
        for code in codes {
            match *code {
                Code::Number(number) => units.push(number & mask),
                Code::Character(character) => match self.width() {
                    8 => {
                        let mut buffer = [0; 4];
                        units.extend(character.encode_utf8(&mut buffer).bytes().map(u32::from));
                    }
                    16 => {
                        let mut buffer = [0; 2];
                        units.extend(character.encode_utf16(&mut buffer).iter().map(|unit| u32::from(*unit)));
                    }
                    _ => units.push(u32::from(character)),
                },
            }
        }
        units
    }
}

/// A string literal: its elements, without the closing zero.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Text {
    pub encoding: Encoding,
    pub units: Vec<u32>,
}

impl Text {
    /// The array, closing zero included.
    pub(crate) fn ty(&self, model: DataModel) -> Type {
        Type::Array(Rc::new(self.encoding.element(model)), Some(self.units.len() as u64 + 1))
    }

    /// Whether an array of these elements may be initialised with it (C11 6.7.9).
    pub(crate) fn fits(&self, element: &Type, model: DataModel) -> bool {
        use IntKind::{Char, SChar, UChar};
        match self.encoding {
            Encoding::Plain | Encoding::Utf8 => matches!(element.unatomic(), Type::Int(Char | SChar | UChar)),
            wide => *element.unatomic() == wide.element(model),
        }
    }
}

/// A character constant with its quotes and prefix. Several characters are put together as gcc does it.
pub(crate) fn character(model: DataModel, text: &str, span: Span) -> Lowered<Value> {
    let Some((prefix, inner)) = text.split_once('\'') else {
        return wrong(span, "this is not a character");
    };
    let inner = inner.strip_suffix('\'').unwrap_or(inner);
    let Some(encoding) = Encoding::of(prefix) else {
        return unsupported(span, format!("characters with the prefix '{prefix}' are not modelled"));
    };
    let units = encoding.units(&unescape(inner, span)?);
    match (encoding, units.as_slice()) {
        (_, []) => wrong(span, "a character is missing here"),
        (Encoding::Plain, [only]) => Ok(Value::new(Term::bv_signed(32, i128::from(*only as u8 as i8)), INT)),
        (Encoding::Plain, several) => {
            let value = several.iter().fold(0u32, |value, unit| (value << 8) | unit);
            Ok(Value::new(Term::bv(32, u128::from(value)), INT))
        }
        (Encoding::Utf8, _) => unsupported(span, "characters with the prefix 'u8' are not modelled"),
        (wide, units) => {
            let ty = wide.element(model);
            // The compiler warns, and takes the last one.
            let last = units.last().copied().unwrap_or(0);
            Ok(Value::new(Term::bv(wide.width(), u128::from(last)), ty))
        }
    }
}

/// Adjacent string literals as one. One with a prefix makes all others like it.
pub(crate) fn string(parts: &[String], span: Span) -> Lowered<Text> {
    let mut encoding = Encoding::Plain;
    let mut codes = Vec::new();
    for part in parts {
        let (prefix, rest) = part.split_once('"').unwrap_or(("", part));
        let Some(own) = Encoding::of(prefix) else {
            return unsupported(span, format!("strings with the prefix '{prefix}' are not modelled"));
        };
        if encoding == Encoding::Plain {
            encoding = own;
        } else if own != Encoding::Plain && own != encoding {
            return wrong(span, "strings with different prefixes cannot be put together");
        }
        codes.extend(unescape(rest.strip_suffix('"').unwrap_or(rest), span)?);
    }
    Ok(Text { encoding, units: encoding.units(&codes) })
}

/// The bytes of adjacent string literals without a prefix, for names and messages.
pub(crate) fn string_bytes(parts: &[String]) -> Vec<u8> {
    let text = string(parts, Span { start: 0, end: 0 });
    text.map_or_else(|_| Vec::new(), |text| text.units.iter().map(|unit| *unit as u8).collect())
}

/// A character of the source, or a number given by an escape, which stays one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Code {
    Character(char),
    Number(u32),
}

fn unescape(text: &str, span: Span) -> Lowered<Vec<Code>> {
    let mut codes = Vec::new();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if character != '\\' {
            codes.push(Code::Character(character));
            continue;
        }
        let Some(escape) = characters.next() else { return wrong(span, "an escape sequence ends too early") };
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
            'n' => Code::Number(10),
            't' => Code::Number(9),
            'r' => Code::Number(13),
            'a' => Code::Number(7),
            'b' => Code::Number(8),
            'f' => Code::Number(12),
            'v' => Code::Number(11),
            'e' | 'E' => Code::Number(27),
            'x' => Code::Number(digits(16, usize::MAX, 0)),
            'u' | 'U' => {
                let code = digits(16, if escape == 'u' { 4 } else { 8 }, 0);
                match char::from_u32(code) {
                    Some(character) => Code::Character(character),
                    None => return wrong(span, "this is not a universal character name"),
                }
            }
            '0'..='7' => Code::Number(digits(8, 2, escape.to_digit(8).unwrap_or(0))),
            '\\' | '\'' | '"' | '?' => Code::Character(escape),
            // The compiler warns, and takes the character itself.
            other => Code::Character(other),
        });
    }
    Ok(codes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPAN: Span = Span { start: 0, end: 0 };

    fn value(text: &str) -> Value {
        character(DataModel::Lp64, text, SPAN).unwrap()
    }

    #[test]
    fn characters() {
        for (text, expected) in [
            ("'a'", 97),
            ("'\\n'", 10),
            ("'\\0'", 0),
            ("'\\377'", -1),
            ("'\\''", 39),
            ("'\\\\'", 92),
            ("'\"'", 34),
            ("'\\x41'", 65),
            ("'\\x141'", 65),
            ("'ab'", 0x6162),
            ("'abcde'", 0x6263_6465),
            ("'\\377a'", 0xff61),
            ("'\\377\\377\\377\\376'", -2),
            ("'é'", 0xc3a9),
        ] {
            let found = value(text);
            assert_eq!((found.term, found.ty), (Term::bv_signed(32, expected), INT), "{text}");
        }
    }

    #[test]
    fn prefixes_of_characters() {
        for (text, width, number, ty) in [
            ("L'é'", 32, 0xe9, INT),
            ("L'\\xffffffff'", 32, 0xffff_ffff, INT),
            ("u'\\xffff'", 16, 0xffff, Type::Int(IntKind::UShort)),
            ("U'\\U0001F600'", 32, 0x1f600, UNSIGNED),
            ("L'ab'", 32, 98, INT),
        ] {
            let found = value(text);
            assert_eq!((found.term, found.ty), (Term::bv(width, number), ty), "{text}");
        }
        assert!(character(DataModel::Lp64, "u8'a'", SPAN).is_err());
        assert!(character(DataModel::Lp64, "''", SPAN).is_err());
    }

    #[test]
    fn strings() {
        let parts = |texts: &[&str]| texts.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
        assert_eq!(string_bytes(&parts(&["\"a\\n\"", "\"\\101b\""])), b"a\nAb");
        // An escape ends where its literal ends.
        assert_eq!(string_bytes(&parts(&["\"\\x1\"", "\"2\""])), b"\x012");
        let wide = string(&parts(&["\"é\"", "L\"\\x1234\""]), SPAN).unwrap();
        assert_eq!((wide.encoding, wide.units), (Encoding::Wide, vec![0xe9, 0x1234]));
        let utf16 = string(&parts(&["u\"\u{1f600}\""]), SPAN).unwrap();
        assert_eq!(utf16.units, [0xd83d, 0xde00]);
        assert!(string(&parts(&["L\"a\"", "u\"b\""]), SPAN).is_err());
    }
}
