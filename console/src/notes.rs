//! What is not exact, as warnings at their places.

use crate::input::Loaded;
use crate::listing::properties_in_words;
use frontend::diagnostics::{Diagnostic, Place, Severity};
use frontend::program::{Effect, Note, NoteId, Position, Program, PropertyKind, trust};

/// All remarks about the input: of the preprocessor, the parser and the translation.
pub fn remarks(loaded: &Loaded) -> Vec<Diagnostic> {
    let mut remarks = inexact(loaded);
    let assumed = trust::assumptions(&loaded.program);
    remarks.extend(assumed.into_iter().map(|note| remark(loaded, note)));
    remarks
}

/// The same without assumptions: for those who say them with the verdict.
pub fn inexact(loaded: &Loaded) -> Vec<Diagnostic> {
    let mut remarks: Vec<Diagnostic> =
        loaded.unit.iter().flat_map(|unit| unit.warnings.iter().cloned()).collect();
    let notes = loaded.notes().filter(|note| note.effect != Effect::Assumption);
    remarks.extend(notes.map(|note| remark(loaded, note)));
    remarks
}

/// A note with its place, in one line.
pub fn note_text(program: &Program, note: NoteId) -> String {
    let Some(note) = program.notes.get(note.0 as usize) else { return String::new() };
    match place(program, note.position) {
        Some(place) => format!("{place}: {}", note.message),
        None => note.message.clone(),
    }
}

/// What to say before runs that cannot violate anything.
pub fn nothing_to_check(loaded: &Loaded) -> Option<Diagnostic> {
    let is_empty = loaded.program.properties.iter().all(|property| property.kind == PropertyKind::Limit);
    let message = match loaded.written {
        0 => "there is no property to check; --error-label names a label that must not be reached".to_owned(),
        written => {
            format!("none of the {} in the source is asked for", properties_in_words(written))
        }
    };
    is_empty.then(|| Diagnostic::about_file(Severity::Warning, &loaded.name, message))
}

fn remark(loaded: &Loaded, note: &Note) -> Diagnostic {
    let severity = match note.effect {
        Effect::Over | Effect::Under | Effect::Inexact => Severity::Warning,
        Effect::Assumption => Severity::Note,
    };
    let message = format!("{} [{}]", note.assumed(None), note.effect.in_words());
    match &loaded.unit {
        Some(unit) if note.position.is_some() => unit.map.diagnostic_at(severity, note.position, message),
        _ => Diagnostic {
            position: place(&loaded.program, note.position).unwrap_or_else(|| Place::file(&loaded.name)),
            ..Diagnostic::about_file(severity, "", message)
        },
    }
}

/// A place with the name of its file, if it is one.
pub fn place(program: &Program, position: Position) -> Option<Place> {
    let file = program.files.get(position.file.index())?.clone();
    position.is_some().then_some(Place { file, line: position.line, column: position.column })
}
