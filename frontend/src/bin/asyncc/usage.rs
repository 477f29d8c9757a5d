//! Options that contradict each other, beyond what the table of options can say.
//!
//! The rule: asking for something that is not there is an error; switching off what is not there is not. Outputs must not
//! overwrite the inputs or each other.

use super::args::{Cli, EmitArg, MainArgs};
use super::emit::form_of;
use super::failure::Result;
use super::input::is_stdin;
use clap::CommandFactory as _;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::path::{Path, PathBuf};

/// clap takes a second FILE for an unknown command; this says what is really wrong.
pub(super) fn explain(error: clap::Error) -> clap::Error {
    match (error.kind(), error.get(ContextKind::InvalidSubcommand)) {
        (ErrorKind::ArgumentConflict, Some(ContextValue::String(name))) => {
            let message =
                format!("unexpected argument '{name}': commands come first, and there is one FILE at a time");
            Cli::command().error(ErrorKind::UnknownArgument, message)
        }
        _ => error,
    }
}

/// An error in the form of those that clap finds itself.
pub(super) fn conflict<T>(message: impl std::fmt::Display) -> Result<T> {
    Err(Cli::command().error(ErrorKind::ArgumentConflict, message).into())
}

/// Checks all options.
pub(super) fn check(args: &MainArgs) -> Result<()> {
    check_emit(args)?;
    check_trace(args)?;
    if is_program(args) {
        check_program(args)?;
    }
    check_files(args)
}

/// Whether FILE is a program.
pub(super) fn is_program(args: &MainArgs) -> bool {
    let suffix = args.file.as_deref().and_then(Path::extension);
    args.from_program || suffix.is_some_and(|suffix| suffix == "prog")
}

fn check_emit(args: &MainArgs) -> Result<()> {
    match (&args.output.output, args.output.emit) {
        (Some(path), None) if form_of(path).is_none() => conflict(format!(
            "the suffix of '{}' does not tell the form to write: add '--emit program', 'dot', 'c' or 'json'",
            path.display()
        )),
        _ => Ok(()),
    }
}

fn check_trace(args: &MainArgs) -> Result<()> {
    let exploration = &args.exploration;
    let runs = exploration.explore.is_some() || exploration.random.is_some() || exploration.replay.is_some();
    if args.properties.show_properties && runs {
        return conflict("'--show-properties' cannot be used with '--explore', '--random' or '--replay'");
    }
    match &exploration.trace {
        Some(_) if !runs => {
            conflict("'--trace' needs '--explore', '--random' or '--replay': there is no run to write")
        }
        Some(path) if args.output.json && is_stdin(path) => {
            conflict("'--json' cannot be used with '--trace -': stdout has the JSON document")
        }
        _ => Ok(()),
    }
}

/// Options that only C has a use for.
fn check_program(args: &MainArgs) -> Result<()> {
    let (preprocessor, translation, properties) = (&args.preprocessor, &args.translation, &args.properties);
    let asked = [
        (!preprocessor.include_directories.is_empty(), "-I"),
        (!preprocessor.macros.is_empty(), "-D and -U"),
        (!preprocessor.include.is_empty(), "--include"),
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
        (properties.data_race_check, "--data-race-check"),
    ];
    match asked.into_iter().find(|(asked, _)| *asked) {
        Some((_, option)) => conflict(format!("'{option}' is for C: a program is translated already")),
        None => Ok(()),
    }
}

fn check_files(args: &MainArgs) -> Result<()> {
    let outputs = [("--output", &args.output.output), ("--trace", &args.exploration.trace)];
    let inputs = args.file.iter().chain(&args.translation.model).chain(&args.preprocessor.include);
    let inputs: Vec<&PathBuf> = inputs.chain(&args.exploration.replay).collect();
    if inputs.iter().filter(|input| is_stdin(input)).count() > 1 {
        return conflict("only one input can be read from stdin");
    }
    for (option, path) in outputs.into_iter().filter_map(|(option, path)| Some((option, path.as_deref()?))) {
        if !is_stdin(path) && inputs.iter().any(|input| is_same_file(path, input)) {
            return conflict(format!("'{option} {}' would overwrite the input", path.display()));
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

/// The form to write, if a program is to be written.
pub(super) fn form(args: &MainArgs) -> Option<EmitArg> {
    args.output.emit.or_else(|| form_of(args.output.output.as_deref()?))
}
