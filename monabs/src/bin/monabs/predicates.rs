//! `--predicates`: a C expression a line, about the program as it is before anything is left out.

use console::input::read_text;
use console::{Failure, Result};
use frontend::diagnostics::{Diagnostic, Diagnostics, Place, Severity};
use frontend::preprocess::display_name;
use frontend::program::expression::{self, ExpressionError};
use frontend::program::{FileId, Position, Program, UserPredicate};
use std::path::Path;

/// The lines of a file.
#[derive(Clone, Debug)]
pub(super) struct Predicates {
    name: String,
    text: String,
}

impl Predicates {
    /// Reads a file.
    pub(super) fn read(path: &Path) -> Result<Predicates> {
        Ok(Predicates { name: display_name(path).into_owned(), text: read_text(path)? })
    }

    /// Gives them to the program; reductions see to them like to those in the source.
    pub(super) fn add_to(&self, program: &mut Program) -> Result<()> {
        let file = FileId(u32::try_from(program.files.len()).unwrap_or(u32::MAX));
        let (mut found, mut wrong) = (Vec::new(), Diagnostics::new());
        for (index, line) in self.text.lines().enumerate() {
            let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
            let code = without_comment(line);
            if code.trim().is_empty() {
                continue;
            }
            match expression::parse(code, program) {
                Ok(term) => {
                    found.push(UserPredicate { term, position: Position { file, line: number, column: 1 } })
                }
                Err(error) => wrong.push(self.diagnostic(error, number, line)),
            }
        }
        if !wrong.is_empty() {
            return Err(Failure::Input(wrong));
        }
        program.files.push(self.name.clone());
        program.predicates.extend(found);
        Ok(())
    }

    fn diagnostic(&self, error: ExpressionError, line: u32, source_line: &str) -> Diagnostic {
        let column = u32::try_from(error.column).unwrap_or(u32::MAX);
        Diagnostic {
            severity: Severity::Error,
            position: Place { file: self.name.clone(), line, column },
            message: error.message,
            hint: None,
            source_line: source_line.to_owned(),
        }
    }
}

fn without_comment(line: &str) -> &str {
    let end = line.find('#').into_iter().chain(line.find("//")).min();
    &line[..end.unwrap_or(line.len())]
}
