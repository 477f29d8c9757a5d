//! The answer on stdout, as text or as one JSON document.
//!
//! Where there is a verdict, it is the last line. The line before it gives the reason if the verdict is UNKNOWN.

use super::console::{Console, print};
use super::failure::{Result, exit};
use super::verdict::Verdict;
use serde_json::{Map, Value, json};

/// Everything that is printed.
#[derive(Clone, Debug)]
pub(super) struct Report {
    pub(super) console: Console,
    /// The table of `--stats`.
    pub(super) statistics: String,
    /// Text before the verdict.
    pub(super) text: String,
    /// What there is to say about runs.
    pub(super) verdict: Option<Verdict>,
    /// The document of `--json`, if it is asked for.
    pub(super) json: Option<Map<String, Value>>,
}

impl Report {
    /// An empty report.
    pub(super) fn new(console: Console, file: &str, is_json: bool) -> Report {
        let document = || {
            let mut document = Map::new();
            let tool = json!({ "name": "asyncc", "version": env!("CARGO_PKG_VERSION") });
            document.insert("tool".to_owned(), tool);
            document.insert("file".to_owned(), json!(file));
            document
        };
        Report {
            console,
            statistics: String::new(),
            text: String::new(),
            verdict: None,
            json: is_json.then(document),
        }
    }

    /// Adds a field to the document.
    pub(super) fn field(&mut self, name: &str, value: impl FnOnce() -> Value) {
        if let Some(document) = &mut self.json {
            document.insert(name.to_owned(), value());
        }
    }

    /// Prints the report and returns the exit code.
    pub(super) fn print(&self) -> Result {
        let code = self.verdict.as_ref().map_or(exit::SUCCESSFUL, Verdict::code);
        print(&match &self.json {
            Some(document) => self.document(document.clone(), code),
            None => self.as_text(code),
        })?;
        Ok(code)
    }

    fn document(&self, mut document: Map<String, Value>, code: u8) -> String {
        if let Some(verdict) = &self.verdict {
            document.insert("verdict".to_owned(), json!(verdict.line()));
            document.insert("reason".to_owned(), json!(verdict.reason()));
            document.insert("exit_code".to_owned(), json!(code));
        }
        format!("{:#}\n", Value::Object(document))
    }

    fn as_text(&self, code: u8) -> String {
        let mut text = self.statistics.clone();
        if !self.console.quiet || self.verdict.is_none() {
            text.push_str(&self.text);
        }
        let Some(verdict) = &self.verdict else { return text };
        let line = self.console.verdict(verdict.line(), code);
        text.push_str(&match verdict {
            Verdict::Unknown(reason) => format!("reason: {reason}\n{line}\n"),
            Verdict::Rejected(reason) => format!("{line}: {reason}\n"),
            Verdict::Successful | Verdict::Failed => format!("{line}\n"),
        });
        text
    }
}

/// A number of things: `1 thread`, `2 threads`.
pub(super) fn plural(number: usize, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}
