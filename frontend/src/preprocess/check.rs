//! Whether a text is C: the system's compiler is asked, and its errors become ours.
//!
//! It looks at the user's text only, without our models. Preprocessed files bring headers of another compiler with them, and errors in
//! those are not the user's. What such an error breaks further down cannot be told from errors of the user's, so then the
//! answer is "not checked" rather than "not C".

use super::compiler::{Compiler, Mode, Task};
use super::headers::Headers;
use super::{PreprocessOptions, decode, display_name, messages};
use crate::diagnostics::{Diagnostic, Diagnostics, Severity};
use crate::source::marker;
use rustc_hash::FxHashSet;
use std::ffi::OsString;
use std::path::Path;

/// What is to be checked.
pub(super) struct Job<'a> {
    pub task: Task,
    pub path: &'a Path,
    /// The text, if it does not come from the file.
    pub input: Option<&'a [u8]>,
    /// The text after preprocessing.
    pub text: &'a str,
    pub mode: &'a Mode,
}

/// The answer.
#[derive(Default)]
pub(super) struct Checked {
    /// Why the text is not C, if so.
    pub errors: Diagnostics,
    /// Why there is no answer, if so.
    pub unchecked: Option<String>,
}

impl Checked {
    fn not(reason: impl Into<String>) -> Checked {
        Checked { errors: Diagnostics::new(), unchecked: Some(reason.into()) }
    }
}

/// Checks text that has been preprocessed before, if there is a compiler.
pub(super) fn preprocessed(
    path: &Path,
    input: Option<&[u8]>,
    text: &str,
    options: &PreprocessOptions,
) -> Checked {
    let Ok(headers) = Headers::write(options.environment) else {
        return Checked::not("no compiler could be run");
    };
    let Ok(compiler) = Compiler::find(options, &headers) else {
        return Checked::not("there is no compiler here");
    };
    // No headers are looked for, so the first mode will do.
    let Some(mode) = compiler.modes(options.data_model).into_iter().next() else {
        return Checked::not("no compiler could be run");
    };
    let job = Job { task: Task::CheckPreprocessed, path, input, text, mode: &mode };
    check(&compiler, &job, options, str::to_owned)
}

/// Asks the compiler. `rename` gives files of ours their names.
pub(super) fn check(
    compiler: &Compiler,
    job: &Job<'_>,
    options: &PreprocessOptions,
    rename: impl Fn(&str) -> String,
) -> Checked {
    if options.no_syntax_check {
        return Checked::not("--no-syntax-check is set");
    }
    if !job.mode.has_types {
        return Checked::not("the compiler has no 32-bit mode");
    }
    // Compilers read files again to show lines of them, and would wait for ever.
    if std::fs::metadata(job.path).is_ok_and(|file| !file.is_file()) {
        return Checked::not("the file can be read only once");
    }
    let flags: &[OsString] = &job.mode.flags;
    let Ok(output) = compiler.run(job.task, job.path, job.input, flags) else {
        return Checked::not("no compiler could be run");
    };
    if output.status.success() {
        return Checked::default();
    }
    let said = rename(&decode(&output.stderr));
    let are_own_headers = job.task == Task::Check && job.mode.remark.is_none();
    let foreign = if are_own_headers { FxHashSet::default() } else { system_files(job.text) };
    judge(&said, &display_name(job.path), &foreign, &compiler.name())
}

/// What the messages of a compiler that has failed mean.
fn judge(said: &str, name: &str, foreign_files: &FxHashSet<String>, compiler: &str) -> Checked {
    let mut errors = Diagnostics::new();
    let mut is_relevant = false;
    let mut foreign = None;
    for message in messages::read(said) {
        let is_error = message.severity == Severity::Error;
        if is_error {
            is_relevant = !is_accepted(&message.message);
        }
        if is_error && (foreign_files.contains(&message.position.file) || message.position.line == 0) {
            foreign.get_or_insert(message);
            is_relevant = false;
        } else if is_relevant {
            errors.push(respelled(message));
        }
    }
    if let Some(first) = foreign {
        let reason = format!("`{compiler}` cannot read it: {}: {}", first.position, first.message);
        return Checked::not(reason);
    }
    if errors.has_errors() {
        return Checked { errors, unchecked: None };
    }
    if said.contains("error:") {
        return Checked::default();
    }
    let last = said.lines().last().unwrap_or("no message");
    let message = format!("`{compiler}` failed: {last}");
    Checked { errors: Diagnostic::about_file(Severity::Error, name, message).into(), unchecked: None }
}

/// Errors for a compiler, but not for programs that are written for verifiers: their labels are commands, which may be repeated.
fn is_accepted(message: &str) -> bool {
    let about =
        |prefix: &str| message.strip_prefix(prefix).map(|rest| rest.trim_start_matches(['\'', '‘', '`']));
    let label = about("duplicate label ").or_else(|| about("redefinition of label "));
    label.is_some_and(|label| label.starts_with("__CPROVER_"))
}

/// The name of a function of ours, as the user knows it.
fn respelled(message: Diagnostic) -> Diagnostic {
    Diagnostic { message: message.message.replace("__monabs_assert", "assert"), ..message }
}

/// The files that line markers call headers of the system; what the first marker says counts, because macros of such headers
/// mark pieces of the user's lines, too.
fn system_files(text: &str) -> FxHashSet<String> {
    let (mut known, mut system) = (FxHashSet::default(), FxHashSet::default());
    for line in text.lines().filter(|line| line.starts_with('#')) {
        let Some(marker) = marker::parse(line) else { continue };
        let Some(file) = marker.file else { continue };
        if known.insert(file.clone()) && marker.system {
            system.insert(file);
        }
    }
    system
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(said: &str) -> Result<Option<String>, String> {
        let text = "# 1 \"a.c\"\n# 1 \"/sys/s.h\" 1 3 4\nint x;\n# 2 \"a.c\" 2 3 4\n";
        let judged = judge(said, "a.c", &system_files(text), "cc");
        if judged.errors.has_errors() { Err(judged.errors.to_string()) } else { Ok(judged.unchecked) }
    }

    #[test]
    fn errors_of_the_user_refuse_the_text() {
        let said =
            "a.c: In function 'main':\na.c:3:4: error: label 'l' used but not defined\na.c:2:1: note: here";
        let shown = "a.c:3:4: error: label 'l' used but not defined\na.c:2:1: note: here";
        assert_eq!(answer(said), Err(shown.to_owned()));
        assert!(answer("cc1: out of memory").is_err_and(|text| text.contains("cc1: out of memory")));
    }

    #[test]
    fn errors_of_headers_are_not_the_users() {
        let said = "/sys/s.h:1:2: error: two types\na.c:3:4: error: unknown type name 'x'";
        assert!(answer(said).is_ok_and(|reason| reason.is_some_and(|text| text.contains("two types"))));
        assert!(answer("cc1: error: unknown option").is_ok_and(|reason| reason.is_some()));
    }

    #[test]
    fn labels_that_are_commands_may_be_repeated() {
        let said = "a.c:3:4: error: duplicate label ‘__CPROVER_ASYNC_1’\na.c:2:4: note: previous definition";
        assert_eq!(answer(said), Ok(None));
        assert!(answer(&said.replace("__CPROVER", "__MINE")).is_err());
    }
}
