//! The lines `//! word: ...` on top of a model file: when it is used, and how its types are initialised.
//!
//! All `//!` lines of a file are directives; an unknown word is an error, because a misspelt condition would be no condition.

use super::UserText;
use crate::types::DataModel;
use thiserror::Error;

/// What the directives of a model file say.
///
/// - `requires: a b c`: used only if the user's text mentions one of the identifiers. Several such lines must all hold.
/// - `uses: a b c`: used only if one of the identifiers stands inside of braces, in a function or in an initial value: a header's declaration is no use.
/// - `unless-uses: a b c`: not used if one of them stands there.
/// - `uses-again: a b c`: used only if they stand there more than once, taken together.
/// - `unless-uses-again: a b c`: not used if they do.
/// - `unless: a b c`: not used if the user's text mentions one of them.
/// - `unless-defined: f g`: not used if the user's text defines, with a body, one of the functions. A program that brings its own
///   locks also brings its own types for them.
/// - `accesses: user`: the functions work on memory that the user gives them, so that data races see their accesses, where the
///   function is called. Without it, a file is about synchronisation, whose insides are no business of the user.
/// - `initialiser: TYPE [lp64|ilp32] FIELD=NUMBER...`: see [`Initialiser`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Directives<'a> {
    /// One list per line; of each, one identifier must be mentioned.
    pub requires: Vec<Vec<&'a str>>,
    /// If there are any, one of these must be used.
    pub uses: Vec<&'a str>,
    /// None of these may be used.
    pub unless_uses: Vec<&'a str>,
    /// If there are any, these must be used more than once, taken together.
    pub uses_again: Vec<&'a str>,
    /// These must not.
    pub unless_uses_again: Vec<&'a str>,
    /// None of these may be mentioned.
    pub unless: Vec<&'a str>,
    /// None of these may be defined.
    pub unless_defined: Vec<&'a str>,
    /// The accesses of its functions are the user's.
    pub accesses_of_user: bool,
    /// How variables of the file's types are initialised.
    pub initialisers: Vec<Initialiser<'a>>,
}

/// How a static initialiser that was written for the system's type becomes one for the model's.
///
/// The initialiser's braces are flattened to a list of constant expressions, in the order of the text; an initialiser without braces
/// is a list of one. A field gets the element with its number, counted from 0, or zero if the list is shorter. Fields that are not
/// named get zero. An element that no field takes must be zero: otherwise it means something that the model does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Initialiser<'a> {
    /// The type that the model defines.
    pub type_name: &'a str,
    /// Where the numbers hold; everywhere if `None`.
    pub data_model: Option<DataModel>,
    /// Fields and the numbers of their elements.
    pub fields: Vec<(&'a str, usize)>,
}

/// A directive that cannot be understood.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("line {line}: {problem}")]
pub struct DirectiveError {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong.
    pub problem: String,
}

impl<'a> Directives<'a> {
    /// Whether the file is used for this program.
    pub fn select(&self, user: &UserText<'_>) -> bool {
        self.requires.iter().all(|names| names.iter().any(|name| user.mentions(name)))
            && (self.uses.is_empty() || self.uses.iter().any(|name| user.uses(name)))
            && !self.unless_uses.iter().any(|name| user.uses(name))
            && (self.uses_again.is_empty() || uses_again(user, &self.uses_again))
            && !uses_again(user, &self.unless_uses_again)
            && !self.unless.iter().any(|name| user.mentions(name))
            && !self.unless_defined.iter().any(|name| user.defines(name))
    }

    /// How variables of this type are initialised; `None` if no field takes an element.
    pub fn initialiser(&self, type_name: &str, data_model: DataModel) -> Option<&Initialiser<'a>> {
        self.initialisers.iter().find(|initialiser| {
            initialiser.type_name == type_name && initialiser.data_model.is_none_or(|only| only == data_model)
        })
    }
}

fn uses_again(user: &UserText<'_>, names: &[&str]) -> bool {
    names.iter().map(|name| user.number_of_uses(name)).sum::<usize>() > 1
}

/// The directives of a model file.
///
/// # Errors
/// A `//!` line is none of those that [`Directives`] describes.
pub fn parse_directives(text: &str) -> Result<Directives<'_>, DirectiveError> {
    let mut directives = Directives::default();
    for (index, line) in text.lines().enumerate() {
        if let Some(directive) = line.strip_prefix("//!") {
            add_directive(&mut directives, directive)
                .map_err(|problem| DirectiveError { line: index + 1, problem })?;
        }
    }
    Ok(directives)
}

