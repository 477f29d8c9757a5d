//! Commands in documents: which there are, and what they are said to print.
//!
//! A block between fences with lines that start with `$ ` is a transcript: each such line is a command, and what follows is what it prints on stdout. A line
//! `...` stands for any lines. A command without output after it may print anything. The word `slow` after the opening fence is for
//! commands that take too long for the test suite.

/// A command of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The line of the document, from 1.
    pub line: usize,
    /// What to run.
    pub text: String,
    /// What is printed.
    pub output: Vec<String>,
    /// Whether it takes too long for the test suite.
    pub is_slow: bool,
}

/// All commands of a document, in order.
pub fn commands(document: &str) -> Vec<Command> {
    let mut commands: Vec<Command> = Vec::new();
    let mut fence: Option<&str> = None;
    let mut is_open = false;
    for (index, line) in document.lines().enumerate() {
        if let Some(word) = line.strip_prefix("```") {
            fence = if fence.is_some() { None } else { Some(word) };
            is_open = false;
        } else if let Some(word) = fence {
            if let Some(text) = line.strip_prefix("$ ") {
                let is_slow = word.contains("slow");
                commands.push(Command {
                    line: index + 1,
                    text: text.to_owned(),
                    output: Vec::new(),
                    is_slow,
                });
                is_open = true;
            } else if let Some(last) = commands.last_mut().filter(|_| is_open) {
                last.output.push(line.to_owned());
            }
        }
    }
    commands
}

/// Pieces of text between single backquotes outside of blocks, with their lines.
pub fn quoted(document: &str) -> Vec<(usize, &str)> {
    let mut pieces = Vec::new();
    let mut is_block = false;
    for (index, line) in document.lines().enumerate() {
        if line.starts_with("```") {
            is_block = !is_block;
        } else if !is_block {
            pieces.extend(line.split('`').skip(1).step_by(2).map(|piece| (index + 1, piece)));
        }
    }
    pieces
}

/// Whether the output is as a document says; if not, the first line that is missing.
pub fn compare(expected: &[String], output: &str) -> Result<(), String> {
    let mut lines = output.lines().map(str::trim_end).filter(|line| !line.is_empty());
    let mut may_skip = false;
    for wanted in expected.iter().map(|line| line.trim_end()).filter(|line| !line.is_empty()) {
        if wanted.trim() == "..." {
            may_skip = true;
            continue;
        }
        let found = if may_skip { lines.any(|line| line == wanted) } else { lines.next() == Some(wanted) };
        if !found {
            return Err(wanted.to_owned());
        }
        may_skip = false;
    }
    match lines.next() {
        Some(line) if !may_skip && !expected.is_empty() => Err(format!("nothing more, but there is: {line}")),
        _ => Ok(()),
    }
}

/// The document with other outputs, one for each command; `None` leaves one as it is.
pub fn replaced(document: &str, outputs: &[Option<String>]) -> String {
    let commands = commands(document);
    let mut lines: Vec<String> = document.lines().map(str::to_owned).collect();
    for (command, output) in commands.iter().zip(outputs).rev() {
        let Some(output) = output.as_ref().filter(|_| !command.output.is_empty()) else { continue };
        let first = command.line;
        let new = output.trim_end().lines().map(|line| line.trim_end().to_owned());
        lines.splice(first..first + command.output.len(), new);
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str =
        "a `b --c` d\n```\n$ one\n1\n...\n3\n$ two\n```\n```slow\n$ three\nx\n```\n```rust\n`no`\n```\n";

    #[test]
    fn commands_with_outputs() {
        let found = commands(DOCUMENT);
        let texts: Vec<_> = found.iter().map(|command| (command.line, command.text.as_str())).collect();
        assert_eq!(texts, [(3, "one"), (7, "two"), (10, "three")]);
        assert_eq!(found[0].output, ["1", "...", "3"]);
        assert!(found[2].is_slow && !found[0].is_slow);
        assert_eq!(quoted(DOCUMENT), [(1, "b --c")]);
        let new = replaced(DOCUMENT, &[None, Some("y".to_owned()), Some("z\nz\n".to_owned())]);
        assert_eq!(new, DOCUMENT.replace("x\n", "z\nz\n"));
    }

    #[test]
    fn outputs_are_compared() {
        let expected = |text: &str| -> Vec<String> { text.lines().map(str::to_owned).collect() };
        assert_eq!(compare(&expected("1\n...\n3"), "1\n2\n\n3\n"), Ok(()));
        assert_eq!(compare(&expected(""), "1\n"), Ok(()));
        assert_eq!(compare(&expected("1\n3"), "1\n2\n3\n"), Err("3".to_owned()));
        assert_eq!(compare(&expected("...\n3"), "1\n2\n"), Err("3".to_owned()));
        assert!(compare(&expected("1"), "1\n2\n").is_err());
        assert_eq!(compare(&expected("1\n..."), "1\n2\n"), Ok(()));
    }
}
