//! Tokens of `.spec` files.
//!
//! White space separates tokens, `#` starts a comment. Line ends matter only between the alternatives of a target,
//! so every token knows whether it is the first of its line.

use crate::diagnostics::{Diagnostic, Source};

/// The sections, in the order in which they must come.
pub(super) const SECTIONS: [&str; 5] = ["vars", "rules", "init", "target", "invariants"];

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind<'a> {
    Number(u32),
    Name(&'a str),
    /// One of [`SECTIONS`].
    Section(&'a str),
    /// `'`
    Prime,
    /// `->`
    Arrow,
    /// `>=`
    AtLeast,
    /// `=`
    Equals,
    /// A relation that the format knows but no monotone system can have, such as `<=`.
    OtherRelation(&'a str),
    Plus,
    Minus,
    Comma,
    Semicolon,
    End,
}

/// A token and where it starts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind<'a>,
    pub(super) offset: usize,
    pub(super) first_in_line: bool,
}

/// Reads tokens one after the other, with one token of look-ahead.
pub(super) struct Lexer<'a> {
    pub(super) source: Source<'a>,
    position: usize,
    ahead: Option<Token<'a>>,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(source: Source<'a>) -> Self {
        Self { source, position: 0, ahead: None }
    }

    /// The next token without taking it.
    pub(super) fn peek(&mut self) -> Result<Token<'a>, Diagnostic> {
        match self.ahead {
            Some(token) => Ok(token),
            None => {
                let token = self.read()?;
                self.ahead = Some(token);
                Ok(token)
            }
        }
    }

    /// Takes the next token.
    pub(super) fn next(&mut self) -> Result<Token<'a>, Diagnostic> {
        let token = self.peek()?;
        self.ahead = None;
        Ok(token)
    }

    /// Takes the next token if it is of the given kind.
    pub(super) fn accept(&mut self, kind: Kind<'_>) -> Result<bool, Diagnostic> {
        let found = self.peek()?.kind == kind;
        if found {
            self.ahead = None;
        }
        Ok(found)
    }

    /// Says that `what` was expected instead of `token`.
    pub(super) fn unexpected(&self, what: &str, token: Token<'_>) -> Diagnostic {
        self.source.error(token.offset, format!("expected {what}, found {}", describe(token.kind)))
    }

    fn read(&mut self) -> Result<Token<'a>, Diagnostic> {
        let text = self.source.text;
        let first_in_line = self.skip_blanks();
        let offset = self.position;
        let rest = &text.as_bytes()[offset..];
        let (kind, length) = match rest {
            [] => (Kind::End, 0),
            [b'0'..=b'9', ..] => self.number(rest)?,
            [b'a'..=b'z' | b'A'..=b'Z' | b'_', ..] => {
                let length = rest.iter().take_while(|&&b| is_name_byte(b)).count();
                let name = &text[offset..offset + length];
                (if SECTIONS.contains(&name) { Kind::Section(name) } else { Kind::Name(name) }, length)
            }
            [b'-', b'>', ..] => (Kind::Arrow, 2),
            [b'>', b'=', ..] => (Kind::AtLeast, 2),
            [b'<' | b'!' | b'=', b'=', ..] => (Kind::OtherRelation(&text[offset..offset + 2]), 2),
            [b'<' | b'>', ..] => (Kind::OtherRelation(&text[offset..offset + 1]), 1),
            [b'=', ..] => (Kind::Equals, 1),
            [b'\'', ..] => (Kind::Prime, 1),
            [b'+', ..] => (Kind::Plus, 1),
            [b'-', ..] => (Kind::Minus, 1),
            [b',', ..] => (Kind::Comma, 1),
            [b';', ..] => (Kind::Semicolon, 1),
            _ => {
                let character = text[offset..].chars().next().unwrap_or('?');
                return Err(self.source.error(offset, format!("unexpected character {character:?}")));
            }
        };
        self.position = offset + length;
        Ok(Token { kind, offset, first_in_line })
    }

    fn number(&self, rest: &[u8]) -> Result<(Kind<'a>, usize), Diagnostic> {
        let length = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let digits = &self.source.text[self.position..self.position + length];
        let too_large =
            |_| self.source.error(self.position, format!("number too large (at most {})", u32::MAX));
        Ok((Kind::Number(digits.parse().map_err(too_large)?), length))
    }

    /// Skips white space and comments; true when a line ended, or at the start of the text.
    fn skip_blanks(&mut self) -> bool {
        let bytes = self.source.text.as_bytes();
        let mut line_ended = self.position == 0;
        while let Some(&byte) = bytes.get(self.position) {
            match byte {
                b'#' => {
                    let rest = &bytes[self.position..];
                    self.position += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
                    continue;
                }
                b'\n' => line_ended = true,
                _ if byte.is_ascii_whitespace() => {}
                _ => break,
            }
            self.position += 1;
        }
        line_ended
    }
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$' | b'@')
}

/// True when the text can be used as the name of a variable.
pub(super) fn is_variable_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    let starts_well = bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_');
    starts_well && bytes.all(is_name_byte) && !SECTIONS.contains(&text)
}

/// A token as it is named in messages.
pub(super) fn describe(kind: Kind<'_>) -> String {
    match kind {
        Kind::Number(n) => format!("number {n}"),
        Kind::Name(name) => format!("'{name}'"),
        Kind::Section(name) => format!("the section '{name}'"),
        Kind::OtherRelation(text) => format!("'{text}'"),
        Kind::Prime => "\"'\"".into(),
        Kind::Arrow => "'->'".into(),
        Kind::AtLeast => "'>='".into(),
        Kind::Equals => "'='".into(),
        Kind::Plus => "'+'".into(),
        Kind::Minus => "'-'".into(),
        Kind::Comma => "','".into(),
        Kind::Semicolon => "';'".into(),
        Kind::End => "the end of the input".into(),
    }
}
