//! Columns of the user's line from columns of the line that the preprocessor made of it.
//!
//! Tabs, comments and macros move what follows them. Where the two lines differ, the same word is looked for in the user's
//! line; what a macro put there is shown at the macro.

/// The byte offset in `written`, the user's line, of what stands at byte offset `at` of `line`, the preprocessed one.
///
/// If `sure`, the one is known to come from the other; otherwise it has to be part of it, or the answer is `None`.
pub(super) fn align(line: &str, at: usize, written: &str, sure: bool) -> Option<usize> {
    let fragment = line.trim();
    let indentation = line.len() - line.trim_start().len();
    if !fragment.is_empty()
        && let Some(start) = written.find(fragment)
    {
        return Some(start + at.saturating_sub(indentation).min(fragment.len()));
    }
    if !sure {
        return None;
    }
    let found = same_word(line, at, written).or_else(|| same_sign(line, at, written));
    let found = found.or_else(|| macro_name(line, written));
    Some(found.unwrap_or(written.len() - written.trim_start().len()))
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_' || character == '$'
}

/// The words of a line with their offsets.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let start = rest + line[rest..].find(is_word)?;
        let length = line[start..].find(|c| !is_word(c)).unwrap_or(line.len() - start);
        rest = start + length;
        Some((start, &line[start..rest]))
    })
}

/// The word at an offset, at the same turn among equal words.
fn same_word(line: &str, at: usize, written: &str) -> Option<usize> {
    let (start, word) = words(line).find(|(start, word)| (*start..start + word.len()).contains(&at))?;
    let turn = words(&line[..start]).filter(|(_, other)| *other == word).count();
    let places: Vec<usize> =
        words(written).filter(|(_, other)| *other == word).map(|(start, _)| start).collect();
    let place = places.get(turn).or(places.last())?;
    Some(place + (at - start))
}

/// The operator at an offset: the first such character after the word before it.
fn same_sign(line: &str, at: usize, written: &str) -> Option<usize> {
    let sign = line.get(at..)?.chars().next().filter(|c| !is_word(*c) && !c.is_whitespace())?;
    let after = match words(&line[..at]).last() {
        Some((start, word)) => same_word(line, start, written)? + word.len(),
        None => 0,
    };
    Some(after + written[after..].find(sign)?)
}

/// The first word of the user's line that is not in the preprocessed one.
fn macro_name(line: &str, written: &str) -> Option<usize> {
    let kept: Vec<&str> = words(line).map(|(_, word)| word).collect();
    words(written).find(|(_, word)| !kept.contains(word)).map(|(start, _)| start)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `^` in the preprocessed line asks, the answer is put into the user's line.
    fn aligned(asked: &str, written: &str, sure: bool) -> Option<String> {
        let at = asked.find('^').unwrap();
        let line = asked.replacen('^', "", 1);
        let place = align(&line, at, written, sure)?;
        Some(format!("{}^{}", &written[..place], &written[place..]))
    }

    #[test]
    fn indentation_may_differ() {
        assert_eq!(aligned("  x = ^y;", "\tx = y;", false).as_deref(), Some("\tx = ^y;"));
        assert_eq!(aligned("  x = y;^", "\tx = y; // c", false).as_deref(), Some("\tx = y;^ // c"));
    }

    #[test]
    fn words_are_found_at_their_turn() {
        let written = "\tx = x /* x */ + x;";
        assert_eq!(aligned("x = ^x + x;", written, true).as_deref(), Some("\tx = ^x /* x */ + x;"));
        assert_eq!(aligned("x = x ^+ x;", written, true).as_deref(), Some("\tx = x /* x */ ^+ x;"));
        assert_eq!(aligned("ab = a^b+1;", "ab=  ab +1;", true).as_deref(), Some("ab=  a^b +1;"));
    }

    #[test]
    fn what_a_macro_made_is_at_the_macro() {
        assert_eq!(aligned("a; ^lock(&m);", "a; LOCK(m);", true).as_deref(), Some("a; ^LOCK(m);"));
        assert_eq!(aligned("^x++;", "  INC;", true).as_deref(), Some("  ^INC;"));
        assert_eq!(aligned("^", "  /* */", true).as_deref(), Some("  ^/* */"));
    }

    #[test]
    fn strange_lines_are_not_believed() {
        assert_eq!(aligned("^lock(&m);", "return 0;", false), None);
        assert_eq!(aligned("x = ^y;", "x  = y;", false), None);
        assert_eq!(aligned("é = ^ü;", "é  = ü;", true).as_deref(), Some("é  = ^ü;"));
    }
}
