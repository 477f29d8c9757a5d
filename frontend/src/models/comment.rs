//! Comments and literals of C: model files are not preprocessed, so their comments are still there.

/// A part of a C text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// Tokens and white space.
    Code(&'a str),
    /// A string or character literal.
    Literal(&'a str),
    /// A comment, or a line of the preprocessor.
    Silent(&'a str),
}

/// The text as a sequence of pieces, which make up the text again. An open comment or literal ends with the text, a literal
/// also with its line.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = text;
    let mut line_is_empty = true;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let length = silent_length(rest, line_is_empty);
        let (piece, length) = if length > 0 {
            (Piece::Silent as fn(_) -> _, length)
        } else if rest.starts_with(['"', '\'']) {
            (Piece::Literal as fn(_) -> _, literal_length(rest))
        } else {
            (Piece::Code as fn(_) -> _, code_length(rest, line_is_empty))
        };
        let (part, after) = rest.split_at(length);
        rest = after;
        line_is_empty = match part.rsplit_once('\n') {
            Some((_, last)) => last.trim().is_empty(),
            None => line_is_empty && part.trim().is_empty(),
        };
        Some(piece(part))
    })
}

/// The text with a space for each byte of a comment: positions stay what they are.
pub fn blank_comments(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for piece in pieces(text) {
        match piece {
            Piece::Code(part) | Piece::Literal(part) => result.push_str(part),
            Piece::Silent(part) if part.starts_with('#') => result.push_str(part),
            Piece::Silent(part) => {
                result.extend(part.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
            }
        }
    }
    result
}

/// The length of the comment or preprocessor line that begins here; 0 if there is none.
fn silent_length(text: &str, line_is_empty: bool) -> usize {
    let line = || text.find('\n').unwrap_or(text.len());
    if let Some(inside) = text.strip_prefix("/*") {
        inside.find("*/").map_or(text.len(), |end| end + 4)
    } else if text.starts_with("//") || (line_is_empty && text.starts_with('#')) {
        line()
    } else {
        0
    }
}

/// The length of the literal that begins here.
fn literal_length(text: &str) -> usize {
    let mut letters = text.char_indices();
    let quote = letters.next().map(|(_, quote)| quote);
    let mut escaped = false;
    for (index, letter) in letters {
        if letter == '\n' {
            return index;
        }
        if !escaped && Some(letter) == quote {
            return index + letter.len_utf8();
        }
        escaped = !escaped && letter == '\\';
    }
    text.len()
}

/// The length of the code that begins here; at least one letter.
fn code_length(text: &str, mut line_is_empty: bool) -> usize {
    for (index, letter) in text.char_indices() {
        let rest = text.get(index..).unwrap_or_default();
        let ends = letter == '"' || letter == '\'' || silent_length(rest, line_is_empty) > 0;
        if index > 0 && ends {
            return index;
        }
        line_is_empty = letter == '\n' || (line_is_empty && letter.is_whitespace());
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn comments_become_blank() {
        assert_eq!(blank_comments("a /* b\n c */ d // e\nf"), "a     \n      d     \nf");
        assert_eq!(blank_comments("x = \"// no\"; // yes"), "x = \"// no\";       ");
        assert_eq!(blank_comments("c = '\"'; /* \" */ d = '\\'';"), "c = '\"';         d = '\\'';");
        assert_eq!(blank_comments("# 1 \"http://x\"\n// é\n"), "# 1 \"http://x\"\n     \n");
        assert_eq!(blank_comments("a / b; /* open"), "a / b;        ");
    }

    #[test]
    fn a_hash_inside_a_line_is_code() {
        assert_eq!(pieces("a # b").collect::<Vec<_>>(), [Piece::Code("a # b")]);
        assert_eq!(
            pieces("a\n # b\nc").collect::<Vec<_>>(),
            [Piece::Code("a\n "), Piece::Silent("# b"), Piece::Code("\nc")]
        );
    }

    proptest! {
        #[test]
        fn pieces_make_up_the_text(text in "[a'\"\\\\/*#\n é]{0,40}") {
            let mut again = String::new();
            for piece in pieces(&text) {
                let (Piece::Code(part) | Piece::Literal(part) | Piece::Silent(part)) = piece;
                prop_assert!(!part.is_empty());
                again.push_str(part);
            }
            prop_assert_eq!(&again, &text);
            prop_assert_eq!(blank_comments(&text).len(), text.len());
        }
    }
}
