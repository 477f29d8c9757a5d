//! Terms and values as C programmers read them, for drawings and traces.
//!
//! Operators have C's precedence. C says in the types what SMT-LIB says in the operators: where an operator takes its operands as
//! signed and a variable is declared unsigned, or the other way round, a cast says so (`(i32)x < 5`). Literals are signed
//! where the operator is, or else as the variable beside them. Numbers that are addresses have the names of what is there. Not for
//! reading back: long terms are cut.

mod writer;

use super::meaning::Meanings;
use super::{DataType, NamedAddress, Program, Scope, Variable, passive};
use rustc_hash::FxHashMap;
use smt::{ArrayValue, Bits, Op, Symbol, Term, Value};
use writer::Writer;

/// How far the signedness of a term is looked for.
const SIGN_DEPTH: usize = 6;

/// Whether numbers are signed, if that is known.
type Sign = Option<bool>;

/// Writes terms and values of a program.
#[derive(Clone, Debug)]
pub struct Infix<'a> {
    addresses: &'a [NamedAddress],
    /// Of variables, of elements for arrays, by name.
    signs: FxHashMap<Symbol, Sign>,
    /// Other names for variables.
    names: FxHashMap<Symbol, String>,
    /// Whether addresses that stand for threads are said so.
    is_for_people: bool,
}

