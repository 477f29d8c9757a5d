//! Messages of preprocessors: `file:line:column: error: text`.

use crate::diagnostics::{Diagnostic, Place, Severity};
use crate::source::file::SourceFile;

/// Reads the messages among the lines that a preprocessor wrote.
pub(super) fn read(said: &str) -> impl Iterator<Item = Diagnostic> {
    said.lines().filter_map(message)
}

/// Whether files were not found, or the compiler does not know the mode that it was asked for: another mode may help.
pub(super) fn lacks_headers(said: &str) -> bool {
    ["No such file or directory", "file not found", "-m32", "not supported", "unsupported"]
        .iter()
        .any(|sign| said.contains(sign))
}

fn message(line: &str) -> Option<Diagnostic> {
    let kinds = [
        (": fatal error: ", Severity::Error),
        (": error: ", Severity::Error),
        (": warning: ", Severity::Warning),
        (": note: ", Severity::Note),
    ];
    let (at, sign, severity) = kinds
        .iter()
        .filter_map(|(sign, severity)| Some((line.find(sign)?, *sign, *severity)))
        .min_by_key(|k| k.0)?;
    let position = place(&line[..at]);
    let message = line[at + sign.len()..].to_owned();
    let source_line = SourceFile::new(&position.file, false).line(position.line).unwrap_or("").to_owned();
    Some(Diagnostic { severity, position, message, hint: None, source_line })
}

/// `file`, `file:line` or `file:line:column`.
fn place(text: &str) -> Place {
    let number = |text: &str| text.parse::<u32>().ok();
    let (first, last) = match text.rsplit_once(':') {
        Some((first, last)) => (first, number(last)),
        None => return Place::file(text),
    };
    let Some(last) = last else { return Place::file(text) };
    match first.rsplit_once(':').map(|(file, line)| (file, number(line))) {
        Some((file, Some(line))) => Place { file: file.to_owned(), line, column: last },
        _ => Place { file: first.to_owned(), line: last, column: 0 },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_kinds() {
        let said = "In file included from a.c:1:\nb.h:20:10: fatal error: c.h: No such file or directory\n   20 | #include\n\
                    compilation terminated.\na.c:3: warning: x\ncc: error: y\n<stdin>:1:2: note: z";
        let shown: Vec<String> = read(said).map(|message| message.to_string()).collect();
        let expected = [
            "b.h:20:10: error: c.h: No such file or directory",
            "a.c:3: warning: x",
            "cc: error: y",
            "<stdin>:1:2: note: z",
        ];
        assert_eq!(shown, expected);
        assert!(lacks_headers(said) && !lacks_headers("a.c:1:2: error: #error x"));
    }
}
