//! Formulas as C expressions over variables of the source.
//!
//! Numbers wrap around in formulas, and comparisons say whether they are signed. In C the types say it, and signed numbers do not wrap around: sums are computed
//! unsigned and converted, which gcc defines.

use super::source::Source;
use frontend::program::{DataType, Position, Program, Scope};
use rustc_hash::FxHashMap;
use smt::{Op, Symbol, Term};
use std::collections::BTreeSet;

/// What variables are called at a place.
pub(super) struct Names(FxHashMap<Term, (String, DataType)>);

impl Names {
    pub(super) fn new(
        program: &Program,
        kept: &BTreeSet<Symbol>,
        source: &Source,
        place: Position,
        function: &str,
    ) -> Names {
        let mut names = FxHashMap::default();
        for variable in &program.variables {
            let full = variable.name.as_str();
            let (owner, name) =
                full.split_once("::").map_or((None, full), |(owner, name)| (Some(owner), name));
            let is_name = !name.starts_with("__") && name.chars().all(|c| c.is_alphanumeric() || c == '_');
            let is_here = match owner {
                None => variable.scope == Scope::Shared && kept.contains(&variable.name),
                Some(owner) => owner == function && variable.scope == Scope::Local,
            };
            if !is_name || !is_here || variable.position.file != place.file {
                continue;
            }
            let (line, here) = (variable.position.line, (place.line, place.column));
            let Some(column) = source.declares(line, name) else { continue };
            let is_visible = owner.is_none() && (line, column) < here || source.is_open((line, column), here);
            if is_visible && !is_hidden(program, function, full, name) {
                names.insert(variable.term(), (name.to_owned(), variable.data_type.clone()));
            }
        }
        Names(names)
    }
}

/// Whether the function has another variable of this name.
fn is_hidden(program: &Program, function: &str, full: &str, name: &str) -> bool {
    let mut others =
        program.variables.iter().map(|variable| variable.name.as_str()).filter(|other| *other != full);
    others.any(|other| {
        let last = other.rsplit("::").next().unwrap_or(other);
        let plain = last.split(['#', '.', '[']).next().unwrap_or(last);
        plain == name && (other.starts_with(&format!("{function}::")) || !other.contains("::"))
    })
}

/// The formula, if C can say it.
pub(super) fn expression(formula: Term, names: &Names) -> Option<String> {
    match (formula.op(), formula.args()) {
        (Op::Not, &[inner]) => Some(format!("!{}", expression(inner, names)?)),
        (Op::Eq, &[one, other]) => relation(one, "==", other, names),
        (Op::BvSle, &[one, other]) => relation(one, "<=", other, names),
        (Op::BvSlt, &[one, other]) => relation(one, "<", other, names),
        (Op::Const(_), _) => match names.0.get(&formula)? {
            (name, DataType::Bool) => Some(name.clone()),
            _ => None,
        },
        _ => None,
    }
}

fn relation(one: Term, symbol: &str, other: Term, names: &Names) -> Option<String> {
    Some(format!("({} {symbol} {})", number(one, names)?, number(other, names)?))
}

/// The signed types of C with so many bits, and the unsigned one.
fn types(width: u32) -> Option<(&'static str, &'static str)> {
    match width {
        8 => Some(("signed char", "unsigned char")),
        16 => Some(("short", "unsigned short")),
        32 => Some(("int", "unsigned int")),
        64 => Some(("long long", "unsigned long long")),
        _ => None,
    }
}

/// A signed number.
fn number(term: Term, names: &Names) -> Option<String> {
    if let Some(bits) = term.as_bits() {
        // The least number has no literal.
        let value =
            bits.to_i128().filter(|value| i64::try_from(*value).is_ok_and(|value| value != i64::MIN))?;
        let suffix = if value.unsigned_abs() > i32::MAX as u128 { "LL" } else { "" };
        return Some(if value < 0 { format!("({value}{suffix})") } else { format!("{value}{suffix}") });
    }
    if !matches!(term.sort(), smt::Sort::BitVec(_)) {
        return None;
    }
    let (signed, unsigned) = types(term.width())?;
    if let Some((name, data_type)) = names.0.get(&term) {
        return match data_type {
            DataType::Int { signed: true, .. } => Some(name.clone()),
            DataType::Int { signed: false, .. } => Some(format!("({signed}){name}")),
            _ => None,
        };
    }
    // Narrower numbers are computed as int.
    (term.width() >= 32).then_some(())?;
    Some(format!("({signed})({})", sum(term, unsigned, names)?))
}

/// A sum or difference of variables and literals, unsigned.
fn sum(term: Term, unsigned: &str, names: &Names) -> Option<String> {
    let operand = |term: Term| match term.as_bits().and_then(smt::Bits::to_u128) {
        Some(value) => Some(format!("({unsigned}){value}")),
        None => names.0.get(&term).map(|(name, _)| format!("({unsigned}){name}")),
    };
    let symbol = match term.op() {
        Op::BvAdd => " + ",
        Op::BvSub => " - ",
        _ => return None,
    };
    let parts: Vec<String> = term.args().iter().map(|part| operand(*part)).collect::<Option<_>>()?;
    Some(parts.join(symbol))
}

#[cfg(test)]
mod tests {
    use super::*;
    use frontend::program::text::read;

    const PROGRAM: &str = "program 1
        file 0 \"a.c\"
        shared x: i32 = 0 @0:1:5
        shared u: u32 = 0 @0:2:14
        shared f::y: i32 = 0 @0:1:8
        local f::i: i32 = 0 @0:4:7
        local g::i: i32 = 0 @0:4:7
        location 0
        main 0
        ";

    const SOURCE: &str = "int x, y;\nunsigned int u;\nvoid f(void) {\n  int i;\n  x = 1;\n}\n";

    fn said(formula: &str) -> Option<String> {
        let program = read(PROGRAM).unwrap();
        let place = Position { file: frontend::program::FileId(0), line: 5, column: 3 };
        let kept = program.variables.iter().map(|variable| variable.name).collect();
        let names = Names::new(&program, &kept, &Source::new(SOURCE), place, "f");
        let constants: Vec<Term> = program.variables.iter().map(|variable| variable.term()).collect();
        expression(smt::smtlib::parse_term(formula, constants).unwrap(), &names)
    }

    #[test]
    fn formulas_in_c() {
        for (formula, text) in [
            ("(= x #x00000005)", "(x == 5)"),
            ("(bvsle #xffffffff x)", "((-1) <= x)"),
            ("(bvsle u #x00000007)", "((int)u <= 7)"),
            ("(bvsle (bvsub x |f::i|) #x00000000)", "((int)((unsigned int)x - (unsigned int)i) <= 0)"),
        ] {
            assert_eq!(said(formula).as_deref(), Some(text), "{formula}");
        }
        // Not a variable of this function, or not under this name.
        assert_eq!(said("(= |g::i| #x00000000)"), None);
        assert_eq!(said("(= |f::y| #x00000000)"), None);
    }
}