impl<'a> Infix<'a> {
    /// For the terms of this program.
    pub fn new(program: &'a Program) -> Infix<'a> {
        let mut signs = FxHashMap::default();
        for variable in &program.variables {
            signs.insert(variable.name, sign_of_type(&variable.data_type));
            if variable.scope == Scope::Local {
                signs.insert(passive(variable.name), sign_of_type(&variable.data_type));
            }
        }
        Infix { addresses: &program.addresses, signs, names: FxHashMap::default(), is_for_people: false }
    }

    /// For people: what the user has given no name is called by where it comes from, as [`super::meaning`] says.
    pub fn for_people(program: &'a Program) -> Infix<'a> {
        let mut names: FxHashMap<Symbol, String> = FxHashMap::default();
        for (name, (brief, _)) in Meanings::new(program).names() {
            names.insert(passive(name), format!("{brief}@P"));
            names.insert(name, brief);
        }
        Infix { is_for_people: true, ..Infix::new(program).with_names(names) }
    }

    /// With other names for some variables.
    pub fn with_names(self, names: FxHashMap<Symbol, String>) -> Infix<'a> {
        Infix { names, ..self }
    }

    /// How a variable is called.
    fn name(&self, name: Symbol) -> &str {
        self.names.get(&name).map_or(name.as_str(), String::as_str)
    }

    /// A term.
    pub fn term(&self, term: Term) -> String {
        let mut writer = Writer::new(self);
        writer.term(term, 0, None, 0);
        writer.finish()
    }

    /// An assignment; stores into an array as assignments of its elements.
    pub fn assignment(&self, variable: &Variable, term: Term) -> String {
        let mut stores = Vec::new();
        let mut rest = term;
        while let (Op::Store, &[array, index, value]) = (rest.op(), rest.args()) {
            stores.push((index, value));
            rest = array;
        }
        let sign = sign_of_type(&variable.data_type);
        let mut writer = Writer::new(self);
        if rest == variable.term() && !stores.is_empty() {
            for (number, (index, value)) in stores.into_iter().rev().enumerate() {
                writer.push(if number > 0 { ", " } else { "" });
                writer.push(variable.name.as_str());
                writer.push("[");
                writer.term(index, 0, Some(false), 0);
                writer.push("] := ");
                writer.term(value, 0, sign, 0);
            }
        } else {
            writer.push(variable.name.as_str());
            writer.push(" := ");
            writer.term(term, 0, sign, 0);
        }
        writer.finish()
    }

    /// A value of a variable: decimal as its type has it, pointers by name, elements of arrays that differ from the rest.
    pub fn value(&self, data_type: &DataType, value: &Value) -> String {
        match (data_type, value) {
            (DataType::Array { element, .. }, Value::Array(array)) => {
                self.elements(array, |value| self.value(element, value))
            }
            (DataType::Int { signed, .. }, Value::Bits(bits)) => self.number(bits, Some(*signed)),
            _ => self.chosen(value),
        }
    }

    /// The elements of an array that differ from the rest, and the rest.
    fn elements(&self, array: &ArrayValue, shown: impl Fn(&Value) -> String) -> String {
        let entries = array.entries().take(16);
        let mut parts: Vec<String> =
            entries.map(|(index, value)| format!("[{}] = {}", decimal(index, false), shown(value))).collect();
        if array.entries().count() > parts.len() {
            parts.push("...".to_owned());
        }
        parts.push(format!("else {}", shown(array.default())));
        format!("{{{}}}", parts.join(", "))
    }

    /// A value whose type is not known.
    pub fn chosen(&self, value: &Value) -> String {
        match value {
            Value::Bool(value) => value.to_string(),
            Value::Bits(bits) => self.number(bits, None),
            Value::Array(array) => self.elements(array, |value| self.chosen(value)),
        }
    }

    fn number(&self, bits: &Bits, sign: Sign) -> String {
        if sign != Some(true)
            && let Some(name) = self.address(bits)
        {
            return name;
        }
        // Without a hint, -1 is more likely than 2^n - 1.
        let small = || bits.to_i128().is_some_and(|value| (-1024..0).contains(&value)) && bits.width() > 8;
        decimal(bits, sign.unwrap_or_else(small))
    }

    /// The name of what is at an address, if the number is as wide as pointers are.
    fn address(&self, bits: &Bits) -> Option<String> {
        let address = u64::try_from(bits.to_u128()?).ok().filter(|_| matches!(bits.width(), 32 | 64))?;
        let after = self.addresses.partition_point(|known| known.address <= address);
        let known = self.addresses.get(after.checked_sub(1)?)?;
        let offset = address - known.address;
        let thread = known.name.as_str().strip_prefix("&thread:").filter(|_| self.is_for_people);
        if let Some(thread) = thread.filter(|_| offset == 0) {
            return Some(format!("thread@{thread}"));
        }
        match offset {
            0 => Some(known.name.to_string()),
            _ if offset < known.size => Some(format!("{} + {offset}", known.name)),
            _ => None,
        }
    }

    /// Whether a term is signed, as far as variables and operators tell.
    fn sign(&self, term: Term, depth: usize) -> Sign {
        if depth == 0 {
            return None;
        }
        match term.op() {
            Op::Const(name) => self.signs.get(name).copied().flatten(),
            Op::BvSdiv | Op::BvSrem | Op::BvAshr | Op::SignExtend(_) => Some(true),
            Op::Select | Op::Store => term.args().first().and_then(|array| self.sign(*array, depth - 1)),
            Op::Ite => term.args().iter().skip(1).find_map(|argument| self.sign(*argument, depth - 1)),
            Op::BvAdd
            | Op::BvSub
            | Op::BvMul
            | Op::BvNeg
            | Op::BvNot
            | Op::BvAnd
            | Op::BvOr
            | Op::BvXor
            | Op::BvShl => term.args().iter().find_map(|argument| self.sign(*argument, depth - 1)),
            _ => None,
        }
    }
}

fn sign_of_type(data_type: &DataType) -> Sign {
    match data_type {
        DataType::Bool => None,
        DataType::Int { signed, .. } => Some(*signed),
        DataType::Array { element, .. } => sign_of_type(element),
    }
}

fn decimal(bits: &Bits, signed: bool) -> String {
    let text = if signed {
        bits.to_i128().map(|value| value.to_string())
    } else {
        bits.to_u128().map(|value| value.to_string())
    };
    text.unwrap_or_else(|| bits.to_string())
}

#[cfg(test)]
mod tests;
