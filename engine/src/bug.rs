//! Runs that violate a property, and when they are believed.

use frontend::program::interpret::replay;
use frontend::program::{Program, Run, trust};

/// A real run that violates a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bug {
    /// The run.
    pub run: Run,
    /// The property, by number.
    pub property: usize,
}

/// A run is believed if it replays, violates the property, and takes no step that reality may not have.
pub fn believe(program: &Program, name: &str, run: Run) -> Option<Bug> {
    let property = program.properties.iter().position(|property| property.name == name)?;
    let outcome = replay(program, &run).ok()?;
    let after = *outcome.violated.get(name)?;
    let doubt = trust::doubt(&program.properties[property], after, &outcome.approximate);
    doubt.is_none().then_some(Bug { run, property })
}
