//! What the user wrote where the preprocessor put something else: `KASSERT(n > 0)`, and not what the macro becomes.
//!
//! A line of the user's is compared with what the preprocessor made of it, token by token. A name that is not there any more is a macro, with what stands in parentheses behind
//! it; what the preprocessor put in its place is any text with balanced parentheses. All other tokens have to be the same. Where that is not the case (the
//! text of the macro has its name in it, directives on the way) nothing is said, and the expanded text is shown as it is.

use std::collections::HashSet;
use std::ops::Range;

/// Longer lines are not compared.
const MOST_TOKENS: usize = 1000;

/// A line, and which of its parts became which of the preprocessed line.
#[derive(Debug)]
pub(super) struct Unexpanded {
    /// In the order of the line.
    parts: Vec<Part>,
}

/// A token that stayed, or a macro.
#[derive(Debug)]
struct Part {
    written: Range<usize>,
    expanded: Range<usize>,
    /// Of a macro: its arguments, token by token.
    arguments: Vec<(Range<usize>, String)>,
    is_macro: bool,
}

impl Unexpanded {
    /// Compares the user's line with the preprocessed one.
    pub(super) fn new(written: &str, expanded: &str) -> Option<Unexpanded> {
        let (source, result) = (tokens(written), tokens(expanded));
        if source.is_empty() || source.len() + result.len() > MOST_TOKENS {
            return None;
        }
        // What a macro is given mostly comes back in what it becomes: that decides where one ends and the next begins.
        [(true, true), (true, false), (false, false)].into_iter().find_map(|(with_arguments, strict)| {
            let items = items(written, &source, expanded, &result, with_arguments)?;
            let failed = HashSet::new();
            let mut matching = Matching { items: &items, written, expanded, result: &result, strict, failed };
            let lengths = matching.lengths(0, 0)?;
            Some(Unexpanded { parts: parts(written, &items, &result, &lengths) })
        })
    }

    /// Where in the user's line the piece of the preprocessed line begins, and where it ends.
    pub(super) fn range(&self, expanded: &str, piece: Range<usize>) -> Option<Range<usize>> {
        let first =
            self.parts.iter().find(|part| part.expanded.end > piece.start && !part.expanded.is_empty())?;
        let last =
            self.parts.iter().rfind(|part| part.expanded.start < piece.end && !part.expanded.is_empty())?;
        if first.is_macro
            && first.written == last.written
            && let Some(argument) = first.argument(&expanded[piece])
        {
            return Some(argument);
        }
        (first.written.start < last.written.end).then_some(first.written.start..last.written.end)
    }
}

impl Part {
    /// The piece as part of a macro's arguments, if it is written there.
    fn argument(&self, piece: &str) -> Option<Range<usize>> {
        let wanted: Vec<&str> = tokens(piece).into_iter().map(|token| &piece[token]).collect();
        let found = self
            .arguments
            .windows(wanted.len().max(1))
            .find(|window| window.iter().map(|(_, token)| token.as_str()).eq(wanted.iter().copied()))?;
        Some(found.first()?.0.start..found.last()?.0.end)
    }
}

/// What the user's line consists of, by tokens: from one number to another, and whether it is a macro.
type Item = (Range<usize>, Range<usize>, bool);

/// The line as tokens that stay and macros; with or without what stands in parentheses behind a macro's name.
fn items(
    written: &str,
    source: &[Range<usize>],
    expanded: &str,
    result: &[Range<usize>],
    with_arguments: bool,
) -> Option<Vec<Item>> {
    let kept: HashSet<&str> = result.iter().map(|token| &expanded[token.clone()]).collect();
    let mut items = Vec::new();
    let mut at = 0;
    while at < source.len() {
        let text = &written[source[at].clone()];
        let is_macro = is_name(text) && !kept.contains(text);
        let mut end = at + 1;
        if is_macro && with_arguments && source.get(end).is_some_and(|next| &written[next.clone()] == "(") {
            end = closing(written, source, end)? + 1;
        }
        items.push((source[at].start..source[end - 1].end, at..end, is_macro));
        at = end;
    }
    Some(items)
}

