//! Tokens with their spelling and, for brackets, their partners.

use super::Remark;
use super::lexer::{Kind, Token};

/// A text as tokens.
#[derive(Debug)]
pub(super) struct Code<'t> {
    pub text: &'t str,
    pub tokens: Vec<Token>,
    spelled: Vec<&'t str>,
    /// For a bracket the index of the other one; for other tokens their own.
    partner: Vec<u32>,
}

impl<'t> Code<'t> {
    /// Fails if brackets do not match.
    pub(super) fn new(text: &'t str, tokens: Vec<Token>) -> Result<Code<'t>, Remark> {
        let spelled: Vec<&str> = tokens.iter().map(|token| spelling(token, text)).collect();
        let partner = partners(&tokens, &spelled)?;
        Ok(Code { text, tokens, spelled, partner })
    }

    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// How a token is written; empty behind the last one.
    pub(super) fn at(&self, index: usize) -> &'t str {
        self.spelled.get(index).copied().unwrap_or("")
    }

    pub(super) fn kind(&self, index: usize) -> Option<Kind> {
        self.tokens.get(index).map(|token| token.kind)
    }

    /// The other bracket.
    pub(super) fn partner(&self, index: usize) -> usize {
        self.partner.get(index).map_or(index, |&partner| partner as usize)
    }

    /// Where a token starts; behind the last one, where that ends.
    pub(super) fn start(&self, index: usize) -> u32 {
        self.tokens
            .get(index)
            .map_or_else(|| self.tokens.last().map_or(0, |last| last.end), |token| token.start)
    }

    /// Where a token ends.
    pub(super) fn end(&self, index: usize) -> u32 {
        self.tokens.get(index).map_or_else(|| self.start(index), |token| token.end)
    }

    /// The token behind this one, or behind its partner if it opens a bracket.
    pub(super) fn after(&self, index: usize) -> usize {
        self.partner(index).max(index) + 1
    }

    /// The first token from `from` on, outside of inner brackets, that is one of `stops` or closes the bracket around.
    pub(super) fn find(&self, from: usize, stops: &[&str]) -> usize {
        let mut index = from;
        while index < self.len() {
            let token = self.at(index);
            if stops.contains(&token) || self.partner(index) < index {
                return index;
            }
            index = self.after(index);
        }
        index
    }

    /// The places of the commas directly inside the bracket that opens at `open`.
    pub(super) fn commas(&self, open: usize) -> Vec<usize> {
        let close = self.partner(open);
        let mut found = Vec::new();
        let mut index = self.find(open + 1, &[","]);
        while index < close {
            found.push(index);
            index = self.find(index + 1, &[","]);
        }
        found
    }
}

/// The token as it is mostly written.
fn spelling<'t>(token: &Token, text: &'t str) -> &'t str {
    match token.of(text) {
        "<:" => "[",
        ":>" => "]",
        "<%" => "{",
        "%>" => "}",
        "__attribute" => "__attribute__",
        "asm" | "__asm" => "__asm__",
        other => other,
    }
}

fn partners(tokens: &[Token], spelled: &[&str]) -> Result<Vec<u32>, Remark> {
    let mut partner: Vec<u32> = (0..tokens.len() as u32).collect();
    let mut open: Vec<usize> = Vec::new();
    for (index, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind == Kind::Sign) {
        let here = spelled[index];
        if matches!(here, "(" | "[" | "{") {
            open.push(index);
        } else if matches!(here, ")" | "]" | "}") {
            let Some(other) = open.pop() else {
                return Err(Remark::error(token.start as usize, format!("`{here}` closes nothing")));
            };
            if closing(spelled[other]) != here {
                return Err(unclosed(&tokens[other], spelled[other], Some((token, here))));
            }
            partner[index] = other as u32;
            partner[other] = index as u32;
        }
    }
    match open.pop() {
        Some(other) => Err(unclosed(&tokens[other], spelled[other], None)),
        None => Ok(partner),
    }
}

fn closing(open: &str) -> &'static str {
    match open {
        "(" => ")",
        "[" => "]",
        _ => "}",
    }
}

/// A wrong bracket is the error, unless it is the end of a block: what is open inside of that should have been closed before.
fn unclosed(open: &Token, bracket: &str, found: Option<(&Token, &str)>) -> Remark {
    match found {
        Some((token, wrong)) if wrong != "}" => {
            Remark::error(token.start as usize, format!("expected `{}` before `{wrong}`", closing(bracket)))
        }
        _ => Remark::error(open.start as usize, format!("this `{bracket}` is never closed")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::lexer::lex;
    use super::*;

    fn code(text: &str) -> Result<Code<'_>, Remark> {
        Code::new(text, lex(text).tokens)
    }

    #[test]
    fn brackets_have_partners() {
        let code = code("f(a[1], (b, c), {d}) ; <% %>").unwrap();
        assert_eq!((code.partner(1), code.after(1), code.partner(0)), (16, 17, 0));
        assert_eq!(code.at(code.partner(1)), ")");
        assert_eq!(code.commas(1).len(), 2);
        assert_eq!(code.at(code.find(2, &[";"])), ")", "the bracket around ends the search");
        assert_eq!(code.at(code.find(0, &[";"])), ";");
        assert_eq!((code.at(18), code.at(99), code.find(20, &[";"])), ("{", "", 20));
    }

    #[test]
    fn unbalanced_brackets() {
        let message = |text| code(text).map(|_| ()).unwrap_err();
        assert_eq!(message("int f( { )"), Remark::error(9, "expected `}` before `)`"));
        assert_eq!(message("int f() { if (x { }"), Remark::error(13, "this `(` is never closed"));
        assert_eq!(message("}"), Remark::error(0, "`}` closes nothing"));
        assert_eq!(message("a { b ( }"), Remark::error(6, "this `(` is never closed"));
    }
}
