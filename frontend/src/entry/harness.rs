//! The program around entry points, as C text.

use super::{Argument, Definition, EntryPoints, definitions, parameter_count};
use crate::diagnostics::{Diagnostic, Diagnostics, Severity};
use crate::link::File;
use crate::lower::ARGUMENT;
use std::fmt::Write as _;

/// The name of the text in messages and runs.
pub const FILE: &str = "<entry points>";

/// What the function that chooses is called, and maybe something behind it.
pub(crate) const CHOICE: &str = "nondet_choice";

/// What the handle of a new thread is called.
const THREAD: &str = "thread";

/// The text, and the function to start with.
pub(crate) struct Harness {
    pub text: String,
    pub function: String,
}

/// Writes the program around functions of these files.
pub(crate) fn harness(
    points: &EntryPoints,
    files: &[File],
    has_own_threads: bool,
) -> Result<Harness, Diagnostics> {
    let names = Names { files };
    let choice = names.fresh(CHOICE);
    let unused = names.fresh("unused");
    let mut text = format!("extern _Bool {choice}(void);\n");
    let mut starts = String::new();
    let any: Vec<_> = points.entries.iter().filter(|entry| entry.threads.is_none()).collect();
    for (index, entry) in points.entries.iter().enumerate() {
        let Some(threads) = entry.threads else { continue };
        let call = names.call(&entry.function, &entry.arguments, "--entry")?;
        let runner = names.fresh(&format!("call_{}_{}", entry.function, index + 1));
        put(&mut text, (&choice, &unused), &runner, &[call]);
        for _ in 0..threads {
            let _ = writeln!(starts, "  {}", names.start(&runner, has_own_threads));
        }
    }
    if !any.is_empty() {
        let mut calls = Vec::new();
        for entry in any {
            calls.push(names.call(&entry.function, &entry.arguments, "--entry")?);
        }
        let runner = names.fresh("call_entries");
        put(&mut text, (&choice, &unused), &runner, &calls);
        let _ = writeln!(starts, "  while ({choice}())\n    {}", names.start(&runner, has_own_threads));
    }
    let function = names.fresh("entry_points");
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(text, "int {function}(void) {{");
    if !has_own_threads {
        let _ = writeln!(text, "  pthread_t {};", names.fresh(THREAD));
    }
    for init in &points.inits {
        let call = names.call(&init.function, &init.arguments, "--init")?;
        let _ = match init.result {
            Some(result) => writeln!(text, "  if ({call} != {result})\n    return 1;"),
            None => writeln!(text, "  {call};"),
        };
    }
    let _ = writeln!(text, "{starts}  return 0;\n}}");
    Ok(Harness { text, function })
}

/// A function that makes one of the calls, again and again.
fn put(text: &mut String, (choice, unused): (&str, &str), runner: &str, calls: &[String]) {
    let _ = writeln!(text, "static void *{runner}(void *{unused}) {{\n  do {{");
    for (index, call) in calls.iter().enumerate() {
        let _ = match (index + 1 == calls.len(), index) {
            (true, 0) => writeln!(text, "    {call};"),
            (true, _) => writeln!(text, "    else\n      {call};"),
            (false, 0) => writeln!(text, "    if ({choice}())\n      {call};"),
            (false, _) => writeln!(text, "    else if ({choice}())\n      {call};"),
        };
    }
    let _ = writeln!(text, "  }} while ({choice}());\n  return 0;\n}}");
}

struct Names<'a> {
    files: &'a [File],
}

impl<'a> Names<'a> {
    /// A name that no file mentions.
    fn fresh(&self, name: &str) -> String {
        let mut name = name.to_owned();
        while self.files.iter().any(|file| file.unit.text.contains(&name)) {
            name.push('_');
        }
        name
    }

    /// A statement that starts a thread.
    fn start(&self, runner: &str, has_own_threads: bool) -> String {
        if has_own_threads {
            format!("__monabs_spawn({runner}, 0, __monabs_new_handle());")
        } else {
            format!("pthread_create(&{}, 0, {runner}, 0);", self.fresh(THREAD))
        }
    }

    /// The one definition of a function.
    fn definition(&self, function: &str, option: &str) -> Result<&'a Definition, Diagnostics> {
        let of_file = |file: &'a File| {
            let all = definitions(&file.unit.ast, file.unit.user_start());
            all.filter(|(name, _)| file.unit.name(name) == function)
                .map(move |(_, definition)| (file, definition))
        };
        let found: Vec<_> = self.files.iter().flat_map(of_file).collect();
        match found.as_slice() {
            [] => {
                let message =
                    format!("there is no function '{function}' with a body to call ({option} {function})");
                Err(Diagnostic::about_file(Severity::Error, &self.files[0].name, message).into())
            }
            [(_, only)] => Ok(only),
            [(file, first), (other, second), ..] => {
                let (file, other) = (&file.unit.map, &other.unit.map);
                let place = file.diagnostic(Severity::Note, first.span.start, "").position;
                let message =
                    format!("'{function}' is defined here and at {place}: {option} cannot mean both");
                Err(other.diagnostic(Severity::Error, second.span.start, message).into())
            }
        }
    }

    /// A call of a function.
    fn call(&self, function: &str, arguments: &[Argument], option: &str) -> Result<String, Diagnostics> {
        let definition = self.definition(function, option)?;
        let count = parameter_count(definition);
        if arguments.len() > count {
            let message = format!(
                "{option} gives {} arguments to '{function}', which has {count} parameters",
                arguments.len()
            );
            return Err(Diagnostic::about_file(Severity::Error, &self.files[0].name, message).into());
        }
        let spelling = super::name(definition).unwrap_or(function);
        let list: Vec<String> = (0..count)
            .map(|index| {
                let word = match arguments.get(index).unwrap_or(&Argument::Usual) {
                    Argument::Value(value) => return value.clone(),
                    Argument::Usual => "usual",
                    Argument::Any => "any",
                    Argument::Fresh => "fresh",
                    Argument::Zero => "zero",
                    Argument::Shared => "shared",
                    Argument::Null => "null",
                };
                format!("{ARGUMENT}({spelling}, {}, \"{word}\")", index + 1)
            })
            .collect();
        Ok(format!("{spelling}({})", list.join(", ")))
    }
}
