//! Options that contradict each other, beyond what the table of options can say, and what the remaining ones mean.

use super::args::{EmitArg, MainArgs, ReductionArgs, StageArg};
use super::emit::form_of;
use console::Result;
use console::input::{Stage, is_stdin};
use console::usage::{check_files, check_program, conflict};
use frontend::reduce;

/// Checks all options.
pub(super) fn check(args: &MainArgs) -> Result<()> {
    check_emit(args)?;
    check_trace(args)?;
    check_program(&args.input)?;
    let outputs = [("--output", &args.output.output), ("--trace", &args.exploration.trace)];
    let outputs = outputs.map(|(option, path)| (option, path.as_deref()));
    check_files(&args.input, &args.exploration.replay, &outputs)
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
    let (exploration, properties) = (&args.exploration, &args.input.properties);
    let runs = exploration.explore.is_some() || exploration.random.is_some() || exploration.replay.is_some();
    if runs && (properties.show_properties || properties.show_loops) {
        let option = if properties.show_loops { "--show-loops" } else { "--show-properties" };
        return conflict(format!("'{option}' cannot be used with '--explore', '--random' or '--replay'"));
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

/// The form to write, if a program is to be written.
pub(super) fn form(args: &MainArgs) -> Option<EmitArg> {
    args.output.emit.or_else(|| form_of(args.output.output.as_deref()?))
}

/// How far to go.
pub(super) fn stage(args: &MainArgs) -> Stage {
    if args.output.coverage {
        // Only what matters to no property is left out, and each step stays what it is.
        return Stage::Reduced(reduce::Options { slice: true, ..reduce::Options::minimal() });
    }
    let default = if args.input.is_program() { StageArg::Lowered } else { StageArg::Reduced };
    match args.reductions.stage.unwrap_or(default) {
        StageArg::Lowered => Stage::Lowered,
        stage => Stage::Reduced(reduction(&args.reductions, stage == StageArg::Reduced)),
    }
}

/// For making the program smaller. Properties have been selected before.
fn reduction(args: &ReductionArgs, is_reduced: bool) -> reduce::Options {
    let reduces = is_reduced && !args.no_reductions;
    reduce::Options {
        constants: reduces && !args.no_constants,
        slice: reduces && !args.no_slice,
        merge: reduces && !args.no_merge,
        ..reduce::Options::default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::args::Cli;
    use super::*;
    use clap::{CommandFactory as _, Parser as _};

    fn parse(options: &[&str]) -> MainArgs {
        let all = ["asyncc", "x.c"].iter().chain(options);
        Cli::try_parse_from(all).unwrap().main
    }

    #[test]
    fn reductions_are_switched_off() {
        let all = |options: &[&str]| reduction(&parse(options).reductions, true);
        assert_eq!(all(&[]), reduce::Options::default());
        assert_eq!(all(&["--no-reductions"]), reduce::Options::minimal());
        assert_eq!(all(&["--no-merge"]), reduce::Options { merge: false, ..reduce::Options::default() });
        assert_eq!(reduction(&parse(&[]).reductions, false), reduce::Options::minimal());
    }

    /// The help says the default of the library.
    #[test]
    fn defaults() {
        let help = Cli::command().render_long_help().to_string();
        let states = frontend::program::interpret::ExploreOptions::default().limits.states;
        let text = help.split("--max-states <").nth(1).unwrap().split_once("(default: ").unwrap().1;
        assert_eq!(text.split_once(')').unwrap().0, states.to_string());
    }
}
