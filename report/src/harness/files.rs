//! The text of the files of a harness.

use super::library;
use super::schedule::{Kind, Schedule, Turn};
use frontend::preprocess::{MacroOption, PreprocessOptions};
use frontend::program::{Program, Property, PropertyKind};
use frontend::types::DataModel;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The scheduler with everything that asks it, the same for all programs.
pub(super) const RUNTIME: &str = concat!(
    include_str!("scheduler.c"),
    include_str!("memory.c"),
    include_str!("functions.c"),
    include_str!("waiting.c"),
    include_str!("virtual.c"),
    include_str!("start.c")
);
/// What it shares with the schedule.
pub(super) const HEADER: &str = include_str!("harness.h");

/// The model that says what C11's threads do.
const C11: &str = "c11_threads.c>";

/// A file of the user's.
pub(super) struct Source {
    /// Absolute.
    pub path: PathBuf,
    /// Its hash, in hexadecimal.
    pub hash: String,
    /// How it is read.
    pub options: PreprocessOptions,
}

/// The name of a kind of property that the harness can see, and what gcc needs to be told for it.
pub(super) fn visible(kind: PropertyKind) -> Option<(&'static str, &'static str)> {
    Some(match kind {
        PropertyKind::Assertion => ("assertion", ""),
        PropertyKind::ErrorFunction => ("error-function", ""),
        PropertyKind::ErrorLabel => ("error-label", "-fsanitize-coverage=trace-pc"),
        PropertyKind::Bounds => ("bounds", "-fsanitize=bounds-strict"),
        PropertyKind::DivisionByZero => ("division-by-zero", "-fsanitize=integer-divide-by-zero"),
        PropertyKind::Mutex => ("mutex", ""),
        PropertyKind::SignedOverflow => ("overflow", "-fsanitize=signed-integer-overflow"),
        PropertyKind::Shift => ("shift", "-fsanitize=shift"),
        PropertyKind::DataRace => ("data-race", ""),
        PropertyKind::Pointer => ("pointer", ""),
        PropertyKind::Free => ("free", ""),
        PropertyKind::Leak => ("leak", ""),
        PropertyKind::Deadlock => ("deadlock", ""),
        PropertyKind::Limit => return None,
    })
}

/// The name of a file with a part of the user's source.
pub(super) fn unit_name(number: usize, of: usize) -> String {
    if of == 1 { "source.c".to_owned() } else { format!("source-{}.c", number + 1) }
}

/// A file of the user's, as it is. If it is the only one, it also starts the program: the function to start with may be `static`.
pub(super) fn unit(source: &Source, start: Option<&str>) -> String {
    let path = quoted(&source.path.display().to_string());
    let mut text = format!(
        "/* The source as it is. */\n#define main harness_program_main\n#include {path}\n#undef main\n"
    );
    if let Some(start) = start {
        let start = renamed(start);
        let _ = writeln!(
            text,
            "\nint harness_start(int count, char **arguments) {{\n  (void)((int (*)(int, char **)){start})(count, arguments);\n  return 0;\n}}"
        );
    }
    text
}

/// The function that the program starts with; there is another `main`.
fn renamed(start: &str) -> &str {
    if start == "main" { "harness_program_main" } else { start }
}

/// The schedule. If the program has several files, it also starts it.
pub(super) fn program(
    program: &Program,
    schedule: &Schedule,
    property: &Property,
    start: Option<&str>,
) -> String {
    let mut text = String::from("/* The schedule of the program's threads. */\n#include \"harness.h\"\n\n");
    if let Some(start) = start {
        let start = renamed(start);
        let _ = writeln!(
            text,
            "int {start}(int, char **);\nint harness_start(int count, char **arguments) {{ return {start}(count, arguments), 0; }}\n"
        );
    }
    text.push_str("const char *const harness_objects[] = {\n");
    for name in &schedule.objects {
        let _ = writeln!(text, "  {},", quoted(name));
    }
    text.push_str("  0};\n\nconst struct harness_item harness_items[] = {\n");
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
        Kind::Stuck => "STUCK",
        Kind::Fail => "FAIL",
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
    let fails = schedule.turns.iter().find(|turn| turn.kind == Kind::Fail);
    let thread = fails.map_or(-1, |turn| turn.thread as i64);
    let threads = schedule.turns.iter().map(|turn| turn.thread + 1).max().unwrap_or(1);
    let is_c11 = program.files.iter().any(|file| file.ends_with(C11));
    format!(
        "const struct harness_goal harness_goal = {{{}, \"{kind}\", {thread}, {}, {}, {}}};\n\
         const int harness_c11 = {};\n\
         const int harness_object_count = {}, harness_item_count = {}, harness_input_count = {}, harness_thread_count = {threads};\n",
        quoted(&property.name),
        property.position.line,
        line_behind(program, property),
        quoted(&program.describe(property, None)),
        i32::from(is_c11),
        schedule.objects.len(),
        schedule.turns.len(),
        schedule.inputs.len(),
    )
}

