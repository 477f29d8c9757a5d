//! Constraints of operands (GCC manual, constraints for asm operands): where the compiler may put an operand.

use super::operand::Syntax;

/// Where an operand is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// Any register.
    Register,
    /// This one, by the name that [`super::register`] gives it.
    Fixed(&'static str),
    /// Two registers, the lower half first.
    Pair(&'static str, &'static str),
    Memory,
    /// A number that is known to the compiler.
    Immediate,
    /// Where the output of this number is.
    Same(usize),
    /// The condition of the flags behind the template.
    Flag(String),
}

/// What stands in the string of an operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Constraint {
    pub class: Class,
    /// `+`: read before it is written.
    pub both: bool,
    /// `&`: written before all inputs are read.
    pub early: bool,
}

impl Constraint {
    /// Reads a constraint; none if it says something that is not known. Where the compiler has a choice, a register is taken: the value is the same.
    pub(crate) fn parse(text: &str, syntax: Syntax) -> Option<Constraint> {
        let first = text.split(',').next().unwrap_or("");
        let mut constraint = Constraint { class: Class::Memory, both: false, early: false };
        let mut rest = first.trim_start_matches(['=', '%', ' ']);
        if let Some(condition) = rest.strip_prefix("@cc") {
            constraint.class = Class::Flag(condition.to_owned());
            return Some(constraint);
        }
        let mut classes = Vec::new();
        while let Some(letter) = rest.chars().next() {
            rest = &rest[letter.len_utf8()..];
            match letter {
                '+' => constraint.both = true,
                '&' => constraint.early = true,
                '=' | '%' | ' ' | '?' | '!' | '*' => {}
                '0'..='9' => {
                    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                    let number = format!("{letter}{}", &rest[..end]);
                    rest = &rest[end..];
                    classes.push(Class::Same(number.parse().ok()?));
                }
                // Letters of two characters that are immediate operands of AArch64.
                'U' if syntax == Syntax::Aarch64 && rest.starts_with('s') => rest = &rest[1..],
                _ => classes.push(class(letter, syntax)?),
            }
        }
        let rank = |class: &Class| match class {
            Class::Same(_) => 0,
            Class::Fixed(_) | Class::Pair(..) => 1,
            Class::Register => 2,
            Class::Memory => 3,
            Class::Immediate | Class::Flag(_) => 4,
        };
        constraint.class = classes.into_iter().min_by_key(rank)?;
        Some(constraint)
    }
}

fn class(letter: char, syntax: Syntax) -> Option<Class> {
    Some(match (letter, syntax) {
        ('r' | 'g' | 'X', _) => Class::Register,
        ('m' | 'o' | 'V', _) => Class::Memory,
        ('i' | 'n' | 's' | 'E' | 'F' | 'I'..='P', _) => Class::Immediate,
        ('a', Syntax::X86) => Class::Fixed("a"),
        ('b', Syntax::X86) => Class::Fixed("b"),
        ('c', Syntax::X86) => Class::Fixed("c"),
        ('d', Syntax::X86) => Class::Fixed("d"),
        ('S', Syntax::X86) => Class::Fixed("si"),
        ('D', Syntax::X86) => Class::Fixed("di"),
        ('A', Syntax::X86) => Class::Pair("a", "d"),
        ('q' | 'Q' | 'R' | 'l' | 'U', Syntax::X86) => Class::Register,
        ('e' | 'Z' | 'G' | 'C', Syntax::X86) => Class::Immediate,
        ('Q', Syntax::Aarch64) => Class::Memory,
        ('Z', Syntax::Aarch64) => Class::Immediate,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_before_memory_before_numbers() {
        let class = |text, syntax| Constraint::parse(text, syntax).map(|c| c.class);
        assert_eq!(class("=rm", Syntax::X86), Some(Class::Register));
        assert_eq!(class("iq", Syntax::X86), Some(Class::Register));
        assert_eq!(class("im", Syntax::X86), Some(Class::Memory));
        assert_eq!(class("+Q", Syntax::Aarch64), Some(Class::Memory));
        assert_eq!(class("Q", Syntax::X86), Some(Class::Register));
        assert_eq!(class("0", Syntax::X86), Some(Class::Same(0)));
        assert_eq!(class("=@ccz", Syntax::X86), Some(Class::Flag("z".to_owned())));
        assert_eq!(class("=x", Syntax::X86), None);
        assert_eq!(class("r,m", Syntax::X86), Some(Class::Register));
    }

    #[test]
    fn marks() {
        let parsed = Constraint::parse("+&a", Syntax::X86).unwrap();
        assert_eq!(parsed, Constraint { class: Class::Fixed("a"), both: true, early: true });
    }
}
