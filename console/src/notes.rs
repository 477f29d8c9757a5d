//! What is not exact, as warnings at their places.

use crate::input::Loaded;
use frontend::diagnostics::{Diagnostic, Place, Severity};
use frontend::program::{Effect, Note, Position, Program, PropertyKind};

/// All remarks about the input: of the preprocessor, the parser and the translation.
pub fn remarks(loaded: &Loaded) -> Vec<Diagnostic> {
    let mut remarks: Vec<Diagnostic> =
        loaded.unit.iter().flat_map(|unit| unit.warnings.iter().cloned()).collect();
    remarks.extend(loaded.notes().map(|note| remark(loaded, note)));
    remarks
}

/// What to say before runs that cannot violate anything.
pub fn nothing_to_check(loaded: &Loaded) -> Option<Diagnostic> {
    let is_empty = loaded.program.properties.iter().all(|property| property.kind == PropertyKind::Limit);
    let remark = || Diagnostic::about_file(Severity::Warning, &loaded.name, "there is no property to check");
    is_empty.then(remark)
}

fn remark(loaded: &Loaded, note: &Note) -> Diagnostic {
    let (severity, effect) = match note.effect {
        Effect::Over => (Severity::Warning, "over-approximated"),
        Effect::Under => (Severity::Warning, "under-approximated"),
        Effect::Assumption => (Severity::Note, "assumed"),
    };
    let message = format!("{} [{effect}]", note.message);
    match &loaded.unit {
        Some(unit) if note.position.is_some() => unit.map.diagnostic_at(severity, note.position, message),
        _ => Diagnostic {
            position: place(&loaded.program, note.position).unwrap_or_else(|| Place::file(&loaded.name)),
            ..Diagnostic::about_file(severity, "", message)
        },
    }
}

/// The word for the effect of a note.
pub fn effect(note: &Note) -> &'static str {
    match note.effect {
        Effect::Over => "over",
        Effect::Under => "under",
        Effect::Assumption => "assumption",
    }
}

/// A place with the name of its file, if it is one.
pub fn place(program: &Program, position: Position) -> Option<Place> {
    let file = program.files.get(position.file.index())?.clone();
    position.is_some().then_some(Place { file, line: position.line, column: position.column })
}
