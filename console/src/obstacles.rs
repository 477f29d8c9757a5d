//! What is not modelled, by kind: the first obstacle of a large program is seldom the only one.

use frontend::diagnostics::Diagnostic;
use frontend::program::{Program, PropertyKind};
use std::collections::BTreeMap;

/// More kinds than this are not listed in one line.
const LISTED: usize = 4;

/// A message in which what stands between quotes, and numbers, are left out, so that equal kinds of messages are equal.
pub fn kind(message: &str) -> String {
    let parts: Vec<&str> = message.split('\'').collect();
    // An apostrophe is no quote.
    let is_quoted = parts.len() % 2 == 1;
    let plain =
        parts.iter().enumerate().map(|(index, part)| if is_quoted && index % 2 == 1 { ".." } else { *part });
    let text = plain.collect::<Vec<_>>().join("'");
    let mut kind = String::new();
    for letter in text.chars() {
        match letter {
            '0'..='9' if kind.ends_with('N') => {}
            '0'..='9' => kind.push('N'),
            other => kind.push(other),
        }
    }
    kind
}

/// How many messages there are of each kind, the most frequent first.
pub fn kinds<'m>(messages: impl Iterator<Item = &'m str>) -> Vec<(String, usize)> {
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    messages.for_each(|message| *numbers.entry(kind(message)).or_default() += 1);
    let mut kinds: Vec<(String, usize)> = numbers.into_iter().collect();
    kinds.sort_by(|one, two| two.1.cmp(&one.1).then_with(|| one.0.cmp(&two.0)));
    kinds
}

/// Places where the model ends, by kind.
pub fn limits(program: &Program) -> Vec<(String, usize)> {
    let limits = program.properties.iter().filter(|property| property.kind == PropertyKind::Limit);
    kinds(limits.map(|property| property.description.as_str()))
}

/// That the model ends in several places, in one line; none if there is only one.
pub fn all_limits(program: &Program) -> Option<String> {
    let kinds = limits(program);
    let count: usize = kinds.iter().map(|(_, number)| number).sum();
    (count > 1).then(|| format!("the model ends in {count} places: {}", listed(&kinds)))
}

/// Errors that are not shown one by one, in one line.
pub fn more_errors(errors: &[&Diagnostic]) -> String {
    let kinds = kinds(errors.iter().map(|error| error.message.as_str()));
    format!("{} more: {}", errors.len(), listed(&kinds))
}

fn listed(kinds: &[(String, usize)]) -> String {
    let mut parts: Vec<String> =
        kinds.iter().take(LISTED).map(|(kind, number)| format!("{number} times \"{kind}\"")).collect();
    if kinds.len() > LISTED {
        let rest: usize = kinds[LISTED..].iter().map(|(_, number)| number).sum();
        parts.push(format!("{rest} of {} other kinds", kinds.len() - LISTED));
    }
    parts.join(", ")
}

/// The options that a message names: those that can help.
pub fn options(message: &str) -> Vec<&str> {
    let words = message.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '-'));
    words.filter(|word| word.starts_with("--") && word.len() > 2).collect()
}

/// Options whose numbers say how far the model goes.
const NUMBERS: [&str; 4] =
    ["--unwind-recursion", "--objects-per-site", "--thread-identities", "--max-operations"];

/// What to do about an option that a message names.
pub fn advice(option: &str) -> String {
    if NUMBERS.contains(&option) { format!("a larger {option}") } else { option.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_are_larger() {
        assert_eq!(advice("--unwind-recursion"), "a larger --unwind-recursion");
        assert_eq!(advice("--memory-safety-check"), "--memory-safety-check");
    }

    #[test]
    fn names_and_numbers_make_no_new_kind() {
        assert_eq!(kind("'f' calls itself more than 12 times"), "'..' calls itself more than N times");
        assert_eq!(kind("the program's 3 ends"), "the program's N ends");
        let found = kinds(["'f' 1", "no", "'g' 22"].into_iter());
        assert_eq!(found, [("'..' N".to_owned(), 2), ("no".to_owned(), 1)]);
    }

    #[test]
    fn options_that_can_help_are_named() {
        assert_eq!(options("'f' calls itself; raise --unwind-recursion, or not"), ["--unwind-recursion"]);
        assert!(options("inline assembly -- is not known").is_empty());
    }

    #[test]
    fn many_kinds_are_counted() {
        let kinds: Vec<(String, usize)> = ["a", "b", "c", "d", "e", "f"].map(|k| (k.to_owned(), 2)).to_vec();
        let text = listed(&kinds);
        assert!(text.starts_with("2 times \"a\"") && text.ends_with("4 of 2 other kinds"), "{text}");
    }

    #[test]
    fn one_limit_is_said_already() {
        let text = |limits: &str| format!("program 1\nlocation 0\nmain 0\n{limits}");
        let read = |limits: &str| frontend::program::text::read(&text(limits)).unwrap();
        let one = "property l limit \"'f' 1\" at 0\n";
        assert_eq!(all_limits(&read(one)), None);
        let two = format!("{one}property m limit \"'g' 2\" at 0\nproperty a assertion \"a\" at 0\n");
        assert_eq!(all_limits(&read(&two)).unwrap(), "the model ends in 2 places: 2 times \"'..' N\"");
    }
}