fn add_directive<'a>(directives: &mut Directives<'a>, directive: &'a str) -> Result<(), String> {
    let (word, rest) = directive.split_once(':').ok_or("expected `//! word: names`")?;
    let names: Vec<&str> = rest.split_whitespace().collect();
    if names.is_empty() {
        return Err(format!("`{}` needs a name", word.trim()));
    }
    match word.trim() {
        "requires" => directives.requires.push(identifiers(names)?),
        "uses" => directives.uses.extend(identifiers(names)?),
        "uses-again" => directives.uses_again.extend(identifiers(names)?),
        "unless-uses-again" => directives.unless_uses_again.extend(identifiers(names)?),
        "unless-uses" => directives.unless_uses.extend(identifiers(names)?),
        "unless" => directives.unless.extend(identifiers(names)?),
        "unless-defined" => directives.unless_defined.extend(identifiers(names)?),
        "accesses" if names == ["user"] => directives.accesses_of_user = true,
        "initialiser" => directives.initialisers.push(parse_initialiser(&names)?),
        other => return Err(format!("unknown directive `{other}`")),
    }
    Ok(())
}

fn identifiers(names: Vec<&str>) -> Result<Vec<&str>, String> {
    match names.iter().find(|name| !is_identifier(name)) {
        Some(name) => Err(format!("`{name}` is not an identifier")),
        None => Ok(names),
    }
}

fn is_identifier(name: &str) -> bool {
    !name.starts_with(|first: char| first.is_ascii_digit())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

fn parse_initialiser<'a>(words: &[&'a str]) -> Result<Initialiser<'a>, String> {
    let (type_name, rest) = words.split_first().ok_or("expected a type")?;
    let (data_model, rest) = match rest.split_first() {
        Some((&"lp64", rest)) => (Some(DataModel::Lp64), rest),
        Some((&"ilp32", rest)) => (Some(DataModel::Ilp32), rest),
        _ => (None, rest),
    };
    let fields = rest.iter().map(|word| parse_field(word)).collect::<Result<Vec<_>, _>>()?;
    identifiers(vec![type_name])?;
    Ok(Initialiser { type_name, data_model, fields })
}

fn parse_field(word: &str) -> Result<(&str, usize), String> {
    let problem = || format!("expected FIELD=NUMBER, found `{word}`");
    let (field, number) = word.split_once('=').ok_or_else(problem)?;
    let number = number.parse().map_err(|_| problem())?;
    if field.is_empty() || !is_identifier(field) {
        return Err(problem());
    }
    Ok((field, number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accesses_are_those_of_the_user_or_nobodys() {
        assert!(parse_directives("//! accesses: user\nint x;\n").unwrap().accesses_of_user);
        assert!(!parse_directives("int x;\n").unwrap().accesses_of_user);
        assert!(parse_directives("//! accesses: mine\n").is_err());
    }

    #[test]
    fn lines_become_directives() {
        let text = "//! requires: a b\n//! requires: c\n//! unless: d\n//! unless-defined: e f\n\
                    //! initialiser: t ilp32 kind=3 depth=5\n// prose: not a directive\nint x;\n";
        let directives = parse_directives(text).unwrap();
        assert_eq!(directives.requires, [vec!["a", "b"], vec!["c"]]);
        assert_eq!(directives.unless, ["d"]);
        assert_eq!(directives.unless_defined, ["e", "f"]);
        let initialiser = directives.initialiser("t", DataModel::Ilp32).unwrap();
        assert_eq!(initialiser.fields, [("kind", 3), ("depth", 5)]);
        assert_eq!(directives.initialiser("t", DataModel::Lp64), None);
        assert_eq!(directives.initialiser("u", DataModel::Ilp32), None);
    }

    #[test]
    fn conditions_combine() {
        let text = "//! requires: a b\n//! requires: c\n//! unless: d\n//! unless-defined: f";
        let directives = parse_directives(text).unwrap();
        let select = |text| directives.select(&UserText::scan(text));
        assert!(select("a c"));
        assert!(select("b c f();"));
        assert!(!select("a b"));
        assert!(!select("a c d"));
        assert!(!select("a c; int f(void) { return 0; }"));
    }

    #[test]
    fn uses_are_counted_together() {
        let again = parse_directives("//! uses-again: f g").unwrap();
        let once = parse_directives("//! unless-uses-again: f g").unwrap();
        for (text, expected) in [
            ("int f(void); int g(void); int h(void) { f(); }", false),
            ("int h(void) { f(); g(); }", true),
            ("int h(void) { f(); } int k(void) { f(); }", true),
        ] {
            let user = UserText::scan(text);
            assert_eq!((again.select(&user), once.select(&user)), (expected, !expected), "{text}");
        }
    }

    #[test]
    fn mistakes_have_a_line() {
        for (text, line) in [
            ("//! require: a", 1),
            ("int x;\n//! requires:", 2),
            ("//! requires a", 1),
            ("//! unless: a-b", 1),
            ("//! initialiser: t kind", 1),
            ("//! initialiser: t kind=x", 1),
            ("//! initialiser: t =1", 1),
            ("//! initialiser: 7 kind=1", 1),
        ] {
            assert_eq!(parse_directives(text).unwrap_err().line, line, "{text}");
        }
    }
}
