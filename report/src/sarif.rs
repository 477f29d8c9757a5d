//! `--sarif`: the result in the form that services for code scanning show beside the source (SARIF 2.1.0).
//!
//! A violated property is a result with the run as two code flows: all steps in their order as one thread flow, because many viewers show the first thread flow
//! of the first code flow and nothing else, and then a thread flow for each thread, where steps are numbered over all of them. Steps say what they read and wrote. Without an answer there is no result but a notification with the reason. Assumptions are
//! notifications, too. Files are relative to the working folder, which has the name `%SRCROOT%`, wherever they are below it.
//!
//! What services do with it decides about three things. Documents about several files can be uploaded together only if each has an identity of its own
//! (`automationDetails`), which is made of its file. A finding is the same as before if its fingerprint is, so that has no numbers of lines or properties in it. Rules are the kinds of
//! properties: their names never change.

use crate::answer::Answer;
use crate::proof;
use crate::task::Job;
use console::assumptions;
use console::notes::place;
use console::runs::Recorded;
use console::verdict::Verdict;
use frontend::diagnostics::Place;
use frontend::entry;
use frontend::preprocess::display_name;
use frontend::program::{Position, Program, Property, PropertyKind};
use serde_json::{Value, json};
use smt::Symbol;
use std::path::{Path, PathBuf};

/// The whole file.
pub fn document(job: &Job<'_>, answer: &Answer<'_>) -> String {
    let program = &job.loaded.program;
    let mut kinds: Vec<PropertyKind> = program.properties.iter().map(|property| property.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let rules: Vec<Value> = kinds.iter().map(|kind| rule(*kind)).collect();
    let places = Places::new();
    let names: Vec<String> =
        proof::files(&job.args.input).iter().map(|path| display_name(path).into_owned()).collect();
    let rule_index = |kind: PropertyKind| kinds.iter().position(|known| *known == kind);
    let results: Vec<Value> = answer
        .property
        .iter()
        .flat_map(|property| answer.recorded.iter().map(move |recorded| (property, recorded)))
        .map(|(property, recorded)| {
            let mut result = places.result(program, property, recorded);
            result["ruleIndex"] = json!(rule_index(property.kind));
            result
        })
        .collect();
    let mut notifications: Vec<Value> = match &answer.verdict {
        Verdict::Unknown(reason) => vec![json!({ "level": "warning", "message": { "text": reason } })],
        _ => Vec::new(),
    };
    let assumed = assumptions::lines(program, &answer.assumed);
    let assumed = assumed.into_iter().map(|line| format!("assuming: {line}"));
    let assumed = assumed.map(|line| json!({ "level": "note", "message": { "text": line } }));
    notifications.extend(assumed);
    let artifacts = names.iter().map(
        |name| json!({ "location": places.file(name), "roles": ["analysisTarget"], "sourceLanguage": "c" }),
    );
    let artifacts: Vec<Value> = artifacts.collect();
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": job.tool.name,
                "version": job.tool.version,
                "semanticVersion": job.tool.version,
                "rules": rules,
            } },
            "automationDetails": {
                "id": format!("{}/{}/", job.tool.name, job.loaded.name.trim_matches('/')),
                "description": { "text": format!("{} on {}", job.tool.name, job.loaded.name) },
            },
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": places.bases(),
            "invocations": [{
                "executionSuccessful": true,
                "exitCode": answer.verdict.status(&job.args.output.fail_on),
                "toolExecutionNotifications": notifications,
            }],
            "artifacts": artifacts,
            "results": results,
            "properties": {
                "verdict": answer.verdict.line(),
                "assumptions": assumptions::json(program, &answer.assumed),
            },
        }],
    });
    format!("{document:#}\n")
}

/// What a kind of property is about, and what to do when it is violated.
fn rule(kind: PropertyKind) -> Value {
    let (name, text, help) = described(kind);
    json!({
        "id": kind.word(),
        "name": name,
        "shortDescription": { "text": text },
        "fullDescription": { "text": format!("{text} {help}") },
        "help": { "text": help, "markdown": format!("**{text}** {help}") },
        "defaultConfiguration": { "level": "error" },
        "properties": { "tags": ["concurrency", "correctness"], "precision": "very-high", "problem.severity": "error" },
    })
}

