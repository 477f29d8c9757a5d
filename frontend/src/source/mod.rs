//! From byte offsets to the user's files, lines and columns.
//!
//! One translation unit is one text: our models, then what the preprocessor made of the user's file, with line markers
//! (`# 7 "file.c"`) in between, and changed in small ways before it is parsed (see [`crate::tokens`]). A [`SourceMap`] has one table
//! for each of these, built once: a position costs three binary searches. The files themselves are read only when a position
//! in them is asked for, because the preprocessor moves columns; if they are not there, the preprocessed line serves.

mod align;
pub(crate) mod file;
pub(crate) mod marker;
mod unexpand;
mod verbatim;

use crate::diagnostics::{Diagnostic, Place, Severity};
use crate::program::position::{FileId, Position};
use crate::tokens::edits::OffsetMap;
use align::align;
use file::SourceFile;
use lang_c::span::Span;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Where the lines after a marker come from.
#[derive(Clone, Copy, Debug)]
struct Section {
    /// The first byte after the marker's line.
    start: u32,
    /// The index of the line that begins there.
    first: u32,
    file: FileId,
    /// The number of that line in its file.
    line: u32,
    /// Whether the text is that of the file, not what a preprocessor made of it.
    verbatim: bool,
}

/// How much the files that line markers name can be believed to be those that were preprocessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// They have just been read by a preprocessor that we started.
    Fresh,
    /// The text was given as it is: a file with that name may be another one.
    Given,
}

/// The tables that lead from the text that was parsed to the user's files.
#[derive(Debug)]
pub struct SourceMap {
    text: String,
    line_starts: Vec<u32>,
    sections: Vec<Section>,
    files: Vec<SourceFile>,
    offsets: OffsetMap,
    user_start: usize,
    origin: Origin,
}

/// A place, and the line to show with it.
struct Located<'a> {
    position: Position,
    line: &'a str,
}

impl SourceMap {
    /// Builds the table of lines and sections. `directives` are where in the text lines with `#` are; the text up to
    /// `user_start` is ours. Offsets are those of `text` until [`SourceMap::set_offsets`] is called.
    pub(crate) fn new(
        text: String,
        directives: &[Range<usize>],
        user_start: usize,
        origin: Origin,
    ) -> SourceMap {
        let newlines = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let line_starts: Vec<u32> = std::iter::once(0).chain(newlines.map(|(i, _)| i as u32 + 1)).collect();
        let offsets = OffsetMap::identity();
        let mut map = SourceMap {
            text,
            line_starts,
            sections: Vec::new(),
            files: Vec::new(),
            offsets,
            user_start,
            origin,
        };
        let mut ids = FxHashMap::default();
        map.start_section(0, "<unknown>", 1, true, &mut ids);
        for directive in directives {
            map.enter(directive.clone(), &mut ids);
        }
        map
    }

    fn enter(&mut self, directive: Range<usize>, ids: &mut FxHashMap<String, FileId>) {
        let Some(marker) = marker::parse(&self.text[directive.clone()]) else { return };
        let name = match (marker.file, self.sections.last()) {
            (Some(name), _) => name,
            (None, Some(section)) => self.files[section.file.index()].name.clone(),
            (None, None) => return,
        };
        let end = self.text[directive.end..].find('\n').map_or(self.text.len(), |i| directive.end + i + 1);
        let verbatim = directive.start < self.user_start;
        self.start_section(end, &name, marker.line, marker.system, ids);
        if let Some(section) = self.sections.last_mut() {
            section.verbatim = verbatim;
        }
    }

    /// Whether a file belongs to the system is said by the first marker that names it: a macro of a system header
    /// marks pieces of the user's lines, too.
    fn start_section(
        &mut self,
        start: usize,
        name: &str,
        line: u32,
        system: bool,
        ids: &mut FxHashMap<String, FileId>,
    ) {
        let file = *ids.entry(name.to_owned()).or_insert_with(|| {
            self.files.push(SourceFile::new(name, system));
            FileId(self.files.len() as u32 - 1)
        });
        let first = self.line_index(start) as u32;
        self.sections.push(Section { start: start as u32, first, file, line, verbatim: true });
    }

    /// From now on offsets are those of the text that `offsets` leads from.
    pub(crate) fn set_offsets(&mut self, offsets: OffsetMap) {
        self.offsets = offsets;
    }

    /// Where the user's text begins, before the token pass.
    pub(crate) fn user_start(&self) -> usize {
        self.user_start
    }

    /// The way from the parsed text to that before the token pass.
    pub(crate) fn offsets(&self) -> &OffsetMap {
        &self.offsets
    }

    /// How far the files that line markers name can be believed.
    pub(crate) fn origin(&self) -> Origin {
        self.origin
    }

    /// The text before the token pass.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Where the text at an offset of the parsed text was before the token pass.
    pub(crate) fn before_pass(&self, offset: usize) -> usize {
        self.offsets.to_original(offset)
    }