/// The number of the token that closes the parenthesis at another.
fn closing(text: &str, tokens: &[Range<usize>], open: usize) -> Option<usize> {
    let mut depth = 0;
    for (number, token) in tokens.iter().enumerate().skip(open) {
        match &text[token.clone()] {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(number);
        }
    }
    None
}

/// The search for how many tokens of the result each item became.
struct Matching<'a> {
    items: &'a [Item],
    written: &'a str,
    expanded: &'a str,
    result: &'a [Range<usize>],
    /// Whether all names among the arguments of a macro have to be in its expansion.
    strict: bool,
    failed: HashSet<(usize, usize)>,
}

impl<'a> Matching<'a> {
    /// The names among the arguments of a macro that the result has at all.
    fn names(&self, range: Range<usize>) -> HashSet<&'a str> {
        let text = &self.written[range];
        let names = tokens(text).into_iter().skip(1).map(|token| &text[token]).filter(|token| is_name(token));
        let is_there = |name: &&str| self.result.iter().any(|token| self.expanded[token.clone()] == **name);
        names.filter(is_there).collect()
    }

    /// The lengths, the last one first.
    fn lengths(&mut self, item: usize, at: usize) -> Option<Vec<usize>> {
        let Some((range, _, is_macro)) = self.items.get(item) else {
            return (at == self.result.len()).then(Vec::new);
        };
        if self.failed.contains(&(item, at)) {
            return None;
        }
        let mut found = None;
        if *is_macro {
            let mut depth = 0i32;
            let mut missing: HashSet<&str> =
                if self.strict { self.names(range.clone()) } else { HashSet::new() };
            for end in at..=self.result.len() {
                if depth == 0
                    && missing.is_empty()
                    && let Some(rest) = self.lengths(item + 1, end)
                {
                    found = Some((rest, end - at));
                    break;
                }
                let next = self.result.get(end).map_or("", |token| &self.expanded[token.clone()]);
                missing.remove(next);
                match next {
                    "(" | "{" | "[" => depth += 1,
                    ")" | "}" | "]" => depth -= 1,
                    _ => {}
                }
                if depth < 0 {
                    break;
                }
            }
        } else if self
            .result
            .get(at)
            .is_some_and(|token| self.expanded[token.clone()] == self.written[range.clone()])
        {
            found = self.lengths(item + 1, at + 1).map(|rest| (rest, 1));
        }
        match found {
            Some((mut lengths, length)) => {
                lengths.push(length);
                Some(lengths)
            }
            None => {
                self.failed.insert((item, at));
                None
            }
        }
    }
}

fn parts(written: &str, items: &[Item], result: &[Range<usize>], lengths: &[usize]) -> Vec<Part> {
    let mut at = 0;
    let of_item = |((range, _, is_macro), length): (&Item, &usize)| {
        let tokens_of = &result[at..at + length];
        at += length;
        let end = result.get(at.wrapping_sub(1)).map_or(0, |token| token.end);
        let expanded = tokens_of.first().map_or(end, |token| token.start)..end;
        let arguments = if *is_macro {
            let inside = tokens(&written[range.clone()]).into_iter();
            let moved = inside.map(|token| token.start + range.start..token.end + range.start);
            moved.map(|token| (token.clone(), written[token].to_owned())).collect()
        } else {
            Vec::new()
        };
        Part { written: range.clone(), expanded, arguments, is_macro: *is_macro }
    };
    items.iter().zip(lengths.iter().rev()).map(of_item).collect()
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$')
}

