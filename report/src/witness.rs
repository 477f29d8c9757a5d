//! `--witness`: what SV-COMP's validators read. A violation is GraphML 1.0, a correct program YAML 2.0.
//!
//! The violation names, step by step, the thread and the line, and where threads are created. The correctness witness says what is known to hold at statements, as far as that can be said in C about
//! global variables; predicates that speak of two threads have no notation there. It need not prove the program: for that, there is `--proof`.

use crate::answer::Answer;
use crate::task::Job;
use console::assumptions;
use console::runs::Recorded;
use console::{Failure, Result, Tool};
use frontend::program::trace::TraceStep;
use frontend::program::{Program, Scope};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

/// The property that is meant if no file says another one.
const UNREACH_CALL: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )";

/// A condition of C that holds whenever control is at the beginning of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The file, as the program names it.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
    /// The function.
    pub function: String,
    /// The condition.
    pub condition: String,
}

/// The text, if there is an answer; `claims` are asked for if the program is safe.
pub fn witness(
    job: &Job<'_>,
    answer: &Answer<'_>,
    claims: impl FnOnce(&Job<'_>) -> Result<Vec<Claim>>,
) -> Result<Option<String>> {
    let task = Task::new(job)?;
    Ok(match (answer.is_safe(), answer.recorded.first()) {
        (Some(true), _) => {
            let lines = assumptions::lines(&job.loaded.program, &answer.assumed);
            Some(correctness(&task, &lines, &claims(job)?))
        }
        (Some(false), Some(recorded)) => Some(violation(&task, &job.loaded.program, recorded)),
        _ => None,
    })
}

/// What the witness is about.
struct Task {
    file: String,
    hash: String,
    specification: String,
    is_32: bool,
    time: String,
    tool: Tool,
}

impl Task {
    fn new(job: &Job<'_>) -> Result<Task> {
        let path = job.args.input.path();
        let bytes = std::fs::read(path).map_err(|error| {
            Failure::about_file(&job.loaded.name, format!("cannot be read again: {error}"))
        })?;
        let specification = job.specification.map_or(UNREACH_CALL, |specification| &specification.text);
        Ok(Task {
            file: job.loaded.name.clone(),
            hash: sha256(&bytes),
            specification: specification.to_owned(),
            is_32: job.args.input.translation.ilp32,
            time: now(),
            tool: *job.tool,
        })
    }

    /// A name that no other witness has: made from all that it says.
    fn uuid(&self) -> String {
        let all = format!("{} {} {} {}", self.file, self.hash, self.specification, self.time);
        let digits = sha256(all.as_bytes());
        // Version 8 and the variant of RFC 9562: bits of one's own choice.
        format!(
            "{}-{}-8{}-8{}-{}",
            &digits[..8],
            &digits[8..12],
            &digits[12..15],
            &digits[15..18],
            &digits[18..30]
        )
    }
}

/// The hash of some bytes, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The present in the form `2026-01-31T23:59:59Z`; `SOURCE_DATE_EPOCH` stands for it in builds that are to be the same each time.
fn now() -> String {
    let given = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    let given = given.and_then(|seconds| jiff::Timestamp::from_second(seconds).ok());
    let present = given.unwrap_or_else(jiff::Timestamp::now);
    present.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

fn correctness(task: &Task, assumed: &[String], claims: &[Claim]) -> String {
    let data_model = if task.is_32 { "ILP32" } else { "LP64" };
    let (file, specification) = (quoted(&task.file), quoted(&task.specification));
    // The format has no place for them, but YAML has comments.
    let comments: String =
        assumed.iter().map(|line| format!("# assuming: {}\n", line.replace(char::is_control, " "))).collect();
    format!(
        "{comments}- entry_type: \"invariant_set\"\n  metadata:\n    format_version: \"2.0\"\n    uuid: \"{}\"\n    creation_time: \
         \"{}\"\n    producer:\n      name: \"{}\"\n      version: \"{}\"\n    task:\n      input_files:\n        - {file}\n      \
         input_file_hashes:\n        {file}: \"{}\"\n      specification: {specification}\n      data_model: \
         \"{data_model}\"\n      language: \"C\"\n{}",
        task.uuid(),
        task.time,
        task.tool.name,
        task.tool.version,
        task.hash,
        content(task, claims)
    )
}

/// What holds at statements of the file that the witness is about. Text that comes from elsewhere, or was moved by line markers, has no place there.
fn content(task: &Task, claims: &[Claim]) -> String {
    let mut text = String::new();
    for claim in claims.iter().filter(|claim| claim.file == task.file && claim.column > 0) {
        let (file, function) = (quoted(&claim.file), quoted(&claim.function));
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "    - invariant:\n        type: \"location_invariant\"\n        location:\n          file_name: {file}\n          \
             line: {}\n          column: {}\n          function: {function}\n        value: {}\n        format: \"c_expression\"\n",
            claim.line,
            claim.column,
            quoted(&claim.condition)
        );
    }
    match text.is_empty() {
        true => "  content: []\n".to_owned(),
        false => format!("  content:\n{text}"),
    }
}

/// A string of YAML, which has those of JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The attributes that are used: of the graph, of nodes, of edges.
const KEYS: [(&str, &str, &str); 15] = [
    ("witness-type", "string", "graph"),
    ("sourcecodelang", "string", "graph"),
    ("producer", "string", "graph"),
    ("specification", "string", "graph"),
    ("programfile", "string", "graph"),
    ("programhash", "string", "graph"),
    ("architecture", "string", "graph"),
    ("creationtime", "string", "graph"),
    ("entry", "boolean", "node"),
    ("violation", "boolean", "node"),
    ("startline", "int", "edge"),
    ("sourcecode", "string", "edge"),
    ("threadId", "string", "edge"),
    ("createThread", "string", "edge"),
    ("enterFunction", "string", "edge"),
];

fn violation(task: &Task, program: &Program, recorded: &Recorded<'_>) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n<graphml \
         xmlns=\"http://graphml.graphdrawing.org/xmlns\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n",
    );
    for (name, kind, element) in KEYS {
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(
            text,
            "  <key id=\"{name}\" attr.name=\"{name}\" attr.type=\"{kind}\" for=\"{element}\"/>"
        );
    }
    text.push_str("  <graph edgedefault=\"directed\">\n");
    let producer = format!("{} {}", task.tool.name, task.tool.version);
    for (key, value) in [
        ("witness-type", "violation_witness"),
        ("sourcecodelang", "C"),
        ("producer", &producer),
        ("specification", &task.specification),
        ("programfile", &task.file),
        ("programhash", &task.hash),
        ("architecture", if task.is_32 { "32bit" } else { "64bit" }),
        ("creationtime", &task.time),
    ] {
        text.push_str(&data(4, key, value));
    }
    let moves = moves(program, recorded);
    for number in 0..=moves.len() {
        let flag = match number {
            0 => data(6, "entry", "true"),
            _ if number == moves.len() => data(6, "violation", "true"),
            _ => String::new(),
        };
        let _ = write!(text, "    <node id=\"N{number}\">\n{flag}    </node>\n");
    }
    for (number, attributes) in moves.iter().enumerate() {
        let _ = writeln!(text, "    <edge source=\"N{number}\" target=\"N{}\">", number + 1);
        attributes.iter().for_each(|(key, value)| text.push_str(&data(6, key, value)));
        text.push_str("    </edge>\n");
    }
    text.push_str("  </graph>\n</graphml>\n");
    text
}

