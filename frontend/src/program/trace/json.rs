//! Traces for programs, as one JSON document.
//!
//! ```text
//! { "threads": n,
//!   "initial": [value...],
//!   "steps": [ { "thread": t, "edge": number, "from": location, "to": location,
//!                "origin": [ { "file", "line", "column", "function", "text" }... ],
//!                "inputs": [ { "name", "value" }... ],
//!                "accesses": [ { "variable", "index": text or null, "write": bool, "value", "old" }... ],
//!                "changes": [value...] }... ],
//!   "violated": [ { "property": name, "after_steps": n }... ],
//!   "approximate": [ { "step": index, "note": number, "message": text }... ] }
//! value = { "variable": name, "thread": t or null, "value": text as in the textual trace, "smtlib": text }
//! ```
//!
//! Threads, edges, locations and steps count from 0; fields are in alphabetical order.

use super::{Access, Change, Trace, TraceStep};
use crate::program::infix::Infix;
use crate::program::json::origin;
use serde_json::{Value, json};

impl Trace<'_> {
    /// The trace as JSON.
    pub fn to_json(&self) -> Value {
        let infix = Infix::new(self.program);
        let changes = |changes: &[Change]| -> Vec<Value> {
            changes.iter().map(|change| self.change(&infix, change)).collect()
        };
        let steps: Vec<Value> = self
            .steps
            .iter()
            .map(|step| {
                let mut object = self.step(&infix, step);
                object["accesses"] = step.accesses.iter().map(|access| self.access(&infix, access)).collect();
                object["changes"] = Value::Array(changes(&step.changes));
                object
            })
            .collect();
        let violated =
            self.violated.iter().map(|(name, steps)| json!({ "property": name, "after_steps": steps }));
        let approximate = self.approximate.iter().map(|(step, note)| {
            let message = self.program.notes.get(note.0 as usize).map(|note| note.message.as_str());
            json!({ "step": step, "note": note.0, "message": message })
        });
        json!({
            "threads": self.threads,
            "initial": changes(&self.initial),
            "steps": steps,
            "violated": violated.collect::<Vec<_>>(),
            "approximate": approximate.collect::<Vec<_>>(),
        })
    }

    fn step(&self, infix: &Infix<'_>, step: &TraceStep<'_>) -> Value {
        let inputs = step.edge.inputs.iter().zip(&step.inputs);
        let inputs =
            inputs.map(|(input, value)| json!({ "name": input.name.as_str(), "value": infix.chosen(value) }));
        let origins = step.edge.origin.iter().map(|place| origin(self.program, place));
        json!({
            "thread": step.thread,
            "edge": step.id.0,
            "from": step.edge.from.0,
            "to": step.edge.to.0,
            "origin": origins.collect::<Vec<_>>(),
            "inputs": inputs.collect::<Vec<_>>(),
        })
    }

    fn access(&self, infix: &Infix<'_>, access: &Access) -> Value {
        json!({
            "variable": self.program.variable(access.variable).name.as_str(),
            "index": access.index.as_ref().map(|index| infix.chosen(index)),
            "write": access.write,
            "value": infix.value(access.data_type(self.program), &access.value),
            "old": infix.value(access.data_type(self.program), &access.old),
        })
    }

    fn change(&self, infix: &Infix<'_>, change: &Change) -> Value {
        let variable = self.program.variable(change.variable);
        json!({
            "variable": variable.name.as_str(),
            "thread": change.thread,
            "value": infix.value(&variable.data_type, &change.value),
            "smtlib": change.value.to_string(),
        })
    }
}
