//! Formulas as sentences: `!(ticket@P == ticket)` is "no other thread has my `ticket`".
//!
//! The words follow the shape of a term: truth values, comparisons, and what is put together from them. A formula about another thread's locals
//! is one about all other threads, and its negation one about some other thread. Everything else is said in C, where `my.x` and
//! `its.x` tell locals apart. Pieces of code stand between backticks.

use frontend::program::infix::Infix;
use frontend::program::meaning::{Meaning, Meanings};
use frontend::program::{Program, Scope, passive};
use smt::{Op, Term};
use std::collections::HashMap;

/// Whose a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    /// All threads'.
    Shared,
    /// The thread's own.
    Mine,
    /// Another thread's.
    Its,
    /// That of the thread with this number.
    Of(usize),
}

/// How a constant of a term is called.
#[derive(Clone, Debug)]
struct Name {
    short: String,
    owner: Owner,
    /// What it is, if the user has given it no name.
    meaning: Option<Meaning>,
}

impl Name {
    /// In a sentence.
    fn phrase(&self) -> String {
        let whose = |whose: &str| format!("{whose} `{}`", self.short);
        let named = match self.owner {
            Owner::Shared => format!("`{}`", self.short),
            Owner::Mine => whose("my"),
            Owner::Its => whose("its"),
            Owner::Of(thread) => whose(&format!("thread {thread}'s")),
        };
        let who = match self.owner {
            Owner::Shared => "somebody".to_owned(),
            Owner::Mine => "I".to_owned(),
            Owner::Its => "it".to_owned(),
            Owner::Of(thread) => format!("thread {thread}"),
        };
        match &self.meaning {
            Some(Meaning::Read(variable, line)) => {
                let works = if self.owner == Owner::Mine { "work" } else { "works" };
                format!("the `{variable}` that {who} {works} with in line {line}")
            }
            Some(Meaning::Result(function, line)) => {
                format!("what {who} got from `{function}()` (line {line})")
            }
            Some(Meaning::Value(line)) => format!("{named} (a value of line {line})"),
            _ => named,
        }
    }

    /// That a truth value is set or not, where there is a word for it.
    fn truth(&self, holds: bool) -> String {
        let not = if holds { "" } else { "not " };
        match (&self.meaning, self.owner) {
            (Some(Meaning::Taken(lock)), _) => format!("`{lock}` is {not}locked"),
            (Some(Meaning::Held(lock)), Owner::Mine) => {
                format!("I {} `{lock}`", if holds { "hold" } else { "do not hold" })
            }
            (Some(Meaning::Held(lock)), owner) => {
                let who = match owner {
                    Owner::Of(thread) => format!("thread {thread}"),
                    _ => "it".to_owned(),
                };
                format!("{who} {} `{lock}`", if holds { "holds" } else { "does not hold" })
            }
            (Some(Meaning::Created(function)), _) => {
                let some = if holds { "a" } else { "no" };
                format!("{some} thread for `{function}` has been created that has not started yet")
            }
            _ => format!("{} is {not}set", self.phrase()),
        }
    }

    /// In code.
    fn code(&self) -> String {
        match self.owner {
            Owner::Shared => self.short.clone(),
            Owner::Mine => format!("my.{}", self.short),
            Owner::Its => format!("its.{}", self.short),
            Owner::Of(thread) => format!("thread{thread}.{}", self.short),
        }
    }
}

/// A comparison in C: left side, operator, right side, as the program names them.
struct Comparison {
    left: String,
    operator: &'static str,
    right: String,
}

/// Says formulas of a program.
#[derive(Clone, Debug)]
pub struct Words<'a> {
    infix: Infix<'a>,
    names: HashMap<String, Name>,
}

