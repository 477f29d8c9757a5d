//! Literals as the parser knows them.

use super::lexer::universal_name;

/// A string or character constant without the escapes that the parser does not know; `None` if it is fine as it is.
pub(super) fn without_strange_escapes(literal: &str) -> Option<String> {
    let mut changed = None;
    let mut done = 0;
    while let Some(found) = literal[done..].find('\\') {
        let at = done + found;
        let (length, becomes) = escape(&literal[at..]);
        if let Some(becomes) = becomes {
            changed.get_or_insert_with(|| literal[..at].to_owned()).push_str(&becomes);
        } else if let Some(changed) = &mut changed {
            changed.push_str(&literal[at..at + length]);
        }
        done = at + length;
        let plain = literal[done..].find('\\').unwrap_or(literal.len() - done);
        if let Some(changed) = &mut changed {
            changed.push_str(&literal[done..done + plain]);
        }
        done += plain;
    }
    changed
}

/// The length of the escape sequence at the start of a text, and what to write instead.
fn escape(text: &str) -> (usize, Option<String>) {
    let rest = &text[1..];
    let hexadecimal =
        |from: usize| rest.as_bytes()[from..].iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    match rest.chars().next() {
        Some('\'' | '"' | '?' | '\\' | 'a' | 'b' | 'f' | 'n' | 'r' | 't' | 'v') => (2, None),
        Some('0'..='7') => {
            let digits = rest.bytes().take(3).take_while(|byte| (b'0'..=b'7').contains(byte)).count();
            (1 + digits, None)
        }
        Some('x') if hexadecimal(1) > 0 => (2 + hexadecimal(1), None),
        Some('e' | 'E') => (2, Some("\\033".to_owned())),
        Some('u' | 'U') => match universal_name(text) {
            Some((character, length)) if character.is_ascii() => {
                (length, Some(format!("\\{:03o}", u32::from(character))))
            }
            Some((character, length)) => (length, Some(character.to_string())),
            None => (2, Some(rest[..1].to_owned())),
        },
        // A line that goes on in the next one.
        Some('\n') => (2, Some(String::new())),
        Some('\r') => (2 + usize::from(rest.starts_with("\r\n")), Some(String::new())),
        // Anything else stands for itself.
        Some(other) => (1 + other.len_utf8(), Some(other.to_string())),
        None => (1, None),
    }
}

/// A number without GNU's suffixes for wide floating types; `None` if it is fine as it is.
pub(super) fn without_strange_suffix(number: &str) -> Option<String> {
    let body = number.strip_suffix(['q', 'Q'])?;
    let hexadecimal = body.starts_with("0x") || body.starts_with("0X");
    let floating = body.contains('.')
        || (hexadecimal && body.contains(['p', 'P']))
        || (!hexadecimal && body.contains(['e', 'E']));
    floating.then(|| format!("{body}f128"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        let same = [r#""a\n\"\\\x1fz\0012""#, r"'\''", r#""""#, r#"L"\7""#];
        for literal in same {
            assert_eq!(without_strange_escapes(literal), None, "{literal}");
        }
        let cases = [
            (r#""\e[1m\E""#, r#""\033[1m\033""#),
            (r#""\u00e9\U0001F600\u0024""#, r#""é😀\044""#),
            (r#""a\/b\n\q""#, r#""a/b\nq""#),
            ("\"a\\\nb\\\r\nc\"", "\"abc\""),
            (r#""\u12\xg""#, r#""u12xg""#),
            (r#""\uD800""#, r#""uD800""#),
            (r"'\é'", "'é'"),
        ];
        for (literal, expected) in cases {
            assert_eq!(without_strange_escapes(literal).as_deref(), Some(expected), "{literal}");
        }
    }

    #[test]
    fn suffixes() {
        assert_eq!(without_strange_suffix("1.5q").as_deref(), Some("1.5f128"));
        assert_eq!(without_strange_suffix("0x1p3Q").as_deref(), Some("0x1p3f128"));
        assert_eq!(without_strange_suffix("2e5Q").as_deref(), Some("2e5f128"));
        assert_eq!(without_strange_suffix("1.5f"), None);
        assert_eq!(without_strange_suffix("0xeQ"), None);
    }
}
