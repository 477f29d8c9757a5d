//! Options that contradict each other, beyond what a table of options can say.
//!
//! The rule: asking for something that is not there is an error; switching off what is not there is not. Outputs must not
//! overwrite the inputs or each other.

use crate::Tool;
use crate::args::InputArgs;
use crate::failure::{Failure, Result};
use crate::input::is_stdin;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::path::{Path, PathBuf};

/// clap takes a word behind FILE for an unknown command; this says what is really wrong.
pub fn explain(tool: &Tool, error: clap::Error) -> clap::Error {
    match (error.kind(), error.get(ContextKind::InvalidSubcommand)) {
        (ErrorKind::ArgumentConflict, Some(ContextValue::String(name))) => {
            let message =
                format!("unexpected argument '{name}': commands come first, without other arguments");
            (tool.command)().error(ErrorKind::UnknownArgument, message)
        }
        _ => error,
    }
}

/// An error in the form of those that clap finds itself.
pub fn conflict<T>(message: impl std::fmt::Display) -> Result<T> {
    Err(Failure::Conflict(message.to_string()))
}

/// Options that only C has a use for must not be there if FILE is a program.
pub fn check_program(args: &InputArgs) -> Result<()> {
    if !args.is_program() {
        return Ok(());
    }
    if args.files.len() > 1 {
        return conflict("a program stands alone: it cannot be linked with other files");
    }
    let (preprocessor, translation, properties) = (&args.preprocessor, &args.translation, &args.properties);
    let asked = [
        (!preprocessor.include_directories.is_empty(), "-I"),
        (!preprocessor.macros.is_empty(), "-D and -U"),
        (!preprocessor.include.is_empty(), "--include"),
        (args.project.project.is_some(), "--project"),
        (!args.project.entry.is_empty(), "--entry"),
        (!args.project.init.is_empty(), "--init"),
        (translation.ilp32, "--32"),
        (translation.lp64, "--64"),
        (translation.function.is_some(), "--function"),
        (translation.atomic_statements, "--atomic-statements"),
        (translation.unwind_recursion.is_some(), "--unwind-recursion"),
        (translation.objects_per_site.is_some(), "--objects-per-site"),
        (translation.thread_identities.is_some(), "--thread-identities"),
        (translation.max_operations.is_some(), "--max-operations"),
        (!translation.model.is_empty(), "--model"),
        (!properties.error_label.is_empty(), "--error-label"),
        (properties.bounds_check, "--bounds-check"),
        (properties.div_by_zero_check, "--div-by-zero-check"),
        (properties.mutex_check, "--mutex-check"),
        (properties.signed_overflow_check, "--signed-overflow-check"),
        (properties.shift_check, "--shift-check"),
        (properties.pointer_check, "--pointer-check"),
        (properties.memory_safety_check, "--memory-safety-check"),
        (properties.data_race_check, "--data-race-check"),
    ];
    match asked.into_iter().find(|(asked, _)| *asked) {
        Some((_, option)) => conflict(format!("'{option}' is for C: a program is translated already")),
        None => Ok(()),
    }
}

/// Checks that no output overwrites an input or another output. Options are named as the user types them.
pub fn check_files<'a>(
    args: &'a InputArgs,
    more_inputs: impl IntoIterator<Item = &'a PathBuf>,
    outputs: &[(&str, Option<&Path>)],
) -> Result<()> {
    let inputs = args
        .files
        .iter()
        .chain(&args.project.project)
        .chain(&args.translation.model)
        .chain(&args.preprocessor.include);
    let inputs: Vec<&PathBuf> = inputs.chain(more_inputs).collect();
    let is_repeated = |(index, file): &(usize, &PathBuf)| args.files[..*index].contains(file);
    if let Some((_, file)) = args.files.iter().enumerate().find(is_repeated)
        && !is_stdin(file)
    {
        return conflict(format!("'{}' is given twice", file.display()));
    }
    if inputs.iter().filter(|input| is_stdin(input)).count() > 1 {
        return conflict("only one input can be read from stdin");
    }
    let outputs: Vec<(&str, &Path)> =
        outputs.iter().filter_map(|(option, path)| Some((*option, (*path)?))).collect();
    for (index, (option, path)) in outputs.iter().enumerate() {
        if !is_stdin(path) && inputs.iter().any(|input| is_same_file(path, input)) {
            return conflict(format!("'{option} {}' would overwrite the input", path.display()));
        }
        let same = |(_, other): &&(&str, &Path)| path == other || is_same_file(path, other);
        if let Some((other, _)) = outputs[..index].iter().find(same) {
            return conflict(format!("'{other}' and '{option}' would both write to {}", path.display()));
        }
    }
    Ok(())
}

/// Whether two paths are the same regular file. Devices can be shared.
fn is_same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => same_inode(&a, &b).unwrap_or(a == b && a.is_file()),
        _ => false,
    }
}

/// Hard links are the same file under different names.
#[cfg(unix)]
fn same_inode(a: &Path, b: &Path) -> Option<bool> {
    use std::os::unix::fs::MetadataExt as _;
    let (a, b) = (a.metadata().ok()?, b.metadata().ok()?);
    Some(a.is_file() && (a.dev(), a.ino()) == (b.dev(), b.ino()))
}

#[cfg(not(unix))]
fn same_inode(_: &Path, _: &Path) -> Option<bool> {
    None
}
