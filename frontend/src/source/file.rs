//! A file that a line marker names, read when one of its lines is asked for.

use std::path::Path;
use std::sync::OnceLock;

/// A file that is larger is not read for the sake of a message.
const READABLE: u64 = 16 << 20;

/// A file and, once asked for, its lines.
#[derive(Debug)]
pub(crate) struct SourceFile {
    pub name: String,
    pub system: bool,
    content: OnceLock<Option<Content>>,
}

#[derive(Debug)]
struct Content {
    text: String,
    starts: Vec<u32>,
}

impl SourceFile {
    pub(crate) fn new(name: &str, system: bool) -> SourceFile {
        SourceFile { name: name.to_owned(), system, content: OnceLock::new() }
    }

    /// A line of the file, from 1; `None` if the file or the line is not there.
    pub(crate) fn line(&self, number: u32) -> Option<&str> {
        let content = self.content.get_or_init(|| Content::read(&self.name)).as_ref()?;
        let index = number.checked_sub(1)? as usize;
        let start = *content.starts.get(index)? as usize;
        let end = content.starts.get(index + 1).map_or(content.text.len(), |&next| next as usize);
        Some(content.text[start..end].trim_end_matches(['\n', '\r']))
    }
}

impl Content {
    /// Names come from the text, so they may be anything: only plain files of moderate size are opened.
    fn read(name: &str) -> Option<Content> {
        if name.starts_with('<') {
            return None;
        }
        let path = Path::new(name);
        let metadata = path.metadata().ok()?;
        if !metadata.is_file() || metadata.len() > READABLE {
            return None;
        }
        let text = String::from_utf8_lossy(&std::fs::read(path).ok()?).into_owned();
        let newlines = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let starts = std::iter::once(0).chain(newlines.map(|(i, _)| i as u32 + 1)).collect();
        Some(Content { text, starts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_a_plain_file_has_no_lines() {
        for name in ["<built-in>", "/dev/zero", "/", "no/such/file.c", "", "a\0b"] {
            assert_eq!(SourceFile::new(name, false).line(1), None, "{name:?}");
        }
    }

    #[test]
    fn lines_are_counted_from_one() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.c");
        std::fs::write(&path, "one\r\ntwo\n").unwrap();
        let file = SourceFile::new(path.to_str().unwrap(), false);
        assert_eq!((file.line(0), file.line(1), file.line(2)), (None, Some("one"), Some("two")));
        assert_eq!((file.line(3), file.line(4)), (Some(""), None));
    }
}
