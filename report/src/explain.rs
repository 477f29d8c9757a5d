//! `--explain`: a paragraph on why the verdict holds.
//!
//! A run explains itself ([`Trace::why`](frontend::program::trace::Trace::why)); why a program is safe, or what was tried in vain, is said by the
//! engine. What the answer assumes and that it was checked is the same for all.

use console::plural;
use console::verdict::Verdict;
use frontend::program::{Note, Property};

/// The paragraph, from the parts that there are.
pub(crate) fn paragraph(
    verdict: &Verdict,
    run: Option<String>,
    property: Option<&Property>,
    engine: &str,
    assumed: &[Note],
) -> String {
    let mut sentences: Vec<String> = Vec::new();
    match verdict {
        Verdict::Failed => {
            let name = property.map_or("a property", |property| property.name.as_str());
            sentences.push(format!("The program violates {name}."));
            sentences.extend(run);
            sentences.push("Every step was made again on the program before the run was shown.".to_owned());
        }
        Verdict::Successful => {
            sentences.push("No run of the program violates a property.".to_owned());
            sentences.push(engine.to_owned());
        }
        Verdict::Unknown(reason) => {
            sentences.push(format!("It is not known whether the program is safe: {reason}."));
            sentences.push(engine.to_owned());
        }
        Verdict::Rejected(reason) => sentences.push(format!("The trace is no run of the program: {reason}.")),
    }
    sentences.push(match assumed.len() {
        0 => "Nothing is assumed beyond what the options say.".to_owned(),
        more => format!("This rests on {}, listed below.", plural(more, "assumption")),
    });
    sentences.retain(|sentence| !sentence.is_empty());
    sentences.join(" ")
}

/// The paragraph in lines of so many characters.
pub(crate) fn wrapped(text: &str, width: usize) -> String {
    let mut lines = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        let size = word.chars().count();
        if length > 0 && length + 1 + size > width {
            lines.push('\n');
            length = 0;
        } else if length > 0 {
            lines.push(' ');
            length += 1;
        }
        lines.push_str(word);
        length += size;
    }
    lines.push('\n');
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_as_long_as_they_may_be() {
        assert_eq!(wrapped("one two  three four", 9), "one two\nthree\nfour\n");
    }

    #[test]
    fn each_verdict_has_its_words() {
        let text = |verdict| paragraph(&verdict, None, None, "All was seen.", &[]);
        assert_eq!(
            text(Verdict::Successful),
            "No run of the program violates a property. All was seen. Nothing is assumed beyond what the options say."
        );
        assert!(
            text(Verdict::Unknown("too late".to_owned()))
                .contains("not known whether the program is safe: too late. All")
        );
        assert!(text(Verdict::Failed).starts_with("The program violates a property. Every step"));
    }
}