    fn line_index(&self, original: usize) -> usize {
        self.line_starts.partition_point(|&start| start as usize <= original) - 1
    }

    /// The section of an offset; the first one starts at 0.
    fn section(&self, original: usize) -> Section {
        let after = self.sections.partition_point(|section| section.start as usize <= original);
        self.sections[after.saturating_sub(1)]
    }

    fn line_at(&self, index: usize) -> &str {
        let start = self.line_starts[index] as usize;
        let end = self.line_starts.get(index + 1).map_or(self.text.len(), |&next| next as usize);
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }

    /// The place of an offset of the text before the token pass.
    fn locate(&self, original: usize) -> Located<'_> {
        let original = self.text.floor_char_boundary(original.min(self.text.len()));
        let section = self.section(original);
        let index = self.line_index(original);
        let line_number = section.line.saturating_add((index as u32).saturating_sub(section.first));
        let mut line = self.line_at(index);
        let mut at = (original - self.line_starts[index] as usize).min(line.len());
        if !section.verbatim
            && let Some(written) = self.files[section.file.index()].line(line_number)
            && let Some(aligned) = align(line, at, written, self.origin == Origin::Fresh)
        {
            (line, at) = (written, aligned);
        }
        let column = line[..at].chars().count() as u32 + 1;
        Located { position: Position { file: section.file, line: line_number, column }, line }
    }

    /// The place of an offset into the parsed text.
    pub fn position(&self, offset: usize) -> Position {
        self.locate(self.before_pass(offset)).position
    }

    /// The name of a file, as line markers give it. Files of ours have names in angle brackets.
    pub fn file_name(&self, file: FileId) -> &str {
        self.files.get(file.index()).map_or("<unknown>", |file| &file.name)
    }

    /// All files, in the order of their numbers.
    pub fn file_names(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|file| file.name.as_str())
    }

    /// Whether an offset into the parsed text is in a header of the system.
    pub fn is_system(&self, offset: usize) -> bool {
        let section = self.section(self.before_pass(offset));
        self.files[section.file.index()].system
    }

    /// Whether an offset into the parsed text is in text of ours, before the user's.
    pub fn is_prelude(&self, offset: usize) -> bool {
        self.before_pass(offset) < self.user_start
    }

    /// What a piece of the parsed text was before the token pass. Macros are expanded in it.
    pub fn written(&self, span: Span) -> &str {
        let range = self.offsets.to_original_range(span.start, span.end);
        self.text.get(range).unwrap_or("")
    }

    /// The text of a line of the user's, as far as it is known.
    pub fn line_text(&self, position: Position) -> &str {
        let Some(file) = self.files.get(position.file.index()) else { return "" };
        if !position.is_some() {
            return "";
        }
        let part = self.sections.iter().enumerate().find_map(|(i, section)| {
            let last = self.sections.get(i + 1).map_or(self.line_starts.len(), |next| next.first as usize);
            let index =
                (section.first as usize).checked_add(position.line.checked_sub(section.line)? as usize)?;
            (section.file == position.file && index < last).then_some((section.verbatim, index))
        });
        let Some((verbatim, index)) = part else {
            return file.line(position.line).unwrap_or("");
        };
        let line = self.line_at(index);
        let written = if verbatim { None } else { file.line(position.line) };
        let sure = self.origin == Origin::Fresh;
        written.filter(|written| align(line, 0, written, sure).is_some()).unwrap_or(line)
    }

    /// A message about an offset into the parsed text.
    pub fn diagnostic(&self, severity: Severity, offset: usize, message: impl Into<String>) -> Diagnostic {
        self.diagnostic_before_pass(severity, self.before_pass(offset), message)
    }

    /// A message about the place right behind a piece of the parsed text.
    pub(crate) fn diagnostic_behind(
        &self,
        severity: Severity,
        span: Span,
        message: impl Into<String>,
    ) -> Diagnostic {
        let original = self.offsets.to_original_range(span.start, span.end);
        self.diagnostic_before_pass(severity, original.end, message)
    }

    /// A message about an offset into the text before the token pass.
    pub(crate) fn diagnostic_before_pass(
        &self,
        severity: Severity,
        original: usize,
        message: impl Into<String>,
    ) -> Diagnostic {
        let located = self.locate(original);
        self.compose(severity, located.position, located.line, message)
    }

    /// A message about a place, for when no offset is known any more.
    pub fn diagnostic_at(
        &self,
        severity: Severity,
        position: Position,
        message: impl Into<String>,
    ) -> Diagnostic {
        self.compose(severity, position, self.line_text(position), message)
    }

    fn compose(
        &self,
        severity: Severity,
        position: Position,
        line: &str,
        message: impl Into<String>,
    ) -> Diagnostic {
        let file = self.file_name(position.file).to_owned();
        Diagnostic {
            severity,
            position: Place { file, line: position.line, column: position.column },
            message: message.into(),
            hint: None,
            source_line: line.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests;