fn described(kind: PropertyKind) -> (&'static str, &'static str, &'static str) {
    match kind {
        PropertyKind::Assertion => (
            "AssertionViolated",
            "An assertion does not hold.",
            "Follow the threads of the code flow by their numbers: the last step reads the values that violate the assertion.",
        ),
        PropertyKind::ErrorFunction => (
            "ErrorFunctionCalled",
            "An error function is called.",
            "Follow the code flow to see which values lead to the call.",
        ),
        PropertyKind::ErrorLabel => (
            "ErrorLabelReached",
            "An error label is reached.",
            "Follow the code flow to see which values lead to the label.",
        ),
        PropertyKind::Bounds => (
            "IndexOutOfBounds",
            "An index is outside its array.",
            "The message has the value of the index. Check whether another thread changes it between its check and its use.",
        ),
        PropertyKind::DivisionByZero => (
            "DivisionByZero",
            "A divisor is zero.",
            "Check the divisor in the same critical section as the division.",
        ),
        PropertyKind::Mutex => (
            "MutexMisused",
            "A mutex is misused.",
            "A lock is taken twice by one thread, or released by a thread that does not hold it.",
        ),
        PropertyKind::SignedOverflow => (
            "SignedOverflow",
            "A signed result does not fit.",
            "The behaviour of C is undefined then. Check the operands first, or compute with unsigned or wider types.",
        ),
        PropertyKind::Shift => (
            "InvalidShift",
            "A shift is by a negative or too large amount.",
            "The behaviour of C is undefined then. Check the amount first.",
        ),
        PropertyKind::Pointer => (
            "InvalidPointer",
            "A pointer points to nothing.",
            "It is null, or what it pointed to is freed or out of scope; perhaps another thread did that.",
        ),
        PropertyKind::Free => (
            "InvalidFree",
            "What is freed was not allocated, or was freed before.",
            "Look for two threads that both take themselves for the last user.",
        ),
        PropertyKind::Leak => {
            ("MemoryLeak", "Memory is not freed when the program ends.", "Free it, or keep a pointer to it.")
        }
        PropertyKind::DataRace => (
            "DataRace",
            "Two threads access memory at the same time, one of them writes.",
            "The behaviour of C is undefined then. Protect both accesses by the same lock, or make them atomic.",
        ),
        PropertyKind::Deadlock => (
            "Deadlock",
            "No thread can move, and one of them waits.",
            "Take locks in the same order everywhere, and see that whoever is waited for can go on.",
        ),
        PropertyKind::Limit => (
            "LimitOfModel",
            "The end of what is modelled is reached.",
            "This is no error of the program; options raise the limits.",
        ),
    }
}

/// A step of a run that is somewhere in the source.
struct Step {
    thread: usize,
    function: Symbol,
    location: Value,
}

/// Where files are, seen from the working folder.
struct Places {
    folder: Option<PathBuf>,
}

impl Places {
    fn new() -> Places {
        Places { folder: std::env::current_dir().ok() }
    }

    fn bases(&self) -> Value {
        let folder = self.folder.as_ref().map(|folder| format!("file://{}/", uri(&folder.to_string_lossy())));
        let text = json!({ "text": "The working folder." });
        match folder {
            Some(folder) => json!({ SOURCES: { "uri": folder, "description": text } }),
            None => json!({ SOURCES: { "description": text } }),
        }
    }

    /// A file below the working folder by its relative path, any other by its whole.
    fn file(&self, name: &str) -> Value {
        let path = Path::new(name);
        let inside = self.folder.as_ref().and_then(|folder| path.strip_prefix(folder).ok());
        let relative = inside.unwrap_or(path);
        let relative = relative.strip_prefix(".").unwrap_or(relative);
        if relative.is_absolute() {
            return json!({ "uri": format!("file://{}", uri(name)) });
        }
        json!({ "uri": uri(&relative.to_string_lossy()), "uriBaseId": SOURCES })
    }

