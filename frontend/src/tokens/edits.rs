//! Changes to a text, and the way back from the changed text to the original one.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::ops::Range;

/// A piece of the text and what it becomes. An empty piece is an insertion.
#[derive(Clone, Debug)]
struct Edit {
    start: u32,
    end: u32,
    text: Cow<'static, str>,
}

/// Changes, in any order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Edits {
    list: Vec<Edit>,
}

impl Edits {
    /// Puts `text` in place of a piece.
    pub(crate) fn replace(&mut self, start: u32, end: u32, text: impl Into<Cow<'static, str>>) {
        self.list.push(Edit { start, end, text: text.into() });
    }

    /// Puts `text` before what stands at an offset. What is inserted first at an offset comes first.
    pub(crate) fn insert(&mut self, at: u32, text: impl Into<Cow<'static, str>>) {
        self.replace(at, at, text);
    }

    /// Takes a piece away; what stands beside it does not grow together.
    pub(crate) fn blank(&mut self, start: u32, end: u32) {
        self.replace(start, end, " ");
    }

    /// The changed text, and the way back. Changes inside of larger ones do not count, and of changes to the same
    /// piece the first one does.
    pub(crate) fn apply(mut self, text: &str) -> (String, OffsetMap) {
        self.list.sort_by_key(|edit| (edit.start, edit.start != edit.end, Reverse(edit.end)));
        let mut changed = String::with_capacity(text.len() + text.len() / 8);
        let mut pieces = vec![Piece { start: 0, original: 0, copied: true }];
        let mut done = 0;
        for edit in &self.list {
            let (start, end) = (edit.start as usize, edit.end as usize);
            if start < done || end > text.len() {
                continue;
            }
            changed.push_str(&text[done..start]);
            pieces.push(Piece { start: changed.len() as u32, original: edit.start, copied: false });
            changed.push_str(&edit.text);
            pieces.push(Piece { start: changed.len() as u32, original: edit.end, copied: true });
            done = end;
        }
        changed.push_str(&text[done..]);
        (changed, OffsetMap { pieces })
    }
}

/// A piece of the changed text; it ends where the next one starts.
#[derive(Clone, Copy, Debug)]
struct Piece {
    start: u32,
    original: u32,
    /// Whether it is a copy of the original text, or stands in place of it.
    copied: bool,
}

/// The way from offsets in a changed text to offsets in the original one.
#[derive(Clone, Debug)]
pub(crate) struct OffsetMap {
    pieces: Vec<Piece>,
}

impl OffsetMap {
    /// Nothing has changed.
    pub(crate) fn identity() -> OffsetMap {
        OffsetMap { pieces: vec![Piece { start: 0, original: 0, copied: true }] }
    }

    /// Text that is put in at an offset, from here on, for a place in the original.
    pub(crate) fn insert(&mut self, offset: usize, original: usize) {
        self.pieces.push(Piece { start: offset as u32, original: original as u32, copied: false });
    }

    /// Appends, from `offset` on, a piece of a text that was changed twice: `later` leads from it to the text between, `earlier` from
    /// there to the original, and `place` says where the original stands now.
    pub(crate) fn append(
        &mut self,
        offset: usize,
        (later, range): (&OffsetMap, Range<usize>),
        earlier: &OffsetMap,
        place: impl Fn(usize) -> usize,
    ) {
        let mut at = range.start;
        while at < range.end {
            let (outer, next) = later.piece(at);
            let outer_end =
                later.pieces.get(next).map_or(range.end, |piece| (piece.start as usize).min(range.end));
            let between = later.to_original(at);
            let (inner, next) = earlier.piece(between);
            let inner_end = earlier.pieces.get(next).map(|piece| piece.start as usize - between);
            let original = place(earlier.to_original(between)) as u32;
            let copied = outer.copied && inner.copied;
            self.pieces.push(Piece { start: (offset + at - range.start) as u32, original, copied });
            at = match inner_end {
                Some(length) if outer.copied => outer_end.min(at + length),
                _ => outer_end,
            };
        }
    }

    /// The first offset whose text comes from a place of the original, or from behind it.
    pub(crate) fn first_at(&self, original: usize) -> usize {
        let after = self.pieces.partition_point(|piece| (piece.original as usize) <= original);
        let piece = self.pieces[after.saturating_sub(1)];
        piece.start as usize + if piece.copied { original - piece.original as usize } else { 0 }
    }

    fn piece(&self, offset: usize) -> (Piece, usize) {
        let after = self.pieces.partition_point(|piece| piece.start as usize <= offset);
        (self.pieces[after.saturating_sub(1)], after)
    }

    /// Where the character at an offset comes from; for text that was put in, the place of the change.
    pub(crate) fn to_original(&self, offset: usize) -> usize {
        let (piece, _) = self.piece(offset);
        if piece.copied {
            piece.original as usize + (offset - piece.start as usize)
        } else {
            piece.original as usize
        }
    }

    /// What a piece of the changed text was in the original one.
    pub(crate) fn to_original_range(&self, start: usize, end: usize) -> Range<usize> {
        let begin = self.to_original(start);
        let Some(last) = end.checked_sub(1) else { return begin..begin };
        let (piece, next) = self.piece(last);
        let end = match self.pieces.get(next) {
            Some(next) if !piece.copied => next.original as usize,
            _ => self.to_original(last) + usize::from(piece.copied),
        };
        begin..end.max(begin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_lead_back() {
        let text = "static __thread x; l: }";
        let mut edits = Edits::default();
        edits.insert(21, ";");
        edits.replace(7, 15, "_Thread_local");
        edits.insert(16, "int ");
        let (changed, map) = edits.apply(text);
        assert_eq!(changed, "static _Thread_local int x; l:; }");
        let back = |needle: &str| map.to_original(changed.find(needle).unwrap());
        assert_eq!((back("static"), back("_Thread"), back("local")), (0, 7, 7));
        assert_eq!((back("int"), back("x;"), back("}")), (16, 16, text.len() - 1));
        assert_eq!(&text[map.to_original_range(0, 26)], "static __thread x");
        assert_eq!(&text[map.to_original_range(7, 20)], "__thread");
        assert_eq!(&text[map.to_original_range(28, 31)], "l:");
        assert_eq!(map.to_original_range(0, 0), 0..0);
    }

    #[test]
    fn insertions_keep_their_order_and_overlaps_are_dropped() {
        let mut edits = Edits::default();
        edits.insert(1, "x");
        edits.insert(1, "y");
        edits.replace(1, 2, "inside");
        edits.replace(1, 3, "z");
        edits.replace(1, 3, "again");
        edits.replace(2, 3, "overlap");
        edits.replace(3, 99, "outside");
        assert_eq!(edits.apply("abcd").0, "axyzd");
        assert_eq!(Edits::default().apply("abcd").0, "abcd");
    }

    #[test]
    fn nothing_changed() {
        let map = OffsetMap::identity();
        assert_eq!((map.to_original(0), map.to_original(7)), (0, 7));
        assert_eq!(map.to_original_range(2, 5), 2..5);
    }
}
