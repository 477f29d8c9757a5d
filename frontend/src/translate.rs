//! The whole way from a file to a program: preprocess, choose models, parse, lower, reduce.

use crate::diagnostics::{Diagnostic, Diagnostics, Severity};
use crate::lower::{self, Problem};
use crate::models::{self, UserText, blank_comments};
use crate::parse::{self, Unit};
use crate::preprocess::{self, PreprocessOptions};
use crate::program::{Assumption, Note, Position, Program};
use std::path::Path;

/// A program with the text that it was made from.
#[derive(Debug)]
pub struct Translation {
    /// What the engines work on.
    pub program: Program,
    /// Where positions lead to.
    pub unit: Unit,
}

/// A user's own model: a name for messages, and C text.
#[derive(Clone, Debug)]
pub struct UserModel {
    /// Its file name.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// Translates a file.
pub fn translate_file(
    path: &Path,
    preprocess_options: &PreprocessOptions,
    options: &lower::Options,
    user_models: &[UserModel],
) -> Result<Translation, Diagnostics> {
    let mut preprocessed = preprocess::preprocess(path, preprocess_options)?;
    let unchecked = preprocessed.unchecked.take();
    let prelude = prelude(&preprocessed.text, user_models)?;
    let unit = parse::parse_prepared(path, preprocessed, &prelude)?;
    let mut translation = translate_unit(unit, options)?;
    if let Some(reason) = unchecked {
        let message = format!("no compiler has checked that this is C: {reason}");
        let note = Note::assumption(Assumption::SyntaxCheckSkipped, Position::NONE, message);
        translation.program.notes.push(note);
    }
    Ok(translation)
}

/// Translates preprocessed text.
pub fn translate_text(
    name: &str,
    text: &str,
    options: &lower::Options,
    user_models: &[UserModel],
) -> Result<Translation, Diagnostics> {
    let unit = parse::parse_text(name, text, &prelude(text, user_models)?)?;
    translate_unit(unit, options)
}

fn translate_unit(unit: Unit, options: &lower::Options) -> Result<Translation, Diagnostics> {
    // Expressions nest, and so do calls: both are walked by recursion.
    let program = parse::on_large_stack(|| lower::lower(&unit, options));
    match program {
        Ok(program) => Ok(Translation { program, unit }),
        Err(problems) => Err(diagnostics(&unit, problems)),
    }
}

fn diagnostics(unit: &Unit, problems: Vec<Problem>) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    for problem in problems {
        diagnostics.push(unit.map.diagnostic(Severity::Error, problem.offset, problem.message));
    }
    diagnostics
}

/// The text of all models that a program needs, the user's own first: a definition in them wins.
fn prelude(text: &str, user_models: &[UserModel]) -> Result<String, Diagnostics> {
    let mut prelude = String::new();
    let user = UserText::scan(text);
    for model in models::prelude(&user) {
        let name = models::file_name(model.name, &model.directives());
        prelude.push_str(&format!("# 1 \"{name}\" 3\n"));
        prelude.push_str(&thread_local_fields(&blank_comments(model.text)));
    }
    for model in user_models {
        let directives = models::parse_directives(&model.text)
            .map_err(|error| Diagnostic::about_file(Severity::Error, &model.name, error.to_string()))?;
        if !directives.select(&user) {
            continue;
        }
        let text = thread_local_fields(&blank_comments(&model.text));
        let plain = model.name.escape_default().to_string();
        let name = if directives.accesses_of_user { models::file_name(&plain, &directives) } else { plain };
        prelude.push_str(&format!("# 1 \"{name}\" 3\n{text}\n"));
    }
    Ok(prelude)
}

/// C has no thread-local members; the parser takes an attribute in their place.
fn thread_local_fields(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let indented = line.trim_start();
        match indented.strip_prefix("_Thread_local ") {
            Some(rest) if indented.len() < line.len() => {
                result.push_str(&line[..line.len() - indented.len()]);
                result.push_str("__attribute__((thread_local)) ");
                result.push_str(rest);
            }
            _ => result.push_str(line),
        }
    }
    result
}
