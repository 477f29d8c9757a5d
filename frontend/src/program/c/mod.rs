//! Programs as C again: to look at, to give to other tools, and to read with our own front end.
//!
//! Shared variables are globals. The initial thread and the threads of the pool are functions; locals are their local variables, except
//! those that broadcasts touch, which are `_Thread_local`, because a broadcast reaches all functions. A location is a label;
//! there a thread picks an edge by `__VERIFIER_nondet_bool()`, enters an atomic section, assumes the guard, assigns, leaves the
//! section and goes on to the next label. (An edge that ends in an atomic location does not leave it.) `main` creates
//! any number of pool threads, then runs the initial thread. Locations that a property forbids call `reach_error()`; data
//! races have no such place and are comments.
//!
//! Operations mean those of bit-vectors: everything is computed in unsigned types and masked where the width is not that of a type;
//! division by zero and shifts by too much have the values of SMT-LIB. Elements outside an array, which no valid program
//! touches, read as zero and ignore writes. A broadcast is a small function for each assignment, whose label
//! `__CPROVER_passive_broadcast` says that it acts on all other threads and that locals in it are theirs; what it needs of the
//! active thread lies in globals.

mod arrays;
mod block;
mod broadcast;
mod helpers;
mod names;
mod operation;
mod run;
mod thread;

use super::{DataType, Edge, EdgeId, Program, Scope, Target, Variable, VariableId, passive};
use block::Reference;
use helpers::Helpers;
use names::Names;
pub use run::{Blocks, blocks};
use rustc_hash::FxHashMap;
use smt::{Sort, Symbol, Value};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Why there is no C for a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CError {
    /// C has no such integers.
    #[error("C has no integers of {0} bits")]
    TooWide(u32),
    /// An array whose length is not known, and too large to guess.
    #[error("`{0}` is an array of unknown length")]
    NoLength(Symbol),
    /// Too many elements for a broadcast, where each is an assignment of its own.
    #[error("`{0}` is too long for a broadcast")]
    LongBroadcast(Symbol),
}

/// The C text of a valid program.
pub fn to_c(program: &Program) -> Result<String, CError> {
    let mut emission = Emission::new(program);
    let main = emission.thread(program.main, "main_thread", true)?;
    let pool = match program.pool {
        Some(pool) => emission.thread(pool, "pool_thread", false)?,
        None => String::new(),
    };
    let start = emission.start()?;
    let mut text = emission.head();
    text.push_str(&emission.globals()?);
    for part in emission.functions.iter().chain([&main, &pool, &start]) {
        if !part.is_empty() {
            text.push('\n');
            text.push_str(part);
        }
    }
    Ok(text)
}

/// A file while it is written.
struct Emission<'a> {
    program: &'a Program,
    names: Names,
    /// The C name of each variable.
    variables: Vec<String>,
    references: FxHashMap<Symbol, Reference<'a>>,
    edges_from: Vec<Vec<EdgeId>>,
    /// Locals that broadcasts touch.
    broadcast: BTreeSet<VariableId>,
    helpers: Helpers,
    /// Globals besides the variables.
    scratch: Vec<String>,
    /// Functions besides the threads.
    functions: Vec<String>,
}

