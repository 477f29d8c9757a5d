//! The function of a thread: a label for each location, a block for each edge.

use super::arrays::Update;
use super::block::{Block, Mode, Reference};
use super::{CError, Emission, comment, declaration, edge_comment, initializer, is_signed, storage_type};
use crate::program::{DataType, Edge, Input, LocationId, Scope, Target, VariableId};
use rustc_hash::FxHashSet;
use smt::{Sort, Symbol, Term};
use std::borrow::Cow;
use std::collections::BTreeSet;

impl<'a> Emission<'a> {
    /// The function of threads that start in a location.
    pub(super) fn thread(&mut self, start: LocationId, name: &str, initial: bool) -> Result<String, CError> {
        let locations = self.reachable(start);
        let mut body = String::new();
        for &location in &locations {
            body.push_str(&self.location(location, initial)?);
        }
        let mut text = format!("static void {name}(void) {{\n");
        text.push_str(&self.locals(&locations, initial)?);
        if self.program.location(start).atomic {
            text.push_str("    __VERIFIER_atomic_begin();\n");
        }
        text.push_str(&format!("    goto location_{};\n{body}}}\n", start.0));
        Ok(text)
    }

    fn reachable(&self, start: LocationId) -> BTreeSet<LocationId> {
        let mut found = BTreeSet::from([start]);
        let mut work = vec![start];
        while let Some(location) = work.pop() {
            for edge in &self.edges_from[location.index()] {
                let to = self.program.edge(*edge).to;
                if found.insert(to) {
                    work.push(to);
                }
            }
        }
        found
    }

    /// Declarations of the locals that the function uses, and unknown values of those that are declared outside.
    fn locals(&mut self, locations: &BTreeSet<LocationId>, initial: bool) -> Result<String, CError> {
        let used = self.used(locations);
        let mut text = String::new();
        let program = self.program;
        for (index, variable) in program.variables.iter().enumerate() {
            let id = VariableId(index as u32);
            if variable.scope == Scope::Shared || !(used.contains(&id) || self.broadcast.contains(&id)) {
                continue;
            }
            let c_name = self.variables[index].clone();
            if !self.broadcast.contains(&id) {
                let declared = declaration(&variable.data_type, &c_name, variable.name)?;
                let init = match &variable.init {
                    Some(init) => initializer(&variable.data_type, init)?,
                    None => String::new(),
                };
                text.push_str(&format!("    {declared}{init};{}\n", super::origin(variable, &c_name)));
            }
            if variable.init.is_none() && !(initial && self.broadcast.contains(&id)) {
                let lines = self.choose(&c_name, &variable.data_type, variable.name)?;
                text.extend(lines.into_iter().map(|line| format!("    {line}\n")));
            }
        }
        if !initial && self.needs_prologue() {
            self.scratch.push("_Bool pool_ready;\n".to_owned());
            text.push_str("    pool_ready = 1;\n");
        }
        Ok(text)
    }

    /// Locals that edges from these locations read or write.
    fn used(&self, locations: &BTreeSet<LocationId>) -> FxHashSet<VariableId> {
        let mut used = FxHashSet::default();
        let mut names: FxHashSet<Symbol> = FxHashSet::default();
        for edge in self.program.edges.iter().filter(|edge| locations.contains(&edge.from)) {
            used.extend(edge.assign.iter().map(|(id, _)| *id));
            let terms = edge.assign.iter().chain(&edge.broadcast.assign).map(|(_, term)| *term);
            names.extend(terms.chain([edge.guard]).flat_map(Term::constants).filter_map(Term::as_constant));
        }
        let variables = self.program.variables.iter().enumerate();
        let named = variables.filter(|(_, variable)| names.contains(&variable.name));
        used.extend(named.map(|(index, _)| VariableId(index as u32)));
        used
    }

    fn location(&mut self, id: LocationId, initial: bool) -> Result<String, CError> {
        let program = self.program;
        let location = program.location(id);
        let file = program.files.get(location.position.file.index()).filter(|_| location.position.is_some());
        let place =
            file.map_or_else(String::new, |file| format!(" {}:{}", comment(file), location.position.line));
        let about = format!("{}{place}", comment(location.function.as_str()));
        let about = if about.is_empty() { about } else { format!(" /* {} */", about.trim()) };
        let mut text = format!("location_{}:;{about}\n", id.0);
        for property in &program.properties {
            if property.target == Target::Location(id) {
                text.push_str(&format!("    reach_error(); /* {} */\n", comment(&property.name)));
            }
        }
        let edges = self.edges_from[id.index()].clone();
        for (position, edge) in edges.iter().enumerate() {
            let choice = if position + 1 < edges.len() { "if (__VERIFIER_nondet_bool()) " } else { "" };
            text.push_str(&format!(
                "    {choice}{{ /* {} */\n",
                edge_comment(edge.index(), program.edge(*edge))
            ));
            for line in self.edge(program.edge(*edge))? {
                text.push_str(&format!("        {line}\n"));
            }
            text.push_str("    }\n");
        }
        if edges.is_empty() {
            // The end of `main` would be the end of all threads.
            text.push_str(if initial { "    for (;;) { }\n" } else { "    return;\n" });
        }
        Ok(text)
    }

