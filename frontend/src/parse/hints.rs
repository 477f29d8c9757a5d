//! What the parser's complaint means for the user.
//!
//! The parser says how far it came and lists everything that could have stood there. Of that list one thing is worth
//! telling, if any; the tokens around the place say more.

use crate::diagnostics::{Diagnostic, Severity};
use crate::source::SourceMap;
use crate::tokens::keywords::{Word, word};
use crate::tokens::lexer::{Kind, Token, lex};
use lang_c::driver::SyntaxError;
use lang_c::span::Span;

/// The message for a syntax error.
pub(super) fn explain(map: &SourceMap, error: &SyntaxError) -> Diagnostic {
    let context = Context::new(error);
    if let Some(token) = context.unknown_type() {
        let message = format!("`{}` is not the name of a type", token.of(context.text));
        let diagnostic = map.diagnostic(Severity::Error, token.start as usize, message);
        return diagnostic.with_hint("a header may be missing, or a typedef further up");
    }
    let found = context.found();
    let diagnostic = match (context.missing(), context.token(1)) {
        (Some(sign), Some(before)) => {
            let span = Span::span(before.start as usize, before.end as usize);
            map.diagnostic_behind(Severity::Error, span, format!("expected `{sign}` before {found}"))
        }
        _ => map.diagnostic(Severity::Error, context.offset(), context.message(&found)),
    };
    match context.hint() {
        Some(hint) => diagnostic.with_hint(hint),
        None => diagnostic,
    }
}

/// The tokens around an error.
struct Context<'t> {
    error: &'t SyntaxError,
    text: &'t str,
    tokens: Vec<Token>,
    /// The token that the parser could not use.
    here: usize,
}

impl<'t> Context<'t> {
    fn new(error: &'t SyntaxError) -> Context<'t> {
        let text = error.source.as_str();
        let tokens = lex(text).tokens;
        let mut here = tokens.partition_point(|token| token.end as usize <= error.offset);
        // The parser finds out behind a word that it is not a name, and behind digits that they are not a number.
        let before = here.checked_sub(1).and_then(|before| tokens.get(before));
        let mistaken =
            before.filter(|token| token.end as usize == error.offset).is_some_and(|token| match token.kind {
                Kind::Word => error.expected.contains("identifier"),
                Kind::Number => error.expected.contains("[0-9]") && !error.expected.contains(";"),
                _ => false,
            });
        here -= usize::from(mistaken);
        Context { error, text, tokens, here }
    }

    /// The token so many places back.
    fn token(&self, back: usize) -> Option<Token> {
        self.here.checked_sub(back).and_then(|index| self.tokens.get(index)).copied()
    }

    fn spelled(&self, back: usize) -> &'t str {
        self.token(back).map_or("", |token| token.of(self.text))
    }

    fn is_name(&self, back: usize) -> bool {
        self.token(back)
            .is_some_and(|token| token.kind == Kind::Word && word(token.of(self.text)) == Word::Name)
    }

    fn offset(&self) -> usize {
        self.token(0).map_or(self.text.len(), |token| token.start as usize)
    }

    /// What stands there.
    fn found(&self) -> String {
        const SHOWN: usize = 30;
        let spelled = self.spelled(0);
        match spelled.char_indices().nth(SHOWN) {
            _ if spelled.is_empty() => "the end of the file".to_owned(),
            Some((cut, _)) => format!("`{}...`", &spelled[..cut]),
            None => format!("`{spelled}`"),
        }
    }

    fn expects(&self, expected: &str) -> bool {
        self.error.expected.contains(expected)
    }

    /// The sign that is missing behind a complete piece of text.
    fn missing(&self) -> Option<&'static str> {
        if self.is_half_a_number() {
            return None;
        }
        let complete = match self.token(1)?.kind {
            Kind::Sign => matches!(self.spelled(1), ")" | "]" | "++" | "--"),
            Kind::Word => word(self.spelled(1)) != Word::Keyword,
            _ => true,
        };
        [";", ")", "]", ":"].into_iter().find(|sign| complete && self.expects(sign))
    }

    /// Whether the parser could read a part of a number only.
    fn is_half_a_number(&self) -> bool {
        let token = self.token(0).filter(|token| token.kind == Kind::Number);
        token.is_some_and(|token| (token.start as usize) < self.error.offset)
    }

    fn message(&self, found: &str) -> String {
        if self.is_half_a_number() {
            return format!("{found} is not a number");
        }
        let begins = matches!(self.spelled(1), "" | ";" | "{" | "}" | ":");
        if self.expects("!") && self.expects("~") && !begins {
            return format!("expected an expression before {found}");
        }
        match ["(", "while", "{", "}", ";"].into_iter().find(|sign| self.expects(sign)) {
            Some(sign) if self.error.expected.len() <= 2 => format!("expected `{sign}` before {found}"),
            _ => format!("{found} cannot stand here"),
        }
    }

    /// A name that stands where only the name of a type can.
    fn unknown_type(&self) -> Option<Token> {
        // `(name) 1`, `(name *)`
        let in_parentheses = |back: usize| self.is_name(back) && self.spelled(back + 1) == "(";
        let operand = self.is_name(0) || self.token(0).is_some_and(|token| token.kind == Kind::Number);
        if operand && self.spelled(1) == ")" && in_parentheses(2) {
            return self.token(2);
        }
        if self.spelled(0) == ")" && self.spelled(1) == "*" && in_parentheses(2) {
            return self.token(2);
        }
        // `name name`, `name *`
        let continues = |index: usize| {
            let token = self.tokens.get(index).map(|token| token.of(self.text));
            token.is_some_and(|token| {
                token == "*" || token.starts_with(|c: char| c.is_alphabetic() || c == '_')
            })
        };
        let found =
            |back: usize| self.is_name(back) && self.starts(back + 1) && continues(self.here + 1 - back);
        [0, 1].into_iter().find(|back| found(*back)).and_then(|back| self.token(back))
    }

    /// Whether a declaration may start behind a token.
    fn starts(&self, back: usize) -> bool {
        match self.token(back) {
            Some(token) if token.kind == Kind::Sign => {
                matches!(self.spelled(back), ";" | "{" | "}" | "(" | ",")
            }
            Some(_) => word(self.spelled(back)).starts_type(),
            None => true,
        }
    }

    fn hint(&self) -> Option<&'static str> {
        const OTHER_LANGUAGES: [&str; 17] = [
            "class",
            "namespace",
            "template",
            "using",
            "new",
            "delete",
            "public",
            "private",
            "virtual",
            "operator",
            "try",
            "catch",
            "constexpr",
            "nullptr",
            "static_assert",
            "_BitInt",
            "typeof_unqual",
        ];
        let (here, before) = (self.spelled(0), self.spelled(1));
        match here {
            "else" => return Some("there is no `if` that this belongs to"),
            "^" => return Some("blocks of Clang are not supported"),
            _ if before == "}" && word(here).starts_type() => return Some("a `;` may be missing before it"),
            _ => {}
        }
        let foreign = [here, before].iter().any(|spelled| OTHER_LANGUAGES.contains(spelled));
        if foreign || (before == "extern" && here.starts_with('"')) {
            return Some("this looks like C++ or C23; the language here is C11 with GNU extensions");
        }
        None
    }
}