impl<'a> Emission<'a> {
    fn new(program: &'a Program) -> Emission<'a> {
        let mut names = Names::new();
        let mut helpers = Helpers::default();
        let variables: Vec<String> =
            program.variables.iter().map(|variable| names.global(variable.name.as_str())).collect();
        let mut references = FxHashMap::default();
        for (variable, name) in program.variables.iter().zip(&variables) {
            let data_type = Cow::Borrowed(&variable.data_type);
            let reference = Reference { name: name.clone(), data_type };
            references.insert(variable.name, reference);
            let sort = variable.data_type.sort();
            helpers.needs(sort.element().unwrap_or(sort).width().unwrap_or(1));
        }
        let (edges_from, broadcast) = (program.edges_from(), broadcast_locals(program));
        let (scratch, functions) = (Vec::new(), Vec::new());
        Emission { program, names, variables, references, edges_from, broadcast, helpers, scratch, functions }
    }

    fn is_global(&self, id: VariableId) -> bool {
        self.program.variable(id).scope == Scope::Shared || self.broadcast.contains(&id)
    }

    /// Everything before the variables; written last, because only then it is known what is needed.
    fn head(&self) -> String {
        let mut text = String::new();
        for warning in ["unused-label", "unused-but-set-variable"] {
            text.push_str(&format!("#pragma GCC diagnostic ignored \"-W{warning}\"\n"));
        }
        text.push_str("#include <stdint.h>\n\n");
        for note in &self.program.notes {
            text.push_str(&format!("/* note: {} */\n", comment(&note.message)));
        }
        for property in &self.program.properties {
            if matches!(property.target, Target::Race(..)) {
                text.push_str(&format!("/* not expressed: {} */\n", comment(&property.name)));
            }
        }
        text.push_str(helpers::DECLARATIONS);
        text.push_str(&self.helpers.text());
        text
    }

    fn globals(&self) -> Result<String, CError> {
        let mut text = String::from("\n");
        for (index, variable) in self.program.variables.iter().enumerate() {
            let id = VariableId(index as u32);
            if self.is_global(id) {
                let class = if variable.scope == Scope::Local { "_Thread_local " } else { "" };
                let declared = declaration(&variable.data_type, &self.variables[index], variable.name)?;
                let init = match &variable.init {
                    Some(init) => initializer(&variable.data_type, init)?,
                    None => String::new(),
                };
                text.push_str(&format!(
                    "{class}{declared}{init};{}\n",
                    origin(variable, &self.variables[index])
                ));
            }
        }
        for scratch in &self.scratch {
            text.push_str(scratch);
        }
        Ok(text)
    }

    /// `main`: unknown values of globals, the pool, the initial thread.
    fn start(&mut self) -> Result<String, CError> {
        let mut text = String::from("int main(void) {\n");
        let program = self.program;
        for (index, variable) in program.variables.iter().enumerate() {
            // Those of the initial thread, too, if a thread of the pool could change them before it begins.
            if self.is_global(VariableId(index as u32)) && variable.init.is_none() {
                let lines =
                    self.choose(&self.variables[index].clone(), &variable.data_type, variable.name)?;
                text.extend(lines.into_iter().map(|line| format!("    {line}\n")));
            }
        }
        if program.pool.is_some() {
            text.push_str("    while (__VERIFIER_nondet_bool()) {\n");
            let wait = self.needs_prologue();
            text.push_str(if wait { "        pool_ready = 0;\n" } else { "" });
            text.push_str("        __CPROVER_ASYNC_1: pool_thread();\n");
            text.push_str(if wait { "        __VERIFIER_assume(pool_ready);\n" } else { "" });
            text.push_str("    }\n");
        }
        text.push_str("    main_thread();\n    return 0;\n}\n");
        Ok(text)
    }

    /// Whether a thread in the pool has unknown values that a broadcast can change before it moves. Then `main` waits until it has
    /// chosen them.
    fn needs_prologue(&self) -> bool {
        self.broadcast.iter().any(|id| self.program.variable(*id).init.is_none())
    }

    /// How many elements an array has in C.
    fn length(&self, sort: Sort, name: Symbol) -> Result<u64, CError> {
        let index_width = sort.index().and_then(Sort::width).unwrap_or(1);
        let known = self.program.variables.iter().filter(|variable| variable.data_type.sort() == sort);
        let longest = known.filter_map(|variable| length(&variable.data_type, variable.name).ok()).max();
        match longest {
            Some(length) => Ok(length),
            None => default_length(index_width, name),
        }
    }
}

/// Locals that broadcasts assign or read.
fn broadcast_locals(program: &Program) -> BTreeSet<VariableId> {
    let mut by_copy: FxHashMap<Symbol, VariableId> = FxHashMap::default();
    for (index, variable) in program.variables.iter().enumerate() {
        if variable.scope == Scope::Local {
            by_copy.insert(passive(variable.name), VariableId(index as u32));
        }
    }
    let mut found = BTreeSet::new();
    for (id, term) in program.edges.iter().flat_map(|edge| &edge.broadcast.assign) {
        found.insert(*id);
        let names = term.constants().into_iter().filter_map(smt::Term::as_constant);
        found.extend(names.filter_map(|name| by_copy.get(&name)));
    }
    found
}

/// The bits of the smallest C type that has at least as many.
fn container(width: u32) -> Result<u32, CError> {
    [8, 16, 32, 64, 128].into_iter().find(|&container| width <= container).ok_or(CError::TooWide(width))
}

/// The C type for values of a scalar sort while they are computed.
fn value_type(sort: Sort) -> Result<String, CError> {
    match sort.width() {
        Some(width) => Ok(format!("uint{}_t", container(width)?)),
        None => Ok("_Bool".to_owned()),
    }
}

/// The C type of a scalar variable or element: signed if there is a C type of just this width.
fn storage_type(data_type: &DataType) -> Result<String, CError> {
    match data_type {
        DataType::Int { width, signed: true } if container(*width)? == *width => Ok(format!("int{width}_t")),
        _ => value_type(data_type.sort()),
    }
}

/// Whether values have to be converted to [`value_type`].
fn is_signed(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Int { width: 8 | 16 | 32 | 64 | 128, signed: true })
}

