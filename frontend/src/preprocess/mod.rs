//! The system's C preprocessor, with headers of ours ahead of the system's.
//!
//! Files that are preprocessed already are taken as they are. For ILP32 on a machine without 32-bit headers, the 64-bit
//! ones are used in 32-bit mode: those of the GNU C library serve both.
//!
//! The same compiler is asked whether the text is C at all (`check`): a verdict about something else is worth nothing.

mod check;
mod compiler;
mod environment;
mod headers;
mod messages;

use crate::diagnostics::{Diagnostic, Diagnostics, Severity, reason};
use crate::types::DataModel;
use compiler::{Compiler, Mode, Task};
pub use environment::Environment;
use headers::Headers;
pub use headers::exit;
use std::borrow::Cow;
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};

/// What a preprocessor is to be told about macros.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MacroOption {
    /// `-D`: a name, or `NAME=VALUE`.
    Define(String),
    /// `-U`: a name.
    Undefine(String),
}

/// How to preprocess.
#[derive(Clone, Debug, Default)]
pub struct PreprocessOptions {
    /// The compiler to run; otherwise `$CC`, `cc`, `gcc` or `clang`, whichever is there.
    pub compiler: Option<String>,
    /// `-I`: where to look for headers, in order.
    pub include_directories: Vec<PathBuf>,
    /// `-D` and `-U`, in order.
    pub macros: Vec<MacroOption>,
    /// `-include`: files to read first, in order.
    pub includes: Vec<PathBuf>,
    /// Whose headers there are beside those of the C library.
    pub environment: Option<Environment>,
    /// More that the compiler is told about headers, as it is written for it: `-isystem DIR`.
    pub search: Vec<OsString>,
    /// The language, such as `c99`; otherwise `gnu11`.
    pub standard: Option<String>,
    /// `-m32` or `-m64`.
    pub data_model: DataModel,
    /// Do not ask the compiler whether the text is C.
    pub no_syntax_check: bool,
}

/// Text for the parser.
#[derive(Debug)]
pub struct Preprocessed {
    /// The text, with line markers.
    pub text: String,
    /// What the preprocessor said, and what had to be done differently.
    pub warnings: Diagnostics,
    /// Whether a preprocessor has just been run, so that line markers name the files as they are now.
    pub is_fresh: bool,
    /// Why the text is not C, as the compiler sees it, if so.
    pub errors: Diagnostics,
    /// Why nobody has checked that the text is C, if so.
    pub unchecked: Option<String>,
}

/// The name of a file in messages.
pub fn display_name(path: &Path) -> Cow<'_, str> {
    if path == Path::new("-") { Cow::Borrowed("<stdin>") } else { path.to_string_lossy() }
}

/// Reads a file and preprocesses it, unless that has been done; `-` is the standard input.
pub fn preprocess(path: &Path, options: &PreprocessOptions) -> Result<Preprocessed, Diagnostics> {
    let from_stdin = path == Path::new("-");
    // What is not a file can be read once only, and the compiler gets what was read.
    let is_once = from_stdin || std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file());
    let failed = |message: String| Diagnostic::about_file(Severity::Error, display_name(path), message);
    let bytes =
        read(path, from_stdin).map_err(|error| failed(format!("cannot be read: {}", reason(&error))))?;
    // The compiler only warns of them, in the middle of what they make of the file.
    if let Some(at) = bytes.iter().position(|byte| *byte == 0) {
        return Err(
            failed(format!("this is not C but a binary file, or UTF-16: byte {} is null", at + 1)).into()
        );
    }
    let has_suffix = path.extension().is_some_and(|suffix| suffix.eq_ignore_ascii_case("i"));
    if has_suffix || starts_with_marker(&bytes) {
        let text = decode(&bytes);
        let checked = check::preprocessed(path, is_once.then_some(&*bytes), &text, options);
        return Ok(Preprocessed {
            text,
            warnings: Diagnostics::new(),
            is_fresh: false,
            errors: checked.errors,
            unchecked: checked.unchecked,
        });
    }
    let input = match (is_once, from_stdin) {
        (false, _) => None,
        (true, true) => Some(bytes),
        (true, false) => {
            let marker = format!("# 1 {}\n", crate::parse::quoted(&display_name(path)));
            Some([marker.as_bytes(), &bytes].concat())
        }
    };
    run(path, input.as_deref(), options)
}

fn read(path: &Path, from_stdin: bool) -> std::io::Result<Vec<u8>> {
    if !from_stdin {
        return std::fs::read(path);
    }
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Whether the first line that is not empty is a line marker.
fn starts_with_marker(bytes: &[u8]) -> bool {
    let marker = bytes.trim_ascii_start().strip_prefix(b"#").map(<[u8]>::trim_ascii_start);
    marker.is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_digit))
}

/// Text in UTF-8. Other bytes, which can only be in literals and comments, become octal escapes.
fn decode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|byte| format!("\\{byte:03o}")));
    }
    text
}

fn run(path: &Path, input: Option<&[u8]>, options: &PreprocessOptions) -> Result<Preprocessed, Diagnostics> {
    let name = display_name(path);
    let failed = |message: String| Diagnostic::about_file(Severity::Error, name.as_ref(), message);
    let headers = Headers::write(options.environment).map_err(|error| {
        failed(format!("cannot write temporary headers for the preprocessor: {}", reason(&error)))
    })?;
    let compiler = Compiler::find(options, &headers).map_err(|message| {
        failed(message).with_hint(
            "install one (Debian: apt install gcc), or preprocess the file elsewhere and give its .i",
        )
    })?;
    let mut first_failure = None;
    for mode in compiler.modes(options.data_model) {
        let output = compiler
            .run(Task::Preprocess, path, input, &mode.flags)
            .map_err(|error| failed(format!("`{}` cannot be run: {error}", compiler.name())))?;
        let said = headers.rename(&decode(&output.stderr));
        if output.status.success() {
            let text = headers.rename(&decode(&output.stdout));
            let mut warnings = remark(&mode, &name);
            warnings.extend(messages::read(&said));
            let job = check::Job { task: Task::Check, path, input, text: &text, mode: &mode };
            let checked = check::check(&compiler, &job, options, |said| headers.rename(said));
            return Ok(Preprocessed {
                text,
                warnings,
                is_fresh: true,
                errors: checked.errors,
                unchecked: checked.unchecked,
            });
        }
        let hopeless = !messages::lacks_headers(&said);
        first_failure.get_or_insert(said);
        if hopeless {
            break;
        }
    }
    let said = first_failure.unwrap_or_default();
    let mut errors: Diagnostics = messages::read(&said).collect();
    if !errors.has_errors() {
        let last = said.lines().last().unwrap_or("no message");
        errors.push(failed(format!("`{}` failed: {last}", compiler.name())));
    }
    Err(errors)
}

/// What the user should know about a mode.
fn remark(mode: &Mode, name: &str) -> Diagnostics {
    let remark = mode.remark.iter();
    remark.map(|remark| Diagnostic::about_file(remark.severity, name, remark.message)).collect()
}

#[cfg(test)]
mod tests;
