//! What names of variables in the translated program mean for the user's source.

use frontend::program::trace::{Access, TraceStep};
use frontend::program::{Position, Program, Scope, VariableId};
use smt::Value;
use std::collections::BTreeSet;

/// The name of all memory that the program allocates.
pub(super) const HEAP: &str = "(heap)";

/// What names of variables mean.
pub(super) struct Names<'a> {
    /// The program as it was translated.
    pub(super) program: &'a Program,
}

impl Names<'_> {
    /// The name of a variable.
    pub(super) fn variable(&self, id: VariableId) -> &str {
        self.program.variable(id).name.as_str()
    }

    /// The global variables of the user that threads share.
    pub(super) fn objects(&self) -> BTreeSet<String> {
        let shared = self.program.variables.iter().filter(|variable| variable.scope == Scope::Shared);
        let own = shared.filter(|variable| !self.is_model(variable.position));
        let objects = own.filter_map(|variable| self.object(variable.name.as_str()));
        objects.filter(|name| name != HEAP).collect()
    }

    /// Whether this is a place in one of our models.
    pub(super) fn is_model(&self, position: Position) -> bool {
        self.program.files.get(position.file.index()).is_some_and(|file| file.starts_with('<'))
    }

    /// The global variable of the user that a variable is a part of, or the heap.
    pub(super) fn object(&self, name: &str) -> Option<String> {
        if name.starts_with("heap:") {
            return Some(HEAP.to_owned());
        }
        let end = name.find(['.', '[', ':']).unwrap_or(name.len());
        let (base, rest) = name.split_at(end);
        if let Some(inner) = rest.strip_prefix("::") {
            return self.in_function(base, inner);
        }
        if rest.starts_with(':') || !self.has_address(base) {
            return None;
        }
        written(base)
    }

    /// A `static` variable of a function. Nothing else of a function has a place of its own that a table of symbols knows.
    fn in_function(&self, function: &str, inner: &str) -> Option<String> {
        let end = inner.find(['.', '[', ':']).unwrap_or(inner.len());
        let full = format!("{function}::{}", &inner[..end]);
        let mut parts = self.program.variables.iter().filter(|variable| {
            let rest = variable.name.as_str().strip_prefix(&full);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        });
        let is_static = parts.all(|part| part.scope == Scope::Shared && part.init.is_some());
        (is_static && self.has_address(&full)).then(|| written(&inner[..end]))?
    }

    fn has_address(&self, name: &str) -> bool {
        let address = format!("&{name}");
        self.program.addresses.iter().any(|named| named.name.as_str() == address)
    }

    /// Whether a variable only says that an object of the heap is in use.
    pub(super) fn is_use(&self, id: VariableId) -> bool {
        let name = self.variable(id);
        name.starts_with("heap:") && name.ends_with(".used")
    }

    /// Whether an object of the heap is given back.
    pub(super) fn is_given_back(&self, access: &Access) -> bool {
        access.write && access.value == Value::Bool(false) && self.is_use(access.variable)
    }

    /// Whether the step is part of a model.
    pub(super) fn in_library(&self, step: &TraceStep<'_>) -> bool {
        let assigned = step.edge.assign.iter().map(|(id, _)| *id);
        let mut touched = assigned.chain(step.accesses.iter().map(|access| access.variable));
        let by_variable = touched.any(|id| {
            self.is_model(self.program.variable(id).position) || self.variable(id).starts_with("spawn.")
        });
        by_variable || self.reads_model(step)
    }

    fn reads_model(&self, step: &TraceStep<'_>) -> bool {
        let constants = step.edge.guard.constants();
        let mut names = constants.iter().filter_map(|term| term.as_constant());
        names.any(|name| {
            let mut variables = self.program.variables.iter();
            variables.any(|variable| variable.name == name && self.is_model(variable.position))
        })
    }

    /// The function of the library whose parameter the step sets.
    pub(super) fn called(&self, step: &TraceStep<'_>) -> Option<(String, VariableId)> {
        step.edge.assign.iter().find_map(|(id, _)| {
            let variable = self.program.variable(*id);
            let (function, parameter) = variable.name.as_str().split_once("::")?;
            let is_call = self.is_model(variable.position)
                && !function.starts_with("library.")
                && parameter != "return"
                && !parameter.starts_with('$');
            is_call.then(|| (function.to_owned(), *id))
        })
    }
}

/// The name as it is in the source: what has the same name as something else, in another file or in our models, has a number.
fn written(name: &str) -> Option<String> {
    let written = name.split_once('#').map_or(name, |(written, _)| written);
    let is_name = written.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$');
    is_name.then(|| written.to_owned())
}
