//! The file of a proof, around what an engine has to say: its version, what it was made from, what is assumed, and the program.
//!
//! All engines write this frame, so that one command judges all proofs. What stands between the program and the end is theirs.

use frontend::program::Program;
use std::fmt::Write as _;

/// The first line, without the version.
const NAME: &str = "monabs-proof";
/// The version that is written, and the only one that is read.
const VERSION: &str = "1";

/// What is said of a proof that comes with another program.
pub const OTHER_PROGRAM: &str =
    "the proof is about another program, or one that was translated with other options";

/// What stands before the proof itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The program, as text.
    pub program: String,
    /// SHA-256 of the source that it was made from, by file.
    pub sources: Vec<(String, String)>,
    /// What the proof takes for granted, one line each.
    pub assumptions: Vec<String>,
}

/// The program as proofs have it: without predicates that somebody gave, which change nothing.
pub fn printed(program: &Program) -> String {
    frontend::program::text::print(&Program { predicates: Vec::new(), ..program.clone() })
}

/// Whether a text is such a file, of any version.
pub fn is_document(text: &str) -> bool {
    text.split_whitespace().next() == Some(NAME)
}

impl Head {
    /// The whole file; `proof` is in lines.
    pub fn write(&self, proof: &str) -> String {
        let mut text = format!("{NAME} {VERSION}\n");
        // Writing to a string cannot fail.
        for (hash, name) in &self.sources {
            let _ = writeln!(text, "source {hash} {}", one_line(name));
        }
        for assumption in &self.assumptions {
            let _ = writeln!(text, "assumption {}", one_line(assumption));
        }
        section(&mut text, "program", &self.program);
        text.push_str(proof);
        text.push_str("end\n");
        text
    }

    /// Reads the lines before the proof itself.
    pub fn read(lines: &mut Lines<'_>) -> Result<Head, String> {
        match lines.next().and_then(|line| line.split_once(' ')) {
            Some((NAME, VERSION)) => {}
            Some((NAME, other)) => {
                return Err(format!(
                    "version {other} of proofs is not known; this program reads version {VERSION}"
                ));
            }
            _ => {
                return Err(format!("this is no proof that monabs wrote: it begins with '{NAME} {VERSION}'"));
            }
        }
        let (mut sources, mut assumptions) = (Vec::new(), Vec::new());
        while let Some(line) = lines.rest("source ") {
            let (hash, name) = line.split_once(' ').ok_or("a hash and a name are expected")?;
            sources.push((hash.to_owned(), name.to_owned()));
        }
        while let Some(line) = lines.rest("assumption ") {
            assumptions.push(line.to_owned());
        }
        Ok(Head { program: lines.section("program")?, sources, assumptions })
    }
}

/// Writes lines between `begin NAME` and `end NAME`.
pub fn section(text: &mut String, name: &str, content: &str) {
    let line_end = if content.ends_with('\n') { "" } else { "\n" };
    let _ = write!(text, "begin {name}\n{content}{line_end}end {name}\n");
}

fn one_line(text: &str) -> String {
    text.replace(|c: char| c.is_control(), " ")
}

/// The lines of a file that are left.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    lines: std::iter::Peekable<std::iter::Enumerate<std::str::Lines<'a>>>,
    number: usize,
}

impl<'a> Lines<'a> {
    /// All lines.
    pub fn new(text: &'a str) -> Lines<'a> {
        Lines { lines: text.lines().enumerate().peekable(), number: 0 }
    }

    /// A message about the line that was read last.
    pub fn here(&self, message: impl std::fmt::Display) -> String {
        format!("line {}: {message}", self.number.max(1))
    }

    /// The rest of the next line, if it begins so.
    pub fn rest(&mut self, start: &str) -> Option<&'a str> {
        let rest = self.lines.peek()?.1.strip_prefix(start)?;
        self.next();
        Some(rest)
    }

    /// The lines between `begin NAME` and `end NAME`.
    pub fn section(&mut self, name: &str) -> Result<String, String> {
        if self.next() != Some(&format!("begin {name}")) {
            return Err(format!("'begin {name}' is expected"));
        }
        let (mut text, end) = (String::new(), format!("end {name}"));
        loop {
            match self.next() {
                None => return Err(format!("'{end}' is missing")),
                Some(line) if line == end => return Ok(text),
                Some(line) => {
                    text.push_str(line);
                    text.push('\n');
                }
            }
        }
    }

    /// Nothing but the last line must be left.
    pub fn end(&mut self) -> Result<(), String> {
        if self.next() == Some("end") && self.next().is_none() {
            return Ok(());
        }
        Err("'end' is expected, and nothing after it".to_owned())
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let (number, line) = self.lines.next()?;
        self.number = number + 1;
        Some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let head = Head {
            program: "a program\n".to_owned(),
            sources: vec![("12ab".to_owned(), "a b.c".to_owned())],
            assumptions: vec!["two\nlines".to_owned()],
        };
        let text = head.write("kind states 1 2\n");
        assert!(is_document(&text) && !is_document("impara-proof 1\n"));
        let mut lines = Lines::new(&text);
        let read = Head::read(&mut lines).unwrap();
        assert_eq!((read.program, read.sources), (head.program, head.sources));
        assert_eq!(read.assumptions, ["two lines"]);
        assert_eq!(lines.rest("kind "), Some("states 1 2"));
        assert_eq!(lines.end(), Ok(()));
        let other = text.replacen("proof 1", "proof 2", 1);
        let message = Head::read(&mut Lines::new(&other)).unwrap_err();
        assert!(message.contains("version 2 of proofs is not known"), "{message}");
    }
}
