//! Messages about bad input: file, line, column, the line itself and a caret.

use std::fmt;

/// A text with the name it is reported under.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// A file name, or something like `--init` for text from the command line.
    pub name: &'a str,
    /// The whole text.
    pub text: &'a str,
}

impl Source<'_> {
    /// An error at a byte offset of the text.
    pub fn error(&self, offset: usize, message: impl Into<String>) -> Diagnostic {
        let offset = self.text.floor_char_boundary(offset.min(self.text.len()));
        let start = self.text[..offset].rfind('\n').map_or(0, |i| i + 1);
        let end = self.text[start..].find('\n').map_or(self.text.len(), |i| start + i);
        Diagnostic {
            name: self.name.to_owned(),
            line: self.text[..start].bytes().filter(|&b| b == b'\n').count() + 1,
            column: self.text[start..offset].chars().count() + 1,
            source_line: self.text[start..end].trim_end_matches('\r').to_owned(),
            message: message.into(),
        }
    }
}

/// One error with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Diagnostic {
    /// The name of the source.
    pub name: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The text of that line.
    pub source_line: String,
    /// What is wrong and what to do.
    pub message: String,
}

/// How many characters of a long line are shown on either side of the caret.
const CONTEXT: usize = 60;

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}:{}:{}: error: {}", self.name, self.line, self.column, self.message)?;
        let skipped = (self.column - 1).saturating_sub(CONTEXT);
        let shown: String = self
            .source_line
            .chars()
            .skip(skipped)
            .take(2 * CONTEXT)
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        writeln!(f, "    {shown}")?;
        write!(f, "    {:>width$}", '^', width = self.column - skipped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn position_and_caret() {
        let source = Source { name: "a.emdr", text: "1 1\n0 x -> 0 0\n" };
        let error = source.error(6, "expected a number");
        assert_eq!((error.line, error.column), (2, 3));
        assert_eq!(error.to_string(), "a.emdr:2:3: error: expected a number\n    0 x -> 0 0\n      ^");
    }

    #[test]
    fn offsets_beyond_the_text_and_inside_characters_are_safe() {
        let source = Source { name: "-", text: "é" };
        assert_eq!(source.error(1, "m").column, 1);
        assert_eq!(source.error(99, "m").column, 2);
    }
}
