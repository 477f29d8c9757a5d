//! `--emit`: the program in one of its forms.

use super::args::EmitArg;
use console::input::Loaded;
use console::{Failure, Result};
use frontend::program::{c, dot, json, text};
use std::path::Path;

/// The form that a suffix stands for.
pub(super) fn form_of(path: &Path) -> Option<EmitArg> {
    match path.extension()?.to_str()? {
        "prog" => Some(EmitArg::Program),
        "dot" | "gv" => Some(EmitArg::Dot),
        "c" => Some(EmitArg::C),
        "json" => Some(EmitArg::Json),
        _ => None,
    }
}

/// The text of the program, with a line end.
pub(super) fn emit(loaded: &Loaded, form: EmitArg) -> Result<String> {
    let program = &loaded.program;
    match form {
        EmitArg::Program => Ok(text::print(program)),
        EmitArg::Dot => Ok(dot::to_dot(program)),
        EmitArg::C => c::to_c(program)
            .map_err(|error| Failure::about_file(&loaded.name, format!("cannot be written as C: {error}"))),
        EmitArg::Json => Ok(format!("{:#}\n", json::to_json(program))),
    }
}
