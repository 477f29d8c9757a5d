//! Places in the user's source, as they are kept on every edge of a program.
//!
//! A position is three numbers and no text, so that it can be copied freely. Whoever made the program knows which name a file
//! number stands for.

/// The number of a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

impl FileId {
    /// As an index into a table of file names.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A place in a source file.
///
/// Positions are ordered by file, line and column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The file.
    pub file: FileId,
    /// The line, from 1; 0 stands for a place that no line of the source corresponds to.
    pub line: u32,
    /// The column in characters, from 1; 0 if only the line is known.
    pub column: u32,
}

impl Position {
    /// No place at all: for what the translation made up.
    pub const NONE: Position = Position { file: FileId(0), line: 0, column: 0 };

    /// Whether this is a place in a file.
    pub fn is_some(self) -> bool {
        self.line != 0
    }
}

impl Default for Position {
    fn default() -> Position {
        Position::NONE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_small_and_ordered_by_place() {
        assert_eq!(size_of::<Position>(), 12);
        let at = |file, line, column| Position { file: FileId(file), line, column };
        let mut all = vec![at(1, 1, 1), at(0, 2, 1), at(0, 1, 9), Position::NONE];
        all.sort();
        assert_eq!(all, [Position::NONE, at(0, 1, 9), at(0, 2, 1), at(1, 1, 1)]);
    }

    #[test]
    fn no_position_has_no_line() {
        assert!(!Position::NONE.is_some());
        assert_eq!(Position::default(), Position::NONE);
        assert!(Position { file: FileId(0), line: 1, column: 0 }.is_some());
    }
}
