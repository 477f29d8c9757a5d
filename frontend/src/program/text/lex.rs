//! Words, strings, numbers and the extent of terms, with places.

use super::ReadError;

/// Characters of bare names, apart from double colons.
pub(super) fn is_word_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || "_$.@&*~".contains(character)
}

/// A piece of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// Name, keyword or number.
    Word(String),
    /// A string without its quotes and escapes.
    Text(String),
    /// `: , ; = := -> [ ] { } @`
    Symbol(&'static str),
    /// Anything else, such as the start of a term.
    Other(char),
    /// The end of the text.
    End,
}

impl Token {
    /// For messages.
    pub(super) fn describe(&self) -> String {
        match self {
            Token::Word(word) => format!("`{word}`"),
            Token::Text(_) => "a string".to_owned(),
            Token::Symbol(symbol) => format!("`{symbol}`"),
            Token::Other(character) => format!("`{character}`"),
            Token::End => "the end".to_owned(),
        }
    }
}

/// Longest first. A `@` after white space starts a position; inside a word it is part of a name.
const SYMBOLS: [&str; 11] = [":=", "->", ":", ",", ";", "=", "[", "]", "{", "}", "@"];

/// Reads tokens; also used for the extent of terms, which are no tokens.
pub(super) struct Lexer<'a> {
    text: &'a str,
    /// Where the next token starts, after white space.
    offset: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Lexer<'a> {
        let mut lexer = Lexer { text, offset: 0 };
        lexer.skip_space();
        lexer
    }

    /// Where the next token starts.
    pub(super) fn offset(&self) -> usize {
        self.offset
    }

    fn rest(&self) -> &'a str {
        &self.text[self.offset..]
    }

    /// An error at a byte offset.
    pub(super) fn error(&self, offset: usize, message: impl Into<String>) -> ReadError {
        let offset = self.text.floor_char_boundary(offset.min(self.text.len()));
        let start = self.text[..offset].rfind('\n').map_or(0, |index| index + 1);
        let line = self.text[..start].bytes().filter(|&byte| byte == b'\n').count() + 1;
        let column = self.text[start..offset].chars().count() + 1;
        ReadError { line, column, message: message.into() }
    }

    fn skip_space(&mut self) {
        loop {
            let rest = self.rest();
            self.offset += rest.len() - rest.trim_start().len();
            if !self.rest().starts_with("//") {
                return;
            }
            self.offset += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    /// The next token, without taking it, and where the one after it starts.
    fn look(&self) -> Result<(Token, usize), ReadError> {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return Ok((Token::End, self.offset)) };
        if first == '"' {
            return self.string();
        }
        let word = word_length(rest);
        if word > 0 && first != '@' {
            return Ok((Token::Word(rest[..word].to_owned()), self.offset + word));
        }
        match SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            Some(symbol) => Ok((Token::Symbol(symbol), self.offset + symbol.len())),
            None => Ok((Token::Other(first), self.offset + first.len_utf8())),
        }
    }

    fn string(&self) -> Result<(Token, usize), ReadError> {
        let mut text = String::new();
        let mut characters = self.rest().char_indices().skip(1);
        while let Some((at, character)) = characters.next() {
            match character {
                '"' => return Ok((Token::Text(text), self.offset + at + 1)),
                '\\' => {
                    let bad = || self.error(self.offset + at, "unknown escape in a string");
                    let escaped = characters.next().ok_or_else(bad)?.1;
                    text.push(match escaped {
                        'n' => '\n',
                        't' => '\t',
                        'r' => '\r',
                        '"' | '\\' => escaped,
                        'u' => {
                            let digits: String = characters
                                .by_ref()
                                .map(|(_, character)| character)
                                .take_while(|&character| character != '}')
                                .take(9)
                                .collect();
                            let digits = digits.strip_prefix('{').ok_or_else(bad)?;
                            let code = u32::from_str_radix(digits, 16).map_err(|_| bad())?;
                            char::from_u32(code).ok_or_else(bad)?
                        }
                        _ => return Err(bad()),
                    });
                }
                other => text.push(other),
            }
        }
        Err(self.error(self.offset, "this string does not end"))
    }

    /// The next token, without taking it.
    pub(super) fn peek(&self) -> Result<Token, ReadError> {
        Ok(self.look()?.0)
    }

    /// Takes the next token.
    pub(super) fn next(&mut self) -> Result<Token, ReadError> {
        let (token, end) = self.look()?;
        self.offset = end;
        self.skip_space();
        Ok(token)
    }

    /// The text of the term that starts here: everything up to the parenthesis that closes the first one, or one word.
    pub(super) fn term(&mut self) -> Result<&'a str, ReadError> {
        let rest = self.rest();
        let mut depth = 0_usize;
        let mut quote: Option<char> = None;
        for (at, character) in rest.char_indices() {
            let end = at + character.len_utf8();
            if let Some(closing) = quote {
                if character == closing {
                    quote = None;
                    if depth == 0 {
                        return Ok(self.take(end));
                    }
                }
                continue;
            }
            match character {
                '|' | '"' => quote = Some(character),
                ';' => quote = Some('\n'),
                '(' => depth += 1,
                ')' if depth <= 1 => return Ok(self.take(if depth == 1 { end } else { at })),
                ')' => depth -= 1,
                ']' if depth == 0 => return Ok(self.take(at)),
                _ if depth == 0 && character.is_whitespace() => return Ok(self.take(at)),
                _ => {}
            }
        }
        if depth > 0 || quote.is_some() {
            return Err(self.error(self.offset, "this term does not end"));
        }
        Ok(self.take(rest.len()))
    }

    fn take(&mut self, length: usize) -> &'a str {
        let text = &self.rest()[..length];
        self.offset += length;
        self.skip_space();
        text
    }
}

/// How long the word at the start is: letters and the like, pairs of colons, signs and hyphens before letters and digits.
fn word_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let word_at = |at: usize| bytes.get(at).is_some_and(|&byte| is_word_character(char::from(byte)));
    let mut at = 0;
    loop {
        match bytes.get(at) {
            Some(b'-') if word_at(at + 1) => at += 1,
            Some(b'#') if at == 0 && word_at(1) => at += 1,
            Some(b':') if at > 0 && bytes.get(at + 1) == Some(&b':') => at += 2,
            Some(_) if word_at(at) => at += 1,
            _ => return at,
        }
    }
}
