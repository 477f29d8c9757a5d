//! What can be written anew without looking at more than the token and its brackets.

use super::attributes::harmless;
use super::code::Code;
use super::edits::Edits;
use super::lexer::{Kind, Token, universal_name};
use super::{AUTO_TYPE, Remark, literals};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// Complains about directives that a preprocessor would not leave.
pub(super) fn directives(text: &str, directives: &[Range<usize>]) -> Vec<Remark> {
    let judge = |range: &Range<usize>| {
        let line = &text[range.clone()];
        let words = line.strip_prefix("%:").or(line.strip_prefix('#')).unwrap_or(line);
        let mut words =
            words.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
        match words.next().unwrap_or("") {
            name @ ("define" | "undef" | "include" | "include_next" | "import" | "error" | "if" | "ifdef"
            | "ifndef" | "elif" | "elifdef" | "elifndef" | "else" | "endif") => {
                let remark = Remark::error(range.start, format!("`#{name}` in preprocessed text"));
                Some(remark.hint("give the file the suffix .c, and it will be preprocessed"))
            }
            _ => None,
        }
    };
    directives.iter().filter_map(judge).collect()
}

/// A text whose tokens have been written anew one by one.
pub(super) struct Respelled<'t> {
    /// The tokens that are still there.
    pub kept: Vec<Token>,
    /// Names with characters that the parser does not know, and what they become.
    pub given: FxHashMap<&'t str, String>,
}

/// Writes single tokens and attributes anew.
pub(super) fn respell<'t>(code: &Code<'t>, edits: &mut Edits, remarks: &mut Vec<Remark>) -> Respelled<'t> {
    let mut names = Names { code, given: FxHashMap::default(), used: FxHashSet::default() };
    let mut kept = Vec::with_capacity(code.len());
    let mut index = 0;
    while index < code.len() {
        if let Some(end) = dropped(code, index, remarks) {
            edits.blank(code.start(index), code.end(end));
            index = end + 1;
            continue;
        }
        if code.at(index) == "[" && is_double(code, index, "[") && is_noreturn(code, index) {
            // It stands where the specifier may stand, too.
            let end = code.partner(index);
            edits.replace(code.start(index), code.end(end), " _Noreturn ");
            index = end + 1;
            continue;
        }
        let token = code.tokens[index];
        if let Some(text) = anew(&token, code.text, &mut names) {
            edits.replace(token.start, token.end, text);
        }
        if code.at(index) == "__attribute__" {
            close_up(code, index, edits);
        }
        kept.push(token);
        index += 1;
    }
    Respelled { kept, given: names.given }
}

/// The last token of something that means nothing here and starts at `index`.
fn dropped(code: &Code<'_>, index: usize, remarks: &mut Vec<Remark>) -> Option<usize> {
    match code.at(index) {
        "__extension__" | "_Nonnull" | "_Nullable" | "_Null_unspecified" | "_Nullable_result" => Some(index),
        "__attribute__" if is_double(code, index + 1, "(") && harmless(code, index + 2) => {
            Some(code.partner(index + 1))
        }
        "[" if is_double(code, index, "[") && !is_noreturn(code, index) => {
            if !harmless(code, index + 1) {
                let remark = Remark::error(code.start(index) as usize, "this attribute is not supported");
                remarks.push(remark.hint("write it as __attribute__((...))"));
            }
            Some(code.partner(index))
        }
        _ => None,
    }
}

/// `[[noreturn]]`, `[[_Noreturn]]`, `[[gnu::noreturn]]`.
fn is_noreturn(code: &Code<'_>, index: usize) -> bool {
    let inner: Vec<&str> = (index + 2..code.partner(index + 1)).map(|at| code.at(at)).collect();
    matches!(
        inner.as_slice(),
        ["noreturn" | "__noreturn__" | "_Noreturn"]
            | ["gnu" | "__gnu__", ":", ":", "noreturn" | "__noreturn__"]
    )
}

/// Whether a bracket opens at `index` whose content is a bracket of the same kind.
fn is_double(code: &Code<'_>, index: usize, bracket: &str) -> bool {
    code.at(index) == bracket
        && code.at(index + 1) == bracket
        && code.partner(index + 1) + 1 == code.partner(index)
}

/// The parser wants no blanks inside of the double brackets of an attribute.
fn close_up(code: &Code<'_>, index: usize, edits: &mut Edits) {
    if !is_double(code, index + 1, "(") {
        return;
    }
    let close = code.partner(index + 1);
    for (left, right) in [(index + 1, index + 2), (close - 1, close)] {
        if code.end(left) < code.start(right) {
            edits.replace(code.end(left), code.start(right), "");
        }
    }
}

fn anew<'t>(token: &Token, text: &'t str, names: &mut Names<'_, 't>) -> Option<String> {
    let written = token.of(text);
    match token.kind {
        Kind::Text | Kind::Character => literals::without_strange_escapes(written),
        Kind::Number => literals::without_strange_suffix(written),
        Kind::Sign => match written {
            "<:" => Some("[".to_owned()),
            ":>" => Some("]".to_owned()),
            "<%" => Some("{".to_owned()),
            "%>" => Some("}".to_owned()),
            _ => None,
        },
        Kind::Word => match written {
            "__CPROVER_bool" => Some("_Bool".to_owned()),
            "__thread" | "__CPROVER_thread_local" => Some("_Thread_local".to_owned()),
            "__const__" => Some("const".to_owned()),
            "asm" | "__asm" => Some("__asm__".to_owned()),
            "__float128" => Some("_Float128".to_owned()),
            "__float80" => Some("_Float64x".to_owned()),
            "__auto_type" => Some(AUTO_TYPE.to_owned()),
            _ => names.plain(written),
        },
    }
}

/// Names of letters for names with other characters.
struct Names<'a, 't> {
    code: &'a Code<'t>,
    given: FxHashMap<&'t str, String>,
    used: FxHashSet<&'t str>,
}

impl<'t> Names<'_, 't> {
    fn plain(&mut self, written: &'t str) -> Option<String> {
        if written.chars().all(is_known) {
            return None;
        }
        if let Some(name) = self.given.get(written) {
            return Some(name.clone());
        }
        if self.used.is_empty() {
            self.used = (0..self.code.len()).map(|index| self.code.at(index)).collect();
        }
        let replace = |c: char| if is_known(c) { c.to_string() } else { format!("_u{:x}_", u32::from(c)) };
        let mut name: String = as_meant(written).chars().map(replace).collect();
        while self.used.contains(name.as_str()) || self.given.values().any(|other| *other == name) {
            name.push('_');
        }
        self.given.insert(written, name.clone());
        Some(name)
    }
}

fn is_known(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// A name with letters instead of `\u00e9`.
pub(super) fn as_meant(written: &str) -> String {
    let mut name = String::new();
    let mut rest = written;
    while let Some(at) = rest.find('\\') {
        name.push_str(&rest[..at]);
        let (character, length) = universal_name(&rest[at..]).unwrap_or(('\\', 1));
        name.push(character);
        rest = &rest[at + length..];
    }
    name + rest
}
