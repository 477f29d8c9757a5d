//! YAML as texts: the events of `yaml-rust2`, without what its types would make of them. `2.0` and `true` stay as they are written.
//!
//! One document, of lists, mappings from texts, and scalars. Anchors, tags and keys that are there twice are errors with their line.

use yaml_rust2::Event;
use yaml_rust2::parser::Parser;

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

/// A list or a mapping that is not closed.
enum Open {
    List(Vec<Value>),
    /// With the key whose value comes next.
    Map(Vec<(String, Value)>, Option<String>),
}

/// Reads a document. An error says the line.
pub(crate) fn parse(text: &str) -> Result<Value, String> {
    let mut parser = Parser::new_from_str(text.trim_start_matches('\u{feff}'));
    let mut open: Vec<Open> = Vec::new();
    let mut document = None;
    loop {
        let (event, mark) = parser
            .next_token()
            .map_err(|error| format!("line {}: {}", error.marker().line(), error.info()))?;
        let fail = |what: &str| Err(format!("line {}: {what}", mark.line()));
        let value = match event {
            Event::Nothing | Event::StreamStart | Event::DocumentEnd => continue,
            Event::DocumentStart if document.is_some() => return fail("a second document"),
            Event::DocumentStart => continue,
            Event::StreamEnd => return Ok(document.unwrap_or(Value::Nothing)),
            Event::Alias(_) => return fail("references are not understood"),
            Event::Scalar(_, _, anchor, ref tag)
            | Event::SequenceStart(anchor, ref tag)
            | Event::MappingStart(anchor, ref tag)
                if anchor != 0 || tag.is_some() =>
            {
                return fail("anchors and tags are not understood");
            }
            Event::SequenceStart(..) | Event::MappingStart(..) if open.len() >= MAX_DEPTH => {
                return fail("nested too deep");
            }
            Event::SequenceStart(..) => {
                open.push(Open::List(Vec::new()));
                continue;
            }
            Event::MappingStart(..) => {
                open.push(Open::Map(Vec::new(), None));
                continue;
            }
            Event::Scalar(text, style, _, _) => {
                let is_plain = style == yaml_rust2::scanner::TScalarStyle::Plain;
                // Without quotes, this is how YAML spells that there is nothing.
                if is_plain && matches!(&*text, "" | "~" | "null") {
                    Value::Nothing
                } else {
                    Value::Text(text)
                }
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(Open::List(items)) => Value::List(items),
                Some(Open::Map(entries, _)) => Value::Map(entries),
                None => return fail("an end without a beginning"),
            },
        };
        match open.last_mut() {
            None => document = Some(value),
            Some(Open::List(items)) => items.push(value),
            Some(Open::Map(entries, key)) => match (key.take(), value) {
                (Some(key), value) => entries.push((key, value)),
                (None, Value::Text(text)) if entries.iter().any(|(other, _)| *other == text) => {
                    return fail(&format!("'{text}' is there twice"));
                }
                (None, Value::Text(text)) => *key = Some(text),
                (None, _) => return fail("a key has to be a text"),
            },
        }
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
            e:\r\n- f\r\n-\r\n  - g\r\nh:\r\ni: [p, 'q, r']\r\nj: []\r\n'k k': it's\r\nl: {m: 2.0, n: true}\r\n";
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
            entry("l", Value::Map(vec![entry("m", text("2.0")), entry("n", text("true"))])),
        ]);
        assert_eq!(parse(document), Ok(expected));
        assert_eq!(parse("# nothing\n"), Ok(Value::Nothing));
        assert_eq!(parse("only text"), Ok(text("only text")));
        assert_eq!(parse("a: ''\n"), Ok(Value::Map(vec![entry("a", text(""))])));
    }

    #[test]
    fn what_is_not_understood_is_named() {
        for (document, line) in [
            ("a: &b c\n", 1),
            ("a: !tag b\n", 1),
            ("a: b\n  c: d\n", 2),
            ("a: b\na: c\n", 2),
            ("a: b: c\n", 1),
            ("- a\nb: c\n", 2),
            ("a: b\n---\nc: d\n", 2),
            ("[a]: b\n", 1),
        ] {
            let error = parse(document).unwrap_err();
            assert!(error.starts_with(&format!("line {line}: ")), "{document}: {error}");
        }
        assert!(parse("a: 'x\n").is_err());
        assert!(parse("a: [b\n").is_err());
    }

    #[test]
    fn deep_nesting_is_an_error() {
        assert_eq!(parse(&"- ".repeat(100_000)).unwrap_err(), "line 1: nested too deep");
        assert!(parse(&format!("{}x", "- ".repeat(20))).is_ok());
    }
}
