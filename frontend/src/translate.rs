//! The whole way from files to a program: preprocess, choose models, parse, link, lower.

use crate::diagnostics::{Diagnostic, Diagnostics, Severity};
use crate::entry::{self, EntryPoints};
use crate::link::{self, File};
use crate::lower::{self, Problem};
use crate::models::{self, UserText, blank_comments};
use crate::parse::{self, Unit};
use crate::preprocess::{self, PreprocessOptions, display_name};
use crate::program::{Assumption, Note, Position, Program};
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};

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

/// A file, and how it is preprocessed.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// Its path; `-` is the standard input.
    pub path: PathBuf,
    /// For the preprocessor.
    pub options: PreprocessOptions,
}

/// Translates a file.
pub fn translate_file(
    path: &Path,
    preprocess_options: &PreprocessOptions,
    options: &lower::Options,
    user_models: &[UserModel],
) -> Result<Translation, Diagnostics> {
    let source = Source { path: path.to_owned(), options: preprocess_options.clone() };
    translate_files(&[source], options, user_models, &EntryPoints::default())
}

/// Translates files that are one program; if entry points are named, a program around these is written.
pub fn translate_files(
    sources: &[Source],
    options: &lower::Options,
    user_models: &[UserModel],
    points: &EntryPoints,
) -> Result<Translation, Diagnostics> {
    let mut unchecked = Vec::new();
    let mut texts = Vec::new();
    for source in sources {
        options.watch.begin("preprocessing");
        let mut preprocessed = preprocess::preprocess(&source.path, &source.options)?;
        unchecked.extend(preprocessed.unchecked.take());
        texts.push((display_name(&source.path).into_owned(), &source.path, preprocessed));
    }
    options.watch.begin("parsing");
    let all: Vec<&str> = texts.iter().map(|(_, _, preprocessed)| preprocessed.text.as_str()).collect();
    let all = all.join("\n");
    let user = UserText::scan(&all);
    let prelude = prelude(&user, user_models)?;
    let mut files = Vec::new();
    for (name, path, preprocessed) in texts {
        let unit = parse::parse_prepared(path, preprocessed, &prelude)?;
        files.push(File { name, unit, is_open: false });
    }
    let replaced = replaced(&files, &user, user_models)?;
    let around =
        Around { points, prelude: &prelude, replaced, has_own_threads: user.defines("pthread_create") };
    let (unit, options) = one_unit(files, options, &around)?;
    let mut translation = translate_unit(unit, &options)?;
    for reason in unchecked {
        let message = format!("no compiler has checked that this is C: {reason}");
        let note = Note::assumption(Assumption::SyntaxCheckSkipped, Position::NONE, message);
        translation.program.notes.push(note);
    }
    Ok(translation)
}

/// What files are linked with.
struct Around<'a> {
    points: &'a EntryPoints,
    prelude: &'a str,
    /// Functions of the files that the user's models replace.
    replaced: FxHashSet<String>,
    has_own_threads: bool,
}

/// Links the files, with the program around entry points, if there are any.
fn one_unit(
    mut files: Vec<File>,
    options: &lower::Options,
    around: &Around<'_>,
) -> Result<(Unit, lower::Options), Diagnostics> {
    let points = around.points;
    let mut options = options.clone();
    if !(points.entries.is_empty() && points.inits.is_empty()) {
        let harness = entry::harness(points, &files, around.has_own_threads)?;
        let unit = parse::parse_text(entry::FILE, &harness.text, around.prelude)?;
        files.push(File { name: entry::FILE.to_owned(), unit, is_open: true });
        options.function = harness.function;
    } else if options.function == lower::Options::default().function
        && !entry::is_defined(&files, &options.function)
    {
        return Err(entry::offer::offer(&files, &options.function).into());
    }
    let unit = match files.pop() {
        Some(only) if files.is_empty() && around.replaced.is_empty() => only.unit,
        last => {
            files.extend(last);
            link::link(files, &around.replaced)?
        }
    };
    Ok((unit, options))
}

/// Translates preprocessed text.
pub fn translate_text(
    name: &str,
    text: &str,
    options: &lower::Options,
    user_models: &[UserModel],
) -> Result<Translation, Diagnostics> {
    options.watch.begin("parsing");
    let unit = parse::parse_text(name, text, &prelude(&UserText::scan(text), user_models)?)?;
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
        let message = lower::shown_to_user(&problem.message);
        diagnostics.push(unit.map.diagnostic(Severity::Error, problem.offset, message));
    }
    diagnostics
}

/// The functions of the program that the user's models replace. A model that has nothing to say about the program is a mistake.
fn replaced(
    files: &[File],
    user: &UserText<'_>,
    user_models: &[UserModel],
) -> Result<FxHashSet<String>, Diagnostics> {
    let is_users = |function: &str| entry::is_defined_by_user(files, function);
    let mut replaced = FxHashSet::default();
    for model in user_models {
        let fail = |message: String| Diagnostic::about_file(Severity::Error, &model.name, message);
        let directives = models::parse_directives(&model.text).map_err(|error| fail(error.to_string()))?;
        if !directives.select(user) {
            let message = "is not used: what its first lines ask for is not there";
            return Err(fail(message.to_owned()).into());
        }
        let text = UserText::scan(&model.text);
        let functions = text.defined_functions();
        if !functions.iter().any(|function| user.mentions(function)) {
            let message = format!(
                "replaces nothing: the program mentions none of its functions ({})",
                functions.join(", ")
            );
            return Err(fail(message).into());
        }
        replaced.extend(functions.into_iter().filter(|function| is_users(function)).map(str::to_owned));
    }
    Ok(replaced)
}

/// The text of all models that a program needs, the user's own first: a definition in them wins.
fn prelude(user: &UserText<'_>, user_models: &[UserModel]) -> Result<String, Diagnostics> {
    let mut prelude = String::new();
    for model in models::prelude(user) {
        let name = models::file_name(model.name, &model.directives());
        prelude.push_str(&format!("# 1 \"{name}\" 3\n"));
        prelude.push_str(&thread_local_fields(&blank_comments(model.text)));
    }
    for model in user_models {
        let directives = models::parse_directives(&model.text)
            .map_err(|error| Diagnostic::about_file(Severity::Error, &model.name, error.to_string()))?;
        if !directives.select(user) {
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
