//! How pieces of the source are shown: as the user wrote them, without the names that our headers and models use inside.

use super::ARGUMENT;
use super::code::Code;
use crate::entry::CHOICE;
use lang_c::span::Span;
use std::borrow::Cow;

/// What all names begin with that are ours alone.
const OURS: &str = "__monabs_";
/// What `assert` of our header becomes: the condition follows, then how it was written.
const ASSERT: &str = "__monabs_assert((_Bool)";
/// Longer pieces of source are not repeated in descriptions.
const LONGEST: usize = 60;

/// A name for users: `__monabs_self` becomes `thread.self`, others of ours belong to the library.
pub(crate) fn name(name: &str) -> Cow<'_, str> {
    if !name.contains(OURS) {
        return Cow::Borrowed(name);
    }
    Cow::Owned(name.replace("__monabs_self", "thread.self").replace(OURS, "library."))
}

/// A piece of source in one line, with `assert` as it was.
pub(crate) fn text(written: &str) -> String {
    let mut line = written.split_whitespace().collect::<Vec<_>>().join(" ");
    while let Some(start) = line.find(ASSERT) {
        let rest = &line[start + ASSERT.len()..];
        let Some(condition) = parenthesised(rest) else { break };
        // The condition as text, and what closes the call.
        let Some(call) = parenthesised(&line[start + ASSERT.find('(').unwrap_or(0)..]) else { break };
        let end = start + ASSERT.find('(').unwrap_or(0) + call.len();
        line = format!("{}assert{condition}{}", &line[..start], &line[end..]);
    }
    name(&line).into_owned()
}

/// A line of the program around entry points: which one is called. What only chooses between them is not worth a word.
pub(crate) fn entry(line: &str) -> String {
    if line == "do" || line.starts_with(CHOICE) {
        return String::new();
    }
    let mut shown = line.to_owned();
    while let Some(start) = shown.find(ARGUMENT) {
        let Some(given) = parenthesised(&shown[start + ARGUMENT.len()..]) else { break };
        let end = start + ARGUMENT.len() + given.len();
        let word = given.rsplit('"').nth(1).filter(|word| *word != "usual").unwrap_or("...");
        shown = format!("{}{word}{}", &shown[..start], &shown[end..]);
    }
    while shown.contains("..., ...") {
        shown = shown.replace("..., ...", "...");
    }
    shown
}

/// The violation of an assertion.
pub(crate) fn assertion(condition: &str) -> String {
    format!("assertion `{}` does not hold", text(condition))
}

/// From the parenthesis that the text begins with to the one that closes it.
fn parenthesised(text: &str) -> Option<&str> {
    let mut depth = 0;
    let mut quote = None;
    let mut escaped = false;
    for (index, c) in text.char_indices() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return text.starts_with('(').then(|| &text[..index + c.len_utf8()]);
        }
    }
    None
}

impl Code<'_> {
    /// The violation of an array's bounds by an indexing such as `a[i + 1]`.
    pub(crate) fn outside(&self, span: Span, count: Option<u64>) -> String {
        let length = count.map_or_else(|| "[]".to_owned(), |count| format!("[{count}]"));
        let written = text(self.unit.written(span));
        match indexing(&written) {
            Some((array, index)) if !self.is_model(span.start) && written.chars().count() <= LONGEST => {
                format!("index {index} is outside of {array}{length}")
            }
            _ => format!("index outside of an array {length}"),
        }
    }
}

/// The array and the index of `array[index]`.
fn indexing(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_suffix(']')?;
    let mut depth = 0;
    for (index, c) in inside.char_indices().rev() {
        match c {
            ']' => depth += 1,
            '[' if depth > 0 => depth -= 1,
            '[' => return (index > 0).then(|| (inside[..index].trim(), inside[index + 1..].trim())),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assertions_are_shown_as_written() {
        for (source, shown) in [
            ("x  ++ ;", "x ++ ;"),
            ("__monabs_assert((_Bool)(f(x) == ')'), \"f(x) == ')'\");", "assert(f(x) == ')');"),
            ("if (a) __monabs_assert((_Bool)(0), \"\\\")\\\"\"); else b;", "if (a) assert(0); else b;"),
            ("__monabs_assert((_Bool)(x", "library.assert((_Bool)(x"),
        ] {
            assert_eq!(text(source), shown);
        }
        assert_eq!(assertion("x == 1"), "assertion `x == 1` does not hold");
    }

    #[test]
    fn entries_are_shown_by_what_is_called() {
        let usual = format!("read({ARGUMENT}(read, 1, \"usual\"), {ARGUMENT}(read, 2, \"usual\"));");
        assert_eq!(entry(&usual), "read(...);");
        let mixed = format!("open({ARGUMENT}(open, 1, \"shared\"), &softc, {ARGUMENT}(open, 3, \"usual\"))");
        assert_eq!(entry(&mixed), "open(shared, &softc, ...)");
        assert_eq!((entry("do"), entry("nondet_choice_()")), (String::new(), String::new()));
    }

    #[test]
    fn names_of_ours() {
        assert_eq!(name("__monabs_self"), "thread.self");
        assert_eq!(name("__monabs_lock_try::before"), "library.lock_try::before");
        assert_eq!(name("x"), "x");
    }

    #[test]
    fn an_indexing_has_two_parts() {
        assert_eq!(indexing("a[i]"), Some(("a", "i")));
        assert_eq!(indexing("s->m[b[0]][c[i] + 1]"), Some(("s->m[b[0]]", "c[i] + 1")));
        assert_eq!(indexing("*p"), None);
        assert_eq!(indexing("]"), None);
    }
}