/// The line of what stands behind a label, which may be alone in its line.
fn line_behind(program: &Program, property: &Property) -> u32 {
    let position = property.position;
    let file = program.files.get(position.file.index());
    let text = file.and_then(|file| std::fs::read_to_string(file).ok()).unwrap_or_default();
    let lines: Vec<&str> = text.lines().skip(position.line.saturating_sub(1) as usize).collect();
    let mut rest = lines.join("\n");
    rest = rest.split_once(':').map_or(String::new(), |(_, rest)| rest.to_owned());
    let mut line = position.line;
    loop {
        let blank = rest.len() - rest.trim_start().len();
        let comment = match &rest[blank..] {
            comment if comment.starts_with("//") => comment.find('\n').unwrap_or(comment.len()),
            comment if comment.starts_with("/*") => comment.find("*/").map_or(comment.len(), |end| end + 2),
            _ => 0,
        };
        line += rest[..blank + comment].matches('\n').count() as u32;
        rest.drain(..blank + comment);
        if comment == 0 {
            return if rest.is_empty() { 0 } else { line };
        }
    }
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
pub(super) fn script(sources: &[Source], property: &Property) -> String {
    let check = visible(property.kind).map_or("", |(_, option)| option);
    let is_32 = sources.iter().any(|source| source.options.data_model == DataModel::Ilp32);
    let model = if is_32 { " -m32" } else { "" };
    let wrapped: Vec<String> = library::wrapped().map(|name| format!("-Wl,--wrap={name}")).collect();
    let mut text = String::from(
        "#!/bin/sh\n\
         # Builds the program with its schedule and runs it. Exit status: 0 the failure was reached; 3 the program left the schedule; 4 another failure;\n\
         # 5 nothing happened for a long time; 2 it cannot be built, or the source is not the one that was verified.\n\
         cd \"$(dirname \"$0\")\" || exit 2\n",
    );
    for source in sources {
        let path = source.path.display().to_string();
        let _ = writeln!(
            text,
            "echo '{} {}' | sha256sum --check --status 2>/dev/null || {{ echo 'the source has changed since it was verified: '{}; exit 2; }}",
            source.hash,
            path.replace('\'', "'\\''"),
            word(&path)
        );
    }
    let mut objects = String::from("schedule.o harness.o");
    for (number, source) in sources.iter().enumerate() {
        let name = unit_name(number, sources.len());
        let object = name.replace(".c", ".o");
        let _ = writeln!(
            text,
            "${{CC:-gcc}} -w -g -O0 -fno-pie -fsanitize=thread {check}{}{model} -c {name} -o {object} || exit 2",
            options(&source.options)
        );
        let _ = write!(objects, " {object}");
    }
    let _ = write!(
        text,
        "for file in schedule harness; do ${{CC:-gcc}} -w -fno-pie{model} -c $file.c -o $file.o || exit 2; done\n\
         strip --discard-all harness.o || exit 2\n\
         ${{CC:-gcc}} -no-pie{model} -o program {objects} -pthread {} || exit 2\n\
         nm -S program > symbols || exit 2\n\
         ./program\n",
        wrapped.join(" ")
    );
    text
}

/// What the compiler is told about a file.
fn options(given: &PreprocessOptions) -> String {
    let mut options = String::new();
    if let Some(standard) = &given.standard {
        let _ = write!(options, " {}", word(&format!("-std={standard}")));
    }
    for directory in &given.include_directories {
        let _ = write!(options, " -I {}", word(&absolute(directory)));
    }
    for option in &given.search {
        let text = option.to_string_lossy();
        let text = if text.starts_with('-') { text.into_owned() } else { absolute(Path::new(option)) };
        let _ = write!(options, " {}", word(&text));
    }
    for one in &given.macros {
        let _ = match one {
            MacroOption::Define(text) => write!(options, " -D {}", word(text)),
            MacroOption::Undefine(name) => write!(options, " -U {}", word(name)),
        };
    }
    for file in &given.includes {
        let _ = write!(options, " -include {}", word(&absolute(file)));
    }
    options
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
            "- source.c, source-N.c: include the source\n- schedule.c: the schedule and the inputs\n- harness.c, harness.h: the scheduler\n",
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
