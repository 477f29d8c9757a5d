//! The text of a source file as far as brackets and beginnings of statements tell.

/// A text without comments, literals and directives: blanks stand for them, so that places stay what they are.
pub(super) struct Source {
    lines: Vec<Vec<char>>,
}

/// Words that plain types of integers are made of.
const WORDS: [&str; 11] =
    ["static", "volatile", "const", "unsigned", "signed", "int", "long", "short", "char", "_Bool", "extern"];

impl Source {
    pub(super) fn new(text: &str) -> Source {
        let mut blank: Vec<char> = text.chars().collect();
        let mut place = 0;
        while place < blank.len() {
            let next = blank.get(place + 1).copied();
            let end = match (blank[place], next) {
                ('/', Some('/')) => line_end(&blank, place),
                ('/', Some('*')) => comment_end(&blank, place),
                ('#', _) if begins_line(&blank, place) => line_end(&blank, place),
                (quote @ ('"' | '\''), _) => literal_end(&blank, place, quote),
                _ => {
                    place += 1;
                    continue;
                }
            };
            let is_literal = matches!(blank[place], '"' | '\'');
            for c in &mut blank[place..end] {
                if *c != '\n' {
                    // A literal is something, so that `;` is not what stands before it.
                    *c = if is_literal { '0' } else { ' ' };
                }
            }
            place = end.max(place + 1);
        }
        let text: String = blank.into_iter().collect();
        Source { lines: text.split('\n').map(|line| line.chars().collect()).collect() }
    }

    fn line(&self, line: u32) -> &[char] {
        self.lines.get((line as usize).wrapping_sub(1)).map_or(&[], Vec::as_slice)
    }

    /// All characters before a place.
    fn before(&self, (line, column): (u32, u32)) -> impl DoubleEndedIterator<Item = char> {
        let above =
            self.lines.iter().take((line as usize).saturating_sub(1)).flat_map(|line| line.iter().copied());
        let here = self.line(line);
        above.chain(here[..(column as usize).saturating_sub(1).min(here.len())].iter().copied())
    }

    /// The word at a place.
    fn word(&self, (line, column): (u32, u32)) -> String {
        let here = self.line(line).iter().skip((column as usize).saturating_sub(1));
        here.take_while(|c| c.is_alphanumeric() || **c == '_').collect()
    }

    /// Whether another statement could be put here.
    pub(super) fn begins_statement(&self, place: (u32, u32)) -> bool {
        let last = self.before(place).rev().find(|c| !c.is_whitespace());
        let (mut parentheses, mut braces) = (0_i64, 0_i64);
        for c in self.before(place) {
            match c {
                '(' => parentheses += 1,
                ')' => parentheses -= 1,
                '{' => braces += 1,
                '}' => braces -= 1,
                _ => {}
            }
        }
        let word = self.word(place);
        // `} while (...)` may belong to `do`.
        let is_middle = matches!(word.as_str(), "else" | "case" | "default" | "while") && last == Some('}');
        matches!(last, Some(';' | '{' | '}'))
            && parentheses == 0
            && braces > 0
            && !is_middle
            && !matches!(word.as_str(), "else" | "case" | "default" | "")
    }

    /// Whether a variable is declared in a line, with a plain type of integers: the column of its name.
    pub(super) fn declares(&self, line: u32, name: &str) -> Option<u32> {
        let here: String = self.line(line).iter().collect();
        let first = here.trim_start();
        let first = first.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or("");
        let mut found = None;
        for (place, _) in here.match_indices(name) {
            let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
            let (before, after) = (&here[..place], &here[place + name.len()..]);
            if !is_part(before.chars().next_back()) && !is_part(after.chars().next()) {
                let is_plain = !before.contains(['*', '(', '=', '.', '{', '}'])
                    && !matches!(after.trim_start().chars().next(), Some('[' | '(' | ':'));
                // A name that occurs twice in its line is not looked at further.
                if !is_plain || found.is_some() {
                    return None;
                }
                found = Some(before.chars().count() as u32 + 1);
            }
        }
        found.filter(|_| WORDS.contains(&first))
    }

    /// Whether a block that is open at one place is still open at a later one.
    pub(super) fn is_open(&self, from: (u32, u32), to: (u32, u32)) -> bool {
        let (start, end) = (self.before(from).count(), self.before(to).count());
        let mut depth = 0_i64;
        for c in self.before(to).skip(start) {
            match c {
                '(' | '{' => depth += 1,
                ')' | '}' => depth -= 1,
                _ => {}
            }
            if depth < 0 {
                return false;
            }
        }
        start < end
    }
}

fn begins_line(text: &[char], place: usize) -> bool {
    text[..place].iter().rev().take_while(|c| **c != '\n').all(|c| c.is_whitespace())
}

/// The end of a line, which a backslash prolongs.
fn line_end(text: &[char], place: usize) -> usize {
    let mut end = place;
    while end < text.len() && (text[end] != '\n' || text[end - 1] == '\\') {
        end += 1;
    }
    end
}

fn comment_end(text: &[char], place: usize) -> usize {
    let mut end = place + 2;
    while end + 1 < text.len() && (text[end], text[end + 1]) != ('*', '/') {
        end += 1;
    }
    (end + 2).min(text.len())
}

fn literal_end(text: &[char], place: usize, quote: char) -> usize {
    let mut end = place + 1;
    while end < text.len() && text[end] != quote && text[end] != '\n' {
        end += if text[end] == '\\' { 2 } else { 1 };
    }
    (end + 1).min(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "#define A ;\nint x, y = 3; // int z;\nint *p, q;\nvoid f(int n) {\n  int i;\n  for (i = 0; i < n; i++) {\n    x = ';';\n    \
                        y = x;\n  }\n  do {\n    x++;\n  } while (x);\n  y = 1;\n}\n";

    #[test]
    fn statements_begin_after_others() {
        let source = Source::new(TEXT);
        for place in [(7, 5), (8, 5), (6, 3), (10, 3), (11, 5), (13, 3)] {
            assert!(source.begins_statement(place), "{place:?}");
        }
        for place in [(2, 1), (6, 15), (12, 5), (7, 9), (4, 1), (1, 3)] {
            assert!(!source.begins_statement(place), "{place:?}");
        }
    }

    #[test]
    fn declarations() {
        let source = Source::new(TEXT);
        assert_eq!((source.declares(2, "x"), source.declares(2, "y")), (Some(5), Some(8)));
        assert_eq!((source.declares(2, "z"), source.declares(3, "p")), (None, None));
        // What a star belongs to is not looked at.
        assert_eq!((source.declares(3, "q"), source.declares(4, "n")), (None, None));
        assert_eq!(source.declares(5, "i"), Some(7));
        assert!(source.is_open((5, 7), (7, 5)) && source.is_open((5, 7), (13, 3)));
        assert!(!source.is_open((7, 5), (13, 3)));
    }
}
