//! Tokens of expressions: integers, names with `.` and `::` in them, operators.

use super::ExpressionError;

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Number { value: u128, unsigned: bool },
    Name(String),
    Symbol(&'static str),
    End,
}

/// A token and where it starts.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) column: usize,
}

impl Kind {
    /// As messages name it.
    pub(super) fn shown(&self) -> String {
        match self {
            Kind::Number { value, .. } => format!("'{value}'"),
            Kind::Name(name) => format!("'{name}'"),
            Kind::Symbol(symbol) => format!("'{symbol}'"),
            Kind::End => "the end of the line".to_owned(),
        }
    }
}

/// Longer ones first.
const SYMBOLS: [&str; 25] = [
    "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "<", ">", "!", "~", "+", "-", "*", "/", "%", "&", "|",
    "^", "?", ":", "(", ")", "[",
];

/// All tokens, with one for the end.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, ExpressionError> {
    let characters: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < characters.len() {
        let (start, first) = (at, characters[at]);
        let error = |message: String| ExpressionError { column: start + 1, message };
        let kind = if first.is_whitespace() {
            at += 1;
            continue;
        } else if first.is_ascii_digit() {
            let word: String = characters[at..].iter().take_while(|c| c.is_alphanumeric()).collect();
            at += word.chars().count();
            number(&word).ok_or_else(|| error(format!("'{word}' is no integer")))?
        } else if first == '"' {
            let name: String = characters[at + 1..].iter().take_while(|c| **c != '"').collect();
            at += name.chars().count() + 2;
            if at > characters.len() {
                return Err(error("the closing '\"' is missing".to_owned()));
            }
            Kind::Name(name)
        } else if is_name(first) {
            at = end_of_name(&characters, at);
            Kind::Name(characters[start..at].iter().collect())
        } else if first == ']' {
            at += 1;
            Kind::Symbol("]")
        } else {
            let symbol = SYMBOLS
                .into_iter()
                .find(|symbol| symbol.chars().eq(characters[at..].iter().copied().take(symbol.len())));
            let symbol = symbol.ok_or_else(|| error(format!("'{first}' is not expected here")))?;
            at += symbol.len();
            Kind::Symbol(symbol)
        };
        tokens.push(Token { kind, column: start + 1 });
    }
    tokens.push(Token { kind: Kind::End, column: characters.len() + 1 });
    Ok(tokens)
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// Parts of a name are joined by `.` and `::`.
fn end_of_name(characters: &[char], mut at: usize) -> usize {
    let name = |at: usize| characters.get(at).copied().is_some_and(is_name);
    loop {
        while name(at) {
            at += 1;
        }
        match characters[at..] {
            ['.', ..] if name(at + 1) => at += 1,
            [':', ':', ..] if name(at + 2) => at += 2,
            _ => return at,
        }
    }
}

fn number(word: &str) -> Option<Kind> {
    let lower = word.to_ascii_lowercase();
    let digits = lower.trim_end_matches(['u', 'l']);
    let unsigned = lower[digits.len()..].contains('u');
    let value = match digits.strip_prefix("0x") {
        Some(digits) => u128::from_str_radix(digits, 16),
        None if digits.len() > 1 && digits.starts_with('0') => u128::from_str_radix(&digits[1..], 8),
        None => digits.parse(),
    };
    let value = value.ok().filter(|&value| value <= u128::from(u64::MAX))?;
    Some(Kind::Number { value, unsigned })
}
