//! The text of the files of a harness.

use super::library;
use super::schedule::{Kind, Schedule, Turn};
use console::args::InputArgs;
use frontend::preprocess::MacroOption;
use frontend::program::{Program, Property, PropertyKind, Target};
use std::fmt::Write as _;
use std::path::Path;

/// The scheduler with everything that asks it, the same for all programs.
pub(super) const RUNTIME: &str =
    concat!(include_str!("scheduler.c"), include_str!("memory.c"), include_str!("functions.c"));
/// What it shares with the schedule.
pub(super) const HEADER: &str = include_str!("harness.h");

/// What is known about the user's source.
pub(super) struct Source<'a> {
    /// Absolute.
    pub path: &'a Path,
    /// Its hash, in hexadecimal.
    pub hash: String,
    /// How it is read.
    pub input: &'a InputArgs,
}

/// The name of a kind of property that the harness can see, and what gcc needs to be told for it.
pub(super) fn visible(kind: PropertyKind) -> Option<(&'static str, &'static str)> {
    Some(match kind {
        PropertyKind::Assertion => ("assertion", ""),
        PropertyKind::ErrorFunction => ("error-function", ""),
        PropertyKind::Bounds => ("bounds", "-fsanitize=bounds-strict"),
        PropertyKind::DivisionByZero => ("division-by-zero", "-fsanitize=integer-divide-by-zero"),
        PropertyKind::Mutex => ("mutex", ""),
        PropertyKind::SignedOverflow => ("overflow", "-fsanitize=signed-integer-overflow"),
        PropertyKind::Shift => ("shift", "-fsanitize=shift"),
        PropertyKind::DataRace => ("data-race", ""),
        PropertyKind::ErrorLabel
        | PropertyKind::Pointer
        | PropertyKind::Free
        | PropertyKind::Leak
        | PropertyKind::Deadlock
        | PropertyKind::Limit => return None,
    })
}

/// The user's source with the schedule.
pub(super) fn program(
    source: &Source<'_>,
    program: &Program,
    schedule: &Schedule,
    property: &Property,
) -> String {
    let mut text = String::from("/* The program as it is, and the schedule of its threads. */\n");
    let start = source.input.translation.function.as_deref().unwrap_or("main");
    let path = quoted(&source.path.display().to_string());
    let _ = writeln!(text, "#define main harness_program_main\n#include {path}\n#undef main\n");
    let start = if start == "main" { "harness_program_main" } else { start };
    text.push_str("#include \"harness.h\"\n\n");
    let _ = writeln!(
        text,
        "int harness_start(int count, char **arguments) {{\n  (void)((int (*)(int, char **)){start})(count, arguments);\n  return 0;\n}}\n"
    );
    text.push_str("const struct harness_object harness_objects[] = {\n");
    for name in &schedule.objects {
        let _ = writeln!(text, "  {{\"{name}\", &{name}, sizeof {name}}},");
    }
    text.push_str("  {0, 0, 0}};\n\nconst struct harness_item harness_items[] = {\n");
    for turn in &schedule.turns {
        text.push_str(&item(program, turn));
    }
    text.push_str("  {0}};\n\nconst struct harness_input harness_inputs[] = {\n");
    for given in &schedule.inputs {
        let _ = writeln!(text, "  {{{}, {}u}},", given.thread, given.value);
    }
    text.push_str("  {0, 0}};\n\n");
    text.push_str(&goal(program, schedule, property));
    text
}

fn item(program: &Program, turn: &Turn) -> String {
    let kind = match turn.kind {
        Kind::Start => "START",
        Kind::Read => "READ",
        Kind::Write => "WRITE",
        Kind::Both => "BOTH",
        Kind::Call => "CALL",
        Kind::Awake => "AWAKE",
    };
    let source = turn.origin.map_or_else(String::new, |origin| {
        let file = program.files.get(origin.position.file.index()).map_or("", String::as_str);
        let file =
            Path::new(file).file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        format!("{file}:{}: {}", origin.position.line, origin.text)
    });
    let child = turn.child.map_or(-1, |child| child as i64);
    format!(
        "  {{{}, HARNESS_{kind}, {}, {child}, {}, {}}},\n",
        turn.thread,
        quoted(&turn.names.join(" ")),
        turn.result,
        quoted(&source)
    )
}

