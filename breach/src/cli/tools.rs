//! `breach convert`, `breach generate`, `breach completions`, `breach man`.

use super::args::{Cli, ConvertArgs, FormatArg, GenerateArgs};
use super::console::print;
use super::failure::{Failure, Result, exit};
use super::outputs::Output;
use super::question::SystemFile;
use super::usage::{check_generate, conflict_in, is_same_file};
use breach::convert::{to_emdr, to_spec};
use breach::generate::{Parameters, generate as generate_system};
use breach::input::{Format, Input};
use breach::{emdr, spec};
use clap::CommandFactory as _;
use std::path::{Path, PathBuf};

/// `breach convert`.
pub(super) fn convert(args: &ConvertArgs) -> Result {
    let to = match (args.to, args.output.as_deref().and_then(Format::of_path)) {
        (Some(FormatArg::Emdr), _) | (None, Some(Format::Emdr)) => Format::Emdr,
        (Some(FormatArg::Spec), _) | (None, Some(Format::Spec)) => Format::Spec,
        (None, None) => {
            return conflict_in(
                "convert",
                "the format to write is not known: add '--to emdr' or '--to spec'",
            );
        }
    };
    if let Some(output) = &args.output
        && is_same_file(output, &args.file)
    {
        return conflict_in("convert", format!("'--output {}' would overwrite the input", output.display()));
    }
    let mut system = SystemFile::read(&args.file, args.question.format)?;
    system.ask(&args.question)?;
    let cannot = |error| Failure::Input(format!("{}: error: {error}", system.file.name));
    let text = match to {
        Format::Emdr => emdr::print(&to_emdr(&system.input).map_err(cannot)?).map_err(|e| e.to_string()),
        Format::Spec => spec::print(&to_spec(&system.input).map_err(cannot)?).map_err(|e| e.to_string()),
    };
    // A converted system can be written; if not, the conversion is wrong.
    write(&args.output, &text.map_err(Failure::Internal)?)
}

/// `breach generate`.
pub(super) fn generate(args: &GenerateArgs) -> Result {
    check_generate(args)?;
    let input: Input = generate_system(&Parameters {
        shared_states: args.shared,
        local_states: args.locals,
        transitions: args.transitions,
        transfer_share: args.transfers,
        spawn_share: args.spawns,
        broadcast_share: args.broadcasts,
        rules_per_transfer: args.rules,
        seed: args.seed,
    });
    let text = emdr::print(&input).map_err(|error| Failure::Internal(error.to_string()))?;
    write(&args.output, &text)
}

fn write(output: &Option<PathBuf>, text: &str) -> Result {
    Output::open(output.as_deref().unwrap_or(Path::new("-")))?.write(text)?;
    Ok(exit::SUCCESSFUL)
}

/// `breach completions`.
pub(super) fn completions(shell: clap_complete::Shell) -> Result {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "breach", &mut script);
    print(&String::from_utf8_lossy(&script))?;
    Ok(exit::SUCCESSFUL)
}

/// `breach man`.
pub(super) fn man(name: Option<&str>) -> Result {
    match terminal::help::manual(Cli::command(), name) {
        Some(page) => print(&page)?,
        None => {
            return conflict_in("man", format!("there is no command '{}'", name.unwrap_or_default()));
        }
    }
    Ok(exit::SUCCESSFUL)
}
