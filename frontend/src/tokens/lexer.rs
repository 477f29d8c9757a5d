//! Tokens of preprocessed C text.
//!
//! The lexer takes any text. What is not a token (comments, directives, strange blanks) is listed apart; what cannot be part
//! of C at all is a remark.

use super::Remark;
use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An identifier or a keyword.
    Word,
    /// A number of any kind, with its suffix.
    Number,
    /// A string literal with its prefix.
    Text,
    /// A character constant with its prefix.
    Character,
    /// An operator, a bracket, a separator.
    Sign,
}

/// A piece of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub kind: Kind,
    pub start: u32,
    pub end: u32,
}

impl Token {
    /// What is written.
    pub(crate) fn of<'t>(&self, text: &'t str) -> &'t str {
        &text[self.start as usize..self.end as usize]
    }
}

/// A text in pieces.
#[derive(Debug, Default)]
pub(crate) struct Lexed {
    pub tokens: Vec<Token>,
    /// Lines that begin with `#`, without their line ends.
    pub directives: Vec<Range<usize>>,
    /// Comments, and white space that the parser does not know.
    pub blanks: Vec<Range<usize>>,
    /// Errors.
    pub remarks: Vec<Remark>,
}

/// Signs of more than one character, the longer ones first.
const SIGNS: [&str; 26] = [
    "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*=", "/=", "%=",
    "+=", "-=", "&=", "^=", "|=", "<:", ":>", "<%", "%>",
];

/// Cuts a text into tokens.
pub(crate) fn lex(text: &str) -> Lexed {
    let mut lexer = Lexer { text, at: 0, line_start: true, lexed: Lexed::default() };
    while lexer.at < text.len() {
        lexer.step();
    }
    lexer.lexed
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    /// Whether only blanks come before on this line.
    line_start: bool,
    lexed: Lexed,
}

