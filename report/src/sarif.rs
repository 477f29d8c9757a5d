//! `--sarif`: the result in the form that services for code scanning show beside the source (SARIF 2.1.0).
//!
//! A violated property is a result with the run as a code flow, one thread flow for each thread; steps are numbered over all
//! threads. Without an answer there is no result but a notification with the reason. Assumptions are notifications, too.

use crate::answer::Answer;
use crate::task::Job;
use console::assumptions;
use console::notes::place;
use console::runs::Recorded;
use console::verdict::Verdict;
use frontend::diagnostics::Place;
use frontend::program::{Program, Property, PropertyKind};
use serde_json::{Value, json};

/// The whole file.
pub fn document(job: &Job<'_>, answer: &Answer<'_>) -> String {
    let program = &job.loaded.program;
    let mut kinds: Vec<PropertyKind> = program.properties.iter().map(|property| property.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let rules: Vec<Value> = kinds.iter().map(|kind| rule(*kind)).collect();
    let results: Vec<Value> = answer
        .property
        .iter()
        .flat_map(|property| answer.recorded.iter().map(|recorded| result(program, property, recorded)))
        .collect();
    let mut notifications: Vec<Value> = match &answer.verdict {
        Verdict::Unknown(reason) => vec![json!({ "level": "warning", "message": { "text": reason } })],
        _ => Vec::new(),
    };
    let assumed = assumptions::lines(program, &answer.assumed);
    let assumed = assumed.into_iter().map(|line| format!("assuming: {line}"));
    let assumed = assumed.map(|line| json!({ "level": "note", "message": { "text": line } }));
    notifications.extend(assumed);
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": job.tool.name, "version": job.tool.version, "rules": rules } },
            "invocations": [{
                "executionSuccessful": true,
                "exitCode": answer.verdict.code(),
                "toolExecutionNotifications": notifications,
            }],
            "artifacts": [{ "location": { "uri": uri(&job.loaded.name) } }],
            "results": results,
            "properties": {
                "verdict": answer.verdict.line(),
                "assumptions": assumptions::json(program, &answer.assumed),
            },
        }],
    });
    format!("{document:#}\n")
}

fn rule(kind: PropertyKind) -> Value {
    let text = match kind {
        PropertyKind::Assertion => "An assertion does not hold.",
        PropertyKind::ErrorFunction => "An error function is called.",
        PropertyKind::ErrorLabel => "An error label is reached.",
        PropertyKind::Bounds => "An index is outside its array.",
        PropertyKind::DivisionByZero => "A divisor is zero.",
        PropertyKind::Mutex => "A mutex is misused.",
        PropertyKind::SignedOverflow => "A signed result does not fit.",
        PropertyKind::Shift => "A shift is by a negative or too large amount.",
        PropertyKind::Pointer => "A pointer points to nothing.",
        PropertyKind::Free => "What is freed was not allocated, or was freed before.",
        PropertyKind::Leak => "Memory is not freed when the program ends.",
        PropertyKind::DataRace => "Two threads access memory at the same time, one of them writes.",
        PropertyKind::Limit => "The end of what is modelled is reached.",
    };
    json!({ "id": kind.word(), "shortDescription": { "text": text } })
}

fn result(program: &Program, property: &Property, recorded: &Recorded<'_>) -> Value {
    let after = recorded.trace.violated.get(&property.name).copied();
    let description = recorded.trace.describe(property, after.unwrap_or(recorded.trace.steps.len()));
    let message = format!("{}: {description}", property.name);
    let locations: Vec<Value> =
        place(program, property.position).iter().map(|place| location(place, None)).collect();
    json!({
        "ruleId": property.kind.word(),
        "level": "error",
        "message": { "text": message },
        "locations": locations,
        "codeFlows": [{ "threadFlows": thread_flows(program, recorded) }],
    })
}

/// The steps of each thread that makes some.
fn thread_flows(program: &Program, recorded: &Recorded<'_>) -> Vec<Value> {
    let mut flows: Vec<Vec<Value>> = vec![Vec::new(); recorded.trace.threads];
    let mut order = 0;
    for step in &recorded.trace.steps {
        for origin in &step.edge.origin {
            let Some(place) = place(program, origin.position) else { continue };
            order += 1;
            let text = format!("thread {}, {}: {}", step.thread, origin.function, origin.text);
            if let Some(flow) = flows.get_mut(step.thread) {
                flow.push(json!({ "executionOrder": order, "location": location(&place, Some(&text)) }));
            }
        }
    }
    let flows = flows.into_iter().enumerate().filter(|(_, steps)| !steps.is_empty());
    flows.map(|(thread, steps)| json!({ "id": format!("thread {thread}"), "locations": steps })).collect()
}

fn location(place: &Place, message: Option<&str>) -> Value {
    let mut region = json!({ "startLine": place.line });
    if place.column > 0 {
        region["startColumn"] = json!(place.column);
    }
    let mut location = json!({
        "physicalLocation": { "artifactLocation": { "uri": uri(&place.file) }, "region": region },
    });
    if let Some(text) = message {
        location["message"] = json!({ "text": text });
    }
    location
}

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
    }
}
