//! Replies of solvers: where one ends, and what its parts are.

/// Where in the notation of SMT-LIB a text ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Mode {
    #[default]
    Plain,
    Quoted,
    String,
    Comment,
}

/// Cuts a stream of bytes into replies: atoms, and lists with balanced parentheses.
#[derive(Debug, Default)]
pub(super) struct Splitter {
    mode: Mode,
    depth: usize,
    current: Vec<u8>,
}

impl Splitter {
    /// Takes the next byte; a reply, if one is complete. An atom is complete with the byte after it.
    pub(super) fn push(&mut self, byte: u8) -> Option<String> {
        match self.mode {
            Mode::Comment => {
                if byte == b'\n' {
                    self.mode = Mode::Plain;
                    return self.separator(byte);
                }
                return None;
            }
            Mode::Quoted | Mode::String => {
                self.current.push(byte);
                let end = if self.mode == Mode::Quoted { b'|' } else { b'"' };
                if byte == end {
                    self.mode = Mode::Plain;
                }
                return None;
            }
            Mode::Plain => {}
        }
        match byte {
            b';' => {
                self.mode = Mode::Comment;
                self.separator(b' ')
            }
            b' ' | b'\t' | b'\r' | b'\n' => self.separator(byte),
            b'(' => {
                let atom = if self.depth == 0 { self.finish() } else { None };
                self.depth += 1;
                self.current.push(byte);
                atom
            }
            b')' => {
                self.current.push(byte);
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 { self.finish() } else { None }
            }
            _ => {
                self.mode = match byte {
                    b'|' => Mode::Quoted,
                    b'"' => Mode::String,
                    _ => Mode::Plain,
                };
                self.current.push(byte);
                None
            }
        }
    }

    /// Ends an atom; inside a list, it is part of the list.
    fn separator(&mut self, byte: u8) -> Option<String> {
        if self.depth > 0 {
            self.current.push(byte);
            return None;
        }
        self.finish()
    }

    /// What is left at the end of the stream.
    pub(super) fn finish(&mut self) -> Option<String> {
        let reply = String::from_utf8_lossy(&std::mem::take(&mut self.current)).trim().to_owned();
        (!reply.is_empty()).then_some(reply)
    }
}

/// The members of a list; nothing if the text is not a list.
pub(super) fn items(list: &str) -> Option<Vec<&str>> {
    let inner = list.trim().strip_prefix('(')?.strip_suffix(')')?;
    let mut items = Vec::new();
    let mut splitter = Splitter::default();
    let mut start = 0;
    for (position, byte) in inner.bytes().enumerate() {
        if splitter.push(byte).is_some() {
            // A list ends here; an atom ends before.
            let end = if byte == b')' { position + 1 } else { position };
            items.push(inner.get(start..end)?.trim());
            start = end;
        }
    }
    if splitter.finish().is_some() {
        items.push(inner.get(start..)?.trim());
    }
    (splitter.depth == 0).then_some(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<String> {
        let mut splitter = Splitter::default();
        let mut replies: Vec<String> = text.bytes().filter_map(|byte| splitter.push(byte)).collect();
        replies.extend(splitter.finish());
        replies
    }

    #[test]
    fn replies_end_where_lists_and_atoms_end() {
        assert_eq!(
            split("sat\nunsat \n ((x #b1)\n (y true)) unknown"),
            ["sat", "unsat", "((x #b1)\n (y true))", "unknown"]
        );
        assert_eq!(
            split("(error \"a ) \"\"quoted\"\" ( |\")\nsat\n"),
            ["(error \"a ) \"\"quoted\"\" ( |\")", "sat"]
        );
        assert_eq!(split("(|a ) ( \" b| ; ) comment |\n c)sat;x\n"), ["(|a ) ( \" b|  \n c)", "sat"]);
        assert_eq!(split("a(b)c"), ["a", "(b)", "c"]);
        assert_eq!(split("größe\n(é)\n"), ["größe", "(é)"]);
        assert_eq!(split(" ; nothing\n"), Vec::<String>::new());
    }

    #[test]
    fn nonsense_is_taken_as_it_comes() {
        assert_eq!(split(")\n))sat\n"), [")", ")", ")", "sat"]);
        assert_eq!(split("(open"), ["(open"]);
        let mut splitter = Splitter::default();
        assert_eq!(splitter.push(0xff), None);
        assert!(splitter.push(b'\n').is_some());
    }

    #[test]
    fn members_of_lists() {
        assert_eq!(
            items("((x #b1) y (not |a b|) \"c )\")"),
            Some(vec!["(x #b1)", "y", "(not |a b|)", "\"c )\""])
        );
        assert_eq!(items(" () "), Some(Vec::new()));
        assert_eq!(items("(x(y)z)"), Some(vec!["x", "(y)", "z"]));
        assert_eq!(items("sat"), None);
        assert_eq!(items("((x)"), None);
    }
}
