//! Options that contradict each other, beyond what the table of options can say.

use crate::args::TaskArgs;
use console::Result;
use console::input::is_stdin;
use console::usage::{check_files, check_program, conflict};
use console::verdict::FailOn;
use std::path::{Path, PathBuf};

/// Checks the options that all programs have.
pub fn check(args: &TaskArgs) -> Result<()> {
    check_program(&args.input)?;
    check_lists(args, &[])?;
    let fail_on = &args.output.fail_on;
    if fail_on.contains(&FailOn::Never) && fail_on.iter().any(|verdict| *verdict != FailOn::Never) {
        return conflict("'--fail-on never' cannot be used with other verdicts");
    }
    if args.input.is_program() && args.question.spec.is_some() {
        return conflict("'--spec' is for C: a program is translated already");
    }
    if args.evidence.witness.is_some() && (args.input.is_program() || is_stdin(args.input.path())) {
        return conflict("'--witness' is for files of C: it names the file and its hash");
    }
    if args.evidence.witness.is_some() && !args.input.is_plain() {
        return conflict("'--witness' is about one file with a function to start with");
    }
    check_paths(args, &[], &[])
}

/// Checks all files, those of an engine's own options included.
pub fn check_paths(args: &TaskArgs, inputs: &[&PathBuf], outputs: &[(&str, Option<&Path>)]) -> Result<()> {
    let all: Vec<(&str, Option<&Path>)> = [
        ("--write-run", args.evidence.write_run.as_deref()),
        ("--witness", args.evidence.witness.as_deref()),
        ("--sarif", args.output.sarif.as_deref()),
        ("--html", args.output.html.as_deref()),
        ("--svg", args.output.svg.as_deref()),
    ]
    .into_iter()
    .chain(outputs.iter().copied())
    .collect();
    let to_stdout = all.iter().find(|(_, path)| path.is_some_and(is_stdin));
    if let (Some((option, _)), true) = (to_stdout, args.output.json) {
        return conflict(format!("'--json' cannot be used with '{option} -': stdout has the JSON document"));
    }
    let own = [&args.question.spec, &args.question.replay];
    check_files(&args.input, own.into_iter().flatten().chain(inputs.iter().copied()), &all)
}

/// Lists are all that is printed; `more` are options of an engine, and whether they are there.
pub fn check_lists(args: &TaskArgs, more: &[(bool, &str)]) -> Result<()> {
    let properties = &args.input.properties;
    let list = match (properties.show_properties, properties.show_loops) {
        (true, _) => "--show-properties",
        (_, true) => "--show-loops",
        _ => return Ok(()),
    };
    let evidence = &args.evidence;
    let asked = [
        (args.question.replay.is_some(), "--replay"),
        (evidence.check, "--check"),
        (evidence.write_run.is_some(), "--write-run"),
        (evidence.witness.is_some(), "--witness"),
        (evidence.harness.is_some(), "--harness"),
        (args.output.sarif.is_some(), "--sarif"),
        (args.output.html.is_some(), "--html"),
        (args.output.svg.is_some(), "--svg"),
    ];
    match asked.iter().chain(more).find(|(asked, _)| *asked) {
        Some((_, option)) => conflict(format!("'{list}' cannot be used with '{option}'")),
        None => Ok(()),
    }
}
