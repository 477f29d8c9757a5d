//! Runs in files: as text for people, as JSON for `--replay`.
//!
//! ```text
//! { "format": "asyncc-trace", "version": 1, "file": name, "runs": [run...] }
//! ```
//!
//! A run is a trace as the library writes it, with what replaying needs besides: `property`, the one that the run was made for,
//! or null; for each input of a step its value in `smtlib`; for each step `passive_inputs`, by thread the values in SMT-LIB
//! that passive threads choose. Nothing else of a file is believed: all steps are made again.

use crate::failure::{Failure, Result};
use frontend::diagnostics::{Diagnostic, Place, Severity};
use frontend::program::trace::{Form, Trace};
use frontend::program::{Choice, EdgeId, InitialValue, Program, Run, VariableId};
use serde_json::{Value as Json, json};
use smt::Value;
use std::fmt::Write as _;

/// More threads than this are taken for a mistake.
pub const MOST_THREADS: usize = 1000;

/// A run that was replayed.
#[derive(Debug)]
pub struct Recorded<'a> {
    /// The property that it was made for.
    pub goal: Option<String>,
    /// What happens.
    pub run: Run,
    /// With the values that change.
    pub trace: Trace<'a>,
}

impl<'a> Recorded<'a> {
    /// Replays a run.
    pub fn new(program: &'a Program, goal: Option<String>, run: Run) -> std::result::Result<Self, String> {
        let trace = Trace::new(program, &run).map_err(|error| error.to_string())?;
        match &goal {
            Some(name) if !trace.violated.contains_key(name) => Err(format!("it does not violate {name}")),
            _ => Ok(Recorded { goal, run, trace }),
        }
    }

    fn json(&self) -> Json {
        let mut document = self.trace.to_json();
        document["property"] = json!(self.goal);
        if let Some(steps) = document["steps"].as_array_mut() {
            for (step, choice) in steps.iter_mut().zip(&self.run.steps) {
                for (index, value) in choice.inputs.iter().enumerate() {
                    step["inputs"][index]["smtlib"] = json!(value.to_string());
                }
                let passive =
                    choice.passive_inputs.iter().map(|values| values.iter().map(Value::to_string).collect());
                step["passive_inputs"] = json!(passive.collect::<Vec<Vec<String>>>());
            }
        }
        document
    }
}

/// The runs for people.
pub fn text(recorded: &[Recorded<'_>], form: Form) -> String {
    let mut text = String::new();
    for (number, Recorded { goal, trace, .. }) in recorded.iter().enumerate() {
        let head = goal.as_ref().map_or_else(|| "run".to_owned(), |goal| format!("run to {goal}"));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}{head}\n{}", if number > 0 { "\n" } else { "" }, trace.shown(form));
    }
    text
}

/// The runs for programs.
pub fn list(recorded: &[Recorded<'_>]) -> Json {
    recorded.iter().map(Recorded::json).collect()
}

/// The whole file for `--replay`.
pub fn document(file: &str, recorded: &[Recorded<'_>]) -> String {
    let document = json!({ "format": "asyncc-trace", "version": 1, "file": file, "runs": list(recorded) });
    format!("{document:#}\n")
}

/// Reads the runs of a file, each with the property that it was made for.
pub fn read(name: &str, text: &str, program: &Program) -> Result<Vec<(Option<String>, Run)>> {
    let document: Json = serde_json::from_str(text).map_err(|error| {
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Failure::from(Diagnostic {
            severity: Severity::Error,
            position: Place {
                file: name.to_owned(),
                line: number(error.line()),
                column: number(error.column()),
            },
            message: format!("this is no JSON: {error}"),
            hint: None,
            source_line: text.lines().nth(error.line().saturating_sub(1)).unwrap_or_default().to_owned(),
        })
    })?;
    if document["format"] != "asyncc-trace" || document["version"] != 1 {
        return Err(Failure::about_file(name, "this is no trace that asyncc or monabs wrote"));
    }
    let runs = array(&document["runs"], "runs");
    let read =
        runs.and_then(|runs| runs.iter().map(|run| Ok((goal(run), self::run(run, program)?))).collect());
    read.map_err(|wrong: Wrong| Failure::about_file(name, wrong.0))
}

/// What is wrong with a document.
struct Wrong(String);

type Read<T> = std::result::Result<T, Wrong>;

fn goal(run: &Json) -> Option<String> {
    run["property"].as_str().map(str::to_owned)
}

fn run(run: &Json, program: &Program) -> Read<Run> {
    let threads = number(&run["threads"], "threads")?;
    if !(1..=MOST_THREADS).contains(&threads) {
        return Err(Wrong(format!("threads: {threads} is not between 1 and {MOST_THREADS}")));
    }
    let initial = array(&run["initial"], "initial")?.iter().map(|value| initial_value(value, program));
    let initial = initial.collect::<Read<_>>()?;
    let steps = array(&run["steps"], "steps")?.iter().enumerate();
    let steps = steps
        .map(|(index, step)| choice(step).map_err(|wrong| Wrong(format!("step {}: {}", index + 1, wrong.0))));
    Ok(Run { threads, initial, steps: steps.collect::<Read<_>>()? })
}

fn initial_value(json: &Json, program: &Program) -> Read<InitialValue> {
    let name = json["variable"].as_str().unwrap_or_default();
    let index = program.variables.iter().position(|variable| variable.name.as_str() == name);
    let index = index.ok_or_else(|| Wrong(format!("initial: there is no variable '{name}'")))?;
    let thread = match &json["thread"] {
        Json::Null => None,
        thread => Some(number(thread, "thread")?),
    };
    Ok(InitialValue { variable: VariableId(index as u32), thread, value: value(&json["smtlib"])? })
}

fn choice(json: &Json) -> Read<Choice> {
    let edge =
        u32::try_from(number(&json["edge"], "edge")?).map_err(|_| Wrong("edge: too large".to_owned()))?;
    let inputs = array(&json["inputs"], "inputs")?.iter().map(|input| value(&input["smtlib"]));
    let passive = array(&json["passive_inputs"], "passive_inputs")?.iter();
    let passive =
        passive.map(|values| array(values, "passive_inputs")?.iter().map(value).collect::<Read<_>>());
    Ok(Choice {
        thread: number(&json["thread"], "thread")?,
        edge: EdgeId(edge),
        inputs: inputs.collect::<Read<_>>()?,
        passive_inputs: passive.collect::<Read<_>>()?,
    })
}

fn array<'a>(json: &'a Json, what: &str) -> Read<&'a Vec<Json>> {
    json.as_array().ok_or_else(|| Wrong(format!("{what}: a list is missing")))
}

fn number(json: &Json, what: &str) -> Read<usize> {
    let number = json.as_u64().and_then(|number| usize::try_from(number).ok());
    number.ok_or_else(|| Wrong(format!("{what}: a number is missing")))
}

fn value(json: &Json) -> Read<Value> {
    let text = json.as_str().ok_or_else(|| Wrong("a value in SMT-LIB is missing".to_owned()))?;
    let term = smt::smtlib::parse_term(text, []).map_err(|error| Wrong(format!("'{text}': {error}")))?;
    term.as_value().ok_or_else(|| Wrong(format!("'{text}' is no value")))
}
