//! Arrays: their elements one at a time, and as a whole.

use super::block::{Block, Mode, Reference};
use super::{CError, is_signed, value_type};
use crate::program::{DataType, VariableId};
use rustc_hash::FxHashMap;
use smt::{Op, Sort, Symbol, Term};

/// An index: text, and its number if that is known.
#[derive(Clone, Debug)]
struct Index {
    text: String,
    width: u32,
    known: Option<u128>,
}

/// What to do with an array once nothing is read any more.
pub(super) enum Update {
    /// Elements of the array itself, in order.
    Stores(Vec<(Term, Term)>),
    /// A whole array under this name.
    Copy(String),
}

impl Block<'_, '_> {
    /// An element of an array term.
    pub(super) fn element(&mut self, array: Term, index: Term) -> Result<String, CError> {
        let known = index.as_bits().and_then(smt::Bits::to_u128);
        let index = Index { text: self.atom(index)?, width: index.width(), known };
        self.element_at(array, &index)
    }

    /// Goes through the array's structure, inner parts first, without recursion: chains of stores can be long.
    fn element_at(&mut self, root: Term, index: &Index) -> Result<String, CError> {
        let mut done: FxHashMap<Term, String> = FxHashMap::default();
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if done.contains_key(&term) {
                stack.pop();
                continue;
            }
            let inner = term.args().iter().filter(|argument| argument.sort().index().is_some());
            let missing: Vec<Term> = inner.copied().filter(|argument| !done.contains_key(argument)).collect();
            if missing.is_empty() {
                stack.pop();
                let text = self.element_of(term, index, &done)?;
                let simple = !text.contains(' ') || term == root;
                let element = term.sort().element().unwrap_or(Sort::Bool);
                done.insert(term, if simple { text } else { self.variable(element, &text)? });
            }
            stack.extend(missing);
        }
        Ok(done.remove(&root).unwrap_or_default())
    }

    /// An element of an array term, given those of its array arguments.
    fn element_of(
        &mut self,
        term: Term,
        index: &Index,
        done: &FxHashMap<Term, String>,
    ) -> Result<String, CError> {
        match (term.op(), term.args()) {
            (Op::Const(name), _) => self.element_of_variable(*name, term.sort(), index),
            (Op::Store, &[array, at, value]) => {
                let value = self.expression(value)?;
                let known = at.as_bits().and_then(smt::Bits::to_u128);
                Ok(match (known, index.known) {
                    (Some(at), Some(index)) if at == index => value,
                    (Some(_), Some(_)) => done[&array].clone(),
                    _ => format!("({} == {} ? {value} : {})", index.text, self.expression(at)?, done[&array]),
                })
            }
            (Op::Ite, &[condition, then, otherwise]) => {
                Ok(format!("({} ? {} : {})", self.expression(condition)?, done[&then], done[&otherwise]))
            }
            (_, &[default]) => self.expression(default),
            _ => Ok("0".to_owned()),
        }
    }

    fn element_of_variable(&mut self, name: Symbol, sort: Sort, index: &Index) -> Result<String, CError> {
        let Some(Reference { name: c_name, data_type }) = self.reference(name) else {
            return Ok("0".to_owned());
        };
        let length = u128::from(super::length(&data_type, name)?);
        let element = sort.element().unwrap_or(Sort::Bool);
        let signed = matches!(&*data_type, DataType::Array { element, .. } if is_signed(element));
        let cast = if signed { format!("({})", value_type(element)?) } else { String::new() };
        let read = format!("{cast}{c_name}[{}]", index.text);
        Ok(match index.known {
            Some(known) if known >= length => "0".to_owned(),
            None if !covers(length, index.width) => format!("({} < {length} ? {read} : 0)", index.text),
            _ => read,
        })
    }

    /// Whether all elements that exist are equal.
    pub(super) fn equal_arrays(&mut self, first: Term, second: Term) -> Result<String, CError> {
        let length = self.emission.length(first.sort(), Symbol::new("array"))?;
        if self.mode == Mode::Passive {
            // No loops in broadcasts.
            let mut parts = Vec::new();
            for index in 0..self.unrolled(length, Symbol::new("array"))? {
                let index = Index::literal(index, first.sort());
                let (a, b) = (self.element_at(first, &index)?, self.element_at(second, &index)?);
                parts.push(format!("{a} == {b}"));
            }
            return Ok(format!("({})", parts.join(" && ")));
        }
        let equal = self.emission.names.temporary();
        self.lines.push(format!("_Bool {equal} = 1;"));
        let index = self.loop_over(length, first.sort());
        let (a, b) = (self.element_at(first, &index)?, self.element_at(second, &index)?);
        self.lines.push(format!("if ({a} != {b}) {equal} = 0;"));
        self.lines.push("}".to_owned());
        Ok(equal)
    }

    /// Opens a loop over all elements.
    fn loop_over(&mut self, length: u64, sort: Sort) -> Index {
        let text = self.emission.names.temporary();
        let width = sort.index().and_then(Sort::width).unwrap_or(1);
        self.lines.push(format!("for (uint64_t {text} = 0; {text} < {length}; {text}++) {{"));
        Index { text, width, known: None }
    }

    /// As many elements, if a broadcast can have an assignment for each.
    pub(super) fn unrolled(&self, length: u64, name: Symbol) -> Result<u64, CError> {
        if length <= 64 { Ok(length) } else { Err(CError::LongBroadcast(name)) }
    }

    /// The element with a known number.
    pub(super) fn element_number(&mut self, array: Term, number: u64) -> Result<String, CError> {
        self.element_at(array, &Index::literal(number, array.sort()))
    }

    /// Computes what an array variable becomes, without changing it yet.
    pub(super) fn array_update(&mut self, id: VariableId, term: Term) -> Result<Update, CError> {
        let program = self.emission.program;
        let variable = program.variable(id);
        let mut stores = Vec::new();
        let mut rest = term;
        while let (Op::Store, &[array, index, value]) = (rest.op(), rest.args()) {
            stores.push((index, value));
            rest = array;
        }
        // All scalar parts first: a loop must not hide what is computed in it.
        self.expression(term)?;
        if rest == variable.term() {
            stores.reverse();
            return Ok(Update::Stores(stores));
        }
        let length = super::length(&variable.data_type, variable.name)?;
        let copy = self.emission.names.temporary();
        let element = term.sort().element().unwrap_or(Sort::Bool);
        self.lines.push(format!("{} {copy}[{length}];", value_type(element)?));
        let index = self.loop_over(length, term.sort());
        let value = self.element_at(term, &index)?;
        self.lines.push(format!("{copy}[{}] = {value};", index.text));
        self.lines.push("}".to_owned());
        Ok(Update::Copy(copy))
    }

    /// Statements that change an element, if it exists.
    pub(super) fn store(
        &mut self,
        id: VariableId,
        index: &str,
        known: Option<u128>,
        value: &str,
    ) -> Result<(), CError> {
        let program = self.emission.program;
        let variable = program.variable(id);
        let length = u128::from(super::length(&variable.data_type, variable.name)?);
        let index_width = variable.data_type.sort().index().and_then(Sort::width).unwrap_or(1);
        let c_name = &self.emission.variables[id.index()];
        let line = match known {
            Some(known) if known >= length => return Ok(()),
            None if !covers(length, index_width) => {
                format!("if ({index} < {length}) {c_name}[{index}] = {value};")
            }
            _ => format!("{c_name}[{index}] = {value};"),
        };
        self.lines.push(line);
        Ok(())
    }
}

/// Whether all indices of this width exist.
fn covers(length: u128, index_width: u32) -> bool {
    index_width < 64 && length >= 1 << index_width
}

impl Index {
    fn literal(number: u64, sort: Sort) -> Index {
        let width = sort.index().and_then(Sort::width).unwrap_or(1);
        Index { text: number.to_string(), width, known: Some(u128::from(number)) }
    }
}