/// Words, literals and signs, without comments and continued lines.
fn tokens(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = if first.is_whitespace() || rest.starts_with("\\\n") {
            at += first.len_utf8();
            continue;
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        } else if rest.starts_with("/*") {
            at += rest.find("*/").map_or(rest.len(), |end| end + 2);
            continue;
        } else if first == '"' || first == '\'' {
            literal(rest, first)
        } else if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        found.push(at..at + length);
        at += length;
    }
    found
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// How long a string or character is.
fn literal(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (index, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return index + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the user wrote for the part of the preprocessed line between the marks.
    fn shown(written: &str, marked: &str) -> Option<String> {
        let start = marked.find('«').unwrap();
        let expanded = marked.replace(['«', '»'], "");
        let end = marked.find('»').unwrap() - '«'.len_utf8();
        let range = Unexpanded::new(written, &expanded)?.range(&expanded, start..end)?;
        Some(written[range].to_owned())
    }

    #[test]
    fn a_macro_is_shown_for_its_expansion() {
        let written = "  KASSERT(n > 0, (\"none\")); // why";
        let expanded = "  «do { if (!(n > 0)) panic (\"none\"); } while (0)»;";
        assert_eq!(shown(written, expanded).as_deref(), Some("KASSERT(n > 0, (\"none\"))"));
        let inside = "  do { if (!(n > 0)) «panic (\"none\")»; } while (0);";
        assert_eq!(shown(written, inside).as_deref(), Some("KASSERT(n > 0, (\"none\"))"));
        // What is an argument, is shown as that.
        let argument = "  do { if (!(«n > 0»)) panic (\"none\"); } while (0);";
        assert_eq!(shown(written, argument).as_deref(), Some("n > 0"));
    }

    #[test]
    fn macros_in_a_statement() {
        assert_eq!(shown("x = MAX + f(y);", "«x = 10 + f(y);»").as_deref(), Some("x = MAX + f(y);"));
        assert_eq!(shown("x = MAX + f(y);", "x = 10 + «f(y)»;").as_deref(), Some("f(y)"));
        assert_eq!(shown("x = MAX + f(y);", "x = «10» + f(y);").as_deref(), Some("MAX"));
        let written = "A(x); B(y); c = 1;";
        let expanded = |one, two, three| format!("{one}a(1); g(x){two}; b(y){three}; c = 1;");
        assert_eq!(shown(written, &expanded("«", "»", "")).as_deref(), Some("A(x)"));
        assert_eq!(shown(written, "a(1); g(x); «b(y)»; c = 1;").as_deref(), Some("B(y)"));
        assert_eq!(shown(written, "a(1); g(x); b(y); «c = 1;»").as_deref(), Some("c = 1;"));
    }

    #[test]
    fn names_without_arguments_and_empty_ones() {
        assert_eq!(shown("LOCK (x);", "«lock» (x);").as_deref(), Some("LOCK (x)"));
        assert_eq!(shown("LOCK x;", "«lock »x;").as_deref(), Some("LOCK"));
        assert_eq!(shown("INLINE int f(void) {", "  «int f(void)» {").as_deref(), Some("int f(void)"));
        assert_eq!(shown("CALL(x,\n  y);", "«g(x, y);»").as_deref(), Some("CALL(x,\n  y);"));
    }

    #[test]
    fn other_lines_are_not_believed() {
        assert_eq!(shown("return 0;", "«lock(&m)»;"), None);
        assert_eq!(shown("lock(m);", "«lock(&m)»;"), None);
        assert_eq!(shown("CALL(x", "«g(x)»"), None);
    }

    #[test]
    fn strange_texts_do_no_harm() {
        for text in ["", "\"", "'\\", "/*", "é ü", "((((", "A A A A A A A A A A A A A A A A A A A A B"] {
            for other in ["", ")", "é", "x x x x x x x x x x x x x x x x x x x x x x x", "\"\\"] {
                let _ = Unexpanded::new(text, other).map(|found| found.range(other, 0..other.len()));
            }
        }
    }
}
