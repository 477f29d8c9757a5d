//! What names of variables in the translated program mean for the user's source.

use frontend::program::trace::TraceStep;
use frontend::program::{Position, Program, Scope, VariableId};
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
        if rest.starts_with(':') {
            return None;
        }
        let address = format!("&{base}");
        let known = self.program.addresses.iter().any(|named| named.name.as_str() == address);
        // A variable with the name of something in our models has a number, which is not in the source.
        let written = base.split_once('#').map_or(base, |(written, _)| written);
        let is_name = written.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$');
        (known && is_name).then(|| written.to_owned())
    }

    /// Whether a variable only says that an object of the heap is in use.
    pub(super) fn is_use(&self, id: VariableId) -> bool {
        let name = self.variable(id);
        name.starts_with("heap:") && name.ends_with(".used")
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