/// Attributes of the edges: first `main` is entered, then one edge for each statement, and for each creation of a thread.
fn moves(program: &Program, recorded: &Recorded<'_>) -> Vec<Vec<(&'static str, String)>> {
    let steps = &recorded.trace.steps;
    let function = program.location(program.main).function;
    let function = if function.as_str().is_empty() { "main" } else { function.as_str() };
    let mut moves = vec![vec![("enterFunction", function.to_owned()), ("threadId", "0".to_owned())]];
    for (index, step) in steps.iter().enumerate() {
        let thread = step.thread.to_string();
        for origin in &step.edge.origin {
            if origin.position.is_some() {
                moves.push(vec![
                    ("startline", origin.position.line.to_string()),
                    ("sourcecode", origin.text.to_string()),
                    ("threadId", thread.clone()),
                ]);
            }
        }
        for created in
            (1..recorded.trace.threads).filter(|&created| creator(program, steps, created) == Some(index))
        {
            let mut attributes = vec![("threadId", thread.clone()), ("createThread", created.to_string())];
            if let Some(first) = steps.iter().find(|step| step.thread == created) {
                let function = program.location(first.edge.to).function;
                attributes.push(("enterFunction", function.to_string()));
            }
            moves.push(attributes);
        }
    }
    moves
}

/// The step after which a thread exists: the last one of another thread that wrote what the thread's first step waits for.
fn creator(program: &Program, steps: &[TraceStep<'_>], created: usize) -> Option<usize> {
    let first = steps.iter().position(|step| step.thread == created)?;
    let awaited = steps[first].edge.guard.constants();
    let gives = |step: &TraceStep<'_>| {
        step.edge.assign.iter().any(|(variable, _)| {
            let variable = program.variable(*variable);
            variable.scope == Scope::Shared && awaited.contains(&variable.term())
        })
    };
    let earlier = steps[..first].iter().rposition(|step| step.thread != created && gives(step));
    // Threads that wait for nothing exist from the beginning; somebody has to create them, so the step before does.
    earlier.or(first.checked_sub(1))
}

fn data(indent: usize, key: &str, value: &str) -> String {
    format!("{:indent$}<data key=\"{key}\">{}</data>\n", "", escaped(value))
}

/// Text for XML, without the characters that it cannot have.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(' '),
            c if c.is_control() || c == '\u{fffe}' || c == '\u{ffff}' => escaped.push('?'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_for_xml() {
        assert_eq!(escaped("a<b && \"c\"\u{1}"), "a&lt;b &amp;&amp; &quot;c&quot;?");
    }

    #[test]
    fn a_witness_has_a_name() {
        let task = |file: &str| Task {
            file: file.to_owned(),
            hash: String::new(),
            specification: String::new(),
            is_32: false,
            time: String::new(),
            tool: Tool { name: "test", version: "1", command: || clap::Command::new("test") },
        };
        let name = task("a.c").uuid();
        assert_eq!((name.len(), &name[14..15], &name[19..20]), (36, "8", "8"), "{name}");
        assert_ne!(name, task("b.c").uuid());
    }
}
