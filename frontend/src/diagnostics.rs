//! Messages about the user's text: file, line, column, the line itself, a caret, and what to do.
//!
//! A diagnostic has its place resolved to text, so that it can outlive the tables that it was made from.

use rustc_hash::FxHashSet;
use std::fmt;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The text cannot be used.
    Error,
    /// The text can be used, but perhaps not as meant.
    Warning,
    /// More about another message.
    Note,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        })
    }
}

/// A place with the name of its file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The file as the preprocessor or the user names it.
    pub file: String,
    /// The line, from 1; 0 if the message is about the file as a whole.
    pub line: u32,
    /// The column in characters, from 1; 0 if only the line is known.
    pub column: u32,
}

impl Place {
    /// A file as a whole.
    pub fn file(name: impl Into<String>) -> Place {
        Place { file: name.into(), line: 0, column: 0 }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.column) {
            (0, _) => f.write_str(&self.file),
            (line, 0) => write!(f, "{}:{line}", self.file),
            (line, column) => write!(f, "{}:{line}:{column}", self.file),
        }
    }
}

/// One message with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Where.
    pub position: Place,
    /// What.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// The text of the line; empty if there is none to show.
    pub source_line: String,
}

impl Diagnostic {
    /// A message about a file as a whole.
    pub fn about_file(severity: Severity, file: impl Into<String>, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity,
            position: Place::file(file),
            message: message.into(),
            hint: None,
            source_line: String::new(),
        }
    }

    /// The same with advice.
    pub fn with_hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = Some(hint.into());
        self
    }
}

/// How many characters of a long line are shown on either side of the caret.
const CONTEXT: usize = 60;

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.position, self.severity, self.message)?;
        if !self.source_line.trim().is_empty() && self.position.line != 0 {
            let column = (self.position.column as usize).max(1);
            let skipped = (column - 1).saturating_sub(CONTEXT);
            let visible = |c: char| if c.is_control() { ' ' } else { c };
            let shown: String =
                self.source_line.chars().skip(skipped).take(2 * CONTEXT).map(visible).collect();
            write!(f, "\n    {}", shown.trim_end())?;
            if self.position.column != 0 {
                write!(f, "\n    {:>width$}", '^', width = column - skipped)?;
            }
        }
        if let Some(hint) = &self.hint {
            write!(f, "\n    hint: {hint}")?;
        }
        Ok(())
    }
}

/// An error of the system in its words, without its number.
pub fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    match (text.find(" (os error "), error.raw_os_error()) {
        (Some(end), Some(_)) => text[..end].to_owned(),
        _ => text,
    }
}

/// Messages in the order in which they came up, without repetitions.
///
/// As an error it stands for everything that keeps a text from being used.
#[derive(Clone, Debug, Default, thiserror::Error)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    seen: FxHashSet<(Severity, Place, String)>,
    errors: usize,
}

/// How many messages are shown; the rest is counted.
const SHOWN: usize = 20;

impl Diagnostics {
    /// No messages.
    pub fn new() -> Diagnostics {
        Diagnostics::default()
    }

    /// Adds a message, unless it has been made about the same place already.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let key = (diagnostic.severity, diagnostic.position.clone(), diagnostic.message.clone());
        if self.seen.insert(key) {
            self.errors += usize::from(diagnostic.severity == Severity::Error);
            self.list.push(diagnostic);
        }
    }

    /// How many errors there are, shown or not.
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// Whether there is an error.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Whether there are no messages at all.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All messages, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, diagnostics: I) {
        for diagnostic in diagnostics {
            self.push(diagnostic);
        }
    }
}

impl FromIterator<Diagnostic> for Diagnostics {
    fn from_iter<I: IntoIterator<Item = Diagnostic>>(diagnostics: I) -> Diagnostics {
        let mut all = Diagnostics::new();
        all.extend(diagnostics);
        all
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Diagnostics {
        Diagnostics::from_iter([diagnostic])
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.list.iter().take(SHOWN).enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            diagnostic.fmt(f)?;
        }
        match self.list.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            1 => f.write_str("\n1 more message"),
            more => write!(f, "\n{more} more messages"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32, column: u32, message: &str) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            position: Place { file: "a.c".to_owned(), line, column },
            message: message.to_owned(),
            hint: None,
            source_line: "\tint x = @;".to_owned(),
        }
    }

    #[test]
    fn errors_of_the_system_have_no_numbers() {
        assert_eq!(reason(&std::io::Error::from_raw_os_error(2)), "No such file or directory");
        assert_eq!(reason(&std::io::Error::other("x")), "x");
    }

    #[test]
    fn place_line_caret_and_hint() {
        let diagnostic = at(3, 10, "stray `@`").with_hint("remove it");
        let shown = "a.c:3:10: error: stray `@`\n     int x = @;\n             ^\n    hint: remove it";
        assert_eq!(diagnostic.to_string(), shown);
    }

    #[test]
    fn without_line_or_column() {
        assert_eq!(at(3, 0, "m").to_string(), "a.c:3: error: m\n     int x = @;");
        let whole = Diagnostic::about_file(Severity::Warning, "a.c", "m");
        assert_eq!(whole.to_string(), "a.c: warning: m");
    }

    #[test]
    fn long_lines_are_cut_around_the_caret() {
        let mut diagnostic = at(1, 1001, "m");
        diagnostic.source_line = "x".repeat(1000) + "@" + &"y".repeat(1000);
        let text = diagnostic.to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1].len(), 4 + 2 * CONTEXT);
        assert_eq!(lines[1].find('@'), lines[2].find('^'));
        diagnostic.position.column = u32::MAX;
        assert!(diagnostic.to_string().len() < 1000);
    }

    #[test]
    fn repetitions_are_dropped_and_errors_counted() {
        let mut all = Diagnostics::new();
        assert!(all.is_empty() && !all.has_errors());
        for _ in 0..3 {
            all.extend([at(1, 1, "one"), at(1, 1, "two"), at(2, 1, "one")]);
        }
        let mut warning = at(1, 1, "one");
        warning.severity = Severity::Warning;
        all.push(warning);
        assert_eq!((all.error_count(), all.iter().count()), (3, 4));
    }

    #[test]
    fn only_so_many_are_shown() {
        let all: Diagnostics = (1..=SHOWN as u32 + 2).map(|line| at(line, 1, "m")).collect();
        assert!(all.to_string().ends_with("\n2 more messages"));
        assert_eq!(all.to_string().matches("error: m").count(), SHOWN);
        assert_eq!(Diagnostics::from(at(1, 1, "m")).to_string(), at(1, 1, "m").to_string());
    }
}
