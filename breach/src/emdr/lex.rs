//! Tokens of EMDR files and of states on the command line.
//!
//! White space separates tokens and means nothing else, line ends included; `#` starts a comment anywhere. The
//! comments `#init STATE` and `#target STATE` are collected on the way, because the public dialect hides the
//! question there.

use crate::diagnostics::{Diagnostic, Source};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind<'a> {
    Number(u32),
    Name(&'a str),
    /// `->`
    Arrow,
    /// `+>`
    Spawn,
    /// `~>`
    Tilde,
    Bar,
    Comma,
    Slash,
    Caret,
    End,
}

/// A token and the byte offset where it starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'a> {
    pub(crate) kind: Kind<'a>,
    pub(crate) offset: usize,
}

/// A `#init` or `#target` comment: the byte range of the state after the keyword.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Directive {
    pub(crate) is_init: bool,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// Reads tokens one after the other, with one token of look-ahead.
pub(crate) struct Lexer<'a> {
    source: Source<'a>,
    end: usize,
    position: usize,
    ahead: Option<Token<'a>>,
    /// Where the last token that was taken started.
    last: usize,
    pub(crate) directives: Vec<Directive>,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(source: Source<'a>) -> Self {
        Self::within(source, 0, source.text.len())
    }

    /// Reads only a part of the text; positions in messages still refer to the whole.
    pub(crate) fn within(source: Source<'a>, start: usize, end: usize) -> Self {
        Self { source, end, position: start, ahead: None, last: start, directives: Vec::new() }
    }

    /// The whole text.
    pub(crate) fn text(&self) -> &'a str {
        self.source.text
    }

    pub(crate) fn error(&self, offset: usize, message: impl Into<String>) -> Diagnostic {
        self.source.error(offset, message)
    }

    /// The next token without taking it.
    pub(crate) fn peek(&mut self) -> Result<Token<'a>, Diagnostic> {
        if self.ahead.is_none() {
            self.ahead = Some(self.read()?);
        }
        // `ahead` was filled just above.
        Ok(self.ahead.unwrap_or(Token { kind: Kind::End, offset: self.end }))
    }

    /// Takes the next token.
    pub(crate) fn next(&mut self) -> Result<Token<'a>, Diagnostic> {
        let token = self.peek()?;
        self.take(token);
        Ok(token)
    }

    fn take(&mut self, token: Token<'a>) {
        self.ahead = None;
        self.last = token.offset;
    }

    /// True if a line ends between the last token taken and the next one.
    pub(crate) fn is_line_end_ahead(&mut self) -> Result<bool, Diagnostic> {
        let next = self.peek()?.offset;
        Ok(self.source.text.as_bytes()[self.last..next].contains(&b'\n'))
    }

    /// Takes the next token if it is of the given kind.
    pub(crate) fn accept(&mut self, kind: Kind<'_>) -> Result<bool, Diagnostic> {
        let token = self.peek()?;
        if token.kind == kind {
            self.take(token);
        }
        Ok(token.kind == kind)
    }

    /// Takes a number, or says that `what` was expected.
    pub(crate) fn number(&mut self, what: &str) -> Result<(u32, usize), Diagnostic> {
        let token = self.next()?;
        match token.kind {
            Kind::Number(n) => Ok((n, token.offset)),
            other => Err(self.error(token.offset, format!("expected {what}, found {}", describe(other)))),
        }
    }

    fn read(&mut self) -> Result<Token<'a>, Diagnostic> {
        let text = self.source.text;
        let bytes = &text.as_bytes()[..self.end];
        loop {
            match bytes.get(self.position) {
                Some(b'#') => self.comment(bytes),
                Some(b) if b.is_ascii_whitespace() => self.position += 1,
                _ => break,
            }
        }
        let offset = self.position;
        let Some(&first) = bytes.get(offset) else { return Ok(Token { kind: Kind::End, offset }) };
        let length_while = |accept: fn(&u8) -> bool| bytes[offset..].iter().take_while(|b| accept(b)).count();
        let (kind, length) = match first {
            b'0'..=b'9' => {
                let length = length_while(u8::is_ascii_digit);
                let number = text[offset..offset + length].parse();
                let too_large = |_| self.error(offset, format!("number too large (at most {})", u32::MAX));
                (Kind::Number(number.map_err(too_large)?), length)
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                let length =
                    length_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$' | b'@'));
                (Kind::Name(&text[offset..offset + length]), length)
            }
            b'-' | b'+' | b'~' if bytes.get(offset + 1) == Some(&b'>') => match first {
                b'-' => (Kind::Arrow, 2),
                b'+' => (Kind::Spawn, 2),
                _ => (Kind::Tilde, 2),
            },
            b'|' => (Kind::Bar, 1),
            b',' => (Kind::Comma, 1),
            b'/' => (Kind::Slash, 1),
            b'^' => (Kind::Caret, 1),
            _ => {
                let character = text[offset..].chars().next().unwrap_or('?');
                return Err(self.error(offset, format!("unexpected character {character:?}")));
            }
        };
        self.position = offset + length;
        Ok(Token { kind, offset })
    }

    /// Skips a comment and notes a directive in it. A directive's state starts with a digit; anything else
    /// after the keyword is prose.
    fn comment(&mut self, bytes: &[u8]) {
        let rest = &bytes[self.position..];
        let length = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        let end = self.position + length;
        let body = &bytes[self.position + 1..end];
        for (keyword, is_init) in [(&b"init"[..], true), (b"target", false)] {
            let Some(after) = body.strip_prefix(keyword) else { continue };
            let blanks = after.iter().take_while(|b| b.is_ascii_whitespace()).count();
            if blanks > 0 && after.get(blanks).is_some_and(u8::is_ascii_digit) {
                let start = end - after.len() + blanks;
                self.directives.push(Directive { is_init, start, end });
            }
        }
        self.position = end;
    }
}

/// A token as it is named in messages.
pub(crate) fn describe(kind: Kind<'_>) -> String {
    match kind {
        Kind::Number(n) => format!("number {n}"),
        Kind::Name(name) => format!("'{name}'"),
        Kind::Arrow => "'->'".into(),
        Kind::Spawn => "'+>'".into(),
        Kind::Tilde => "'~>'".into(),
        Kind::Bar => "'|'".into(),
        Kind::Comma => "','".into(),
        Kind::Slash => "'/'".into(),
        Kind::Caret => "'^'".into(),
        Kind::End => "the end of the input".into(),
    }
}
