//! The part of YAML that task definitions are written in, and nothing else.
//!
//! Mappings and lists by indentation, lists in brackets, plain and quoted texts on one line, comments. All values are texts:
//! `true` is "true". What is not understood (anchors, tags, texts of several lines, braces) is an error with its line, never
//! guessed.

/// What a document, a list item or a key holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// Nothing after the key.
    Nothing,
    Text(String),
    List(Vec<Value>),
    /// In the order of the file; no key twice.
    Map(Vec<(String, Value)>),
}

/// How deep lists and mappings may be in each other.
const MAX_DEPTH: usize = 32;

/// A line without its comment.
#[derive(Clone, Debug)]
struct Line<'a> {
    number: usize,
    indent: usize,
    text: &'a str,
}

type Lines<'a> = std::collections::VecDeque<Line<'a>>;

/// Reads a document. An error says the line.
pub(crate) fn parse(text: &str) -> Result<Value, String> {
    let mut lines = Lines::new();
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let (number, line) = (index + 1, without_comment(line).trim_end());
        let text = line.trim_start_matches(' ');
        if text.is_empty() || (text == "---" && lines.is_empty()) {
            continue;
        }
        if text.starts_with('\t') {
            return Err(format!("line {number}: a tab instead of spaces"));
        }
        lines.push_back(Line { number, indent: line.len() - text.len(), text });
    }
    let Some(indent) = lines.front().map(|line| line.indent) else { return Ok(Value::Nothing) };
    let value = block(&mut lines, indent, 0)?;
    match lines.front() {
        None => Ok(value),
        Some(line) => Err(unexpected(line)),
    }
}

fn unexpected(line: &Line<'_>) -> String {
    format!("line {}: not understood: {}", line.number, line.text)
}

/// Cuts at a `#` that starts a line or follows a space, outside of quotes.
fn without_comment(line: &str) -> &str {
    let mut quote = None;
    let mut before = ' ';
    for (index, character) in line.char_indices() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') if matches!(before, ' ' | '[' | ',') => quote = Some(character),
            (None, '#') if before.is_whitespace() => return &line[..index],
            (None, _) => {}
        }
        before = character;
    }
    line
}

/// The lines that are indented by `indent`, and what is below them.
fn block(lines: &mut Lines<'_>, indent: usize, depth: usize) -> Result<Value, String> {
    let Some(first) = lines.front() else { return Ok(Value::Nothing) };
    if depth > MAX_DEPTH {
        return Err(format!("line {}: nested too deep", first.number));
    }
    if is_item(first.text) {
        list(lines, indent, depth)
    } else if split_key(first.text).is_some() {
        map(lines, indent, depth)
    } else {
        let value = inline(first);
        lines.pop_front();
        value
    }
}

fn is_item(text: &str) -> bool {
    text == "-" || text.starts_with("- ")
}

fn list(lines: &mut Lines<'_>, indent: usize, depth: usize) -> Result<Value, String> {
    let mut items = Vec::new();
    while let Some(line) = lines.front().filter(|line| line.indent == indent && is_item(line.text)).cloned() {
        lines.pop_front();
        let rest = line.text[1..].trim_start();
        if rest.is_empty() {
            items.push(below(lines, indent + 1, depth)?);
            continue;
        }
        // What follows the dash is a line of its own, further to the right.
        let column = indent + line.text.len() - rest.len();
        lines.push_front(Line { number: line.number, indent: column, text: rest });
        items.push(block(lines, column, depth + 1)?);
    }
    Ok(Value::List(items))
}

fn map(lines: &mut Lines<'_>, indent: usize, depth: usize) -> Result<Value, String> {
    let mut entries: Vec<(String, Value)> = Vec::new();
    while let Some(line) = lines.front().filter(|line| line.indent == indent).cloned() {
        let Some((key, rest)) = split_key(line.text) else { break };
        lines.pop_front();
        let key = scalar(key, line.number)?;
        if entries.iter().any(|(other, _)| *other == key) {
            return Err(format!("line {}: '{key}' is there twice", line.number));
        }
        let value = if rest.is_empty() {
            // A list below a key may start in the column of the key.
            let list_here = lines.front().is_some_and(|next| next.indent == indent && is_item(next.text));
            if list_here { list(lines, indent, depth + 1)? } else { below(lines, indent + 1, depth)? }
        } else {
            inline(&Line { text: rest, ..line })?
        };
        entries.push((key, value));
    }
    Ok(Value::Map(entries))
}

/// What is indented by `least` or more, or nothing.
fn below(lines: &mut Lines<'_>, least: usize, depth: usize) -> Result<Value, String> {
    match lines.front().map(|line| line.indent) {
        Some(indent) if indent >= least => block(lines, indent, depth + 1),
        _ => Ok(Value::Nothing),
    }
}

