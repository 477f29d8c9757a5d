//! Pieces of the parsed text as they stand in the user's files, with macros as they are called there.

use super::unexpand::Unexpanded;
use super::{Origin, Section, SourceMap};
use crate::program::position::FileId;
use lang_c::span::Span;
use std::borrow::Cow;
use std::ops::{Range, RangeInclusive};

/// Over how many lines a piece may go, and the arguments of a macro.
const MOST_LINES: u32 = 20;
/// How many pieces a line may become, and how long they may be: texts that were generated are shown as they are.
const MOST_PIECES: usize = 200;
const MOST_BYTES: usize = 10_000;

/// All that the preprocessor made of some lines of the user's, which may be several pieces with line markers between them.
struct Expanded {
    text: String,
    /// Offsets in the whole text, and in `text`, where pieces begin.
    pieces: Vec<(usize, usize)>,
}

impl SourceMap {
    /// What the user wrote for a piece of the parsed text: macros are shown as they are called. Where that cannot be found out, with what they become; also if
    /// the text was given preprocessed, because what is known about it must not depend on which files lie beside it.
    pub fn as_written(&self, span: Span) -> Cow<'_, str> {
        let range = self.offsets.to_original_range(span.start, span.end);
        let expanded = self.text.get(range.clone()).unwrap_or("");
        if range.is_empty() || self.origin != Origin::Fresh || self.section(range.start).verbatim {
            return Cow::Borrowed(expanded);
        }
        self.unexpanded(range).map_or(Cow::Borrowed(expanded), Cow::Owned)
    }

    /// What stands in the lines of a piece, and in those in which the arguments of a macro go on.
    fn unexpanded(&self, range: Range<usize>) -> Option<String> {
        let place = |original: usize| {
            let section = self.section(original);
            (section.file, self.number(section, self.line_index(original)))
        };
        let ((file, first), (other, last)) = (place(range.start), place(range.end - 1));
        if file != other || last < first || last - first > MOST_LINES {
            return None;
        }
        let source = &self.files[file.index()];
        let mut written = source.line(first)?.to_owned();
        for line in first + 1..=last {
            written = format!("{written}\n{}", source.line(line)?);
        }
        for last in last..=last + MOST_LINES {
            let expanded = self.expanded(range.start, file, first..=last)?;
            if let Some(parts) = Unexpanded::new(&written, &expanded.text) {
                let piece = expanded.inside(range.start)?..expanded.inside(range.end - 1)? + 1;
                return written.get(parts.range(&expanded.text, piece)?).map(str::to_owned);
            }
            if !is_open(&written) {
                break;
            }
            written = format!("{written}\n{}", source.line(last + 1)?);
        }
        None
    }

    /// What the preprocessor made of lines, from where an offset is in the first of them.
    fn expanded(&self, original: usize, file: FileId, lines: RangeInclusive<u32>) -> Option<Expanded> {
        let index = self.line_index(original);
        let is_inside = |index: usize| {
            let section = self.section(self.line_starts[index] as usize);
            section.file == file && lines.contains(&self.number(section, index)) && !section.verbatim
        };
        let is_marker = |index: usize| self.line_at(index).trim_start().starts_with('#');
        let belongs = |index: &usize| is_marker(*index) || is_inside(*index);
        let first = (0..index).rev().take(MOST_PIECES).take_while(belongs).last().unwrap_or(index);
        let behind = (index + 1..self.line_starts.len()).take(MOST_PIECES);
        let last = behind.take_while(belongs).last().unwrap_or(index);
        let end = self.line_starts.get(last + 1).map_or(self.text.len(), |end| *end as usize);
        if end - self.line_starts[first] as usize > MOST_BYTES {
            return None;
        }
        let mut expanded = Expanded { text: String::new(), pieces: Vec::new() };
        for index in (first..=last).filter(|index| !is_marker(*index) && is_inside(*index)) {
            expanded.pieces.push((self.line_starts[index] as usize, expanded.text.len()));
            expanded.text.push_str(self.line_at(index));
            expanded.text.push(' ');
        }
        Some(expanded)
    }

    /// The number of the user's line at an offset of the parsed text.
    pub(crate) fn line_number(&self, offset: usize) -> u32 {
        let original = self.offsets.to_original(offset);
        self.number(self.section(original), self.line_index(original))
    }

    fn number(&self, section: Section, index: usize) -> u32 {
        section.line.saturating_add((index as u32).saturating_sub(section.first))
    }
}

/// Whether more parentheses are opened than closed, as far as one can see.
fn is_open(written: &str) -> bool {
    written.matches('(').count() > written.matches(')').count()
}

impl Expanded {
    /// An offset of the whole text, in this one.
    fn inside(&self, original: usize) -> Option<usize> {
        let after = self.pieces.partition_point(|(start, _)| *start <= original);
        let (start, own) = self.pieces.get(after.checked_sub(1)?)?;
        Some(own + original - start).filter(|offset| *offset < self.text.len())
    }
}

#[cfg(test)]
mod tests {
    use crate::parse::parse_file;
    use crate::preprocess::PreprocessOptions;
    use lang_c::span::Span;

    const SOURCE: &str = "\
#include <assert.h>
#include <stddef.h>
#define CHECK(c) do { if (!(c)) fail(#c, __LINE__); } while (0)
#define BOTH(a, b) \\
  a; \\
  b
#define TEN 10
void fail(const char *, int);
int x, y, *p, *r;
void g(int, void *);
void f(void) {
  assert(x == TEN);
  CHECK(x /* why */ > 0); y = TEN;
  BOTH(x++,
       y++);
  y = x +
      TEN;
  y = f == 0;
  r = NULL;
  if (p == NULL) g(x, NULL);
}
";

    /// All that the text of the first place with these words is shown as.
    fn shown(unit: &crate::parse::Unit, from: &str, to: &str) -> String {
        let start = unit.text.rfind(from).unwrap();
        let end = start + unit.text[start..].find(to).unwrap() + to.len();
        unit.as_written(Span::span(start, end)).into_owned()
    }

    #[test]
    fn macros_are_shown_as_they_are_called() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.c");
        std::fs::write(&path, SOURCE).unwrap();
        let unit = parse_file(&path, &PreprocessOptions::default(), "").unwrap();
        assert_eq!(shown(&unit, "__monabs_assert((_Bool)", ";"), "assert(x == TEN);");
        assert_eq!(shown(&unit, "do { if", "while (0)"), "CHECK(x /* why */ > 0)");
        assert_eq!(shown(&unit, "fail(\"x", ")"), "CHECK(x /* why */ > 0)");
        assert_eq!(shown(&unit, "y = 10", ";"), "y = TEN;");
        assert_eq!(shown(&unit, "y++", ";"), "BOTH(x++,\n       y++);");
        assert_eq!(shown(&unit, "y = x", "10;"), "y = x +\n      TEN;");
        assert_eq!(shown(&unit, "y = f", "0;"), "y = f == 0;");
        assert_eq!(shown(&unit, "r =", ";"), "r = NULL;");
        assert_eq!(shown(&unit, "if (p", "0)"), "if (p == NULL");
        assert_eq!(shown(&unit, "if (p", ";"), "if (p == NULL) g(x, NULL);");
    }
}
