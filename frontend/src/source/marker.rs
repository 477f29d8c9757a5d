//! Line markers: `# 7 "file.c" 1 3` as preprocessors write them, and `#line 7 "file.c"`.

/// What a marker says about the lines after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Marker {
    /// The number of the next line.
    pub line: u32,
    /// The name of the file; the same as before if there is none.
    pub file: Option<String>,
    /// Whether the text comes from a header of the system (flag 3).
    pub system: bool,
}

/// Reads a directive; `None` if it is not a marker.
pub(crate) fn parse(directive: &str) -> Option<Marker> {
    let rest = directive.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").map_or(rest, str::trim_start);
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let line = rest[..digits].parse().ok()?;
    let rest = rest[digits..].trim_start();
    let Some(quoted) = rest.strip_prefix('"') else {
        return rest.is_empty().then_some(Marker { line, file: None, system: false });
    };
    let (file, flags) = unquote(quoted)?;
    let system = flags.split_whitespace().any(|flag| flag == "3");
    Some(Marker { line, file: Some(file), system })
}

/// The text up to the closing quote without its escapes, and what follows.
fn unquote(quoted: &str) -> Option<(String, &str)> {
    let mut bytes = Vec::new();
    let mut characters = quoted.chars();
    loop {
        match characters.next()? {
            '"' => return Some((String::from_utf8_lossy(&bytes).into_owned(), characters.as_str())),
            '\\' => match octal(characters.as_str()) {
                Some((byte, rest)) => {
                    bytes.push(byte);
                    characters = rest.chars();
                }
                None => push(&mut bytes, characters.next()?),
            },
            other => push(&mut bytes, other),
        }
    }
}

fn push(bytes: &mut Vec<u8>, character: char) {
    bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
}

/// A byte written as up to three octal digits, and what follows.
fn octal(text: &str) -> Option<(u8, &str)> {
    let digits = text.bytes().take(3).take_while(|byte| (b'0'..=b'7').contains(byte)).count();
    let value = u32::from_str_radix(&text[..digits], 8).ok()?;
    Some((value as u8, &text[digits..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marker(line: u32, file: Option<&str>, system: bool) -> Option<Marker> {
        Some(Marker { line, file: file.map(str::to_owned), system })
    }

    #[test]
    fn markers_of_preprocessors() {
        assert_eq!(parse("# 7 \"a.c\""), marker(7, Some("a.c"), false));
        assert_eq!(parse("# 1 \"/usr/include/x.h\" 1 3 4"), marker(1, Some("/usr/include/x.h"), true));
        assert_eq!(parse("#line 12 \"b c.c\""), marker(12, Some("b c.c"), false));
        assert_eq!(parse("  #  line 12"), marker(12, None, false));
        assert_eq!(parse("# 0 \"<built-in>\"\r"), marker(0, Some("<built-in>"), false));
    }

    #[test]
    fn escapes_in_names() {
        assert_eq!(parse(r#"# 1 "a\\b\"c.c" 2"#), marker(1, Some(r#"a\b"c.c"#), false));
        assert_eq!(parse(r#"# 1 "caf\303\251.c""#), marker(1, Some("café.c"), false));
        assert_eq!(parse(r#"# 1 "café.c""#), marker(1, Some("café.c"), false));
    }

    #[test]
    fn other_directives_are_none() {
        let others = [
            "#pragma once",
            "#",
            "# x",
            "#define line 3",
            "# 99999999999 \"a\"",
            "# 1 \"open",
            "# 1 a.c",
            "#1\\",
        ];
        for other in others {
            assert_eq!(parse(other), None, "{other}");
        }
    }
}
