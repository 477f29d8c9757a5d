//! The answer on stdout, as text or as one JSON document.
//!
//! Where there is a verdict, it is the last line. The line before it gives the reason if the verdict is UNKNOWN.

use crate::Tool;
use crate::console::{Console, print};
use crate::failure::{Result, exit};
use crate::verdict::{FailOn, Verdict};
use serde_json::{Map, Value, json};

/// Everything that is printed.
#[derive(Clone, Debug)]
pub struct Report {
    /// Where it goes.
    pub console: Console,
    /// The table of `--stats`.
    pub statistics: String,
    /// Text before the verdict.
    pub text: String,
    /// Lines between that and the verdict, also for those who want only the verdict.
    pub result: String,
    /// What there is to say about runs.
    pub verdict: Option<Verdict>,
    /// Which verdicts have an exit status of their own; all if none is named.
    pub fail_on: Vec<FailOn>,
    /// The document of `--json`, if it is asked for.
    pub json: Option<Map<String, Value>>,
}

impl Report {
    /// An empty report.
    pub fn new(tool: &Tool, console: Console, file: &str, is_json: bool) -> Report {
        let document = || {
            let mut document = Map::new();
            let tool = json!({ "name": tool.name, "version": tool.version });
            document.insert("tool".to_owned(), tool);
            document.insert("file".to_owned(), json!(file));
            document
        };
        Report {
            console,
            statistics: String::new(),
            text: String::new(),
            result: String::new(),
            verdict: None,
            fail_on: Vec::new(),
            json: is_json.then(document),
        }
    }

    /// Adds a field to the document.
    pub fn field(&mut self, name: &str, value: impl FnOnce() -> Value) {
        if let Some(document) = &mut self.json {
            document.insert(name.to_owned(), value());
        }
    }

    /// Prints the report and returns the exit code.
    pub fn print(&self) -> Result {
        let code = self.verdict.as_ref().map_or(exit::SUCCESSFUL, |verdict| verdict.status(&self.fail_on));
        print(&match &self.json {
            Some(document) => self.document(document.clone(), code),
            None => self.as_text(),
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

    fn as_text(&self) -> String {
        let mut text = self.statistics.clone();
        if !self.console.quiet || self.verdict.is_none() {
            text.push_str(&self.text);
        }
        text.push_str(&self.result);
        let Some(verdict) = &self.verdict else { return text };
        let line = self.console.verdict(verdict.line(), verdict.code());
        text.push_str(&match verdict {
            Verdict::Unknown(reason) => format!("reason: {reason}\n{line}\n"),
            Verdict::Rejected(reason) => format!("{line}: {reason}\n"),
            Verdict::Successful | Verdict::Failed => format!("{line}\n"),
        });
        text
    }
}