    fn edge(&mut self, edge: &'a Edge) -> Result<Vec<String>, CError> {
        let program = self.program;
        let mut block = Block::new(self, Mode::Active);
        if !program.location(edge.from).atomic {
            block.lines.push("__VERIFIER_atomic_begin();".to_owned());
        }
        for input in &edge.inputs {
            block.input(input)?;
        }
        let writes = block.step(edge)?;
        if !edge.broadcast.is_empty() {
            block.broadcast(edge)?;
        }
        block.lines.extend(writes);
        if !program.location(edge.to).atomic {
            block.lines.push("__VERIFIER_atomic_end();".to_owned());
        }
        block.lines.push(format!("goto location_{};", edge.to.0));
        Ok(block.lines)
    }
}

impl Block<'_, '_> {
    /// Assumes the guard and computes the new values; returns the statements that assign them.
    pub(super) fn step(&mut self, edge: &Edge) -> Result<Vec<String>, CError> {
        for (_, term) in &edge.assign {
            self.announce(*term);
        }
        self.announce(edge.guard);
        if !edge.guard.is_true() {
            let guard = self.expression(edge.guard)?;
            let guard = guard
                .strip_prefix('(')
                .and_then(|rest| rest.strip_suffix(')'))
                .filter(closed)
                .unwrap_or(&guard);
            self.lines.push(format!("__VERIFIER_assume({guard});"));
        }
        self.writes(&edge.assign)
    }

    /// Declares an input and gives it any value.
    fn input(&mut self, input: &Input) -> Result<(), CError> {
        let name = self.emission.names.temporary();
        let data_type = self.input_type(input)?;
        self.lines.push(format!(
            "{}; /* {} */",
            declaration(&data_type, &name, input.name)?,
            comment(input.name.as_str())
        ));
        let lines = self.emission.choose(&name, &data_type, input.name)?;
        self.lines.extend(lines);
        self.overrides.insert(input.name, Reference { name, data_type: Cow::Owned(data_type) });
        Ok(())
    }

    /// The type that fits an input's sort; arrays are as long as the longest variable of the sort.
    pub(super) fn input_type(&self, input: &Input) -> Result<DataType, CError> {
        let scalar = |sort: Sort| match sort.width() {
            Some(width) => DataType::Int { width, signed: false },
            None => DataType::Bool,
        };
        Ok(match (input.sort.index(), input.sort.element()) {
            (Some(index), Some(element)) => DataType::Array {
                index_width: index.width().unwrap_or(1),
                length: Some(self.emission.length(input.sort, input.name)?),
                element: Box::new(scalar(element)),
            },
            _ => scalar(input.sort),
        })
    }

    /// Computes the new values now; the statements that assign them are for later.
    fn writes(&mut self, assign: &[(VariableId, Term)]) -> Result<Vec<String>, CError> {
        let program = self.emission.program;
        let mut writes = Vec::new();
        for &(id, term) in assign {
            let variable = program.variable(id);
            let c_name = self.emission.variables[id.index()].clone();
            if let DataType::Array { .. } = &variable.data_type {
                writes.extend(self.array_writes(id, &c_name, term)?);
            } else {
                let value = self.stable(term)?;
                writes.push(format!("{c_name} = {};", stored(&variable.data_type, &value)?));
            }
        }
        Ok(writes)
    }

    fn array_writes(&mut self, id: VariableId, c_name: &str, term: Term) -> Result<Vec<String>, CError> {
        let program = self.emission.program;
        let variable = program.variable(id);
        let DataType::Array { element, .. } = &variable.data_type else { return Ok(Vec::new()) };
        match self.array_update(id, term)? {
            Update::Stores(stores) => {
                let mut ready = Vec::new();
                for (index, value) in stores {
                    let known = index.as_bits().and_then(smt::Bits::to_u128);
                    ready.push((self.stable(index)?, known, self.stable(value)?));
                }
                let before = std::mem::take(&mut self.lines);
                for (index, known, value) in ready {
                    let value = stored(element, &value)?;
                    self.store(id, &index, known, &value)?;
                }
                Ok(std::mem::replace(&mut self.lines, before))
            }
            Update::Copy(copy) => {
                let length = super::length(&variable.data_type, variable.name)?;
                let value = stored(element, &format!("{copy}[bv_k]"))?;
                Ok(vec![format!(
                    "for (uint64_t bv_k = 0; bv_k < {length}; bv_k++) {c_name}[bv_k] = {value};"
                )])
            }
        }
    }
}

/// Whether each parenthesis in the text is closed after it was opened.
fn closed(text: &&str) -> bool {
    let mut depth = 0_usize;
    text.bytes().all(|byte| {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 0 => return false,
            b')' => depth -= 1,
            _ => {}
        }
        true
    })
}

/// A value as a variable of the type takes it.
pub(super) fn stored(data_type: &DataType, value: &str) -> Result<String, CError> {
    if !is_signed(data_type) {
        return Ok(value.to_owned());
    }
    // Small literals need no cast.
    let digits = value.strip_suffix('u').filter(|digits| digits.parse::<i8>().is_ok());
    match digits {
        Some(digits) => Ok(digits.to_owned()),
        None => Ok(format!("({}){value}", storage_type(data_type)?)),
    }
}
