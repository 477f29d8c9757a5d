//! What every text must satisfy: it is read and can be written and read again, or its error has a place in it.

use breach::check::{parse_proof, parse_trace, replay, verify, write_proof, write_trace};
use breach::diagnostics::{Diagnostic, Source};
use breach::emdr::{parse_init, parse_target, parse_targets};
use breach::input::{Format, Input};
use breach::system::{InitialStates, System};

/// Reads a system; what can be read is printed and read again.
pub fn system(format: Format, text: &str) {
    let input = match format.parse(source(text)) {
        Ok(input) => input,
        Err(error) => return place(text, &error),
    };
    let printed = match format {
        Format::Emdr => breach::emdr::print(&input).expect("what was read can be written"),
        Format::Spec => breach::spec::print(&input).expect("what was read can be written"),
    };
    let again = format.parse(source(&printed)).expect("what was written can be read");
    assert_eq!(without_lines(input), without_lines(again), "{printed}");
}

/// Reads states in the notation of the command line.
pub fn states(system: &System, text: &str) {
    for error in [
        parse_init(source(text), system).err(),
        parse_target(source(text), system).err(),
        parse_targets(source(text), system).err(),
    ] {
        error.iter().for_each(|error| place(text, error));
    }
}

/// Reads a proof and a trace, writes them, reads them again, and checks them.
pub fn evidence(system: &System, text: &str) {
    match parse_proof(source(text), system) {
        Ok(proof) => {
            let written = write_proof(system, &proof);
            assert_eq!(parse_proof(source(&written), system), Ok(proof.clone()));
            // A small proof may have elements of any number of threads, whose predecessors are too many.
            if proof.max_threads() <= 4 {
                let _ = verify(system, &proof);
            }
        }
        Err(error) => place(text, &error),
    }
    match parse_trace(source(text), system) {
        Ok(trace) => {
            let written = write_trace(system, &trace);
            assert_eq!(parse_trace(source(&written), system), Ok(trace.clone()));
            let init = InitialStates::new(trace.shared, trace.threads.iter().copied(), vec![]);
            let _ = replay(system, &init, std::slice::from_ref(&trace.target), &trace);
        }
        Err(error) => place(text, &error),
    }
}

fn source(text: &str) -> Source<'_> {
    Source { name: "fuzz", text }
}

/// The place of an error is in the text, and the message can be shown.
fn place(text: &str, error: &Diagnostic) {
    let line = error.line.checked_sub(1).and_then(|index| text.split('\n').nth(index));
    let line = line.expect("the line exists");
    assert_eq!(line.trim_end_matches('\r'), error.source_line);
    assert!((1..=line.chars().count() + 1).contains(&error.column), "{error:?}");
    assert!(error.to_string().contains("error: "));
}

/// Where the transitions stand in the file is not part of their meaning.
fn without_lines(mut input: Input) -> Input {
    input.system.lines.clear();
    input
}