    fn result(&self, program: &Program, property: &Property, recorded: &Recorded<'_>) -> Value {
        let after = recorded.trace.violated.get(&property.name).copied();
        let description = recorded.trace.describe(property, after.unwrap_or(recorded.trace.steps.len()));
        let message = format!("{}: {description}", property.name);
        let locations: Vec<Value> =
            written(program, property.position).iter().map(|place| self.location(place, None)).collect();
        json!({
            "ruleId": property.kind.word(),
            "level": "error",
            "message": { "text": message },
            "locations": locations,
            "partialFingerprints": { "property/v2": fingerprint(property) },
            "codeFlows": [{
                "message": { "text": format!("A run that violates {}, all threads in their order", property.name) },
                "threadFlows": [{
                    "id": "all threads",
                    "message": { "text": "all threads in their order, each with an indentation of its own" },
                    "locations": self.steps(program, recorded).into_iter().map(|step| step.location).collect::<Vec<_>>(),
                }],
            }, {
                "message": { "text": "The same run, thread by thread; executionOrder counts over all threads" },
                "threadFlows": self.thread_flows(program, recorded),
            }],
        })
    }

    /// The steps that are somewhere in the source, as the whole run has them.
    fn steps(&self, program: &Program, recorded: &Recorded<'_>) -> Vec<Step> {
        let mut steps = Vec::new();
        for row in recorded.trace.rows() {
            let Some(origin) = row.origin else { continue };
            let Some(place) = written(program, origin.position) else { continue };
            let facts =
                if row.facts.is_empty() { String::new() } else { format!(" ({})", row.facts.join(", ")) };
            let text = format!("thread {}, {}: {}{facts}", row.thread, origin.function, row.text);
            let importance = if row.facts.is_empty() { "unimportant" } else { "important" };
            let location = json!({
                "executionOrder": steps.len() + 1,
                "importance": importance,
                // Viewers indent by it.
                "nestingLevel": row.thread + 1,
                "location": self.location(&place, Some(&text)),
            });
            steps.push(Step { thread: row.thread, function: origin.function, location });
        }
        steps
    }

    /// The steps of each thread that makes some.
    fn thread_flows(&self, program: &Program, recorded: &Recorded<'_>) -> Vec<Value> {
        let mut flows: Vec<(Option<Symbol>, Vec<Value>)> = vec![(None, Vec::new()); recorded.trace.threads];
        for Step { thread, function, mut location } in self.steps(program, recorded) {
            if let Some((first, flow)) = flows.get_mut(thread) {
                first.get_or_insert(function);
                location["nestingLevel"] = json!(1);
                flow.push(location);
            }
        }
        let flows = flows.into_iter().enumerate().filter(|(_, (_, steps))| !steps.is_empty());
        let named = flows.map(|(thread, (function, steps))| {
            let name = function.filter(|function| !function.as_str().is_empty());
            let name = name.map_or_else(String::new, |function| format!(" runs {function}"));
            json!({
                "id": format!("thread {thread}"),
                "message": { "text": format!("thread {thread}{name}") },
                "locations": steps,
            })
        });
        named.collect()
    }

    fn location(&self, place: &Place, message: Option<&str>) -> Value {
        let mut location = json!({ "physicalLocation": { "artifactLocation": self.file(&place.file) } });
        if place.line > 0 {
            location["physicalLocation"]["region"] = json!({ "startLine": place.line });
        }
        if place.line > 0 && place.column > 0 {
            location["physicalLocation"]["region"]["startColumn"] = json!(place.column);
        }
        if let Some(text) = message {
            location["message"] = json!({ "text": text });
        }
        location
    }
}

/// A place in a file that somebody wrote; what is around entry points is ours.
fn written(program: &Program, position: Position) -> Option<Place> {
    place(program, position).filter(|place| place.file != entry::FILE)
}

/// What stays the same about a finding when lines move and other properties come and go: the kind, the function, and what is violated.
fn fingerprint(property: &Property) -> String {
    let function = property.name.split('.').next().unwrap_or_default();
    format!("{}:{function}:{}", property.kind.word(), property.description)
}

/// The name of the working folder.
const SOURCES: &str = "%SRCROOT%";

/// A path as a relative reference: what is not allowed in one is escaped.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'_' | b'-' | b'~' | b'+' | b'=' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_references() {
        assert_eq!(uri("dir/a b.c"), "dir/a%20b.c");
        assert_eq!(uri("<stdin>"), "%3Cstdin%3E");
        let places = Places { folder: Some(PathBuf::from("/project")) };
        let relative = |uri: &str| json!({ "uri": uri, "uriBaseId": "%SRCROOT%" });
        assert_eq!(places.file("./dir/a.c"), relative("dir/a.c"));
        assert_eq!(places.file("/project/a.c"), relative("a.c"));
        assert_eq!(places.file("/usr/include/a b.h"), json!({ "uri": "file:///usr/include/a%20b.h" }));
    }
}