impl Lexer<'_> {
    fn rest(&self) -> &[u8] {
        &self.text.as_bytes()[self.at..]
    }

    fn step(&mut self) {
        let rest = self.rest();
        match rest {
            [b'\n', ..] => {
                self.at += 1;
                self.line_start = true;
            }
            [b' ' | b'\t', ..] => self.at += 1,
            [b'\r', b'\n', ..] => self.at += 1,
            [b'\r' | 0x0b | 0x0c, ..] => self.blank(1),
            [b'\\', b'\n', ..] => self.blank(2),
            [b'\\', b'\r', b'\n', ..] => self.blank(3),
            // The mark that some editors begin a file with.
            [0xef, 0xbb, 0xbf, ..] => self.blank(3),
            [b'/', b'/', ..] => self.blank(self.line_length()),
            [b'/', b'*', ..] => self.block_comment(),
            [b'#', ..] | [b'%', b':', ..] if self.line_start => self.directive(),
            _ => {
                self.line_start = false;
                self.token();
            }
        }
    }

    fn blank(&mut self, length: usize) {
        self.lexed.blanks.push(self.at..self.at + length);
        self.at += length;
    }

    /// Up to the end of the line; a backslash at the end of a line continues it.
    fn line_length(&self) -> usize {
        let rest = self.rest();
        let ends =
            |i: usize| rest[i] == b'\n' && !rest[..i].ends_with(b"\\") && !rest[..i].ends_with(b"\\\r");
        let length = (0..rest.len()).find(|&i| ends(i)).unwrap_or(rest.len());
        length - usize::from(rest[..length].ends_with(b"\r"))
    }

    fn block_comment(&mut self) {
        match self.text[self.at + 2..].find("*/") {
            Some(length) => self.blank(length + 4),
            None => {
                self.lexed
                    .remarks
                    .push(Remark::error(self.at, "this comment has no end").hint("write `*/` where it ends"));
                self.blank(self.text.len() - self.at);
            }
        }
    }

    fn directive(&mut self) {
        let length = self.line_length();
        self.lexed.directives.push(self.at..self.at + length);
        self.at += length;
    }

    fn push(&mut self, kind: Kind, length: usize) {
        self.lexed.tokens.push(Token { kind, start: self.at as u32, end: (self.at + length) as u32 });
        self.at += length;
    }

    fn token(&mut self) {
        let rest = self.rest();
        let quote = |prefix: usize| rest.get(prefix).copied().filter(|byte| matches!(byte, b'"' | b'\''));
        let prefix = match rest {
            [b'u', b'8', b'"', ..] => 2,
            [b'u' | b'U' | b'L', b'"' | b'\'', ..] => 1,
            _ => 0,
        };
        match rest {
            _ if quote(prefix).is_some() => self.quoted(prefix),
            [b'0'..=b'9', ..] | [b'.', b'0'..=b'9', ..] => self.number(),
            _ => {
                let word = word_length(&self.text[self.at..]);
                if word > 0 { self.push(Kind::Word, word) } else { self.sign() }
            }
        }
    }

    /// A string or character constant; it ends on its line.
    fn quoted(&mut self, prefix: usize) {
        let rest = self.rest();
        let quote = rest[prefix];
        let mut length = prefix + 1;
        while let Some(&byte) = rest.get(length) {
            match byte {
                b'\n' => break,
                b'\\' if rest.get(length + 1).is_some() => length += 2,
                _ if byte == quote => {
                    let kind = if quote == b'"' { Kind::Text } else { Kind::Character };
                    return self.push(kind, length + 1);
                }
                _ => length += 1,
            }
        }
        let message = format!("the closing {} is missing", char::from(quote));
        self.lexed.remarks.push(Remark::error(self.at, message));
        self.at = self.text.ceil_char_boundary((self.at + length).min(self.text.len()));
    }

    fn number(&mut self) {
        let rest = self.rest();
        let mut length = 1;
        while let Some(&byte) = rest.get(length) {
            let signed = matches!(rest[length - 1], b'e' | b'E' | b'p' | b'P') && matches!(byte, b'+' | b'-');
            // An ellipsis may follow a number without a blank: `case 1...3` is not C, but common.
            let ellipsis = rest[length..].starts_with(b"...");
            let exponent = signed && is_exponent(rest, length);
            if ellipsis || !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.') || exponent) {
                break;
            }
            length += 1;
        }
        self.push(Kind::Number, length);
    }

    fn sign(&mut self) {
        let rest = &self.text[self.at..];
        let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
        let first = rest.chars().next().unwrap_or(' ');
        match sign {
            Some(sign) => self.push(Kind::Sign, sign.len()),
            None if "()[]{}<>+-*/%&|^~!=?:;,.".contains(first) => self.push(Kind::Sign, 1),
            None => {
                let shown =
                    if first.is_control() { first.escape_default().to_string() } else { first.to_string() };
                let mut remark = Remark::error(self.at, format!("`{shown}` is not a character of C"));
                if first == '#' {
                    remark = remark.hint("the text has not been preprocessed: give the file the suffix .c");
                }
                self.lexed.remarks.push(remark);
                self.at += first.len_utf8();
            }
        }
    }
}

/// Whether a character can be in a name. Digits are taken care of before.
pub(crate) fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric()
        || matches!(character, '_' | '$')
        || (!character.is_ascii() && character.is_alphanumeric())
}

/// The length of the name at the start of a text. Preprocessors write letters of other alphabets as `\u00e9`.
fn word_length(text: &str) -> usize {
    let mut length = 0;
    loop {
        length += text[length..].find(|c| !is_word(c)).unwrap_or(text.len() - length);
        match universal_name(&text[length..]) {
            Some((_, more)) => length += more,
            None => return length,
        }
    }
}

/// The character that `\u00e9` or `\U000000e9` at the start of a text stands for, and how long that is.
pub(crate) fn universal_name(text: &str) -> Option<(char, usize)> {
    let digits = match text.as_bytes() {
        [b'\\', b'u', ..] => 4,
        [b'\\', b'U', ..] => 8,
        _ => return None,
    };
    let code = text.get(2..2 + digits)?;
    let character = char::from_u32(u32::from_str_radix(code, 16).ok()?)?;
    Some((character, 2 + digits))
}