/// Key and value of `key: value` or `key:`; the key may be quoted.
fn split_key(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'));
    let start = match quote {
        Some(quote) => text[1..].find(quote)? + 2,
        None if text.starts_with(['[', '{']) => return None,
        None => 0,
    };
    let end = match text[start..].find(": ") {
        Some(found) => start + found,
        None => text.strip_suffix(':')?.len(),
    };
    (quote.is_none() || end == start).then(|| (text[..end].trim_end(), text[end + 1..].trim_start()))
}

/// A value on one line.
fn inline(line: &Line<'_>) -> Result<Value, String> {
    let Some(rest) = line.text.strip_prefix('[') else {
        return scalar(line.text, line.number).map(Value::Text);
    };
    let inner = rest.strip_suffix(']').ok_or_else(|| unexpected(line))?;
    if inner.trim().is_empty() {
        return Ok(Value::List(Vec::new()));
    }
    let items =
        split_commas(inner).into_iter().map(|item| Ok(Value::Text(scalar(item.trim(), line.number)?)));
    items.collect::<Result<_, _>>().map(Value::List)
}

/// The parts between commas that are not in quotes.
fn split_commas(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut quote) = (Vec::new(), 0, None);
    for (index, character) in text.char_indices() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (None, '\'' | '"') => quote = Some(character),
            (None, ',') => {
                parts.push(&text[start..index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// A text, with or without quotes.
fn scalar(text: &str, number: usize) -> Result<String, String> {
    let fail = |what: &str| Err(format!("line {number}: {what}: {text}"));
    match text.chars().next() {
        None => fail("a text is missing"),
        Some(quote @ ('\'' | '"')) => match text[1..].strip_suffix(quote) {
            Some(inner) if quote == '"' && inner.contains(['\\', '"']) => fail("escapes are not understood"),
            Some(inner) if inner.replace("''", "").contains('\'') && quote == '\'' => fail("stray quote"),
            Some(inner) if quote == '\'' => Ok(inner.replace("''", "'")),
            Some(inner) => Ok(inner.to_owned()),
            None => fail("a quote is not closed"),
        },
        Some('&' | '*' | '!' | '|' | '>' | '{' | '}' | '[' | ']' | '%' | '@' | '`') => fail("not understood"),
        Some(_) if text.contains(": ") => fail("a second colon"),
        Some(_) => Ok(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    fn entry(key: &str, value: Value) -> (String, Value) {
        (key.to_owned(), value)
    }

    #[test]
    fn mappings_and_lists() {
        let document = "\u{feff}---\r\n# comment\r\na: 'x # y'  # more\r\nb:\r\n  - c: 1\r\n    d: \"two: 2\"\r\n  - plain#x\r\n\
            e:\r\n- f\r\n-\r\n  - g\r\nh:\r\ni: [p, 'q, r']\r\nj: []\r\n'k k': it's\r\n";
        let expected = Value::Map(vec![
            entry("a", text("x # y")),
            entry(
                "b",
                Value::List(vec![
                    Value::Map(vec![entry("c", text("1")), entry("d", text("two: 2"))]),
                    text("plain#x"),
                ]),
            ),
            entry("e", Value::List(vec![text("f"), Value::List(vec![text("g")])])),
            entry("h", Value::Nothing),
            entry("i", Value::List(vec![text("p"), text("q, r")])),
            entry("j", Value::List(vec![])),
            entry("k k", text("it's")),
        ]);
        assert_eq!(parse(document), Ok(expected));
        assert_eq!(parse("# nothing\n"), Ok(Value::Nothing));
        assert_eq!(parse("only text"), Ok(text("only text")));
    }

    #[test]
    fn quotes() {
        let of = |value: &str| parse(&format!("a: {value}\n"));
        assert_eq!(of("'it''s'"), Ok(Value::Map(vec![entry("a", text("it's"))])));
        assert_eq!(of("''"), Ok(Value::Map(vec![entry("a", text(""))])));
        for broken in ["'", "\"", "'x", "'x'y'", "\"x\\n\"", "'x' y"] {
            assert!(of(broken).is_err(), "{broken}");
        }
    }

    #[test]
    fn what_is_not_understood_is_named() {
        for (document, line) in [
            ("a: &b c\n", 1),
            ("a: b\nc: {d: e}\n", 2),
            ("a: |\n  text\n", 1),
            ("a: !tag b\n", 1),
            ("a: b\n\tc: d\n", 2),
            ("a: b\n  c: d\n", 2),
            ("a: b\njust text\n", 2),
            ("a: [b\n", 1),
            ("a: b\na: c\n", 2),
            ("a: b: c\n", 1),
            ("a: [b,]\n", 1),
            ("- a\nb: c\n", 2),
        ] {
            let error = parse(document).unwrap_err();
            assert!(error.starts_with(&format!("line {line}: ")), "{document}: {error}");
        }
    }

    #[test]
    fn deep_nesting_is_an_error() {
        assert_eq!(parse(&"- ".repeat(100_000)).unwrap_err(), "line 1: nested too deep");
        assert!(parse(&format!("{}x", "- ".repeat(20))).is_ok());
        assert!(parse("é: ü\n'ö\n").is_err());
    }
}
