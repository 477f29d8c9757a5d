//! Formats of `printf` and `scanf`, taken apart (C11 7.21.6).

use crate::types::{IntKind, Type};

/// A part of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Characters that stand for themselves.
    Text(Vec<u8>),
    Conversion(Conversion),
}

/// A number that a format may leave to an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    Literal(u64),
    Argument,
}

/// `%` and what follows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Conversion {
    /// Any of `-+ #0'`, or for `scanf` the `*` and `m`.
    pub flags: Vec<u8>,
    pub width: Option<Number>,
    pub precision: Option<Number>,
    /// `hh`, `h`, `l`, `ll`, `j`, `z`, `t`, `L`.
    pub length: Vec<u8>,
    pub kind: u8,
}

impl Conversion {
    /// Neither flags nor a width nor a precision.
    pub(super) fn is_plain(&self) -> bool {
        self.flags.is_empty() && self.width.is_none() && self.precision.is_none()
    }

    /// The integer type of the argument, or of what it points to.
    pub(super) fn integer(&self) -> Type {
        let kind = match self.length.as_slice() {
            b"hh" => IntKind::SChar,
            b"h" => IntKind::Short,
            b"l" | b"j" | b"z" | b"t" => IntKind::Long,
            b"ll" | b"L" | b"q" => IntKind::LongLong,
            _ => IntKind::Int,
        };
        let kind = if self.length == b"j" { IntKind::LongLong } else { kind };
        Type::Int(if matches!(self.kind, b'd' | b'i' | b'n') { kind } else { kind.to_unsigned() })
    }

    /// The floating-point type of what the argument of `scanf` points to.
    pub(super) fn float(&self) -> Type {
        Type::Float(match self.length.as_slice() {
            b"l" => 8,
            b"L" => 16,
            _ => 4,
        })
    }
}

/// The pieces of a format; none if it is not one.
pub(super) fn parse(format: &[u8], scan: bool) -> Option<Vec<Piece>> {
    let format = format.split(|byte| *byte == 0).next().unwrap_or_default();
    let mut reader = Reader { format, at: 0 };
    let mut pieces = Vec::new();
    let mut text = Vec::new();
    while let Some(byte) = reader.next() {
        if byte != b'%' {
            text.push(byte);
            continue;
        }
        if reader.take(b"%").is_some() {
            text.push(b'%');
            continue;
        }
        if !text.is_empty() {
            pieces.push(Piece::Text(std::mem::take(&mut text)));
        }
        pieces.push(Piece::Conversion(reader.conversion(scan)?));
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    Some(pieces)
}

struct Reader<'f> {
    format: &'f [u8],
    at: usize,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<u8> {
        let byte = self.format.get(self.at).copied();
        self.at += usize::from(byte.is_some());
        byte
    }

    fn take(&mut self, any: &[u8]) -> Option<u8> {
        let byte = self.format.get(self.at).copied().filter(|byte| any.contains(byte));
        self.at += usize::from(byte.is_some());
        byte
    }

    fn number(&mut self) -> Option<Number> {
        if self.take(b"*").is_some() {
            return Some(Number::Argument);
        }
        let mut number = None;
        while let Some(digit) = self.take(b"0123456789") {
            let digit = u64::from(digit - b'0');
            number = Some(number.unwrap_or(0u64).saturating_mul(10).saturating_add(digit));
        }
        number.map(Number::Literal)
    }

    fn conversion(&mut self, scan: bool) -> Option<Conversion> {
        let mut conversion = Conversion::default();
        let flags: &[u8] = if scan { b"*m'" } else { b"-+ #0'" };
        while let Some(flag) = self.take(flags) {
            conversion.flags.push(flag);
        }
        conversion.width = self.number();
        if !scan && self.take(b".").is_some() {
            conversion.precision = Some(self.number().unwrap_or(Number::Literal(0)));
        }
        while let Some(length) = self.take(b"hljztLqm") {
            conversion.length.push(length);
        }
        conversion.kind = self.next()?;
        if scan && conversion.kind == b'[' {
            // `]` right behind the bracket, or behind `^`, is in the set.
            self.take(b"^");
            self.take(b"]");
            while self.next()? != b']' {}
        }
        Some(conversion)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(format: &str, scan: bool) -> String {
        let pieces = parse(format.as_bytes(), scan).unwrap();
        let show = |piece: &Piece| match piece {
            Piece::Text(text) => format!("'{}'", String::from_utf8_lossy(text)),
            Piece::Conversion(conversion) => char::from(conversion.kind).to_string(),
        };
        pieces.iter().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn pieces_of_formats() {
        assert_eq!(kinds("a%db%%c%-5.3lld%s", false), "'a' d 'b%c' d s");
        assert_eq!(kinds("%d%*c%[^]x]%5s%n", true), "d c [ s n");
        assert_eq!(parse(b"50%", false), None);
    }

    #[test]
    fn widths_and_types() {
        let Some([Piece::Conversion(first), Piece::Conversion(second)]) =
            parse(b"%-*.3hhu%12ld", false).as_deref().and_then(|p| <&[Piece; 2]>::try_from(p).ok()).cloned()
        else {
            panic!("two conversions");
        };
        assert_eq!((first.width, first.precision), (Some(Number::Argument), Some(Number::Literal(3))));
        assert_eq!(first.integer(), Type::Int(IntKind::UChar));
        assert_eq!((second.width, second.is_plain()), (Some(Number::Literal(12)), false));
        assert_eq!(second.integer(), Type::Int(IntKind::Long));
    }
}
