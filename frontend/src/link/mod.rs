//! Several files as one program.
//!
//! Each file has been parsed by itself, with its own macros and its own names of types. Linking writes one text of all: what several files say about
//! the same type is kept once, and a name that stands for different things in different files (static functions and variables, inline
//! functions, types, constants) gets a number. Then the parser and the translation see one file, and declarations of the same function or variable
//! meet as they do inside of a file: tentative definitions merge, `extern` finds its definition, and what contradicts is an error
//! that names both places (`lower::declare::linkage`).
//!
//! Giving every mention of a name in a file another spelling changes nothing in that file (C11 6.2.1). Members and labels
//! keep their names, since they cannot be confused, and members are part of what makes types compatible.

mod classes;
mod survey;

use crate::diagnostics::{Diagnostic, Diagnostics, Severity};
use crate::lower::ERROR_FUNCTIONS;
use crate::parse::{self, Unit};
use crate::tokens::edits::{Edits, OffsetMap};
use classes::{Classes, Plan};
use rustc_hash::{FxHashMap, FxHashSet};
use survey::{Space, Spare, Survey};

/// A file that has been parsed.
#[derive(Debug)]
pub(crate) struct File {
    /// Its name in messages.
    pub name: String,
    /// Its tree, with the models in front, which are the same for all files.
    pub unit: Unit,
    /// Whether its names are looked up in the other files: text of ours about the user's.
    pub is_open: bool,
}

/// Makes one unit of the units of several files.
///
/// Functions in `replaced` have a body in a model of the user's, which counts.
pub(crate) fn link(files: Vec<File>, replaced: &FxHashSet<String>) -> Result<Unit, Diagnostics> {
    if let Some(message) = unspeakable(&files) {
        return Err(message.into());
    }
    let joined = {
        let starts: Vec<usize> = files.iter().map(|file| file.unit.user_start()).collect();
        let closed = files.iter().zip(&starts).filter(|(file, _)| !file.is_open);
        let surveys: Vec<Survey<'_>> =
            closed.map(|(file, start)| Survey::of(&file.unit, *start, file.unit.text.len())).collect();
        let mut ours = ours(&files[0].unit, starts[0]);
        ours.extend(replaced.iter().map(|name| (Space::Ordinary, name.as_str())));
        let plan = Classes::new(&surveys, &ours).plan();
        let bodies = replaced_bodies(&surveys, replaced);
        let mut edits = Vec::new();
        for (index, file) in files.iter().enumerate() {
            edits.push(match surveys.get(index) {
                Some(survey) => changes(survey, &plan, index, &bodies[index]),
                None => found_elsewhere(file, starts[index], &surveys, &plan)?,
            });
        }
        join(&files, &starts, edits, &plan)
    };
    parse::parse_linked(joined, files)
}

/// All files in one text, not parsed yet.
pub(crate) struct Joined {
    /// The text before the token pass of each file.
    pub original: String,
    /// The text for the parser.
    pub text: String,
    /// From the latter to the former.
    pub offsets: OffsetMap,
    /// Where the files begin in `text`.
    pub parts: Vec<usize>,
    /// How far places in the text before the token pass of each file have moved: what to take away, and what to add.
    pub moved: Vec<(usize, usize)>,
    /// New names, and what the user wrote.
    pub renamed: FxHashMap<String, String>,
}

/// A name that one file spells with letters only because the parser does not know its characters, and another file has as it is.
fn unspeakable(files: &[File]) -> Option<Diagnostic> {
    for file in files {
        for name in file.unit.renamed_names() {
            let meets = |other: &&File| other.unit.name(name) == name && mentions(&other.unit.text, name);
            if let Some(other) = files.iter().find(meets) {
                let message = format!(
                    "'{}' here and '{name}' in {} cannot be told apart",
                    file.unit.name(name),
                    other.name
                );
                return Some(Diagnostic::about_file(Severity::Error, &file.name, message));
            }
        }
    }
    None
}

fn mentions(text: &str, name: &str) -> bool {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).any(|word| word == name)
}

/// Names that mean the same in all files: the types of our models, and functions that are known by their name.
fn ours(unit: &Unit, end: usize) -> FxHashSet<(Space, &str)> {
    let models = Survey::of(unit, 0, end);
    let types = models.types.into_iter().flat_map(|declaration| declaration.defines);
    types.chain(ERROR_FUNCTIONS.iter().map(|name| (Space::Ordinary, *name))).collect()
}