impl<'a> Words<'a> {
    /// For formulas over the variables of a program.
    pub fn new(program: &'a Program) -> Words<'a> {
        let short = |name: &str| name.rsplit("::").next().unwrap_or(name).to_owned();
        let mut uses: HashMap<String, usize> = HashMap::new();
        program
            .variables
            .iter()
            .for_each(|variable| *uses.entry(short(variable.name.as_str())).or_default() += 1);
        let mut names = HashMap::new();
        let known = Meanings::new(program).names();
        for variable in &program.variables {
            let full = variable.name.as_str();
            let brief = short(full);
            let meaning = known.get(&variable.name).map(|(_, meaning)| meaning.clone());
            let brief = match known.get(&variable.name) {
                Some((brief, _)) => brief.clone(),
                None if uses.get(&brief) == Some(&1) => brief,
                None => full.to_owned(),
            };
            let name = |owner| Name { short: brief.clone(), owner, meaning: meaning.clone() };
            if variable.scope == Scope::Shared {
                names.insert(full.to_owned(), name(Owner::Shared));
            } else {
                names.insert(full.to_owned(), name(Owner::Mine));
                names.insert(passive(variable.name).as_str().to_owned(), name(Owner::Its));
            }
        }
        Words { infix: Infix::new(program), names }
    }

    /// The name of a constant: a variable, another thread's copy `x@P`, or that of a thread with a number, `x#1`.
    fn name(&self, constant: &str) -> Option<Name> {
        if let Some(name) = self.names.get(constant) {
            return Some(name.clone());
        }
        let (base, thread) = constant.rsplit_once('#')?;
        let owner = Owner::Of(thread.parse().ok()?);
        self.names.get(base).map(|name| Name { owner, ..name.clone() })
    }

    /// What it means that a formula holds, or does not.
    pub fn sentence(&self, term: Term, holds: bool) -> String {
        if self.is_about_others(term) { self.about_others(term, holds) } else { self.clause(term, holds) }
    }

    /// The formula in C.
    pub fn code(&self, term: Term) -> String {
        self.rename(&self.infix.term(term))
    }

    fn is_about_others(&self, term: Term) -> bool {
        let owner = |constant: Term| Some(self.name(constant.as_constant()?.as_str())?.owner);
        term.constants().into_iter().any(|constant| owner(constant) == Some(Owner::Its))
    }

    /// A sentence about a thread, and one other if it occurs.
    fn clause(&self, term: Term, holds: bool) -> String {
        match (term.op(), term.args()) {
            (Op::Not, &[inner]) => self.clause(inner, !holds),
            (Op::And | Op::Or, parts) if parts.len() <= 3 => {
                let joint = if (*term.op() == Op::And) == holds { " and " } else { " or " };
                let parts: Vec<String> = parts.iter().map(|part| self.clause(*part, holds)).collect();
                parts.join(joint)
            }
            (Op::Implies, &[premise, conclusion]) if holds => {
                format!("if {} then {}", self.clause(premise, true), self.clause(conclusion, true))
            }
            (Op::Implies, &[premise, conclusion]) => {
                format!("{} but {}", self.clause(premise, true), self.clause(conclusion, false))
            }
            (Op::Const(name), _) => match self.name(name.as_str()) {
                Some(name) => name.truth(holds),
                None => format!("`{name}` is {}", if holds { "set" } else { "not set" }),
            },
            _ => match self.comparison(term, holds) {
                Some(Comparison { left, operator, right }) => {
                    format!("{} {}", self.side(&left), self.verb(operator, &right))
                }
                None => format!("`{}` {}", self.code(term), if holds { "holds" } else { "does not hold" }),
            },
        }
    }

    /// A sentence about all other threads, or if it does not hold about some other.
    fn about_others(&self, term: Term, holds: bool) -> String {
        let simple = match (term.op(), term.args()) {
            (Op::Not, &[inner]) => match inner.as_constant().and_then(|name| self.name(name.as_str())) {
                Some(Name { meaning: Some(Meaning::Held(lock)), .. }) => {
                    Some(format!("{} other thread holds `{lock}`", if holds { "no" } else { "some" }))
                }
                Some(name) if holds => Some(format!("`{}` is set in no other thread", name.short)),
                Some(name) => Some(format!("`{}` is set in some other thread", name.short)),
                None => self.comparison(inner, !holds).and_then(|found| self.compared(&found, holds)),
            },
            (Op::Const(name), _) => self.name(name.as_str()).map(|name| match holds {
                true => format!("`{}` is set in every other thread", name.short),
                false => format!("`{}` is not set in some other thread", name.short),
            }),
            (Op::And, parts) if holds && parts.iter().all(|part| self.is_about_others(*part)) => {
                let parts: Vec<String> = parts.iter().map(|part| self.about_others(*part, true)).collect();
                Some(parts.join(", and "))
            }
            _ => self.comparison(term, holds).and_then(|found| self.compared(&found, holds)),
        };
        let whom = if holds { "every" } else { "some" };
        simple.unwrap_or_else(|| format!("for {whom} other thread: {}", self.clause(term, holds)))
    }

    /// A comparison of another thread's variable with something that is not its own.
    fn compared(&self, found: &Comparison, holds: bool) -> Option<String> {
        let owner = |side: &str| self.name(side).map(|name| name.owner);
        let (left, operator, right) = match (owner(&found.left), owner(&found.right)) {
            (Some(Owner::Its), Some(Owner::Its)) => return None,
            (Some(Owner::Its), _) => (&found.left, found.operator, &found.right),
            (_, Some(Owner::Its)) => (&found.right, mirrored(found.operator), &found.left),
            _ => return None,
        };
        if self.tokens(right).iter().any(|token| owner(token) == Some(Owner::Its)) {
            return None;
        }
        let its = self.name(left)?;
        let is_same =
            self.name(right).is_some_and(|mine| mine.owner == Owner::Mine && mine.short == its.short);
        let short = &its.short;
        let whom = if holds { "every" } else { "some" };
        Some(match (operator, is_same, holds) {
            ("!=", true, true) => format!("no other thread has my `{short}`"),
            ("==", true, _) => format!("{whom} other thread has my `{short}`"),
            ("!=", true, false) => format!("some other thread has another `{short}` than I"),
            (operator, true, _) => {
                let than = self.verb(operator, right);
                let than =
                    than.split('`').next().unwrap_or_default().trim_end_matches("my ").trim_end().to_owned();
                format!("{whom} other thread's `{short}` {than} mine")
            }
            ("!=", false, true) => format!("no other thread's `{short}` {}", self.verb("==", right)),
            (operator, false, _) => format!("{whom} other thread's `{short}` {}", self.verb(operator, right)),
        })
    }

    /// The two sides of a comparison, or of its negation, with the variable first.
    fn comparison(&self, term: Term, holds: bool) -> Option<Comparison> {
        let operator = match term.op() {
            Op::Eq => "==",
            Op::BvUlt | Op::BvSlt => "<",
            Op::BvUle | Op::BvSle => "<=",
            _ => return None,
        };
        let text = self.infix.term(term);
        let separator = format!(" {operator} ");
        let (left, right) = text.split_once(&separator)?;
        if right.contains(&separator) || right.contains(" && ") || right.contains(" || ") {
            return None;
        }
        let operator = if holds { operator } else { negated(operator) };
        let (left, right) = (left.to_owned(), right.to_owned());
        Some(match is_literal(&left) && !is_literal(&right) {
            true => Comparison { left: right, operator: mirrored(operator), right: left },
            false => Comparison { left, operator, right },
        })
    }

    /// One side of a comparison.
    fn side(&self, text: &str) -> String {
        match self.name(text) {
            Some(name) => name.phrase(),
            None => format!("`{}`", self.rename(text)),
        }
    }

    fn verb(&self, operator: &str, right: &str) -> String {
        let verb = match (operator, is_literal(right)) {
            ("==", true) => "is",
            ("==", false) => "equals",
            ("!=", true) => "is not",
            ("!=", false) => "differs from",
            ("<", _) => "is less than",
            ("<=", _) => "is at most",
            (">", _) => "is greater than",
            _ => "is at least",
        };
        format!("{verb} {}", self.side(right))
    }

    /// Code with the names that people know.
    fn rename(&self, code: &str) -> String {
        let known = |token: &String| self.name(token).map_or_else(|| token.clone(), |name| name.code());
        self.tokens(code).iter().map(known).collect()
    }

    /// Names, and what stands between them.
    fn tokens(&self, code: &str) -> Vec<String> {
        let is_word = |c: char| c.is_alphanumeric() || "_:.$@#".contains(c);
        let mut tokens: Vec<String> = Vec::new();
        let mut was_word = None;
        for c in code.chars() {
            match tokens.last_mut() {
                Some(token) if was_word == Some(is_word(c)) => token.push(c),
                _ => tokens.push(c.to_string()),
            }
            was_word = Some(is_word(c));
        }
        tokens
    }
}

/// The operator that says the opposite.
fn negated(operator: &str) -> &'static str {
    match operator {
        "==" => "!=",
        "<" => ">=",
        _ => ">",
    }
}

/// The operator with its sides changed.
fn mirrored(operator: &'static str) -> &'static str {
    match operator {
        "<" => ">",
        "<=" => ">=",
        ">" => "<",
        ">=" => "<=",
        same => same,
    }
}

/// A number, a truth value, or the address of something.
fn is_literal(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number =
        digits.starts_with(|c: char| c.is_ascii_digit()) && digits.chars().all(char::is_alphanumeric);
    is_number || text == "true" || text == "false" || text.starts_with('&')
}

#[cfg(test)]
mod tests;
