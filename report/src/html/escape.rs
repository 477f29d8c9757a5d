//! Text as HTML. Every piece of text that is not written in this module's siblings goes through here.

/// Text for elements and for attributes in double quotes.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\t' | '\n' => escaped.push(c),
            // Not allowed in documents, or invisible.
            c if c.is_control() => escaped.push('\u{fffd}'),
            // These would change the order of what is read.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Text in which pieces between backticks are code.
pub(super) fn marked(text: &str) -> String {
    let mut html = String::new();
    for (number, piece) in text.split('`').enumerate() {
        match number % 2 {
            0 => html.push_str(&escape(piece)),
            _ => html.push_str(&format!("<code>{}</code>", escape(piece))),
        }
    }
    html
}

/// A JSON document inside of a script element: no character of it can end the element.
pub(super) fn json(document: &serde_json::Value) -> String {
    let text = document.to_string();
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                escaped.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_becomes_text() {
        assert_eq!(
            escape("</script><b a='1' b=\"2\">&\u{1}\u{202e}"),
            "&lt;/script&gt;&lt;b a=&#39;1&#39; b=&quot;2&quot;&gt;&amp;\u{fffd}\u{fffd}"
        );
    }

    #[test]
    fn code_between_backticks() {
        assert_eq!(marked("`a<b` is set"), "<code>a&lt;b</code> is set");
    }

    #[test]
    fn documents_cannot_end_their_element() {
        let text = json(&serde_json::json!({ "a": "</script><!--\u{2028}" }));
        assert!(!text.contains('<') && !text.contains('\u{2028}'), "{text}");
        let read: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(read["a"], "</script><!--\u{2028}");
    }
}