/// Bodies of functions that make room for another one: those that a model replaces, weak ones, and those of functions of which only the
/// name matters.
fn replaced_bodies(files: &[Survey<'_>], by_model: &FxHashSet<String>) -> Vec<Vec<lang_c::span::Span>> {
    let mut kept: FxHashMap<&str, (usize, bool)> = FxHashMap::default();
    for (index, file) in files.iter().enumerate() {
        for body in file.bodies.iter().filter(|body| !file.is_internal(body.name)) {
            let known = kept.entry(body.name).or_insert((index, body.is_weak));
            if known.1 && !body.is_weak {
                *known = (index, false);
            }
        }
    }
    let mut seen = FxHashSet::default();
    let mut replaced = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let mut own = Vec::new();
        for body in &file.bodies {
            let is_internal = file.is_internal(body.name);
            let is_replaced = if by_model.contains(body.name) {
                true
            } else if is_internal {
                ERROR_FUNCTIONS.contains(&body.name) && !seen.insert(body.name)
            } else {
                body.is_weak && kept.get(body.name).is_some_and(|(first, _)| *first != index)
            };
            if is_replaced {
                own.push(body.body);
            }
        }
        replaced.push(own);
    }
    replaced
}

/// What changes in the text of a file.
fn changes(survey: &Survey<'_>, plan: &Plan, index: usize, bodies: &[lang_c::span::Span]) -> Edits {
    let mut edits = Edits::default();
    for declaration in &plan.repeated[index] {
        let declaration = &survey.types[*declaration];
        match declaration.spare {
            Spare::Whole => edits.blank(declaration.span.start as u32, declaration.span.end as u32),
            Spare::Body(body) => edits.blank(body.start as u32, body.end as u32),
            Spare::Nothing => {}
        }
    }
    for body in bodies {
        edits.replace(body.start as u32, body.end as u32, ";");
    }
    for word in &survey.words {
        if let Some(fresh) = plan.renamed[index].get(&(word.space, word.name.to_owned())) {
            edits.replace(word.start as u32, (word.start + word.name.len()) as u32, fresh.clone());
        }
    }
    edits
}

/// What changes in a text whose names are those of the files: a name that has a number now stands for the one function that has a body. It is
/// an error if it could stand for something else.
fn found_elsewhere(
    file: &File,
    start: usize,
    surveys: &[Survey<'_>],
    plan: &Plan,
) -> Result<Edits, Diagnostics> {
    let mut edits = Edits::default();
    for word in Survey::of(&file.unit, start, file.unit.text.len()).words {
        let key = (word.space, word.name.to_owned());
        let mut fresh = None;
        let mut is_one_function = true;
        for (survey, renamed) in surveys.iter().zip(&plan.renamed) {
            let Some(name) = renamed.get(&key) else { continue };
            let has_body = survey.linkage.get(word.name).is_some_and(|linkage| linkage.has_body);
            is_one_function &= has_body && fresh.is_none();
            fresh = Some(name);
        }
        let offered = |survey: &Survey<'_>| {
            let linkage = survey.linkage.get(word.name);
            linkage.is_some_and(|linkage| linkage.has_body) && !survey.is_internal(word.name)
        };
        match fresh {
            Some(name) if is_one_function && !surveys.iter().any(offered) => {
                edits.replace(word.start as u32, (word.start + word.name.len()) as u32, name.clone());
            }
            Some(_) => {
                let message = format!("'{}' stands for different things in different files", word.name);
                return Err(file.unit.map.diagnostic(Severity::Error, word.start, message).into());
            }
            None => {}
        }
    }
    Ok(edits)
}

fn join(files: &[File], starts: &[usize], edits: Vec<Edits>, plan: &Plan) -> Joined {
    let mut joined = Joined {
        original: String::new(),
        text: String::new(),
        offsets: OffsetMap::identity(),
        parts: Vec::new(),
        moved: Vec::new(),
        renamed: FxHashMap::default(),
    };
    for (index, (file, edits)) in files.iter().zip(edits).enumerate() {
        let unit = &file.unit;
        // The models come with the first file.
        let (from, from_original) = if index == 0 { (0, 0) } else { (starts[index], unit.map.user_start()) };
        if index > 0 {
            joined.original.push_str(&format!("\n# 1 {}\n", parse::quoted(&file.name)));
            joined.offsets.insert(joined.text.len(), joined.original.len());
            joined.text.push('\n');
        }
        let (text, changes) = edits.apply(&unit.text);
        let first = changes.first_at(from);
        joined.parts.push(joined.text.len());
        joined.moved.push((from_original, joined.original.len()));
        joined.offsets.append(
            joined.text.len(),
            (&changes, first..text.len()),
            unit.map.offsets(),
            |original| original.saturating_sub(from_original) + joined.original.len(),
        );
        joined.text.push_str(&text[first..]);
        joined.original.push_str(&unit.map.text()[from_original..]);
        for ((_, written), fresh) in plan.renamed.get(index).into_iter().flatten() {
            joined.renamed.insert(fresh.clone(), unit.name(written).to_owned());
        }
    }
    joined
}

#[cfg(test)]
mod tests;