fn goal(program: &Program, schedule: &Schedule, property: &Property) -> String {
    let kind = visible(property.kind).map_or("", |(name, _)| name);
    let thread = match property.target {
        Target::Location(_) => schedule.turns.last().map_or(-1, |turn| turn.thread as i64),
        Target::Race(..) => -1,
    };
    let threads = schedule.turns.iter().map(|turn| turn.thread + 1).max().unwrap_or(1);
    format!(
        "const struct harness_goal harness_goal = {{{}, \"{kind}\", {thread}, {}, {}}};\n\
         const int harness_object_count = {}, harness_item_count = {}, harness_input_count = {}, harness_thread_count = {threads};\n",
        quoted(&property.name),
        property.position.line,
        quoted(&program.describe(property, None)),
        schedule.objects.len(),
        schedule.turns.len(),
        schedule.inputs.len(),
    )
}

/// A literal of C.
pub(super) fn quoted(text: &str) -> String {
    let mut literal = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => {
                literal.push('\\');
                literal.push(byte as char);
            }
            b'?' => literal.push_str("\\?"),
            b' '..=b'~' => literal.push(byte as char),
            _ => {
                let _ = write!(literal, "\\{byte:03o}");
            }
        }
    }
    literal.push('"');
    literal
}

/// A word of a shell.
fn word(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// What builds and runs the program.
pub(super) fn script(source: &Source<'_>, property: &Property) -> String {
    let preprocessor = &source.input.preprocessor;
    let mut options = String::new();
    for directory in &preprocessor.include_directories {
        let _ = write!(options, " -I {}", word(&absolute(directory)));
    }
    for given in &preprocessor.macros {
        let _ = match given {
            MacroOption::Define(text) => write!(options, " -D {}", word(text)),
            MacroOption::Undefine(name) => write!(options, " -U {}", word(name)),
        };
    }
    for file in &preprocessor.include {
        let _ = write!(options, " -include {}", word(&absolute(file)));
    }
    if source.input.translation.ilp32 {
        options.push_str(" -m32");
    }
    let check = visible(property.kind).map_or("", |(_, option)| option);
    let wrapped: Vec<String> = library::wrapped().map(|name| format!("-Wl,--wrap={name}")).collect();
    let path = word(&source.path.display().to_string());
    format!(
        "#!/bin/sh\n\
         # Builds the program with its schedule and runs it. Exit status: 0 the failure was reached; 3 the program left the schedule; 4 another failure;\n\
         # 5 nothing happened for a long time; 2 it cannot be built, or the source is not the one that was verified.\n\
         cd \"$(dirname \"$0\")\" || exit 2\n\
         echo '{} {path_in_text}' | sha256sum --check --status 2>/dev/null || {{ echo 'the source has changed since it was verified: '{path}; exit 2; }}\n\
         ${{CC:-gcc}} -w -g -O0 -fsanitize=thread {check}{options} -c program.c -o program.o || exit 2\n\
         ${{CC:-gcc}} -w{} -c harness.c -o harness.o || exit 2\n\
         ${{CC:-gcc}}{} -o program program.o harness.o -pthread {} || exit 2\n\
         ./program\n",
        source.hash,
        if source.input.translation.ilp32 { " -m32" } else { "" },
        if source.input.translation.ilp32 { " -m32" } else { "" },
        wrapped.join(" "),
        path_in_text = source.path.display().to_string().replace('\'', "'\\''"),
    )
}

fn absolute(path: &Path) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string()
}

/// What builds and runs a model.
pub(super) fn model_script() -> String {
    "#!/bin/sh\n\
     # Builds the run as the verifier has it, and runs it. Exit status: 0 the failure was reached; 3 a step was not possible; 2 it cannot be built.\n\
     cd \"$(dirname \"$0\")\" || exit 2\n\
     ${CC:-gcc} -w -g -o model model.c -pthread || exit 2\n\
     ./model\n"
        .to_owned()
}

/// What is in the folder, for people.
pub(super) fn readme(name: &str, property: &Property, reason: Option<&str>) -> String {
    let (what, files) = match reason {
        None => (
            format!(
                "It runs {name} itself, unchanged, with one thread at a time, in the order of the run that the verifier found."
            ),
            "- program.c: includes the source; the schedule and the inputs\n- harness.c, harness.h: the scheduler\n",
        ),
        Some(reason) => (
            format!(
                "It does not run {name} itself, but the steps of the run in the verifier's own model of the program. Reason: {reason}."
            ),
            "- model.c: the steps, each in the function of its thread\n",
        ),
    };
    format!(
        "A bug that runs: {} ({}).\n\n{what}\n\n./run.sh builds it with gcc and runs it; exit status 0 means that the failure was reached.\n\n{files}- run.sh: how it is built\n",
        property.name, property.description
    )
}