/// How many elements an array variable has.
fn length(data_type: &DataType, name: Symbol) -> Result<u64, CError> {
    match data_type {
        DataType::Array { length: Some(length), .. } => Ok((*length).max(1)),
        DataType::Array { index_width, .. } => default_length(*index_width, name),
        _ => Ok(1),
    }
}

fn default_length(index_width: u32, name: Symbol) -> Result<u64, CError> {
    if index_width <= 16 { Ok(1 << index_width) } else { Err(CError::NoLength(name)) }
}

/// A declarator.
fn declaration(data_type: &DataType, c_name: &str, name: Symbol) -> Result<String, CError> {
    match data_type {
        DataType::Array { element, .. } => {
            Ok(format!("{} {c_name}[{}]", storage_type(element)?, length(data_type, name)?))
        }
        _ => Ok(format!("{} {c_name}", storage_type(data_type)?)),
    }
}

fn initializer(data_type: &DataType, value: &Value) -> Result<String, CError> {
    Ok(match (data_type, value) {
        (DataType::Array { element, .. }, Value::Array(array)) => {
            let mut parts = Vec::new();
            let length = length(data_type, Symbol::new("array"))?;
            if *array.default() != Value::zero(element.sort()) {
                let value = constant(element, array.default())?;
                parts.push(format!("[0 ... {}] = {value}", length - 1));
            }
            for (index, entry) in array.entries() {
                if let Some(index) = index.to_u128().filter(|&index| index < u128::from(length)) {
                    parts.push(format!("[{index}] = {}", constant(element, entry)?));
                }
            }
            if parts.is_empty() { " = { 0 }".to_owned() } else { format!(" = {{ {} }}", parts.join(", ")) }
        }
        _ => format!(" = {}", constant(data_type, value)?),
    })
}

/// A value as it is stored.
fn constant(data_type: &DataType, value: &Value) -> Result<String, CError> {
    let text = match value {
        Value::Bool(value) => u8::from(*value).to_string(),
        Value::Bits(bits) => {
            match bits.to_i128().filter(|number| is_signed(data_type) && number.abs() < 1 << 31) {
                Some(number) => return Ok(number.to_string()),
                None => helpers::literal(bits)?,
            }
        }
        Value::Array(_) => "0".to_owned(),
    };
    thread::stored(data_type, &text)
}

/// A comment with the name in the source, where that is another.
fn origin(variable: &Variable, c_name: &str) -> String {
    let name = variable.name.as_str();
    if name == c_name { String::new() } else { format!(" /* {} */", comment(name)) }
}

/// Text that can stand in a comment.
fn comment(text: &str) -> String {
    let line: String =
        text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect();
    line.replace("*/", "* /").replace("/*", "/ *")
}

/// What an edge is about, in a comment.
fn edge_comment(number: usize, edge: &Edge) -> String {
    let texts: Vec<&str> = edge.origin.iter().map(|origin| origin.text.as_str()).collect();
    if texts.is_empty() {
        format!("edge {number}")
    } else {
        format!("edge {number}: {}", comment(&texts.join(" ")))
    }
}

#[cfg(test)]
mod tests;
