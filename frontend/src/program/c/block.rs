//! Terms as statements and expressions: the body of an edge.
//!
//! A sub-term that is used once becomes a part of an expression; one that is used more often, or that is long, becomes a variable of its
//! own. Everything is total, so it does not matter that parts are computed which the source would not have reached.

use super::{CError, Emission, container, is_signed, value_type};
use crate::program::DataType;
use rustc_hash::FxHashMap;
use smt::{Sort, Symbol, Term};
use std::borrow::Cow;

/// Longer expressions become variables.
const LONG: usize = 120;

/// A variable in C.
#[derive(Clone, Debug)]
pub(super) struct Reference<'a> {
    pub(super) name: String,
    pub(super) data_type: Cow<'a, DataType>,
}

/// Who computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// The active thread: new variables are local to the block.
    Active,
    /// All passive threads: each statement is a broadcast, new variables are thread-local.
    Passive,
}

/// Statements while they are written.
pub(super) struct Block<'e, 'a> {
    pub(super) emission: &'e mut Emission<'a>,
    pub(super) mode: Mode,
    pub(super) lines: Vec<String>,
    /// Names that mean something else here: inputs, copies.
    pub(super) overrides: FxHashMap<Symbol, Reference<'a>>,
    /// Expressions of scalar terms.
    done: FxHashMap<Term, String>,
    /// How many terms use a term.
    uses: FxHashMap<Term, usize>,
}

impl<'e, 'a> Block<'e, 'a> {
    pub(super) fn new(emission: &'e mut Emission<'a>, mode: Mode) -> Block<'e, 'a> {
        let (done, uses) = (FxHashMap::default(), FxHashMap::default());
        Block { emission, mode, lines: Vec::new(), overrides: FxHashMap::default(), done, uses }
    }

    /// Announces a term, so that it is known what is used more than once.
    pub(super) fn announce(&mut self, root: Term) {
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            let uses = self.uses.entry(term).or_insert(0);
            *uses += 1;
            if *uses == 1 {
                stack.extend(term.args());
            }
        }
    }

    pub(super) fn reference(&self, name: Symbol) -> Option<Reference<'a>> {
        self.overrides.get(&name).or_else(|| self.emission.references.get(&name)).cloned()
    }

    /// An expression for a scalar term.
    pub(super) fn expression(&mut self, root: Term) -> Result<String, CError> {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.done.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(term.args().iter().copied().filter(|argument| !self.done.contains_key(argument)));
            if stack.len() == before {
                stack.pop();
                let text = self.node(term)?;
                self.done.insert(term, text);
            }
        }
        Ok(self.done[&root].clone())
    }

    /// A term whose arguments are done. Arrays have no expression; whoever uses them looks at their parts.
    fn node(&mut self, term: Term) -> Result<String, CError> {
        if term.sort().index().is_some() {
            return Ok(String::new());
        }
        if let Some(width) = term.sort().width() {
            container(width)?;
            self.emission.helpers.needs(width);
        }
        let text = match term.as_constant() {
            Some(name) => return self.constant(name, term.sort()),
            None => self.operation(term)?,
        };
        let often = self.uses.get(&term).is_some_and(|&uses| uses > 1);
        if !term.args().is_empty() && (often || text.len() > LONG) {
            return self.variable(term.sort(), &text);
        }
        Ok(text)
    }

    fn constant(&self, name: Symbol, sort: Sort) -> Result<String, CError> {
        let Some(reference) = self.reference(name) else { return Ok("0".to_owned()) };
        Ok(if is_signed(&reference.data_type) {
            format!("({}){}", value_type(sort)?, reference.name)
        } else {
            reference.name
        })
    }

    /// An expression that can be repeated.
    pub(super) fn atom(&mut self, term: Term) -> Result<String, CError> {
        let text = self.expression(term)?;
        if !text.contains(' ') || term.as_value().is_some() {
            return Ok(text);
        }
        let name = self.variable(term.sort(), &text)?;
        self.done.insert(term, name.clone());
        Ok(name)
    }

    /// An expression that does not change when program variables do.
    pub(super) fn stable(&mut self, term: Term) -> Result<String, CError> {
        let text = self.expression(term)?;
        if term.as_value().is_some() || text.starts_with("bv_") && !text.contains([' ', '(']) {
            return Ok(text);
        }
        self.variable(term.sort(), &text)
    }

    /// A new variable with this value.
    pub(super) fn variable(&mut self, sort: Sort, text: &str) -> Result<String, CError> {
        let name = self.emission.names.temporary();
        let kind = value_type(sort)?;
        match self.mode {
            Mode::Active => self.lines.push(format!("const {kind} {name} = {text};")),
            Mode::Passive => {
                self.emission.scratch.push(format!("_Thread_local {kind} {name};\n"));
                self.statement(&format!("{name} = {text};"));
            }
        }
        Ok(name)
    }

    /// A statement, of all passive threads if they are meant.
    pub(super) fn statement(&mut self, text: &str) {
        match self.mode {
            Mode::Active => self.lines.push(text.to_owned()),
            Mode::Passive => {
                let name = self.emission.names.temporary();
                let function =
                    format!("static void {name}(void) {{\n    __CPROVER_passive_broadcast: {text}\n}}\n");
                self.emission.functions.push(function);
                self.lines.push(format!("{name}();"));
            }
        }
    }
}

impl Emission<'_> {
    /// Statements that give a variable any value.
    pub(super) fn choose(
        &mut self,
        c_name: &str,
        data_type: &DataType,
        name: Symbol,
    ) -> Result<Vec<String>, CError> {
        match data_type {
            DataType::Array { element, .. } => {
                let length = super::length(data_type, name)?;
                let value = self.any(element)?;
                Ok(vec![format!(
                    "for (uint64_t bv_k = 0; bv_k < {length}; bv_k++) {c_name}[bv_k] = {value};"
                )])
            }
            _ => Ok(vec![format!("{c_name} = {};", self.any(data_type)?)]),
        }
    }

    /// Any value of a scalar type.
    pub(super) fn any(&mut self, data_type: &DataType) -> Result<String, CError> {
        let Some(width) = data_type.sort().width() else { return Ok("__VERIFIER_nondet_bool()".to_owned()) };
        self.helpers.needs(width);
        let size = container(width)?;
        let text = match size {
            8 => "__VERIFIER_nondet_uchar()",
            16 => "__VERIFIER_nondet_ushort()",
            32 => "__VERIFIER_nondet_uint()",
            64 => "__VERIFIER_nondet_ulonglong()",
            _ => "((uint128_t)__VERIFIER_nondet_ulonglong() << 64 | __VERIFIER_nondet_ulonglong())",
        };
        Ok(match (is_signed(data_type), width == size) {
            (true, _) => format!("({}){text}", super::storage_type(data_type)?),
            (_, true) => text.to_owned(),
            _ => format!("{text} & {}", super::helpers::literal(&smt::Bits::ones(width))?),
        })
    }
}