/// Whether the sign at an offset belongs to an exponent: in `0x1e+1` it does not.
fn is_exponent(number: &[u8], sign: usize) -> bool {
    let hexadecimal = matches!(number, [b'0', b'x' | b'X', ..]);
    let letter = number[sign - 1].to_ascii_lowercase();
    if hexadecimal { letter == b'p' } else { letter == b'e' }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<&str> {
        lex(text).tokens.iter().map(|token| token.of(text)).collect()
    }

    #[test]
    fn signs_are_as_long_as_possible() {
        assert_eq!(tokens("a+++b->c<<=d...e"), ["a", "++", "+", "b", "->", "c", "<<=", "d", "...", "e"]);
        assert_eq!(tokens("x?:y"), ["x", "?", ":", "y"]);
        assert_eq!(tokens("a<:0:>"), ["a", "<:", "0", ":>"]);
    }

    #[test]
    fn literals() {
        let text = r#"L'\'' u8"a\"b" "c" U"" 'ab' u x"#;
        assert_eq!(tokens(text), [r"L'\''", r#"u8"a\"b""#, "\"c\"", "U\"\"", "'ab'", "u", "x"]);
        assert_eq!(
            tokens("1.5e-3f .5 0x1p+3L 0b11u 1...3"),
            ["1.5e-3f", ".5", "0x1p+3L", "0b11u", "1", "...", "3"]
        );
        assert_eq!(tokens("0x1e+3 a.b1"), ["0x1e", "+", "3", "a", ".", "b1"]);
    }

    #[test]
    fn names_may_have_dollars_and_letters_of_other_alphabets() {
        assert_eq!(tokens("a$b é1 _x"), ["a$b", "é1", "_x"]);
        assert_eq!(tokens(r"a\u00e9b+\U000003c0"), [r"a\u00e9b", "+", r"\U000003c0"]);
        assert_eq!(lex(r"a\u00e").remarks.len(), 1);
        assert_eq!(lex(r"\uéé").remarks.len(), 1);
    }

    #[test]
    fn comments_and_directives_are_apart() {
        let text = "\u{feff}# 1 \"a\"\na /* # 2\n# 3 */ b // c \\\n d\n  #pragma x \\\n  y\r\n\x0c z";
        let lexed = lex(text);
        assert_eq!(tokens(text), ["a", "b", "z"]);
        let directives: Vec<&str> = lexed.directives.iter().map(|range| &text[range.clone()]).collect();
        assert_eq!(directives, ["# 1 \"a\"", "#pragma x \\\n  y"]);
        let blanks: Vec<&str> = lexed.blanks.iter().map(|range| &text[range.clone()]).collect();
        assert_eq!(blanks, ["\u{feff}", "/* # 2\n# 3 */", "// c \\\n d", "\x0c"]);
        assert!(lexed.remarks.is_empty());
    }

    #[test]
    fn broken_text_is_remarked_upon() {
        let cases = [
            ("a /* b", 2, "this comment has no end"),
            ("\"abc\nx", 0, "the closing \" is missing"),
            ("'", 0, "the closing ' is missing"),
            ("\"\\", 0, "the closing \" is missing"),
            ("a @ b", 2, "`@` is not a character of C"),
            ("a \u{1} b", 2, "`\\u{1}` is not a character of C"),
            ("a # b", 2, "`#` is not a character of C"),
            ("“", 0, "`“` is not a character of C"),
        ];
        for (text, offset, message) in cases {
            let remarks = lex(text).remarks;
            assert_eq!((remarks[0].offset, remarks[0].message.as_str()), (offset, message), "{text}");
        }
    }

    #[test]
    fn any_text_can_be_cut() {
        for text in ["\\", "\"é\\é", "'\\\u{10ffff}", "0x", "..", "\r", "u8", "L", "%:", "1e+", "\\\r"] {
            let lexed = lex(text);
            assert!(lexed.tokens.iter().all(|token| !token.of(text).is_empty()), "{text:?}");
        }
    }
}
