//! Terms as text.
//!
//! A sub-term with several parents is bound to a name by `let`, so the text is as large as the term in memory, not as
//! large as its tree. Names of bindings start with question marks, more of them than any constant's. Printing is a loop:
//! text and terms that are still to be written wait on a stack.

use std::fmt::{self, Write};

use rustc_hash::FxHashMap;

use crate::term::{Op, Term};

use super::apply::is_operator;
use super::lex::is_simple;

/// The words that SMT-LIB keeps for itself.
const RESERVED: [&str; 15] = [
    "!",
    "_",
    "as",
    "BINARY",
    "DECIMAL",
    "exists",
    "forall",
    "HEXADECIMAL",
    "let",
    "match",
    "NUMERAL",
    "par",
    "STRING",
    "true",
    "false",
];

/// A name as SMT-LIB text: quoted with `|` if necessary.
///
/// Quoted names cannot contain `|` and `\`, and `|and|` is the same as `and`. So there, these characters, control characters, `%`,
/// and the first letter of a name that SMT-LIB uses, are written as `%` and two hexadecimal digits.
pub fn quoted(name: &str) -> String {
    let starts_well = name.starts_with(|first: char| !first.is_ascii_digit());
    let taken = RESERVED.contains(&name) || is_operator(name);
    if starts_well && name.chars().all(is_simple) && !taken {
        return name.to_owned();
    }
    let mut text = String::with_capacity(name.len() + 4);
    text.push('|');
    for (position, character) in name.char_indices() {
        let forbidden = matches!(character, '|' | '\\' | '%') || character.is_ascii_control();
        if forbidden || (taken && position == 0) {
            text.push_str(&format!("%{:02x}", u32::from(character)));
        } else {
            text.push(character);
        }
    }
    text.push('|');
    text
}

/// In the notation of SMT-LIB, on one line.
impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shared = shared(*self);
        let prefix = binding_prefix(*self, shared.is_empty());
        let mut names: FxHashMap<Term, usize> = FxHashMap::default();
        for (number, &term) in shared.iter().enumerate() {
            write!(f, "(let (({prefix}{number} ")?;
            write_tree(f, term, &names, &prefix)?;
            f.write_str(")) ")?;
            names.insert(term, number);
        }
        write_tree(f, *self, &names, &prefix)?;
        shared.iter().try_for_each(|_| f.write_char(')'))
    }
}

/// The sub-terms with arguments that occur more than once, arguments first.
fn shared(root: Term) -> Vec<Term> {
    // Whether a term has been met again, for all that have been met.
    let mut again: FxHashMap<Term, bool> = FxHashMap::default();
    let mut finished = Vec::new();
    let mut stack = vec![(root, false)];
    while let Some((term, done)) = stack.pop() {
        if done {
            finished.push(term);
        } else if let Some(again) = again.get_mut(&term) {
            *again = true;
        } else if !term.args().is_empty() {
            again.insert(term, false);
            stack.push((term, true));
            stack.extend(term.args().iter().rev().map(|&arg| (arg, false)));
        }
    }
    finished.retain(|term| again.get(term) == Some(&true));
    finished
}

/// So many question marks that no constant starts with them.
fn binding_prefix(term: Term, unused: bool) -> String {
    let mut length = 1;
    if !unused {
        for name in term.constants().into_iter().filter_map(Term::as_constant) {
            length = length.max(1 + name.as_str().bytes().take_while(|&byte| byte == b'?').count());
        }
    }
    "?".repeat(length)
}

/// Text and terms that wait to be written.
enum Item {
    Text(&'static str),
    Term(Term),
}

/// Writes a term with names for some of its sub-terms.
fn write_tree(
    f: &mut fmt::Formatter<'_>,
    root: Term,
    names: &FxHashMap<Term, usize>,
    prefix: &str,
) -> fmt::Result {
    let mut stack = vec![Item::Term(root)];
    while let Some(item) = stack.pop() {
        let term = match item {
            Item::Text(text) => {
                f.write_str(text)?;
                continue;
            }
            Item::Term(term) => term,
        };
        if let Some(number) = names.get(&term) {
            write!(f, "{prefix}{number}")?;
        } else if term.args().is_empty() {
            write_operator(f, term.op())?;
        } else {
            f.write_char('(')?;
            write_operator(f, term.op())?;
            stack.push(Item::Text(")"));
            for &arg in term.args().iter().rev() {
                stack.push(Item::Term(arg));
                stack.push(Item::Text(" "));
            }
        }
    }
    Ok(())
}

fn write_operator(f: &mut fmt::Formatter<'_>, op: &Op) -> fmt::Result {
    match op {
        Op::Bits(bits) => write!(f, "{bits}"),
        Op::Const(name) => f.write_str(&quoted(name.as_str())),
        Op::Extract { high, low } => write!(f, "(_ extract {high} {low})"),
        Op::ZeroExtend(by) => write!(f, "(_ zero_extend {by})"),
        Op::SignExtend(by) => write!(f, "(_ sign_extend {by})"),
        Op::ConstArray(sort) => write!(f, "(as const {sort})"),
        op => f.write_str(operator_name(op)),
    }
}

/// The name of an operator without parameters.
fn operator_name(op: &Op) -> &'static str {
    match op {
        Op::True => "true",
        Op::False => "false",
        Op::Not => "not",
        Op::And => "and",
        Op::Or => "or",
        Op::Xor => "xor",
        Op::Implies => "=>",
        Op::Eq => "=",
        Op::Ite => "ite",
        Op::BvNot => "bvnot",
        Op::BvNeg => "bvneg",
        Op::BvAnd => "bvand",
        Op::BvOr => "bvor",
        Op::BvXor => "bvxor",
        Op::BvAdd => "bvadd",
        Op::BvSub => "bvsub",
        Op::BvMul => "bvmul",
        Op::BvUdiv => "bvudiv",
        Op::BvUrem => "bvurem",
        Op::BvSdiv => "bvsdiv",
        Op::BvSrem => "bvsrem",
        Op::BvShl => "bvshl",
        Op::BvLshr => "bvlshr",
        Op::BvAshr => "bvashr",
        Op::BvUlt => "bvult",
        Op::BvUle => "bvule",
        Op::BvSlt => "bvslt",
        Op::BvSle => "bvsle",
        Op::Concat => "concat",
        Op::Select => "select",
        Op::Store => "store",
        Op::Bits(_)
        | Op::Const(_)
        | Op::Extract { .. }
        | Op::ZeroExtend(_)
        | Op::SignExtend(_)
        | Op::ConstArray(_) => "",
    }
}

/// A declaration of an uninterpreted constant; nothing for other terms.
pub fn declaration(constant: Term) -> Option<String> {
    let name = constant.as_constant()?;
    Some(format!("(declare-const {} {})", quoted(name.as_str()), constant.sort()))
}
