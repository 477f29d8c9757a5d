//! Texts as tokens with places.

use std::borrow::Cow;
use std::iter::Peekable;
use std::str::CharIndices;

use crate::symbol::Symbol;

use super::parse::{ParseError, Problem};

/// A line and a column, both from one; columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub(super) line: usize,
    pub(super) column: usize,
}

impl Place {
    pub(super) fn error(self, problem: Problem) -> ParseError {
        ParseError { line: self.line, column: self.column, problem }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    Open,
    Close,
    /// A simple or quoted symbol, without quotes.
    Symbol(Symbol),
    /// The digits of a number.
    Numeral(&'a str),
    /// The digits after `#b`.
    Binary(&'a str),
    /// The digits after `#x`.
    Hexadecimal(&'a str),
    /// A keyword, a string or a decimal number: only skipped, never understood.
    Other(&'a str),
}

impl Token<'_> {
    /// As it is named in messages.
    pub(super) fn text(self) -> String {
        match self {
            Token::Open => "(".to_owned(),
            Token::Close => ")".to_owned(),
            Token::Symbol(name) => name.to_string(),
            Token::Numeral(text) | Token::Other(text) => text.to_owned(),
            Token::Binary(digits) => format!("#b{digits}"),
            Token::Hexadecimal(digits) => format!("#x{digits}"),
        }
    }
}

/// Reads tokens; one can be looked at before it is taken.
pub(super) struct Lexer<'a> {
    text: &'a str,
    characters: Peekable<CharIndices<'a>>,
    place: Place,
    peeked: Option<(Token<'a>, Place)>,
}

/// The characters of simple symbols, numbers and keywords.
pub(super) fn is_simple(character: char) -> bool {
    character.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(character)
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Lexer<'a> {
        let place = Place { line: 1, column: 1 };
        Lexer { text, characters: text.char_indices().peekable(), place, peeked: None }
    }

    /// The next token; nothing at the end of the text.
    pub(super) fn next(&mut self) -> Result<Option<(Token<'a>, Place)>, ParseError> {
        match self.peeked.take() {
            Some(token) => Ok(Some(token)),
            None => self.read(),
        }
    }

    /// The next token, which stays.
    pub(super) fn peek(&mut self) -> Result<Option<Token<'a>>, ParseError> {
        if self.peeked.is_none() {
            self.peeked = self.read()?;
        }
        Ok(self.peeked.map(|(token, _)| token))
    }

    /// The next token; its absence is an error.
    pub(super) fn expect(&mut self) -> Result<(Token<'a>, Place), ParseError> {
        let token = self.next()?;
        token.ok_or_else(|| self.place.error(Problem::End))
    }

    fn advance(&mut self) -> Option<char> {
        let (_, character) = self.characters.next()?;
        if character == '\n' {
            self.place = Place { line: self.place.line + 1, column: 1 };
        } else {
            self.place.column += 1;
        }
        Some(character)
    }

    fn skip_space(&mut self) {
        while let Some(&(_, character)) = self.characters.peek() {
            if character == ';' {
                while self.characters.peek().is_some_and(|&(_, character)| character != '\n') {
                    self.advance();
                }
            } else if character.is_whitespace() {
                self.advance();
            } else {
                break;
            }
        }
    }

    fn read(&mut self) -> Result<Option<(Token<'a>, Place)>, ParseError> {
        self.skip_space();
        let place = self.place;
        let start = self.position();
        let Some(character) = self.advance() else { return Ok(None) };
        let token = match character {
            '(' => Token::Open,
            ')' => Token::Close,
            '|' => Token::Symbol(Symbol::new(&decoded(self.until('|', place)?))),
            '"' => Token::Other(self.until('"', place)?),
            ':' => Token::Other(self.simple(start)),
            '#' => {
                let text = self.simple(start);
                match (text.strip_prefix("#b"), text.strip_prefix("#x")) {
                    (Some(digits), _) => Token::Binary(digits),
                    (_, Some(digits)) => Token::Hexadecimal(digits),
                    _ => return Err(place.error(Problem::Unexpected(text.to_owned()))),
                }
            }
            _ if is_simple(character) => {
                let text = self.simple(start);
                match character.is_ascii_digit() {
                    true if text.bytes().all(|byte| byte.is_ascii_digit()) => Token::Numeral(text),
                    true => Token::Other(text),
                    false => Token::Symbol(Symbol::new(text)),
                }
            }
            _ => return Err(place.error(Problem::Unexpected(character.to_string()))),
        };
        Ok(Some((token, place)))
    }

    /// The text from `start` to the last of the simple characters that follow.
    fn simple(&mut self, start: usize) -> &'a str {
        while self.characters.peek().is_some_and(|&(_, character)| is_simple(character)) {
            self.advance();
        }
        &self.text[start..self.position()]
    }

    /// The text up to a closing character, which is taken, too.
    fn until(&mut self, end: char, place: Place) -> Result<&'a str, ParseError> {
        let start = self.position();
        loop {
            let stop = self.position();
            match self.advance() {
                Some(character) if character == end => return Ok(&self.text[start..stop]),
                Some(_) => {}
                None => return Err(place.error(Problem::Unterminated)),
            }
        }
    }

    fn position(&mut self) -> usize {
        self.characters.peek().map_or(self.text.len(), |&(position, _)| position)
    }
}

/// A quoted symbol with `%` and two digits replaced by the character that they stand for; see [`super::quoted`].
fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut parts = text.split('%');
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match code.filter(|code| code.is_ascii() && !part.starts_with('+')) {
            Some(code) => {
                result.push(char::from(code));
                result.push_str(&part[2..]);
            }
            None => {
                result.push('%');
                result.push_str(part);
            }
        }
    }
    Cow::Owned(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Result<Vec<Token<'_>>, ParseError> {
        let mut lexer = Lexer::new(text);
        let mut tokens = Vec::new();
        while let Some((token, _)) = lexer.next()? {
            tokens.push(token);
        }
        Ok(tokens)
    }

    #[test]
    fn all_kinds() {
        let symbol = |text: &str| Token::Symbol(Symbol::new(text));
        let text = "(let |a b| #b01 #xFf 12 :key \"s (\" ; comment )\n)";
        let expected = [
            Token::Open,
            symbol("let"),
            symbol("a b"),
            Token::Binary("01"),
            Token::Hexadecimal("Ff"),
            Token::Numeral("12"),
            Token::Other(":key"),
            Token::Other("s ("),
            Token::Close,
        ];
        assert_eq!(tokens(text), Ok(expected.to_vec()));
    }

    #[test]
    fn escapes() {
        assert_eq!(decoded("a%7cb%25%5c"), "a|b%\\");
        assert_eq!(decoded("%"), "%");
        assert_eq!(decoded("%4"), "%4");
        assert_eq!(decoded("%+4%zz%é%ff"), "%+4%zz%é%ff");
    }

    #[test]
    fn places_of_errors() {
        let error = tokens("abc\n  é{").unwrap_err();
        assert_eq!((error.line, error.column), (2, 3));
        let error = tokens("(\n |never").unwrap_err();
        assert_eq!((error.line, error.column, error.problem), (2, 2, Problem::Unterminated));
        assert!(tokens("#q").is_err());
    }
}
