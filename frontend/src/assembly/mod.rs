//! Inline assembly as text: a template of GNU C becomes labels and instructions with operands; constraints become what they allow.
//!
//! Nothing here knows what an instruction does. `lower::assembly` gives instructions a meaning, operand by operand, and decides by
//! that which processor is meant: the instructions of x86 and AArch64 have different names. What cannot be read is an error with a
//! reason, never skipped; only directives that make no code in the place where they stand are left out (`text`).

mod constraint;
mod operand;
mod text;

pub(crate) use constraint::{Class, Constraint};
pub(crate) use operand::{Memory, Operand, Syntax, register};
pub(crate) use text::{Statement, statements};

/// An instruction of a template, or nothing but labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Instruction {
    /// Labels that stand in front of it.
    pub labels: Vec<String>,
    /// Its name in small letters; empty where only labels stand.
    pub name: String,
    /// What it works on, in the order of the text.
    pub operands: Vec<Operand>,
    /// Whether x86's `lock` stands in front of it.
    pub locked: bool,
    /// As it was written, for messages.
    pub text: String,
}

/// Reads the statements of a template as instructions of one processor.
pub(crate) fn instructions(statements: &[Statement], syntax: Syntax) -> Result<Vec<Instruction>, String> {
    let mut found = Vec::new();
    let mut waiting = Prefixes::default();
    for statement in statements {
        waiting.labels.extend(statement.labels.iter().cloned());
        let mut text = statement.text.as_str();
        let (name, rest) = loop {
            let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
            let word = word.to_ascii_lowercase();
            match (syntax, word.as_str()) {
                (Syntax::X86, "lock") => waiting.locked = true,
                (Syntax::X86, "rep" | "repz" | "repe") => waiting.repeated = true,
                _ => break (word, rest.trim()),
            }
            text = rest.trim_start();
        };
        if name.is_empty() {
            continue;
        }
        let is_pause = waiting.repeated && name == "nop";
        if waiting.repeated && !is_pause {
            return Err(format!("'rep' in front of '{}'", statement.text));
        }
        let operands = operand::operands(rest, syntax)?;
        let Prefixes { labels, locked, .. } = std::mem::take(&mut waiting);
        let text = statement.text.replace(text::OPEN, "%").replace(text::CLOSE, "").replace("%-", "%");
        found.push(Instruction { labels, name, operands, locked, text });
    }
    if waiting.locked || waiting.repeated {
        return Err("a prefix without an instruction".to_owned());
    }
    if !waiting.labels.is_empty() {
        let empty = Instruction {
            labels: waiting.labels,
            name: String::new(),
            operands: Vec::new(),
            locked: false,
            text: String::new(),
        };
        found.push(empty);
    }
    Ok(found)
}

/// What belongs to the next instruction.
#[derive(Default)]
struct Prefixes {
    labels: Vec<String>,
    locked: bool,
    repeated: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(template: &str, syntax: Syntax) -> Result<Vec<Instruction>, String> {
        instructions(&statements(template, Some(&[None, None, None]))?, syntax)
    }

    #[test]
    fn prefixes_and_labels_belong_to_what_follows() {
        let found = read("1: lock; 2: incl %0\n\tjne 1b; rep; nop; 3:", Syntax::X86).unwrap();
        assert_eq!(found.len(), 4);
        assert_eq!(
            (found[0].labels.as_slice(), found[0].locked),
            (["1".to_owned(), "2".to_owned()].as_slice(), true)
        );
        assert_eq!((found[1].name.as_str(), found[1].locked), ("jne", false));
        assert_eq!(found[2].name, "nop");
        assert_eq!(found[3].labels, ["3"]);
    }

    #[test]
    fn what_is_not_known_is_an_error() {
        for template in ["rep; stosb", "lock", "movl %9, %0", "mov %0, [", ".long 5", ".section x; nop"] {
            assert!(read(template, Syntax::X86).is_err(), "{template}");
        }
    }

    #[test]
    fn sections_elsewhere_are_left_out() {
        let found = read(
            ".pushsection .smp_locks,\"a\"\n.balign 4\n.long 671f - .\n.popsection\n671:\n\tlock; decl %0",
            Syntax::X86,
        )
        .unwrap();
        assert_eq!((found.len(), found[0].name.as_str(), found[0].locked), (1, "decl", true));
    }
}
