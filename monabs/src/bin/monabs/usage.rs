//! Options that contradict each other, beyond what the table of options can say.

use super::args::MainArgs;
use console::Result;
use console::input::is_stdin;
use console::usage::{check_files, check_program, conflict};
use std::path::Path;

/// Checks all options.
pub(super) fn check(args: &MainArgs) -> Result<()> {
    check_program(&args.input)?;
    check_lists(args)?;
    if args.input.is_program() && args.question.spec.is_some() {
        return conflict("'--spec' is for C: a program is translated already");
    }
    if args.evidence.witness.is_some() && (args.input.is_program() || is_stdin(args.input.path())) {
        return conflict("'--witness' is for files of C: it names the file and its hash");
    }
    if args.evidence.witness.is_some() && !args.input.is_plain() {
        return conflict("'--witness' is about one file with a function to start with");
    }
    let emdr = args.evidence.emdr(args.input.path());
    let outputs: [(&str, Option<&Path>); 5] = [
        (emdr.as_ref().map_or("", |emdr| emdr.0), emdr.as_ref().map(|emdr| emdr.1.as_path())),
        ("--proof", args.evidence.proof.as_deref()),
        ("--write-run", args.evidence.write_run.as_deref()),
        ("--witness", args.evidence.witness.as_deref()),
        ("--sarif", args.output.sarif.as_deref()),
    ];
    let to_stdout = outputs.iter().find(|(_, path)| path.is_some_and(is_stdin));
    if let (Some((option, _)), true) = (to_stdout, args.output.json) {
        return conflict(format!("'--json' cannot be used with '{option} -': stdout has the JSON document"));
    }
    let inputs = [&args.question.spec, &args.question.replay, &args.search.predicates];
    check_files(&args.input, inputs.into_iter().flatten(), &outputs)
}

/// Lists are all that is printed.
fn check_lists(args: &MainArgs) -> Result<()> {
    let properties = &args.input.properties;
    let list = match (properties.show_properties, properties.show_loops) {
        (true, _) => "--show-properties",
        (_, true) => "--show-loops",
        _ => return Ok(()),
    };
    let (evidence, question) = (&args.evidence, &args.question);
    let asked = [
        (question.replay.is_some(), "--replay"),
        (question.max_threads.is_some(), "--max-threads"),
        (evidence.check, "--check"),
        (evidence.emdr(Path::new("-")).is_some(), "--build-tts"),
        (evidence.proof.is_some(), "--proof"),
        (evidence.write_run.is_some(), "--write-run"),
        (evidence.witness.is_some(), "--witness"),
        (evidence.dump.is_some(), "--dump"),
        (args.output.sarif.is_some(), "--sarif"),
    ];
    match asked.into_iter().find(|(asked, _)| *asked) {
        Some((_, option)) => conflict(format!("'{list}' cannot be used with '{option}'")),
        None => Ok(()),
    }
}
