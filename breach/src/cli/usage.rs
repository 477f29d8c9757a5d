//! Options that contradict each other, beyond what the table of options can say.
//!
//! The rule: asking for something that the chosen algorithm does not have is an error; switching off what it does
//! not have is not. Outputs must not overwrite the input or each other.

use super::args::{Cli, GenerateArgs};
use super::failure::Result;
use super::options::{AlgorithmArg, CoverArgs, OutputArgs, SearchArgs};
use clap::CommandFactory as _;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::path::Path;

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

/// Checks the options of `breach FILE`.
pub(super) fn check_cover(args: &CoverArgs) -> Result<()> {
    check_algorithm(&args.search, &args.output)?;
    check_stdout(&args.output)?;
    check_files(args)
}

/// Checks the options of `breach generate`.
pub(super) fn check_generate(args: &GenerateArgs) -> Result<()> {
    if args.transfers + args.spawns + args.broadcasts > 1.0 {
        let message = "'--transfers', '--spawns' and '--broadcasts' must not exceed 1 together";
        return conflict_in("generate", message);
    }
    Ok(())
}

/// An error in the form of those that clap finds itself.
pub(super) fn conflict<T>(message: impl std::fmt::Display) -> Result<T> {
    Err(Cli::command().error(ErrorKind::ArgumentConflict, message).into())
}

/// The same for one of the other commands.
pub(super) fn conflict_in<T>(name: &str, message: impl std::fmt::Display) -> Result<T> {
    let mut command = Cli::command();
    command.build();
    match command.find_subcommand_mut(name) {
        Some(found) => Err(found.error(ErrorKind::ArgumentConflict, message).into()),
        None => conflict(message),
    }
}

fn check_algorithm(search: &SearchArgs, output: &OutputArgs) -> Result<()> {
    let name = match search.algorithm {
        AlgorithmArg::Forward => "forward",
        AlgorithmArg::Backward => "backward",
        AlgorithmArg::Widening => "widening",
        AlgorithmArg::Optimistic => "optimistic",
    };
    let forward = search.algorithm == AlgorithmArg::Forward;
    let widens = matches!(search.algorithm, AlgorithmArg::Widening | AlgorithmArg::Optimistic);
    let contradictions = [
        (forward && search.no_oracle, "--no-oracle", "the forward search is the oracle"),
        (forward && output.write_graph.is_some(), "--write-graph", "there is no backward graph to draw"),
        (forward && output.write_curve.is_some(), "--write-curve", "there is no backward search"),
        (!widens && search.widening_width.is_some(), "--widening-width", "it does not widen"),
        (
            search.algorithm == AlgorithmArg::Widening && search.no_widening,
            "--no-widening",
            "use '--algorithm backward'",
        ),
    ];
    for (found, option, reason) in contradictions {
        if found {
            return conflict(format!("'--algorithm {name}' cannot be used with '{option}': {reason}"));
        }
    }
    if search.no_oracle && output.write_tree.is_some() {
        return conflict(
            "'--no-oracle' cannot be used with '--write-tree': there is no forward tree to draw",
        );
    }
    Ok(())
}

/// The outputs with the names of their options.
pub(super) fn outputs(output: &OutputArgs) -> impl Iterator<Item = (&'static str, &Path)> {
    let all = [
        ("--trace", &output.trace),
        ("--proof", &output.proof),
        ("--write-graph", &output.write_graph),
        ("--write-tree", &output.write_tree),
        ("--write-curve", &output.write_curve),
    ];
    all.into_iter().filter_map(|(option, path)| Some((option, path.as_deref()?)))
}

/// A trace and a proof never come together; everything else on stdout would be mixed up.
fn check_stdout(output: &OutputArgs) -> Result<()> {
    let on_stdout: Vec<_> = outputs(output).filter(|o| o.1 == Path::new("-")).map(|o| o.0).collect();
    match on_stdout[..] {
        [option, ..] if output.json => {
            conflict(format!("'--json' cannot be used with '{option} -': stdout has the JSON document"))
        }
        [] | [_] | ["--trace", "--proof"] => Ok(()),
        [first, .., last] => conflict(format!("'{first} -' cannot be used with '{last} -'")),
    }
}

fn check_files(args: &CoverArgs) -> Result<()> {
    let files: Vec<_> = outputs(&args.output).filter(|o| o.1 != Path::new("-")).collect();
    let inputs = args.file.iter().map(|f| f.as_path()).chain(args.question.target.iter().map(Path::new));
    for input in inputs {
        if let Some((option, path)) = files.iter().find(|o| is_same_file(o.1, input)) {
            return conflict(format!("'{option} {}' would overwrite the input", path.display()));
        }
    }
    for (index, (first, path)) in files.iter().enumerate() {
        if let Some((second, _)) = files[..index].iter().find(|o| is_same_file(o.1, path)) {
            return conflict(format!("'{second}' and '{first}' both write {}", path.display()));
        }
    }
    Ok(())
}

/// Whether two paths are the same regular file, also if it does not exist yet. Devices can be shared.
pub(super) fn is_same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => same_inode(&a, &b).unwrap_or(a == b && a.is_file()),
        (Err(_), Err(_)) => in_real_folder(a).is_some_and(|a| Some(a) == in_real_folder(b)),
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

/// The path of a file that need not exist, with its folder resolved.
fn in_real_folder(path: &Path) -> Option<std::path::PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some(folder.canonicalize().ok()?.join(path.file_name()?))
}
