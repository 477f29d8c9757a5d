//! Broadcasts: functions with one labelled assignment each, which acts on all passive threads.
//!
//! They run before the active thread assigns anything, so shared variables still have the values from before. The active
//! thread's locals and inputs are copied to globals, because in the labelled statement locals are the passive thread's.

use super::block::{Block, Mode, Reference};
use super::thread::stored;
use super::{CError, comment, declaration};
use crate::program::{DataType, Edge, Scope, passive};
use rustc_hash::FxHashMap;
use smt::{Symbol, Term};

impl<'a> Block<'_, 'a> {
    /// Statements for what an edge does to passive threads.
    pub(super) fn broadcast(&mut self, edge: &'a Edge) -> Result<(), CError> {
        let copies = self.copies(edge)?;
        let program = self.emission.program;
        let mut block = Block::new(self.emission, Mode::Passive);
        block.overrides = copies;
        for variable in program.variables.iter().filter(|variable| variable.scope == Scope::Local) {
            if let Some(reference) = block.emission.references.get(&variable.name) {
                block.overrides.insert(passive(variable.name), reference.clone());
            }
        }
        for input in &edge.broadcast.inputs {
            let data_type = block.input_type(input)?;
            let name = block.emission.names.temporary();
            let declared = declaration(&data_type, &name, input.name)?;
            let about = comment(input.name.as_str());
            block.emission.scratch.push(format!("_Thread_local {declared}; /* {about} */\n"));
            block.choose_passive(&name, &data_type, input.name)?;
            let reference = Reference { name, data_type: std::borrow::Cow::Owned(data_type) };
            block.overrides.insert(input.name, reference);
        }
        for (_, term) in &edge.broadcast.assign {
            block.announce(*term);
        }
        block.assignments(edge)?;
        let lines = block.lines;
        self.lines.extend(lines);
        Ok(())
    }

    /// Globals with the active thread's locals and inputs that the broadcast reads.
    fn copies(&mut self, edge: &Edge) -> Result<FxHashMap<Symbol, Reference<'a>>, CError> {
        let program = self.emission.program;
        let mut read: Vec<Symbol> = Vec::new();
        for constant in edge.broadcast.assign.iter().flat_map(|(_, term)| term.constants()) {
            read.extend(constant.as_constant().filter(|name| !read.contains(name)));
        }
        let mut copies = FxHashMap::default();
        let locals = program.variables.iter().filter(|variable| variable.scope == Scope::Local);
        let locals = locals.map(|variable| variable.name);
        for name in
            locals.chain(edge.inputs.iter().map(|input| input.name)).filter(|name| read.contains(name))
        {
            let Some(Reference { name: c_name, data_type }) = self.reference(name) else { continue };
            let copy = self.emission.names.temporary();
            let declared = declaration(&data_type, &copy, name)?;
            self.emission
                .scratch
                .push(format!("{declared}; /* {} of the active thread */\n", comment(name.as_str())));
            if let DataType::Array { .. } = &*data_type {
                let length = super::length(&data_type, name)?;
                let all = format!("for (uint64_t bv_k = 0; bv_k < {length}; bv_k++)");
                self.lines.push(format!("{all} {copy}[bv_k] = {c_name}[bv_k];"));
            } else {
                self.lines.push(format!("{copy} = {c_name};"));
            }
            copies.insert(name, Reference { name: copy, data_type });
        }
        Ok(copies)
    }

    /// Any value for each passive thread.
    fn choose_passive(&mut self, c_name: &str, data_type: &DataType, name: Symbol) -> Result<(), CError> {
        match data_type {
            DataType::Array { element, .. } => {
                let value = self.emission.any(element)?;
                for index in 0..self.unrolled(super::length(data_type, name)?, name)? {
                    self.statement(&format!("{c_name}[{index}] = {value};"));
                }
            }
            _ => {
                let value = self.emission.any(data_type)?;
                self.statement(&format!("{c_name} = {value};"));
            }
        }
        Ok(())
    }

    /// Computes all new values, then assigns them: each is computed from the values before.
    fn assignments(&mut self, edge: &Edge) -> Result<(), CError> {
        let program = self.emission.program;
        let mut writes = Vec::new();
        for &(id, term) in &edge.broadcast.assign {
            let variable = program.variable(id);
            let c_name = self.emission.variables[id.index()].clone();
            match &variable.data_type {
                DataType::Array { element, .. } => {
                    self.expression(term)?;
                    let length = super::length(&variable.data_type, variable.name)?;
                    for index in 0..self.unrolled(length, variable.name)? {
                        let value = self.element_number(term, index)?;
                        let value = self.variable(element.sort(), &value)?;
                        writes.push(format!("{c_name}[{index}] = {};", stored(element, &value)?));
                    }
                }
                scalar => {
                    let value = self.single(term, edge)?;
                    writes.push(format!("{c_name} = {};", stored(scalar, &value)?));
                }
            }
        }
        for write in writes {
            self.statement(&write);
        }
        Ok(())
    }

    /// The value of a scalar: where it is the only one, it can be assigned as it is.
    fn single(&mut self, term: Term, edge: &Edge) -> Result<String, CError> {
        if edge.broadcast.assign.len() == 1 { self.expression(term) } else { self.stable(term) }
    }
}
